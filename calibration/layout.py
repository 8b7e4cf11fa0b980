"""Which point of the game lies where in the picture."""

from dataclasses import dataclass
from enum import StrEnum

from calibration.geometry import Row


class Corner(StrEnum):
    """A corner of the field as the camera sees it."""

    TOP_LEFT = "top_left"
    TOP_RIGHT = "top_right"
    BOTTOM_LEFT = "bottom_left"
    BOTTOM_RIGHT = "bottom_right"


class Direction(StrEnum):
    """Which way round White travels, as the camera sees it."""

    CLOCKWISE = "cw"
    ANTICLOCKWISE = "ccw"


_DIRECTION = {
    Corner.TOP_LEFT: Direction.CLOCKWISE,
    Corner.TOP_RIGHT: Direction.ANTICLOCKWISE,
    Corner.BOTTOM_LEFT: Direction.ANTICLOCKWISE,
    Corner.BOTTOM_RIGHT: Direction.CLOCKWISE,
}


class LayoutError(ValueError):
    """A start corner and a direction that contradict each other."""


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """Where White's point 24 lies, which fixes all others.

    Points 24–13 fill the row that begins at the start corner, 12–1 come back along the other
    row, so the corner settles the way round as well.
    """

    white_start: Corner

    @classmethod
    def of(cls, white_start: str, direction: str | None = None) -> "BoardLayout":
        """Build from a set-up's words.

        Raises:
            LayoutError: an unknown word, or a direction that the corner rules out.
        """
        try:
            corner = Corner(white_start)
            stated = None if direction is None else Direction(direction)
        except ValueError as error:
            raise LayoutError(str(error)) from error
        layout = cls(corner)
        if stated is not None and stated is not layout.direction:
            raise LayoutError(
                f"from {corner.value} White can only travel {layout.direction.value}, "
                f"not {stated.value}"
            )
        return layout

    @property
    def direction(self) -> Direction:
        """Which way round White travels, as the camera sees it."""
        return _DIRECTION[self.white_start]

    def slot(self, point: int) -> tuple[Row, int]:
        """Return row and column (0–11 from image left) of an absolute point (1–24)."""
        if not 1 <= point <= 24:
            raise ValueError(f"points are 1 to 24, not {point}")
        first_row: Row = (
            "top" if self.white_start in (Corner.TOP_LEFT, Corner.TOP_RIGHT) else "bottom"
        )
        other_row: Row = "bottom" if first_row == "top" else "top"
        from_left = self.white_start in (Corner.TOP_LEFT, Corner.BOTTOM_LEFT)
        if point >= 13:
            step = 24 - point
            return first_row, step if from_left else 11 - step
        step = 12 - point
        return other_row, 11 - step if from_left else step

    def point(self, row: Row, column: int) -> int:
        """Return the absolute point (1–24) at a row and column (0–11 from image left)."""
        for point in range(1, 25):
            if self.slot(point) == (row, column):
                return point
        raise ValueError(f"no point at {row} {column}")
