"""Find the inner playing field in a picture, unaided, or say that none is sure."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_finder_comb import (
    COARSE,
    FINE,
    Array,
    CombSampling,
    EdgeField,
    comb_cells,
    edge_field,
    image_from_unit,
    map_points,
    rim_strength,
)
from vision.board_finder_lines import Quads, find_segments, main_direction_deg, plausible
from vision.board_finder_rims import settle_rims
from vision.board_finder_seeds import seed_quads
from vision.cv import BgrImage, as_u8, to_gray
from vision.observation import BoardSighting, Corners


@dataclass(frozen=True, slots=True)
class BoardFinderSettings:
    """What to look for, how hard, and how sure to be."""

    working_px: int = 640
    """Longer side of the picture that is searched."""
    shortest_side_px: int = 48
    """Shorter side of that picture, below which no board can be told: two pixels a point."""
    shortest_line_px: float = 14.0
    smallest_share: float = 0.25
    """Shortest side of a field, as a share of the picture's shorter side."""
    bars: tuple[float, ...] = (0.0, 0.045, 0.085, 0.12)
    """Widths of the bar to try, as shares of the field's width."""
    starts: int = 2
    """Candidates that are refined."""
    blur_px: float = 1.5
    """Blur of the edges, in working pixels: the reach of the small moves."""
    rim_weight: float = 0.35
    """What four strong rims are worth against a perfect comb."""
    worth_a_climb: float = 0.2
    """Merit of a first guess below which there is no board."""
    sure_enough: float = 0.7
    """Confidence below which no board is reported."""


DEFAULTS = BoardFinderSettings()


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Fields that could be, as parallel arrays."""

    quads: Quads
    bars: Array

    def take(self, index: npt.NDArray[np.intp] | list[int]) -> "Candidates":
        """Return some of them."""
        return Candidates(self.quads[index], self.bars[index])


def merits(
    field: EdgeField, some: Candidates, sampling: CombSampling, rim_weight: float
) -> Array:
    """Return how well each candidate lies on a comb of 24 points within four rims."""
    agreement, full = comb_cells(field, some.quads, some.bars, sampling)
    typical = full.mean(axis=(1, 2), keepdims=True)
    cells = agreement / (0.5 * full + 0.5 * typical + 0.01)
    rims = np.minimum(rim_strength(field, some.quads), 0.5).mean(axis=1)
    return np.asarray(cells.mean(axis=(1, 2)) + rim_weight * rims, dtype=np.float64)


def _moves(columns_only: bool) -> Array:
    """Return (M, 9) directions to move a field in: x, y of its corners, and its bar."""
    axes = np.eye(9)
    x, y, bar = axes[0:8:2], axes[1:8:2], axes[8]
    rows = [*x, x[0] + x[1], x[2] + x[3], x[0] + x[3] + bar, x[1] + x[2], bar, x.sum(axis=0)]
    rows.append(x[1] + x[2] - x[0] - x[3])
    if not columns_only:
        rows += [*y, y[0] + y[1], y[2] + y[3], y[1] + y[2] - y[0] - y[3], y.sum(axis=0)]
    moves = np.stack(rows)
    return np.concatenate([moves, -moves])


ALL_MOVES = _moves(False)
COLUMN_MOVES = _moves(True)
"""Moves that leave the upper and lower rims where they are, to first order."""


def climb(
    field: EdgeField,
    start: Candidates,
    steps: tuple[float, ...],
    sampling: CombSampling,
    rim_weight: float,
    directions: Array = ALL_MOVES,
) -> tuple[Candidates, float]:
    """Improve one candidate by small moves, coarse to fine; return it with its merit."""
    quad, bar = start.quads[0], float(start.bars[0])
    best = float(merits(field, start, sampling, rim_weight)[0])
    for step in steps:
        moves = directions * step
        for _ in range(8):
            across = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
            down = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
            shift = moves[:, 0:8:2, None] * across + moves[:, 1:8:2, None] * down
            tried = Candidates(quad + shift, np.clip(bar + moves[:, 8], 0.0, 0.2))
            score = merits(field, tried, sampling, rim_weight)
            k = int(np.argmax(score))
            if score[k] <= best + 1e-4:
                break
            quad, bar, best = tried.quads[k], float(tried.bars[k]), float(score[k])
    return Candidates(quad[None], np.array([bar])), best


def whole_point_shifts(one: Candidates) -> Candidates:
    """Return a field and its neighbours whose halves lie a point further left or right.

    A comb moved by one point agrees with 22 of 24 points; small moves never leave that trap.
    """
    bar = float(one.bars[0])
    half = (1.0 - bar) / 2.0
    point = half / 6.0
    units, bars = [], []
    for left in (0, -1, 1):
        for right in (0, -1, 1):
            x0, x1 = left * point, 1.0 + right * point
            gap = (x1 - half) - (x0 + half)
            if -0.3 * point < gap < 0.2:
                units.append([[x0, 0.0], [x1, 0.0], [x1, 1.0], [x0, 1.0]])
                bars.append(max(gap, 0.0) / (x1 - x0))
    quads = map_points(
        np.repeat(image_from_unit(one.quads), len(units), axis=0), np.array(units)
    )
    return Candidates(quads, np.array(bars))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for one settled field; every figure is 0–1, about 0 for no board."""

    comb: float
    """Agreement with the comb over all 24 points, each counting alike."""
    points: float
    """Share of the points that show their own piece of the comb."""
    weakest: float
    """Agreement in the weakest of the four groups of six points."""
    rims: float
    """How much of the weakest of the four sides lies on an edge."""


