"""How likely a proposed face is a die's upper face with that many pips.

The features are measured by `dice_faces` and `dice_outline`; the small network that weighs
them was fitted once (docs/explanation/dice-reading.md) and is data here.
"""

import numpy as np
import numpy.typing as npt

from vision.cv import as_f64
from vision.dice_faces import Faces, IntArray, count_strangers
from vision.dice_outline import Outline, lattice_unit
from vision.pips import FloatArray, Pips

FEATURES = (
    *(f"is_{value}" for value in range(1, 7)),
    "residual",
    "size_spread",
    "tone_spread",
    "closure_mean",
    "closure_min",
    "round_mean",
    "round_min",
    "pip_size",
    "unevenness",
    "edge_min",
    "edge_second",
    "edge_mean",
    "edge_max",
    "reach_mean",
    "reach_min",
    "reach_max",
    "reach_skew",
    "off_center",
    "aspect",
    "squareness",
    "strangers",
    "light",
    "unit_log",
    "contrast_log",
    "tone_to_colour",
    "clean_min",
    "clean_second",
    "clean_mean",
    "strangers_squared",
    "outline_square",
)


def face_features(faces: Faces, outline: Outline, pips: Pips) -> FloatArray:
    """Return (N, len(FEATURES)) measures, each of order one."""
    valid = faces.members >= 0
    count = valid.sum(axis=1)

    def spread(values: FloatArray) -> FloatArray:
        logs = np.log(np.maximum(values[faces.members], 1e-3))
        mean = np.where(valid, logs, 0).sum(axis=1) / count
        return as_f64(
            np.sqrt(np.where(valid, (logs - mean[:, None]) ** 2, 0).sum(axis=1) / count)
        )

    def mean(values: FloatArray) -> FloatArray:
        return np.asarray(np.where(valid, values[faces.members], 0).sum(axis=1) / count)

    def least(values: FloatArray) -> FloatArray:
        return np.asarray(np.where(valid, values[faces.members], np.inf).min(axis=1))

    unit = lattice_unit(faces)
    length_u, length_v = np.hypot(*faces.u.T), np.hypot(*faces.v.T)
    edges = np.sort(np.minimum(outline.steps, 1.0), axis=1)
    clean = np.sort(outline.clean, axis=1)
    reach = outline.reach
    wide, high = reach[:, 0] + reach[:, 2], reach[:, 1] + reach[:, 3]
    off = np.hypot(reach[:, 0] - reach[:, 2], reach[:, 1] - reach[:, 3]) / 2
    cosine = (faces.u * faces.v).sum(axis=1) / np.maximum(length_u * length_v, 1e-6)
    contrast = mean(pips.contrast)
    columns = [
        *((faces.value == value).astype(np.float64) for value in range(1, 7)),
        3.0 * faces.residual,
        3.0 * spread(pips.radius_px),
        2.0 * spread(pips.contrast),
        mean(pips.closure),
        least(pips.closure),
        mean(pips.roundness),
        least(pips.roundness),
        3.0 * np.log(mean(pips.radius_px) / np.maximum(unit, 1e-6) / 0.42),
        2.0 * np.minimum(outline.unevenness, 1.0),
        3.0 * edges[:, 0],
        3.0 * edges[:, 1],
        3.0 * edges.mean(axis=1),
        2.0 * edges[:, 3],
        2.0 * (reach.mean(axis=1) - 1.85),
        2.0 * (reach.min(axis=1) - 1.7),
        2.0 * (reach.max(axis=1) - 2.0),
        3.0 * np.abs(np.log(wide / high)),
        2.0 * off,
        3.0 * np.abs(np.log(length_u / np.maximum(length_v, 1e-6))),
        3.0 * np.abs(cosine),
        np.minimum(count_strangers(faces, pips), 3).astype(np.float64),
        np.full(len(faces), 1.0 if pips.light else 0.0),
        np.log(np.maximum(unit, 1.0) / 8.0),
        np.log(np.maximum(contrast, 1.0) / 60.0),
        np.log(np.maximum(contrast, 1.0) / outline.contrast),
        4.0 * clean[:, 0],
        4.0 * clean[:, 1],
        4.0 * clean.mean(axis=1),
        np.minimum(count_strangers(faces, pips, 1.6, squared=True), 3).astype(np.float64),
        10.0 * (outline.squareness - 0.95),
    ]
    return as_f64(np.clip(np.column_stack(columns), -4.0, 4.0))


