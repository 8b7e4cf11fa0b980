"""Checkers lying on the bar."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from vision.checkers_colors import (
    ColorSettings,
    DiscColors,
    SideColors,
    lab_cells,
    light_probability,
)
from vision.checkers_crops import CELL_PX, CELLS, PITCH_PX, RIM_PX
from vision.cv import BgrImage, FloatImage, as_f32, as_f64
from vision.observation import BarReading

UNKNOWN = BarReading(None, None)


@dataclass(frozen=True, slots=True)
class BarSettings:
    """What counts as a checker on the bar."""

    cell: float = 0.5
    """Probability of showing a checker from which a cell belongs to one."""
    shortest: float = 0.55
    """Shortest run of such cells, in checkers, that is one."""
    stray: float = 0.25
    """Runs from this length on, if too short for a checker, leave the bar unsure."""
    covered: float = 0.12
    """Share of cells under something else from which nothing is said."""
    sure_side: float = 0.8
    foreign: float = 16.0
    """Distance in Lab, L* counted half, from both sides' colours beyond which it is neither
    side's checker but a hinge or a catch."""


def read_bar(
    cells: FloatImage,
    crops: list[BgrImage],
    geometry: BoardGeometry,
    sides: SideColors | None,
    settings: BarSettings,
    colors: ColorSettings,
) -> BarReading:
    """Count the checkers on the bar.

    Args:
        cells: (2, 28, 28, 3) what the bar's crops show; empty where there is no bar.
        crops: the bar's two crops.
        geometry: the board.
        sides: both sides' colours, if known.
        settings: thresholds.
        colors: how far colours are told apart.

    Returns:
        None for both where something lies over the bar or a run of cells is no whole
        checker; nothing on a board that has no bar.
    """
    if not len(cells):
        return BarReading(0, 0)
    pitch_mm = (geometry.pitch_mm(0) + geometry.pitch_mm(11)) / 2
    cells_per_mm = PITCH_PX / CELL_PX / pitch_mm
    rim = RIM_PX // CELL_PX
    depth = min(CELLS, rim + round(geometry.height_mm / 2 * cells_per_mm))
    strip = _middle([as_f32(c) for c in cells], rim, depth)
    lab = _middle([lab_cells(c) for c in crops], rim, depth)
    if float(strip[:, :, 2].mean()) > settings.covered:
        return UNKNOWN
    size = geometry.checker_mm * cells_per_mm
    light = dark = 0
    for first, last in _runs(strip[:, :, 1].mean(axis=1) > settings.cell):
        length = (last - first) / size
        if length < settings.stray:
            continue
        if length < settings.shortest or sides is None:
            return UNKNOWN
        inner = as_f64(np.median(lab[first:last].reshape(-1, 3), axis=0))
        apart = (inner - np.array([sides.light, sides.dark])) * (0.5, 1.0, 1.0)
        if float(np.linalg.norm(apart, axis=1).min()) > settings.foreign:
            return UNKNOWN
        color = DiscColors(inner[None], np.array([9.0]))
        chance = float(light_probability(color, sides, colors)[0][0])
        if max(chance, 1 - chance) < settings.sure_side:
            return UNKNOWN
        n = max(1, round(length))
        light, dark = (light + n, dark) if chance > 0.5 else (light, dark + n)
    return BarReading(light, dark)


def _middle(parts: list[FloatImage], rim: int, depth: int) -> FloatImage:
    """Return the bar's cells from the top rim to the bottom rim: (N, 2, 3)."""
    middle = CELLS // 2
    top, bottom = (p[rim:depth, middle - 1 : middle + 1] for p in parts)
    return as_f32(np.concatenate([top, bottom[::-1]]))


def _runs(on: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return (first, end) of each run of true entries."""
    steps = np.flatnonzero(np.diff(np.concatenate([[0], on.astype(np.int8), [0]])))
    return [(int(a), int(b)) for a, b in zip(steps[::2], steps[1::2], strict=True)]
