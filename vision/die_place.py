"""Where a die lies and how: half, surface, what it touches, whether it lies flat.

Only what the geometry makes clear is said. Checkers are known by count, not by their exact
spot, so a die near one is left undecided.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.camera_pose import CameraPose
from calibration.geometry import ROWS, BoardGeometry
from calibration.homography import Matrix, apply
from vision.observation import (
    POINTS_PER_ROW,
    BoxPx,
    CheckersReading,
    DieReading,
    Half,
    PointPx,
    PointReading,
    Surface,
)
from vision.pips import FloatArray

_HALF_DIAGONAL = 0.71
"""Of a side."""
SURE_ROW: Final = 5
"""Checkers of a point that surely lie side by side: more may lie in layers."""


@dataclass(frozen=True, slots=True)
class PlaceSettings:
    """Margins within which nothing is claimed; nominal mm unless said otherwise."""

    border_sides: float = 0.3
    """A centre this near a border, in die sides, may be on either side of it."""
    lowered_border_sides: float = 0.2
    """The same where the camera is known, and so where the die's base is."""
    frame_mm: float = 30.0
    """How far beyond the field the woodwork may reach."""
    touch_mm: float = 2.0
    """A gap below this may be none."""
    deep_checker: float = 0.33
    """A centre this near a checker's middle, in its diameters, is on the checker."""
    flat_aspect: float = 1.07
    """Longer over shorter side of the corrected face up to which a die may be called flat."""
    tilted_aspect: float = 1.35
    """From here on it is called tilted."""


def place_die(
    reading: DieReading,
    board_from_image: Matrix,
    geometry: BoardGeometry,
    checkers: CheckersReading | None,
    settings: PlaceSettings | None = None,
    *,
    pose: CameraPose | None = None,
) -> DieReading:
    """Add half, surface and touches to a reading.

    Args:
        reading: a die in `image_px`.
        board_from_image: `image_px` → `board_mm`.
        geometry: the board.
        checkers: what stands on the points; None: not known, then a die in the field is on an
            unknown surface.
        settings: margins.
        pose: the camera; None: not known, then a die is taken to stand where its outline is.

    Returns:
        The reading with `half`, `on` and `touches`; None and the empty set where unclear.
    """
    settings = settings or PlaceSettings()
    center = apply(board_from_image, [reading.center_px])[0]
    side = die_side_mm(reading.box_px, reading.rotation_deg, board_from_image)
    margin = settings.border_sides * side
    if pose is not None:
        # The outline's centre is about as high as the die's: half a side.
        center = pose.lowered(center, side / 2)
        margin = settings.lowered_border_sides * side
    half = _half(center, margin, geometry)
    on, touches = _surface(center, side, half, geometry, checkers, settings)
    return replace(reading, half=half, on=on, touches=touches)


