"""What a look at the board says of every absolute point, as probabilities.

The readers speak of light and dark checkers in image rows; the rules of White and Black on
absolute points. This is where the one becomes the other.
"""

import itertools
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from calibration.layout import BoardLayout
from referee.borne_off import Borne, InView, borne_off
from rules import CHECKERS, Color, Position
from vision.observation import (
    POINTS_PER_ROW,
    BarReading,
    CheckersReading,
    PointReading,
    Side,
)

OUTCOMES: Final = 2 * CHECKERS + 1
"""Per point: 0 empty, 1–15 White's number, 16–30 Black's number + 15."""
_DEEP: Final = 5
"""The fewest checkers of a stack in layers."""
_ALIKE: Final = 0.5
"""Summed difference of probabilities up to which a point looks as it did."""
_UNCHANGED: Final = float(np.log(0.5))
"""What it costs, at the most, that such a point holds what it held."""
_DEPTHS: Final = 3
"""A point with this many different depths among its candidates is such a stack."""
_COUNTS: Final = np.array([0, *range(1, CHECKERS + 1), *range(1, CHECKERS + 1)])
"""Checkers on a point by outcome."""
LogTable: TypeAlias = npt.NDArray[np.float64]
"""(24, 31) float64: natural log of the probability of each outcome on points 1–24."""


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """How far a reader's own probabilities are trusted."""

    off_by_one: float = 0.002
    """Share given to one checker more or less of the same side: the common slip, as often as
    it was measured."""
    layers: float = 0.12
    """Share of a full row's probability given to checkers lying on top of it: a still does
    not show them."""
    full_row: int = 5
    """From this many on a row may carry a second layer."""
    anything: float = 0.0005
    """Share spread evenly: what no reader foresees."""


@dataclass(frozen=True, slots=True)
class Touched:
    """How far the picture shows that something was done since a position was known."""

    since: Position
    """What stood on the board then."""
    areas: tuple[float, ...]
    """Of points 1–24: the area that looks otherwise than it did, in areas of a checker."""
    beside: float | None = None
    """The same of what is around the field; None: not known, or no checkers changed it."""


