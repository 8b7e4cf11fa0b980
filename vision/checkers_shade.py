"""How the light falls on each point, and which points a shadow's edge makes doubtful.

In a shadow a light checker is as dark as a dark one in the sun. The points themselves tell:
they alternate between two colours, so where one is darker than its like, it lies in shadow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from vision.checkers_colors import (
    ColorSettings,
    DiscColors,
    SideColors,
    bgr_of_lab,
    lab_of_bgr,
    light_probability,
)
from vision.checkers_crops import CELL_PX, CELLS, READING_ORDER, RIM_PX
from vision.cv import FloatImage, as_f32, as_f64

Array: TypeAlias = npt.NDArray[np.float64]
_COLUMNS: Final = 12
_BANDS: Final = 3
"""Parts of a point from the rim inwards: a shadow's edge may run across it."""


@dataclass(frozen=True, slots=True)
class ShadeSettings:
    """How the light on a point is told."""

    free: float = 0.1
    """Chance of a checker up to which a cell shows the board."""
    least_depths: int = 2
    """Depths at which two bands must both be free to be compared."""
    smooth: float = 0.15
    """How much neighbours of unlike colour are believed to be lit alike, beside the comparison
    of points of one colour."""
    rounds: int = 10
    """Of reweighting: one point with an ornament must not bend all others."""
    disc: float = 0.6
    """Chance of a checker from which a cell shows one."""


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """Bands `a` and `b` that are compared, as parallel arrays."""

    a: npt.NDArray[np.int64]
    b: npt.NDArray[np.int64]
    wanted: Array
    """The tone of band `b` less that of band `a`: on alike boards, their light's."""
    weight: Array


def shading(
    labs: list[FloatImage],
    discs: npt.NDArray[np.float32],
    settings: ShadeSettings | None = None,
) -> Array:
    """Return how much more light what stands on each point gets than most of the board.

    Args:
        labs: four of (28, 28, 3), L* a* b*, of the halves as they are cut.
        discs: (4, 28, 28) probability that a cell shows a checker.
        settings: thresholds.

    Returns:
        (24,) logarithms in reading order.
    """
    settings = settings or ShadeSettings()
    tone, disc = _cells(labs, discs)
    free = disc.max(axis=3) < settings.free
    edges = (
        _along(tone, free, settings.least_depths),
        _across(tone, free, settings.least_depths),
        _near(settings.smooth),
    )
    bands = _solved(edges, settings.rounds).reshape(2 * _COLUMNS, _BANDS)
    held = (disc > settings.disc).sum(axis=(2, 3)) + np.array([1e-3, 0.0, 0.0])
    return as_f64((bands * held).sum(axis=1) / held.sum(axis=1))


def with_shade(
    light: Array,
    colors: DiscColors,
    shade: Array,
    known: SideColors | None,
    settings: ColorSettings,
) -> Array:
    """Return the probabilities of the light side, as the shade bears them out.

    Where it contradicts the colours as they are, the side is unsure; where it agrees and is the
    clearer of the two, their mean is taken.

    Args:
        light: (24,) as the colours tell them.
        colors: of what stands on each point.
        shade: (24,) from `shading`.
        known: both sides' colours where they were learned.
        settings: as for `light_probability`.
    """
    gain = np.exp(-np.clip(shade, -1.5, 1.5))[:, None]
    bgr = np.clip(bgr_of_lab(as_f32(colors.lab)) * gain, 0.0, 1.0)
    evened = DiscColors(as_f64(lab_of_bgr(as_f32(bgr))), colors.weight)
    # Learned colours are those of one light: where it is two, the checkers tell it themselves.
    for sides in (None,) if known is None else (known, None):
        other, _ = light_probability(evened, sides, settings)
        one, both = _odds(light), (_odds(light) + _odds(other)) / 2
        kept = (light - 0.5) * (other - 0.5) >= 0
        kept &= np.abs(one) >= np.abs(both)
        light = np.where(kept, light, 1 / (1 + np.exp(-both)))
    return light


def _odds(chance: Array) -> Array:
    kept = np.clip(chance, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(kept / (1 - kept)), dtype=np.float64)


