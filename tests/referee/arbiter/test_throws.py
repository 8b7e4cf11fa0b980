"""Throws at the table: void, unsure, unseen, too early, corrected; the throw for who begins."""

import pytest

from referee.arbiter import Actor, MatchSetup, PrematureLaw
from referee.arbiter.events import (
    DiceChanged,
    OpeningDieSeen,
    PrematureAnswered,
    PressWithdrawn,
    ThrowAnswered,
    ThrowRuled,
    ThrowSeen,
)
from referee.arbiter.states import (
    AwaitingThrow,
    Judging,
    Opening,
    Playing,
    PrematureAsked,
    ThrowAsked,
)
from referee.timer_presets import TimeControl
from referee.timer_settings import ClockKind
from referee.timer_state import Phase
from rules import Roll
from rules.throw import DieFacts, Lies, Reason, ThrowVerdict
from tests.support.match import B, Table, W, good_dice

DELAY = TimeControl(ClockKind.DELAY, 60_000, bonus_ms=12_000, reset_delay_on_void=True)


def begun(rules: str = "bolshie-nardy", premature: PrematureLaw = PrematureLaw.ASK) -> Table:
    table = Table(MatchSetup(rules, "Анна", "Борис", clock=DELAY, premature=premature))
    table.begin(W)
    table.press(B)
    return table


def test_equal_dice_are_thrown_again_before_anybody_begins() -> None:
    table = Table(MatchSetup(rules="bolshie-nardy"))
    table.begin(dice=(4, 4))
    assert table.phase == Opening(table.position)
    assert table.said() == ["opening_tie"]
    table.do(OpeningDieSeen(table.tick(), W, 2))
    table.do(OpeningDieSeen(table.tick(), B, 5))
    table.at(AwaitingThrow)
    assert table.at(AwaitingThrow).turn is B


def test_in_short_nardy_the_opening_dice_are_the_first_roll() -> None:
    table = Table(MatchSetup(rules="short"))
    table.begin(B, dice=(6, 2))
    table.at(Playing)
    assert (table.at(Playing).turn, sorted(table.at(Playing).roll.numbers)) == (B, [2, 6])


def test_who_wins_the_opening_takes_white_where_the_set_says_so() -> None:
    table = Table(MatchSetup(rules="classic", white="Анна", black="Борис"))
    table.begin(B)
    table.at(AwaitingThrow)
    assert table.at(AwaitingThrow).turn is W
    assert table.state.name(W) == "Борис"


def test_in_federation_white_begins_without_a_throw() -> None:
    table = Table(MatchSetup(rules="federation"))
    table.begin()
    table.at(AwaitingThrow)
    assert table.at(AwaitingThrow).turn is W


def test_a_die_off_the_board_voids_the_throw_and_the_same_side_throws_again() -> None:
    table = begun()
    first, _ = good_dice(6, 5)
    table.do(ThrowSeen(table.tick(), W, (first, DieFacts(5, Lies.OFF_BOARD))))
    assert table.said() == ["throw_void"]
    assert table.last is not None
    assert "вне доски" in table.last.said[0].ru
    table.at(AwaitingThrow)
    assert (table.at(AwaitingThrow).turn, table.state.voids[W]) == (W, 1)
    assert table.state.clock.phase is Phase.RUNNING
    assert table.state.clock.delay_left_ms == 12_000
    table.throw(W, 6, 5)
    table.at(Playing)


def test_the_movers_button_says_that_an_unsure_throw_counts_as_shown() -> None:
    table = begun()
    first, _ = good_dice(6, 5)
    table.do(ThrowSeen(table.tick(), W, (first, DieFacts(5, Lies.RIGHT, None))))
    table.at(ThrowAsked)
    assert table.state.clock.phase is Phase.RUNNING
    table.press(B)
    table.at(ThrowAsked)
    table.press(W)
    table.at(Playing)
    assert table.at(Playing).roll == Roll(6, 5)
    assert table.log[-1] == ThrowRuled(
        table.now_ms, W, ThrowVerdict.VALID, (6, 5), by=Actor.WHITE
    )


def test_a_number_that_cannot_be_read_stops_the_clock_and_the_button_is_no_answer() -> None:
    table = begun()
    table.do(ThrowSeen(table.tick(), W, good_dice(6, None)))
    assert table.state.clock.phase is Phase.PAUSED
    table.press(W)
    table.at(ThrowAsked)
    table.do(ThrowAnswered(table.tick(), Actor.BLACK, Roll(6, 3)))
    table.at(Playing)
    assert table.at(Playing).roll == Roll(6, 3)
    assert not table.state.clock.pause


