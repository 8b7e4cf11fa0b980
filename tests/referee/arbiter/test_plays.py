"""Plays at the table: right, wrong, unsure, accepted, taken back, lost from sight."""

import pytest

from referee.arbiter import Actor, MatchSetup, Role
from referee.arbiter.events import (
    Accepted,
    AdjustSaid,
    ClaimAnswered,
    Demanded,
    DiceLifted,
    Overridden,
    PlayRuled,
    PositionChosen,
    Pressed,
    SightLost,
    TouchClaimed,
)
from referee.arbiter.states import (
    AwaitingThrow,
    ClaimAsked,
    Disputed,
    Judging,
    Lost,
    PlayAsked,
    Playing,
)
from referee.timer_presets import TimeControl
from referee.timer_settings import ClockKind
from referee.timer_state import Phase
from rules import Roll, Verdict
from tests.support.boards import LONG_START, board, moved
from tests.support.match import B, Table, W

DELAY = TimeControl(ClockKind.DELAY, 60_000, bonus_ms=2_000)
TWO_FROM_HEAD = moved(LONG_START, W, (24, 18), (24, 19))


def playing(
    rules: str = "bolshie-nardy", role: Role = Role.REFEREE, roll: tuple[int, int] = (6, 5)
) -> Table:
    table = Table(MatchSetup(rules, "Анна", "Борис", clock=DELAY, role=role))
    table.begin(W)
    if type(table.phase).__name__ == "AwaitingThrow":
        table.press(B)
    table.throw(W, *roll)
    return table


def wrong(rules: str = "bolshie-nardy", role: Role = Role.REFEREE) -> Table:
    table = playing(rules, role)
    table.press(W)
    table.leave(TWO_FROM_HEAD)
    return table


def test_a_legal_play_passes_the_turn_and_the_clock() -> None:
    table = playing()
    table.press(W)
    assert table.at(Judging)
    assert table.state.clock.to_move is B
    table.leave(table.legal())
    assert table.at(AwaitingThrow).turn is B
    assert table.said() == ["ruling"]


def test_a_wrong_play_stops_the_clock_and_names_the_law() -> None:
    table = wrong()
    assert table.at(Disputed).ruling.law == "head"
    assert table.state.clock.phase is Phase.PAUSED
    assert table.last is not None
    assert table.last.said[0].ru.startswith("С головы (24) снято шашек больше дозволенного")


def test_the_opponents_button_accepts_a_wrong_play_as_it_stands() -> None:
    table = wrong()
    table.press(B)
    assert table.at(AwaitingThrow).turn is B
    assert table.at(AwaitingThrow).position == TWO_FROM_HEAD
    assert table.state.clock.phase is Phase.RUNNING
    assert Accepted(table.now_ms, Actor.BLACK) in table.log


def test_the_movers_button_takes_a_wrong_play_back_but_not_by_a_double_press() -> None:
    table = wrong()
    table.tick(100)
    table.do(Pressed(table.now_ms, W))
    assert table.at(Disputed)
    table.tick(2000)
    table.press(W)
    again = table.at(Playing)
    assert (again.turn, again.roll, again.before, again.correcting) == (
        W, Roll(6, 5), LONG_START, True,
    )  # fmt: skip


def test_a_play_demanded_back_restores_both_clocks_to_the_end_of_the_turn() -> None:
    table = playing()
    table.tick(10_000)
    table.press(W)
    ended = table.state.clock.before
    assert ended is not None
    table.tick(1500)
    table.leave(TWO_FROM_HEAD)
    table.tick(20_000)
    table.do(Demanded(table.tick(), Actor.BLACK))
    clock = table.state.clock
    assert (clock.to_move, clock.phase) == (W, Phase.RUNNING)
    assert (clock.white.left_ms, clock.black.left_ms) == (
        ended.white.left_ms, ended.black.left_ms,
    )  # fmt: skip


def test_the_mover_cannot_accept_his_own_wrong_play() -> None:
    table = wrong()
    table.do(Accepted(table.tick(), Actor.WHITE))
    assert table.refused() == "not_yours"


def test_a_monitor_flags_a_wrong_play_and_the_next_throw_accepts_it() -> None:
    table = wrong(role=Role.MONITOR)
    assert table.at(Disputed)
    assert table.state.clock.phase is Phase.RUNNING
    table.throw(B, 4, 3)
    assert table.at(Playing).turn is B
    assert table.at(Playing).before == TWO_FROM_HEAD


