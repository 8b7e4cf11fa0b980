"""XGID, eXtreme Gammon's name of a position, which many programs read.

White is the lower side, whose checkers are capitals, Black the upper. For short nardy only.

Source: set.c of GNU Backgammon, checked against version 1.07.
"""

from dataclasses import replace
from typing import Final

from recording.standing import IdError, Standing
from recording.transcript import MONEY
from rules import CHECKERS, Color, Position, PositionError, Roll

_LARGEST_CUBE_LOG: Final = 10
_XGID_LENGTH: Final = 26
_XGID_FIELDS: Final = 10
_OF_SIGN: Final = {1: Color.WHITE, -1: Color.BLACK}


def xgid(position: Position, standing: Standing) -> str:
    """Return the XGID with its `XGID=`."""
    letters = ["-"] * _XGID_LENGTH
    for point, color, count in position.occupied():
        letters[point] = _letter(color, count)
    for color, slot in ((Color.BLACK, 0), (Color.WHITE, 25)):
        if position.bar(color):
            letters[slot] = _letter(color, position.bar(color))
    white, black = standing.score
    option = int(standing.jacoby if standing.length == MONEY else standing.crawford)
    fields = (
        "".join(letters),
        standing.cube_log2,
        _sign(standing.owner),
        _sign(standing.on_roll),
        _dice(standing),
        white,
        black,
        option,
        standing.length,
        _LARGEST_CUBE_LOG,
    )
    return "XGID=" + ":".join(str(field) for field in fields)


def from_xgid(text: str) -> tuple[Position, Standing]:
    """Read an XGID, with or without its `XGID=`.

    Raises:
        IdError: no XGID, or not of a possible position.
    """
    letters, *fields = text.strip().removeprefix("XGID=").split(":")
    if len(letters) != _XGID_LENGTH or len(fields) != _XGID_FIELDS - 1:
        raise IdError(f"{text!r} is no XGID")
    try:
        cube, owner, turn = (int(field) for field in fields[:3])
        white, black, option, length, _ = (int(field) for field in fields[4:])
        standing = _standing(fields[3], turn)
    except (ValueError, KeyError) as error:
        raise IdError(f"{text!r} is no XGID: {error}") from error
    if not 0 <= cube <= _LARGEST_CUBE_LOG or owner not in (-1, 0, 1):
        raise IdError(f"{text!r} is no XGID: no such cube")
    standing = replace(
        standing,
        cube=1 << cube,
        owner=_OF_SIGN.get(owner),
        length=length,
        score=(white, black),
        crawford=length != MONEY and option == 1,
        jacoby=length == MONEY and bool(option & 1),
    )
    return _xgid_position(letters), standing


def _standing(dice: str, turn: int) -> Standing:
    color = _OF_SIGN[turn]
    if dice in ("D", "B", "R"):
        # GNU Backgammon's reading: the turn is the doubler's, the other side answers.
        return Standing(color, color.other, doubled=True)
    if dice == "00":
        return Standing(color, color)
    first, second = (int(die) for die in dice)
    return Standing(color, color, roll=Roll(first, second))


def _xgid_position(letters: str) -> Position:
    points: dict[Color, dict[int, int]] = {Color.WHITE: {}, Color.BLACK: {}}
    for slot, letter in enumerate(letters):
        if letter == "-":
            continue
        color = Color.WHITE if letter.isupper() else Color.BLACK
        count = ord(letter.upper()) - ord("A") + 1
        if not letter.isascii() or not 1 <= count <= CHECKERS:
            raise IdError(f"{letter!r} is no number of checkers")
        points[color][slot] = count
    white, black = points[Color.WHITE], points[Color.BLACK]
    bar = (white.pop(25, 0), black.pop(0, 0))
    off = (CHECKERS - sum(white.values()) - bar[0], CHECKERS - sum(black.values()) - bar[1])
    try:
        return Position.of(white, black, off=off, bar=bar)
    except PositionError as error:
        raise IdError(f"{letters!r} is no position: {error}") from error


def _letter(color: Color, count: int) -> str:
    return chr(ord("A" if color is Color.WHITE else "a") + count - 1)


def _sign(color: Color | None) -> int:
    return 0 if color is None else 1 if color is Color.WHITE else -1


def _dice(standing: Standing) -> str:
    if standing.doubled:
        return "D"
    if standing.roll is None:
        return "00"
    return f"{standing.roll.first}{standing.roll.second}"
