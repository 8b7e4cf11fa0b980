"""What surrounds the pips: an even face, and a square outline where it ends.

All sampling is done in each face's own lattice coordinates, so a tilted or foreshortened face
is treated like a square one, and for all faces at once.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.cv import BgrImage, as_f32
from vision.dice_faces import Faces, IntArray, join
from vision.pips import FloatArray, Pips

F32 = npt.NDArray[np.float32]

_RAYS_PER_SIDE = 5
_H_STEP = 0.1
_H = np.arange(0.3, 3.35, _H_STEP)
"""Half sides of the squares that are sampled, lattice units."""
_WINDOW = 2
_H_MIN, _H_MAX = 1.35, 2.95
"""Where a face may end: its edge lies about 1.8 units from its middle."""
_MASK_RADII = 1.45


class ImagePyramid:
    """A picture and its halvings, so that a face of any size is sampled at its own grain."""

    def __init__(self, bgr: BgrImage, levels: int = 6) -> None:
        self._levels: list[F32] = []
        self.size_px = (bgr.shape[1], bgr.shape[0])
        current = bgr
        for _ in range(levels):
            smooth = cv2.blur(current, (2, 2)) if not self._levels else current
            self._levels.append(as_f32(smooth))
            if min(current.shape[:2]) < 32:
                break
            half = (current.shape[1] // 2, current.shape[0] // 2)
            current = np.asarray(cv2.resize(current, half, interpolation=cv2.INTER_AREA))

    def sample(self, points: FloatArray, grain_px: FloatArray) -> F32:
        """Return (N, M, 3) colours at (N, M, 2) points; `grain_px` (N,) is the step wanted."""
        level = np.clip(np.floor(np.log2(np.maximum(grain_px, 1.0))), 0, len(self._levels) - 1)
        out = np.empty((*points.shape[:2], 3), np.float32)
        for k in np.unique(level).astype(int):
            rows = level == k
            image = self._levels[k]
            # Centres of the halved picture's pixels lie half a pixel further in.
            at = (points[rows] + 0.5) / 2.0**k - 0.5
            x = np.clip(np.rint(at[..., 0]), 0, image.shape[1] - 1).astype(np.intp)
            y = np.clip(np.rint(at[..., 1]), 0, image.shape[0] - 1).astype(np.intp)
            out[rows] = image[y, x]
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """How the picture supports each face; arrays have length N."""

    contrast: FloatArray
    """Colour distance of pip and face."""
    unevenness: FloatArray
    """80 % quantile of the face's deviation from its own colour, in pip contrasts."""
    steps: FloatArray
    """(N, 4) strength of the edge on each side, in pip contrasts: right, bottom, left, top."""
    clean: FloatArray
    """(N, 4) the edge's share of all steps along its rays: a lone line is near 1."""
    reach: FloatArray
    """(N, 4) where each edge lies, lattice units."""
    squareness: FloatArray
    """Where the edge is met near the corners, against where in the sides' middles: 1 for a
    square, 0.93 for the roundest of dice, 0.85 for a disc."""
    face_bgr: FloatArray
    """(N, 3)."""

    def take(self, chosen: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> "Outline":
        """Return the rows at these places."""
        return Outline(
            self.contrast[chosen],
            self.unevenness[chosen],
            self.steps[chosen],
            self.clean[chosen],
            self.reach[chosen],
            self.squareness[chosen],
            self.face_bgr[chosen],
        )


def join_outlines(parts: list[Outline]) -> Outline:
    """Return all rows in one table."""
    return Outline(
        np.concatenate([p.contrast for p in parts]),
        np.concatenate([p.unevenness for p in parts]),
        np.concatenate([p.steps for p in parts]),
        np.concatenate([p.clean for p in parts]),
        np.concatenate([p.reach for p in parts]),
        np.concatenate([p.squareness for p in parts]),
        np.concatenate([p.face_bgr for p in parts]),
    )


def _square_rays() -> tuple[FloatArray, IntArray]:
    """Return (R, 2) ray ends on the unit square and each ray's side."""
    along = np.linspace(-0.72, 0.72, _RAYS_PER_SIDE)
    one = np.ones_like(along)
    ends = np.concatenate(
        [
            np.column_stack([one, along]),
            np.column_stack([along, one]),
            np.column_stack([-one, along]),
            np.column_stack([along, -one]),
        ]
    )
    return ends, np.repeat(np.arange(4), _RAYS_PER_SIDE)


_RAY_ENDS, _RAY_SIDE = _square_rays()


def lattice_unit(faces: Faces) -> FloatArray:
    """Return the geometric mean of |u| and |v| (by area), pixels."""
    return np.sqrt(np.abs(faces.u[:, 0] * faces.v[:, 1] - faces.u[:, 1] * faces.v[:, 0]))


def _member_offsets(faces: Faces, pips: Pips) -> tuple[FloatArray, FloatArray]:
    """Return (N, 6, 2) member positions and (N, 6) radii; absent ones far away."""
    valid = faces.members >= 0
    xy = np.where(valid[..., None], pips.xy_px[faces.members], 1e7)
    radius = np.where(valid, pips.radius_px[faces.members], 0.0)
    return xy, radius


def face_evenness(
    pyramid: ImagePyramid, faces: Faces, pips: Pips
) -> tuple[FloatArray, FloatArray]:
    """Return the unevenness (see `Outline`) from a few samples, and the contrast: a sieve."""
    grid = np.linspace(-1.0, 1.0, 6)
    st = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
    face, pip, colours, mask = _face_samples(pyramid, faces, pips, st)
    contrast = _lengths(pip - face)
    away = _lengths(colours - face[:, None]) / np.maximum(contrast, 1)[:, None]
    return _quantile_unmasked(away, mask, 0.8), contrast.astype(np.float64)


def _face_samples(
    pyramid: ImagePyramid, faces: Faces, pips: Pips, st: FloatArray
) -> tuple[F32, F32, F32, npt.NDArray[np.bool_]]:
    """Sample lattice places; return face colour, pip colour, samples, and where pips are."""
    points = (
        faces.center[:, None]
        + st[None, :, :1] * faces.u[:, None]
        + st[None, :, 1:] * faces.v[:, None]
    )
    unit = lattice_unit(faces)
    grain = unit * 0.22
    colours = pyramid.sample(points, grain)
    mask = np.zeros(points.shape[:2], dtype=bool)
    xy, radius = _member_offsets(faces, pips)
    px, py = points[..., 0].astype(np.float32), points[..., 1].astype(np.float32)
    for k in np.flatnonzero((faces.members >= 0).any(axis=0)):
        limit = ((_MASK_RADII * radius[:, k]) ** 2).astype(np.float32)
        mx, my = xy[:, k, 0].astype(np.float32), xy[:, k, 1].astype(np.float32)
        mask |= (px - mx[:, None]) ** 2 + (py - my[:, None]) ** 2 < limit[:, None]
    core = np.where(np.isfinite(xy) & (xy < 1e6), xy, faces.center[:, None])
    pip_colours = pyramid.sample(core, np.ones(len(faces)))
    valid = faces.members >= 0
    pip = _masked_median(pip_colours, ~valid)
    inner = np.abs(st).max(axis=1) <= 1.25
    face = _masked_median(colours[:, inner], mask[:, inner])
    return face, pip, colours, mask


def _lengths(vectors: F32) -> F32:
    """Return the lengths along the last axis, several times faster than `np.linalg.norm`."""
    return as_f32(np.sqrt(np.einsum("...i,...i->...", vectors, vectors)))


def _masked_median(colours: F32, mask: npt.NDArray[np.bool_]) -> F32:
    """Return the median (N, 3) of the samples that are not masked."""
    shown = np.where(mask[..., None], np.float32(1e6), colours)
    shown = np.sort(shown, axis=1)
    count = np.maximum((~mask).sum(axis=1), 1)
    return as_f32(shown[np.arange(len(shown)), (count - 1) // 2])


def _quantile_unmasked(
    values: npt.NDArray[np.floating], mask: npt.NDArray[np.bool_], q: float
) -> FloatArray:
    shown = np.sort(np.where(mask, np.inf, values), axis=1)
    count = (~mask).sum(axis=1)
    place = np.clip((q * count).astype(np.intp), 0, np.maximum(count - 1, 0))
    out = shown[np.arange(len(shown)), place]
    return np.where(np.isfinite(out), out, 9.0).astype(np.float64)


def measure_outline(pyramid: ImagePyramid, faces: Faces, pips: Pips) -> Outline:
    """Measure evenness and the four edges of each face."""
    st = (_RAY_ENDS[:, None, :] * _H[None, :, None]).reshape(-1, 2)
    face, pip, colours, mask = _face_samples(pyramid, faces, pips, st)
    contrast = as_f32(np.maximum(_lengths(pip - face), 1.0))
    away = _lengths(colours - face[:, None]) / contrast[:, None]
    inner = np.abs(st).max(axis=1) <= 1.25
    unevenness = _quantile_unmasked(away[:, inner], mask[:, inner], 0.8)
    filled = np.where(mask[..., None], face[:, None], colours)
    profile = (
        filled.reshape(len(faces), len(_RAY_ENDS), len(_H), 3) / contrast[:, None, None, None]
    )
    steps, clean, reach, square = _side_edges(as_f32(profile))
    return Outline(
        contrast.astype(np.float64),
        unevenness,
        steps,
        clean,
        reach,
        square,
        face.astype(np.float64),
    )


def _side_edges(profile: F32) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Find on each side the half side where most of its rays step together."""
    summed = np.cumsum(profile, axis=2)
    summed = np.concatenate([np.zeros_like(summed[:, :, :1]), summed], axis=2)
    w = _WINDOW
    m = profile.shape[2]
    mid = np.arange(w, m - w)
    before = (summed[:, :, mid] - summed[:, :, mid - w]) / w
    after = (summed[:, :, mid + 1 + w] - summed[:, :, mid + 1]) / w
    step = _lengths(as_f32(after - before))
    h = _H[mid]
    chosen = (h >= _H_MIN) & (h <= _H_MAX)
    step, h = step[:, :, chosen], h[chosen]
    single = step.reshape(len(step), 4, _RAYS_PER_SIDE, step.shape[2])
    by_side = np.sort(single, axis=2)
    together = by_side[:, :, 1]  # one ray of five may miss the edge
    best = np.argmax(together, axis=2)
    strength = np.take_along_axis(together, best[..., None], axis=2)[..., 0]
    near = np.abs(np.arange(len(h)) - best[..., None]) <= 2
    clean = np.where(near, together, 0).sum(axis=2) / np.maximum(together.sum(axis=2), 1e-6)
    reach = h[best]
    beside = (h > 0.72 * reach[..., None]) & (h < 1.22 * reach[..., None])
    met = h[np.argmax(np.where(beside[:, :, None], single, -1.0), axis=3)]
    outer = (met[:, :, 0] + met[:, :, -1]) / 2
    square = np.median(outer / met[:, :, 1:-1].mean(axis=2), axis=1)
    return strength.astype(np.float64), clean.astype(np.float64), reach, square


_VARIANTS = ((1.0, 0.0), (0.8, 0.0), (1.25, 0.0), (1.0, -0.26), (1.0, 0.26))
"""Length and turn (radians) of the unseen diagonal of a two or three, against the seen one."""


def fit_lone_diagonals(
    pyramid: ImagePyramid, faces: Faces, pips: Pips
) -> tuple[Faces, Outline]:
    """Give twos and threes, whose second diagonal has no pips, the one their outline shows.

    There must be some faces. Their outlines come along, as `measure_outline` has them.
    """
    seen, other = faces.u + faces.v, faces.v - faces.u
    trials = []
    for length, turn in _VARIANTS:
        c, s = length * np.cos(turn), length * np.sin(turn)
        bent = np.column_stack(
            [c * other[:, 0] - s * other[:, 1], s * other[:, 0] + c * other[:, 1]]
        )
        trials.append(replace(faces, u=(seen - bent) / 2, v=(seen + bent) / 2))
    # All at once: many small measurements cost more than one large one.
    outline = measure_outline(pyramid, join(trials), pips)
    edges = np.sort(np.minimum(outline.steps, 0.8), axis=1)
    score = edges[:, 1] + edges[:, 2] + edges[:, 0] - 0.3 * outline.unevenness
    score = score.reshape(len(_VARIANTS), len(faces))
    score[_VARIANTS.index((1.0, 0.0))] += 0.04
    best, rows = score.argmax(axis=0), np.arange(len(faces))
    u, v = (np.stack([getattr(t, name) for t in trials])[best, rows] for name in ("u", "v"))
    return replace(faces, u=u, v=v), outline.take(best * len(faces) + rows)
