"""The comb of a board: 24 points whose sides slant left, right, left, right along both rims.

One signed map carries the evidence. Where an edge runs nearly along the board's columns, its
slant against them is positive or negative; along a row of points the sign alternates once a
point, and the far row does it the other way round. Upright stripes have no slant, a chessboard
none either, grain and noise have both signs anywhere: only points in step add up.
"""

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_finder_outline import Quads
from vision.cv import BgrImage, FloatImage, as_f32

Array: TypeAlias = npt.NDArray[np.float64]

SLANT_SCALE = np.sin(np.radians(12.0))
"""Sine of twice the slant (about 6°) of a point's side: the scale of the signed map."""


@dataclass(frozen=True, slots=True, eq=False)
class EdgeField:
    """Edges of a picture in double-angle form, contrast evened out.

    `cos2` and `sin2` are strength × cos/sin of twice the gradient's angle, so that the two
    flanks of a line agree and blurring does not cancel them.
    """

    columns: FloatImage
    """(H, W, 3): cos2, sin2, strength of edges running roughly down the board."""
    rows: FloatImage
    """(H, W): strength of edges running roughly across the board."""


@dataclass(frozen=True, slots=True)
class CombSampling:
    """Where a candidate is looked at, in shares of the field."""

    per_point: int
    depths: tuple[float, ...]
    """Distances from the rim, in shares of the field's height."""


COARSE = CombSampling(4, (0.08, 0.16, 0.24, 0.31))
FINE = CombSampling(6, tuple(np.linspace(0.02, 0.36, 12)))


def edge_field(bgr: BgrImage, angle_deg: float, blur_px: float) -> EdgeField:
    """Return the edges of a picture whose rows run at `angle_deg` to the image's x axis."""
    smooth = cv2.GaussianBlur(bgr, (0, 0), 0.8)
    dx = as_f32(cv2.Sobel(smooth, cv2.CV_32F, 1, 0))
    dy = as_f32(cv2.Sobel(smooth, cv2.CV_32F, 0, 1))
    energy = dx * dx + dy * dy
    best = np.argmax(energy, axis=2)[..., None]
    gx = np.take_along_axis(dx, best, axis=2)[..., 0]
    gy = np.take_along_axis(dy, best, axis=2)[..., 0]
    squared = gx * gx + gy * gy
    size = np.sqrt(squared)
    around = as_f32(cv2.blur(size, (41, 41)))
    strength = size / (size + around + 12.0)
    double = np.radians(2.0 * angle_deg)
    scale = strength / (squared + 1e-6)
    cos2 = (gx * gx - gy * gy) * scale
    sin2 = 2.0 * gx * gy * scale
    # Seen along the board: +strength for edges down the columns, -strength along the rows.
    along = cos2 * np.cos(double) + sin2 * np.sin(double)
    down = along > 0.55 * strength
    columns = np.dstack([cos2 * down, sin2 * down, strength * down])
    rows = strength * (along < -0.7 * strength)
    blurred = as_f32(cv2.GaussianBlur(columns, (0, 0), blur_px))
    return EdgeField(blurred, as_f32(cv2.GaussianBlur(rows, (0, 0), blur_px)))


def image_from_unit(quads: Quads) -> Array:
    """Return (N, 3, 3) homographies that map the unit square onto each quadrilateral."""
    p0, p1, p2, p3 = (quads[:, k] for k in range(4))
    d1, d2, d3 = p1 - p2, p3 - p2, p0 - p1 + p2 - p3
    determinant = d1[:, 0] * d2[:, 1] - d2[:, 0] * d1[:, 1]
    g = (d3[:, 0] * d2[:, 1] - d2[:, 0] * d3[:, 1]) / determinant
    h = (d1[:, 0] * d3[:, 1] - d3[:, 0] * d1[:, 1]) / determinant
    matrices = np.empty((len(quads), 3, 3))
    matrices[:, :2, 0] = p1 - p0 + g[:, None] * p1
    matrices[:, :2, 1] = p3 - p0 + h[:, None] * p3
    matrices[:, :2, 2] = p0
    matrices[:, 2, 0], matrices[:, 2, 1], matrices[:, 2, 2] = g, h, 1.0
    return matrices


