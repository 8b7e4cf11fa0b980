"""Read what stands on the 24 points and the bar of a flattened board, or say it is unsure."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from vision.board_view import BoardView
from vision.checkers_bar import BarSettings, read_bar
from vision.checkers_colors import (
    ColorSettings,
    DiscColors,
    disc_colors,
    foreign_share,
    lab_cells,
    light_probability,
)
from vision.checkers_counts import (
    FULL_ROWS,
    CountSettings,
    class_probabilities,
    depth_probability,
    outcome,
    outcome_probabilities,
    with_cover,
    with_feet,
    with_foreign,
    with_layers,
    with_sum,
)
from vision.checkers_crops import (
    BARS,
    CELL_PX,
    CELLS,
    HALVES,
    PITCH_PX,
    READING_ORDER,
    RIM_PX,
    cell_mm,
    crop,
    normalized,
)
from vision.checkers_look import (
    BoardLook,
    LookSettings,
    bar_with_look,
    look_of,
    relit,
    with_look,
)
from vision.checkers_network import HIDDEN, LONG_ROW, CheckersNetwork, default_network
from vision.checkers_outline import OutlineSettings, with_outlines
from vision.checkers_shade import ShadeSettings, shading, with_shade
from vision.cv import BgrImage, FloatImage, as_u8
from vision.observation import BarReading, CheckersReading, PointReading

Array = npt.NDArray[np.float64]

_LARGE = 20
"""Cells of something that is neither ground nor checker, from which it is larger than dice: a
die takes up to nine."""
_FAINT = 0.05
"""Least share of checker that a place is measured by: below it there is none."""


@dataclass(frozen=True, slots=True)
class CheckersSettings:
    """When to speak and when to be unsure."""

    sure: float = 0.85
    """Probability from which a reading is vouched for."""
    deep: float = 0.05
    """Probability of layers, a long row or cover above which no count is vouched for."""
    again: bool = True
    """Look at a half of a row again, in the mirror, where something on it is unsure."""
    least_candidate: float = 0.01
    colors: ColorSettings = field(default_factory=ColorSettings)
    counts: CountSettings = field(default_factory=CountSettings)
    bar: BarSettings = field(default_factory=BarSettings)
    look: LookSettings = field(default_factory=LookSettings)
    shade: ShadeSettings = field(default_factory=ShadeSettings)
    outlines: OutlineSettings = field(default_factory=OutlineSettings)


def read_checkers(
    view: BoardView,
    geometry: BoardGeometry,
    settings: CheckersSettings | None = None,
    look: BoardLook | None = None,
    network: CheckersNetwork | None = None,
) -> CheckersReading:
    """Read all points and the bar.

    Args:
        view: the flattened board.
        geometry: where its bar lies and how large its checkers are, in `board_mm`.
        settings: thresholds.
        look: what was learned of this board from a position known before.
        network: another network than the package's own.

    Returns:
        For each point side and count; where these are not sure, None, with candidates whose
        probabilities sum to 1. A stack in several layers is always unsure: one still does not
        show its depth.
    Source: docs/explanation/checker-reading.md.
    """
    settings = settings or CheckersSettings()
    network = network or default_network()
    seen = _look(view, geometry, network)
    if look is not None:
        look = relit(look, seen.labs)
    shade = shading(seen.labs, seen.cells[:4, :, :, 1], settings.shade)
    reading = _read(view, geometry, seen, shade, settings, look)
    halves = _doubtful(reading, seen.logits) if settings.again else []
    if halves:
        seen = _looked_again(seen, halves, network)
        reading = _read(view, geometry, seen, shade, settings, look)
    return replace(reading, over_mm=_over(seen.cells[:4], geometry))


def _read(
    view: BoardView,
    geometry: BoardGeometry,
    seen: "_Seen",
    shade: Array,
    settings: CheckersSettings,
    look: BoardLook | None,
) -> CheckersReading:
    crops, labs, logits, cells = seen.crops, seen.labs, seen.logits, seen.cells
    colors = _colors(labs, cells[:4], logits, geometry, settings)
    light, sides = light_probability(colors, look.colors if look else None, settings.colors)
    light = with_shade(light, colors, shade, look.colors if look else None, settings.colors)
    bar = read_bar(
        cells[4:],
        crops[4:],
        geometry,
        sides,
        settings.bar,
        settings.colors,
        empty=look.bar if look else None,
    )
    if look is not None:
        bar = bar_with_look(bar, look)
    classes = class_probabilities(logits, settings.counts)
    classes = with_cover(classes, _covered(cells[:4], 4), _covered(cells[:4], 14))
    classes = with_foreign(classes, foreign_share(colors, sides, settings.colors))
    classes = with_outlines(classes, view, geometry, labs, sides, settings.outlines)
    if look is not None:
        classes = with_look(classes, labs, look, settings.look)
    classes = with_feet(classes, _feet(cells[:4]))
    outcomes = with_layers(outcome_probabilities(classes, light), settings.counts)
    outcomes = with_sum(outcomes, settings.counts, (bar.light or 0, bar.dark or 0))
    deep = depth_probability(classes, outcomes)
    points = [_reading(outcomes[k], float(deep[k]), settings) for k in range(24)]
    return CheckersReading(tuple(points[:12]), tuple(points[12:]), bar)


def learn_look(
    view: BoardView,
    geometry: BoardGeometry,
    known: CheckersReading,
    settings: CheckersSettings | None = None,
    network: CheckersNetwork | None = None,
) -> BoardLook:
    """Learn how this board looks from a position that is known.

    Args:
        view: the flattened board, nothing but checkers and dice on it.
        geometry: as for `read_checkers`.
        known: what stands there; points that are unsure teach nothing.
        settings: thresholds.
        network: another network than the package's own.
    """
    settings = settings or CheckersSettings()
    seen = _look(view, geometry, network or default_network())
    crops, cells = seen.crops, seen.cells
    colors = _colors(seen.labs, cells[:4], seen.logits, geometry, settings)
    made = look_of(seen.labs, colors, (*known.top, *known.bottom))
    if known.bar != BarReading(0, 0):
        return made
    bar = read_bar(cells[4:], crops[4:], geometry, made.colors, settings.bar, settings.colors)
    return replace(made, bar=bar)


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """What the network sees."""

    crops: list[BgrImage]
    labs: list[FloatImage]
    """(28, 28, 3) each, L* a* b*, of the four halves."""
    logits: Array
    """(24, 10) log-odds of the classes, in reading order."""
    cells: npt.NDArray[np.float32]
    """(6, 28, 28, 3), of the crops."""


def _look(view: BoardView, geometry: BoardGeometry, network: CheckersNetwork) -> _Seen:
    crops = [crop(view, geometry, name) for name in HALVES + BARS]
    seen = network.look(normalized(crops))
    labs = [lab_cells(one) for one in crops[: len(HALVES)]]
    return _Seen(crops, labs, seen.classes[list(READING_ORDER)].reshape(24, -1), seen.cells)


def _looked_again(seen: _Seen, halves: list[int], network: CheckersNetwork) -> _Seen:
    """Return what is seen once some halves of rows were looked at in the mirror as well."""
    mirrored = normalized(seen.crops[:4])[:, :, :, ::-1]
    again = network.look(np.ascontiguousarray(mirrored)).classes[list(READING_ORDER), ::-1]
    logits = seen.logits.reshape(4, 6, -1).copy()
    logits[halves] = (logits[halves] + again[halves]) / 2
    return replace(seen, logits=logits.reshape(24, -1))


def _doubtful(reading: CheckersReading, logits: Array) -> list[int]:
    """Return the halves of rows, in reading order, with an unsure point worth another look.

    Long rows and layers are unsure for what no look from here can show.
    """
    points = (*reading.top, *reading.bottom)
    best = logits.argmax(axis=1)
    short = (best < FULL_ROWS[0]) | (best == HIDDEN)
    doubt = np.array([one.unsure for one in points]) & short
    return [int(k) for k in np.flatnonzero(doubt.reshape(4, 6).any(axis=1))]


def _by_point(cells: npt.NDArray[np.float32], kind: int) -> npt.NDArray[np.float32]:
    """Return (4, CELLS, 6, 4): how likely the cells of each point show one kind of thing."""
    aside = CELLS // 14
    return cells[list(READING_ORDER), :, aside:-aside, kind].reshape(4, CELLS, 6, 4)


def _covered(cells: npt.NDArray[np.float32], depth: int) -> Array:
    """Return (24,): how much of each point's first cells lies under something."""
    rim = RIM_PX // CELL_PX
    feet = _by_point(cells, 2)[:, rim : rim + depth]
    return np.asarray(feet.mean(axis=(1, 3)).ravel(), dtype=np.float64)