def weigh(field: EdgeField, one: Candidates) -> Evidence:
    """Return the evidence for one field."""
    agreement, full = comb_cells(field, one.quads, one.bars, FINE)
    agreement, full = agreement[0], full[0]
    cells = agreement / (0.5 * full + 0.5 * full.mean() + 0.01)
    groups = cells.reshape(4, 6).mean(axis=1)
    return Evidence(
        float(cells.mean()),
        float((cells > 0.2).mean()),
        float(groups.min()),
        float(rim_strength(field, one.quads)[0].min()),
    )


def find_board(bgr: BgrImage, settings: BoardFinderSettings = DEFAULTS) -> BoardSighting:
    """Find the inner playing field in a picture.

    Args:
        bgr: (H, W, 3) uint8.
        settings: what to look for and how sure to be.

    Returns:
        The field's outer corners, clockwise from the image's top-left; of a board whose points
        run across the picture, from the corner that is top-left once the picture is turned
        clockwise by a quarter. Where the evidence is thin: not found, no corners, and the
        confidence of the best guess.

    Source:
        docs/explanation/board-finding.md.
    """
    height, width = bgr.shape[:2]
    shrink = min(settings.working_px / max(height, width), 1.0)
    small = bgr
    if shrink < 1.0:
        size = (max(round(width * shrink), 1), max(round(height * shrink), 1))
        small = as_u8(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA))
    if min(small.shape[:2]) < settings.shortest_side_px:
        return BoardSighting(False, None, 0.0)
    direction = main_direction_deg(find_segments(to_gray(small), settings.shortest_line_px))
    if direction is None:
        return BoardSighting(False, None, 0.0)
    best: tuple[float, Quads] | None = None
    for angle_deg in (direction, direction - 90.0):
        field = edge_field(small, angle_deg, settings.blur_px)
        one = _settled_field(small, field, angle_deg, settings)
        if one is None:
            continue
        size_px = (small.shape[1], small.shape[0])
        sure = confidence(weigh(field, one), one.quads, size_px, settings)
        if best is None or sure > best[0]:
            best = (sure, one.quads)
        if sure >= settings.sure_enough:
            break
    if best is None or best[0] < settings.sure_enough:
        return BoardSighting(False, None, 0.0 if best is None else best[0])
    x_scale, y_scale = width / small.shape[1], height / small.shape[0]
    # Pixel centres, not corners, are whole numbers: half a pixel moves with the scale.
    corners = (best[1][0] + 0.5) * np.array([x_scale, y_scale]) - 0.5
    return BoardSighting(True, _as_corners(corners), best[0])


def confidence(
    evidence: Evidence, quad: Quads, size_px: tuple[int, int], settings: BoardFinderSettings
) -> float:
    """Return 0–0.99: how far the weakest part of the evidence is from what no board gives."""
    if not plausible(quad, *size_px, settings.smallest_share)[0]:
        return 0.0
    shares = (
        (evidence.comb - 0.10) / 0.30,
        (evidence.points - 0.20) / 0.40,
        (evidence.weakest - 0.05) / 0.22,
        (evidence.rims - 0.08) / 0.18,
    )
    return float(np.clip(min(shares), 0.0, 0.99))


def _settled_field(
    small: BgrImage, field: EdgeField, angle_deg: float, settings: BoardFinderSettings
) -> Candidates | None:
    """Return the best field whose rows run at this angle; None: nothing to start from."""
    smallest_px = settings.smallest_share * min(field.rows.shape)
    quads, bars, _ = seed_quads(field, angle_deg, settings.bars, smallest_px, 16)
    if not len(quads):
        return None
    weight = settings.rim_weight
    seeds = Candidates(quads, bars)
    scores = merits(field, seeds, COARSE, weight)
    order = np.argsort(-scores)[: settings.starts]
    if scores[order[0]] < settings.worth_a_climb:
        return None
    climbed = [
        climb(field, seeds.take(order[k : k + 1]), (0.03, 0.015, 0.007), COARSE, weight)
        for k in range(len(order))
    ]
    one, _ = max(climbed, key=lambda pair: pair[1])
    shifted = whole_point_shifts(one)
    one = shifted.take([int(np.argmax(merits(field, shifted, COARSE, weight)))])
    one = climb(field, one, (0.007,), COARSE, weight)[0]
    # Rims, columns, rims: each is found best where the other is already right.
    one = Candidates(settle_rims(small, one.quads, float(one.bars[0])), one.bars)
    one = climb(field, one, (0.006, 0.003), FINE, weight, COLUMN_MOVES)[0]
    return Candidates(settle_rims(small, one.quads, float(one.bars[0])), one.bars)


def _as_corners(corners: Array) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return (a, b, c, d)
