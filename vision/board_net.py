"""The small network that says where a board lies, and what its map says of the four corners.

It was trained on drawn pictures only (`training/board_train.py`). Each of its 64 × 64 cells
says whether it shows a playing field, which place of the field (across, down), and whether a
corner is near. A board looks alike from both ends, so a place and its opposite are one answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from threading import Lock

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_finder_comb import Array, image_from_unit, map_points
from vision.cv import BgrImage, FloatImage, as_f32, as_u8
from vision.networks import blob_of, net_of, packaged

MODEL_FILE = "board.onnx"
INPUT_PX = 256
CELLS = 64
_STRIDE = 4
_PAD = 114
UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@dataclass(frozen=True, slots=True)
class BoardNetSettings:
    """How the map is read."""

    least_odds: float = 0.5
    """Odds from which a cell is taken for part of a field."""
    fewest_cells: int = 40
    inlier_px: float = 6.0
    """How far, in input pixels, a cell may lie from where its place says."""
    least_peak: float = 0.08
    """Odds below which there is no corner."""
    most_peaks: int = 4
    """Peaks looked at of either kind of corner."""
    least_cover: float = 0.6
    most_guesses: int = 6


@dataclass(frozen=True, slots=True, eq=False)
class BoardGuess:
    """One field that the network's map allows."""

    corners: Array
    """(4, 2) in the picture's pixels, clockwise; from the corner the reading begins with."""
    peak: float
    """Mean odds of the corners; a corner that was not seen has 0."""
    weakest: float
    """Odds of the least sure corner."""
    agreement: float
    """Share of the field's cells whose place agrees with the corners."""
    cover: float
    """How far the cells of the field and the quadrilateral are the same area, 0–1."""

    @property
    def merit(self) -> float:
        """How well the guess fits the map, 0–1."""
        return 0.35 * self.peak + 0.15 * self.agreement + 0.5 * self.cover


@dataclass(frozen=True, slots=True, eq=False)
class BoardGuesses:
    """What the network's map says of one picture."""

    fields: list[BoardGuess]
    """Best first."""
    field: npt.NDArray[np.bool_]
    """The picture's cells: which of them show the field."""


class BoardNet:
    """The loaded network; one may be shared by threads, which then wait for one another."""

    def __init__(self, model: Path) -> None:
        self._net = net_of(model)
        self._lock = Lock()

    def look(self, squares: Sequence[BgrImage]) -> FloatImage:
        """Return the raw maps, (N, 5, 64, 64) float32, of N (256, 256, 3) pictures."""
        blob = blob_of(squares)
        with self._lock:
            self._net.setInput(blob)
            # The network reuses its buffers: what leaves the lock must be a copy.
            return as_f32(np.array(self._net.forward()))


@cache
def default_net() -> BoardNet:
    """Return the network that comes with the package, loaded once."""
    with packaged(MODEL_FILE) as model:
        return BoardNet(model)


def guess_board(
    bgr: BgrImage, settings: BoardNetSettings | None = None, net: BoardNet | None = None
) -> BoardGuesses:
    """Return where the network may see a board, best first; no guesses: nowhere."""
    settings = settings or BoardNetSettings()
    square, scale, offset = squared(bgr)
    raw = look_twice(net or default_net(), square)
    guesses = read_map(raw, settings)
    # Pixel centres, not corners, are whole numbers.
    moved = [
        replace(one, corners=(one.corners + 0.5 - offset) / scale - 0.5) for one in guesses
    ]
    return BoardGuesses(moved, seen_field(raw, offset, settings))


def look_twice(net: BoardNet, square: BgrImage) -> FloatImage:
    """Return the map of a picture and of its mirror image, averaged; the places of the first.

    In the mirror both kinds of corners change places.
    """
    raw, mirrored = net.look([square, np.ascontiguousarray(square[:, ::-1])])
    raw[[0, 3, 4]] = (raw[[0, 3, 4]] + mirrored[[0, 4, 3], :, ::-1]) / 2
    return as_f32(raw)


