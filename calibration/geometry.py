"""The board in millimetres: where its points, its bar and its halves lie."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Row: TypeAlias = Literal["top", "bottom"]
"""As the camera sees the board."""
ROWS: Final[tuple[Row, Row]] = ("top", "bottom")

NOMINAL_WIDTH_MM = 480.0
NOMINAL_HEIGHT_MM = 420.0
NOMINAL_BAR_MM = 40.0


@dataclass(frozen=True, slots=True)
class BoardGeometry:
    """One board's inner playing field, frame `board_mm`.

    Source: ADR 0002. Where a board was never measured the numbers are nominal: the field is
    taken to be 480 mm wide, so that "mm" then means 1/480 of its width.
    """

    width_mm: float = NOMINAL_WIDTH_MM
    height_mm: float = NOMINAL_HEIGHT_MM
    bar_left_mm: float = (NOMINAL_WIDTH_MM - NOMINAL_BAR_MM) / 2
    """x of the bar's left edge: where the left half ends."""
    bar_right_mm: float = (NOMINAL_WIDTH_MM + NOMINAL_BAR_MM) / 2
    """x of the bar's right edge: where the right half begins; no bar: the same x."""
    checker_mm: float = 34.0
    """Diameter of a checker."""

    def __post_init__(self) -> None:
        if not 0 < self.bar_left_mm <= self.bar_right_mm < self.width_mm or self.height_mm <= 0:
            raise ValueError("the bar must lie inside the field")

    def pitch_mm(self, column: int) -> float:
        """Return the width of one point in the half that holds this column (0–11)."""
        if column < 6:
            return self.bar_left_mm / 6
        return (self.width_mm - self.bar_right_mm) / 6

    def point_x_mm(self, column: int) -> float:
        """Return the x of a point's centre line; columns 0–11 from image left to right."""
        if not 0 <= column < 12:
            raise ValueError(f"a row has columns 0 to 11, not {column}")
        if column < 6:
            return (column + 0.5) * self.pitch_mm(column)
        return self.bar_right_mm + (column - 6 + 0.5) * self.pitch_mm(column)

    def half_of(self, x_mm: float, y_mm: float) -> Literal["left", "right", "bar", "off"]:
        """Return where a spot on the board's plane lies."""
        if not (0 <= x_mm <= self.width_mm and 0 <= y_mm <= self.height_mm):
            return "off"
        if x_mm < self.bar_left_mm:
            return "left"
        return "right" if x_mm > self.bar_right_mm else "bar"
