"""From what each point looks like to what stands on it, given that a side has fifteen."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from vision.checkers_network import CLASSES, HIDDEN, LONG_ROW, STACKED
from vision.observation import Side

Array: TypeAlias = npt.NDArray[np.float64]

PER_SIDE = 15
OUTCOMES = 1 + 2 * PER_SIDE
"""Empty, 1–15 light, 1–15 dark."""


@dataclass(frozen=True, slots=True)
class CountSettings:
    """How far to believe the network and the sum."""

    temperature: float = 1.0
    """Divides the network's log-odds: above 1 it is believed less than it says."""
    all_on_board: float = 8.0
    """How much likelier exactly fifteen of a side are than any smaller number."""
    too_many: float = 0.02
    """The same for more than fifteen: something was misread."""
    layers: float = 0.04
    """Share of a full row's probability given to checkers lying on top of it: seen from right
    above they may hide the row exactly. Where all fifteen are seen the sum takes it back."""


def _spreads() -> Array:
    """Return (10, 16): how many checkers each class means."""
    table = np.zeros((CLASSES, PER_SIDE + 1))
    for n in range(LONG_ROW):
        table[n, n] = 1.0
    table[LONG_ROW, 7:10] = 0.7, 0.2, 0.1
    table[STACKED, 5:] = 1.0
    table[HIDDEN, :7] = 0.4, 0.2, 0.15, 0.1, 0.06, 0.05, 0.04
    return np.asarray(table / table.sum(axis=1, keepdims=True), dtype=np.float64)


COUNTS_OF_CLASS = _spreads()


def class_probabilities(logits: Array, settings: CountSettings) -> Array:
    """Return (N, 10) probabilities from the network's log-odds."""
    odds = logits / settings.temperature
    odds = np.exp(odds - odds.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), dtype=np.float64)


def with_cover(classes: Array, covered: Array) -> Array:
    """Doubt what is said of points whose feet lie under something.

    Args:
        classes: (N, 10) class probabilities.
        covered: (N,) share of each point's foot under what is neither ground nor checker.
    """
    doubt = np.clip(2 * covered - 1, 0, 1)[:, None]
    return np.asarray(classes * (1 - doubt) + doubt * np.eye(CLASSES)[HIDDEN], dtype=np.float64)


def outcome_probabilities(classes: Array, light: Array) -> Array:
    """Return (N, 31): what each point by itself is likely to hold.

    Args:
        classes: (N, 10) class probabilities.
        light: (N,) probability that the checkers, if any, are light.
    """
    counts = classes @ COUNTS_OF_CLASS
    held = counts[:, 1:]
    return np.hstack([counts[:, :1], held * light[:, None], held * (1 - light[:, None])])


_ON_TOP = (0.35, 0.25, 0.2, 0.12, 0.08)
"""How likely one, two, … checkers are to lie on a full row that shows none of them."""
_FULL_ROWS = (5, 6)


def with_layers(outcomes: Array, settings: CountSettings) -> Array:
    """Allow for a second layer that a still does not show; outcomes as in `with_sum`."""
    made = outcomes.copy()
    for row in _FULL_ROWS:
        for side in (0, PER_SIDE):
            share = settings.layers * outcomes[:, side + row]
            made[:, side + row] -= share
            for k, part in enumerate(_ON_TOP, start=1):
                made[:, side + row + k] += part * share
    return made


def with_sum(
    outcomes: Array, settings: CountSettings, on_bar: tuple[int, int] = (0, 0)
) -> Array:
    """Weigh each point's outcomes by what all others leave of fifteen.

    Args:
        outcomes: (N, 31) from `outcome_probabilities`.
        settings: how much the sum counts.
        on_bar: light and dark checkers seen on the bar.
    """
    factors = []
    for k, extra in enumerate(on_bar):
        own = outcomes[:, 1 + k * PER_SIDE : 1 + (k + 1) * PER_SIDE]
        alone = np.hstack([1 - own.sum(axis=1, keepdims=True), own])
        factors.append(_room(alone, min(extra, PER_SIDE), settings))
    light, dark = factors
    weight = np.ones_like(outcomes)
    weight[:, 0] = light[:, 0] * dark[:, 0]
    weight[:, 1 : 1 + PER_SIDE] = light[:, 1:] * dark[:, :1]
    weight[:, 1 + PER_SIDE :] = light[:, :1] * dark[:, 1:]
    weighed = outcomes * weight
    return np.asarray(weighed / weighed.sum(axis=1, keepdims=True), dtype=np.float64)


def _room(alone: Array, extra: int, settings: CountSettings) -> Array:
    """Return (N, 16): how well n checkers of a side on a point go with all the others."""
    size = PER_SIDE + 2  # the last entry gathers everything above fifteen
    prior = np.ones(size)
    prior[PER_SIDE], prior[PER_SIDE + 1] = settings.all_on_board, settings.too_many
    start = np.zeros(size)
    start[extra] = 1.0
    before, after = [start], [np.eye(1, size)[0]]
    for row in alone[:-1]:
        before.append(_add(before[-1], row))
    for row in alone[:0:-1]:
        after.append(_add(after[-1], row))
    others = np.stack([_add(b, a) for b, a in zip(before, reversed(after), strict=True)])
    counts = np.arange(size)[:, None] + np.arange(PER_SIDE + 1)
    return np.asarray(others @ prior[np.minimum(counts, size - 1)], dtype=np.float64)


def _add(total: Array, more: Array) -> Array:
    """Return the distribution of a sum, what exceeds the last entry gathered there."""
    full = np.convolve(total, more)
    full[len(total) - 1] = full[len(total) - 1 :].sum()
    return full[: len(total)]


def depth_probability(classes: Array, outcomes: Array) -> Array:
    """Return (N,): how likely each point is a stack, a long row or covered, the sum weighed in.

    Args:
        classes: (N, 10) class probabilities.
        outcomes: (N, 31) from `with_sum`.
    """
    counts = classes @ COUNTS_OF_CLASS
    rows = classes[:, :LONG_ROW] @ COUNTS_OF_CLASS[:LONG_ROW]
    plain = rows / np.maximum(counts, 1e-12)
    seen = np.hstack([plain, plain[:, 1:]])
    return np.asarray(1 - (outcomes * seen).sum(axis=1), dtype=np.float64)


def outcome(index: int) -> tuple[Side | None, int]:
    """Return side and count of an outcome."""
    if index == 0:
        return None, 0
    side, n = divmod(index - 1, PER_SIDE)
    return (Side.LIGHT, Side.DARK)[side], n + 1