def squared(bgr: BgrImage) -> tuple[BgrImage, Array, Array]:
    """Return the picture within a square of the network's size, its scale and its offset."""
    height, width = bgr.shape[:2]
    shrink = INPUT_PX / max(height, width)
    size = (max(round(width * shrink), 1), max(round(height * shrink), 1))
    way = cv2.INTER_AREA if shrink < 1 else cv2.INTER_LINEAR
    small = as_u8(cv2.resize(bgr, size, interpolation=way))
    left, top = (INPUT_PX - size[0]) // 2, (INPUT_PX - size[1]) // 2
    square = np.full((INPUT_PX, INPUT_PX, 3), _PAD, dtype=np.uint8)
    square[top : top + size[1], left : left + size[0]] = small
    scale = np.array([size[0] / width, size[1] / height])
    return square, scale, np.array([float(left), float(top)])


def read_map(raw: FloatImage, settings: BoardNetSettings) -> list[BoardGuess]:
    """Return the fields that a raw map allows, in input pixels, best first."""
    logits = np.clip(raw[[0, 3, 4]].astype(np.float64), -30, 30)
    odds = np.asarray(1.0 / (1.0 + np.exp(-logits)), dtype=np.float64)
    field = _largest(odds[0] > settings.least_odds)
    if int(field.sum()) < settings.fewest_cells:
        return []
    rows, columns = np.nonzero(field)
    cells = np.stack([columns, rows], axis=1).astype(np.float64)
    seen = np.asarray(cells * _STRIDE + (_STRIDE - 1) / 2, dtype=np.float64)
    place = np.asarray(raw[1:3, rows, columns].T, dtype=np.float64)
    fitted = _fitted(place, seen, settings)
    quads = _from_peaks(_peaks(odds[1], settings), _peaks(odds[2], settings))
    if fitted is not None:
        quads.append(fitted)
    area = field.astype(np.uint8)
    kept = [
        (quad, cover)
        for quad in _convex(quads)
        if (cover := _cover(quad, area)) >= settings.least_cover
    ]
    guesses = []
    shares = _agreements([quad for quad, _ in kept], place, seen, 1.5 * settings.inlier_px)
    for (quad, cover), agreement in zip(kept, shares, strict=True):
        heat = [_odds_at(odds[1 + k % 2], quad[k]) for k in range(4)]
        guesses.append(BoardGuess(_begun(quad), sum(heat) / 4, min(heat), agreement, cover))
    guesses.sort(key=lambda one: -one.merit)
    return _apart(guesses)[: settings.most_guesses]


def _agreements(quads: list[Array], place: Array, seen: Array, reach_px: float) -> list[float]:
    """Return, for each field, the share of cells whose place lies where the cell was seen."""
    if not quads:
        return []
    matrices = image_from_unit(np.stack(quads))
    where = matrices @ np.vstack([place.T, np.ones(len(place))])
    opposite = (matrices @ np.array([1.0, 1.0, 2.0]))[..., None] - where
    near = np.zeros((len(quads), len(seen)), dtype=np.bool_)
    for at in (where, opposite):
        off = at[:, :2] / at[:, 2:] - seen.T
        near |= off[:, 0] ** 2 + off[:, 1] ** 2 < reach_px**2
    return [float(share) for share in near.mean(axis=1)]


