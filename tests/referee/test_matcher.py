import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from referee.evidence import Touched, with_touch
from referee.matcher import Belief, MatcherSettings, believe, match_play, plainly_wrong
from rules import (
    Color,
    Position,
    Roll,
    Variant,
    Verdict,
    judge_play,
    legal_turns,
    variant_named,
)
from rules.turns import reachable
from tests.support.looks import blurred, changed, seen

SETTINGS = MatcherSettings()
LONG = variant_named("bolshie-nardy")
SHORT = variant_named("short")
MIDDLE = Position.of({24: 4, 18: 3, 14: 2, 10: 2, 4: 4}, {12: 5, 5: 4, 20: 3, 22: 3})


def game(
    variant: Variant, seed: int, plies: int
) -> Iterator[tuple[Position, Color, Roll, Position]]:
    rng = random.Random(seed)
    position = (
        Position.of({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5})
        if variant.hits
        else Position.of({24: 15}, {12: 15})
    )
    color = Color.WHITE
    for _ in range(plies):
        roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
        turn = rng.choice(legal_turns(position, color, roll, variant))
        yield position, color, roll, turn.result
        position, color = turn.result, color.other


@pytest.mark.parametrize("variant", [LONG, SHORT], ids=lambda one: one.name)
def test_legal_plays_are_recognised_through_a_game(variant: Variant) -> None:
    asked = 0
    for before, color, roll, after in game(variant, 3, 50):
        belief = match_play(
            Belief.sure(before), color, roll, seen(after), variant, SETTINGS
        ).after
        found = belief.certain(SETTINGS)
        assert found in (after, None)
        asked += found is None
    assert asked == 0


@pytest.mark.parametrize("variant", [LONG, SHORT], ids=lambda one: one.name)
def test_a_clear_look_at_an_illegal_play_is_never_called_a_legal_one(variant: Variant) -> None:
    rng = random.Random(11)
    tried = 0
    for before, color, roll, _ in game(variant, 5, 40):
        legal = {turn.result for turn in legal_turns(before, color, roll, variant)}
        wrong = sorted(reachable(before, color, roll, variant) - legal, key=str)
        if not wrong:
            continue
        tried += 1
        truth = rng.choice(wrong)
        belief = match_play(
            Belief.sure(before), color, roll, seen(truth), variant, SETTINGS
        ).after
        assert belief.certain(SETTINGS) in (truth, None)
    assert tried > 20


def test_a_checker_nudged_to_the_next_point_is_seen_or_asked_about() -> None:
    turn = legal_turns(MIDDLE, Color.WHITE, Roll(6, 5), LONG)[0]
    assert turn.result.count(Color.WHITE, 4) == 4
    nudged = Position(turn.result.white - (1 << 4 * 4) + (1 << 4 * 3), turn.result.black)
    belief = match_play(
        Belief.sure(MIDDLE), Color.WHITE, Roll(6, 5), seen(nudged), LONG, SETTINGS
    ).after
    assert belief.certain(SETTINGS) in (nudged, None)
    assert nudged in belief.candidates


def test_stacks_a_still_cannot_count_follow_from_the_game_so_far() -> None:
    before = Position.of({24: 13, 18: 2}, {12: 13, 6: 2})
    for turn in legal_turns(before, Color.WHITE, Roll(6, 5), LONG):
        evidence = seen(turn.result, hidden=(24, 12))
        belief = match_play(
            Belief.sure(before), Color.WHITE, Roll(6, 5), evidence, LONG, SETTINGS
        ).after
        assert belief.certain(SETTINGS) == turn.result


def test_a_reader_off_by_one_somewhere_does_not_make_an_illegal_ruling() -> None:
    rng = np.random.default_rng(7)
    ruled = 0
    for before, color, roll, after in game(LONG, 8, 40):
        evidence = blurred(after, rng, 1)
        belief = match_play(Belief.sure(before), color, roll, evidence, LONG, SETTINGS).after
        found = belief.certain(SETTINGS)
        if found is None:
            continue
        ruled += 1
        assert judge_play(before, color, roll, found, LONG).verdict is Verdict.LEGAL
        assert found == after
    assert ruled > 10


