"""Questions that are rare at a table, clicked through in a real browser."""

from typing import TYPE_CHECKING

import pytest

from referee.arbiter import MatchSetup
from referee.arbiter.events import PlayRead, SightLost, TimePassed
from referee.arbiter.states import AwaitingThrow
from referee.timer_presets import control_named
from rules import Roll, legal_turns
from tests.web.browser.conftest import NewPage
from tests.web.browser.stage import B, Stage, W
from tests.web.browser.test_table import PINS, login, phase

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api").expect
SHORT = MatchSetup("short", "Anna", "Boris", 5, control_named("federation"))
MOSCOW = MatchSetup("moscow-open", "Anna", "Boris", 3, control_named("federation"))
BLITZ = MatchSetup("bolshie-nardy", "Anna", "Boris", 1, control_named("10s"))


@pytest.mark.parametrize(("answer", "after"), [("Take", "AwaitingThrow"), ("Drop", "GameOver")])
def test_a_double_is_offered_on_one_phone_and_answered_on_the_other(
    stage: Stage, new_page: NewPage, answer: str, after: str
) -> None:
    stage.set_up(PINS)
    stage.open(SHORT)
    stage.begin(W)
    stage.turn(W, 6, 1)
    anna = login(new_page(width=360), stage, "player", "w")
    boris = login(new_page(width=360), stage, "player", "b")
    boris.get_by_role("button", name="Double").click()
    expect(anna.locator("#question h2")).to_contain_text("the cube goes to 2")
    expect(boris.locator("#question")).to_contain_text("Waiting for: White")
    expect(boris.get_by_role("button", name="Take")).to_have_count(0)
    anna.get_by_role("button", name=answer, exact=True).click()
    expect(anna.locator("#question")).to_be_hidden()
    assert phase(stage) == after
    if answer == "Take":
        expect(boris.locator("#board .cube")).to_contain_text("2")


@pytest.mark.parametrize("upheld", [True, False])
def test_a_touch_is_claimed_by_a_player_and_ruled_by_the_referee(
    stage: Stage, new_page: NewPage, upheld: bool
) -> None:
    stage.set_up(PINS)
    stage.open(MOSCOW)
    stage.begin(W)
    stage.throw(W, 6, 3)
    boris = login(new_page(), stage, "player", "b")
    referee = login(new_page(), stage, "referee")
    boris.get_by_text("More: pause").click()
    boris.get_by_role("button", name="Claim a touch").click()
    boris.get_by_label("Point by White's numbers").fill("24")
    boris.get_by_role("button", name="Claim the touch").click()
    expect(referee.locator("#question h2")).to_contain_text("A touch is claimed")
    expect(referee.locator("#question")).to_contain_text("Point 24. Claimed by: Black")
    name = "It was touched" if upheld else "It was not touched"
    referee.get_by_role("button", name=name).click()
    expect(referee.locator("#question")).to_be_hidden()
    playing = stage.table.keeper.state.phase
    assert getattr(playing, "touched", None) == (frozenset({24}) if upheld else frozenset())


@pytest.mark.parametrize(
    ("answer", "after"),
    [("The game is lost", "MatchOver"), ("Play on", "Playing")],
)
def test_a_fallen_flag_is_ruled_by_the_referee(
    stage: Stage, new_page: NewPage, answer: str, after: str
) -> None:
    stage.set_up(PINS)
    stage.open(BLITZ)
    stage.begin(W)
    stage.throw(W, 6, 3)
    referee = login(new_page(), stage, "referee")
    anna = login(new_page(width=360), stage, "player", "w")
    stage._pass(11_000)
    stage.do(TimePassed(stage._now_ms()))
    expect(anna.locator("#question h2")).to_contain_text("White is out of time")
    expect(referee.locator("#question h2")).to_contain_text("White is out of time")
    expect(referee.locator(".clock.side-w")).to_contain_text("0:00")
    referee.get_by_role("button", name=answer).click()
    expect(anna.locator("#question")).to_be_hidden()
    assert phase(stage) == after


@pytest.mark.parametrize(("answer", "after"), [("Accept", "GameOver"), ("Play on", "Playing")])
def test_a_resignation_says_for_how_much_and_the_opponent_answers(
    stage: Stage, new_page: NewPage, answer: str, after: str
) -> None:
    stage.set_up(PINS)
    stage.open(MOSCOW)
    stage.begin(W)
    stage.throw(W, 6, 3)
    anna = login(new_page(), stage, "player", "w")
    boris = login(new_page(), stage, "player", "b")
    anna.get_by_text("More: pause").click()
    anna.get_by_role("button", name="Resign").click()
    expect(anna.get_by_role("dialog")).to_contain_text("For how much?")
    anna.get_by_role("dialog").get_by_role("button", name="oin").click()
    expect(boris.locator("#question h2")).to_contain_text("White resigns")
    boris.locator("#question").get_by_role("button", name=answer).click()
    expect(boris.locator("#question")).to_be_hidden()
    assert phase(stage) == after


def test_a_lost_board_is_drawn_and_goes_on_when_it_stands_so(
    stage: Stage, page: "Page"
) -> None:
    stage.open()
    stage.begin(W)
    stage.turn(W, 6, 5)
    page.goto(stage.url())
    expect(page.locator("#link")).to_have_text("live")
    stage.do(SightLost(stage._now_ms(), "covered"))
    expect(page.locator("#question h2")).to_contain_text("The board is not as it was")
    expect(page.locator("#lamp")).to_have_class("lamp red")
    page.get_by_role("button", name="It stands as drawn").click()
    expect(page.locator("#question")).to_be_hidden()
    assert phase(stage) == "AwaitingThrow"
    assert stage.players.at_turn() is B


def test_moves_made_while_the_board_was_lost_are_taken_over_by_one_tap(
    stage: Stage, page: "Page"
) -> None:
    stage.open()
    stage.begin(W)
    stage.turn(W, 6, 5)
    awaiting = stage.table.keeper.state.phase
    assert isinstance(awaiting, AwaitingThrow)
    rules = stage.table.keeper.state.variant
    played = legal_turns(awaiting.position, B, Roll(4, 3), rules)[0].result
    page.goto(stage.url())
    expect(page.locator("#link")).to_have_text("live")
    stage.do(SightLost(stage._now_ms(), "covered"))
    expect(page.locator("#question h2")).to_contain_text("The board is not as it was")
    expect(page.get_by_role("button", name="take the moves over")).to_have_count(0)
    stage.do(PlayRead(stage._now_ms(), played))
    page.get_by_role("button", name="take the moves over").click()
    expect(page.locator("#question")).to_be_hidden()
    now = stage.table.keeper.state.phase
    assert isinstance(now, AwaitingThrow)
    assert (now.turn, now.position) == (W, played)
