"""How far the board looks otherwise than it did: whether a checker was taken or laid.

A still does not show the depth of a stack in layers. Two stills of the same camera show whether
anything was done to it, and whether checkers borne off were laid beside the board.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.geometry import BoardGeometry, Row
from vision.board_view import BoardView, rectify
from vision.cv import BgrImage, Mask, as_u8
from vision.observation import POINTS_PER_ROW, Corners
from vision.stillness import StillnessSettings, difference_mask


@dataclass(frozen=True, slots=True)
class ChangedAreas:
    """What looks otherwise of each point, in areas of a checker; image rows, left to right."""

    top: tuple[float, ...]
    bottom: tuple[float, ...]

    def row(self, row: Row) -> tuple[float, ...]:
        """Return one of the two rows."""
        return self.top if row == "top" else self.bottom


@dataclass(frozen=True, slots=True)
class TouchSettings:
    """What counts as touched."""

    still: StillnessSettings = field(default_factory=lambda: StillnessSettings(change_step=8.0))
    """What counts as changed: the edge of a checker on another of its colour is faint."""
    reach: float = 0.47
    """How far a point's strip reaches from the rim, as a share of the field's height."""
    half_width: float = 0.35
    """Of a strip, as a share of the point's width: shadows of the stacks beside it fall on its
    sides, and a checker covers its middle."""


def changed_areas(
    before: BoardView,
    after: BoardView,
    geometry: BoardGeometry,
    settings: TouchSettings | None = None,
) -> ChangedAreas:
    """Measure how much of each point looks otherwise in two views of one board.

    Args:
        before: the earlier view.
        after: the later one, of the same camera and the same corners.
        geometry: where the points are.
        settings: what counts.
    """
    settings = settings or TouchSettings()
    mask = difference_mask(before.bgr, after.bgr, settings.still)
    checker = np.pi / 4 * (geometry.checker_mm * after.rectifier.px_per_mm) ** 2
    top, bottom = (
        tuple(
            float(
                np.count_nonzero(_strip(mask, after, geometry, row, column, settings)) / checker
            )
            for column in range(POINTS_PER_ROW)
        )
        for row in (True, False)
    )
    return ChangedAreas(top, bottom)


def _strip(
    mask: Mask,
    view: BoardView,
    geometry: BoardGeometry,
    top: bool,
    column: int,
    settings: TouchSettings,
) -> Mask:
    margin, scale = view.rectifier.margin_mm, view.rectifier.px_per_mm
    middle = geometry.point_x_mm(column)
    half = settings.half_width * geometry.pitch_mm(column)
    reach = settings.reach * geometry.height_mm
    y0, y1 = (0.0, reach) if top else (geometry.height_mm - reach, geometry.height_mm)
    left, right, upper, lower = (
        round((one + margin) * scale) for one in (middle - half, middle + half, y0, y1)
    )
    return as_u8(mask[upper:lower, left:right])


@dataclass(frozen=True, slots=True)
class BesideSettings:
    """What counts as checkers laid beside the board."""

    margin_mm: float = 110.0
    """How far from the field they lie, woodwork included."""
    px_per_mm: float = 1.0
    still: StillnessSettings = field(default_factory=lambda: StillnessSettings(change_step=8.0))
    """What counts as changed: a checker laid on others shows by its edge."""
    speck: float = 0.04
    """What is smaller than this, in areas of a checker, is a shadow …"""
    largest: float = 4.0
    """… and what is larger in one piece is an arm, a cup, a score sheet."""


def beside_view(
    bgr: BgrImage,
    corners_px: Corners,
    geometry: BoardGeometry,
    settings: BesideSettings | None = None,
) -> BoardView:
    """Flatten the board with what lies around it; arguments and errors as for `rectify`."""
    settings = settings or BesideSettings()
    return rectify(
        bgr,
        corners_px,
        settings.px_per_mm,
        settings.margin_mm,
        width_mm=geometry.width_mm,
        height_mm=geometry.height_mm,
    )


def changed_beside(
    before: BoardView,
    after: BoardView,
    geometry: BoardGeometry,
    settings: BesideSettings | None = None,
) -> float | None:
    """Measure how much looks otherwise around the field.

    Args:
        before: the earlier of two `beside_view`.
        after: the later one, of the same camera and the same corners.
        geometry: the size of a checker.
        settings: what counts.

    Returns:
        The area in checkers'; None where something larger than checkers came, went or moved.
    """
    settings = settings or BesideSettings()
    mask = difference_mask(before.bgr, after.bgr, settings.still)
    edge = round(after.rectifier.margin_mm * after.rectifier.px_per_mm)
    mask[edge:-edge, edge:-edge] = 0
    checker = np.pi / 4 * (geometry.checker_mm * after.rectifier.px_per_mm) ** 2
    _, _, pieces, _ = cv2.connectedComponentsWithStats(mask)
    areas = pieces[1:, cv2.CC_STAT_AREA] / checker
    if (areas > settings.largest).any():
        return None
    return float(areas[areas > settings.speck].sum())
