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

_HOPELESS: Final = 13.0
"""Natural log below the likeliest outcomes from which a board is not followed up: two slips of
one checker each still are, a board that contradicts a clear look in two places is not."""
_BAR_PRIOR: Final = (0.97, 0.025, 0.005)
"""How likely 0, 1, 2 checkers of a side are on a bar that could not be read."""

_SIZE: Final = CHECKERS + 1
_Ahead: TypeAlias = npt.NDArray[np.float64]
"""(16, 16): by White's and Black's running totals, the log of the best way on."""
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
    tables = {
        (white, black): _allowed(evidence.points, (white, black), variant)
        for white, black in itertools.product((True, False), repeat=2)
    }
    masses = {outside: _masses(table) for outside, table in tables.items()}
    for case in _cases(evidence, variant):
        mass = masses[case.outside][_totals(case)].sum()
        if mass > 0:
            total = float(np.log(mass)) + case.log_prior
            weighed.append((total, case, tables[case.outside]))
    if not weighed:
        return ()
    whole = float(np.logaddexp.reduce([total for total, _, _ in weighed]))
    found: list[tuple[float, Position]] = []
    for total, case, table in weighed:
        if total > whole - _HOPELESS:
            best = _best(table, case, number)
            found += [(log + case.log_prior, one) for log, one in best]
    kept = heapq.nlargest(number, found, key=lambda pair: pair[0])
    return tuple((position, float(np.exp(log - whole))) for log, position in kept)


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


def _allowed(points: LogTable, outside: tuple[bool, bool], variant: Variant) -> LogTable:
    """Return the table without what sides that are all home rule out."""
    table = points.copy()
    for index, color in enumerate(Color):
        if outside[index]:
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


def _masses(table: LogTable) -> npt.NDArray[np.float64]:
    """Return (16, 16): by the totals of White and Black, all boards' summed probability."""
    shares = np.exp(table)
    # White adds along the rows, Black along the columns: each a band of its number.
    down = np.subtract.outer(np.arange(_SIZE), np.arange(_SIZE))
    white = np.where(down >= 0, shares[:, np.maximum(down, 0)], 0.0)
    black = np.where(down > 0, shares[:, np.maximum(down, 0) + CHECKERS], 0.0)
    mass = np.zeros((_SIZE, _SIZE))
    mass[0, 0] = 1.0
    for one, other in zip(white, black.transpose(0, 2, 1), strict=True):
        mass = one @ mass + mass @ other
    return mass


def _best(table: LogTable, case: _Case, number: int) -> Iterator[tuple[float, Position]]:
    """Yield the likeliest boards of a case with the log of their probability, best first."""
    top = table.max(axis=1)
    costs = table - top[:, None]
    likely = [
        sorted(
            ((one, cost) for one, cost in enumerate(row) if cost >= -_HOPELESS), key=_by_cost
        )
        for row in costs.tolist()
    ]
    ahead = [one.tolist() for one in _ways_on(costs, _totals(case))]
    base = float(top.sum())
    # Best first: what is spent so far and what must at least be spent yet.
    waiting: list[tuple[float, float, int, int, tuple[int, ...]]] = []
    if ahead[0][0][0] >= -_HOPELESS:
        waiting.append((-ahead[0][0][0], 0.0, 0, 0, ()))
    while waiting and number:
        _, log, white, black, outcomes = heapq.heappop(waiting)
        at = len(outcomes)
        if at == len(likely):
            number -= 1
            yield base + log, _position(outcomes, (white, black), case)
            continue
        following = ahead[at + 1]
        for one, cost in likely[at]:
            spent = log + cost
            if spent < -_HOPELESS:
                break
            w = white + one if one <= CHECKERS else white
            b = black + one - CHECKERS if one > CHECKERS else black
            if w > CHECKERS or b > CHECKERS:
                continue
            expected = spent + following[w][b]
            if expected >= -_HOPELESS:
                heapq.heappush(waiting, (-expected, spent, w, b, (*outcomes, one)))


def _by_cost(choice: tuple[int, float]) -> float:
    return -choice[1]


def _ways_on(costs: LogTable, allowed: npt.NDArray[np.bool_]) -> list[_Ahead]:
    """Return, for each point and the end, the log of the best way on from running totals."""
    ahead = [np.where(allowed, 0.0, -np.inf)]
    further = np.add.outer(np.arange(_SIZE), np.arange(_SIZE))
    last = np.full((2 * _SIZE - 1, 2 * _SIZE - 1), -np.inf)
    for row in costs[::-1]:
        last[:_SIZE, :_SIZE] = ahead[-1]
        white = last[further, :_SIZE] + row[None, :_SIZE, None]
        black = last[:_SIZE, further[:, 1:]] + row[_SIZE:]
        ahead.append(np.maximum(white.max(axis=1), black.max(axis=2)))
    return ahead[::-1]


def _position(outcomes: tuple[int, ...], totals: tuple[int, int], case: _Case) -> Position:
    white = {p: one for p, one in enumerate(outcomes, 1) if 0 < one <= CHECKERS}
    black = {p: one - CHECKERS for p, one in enumerate(outcomes, 1) if one > CHECKERS}
    off = (CHECKERS - totals[0] - case.bar[0], CHECKERS - totals[1] - case.bar[1])
    return Position.of(white, black, off=off, bar=case.bar)
