"""Where rows of checkers truly end: the circle of the last one, found in the picture.

A count tells only about where a row ends, for checkers lie loosely. Whether a die beside them
touches one is a matter of a millimetre.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from calibration.camera_pose import CameraPose
from calibration.geometry import ROWS, BoardGeometry, Row
from vision.board_view import BoardView
from vision.checkers_size import Array, along_radii, outlines
from vision.cv import to_gray
from vision.die_place import SURE_ROW
from vision.observation import CheckersReading, PointReading

Slot: TypeAlias = tuple[Row, int]
"""Row and column of a point as the camera sees the board."""

_SOFT_PX = 5
"""What softening an outline needs around it."""


@dataclass(frozen=True, slots=True)
class RowEnd:
    """The last checker of a row."""

    x_mm: float
    depth_mm: float
    """Its middle, from the rim that the row begins at."""
    radius_mm: float


@dataclass(frozen=True, slots=True)
class EndSettings:
    """Where the circle is looked for, and when it is believed."""

    near_mm: float = 48.0
    """What is farther from a die's middle holds nothing up and touches nothing."""
    tighter: float = 0.1
    """How much less deep than counted the last checker may lie, in its diameters …"""
    looser: float = 0.15
    """… and how much deeper, …"""
    spacing: float = 0.18
    """… and beyond that this share of the row's length."""
    aside: float = 0.14
    """How far it may lie off its point's centre line, in point widths."""
    aside_steps: int = 7
    sizes: tuple[float, ...] = (0.96, 1.0, 1.04)
    """Its diameter, as a share of what checkers measure."""
    rays: int = 24
    hidden: float = 0.25
    """Share of the outline that a die or a shadow may hide."""
    clear: float = 0.8
    """Mean strength of the rest, 0–1, from which the circle is believed: of 335 drawn ones
    eight in ten were then right to 1.5 mm, 96 in a hundred to 2.7 mm."""
    height: float = 0.28
    """Height of a checker's upper edge, in its diameters."""
    most: int = SURE_ROW
    """Longer rows may lie in layers: their outlines are those of several checkers."""


def row_ends(
    view: BoardView,
    geometry: BoardGeometry,
    checkers: CheckersReading,
    pose: CameraPose,
    spots_mm: Sequence[tuple[float, float]],
    settings: EndSettings | None = None,
) -> Mapping[Slot, RowEnd]:
    """Find the last checkers of the rows around some spots.

    Args:
        view: the flattened board.
        geometry: where its points lie and how large its checkers are.
        checkers: what stands on the points.
        pose: the camera.
        spots_mm: dice, frame `board_mm`.
        settings: what is looked for.

    Returns:
        What was found clearly; points of unsure count and stacks in layers are left out.
    """
    settings = settings or EndSettings()
    wanted = [
        (row, column, count)
        for row in ROWS
        for column, point in enumerate(checkers.row(row))
        if (count := _side_by_side(point, settings))
        and any(_beside(geometry, (row, column), count, spot, settings) for spot in spots_mm)
    ]
    found = {}
    for row, column, count in wanted:
        end = _end(view, geometry, (row, column), count, pose, settings)
        if end is not None:
            found[row, column] = end
    return found


def _side_by_side(point: PointReading, settings: EndSettings) -> int:
    """Return how many checkers lie in a row, none in layers; 0: not known, or none."""
    count = 0 if point.unsure else point.count or 0
    return count if count <= settings.most else 0


def _beside(
    geometry: BoardGeometry,
    slot: Slot,
    count: int,
    spot_mm: tuple[float, float],
    settings: EndSettings,
) -> bool:
    """Return whether the last checker of a row may be what is nearest to a spot."""
    (row, column), (x, y) = slot, spot_mm
    depth = y if row == "top" else geometry.height_mm - y
    first, last = _span(count, geometry.checker_mm, settings)
    return (
        abs(geometry.point_x_mm(column) - x) <= settings.near_mm
        and first - geometry.checker_mm <= depth <= last + settings.near_mm
    )


def _span(count: int, size_mm: float, settings: EndSettings) -> tuple[float, float]:
    """Return how deep the last checker may lie, at the least and at the most."""
    counted = (count - 0.5) * size_mm
    first = counted - settings.tighter * size_mm
    return first, counted * (1 + settings.spacing) + settings.looser * size_mm


def _end(
    view: BoardView,
    geometry: BoardGeometry,
    slot: Slot,
    count: int,
    pose: CameraPose,
    settings: EndSettings,
) -> RowEnd | None:
    row, column = slot
    size = geometry.checker_mm
    first, last = _span(count, size, settings)
    depths = np.arange(first, last, 1.0)
    asides = np.linspace(-settings.aside, settings.aside, settings.aside_steps)
    x_mm = geometry.point_x_mm(column) + asides * geometry.pitch_mm(column)
    radii = size / 2 * np.array(settings.sizes)
    angles = (np.arange(settings.rays) + 0.5) * (2 * np.pi / settings.rays)
    depth, x, radius, angle = np.meshgrid(depths, x_mm, radii, angles, indexing="ij")
    y = depth if row == "top" else geometry.height_mm - depth
    along = _along(view, pose, (x, y, radius, angle), settings.height * size)
    hidden = round(settings.hidden * settings.rays)
    seen = np.partition(along, hidden, axis=-1)[..., hidden:].mean(axis=-1)
    best = np.unravel_index(int(seen.argmax()), seen.shape)
    if float(seen[best]) < settings.clear:
        return None
    return RowEnd(float(x_mm[best[1]]), float(depths[best[0]]), float(radii[best[2]]))


def _along(
    view: BoardView,
    pose: CameraPose,
    circles: tuple[Array, Array, Array, Array],
    height_mm: float,
) -> Array:
    """Return how far slopes point along the radius, 0–1, on circles raised from the board."""
    x, y, radius, angle = circles
    # What is raised is seen farther from the spot under the camera, and larger.
    share = height_mm / max(float(pose.eye_mm[2]), 2 * height_mm)
    eye_x, eye_y = (float(v) for v in pose.eye_mm[:2])
    nx, ny = np.cos(angle), np.sin(angle)
    margin, scale = view.rectifier.margin_mm, view.rectifier.px_per_mm
    px = ((x + radius * nx - eye_x * share) / (1 - share) + margin) * scale
    py = ((y + radius * ny - eye_y * share) / (1 - share) + margin) * scale
    height, width = view.bgr.shape[:2]
    x0, x1 = (int(np.clip(v, 0, width)) for v in (px.min() - _SOFT_PX, px.max() + _SOFT_PX))
    y0, y1 = (int(np.clip(v, 0, height)) for v in (py.min() - _SOFT_PX, py.max() + _SOFT_PX))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return np.zeros_like(px)
    pull = outlines(to_gray(np.ascontiguousarray(view.bgr[y0:y1, x0:x1])))
    return along_radii(pull, px - x0, py - y0, angle)
