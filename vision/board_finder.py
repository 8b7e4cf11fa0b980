"""Find the inner playing field in a picture, unaided, or say that none is sure."""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.board_finder_climb import Candidates, climb, merits, whole_point_shifts
from vision.board_finder_comb import COARSE, FINE, Array, EdgeField, edge_field
from vision.board_finder_cut import CutSettings, ends_within, runs_out
from vision.board_finder_outline import plausible
from vision.board_finder_rims import settle_rims
from vision.board_finder_trust import Evidence, confidence, weigh
from vision.board_net import BoardGuess, BoardNet, BoardNetSettings, guess_board
from vision.cv import BgrImage, as_u8
from vision.observation import BoardSighting, Corners, PictureEdge


@dataclass(frozen=True, slots=True)
class BoardFinderSettings:
    """What to look for, how hard, and how sure to be."""

    working_px: int = 640
    """Longer side of the picture in which the field is settled."""
    shortest_side_px: int = 48
    """Shorter side of that picture, below which no board can be told: two pixels a point."""
    smallest_share: float = 0.22
    """Shortest side of a field, as a share of the picture's shorter side."""
    bars: tuple[float, ...] = (0.0, 0.03, 0.055, 0.08, 0.11)
    """Widths of the bar to try, as shares of the field's width."""
    blur_px: float = 1.5
    """Blur of the edges, in working pixels: the reach of the small moves."""
    rim_weight: float = 0.35
    """What four strong rims are worth against a perfect comb."""
    shift_cost: float = 0.045
    """What a shift of half a board by a whole point has to gain, where the network is sure of
    its corners."""
    tries: int = 2
    """Guesses of the network that are settled; the one with more evidence is taken."""
    clear: float = 0.9
    """Confidence from which no second guess is settled."""
    small: float = 0.55
    """Share of the picture's longer side up to which a board is looked at again, closer."""
    room: float = 0.25
    """What is shown around it then, as a share of its size, on every side."""
    sure_enough: float = 0.5
    """Confidence below which no board is reported."""
    net: BoardNetSettings = field(default_factory=BoardNetSettings)
    cut: CutSettings = field(default_factory=CutSettings)


DEFAULTS = BoardFinderSettings()


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A field settled in a picture, not yet judged."""

    corners: Array
    """(4, 2) in the picture's pixels."""
    evidence: Evidence
    cut: tuple[PictureEdge, ...]
    """Sides of the picture the field runs out of; then it was not settled any further."""
    plausible: bool
    """Whether a board seen from above could have this outline."""


def find_board(
    bgr: BgrImage, settings: BoardFinderSettings = DEFAULTS, net: BoardNet | None = None
) -> BoardSighting:
    """Find the inner playing field in a picture.

    Args:
        bgr: (H, W, 3) uint8.
        settings: what to look for and how sure to be.
        net: another network than the package's own.

    Returns:
        The field's outer corners, clockwise from the image's top-left; of a board whose points
        run across the picture, from the corner that is top-left once the picture is turned
        clockwise by a quarter. Where the evidence is thin: not found, no corners, and the
        confidence of the best guess; where the board runs out of the picture: at which sides.

    Source:
        docs/explanation/board-finding.md.
    """
    settled = settle_board(bgr, settings, net)
    if settled is None:
        return BoardSighting(False, None, 0.0)
    sure = confidence(settled.evidence) if settled.plausible else 0.0
    if settled.cut or sure < settings.sure_enough:
        return BoardSighting(False, None, min(sure, settings.sure_enough), settled.cut)
    return BoardSighting(True, _as_corners(settled.corners), sure)


def settle_board(
    bgr: BgrImage, settings: BoardFinderSettings = DEFAULTS, net: BoardNet | None = None
) -> Settled | None:
    """Return the likeliest field with what speaks for it; None: nothing like a board."""
    small = _shrunk(bgr, settings)
    if min(small.shape[:2]) < settings.shortest_side_px:
        return None
    seen = guess_board(small, settings.net, net)
    if not seen.fields:
        return None
    settled = _settled_closer(seen.fields[0], bgr, small, settings, net)
    if settled is None:
        settled = _settled(bgr, small, seen.fields, settings)
    if settled is None or settled.cut or settled.evidence.cover < settings.cut.cover:
        return settled
    sure = settled.plausible and confidence(settled.evidence) >= settings.sure_enough
    comb, size_px = settled.evidence.comb, (bgr.shape[1], bgr.shape[0])
    cut = ends_within(settled.corners, seen.field, size_px, comb, settings.cut, sure=sure)
    return replace(settled, cut=cut)


