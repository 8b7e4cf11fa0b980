"""A checker in the very colour of its point: its outline tells it from an empty one.

The network can take it for bare ground. So where the foot of a point that looks empty has the
colour of one side's checkers, a circle of a checker's size is looked for there.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from vision.board_view import BoardView
from vision.checkers_colors import SideColors
from vision.checkers_crops import READING_ORDER, padded
from vision.checkers_network import LONG_ROW
from vision.checkers_size import along_radii, outlines
from vision.cv import FloatImage, as_u8, to_gray

Array = npt.NDArray[np.float64]
_PITCH_PX = 40
"""A point's width in the pictures that circles are looked for in."""


@dataclass(frozen=True, slots=True)
class OutlineSettings:
    """Where circles are looked for, and what they are worth."""

    near: float = 10.0
    """Distance in Lab up to which the ground has the colour of a side's checkers."""
    faint: float = 0.72
    """Strength of the circle's weaker parts, 0–1, that ornaments and stains may reach."""
    clear: float = 0.76
    """The same that only a checker's outline reaches."""
    weight: float = 5.0
    """Log-odds that a clear circle gives to a checker."""


def with_outlines(
    classes: Array,
    view: BoardView,
    geometry: BoardGeometry,
    labs: list[FloatImage],
    sides: SideColors | None,
    settings: OutlineSettings,
) -> Array:
    """Doubt that points are empty on which a circle in a side's colour is seen.

    Args:
        classes: (24, 10) class probabilities, in reading order.
        view: the flattened board.
        geometry: where its points lie and how large its checkers are.
        labs: four of (28, 28, 3), L* a* b*, of the halves as they are cut.
        sides: both sides' colours, if known.
        settings: thresholds.
    """
    if sides is None:
        return classes
    centers = np.array([sides.light, sides.dark])
    made = classes.copy()
    for k in np.flatnonzero(classes[:, 0] > 0.5):
        half, column = divmod(int(k), 6)
        ground = labs[READING_ORDER[half]][2:6, 4 * column + 3 : 4 * column + 5].reshape(-1, 3)
        away = np.linalg.norm(np.median(ground, axis=0) - centers, axis=1).min()
        if away <= settings.near:
            strength = circle_strength(view, geometry, int(k))
            share = (strength - settings.faint) / (settings.clear - settings.faint)
            made[k, 1:LONG_ROW] *= np.exp(settings.weight * np.clip(share, 0.0, 1.0))
    return np.asarray(made / made.sum(axis=1, keepdims=True), dtype=np.float64)


def circle_strength(view: BoardView, geometry: BoardGeometry, point: int) -> float:
    """Return how strong the weaker parts of the best circle at a point's foot are, 0–1.

    Args:
        view: the flattened board.
        geometry: where its points lie and how large its checkers are.
        point: 0–23 in reading order.
    """
    pitch_mm = geometry.pitch_mm(point % 12)
    scale, margin = view.rectifier.px_per_mm, view.rectifier.margin_mm
    side = 1.5 * pitch_mm * scale
    x = (geometry.point_x_mm(point % 12) + margin) * scale - side / 2
    y = margin * scale - 0.15 * pitch_mm * scale
    if point >= 12:
        y = (margin + geometry.height_mm) * scale + 0.15 * pitch_mm * scale - side
    patch = to_gray(np.ascontiguousarray(padded(view.bgr, x, y, side)))
    width = round(1.5 * _PITCH_PX)
    pull = outlines(as_u8(cv2.resize(patch, (width, width), interpolation=cv2.INTER_AREA)))
    share = geometry.checker_mm / pitch_mm
    angles = (np.arange(16) + 0.5) * (2 * np.pi / 16)
    radius, aside, inward, angle = np.meshgrid(
        share / 2 + np.linspace(-0.03, 0.03, 5),
        np.linspace(-0.1, 0.1, 5),
        np.linspace(0.0, 0.2, 6),
        angles,
        indexing="ij",
    )
    nx, ny = np.cos(angle), np.sin(angle)
    px = 0.75 + aside + radius * nx
    depth = 0.15 + inward + radius
    py = (depth if point < 12 else 1.5 - depth) + radius * ny
    along = along_radii(pull, px * _PITCH_PX - 0.5, py * _PITCH_PX - 0.5, angle)
    return float(np.percentile(along, 25, axis=3).max())
