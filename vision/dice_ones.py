"""Squares for lone pips: a one has no lattice, so its outline must say where its face ends."""

import numpy as np

from vision.cv import as_f64
from vision.dice_faces import MAX_MEMBERS, Faces, IntArray, no_faces
from vision.dice_outline import F32, ImagePyramid
from vision.pips import FloatArray, Pips

_POLAR_ANGLES = 36
_POLAR_RADII = np.arange(1.6, 9.0, 0.25)
"""In pip radii."""


def propose_ones(pyramid: ImagePyramid, pips: Pips, max_ones: int) -> Faces:
    """Give lone pips a square: the turn and size at which its sides show best."""
    chosen = np.flatnonzero((pips.closure > 0.45) & (pips.roundness > 0.3))
    if len(chosen) == 0:
        return no_faces()
    angle = np.arange(_POLAR_ANGLES) * (2 * np.pi / _POLAR_ANGLES)
    unit = np.column_stack([np.cos(angle), np.sin(angle)])
    center, radius = pips.xy_px[chosen], pips.radius_px[chosen]
    offsets = (unit[:, None] * _POLAR_RADII[None, :, None]).reshape(-1, 2)
    near = (unit[::3, None] * np.array([1.7, 2.2])[None, :, None]).reshape(-1, 2)
    ring = pyramid.sample(center[:, None] + near * radius[:, None, None], radius * 0.25)
    core = pyramid.sample(center[:, None], np.ones(len(center)))[:, 0]
    face = np.median(ring, axis=1)
    contrast = np.maximum(np.linalg.norm(core - face, axis=1), 1.0)
    uneven = np.quantile(np.linalg.norm(ring - face[:, None], axis=2), 0.8, axis=1) / contrast
    even = np.argsort(uneven, kind="stable")[:max_ones]
    even = even[uneven[even] < 0.4]
    if len(even) == 0:
        return no_faces()
    chosen, center, radius, contrast = chosen[even], center[even], radius[even], contrast[even]
    colours = pyramid.sample(center[:, None] + offsets * radius[:, None, None], radius * 0.25)
    profile = colours.reshape(len(center), _POLAR_ANGLES, len(_POLAR_RADII), 3)
    profile = profile / contrast[:, None, None, None].astype(np.float32)
    step = np.zeros(profile.shape[:3], np.float32)
    step[:, :, 1:-1] = np.linalg.norm(profile[:, :, 2:] - profile[:, :, :-2], axis=3)
    return _best_squares(chosen, center, radius, np.minimum(step, 0.6), as_f64(angle))


def _best_squares(
    chosen: IntArray, center: FloatArray, radius: FloatArray, step: F32, angle: FloatArray
) -> Faces:
    turns = np.arange(9) * (np.pi / 18)
    halves = np.arange(2.6, 6.6, 0.25)
    scores = np.empty((len(center), len(turns), len(halves)))
    for k, turn in enumerate(turns):
        folded = (angle - turn + np.pi / 4) % (np.pi / 2) - np.pi / 4
        near_corner = np.abs(folded) > np.deg2rad(36)
        rho = halves[:, None] / np.cos(folded)[None]
        place = np.rint((rho - _POLAR_RADII[0]) / 0.25).astype(np.intp)
        place = np.clip(place, 0, len(_POLAR_RADII) - 1)
        at = step[:, np.arange(len(angle))[None], place]
        at = at[:, :, ~near_corner]
        scores[:, k] = np.mean(at, axis=2)
    flat = scores.reshape(len(center), -1)
    best = np.argmax(flat, axis=1)
    turn, half = turns[best // len(halves)], halves[best % len(halves)]
    unit = (half / 1.85 * radius)[:, None]
    u = np.column_stack([np.cos(turn), np.sin(turn)]) * unit
    v = np.column_stack([-np.sin(turn), np.cos(turn)]) * unit
    members = np.full((len(center), MAX_MEMBERS), -1, dtype=np.intp)
    members[:, 0] = chosen
    ones = np.ones(len(center), dtype=np.intp)
    return Faces(ones, center, u, v, members, np.zeros(len(center)))
