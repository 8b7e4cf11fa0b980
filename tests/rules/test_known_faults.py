"""Faults that other programs of this trade were reported for, tried on ours.

Each test names the public report it comes from.
"""

from rules import Position, Roll, Verdict, judge_play, legal_turns, variant_named
from tests.support.boards import B, W, board, moved

SHORT = variant_named("short")


def after(position: Position, roll: Roll) -> set[Position]:
    return {turn.result for turn in legal_turns(position, W, roll, SHORT)}


def test_both_dice_must_be_played_where_both_can_be() -> None:
    """carsten-wenderdel/wildbg#29: only the larger die was demanded."""
    before = board("24:w1 8:w1 6:w13 4:b2 16:b2 18:b3 19:b4 20:b4")
    turns = legal_turns(before, W, Roll(6, 2), SHORT)
    assert {len(turn.moves) for turn in turns} == {2}
    only_six = moved(before, W, (8, 2))
    judged = judge_play(before, W, Roll(6, 2), only_six, SHORT)
    assert judged.verdict is Verdict.INCOMPLETE


def test_a_blocked_point_is_no_stop_on_the_way() -> None:
    """ichabod801/t_games#283: with double ones a closed point was taken for a source."""
    before = board("13:w1 11:w1 6:w* 12:b2 19:b*")
    ones = Roll(1, 1)
    via_closed = moved(before, W, (13, 10))
    assert via_closed not in after(before, ones)
    assert all(turn.result.count(W, 13) == 1 for turn in legal_turns(before, W, ones, SHORT))
    assert any(result.count(W, 10) for result in after(before, ones))


def test_a_double_is_one_turn_of_four_moves() -> None:
    """google-deepmind/open_spiel#514: a double was split into two turns."""
    before = board("24:w2 13:w5 8:w3 6:w5 1:b2 12:b5 17:b3 19:b5")
    assert {len(turn.moves) for turn in legal_turns(before, W, Roll(2, 2), SHORT)} == {4}


def test_two_dice_that_bear_off_the_same_checker_lead_to_every_position_they_can() -> None:
    """HamedMP/matrix-os#321: which die bore a checker off was chosen silently."""
    before = board("5:w1 4:w1 off:w13 19:b*")
    results = after(before, Roll(6, 4))
    # 5 off with the 6, then 4 off with the 4; or 5 to 1 with the 4, then 4 off with the 6.
    assert moved(before, W, (5, 0), (4, 0)) in results
    assert moved(before, W, (5, 1), (4, 0)) in results
    assert len(results) == 2


def test_moving_the_opponents_checkers_is_named_first() -> None:
    before = board("24:w15 12:b15")
    played = Position.of({24: 15}, {12: 14, 6: 1})
    judged = judge_play(before, W, Roll(6, 5), played, variant_named("classic"))
    assert judged.law is not None
    assert judged.law.value == "moved_enemy_checker"
    assert played.count(B, 6) == 1
