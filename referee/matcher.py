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
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from referee.evidence import Evidence, counts_of, outcomes_of
from referee.reading import likely_positions
from rules import CHECKERS, Color, Position, Roll, Variant, legal_turns
from rules.turns import absolute, reachable
from rules.variant import Path

_NEGLIGIBLE: Final = 1e-9
_BASES: Final = 12
"""The legal plays the look likes best, from which one checker may have strayed."""
_FURTHER: Final = 12
"""The furthest two dice that are no double carry a checker."""
_HOME: Final = 6
_BAR: Final = 25
"""Where a position counts the bar."""
_IDLE: Final = 1e-3
"""Share of a legal play's weight below which other boards are not looked for."""
_FREE: Final = 8
"""How many of the boards that fit the look best are weighed, whatever was played."""
_RULED_OUT: Final = 16.0
"""Natural log below the best from which a strayed checker weighs nothing."""
_OVERLOOKED: Final = math.log(0.01)
"""Log weight of each checker on the bar that was not seen there."""
_HINGE: Final = math.log(0.2)
"""Log weight of seeing more on the bar than lies there."""


@dataclass(frozen=True, slots=True)
class MatcherSettings:
    """Priors and the demand for certainty."""

    certain: float = 0.985
    """A position is taken when it holds at least this share of all the weight."""
    legal: float = 0.94
    lawless: float = 0.025
    """These dice, some law broken or unfinished."""
    nudged: float = 0.02
    """One checker of either side on the point beside the one where a play would leave it."""
    moved_on: float = 0.014
    """One checker of either side further on its way, or borne off from home."""
    astray: float = 0.001
    """One checker of either side on any other point."""
    fallen: float = 0.001
    """One checker off the board of the side that played, though it is not all home …"""
    swept: float = 0.0001
    """… and of the other side: nobody but a sleeve takes that one."""
    early: float = 0.003
    """With these dice, borne off before all were home."""
    besides: float = 0.012
    """With these dice, all of it or a part, and a checker of the home taken off besides."""
    entered: float = 0.012
    """With these dice, all of it or a part, and a checker gone from the bar besides: entered
    with a number that was not thrown, or one too many, or taken off."""
    anything: float = 0.00002
    """The few boards that fit the look best: they need no more to outweigh all others where
    those contradict a clear look, and with more a doubt about one point would never end."""
    stands: float = 0.95
    """The board stands as it stood, with no turn in hand."""
    certain_wrong: float = 0.9
    """The same for a position that breaks a law: whoever is told that hears of a question
    either way, and no illegal play can pass for a legal one by it."""
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
        for group, each in _hypotheses(start, color, roll, evidence, variant, settings):
            for position in group:
                key = (index, position)
                pairs[key] = pairs.get(key, 0.0) + each * share
    if not pairs:
        return Match(Belief(()), before)
    positions = list({position for _, position in pairs})
    logs = dict(zip(positions, _likelihood(positions, evidence).tolist(), strict=True))
    after: dict[Position, float] = {}
    began: dict[Position, float] = {}
    best = max(logs[position] for _, position in pairs)
    for (index, position), prior in pairs.items():
        weight = prior * math.exp(logs[position] - best)
        start = before.positions[index][0]
        after[position] = after.get(position, 0.0) + weight
        began[start] = began.get(start, 0.0) + weight
    return Match(_belief(after, settings), _belief(began, settings))


def plainly_wrong(
    after: Belief,
    before: Position,
    color: Color,
    roll: Roll,
    variant: Variant,
    settings: MatcherSettings,
) -> Position | None:
    """Return the likeliest position where it breaks a law and hardly another may stand."""
    if not after.positions or after.positions[0][1] < settings.certain_wrong:
        return None
    best = after.positions[0][0]
    turns = legal_turns(before, color, roll, variant)
    return None if any(turn.result == best for turn in turns) else best


def match_standing(
    position: Position, evidence: Evidence, variant: Variant, settings: MatcherSettings
) -> Belief:
    """Weigh whether the board stands as it last stood, with no turn in hand.

    Args:
        position: how it stood.
        evidence: the look now.
        variant: the rule set in force.
        settings: priors and the demand for certainty.
    """
    groups = [
        ([position], settings.stands),
        *_astray([position], None, evidence, variant, settings),
        _free(evidence, variant, settings),
    ]
    priors: dict[Position, float] = {}
    for group, each in groups:
        for one in group:
            priors[one] = priors.get(one, 0.0) + each
    positions = list(priors)
    logs = _likelihood(positions, evidence)
    weights = np.exp(logs - logs.max()).tolist()
    return _belief(
        {one: priors[one] * weight for one, weight in zip(positions, weights, strict=True)},
        settings,
    )


