"""A die with nothing to lean on lies flat: a cube at rest stands on a face, or is held up.

In a picture taken from nearly above, a face a few pixels wide does not show its lean. What it
could lean on does show: checkers, walls, the bar, another die.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from calibration.camera_pose import CameraPose
from calibration.geometry import ROWS, BoardGeometry
from calibration.homography import Matrix, apply
from vision.checkers_ends import RowEnd, Slot
from vision.die_place import die_side_mm, most_in_row
from vision.observation import CheckersReading, DieReading, PointReading, Surface

FAR_SIDES: Final = 1.6
"""What is farther from a die's centre, in sides, is not near it at all."""


@dataclass(frozen=True, slots=True)
class SupportSettings:
    """How far away is far enough."""

    die_sides: float = 1.5
    """Another die's centre this near, in die sides, may hold a die up: two leaning cubes
    touch at up to 1.4."""
    edge_sides: float = 1.1
    """A checker's edge or a wall this near to a die's centre may hold it up: a leaning cube
    reaches 0.7 sides far, the camera sees its raised half shifted outwards, and its outline
    is often found too small and off the middle."""
    slack_mm: float = 2.0
    """Checkers stand up to this far beside their point's centre line: where the last one of
    a row was measured, it stands where it is."""
    under_checkers: float = 1.0
    """What is seen to lie over the board this near to a die's middle, in a checker's diameters,
    may hide a part of it: of a hand hardly more than the middle is seen as one, and of a die
    half hidden the rest looks like a smaller one."""
    far_sides: float = FAR_SIDES
    of_pitch: float = 0.88
    """Least diameter of a checker, as a share of a point's width."""
    spacing: float = 1.15
    """Checkers of a row may stand this much farther apart than touching."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is near a die."""

    side_mm: float
    """Side of the dice of this throw."""
    to_wall_mm: float
    """From the die's centre to the nearest rim or bar."""
    to_checkers_mm: float
    """From the die's centre to the nearest checker's edge; infinite where none are known."""
    alone: bool
    """Whether no other die is near enough to hold it up."""
    free: bool
    """Whether it lies on the board with nothing beside it."""
    gap_mm: float | None = None
    """Between its sides and the nearest checker; None: that one's place was not measured."""
    vouched: bool = False
    """Whether what is known of the game says as well that nothing is near it at all."""
    under: bool = False
    """Whether something large, a hand or an arm, lies over it or right beside it."""


def surroundings_of(
    dice: Sequence[DieReading],
    board_from_image: Matrix,
    geometry: BoardGeometry,
    checkers: CheckersReading | None,
    settings: SupportSettings | None = None,
    *,
    pose: CameraPose | None = None,
    ends: Mapping[Slot, RowEnd] | None = None,
    stands: CheckersReading | None = None,
) -> tuple[Surroundings, ...]:
    """Say of each placed die what could hold it up.

    Args:
        dice: placed dice (`place_die`).
        board_from_image: `image_px` → `board_mm`.
        geometry: the board.
        checkers: what stands on the points; None: not known, then no die is free.
        settings: how far away is far enough.
        pose: the camera; None: not known, then a die is taken to stand where it is seen.
        ends: the last checkers of rows, where they were measured.
        stands: what stood on the points when that was last known; None: never.
    """
    settings = settings or SupportSettings()
    if not dice:
        return ()
    centers = apply(board_from_image, [die.center_px for die in dice])
    sides = [die_side_mm(die.box_px, die.rotation_deg, board_from_image) for die in dice]
    # Dice of one throw are alike, and a leaning one shows too small a face.
    side = max(sides)
    covers_mm = settings.under_checkers * geometry.checker_mm
    over = np.array(() if checkers is None else checkers.over_mm).reshape(-1, 2)
    under = [bool((np.hypot(*(over - center).T) < covers_mm).any()) for center in centers]
    if pose is not None:
        # A die's middle is half a side high, and seen from aslant it hides a spot beyond it.
        centers = np.array([pose.lowered(center, side / 2) for center in centers])
    found = []
    for index, die in enumerate(dice):
        x, y = float(centers[index, 0]), float(centers[index, 1])
        apart = np.hypot(*(centers - centers[index]).T)
        apart[index] = np.inf
        to_wall = _to_wall(x, y, geometry)
        rows = list(_rows(x, y, geometry, checkers, settings, ends or {}))
        to_checkers = min((row.apart_mm for row in rows), default=math.inf)
        on_board = checkers is not None and die.on is Surface.BOARD
        alone = bool((apart > settings.die_sides * side).all())
        reach = settings.edge_sides * side
        # A wall stands where it is, checkers only about where they are counted.
        clear = to_wall > reach and all(
            row.apart_mm > reach + (0.0 if row.measured else settings.slack_mm) for row in rows
        )
        free = on_board and alone and clear
        far = settings.far_sides * side
        known = _rows(x, y, geometry, stands, settings, {})
        vouched = (
            free
            and stands is not None
            and min(to_wall, to_checkers) > far
            and all(row.apart_mm > far for row in known)
        )
        gap = _gap(rows, sides[index], die.rotation_deg)
        found.append(
            Surroundings(side, to_wall, to_checkers, alone, free, gap, vouched, under[index])
        )
    return tuple(found)