def test_without_a_game_before_it_a_clear_position_is_read_from_the_picture() -> None:
    assert believe(seen(MIDDLE), LONG, SETTINGS).certain(SETTINGS) == MIDDLE


def test_without_a_game_before_it_two_deep_stacks_of_a_side_are_a_question() -> None:
    deep = Position.of({24: 7, 18: 8}, {12: 15})
    belief = believe(seen(deep, hidden=(24, 18)), LONG, SETTINGS)
    assert belief.certain(SETTINGS) is None
    assert deep in belief.candidates


def test_fifteen_a_side_make_the_true_depth_of_a_stack_the_likeliest() -> None:
    deep = Position.of({24: 12, 18: 3}, {12: 15})
    belief = believe(seen(deep, hidden=(24, 12)), LONG, SETTINGS)
    assert belief.candidates[0] == deep


def test_a_hinge_taken_for_a_checker_on_the_bar_is_overruled_by_fifteen_on_the_points() -> None:
    start = Position.of({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5})
    look = replace(seen(start), bar=(2, 0))
    assert believe(look, SHORT, SETTINGS).candidates[0] == start


def test_a_checker_on_the_bar_is_believed_where_one_is_missing_from_the_points() -> None:
    hit = Position.of({24: 1, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5}, bar=(1, 0))
    assert believe(seen(hit), SHORT, SETTINGS).candidates[0] == hit


def test_only_a_side_that_is_all_home_can_have_borne_off() -> None:
    home = Position.of({3: 4, 1: 5}, {12: 15}, off=(6, 0))
    belief = believe(seen(home), LONG, SETTINGS)
    assert belief.candidates[0] == home
    outside = Position.of({3: 4, 14: 5}, {12: 15}, off=(6, 0))
    assert outside not in believe(seen(outside), LONG, SETTINGS).candidates


def test_nothing_known_is_never_certain() -> None:
    empty = Belief(())
    assert empty.certain(SETTINGS) is None
    matched = match_play(empty, Color.WHITE, Roll(1, 2), seen(MIDDLE), LONG, SETTINGS)
    assert matched.after.certain(SETTINGS) is None


def test_a_hinge_taken_for_checkers_does_not_hide_a_legal_play() -> None:
    for before, color, roll, after in game(SHORT, 4, 12):
        evidence = replace(seen(after), bar=(2, 0))
        matched = match_play(Belief.sure(before), color, roll, evidence, SHORT, SETTINGS)
        assert matched.after.candidates[0] == after


def test_a_start_in_doubt_is_settled_by_what_it_led_to() -> None:
    other = Position.of({24: 5, 18: 2, 14: 2, 10: 2, 4: 4}, {12: 5, 5: 4, 20: 3, 22: 3})
    doubt = Belief(((other, 0.5), (MIDDLE, 0.5)))
    assert doubt.certain(SETTINGS) is None
    after = legal_turns(MIDDLE, Color.WHITE, Roll(6, 5), LONG)[0].result
    matched = match_play(doubt, Color.WHITE, Roll(6, 5), seen(after), LONG, SETTINGS)
    assert matched.after.certain(SETTINGS) == after
    assert matched.before.certain(SETTINGS) == MIDDLE


@pytest.mark.parametrize("shadow", [0.0, 0.1, 0.3, 0.6])
def test_a_checker_taken_off_too_early_is_no_move_to_a_point_that_holds_what_it_held(
    shadow: float,
) -> None:
    beginner = variant_named("beginner")
    black = {19: 1, 18: 1, 17: 2, 16: 3, 15: 3, 14: 5}
    before = Position.of({13: 1, 12: 1, 4: 1, 3: 2, 2: 4, 1: 6}, black)
    # 13→10 was played, and a checker of point 3 simply taken off.
    after = Position.of({12: 1, 10: 1, 4: 1, 3: 1, 2: 4, 1: 6}, black, off=(1, 0))
    areas = changed({13: 1.1, 10: 1.1, 3: 1.1, 2: shadow})
    look = with_touch(seen(after), Touched(before, areas))
    sure = Belief.sure(before)
    belief = match_play(sure, Color.WHITE, Roll(3, 1), look, beginner, SETTINGS).after
    assert belief.certain(SETTINGS) in (None, after)
    assert after in belief.candidates[:2]


