"""The table's page in a real browser, on a real server."""

import re
from typing import TYPE_CHECKING

import pytest

from referee.arbiter.events import PlayRead
from referee.arbiter.states import AwaitingThrow, Playing
from tests.web.browser.conftest import NewPage
from tests.web.browser.stage import B, Stage, W

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api").expect
PINS = {"admin": "918273", "referee": "564738", "player": "407182", "spectator": "993051"}


def phase(stage: Stage) -> str:
    return type(stage.table.keeper.state.phase).__name__


def login(page: "Page", stage: Stage, role: str, side: str = "") -> "Page":
    page.goto(stage.url("login"))
    page.fill("#pin", PINS[role])
    page.check(f"input[name=side][value='{side}']")
    page.click("form button")
    page.wait_for_url(stage.url())
    return page


def test_a_game_goes_from_the_agreement_to_a_judged_play(stage: Stage, page: "Page") -> None:
    page.goto(stage.url("match"))
    page.fill("input[name=white]", "Anna")
    page.fill("input[name=black]", "Boris")
    page.select_option("select[name=clock]", "federation")
    page.get_by_role("button", name="Begin the match").click()
    page.wait_for_url(stage.url())
    expect(page.locator("#turn")).to_contain_text("Put up the start position")
    page.get_by_role("button", name="The start position stands").click()
    expect(page.locator("#question h2")).to_contain_text("Who begins")
    page.get_by_text("Set a die by hand").click()
    page.get_by_role("group", name="White's die").get_by_label("6", exact=True).click()
    page.get_by_role("group", name="Black's die").get_by_label("1", exact=True).click()
    expect(page.locator("#verdict")).to_contain_text("White begins")
    page.get_by_role("button", name="Start the clock: Black").click()
    expect(page.locator(".clock.side-w.runs")).to_be_visible()

    stage.throw(W, 6, 3)
    expect(page.locator("#board .die")).to_have_count(2)
    expect(page.locator("#board svg.board")).to_have_attribute("aria-label", re.compile("6-3"))
    page.get_by_role("button", name="End of turn: White").click()
    expect(page.locator("#turn")).to_contain_text("being read")
    stage.do(PlayRead(stage._now_ms(), stage.players.legal()))
    expect(page.locator("#verdict")).to_contain_text("Legal: 6-3")
    expect(page.locator("#lamp")).to_contain_text("all right")
    expect(page.locator("#board .arrow")).not_to_have_count(0)
    expect(page.locator(".clock.side-b.runs")).to_be_visible()


def test_the_space_key_ends_the_turn(stage: Stage, page: "Page") -> None:
    stage.open()
    stage.begin(W)
    stage.throw(W, 6, 3)
    page.goto(stage.url())
    expect(page.get_by_role("button", name="End of turn: White")).to_be_enabled()
    page.keyboard.press("Space")
    expect(page.locator("#turn")).to_contain_text("being read")


@pytest.mark.parametrize("answer", ["accept", "demand"])
def test_a_wrong_play_is_answered_by_the_opponent_on_his_phone(
    stage: Stage, new_page: NewPage, answer: str
) -> None:
    stage.set_up(PINS)
    stage.open()
    stage.begin(W)
    stage.wrong(W, 6, 3, (5, 5))
    anna = login(new_page(width=360), stage, "player", "w")
    boris = login(new_page(width=360), stage, "player", "b")
    expect(anna.locator("#question")).to_contain_text("Waiting for: Black")
    expect(anna.locator("#question").get_by_role("button", name="Accept")).to_have_count(0)
    expect(boris.locator("#board .arrow.wrong")).not_to_have_count(0)
    expect(boris.locator("#question .boards li")).not_to_have_count(0)
    name = {"accept": "Accept it as it stands", "demand": "Demand a right move"}[answer]
    boris.get_by_role("button", name=name).click()
    expect(anna.locator("#question")).to_be_hidden()
    kind = AwaitingThrow if answer == "accept" else Playing
    assert isinstance(stage.table.keeper.state.phase, kind)


def test_an_unclear_position_is_chosen_in_one_tap(stage: Stage, page: "Page") -> None:
    stage.open()
    stage.begin(W)
    stage.turn(W, 6, 5)
    stage.turn(B, 4, 2)
    stage.unsure(W, 6, 3)
    wanted = stage.players.state.phase.candidates[1]  # type: ignore[union-attr]
    page.goto(stage.url())
    page.locator("#question .boards button").nth(1).click()
    expect(page.locator("#question")).to_be_hidden()
    assert stage.players.position == wanted


def test_a_position_is_set_with_the_keyboard_and_stays_thirty_checkers(
    stage: Stage, page: "Page"
) -> None:
    stage.open()
    stage.begin(W)
    stage.unsure(W, 6, 5)
    wanted = stage.players.state.phase.candidates[0]  # type: ignore[union-attr]
    page.goto(stage.url())
    page.get_by_role("button", name=re.compile("None of these")).click()
    page.locator("dialog .slot").first.focus()
    # The head of White is the last of the upper row: lift there, set down two points on.
    for key in ["ArrowRight"] * 11 + ["Enter", "ArrowLeft", "ArrowLeft", "Enter"]:
        page.keyboard.press(key)
    expect(page.locator("dialog .editor-note")).to_have_text("22, White, 1 checker")
    expect(page.locator("dialog .slot").nth(11)).to_have_attribute(
        "aria-label", "24, White, 13 checkers"
    )
    page.get_by_role("button", name="As it was").click()
    page.get_by_role("button", name="This stands on the board").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("#verdict")).not_to_be_empty()
    expect(page.locator("#question")).to_be_hidden()
    assert phase(stage) == "AwaitingThrow"
    assert stage.players.position == wanted


