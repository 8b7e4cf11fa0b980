"""The board seen straight from above: rectified picture, true proportions, bar and points."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import NOMINAL_HEIGHT_MM, NOMINAL_WIDTH_MM, BoardGeometry
from calibration.homography import Matrix, Rectifier, board_from_image, scaled
from vision.checkers_size import SizeSettings, checker_share
from vision.cv import BgrImage, as_f32, as_f64, as_u8, to_gray
from vision.frame import FrameError


@dataclass(frozen=True, slots=True)
class GeometrySettings:
    """How the bar is looked for."""

    widest_bar: float = 0.16
    """As a share of the field's width."""
    narrowest_bar: float = 0.02
    bar_step: float = 0.005
    off_center: float = 0.02
    """How far the bar may lie from the middle, as a share of the field's width."""
    least_gain: float = 0.06
    """How much better than no bar, in correlation, a bar must explain the points."""
    band_mm: float = 190.0
    """How far from each rim points and checkers are looked for."""
    checker_share: float = 0.9
    """Diameter of a checker, as a share of a point's width, where it cannot be measured."""
    size: SizeSettings = field(default_factory=SizeSettings)


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """One picture's board, flattened."""

    bgr: BgrImage
    """Rectified, frame `board_px`: the field with a margin around it."""
    rectifier: Rectifier
    board_from_image: Matrix
    """`image_px` → `board_mm`."""
    width_mm: float
    height_mm: float


def field_proportion(
    corners_px: Sequence[tuple[float, float]], image_size_px: tuple[int, int]
) -> float:
    """Return height / width of the field from its four corners in one picture.

    The camera is taken to be an ordinary one: square pixels, axis in the middle, a picture
    about as wide as its focal length. Seen from nearly above the answer hardly depends on it.

    Args:
        corners_px: clockwise from the image's top-left.
        image_size_px: (width, height) of the picture.
    """
    width, height = image_size_px
    focal_px = float(max(width, height))
    inverse = np.linalg.inv(board_from_image(corners_px, 1.0, 1.0))
    camera = np.array([[focal_px, 0, width / 2], [0, focal_px, height / 2], [0, 0, 1.0]])
    axes = np.linalg.inv(camera) @ inverse
    proportion = float(np.linalg.norm(axes[:, 1]) / np.linalg.norm(axes[:, 0]))
    return min(max(proportion, 0.55), 1.6)


