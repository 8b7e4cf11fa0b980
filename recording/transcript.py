"""What a match file tells, whatever its format: games, plays, the cube, resignations.

Files name checkers by hops in the mover's own numbers; `carry_out` puts them on the board, so a
file that contradicts itself is found where it does. A record knows positions instead of hops;
`play_between` finds the hops that lead from one to the next.
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
    at_s: float | None = None
    """Seconds from the start of the match to the throw, None when nobody noted it."""


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


@dataclass(frozen=True, slots=True)
class SetUp:
    """The board, or the cube, is put up by hand in the middle of a game."""

    position: Position
    cube: int
    owner: Color | None
    """Who may double next; None: either side."""


Action: TypeAlias = Play | Double | Take | Drop | Resign | SetUp


@dataclass(frozen=True, slots=True)
class GameResult:
    """The file's own word on who won; nobody has checked its points."""

    winner: Color | None
    """None: a draw."""
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
    crawford: bool = False
    """Whether it is the Crawford game: no doubling."""
    cube: int = 1
    """The cube's value at the start; more after automatic doubles."""
    notes: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    """Comments, by the index of the action they belong to; -1: to the game."""

    @property
    def score_after(self) -> tuple[int, int]:
        """The score with this game's points: White, Black."""
        white, black = self.score
        if self.result is None or self.result.winner is None:
            return white, black
        if self.result.winner is Color.WHITE:
            return white + self.result.points, black
        return white, black + self.result.points


@dataclass(frozen=True, slots=True)
class Match:
    """A whole file. The player on the left is White in every game."""

    length: int
    """Points to play to; `MONEY` for a money session."""
    players: tuple[str, str]
    games: tuple[Game, ...]
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    """The `; [Key "value"]` lines: Event, Round, Site, EventDate (2026.11.30), Transcriber …"""
    errors: tuple[ReadError, ...] = ()
    """What is wrong outside of any game."""
    rules: str = "short"
    """The rule set, by name."""
    crawford: bool = True
    """Whether the Crawford rule holds; in money sessions it says nothing."""
    jacoby: bool = False
    """Whether Jacoby's rule holds; in matches it says nothing."""

    @property
    def score(self) -> tuple[int, int]:
        """The score after the last game: White, Black."""
        return self.games[-1].score_after if self.games else (0, 0)

    @property
    def winner(self) -> Color | None:
        """Who has the points to have won, whatever the file's words are; None: nobody yet."""
        for color, points in zip(Color, self.score, strict=True):
            if self.length != MONEY and points >= self.length:
                return color
        return None


def crawford_games(length: int, scores: Iterable[tuple[int, int]]) -> list[bool]:
    """Say of each game whether it is the Crawford game: the first with one side a point away.

    With both a point away at once, as in a match of one point, there is none.
    """
    played = False
    answers = []
    for white, black in scores:
        is_crawford = not played and (white == length - 1) != (black == length - 1)
        answers.append(is_crawford)
        played = played or is_crawford
    return answers


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
        # Two ways may hit one blot each; then the hops themselves say which.
        turn = min(
            matching, key=lambda turn: (turn.result.bar(color.other), turn.result != after)
        )
        return Play(color, roll, hops, turn.moves, True, turn.result)
    return Play(color, roll, hops, (), False, after)


def play_between(
    before: Position, color: Color, roll: Roll, after: Position, variant: Variant
) -> Play:
    """Return the play that led from one position to another, lawful or accepted as it stood.

    `hops` of an unlawful play are the most likely ones; empty where no checkers of this side
    moved forwards can explain it, as when the opponent's were moved.
    """
    for turn in legal_turns(before, color, roll, variant):
        if turn.result == after:
            hops = hops_of(turn.moves, before, color, variant)
            return Play(color, roll, hops, turn.moves, True, after)
    return Play(color, roll, _guess(before, color, after, variant), (), False, after)


def hops_of(
    moves: Iterable[Move], before: Position, color: Color, variant: Variant
) -> tuple[Hop, ...]:
    """Write a lawful turn's moves as hops, hits marked."""
    steps = (move.to_json() for move in moves)
    # Absolute and own numbers are each other's inverse: `_place` leads both ways.
    own = (
        (_place(source, color, variant), _place(target, color, variant))
        for source, target in steps
    )
    return _marked(own, before, color, variant)


def _marked(
    steps: Iterable[tuple[int, int]], before: Position, color: Color, variant: Variant
) -> tuple[Hop, ...]:
    """Make hops of steps in own numbers and mark those that hit."""
    theirs = _counts(before, color.other)
    hops = []
    for source, target in steps:
        place = _place(target, color, variant)
        hit = variant.hits and target != OFF and theirs[place] == 1
        if hit:
            theirs[place] = 0
        hops.append(Hop(source, target, hit))
    return tuple(hops)


def _guess(
    before: Position, color: Color, after: Position, variant: Variant
) -> tuple[Hop, ...]:
    """Pair the places that lost checkers with those that gained some, rearmost first."""
    was, now = _counts(before, color), _counts(after, color)
    left, come = (
        sorted((_place(place, color, variant) for place in change.elements()), reverse=True)
        for change in (was - now, now - was)
    )
    steps = list(zip(left, come, strict=True))
    if any(target >= source for source, target in steps):
        return ()
    hops = _marked(steps, before, color, variant)
    return hops if leads_to(before, color, hops, after, variant) else ()


def leads_to(
    before: Position, color: Color, hops: Iterable[Hop], after: Position, variant: Variant
) -> bool:
    """Whether hops, done to the letter, leave just this position."""
    try:
        return _to_the_letter(before, color, hops, variant) == after
    except TranscriptError:
        return False


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
