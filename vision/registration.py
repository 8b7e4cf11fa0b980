"""A camera or a board that was nudged: by how much the picture moved since a known one.

Only a small shift is taken, and only where the shifted old picture then agrees with the new
one: anything else is left to a person, or to finding the board anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.cv import BgrImage, as_u8
from vision.observation import PointPx
from vision.stillness import region_mask


@dataclass(frozen=True, slots=True)
class ShiftSettings:
    """What counts as a nudge."""

    width_px: int = 640
    """Pictures are brought to this width first."""
    least_px: float = 1.5
    """Below this nothing has moved that would matter; full-size pixels."""
    most: float = 0.05
    """Share of the width up to which the board is taken to be the same picture, shifted."""
    response: float = 0.12
    """Least height of the correlation's peak."""
    gain: float = 0.6
    """The shifted picture must leave at most this share of the difference there was."""


def shift_between(
    before_bgr: BgrImage,
    after_bgr: BgrImage,
    corners_px: Sequence[PointPx],
    settings: ShiftSettings | None = None,
) -> tuple[float, float] | None:
    """Return by how much the board moved in the picture.

    Args:
        before_bgr: a calm picture, (H, W, 3) uint8.
        after_bgr: a later one of the same size with nothing moving in it.
        corners_px: the field's corners in the first.
        settings: what counts as a nudge.

    Returns:
        (x, y) in pixels; None: it has not moved, or not by a small shift alone.
    """
    settings = settings or ShiftSettings()
    if before_bgr.shape != after_bgr.shape:
        return None
    height, width = before_bgr.shape[:2]
    scale = settings.width_px / width
    one, two = (_edges(bgr, scale) for bgr in (before_bgr, after_bgr))
    field = region_mask(corners_px, (width, height), settings.width_px, margin=0.15) > 0
    field = field[: one.shape[0], : one.shape[1]]
    soft = cv2.GaussianBlur(np.where(field, 1.0, 0.0).astype(np.float32), (0, 0), 6)
    window = np.asarray(soft, dtype=np.float32)
    (dx, dy), response = cv2.phaseCorrelate(one * window, two * window)
    shift = float(np.hypot(dx, dy)) / scale
    if response < settings.response or not settings.least_px <= shift <= settings.most * width:
        return None
    moved = np.array([[1, 0, dx], [0, 1, dy]], dtype=np.float32)
    shifted = cv2.warpAffine(one, moved, (one.shape[1], one.shape[0]))
    left = float(np.abs(shifted - two)[field].mean())
    was = float(np.abs(one - two)[field].mean())
    if left > settings.gain * was:
        return None
    return dx / scale, dy / scale


def shifted_picture(bgr: BgrImage, shift_px: tuple[float, float]) -> BgrImage:
    """Return a picture as it would have been taken after the nudge."""
    moved = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], dtype=np.float32)
    size = (bgr.shape[1], bgr.shape[0])
    return as_u8(cv2.warpAffine(bgr, moved, size, borderMode=cv2.BORDER_REPLICATE))


def _edges(bgr: BgrImage, scale: float) -> npt.NDArray[np.float32]:
    """Return how steep the grey is: what a change of light leaves alone."""
    small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    gray = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    gray = as_u8(cv2.GaussianBlur(gray, (0, 0), 1.0))
    across, down = cv2.Sobel(gray, cv2.CV_32F, 1, 0), cv2.Sobel(gray, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.magnitude(across, down), dtype=np.float32)