def _free(
    evidence: Evidence, variant: Variant, settings: MatcherSettings
) -> tuple[Collection[Position], float]:
    """Return the boards that fit the look best, whatever was played."""
    found = [position for position, _ in likely_positions(evidence, variant, _FREE)]
    return found, settings.anything / max(1, len(found))


def _hypotheses(
    start: Position,
    color: Color,
    roll: Roll,
    evidence: Evidence,
    variant: Variant,
    settings: MatcherSettings,
) -> Iterator[tuple[Collection[Position], float]]:
    """Yield groups of positions with the prior of each of their members."""
    legal = [turn.result for turn in legal_turns(start, color, roll, variant)]
    yield legal, settings.legal / len(legal)
    lawless = reachable(start, color, roll, variant)
    yield lawless, settings.lawless / len(lawless)
    played = [start, *legal, *lawless]
    for found, prior in (
        (_borne_off_early(start, color, roll, variant), settings.early),
        (_taken_off(played, color, variant), settings.besides),
        (_entered(played, color, variant), settings.entered),
    ):
        group = set(found)
        yield group, prior / max(1, len(group))
    logs = evidence.log_likelihood(outcomes_of(legal))
    bases = {start, *(legal[index] for index in np.argsort(-logs)[:_BASES])}
    yield from _astray(list(bases), color, evidence, variant, settings)
    # No board fits better than every point's likeliest outcome. Where a legal play comes near
    # that, boards that fit by themselves weigh nothing and are not searched.
    slack = float(evidence.points.max(axis=1).sum()) - float(logs.max())
    if settings.anything * math.exp(min(slack, 50.0)) * len(legal) > _IDLE * settings.legal:
        yield _free(evidence, variant, settings)


def _borne_off_early(
    start: Position, color: Color, roll: Roll, variant: Variant
) -> Iterator[Position]:
    """Yield what is left when one die or both bear off while checkers are still outside."""
    path = variant.path
    own = {n: absolute(n, path, color) for n in range(1, 25)}
    if not any(start.count(color, own[n]) for n in range(_HOME + 1, 25)):
        return
    for die, other in ((roll.first, roll.second), (roll.second, roll.first)):
        if not start.count(color, own[die]):
            continue
        after = _step(start, color, own[die], 0)
        yield after
        for n in range(other, 25):
            target = own[n - other] if n > other else 0
            free = not target or not start.count(color.other, target)
            if free and after.count(color, own[n]):
                yield _step(after, color, own[n], target)


def _taken_off(bases: list[Position], color: Color, variant: Variant) -> Iterator[Position]:
    """Yield what is left when a checker is taken off a home that is not complete."""
    home = [absolute(own, variant.path, color) for own in range(1, _HOME + 1)]
    outside = _outside(variant.path, color)
    counts = counts_of(bases, color)
    for base, held in zip(bases, counts.tolist(), strict=True):
        if any(held[point] for point in outside):
            yield from (_step(base, color, point, 0) for point in home if held[point])


def _entered(bases: list[Position], color: Color, variant: Variant) -> Iterator[Position]:
    """Yield what is left when a checker goes from the bar to where it may enter, or off."""
    first = [absolute(own, variant.path, color) for own in range(25 - _HOME, 25)]
    for base in bases:
        if base.bar(color):
            free = (point for point in first if not base.count(color.other, point))
            yield from (_step(base, color, _BAR, point) for point in (0, *free))