def test_a_press_without_a_throw_asks_what_was_thrown() -> None:
    table = begun()
    table.press(W)
    table.at(ThrowAsked)
    assert table.said() == ["throw_unseen"]
    table.do(ThrowAnswered(table.tick(), Actor.WHITE, Roll(2, 1)))
    table.at(Judging)


def test_a_press_by_mistake_can_be_taken_back_with_the_time_it_had() -> None:
    table = begun()
    left = table.state.clock.white.left_ms
    table.press(W)
    table.tick(30_000)
    table.do(PressWithdrawn(table.tick(), Actor.BLACK))
    table.at(AwaitingThrow)
    assert (table.state.clock.to_move, table.state.clock.phase) == (W, Phase.RUNNING)
    assert table.state.clock.white.left_ms == left


def test_a_throw_by_the_wrong_side_changes_nothing() -> None:
    table = begun()
    table.throw(B, 6, 5)
    assert table.said() == ["out_of_turn"]
    table.at(AwaitingThrow)
    assert table.at(AwaitingThrow).turn is W


def test_dice_knocked_after_they_rested_do_not_change_the_throw() -> None:
    table = begun()
    table.throw(W, 6, 5)
    table.do(DiceChanged(table.tick(), (6, 2)))
    assert table.said() == ["dice_changed"]
    table.at(Playing)
    assert table.at(Playing).roll == Roll(6, 5)


@pytest.mark.parametrize(("law", "after"), [
    (PrematureLaw.STANDS, Playing),
    (PrematureLaw.AGAIN, AwaitingThrow),
    (PrematureLaw.ASK, PrematureAsked),
])  # fmt: skip
def test_a_throw_before_the_turn_has_ended_is_judged_by_the_set_up(
    law: PrematureLaw, after: type
) -> None:
    table = begun(premature=law)
    table.throw(W, 2, 1)
    table.throw(B, 6, 5)
    assert table.said() == ["premature"]
    table.press(W)
    table.leave(table.legal())
    table.at(after)


def test_who_threw_too_early_does_not_choose_whether_it_stands() -> None:
    table = begun()
    table.throw(W, 2, 1)
    table.throw(B, 6, 5)
    table.press(W)
    table.leave(table.legal())
    table.do(PrematureAnswered(table.tick(), Actor.BLACK, stands=True))
    assert table.refused() == "not_yours"
    table.do(PrematureAnswered(table.tick(), Actor.WHITE, stands=True))
    table.at(Playing)
    assert (table.at(Playing).turn, table.at(Playing).roll) == (B, Roll(6, 5))


def test_in_moscow_open_the_opponents_throw_ends_the_turn() -> None:
    table = begun(rules="moscow-open")
    table.throw(W, 2, 1)
    table.throw(B, 6, 5)
    table.at(Judging)
    table.leave(table.legal())
    table.at(Playing)
    assert table.at(Playing).turn is B


def test_a_throw_made_before_the_verdict_is_taken_up_after_it() -> None:
    table = begun()
    table.throw(W, 2, 1)
    table.press(W)
    table.throw(B, 6, 5)
    table.leave(table.legal())
    table.at(Playing)
    assert (table.at(Playing).turn, table.at(Playing).roll) == (B, Roll(6, 5))


def test_one_tap_corrects_a_throw_that_was_misread_and_the_play_is_judged_again() -> None:
    table = begun()
    table.throw(W, 2, 1)
    table.press(W)
    table.leave(table.legal(Roll(5, 1)))
    assert table.said()[-1] == "accept_or_demand"
    table.do(ThrowAnswered(table.tick(), Actor.WHITE, Roll(5, 1)))
    assert table.refused() == "referee_only"
    table.do(ThrowAnswered(table.tick(), Actor.BOTH, Roll(5, 1)))
    table.at(AwaitingThrow)
    assert table.at(AwaitingThrow).turn is B


def test_a_throw_corrected_after_its_play_was_held_right_is_judged_again() -> None:
    table = begun()
    table.throw(W, 2, 1)
    table.press(W)
    table.leave(table.legal())
    table.do(ThrowAnswered(table.tick(), Actor.REFEREE, Roll(6, 6)))
    assert table.said()[-1] == "accept_or_demand"
    assert table.recovered() == table.state


def test_reasons_are_told_in_both_languages() -> None:
    table = begun()
    first, _ = good_dice(6, 5)
    table.do(ThrowSeen(table.tick(), W, (first, DieFacts(5, Lies.LEFT, True, False))))
    assert table.last is not None
    (said,) = table.last.said
    assert "на разных половинах" in said.ru
    assert "both halves" in said.en
    ruling = next(one for one in table.log if isinstance(one, ThrowRuled))
    assert ruling.reasons == (Reason.DIFFERENT_HALVES,)
