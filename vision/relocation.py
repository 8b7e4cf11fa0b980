"""A board that was turned or pushed away: where it lies now, and which way round.

The finder says where a board is, but a board looks alike from both ends. Which end is which
tells the earlier picture: the same checkers stand there, turned with the board.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_finder import find_board
from vision.cv import BgrImage, as_f32, to_gray
from vision.observation import BoardSighting, Corners


class Move(StrEnum):
    """What became of a board."""

    STAYED = "stayed"
    NUDGED = "nudged"
    """Shifted by little, hardly turned."""
    MOVED = "moved"
    """Shifted by more, or seen from nearer or farther."""
    TURNED = "turned"
    LOST = "lost"
    """Not found, or not the same board with the same checkers."""


@dataclass(frozen=True, slots=True)
class RelocationSettings:
    """What counts as what."""

    least_px: float = 2.0
    """Mean shift of the corners below which the board stayed, at a width of 1280 pixels."""
    nudge: float = 0.06
    """Shift, as a share of the field's diagonal, up to which it was nudged."""
    turn_deg: float = 6.0
    """Angle from which it was turned."""
    least_likeness: float = 0.65
    """Correlation with the earlier picture below which it is not the same position."""
    clear_by: float = 0.12
    """By how much one way round must beat the other."""


@dataclass(frozen=True, slots=True)
class Relocation:
    """Where a board went."""

    move: Move
    corners_px: Corners | None
    """Its corners in the order the earlier ones had: the first is the same corner of the board,
    wherever in the picture it lies now. None where lost."""
    shift_px: float
    """How far its middle went."""
    turn_deg: float
    """By how much it was turned, clockwise, -180 to 180."""
    likeness: float
    """Correlation of the flattened boards, -1 to 1."""


LOST = Relocation(Move.LOST, None, 0.0, 0.0, 0.0)
_FLAT_PX = (96, 84)


def relocate(
    before_bgr: BgrImage,
    after_bgr: BgrImage,
    corners_px: Corners,
    settings: RelocationSettings | None = None,
    finder: Callable[[BgrImage], BoardSighting] = find_board,
) -> Relocation:
    """Say where a board lies that is not where it was.

    Args:
        before_bgr: a calm picture.
        after_bgr: a later one with nothing moving in it.
        corners_px: the field's corners in the first.
        settings: what counts as what.
        finder: how a board is found.
    """
    settings = settings or RelocationSettings()
    found = finder(after_bgr).corners_px
    if found is None:
        return LOST
    was = _flat(before_bgr, corners_px)
    ways: list[tuple[float, Corners]] = []
    for turn in (0, 2):
        a, b, c, d = (found[(k + turn) % 4] for k in range(4))
        order: Corners = (a, b, c, d)
        ways.append((_correlation(was, _flat(after_bgr, order)), order))
    ways.sort(key=lambda way: -way[0])
    (likeness, corners), (other, _) = ways
    if likeness < settings.least_likeness or likeness - other < settings.clear_by:
        return LOST
    old, new = np.asarray(corners_px), np.asarray(corners)
    shift_px = float(np.linalg.norm(new.mean(axis=0) - old.mean(axis=0)))
    turn_deg = _turn_deg(old, new)
    diagonal = math.dist(corners_px[0], corners_px[2])
    apart = float(np.linalg.norm(new - old, axis=1).mean())
    if abs(turn_deg) >= settings.turn_deg:
        move = Move.TURNED
    elif apart < settings.least_px * max(after_bgr.shape[1] / 1280.0, 1.0):
        move = Move.STAYED
    else:
        move = Move.NUDGED if apart <= settings.nudge * diagonal else Move.MOVED
    return Relocation(move, corners, shift_px, turn_deg, likeness)


def _flat(bgr: BgrImage, corners_px: Corners) -> npt.NDArray[np.float32]:
    """Return the field, flattened, small and grey, with its light evened out."""
    width, height = _FLAT_PX
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners_px, dtype=np.float32), target)
    longest = max(math.dist(corners_px[k], corners_px[(k + 1) % 4]) for k in range(4))
    sigma = max(0.35 * longest / width, 0.3)
    soft = cv2.GaussianBlur(to_gray(bgr), (0, 0), sigma)
    flat = as_f32(cv2.warpPerspective(soft, matrix, (width, height)))
    even = flat - as_f32(cv2.GaussianBlur(flat, (0, 0), 12.0))
    return as_f32(np.clip(even, -60, 60))


def _correlation(one: npt.NDArray[np.float32], other: npt.NDArray[np.float32]) -> float:
    a, b = one - one.mean(), other - other.mean()
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / size if size > 0 else 0.0


def _turn_deg(old: npt.NDArray[np.float64], new: npt.NDArray[np.float64]) -> float:
    """Return by how much four corners were turned about their middle, clockwise."""
    a, b = old - old.mean(axis=0), new - new.mean(axis=0)
    along = float((a * b).sum())
    across = float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum())
    return math.degrees(math.atan2(across, along))