def _settled_closer(
    guess: BoardGuess,
    bgr: BgrImage,
    small: BgrImage,
    settings: BoardFinderSettings,
    net: BoardNet | None,
) -> Settled | None:
    """Return a small board as it is settled closer; None: it is large, or not whole there."""
    closer = _closer(guess, bgr, small, settings)
    if closer is None:
        return None
    left, top, right, bottom = closer
    part = np.ascontiguousarray(bgr[top:bottom, left:right])
    part_small = _shrunk(part, settings)
    again = guess_board(part_small, settings.net, net).fields
    settled = _settled(part, part_small, again, settings)
    if settled is None or settled.cut:
        return None
    return replace(settled, corners=settled.corners + np.array([left, top]))


def _shrunk(bgr: BgrImage, settings: BoardFinderSettings) -> BgrImage:
    height, width = bgr.shape[:2]
    shrink = min(settings.working_px / max(height, width), 1.0)
    if shrink == 1.0:
        return bgr
    size = (max(round(width * shrink), 1), max(round(height * shrink), 1))
    return as_u8(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA))


def _closer(
    guess: BoardGuess, bgr: BgrImage, small: BgrImage, settings: BoardFinderSettings
) -> tuple[int, int, int, int] | None:
    """Return the part of the picture around a small board; None: it is large enough."""
    scale = np.array([bgr.shape[1] / small.shape[1], bgr.shape[0] / small.shape[0]])
    low, high = guess.corners.min(axis=0) * scale, guess.corners.max(axis=0) * scale
    size = high - low
    if float(size.max()) > settings.small * max(bgr.shape[:2]):
        return None
    margin = settings.room * float(size.max())
    left, top = (max(int(v), 0) for v in low - margin)
    right, bottom = (int(v) for v in np.minimum(high + margin, bgr.shape[1::-1]))
    return left, top, right, bottom


def _settled(
    bgr: BgrImage, small: BgrImage, guesses: list[BoardGuess], settings: BoardFinderSettings
) -> Settled | None:
    """Settle the likeliest guesses in the small picture; return the best in the large one."""
    if not guesses:
        return None
    edges = edge_field(small, _direction_deg(guesses[0].corners), settings.blur_px)
    size_px = (small.shape[1], small.shape[0])
    scale = np.array([bgr.shape[1] / small.shape[1], bgr.shape[0] / small.shape[0]])
    made = []
    for guess, start in _likeliest(edges, guesses, settings):
        cut = runs_out(guess, size_px, settings.cut)
        one = start if cut else _settle(small, edges, start, guess.peak, settings)
        possible = bool(plausible(one.quads, *size_px, settings.smallest_share)[0])
        # Pixel centres, not corners, are whole numbers: half a pixel moves with the scale.
        corners = (one.quads[0] + 0.5) * scale - 0.5
        made.append(Settled(corners, weigh(edges, one, guess), cut, possible))
        if cut or confidence(made[-1].evidence) > settings.clear:
            break
    return max(made, key=lambda one: confidence(one.evidence))


def _likeliest(
    edges: EdgeField, guesses: list[BoardGuess], settings: BoardFinderSettings
) -> list[tuple[BoardGuess, Candidates]]:
    """Return the guesses on which map and comb agree best, each with its likeliest bar."""
    bars = np.asarray(settings.bars)
    quads = np.stack([one.corners for one in guesses])
    tried = Candidates(np.repeat(quads, len(bars), axis=0), np.tile(bars, len(quads)))
    combs = merits(edges, tried, COARSE, settings.rim_weight).reshape(-1, len(bars))
    total = combs.max(axis=1) + np.array([one.merit for one in guesses])
    order = np.argsort(-total)[: settings.tries]
    return [
        (guesses[k], Candidates(quads[k][None], bars[[int(np.argmax(combs[k]))]]))
        for k in order
    ]


def _settle(
    small: BgrImage,
    edges: EdgeField,
    start: Candidates,
    peak: float,
    settings: BoardFinderSettings,
) -> Candidates:
    """Settle columns, whole points, rims, and the columns again, finer.

    The comb says little about the rims; the network's are kept but for a clear step near them.
    """
    weight = settings.rim_weight
    one, _ = climb(edges, start, (0.02, 0.01, 0.005), COARSE, weight)
    shifted = whole_point_shifts(one)
    worth = merits(edges, shifted, COARSE, weight)
    worth[1:] -= settings.shift_cost * peak
    one = shifted.take([int(np.argmax(worth))])
    one = Candidates(settle_rims(small, one.quads, float(one.bars[0])), one.bars)
    return climb(edges, one, (0.006, 0.003), FINE, weight)[0]


def _direction_deg(quad: Array) -> float:
    """Return the direction in which a field's rows run."""
    across = quad[1] + quad[2] - quad[0] - quad[3]
    return float(np.degrees(np.arctan2(across[1], across[0])))


def _as_corners(corners: Array) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return (a, b, c, d)
