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

_BARE, _SOFT = 0.3, 0.1
"""Share of the rim's end up to which it is bare, and how far beyond it is so in part. Of 762
rows of two and more, on renders and photos of boards, one has less."""
_LOOSE = 0.4
"""Chance that such a row is one shorter than it reaches."""


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


def with_cover(classes: Array, covered: Array, strange: Array | None = None) -> Array:
    """Doubt what is said of points whose feet lie under something.

    Args:
        classes: (N, 10) class probabilities.
        covered: (N,) share of each point's foot under what is neither ground nor checker.
        strange: (N,) the same share of the whole point: where there is nothing of the kind,
            nothing covers the point.
    """
    if strange is not None:
        classes = classes.copy()
        classes[:, HIDDEN] *= np.clip(strange / 0.03, 0.02, 1.0)
        classes /= classes.sum(axis=1, keepdims=True)
    doubt = np.clip(2 * covered - 1, 0, 1)[:, None]
    return np.asarray(classes * (1 - doubt) + doubt * np.eye(CLASSES)[HIDDEN], dtype=np.float64)


def with_feet(classes: Array, feet: Array) -> Array:
    """Leave it open that a row is one shorter where nothing stands at the rim.

    How far a row reaches is what tells its length, and players do not always push it to the
    rim.

    Args:
        classes: (N, 10) class probabilities.
        feet: (N,) how much of the rim's end is checker, in shares of the row's fullest place.
    """
    made = classes.copy()
    share = _LOOSE * np.clip((_BARE + _SOFT - feet) / _SOFT, 0, 1)[:, None]
    moved = classes[:, 2:LONG_ROW] * share
    made[:, 2:LONG_ROW] -= moved
    made[:, 1 : LONG_ROW - 1] += moved
    return made


def with_foreign(classes: Array, foreign: Array) -> Array:
    """Doubt checkers in a colour of neither side: dice, and shadows of them.

    Args:
        classes: (N, 10) class probabilities.
        foreign: (N,) how far their colour is from both sides', 0–1.
    """
    made = classes.copy()
    made[:, 1:LONG_ROW] *= np.exp(-3.0 * foreign)[:, None]
    return np.asarray(made / made.sum(axis=1, keepdims=True), dtype=np.float64)


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
FULL_ROWS = (5, 6)


def with_layers(outcomes: Array, settings: CountSettings) -> Array:
    """Allow for a second layer that a still does not show; outcomes as in `with_sum`."""
    made = outcomes.copy()
    for row in FULL_ROWS:
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

    Both sides are summed together: a checker whose side is not sure belongs to the side that
    lacks it, and to no other.

    Args:
        outcomes: (N, 31) from `outcome_probabilities`.
        settings: how much the sum counts.
        on_bar: light and dark checkers seen on the bar.
    """
    empty = outcomes[:, 0]
    light = _steps(outcomes[:, 1 : 1 + PER_SIDE])
    dark = _steps(outcomes[:, 1 + PER_SIDE :]).transpose(0, 2, 1)
    prior = np.ones(_SUMS)
    prior[PER_SIDE], prior[PER_SIDE + 1] = settings.all_on_board, settings.too_many
    # (light, dark) of the points before each, and how well the points from each on go with it.
    before, after = np.zeros((_SUMS, _SUMS)), np.outer(prior, prior)
    before[min(on_bar[0], PER_SIDE), min(on_bar[1], PER_SIDE)] = 1.0
    behind = [after]
    for k in range(len(outcomes) - 1, 0, -1):
        after = empty[k] * after + light[k] @ after + after @ dark[k]
        behind.append(after / after.max())
    weight = np.empty_like(outcomes)
    for k, after in enumerate(reversed(behind)):
        weight[k, 0] = (before * after).sum()
        pairs = before @ after.T, before.T @ after
        for side, pair in enumerate(pairs):
            sums = np.take_along_axis(pair, _LATER[:, 1:], axis=1).sum(axis=0)
            weight[k, 1 + side * PER_SIDE : 1 + (side + 1) * PER_SIDE] = sums
        before = empty[k] * before + light[k].T @ before + before @ dark[k].T
        before /= before.sum()
    weighed = outcomes * weight
    return np.asarray(weighed / weighed.sum(axis=1, keepdims=True), dtype=np.float64)


_SUMS = PER_SIDE + 2
"""Sums told apart: 0–15, and more."""
_LATER = np.minimum(np.arange(_SUMS)[:, None] + np.arange(PER_SIDE + 1), _SUMS - 1)
"""(17, 16): the sum that n more checkers make."""


def _steps(own: Array) -> Array:
    """Return (N, 17, 17): from each sum to each later one, by the 1–15 checkers of a point."""
    made = np.zeros((len(own), _SUMS, _SUMS))
    for n in range(1, PER_SIDE + 1):
        made[:, np.arange(_SUMS), _LATER[:, n]] += own[:, n - 1, None]
    return made


def depth_probability(classes: Array, outcomes: Array) -> Array:
    """Return (N,): how likely each point is a stack, a long row or covered, the sum weighed in.

    An empty point hides nothing: that it may be covered is in its probability already.

    Args:
        classes: (N, 10) class probabilities.
        outcomes: (N, 31) from `with_sum`.
    """
    counts = classes @ COUNTS_OF_CLASS
    rows = classes[:, :LONG_ROW] @ COUNTS_OF_CLASS[:LONG_ROW]
    plain = rows[:, 1:] / np.maximum(counts[:, 1:], 1e-12)
    return np.asarray(
        1 - outcomes[:, 0] - (outcomes[:, 1:] * np.tile(plain, 2)).sum(axis=1), dtype=np.float64
    )


def outcome(index: int) -> tuple[Side | None, int]:
    """Return side and count of an outcome."""
    if index == 0:
        return None, 0
    side, n = divmod(index - 1, PER_SIDE)
    return (Side.LIGHT, Side.DARK)[side], n + 1