def test_a_referee_does_not_take_a_throw_for_consent() -> None:
    table = wrong()
    table.throw(B, 4, 3)
    assert table.at(Disputed).early is not None
    table.press(B)
    assert table.at(Playing).roll == Roll(4, 3)


def test_a_silent_recorder_lets_a_wrong_play_stand_and_records_that_it_was_wrong() -> None:
    table = wrong(role=Role.SILENT)
    assert table.at(AwaitingThrow).turn is B
    ruling = next(one for one in table.log if isinstance(one, PlayRuled))
    assert (ruling.verdict, ruling.law) == (Verdict.ILLEGAL, "head")


def test_where_legal_moves_are_the_law_a_wrong_play_must_be_put_right() -> None:
    table = wrong("bolshie-nardy+unfinished=legal_moves")
    assert table.at(Playing).correcting
    assert table.said()[-1] == "must_correct"
    assert table.state.clock.to_move is W


def test_where_legal_moves_are_the_law_a_wrong_play_stands_once_the_next_throw_is_made() -> (
    None
):
    table = playing("bolshie-nardy+unfinished=legal_moves")
    table.press(W)
    table.throw(B, 4, 3)
    table.leave(TWO_FROM_HEAD)
    assert table.at(Playing).turn is B


def test_an_unsure_position_asks_which_of_the_candidates_it_is_and_stops_the_clock() -> None:
    table = playing()
    table.press(W)
    legal = table.legal()
    table.leave(None, legal, LONG_START)
    assert table.at(PlayAsked).candidates == (legal, LONG_START)
    assert table.state.clock.phase is Phase.PAUSED
    table.do(PositionChosen(table.tick(), Actor.BLACK, legal))
    assert table.at(AwaitingThrow).turn is B
    assert table.runs()


def test_a_position_read_wrong_is_corrected_by_both_and_judged_again() -> None:
    table = playing()
    table.press(W)
    table.leave(table.legal())
    table.do(PositionChosen(table.tick(), Actor.WHITE, TWO_FROM_HEAD))
    assert table.refused() == "referee_only"
    table.do(PositionChosen(table.tick(), Actor.BOTH, TWO_FROM_HEAD))
    assert table.at(Disputed).ruling.law == "head"
    assert table.recovered() == table.state


def test_taking_up_the_dice_ends_a_turn_where_there_is_no_clock() -> None:
    table = Table(MatchSetup())
    table.begin(W)
    table.throw(W, 6, 5)
    table.do(DiceLifted(table.tick()))
    assert table.at(Judging)


def test_with_a_clock_taking_up_the_dice_ends_nothing() -> None:
    table = playing()
    table.do(DiceLifted(table.tick()))
    assert table.at(Playing)


def test_both_buttons_at_once_stop_the_clock_and_the_turn_goes_on() -> None:
    table = playing()
    table.do(Pressed(table.tick(), W))
    table.do(Pressed(table.tick(20), B))
    assert table.said() == ["both_pressed"]
    assert table.at(Playing).turn is W
    assert (table.state.clock.phase, table.state.clock.to_move) == (Phase.PAUSED, W)


def test_contact_bounce_is_one_press() -> None:
    table = playing()
    table.do(Pressed(table.tick(), W))
    table.do(Pressed(table.tick(8), W))
    assert table.said() == []
    assert table.at(Judging)


def test_a_side_that_cannot_move_whatever_it_throws_only_presses() -> None:
    closed = board("bar:w1 6:w* 24:b2 23:b2 22:b2 21:b2 20:b2 19:b*")
    table = Table(MatchSetup("short", clock=DELAY))
    table.do(Overridden(table.tick(), Actor.BOTH, W, closed))
    table.press(B)
    table.press(W)
    assert table.at(AwaitingThrow).turn is B
    ruling = table.log[-1]
    assert isinstance(ruling, PlayRuled)
    assert (ruling.roll, ruling.verdict) == (None, Verdict.LEGAL)


def test_a_roll_without_a_move_is_said_once() -> None:
    closed = board("bar:w1 6:w* 24:b2 23:b2 22:b2 21:b2 20:b2 18:b*")
    table = Table(MatchSetup("short", clock=DELAY))
    table.do(Overridden(table.tick(), Actor.BOTH, W, closed))
    table.press(B)
    table.throw(W, 5, 5)
    assert table.said() == ["throw_valid", "no_moves"]
    table.tick(10_000)
    table.press(W)
    table.leave(closed)
    assert table.said() == ["ruling"]
    assert table.at(AwaitingThrow).turn is B


