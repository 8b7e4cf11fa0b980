"""From the dice net's raw map to dice: peaks, looks on several scales merged, readings.

Pure functions of arrays; the network itself is in `vision.dice_net`.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.cv import FloatImage, as_f32
from vision.observation import DieReading

STRIDE = 4
SIZE_UNIT_PX = 24.0
"""Unit of the map's offsets and sizes."""
CHANNELS = 12
"""0 heat; 1–6 value logits; 7–8 outline's centre from the cell's, 9–10 log of its width and
height, both in `SIZE_UNIT_PX`; 11 logit of "lies tilted", too poor to
be told."""
_Array: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DiceNetSettings:
    """How the network's map is read."""

    heat_min: float = 0.3
    """A peak of the map below this is no die."""
    value_min: float = 0.8
    """A value less probable than this is not vouched for."""
    temperature: float = 1.1
    """Softens the value's probabilities; fitted on pictures the net was not trained on."""
    heat_even: float = 0.33
    heat_step: float = 0.06
    """Heat at which a die is as likely as not, and how fast that grows with heat: between what
    drawn tables full of things that are no dice and what photos show."""
    smallest_px: float = 12.0
    """Width and height of the outlines the net was trained for, at its scale …"""
    largest_px: float = 62.0
    long_sides_px: tuple[int, ...] = (1280, 768, 460, 276, 166, 100, 60, 38)
    """Plain photos: the picture is looked at in these sizes."""
    max_enlarge: float = 2.5
    overlap_max: float = 0.6
    """Outlines that share more of the smaller one are one die."""
    evidence_min: float = 0.2
    sure_heat: float = 0.6
    too_large_px: float = 210.0
    """Plain photos: finer looks end when dice seen for sure would be larger than this."""
    alike_min: float = 0.45
    """Outlines that share more of their union speak of the same die."""
    sure_px: tuple[float, float] = (15.0, 52.0)
    """Outlines of these sizes the net should not miss, if they are dice."""
    odd_size: float = 2.6
    """Plain photos: outlines so many times larger or smaller than most are no dice."""
    px_per_mm: float = 2.1
    """Boards: the field is looked at in this scale."""


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """What was seen, as parallel arrays in the coordinates of one picture."""

    face_px: _Array
    """(N, 2) centre of the upper face."""
    box_px: _Array
    """(N, 4) outline: x, y, width, height."""
    heat: _Array
    """(N,) probability that it is a die's upper face."""
    logits: _Array
    """(N, 6) log-odds of the values."""
    scale: _Array
    """(N,) scale at which it was seen: its size there by its size here."""

    def __len__(self) -> int:
        return len(self.heat)

    @classmethod
    def none(cls) -> "Detections":
        """Return an empty list."""
        two, four, six = (np.empty((0, n)) for n in (2, 4, 6))
        return cls(two, four, np.empty(0), six, np.empty(0))

    def take(self, chosen: npt.ArrayLike) -> "Detections":
        """Return some of them."""
        at = np.asarray(chosen)
        return Detections(
            self.face_px[at],
            self.box_px[at],
            self.heat[at],
            self.logits[at],
            self.scale[at],
        )

    def moved(self, scale: float, offset_px: tuple[float, float]) -> "Detections":
        """Return them in another picture's coordinates: scaled, then shifted."""
        shift = np.array(offset_px)
        box = self.box_px * scale
        box[:, :2] += shift
        return Detections(
            self.face_px * scale + shift,
            box,
            self.heat,
            self.logits,
            self.scale / scale,
        )


def read_map(raw: FloatImage, settings: DiceNetSettings) -> Detections:
    """Return the peaks of a map whose outlines have a size the net knows."""
    heat = as_f32(1.0 / (1.0 + np.exp(-np.clip(raw[0], -30, 30))))
    highest = as_f32(cv2.dilate(heat, np.ones((3, 3), np.uint8)))
    rows, columns = np.nonzero((heat >= highest) & (heat > settings.heat_min))
    if not len(rows):
        return Detections.none()
    # Neighbours speak too, as loudly as they are hot: a lone cell may be misled by noise.
    weight = as_f32(cv2.blur(heat, (3, 3)))[rows, columns].astype(np.float64)
    said = np.empty((len(rows), CHANNELS), np.float64)
    for channel in range(1, CHANNELS):
        hot = as_f32(cv2.blur(as_f32(raw[channel] * heat), (3, 3)))
        said[:, channel] = hot[rows, columns] / np.maximum(weight, 1e-9)
    said[:, 7:11] = raw[7:11, rows, columns].T
    cell = np.column_stack([columns, rows]) * STRIDE + (STRIDE - 1) / 2
    center = cell + said[:, 7:9] * SIZE_UNIT_PX
    size = np.exp(np.clip(said[:, 9:11], -3, 3)) * SIZE_UNIT_PX
    found = Detections(
        cell.astype(np.float64),
        np.hstack([center - size / 2, size]),
        heat[rows, columns].astype(np.float64),
        said[:, 1:7],
        np.ones(len(rows)),
    )
    large = size.max(axis=1, initial=0.0)
    return found.take((large > settings.smallest_px) & (large < settings.largest_px))


def joined(levels: list[Detections]) -> Detections:
    """Return several looks as one list."""
    return Detections(
        np.concatenate([d.face_px for d in levels]),
        np.concatenate([d.box_px for d in levels]),
        np.concatenate([d.heat for d in levels]),
        np.concatenate([d.logits for d in levels]),
        np.concatenate([d.scale for d in levels]),
    )


