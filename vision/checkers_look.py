"""What was learned of one board from a known position, and what it adds to a reading."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.checkers_colors import (
    DiscColors,
    Lab,
    SideColors,
    bgr_of_lab,
    lab_of_bgr,
)
from vision.checkers_crops import READING_ORDER
from vision.checkers_network import LONG_ROW
from vision.cv import FloatImage, as_f32
from vision.observation import BarReading, PointReading, Side

_DARK: Final = 0.04
"""Share of full scale below which a cell says nothing of the light: noise and black level."""
_UNLIKE: Final = (0.7, 0.35, 0.2, 0.12)
"""How far, as a logarithm, a cell's gain may lie from all others', step by step narrower."""


@dataclass(frozen=True, slots=True)
class LookSettings:
    """How much a point that looks as it did is believed to hold what it held."""

    same: float = 3.0
    """Mean difference in Lab, light evened out, up to which a point looks unchanged."""
    other: float = 8.0
    """The same from which it has surely changed."""
    weight: float = 3.0
    """Log-odds given to the known count where a point looks unchanged."""
    doubt: float = 0.7
    """Log-odds taken from it where the point has surely changed: a die, a hand or a shadow
    changes a point's look as well, so this says far less."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardLook:
    """One board in its light."""

    colors: SideColors | None
    """None: the known position did not show both sides."""
    points: FloatImage
    """(24, 28, 6, 3): each point's cells, L* a* b*."""
    counts: tuple[int | None, ...]
    """What stood on the 24 points; None: unknown."""
    bar: BarReading | None = None
    """What the bar was read as when nothing lay on it: hinges look like checkers, and go on
    looking like the same ones. None: something lay there, or it was not looked at."""


def look_of(
    labs: list[FloatImage],
    colors: DiscColors,
    known: Sequence[PointReading],
    bar: BarReading | None = None,
) -> BoardLook:
    """Learn both sides' colours and every point's look."""
    centers = []
    for side in (Side.LIGHT, Side.DARK):
        mine = [k for k, p in enumerate(known) if p.side is side and p.count]
        mine = [k for k in mine if colors.weight[k] > 0]
        if mine:
            center = np.median(colors.lab[mine], axis=0)
            centers.append((float(center[0]), float(center[1]), float(center[2])))
    both = SideColors(centers[0], centers[1]) if len(centers) == 2 else None
    return BoardLook(both, point_cells(labs), tuple(p.count for p in known), bar)


def relit(look: BoardLook, labs: list[FloatImage]) -> BoardLook:
    """Return what was learned as it would look in the light of now.

    A dimmed lamp must not make light checkers pass for dark ones. Most cells show what they
    showed, whatever was moved since: the gain they agree on, per channel, is the light's.

    Args:
        look: what was learned.
        labs: the halves as they look now, four of (28, 28, 3), L* a* b*.
    """
    before, now = bgr_of_lab(look.points), bgr_of_lab(point_cells(labs))
    told = ((before > _DARK) & (now > _DARK)).all(axis=3)
    if np.count_nonzero(told) < told.size / 4:
        return look
    ratios = np.log(now[told] / before[told])
    gain = np.median(ratios, axis=0)
    for window in _UNLIKE:
        near = np.abs(ratios - gain).max(axis=1) < window
        if np.count_nonzero(near) < len(near) / 8:
            break
        gain = np.median(ratios[near], axis=0)
    factor = as_f32(np.exp(gain))

    def relit_lab(lab: FloatImage) -> FloatImage:
        return lab_of_bgr(as_f32(np.minimum(bgr_of_lab(lab) * factor, 1.0)))

    def relit_color(color: Lab) -> Lab:
        made = relit_lab(as_f32(np.array([color])))[0]
        return float(made[0]), float(made[1]), float(made[2])

    colors = look.colors
    if colors is not None:
        colors = SideColors(relit_color(colors.light), relit_color(colors.dark))
    return replace(look, colors=colors, points=relit_lab(look.points))


def bar_with_look(read: BarReading, look: BoardLook) -> BarReading:
    """Return what lies on the bar, given what it is read as when it is empty."""
    empty = look.bar
    if empty is None or None in (read.light, read.dark, empty.light, empty.dark):
        return read
    light, dark = (read.light or 0) - (empty.light or 0), (read.dark or 0) - (empty.dark or 0)
    return BarReading(light, dark) if min(light, dark) >= 0 else BarReading(None, None)


def point_cells(labs: list[FloatImage]) -> FloatImage:
    """Return each point's cells in reading order from those of the four halves."""
    return np.stack(
        [
            labs[at][:, 4 * column + 1 : 4 * column + 7]
            for at in READING_ORDER
            for column in range(6)
        ]
    )


def with_look(
    classes: npt.NDArray[np.float64],
    labs: list[FloatImage],
    look: BoardLook,
    settings: LookSettings,
) -> npt.NDArray[np.float64]:
    """Weigh each point's classes by whether it still looks as it did."""
    now = point_cells(labs)[:, 2:]
    change = now - look.points[:, 2:]
    # The lamp may have dimmed or the exposure moved: an even change is no change.
    change -= np.median(change, axis=(0, 1, 2), keepdims=True)
    difference = np.linalg.norm(change, axis=3).mean(axis=(1, 2))
    middle = (settings.same + settings.other) / 2
    scale = (settings.other - settings.same) / 2
    likeness = np.clip((middle - difference) / scale, -1, 1)
    support = np.where(likeness > 0, settings.weight, settings.doubt) * likeness
    out = classes.copy()
    for k, count in enumerate(look.counts):
        if count is not None and count < LONG_ROW:
            out[k, count] *= np.exp(support[k])
    return np.asarray(out / out.sum(axis=1, keepdims=True), dtype=np.float64)
