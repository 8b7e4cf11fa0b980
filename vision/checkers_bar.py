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
    reach: float = 1.2
    """How far from the middle, in checkers, hit checkers begin on a board without a bar."""
    farthest: float = 4.0
    """How far they may reach: beyond lie those on the points beside the middle line."""
    hidden: float = 0.5
    """Share of cells under something else from which nothing is said on such a board: dice lie
    there too, and hide no checker."""
    mirrored: float = 2.0
    """Cells by which a hinge may lie beside the other one's mirror image."""
    raised: float = 1.08
    """How much larger checkers look on a bar, which is nearer to the camera."""
    between: float = 0.42
    """How far from a whole number of checkers a run's length may lie."""
    foreign: float = 16.0
    """Distance in Lab, L* counted half, from both sides' colours beyond which it is neither
    side's checker but a hinge or a catch."""


@dataclass(frozen=True, slots=True)
class _Run:
    """A stretch of the bar that shows something like checkers."""

    middle: float
    """Cells from the middle of the board, negative towards the top."""
    length: float
    """In checkers."""
    light: bool | None
    """Whose checkers these are; None: nobody's."""


def read_bar(
    cells: FloatImage,
    crops: list[BgrImage],
    geometry: BoardGeometry,
    sides: SideColors | None,
    settings: BarSettings,
    colors: ColorSettings,
    *,
    empty: BarReading | None = None,
) -> BarReading:
    """Count the checkers on the bar.

    Hinges and catches are no checkers: they are in neither side's colour, and come in pairs,
    one the other's mirror image.

    Args:
        cells: (2, 28, 28, 3) what the bar's crops show.
        crops: the bar's two crops; of a board without a bar, those along its middle line.
        geometry: the board.
        sides: both sides' colours, if known.
        settings: thresholds.
        colors: how far colours are told apart.
        empty: what the bar was read as when nothing lay on it, if it was looked at then.

    Returns:
        None for both where something lies over the bar or a run of cells is no whole
        checker. On a board without a bar checkers count that lie in the middle of its middle
        line, where those on the points beside it do not reach.
    """
    pitch_mm = (geometry.pitch_mm(0) + geometry.pitch_mm(11)) / 2
    cells_per_mm = PITCH_PX / CELL_PX / pitch_mm
    rim = RIM_PX // CELL_PX
    depth = min(CELLS, rim + round(geometry.height_mm / 2 * cells_per_mm))
    strip = _middle([as_f32(c) for c in cells], rim, depth)
    lab = _middle([lab_cells(c) for c in crops], rim, depth)
    size = geometry.checker_mm * cells_per_mm
    free = geometry.bar_right_mm <= geometry.bar_left_mm
    reach = settings.reach * size if free else float(len(strip))
    middle = (len(strip) - 1) / 2
    zone = np.abs(np.arange(len(strip)) - middle) <= reach
    if float(strip[zone, :, 2].mean()) > (settings.hidden if free else settings.covered):
        return UNKNOWN
    shown = strip[:, :, 1].mean(axis=1)
    runs = []
    for first, last in _runs(shown > settings.cell):
        length = float(shown[max(first - 1, 0) : last + 1].sum()) / size
        if length < settings.stray or not zone[first:last].any():
            continue
        if free and max(middle - first, last - 1 - middle) > settings.farthest * size:
            return UNKNOWN
        whose = None
        if length >= settings.shortest and sides is not None:
            whose = _whose(lab[first:last], sides, settings, colors)
        runs.append(_Run((first + last - 1) / 2 - middle, length, whose))
    return _counted(runs, settings, empty)


def _whose(
    lab: FloatImage, sides: SideColors, settings: BarSettings, colors: ColorSettings
) -> bool | None:
    """Return whether a run is light; None: not sure, or in neither side's colour."""
    inner = as_f64(np.median(lab.reshape(-1, 3), axis=0))
    apart = (inner - np.array([sides.light, sides.dark])) * (0.5, 1.0, 1.0)
    if float(np.linalg.norm(apart, axis=1).min()) > settings.foreign:
        return None
    color = DiscColors(inner[None], np.array([9.0]))
    chance = float(light_probability(color, sides, colors)[0][0])
    return chance > 0.5 if max(chance, 1 - chance) >= settings.sure_side else None


def _counted(runs: list[_Run], settings: BarSettings, empty: BarReading | None) -> BarReading:
    """Count the checkers of all runs; hinges count for nothing."""
    light = dark = 0
    for run in runs:
        paired = any(
            other is not run
            and other.light is run.light
            and abs(other.middle + run.middle) <= settings.mirrored
            for other in runs
        )
        if run.light is None:
            if paired or empty == UNKNOWN:  # as it was on the empty bar
                continue
            return UNKNOWN
        if paired and empty is None and run.length < 1.5:
            return UNKNOWN  # hinges in a checker's colour?
        checkers = run.length / settings.raised
        n = max(1, round(checkers))
        if checkers > 1 and abs(checkers - n) > settings.between:
            return UNKNOWN
        light, dark = (light + n, dark) if run.light else (light, dark + n)
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
