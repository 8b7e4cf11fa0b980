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
from vision.cv import BgrImage, FloatImage, as_f32, as_u8

Array: TypeAlias = npt.NDArray[np.float64]

SLANT_SCALE = np.sin(np.radians(12.0))
"""Sine of twice the slant (about 6°) of a point's side: the scale of the signed map."""


@dataclass(frozen=True, slots=True, eq=False)
class EdgeField:
    """Edges of a picture in double-angle form, contrast evened out.

    `cos2` and `sin2` are strength × cos/sin of twice the gradient's angle, so that the two
    flanks of a line agree and blurring does not cancel them.
    """

    edges: FloatImage
    """(H, W, 4): cos2, sin2 and strength of edges running roughly down the board; strength of
    those running roughly across it."""


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
    gx, gy = _steepest(as_u8(cv2.GaussianBlur(bgr, (0, 0), 0.8)))
    squared = gx * gx + gy * gy
    size = np.sqrt(squared)
    around = as_f32(cv2.blur(size, (41, 41)))
    around += size + 12.0
    strength = size / around
    squared += 1e-6
    scale = strength / squared
    cos2 = (gx + gy) * (gx - gy) * scale
    sin2 = 2.0 * gx * gy * scale
    # Seen along the board: +strength for edges down the columns, -strength along the rows.
    double = np.radians(2.0 * angle_deg)
    along = cos2 * np.float32(np.cos(double)) + sin2 * np.float32(np.sin(double))
    down = np.asarray(along > 0.55 * strength, dtype=np.float32)
    rows = strength * (along < -0.7 * strength)
    edges = as_f32(cv2.merge([cos2 * down, sin2 * down, strength * down, rows]))
    return EdgeField(as_f32(cv2.GaussianBlur(edges, (0, 0), blur_px)))


def _steepest(bgr: BgrImage) -> tuple[FloatImage, FloatImage]:
    """Return the slope of each pixel's steepest colour, across and down."""
    most: FloatImage | None = None
    across = down = np.empty(0, dtype=np.float32)
    for plane in cv2.split(bgr):
        dx = as_f32(cv2.Sobel(plane, cv2.CV_32F, 1, 0))
        dy = as_f32(cv2.Sobel(plane, cv2.CV_32F, 0, 1))
        energy = dx * dx + dy * dy
        if most is None:
            most, across, down = energy, dx, dy
            continue
        steeper = np.asarray(energy > most, dtype=np.uint8)
        for value, best in ((dx, across), (dy, down), (energy, most)):
            cv2.copyTo(value, steeper, best)
    return across, down


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
    per_point, count = sampling.per_point, len(quads)
    phase = (np.arange(per_point) + 0.5) / per_point
    template = np.sin(2.0 * np.pi * (phase - 0.5)).astype(np.float32)
    column = np.arange(12)[:, None] + phase[None, :]
    half = (column >= 6).astype(np.float64)
    x = column.ravel()[None, :] * ((1.0 - bars) / 12.0)[:, None]
    x = x + half.ravel()[None, :] * bars[:, None]
    depths = np.asarray(sampling.depths)
    y = np.concatenate([depths, 1.0 - depths])
    seen = _look_up(field, image_from_unit(quads), x, y)
    # The board's own upright, turning from the left edge to the right in a tilted view.
    left, right = quads[:, 3] - quads[:, 0], quads[:, 2] - quads[:, 1]
    upright_left = np.arctan2(-left[:, 0], left[:, 1])
    upright_right = np.arctan2(-right[:, 0], right[:, 1])
    twice = 2.0 * (upright_left[:, None] + (upright_right - upright_left)[:, None] * x)
    ceiling = seen[..., 2]
    slant = seen[..., 1] * as_f32(np.cos(twice) / SLANT_SCALE)[:, None]
    slant -= seen[..., 0] * as_f32(np.sin(twice) / SLANT_SCALE)[:, None]
    np.minimum(slant, ceiling, out=slant)
    np.maximum(slant, -ceiling, out=slant)
    cells = (count, 2, len(depths), 12, per_point)
    share = 1.0 / (len(depths) * per_point)
    agreement = slant.reshape(cells).sum(axis=2) @ (share * template)
    agreement[:, 1] *= -1.0
    full = ceiling.reshape(cells).sum(axis=2) @ (share * np.abs(template))
    return agreement.astype(np.float64), full.astype(np.float64)


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
    points = np.concatenate(sides)
    places = np.vstack([points.T, np.ones(len(points))])
    left, top, depth = np.moveaxis(image_from_unit(quads) @ places, 1, 0)
    seen = _nearest(field, left, top, depth).reshape(len(quads), 4, samples, 4).mean(axis=2)
    values = [seen[:, 0, 3], seen[:, 1, 2], seen[:, 2, 3], seen[:, 3, 2]]
    return np.stack(values, axis=1).astype(np.float64)


def _look_up(field: EdgeField, matrices: Array, x: Array, y: Array) -> FloatImage:
    """Return (N, R, P, 4): the edges where N homographies map R rows of P points.

    Args:
        field: the picture's edges.
        matrices: (N, 3, 3) from `image_from_unit`.
        x: (N, P) along each row.
        y: (R,) of the rows.
    """
    # Sums of a part that hangs on x and one that hangs on y: far cheaper than the products.
    along = matrices[:, :, 0, None] * x[:, None, :]
    across = matrices[:, :, 1, None] * y + matrices[:, :, 2, None]
    left, top, depth = (along[:, k, None, :] + across[:, k, :, None] for k in range(3))
    count, rows, points = depth.shape
    flat = (count * rows, points)
    seen = _nearest(field, left.reshape(flat), top.reshape(flat), depth.reshape(flat))
    return seen.reshape(count, rows, points, 4)


def _nearest(field: EdgeField, left: Array, top: Array, depth: Array) -> FloatImage:
    """Return the edges at the pixels nearest to (M, K) homogeneous places; 0 outside."""
    at = np.empty((*depth.shape, 2), dtype=np.float32)
    np.divide(left, depth, out=at[..., 0], casting="same_kind")
    np.divide(top, depth, out=at[..., 1], casting="same_kind")
    return as_f32(cv2.remap(field.edges, at, None, cv2.INTER_NEAREST, borderValue=0))  # type: ignore[call-overload]
