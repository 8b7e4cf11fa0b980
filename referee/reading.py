"""Read a whole position from one look: the likeliest boards, and how likely, exactly.

Fifteen a side; what is missing from the points is on the bar or borne off, and only a side
that is all home can have borne off. (A side that bore off and was hit afterwards is left to a
person: no board then fits well, so none is certain.)

The probability of a board is its weight against that of *all* boards that can be, which a sum
over points and running totals gives without listing them.
"""

import heapq
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from referee.evidence import Evidence, LogTable
from rules import CHECKERS, Color, Position
from rules.turns import absolute
from rules.variant import Variant

_PER_TOTAL: Final = 8
"""Boards kept for each pair of running totals."""
_HOPELESS: Final = 13.0
"""Natural log below the likeliest outcomes from which a board is not followed up: two slips of
one checker each still are, a board that contradicts a clear look in two places is not."""
_BAR_PRIOR: Final = (0.97, 0.025, 0.005)
"""How likely 0, 1, 2 checkers of a side are on a bar that could not be read."""


_Board: TypeAlias = tuple[float, tuple[int, ...]]
"""(log below the likeliest outcomes, outcome of each point so far)."""
_HINGE: Final = 0.2
"""How likely a checker seen on the bar is none."""


@dataclass(frozen=True, slots=True)
class _Case:
    """One way the checkers not on the points may be accounted for."""

    outside: tuple[bool, bool]
    """Per side: whether it may stand outside its home (so it has borne off none)."""
    bar: tuple[int, int]
    log_prior: float


def likely_positions(
    evidence: Evidence, variant: Variant, number: int
) -> tuple[tuple[Position, float], ...]:
    """Return the likeliest positions with their probabilities.

    Args:
        evidence: one look, or several fused.
        variant: which points are home, and whether there is a bar.
        number: how many at the most.
    """
    weighed = []
    for case in _cases(evidence, variant):
        table = _allowed(evidence.points, case, variant)
        total = _log_total(table, case) + case.log_prior
        if np.isfinite(total):
            weighed.append((total, case, table))
    if not weighed:
        return ()
    whole = float(np.logaddexp.reduce([total for total, _, _ in weighed]))
    found: list[tuple[float, Position]] = []
    for total, case, table in weighed:
        if total > whole - _HOPELESS:
            found += [(log + case.log_prior, one) for log, one in _best(table, case)]
    best = heapq.nlargest(number, found, key=lambda pair: pair[0])
    return tuple((position, float(np.exp(log - whole))) for log, position in best)


def _bar_options(seen: int | None) -> list[tuple[int, float]]:
    """Return how many checkers of a side may lie on the bar, with their prior."""
    if seen is None:
        return list(enumerate(_BAR_PRIOR))
    if seen == 0:
        return [(0, 1.0)]
    # A hinge can pass for a checker: fifteen a side must be able to overrule it.
    return [(seen, 1 - _HINGE), (0, _HINGE)]


def _cases(evidence: Evidence, variant: Variant) -> Iterator[_Case]:
    seen = evidence.bar if variant.hits else (0, 0)
    bars = [_bar_options(count) for count in seen]
    for (white, share_w), (black, share_b) in itertools.product(*bars):
        for outside in itertools.product((True, False), repeat=2):
            if (white and not outside[0]) or (black and not outside[1]):
                continue
            yield _Case(
                (outside[0], outside[1]), (white, black), float(np.log(share_w * share_b))
            )


def _allowed(points: LogTable, case: _Case, variant: Variant) -> LogTable:
    """Return the table without what the case rules out."""
    table = points.copy()
    for index, color in enumerate(Color):
        if case.outside[index]:
            continue
        first = 1 + index * CHECKERS
        for point in range(1, 25):
            if absolute(point, variant.path, color) > 6:
                table[point - 1, first : first + CHECKERS] = -np.inf
    return table


def _totals(case: _Case) -> npt.NDArray[np.bool_]:
    """Return (16, 16) which totals of White and Black on the points the case allows."""
    axes = []
    for index in range(2):
        on_points = np.zeros(CHECKERS + 1, dtype=bool)
        if case.outside[index]:
            on_points[CHECKERS - case.bar[index]] = True
        else:
            on_points[:CHECKERS] = True
        axes.append(on_points)
    return np.outer(axes[0], axes[1])


def _log_total(table: LogTable, case: _Case) -> float:
    """Return the log of the summed probability of all boards of a case."""
    size = CHECKERS + 1
    mass = np.zeros((size, size))
    mass[0, 0] = 1.0
    shares = np.exp(table)
    for row in shares:
        following = mass * row[0]
        for count in range(1, size):
            following[count:] += mass[: size - count] * row[count]
            following[:, count:] += mass[:, : size - count] * row[CHECKERS + count]
        mass = following
    with np.errstate(divide="ignore"):
        return float(np.log(mass[_totals(case)].sum()))


def _best(table: LogTable, case: _Case) -> Iterator[tuple[float, Position]]:
    """Yield the likeliest boards of a case with the log of their probability."""
    top = table.max(axis=1)
    level: dict[tuple[int, int], list[_Board]] = {(0, 0): [(0.0, ())]}
    for row, best in zip(table, top, strict=True):
        likely = [(int(one), float(row[one] - best)) for one in np.argsort(-row)]
        following: dict[tuple[int, int], list[_Board]] = {}
        for (white, black), boards in level.items():
            for one, cost in likely:
                if boards[0][0] + cost < -_HOPELESS:
                    break
                w = white + one if one <= CHECKERS else white
                b = black + one - CHECKERS if one > CHECKERS else black
                if w <= CHECKERS and b <= CHECKERS:
                    following.setdefault((w, b), []).extend(
                        (log + cost, (*outcomes, one))
                        for log, outcomes in boards
                        if log + cost > -_HOPELESS
                    )
        level = {
            totals: sorted(boards, key=_weight, reverse=True)[:_PER_TOTAL]
            for totals, boards in following.items()
        }
    allowed, base = _totals(case), float(top.sum())
    for totals, boards in level.items():
        if allowed[totals]:
            for log, outcomes in boards:
                yield base + log, _position(outcomes, totals, case)


def _weight(board: _Board) -> float:
    return board[0]


def _position(outcomes: tuple[int, ...], totals: tuple[int, int], case: _Case) -> Position:
    white = {p: one for p, one in enumerate(outcomes, 1) if 0 < one <= CHECKERS}
    black = {p: one - CHECKERS for p, one in enumerate(outcomes, 1) if one > CHECKERS}
    off = (CHECKERS - totals[0] - case.bar[0], CHECKERS - totals[1] - case.bar[1])
    return Position.of(white, black, off=off, bar=case.bar)
