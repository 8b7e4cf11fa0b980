"""Straight lines of a picture: which way a board lies, and what could be one by its outline."""

from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.cv import GrayImage, as_f64

Array: TypeAlias = npt.NDArray[np.float64]
Quads: TypeAlias = npt.NDArray[np.float64]
"""(N, 4, 2) float64, clockwise from the top-left, in working pixels."""


def find_segments(gray: GrayImage, shortest_px: float) -> Array:
    """Return straight segments as (N, 4): x0, y0, x1, y1."""
    # The stubs promise an array; a picture without lines gives None.
    found: object = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(gray)[0]
    if found is None:
        return np.zeros((0, 4))
    segments = as_f64(found).reshape(-1, 4)
    lengths = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    return segments[lengths >= shortest_px]


def main_direction_deg(segments: Array) -> float | None:
    """Return the direction (-45–45°) that most of the segments keep or stand square to."""
    if len(segments) < 4:
        return None
    dx, dy = segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1]
    angles = np.degrees(np.arctan2(dy, dx)) % 90.0
    # Long edges weigh more than their share: one rim says more than a dozen pips.
    votes = np.bincount(
        np.floor(angles).astype(np.int64) % 90, weights=np.hypot(dx, dy) ** 1.5, minlength=90
    )
    # Points slant to both sides of the board's axis, so a wide kernel centres on the axis.
    reach = 14
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / 5.0) ** 2)
    padded = np.concatenate([votes[-reach:], votes, votes[:reach]])
    peak = float(np.argmax(np.convolve(padded, kernel, mode="valid"))) + 0.5
    return peak - 90.0 if peak > 45.0 else peak


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
