"""What the turns of a match, or of a season, tell about dice, time and pips.

Everything is a fold over `TurnFact`: a transcript and a record are both turned into those.
`SideStatistics` add up by `merge`, so a season is the sum of its matches, told apart by player
as colours change. What may be read into the figures: docs/explanation/statistics.md.
"""

import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Final, TypeAlias

from recording.transcript import Match, Play, Resign, SetUp
from rules import Color, Position, Roll, Variant, variant_named
from rules.turns import absolute
from rules.variant import NextStart, Opening, Path

DOUBLES: Final = 1 / 6
"""The share of doubles among throws of two fair dice."""
MEAN_PIPS: Final = 49 / 6
"""What a throw of two fair dice gives on average, doubles counted twice."""
Faces: TypeAlias = tuple[int, int, int, int, int, int]
_NO_FACES: Final[Faces] = (0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class TurnFact:
    """What one turn leaves for the figures."""

    side: Color
    dice: tuple[int, int] | None
    """The throw that counted; None: not thrown, or never read for certain."""
    legal: bool | None = True
    """False: an incomplete or wrong play that stood; None: not known, or nothing was played."""
    void_throws: int = 0
    """Thrown before it, without counting."""
    time_ms: int | None = None
    """From the turn's beginning to its end; None: nobody took the time."""
    pips: tuple[int, int] | None = None
    """White's and Black's pip count after the turn."""
    pips_played: int | None = None
    can_double: bool = True
    """False: an opening throw of one die each, which is thrown again when equal."""


@dataclass(frozen=True, slots=True)
class SideStatistics:
    """The figures of one side, or of any number of them together."""

    turns: int = 0
    faces: Faces = _NO_FACES
    """How often each face, 1 to 6, was thrown; void throws are left out."""
    doubles: int = 0
    doubles_possible: int = 0
    """Throws that could have been doubles."""
    void_throws: int = 0
    wrong_plays: int = 0
    """Incomplete or wrong plays that stood."""
    pips_thrown: int = 0
    pips_played: int = 0
    times_ms: tuple[int, ...] = ()
    """All turns that were timed, in order."""

    @property
    def dice(self) -> int:
        """How many dice were thrown that counted."""
        return sum(self.faces)

    @property
    def throws(self) -> int:
        """How many throws counted."""
        return self.dice // 2

    @property
    def doubles_share(self) -> float | None:
        """The share of doubles, to be held against `DOUBLES`; None before any throw."""
        return self.doubles / self.doubles_possible if self.doubles_possible else None

    @property
    def mean_pips(self) -> float | None:
        """Pips a throw, to be held against `MEAN_PIPS`; None before any throw."""
        return self.pips_thrown / self.throws if self.throws else None

    @property
    def mean_ms(self) -> int | None:
        """The mean time of a turn, None when none was taken."""
        return round(sum(self.times_ms) / len(self.times_ms)) if self.times_ms else None

    @property
    def median_ms(self) -> int | None:
        """The middle of the times: unlike the mean, one long thought does not move it."""
        return round(statistics.median(self.times_ms)) if self.times_ms else None

    @property
    def longest_ms(self) -> int | None:
        """The longest turn."""
        return max(self.times_ms, default=None)


@dataclass(frozen=True, slots=True)
class MatchStatistics:
    """The figures of one match."""

    white: SideStatistics
    black: SideStatistics
    pip_counts: tuple[tuple[int, int] | None, ...] = ()
    """White's and Black's after each turn, in order: a curve for a plot."""

    @property
    def both(self) -> SideStatistics:
        """Both sides together: the dice, if they shared one pair."""
        return merge(self.white, self.black)

    def of(self, color: Color) -> SideStatistics:
        """Return one side's figures."""
        return self.white if color is Color.WHITE else self.black


def match_statistics(facts: Iterable[TurnFact]) -> MatchStatistics:
    """Fold the turns of a match."""
    facts = tuple(facts)
    sides = {
        color: reduce(_add, (one for one in facts if one.side is color), SideStatistics())
        for color in Color
    }
    curve = tuple(one.pips for one in facts)
    return MatchStatistics(sides[Color.WHITE], sides[Color.BLACK], curve)


def merge(one: SideStatistics, other: SideStatistics) -> SideStatistics:
    """Add up two sets of figures."""
    a, b = one.faces, other.faces
    return SideStatistics(
        turns=one.turns + other.turns,
        faces=(a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]),
        doubles=one.doubles + other.doubles,
        doubles_possible=one.doubles_possible + other.doubles_possible,
        void_throws=one.void_throws + other.void_throws,
        wrong_plays=one.wrong_plays + other.wrong_plays,
        pips_thrown=one.pips_thrown + other.pips_thrown,
        pips_played=one.pips_played + other.pips_played,
        times_ms=one.times_ms + other.times_ms,
    )


