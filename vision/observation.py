"""What sight reports: facts with confidence, in image pixels, with "unsure" as an answer.

These types are what every reader, old or new, has to produce. They hold no verdict.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, TypeAlias

PointPx: TypeAlias = tuple[float, float]
"""(x, y) in `image_px`."""
BoxPx: TypeAlias = tuple[float, float, float, float]
"""(x, y, width, height) in `image_px`."""
Corners: TypeAlias = tuple[PointPx, PointPx, PointPx, PointPx]
"""Outer corners of the inner playing field, clockwise from the image's top-left."""

PictureEdge: TypeAlias = Literal["left", "top", "right", "bottom"]

POINTS_PER_ROW = 12
UNSURE = "U"


class Side(StrEnum):
    """The look of a checker: which colour plays White is the table's business."""

    LIGHT = "L"
    DARK = "D"

    @property
    def other(self) -> "Side":
        """The look of the other side's checkers."""
        return Side.DARK if self is Side.LIGHT else Side.LIGHT


class Half(StrEnum):
    """Where a die lies, by its centre, as the camera sees the board."""

    LEFT = "left"
    RIGHT = "right"
    BAR = "bar"
    OFF = "off"


class Surface(StrEnum):
    """What a die lies on or leans against."""

    BOARD = "board"
    CHECKER = "checker"
    WALL = "wall"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class BoardSighting:
    """The board's inner playing field in one frame."""

    found: bool
    corners_px: Corners | None
    confidence: float
    """0–1; 1.0 where a person gave the corners."""
    cut: tuple[PictureEdge, ...] = ()
    """Sides of the picture that the board runs out of; it is then not found."""


@dataclass(frozen=True, slots=True)
class PointReading:
    """What stands on one of the 24 points."""

    side: Side | None
    """None: empty, or unsure whose."""
    count: int | None
    """None: unsure; 0: empty."""
    confidence: float
    """Probability that (side, count) is right; where unsure, that of the best guess."""
    candidates: tuple[tuple[Side | None, int, float], ...] = ()
    """(side, count, probability), most likely first; what a matcher may choose from."""

    @property
    def unsure(self) -> bool:
        """Whether the reader does not vouch for a count."""
        return self.count is None or (self.count > 0 and self.side is None)

    @property
    def label(self) -> str:
        """The exchange form: "D4", "" for empty, "U" for unsure."""
        if self.count == 0:
            return ""
        if self.count is None or self.side is None:
            return UNSURE
        return f"{self.side.value}{self.count}"


@dataclass(frozen=True, slots=True)
class BarReading:
    """Checkers lying on the bar; None where it cannot be told."""

    light: int | None
    dark: int | None


@dataclass(frozen=True, slots=True)
class CheckersReading:
    """All points, from image left to right in each row, and the bar."""

    top: tuple[PointReading, ...]
    bottom: tuple[PointReading, ...]
    bar: BarReading
    over_mm: tuple[tuple[float, float], ...] = ()
    """Spots of the field, (x, y) in `board_mm`, that something large lies over which is neither
    ground nor checker nor die: a hand, an arm, a sheet."""

    def __post_init__(self) -> None:
        if len(self.top) != POINTS_PER_ROW or len(self.bottom) != POINTS_PER_ROW:
            raise ValueError("a board has twelve points in each row")

    def row(self, name: Literal["top", "bottom"]) -> tuple[PointReading, ...]:
        """Return one row by its name."""
        return self.top if name == "top" else self.bottom


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die: its upper face and how it lies."""

    value: int | None
    """Pips of the upper face; None: unsure."""
    center_px: PointPx
    """Centre of the die's visible outline."""
    box_px: BoxPx
    confidence: float
    """Probability that `value` is right; where unsure, that of the best guess."""
    flat: bool | None = None
    """Whether it lies flat; None: unsure."""
    tilt_deg: float | None = None
    """Angle of the upper face to the board's plane; None: not measured."""
    rotation_deg: float | None = None
    """Turn of the upper face in the image, 0–90; None: not measured."""
    half: Half | None = None
    """None: no board known, or unsure."""
    on: Surface | None = None
    """None: no board known, or unsure."""
    touches: frozenset[Surface] = field(default_factory=frozenset)
    """What its sides touch besides what it lies on: checkers, walls."""
    may_touch: frozenset[Surface] = field(default_factory=frozenset)
    """What it may touch or not: near, and not clear."""
    leans: float | None = None
    """Chance that it leans, from its looks alone, where something is near that could hold it
    up; None: nothing is, or it was not asked."""


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds spent per stage."""

    board: float
    points: float
    dice: float
    total: float


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything seen in one frame."""

    width: int
    height: int
    board: BoardSighting | None
    """None: not asked for (dice only)."""
    checkers: CheckersReading | None
    """None: not asked for, or no board found."""
    dice: tuple[DieReading, ...]
    """Sorted by x."""
    ms: Timings
