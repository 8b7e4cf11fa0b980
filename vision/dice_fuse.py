"""Several looks at dice that lie still, made into one: doubt shrinks where they agree.

Two frames of one resting die are not two witnesses. Noise and a passing shadow differ between
them; light, blur, the angle and what the readers never learned are the same. So a second look
counts for a part of a first one, and the whole of it where it contradicts.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import TypeVar

import numpy as np

from vision.observation import DieReading

_LEAST, _MOST = 1e-4, 0.9995
_VALUES = 6
_Told = TypeVar("_Told")


@dataclass(frozen=True, slots=True)
class FuseSettings:
    """How looks are combined."""

    same_place: float = 0.35
    """Centres this near, as a share of the die's longer side, are one die at rest."""
    again: float = 0.35
    """What each further look that agrees adds, as a share of its own log-odds."""
    contradicted: float = 0.5
    """Confidence above which two looks that tell different numbers contradict each other:
    then the number is unsure whatever the rest says."""
    value_above: float = 0.85
    """A number is told from this probability on."""
    seen_in: float = 0.5
    """A die seen in a smaller share of the looks is none."""


def fuse_looks(
    looks: Sequence[Sequence[DieReading]], settings: FuseSettings | None = None
) -> tuple[DieReading, ...]:
    """Make one answer of several looks at the same resting dice.

    Args:
        looks: the dice of each look, oldest first; the camera and the dice have not moved.
        settings: how looks are combined.

    Returns:
        One reading per die seen in at least half of the looks (ties count), sorted by x. Its
        place is that of the latest look at it. `value` is None where two looks tell different
        numbers, or where all together are not sure; so are `flat`, `half` and `on`
        where the looks differ, and `tilt_deg` is the middle one of those measured.
    """
    settings = settings or FuseSettings()
    if not looks:
        return ()
    dice = [
        _fused(group, settings)
        for group in _groups(looks, settings)
        if len(group) >= settings.seen_in * len(looks)
    ]
    return tuple(sorted(dice, key=lambda die: die.center_px))


def _groups(
    looks: Sequence[Sequence[DieReading]], settings: FuseSettings
) -> list[list[DieReading]]:
    """Return the readings of each die, oldest first, one a look at the most."""
    groups: list[list[DieReading]] = []
    for look in looks:
        near = sorted(
            (math.dist(die.center_px, group[-1].center_px), g, d)
            for (g, group), (d, die) in itertools.product(enumerate(groups), enumerate(look))
            if math.dist(die.center_px, group[-1].center_px)
            < settings.same_place * max(*die.box_px[2:], *group[-1].box_px[2:])
        )
        taken_groups: set[int] = set()
        taken_dice: set[int] = set()
        for _, g, d in near:
            if g not in taken_groups and d not in taken_dice:
                groups[g].append(look[d])
                taken_groups.add(g)
                taken_dice.add(d)
        groups += [[die] for d, die in enumerate(look) if d not in taken_dice]
    return groups


def _fused(group: Sequence[DieReading], settings: FuseSettings) -> DieReading:
    value, confidence = _value(group, settings)
    last = group[-1]
    tilts = [die.tilt_deg for die in group if die.tilt_deg is not None]
    touches = frozenset().union(*(die.touches for die in group))
    return replace(
        last,
        value=value,
        confidence=confidence,
        flat=_agreed([die.flat for die in group]),
        tilt_deg=median(tilts) if tilts else None,
        half=_same([die.half for die in group]),
        on=_same([die.on for die in group]),
        touches=touches,
        may_touch=frozenset().union(*(die.may_touch for die in group)) - touches,
    )


def _value(group: Sequence[DieReading], settings: FuseSettings) -> tuple[int | None, float]:
    """Return the number, None where unsure, and how probable the best guess is."""
    told = [die for die in group if die.value is not None]
    numbers = {die.value for die in told if die.confidence > settings.contradicted}
    if not told:
        return None, max(die.confidence for die in group)
    if len(numbers) > 1:
        return None, 0.5 * max(die.confidence for die in told)
    # Log-odds of each number against the rest: the surest look in full, the others in part.
    total = np.zeros(_VALUES)
    order = sorted(told, key=lambda die: -die.confidence)
    for rank, die in enumerate(order):
        odds = log_odds(die.confidence) * (1.0 if rank == 0 else settings.again)
        assert die.value is not None
        total[die.value - 1] += odds
    # A look that saw the die but could not tell speaks against being sure.
    silent = [die for die in group if die.value is None]
    best = int(total.argmax())
    against = sum(max(0.0, -log_odds(die.confidence)) for die in silent) * settings.again
    probability = 1.0 / (1.0 + math.exp(-(float(total[best]) - against)))
    probability = min(probability, _MOST)
    return (best + 1 if probability >= settings.value_above else None), probability


def log_odds(chance: float, least: float = _LEAST) -> float:
    """Return the log odds of a chance that is taken to be no nearer to 0 or 1 than `least`."""
    clipped = min(max(chance, least), 1 - least)
    return math.log(clipped / (1 - clipped))


def _agreed(told: Sequence[bool | None]) -> bool | None:
    """Return what all say that say anything; None where they differ or most say nothing."""
    said = [one for one in told if one is not None]
    alike = len(set(said)) == 1 and 2 * len(said) >= len(told)
    return said[0] if alike else None


def _same(told: Sequence[_Told | None]) -> _Told | None:
    """Return what all looks say alike; None otherwise."""
    said = set(told)
    return said.pop() if len(said) == 1 else None
