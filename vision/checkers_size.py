"""How large the checkers are: circles on the points' feet, wherever enough of them agree."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.cv import FloatImage, GrayImage, as_f32, as_f64

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SizeSettings:
    """Where circles are looked for, and what makes a checker's outline."""

    smallest: float = 0.72
    """Diameter, as a share of a point's width."""
    largest: float = 0.98
    steps: int = 14
    aside: float = 0.06
    """How far a checker may stand off its centre line and its rim, in point widths."""
    off_rim: float = 0.16
    clear: float = 0.55
    """Mean strength of an outline, 0–1, from which a circle counts."""
    least_circles: int = 3
    agree: float = 0.06
    """Median deviation among the circles' diameters up to which they are believed."""


def checker_share(
    gray: GrayImage, feet_px: Array, pitch_px: float, settings: SizeSettings
) -> float | None:
    """Return a checker's diameter as a share of a point's width; None: cannot be told.

    Args:
        gray: rectified picture.
        feet_px: (N, 3): x and y of each point's foot on the rim, and 1 or -1, the way from
            there to the middle of the board.
        pitch_px: a point's width.
        settings: what to look for.
    """
    pull = outlines(gray)
    shares = np.linspace(settings.smallest, settings.largest, settings.steps)
    across = np.linspace(-settings.aside, settings.aside, 3)
    inward = np.linspace(0.0, settings.off_rim, 5)
    angles = np.arange(16) * (2 * np.pi / 16)
    radius, dx, dy, angle = np.meshgrid(shares / 2, across, inward, angles, indexing="ij")
    nx, ny = np.cos(angle), np.sin(angle)
    found = []
    for x, y, way in feet_px:
        px = x + pitch_px * (dx + radius * nx)
        py = y + way * pitch_px * (radius + dy) + pitch_px * radius * ny
        along = along_radii(pull, px, py, angle).mean(axis=3)
        best = along.max(axis=(1, 2))
        # The largest circle of all is no outline but what lies between two points.
        if best.max() >= settings.clear and best.argmax() < len(shares) - 1:
            found.append(float(shares[best.argmax()]))
    if len(found) < settings.least_circles:
        return None
    middle = float(np.median(found))
    if float(np.median(np.abs(np.array(found) - middle))) > settings.agree:
        return None
    return middle


def along_radii(pull: FloatImage, x_px: Array, y_px: Array, angle: Array) -> Array:
    """Return how far slopes on circles point along their radii, 0–1, all of one shape.

    An outline runs along the circle: its slope points along the radius, either way.

    Args:
        pull: the picture's slopes (`outlines`).
        x_px: places on the circles.
        y_px: the same.
        angle: of the radius there, radians.
    """
    # OpenCV takes no more than 32767 places in a row or column.
    rows = (x_px.shape[0], -1)
    at = np.stack([x_px.reshape(rows), y_px.reshape(rows)], axis=-1).astype(np.float32)
    slope = cv2.remap(pull, at, None, cv2.INTER_LINEAR)  # type: ignore[call-overload]
    slope = as_f64(slope).reshape(*x_px.shape, 2)
    return np.abs(slope[..., 0] * np.cos(angle) + slope[..., 1] * np.sin(angle))


def outlines(gray: GrayImage) -> FloatImage:
    """Return (H, W, 2): the direction of every slope, its length pressed into 0–1."""
    soft = cv2.GaussianBlur(gray, (0, 0), 1.0)
    slope = np.dstack([cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)])
    return as_f32(slope / (12.0 + np.linalg.norm(slope, axis=2, keepdims=True)))
