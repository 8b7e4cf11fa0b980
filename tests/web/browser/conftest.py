import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = os.environ.get("ZARBITER_CHROMIUM") or shutil.which("chromium")
NewPage = Callable[..., "Page"]


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="no Playwright here: pages are NOT tested in a browser"
    )
    if CHROMIUM is None:
        pytest.skip(
            "no chromium here: pages are NOT tested in a browser (apt install chromium)"
        )
    with playwright.sync_playwright() as running:
        found = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.stop()


@pytest.fixture
def complaints() -> list[str]:
    """What any page complained of: errors of scripts, refusals by the content policy."""
    return []


@pytest.fixture
def new_page(browser: "Browser", complaints: list[str]) -> Iterator[NewPage]:
    """Open a browser of its own, as another phone has."""
    contexts: list[BrowserContext] = []

    def open_page(*, width: int = 1280, height: int = 800, language: str = "en-GB",
                  scheme: str = "light") -> "Page":  # fmt: skip
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=language,
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        )
        context.set_default_timeout(8000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda said: complaints.append(said.text)
            if said.type == "error" and "Failed to load resource" not in said.text
            and "ERR_" not in said.text and "EventSource" not in said.text
            else None,
        )  # fmt: skip
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def page(new_page: NewPage) -> "Page":
    return new_page()
