"""The chain from a picture of working size to weighed and selected faces of dice."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.cv import BgrImage, GrayImage, as_f64, as_u8
from vision.dice_context_weights import CONTEXT_WEIGHTS
from vision.dice_faces import (
    Faces,
    FaceSettings,
    IntArray,
    count_strangers,
    join,
    propose_faces,
)
from vision.dice_ones import propose_ones
from vision.dice_outline import (
    ImagePyramid,
    Outline,
    face_evenness,
    fit_lone_diagonals,
    join_outlines,
    lattice_unit,
    measure_outline,
)
from vision.dice_score import context_features, face_features, face_traits, probability
from vision.dice_select import SIDE_UNITS, select_faces
from vision.dice_weights import WEIGHTS
from vision.pips import FloatArray, Pips, PipSettings, find_pips

MIN_LIKELY = 0.003
"""Faces below this by themselves are not looked at in context."""


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """How faces are looked for in a picture of working size."""

    pips: PipSettings = field(default_factory=PipSettings)
    faces: FaceSettings = field(default_factory=FaceSettings)
    max_unevenness: float = 0.5
    """In pip contrasts."""
    min_contrast: float = 12.0
    """Colour distance of pip and face."""
    max_candidates: int = 100
    """Faces per tone that are looked at closely."""
    max_lone: int = 36
    """Twos and threes among them."""
    max_ones: int = 40
    min_unit_px: float = 0.0
    max_unit_px: float = 1e9
    """Lattice unit: about 0.27 of a die's side."""
    round_below: float = 0.865
    square_above: float = 0.905
    """`Outline.squareness` up to which a one is surely none, and from which it may be one."""
    max_share: float = 0.9
    """Largest side of a die, as a share of the picture's shorter side."""
    max_cut: float = 0.12
    """How far a face may reach beyond the picture, in its sides."""
    report_above: float = 0.25
    """A die of unsure number is reported from this probability on."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Faces looked at closely, with what was measured."""

    faces: Faces
    outline: Outline
    features: FloatArray
    """(N, len(FEATURES))."""
    pip_key: IntArray
    """(N, 6) places of the members among all pips of both tones, -1 where unused."""
    traits: FloatArray
    """(N, 3) mean pip radius, mean pip contrast, 1.0 for light pips."""
    plausible: FloatArray
    """(N,) 0 where a plain reason speaks against a die, 1 where none does."""


@dataclass(frozen=True, slots=True)
class ReadFace:
    """One upper face in the working picture."""

    value: int
    probability: float
    center: FloatArray
    """(2,)."""
    u: FloatArray
    """(2,) half the way between corner pips."""
    v: FloatArray
    reach: FloatArray
    """(4,) where the face ends: right, bottom, left, top, in lattice units."""

    def corners(self) -> FloatArray:
        """Return the face's four corners, (4, 2), in order round it."""
        right, bottom, left, top = self.reach
        ends = ((-left, -top), (right, -top), (right, bottom), (-left, bottom))
        return np.array([self.center + a * self.u + b * self.v for a, b in ends])

    def lattice_corners(self) -> FloatArray:
        """Return the places of the four corner pips, (4, 2), in order round the face."""
        ends = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        return np.array([self.center + a * self.u + b * self.v for a, b in ends])


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """Where dice may lie and how large they are; nothing else is looked at."""

    center_px: FloatArray
    """(N, 2) middles of the outlines."""
    long_px: FloatArray
    """(N,) their longer sides: outlines show side faces and turned squares, so that a face's
    edge is between half of it and the whole."""

    def pips(self, pips: Pips) -> Pips:
        """Return those pips that may lie on an upper face."""
        near = self._away(pips.xy_px) < _PIP_REACH
        return pips.take(np.flatnonzero(near.any(axis=1)))

    def faces(self, faces: Faces) -> Faces:
        """Return those faces that may be upper ones."""
        share = lattice_unit(faces)[:, None] * SIDE_UNITS / self.long_px
        fits = (self._away(faces.center) < _FACE_REACH) & (share > 0.45) & (share < 1.15)
        return faces.take(np.flatnonzero(fits.any(axis=1)))

    def _away(self, points: FloatArray) -> FloatArray:
        apart = points[:, None] - self.center_px
        return np.asarray(np.hypot(apart[..., 0], apart[..., 1]) / self.long_px)


_PIP_REACH, _FACE_REACH = 0.62, 0.4
"""How far from an outline's middle pips and the upper face's middle may lie, in its sides."""


def read_faces(
    bgr: BgrImage, settings: ReadSettings, expected: Expected | None = None
) -> list[ReadFace]:
    """Return the upper faces found, likeliest first.

    Args:
        bgr: a picture of working size.
        settings: how faces are looked for.
        expected: where they may lie; None: anywhere.
    """
    found = face_candidates(bgr, settings, expected)
    if found is None:
        return []
    likely = weigh(found)
    chosen = select_faces(found.faces, found.pip_key, likely, settings.report_above)
    return [
        ReadFace(
            int(found.faces.value[i]),
            float(likely[i]),
            found.faces.center[i],
            found.faces.u[i],
            found.faces.v[i],
            found.outline.reach[i],
        )
        for i in chosen
    ]


