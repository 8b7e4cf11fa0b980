"""Which dice came to lie since the turn began, and which lay there before, by the picture."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from vision.cv import BgrImage
from vision.observation import DieReading
from vision.stillness import difference_mask

_NEW_SHARE = 0.2
"""Changed share of a die's box from which the die was not there before."""


def new_among(
    dice: Iterable[DieReading], before: BgrImage, after: BgrImage
) -> tuple[DieReading, ...]:
    """Return the dice where the picture changed.

    Args:
        dice: where they are seen.
        before: the picture when the turn began, (H, W, 3) uint8.
        after: the picture now, of the same size.
    """
    return tuple(die for die in dice if _is_new(die, before, after))


def old_among(
    dice: Iterable[DieReading], before: BgrImage, after: BgrImage
) -> tuple[DieReading, ...]:
    """Return the dice where the picture is as it was; as `new_among`."""
    return tuple(die for die in dice if not _is_new(die, before, after))


def carried(dice: Iterable[DieReading], shift: tuple[float, float]) -> tuple[DieReading, ...]:
    """Return dice as they lie in a picture that moved by some pixels (x, y)."""
    dx, dy = shift
    out = []
    for die in dice:
        (x, y), (left, top, width, height) = die.center_px, die.box_px
        box = (left + dx, top + dy, width, height)
        out.append(replace(die, center_px=(x + dx, y + dy), box_px=box))
    return tuple(out)


def _is_new(die: DieReading, before: BgrImage, after: BgrImage) -> bool:
    """Whether the picture changed where a die is seen."""
    x, y, width, height = die.box_px
    reach = 1.5 * max(width, height)
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    right, bottom = int(x + width + reach) + 1, int(y + height + reach) + 1
    mask = difference_mask(before[top:bottom, left:right], after[top:bottom, left:right])
    box = mask[
        max(0, round(y) - top) : max(1, round(y + height) - top),
        max(0, round(x) - left) : max(1, round(x + width) - left),
    ]
    return box.size > 0 and float(np.count_nonzero(box)) >= _NEW_SHARE * box.size
