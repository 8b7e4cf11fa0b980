"""What must hold of every answer, whatever the position."""

import random
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    CHECKERS,
    Color,
    Position,
    Roll,
    Spot,
    Turn,
    Variant,
    Verdict,
    judge_play,
    legal_turns,
    variant_named,
)
from tests.rules import brute_force
from tests.rules.playouts import Question, games, shuffled_boards, start_of

SOME = settings(max_examples=40, deadline=None)
SETS = tuple(name for name in brute_force.LAWS if "+" not in name)


@st.composite
def questions(draw: st.DrawFn) -> tuple[Variant, Question]:
    """A rule set and a position, reached by random play or shuffled, with a roll."""
    variant = variant_named(draw(st.sampled_from(SETS)))
    source = draw(st.sampled_from([games, shuffled_boards]))
    rng = random.Random(draw(st.integers(0, 2**32)))
    plies = draw(st.integers(0, 60)) if source is games else 0
    position, color, _ = next(islice(source(variant, rng), plies, None))
    roll = Roll(draw(st.integers(1, 6)), draw(st.integers(1, 6)))
    return variant, (position, color, roll)


def answer(variant: Variant, question: Question) -> tuple[Turn, ...]:
    return legal_turns(*question, variant)


def total(position: Position, color: Color) -> int:
    on_points = sum(n for _, side, n in position.occupied() if side is color)
    return on_points + position.bar(color) + position.off(color)


def mirrored(position: Position, variant: Variant) -> Position:
    """The same position with the colours changed."""
    sides: dict[Color, dict[int, int]] = {color: {} for color in Color}
    for point, color, count in position.occupied():
        image = 25 - point if variant.hits else (point + 11) % 24 + 1
        sides[color.other][image] = count
    white, black = Color.WHITE, Color.BLACK
    return Position.of(
        sides[white],
        sides[black],
        off=(position.off(black), position.off(white)),
        bar=(position.bar(black), position.bar(white)),
    )


@given(questions())
@SOME
def test_no_checker_is_lost_or_made(asked: tuple[Variant, Question]) -> None:
    for turn in answer(*asked):
        for color in Color:
            assert total(turn.result, color) == CHECKERS


@given(questions())
@SOME
def test_the_results_are_distinct(asked: tuple[Variant, Question]) -> None:
    results = [turn.result for turn in answer(*asked)]
    assert len(set(results)) == len(results)


@given(questions())
@SOME
def test_all_turns_use_the_same_number_of_dice(asked: tuple[Variant, Question]) -> None:
    turns = answer(*asked)
    lengths = {len(turn.moves) for turn in turns}
    assert len(lengths) == 1
    roll = asked[1][2]
    assert lengths.pop() <= len(roll.numbers)


@given(questions())
@SOME
def test_a_turn_without_moves_stands_alone_and_changes_nothing(
    asked: tuple[Variant, Question],
) -> None:
    turns = answer(*asked)
    if not turns[0].moves:
        assert [turn.result for turn in turns] == [asked[1][0]]


@given(questions())
@SOME
def test_the_moves_lead_from_the_position_to_the_result(
    asked: tuple[Variant, Question],
) -> None:
    variant, (position, color, _) = asked
    for turn in answer(*asked):
        mine = Counter({int(p): n for p, side, n in position.occupied() if side is color})
        mine[0], mine[25] = position.off(color), position.bar(color)
        enemy = Counter({int(p): n for p, side, n in position.occupied() if side is not color})
        hit = 0
        for source, target in (move.to_json() for move in turn.moves):
            mine[source] -= 1
            assert mine[source] >= 0
            mine[target] += 1
            if target and enemy[target]:
                assert variant.hits
                assert enemy[target] == 1
                enemy[target] = 0
                hit += 1
        after = {int(p): n for p, side, n in turn.result.occupied() if side is color}
        off, bar = mine.pop(0), mine.pop(25)
        assert {point: n for point, n in mine.items() if n} == after
        assert (off, bar) == (turn.result.off(color), turn.result.bar(color))
        assert turn.result.bar(color.other) == position.bar(color.other) + hit


