"""Boards the eye remembers: how they looked when it was known what stood there."""

from dataclasses import dataclass

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout
from referee.evidence import Touched, reading_of
from rules import Position
from vision.board_view import BoardView, rectify_measured
from vision.cv import BgrImage
from vision.observation import CheckersReading, Corners, Side
from vision.touch import beside_view, changed_areas, changed_beside

_AS_A_CHECKER = 0.5
"""Changed area, in checkers', of a point from which something may have been taken."""
_MOST_TOUCHED = 12
"""A turn changes eight points at most; dice and shadows lie on some others."""


@dataclass(frozen=True, slots=True, eq=False)
class Remembered:
    """How the board looked when it was known what stood there."""

    position: Position
    reading: CheckersReading
    """The position as a perfect look would read it."""
    view: BoardView
    around: BoardView
    """The same board, smaller, with the table around it."""
    corners_px: Corners
    geometry: BoardGeometry
    layout: BoardLayout

    @classmethod
    def of(
        cls,
        position: Position,
        bgr: BgrImage,
        corners_px: Corners,
        geometry: BoardGeometry,
        layout: BoardLayout,
        white: Side,
    ) -> "Remembered":
        """Remember a position by the calm frame, (H, W, 3) uint8, in which it stands."""
        return cls(
            position,
            reading_of(position, layout, white),
            rectify_measured(bgr, corners_px, geometry),
            beside_view(bgr, corners_px, geometry),
            corners_px,
            geometry,
            layout,
        )

    def touched_in(self, bgr: BgrImage) -> Touched | None:
        """Measure how far points look otherwise in a calm frame with the board where it was.

        Returns:
            None where more of it changed than any turn changes.
        """
        after = rectify_measured(bgr, self.corners_px, self.geometry)
        if self.view.bgr.shape != after.bgr.shape:
            return None
        rows = changed_areas(self.view, after, self.geometry)
        areas = []
        for point in range(1, 25):
            row, column = self.layout.slot(point)
            areas.append(rows.row(row)[column])
        if sum(area > _AS_A_CHECKER for area in areas) > _MOST_TOUCHED:
            # Another light, or a nudge: the picture has changed, and not the points.
            return None
        around = beside_view(bgr, self.corners_px, self.geometry)
        beside = changed_beside(self.around, around, self.geometry)
        return Touched(self.position, tuple(areas), beside)
