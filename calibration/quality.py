"""How good a view of the board is: sharpness, light, glare, scale, slant, and what to do.

Every meter is a number with a unit; every fault has a name and, in `calibration.advice`, a
plain sentence. Nothing here reads the board: it says whether it can be read.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from calibration.camera_pose import CameraPose, camera_over
from calibration.geometry import BoardGeometry
from calibration.homography import GeometryError, board_from_image

BgrImage: TypeAlias = npt.NDArray[np.uint8]
GrayImage: TypeAlias = npt.NDArray[np.uint8]
PointPx: TypeAlias = tuple[float, float]


class Fault(StrEnum):
    """Why a view is poor or useless, the worst first."""

    NO_BOARD = "no_board"
    CUT = "cut"
    """A side of the field lies outside the picture."""
    TOO_DARK = "too_dark"
    OVEREXPOSED = "overexposed"
    OUT_OF_FOCUS = "out_of_focus"
    TOO_FAR = "too_far"
    TOO_SLANTED = "too_slanted"
    GLARE = "glare"
    TOO_CLOSE = "too_close"
    """The field shows, but no room beside it, where dice fall."""


class Edge(StrEnum):
    """A side of the picture."""

    LEFT = "left"
    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"


USELESS = frozenset(
    (Fault.NO_BOARD, Fault.CUT, Fault.TOO_DARK, Fault.OVEREXPOSED, Fault.OUT_OF_FOCUS)
)
"""Faults with which nothing is read."""


@dataclass(frozen=True, slots=True)
class QualityLimits:
    """From where on a meter's figure is a fault."""

    darkest_luma: float = 28.0
    """Median luma of the field under which it is too dark, unless there is contrast enough."""
    least_contrast: float = 26.0
    """Spread of luma (5th to 95th per cent) under which nothing can be told apart."""
    most_clipped: float = 0.30
    """Share of the field that is blown out."""
    most_glare: float = 0.02
    """Largest bright spot, as a share of the field."""
    widest_blur: float = 0.11
    """Width of an edge, as a share of a point's width."""
    finest_px_per_mm: float = 0.85
    """A die of 14 mm is then 12 pixels wide."""
    good_px_per_mm: float = 1.6
    steepest_deg: float = 40.0
    narrowest_margin: float = 0.02
    """Room beside the field, as a share of its width."""


LIMITS = QualityLimits()


@dataclass(frozen=True, slots=True)
class ViewQuality:
    """The meters of one picture."""

    blur_px: float
    """Width of the sharpest edges in the field, in pixels: about 2 in focus."""
    luma: float
    """Median luma of the field, 0–255."""
    contrast: float
    """5th to 95th per cent of its luma."""
    clipped: float
    """Share of the field that is blown out."""
    glare: float
    """Largest blown-out spot, as a share of the field."""
    px_per_mm: float
    """Of a field of 480 mm, unless the board was measured."""
    tilt_deg: float
    """Between the camera's axis and the vertical."""
    height_mm: float
    """How high the camera hangs over the field, an ordinary lens assumed."""
    margin: float
    """Room beside the field on its closest side, as a share of its width."""
    cut: tuple[Edge, ...]
    """Sides of the picture that cut the field."""
    reprojection_px: float | None
    """How far the corners lie from where the profile has them; None: nothing to compare."""
    faults: tuple[Fault, ...]
    """The worst first; none: a good view."""

    @property
    def usable(self) -> bool:
        """Whether the board can be read at all."""
        return not USELESS.intersection(self.faults)


def measure_view(
    bgr: BgrImage,
    corners_px: Sequence[PointPx] | None,
    geometry: BoardGeometry | None = None,
    *,
    expected_px: Sequence[PointPx] | None = None,
    cut: Sequence[Edge] = (),
    limits: QualityLimits = LIMITS,
) -> ViewQuality:
    """Measure how good a view of the board a picture is.

    Args:
        bgr: (H, W, 3) uint8.
        corners_px: the field's corners; None: no board was found, the whole picture counts.
        geometry: the board, where it was measured.
        expected_px: where a profile has the corners.
        cut: sides at which a board was seen to run out of the picture, though its corners
            are not known.
        limits: from where on a figure is a fault.
    """
    height, width = bgr.shape[:2]
    gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    mask = _field_mask(corners_px, (width, height))
    inside = gray[mask > 0]
    if inside.size < 64:
        inside = gray.ravel()
        mask = np.full(gray.shape, 255, dtype=np.uint8)
    low, luma, high = (float(v) for v in np.percentile(inside, (5, 50, 95)))
    white = ((bgr.min(axis=2) >= 250) & (mask > 0)).astype(np.uint8)
    clipped = float(white.sum()) / float(np.count_nonzero(mask))
    blur_px = edge_width_px(gray, mask)
    known = geometry or BoardGeometry()
    px_per_mm, tilt_deg, height_mm, pitch_px = 0.0, 0.0, 0.0, float(width) / 13.0
    sides = tuple(cut)
    margin = 0.0
    if corners_px is not None:
        px_per_mm = math.sqrt(_area(corners_px) / (known.width_mm * known.height_mm))
        pitch_px = known.pitch_mm(0) * px_per_mm
        pose = _pose(corners_px, known, (width, height))
        if pose is not None:
            tilt_deg = math.degrees(math.acos(min(abs(float(pose.down[2])), 1.0)))
            height_mm = float(pose.eye_mm[2])
        sides = cut_edges(corners_px, (width, height))
        margin = _margin(corners_px, (width, height)) / (px_per_mm * known.width_mm)
    quality = ViewQuality(
        blur_px=blur_px,
        luma=luma,
        contrast=high - low,
        clipped=clipped,
        glare=_largest_spot(white, mask),
        px_per_mm=px_per_mm,
        tilt_deg=tilt_deg,
        height_mm=height_mm,
        margin=margin,
        cut=sides,
        reprojection_px=_apart(corners_px, expected_px),
        faults=(),
    )
    return _judged(quality, corners_px is not None, pitch_px, limits)


