"""Which of two readers' answers speak of the same die."""

import math
from collections.abc import Sequence

from vision.observation import BoxPx, DieReading


def nearest_pairs(
    classical: Sequence[DieReading], boxes: Sequence[BoxPx], same_die: float
) -> list[tuple[int, int]]:
    """Pair the dice of one reader with the outlines of another.

    Args:
        classical: the first reader's dice.
        boxes: the second one's outlines.
        same_die: centres this near, as a share of the longer side, may be one die.

    Returns:
        (outline's, die's) places, nearest first, each only once.
    """
    near = []
    for i, die in enumerate(classical):
        for j, (x, y, width, height) in enumerate(boxes):
            apart = math.dist(die.center_px, (x + width / 2, y + height / 2))
            if apart < same_die * max(*die.box_px[2:], width, height):
                near.append((apart, j, i))
    pairs: list[tuple[int, int]] = []
    used_i: set[int] = set()
    used_j: set[int] = set()
    for _, j, i in sorted(near):
        if i not in used_i and j not in used_j:
            pairs.append((j, i))
            used_i.add(i)
            used_j.add(j)
    return pairs