def weigh(found: Candidates) -> FloatArray:
    """Return each candidate's probability: first by itself, then beside the others."""
    alone = probability(found.features, WEIGHTS)
    out = np.zeros(len(alone))
    rows = np.flatnonzero(alone > MIN_LIKELY)
    if len(rows):
        context = context_features(
            found.faces.take(rows),
            found.outline.take(rows),
            found.traits[rows],
            found.pip_key[rows],
            alone[rows],
        )
        both = np.column_stack([found.features[rows], context])
        out[rows] = probability(both, CONTEXT_WEIGHTS) * found.plausible[rows]
    return out


def face_candidates(
    bgr: BgrImage, settings: ReadSettings, expected: Expected | None = None
) -> Candidates | None:
    """Return every face worth weighing, or None where there is none."""
    pyramid = ImagePyramid(bgr)
    parts: list[Candidates] = []
    for pips in find_pips(even_gray(bgr), settings.pips):
        own = pips if expected is None else expected.pips(pips)
        found = _tone_candidates(pyramid, own, settings, expected)
        if found is not None:
            parts.append(found)
    if not parts:
        return None
    return Candidates(
        join([p.faces for p in parts]),
        join_outlines([p.outline for p in parts]),
        np.concatenate([p.features for p in parts]),
        np.concatenate([p.pip_key for p in parts]),
        np.concatenate([p.traits for p in parts]),
        np.concatenate([p.plausible for p in parts]),
    )


def _tone_candidates(
    pyramid: ImagePyramid, pips: Pips, settings: ReadSettings, expected: Expected | None
) -> Candidates | None:
    if len(pips) == 0:
        return None
    faces = _of_size(propose_faces(pips, settings.faces), settings)
    if expected is not None:
        faces = expected.faces(faces)
    if len(faces):
        faces = faces.take(count_strangers(faces, pips) <= 1)
    if len(faces):
        uneven, contrast = face_evenness(pyramid, faces, pips)
        # An even face with many pips in their places is worth a closer look first.
        worth = uneven - 0.06 * faces.value + 0.3 * faces.residual
        good = np.flatnonzero(
            (uneven < settings.max_unevenness) & (contrast > settings.min_contrast)
        )
        good = good[np.argsort(worth[good], kind="stable")][: settings.max_candidates]
        faces = faces.take(good)
    ones = _of_size(propose_ones(pyramid, pips, settings.max_ones), settings)
    if expected is not None:
        ones = expected.faces(ones)
    if len(faces) + len(ones) == 0:
        return None
    faces, outline = _outlined(pyramid, faces, ones, pips, settings)
    # Light pips are numbered after the dark ones.
    key = np.where(faces.members >= 0, faces.members + (100_000 if pips.light else 0), -1)
    features = face_features(faces, outline, pips)
    plausible = _plausible(pyramid, faces, outline, settings)
    return Candidates(faces, outline, features, key, face_traits(faces, pips), plausible)


def _outlined(
    pyramid: ImagePyramid, faces: Faces, ones: Faces, pips: Pips, settings: ReadSettings
) -> tuple[Faces, Outline]:
    """Return all faces, twos and threes with their second diagonal, and their outlines."""
    lone = (faces.value == 2) | (faces.value == 3)
    few = faces.take(np.flatnonzero(lone)[: settings.max_lone])
    others = faces.take(~lone)
    rest = join([others, ones])
    outline = measure_outline(pyramid, rest, pips)
    if not len(few):
        return rest, outline
    few, their_outline = fit_lone_diagonals(pyramid, few, pips)
    count = len(others)
    before, after = np.arange(count), np.arange(count, len(rest))
    outlines = [outline.take(before), their_outline, outline.take(after)]
    return join([others, few, ones]), join_outlines(outlines)


def _plausible(
    pyramid: ImagePyramid, faces: Faces, outline: Outline, settings: ReadSettings
) -> FloatArray:
    # A checker with a dot in its middle has a lone pip, an even face and edges on all sides:
    # only its missing corners tell it from a one.
    low, high = settings.round_below, settings.square_above
    cornered = np.clip((outline.squareness - low) / (high - low), 0.0, 1.0)
    side = lattice_unit(faces) * SIDE_UNITS
    fits = side < settings.max_share * min(pyramid.size_px)
    ends = np.abs(faces.u) + np.abs(faces.v)
    outer = faces.center + np.stack([-ends, ends]) * (SIDE_UNITS / 2)
    over = np.maximum(-outer[0], outer[1] - np.array(pyramid.size_px)).max(axis=1)
    fits &= over < settings.max_cut * side
    return as_f64(np.where(faces.value == 1, cornered, 1.0) * fits)


def _of_size(faces: Faces, settings: ReadSettings) -> Faces:
    unit = lattice_unit(faces)
    return faces.take((unit >= settings.min_unit_px) & (unit <= settings.max_unit_px))


def even_gray(bgr: BgrImage) -> GrayImage:
    """Return the channels' mean: black pips on red or blue dice all but vanish in luma."""
    return as_u8(cv2.transform(bgr, np.array([[0.34, 0.33, 0.33]], np.float32)))