def test_a_checker_taken_off_beside_half_a_play_is_no_longer_move_of_it() -> None:
    classic = variant_named("classic")
    white = {22: 1, 15: 1, 12: 3, 11: 1, 9: 1, 4: 3, 2: 1, 1: 4}
    before = Position.of(white, {24: 1, 20: 1, 19: 4, 17: 1, 16: 1, 14: 4, 13: 3})
    # 19→14 was played, and the checker of point 17 taken off; five in a row may be six.
    after = Position.of(white, {24: 1, 20: 1, 19: 3, 16: 1, 14: 5, 13: 3}, off=(0, 1))
    moved = Position.of(white, {24: 1, 20: 1, 19: 3, 16: 1, 14: 6, 13: 3})
    look = with_touch(seen(after), Touched(before, changed({14: 0.8, 17: 1.0, 19: 1.0})))
    roll, sure = Roll(5, 2), Belief.sure(before)

    belief = match_play(sure, Color.BLACK, roll, look, classic, SETTINGS).after
    assert plainly_wrong(belief, before, Color.BLACK, roll, classic, SETTINGS) == after

    unaware = replace(SETTINGS, besides=0.0)
    belief = match_play(sure, Color.BLACK, roll, look, classic, unaware).after
    assert plainly_wrong(belief, before, Color.BLACK, roll, classic, unaware) == moved


WHITE_HOME = {8: 1, 5: 5, 4: 4, 2: 4, 1: 1}


@pytest.mark.parametrize(
    ("black", "off"),
    [({24: 6, 21: 1, 3: 7}, 1), ({24: 6, 21: 1, 3: 6}, 2)],
    ids=["entered with the same three", "taken off"],
)
def test_a_bar_seen_empty_is_not_taken_for_one_that_still_holds_a_checker(
    black: dict[int, int], off: int
) -> None:
    before = Position.of(WHITE_HOME, {24: 6, 21: 1, 3: 5}, bar=(0, 2), off=(0, 1))
    # Four is held by White: one checker may enter on three, and only the bar tells whether
    # both did, for the row on three lies in layers.
    after = Position.of(WHITE_HOME, black, off=(0, off))
    sure, roll = Belief.sure(before), Roll(4, 3)
    belief = match_play(
        sure, Color.BLACK, roll, seen(after, hidden=(3,)), SHORT, SETTINGS
    ).after
    assert belief.certain(SETTINGS) in (None, after)
    assert after in belief.candidates[:3]


def test_a_checker_left_on_the_bar_is_seen_there() -> None:
    before = Position.of(WHITE_HOME, {24: 6, 21: 1, 3: 5}, bar=(0, 2), off=(0, 1))
    after = legal_turns(before, Color.BLACK, Roll(4, 3), SHORT)[0].result
    look = seen(after, hidden=(3,))
    belief = match_play(Belief.sure(before), Color.BLACK, Roll(4, 3), look, SHORT, SETTINGS)
    assert belief.after.certain(SETTINGS) == after


def test_a_checker_that_enters_with_another_number_is_named_as_it_lies() -> None:
    before = Position.of(WHITE_HOME, {24: 6, 21: 1, 12: 6}, bar=(0, 1), off=(0, 1))
    after = Position.of(WHITE_HOME, {24: 6, 21: 1, 12: 6, 6: 1}, off=(0, 1))
    belief = match_play(
        Belief.sure(before), Color.BLACK, Roll(4, 3), seen(after), SHORT, SETTINGS
    ).after
    assert belief.certain(SETTINGS) == after
