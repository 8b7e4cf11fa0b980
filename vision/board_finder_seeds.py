"""First guesses of a field from its comb alone: where do rows of twelve points run?"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_finder_comb import SLANT_SCALE, Array, EdgeField
from vision.board_finder_lines import Quads
from vision.cv import FloatImage, as_f32

_SHRINK = 0.5
"""Rows are sought in the map at half its size: a point is still seven pixels wide or more."""
_BAND_PX = 14
_STEP_PX = 5


@dataclass(frozen=True, slots=True)
class _Row:
    """One row of points: sign +1 for the upper row, whose points hang down."""

    merit: float
    y0: float
    """Where its band of agreement begins."""
    y1: float
    x0: float
    pitch: float
    bar: float
    """Share of the row's width."""

    @property
    def width(self) -> float:
        return 12.0 * self.pitch / (1.0 - self.bar)

    @property
    def y(self) -> float:
        return (self.y0 + self.y1) / 2


def seed_quads(
    field: EdgeField, angle_deg: float, bars: tuple[float, ...], smallest_px: float, most: int
) -> tuple[Quads, Array, Array]:
    """Return guesses of the field, best first: quads (N, 4, 2), bars (N,), merits (N,)."""
    height, width = field.rows.shape
    turn, size = _upright(width, height, angle_deg)
    twice = np.radians(2.0 * angle_deg)
    cos2, sin2, strength = cv2.split(field.columns)
    slant = as_f32((as_f32(sin2) * np.cos(twice) - as_f32(cos2) * np.sin(twice)) / SLANT_SCALE)
    ceiling = as_f32(strength)
    slant = np.clip(slant, -ceiling, ceiling)
    upright = as_f32(cv2.warpAffine(slant, turn, size))
    weight = as_f32(cv2.warpAffine(ceiling, turn, size))
    tops, bottoms = _rows(upright, weight, bars, smallest_px * _SHRINK)
    quads, widths, merits = [], [], []
    for top in tops:
        for bottom in bottoms:
            if abs(top.bar - bottom.bar) > 0.05:
                continue
            made = _join(top, bottom)
            if made is None:
                continue
            quads.append(made)
            widths.append((top.bar + bottom.bar) / 2)
            merits.append(min(top.merit, bottom.merit) + 0.3 * max(top.merit, bottom.merit))
    if not quads:
        return np.zeros((0, 4, 2)), np.zeros(0), np.zeros(0)
    order = np.argsort(-np.asarray(merits))[:most]
    back = as_f32(cv2.invertAffineTransform(turn)).astype(np.float64)
    corners = np.asarray(quads)[order] @ back[:, :2].T + back[:, 2]
    return corners, np.asarray(widths)[order], np.asarray(merits)[order]


def _upright(width: int, height: int, angle_deg: float) -> tuple[Array, tuple[int, int]]:
    """Return the turn that lays the rows level, and the size that holds the whole picture."""
    cosine, sine = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    out_w = int(np.ceil(abs(width * cosine) + abs(height * sine)))
    out_h = int(np.ceil(abs(height * cosine) + abs(width * sine)))
    matrix = _SHRINK * np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0]])
    out_w, out_h = round(out_w * _SHRINK), round(out_h * _SHRINK)
    center = np.array([width / 2.0, height / 2.0])
    matrix[:, 2] = np.array([out_w / 2.0, out_h / 2.0]) - matrix[:, :2] @ center
    return matrix, (out_w, out_h)