def test_a_checker_is_dragged_and_tapped_to_its_place(stage: Stage, page: "Page") -> None:
    stage.open()
    stage.begin(W)
    stage.unsure(W, 6, 5)
    page.goto(stage.url())
    page.get_by_role("button", name=re.compile("None of these")).click()

    def middle(point: int) -> tuple[float, float]:
        box = page.locator(f"dialog .slot[aria-label^='{point},']").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    page.mouse.move(*middle(13))
    page.mouse.down()
    page.mouse.move(*middle(18), steps=3)
    page.mouse.up()
    expect(page.locator("dialog .slot[aria-label^='18, White']")).to_have_count(1)
    page.mouse.click(*middle(18))
    page.mouse.click(*middle(13))
    page.get_by_role("button", name="This stands on the board").click()
    expect(page.locator("#verdict")).to_contain_text("Legal: 6-5")


def test_a_throw_that_was_not_read_is_set_by_hand(stage: Stage, page: "Page") -> None:
    stage.open()
    stage.begin(W)
    stage.throw(W, 6, None)
    page.goto(stage.url())
    expect(page.locator("#question")).to_contain_text("a number cannot be read")
    expect(page.locator("#question img.shot")).to_be_visible()
    page.get_by_role("button", name="Other numbers…").click()
    page.get_by_role("group", name="Second die").get_by_label("2", exact=True).check()
    page.get_by_role("button", name="This was thrown").click()
    expect(page.locator("#board svg.board")).to_have_attribute("aria-label", re.compile("6-2"))


def test_the_last_throw_and_turn_are_corrected_with_a_reason(
    stage: Stage, page: "Page"
) -> None:
    stage.open()
    stage.begin(W)
    stage.turn(W, 6, 5)
    stage.turn(B, 3, 1)
    page.goto(stage.url())
    page.get_by_text("More: pause").click()
    page.get_by_role("button", name="Take a turn back…").click()
    page.locator("dialog").get_by_label("Reason").fill("misread")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#verdict")).to_contain_text("Turns taken back: 1")
    rows = list(stage.table.rows())
    assert [row.data["reason"] for row in rows if row.kind == "undone"] == ["misread"]
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".clock.side-b.runs")).to_be_visible()


def test_what_is_refused_is_told_to_the_asker_alone(stage: Stage, new_page: NewPage) -> None:
    stage.open()
    stage.begin(W)
    first, second = new_page(), new_page()
    for one in (first, second):
        one.goto(stage.url())
        expect(one.locator("#link")).to_have_text("live")
    first.get_by_text("More: pause").click()
    first.get_by_role("button", name="Resign…: White").click()
    first.get_by_role("button", name="koks").click()
    expect(first.locator(".notice.bad")).to_contain_text("knows no")
    assert second.locator(".notice").count() == 0


def test_two_phones_show_the_same_at_once(stage: Stage, new_page: NewPage) -> None:
    stage.open()
    stage.begin(W)
    first, second = new_page(width=360), new_page(language="ru-RU")
    for one in (first, second):
        one.goto(stage.url())
    expect(second.locator("#verdict")).to_contain_text("Часы пущены")
    stage.throw(W, 5, 4)
    expect(first.locator("#verdict")).to_have_text("5-4, the throw counts.")
    expect(second.locator("#verdict")).to_have_text("5-4, бросок засчитан.")
    first.get_by_role("button", name="End of turn: White").click()
    expect(second.locator("#turn")).to_have_text("Белые: доска читается · 5-4")


def test_the_language_is_switched_for_this_viewer_alone(
    stage: Stage, new_page: NewPage
) -> None:
    one, other = new_page(), new_page()
    one.goto(stage.url())
    other.goto(stage.url())
    one.get_by_text("Menu", exact=True).click()
    one.select_option(".menu-body select[data-session=language]", "ru")
    expect(one.locator("html")).to_have_attribute("lang", "ru")
    expect(one.locator("nav.wide")).to_contain_text("Просмотр")
    other.reload()
    expect(other.locator("html")).to_have_attribute("lang", "en")


def test_spectators_can_press_nothing(stage: Stage, new_page: NewPage) -> None:
    stage.set_up(PINS)
    stage.open()
    stage.begin(W)
    stage.wrong(W, 6, 3, (5, 5))
    page = login(new_page(), stage, "spectator")
    expect(page.locator("#question")).to_contain_text("Waiting for")
    assert page.locator("main button:visible").count() == 0
    assert page.goto(stage.url("referee")).status == 403  # type: ignore[union-attr]
    expect(page.locator("h1")).to_have_text("Not for this role")
