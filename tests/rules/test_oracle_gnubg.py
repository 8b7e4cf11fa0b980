"""Short nardy against GNU Backgammon's own move generator (PyPI `gnubg-nn`).

`ZARBITER_ORACLE_QUESTIONS=100000 pytest tests/rules/test_oracle_gnubg.py` asks so many a case.
"""

import os
import random
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from rules import Color, Position, Roll, Variant, legal_turns, variant_named
from tests.rules.playouts import Question, games, shuffled_boards

gnubg_nn = pytest.importorskip(
    "gnubg_nn", reason="the oracle gnubg-nn is not installed: pip install -e '.[oracles]'"
)

QUESTIONS = int(os.environ.get("ZARBITER_ORACLE_QUESTIONS", "500"))
SEED = os.environ.get("ZARBITER_ORACLE_SEED", "2026")
Row = tuple[int, ...]
Source = Callable[[Variant, random.Random], Iterator[Question]]


def row(position: Position, color: Color) -> Row:
    """One side as the oracle has it: own points 1 … 24, then the bar."""
    # One hexadecimal digit a place, 25 the bar … 1, 0 off: fast enough for long runs.
    places = [int(digit, 16) for digit in f"{position.packed(color):026x}"]
    bar, points = places[0], places[1:25]
    return (*(points[::-1] if color is Color.WHITE else points), bar)


def rows(position: Position, mover: Color) -> tuple[Row, Row]:
    return row(position, mover.other), row(position, mover)


def oracle_results(position: Position, color: Color, roll: Roll) -> set[tuple[Row, Row]]:
    before = rows(position, color)
    board = [list(side) for side in before]
    keys = gnubg_nn.moves(board, roll.first, roll.second)
    return {gnubg_nn.board_from_position_key(key) for key in keys} or {before}


@pytest.mark.oracle
@pytest.mark.timeout(0 if QUESTIONS > 1000 else 300)
@pytest.mark.parametrize("source", [games, shuffled_boards], ids=["games", "shuffled"])
def test_short_has_the_results_of_gnu_backgammon(source: Source) -> None:
    short = variant_named("short")
    for position, color, roll in islice(source(short, random.Random(SEED)), QUESTIONS):
        turns = legal_turns(position, color, roll, short)
        results = {rows(turn.result, color) for turn in turns}
        assert len(results) == len(turns)
        assert results == oracle_results(position, color, roll), (
            f"{position}, {color.value} to play {roll}"
        )
