"""Lost connections: nothing old is shown as live, nothing is lost, nothing comes twice."""

from typing import TYPE_CHECKING

import pytest

from tests.web.browser.conftest import NewPage
from tests.web.browser.stage import B, Stage, W
from vision.observation import Side
from web.api import SightState

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api").expect
LISTEN = """async () => {
  const src = document.querySelector("script[type=module]").src;
  const { live } = await import(src.replace("page_table", "live"));
  window.rows = [];
  window.links = [];
  live.addEventListener("entry", (event) => window.rows.push(event.detail.seq));
  live.addEventListener("link", (event) => window.links.push(event.detail));
}"""


def test_a_restart_in_mid_game_is_said_and_loses_and_doubles_nothing(
    stage: Stage, page: "Page"
) -> None:
    stage.open()
    stage.begin(W)
    stage.turn(W, 6, 5)
    page.goto(stage.url())
    expect(page.locator("#link")).to_have_text("live")
    page.evaluate(LISTEN)
    first = stage.table.record.head.seq + 1
    stage.turn(B, 3, 1)
    expect(page.locator("#verdict")).to_contain_text("Legal: 3-1")
    stage.stop()
    expect(page.locator("#link")).to_contain_text("no connection", timeout=7000)
    expect(page.locator("body.stale")).to_be_visible()
    stage.start_again()
    stage.throw(W, 4, 2)
    expect(page.locator("#link")).to_have_text("live", timeout=9000)
    expect(page.locator("body.stale")).to_have_count(0)
    expect(page.locator("#verdict")).to_have_text("4-2, the throw counts.")
    last = stage.table.record.head.seq
    page.wait_for_function(f"window.rows.includes({last})")
    assert page.evaluate("window.rows") == list(range(first, last + 1))
    assert "stale" in page.evaluate("window.links")


def test_where_all_streams_are_taken_the_page_asks_every_second(
    tmp_path: "Path", new_page: NewPage
) -> None:
    stage = Stage(tmp_path, streams=1)
    stage.open()
    first, second = new_page(), new_page()
    first.goto(stage.url())
    expect(first.locator("#link")).to_have_text("live")
    second.goto(stage.url())
    expect(second.locator("#link")).to_have_text("live (every second)")
    stage.begin(W)
    expect(second.locator("#verdict")).to_contain_text("The clock runs: White.")
    stage.stop()


def test_a_lost_camera_is_said_on_table_and_picture(stage: Stage, new_page: NewPage) -> None:
    table, picture = new_page(), new_page()
    table.goto(stage.url())
    picture.goto(stage.url("picture"))
    expect(table.locator("#sight")).to_have_text("camera live")
    expect(picture.locator(".live-frame .badge")).to_be_hidden()
    stage.table.knobs.sight = SightState.STALE
    stage.table.touch()
    expect(table.locator("#sight")).to_have_text("picture frozen")
    expect(picture.locator(".live-frame .badge")).to_have_text("frozen: this is not live")
    stage.table.knobs.sight = SightState.LOST
    stage.table.touch()
    expect(table.locator("#sight")).to_contain_text("The camera does not answer.")


def test_the_board_lies_as_the_camera_sees_it(stage: Stage, page: "Page") -> None:
    from calibration.layout import BoardLayout, Corner

    stage.table.set_layout(BoardLayout(Corner.BOTTOM_LEFT), Side.DARK)
    stage.open()
    stage.begin(W)
    page.goto(stage.url())
    labels = page.locator("#board .label").all_text_contents()
    assert labels == [str(n) for n in [*range(1, 13), *range(24, 12, -1)]]
    # White has the dark checkers here, at the bottom left.
    dark = page.locator("#board .disc.dark").first.get_attribute("transform") or ""
    x, y = (float(n) for n in dark.removeprefix("translate(").rstrip(")").split())
    assert x < 120
    assert y > 300
    page.keyboard.press("t")
    turned = page.locator("#board .label").all_text_contents()
    assert turned == [str(n) for n in [*range(13, 25), *range(12, 0, -1)]]


def test_only_news_is_spoken_and_mute_ends_it(stage: Stage, new_page: NewPage) -> None:
    page = new_page(language="ru-RU")
    page.add_init_script(
        """window.spoken = []; window.hushed = 0;
        Object.defineProperty(window, "speechSynthesis", { value: {
          speak: (one) => { window.spoken.push([one.lang, one.text]); },
          cancel: () => { window.hushed += 1; },
        } });"""
    )
    stage.open()
    stage.begin(W)
    page.goto(stage.url())
    expect(page.locator("#verdict")).not_to_be_empty()
    page.get_by_text("Вид и звук").click()
    page.get_by_label("Произносить решения").check()
    stage.throw(W, 6, 3)
    expect(page.locator("#verdict")).to_have_text("6-3, бросок засчитан.")
    assert page.evaluate("window.spoken") == [["ru-RU", "6-3, бросок засчитан."]]
    page.get_by_label("Произносить решения").uncheck()
    assert page.evaluate("window.hushed") == 1