def test_a_board_lost_from_sight_comes_back_when_it_stands_as_it_stood() -> None:
    table = playing()
    table.do(SightLost(table.tick(), "camera covered"))
    assert table.at(Lost)
    assert table.state.clock.phase is Phase.PAUSED
    table.leave(TWO_FROM_HEAD)
    assert table.at(Lost)
    table.leave(LONG_START)
    assert table.at(Playing)
    assert table.runs()


def test_what_was_played_unseen_is_judged_when_a_person_says_what_stands_there() -> None:
    table = playing()
    legal = table.legal()
    table.do(SightLost(table.tick(), "camera covered"))
    table.do(PositionChosen(table.tick(), Actor.WHITE, legal))
    assert table.refused() == "referee_only"
    table.do(PositionChosen(table.tick(), Actor.BOTH, legal))
    assert table.at(AwaitingThrow).turn is B


def touched(point: int = 24) -> Table:
    table = playing("moscow-open", roll=(2, 1))
    table.do(TouchClaimed(table.tick(), Actor.BLACK, point))
    return table


def test_touch_move_is_claimed_by_a_person_and_ruled_by_the_referee() -> None:
    table = touched()
    assert table.at(ClaimAsked)
    table.do(ClaimAnswered(table.tick(), Actor.BLACK, upheld=True))
    assert table.refused() == "referee_only"
    table.do(ClaimAnswered(table.tick(), Actor.REFEREE, upheld=True))
    assert table.at(Playing).touched == {24}


def test_a_touched_checker_that_was_not_moved_is_a_wrong_play() -> None:
    start = board("24:w13 20:w1 15:w1 12:b*")
    table = Table(MatchSetup("moscow-open", clock=DELAY))
    table.do(Overridden(table.tick(), Actor.REFEREE, W, start, Roll(2, 1)))
    table.do(TouchClaimed(table.tick(), Actor.BLACK, 20))
    table.do(ClaimAnswered(table.tick(), Actor.WHITE, upheld=True))
    table.press(B)
    table.press(W)
    table.leave(moved(start, W, (15, 14), (24, 22)))
    assert table.at(Disputed).ruling.law == "touch_move"


def test_i_adjust_answers_a_claim() -> None:
    table = playing("moscow-open")
    table.do(AdjustSaid(table.tick(), W))
    table.do(TouchClaimed(table.tick(), Actor.BLACK, 24))
    assert table.refused() == "adjusting"


def test_a_touched_checker_without_a_move_binds_nobody() -> None:
    table = touched(point=3)
    table.do(ClaimAnswered(table.tick(), Actor.REFEREE, upheld=True))
    assert table.said() == ["claim_void"]


@pytest.mark.parametrize("rules", ["bolshie-nardy", "short"])
def test_a_set_without_touch_move_takes_no_claims(rules: str) -> None:
    table = playing(rules)
    table.do(TouchClaimed(table.tick(), Actor.BLACK, 24))
    assert table.refused() == "no_touch_law"


@pytest.mark.parametrize("clock", [TimeControl(ClockKind.NONE), DELAY])
def test_a_play_put_back_and_not_yet_played_anew_ends_no_turn(clock: TimeControl) -> None:
    table = Table(MatchSetup("bolshie-nardy", clock=clock, lifted_dice_end=True))
    table.begin(W)
    if type(table.phase).__name__ == "AwaitingThrow" and not table.runs():
        table.press(B)
    table.throw(W, 6, 5)
    table.do(DiceLifted(table.tick()))
    table.leave(TWO_FROM_HEAD)
    table.do(Demanded(table.tick(), Actor.BLACK))
    left = table.state.clock.phase
    table.do(DiceLifted(table.tick()))
    table.leave(LONG_START)
    assert table.at(Playing).correcting
    assert table.state.clock.phase is left
    table.do(DiceLifted(table.tick()))
    table.leave(table.legal())
    assert table.at(AwaitingThrow).turn is B
    ruled = [one for one in table.log if isinstance(one, PlayRuled)]
    assert [one.verdict for one in ruled] == [Verdict.ILLEGAL, Verdict.LEGAL]


def test_who_plays_nothing_at_the_first_go_is_judged_at_once() -> None:
    table = Table(MatchSetup("bolshie-nardy", lifted_dice_end=True))
    table.begin(W)
    table.throw(W, 6, 5)
    table.do(DiceLifted(table.tick()))
    table.leave(LONG_START)
    assert table.at(Disputed).ruling.verdict is Verdict.INCOMPLETE