@given(questions())
@SOME
def test_each_move_is_one_die_long(asked: tuple[Variant, Question]) -> None:
    variant, (_, color, roll) = asked
    for turn in answer(*asked):
        left = list(roll.numbers)
        for move in turn.moves:
            steps = pips(variant, color, move.to_json())
            if move.target is not Spot.OFF:
                left.remove(steps)
            else:
                left.remove(min(die for die in left if die >= steps))


def pips(variant: Variant, color: Color, move: list[int]) -> int:
    source, target = (
        n if n in (0, 25) or color is Color.WHITE else own_number(n, variant) for n in move
    )
    return source - target


def own_number(absolute: int, variant: Variant) -> int:
    return 25 - absolute if variant.hits else (absolute + 11) % 24 + 1


@given(questions())
@SOME
def test_no_turn_ends_on_a_closed_point(asked: tuple[Variant, Question]) -> None:
    variant, (position, color, _) = asked
    closed = 2 if variant.hits else 1
    for turn in answer(*asked):
        for move in turn.moves:
            if not isinstance(move.target, Spot):
                assert position.count(color.other, move.target) < closed


@given(questions())
@SOME
def test_the_colours_may_be_changed(asked: tuple[Variant, Question]) -> None:
    variant, (position, color, roll) = asked
    there = {mirrored(turn.result, variant) for turn in answer(*asked)}
    turns = legal_turns(mirrored(position, variant), color.other, roll, variant)
    assert {turn.result for turn in turns} == there


@given(questions())
@SOME
def test_the_order_in_which_dice_are_named_has_no_meaning(
    asked: tuple[Variant, Question],
) -> None:
    variant, (position, color, roll) = asked
    other_way = legal_turns(position, color, Roll(roll.second, roll.first), variant)
    assert {turn.result for turn in other_way} == {turn.result for turn in answer(*asked)}


@given(questions())
@SOME
def test_a_position_survives_the_exchange_format(asked: tuple[Variant, Question]) -> None:
    position = asked[1][0]
    assert Position.from_json(position.to_json()) == position


@given(questions(), st.data())
@SOME
def test_every_result_is_judged_legal_and_comes_back_as_that_turn(
    asked: tuple[Variant, Question], data: st.DataObject
) -> None:
    variant, question = asked
    turn = data.draw(st.sampled_from(answer(*asked)))
    judgement = judge_play(*question, turn.result, variant)
    assert (judgement.verdict, judgement.law) == (Verdict.LEGAL, None)
    assert judgement.played == turn


@given(questions(), st.integers(1, 6), st.integers(1, 6), st.data())
@SOME
def test_what_is_no_result_is_never_judged_legal(
    asked: tuple[Variant, Question], first: int, second: int, data: st.DataObject
) -> None:
    # Plays of another roll are the mistakes that look most like right plays.
    variant, (position, color, roll) = asked
    turns = answer(*asked)
    results = {turn.result for turn in turns}
    others = legal_turns(position, color, Roll(first, second), variant)
    played = data.draw(st.sampled_from([position, *(turn.result for turn in others)]))
    judgement = judge_play(position, color, roll, played, variant)
    if played in results:
        assert judgement.verdict is Verdict.LEGAL
    else:
        assert judgement.verdict is not Verdict.LEGAL
        assert judgement.law is not None
        assert 1 <= len(judgement.nearest) <= 3
        assert set(judgement.nearest) <= set(turns)


@pytest.mark.parametrize("rules_name", SETS)
def test_a_game_of_random_legal_turns_comes_to_its_end(rules_name: str) -> None:
    variant = variant_named(rules_name)
    begun = [
        position
        for position, _, _ in islice(games(variant, random.Random(1)), 1200)
        if position == start_of(variant)
    ]
    assert len(begun) >= 3