def counted(seen: CheckersReading, stands: CheckersReading | None) -> CheckersReading:
    """Return a reading of the points in the light of what is known to stand there.

    A die on a checker, or its shadow, makes a point unsure; the game goes on knowing it. And a
    white die on a light point can pass for a checker: where reading and game contradict each
    other, neither is sure.
    """
    if stands is None:
        return seen
    top, bottom = (
        tuple(
            _weighed(point, known)
            for point, known in zip(seen.row(row), stands.row(row), strict=True)
        )
        for row in ROWS
    )
    return CheckersReading(top, bottom, seen.bar, seen.over_mm)


def _weighed(point: PointReading, known: PointReading) -> PointReading:
    if point.unsure:
        return known
    if (point.side, point.count) == (known.side, known.count):
        return point
    either = ((point.side, point.count or 0, 0.5), (known.side, known.count or 0, 0.5))
    return PointReading(None, None, 0.5, either)


def _to_wall(x_mm: float, y_mm: float, geometry: BoardGeometry) -> float:
    """Return how far the nearest wall is: the rims, and the bar where there is one."""
    rims = min(x_mm, geometry.width_mm - x_mm, y_mm, geometry.height_mm - y_mm)
    if geometry.bar_left_mm == geometry.bar_right_mm:
        return rims
    return min(rims, abs(x_mm - geometry.bar_left_mm), abs(x_mm - geometry.bar_right_mm))


@dataclass(frozen=True, slots=True)
class _RowBeside:
    """A row of checkers, a strip from the rim to its last one, as a die sees it."""

    along_mm: float
    """From the die's centre to the middle of the nearest checker, along x …"""
    across_mm: float
    """… and along y."""
    radius_mm: float
    measured: bool
    """Whether the nearest checker is the last one, and stands where it was measured."""

    @property
    def apart_mm(self) -> float:
        """From the die's centre to the nearest checker's edge."""
        return math.hypot(self.along_mm, self.across_mm) - self.radius_mm


def _rows(
    x_mm: float,
    y_mm: float,
    geometry: BoardGeometry,
    checkers: CheckersReading | None,
    settings: SupportSettings,
    ends: Mapping[Slot, RowEnd],
) -> Iterator[_RowBeside]:
    if checkers is None:
        return
    for row in ROWS:
        depth, inwards = (y_mm, -1.0) if row == "top" else (geometry.height_mm - y_mm, 1.0)
        for column, point in enumerate(checkers.row(row)):
            count = most_in_row(point, geometry)
            if not count:
                continue
            # Where the diameter was measured too small, the points tell what fits them.
            size = max(geometry.checker_mm, settings.of_pitch * geometry.pitch_mm(column))
            end = ends.get((row, column))
            if end is not None and depth > end.depth_mm:
                aside, beyond = end.x_mm - x_mm, depth - end.depth_mm
                yield _RowBeside(aside, inwards * beyond, end.radius_mm, measured=True)
                continue
            last = (count - 0.5) * size * settings.spacing if end is None else end.depth_mm
            aside, beyond = geometry.point_x_mm(column) - x_mm, max(0.0, depth - last)
            yield _RowBeside(aside, inwards * beyond, size / 2, measured=False)


def _gap(
    rows: Sequence[_RowBeside], side_mm: float, rotation_deg: float | None
) -> float | None:
    """Return the gap between a die's sides and the nearest checker, where that is measured."""
    if not rows or rotation_deg is None:
        return None
    turn = math.radians(rotation_deg)
    gaps = []
    for row in rows:
        u = row.along_mm * math.cos(turn) + row.across_mm * math.sin(turn)
        v = row.across_mm * math.cos(turn) - row.along_mm * math.sin(turn)
        out = math.hypot(max(abs(u) - side_mm / 2, 0.0), max(abs(v) - side_mm / 2, 0.0))
        gaps.append((out - row.radius_mm, row.measured))
    gap, measured = min(gaps)
    return gap if measured else None
