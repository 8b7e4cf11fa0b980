"""The pictures the checker reader looks at: six points of a row, rim on top, at one scale."""

from typing import Literal, NamedTuple, TypeAlias

import cv2
import numpy as np

from calibration.geometry import BoardGeometry
from vision.board_view import BoardView
from vision.cv import BgrImage, FloatImage, as_f32, as_u8

CROP_PX = 112
PITCH_PX = 16
"""A point's width in a crop: six points and half a point on either side make 112 pixels."""
CELL_PX = 4
CELLS = CROP_PX // CELL_PX
RIM_PX = 8
"""Where the field's rim lies in a crop."""

HalfName: TypeAlias = Literal["left", "right", "bar"]


class CropName(NamedTuple):
    """Which part of the board a crop shows."""

    row: Literal["top", "bottom"]
    part: HalfName


HALVES = (
    CropName("top", "left"),
    CropName("bottom", "left"),
    CropName("top", "right"),
    CropName("bottom", "right"),
)
READING_ORDER = (0, 2, 1, 3)
"""Halves are cut column by column; readings run row by row."""
BARS = (CropName("top", "bar"), CropName("bottom", "bar"))


def cell_mm(
    row: int, column: int, geometry: BoardGeometry, name: CropName
) -> tuple[float, float]:
    """Return the middle of a part's cell, (x, y) in `board_mm`."""
    pitch_mm, left_mm = _laid_mm(geometry, name.part)
    aside = (CROP_PX - 6 * PITCH_PX) / 2
    across = ((column + 0.5) * CELL_PX - aside) / PITCH_PX * pitch_mm
    depth = ((row + 0.5) * CELL_PX - RIM_PX) / PITCH_PX * pitch_mm
    return left_mm + across, depth if name.row == "top" else geometry.height_mm - depth


def _laid_mm(geometry: BoardGeometry, part: HalfName) -> tuple[float, float]:
    """Return how wide a part's points are, and where its first one begins, in `board_mm`."""
    if part == "left":
        return geometry.pitch_mm(0), 0.0
    if part == "right":
        return geometry.pitch_mm(11), geometry.bar_right_mm
    pitch_mm = (geometry.pitch_mm(0) + geometry.pitch_mm(11)) / 2
    return pitch_mm, (geometry.bar_left_mm + geometry.bar_right_mm) / 2 - 3 * pitch_mm


def crop(view: BoardView, geometry: BoardGeometry, name: CropName) -> BgrImage:
    """Cut one part out of a rectified picture.

    Returns:
        (112, 112, 3) uint8; bottom rows are turned over, so that every rim lies on top and
        columns still run from image left to right.
    """
    pitch_mm, left_mm = _laid_mm(geometry, name.part)
    scale = view.rectifier.px_per_mm
    shift = view.rectifier.margin_mm * scale
    ratio = PITCH_PX / (pitch_mm * scale)  # crop pixels per rectified pixel
    x0 = shift + left_mm * scale - (CROP_PX - 6 * PITCH_PX) / 2 / ratio
    span = CROP_PX / ratio
    rim = RIM_PX / ratio
    far = shift + geometry.height_mm * scale
    y0 = shift - rim if name.row == "top" else far + rim - span
    # Average down first: a plain warp would sample texture and let it flicker.
    whole = round(span), round(span)
    patch = padded(view.bgr, x0, y0, span)
    flags = cv2.INTER_AREA if whole[0] >= CROP_PX else cv2.INTER_LINEAR
    out = as_u8(cv2.resize(patch, (CROP_PX, CROP_PX), interpolation=flags))
    return out if name.row == "top" else as_u8(np.ascontiguousarray(out[::-1]))


def padded(bgr: BgrImage, x0: float, y0: float, span: float) -> BgrImage:
    """Return a square of a picture, its border repeated where the square leaves it."""
    size = max(8, round(span))
    left, top = round(x0), round(y0)
    height, width = bgr.shape[:2]
    inside = bgr[max(0, top) : min(height, top + size), max(0, left) : min(width, left + size)]
    around = (
        max(0, -top),
        max(0, top + size - height),
        max(0, -left),
        max(0, left + size - width),
    )
    if not any(around):
        return inside
    return as_u8(cv2.copyMakeBorder(inside, *around, cv2.BORDER_REPLICATE))


def normalized(crops: list[BgrImage]) -> FloatImage:
    """Return crops as the network takes them.

    Each pair (the two rows of a part) gets zero mean and unit spread, so that dim and bright
    pictures look alike.

    Returns:
        (N, 3, 112, 112) float32.
    """
    pairs = np.stack(crops).astype(np.float32).reshape(-1, 2, CROP_PX, CROP_PX, 3)
    mean = pairs.mean(axis=(1, 2, 3, 4), keepdims=True)
    spread = pairs.std(axis=(1, 2, 3, 4), keepdims=True)
    flat = ((pairs - mean) / (spread + 4.0)).reshape(-1, CROP_PX, CROP_PX, 3)
    return as_f32(np.ascontiguousarray(flat.transpose(0, 3, 1, 2)))