def die_side_mm(box_px: BoxPx, rotation_deg: float | None, board_from_image: Matrix) -> float:
    """Return the side of a die from its face's box and turn, nominal mm."""
    x, y, w, h = box_px
    corners = apply(board_from_image, [(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
    wide = np.linalg.norm(corners[1] - corners[0]) + np.linalg.norm(corners[2] - corners[3])
    high = np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1])
    turn = np.deg2rad(45.0 if rotation_deg is None else rotation_deg)
    return float((wide + high) / 4 / (abs(np.cos(turn)) + abs(np.sin(turn))))


def _half(center: FloatArray, margin: float, geometry: BoardGeometry) -> Half | None:
    seen = {
        geometry.half_of(float(center[0] + dx), float(center[1] + dy))
        for dx in (-margin, 0.0, margin)
        for dy in (-margin, 0.0, margin)
    }
    return Half(seen.pop()) if len(seen) == 1 else None


def _surface(
    center: FloatArray,
    side: float,
    half: Half | None,
    geometry: BoardGeometry,
    checkers: CheckersReading | None,
    settings: PlaceSettings,
) -> tuple[Surface | None, frozenset[Surface]]:
    nothing: frozenset[Surface] = frozenset()
    x, y = float(center[0]), float(center[1])
    if half is None:
        return None, nothing
    if half is Half.OFF:
        beyond = max(-x, x - geometry.width_mm, -y, y - geometry.height_mm)
        return (Surface.OFF if beyond > settings.frame_mm + side else None), nothing
    if half is Half.BAR:
        return Surface.WALL, nothing
    to_wall = min(x, geometry.width_mm - x, y, geometry.height_mm - y)
    if geometry.bar_right_mm > geometry.bar_left_mm:
        to_wall = min(to_wall, abs(x - geometry.bar_left_mm), abs(x - geometry.bar_right_mm))
    if to_wall < _HALF_DIAGONAL * side + settings.touch_mm or checkers is None:
        return None, nothing
    return _among_checkers(center, side, geometry, checkers, settings), nothing


def _among_checkers(
    center: FloatArray,
    side: float,
    geometry: BoardGeometry,
    checkers: CheckersReading,
    settings: PlaceSettings,
) -> Surface | None:
    """Tell board from checker, where the checkers seen make it clear."""
    clear = geometry.checker_mm / 2 + _HALF_DIAGONAL * side + settings.touch_mm
    deep = settings.deep_checker * geometry.checker_mm
    near = False
    for spot, certain in _checker_spots(geometry, checkers):
        apart = float(np.hypot(*(center - spot)))
        if certain and apart < deep:
            return Surface.CHECKER
        near |= apart < clear
    return None if near else Surface.BOARD


def most_in_row(point: PointReading, geometry: BoardGeometry) -> int:
    """Return how many checkers may lie side by side on a point, at the most."""
    fits = max(int(geometry.height_mm / 2 / geometry.checker_mm), 1)
    if point.unsure:
        return min(max([count for _, count, _ in point.candidates], default=fits), fits)
    return min(point.count or 0, fits)


def _checker_spots(
    geometry: BoardGeometry, checkers: CheckersReading
) -> Iterator[tuple[FloatArray, bool]]:
    """Yield where checkers stand, in mm, and whether one surely does."""
    for row in ROWS:
        for column in range(POINTS_PER_ROW):
            point = checkers.row(row)[column]
            count = most_in_row(point, geometry)
            for n in range(count):
                depth = (n + 0.5) * geometry.checker_mm
                y = depth if row == "top" else geometry.height_mm - depth
                spot = np.array([geometry.point_x_mm(column), y])
                yield spot, n < SURE_ROW and not point.unsure


def face_tilt(
    corners_px: list[PointPx],
    board_from_image: Matrix,
    settings: PlaceSettings | None = None,
) -> tuple[bool | None, float | None]:
    """Tell from the upper face's outline whether a die lies flat.

    A face parallel to the board is a square once the perspective is taken out; a leaning one
    is shortened by the cosine of its lean.

    Args:
        corners_px: the face's corners in `image_px`, in order round the face.
        board_from_image: `image_px` → `board_mm`.
        settings: where flat ends and tilted begins.

    Returns:
        Flat (None: cannot be told), and the lean in degrees where it is clear: the cosine
        says nothing about small angles.
    """
    settings = settings or PlaceSettings()
    face = apply(board_from_image, corners_px)
    u = (face[1] - face[0] + face[2] - face[3]) / 2
    v = (face[3] - face[0] + face[2] - face[1]) / 2
    # Singular values of the face's axes: a square turned any way has two equal ones.
    long, short = np.linalg.svd(np.column_stack([u, v]), compute_uv=False)
    aspect = float(long / max(short, 1e-6))
    if aspect <= settings.flat_aspect:
        return True, None
    if aspect >= settings.tilted_aspect:
        return False, float(np.degrees(np.arccos(1.0 / aspect)))
    return None, None
