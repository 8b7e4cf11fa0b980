"""The engine against its slow twin.

`ZARBITER_TWIN_QUESTIONS=3000 pytest tests/rules/test_brute_force.py` asks that many a case.
"""

import os
import random
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from rules import Color, Position, Roll, Variant, legal_turns, variant_named
from tests.rules import brute_force
from tests.rules.playouts import Question, first_turns, games, shuffled_boards

QUESTIONS = int(os.environ.get("ZARBITER_TWIN_QUESTIONS", "15"))
SEED = os.environ.get("ZARBITER_TWIN_SEED", "2026")
Source = Callable[[Variant, random.Random], Iterator[Question]]
LONG_SETS = [name for name, laws in brute_force.LAWS.items() if laws.long]


def engine_results(rules_name: str, position: Position, color: Color, roll: Roll) -> set[str]:
    turns = legal_turns(position, color, roll, variant_named(rules_name))
    return {brute_force.canonical(turn.result.to_json()) for turn in turns}


def assert_agreement(rules_name: str, source: Source, questions: int) -> None:
    rng = random.Random(f"{SEED} {rules_name}")
    for position, color, roll in islice(source(variant_named(rules_name), rng), questions):
        expected = brute_force.results(
            rules_name, position.to_json(), color.value, [roll.first, roll.second]
        )
        assert engine_results(rules_name, position, color, roll) == expected, (
            f"{rules_name}: {position}, {color.value} to play {roll}"
        )


@pytest.mark.timeout(0 if QUESTIONS > 1000 else 300)
@pytest.mark.parametrize("rules_name", brute_force.LAWS)
def test_engine_and_twin_agree_in_random_games(rules_name: str) -> None:
    assert_agreement(rules_name, games, QUESTIONS)


@pytest.mark.timeout(0 if QUESTIONS > 1000 else 300)
@pytest.mark.parametrize("rules_name", brute_force.LAWS)
def test_engine_and_twin_agree_on_shuffled_boards(rules_name: str) -> None:
    assert_agreement(rules_name, shuffled_boards, QUESTIONS)


@pytest.mark.timeout(0 if QUESTIONS > 1000 else 300)
@pytest.mark.parametrize("rules_name", LONG_SETS)
def test_engine_and_twin_agree_on_first_turns(rules_name: str) -> None:
    assert_agreement(rules_name, first_turns, 4 * QUESTIONS)


@pytest.mark.parametrize(
    ("rules_name", "enemy", "roll", "from_head", "moves"),
    [
        ("classic", {24: 14, 4: 1}, Roll(4, 4), 1, 1),  # after 5-5
        ("classic", {24: 14, 16: 1}, Roll(5, 5), 1, 3),  # after 2-2
        ("moscow-open", {24: 14, 4: 1}, Roll(4, 4), 2, 2),  # after 5-5
        ("club", {24: 14, 21: 1}, Roll(5, 5), 2, 4),  # after 2-1
        ("club", {24: 14, 4: 1}, Roll(6, 2), 2, 2),  # after 5-5
        ("moscow-open", {24: 14, 4: 1}, Roll(6, 2), 1, 1),  # the same in another set
        ("bolshie-nardy", {24: 15}, Roll(3, 3), 1, 3),
        ("bolshie-nardy", {24: 15}, Roll(4, 4), 1, 2),
        ("bolshie-nardy", {24: 15}, Roll(6, 6), 1, 1),
        ("classic", {24: 15}, Roll(3, 3), 2, 4),
        ("classic", {24: 15}, Roll(4, 4), 2, 4),
        ("classic", {24: 15}, Roll(6, 6), 2, 2),
    ],
)
def test_first_turns_are_those_the_texts_work_out(
    rules_name: str, enemy: dict[int, int], roll: Roll, from_head: int, moves: int
) -> None:
    position = Position.of(enemy, {12: 15})
    turns = legal_turns(position, Color.BLACK, roll, variant_named(rules_name))
    assert {len(turn.moves) for turn in turns} == {moves}
    assert {15 - turn.result.count(Color.BLACK, 12) for turn in turns} == {from_head}
    assert engine_results(rules_name, position, Color.BLACK, roll) == brute_force.results(
        rules_name, position.to_json(), "b", [roll.first, roll.second]
    )