def map_points(matrices: Array, points: Array) -> Array:
    """Map points (N, K, 2), or (K, 2) alike for all, by N homographies."""
    if points.ndim == 2:
        points = np.broadcast_to(points, (len(matrices), *points.shape))
    mapped = points @ np.swapaxes(matrices[:, :, :2], 1, 2) + matrices[:, None, :, 2]
    return np.asarray(mapped[..., :2] / mapped[..., 2:3], dtype=np.float64)


def comb_cells(
    field: EdgeField, quads: Quads, bars: Array, sampling: CombSampling
) -> tuple[Array, Array]:
    """Return per candidate and point the signed agreement and the edge strength.

    Args:
        field: the picture's edges.
        quads: N candidates.
        bars: (N,) width of the bar as a share of the field's width.
        sampling: how densely to look.

    Returns:
        Two (N, 2, 12) arrays: agreement with the comb, and what full agreement would be.
    """
    phase = (np.arange(sampling.per_point) + 0.5) / sampling.per_point
    template = np.sin(2.0 * np.pi * (phase - 0.5))
    column = np.arange(12)[:, None] + phase[None, :]
    half = (column >= 6).astype(np.float64)
    x = column.ravel()[None, :] * ((1.0 - bars) / 12.0)[:, None]
    x = x + half.ravel()[None, :] * bars[:, None]
    depths = np.asarray(sampling.depths)
    y = np.stack([depths, 1.0 - depths])
    count, per_row = len(quads), 12 * sampling.per_point
    points = np.empty((count, 2, len(depths), per_row, 2))
    points[..., 0] = x[:, None, None, :]
    points[..., 1] = y[None, :, :, None]
    at = map_points(image_from_unit(quads), points.reshape(count, -1, 2))
    cos2, sin2, strength = _look_up(field.columns, at)
    # The board's own upright, turning from the left edge to the right in a tilted view.
    left, right = quads[:, 3] - quads[:, 0], quads[:, 2] - quads[:, 1]
    upright_left = np.arctan2(-left[:, 0], left[:, 1])
    upright_right = np.arctan2(-right[:, 0], right[:, 1])
    upright = upright_left[:, None] + (upright_right - upright_left)[:, None] * x
    shape = (count, 2, len(depths), per_row)
    twice = 2.0 * upright[:, None, None, :]
    slant = sin2.reshape(shape) * np.cos(twice) - cos2.reshape(shape) * np.sin(twice)
    ceiling = strength.reshape(shape)
    slant = np.clip(slant / SLANT_SCALE, -ceiling, ceiling)
    signed = slant * np.tile(template, 12)
    signed[:, 1] *= -1.0
    cells = (count, 2, len(depths), 12, sampling.per_point)
    agreement = signed.reshape(cells).mean(axis=(2, 4))
    full = (ceiling * np.abs(np.tile(template, 12))).reshape(cells).mean(axis=(2, 4))
    return agreement, full


def rim_strength(field: EdgeField, quads: Quads, samples: int = 40) -> Array:
    """Return (N, 4): how much of the top, right, bottom and left side lies on an edge."""
    at = np.linspace(0.03, 0.97, samples)
    zero, one = np.zeros(samples), np.ones(samples)
    sides = (
        np.stack([at, zero], axis=1),
        np.stack([one, at], axis=1),
        np.stack([at, one], axis=1),
        np.stack([zero, at], axis=1),
    )
    points = map_points(image_from_unit(quads), np.concatenate(sides))
    x, y, inside = _index(points, field.rows.shape[:2])
    down = field.columns[y, x, 2] * inside
    across = field.rows[y, x] * inside
    shape = (len(quads), 4, samples)
    down, across = down.reshape(shape), across.reshape(shape)
    values = [across[:, 0], down[:, 1], across[:, 2], down[:, 3]]
    return np.stack([v.mean(axis=1) for v in values], axis=1)


def _index(
    at: Array, size: tuple[int, ...]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
    height, width = size[0], size[1]
    x, y = np.rint(at[..., 0]), np.rint(at[..., 1])
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    return (
        np.clip(x, 0, width - 1).astype(np.intp),
        np.clip(y, 0, height - 1).astype(np.intp),
        np.asarray(inside, dtype=np.bool_),
    )


def _look_up(image: FloatImage, at: Array) -> tuple[Array, Array, Array]:
    x, y, inside = _index(at, image.shape)
    flat = image.reshape(-1, image.shape[2])
    values = np.take(flat, y * image.shape[1] + x, axis=0) * inside[..., None]
    return values[..., 0], values[..., 1], values[..., 2]