def _rows(
    slant: FloatImage, weight: FloatImage, bars: tuple[float, ...], smallest_px: float
) -> tuple[list[_Row], list[_Row]]:
    """Return the best upper and lower rows of points in an upright signed map."""
    height, width = slant.shape
    tops_of = np.arange(0, height - _BAND_PX + 1, _STEP_PX)
    total = np.concatenate([np.zeros((1, width)), np.cumsum(slant, axis=0, dtype=np.float64)])
    heavy = np.concatenate([np.zeros((1, width)), np.cumsum(weight, axis=0, dtype=np.float64)])
    band = (total[tops_of + _BAND_PX] - total[tops_of]) / _BAND_PX
    mass = (heavy[tops_of + _BAND_PX] - heavy[tops_of]) / _BAND_PX
    cum_mass = np.concatenate([np.zeros((len(band), 1)), np.cumsum(mass, axis=1)], axis=1)
    ratio = 1.03
    narrowest, widest = smallest_px / 13.0, width / 12.0
    count = max(int(np.log(widest / narrowest) / np.log(ratio)), 1)
    pitches = narrowest * ratio ** np.arange(count)
    scores: list[tuple[Array, float, float]] = []
    floor = 0.02
    for pitch in pitches:
        wave = np.exp(2j * np.pi * np.arange(width) / pitch)
        cum = np.concatenate([np.zeros((len(band), 1)), np.cumsum(band * wave, axis=1)], axis=1)
        half = round(6 * pitch)
        starts = np.arange(width - half + 1)
        sums = (cum[:, half:] - cum[:, :-half]) * np.exp(-2j * np.pi * starts / pitch)
        agree = -sums.imag / (cum_mass[:, half:] - cum_mass[:, :-half] + floor * half)
        for bar in bars:
            gap = half + round(bar * 12 * pitch / (1 - bar))
            if gap >= agree.shape[1]:
                continue
            first, second = agree[:, :-gap], agree[:, gap:]
            # The weaker half counts most: half a board is no board.
            joint = np.where(
                first * second > 0,
                np.sign(first)
                * (0.7 * np.minimum(abs(first), abs(second)) + 0.15 * abs(first + second)),
                0.0,
            )
            scores.append((joint, float(pitch), bar))
    found: tuple[list[_Row], list[_Row]] = ([], [])
    for sign, into in ((1.0, found[0]), (-1.0, found[1])):
        into.extend(_peaks(scores, sign, tops_of, 10))
    return found


def _peaks(
    scores: list[tuple[Array, float, float]],
    sign: float,
    tops_of: npt.NDArray[np.int64],
    most: int,
) -> list[_Row]:
    """Return the strongest rows, no two of them nearly the same."""
    best: list[_Row] = []
    for joint, pitch, bar in scores:
        signed = sign * joint
        # A row of points is several bands tall: three in a line are asked for.
        tall = signed.copy()
        tall[1:-1] = np.minimum(np.minimum(signed[:-2], signed[2:]) * 1.3, signed[1:-1])
        for _ in range(3):
            j, x = np.unravel_index(int(np.argmax(tall)), tall.shape)
            merit = float(tall[j, x])
            if merit < 0.12:
                break
            column = signed[:, max(int(x) - 2, 0) : int(x) + 3].max(axis=1)
            low = high = int(j)
            while low > 0 and column[low - 1] > 0.45 * merit:
                low -= 1
            while high < len(column) - 1 and column[high + 1] > 0.45 * merit:
                high += 1
            best.append(
                _Row(
                    merit,
                    float(tops_of[low]),
                    float(tops_of[high] + _BAND_PX),
                    float(x),
                    pitch,
                    bar,
                )
            )
            # Whole-point shifts of this row are tried later; now the other row is wanted.
            reach = int(4 * pitch)
            tall[low : high + 1, max(int(x) - reach, 0) : int(x) + reach + 1] = 0.0
    best.sort(key=lambda row: -row.merit)
    kept: list[_Row] = []
    for row in best:
        level = [k for k in kept if min(row.y1, k.y1) > max(row.y0, k.y0)]
        near = any(
            abs(row.x0 - k.x0) < 0.4 * k.pitch
            and abs(row.x0 + row.width - k.x0 - k.width) < 0.4 * k.pitch
            for k in level
        )
        # The far row, half a point aside, looks like this one: it must not fill the list.
        if not near and len(level) < 4:
            kept.append(row)
        if len(kept) >= most:
            break
    return kept


def _join(top: _Row, bottom: _Row) -> Quads | None:
    """Make a field of an upper and a lower row; None: they do not belong together."""
    if bottom.y <= top.y:
        return None
    y0, y1 = top.y0, bottom.y1
    tall = y1 - y0
    broad = (top.width + bottom.width) / 2
    if not 0.55 < broad / tall < 1.9 or not 0.72 < top.width / bottom.width < 1.39:
        return None
    shift = (top.x0 + top.width / 2) - (bottom.x0 + bottom.width / 2)
    if abs(shift) > 0.14 * broad:
        return None

    def edge(at_top: float, at_bottom: float, y: float) -> float:
        return at_top + (at_bottom - at_top) * (y - top.y) / (bottom.y - top.y)

    left_top, left_bottom = (edge(top.x0, bottom.x0, y) for y in (y0, y1))
    right_top, right_bottom = (
        edge(top.x0 + top.width, bottom.x0 + bottom.width, y) for y in (y0, y1)
    )
    return np.array([[left_top, y0], [right_top, y0], [right_bottom, y1], [left_bottom, y1]])
