"""Whether a board runs out of the picture, and at which of its sides."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_finder_comb import Array
from vision.board_net import BoardGuess
from vision.observation import PictureEdge


@dataclass(frozen=True, slots=True)
class CutSettings:
    """What makes a board a cut one."""

    beyond: float = 0.02
    """How far a corner must lie outside the picture, as a share of its longer side."""
    cover: float = 0.75
    """How well the outline of a cut board must agree with what is seen of it."""
    touch: float = 0.75
    """Share of the field's length that must lie at a side of the picture."""
    touch_sure: float = 0.85
    """The same for a field that would pass for a whole one."""
    comb: float = 0.03
    """Agreement with the comb below which what lies there is no board."""
    near: float = 0.008
    """How near to that side, as a share of the picture's longer side, a sure field must end."""
    whole: float = 0.9
    """Share of the picture from which a sure field is all that it was meant to show."""


def runs_out(
    guess: BoardGuess, size_px: tuple[int, int], settings: CutSettings
) -> tuple[PictureEdge, ...]:
    """Return the sides of a picture (width, height) beyond which a guess has corners."""
    if guess.cover < settings.cover:
        return ()
    slack = settings.beyond * max(size_px)
    away = _away(guess.corners, size_px)
    return tuple(side for side, inside_px in away.items() if inside_px < -slack)


def ends_within(
    corners: Array,
    field: npt.NDArray[np.bool_],
    size_px: tuple[int, int],
    comb: float,
    settings: CutSettings,
    *,
    sure: bool,
) -> tuple[PictureEdge, ...]:
    """Return the sides of the picture that a field is cut off at.

    The network often takes the picture's side for the field's own, and the corners lie on it.
    But then the cells that show the field lie along that side; around a whole board there is
    woodwork.

    Args:
        corners: (4, 2) as they were settled.
        field: the picture's cells: which of them show the field.
        size_px: (width, height) of the picture.
        comb: the field's agreement with the comb.
        settings: thresholds.
        sure: whether the field would pass for a whole one.
    """
    if comb < settings.comb or not field.any():
        return ()
    width, height = size_px
    area = float(cv2.contourArea(corners.astype(np.float32)))
    if sure and area > settings.whole * width * height:  # a picture cut out along the rims
        return ()
    reach = settings.near * max(size_px) if sure else np.inf
    least = settings.touch_sure if sure else settings.touch
    away = _away(corners, size_px)
    return tuple(
        side for side, share in touched(field).items() if share >= least and away[side] <= reach
    )


def touched(field: npt.NDArray[np.bool_]) -> dict[PictureEdge, float]:
    """Return the share of a field's width or height that lies at each side of the picture.

    Two cells deep: the outermost may lie half beyond the picture, where nothing is seen.
    """
    height = max(int(field.any(axis=1).sum()), 1)
    width = max(int(field.any(axis=0).sum()), 1)
    return {
        "left": float(field[:, :2].any(axis=1).sum()) / height,
        "top": float(field[:2].any(axis=0).sum()) / width,
        "right": float(field[:, -2:].any(axis=1).sum()) / height,
        "bottom": float(field[-2:].any(axis=0).sum()) / width,
    }


def _away(corners: Array, size_px: tuple[int, int]) -> dict[PictureEdge, float]:
    """Return how far inside each side of the picture a field ends, in pixels."""
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    return {
        "left": float(left),
        "top": float(top),
        "right": float(size_px[0] - 1 - right),
        "bottom": float(size_px[1] - 1 - bottom),
    }
