"""How far a settled field is trusted: what speaks for it, and what that was worth so far.

The weights were fitted by `training/board_trust_fit.py` on drawn pictures and on frames of the
simulated table, with and without boards: the confidence is the share of such fields whose
corners lay within 3 % of the diagonal.
"""

from dataclasses import astuple, dataclass

import numpy as np

from vision.board_finder_climb import Candidates, merits, whole_point_shifts
from vision.board_finder_comb import COARSE, FINE, Array, EdgeField, comb_cells, rim_strength
from vision.board_net import BoardGuess


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for one settled field; every figure is 0–1, about 0 for no board."""

    comb: float
    """Agreement with the comb over all 24 points, each counting alike."""
    points: float
    """Share of the points that show their own piece of the comb."""
    weakest_row: float
    """Agreement in the weakest of the four groups of six points."""
    rims: float
    """How much of the weakest of the four sides lies on an edge."""
    peak: float
    """Mean odds of the four corners in the network's map."""
    weakest_peak: float
    agreement: float
    """Share of the field's cells whose place in the map agrees with the corners."""
    cover: float
    """How far field and map are the same area."""
    near: float
    """1 where the settled field is the network's own, 0 from a tenth of its diagonal away."""
    clear: float
    """How much better the comb fits here than with a half moved by a whole point: 0.5 as well,
    1 much better. A column full of checkers beside a tray can be missed by one point."""


NAMES = tuple(Evidence.__dataclass_fields__)
_WEIGHTS = np.array([0.63, 1.63, 2.02, 3.58, 1.5, 1.79, 2.07, 0.51, 2.42, 3.67])
_BIAS = -9.83
_RIM_WEIGHT = 0.35
_NO_COMB, _SOME_COMB = 0.06, 0.13
"""Agreement with the comb that pictures without a board reach, and that all boards exceed."""
_ELSEWHERE, _HERE = 0.40, 0.46
"""`clear` from which the field is taken to lie a point beside, and up to which it may."""


def weigh(edges: EdgeField, one: Candidates, guess: BoardGuess) -> Evidence:
    """Return the evidence for one field."""
    agreement, full = comb_cells(edges, one.quads, one.bars, FINE)
    agreement, full = agreement[0], full[0]
    cells = agreement / (0.5 * full + 0.5 * full.mean() + 0.01)
    groups = cells.reshape(4, 6).mean(axis=1)
    diagonal = float(np.linalg.norm(guess.corners[2] - guess.corners[0]))
    moved = float(np.linalg.norm(one.quads[0] - guess.corners, axis=1).max()) / diagonal
    return Evidence(
        comb=float(cells.mean()),
        points=float((cells > 0.2).mean()),
        weakest_row=float(groups.min()),
        rims=float(rim_strength(edges, one.quads)[0].min()),
        peak=guess.peak,
        weakest_peak=guess.weakest,
        agreement=guess.agreement,
        cover=guess.cover,
        near=max(1.0 - moved / 0.1, 0.0),
        clear=_clear(edges, one),
    )


def _clear(edges: EdgeField, one: Candidates) -> float:
    worth = merits(edges, whole_point_shifts(one), COARSE, _RIM_WEIGHT)
    lead = float(worth[0] - worth[1:].max()) if len(worth) > 1 else 0.0
    return float(np.clip(0.5 + lead / 0.2, 0.0, 1.0))


def confidence(evidence: Evidence) -> float:
    """Return 0–0.99: how likely the field is right to 3 % of its diagonal.

    Without points there is no board, however sure the network is of four corners: other games'
    boards have those too. Nor is it trusted where the comb fits better a point further.
    """
    odds = float(as_row(evidence) @ _WEIGHTS) + _BIAS
    points = (evidence.comb - _NO_COMB) / (_SOME_COMB - _NO_COMB)
    place = (evidence.clear - _ELSEWHERE) / (_HERE - _ELSEWHERE)
    share = float(np.clip(min(points, place), 0.0, 1.0))
    return float(min(share / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0))), 0.99))


def as_row(evidence: Evidence) -> Array:
    """Return the figures in the order of `NAMES`."""
    return np.asarray(astuple(evidence), dtype=np.float64)
