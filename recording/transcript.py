"""What a match file tells, whatever its format: games, plays, the cube, resignations.

Files name checkers by hops in the mover's own numbers; `carry_out` puts them on the board, so a
file that contradicts itself is found where it does.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias

from rules import Color, Move, Position, PositionError, Roll, Variant, legal_turns
from rules.turns import absolute

MONEY: Final = 0
"""The length of a match without end: a money session."""
BAR: Final = 25
"""The bar, in the numbers of a hop."""
OFF: Final = 0
"""Borne off, in the numbers of a hop."""


class TranscriptError(ValueError):
    """A line that cannot be understood or carried out; readers turn it into a value."""


@dataclass(frozen=True, slots=True)
class Hop:
    """One checker as the file tells it, in the mover's own numbers: 25 the bar, 0 off."""

    source: int
    target: int
    hit: bool = False
    """Whether the file marks a hit; Galaxy never does."""


@dataclass(frozen=True, slots=True)
class Play:
    """A roll and what was done with it."""

    color: Color
    roll: Roll
    hops: tuple[Hop, ...]
    """As written; empty when the player could not move."""
    moves: tuple[Move, ...]
    """The same play one die a move, in absolute points; empty when it is not lawful."""
    lawful: bool
    """Whether the rule set allows it: an accepted wrong play is a play too."""
    after: Position
    """The position it leaves."""


@dataclass(frozen=True, slots=True)
class Double:
    """The cube is offered."""

    color: Color
    value: int | None
    """The cube's new value, None when the file leaves it out."""


@dataclass(frozen=True, slots=True)
class Take:
    """The cube is taken."""

    color: Color


@dataclass(frozen=True, slots=True)
class Drop:
    """The cube is refused; the game is over."""

    color: Color


@dataclass(frozen=True, slots=True)
class Resign:
    """A player gives the game up."""

    color: Color
    points: int | None
    """How many points are given, None when the file does not say."""
    roll: Roll | None = None
    """The roll on the table when the player resigned, None when not rolled."""


Action: TypeAlias = Play | Double | Take | Drop | Resign


@dataclass(frozen=True, slots=True)
class GameResult:
    """The file's own word on who won; nobody has checked its points."""

    winner: Color
    points: int
    ends_match: bool


@dataclass(frozen=True, slots=True)
class ReadError:
    """The place where a file stops making sense."""

    line: int
    """Counted from 1."""
    text: str
    message: str


@dataclass(frozen=True, slots=True)
class Game:
    """One game, or the part of it before `error`."""

    number: int
    score: tuple[int, int]
    """Before the game: the player on the left (White), the one on the right."""
    start: Position
    actions: tuple[Action, ...]
    result: GameResult | None
    error: ReadError | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """A whole file. The player on the left is White in every game."""

    length: int
    """Points to play to; `MONEY` for a money session."""
    players: tuple[str, str]
    games: tuple[Game, ...]
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    """The `; [Key "value"]` lines."""
    errors: tuple[ReadError, ...] = ()
    """What is wrong outside of any game."""


def carry_out(
    position: Position, color: Color, roll: Roll, hops: tuple[Hop, ...], variant: Variant
) -> Play:
    """Find the lawful turn that a play tells, or do what it says to the letter.

    Raises:
        TranscriptError: it moves a checker that is not there, or onto a closed point.
    """
    after = _to_the_letter(position, color, hops, variant)
    matching = [
        turn
        for turn in legal_turns(position, color, roll, variant)
        if turn.result.packed(color) == after.packed(color)
        and turn.result.bar(color.other) >= after.bar(color.other)
    ]
    if matching:
        # A joined hop (22/13) does not tell what it met on its way: with no star, nothing.
        turn = min(matching, key=lambda turn: turn.result.bar(color.other))
        return Play(color, roll, hops, turn.moves, True, turn.result)
    return Play(color, roll, hops, (), False, after)


def _to_the_letter(
    position: Position, color: Color, hops: Iterable[Hop], variant: Variant
) -> Position:
    """Move the checkers as told, whatever the rules say about it."""
    mine = _counts(position, color)
    theirs = _counts(position, color.other)
    change: Counter[int] = Counter()
    for hop in hops:
        change[_place(hop.source, color, variant)] -= 1
        target = _place(hop.target, color, variant)
        change[target] += 1
        if variant.hits and hop.target != OFF and theirs[target] == 1:
            theirs[target] = 0
            theirs[BAR] += 1
    for place, difference in change.items():
        mine[place] += difference
        if mine[place] < 0:
            raise TranscriptError(
                f"there is no {color.name.lower()} checker on absolute point {place}"
            )
    white, black = (mine, theirs) if color is Color.WHITE else (theirs, mine)
    try:
        return Position.of(
            _points(white),
            _points(black),
            off=(white[OFF], black[OFF]),
            bar=(white[BAR], black[BAR]),
        )
    except PositionError as error:
        raise TranscriptError(str(error)) from error


def _place(own: int, color: Color, variant: Variant) -> int:
    return own if own in (OFF, BAR) else absolute(own, variant.path, color)


def _counts(position: Position, color: Color) -> Counter[int]:
    counts = Counter({int(point): n for point, side, n in position.occupied() if side is color})
    counts[OFF], counts[BAR] = position.off(color), position.bar(color)
    return counts


def _points(counts: Mapping[int, int]) -> dict[int, int]:
    return {place: n for place, n in counts.items() if place not in (OFF, BAR) and n}
