"""Where on a board a closer look for dice is worth it: a tiny network's answer.

It may be wrong as often as it likes, but it must leave out no die. How it was trained is told
in training/README.md.
"""

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from calibration.homography import Matrix, apply, invert
from vision.cv import BgrImage, FloatImage, as_f32, as_u8
from vision.networks import blob_of, net_of, packaged

SpotsPx: TypeAlias = npt.NDArray[np.float64]
"""(N, 2) places in `image_px`."""

MODEL_FILE = "dice_seek.onnx"
_STRIDE = 8
_GRID = 16


@dataclass(frozen=True, slots=True)
class SeekSettings:
    """How the board is searched."""

    px_per_mm: float = 1.1
    """Scale at which the seeker looks; it knows dice of 8–34 px."""
    max_enlarge: float = 2.0
    margin_mm: float = 65.0
    """How far around the field fallen dice are looked for; infinite: in the whole picture."""
    beyond_mm: float = -math.inf
    """What is nearer to the field than this is left out."""
    heat_min: float = 0.15
    """Least heat of the `few_spots` hottest spots …"""
    few_spots: int = 4
    more_heat_min: float = 0.2
    """… and of the others."""
    max_spots: int = 8


class DiceSeeker:
    """The loaded network; one may be shared by threads, which then wait for one another."""

    def __init__(self, model: Path) -> None:
        self._net = net_of(model)
        self._lock = Lock()

    @classmethod
    def load(cls) -> "DiceSeeker":
        """Load the network that comes with the package."""
        with packaged(MODEL_FILE) as model:
            return cls(model)

    def heat(self, bgr: BgrImage) -> FloatImage:
        """Return the probability of a die around each cell, (H/8, W/8) float32.

        Args:
            bgr: height and width must be multiples of 16.
        """
        blob = blob_of([bgr])
        with self._lock:
            self._net.setInput(blob)
            raw = np.array(self._net.forward(), dtype=np.float32)
        return as_f32(1.0 / (1.0 + np.exp(-np.clip(raw[0, 0], -30, 30))))


@cache
def default_seeker() -> DiceSeeker:
    """Return the network that comes with the package, loaded once."""
    return DiceSeeker.load()


def image_px_per_mm(board_from_image: Matrix, geometry: BoardGeometry) -> float:
    """Return the picture's mean scale on the board."""
    width, height = geometry.width_mm, geometry.height_mm
    outline = apply(
        invert(board_from_image), [(0, 0), (width, 0), (width, height), (0, height)]
    )
    return math.sqrt(abs(float(cv2.contourArea(outline.astype(np.float32)))) / (width * height))


def seek_dice(
    bgr: BgrImage,
    board_from_image: Matrix,
    geometry: BoardGeometry,
    settings: SeekSettings | None = None,
) -> SpotsPx:
    """Return the spots on and beside a board that may hold a die, hottest first.

    Args:
        bgr: (H, W, 3) uint8, frame `image_px`.
        board_from_image: `image_px` → `board_mm`.
        geometry: the board; its millimetres may be nominal.
        settings: how the board is searched.
    """
    settings = settings or SeekSettings()
    x0, y0, x1, y1 = _searched(bgr, board_from_image, geometry, settings.margin_mm)
    if x1 - x0 < _GRID or y1 - y0 < _GRID:
        return np.empty((0, 2))
    scale = settings.px_per_mm / image_px_per_mm(board_from_image, geometry)
    scale = min(scale, settings.max_enlarge)
    small = (max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale)))
    # Down to a half, two samples a side are smooth enough, and much faster than areas.
    way = cv2.INTER_AREA if scale < 0.5 else cv2.INTER_LINEAR
    shown = cv2.resize(bgr[y0:y1, x0:x1], small, interpolation=way)
    right_px, below_px = -small[0] % _GRID, -small[1] % _GRID
    padded = cv2.copyMakeBorder(shown, 0, below_px, 0, right_px, cv2.BORDER_REPLICATE)
    heat = default_seeker().heat(as_u8(padded))
    spots, hot = _peaks(heat, settings.heat_min)
    # Pixel centres, not corners, are what the cells count from.
    spots = np.asarray((spots + 0.5) / (small[0] / (x1 - x0)) - 0.5 + (x0, y0))
    if not len(spots):
        return spots
    away_mm = _away_mm(spots, board_from_image, geometry)
    inside = (away_mm < settings.margin_mm) & (away_mm >= settings.beyond_mm)
    inside &= (spots >= 0).all(axis=1) & (spots < (bgr.shape[1], bgr.shape[0])).all(axis=1)
    spots, hot = spots[inside], hot[inside]
    order = np.argsort(-hot, kind="stable")[: settings.max_spots]
    worth = hot[order] >= settings.more_heat_min
    worth[: settings.few_spots] = True
    return np.asarray(spots[order[worth]])


def _away_mm(
    spots_px: SpotsPx, board_from_image: Matrix, geometry: BoardGeometry
) -> npt.NDArray[np.float64]:
    """Return (N,) how far spots lie outside the field; negative inside."""
    x, y = apply(board_from_image, spots_px).T
    beyond_x = np.maximum(-x, x - geometry.width_mm)
    beyond_y = np.maximum(-y, y - geometry.height_mm)
    return np.asarray(np.maximum(beyond_x, beyond_y))


def _searched(
    bgr: BgrImage, board_from_image: Matrix, geometry: BoardGeometry, margin_mm: float
) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of what is searched, in pixels of the picture."""
    height, width = bgr.shape[:2]
    if math.isinf(margin_mm):
        return 0, 0, width, height
    left, top = -margin_mm, -margin_mm
    right, bottom = geometry.width_mm + margin_mm, geometry.height_mm + margin_mm
    outline = apply(
        invert(board_from_image), [(left, top), (right, top), (right, bottom), (left, bottom)]
    )
    size = (width, height)
    x0, y0 = np.floor(np.clip(outline.min(axis=0), 0, size)).astype(int).tolist()
    x1, y1 = np.ceil(np.clip(outline.max(axis=0), 0, size)).astype(int).tolist()
    return x0, y0, x1, y1


def _peaks(heat: FloatImage, least: float) -> tuple[SpotsPx, npt.NDArray[np.float64]]:
    """Return (N, 2) places in the searched picture, drawn towards hot neighbours, and heat."""
    highest = as_f32(cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    rows, columns = np.nonzero((heat >= highest) & (heat > least))
    around = np.pad(heat, 1).astype(np.float64)
    total = np.zeros(len(rows))
    shift = np.zeros((len(rows), 2))
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            share = around[rows + 1 + dy, columns + 1 + dx]
            total += share
            shift += share[:, None] * (dx, dy)
    cells = np.column_stack([columns, rows]) + shift / np.maximum(total, 1e-9)[:, None]
    return cells * _STRIDE + (_STRIDE - 1) / 2, heat[rows, columns].astype(np.float64)