def merged(found: Detections, scales: list[float], settings: DiceNetSettings) -> Detections:
    """Return one detection per die: looks on several scales at one die speak together.

    A die is seen on every scale that gives it a size the net knows, a pip or a dotted checker
    taken for one mostly on a single scale; so the heat that remains is the mean over the scales
    that should have seen it.

    Args:
        found: what was seen on all scales.
        scales: all scales that were looked at.
        settings: the sizes that the net knows, and how much dice may overlap.
    """
    if not len(found):
        return found
    shared, alike = _overlaps(found.box_px)
    voices = (alike > settings.alike_min) * found.heat
    # Two voices on one scale count once: the louder.
    levels = np.unique(np.round(found.scale, 6), return_inverse=True)[1]
    total = np.zeros(len(found))
    for level in range(int(levels.max()) + 1):
        total += voices[:, levels == level].max(axis=1)
    large = found.box_px[:, 2:].max(axis=1)
    seen_px = large[:, None] * np.array(scales)
    low, high = settings.sure_px
    expected = ((seen_px > low) & (seen_px < high)).sum(axis=1)
    evidence = np.minimum(total / np.maximum(expected, min(2, len(scales))), 1.0)
    # Several dice side by side look like the pips of one, seen from afar: what holds two dice
    # seen for sure is no die.
    area = np.prod(found.box_px[:, 2:], axis=1)
    inner = (evidence > settings.sure_heat) & (area < 0.5 * area[:, None])
    held = (shared > 0.8) & inner
    apart = np.array([_most_apart(found.box_px[row]) for row in held])
    left = (apart < 2) & (evidence > settings.evidence_min)
    kept: list[int] = []
    for i in np.argsort(-evidence, kind="stable"):
        if left[i]:
            kept.append(int(i))
            left &= shared[i] <= settings.overlap_max
    if not kept:
        return found.take(np.zeros(len(found), bool))
    weights = voices[kept] / voices[kept].sum(axis=1, keepdims=True)
    best = found.take(kept)
    return Detections(
        best.face_px,
        best.box_px,
        evidence[kept],
        weights @ found.logits,
        best.scale,
    )


def _most_apart(boxes: _Array) -> int:
    """Return 0, 1 or 2: how many of some outlines lie clear of each other, at most two."""
    if len(boxes) < 2:
        return len(boxes)
    return 2 if float(_overlaps(boxes)[0].min()) < 0.3 else 1


def _overlaps(boxes: _Array) -> tuple[_Array, _Array]:
    """Return (N, N): what outlines have in common, of the smaller one and of their union."""
    low, high = boxes[:, :2], boxes[:, :2] + boxes[:, 2:]
    near, far = np.maximum(low[:, None], low), np.minimum(high[:, None], high)
    common = np.prod(np.maximum(far - near, 0), axis=2)
    areas = np.prod(boxes[:, 2:], axis=1)
    smaller = np.minimum(areas[:, None], areas)
    return common / smaller, common / (areas[:, None] + areas - common)


def usual_size_px(found: Detections) -> float:
    """Return the size of most dice, the surest counting most; there must be some."""
    size = np.sqrt(np.prod(found.box_px[:, 2:], axis=1))
    order = np.argsort(size, kind="stable")
    share = np.cumsum(found.heat[order] ** 4)
    return float(size[order][min(int(np.searchsorted(share, share[-1] / 2)), len(size) - 1)])


def of_usual_size(found: Detections, settings: DiceNetSettings) -> Detections:
    """Drop what is far larger or smaller than the dice most surely seen."""
    if len(found) < 2:
        return found
    size = np.sqrt(np.prod(found.box_px[:, 2:], axis=1))
    off = np.abs(np.log(size / usual_size_px(found)))
    return found.take(off < math.log(settings.odd_size))


def enough(found: Detections, next_scale: float, settings: DiceNetSettings) -> bool:
    """Return whether dice are seen for sure, and would be too large on the next scale."""
    sure = found.take(found.heat > settings.sure_heat)
    if not len(sure):
        return False
    return usual_size_px(sure) * next_scale > settings.too_large_px


def probabilities(found: Detections, settings: DiceNetSettings) -> _Array:
    """Return (N, 6) calibrated probabilities that each value lies up."""
    scaled = found.logits / settings.temperature
    odds = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def chances_of_die(found: Detections, settings: DiceNetSettings) -> _Array:
    """Return (N,) how probable it is that each is a die at all."""
    return np.asarray(
        1.0 / (1.0 + np.exp((settings.heat_even - found.heat) / settings.heat_step))
    )


def readings(found: Detections, settings: DiceNetSettings) -> tuple[DieReading, ...]:
    """Return what is vouched for, sorted by x."""
    chances = probabilities(found, settings)
    real = chances_of_die(found, settings)
    out = []
    for i in range(len(found)):
        x, y, width, height = found.box_px[i].tolist()
        confidence = float(chances[i].max() * real[i])
        out.append(
            DieReading(
                value=int(chances[i].argmax()) + 1
                if confidence >= settings.value_min
                else None,
                center_px=(x + width / 2, y + height / 2),
                box_px=(x, y, width, height),
                confidence=confidence,
            )
        )
    return tuple(sorted(out, key=lambda die: die.center_px))
