"""Which of two colours each point's checkers have, and which of the two is the lighter."""

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.checkers_crops import CELL_PX, CELLS, RIM_PX
from vision.cv import BgrImage, FloatImage, as_f32

Array: TypeAlias = npt.NDArray[np.float64]
Lab: TypeAlias = tuple[float, float, float]
"""L* 0–100, a*, b*."""


@dataclass(frozen=True, slots=True)
class ColorSettings:
    """When two colours are two."""

    least_cell: float = 0.6
    """Probability of showing a checker from which a cell's colour counts."""
    unseen: float = 0.2
    """What a cell counts that only lies where a checker must lie, seen by its outline."""
    spread: float = 7.0
    """Least scatter, in Lab, that checkers of one side are believed to have."""
    one_side: float = 14.0
    """Two groups nearer than this in Lab are one side's checkers in uneven light."""
    red_is_dark: float = 0.15
    """How much a* counts against lightness: players call the red side dark beside green."""
    near: float = 20.0
    """Distance in Lab up to which a colour may be a side's, in glare or shade."""
    far: float = 29.0
    """The same from which it plainly is not."""
    weight: float = 0.6
    """Share of the color's log-odds that is believed: light and gloss err together."""


@dataclass(frozen=True, slots=True)
class SideColors:
    """What both sides look like."""

    light: Lab
    dark: Lab


@dataclass(frozen=True, slots=True, eq=False)
class DiscColors:
    """The colour of what stands on each point, as parallel arrays."""

    lab: Array
    """(N, 3)."""
    weight: Array
    """(N,): cells the colour rests on."""


def lab_cells(crop_bgr: BgrImage) -> FloatImage:
    """Return a crop's colours per cell: (28, 28, 3) float32, L* a* b*."""
    small = cv2.resize(crop_bgr, (CELLS, CELLS), interpolation=cv2.INTER_AREA)
    return as_f32(cv2.cvtColor(as_f32(small) / 255.0, cv2.COLOR_BGR2LAB))


def bgr_of_lab(lab: FloatImage) -> FloatImage:
    """Return L* a* b* of any shape (..., 3) as BGR, 0–1."""
    made = cv2.cvtColor(as_f32(lab).reshape(1, -1, 3), cv2.COLOR_LAB2BGR)
    return as_f32(made).reshape(lab.shape)


def lab_of_bgr(bgr: FloatImage) -> FloatImage:
    """Return BGR, 0–1, of any shape (..., 3) as L* a* b*."""
    made = cv2.cvtColor(as_f32(bgr).reshape(1, -1, 3), cv2.COLOR_BGR2LAB)
    return as_f32(made).reshape(bgr.shape)


def disc_colors(
    lab: FloatImage,
    disc: FloatImage,
    counts: npt.NDArray[np.int64],
    checker_cells: float,
    settings: ColorSettings,
) -> DiscColors:
    """Return the colours of a row's six points.

    Args:
        lab: (28, 28, 3) from `lab_cells`.
        disc: (28, 28) probability that a cell shows a checker.
        counts: (6,) checkers believed to stand on each point; how far from the rim to look.
        checker_cells: a checker's diameter in cells.
        settings: thresholds.
    """
    colors, weights = np.zeros((6, 3)), np.zeros(6)
    rim = RIM_PX // CELL_PX
    for column in range(6):
        depth = rim + int(np.ceil(max(1, counts[column]) * checker_cells))
        window = np.s_[rim - 1 : min(depth, CELLS), 4 * column + 2 : 4 * column + 6]
        share = np.clip((disc[window] - settings.least_cell) / (1 - settings.least_cell), 0, 1)
        if counts[column] and share.sum() < 1.0:
            # A checker in its point's colour, seen by its outline alone: look where it lies.
            share[1:-1, 1:3] = np.maximum(share[1:-1, 1:3], settings.unseen)
        weights[column] = share.sum()
        if weights[column] > 0:
            colors[column] = _weighted_median(lab[window].reshape(-1, 3), share.ravel())
    return DiscColors(colors, weights)


