"""What could be a board by its outline."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Quads: TypeAlias = npt.NDArray[np.float64]
"""(N, 4, 2) float64, clockwise from the top-left, in working pixels."""


def plausible(
    quads: Quads, width: int, height: int, smallest_share: float
) -> npt.NDArray[np.bool_]:
    """Return which quadrilaterals could be a board seen from above."""
    sides = np.roll(quads, -1, axis=1) - quads
    length = np.linalg.norm(sides, axis=2)
    following = np.roll(sides, -1, axis=1)
    turn = sides[..., 0] * following[..., 1] - sides[..., 1] * following[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        sine = turn / (length * np.roll(length, -1, axis=1))
        ratio_rows = length[:, 0] / length[:, 2]
        ratio_columns = length[:, 1] / length[:, 3]
        aspect = (length[:, 0] + length[:, 2]) / (length[:, 1] + length[:, 3])
    margin = 0.02 * max(width, height)
    inside = (
        (quads >= -margin).all(axis=(1, 2))
        & (quads[..., 0] <= width + margin).all(axis=1)
        & (quads[..., 1] <= height + margin).all(axis=1)
    )
    keep = (
        inside
        & np.isfinite(sine).all(axis=1)
        & (sine > np.sin(np.radians(68.0))).all(axis=1)
        & (np.maximum(ratio_rows, 1 / ratio_rows) < 1.45)
        & (np.maximum(ratio_columns, 1 / ratio_columns) < 1.45)
        & (np.maximum(aspect, 1 / aspect) < 1.95)
        & (length.min(axis=1) > smallest_share * min(width, height))
    )
    return np.asarray(keep, dtype=np.bool_)
