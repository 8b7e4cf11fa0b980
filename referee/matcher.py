"""Match what is seen against what the rules can reach.

A belief is a few positions with their probabilities. A play is found by weighing every
position that the last belief and the dice could have led to — legal turns first, then plays
with these dice that break a law, then one checker astray, then whatever fits the picture best —
each by a prior for its kind and by the evidence of the look. The best is taken only if it
outweighs everything else together; otherwise a person is asked, best guesses first.

A truly illegal position must not become a legal one: the prior for legal plays is worth a few
slips of the reader, never a clear look.
"""

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.evidence import Evidence, outcomes_of
from referee.reading import likely_positions
from rules import Color, Position, Roll, Variant, legal_turns
from rules.turns import reachable

_NEGLIGIBLE: Final = 1e-9
_OVERLOOKED: Final = math.log(0.01)
"""Log weight of each checker on the bar that was not seen there."""
_HINGE: Final = math.log(0.2)
"""Log weight of seeing more on the bar than lies there."""


@dataclass(frozen=True, slots=True)
class MatcherSettings:
    """Priors and the demand for certainty."""

    certain: float = 0.985
    """A position is taken when it holds at least this share of all the weight."""
    legal: float = 0.90
    lawless: float = 0.06
    """These dice, some law broken or unfinished."""
    astray: float = 0.03
    """One checker of either side elsewhere than a play would leave it."""
    anything: float = 0.01
    kept: int = 24
    """Positions a belief keeps."""


@dataclass(frozen=True, slots=True)
class Belief:
    """Positions that may stand on the board, most likely first."""

    positions: tuple[tuple[Position, float], ...]
    """(position, probability)."""

    @classmethod
    def sure(cls, position: Position) -> "Belief":
        """Return the belief in one certain position."""
        return cls(((position, 1.0),))

    def certain(self, settings: MatcherSettings) -> Position | None:
        """Return the position that is as good as known, if there is one."""
        if not self.positions:
            return None
        position, share = self.positions[0]
        return position if share >= settings.certain else None

    @property
    def candidates(self) -> tuple[Position, ...]:
        """The positions, most likely first."""
        return tuple(position for position, _ in self.positions)


@dataclass(frozen=True, slots=True)
class Match:
    """What a look at the end of a turn says of both ends of it."""

    after: Belief
    before: Belief
    """The belief before the turn in the light of what it led to: of two starts in doubt, the
    one from which the end can be reached becomes the likelier."""


def believe(evidence: Evidence, variant: Variant, settings: MatcherSettings) -> Belief:
    """Read a position with no game before it: the picture and fifteen a side alone."""
    return Belief(likely_positions(evidence, variant, settings.kept))


def match_play(
    before: Belief,
    color: Color,
    roll: Roll,
    evidence: Evidence,
    variant: Variant,
    settings: MatcherSettings,
) -> Match:
    """Weigh the positions a turn can have led to, and with them those it can have begun with.

    Args:
        before: what stood before the turn.
        color: the side that played.
        roll: its dice.
        evidence: the look at the end of the turn.
        variant: the rule set in force.
        settings: priors and the demand for certainty.
    """
    pairs: dict[tuple[int, Position], float] = {}
    for index, (start, share) in enumerate(before.positions):
        for group, prior in _hypotheses(start, color, roll, evidence, variant, settings):
            each = prior * share / max(1, len(group))
            for position in group:
                key = (index, position)
                pairs[key] = pairs.get(key, 0.0) + each
    if not pairs:
        return Match(Belief(()), before)
    positions = list({position for _, position in pairs})
    seen = evidence.log_likelihood(outcomes_of(positions)) + _bar(positions, evidence)
    logs = dict(zip(positions, seen.tolist(), strict=True))
    after: dict[Position, float] = {}
    began: dict[Position, float] = {}
    best = max(logs[position] for _, position in pairs)
    for (index, position), prior in pairs.items():
        weight = prior * math.exp(logs[position] - best)
        start = before.positions[index][0]
        after[position] = after.get(position, 0.0) + weight
        began[start] = began.get(start, 0.0) + weight
    return Match(_belief(after, settings), _belief(began, settings))


def _hypotheses(
    start: Position,
    color: Color,
    roll: Roll,
    evidence: Evidence,
    variant: Variant,
    settings: MatcherSettings,
) -> Iterator[tuple[list[Position], float]]:
    """Yield groups of positions with the prior of the whole group."""
    legal = [turn.result for turn in legal_turns(start, color, roll, variant)]
    yield legal, settings.legal
    yield list(reachable(start, color, roll, variant)), settings.lawless
    yield list(_astray({start, *_likeliest(legal, evidence, 12)})), settings.astray
    free = believe(evidence, variant, settings)
    yield list(free.candidates), settings.anything


def _likeliest(positions: list[Position], evidence: Evidence, number: int) -> list[Position]:
    logs = evidence.log_likelihood(outcomes_of(positions))
    return [positions[index] for index in np.argsort(-logs)[:number]]


def _astray(bases: Iterable[Position]) -> Iterator[Position]:
    """Yield each position with one checker of either side on another point, or off."""
    seen = set()
    for base in bases:
        for color in Color:
            held = [point for point in range(1, 25) if base.count(color, point)]
            free = [point for point in range(1, 25) if not base.count(color.other, point)]
            for source, target in itertools.product(held, [0, *free]):
                if source == target:
                    continue
                moved = base.packed(color) - (1 << 4 * source) + (1 << 4 * target)
                white = color is Color.WHITE
                position = Position(moved, base.black) if white else Position(base.white, moved)
                if position not in seen:
                    seen.add(position)
                    yield position


def _bar(positions: list[Position], evidence: Evidence) -> npt.NDArray[np.float64]:
    """Return log weights from what is seen on the bar.

    A checker overlooked there is rare; a hinge taken for one, or for two, is not.
    """
    totals = np.zeros(len(positions))
    for color, seen in zip(Color, evidence.bar, strict=True):
        if seen is None:
            continue
        for index, position in enumerate(positions):
            there = position.bar(color)
            if there > seen:
                totals[index] += _OVERLOOKED * (there - seen)
            elif there < seen:
                totals[index] += _HINGE
    return totals


def _belief(weights: dict[Position, float], settings: MatcherSettings) -> Belief:
    total = sum(weights.values())
    best = sorted(weights.items(), key=lambda pair: -pair[1])[: settings.kept]
    shares = [(position, weight / total) for position, weight in best]
    return Belief(tuple(one for one in shares if one[1] > _NEGLIGIBLE))