def face_traits(faces: Faces, pips: Pips) -> FloatArray:
    """Return (N, 3): mean pip radius in pixels, mean pip contrast, 1.0 for light pips."""
    valid = faces.members >= 0
    count = valid.sum(axis=1)
    radius = np.where(valid, pips.radius_px[faces.members], 0).sum(axis=1) / count
    contrast = np.where(valid, pips.contrast[faces.members], 0).sum(axis=1) / count
    return np.column_stack([radius, contrast, np.full(len(faces), float(pips.light))])


def probability(features: FloatArray, weights: "Weights") -> FloatArray:
    """Return the probability that each face is what it says."""
    hidden = np.tanh(features @ weights.first + weights.first_bias)
    return np.asarray(1.0 / (1.0 + np.exp(-(hidden @ weights.second + weights.second_bias))))


CONTEXT = (
    "own",
    "ally",
    "ally_of_same_size",
    "anyone",
    "rival",
    "rival_larger",
    "rival_above",
    "rival_pips",
    "rival_shares",
)


def context_features(
    faces: Faces, outline: Outline, traits: FloatArray, pip_key: IntArray, likely: FloatArray
) -> FloatArray:
    """Return (N, len(CONTEXT)): what the rest of the picture says about each face.

    Dice of one picture look alike, so a likely face elsewhere with such pips and such a colour
    is an ally. A face on the same die is a rival: of two faces of one die the upper one is the
    larger, and the higher one in the picture.

    Args:
        faces: proposed faces.
        outline: their outlines.
        traits: (N, 3) mean pip radius in pixels, mean pip contrast, 1.0 for light pips.
        pip_key: (N, 6) the pips each face uses, -1 where unused.
        likely: (N,) probability of each face by itself.
    """
    n = len(faces)
    length = np.maximum(np.hypot(*faces.u.T), np.hypot(*faces.v.T)) * 3.7
    delta = faces.center[None] - faces.center[:, None]
    apart = np.hypot(delta[..., 0], delta[..., 1]) / np.maximum(length[:, None], length[None])
    shares = np.zeros((n, n), dtype=bool)
    for k in range(pip_key.shape[1]):
        own = np.where(pip_key[:, k] >= 0, pip_key[:, k], -2)
        shares |= (pip_key[None] == own[:, None, None]).any(axis=2)
    same = ((apart < 0.1) | shares) & (faces.value[:, None] == faces.value[None])
    rival = ((apart < 0.82) | shares) & ~same
    other = ~rival & ~same & (apart > 0.85)
    radius, tone = np.log(np.maximum(traits[:, 0], 0.5)), np.log(np.maximum(traits[:, 1], 1.0))
    colour = np.linalg.norm(outline.face_bgr[:, None] - outline.face_bgr[None], axis=2) / 45.0
    alike = np.exp(
        -(((radius[:, None] - radius[None]) / 0.15) ** 2)
        - ((tone[:, None] - tone[None]) / 0.5) ** 2
        - colour**2
    )
    alike = alike * (traits[:, None, 2] == traits[None, :, 2])
    unit = np.log(np.maximum(lattice_unit(faces), 0.5))
    grown = unit[None] - unit[:, None]
    ally = np.where(other, alike * likely[None], 0.0)
    threat = np.where(rival, likely[None], 0.0)
    worst = np.argmax(threat, axis=1) if n else np.empty(0, dtype=np.intp)
    rows = np.arange(n)
    present = threat[rows, worst] > 0.02
    count = (pip_key >= 0).sum(axis=1)
    own_logit = np.log(np.clip(likely, 1e-4, 1 - 1e-4) / (1 - np.clip(likely, 1e-4, 1 - 1e-4)))
    columns = [
        own_logit / 2.0,
        2.0 * ally.max(axis=1, initial=0.0),
        2.0 * (ally * np.exp(-((grown / 0.2) ** 2))).max(axis=1, initial=0.0),
        np.where(other, likely[None], 0.0).max(axis=1, initial=0.0),
        3.0 * threat[rows, worst],
        np.where(present, 3.0 * grown[rows, worst], 0.0),
        np.where(present, -3.0 * delta[rows, worst, 1] / length, 0.0),
        np.where(present, count[worst] - count, 0) / 2.0,
        np.where(present, shares[rows, worst], 0.0),
    ]
    return as_f64(np.clip(np.column_stack(columns), -4.0, 4.0))


class Weights:
    """The two layers of the small network."""

    __slots__ = ("first", "first_bias", "second", "second_bias")

    def __init__(self, table: npt.ArrayLike) -> None:
        """Split a (features + 3, H) table: first layer, its bias, second layer, its bias."""
        rows = np.asarray(table, dtype=np.float64)
        n = len(rows) - 3
        self.first, self.first_bias = rows[:n], rows[n]
        self.second, self.second_bias = rows[n + 1], float(rows[n + 2, 0])