def _cells(
    labs: list[FloatImage], discs: npt.NDArray[np.float32]
) -> tuple[Array, npt.NDArray[np.float32]]:
    """Return the points' middles: (24, 3, 8) log tones, (24, 3, 8, 4) chances of checkers."""
    rim = RIM_PX // CELL_PX
    deep = (CELLS - rim) // _BANDS
    tones, found = [], []
    for at in READING_ORDER:
        luma = np.log(np.maximum(bgr_of_lab(labs[at]).mean(axis=2), 0.02))
        for column in range(6):
            window = np.s_[rim : rim + _BANDS * deep, 4 * column + 2 : 4 * column + 6]
            tones.append(luma[window].mean(axis=1).reshape(_BANDS, deep))
            found.append(discs[at][window].reshape(_BANDS, deep, 4))
    return as_f64(np.stack(tones)), np.stack(found)


def _compared(
    tone: Array, free: npt.NDArray[np.bool_], pairs: list[tuple[int, int]], least_depths: int
) -> _Edges:
    """Compare points of one colour, band by band, where both show the board."""
    a, b = np.array(pairs).T
    both = free[a] & free[b]
    count = np.count_nonzero(both, axis=2)
    wanted = np.where(both, tone[b] - tone[a], 0.0).sum(axis=2) / np.maximum(count, 1)
    bands = np.arange(_BANDS)
    told = count >= least_depths
    return _Edges(
        (_BANDS * a[:, None] + bands)[told],
        (_BANDS * b[:, None] + bands)[told],
        wanted[told],
        np.minimum(1.0, count / 5)[told],
    )


def _along(tone: Array, free: npt.NDArray[np.bool_], least_depths: int) -> _Edges:
    """Compare points of one colour in each row."""
    pairs = [
        (row + column, row + column + away)
        for row in (0, _COLUMNS)
        for away in (2, 4)
        for column in range(_COLUMNS - away)
    ]
    return _compared(tone, free, pairs, least_depths)


def _across(tone: Array, free: npt.NDArray[np.bool_], least_depths: int) -> _Edges:
    """Compare the rows: facing points have unlike colours on most boards, not on all."""
    ways = []
    for aside in ((1, -1), (0,)):
        pairs = [
            (column, _COLUMNS + column + step)
            for column in range(_COLUMNS)
            for step in aside
            if 0 <= column + step < _COLUMNS
        ]
        ways.append(_compared(tone, free, pairs, least_depths))
    return min(ways, key=_striped)


def _striped(edges: _Edges) -> float:
    """Return how unlike the differences in odd and even columns are."""
    gaps = []
    for band in range(_BANDS):
        mine = edges.a % _BANDS == band
        odd = edges.a // _BANDS % 2 == 1
        if (mine & odd).any() and (mine & ~odd).any():
            gap = np.median(edges.wanted[mine & odd]) - np.median(edges.wanted[mine & ~odd])
            gaps.append(abs(float(gap)))
    return float(np.mean(gaps)) if gaps else float("inf")


def _near(weight: float) -> _Edges:
    """Tie what lies side by side or one behind the other: light changes in few places."""
    nodes = np.arange(2 * _COLUMNS * _BANDS).reshape(2, _COLUMNS, _BANDS)
    a = np.concatenate([nodes[:, :, :-1].ravel(), nodes[:, :-1].ravel()])
    b = np.concatenate([nodes[:, :, 1:].ravel(), nodes[:, 1:].ravel()])
    return _Edges(a, b, np.zeros(len(a)), np.full(len(a), weight))


def _solved(edges: Sequence[_Edges], rounds: int) -> Array:
    """Return the shade of each band that fits the differences best in absolute terms."""
    nodes = 2 * _COLUMNS * _BANDS
    a, b = np.concatenate([e.a for e in edges]), np.concatenate([e.b for e in edges])
    wanted = np.concatenate([e.wanted for e in edges])
    weight = np.concatenate([e.weight for e in edges])
    shade = np.zeros(nodes)
    for _ in range(rounds):
        w = weight / np.maximum(np.abs(shade[b] - shade[a] - wanted), 0.02)
        normal = 1e-3 * np.eye(nodes)
        for one, other, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            np.add.at(normal, (one, other), sign * w)
        right = np.bincount(b, w * wanted, nodes) - np.bincount(a, w * wanted, nodes)
        shade = np.linalg.solve(normal, right)
    return as_f64(shade - np.median(shade))
