"""Read what stands on the 24 points and the bar of a flattened board, or say it is unsure."""

from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from vision.board_view import BoardView
from vision.checkers_bar import BarSettings, read_bar
from vision.checkers_colors import (
    ColorSettings,
    DiscColors,
    disc_colors,
    lab_cells,
    light_probability,
)
from vision.checkers_counts import (
    CountSettings,
    class_probabilities,
    depth_probability,
    outcome,
    outcome_probabilities,
    with_cover,
    with_layers,
    with_sum,
)
from vision.checkers_crops import (
    BARS,
    CELL_PX,
    CELLS,
    HALVES,
    PITCH_PX,
    RIM_PX,
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
from vision.checkers_network import LONG_ROW, CheckersNetwork, default_network
from vision.checkers_shade import ShadeSettings, shading, with_shade
from vision.cv import BgrImage
from vision.observation import BarReading, CheckersReading, PointReading

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CheckersSettings:
    """When to speak and when to be unsure."""

    sure: float = 0.85
    """Probability from which a reading is vouched for."""
    deep: float = 0.05
    """Probability of layers, a long row or cover above which no count is vouched for."""
    mirrored: bool = False
    """Look at each row twice, once mirrored: twice the time for hardly more."""
    least_candidate: float = 0.01
    colors: ColorSettings = field(default_factory=ColorSettings)
    counts: CountSettings = field(default_factory=CountSettings)
    bar: BarSettings = field(default_factory=BarSettings)
    look: LookSettings = field(default_factory=LookSettings)
    shade: ShadeSettings = field(default_factory=ShadeSettings)


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
    crops, logits, cells = _look(view, geometry, settings, network or default_network())
    colors = _colors(crops[:4], cells[:4], logits, geometry, settings)
    if look is not None:
        look = relit(look, crops[:4])
    light, sides = light_probability(colors, look.colors if look else None, settings.colors)
    shade = shading([lab_cells(one) for one in crops[:4]], cells[:4, :, :, 1], settings.shade)
    light = with_shade(light, colors, shade, look.colors if look else None, settings.colors)
    bar = read_bar(cells[4:], crops[4:], geometry, sides, settings.bar, settings.colors)
    if look is not None:
        bar = bar_with_look(bar, look)
    classes = class_probabilities(logits, settings.counts)
    classes = with_cover(classes, _covered(cells[:4]))
    if look is not None:
        classes = with_look(classes, crops[:4], look, settings.look)
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
    crops, logits, cells = _look(view, geometry, settings, network or default_network())
    colors = _colors(crops[:4], cells[:4], logits, geometry, settings)
    made = look_of(crops[:4], colors, (*known.top, *known.bottom))
    if known.bar != BarReading(0, 0):
        return made
    bar = read_bar(cells[4:], crops[4:], geometry, made.colors, settings.bar, settings.colors)
    return replace(made, bar=bar)


def _look(
    view: BoardView,
    geometry: BoardGeometry,
    settings: CheckersSettings,
    network: CheckersNetwork,
) -> tuple[list[BgrImage], Array, npt.NDArray[np.float32]]:
    """Return the crops, (24, 10) log-odds in reading order, and the crops' cells."""
    names = HALVES + (BARS if geometry.bar_right_mm > geometry.bar_left_mm else ())
    crops = [crop(view, geometry, name) for name in names]
    pictures = normalized(crops)
    seen = network.look(pictures)
    logits, cells = seen.classes[:4], seen.cells
    if settings.mirrored:
        again = network.look(np.ascontiguousarray(pictures[:4, :, :, ::-1]))
        logits = (logits + again.classes[:, ::-1]) / 2
        cells = np.concatenate([(cells[:4] + again.cells[:, :, ::-1]) / 2, cells[4:]])
    # Crops run top-left, bottom-left, top-right, bottom-right.
    return crops, logits[[0, 2, 1, 3]].reshape(24, -1), cells


def _covered(cells: npt.NDArray[np.float32]) -> Array:
    """Return (24,): how much of each point's foot lies under something, in reading order."""
    rim = RIM_PX // CELL_PX
    feet = cells[[0, 2, 1, 3], rim : rim + 4, CELLS // 14 : -(CELLS // 14), 2]
    return np.asarray(feet.reshape(4, 4, 6, 4).mean(axis=(1, 3)).ravel(), dtype=np.float64)


def _colors(
    crops: list[BgrImage],
    cells: npt.NDArray[np.float32],
    logits: Array,
    geometry: BoardGeometry,
    settings: CheckersSettings,
) -> DiscColors:
    """Return the colours on the 24 points in reading order."""
    rows = logits[:, :LONG_ROW].argmax(axis=1).reshape(4, 6)
    found = []
    for k, at in enumerate((0, 2, 1, 3)):
        pitch = geometry.pitch_mm(0 if at < 2 else 11)
        size = geometry.checker_mm / pitch * PITCH_PX / CELL_PX
        lab = lab_cells(crops[at])
        found.append(disc_colors(lab, cells[at, :, :, 1], rows[k], size, settings.colors))
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
