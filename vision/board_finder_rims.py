"""Where a field ends: upper and lower rims to a pixel or two, once its columns are known.

The comb fixes the columns to a fraction of a point, but says little about the rims: next to
them the sides of neighbouring points meet and cancel. There another sign is sharp: a row of
pixels inside the field repeats with the points, a row on the woodwork beyond it does not.
"""

import cv2
import numpy as np

from vision.board_finder_comb import Array, image_from_unit, map_points
from vision.board_finder_outline import Quads
from vision.cv import BgrImage, FloatImage, as_f32

_WIDTH_PX = 384
_HEIGHT_PX = 300
_MARGIN = 0.3
"""How far beyond the candidate's rims to look, in shares of its height."""
_TILT_COST = 24.0
"""What a rim pays, in units of `_steps`, for each board height its two halves lie apart."""


def settle_rims(bgr: BgrImage, quad: Quads, bar: float, spread: float = 0.015) -> Quads:
    """Return the (1, 4, 2) field with its upper and lower rims moved to where the points end.

    Each half of the board is measured by itself, and the two are weighed together: a step in
    both at one height is worth more than two better steps far apart (checkers, hands, shadows).
    A second strong line often runs beside a rim: far from where it is expected, a step has to
    be much better.

    Args:
        bgr: the picture.
        quad: (1, 4, 2) the candidate.
        bar: its bar's share of the width.
        spread: how far off the candidate's rims usually are, in shares of its height.
    """
    flat = _flatten(bgr, quad)
    regular = regularity(flat, bar)
    edges = _level_edges(flat)
    t0, t1 = _rim([_steps(r, e, spread) for r, e in zip(regular, edges, strict=True)])
    b0, b1 = _rim(
        [_steps(r[::-1], e[::-1], spread) for r, e in zip(regular, edges, strict=True)]
    )
    corners = np.array([[0.0, t0], [1.0, t1], [1.0, 1.0 - b1], [0.0, 1.0 - b0]])
    return map_points(image_from_unit(quad), corners)


def regularity(flat: FloatImage, bar: float) -> tuple[Array, Array]:
    """Return, for each half, how strongly each row of pixels repeats with the points."""
    level = flat.mean(axis=(1, 2)) + 0.3 * flat.mean() + 4.0
    lines = np.ascontiguousarray(flat.transpose(0, 2, 1))  # (rows, colours, columns)
    half = (1.0 - bar) / 2.0
    out = []
    for begin in (0.0, 1.0 - half):
        x0, x1 = round(begin * _WIDTH_PX), round((begin + half) * _WIDTH_PX)
        amplitudes = lines[:, :, x0:x1] @ _waves(x1 - x0)
        power = np.einsum("ycw,ycw->y", amplitudes, amplitudes)
        out.append(np.asarray(np.sqrt(power) / level, dtype=np.float64))
    return out[0], out[1]


def _waves(width: int) -> FloatImage:
    """Return (width, 8): what a row of pixels is multiplied with to see its repetitions.

    A rim that crosses the rows at a slant is a trend or a step, not a repetition: the trend is
    taken out, and the ends fade so that what is left does not leak.
    """
    turns = (np.arange(width) + 0.5) / width
    fade = np.sqrt(np.sin(np.pi * turns))
    periods = 2.0 * np.pi * np.array([3, 6, 9, 12])  # colours alternate; outlined points do not
    waves = np.concatenate([np.cos(periods[:, None] * turns), np.sin(periods[:, None] * turns)])
    waves = (waves * fade).T / width
    ramp = (turns - 0.5) * np.sqrt(12.0)
    trends = np.stack([np.ones(width), ramp])
    return as_f32(waves - trends.T @ (trends @ waves) / width)


def _flatten(bgr: BgrImage, quad: Quads) -> FloatImage:
    unit = image_from_unit(quad)[0]
    shift = np.array(
        [[1.0 / _WIDTH_PX, 0.0, 0.0], [0.0, 1.0 / _HEIGHT_PX, -_MARGIN], [0.0, 0.0, 1.0]]
    )
    size = (_WIDTH_PX, round(_HEIGHT_PX * (1.0 + 2.0 * _MARGIN)))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(bgr, unit @ shift, size, flags=flags)
    return as_f32(cv2.GaussianBlur(as_f32(flat), (0, 0), 1.0))


def _level_edges(flat: FloatImage) -> tuple[Array, Array]:
    """Return, per half, how many columns have an edge along the row (0–1, per row)."""
    one, two, three = cv2.split(np.abs(as_f32(cv2.Sobel(flat, cv2.CV_32F, 0, 1))))
    step = np.maximum(np.maximum(one, two), three)
    strong = step / (step + np.median(step) * 2.0 + 8.0)
    middle = _WIDTH_PX // 2
    return strong[:, :middle].mean(axis=1), strong[:, middle:].mean(axis=1)


def _steps(regular: Array, edges: Array, spread: float) -> Array:
    """Return how well a field could begin at each row: no repetition above, much below."""
    typical = float(np.percentile(regular[_row(0.0) : _row(0.22)], 70)) + 1e-9
    level = np.log(regular + 0.05 * typical)
    sums = np.concatenate([[0.0], np.cumsum(level)])
    inner, outer = round(0.10 * _HEIGHT_PX), round(0.05 * _HEIGHT_PX)
    rows = np.arange(outer, _row(0.2))
    within = (sums[rows + inner] - sums[rows]) / inner
    beyond = (sums[rows] - sums[rows - outer]) / outer
    off = (rows / _HEIGHT_PX - _MARGIN) / spread
    steps = np.full(_row(0.2), -np.inf)
    steps[rows] = within - beyond + 1.5 * edges[rows] - 0.5 * off**2
    return steps


def _rim(halves: list[Array]) -> tuple[float, float]:
    """Return the rim's ends, in shares of the height, from the steps in the two halves."""
    left, right = halves
    rows = np.arange(len(left))
    apart = np.abs(rows[:, None] - rows[None, :]) / _HEIGHT_PX
    total = left[:, None] + right[None, :] - _TILT_COST * apart
    best = np.unravel_index(int(np.argmax(total)), total.shape)
    # Each half was measured in its middle: a quarter and three quarters along the rim.
    at_left, at_right = (float(k) / _HEIGHT_PX - _MARGIN for k in best)
    slope = (at_right - at_left) / 0.5
    return at_left - 0.25 * slope, at_right + 0.25 * slope


def _row(share: float) -> int:
    return round((_MARGIN + share) * _HEIGHT_PX)