@dataclass(frozen=True, slots=True)
class TouchSettings:
    """How often a point shows so much change: as measured (`benchmarks/touch.py`).

    Nothing is taken for rarer than one in a hundred.
    """

    edges: tuple[float, ...] = (0.05, 0.2, 0.5, 0.7)
    """Areas, in checkers', between which the shares below are."""
    empty: tuple[float, ...] = (0.82, 0.06, 0.09, 0.02, 0.01)
    """Points that were and are empty: dice lie there, and shadows."""
    held: tuple[float, ...] = (0.86, 0.04, 0.08, 0.01, 0.01)
    """Points that hold what they held, side by side."""
    deep: tuple[float, ...] = (0.94, 0.03, 0.01, 0.01, 0.01)
    """The same of stacks in layers, on which no die lies."""
    changed: tuple[float, ...] = (0.01, 0.01, 0.01, 0.01, 0.96)
    """Points that hold something else, side by side: a checker's whole area looks otherwise."""
    changed_deep: tuple[float, ...] = (0.02, 0.15, 0.4, 0.23, 0.2)
    """The same of stacks in layers: a checker on another one shows by its edge."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """One look, or several fused, in the game's terms."""

    points: LogTable
    bar: tuple[int | None, int | None]
    """Checkers on the bar, White and Black; None: not known."""
    borne: Borne | None = None
    """None: nothing is known of checkers beside the board."""

    def log_likelihood(self, outcomes: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
        """Return the log likelihood of positions.

        Args:
            outcomes: (N, 24) outcome of each point, see `outcomes_of`.

        Returns:
            (N,) float64.
        """
        table = np.take_along_axis(self.points[None], outcomes[:, :, None], axis=2)
        return np.asarray(table[:, :, 0].sum(axis=1), dtype=np.float64)


def outcome(color: Color | None, count: int) -> int:
    """Return the index of an outcome."""
    if color is None or count == 0:
        return 0
    return count if color is Color.WHITE else CHECKERS + count


def outcomes_of(positions: Sequence[Position]) -> npt.NDArray[np.intp]:
    """Return (N, 24) outcome indices of positions, points 1–24."""
    # No point holds both sides, so the sides' outcomes add up.
    white, black = (counts_of(positions, color)[:, 1:25] for color in Color)
    return white + np.where(black > 0, black + CHECKERS, 0)


def counts_of(positions: Sequence[Position], color: Color) -> npt.NDArray[np.intp]:
    """Return (N, 26) a side's checkers: off, points 1–24, bar."""
    packed = b"".join(one.packed(color).to_bytes(13, "little") for one in positions)
    pairs = np.frombuffer(packed, dtype=np.uint8).reshape(-1, 13)
    counts = np.empty((len(pairs), 26), dtype=np.intp)
    counts[:, 0::2], counts[:, 1::2] = pairs & 15, pairs >> 4
    return counts


def evidence_of(
    reading: CheckersReading,
    layout: BoardLayout,
    white: Side,
    settings: EvidenceSettings | None = None,
) -> Evidence:
    """Translate one reading of the checkers.

    Args:
        reading: what was seen, in image rows.
        layout: where White's point 24 lies.
        white: which checkers are White's.
        settings: how far the reader is trusted.
    """
    settings = settings or EvidenceSettings()
    readings = []
    for point in range(1, 25):
        row, column = layout.slot(point)
        readings.append(reading.row(row)[column])
    said = _said(readings, white)
    table = said @ _trust(settings)
    light, dark = reading.bar.light, reading.bar.dark
    bar = (light, dark) if white is Side.LIGHT else (dark, light)
    return Evidence(np.log(table), bar)


def reading_of(position: Position, layout: BoardLayout, white: Side) -> CheckersReading:
    """Write a known position as the reading that a perfect look would give.

    Args:
        position: what stands on the board.
        layout: where White's point 24 lies.
        white: which checkers are White's.
    """
    empty = PointReading(None, 0, 1.0)
    rows = {"top": [empty] * POINTS_PER_ROW, "bottom": [empty] * POINTS_PER_ROW}
    for point, color, count in position.occupied():
        row, column = layout.slot(point)
        side = white if color is Color.WHITE else white.other
        rows[row][column] = PointReading(side, count, 1.0)
    on_bar = {white: position.bar(Color.WHITE), white.other: position.bar(Color.BLACK)}
    return CheckersReading(
        tuple(rows["top"]),
        tuple(rows["bottom"]),
        BarReading(on_bar[Side.LIGHT], on_bar[Side.DARK]),
    )


def fuse(looks: Sequence[Evidence]) -> Evidence:
    """Take the middle of several looks at the same resting position.

    They share light, camera and reader, so they are no independent witnesses: the median of
    the logs keeps their certainty from multiplying, and a slip of one look among three or more
    leaves no trace.
    """
    counted = Counter(look.bar for look in looks)
    bar, number = counted.most_common(1)[0]
    seen = bar if 2 * number > len(looks) else (None, None)
    return Evidence(np.median([look.points for look in looks], axis=0), seen)


def with_memory(look: Evidence, earlier: Evidence, known: Position) -> Evidence:
    """Let a look be read in the light of an earlier one at a known position.

    A reader that took three checkers for four takes them for four again. Where a point looks
    as it looked when it was known what stood there, that it stands there still costs little,
    whatever the reader says. Stacks that may lie in layers look alike at any depth: of those
    nothing follows.

    Args:
        look: the look to be read.
        earlier: a look at the known position, by the same camera.
        known: what stood there then.
    """
    outcomes = outcomes_of([known])[0]
    now, then = np.exp(look.points), np.exp(earlier.points)
    alike = np.abs(now - then).sum(axis=1) < _ALIKE
    shallow = (outcomes == 0) | ((outcomes - 1) % CHECKERS + 1 < _DEEP)
    rows = np.arange(24)
    stood = look.points[rows, outcomes]
    raised = np.where(alike & shallow, np.maximum(stood, _UNCHANGED), stood)
    points = look.points.copy()
    points[rows, outcomes] = raised
    return replace(look, points=points)


def with_touch(
    look: Evidence,
    touched: Touched,
    settings: TouchSettings | None = None,
    in_view: InView | None = None,
) -> Evidence:
    """Let a look be read in the light of how far points look otherwise than they did.

    A stack in layers shows no depth, but whether a checker was taken from it or laid on it
    shows in the picture: an untouched point holds what it held.

    Args:
        look: the look to be read.
        touched: what changed since a position was known.
        settings: how far that is trusted.
        in_view: whether checkers borne off are laid where the camera sees them.
    """
    settings = settings or TouchSettings()
    known = outcomes_of([touched.since])[0]
    deep = _COUNTS > _DEEP
    points = look.points.copy()
    for row, (held, area) in enumerate(zip(known, touched.areas, strict=True)):
        size = bisect_right(settings.edges, area)
        same = settings.deep if deep[held] else settings.held if held else settings.empty
        in_layers = deep | deep[held]
        points[row] += np.log(
            np.where(in_layers, settings.changed_deep[size], settings.changed[size])
        )
        points[row, held] = look.points[row, held] + np.log(same[size])
    return replace(look, points=points, borne=borne_off(touched.beside, touched.since, in_view))


def _said(readings: Sequence[PointReading], white: Side) -> npt.NDArray[np.float64]:
    """Return (N, 31) what the reader says; what it leaves open is spread evenly."""
    rows, columns, chances = [], [], []
    for row, reading in enumerate(readings):
        candidates = reading.candidates or (
            ()
            if reading.unsure or reading.count is None
            else ((reading.side, reading.count, reading.confidence),)
        )
        for side, count, probability in candidates:
            color = None if side is None else Color.WHITE if side is white else Color.BLACK
            if 0 <= count <= CHECKERS:
                rows.append(row)
                columns.append(outcome(color, count))
                chances.append(max(probability, 0.0))
    said = np.zeros((len(readings), OUTCOMES))
    np.add.at(said, (rows, columns), chances)
    for row, reading in enumerate(readings):
        if reading.unsure:
            _level(said[row])
    total = said.sum(axis=1, keepdims=True)
    said = said / np.maximum(total, 1.0) + np.maximum(1 - total, 0.0) / OUTCOMES
    return np.asarray(said, dtype=np.float64)


def _level(said: npt.NDArray[np.float64]) -> None:
    """Make all depths of a stack in layers equally likely, in place.

    One look shows that there are layers, not how many: where a reader prefers some depth it
    has counted the other points, and that the fifteen add up is weighed by the matcher, which
    knows what was borne off.
    """
    for first in (0, CHECKERS):
        side = said[first + 1 : first + CHECKERS + 1]
        deep = np.flatnonzero(side[_DEEP - 1 :])
        if len(deep) >= _DEPTHS:
            side[_DEEP - 1 :] = side[_DEEP - 1 :].sum() / (CHECKERS - _DEEP + 1)


@lru_cache(maxsize=8)
def _trust(settings: EvidenceSettings) -> npt.NDArray[np.float64]:
    """Return (31, 31) how likely each outcome (column) is where a reader says another (row)."""
    slips = np.zeros((OUTCOMES, OUTCOMES))
    for first in (0, CHECKERS):
        # One more or one less of the same side; 0 is the empty point for both.
        chain = [0, *range(first + 1, first + CHECKERS + 1)]
        for lower, upper in itertools.pairwise(chain):
            slips[upper, lower] = slips[lower, upper] = 0.5
    layers = _layers(settings)
    rest = 1 - settings.off_by_one - settings.anything
    trust = rest * layers + settings.off_by_one * layers @ slips
    trust += settings.anything / OUTCOMES
    return np.asarray(trust / trust.sum(axis=1, keepdims=True), dtype=np.float64)


def _layers(settings: EvidenceSettings) -> npt.NDArray[np.float64]:
    """Let every count of a full row stand for more, each further checker half as likely."""
    spread = np.eye(OUTCOMES)
    for first in (0, CHECKERS):
        for count in range(settings.full_row, CHECKERS):
            halves = 0.5 ** np.arange(1, CHECKERS - count + 1)
            above = slice(first + count + 1, first + CHECKERS + 1)
            spread[first + count, first + count] -= settings.layers
            spread[first + count, above] += settings.layers * halves / halves.sum()
    return spread
