"""GNU Backgammon's names of a position, Position ID and Match ID, and all names of a match.

White is GNU Backgammon's player 0 (`O`), Black player 1 (`X`). A long nardy position would fit
the same bits, but no program reads it so: these names are for short nardy only.

Source: positionid.c and matchid.c of GNU Backgammon; checked against version 1.07.
"""

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from recording.standing import IdError, Standing, standing_before
from recording.transcript import Match, SetUp
from recording.walk import walk
from recording.xgid import xgid
from rules import CHECKERS, Color, Position, PositionError, Roll, variant_named

_POSITION_BITS: Final = 80
_MATCH_BITS: Final = 72
_CENTRED: Final = 3
_SIDES: Final = (Color.WHITE, Color.BLACK)


@dataclass(frozen=True, slots=True)
class Ids:
    """The names of the table on which an action was done."""

    game: int
    action: int
    """Its index in the game."""
    position_id: str
    match_id: str
    xgid: str


def ids_of(match: Match) -> Iterator[Ids]:
    """Yield the names of the table before every action of a match.

    Raises:
        IdError: the match is not short nardy.
    """
    if not variant_named(match.rules).hits:
        raise IdError("only positions of short nardy have a Position ID or XGID")
    for game in match.games:
        for index, (table, action) in enumerate(walk(game)):
            if isinstance(action, SetUp):
                continue
            standing = standing_before(match, game, table, action)
            yield Ids(
                game.number,
                index,
                position_id(table.position, standing.on_roll),
                match_id(standing),
                xgid(table.position, standing),
            )


def position_id(position: Position, on_roll: Color) -> str:
    """Return the Position ID: 14 letters, the same for both sides' view of one position."""
    bits = length = 0
    for color in (on_roll.other, on_roll):
        for slot in _slots(position, color):
            bits |= ((1 << slot) - 1) << length
            length += slot + 1
    return _letters(bits, _POSITION_BITS)


def position_from_id(text: str, on_roll: Color) -> Position:
    """Read a Position ID.

    Raises:
        IdError: no Position ID, or not of a possible position.
    """
    bits = _bits(text, _POSITION_BITS)
    sides: dict[Color, list[int]] = {}
    at = 0
    for color in (on_roll.other, on_roll):
        sides[color] = []
        for _ in range(25):
            count = 0
            while bits >> at & 1:
                count, at = count + 1, at + 1
            at += 1
            sides[color].append(count)
    if at > _POSITION_BITS:
        raise IdError(f"{text!r} holds too many checkers")
    return _position(sides, text)


def match_id(standing: Standing) -> str:
    """Return the Match ID: 12 letters."""
    dice = (0, 0) if standing.roll is None else (standing.roll.larger, standing.roll.smaller)
    owner = _CENTRED if standing.owner is None else _SIDES.index(standing.owner)
    fields = (
        (standing.cube_log2, 4),
        (owner, 2),
        (_SIDES.index(standing.on_roll), 1),
        (int(standing.crawford), 1),
        (standing.state, 3),
        (_SIDES.index(standing.turn), 1),
        (int(standing.doubled), 1),
        (standing.resigned, 2),
        (dice[0], 3),
        (dice[1], 3),
        (standing.length, 15),
        (standing.score[0], 15),
        (standing.score[1], 15),
        (int(not standing.jacoby), 1),
    )
    bits = length = 0
    for value, width in fields:
        if not 0 <= value < 1 << width:
            raise IdError(f"a Match ID has no room for {value}")
        bits |= value << length
        length += width
    return _letters(bits, _MATCH_BITS)


def standing_from_id(text: str) -> Standing:
    """Read a Match ID; the larger die comes first.

    Raises:
        IdError: no Match ID.
    """
    bits = _bits(text, _MATCH_BITS)
    values = []
    for width in (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1):
        values.append(bits & (1 << width) - 1)
        bits >>= width
    cube, owner, on_roll, crawford, state, turn, doubled, resigned = values[:8]
    first, second, length, white, black, no_jacoby = values[8:]
    if owner == 2 or max(first, second) > 6 or (first == 0) != (second == 0):
        raise IdError(f"{text!r} is no Match ID")
    return Standing(
        _SIDES[on_roll],
        _SIDES[turn],
        1 << cube,
        None if owner == _CENTRED else _SIDES[owner],
        Roll(first, second) if first else None,
        bool(doubled),
        resigned,
        length,
        (white, black),
        bool(crawford),
        not no_jacoby,
        state,
    )


def _letters(bits: int, width: int) -> str:
    return base64.b64encode(bits.to_bytes(width // 8, "little")).decode("ascii").rstrip("=")


def _bits(text: str, width: int) -> int:
    letters = text.strip()
    try:
        data = base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise IdError(f"{text!r} is no ID: {error}") from error
    if len(data) != width // 8:
        raise IdError(f"{text!r} is no ID: it has the wrong length")
    return int.from_bytes(data, "little")


def _slots(position: Position, color: Color) -> Iterator[int]:
    """Yield a side's counts on its own points 1–24, then on the bar."""
    for own in range(1, 25):
        yield position.count(color, own if color is Color.WHITE else 25 - own)
    yield position.bar(color)


def _position(sides: Mapping[Color, list[int]], text: str) -> Position:
    white, black = sides[Color.WHITE], sides[Color.BLACK]
    try:
        return Position.of(
            {own: white[own - 1] for own in range(1, 25)},
            {25 - own: black[own - 1] for own in range(1, 25)},
            off=(CHECKERS - sum(white), CHECKERS - sum(black)),
            bar=(white[24], black[24]),
        )
    except PositionError as error:
        raise IdError(f"{text!r} is no position: {error}") from error
