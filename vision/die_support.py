"""A die with nothing to lean on lies flat: a cube at rest stands on a face, or is held up.

In a picture taken from nearly above, a face a few pixels wide does not show its lean. What it
could lean on does show: checkers, walls, the bar, another die.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.geometry import BoardGeometry
from calibration.homography import Matrix, apply
from vision.die_place import checker_spots, die_side_mm
from vision.observation import CheckersReading, DieReading, Surface


@dataclass(frozen=True, slots=True)
class SupportSettings:
    """How far away is far enough."""

    die_sides: float = 1.7
    """Another die's centre this near, in die sides, may hold a die up: two leaning cubes
    touch at up to 1.4."""
    edge_sides: float = 0.9
    """A checker's edge or a wall this near to a die's centre may hold it up: a leaning cube
    reaches 0.7 sides far, and the camera sees its raised half shifted outwards."""
    slack_mm: float = 2.0
    """Checkers are known by count and drawn at their nominal places."""


def with_support(
    dice: Sequence[DieReading],
    board_from_image: Matrix,
    geometry: BoardGeometry,
    checkers: CheckersReading | None,
    settings: SupportSettings | None = None,
) -> tuple[DieReading, ...]:
    """Call those dice flat that rest on the board with nothing beside them.

    Args:
        dice: placed dice (`place_die`).
        board_from_image: `image_px` → `board_mm`.
        geometry: the board.
        checkers: what stands on the points; None: not known, then nothing is called flat.
        settings: how far away is far enough.

    Returns:
        The dice. `flat` is True where nothing can hold the die up, or where the die touches
        nothing that is seen and its face looks flat as well: a small face alone does not show
        its lean well enough. A die whose face says "tilted" though nothing holds it becomes
        unsure: one of the two is wrong.
    """
    settings = settings or SupportSettings()
    if not dice:
        return ()
    centers = apply(board_from_image, [die.center_px for die in dice])
    sides = [die_side_mm(die.box_px, die.rotation_deg, board_from_image) for die in dice]
    spots = [] if checkers is None else [spot for spot, _ in checker_spots(geometry, checkers)]
    settled = []
    for index, die in enumerate(dice):
        x, y = float(centers[index, 0]), float(centers[index, 1])
        apart = np.hypot(*(centers - centers[index]).T)
        apart[index] = np.inf
        edges = [float(np.hypot(x - one[0], y - one[1])) for one in spots]
        nearest = min(
            min(edges, default=np.inf) - geometry.checker_mm / 2,
            _to_wall(x, y, geometry),
        )
        on_board = checkers is not None and die.on is Surface.BOARD
        alone = bool((apart > settings.die_sides * max(sides)).all())
        reach = settings.edge_sides * sides[index] + settings.slack_mm
        free = on_board and alone and nearest > reach
        if free:
            flat = None if die.flat is False else True
        elif die.flat:
            flat = True if on_board and alone else None
        else:
            flat = die.flat
        settled.append(replace(die, flat=flat))
    return tuple(settled)


def _to_wall(x_mm: float, y_mm: float, geometry: BoardGeometry) -> float:
    """Return how far the nearest wall is: the rims, and the bar where there is one."""
    rims = min(x_mm, geometry.width_mm - x_mm, y_mm, geometry.height_mm - y_mm)
    if geometry.bar_left_mm == geometry.bar_right_mm:
        return rims
    return min(rims, abs(x_mm - geometry.bar_left_mm), abs(x_mm - geometry.bar_right_mm))