def seen_field(
    raw: FloatImage, offset: Array, settings: BoardNetSettings
) -> npt.NDArray[np.bool_]:
    """Return which of a raw map's cells that lie in the picture show its field."""
    least = float(np.log(settings.least_odds / (1.0 - settings.least_odds)))
    left, top = (int(v) for v in np.ceil(offset / _STRIDE))
    right, bottom = (int(v) for v in (INPUT_PX - offset) // _STRIDE)
    return _largest(np.asarray(raw[0] > least))[top:bottom, left:right]


def _fitted(place: Array, seen: Array, settings: BoardNetSettings) -> Array | None:
    """Return the field that most cells' places agree on; it may reach out of the picture."""
    # A unit of the field is a few hundred pixels, here as there: the fit is well scaled.
    unit_px = 2.0 * np.sqrt(len(seen)) * _STRIDE
    found = cv2.findHomography(
        place * unit_px, seen, cv2.RANSAC, settings.inlier_px, maxIters=200
    )
    matrix = np.asarray(found[0], dtype=np.float64)
    if matrix.shape != (3, 3):  # none fits
        return None
    return np.asarray(map_points(matrix[None], UNIT * unit_px)[0], dtype=np.float64)


def _from_peaks(first: Array, second: Array) -> list[Array]:
    """Return the fields that two corners of each kind make, or three and a parallelogram."""
    quads = []
    for one, other in ((first, second), (second, first)):
        for i in range(len(one)):
            for j in range(i):
                a, c = one[j], one[i]
                sides = [b for b in other if _turn(a, b, c) > 4.0]
                backs = [d for d in other if _turn(a, d, c) < -4.0]
                whole = one is first
                for b in sides:
                    quads += [_ordered(a, b, c, d, whole) for d in backs if whole]
                    quads.append(_ordered(a, b, c, a + c - b, whole))
                quads += [_ordered(a, a + c - d, c, d, whole) for d in backs]
    return quads


def _ordered(a: Array, b: Array, c: Array, d: Array, from_first: bool) -> Array:
    """Return four corners clockwise, beginning with one of the first kind."""
    return np.stack([a, b, c, d] if from_first else [d, a, b, c])


def _turn(a: Array, b: Array, c: Array) -> float:
    """Return twice the area of a triangle, positive where it runs clockwise in the picture."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _peaks(heat: Array, settings: BoardNetSettings) -> Array:
    """Return the heat's strongest peaks, (N, 2) input pixels."""
    highest = np.asarray(cv2.dilate(heat, np.ones((5, 5), np.uint8)), dtype=np.float64)
    rows, columns = np.nonzero((heat >= highest) & (heat > settings.least_peak))
    order = np.argsort(-heat[rows, columns])[: settings.most_peaks]
    spots = []
    for row, column in zip(rows[order], columns[order], strict=True):
        r0, c0 = max(int(row) - 2, 0), max(int(column) - 2, 0)
        part = heat[r0 : int(row) + 3, c0 : int(column) + 3] ** 2
        ys, xs = np.mgrid[r0 : r0 + part.shape[0], c0 : c0 + part.shape[1]]
        spots.append([(xs * part).sum() / part.sum(), (ys * part).sum() / part.sum()])
    return np.asarray(spots, dtype=np.float64).reshape(-1, 2) * _STRIDE + (_STRIDE - 1) / 2


def _odds_at(heat: Array, spot: Array) -> float:
    """Return the heat around a spot, 0 outside the map."""
    x, y = (round(float(v)) for v in (spot - (_STRIDE - 1) / 2) / _STRIDE)
    part = heat[max(y - 1, 0) : max(y + 2, 0), max(x - 1, 0) : max(x + 2, 0)]
    return float(part.max()) if part.size else 0.0


def _cover(quad: Array, area: npt.NDArray[np.uint8]) -> float:
    """Return how far a quadrilateral and the cells of the field are the same area."""
    inside = np.zeros((CELLS, CELLS), dtype=np.uint8)
    outline = np.round((quad - (_STRIDE - 1) / 2) / _STRIDE * 16).astype(np.int32)
    cv2.fillConvexPoly(inside, outline, 1, cv2.LINE_8, 4)
    both = cv2.countNonZero(inside & area)
    return both / max(cv2.countNonZero(inside) + cv2.countNonZero(area) - both, 1)


def _apart(guesses: list[BoardGuess]) -> list[BoardGuess]:
    """Return the guesses without those that hardly differ from a better one."""
    kept: list[BoardGuess] = []
    others = np.empty((0, 4, 2))
    for one in guesses:
        if (np.abs(others - one.corners).max(axis=(1, 2)) > _STRIDE).all():
            kept.append(one)
            others = np.stack([other.corners for other in kept])
    return kept


def _largest(field: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(field.astype(np.uint8))
    if count < 2:
        return field
    return np.asarray(labels == 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA])), dtype=np.bool_)


def _convex(quads: list[Array]) -> list[Array]:
    """Return the quadrilaterals that are convex and no slivers."""
    if not quads:
        return []
    sides = np.stack(quads)
    sides = sides[:, [1, 2, 3, 0]] - sides
    following = sides[:, [1, 2, 3, 0]]
    turns = sides[..., 0] * following[..., 1] - sides[..., 1] * following[..., 0]
    good = (np.isfinite(turns) & (turns > 40.0)).all(axis=1)
    return [quads[int(k)] for k in np.flatnonzero(good)]


def _begun(quad: Array) -> Array:
    """Return the corners from the one that readings begin with.

    Rows that run across the picture begin at the left; rows that run up and down begin below,
    as a turn of the picture by a quarter clockwise would have it.
    """
    across = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
    angle_deg = float(np.degrees(np.arctan2(across[1], across[0])))
    return quad if -135.0 < angle_deg <= 45.0 else np.roll(quad, 2, axis=0)