def _judged(
    seen: ViewQuality, found: bool, pitch_px: float, limits: QualityLimits
) -> ViewQuality:
    dark = seen.luma < limits.darkest_luma and seen.contrast < 2.5 * limits.least_contrast
    flat = seen.contrast < limits.least_contrast
    tests = {
        Fault.NO_BOARD: not found and not seen.cut,
        Fault.CUT: bool(seen.cut),
        Fault.TOO_DARK: dark or (flat and seen.luma < 90),
        Fault.OVEREXPOSED: seen.clipped > limits.most_clipped or (flat and seen.luma > 215),
        Fault.OUT_OF_FOCUS: seen.blur_px > max(limits.widest_blur * pitch_px, 3.6),
        Fault.TOO_FAR: found and seen.px_per_mm < limits.finest_px_per_mm,
        Fault.TOO_SLANTED: found and seen.tilt_deg > limits.steepest_deg,
        Fault.GLARE: seen.glare > limits.most_glare,
        Fault.TOO_CLOSE: found and not seen.cut and seen.margin < limits.narrowest_margin,
    }
    faults = tuple(fault for fault, present in tests.items() if present)
    return replace(seen, faults=faults)


def edge_width_px(gray: GrayImage, mask: npt.NDArray[np.uint8]) -> float:
    """Return how wide the sharpest edges are: height of the step over its steepest slope.

    A sharp picture has about 2 pixels; noise does not count, for only steps much higher than
    it are looked at. 0 where there is no edge at all.
    """
    soft = cv2.GaussianBlur(gray, (0, 0), 0.7).astype(np.float32)
    slope = np.hypot(
        cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8),
        cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8),
    )
    window = np.ones((9, 9), np.uint8)
    step = cv2.dilate(soft, window) - cv2.erode(soft, window)
    noise = float(np.median(slope))
    # Beside an edge the window still holds the step, but the slope is gone: no peak there.
    peak = (slope >= cv2.dilate(slope, np.ones((3, 3), np.uint8))) & (slope > 0.03 * step)
    peak &= mask > 0
    high = peak & (step > max(30.0, 8.0 * noise))
    if int(high.sum()) < 50:
        high = peak & (step > 3.0 * noise + 4.0)
        if int(high.sum()) < 20:
            return 0.0
    widths = step[high] / np.maximum(slope[high], 1e-3)
    return float(np.percentile(widths, 25))


def cut_edges(
    corners_px: Sequence[PointPx], image_size_px: tuple[int, int]
) -> tuple[Edge, ...]:
    """Return the sides of the picture beyond which a corner of the field lies."""
    width, height = image_size_px
    slack = 0.004 * max(width, height)
    xs, ys = [x for x, _ in corners_px], [y for _, y in corners_px]
    beyond = {
        Edge.LEFT: min(xs) < -slack,
        Edge.TOP: min(ys) < -slack,
        Edge.RIGHT: max(xs) > width - 1 + slack,
        Edge.BOTTOM: max(ys) > height - 1 + slack,
    }
    return tuple(edge for edge, true in beyond.items() if true)


def _field_mask(
    corners_px: Sequence[PointPx] | None, size_px: tuple[int, int]
) -> npt.NDArray[np.uint8]:
    mask = np.zeros((size_px[1], size_px[0]), dtype=np.uint8)
    if corners_px is None:
        mask[:] = 255
        return mask
    outline = np.clip(np.asarray(corners_px, dtype=np.float64), -1e5, 1e5)
    cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 255)
    return mask


def _largest_spot(white: npt.NDArray[np.uint8], mask: npt.NDArray[np.uint8]) -> float:
    """Return the largest blown-out spot, as a share of the mask."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(white)
    if count < 2:
        return 0.0
    return float(stats[1:, cv2.CC_STAT_AREA].max()) / float(np.count_nonzero(mask))


def _area(corners_px: Sequence[PointPx]) -> float:
    outline = np.asarray(corners_px, dtype=np.float32)
    return float(cv2.contourArea(outline))


def _margin(corners_px: Sequence[PointPx], size_px: tuple[int, int]) -> float:
    corners = np.asarray(corners_px, dtype=np.float64)
    room = [*corners.min(axis=0), *(np.array(size_px) - 1 - corners.max(axis=0))]
    return float(min(room))


def _pose(
    corners_px: Sequence[PointPx], geometry: BoardGeometry, size_px: tuple[int, int]
) -> CameraPose | None:
    try:
        to_board = board_from_image(corners_px, geometry.width_mm, geometry.height_mm)
        return camera_over(to_board, size_px)
    except (GeometryError, np.linalg.LinAlgError):
        return None


def _apart(
    seen_px: Sequence[PointPx] | None, expected_px: Sequence[PointPx] | None
) -> float | None:
    if seen_px is None or expected_px is None:
        return None
    pairs = zip(seen_px, expected_px, strict=True)
    return float(np.sqrt(np.mean([math.dist(a, b) ** 2 for a, b in pairs])))
