"""What holds on every page: no serious fault of accessibility, nothing from elsewhere."""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from referee.timer_json import reading_to_json
from referee.timer_reading import ClockReading, SideReading, later
from referee.timer_settings import ClockKind
from referee.timer_state import Phase
from tests.web.browser.conftest import NewPage
from tests.web.browser.stage import B, Stage, W

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

expect = pytest.importorskip("playwright.sync_api").expect
PAGES = (
    "", "picture", "match", "replay", "replay/NAME", "statistics", "statistics/NAME",
    "protocol", "protocol/NAME", "settings", "wizard#board", "wizard#start", "referee",
    "spectator", "kiosk", "login", "setup", "join",
)  # fmt: skip
BUDGET_BYTES = 200_000


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A table with a game under way and a disputed play."""
    stage = Stage(tmp_path_factory.mktemp("played"))
    stage.open()
    stage.begin(W)
    stage.turn(W, 6, 5)
    stage.turn(B, 3, 1)
    stage.wrong(W, 6, 3, (5, 5))
    yield stage
    stage.stop()


def opened(page: "Page", stage: Stage, path: str) -> None:
    name = stage.table.keeper.match or ""
    page.goto(stage.url(path.replace("NAME", name)))
    page.wait_for_load_state("load")
    if "NAME" in path or path in ("", "referee", "kiosk", "spectator"):
        place = {"replay": "#board svg", "statistics": "#plots img", "protocol": "#facts tr"}
        page.locator(place.get(path.split("/", maxsplit=1)[0], "#board svg")).first.wait_for()


def test_no_page_is_too_wide_or_has_a_serious_fault_of_accessibility(
    played: Stage, new_page: NewPage
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = new_page(width=360, height=740, language="ru-RU")
    faults: list[tuple[str, ...]] = []

    def look(path: str, theme: str, **only: object) -> None:
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        found = axe.run(page, options={"resultTypes": ["violations"], **only}).response
        faults.extend(
            (path, theme, one["id"], one["impact"], node["html"][:160])
            for one in found["violations"]
            for node in one["nodes"][:2]
            if one["impact"] in ("serious", "critical")
        )

    def measure(path: str, width: int, height: int) -> None:
        page.set_viewport_size({"width": width, "height": height})
        extra = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if extra > 0:
            faults.append((path, f"{width} px", f"{extra} px too wide"))

    for path in PAGES:
        opened(page, played, path)
        measure(path, 360, 740)
        look(path, "light")
        for theme in ("dark", "contrast"):
            look(path, theme, runOnly=["color-contrast"])
        measure(path, 3840, 2160)
        page.set_viewport_size({"width": 360, "height": 740})
    assert faults == []


def test_the_tables_page_is_small_and_asks_nobody_else(played: Stage, page: "Page") -> None:
    asked: list[Request] = []
    page.on("requestfinished", lambda one: asked.append(one))
    page.on("requestfailed", lambda one: asked.append(one))
    page.goto(played.url())
    expect(page.locator("#link")).to_have_text("live")
    hosts = {one.url.split("/")[2] for one in asked}
    assert hosts == {f"127.0.0.1:{played.port}"}
    done = [one for one in asked if "/stream" not in one.url]
    sent = sum(
        one.sizes()["responseBodySize"] + one.sizes()["responseHeadersSize"] for one in done
    )
    assert sent <= BUDGET_BYTES, sorted(
        ((one.sizes()["responseBodySize"], one.url) for one in done), reverse=True
    )[:12]


def test_a_view_counts_the_clock_on_as_the_table_does(played: Stage, page: "Page") -> None:
    rng = random.Random(5)
    cases = []
    for _ in range(300):
        reading = ClockReading(
            at_ms=rng.randrange(10**6),
            kind=rng.choice(list(ClockKind)),
            phase=rng.choice(list(Phase)),
            to_move=rng.choice([W, B]),
            starts_by=None,
            white=SideReading(rng.randrange(90_000), rng.randrange(9000), rng.randrange(9000)),
            black=SideReading(rng.randrange(90_000), rng.randrange(9000), rng.randrange(9000)),
            delay_left_ms=rng.randrange(12_000),
            turn_ms=rng.randrange(9000),
            flag=None,
            pause=None,
        )
        cases.append((reading, rng.randrange(-500, 120_000)))
    page.goto(played.url())
    given = [(reading_to_json(reading), elapsed) for reading, elapsed in cases]
    told = page.evaluate(
        """async (cases) => {
          const src = document.querySelector("script[type=module]").src;
          const { later } = await import(src.replace("page_table", "clock"));
          return cases.map(([reading, elapsed]) => later(reading, elapsed));
        }""",
        given,
    )
    for (reading, elapsed), shown in zip(cases, told, strict=True):
        wanted: dict[str, Any] = reading_to_json(later(reading, elapsed))
        parts = ("w", "b", "delay_left_ms", "turn_ms")
        assert {key: shown[key] for key in parts} == {key: wanted[key] for key in parts}, (
            asdict(reading)
        )


def test_the_sheet_of_the_rules_chosen_can_be_read(tmp_path: Path, new_page: NewPage) -> None:
    stage = Stage(tmp_path)
    page = new_page()
    page.goto(stage.url("match"))
    page.select_option("select[name=rules]", "short")
    page.get_by_text("Rule sheet").click()
    expect(page.locator("#sheet dl")).to_contain_text("the sides travel towards each other")
    expect(page.locator("#sheet")).not_to_contain_text("[object")
    page.fill("input[name=length]", "")
    page.select_option("select[name=clock]", "federation")
    page.get_by_role("button", name="Begin the match").click()
    expect(page.locator(".match-form .error")).to_contain_text("counts time by the point")
    stage.stop()


def test_a_replay_is_stepped_with_the_keys_and_shows_the_throw(
    played: Stage, page: "Page"
) -> None:
    page.goto(played.url(f"replay/{played.table.keeper.match}"))
    expect(page.locator("#place")).to_contain_text("Step 1 of")
    page.keyboard.press("End")
    expect(page.locator("#words")).to_contain_text(
        "Black accepts the play as it stands or demands"
    )
    while "the throw counts" not in page.locator("#words").inner_text():
        page.keyboard.press("ArrowLeft")
    expect(page.locator("#pictures img").first).to_have_attribute(
        "src", re.compile(r"/dice\?seq=\d+$")
    )
    assert page.locator("#pictures img").first.evaluate(
        "async (image) => { await image.decode(); return image.naturalWidth; }"
    )
    page.keyboard.press("Home")
    expect(page.locator("#words")).to_contain_text("Throw one die each")


def test_the_referee_orders_a_position_with_a_reason(tmp_path: Path, new_page: NewPage) -> None:
    stage = Stage(tmp_path)
    stage.open()
    stage.begin(W)
    page = new_page()
    page.goto(stage.url("referee"))
    page.get_by_role("button", name="Set position, turn and throw…").click()
    page.locator("dialog select").select_option("b")
    page.get_by_role("button", name="Order it").click()
    expect(page.locator("dialog .error")).to_have_text("Give a reason.")
    page.locator("dialog").get_by_label("Reason (goes into the record)").fill(
        "board was knocked"
    )
    page.get_by_role("button", name="Order it").click()
    expect(page.locator("#turn")).to_contain_text("Black: to throw")
    expect(page.locator("#log")).to_contain_text("the referee: board was knocked")
    stage.stop()


def test_the_wizard_leads_from_the_corners_to_a_match(
    tmp_path: Path, new_page: NewPage
) -> None:
    stage = Stage(tmp_path)
    page = new_page(width=360)
    page.goto(stage.url("wizard"))
    page.get_by_role("button", name="On", exact=True).click()
    expect(page.locator("#camera-state")).to_contain_text("camera live")
    page.get_by_role("button", name="On", exact=True).click()
    handle = page.locator(".handle").first
    before = json.loads(f"[{handle.get_attribute('aria-valuetext')}]")
    handle.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="Use these corners").click()
    expect(page.locator("#board-state")).to_contain_text("set by hand")
    corners = stage.table.state().sight.corners_px
    assert corners is not None
    assert [round(n) for n in corners[0]] == [before[0] + 10, before[1] - 1]
    page.get_by_role("button", name="On", exact=True).click()
    page.get_by_label("White's head: bottom left").check()
    expect(page.get_by_label("White's head: bottom left")).to_be_checked()
    for _ in range(3):
        page.get_by_role("button", name="On", exact=True).click()
    expect(page.locator("#throw-state")).to_be_visible()
    page.get_by_role("button", name="Begin the match").click()
    page.wait_for_url(stage.url())
    layout = stage.table.state().layout
    assert layout is not None
    assert layout.white_start.value == "bottom_left"
    expect(page.locator("#turn")).to_contain_text("Put up the start position")
    stage.stop()
