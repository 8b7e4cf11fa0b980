"""A plain drawn board for the checker reader's tests."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.cv import BgrImage, as_u8

GROUND, LIGHT_POINT, DARK_POINT = (70, 110, 60), (150, 200, 220), (40, 50, 90)
LIGHT, DARK, FRAME = (225, 235, 240), (30, 25, 35), (40, 60, 90)
CORNERS = ((60.0, 60.0), (780.0, 60.0), (780.0, 690.0), (60.0, 690.0))
SIZE = (840, 750)
BAR_PX = 60.0


def draw_board(
    top: Sequence[str], bottom: Sequence[str], bar_px: float = BAR_PX, on_bar: str = ""
) -> BgrImage:
    """Draw a board seen from straight above; its field's corners are `CORNERS`."""
    bgr = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
    bgr[:] = FRAME
    (left, high), _, (right, low), _ = CORNERS
    half = (right - left - bar_px) / 2
    pitch = half / 6
    starts = (left, right - half)
    for start in starts:
        cv2.rectangle(
            bgr, (round(start), round(high)), (round(start + half), round(low)), GROUND, -1
        )
    radius = pitch * 0.44
    for column in range(12):
        x = starts[column // 6] + (column % 6 + 0.5) * pitch
        for row, labels in enumerate((top, bottom)):
            base, way = (high, 1) if row == 0 else (low, -1)
            color = LIGHT_POINT if (column + row) % 2 else DARK_POINT
            foot = pitch * 0.45
            tip = base + way * (low - high) * 0.42
            triangle = np.array([[x - foot, base], [x + foot, base], [x, tip]])
            cv2.fillPoly(bgr, [np.round(triangle).astype(np.int32)], color, cv2.LINE_AA)
            label = labels[column]
            for k in range(int(label[1:]) if label else 0):
                _checker(bgr, x, base + way * radius * (1 + 2.05 * k), radius, label[0])
    if on_bar:
        _checker(bgr, (left + right) / 2, (high + low) / 2 - 60, radius, on_bar)
    noise = np.random.default_rng(0).normal(0, 3, bgr.shape)
    return as_u8(np.clip(bgr + noise, 0, 255).astype(np.uint8))


def _checker(bgr: BgrImage, x: float, y: float, radius: float, side: str) -> None:
    color = LIGHT if side == "L" else DARK
    edge = tuple(int(c * 0.6) for c in color)
    cv2.circle(bgr, (round(x), round(y)), round(radius), edge, -1, cv2.LINE_AA)
    cv2.circle(bgr, (round(x), round(y)), round(radius) - 2, color, -1, cv2.LINE_AA)
