"""Where the camera hangs, from the field's four corners in one picture.

The camera is an ordinary one: square pixels, its axis in the picture's middle, no distortion
worth the name. Where its focal length was not measured, it is the one that fits the corners and
what cameras usually have.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from calibration.homography import GeometryError, Matrix, invert

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PoseSettings:
    """How far corners, proportions and habits are trusted."""

    usual_focal: float = 1.1
    """Focal length of a usual camera, as a share of the picture's longer side."""
    focal_spread: float = 0.3
    """How far cameras differ from it (natural logarithm)."""
    square_spread: float = 0.01
    """How far the field's angles may seem off a right one, radians."""
    proportion_spread: float = 0.06
    """How far the field's proportions may be off."""
    narrowest: float = 0.5
    widest: float = 3.0
    """Focal lengths tried, as shares of the picture's longer side."""
    steps: int = 90


@dataclass(frozen=True, slots=True, eq=False)
class CameraPose:
    """A camera over a board."""

    focal_px: float
    center_px: tuple[float, float]
    """Where its axis meets the picture."""
    down: Vector
    """(3,) unit vector from the board's plane straight down, camera frame (x right, y down,
    z forward)."""
    eye_mm: Vector
    """(3,) its place in `board_mm`, z up from the board's plane."""

    def ray(self, point_px: tuple[float, float]) -> Vector:
        """Return the unit direction, in the camera's frame, in which a pixel is seen."""
        x = (point_px[0] - self.center_px[0]) / self.focal_px
        y = (point_px[1] - self.center_px[1]) / self.focal_px
        ray = np.array([x, y, 1.0])
        return np.asarray(ray / np.linalg.norm(ray), dtype=np.float64)

    def slant(self, point_px: tuple[float, float]) -> float:
        """Return the tangent of the angle between a pixel's ray and the vertical."""
        plumb = min(abs(float(self.ray(point_px) @ self.down)), 1.0)
        return math.sqrt(max(0.0, 1.0 - plumb**2)) / max(plumb, 1e-6)

    def upright(self, point_px: tuple[float, float]) -> Matrix:
        """Return the homography `image_px` → the picture of a camera turned to a pixel.

        That camera hangs where the real one does, looks straight at the pixel, and holds the
        picture so that what rises from the board rises in it. Its middle is (0, 0) and its
        focal length the same.
        """
        ahead = self.ray(point_px)
        below = self.down - (self.down @ ahead) * ahead
        if np.linalg.norm(below) < 1e-4:
            # Right above it everything stands upright: keep the picture's own way up.
            below = np.array([0.0, 1.0, 0.0]) - ahead[1] * ahead
        below = below / np.linalg.norm(below)
        turn = np.vstack([np.cross(below, ahead), below, ahead])
        focal = np.diag([self.focal_px, self.focal_px, 1.0])
        x, y = self.center_px
        f = self.focal_px
        rays = np.array([[1 / f, 0, -x / f], [0, 1 / f, -y / f], [0, 0, 1.0]])
        return np.asarray(focal @ turn @ rays, dtype=np.float64)

    def lowered(
        self, spot_mm: npt.NDArray[np.float64], height_mm: float
    ) -> npt.NDArray[np.float64]:
        """Return what lies straight under a thing that is seen in front of a spot.

        Args:
            spot_mm: (2,) where the ray through the thing meets the board's plane.
            height_mm: how high above the plane the thing is.
        """
        share = height_mm / max(float(self.eye_mm[2]), 1.0)
        return np.asarray(spot_mm + (self.eye_mm[:2] - spot_mm) * share, dtype=np.float64)


def camera_over(
    board_from_image: Matrix,
    image_size_px: tuple[int, int],
    settings: PoseSettings | None = None,
    *,
    focal_px: float | None = None,
) -> CameraPose:
    """Return where the camera hangs.

    Args:
        board_from_image: `image_px` → `board_mm`; the millimetres may be nominal.
        image_size_px: (width, height) of the picture.
        settings: what is trusted how far.
        focal_px: the focal length where it was measured; None: the one that fits best.

    Raises:
        GeometryError: no camera sees a board so.
    """
    matrix = np.ascontiguousarray(board_from_image, dtype=np.float64)
    return _fitted(matrix.tobytes(), image_size_px, settings or PoseSettings(), focal_px)


@lru_cache(maxsize=8)
def _fitted(
    matrix: bytes,
    image_size_px: tuple[int, int],
    settings: PoseSettings,
    focal_px: float | None,
) -> CameraPose:
    """Fit the pose: for a board that keeps still it is the same for hours, and takes 15 ms."""
    board_from_image = np.frombuffer(matrix, dtype=np.float64).reshape(3, 3)
    width, height = image_size_px
    middle = ((width - 1) / 2, (height - 1) / 2)
    longer = float(max(width, height))
    image_from_board = invert(board_from_image)
    if focal_px is None:
        tried = longer * np.exp(
            np.linspace(math.log(settings.narrowest), math.log(settings.widest), settings.steps)
        )
        focal_px = float(
            min(tried, key=lambda f: _misfit(image_from_board, f, middle, settings, longer))
        )
    f, (x, y) = focal_px, middle
    rays = np.array([[1 / f, 0, -x / f], [0, 1 / f, -y / f], [0, 0, 1.0]])
    frame = rays @ image_from_board
    frame = frame / (np.linalg.norm(frame[:, 0]) * np.linalg.norm(frame[:, 1])) ** 0.5
    if frame[2, 2] < 0:
        frame = -frame
    inner = np.array([[f, 0, x], [0, f, y], [0, 0, 1.0]])
    # What is on the horizon is seen along the plane: its pixels' rays are level.
    down = inner.T @ board_from_image[2]
    down = down / np.linalg.norm(down)
    if not np.isfinite(frame).all() or not np.isfinite(down).all():
        raise GeometryError("no camera sees a board so")
    # The field's middle is in front of the camera and below it.
    if down @ frame[:, 2] < 0:
        down = -down
    above = float(down @ frame[:, 2])
    foot = down * above - frame[:, 2]
    axes = frame[:, :2]
    x_mm, y_mm = np.linalg.lstsq(axes, foot, rcond=None)[0].tolist()
    eye = np.array([x_mm, y_mm, above])
    return CameraPose(focal_px, middle, np.asarray(down, np.float64), eye)


def _misfit(
    image_from_board: Matrix,
    focal_px: float,
    middle: tuple[float, float],
    settings: PoseSettings,
    longer_px: float,
) -> float:
    """Return how badly a focal length fits corners and habits."""
    x = (image_from_board[0, :2] - middle[0] * image_from_board[2, :2]) / focal_px
    y = (image_from_board[1, :2] - middle[1] * image_from_board[2, :2]) / focal_px
    axes = np.vstack([x, y, image_from_board[2, :2]])
    first, second = float(np.linalg.norm(axes[:, 0])), float(np.linalg.norm(axes[:, 1]))
    angle = float(axes[:, 0] @ axes[:, 1]) / (first * second)
    return (
        (angle / settings.square_spread) ** 2
        + (math.log(second / first) / settings.proportion_spread) ** 2
        + (math.log(focal_px / longer_px / settings.usual_focal) / settings.focal_spread) ** 2
    )
