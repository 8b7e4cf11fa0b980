"""A die with nothing to lean on lies flat: a cube at rest stands on a face, or is held up.

In a picture taken from nearly above, a face a few pixels wide does not show its lean. What it
could lean on does show: checkers, walls, the bar, another die.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.homography import Matrix, apply
from vision.die_place import die_side_mm
from vision.observation import DieReading, Surface


@dataclass(frozen=True, slots=True)
class SupportSettings:
    """How far away is far enough."""

    reach_sides: float = 1.7
    """Another die's centre this near, in die sides, may hold a die up: two leaning cubes
    touch at up to 1.4."""


def with_support(
    dice: Sequence[DieReading],
    board_from_image: Matrix,
    settings: SupportSettings | None = None,
) -> tuple[DieReading, ...]:
    """Call those dice flat that rest on the board with nothing beside them.

    Args:
        dice: placed dice (`place_die`): `on` is the board only where checkers and walls are
            clear of it.
        board_from_image: `image_px` → `board_mm`.
        settings: how far away is far enough.

    Returns:
        The dice; `flat` is set where it was unsure and nothing can hold the die up. A die whose
        face says "tilted" though nothing holds it becomes unsure: one of the two is wrong.
    """
    settings = settings or SupportSettings()
    if not dice:
        return ()
    centers = apply(board_from_image, [die.center_px for die in dice])
    sides = [die_side_mm(die.box_px, die.rotation_deg, board_from_image) for die in dice]
    settled = []
    for index, die in enumerate(dice):
        apart = np.hypot(*(centers - centers[index]).T)
        apart[index] = np.inf
        reach = settings.reach_sides * max(sides)
        if die.on is not Surface.BOARD or (apart < reach).any():
            settled.append(die)
        elif die.flat is False:
            settled.append(replace(die, flat=None))
        else:
            settled.append(replace(die, flat=True))
    return tuple(settled)
