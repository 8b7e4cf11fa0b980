"""Whole boards as text, where a file's moves cannot tell how the checkers stand.

GNU Backgammon and Snowie write a board as 26 signed numbers seen by the mover, in a line of
forty fields between semicolons; long nardy, which they do not know, has `24:w14 13:w1 12:b15`.
"""

import re
from collections import Counter
from typing import Final

from recording.transcript import TranscriptError
from rules import CHECKERS, Color, Position, PositionError

NACKGAMMON: Final = Position.of(
    {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, {1: 2, 2: 2, 12: 4, 17: 3, 19: 4}
)
"""Where the checkers of Nackgammon start."""
_FIELDS: Final = 40
_FIRST: Final = 12
_PLACE = re.compile(r"(bar|off|\d{1,2}):([wb])(\d{1,2})\Z", re.ASCII)


def position_of_text(text: str, mover: Color) -> Position:
    """Read a board in either notation.

    Raises:
        TranscriptError: it is neither, or no position.
    """
    try:
        return _seen_by(text, mover) if ";" in text else _places(text)
    except (ValueError, IndexError, PositionError) as error:
        raise TranscriptError(f"no board: {error}") from error


def snowie_text(
    position: Position,
    mover: Color,
    *,
    length: int,
    players: tuple[str, str],
    score: tuple[int, int],
    crawford: bool,
    cube: int,
    owner: Color | None,
) -> str:
    """Write a short board as GNU Backgammon reads it in `Illegal play (…)`.

    The fifth field, whose turn it is, is 1 for the left player: the other way round than in a
    position file. GNU Backgammon 1.07 both writes and reads it so.
    """
    turned = mover is Color.BLACK
    names, points = (
        (pair[::-1] if turned else pair) for pair in (players, tuple(map(str, score)))
    )
    owned = 0 if owner is None else 1 if owner is mover else -1
    board = [-position.bar(mover.other)]
    for own in range(1, 25):
        point = 25 - own if turned else own
        board.append(position.count(mover, point) - position.count(mover.other, point))
    board.append(position.bar(mover))
    fields = [length, 0, 0, 0, int(not turned), *names, int(crawford), *points, cube, owned]
    return "".join(f"{field};" for field in (*fields, *board, 0, 0))


def _seen_by(text: str, mover: Color) -> Position:
    fields = text.split(";")
    if len(fields) < _FIELDS:
        raise ValueError(f"{len(fields)} fields, must be {_FIELDS}")
    board = [int(field) for field in fields[_FIRST : _FIRST + 26]]
    points: dict[int, Counter[int]] = {1: Counter(), -1: Counter()}
    for own in range(1, 25):
        point = own if mover is Color.WHITE else 25 - own
        if board[own]:
            points[1 if board[own] > 0 else -1][point] = abs(board[own])
    bars = {1: board[25], -1: -board[0]}
    mine, theirs = ((points[side], bars[side]) for side in (1, -1))
    (white, white_bar), (black, black_bar) = (
        (mine, theirs) if mover is Color.WHITE else (theirs, mine)
    )
    return Position.of(
        white,
        black,
        off=(CHECKERS - white.total() - white_bar, CHECKERS - black.total() - black_bar),
        bar=(white_bar, black_bar),
    )


def _places(text: str) -> Position:
    points: dict[str, Counter[int]] = {"w": Counter(), "b": Counter()}
    off, bar = Counter[str](), Counter[str]()
    for word in text.split():
        found = _PLACE.match(word)
        if not found:
            raise ValueError(f"{word!r} is no place with checkers")
        place, side, number = found[1], found[2], int(found[3])
        if place == "off":
            off[side] = number
        elif place == "bar":
            bar[side] = number
        else:
            points[side][int(place)] = number
    return Position.of(
        points["w"], points["b"], off=(off["w"], off["b"]), bar=(bar["w"], bar["b"])
    )