def rectify(
    bgr: BgrImage,
    corners_px: Sequence[tuple[float, float]],
    px_per_mm: float = 1.5,
    margin_mm: float = 24.0,
    *,
    width_mm: float = NOMINAL_WIDTH_MM,
    height_mm: float | None = None,
) -> BoardView:
    """Flatten the board.

    Args:
        bgr: (H, W, 3) uint8, frame `image_px`.
        corners_px: inner field's outer corners, clockwise from the image's top-left.
        px_per_mm: scale of the rectified picture.
        margin_mm: what to show around the field.
        width_mm: the field's width; nominal where it was never measured.
        height_mm: the field's height; None: from the corners' perspective.

    Raises:
        FrameError: wrong shape or dtype.
        GeometryError: the corners make no field.
    """
    if bgr.ndim != 3 or bgr.shape[2] != 3 or bgr.dtype != np.uint8:
        raise FrameError("bad_frame", "a frame is (H, W, 3) uint8")
    if height_mm is None:
        size = (bgr.shape[1], bgr.shape[0])
        height_mm = width_mm * field_proportion(corners_px, size)
    to_board = board_from_image(corners_px, width_mm, height_mm)
    rectified_from_image = scaled(px_per_mm, margin_mm) @ to_board
    size_px = (
        round((width_mm + 2 * margin_mm) * px_per_mm),
        round((height_mm + 2 * margin_mm) * px_per_mm),
    )
    corners = np.asarray(corners_px, dtype=np.float64)
    longest_px = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).max())
    shrink = longest_px / (max(width_mm, height_mm) * px_per_mm)
    source, map_down = bgr, np.eye(3)
    if shrink > 1.6:  # warping samples points: without averaging first, texture turns to noise
        factor = 1 / shrink
        source = as_u8(
            cv2.resize(bgr, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        )
        x, y = source.shape[1] / bgr.shape[1], source.shape[0] / bgr.shape[0]
        # Pixel centres, not edges, are at whole numbers.
        map_down = np.array([[1 / x, 0, 0.5 / x - 0.5], [0, 1 / y, 0.5 / y - 0.5], [0, 0, 1]])
    flat = cv2.warpPerspective(
        source,
        rectified_from_image @ map_down,
        size_px,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    rectifier = Rectifier(rectified_from_image, px_per_mm, margin_mm, size_px)
    return BoardView(as_u8(flat), rectifier, to_board, width_mm, height_mm)


def rectify_measured(
    bgr: BgrImage, corners_px: Sequence[tuple[float, float]], geometry: BoardGeometry
) -> BoardView:
    """Flatten a board whose measures are known; arguments and errors as for `rectify`."""
    return rectify(bgr, corners_px, width_mm=geometry.width_mm, height_mm=geometry.height_mm)


def estimate_geometry(
    view: BoardView, settings: GeometrySettings | None = None
) -> BoardGeometry:
    """Say from the picture where the bar lies, if there is one.

    Points, and the checkers on them, are mirror images of themselves about the points' centre
    lines. The bar that puts twelve such lines in each row where the mirror images are best is
    the board's; where none is better than no bar by a margin, there is none.
    """
    settings = settings or GeometrySettings()
    symmetry, step_mm = _symmetry(view, settings.band_mm)
    widths = np.arange(settings.narrowest_bar, settings.widest_bar, settings.bar_step)
    shifts = np.arange(-settings.off_center, settings.off_center + 1e-9, settings.bar_step)
    bars = np.array([(0.0, 0.0), *((w, s) for w in widths for s in shifts)])
    left, right = 0.5 - bars[:, 0] / 2 + bars[:, 1], 0.5 + bars[:, 0] / 2 + bars[:, 1]
    scores = _score_bars(symmetry, left, right, view.width_mm / step_mm)
    scores -= 0.5 * np.abs(bars[:, 1])
    best = int(scores.argmax())
    if scores[best] < scores[0] + settings.least_gain:
        best = 0
    left_mm, right_mm = float(left[best] * view.width_mm), float(right[best] * view.width_mm)
    pitch_mm = (view.width_mm - right_mm + left_mm) / 12
    geometry = BoardGeometry(
        width_mm=view.width_mm,
        height_mm=view.height_mm,
        bar_left_mm=left_mm,
        bar_right_mm=right_mm,
        checker_mm=settings.checker_share * pitch_mm,
    )
    share = _measured_share(view, geometry, pitch_mm, settings.size)
    return geometry if share is None else replace(geometry, checker_mm=share * pitch_mm)


def nominal_geometry(view: BoardView | None = None) -> BoardGeometry:
    """Return the geometry to use where the picture says nothing."""
    if view is None:
        return BoardGeometry(height_mm=NOMINAL_HEIGHT_MM)
    return BoardGeometry(width_mm=view.width_mm, height_mm=view.height_mm)


def _measured_share(
    view: BoardView, geometry: BoardGeometry, pitch_mm: float, settings: SizeSettings
) -> float | None:
    """Return a checker's diameter as a share of a point's width, if circles show it."""
    shrink = min(1.0, 1.0 / view.rectifier.px_per_mm)
    gray = to_gray(view.bgr)
    if shrink < 1:
        gray = as_u8(cv2.resize(gray, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA))
    scale, margin = view.rectifier.px_per_mm * shrink, view.rectifier.margin_mm
    feet = [
        ((geometry.point_x_mm(c) + margin) * scale, (y_mm + margin) * scale, way)
        for c in range(12)
        for y_mm, way in ((0.0, 1.0), (geometry.height_mm, -1.0))
    ]
    return checker_share(gray, np.array(feet), pitch_mm * scale, settings)


def _symmetry(view: BoardView, band_mm: float) -> tuple[npt.NDArray[np.float64], float]:
    """Return for each x of the field how well each row mirrors about it: (2, N), −1 to 1."""
    step_mm = 2.0
    scale, margin = view.rectifier.px_per_mm, view.rectifier.margin_mm
    x0, y0 = round(margin * scale), round(margin * scale)
    field = view.bgr[
        y0 : y0 + round(view.height_mm * scale), x0 : x0 + round(view.width_mm * scale)
    ]
    size = (round(view.width_mm / step_mm), round(view.height_mm / step_mm))
    small = as_f32(cv2.resize(field, size, interpolation=cv2.INTER_AREA))
    slope = as_f32(cv2.Sobel(small, cv2.CV_32F, 1, 0, ksize=3))
    slope /= 20.0 + np.abs(slope)  # a frame's edge must not outvote the points
    rows = min(round(band_mm / step_mm), size[1] // 2)
    reach = round(0.46 * view.width_mm / 12 / step_mm)
    halves = np.stack([slope[:rows], slope[-rows:]])
    padded = np.pad(halves, ((0, 0), (0, 0), (reach, reach), (0, 0)))
    power = as_f64(np.einsum("rhwc,rhwc->rw", padded, padded))
    width = size[0]
    mirrored = np.zeros((2, width))
    energy = np.full((2, width), 1e-6)
    for away in range(1, reach + 1):
        left = np.s_[reach - away : reach - away + width]
        right = np.s_[reach + away : reach + away + width]
        mirrored -= 2 * as_f64(
            np.einsum("rhwc,rhwc->rw", padded[:, :, left], padded[:, :, right])
        )
        energy += power[:, left] + power[:, right]
    floor = 0.1 * energy.mean(axis=1, keepdims=True)
    # Corners are given by hand or found: a line may lie two samples beside its place.
    near = cv2.dilate(mirrored / (energy + floor), np.ones((1, 5), np.uint8))
    return as_f64(near), step_mm


def _score_bars(
    symmetry: npt.NDArray[np.float64],
    left: npt.NDArray[np.float64],
    right: npt.NDArray[np.float64],
    samples: float,
) -> npt.NDArray[np.float64]:
    """Return the mean symmetry about the twelve centre lines that each bar would make."""
    at = (np.arange(6) + 0.5) / 6
    halves = [left[:, None] * at, right[:, None] + (1 - right[:, None]) * at]
    lines = np.hstack(halves) * samples - 0.5
    grid = np.arange(symmetry.shape[1])
    rows = [np.interp(lines, grid, row).mean(axis=1) for row in symmetry]
    return np.asarray((rows[0] + rows[1]) / 2, dtype=np.float64)