def light_probability(
    colors: DiscColors, known: SideColors | None, settings: ColorSettings
) -> tuple[Array, SideColors | None]:
    """Return for each point the probability that its checkers are the light side's.

    Args:
        colors: one entry a point; those of weight 0 get 0.5.
        known: both sides' colours where they were learned.
        settings: thresholds.

    Returns:
        (N,) probabilities, and both sides' colours if two were seen.
    """
    used = np.flatnonzero(colors.weight > 0)
    chances = np.full(len(colors.weight), 0.5)
    if not len(used):
        return chances, known
    lab, weight = colors.lab[used], np.minimum(colors.weight[used], 12.0)
    if known is None:
        centers, scatter = _two_means(lab, weight)
        if np.linalg.norm(centers[0] - centers[1]) < settings.one_side:
            # One side only: its own lightness hints at which, never enough to vouch for it.
            tone = np.average(_lightness(lab, settings), weights=weight)
            chances[used] = 0.5 + 0.25 * np.tanh((tone - 45.0) / 15.0)
            return chances, None
        if _lightness(centers[:1], settings)[0] < _lightness(centers[1:], settings)[0]:
            centers = centers[::-1]
        sides = SideColors(_lab(centers[0]), _lab(centers[1]))
    else:
        sides, scatter = known, settings.spread
        centers = np.array([known.light, known.dark])
    variance = max(scatter, settings.spread) ** 2
    away = ((lab[:, None, :] - centers[None]) ** 2).sum(axis=2)
    odds = settings.weight * (away[:, 1] - away[:, 0]) / (2 * variance)
    # Few cells, little said: a die's face or the rim of a neighbour is no checker.
    odds *= np.clip(colors.weight[used] / 4.0, 0.25, 1.0)
    chances[used] = 1 / (1 + np.exp(-np.clip(odds, -9, 9)))
    return chances, sides


def foreign_share(
    colors: DiscColors, sides: SideColors | None, settings: ColorSettings
) -> Array:
    """Return (N,) how unlike both sides' each point's colour is: 0 like one, 1 like neither."""
    if sides is None:
        return np.zeros(len(colors.weight))
    centers = np.array([sides.light, sides.dark])
    away = np.linalg.norm(colors.lab[:, None, :] - centers[None], axis=2).min(axis=1)
    share = np.clip((away - settings.near) / (settings.far - settings.near), 0.0, 1.0)
    return np.where(colors.weight > 0, share, 0.0)


def _lightness(lab: Array, settings: ColorSettings) -> Array:
    return np.asarray(lab[:, 0] - settings.red_is_dark * lab[:, 1], dtype=np.float64)


def _lab(color: Array) -> Lab:
    return float(color[0]), float(color[1]), float(color[2])


def _weighted_median(values: npt.NDArray[np.float32], weights: FloatImage) -> Array:
    order = np.argsort(values, axis=0)
    total = np.cumsum(weights[order], axis=0)
    at = (total >= total[-1:] / 2).argmax(axis=0)
    picked = np.take_along_axis(values, order, axis=0)[at, np.arange(values.shape[1])]
    return np.asarray(picked, dtype=np.float64)


def _two_means(lab: Array, weight: Array) -> tuple[Array, float]:
    """Return two centres and the scatter within, from every far pair of starts the best."""
    apart = np.linalg.norm(lab[:, None] - lab[None], axis=2) * np.sqrt(weight[:, None] * weight)
    starts = np.argsort(-apart, axis=None)[:6:2]
    best_cost, best = np.inf, (np.stack([lab[0], lab[0]]), 0.0)
    for start in starts:
        first, second = np.unravel_index(start, apart.shape)
        centers = np.stack([lab[first], lab[second]])
        for _ in range(5):
            away = ((lab[:, None, :] - centers[None]) ** 2).sum(axis=2)
            nearer = away.argmin(axis=1)
            mine = weight * (nearer == np.array([[0], [1]]))
            held = mine.sum(axis=1, keepdims=True)
            centers = np.where(held > 0, mine @ lab / np.maximum(held, 1e-9), centers)
        # Absolute distance: one point in glare must not found a side of its own.
        cost = float((weight * np.sqrt(away.min(axis=1))).sum())
        if cost < best_cost:
            scatter = float(np.sqrt(np.average(away.min(axis=1), weights=weight) / 2))
            best_cost, best = cost, (centers, scatter)
    return best