def _over(
    cells: npt.NDArray[np.float32], geometry: BoardGeometry
) -> tuple[tuple[float, float], ...]:
    """Return the spots, in `board_mm`, that something larger than a die lies over."""
    spots: list[tuple[float, float]] = []
    for name, seen in zip(HALVES, cells, strict=True):
        strange = as_u8((seen[:, :, 2] > 0.5).astype(np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(strange, connectivity=4)
        large = np.flatnonzero(stats[:, cv2.CC_STAT_AREA] >= _LARGE)
        for row, column in np.argwhere(np.isin(labels, large[large > 0])):
            spots.append(cell_mm(int(row), int(column), geometry, name))
    return tuple(spots)


def _feet(cells: npt.NDArray[np.float32]) -> Array:
    """Return (24,): how much of each point's end at the rim is checker.

    As a share of its fullest cells, since on some boards checkers are hard to tell everywhere.
    """
    rows = _by_point(cells, 1).mean(axis=3).transpose(0, 2, 1).reshape(24, CELLS)
    rim = RIM_PX // CELL_PX
    fullest = np.maximum(rows.max(axis=1), _FAINT)
    return np.asarray(rows[:, rim : rim + 2].max(axis=1) / fullest, dtype=np.float64)


def _colors(
    labs: list[FloatImage],
    cells: npt.NDArray[np.float32],
    logits: Array,
    geometry: BoardGeometry,
    settings: CheckersSettings,
) -> DiscColors:
    """Return the colours on the 24 points in reading order."""
    rows = logits[:, :LONG_ROW].argmax(axis=1).reshape(4, 6)
    found = []
    for k, at in enumerate(READING_ORDER):
        pitch = geometry.pitch_mm(0 if at < 2 else 11)
        size = geometry.checker_mm / pitch * PITCH_PX / CELL_PX
        found.append(disc_colors(labs[at], cells[at, :, :, 1], rows[k], size, settings.colors))
    return DiscColors(
        np.concatenate([f.lab for f in found]), np.concatenate([f.weight for f in found])
    )


def _reading(outcomes: Array, deep: float, settings: CheckersSettings) -> PointReading:
    """Return one point's reading from its outcomes and the chance that it hides something."""
    order = np.argsort(-outcomes)
    side, count = outcome(int(order[0]))
    chance = float(outcomes[order[0]])
    vouched = chance >= settings.sure and count < LONG_ROW and deep <= settings.deep
    kept = [int(k) for k in order if outcomes[k] >= settings.least_candidate]
    total = float(outcomes[kept].sum())
    candidates = tuple((*outcome(k), float(outcomes[k]) / total) for k in kept)
    if vouched:
        return PointReading(side, count, chance, candidates)
    return PointReading(None, None, chance, candidates)
