"""A die with nothing to lean on lies flat: a cube at rest stands on a face, or is held up.

In a picture taken from nearly above, a face a few pixels wide does not show its lean. What it
could lean on does show: checkers, walls, the bar, another die.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.camera_pose import CameraPose
from calibration.geometry import BoardGeometry, Row
from calibration.homography import Matrix, apply
from vision.die_place import die_side_mm, most_in_row
from vision.observation import CheckersReading, DieReading, Surface


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
    """Checkers stand up to this far beside their point's centre line."""
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


def surroundings_of(
    dice: Sequence[DieReading],
    board_from_image: Matrix,
    geometry: BoardGeometry,
    checkers: CheckersReading | None,
    settings: SupportSettings | None = None,
    *,
    pose: CameraPose | None = None,
) -> tuple[Surroundings, ...]:
    """Say of each placed die what could hold it up.

    Args:
        dice: placed dice (`place_die`).
        board_from_image: `image_px` → `board_mm`.
        geometry: the board.
        checkers: what stands on the points; None: not known, then no die is free.
        settings: how far away is far enough.
        pose: the camera; None: not known, then a die is taken to stand where it is seen.
    """
    settings = settings or SupportSettings()
    if not dice:
        return ()
    centers = apply(board_from_image, [die.center_px for die in dice])
    sides = [die_side_mm(die.box_px, die.rotation_deg, board_from_image) for die in dice]
    # Dice of one throw are alike, and a leaning one shows too small a face.
    side = max(sides)
    if pose is not None:
        # A die's middle is half a side high, and seen from aslant it hides a spot beyond it.
        centers = np.array([pose.lowered(center, side / 2) for center in centers])
    found = []
    for index, die in enumerate(dice):
        x, y = float(centers[index, 0]), float(centers[index, 1])
        apart = np.hypot(*(centers - centers[index]).T)
        apart[index] = np.inf
        to_wall = _to_wall(x, y, geometry)
        to_checkers = _to_checkers(x, y, geometry, checkers, settings)
        on_board = checkers is not None and die.on is Surface.BOARD
        alone = bool((apart > settings.die_sides * side).all())
        reach = settings.edge_sides * side
        # A wall stands where it is, checkers only about where they are counted.
        clear = to_wall > reach and to_checkers > reach + settings.slack_mm
        free = on_board and alone and clear
        found.append(Surroundings(side, to_wall, to_checkers, alone, free))
    return tuple(found)


def _to_wall(x_mm: float, y_mm: float, geometry: BoardGeometry) -> float:
    """Return how far the nearest wall is: the rims, and the bar where there is one."""
    rims = min(x_mm, geometry.width_mm - x_mm, y_mm, geometry.height_mm - y_mm)
    if geometry.bar_left_mm == geometry.bar_right_mm:
        return rims
    return min(rims, abs(x_mm - geometry.bar_left_mm), abs(x_mm - geometry.bar_right_mm))


def _to_checkers(
    x_mm: float,
    y_mm: float,
    geometry: BoardGeometry,
    checkers: CheckersReading | None,
    settings: SupportSettings,
) -> float:
    """Return how far the nearest row of checkers is: a strip from the rim to its last one."""
    nearest = np.inf
    if checkers is None:
        return nearest
    rows: tuple[tuple[Row, float], ...] = (("top", y_mm), ("bottom", geometry.height_mm - y_mm))
    for row, depth in rows:
        for column, point in enumerate(checkers.row(row)):
            count = most_in_row(point, geometry)
            if not count:
                continue
            # Where the diameter was measured too small, the points tell what fits them.
            size = max(geometry.checker_mm, settings.of_pitch * geometry.pitch_mm(column))
            beyond = max(0.0, depth - (count - 0.5) * size * settings.spacing)
            aside = x_mm - geometry.point_x_mm(column)
            nearest = min(nearest, float(np.hypot(aside, beyond)) - size / 2)
    return nearest
