"""The transforms between `image_px`, `board_mm` and rectified `board_px`.

Frames (ADR 0002): `image_px` is the camera's picture; `board_mm` has its origin at the inner
field's top-left corner as the camera sees it, x right, y down; `board_px` is `board_mm` at a
given scale with a margin, as pictures rectified for the readers are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

Matrix: TypeAlias = npt.NDArray[np.float64]
"""(3, 3) float64 homography, named target_from_source."""


class GeometryError(ValueError):
    """Corners or points that make no board."""


def board_from_image(
    corners_px: Sequence[tuple[float, float]], width_mm: float, height_mm: float
) -> Matrix:
    """Return the homography `image_px` → `board_mm` from the field's four corners.

    Args:
        corners_px: inner field's outer corners, clockwise from the image's top-left.
        width_mm: the field's width.
        height_mm: the field's height.

    Raises:
        GeometryError: not four corners, or they do not make a convex quadrilateral in
            clockwise order.
    """
    corners = np.asarray(corners_px, dtype=np.float64)
    if corners.shape != (4, 2):
        raise GeometryError("four corners are needed, each as x,y")
    sides = np.roll(corners, -1, axis=0) - corners
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if not (np.isfinite(turns).all() and (turns > 1.0).all()):
        raise GeometryError("the corners must make a convex field, clockwise from the top-left")
    target = np.array(
        [[0, 0], [width_mm, 0], [width_mm, height_mm], [0, height_mm]], dtype=np.float32
    )
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return np.asarray(matrix, dtype=np.float64)


def scaled(px_per_mm: float, margin_mm: float = 0.0) -> Matrix:
    """Return `board_mm` → `board_px`: a scale, and a margin around the field."""
    offset = margin_mm * px_per_mm
    return np.array(
        [[px_per_mm, 0, offset], [0, px_per_mm, offset], [0, 0, 1]], dtype=np.float64
    )


def apply(target_from_source: Matrix, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Map (N, 2) points."""
    source = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    lifted = np.hstack([source, np.ones((len(source), 1))]) @ target_from_source.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:3], dtype=np.float64)


def invert(target_from_source: Matrix) -> Matrix:
    """Return source_from_target."""
    return np.asarray(np.linalg.inv(target_from_source), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Rectifier:
    """How a picture was flattened: from `image_px` to `board_px` and back."""

    rectified_from_image: Matrix
    px_per_mm: float
    margin_mm: float
    size_px: tuple[int, int]
    """(width, height) of the rectified picture."""