def _astray(
    bases: list[Position],
    mover: Color | None,
    evidence: Evidence,
    variant: Variant,
    settings: MatcherSettings,
) -> Iterator[tuple[Collection[Position], float]]:
    """Yield positions with one checker of either side elsewhere, by how it may have come there.

    `mover` is the side that played, None where nobody did. Each group is told without the
    members that the look rules out; they count all the same.
    """
    outcomes = outcomes_of(bases)
    logs = evidence.log_likelihood(outcomes)
    points = np.arange(24)
    now = evidence.points[points, outcomes]
    weighed = []
    for color in Color:
        first = 0 if color is Color.WHITE else CHECKERS
        counts = counts_of(bases, color)[:, 1:25]
        foreign = (outcomes > 0) & (counts == 0)
        fewer = evidence.points[points, np.where(counts > 1, first + counts - 1, 0)] - now
        fewer[counts == 0] = -np.inf
        upper = first + np.minimum(counts + 1, CHECKERS)
        more = np.where(foreign, -np.inf, evidence.points[points, upper] - now)
        # Off the board is column 0: nothing there speaks for or against it.
        targets = np.concatenate([np.zeros((len(bases), 1)), more], axis=1)
        weighed.append(logs[:, None, None] + fewer[:, :, None] + targets[:, None, :])
    best = max(float(logs.max()), *(float(weights.max()) for weights in weighed))
    priors = (
        settings.nudged,
        settings.moved_on,
        settings.astray,
        settings.fallen,
        settings.swept,
    )
    for kind, prior in enumerate(priors):
        positions, number = set(), 0
        for color, weights in zip(Color, weighed, strict=True):
            outside = counts_of(bases, color)[:, _outside(variant.path, color)].any(axis=1)
            kinds = _kinds(variant.path, color, color is mover or mover is None)
            of_kind = kinds[outside.astype(np.intp)] == kind
            number += int((np.isfinite(weights) & of_kind).sum())
            likely = np.argwhere((weights > best - _RULED_OUT) & of_kind).tolist()
            positions |= {
                _step(bases[base], color, p + 1, target) for base, p, target in likely
            }
        if positions:
            yield positions, prior / number


@lru_cache(maxsize=8)
def _kinds(path: Path, color: Color, played: bool) -> npt.NDArray[np.intp]:
    """Return (2, 24, 25) the kind of a checker of points 1–24 gone to 0 (off) or to 1–24.

    First for sides that are all home, then for all others.

    0 the point beside, 1 further on, 2 any other point, 3 off the board before its time, 4 the
    same of a side that has not `played`; -1 where it stands.
    """
    kinds = np.full((2, 24, 25), 2, dtype=np.intp)
    for source, target in itertools.product(range(1, 25), range(25)):
        own = absolute(source, path, color)
        gone = own - (absolute(target, path, color) if target else 0)
        if source == target:
            kinds[:, source - 1, target] = -1
        elif target and abs(gone) == 1:
            kinds[:, source - 1, target] = 0
        elif not target:
            kinds[:, source - 1, 0] = 1, 3 if played else 4
        elif 1 <= gone <= _FURTHER:
            kinds[:, source - 1, target] = 1
    return kinds


@lru_cache(maxsize=4)
def _outside(path: Path, color: Color) -> list[int]:
    """Return the absolute points outside a side's home, and the bar."""
    return [*(absolute(own, path, color) for own in range(_HOME + 1, 25)), _BAR]


def _step(base: Position, color: Color, source: int, target: int) -> Position:
    step = (1 << 4 * target) - (1 << 4 * source)
    if color is Color.WHITE:
        return Position(base.white + step, base.black)
    return Position(base.white, base.black + step)


def _likelihood(positions: list[Position], evidence: Evidence) -> npt.NDArray[np.float64]:
    """Return the log likelihood of positions by all that was seen."""
    on_points = evidence.log_likelihood(outcomes_of(positions))
    return on_points + _bar(positions, evidence) + _borne(positions, evidence)


def _bar(positions: list[Position], evidence: Evidence) -> npt.NDArray[np.float64]:
    """Return log weights from what is seen on the bar.

    A checker overlooked there is rare; a hinge taken for one, or for two, is not.
    """
    totals = np.zeros(len(positions))
    for color, seen in zip(Color, evidence.bar, strict=True):
        if seen is not None:
            there = counts_of(positions, color)[:, _BAR]
            totals += np.where(there > seen, _OVERLOOKED * (there - seen), 0.0)
            totals += np.where(there < seen, _HINGE, 0.0)
    return totals


def _borne(positions: list[Position], evidence: Evidence) -> npt.NDArray[np.float64]:
    """Return log weights from what changed beside the board."""
    if evidence.borne is None:
        return np.zeros(len(positions))
    white, black = (counts_of(positions, color)[:, 0] for color in Color)
    logs = np.array(evidence.borne.logs, dtype=np.float64)
    more = np.clip(white + black - evidence.borne.before, 0, len(logs) - 1)
    return np.asarray(logs[more], dtype=np.float64)


def _belief(weights: dict[Position, float], settings: MatcherSettings) -> Belief:
    total = sum(weights.values())
    best = sorted(weights.items(), key=lambda pair: -pair[1])[: settings.kept]
    shares = [(position, weight / total) for position, weight in best]
    return Belief(tuple(one for one in shares if one[1] > _NEGLIGIBLE))
