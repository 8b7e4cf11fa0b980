"""Three readers of one spot, one probability for each thing it may be.

Each reader says how probable every answer is; the logarithms are added, each reader with a
weight of its own, since they look at the same pixels and err together. The weights were fitted
on pictures that none of this was trained on (`training/dice_pool_fit.py`), so that what comes
out is a probability that means something: docs/explanation/dice-reading.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from vision.observation import BoxPx, DieReading, PointPx

Chances: TypeAlias = npt.NDArray[np.float64]
"""(8,): no die, the values 1 to 6, a die whose upper face cannot be told."""

ANSWERS = 8
NO_DIE, UNREADABLE = 0, 7
_FLOOR = 1e-4
"""No reader is surer than this: its logarithm would drown out the others."""


@dataclass(frozen=True, slots=True)
class PoolWeights:
    """How much each reader counts."""

    classical: float
    net: float
    judge: float
    no_die: float
    """Added to "no die" always …"""
    unseen_classical: float
    """… where the classical reader saw nothing …"""
    unseen_net: float
    """… and where the network saw nothing."""
    unreadable: float
    """Added to "cannot be told"."""


PHOTO_WEIGHTS = PoolWeights(0.517, 0.203, 0.597, 1.952, 1.805, 0.869, -0.706)
BOARD_WEIGHTS = PoolWeights(0.234, 0.184, 0.733, 1.645, 1.43, 1.0, -0.172)


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """One spot as the readers saw it."""

    center_px: PointPx
    box_px: BoxPx
    classical: DieReading | None
    """With its best guess as `value`, however doubtful; None: it saw no die there."""
    net: Chances | None
    judge: Chances
    asked_classical: bool = True
    """Whether the classical reader has looked there at all."""


def net_chances(die: float, values: npt.NDArray[np.float64]) -> Chances:
    """Return the network's chances from that of a die and (6,) those of its values."""
    return np.concatenate([[1.0 - die], 0.97 * die * values, [0.03 * die]])


def classical_chances(value: int, probability: float) -> Chances:
    """Return the classical reader's chances: where its face is wrong, half the time no die."""
    rest = 1.0 - probability
    chances = np.full(ANSWERS, 0.5 * rest / (ANSWERS - 2))
    chances[NO_DIE] = 0.5 * rest
    chances[value] = probability
    return chances


def terms(spots: Sequence[Spot]) -> npt.NDArray[np.float64]:
    """Return (N, 7, 8): what each weight of `PoolWeights`, in order, multiplies."""
    out = np.zeros((len(spots), 7, ANSWERS))
    out[:, 3, NO_DIE] = out[:, 6, UNREADABLE] = 1.0
    for row, spot in zip(out, spots, strict=True):
        if not spot.asked_classical:
            pass  # what was not asked says nothing
        elif spot.classical is None or spot.classical.value is None:
            row[4, NO_DIE] = 1.0
        else:
            said = classical_chances(spot.classical.value, spot.classical.confidence)
            row[0] = np.log(np.maximum(said, _FLOOR))
        if spot.net is None:
            row[5, NO_DIE] = 1.0
        else:
            row[1] = np.log(np.maximum(spot.net, _FLOOR))
        row[2] = np.log(np.maximum(spot.judge, _FLOOR))
    return out


def pool(spots: Sequence[Spot], weights: PoolWeights) -> npt.NDArray[np.float64]:
    """Return (N, 8) probabilities."""
    own = np.array(
        [
            weights.classical,
            weights.net,
            weights.judge,
            weights.no_die,
            weights.unseen_classical,
            weights.unseen_net,
            weights.unreadable,
        ]
    )
    logits = np.einsum("nka,k->na", terms(spots), own)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def chances(spots: Sequence[Spot], weights: PoolWeights) -> npt.NDArray[np.float64]:
    """Return (N, 8) probabilities: the pool's, or those of two witnesses that agree.

    The pool adds what the readers say one by one and cannot know that two of them, each sure by
    itself, seldom err alike.
    """
    out = pool(spots, weights)
    for row, spot in zip(out, spots, strict=True):
        value, sure = two_witnesses(spot)
        if sure > row[value]:
            rest = np.delete(np.arange(ANSWERS), value)
            row[rest] *= (1.0 - sure) / max(float(row[rest].sum()), 1e-9)
            row[value] = sure
    return out


def two_witnesses(spot: Spot) -> tuple[int, float]:
    """Return the value that two readers tell, and how sure that makes it; 0.0 where none do.

    Where the classical reader saw nothing the two networks must be surer: the judge began as a
    copy of the dice net, and both take the same things for dice. A reader that is sure of
    something else has a veto.
    """
    if spot.net is None:
        return 1, 0.0
    networks = [spot.judge, spot.net]
    own = spot.classical
    if own is not None and own.value is not None:
        value, first = own.value, own.confidence
        second = max(float(one[value]) for one in networks)
    else:
        value = int(spot.judge[1:UNREADABLE].argmax()) + 1
        first, second = (float(one[value]) for one in networks)
        if spot.asked_classical and min(first, second) < _NETWORKS:
            return value, 0.0
    other = max(float(np.delete(one, value).max()) for one in networks)
    if min(first, second) < _WITNESS or other > (_VETO_ONE if value == 1 else _VETO):
        return value, 0.0
    # Two witnesses of one picture are not independent: half of the doubt stays.
    return value, 1.0 - (1.0 - first) * (0.5 + (1.0 - second) / 2)


_WITNESS, _NETWORKS = 0.7, 0.92
_VETO, _VETO_ONE = 0.9, 0.1
"""A dot with something square around it is everywhere: nobody may doubt a one."""
