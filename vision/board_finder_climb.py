"""Improve a guess of a field by small moves, until its columns lie on the comb of points."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.board_finder_comb import (
    Array,
    CombSampling,
    EdgeField,
    comb_cells,
    image_from_unit,
    map_points,
    rim_strength,
)
from vision.board_finder_outline import Quads


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Fields that could be, as parallel arrays."""

    quads: Quads
    bars: Array

    def take(self, index: npt.NDArray[np.intp] | list[int]) -> "Candidates":
        """Return some of them."""
        return Candidates(self.quads[index], self.bars[index])


def merits(
    field: EdgeField, some: Candidates, sampling: CombSampling, rim_weight: float
) -> Array:
    """Return how well each candidate lies on a comb of 24 points within four rims."""
    agreement, full = comb_cells(field, some.quads, some.bars, sampling)
    typical = full.mean(axis=(1, 2), keepdims=True)
    cells = agreement / (0.5 * full + 0.5 * typical + 0.01)
    rims = np.minimum(rim_strength(field, some.quads), 0.5).mean(axis=1)
    return np.asarray(cells.mean(axis=(1, 2)) + rim_weight * rims, dtype=np.float64)


def _moves() -> Array:
    """Return (M, 9) directions to move a field in: x, y of its corners, and its bar."""
    axes = np.eye(9)
    x, bar = axes[0:8:2], axes[8]
    rows = [*x, x[0] + x[1], x[2] + x[3], x[0] + x[3] + bar, x[1] + x[2], bar, x.sum(axis=0)]
    rows.append(x[1] + x[2] - x[0] - x[3])
    moves = np.stack(rows)
    return np.concatenate([moves, -moves])


COLUMN_MOVES = _moves()
"""Moves that leave the upper and lower rims where they are, to first order."""


def climb(
    field: EdgeField,
    start: Candidates,
    steps: tuple[float, ...],
    sampling: CombSampling,
    rim_weight: float,
) -> tuple[Candidates, float]:
    """Improve a candidate's columns by small moves, coarse to fine; return it and its merit."""
    quad, bar = start.quads[0], float(start.bars[0])
    best = float(merits(field, start, sampling, rim_weight)[0])
    for step in steps:
        moves = COLUMN_MOVES * step
        for _ in range(8):
            across = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
            down = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
            shift = moves[:, 0:8:2, None] * across + moves[:, 1:8:2, None] * down
            tried = Candidates(quad + shift, np.clip(bar + moves[:, 8], 0.0, 0.2))
            score = merits(field, tried, sampling, rim_weight)
            k = int(np.argmax(score))
            if score[k] <= best + 1e-4:
                break
            quad, bar, best = tried.quads[k], float(tried.bars[k]), float(score[k])
    return Candidates(quad[None], np.array([bar])), best


def whole_point_shifts(one: Candidates) -> Candidates:
    """Return a field and its neighbours whose halves lie a point further left or right.

    A comb moved by one point agrees with 22 of 24 points; small moves never leave that trap.
    """
    bar = float(one.bars[0])
    half = (1.0 - bar) / 2.0
    point = half / 6.0
    units, bars = [], []
    for left in (0, -1, 1):
        for right in (0, -1, 1):
            x0, x1 = left * point, 1.0 + right * point
            gap = (x1 - half) - (x0 + half)
            if -0.3 * point < gap < 0.2:
                units.append([[x0, 0.0], [x1, 0.0], [x1, 1.0], [x0, 1.0]])
                bars.append(max(gap, 0.0) / (x1 - x0))
    quads = map_points(
        np.repeat(image_from_unit(one.quads), len(units), axis=0), np.array(units)
    )
    return Candidates(quads, np.array(bars))
