"""Golden playthroughs: whole random games, one line a turn, two games a set.

After a wanted change of the rules write them anew, read the difference, and say why in the
commit: `python -c "from tests.rules.test_playthroughs import regenerate; regenerate()"`.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules import CHECKERS, VARIANTS, Color, Roll, Variant, judge_play, legal_turns
from rules.judge import Verdict
from rules.outcome import GameState, result_of, state_after
from tests.support.boards import board, rules, start

FOLDER = Path(__file__).parent.parent / "data" / "playthroughs"
GAMES = 2
LONGEST = 1000


def regenerate() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in VARIANTS:
        golden(name).write_text("\n".join(played(name)) + "\n", encoding="utf-8")


def golden(name: str) -> Path:
    return FOLDER / f"{name}.txt"


def played(name: str) -> Iterator[str]:
    for number in range(1, GAMES + 1):
        yield f"game {number}"
        yield from game(rules(name), random.Random(f"{name} {number}"))


def game(variant: Variant, rng: random.Random) -> Iterator[str]:
    """A line a turn: number, side, roll, how many results were possible, the one taken."""
    position = start(variant)
    began = color = rng.choice(list(Color))
    for number in range(1, LONGEST):
        roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
        turns = legal_turns(position, color, roll, variant)
        # By the result's text, so that the engine's order of turns plays no part.
        position = rng.choice(sorted((turn.result for turn in turns), key=str))
        yield f"{number} {color.value} {roll} of {len(turns)}: {position}"
        state = state_after(position, variant, began=began, moved=color)
        if state is GameState.OVER:
            result = result_of(position, variant)
            winner = result.winner.value if result.winner else "nobody"
            yield f"{winner} wins {result.win or 'a draw'}: {result.points}"
            return
        color = color.other
    raise AssertionError("the game has no end")


@pytest.mark.parametrize("name", VARIANTS)
def test_games_are_played_as_they_were(name: str) -> None:
    assert list(played(name)) == golden(name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", VARIANTS)
def test_every_turn_on_record_is_judged_legal(name: str) -> None:
    variant = rules(name)
    before = start(variant)
    for line in golden(name).read_text(encoding="utf-8").splitlines():
        if line.startswith("game"):
            before = start(variant)
        if ": " not in line or "wins" in line:
            continue
        head, text = line.split(": ", 1)
        _, side, dice, _, count = head.split()
        first, second = dice.split("-")
        after, roll = board(text), Roll(int(first), int(second))
        for color in Color:
            on_board = sum(n for _, owner, n in after.occupied() if owner is color)
            assert on_board + after.off(color) + after.bar(color) == CHECKERS
        judgement = judge_play(before, Color(side), roll, after, variant)
        assert judgement.verdict is Verdict.LEGAL
        assert int(count) >= 1
        before = after