def season(
    matches: Iterable[tuple[tuple[str, str], MatchStatistics]],
) -> Mapping[str, SideStatistics]:
    """Add up matches by player.

    Args:
        matches: the names of White and Black, and the figures.
    """
    players: dict[str, SideStatistics] = defaultdict(SideStatistics)
    for names, figures in matches:
        for color, name in zip(Color, names, strict=True):
            players[name] = merge(players[name], figures.of(color))
    return dict(players)


# --- from a transcript ------------------------------------------------------------------------


def facts_of_match(match: Match, variant: Variant | None = None) -> Iterator[TurnFact]:
    """Yield the turns of a transcript, which knows neither void throws nor a turn's time.

    Args:
        match: as read from a file.
        variant: the rule set played, None for `short`.
    """
    rules = variant or variant_named("short")
    for index, game in enumerate(match.games):
        lot = index == 0 or rules.next_start is NextStart.LOT
        opening = lot and rules.opening is Opening.HIGHER_PLAYS_BOTH
        position = game.start
        legal: bool | None
        played: int | None
        for action in game.actions:
            match action:
                case Play(color=color, roll=roll, lawful=lawful, after=after):
                    legal, played = lawful, _gained(position, after, color, rules)
                    position = after
                case Resign(color=color, roll=Roll() as roll):
                    legal, played = None, None
                case SetUp(position=position):
                    opening = False
                    continue
                case _:
                    continue
            yield TurnFact(
                side=color,
                dice=(roll.first, roll.second),
                legal=legal,
                pips=(
                    pip_count(position, Color.WHITE, rules),
                    pip_count(position, Color.BLACK, rules),
                ),
                pips_played=played,
                can_double=not opening,
            )
            opening = False


def pip_count(position: Position, color: Color, variant: Variant) -> int:
    """Return how many pips a side has still to go; a checker on the bar counts 25."""
    path: Path = variant.path
    on_points = sum(
        own * position.count(color, absolute(own, path, color)) for own in range(1, 25)
    )
    return on_points + 25 * position.bar(color)


def _gained(before: Position, after: Position, color: Color, variant: Variant) -> int:
    return pip_count(before, color, variant) - pip_count(after, color, variant)


def _add(sum_so_far: SideStatistics, fact: TurnFact) -> SideStatistics:
    return merge(sum_so_far, _alone(fact))


def _alone(fact: TurnFact) -> SideStatistics:
    """Return the figures of one turn."""
    faces, double, thrown = _NO_FACES, False, 0
    if fact.dice is not None:
        roll = Roll(*fact.dice)
        one, two, three, four, five, six = (fact.dice.count(face) for face in range(1, 7))
        faces = (one, two, three, four, five, six)
        double, thrown = roll.is_double, sum(roll.numbers)
    return SideStatistics(
        turns=1,
        faces=faces,
        doubles=int(double and fact.can_double),
        doubles_possible=int(fact.dice is not None and fact.can_double),
        void_throws=fact.void_throws,
        wrong_plays=int(fact.legal is False),
        pips_thrown=thrown,
        pips_played=fact.pips_played or 0,
        times_ms=() if fact.time_ms is None else (fact.time_ms,),
    )
