"""What a look at the board says of every absolute point, as probabilities.

The readers speak of light and dark checkers in image rows; the rules of White and Black on
absolute points. This is where the one becomes the other.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from calibration.layout import BoardLayout
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
LogTable: TypeAlias = npt.NDArray[np.float64]
"""(24, 31) float64: natural log of the probability of each outcome on points 1–24."""


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """How far a reader's own probabilities are trusted."""

    off_by_one: float = 0.004
    """Share given to one checker more or less of the same side: the common slip."""
    layers: float = 0.12
    """Share of a full row's probability given to checkers lying on top of it: a still does
    not show them."""
    full_row: int = 5
    """From this many on a row may carry a second layer."""
    anything: float = 0.0005
    """Share spread evenly: what no reader foresees."""


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """One look, or several fused, in the game's terms."""

    points: LogTable
    bar: tuple[int | None, int | None]
    """Checkers on the bar, White and Black; None: not known."""

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
    if not positions:
        return np.zeros((0, 24), dtype=np.intp)
    # No point holds both sides, so the sides' outcomes add up. Hypotheses about one turn share
    # most of their sides: each is unpacked once.
    white = np.array([_side_outcomes(one, Color.WHITE) for one in positions], dtype=np.intp)
    black = np.array([_side_outcomes(one, Color.BLACK) for one in positions], dtype=np.intp)
    return white + black


def _side_outcomes(position: Position, color: Color) -> tuple[int, ...]:
    return _unpacked(position.packed(color), CHECKERS if color is Color.BLACK else 0)


@lru_cache(maxsize=8192)
def _unpacked(packed: int, offset: int) -> tuple[int, ...]:
    counts = ((packed >> (4 * point)) & 15 for point in range(1, 25))
    return tuple(count + offset if count else 0 for count in counts)


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
    table = np.empty((24, OUTCOMES))
    for point in range(1, 25):
        row, column = layout.slot(point)
        table[point - 1] = _probabilities(reading.row(row)[column], white, settings)
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
    """Average several looks at the same resting position.

    They share light, camera and reader, so they are no independent witnesses: the mean of the
    logs keeps their certainty from multiplying.
    """
    bars = {look.bar for look in looks}
    bar = bars.pop() if len(bars) == 1 else (None, None)
    return Evidence(np.mean([look.points for look in looks], axis=0), bar)


def _with_layers(
    said: npt.NDArray[np.float64], settings: EvidenceSettings
) -> npt.NDArray[np.float64]:
    """Let every count of a full row stand for more, each further checker half as likely."""
    spread = said.copy()
    for first in (0, CHECKERS):
        for count in range(settings.full_row, CHECKERS):
            share = settings.layers * said[first + count]
            halves = 0.5 ** np.arange(1, CHECKERS - count + 1)
            spread[first + count] -= share
            above = slice(first + count + 1, first + CHECKERS + 1)
            spread[above] += share * halves / halves.sum()
    return spread


def _probabilities(
    reading: PointReading, white: Side, settings: EvidenceSettings
) -> npt.NDArray[np.float64]:
    said = np.zeros(OUTCOMES)
    candidates = reading.candidates or (
        ()
        if reading.unsure or reading.count is None
        else ((reading.side, reading.count, reading.confidence),)
    )
    for side, count, probability in candidates:
        color = None if side is None else Color.WHITE if side is white else Color.BLACK
        if 0 <= count <= CHECKERS:
            said[outcome(color, count)] += max(probability, 0.0)
    total = said.sum()
    said = said / total if total > 1 else said + (1 - total) / OUTCOMES
    said = _with_layers(said, settings)
    slips = np.zeros(OUTCOMES)
    for first in (0, CHECKERS):
        # One more or one less of the same side; 0 is the empty point for both.
        chain = [0, *range(first + 1, first + CHECKERS + 1)]
        for lower, upper in itertools.pairwise(chain):
            slips[lower] += said[upper] / 2
            slips[upper] += said[lower] / 2
    rest = 1 - settings.off_by_one - settings.anything
    mixed = rest * said + settings.off_by_one * slips + settings.anything / OUTCOMES
    return np.asarray(mixed / mixed.sum(), dtype=np.float64)
