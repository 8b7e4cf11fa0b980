"""Faces of dice proposed from pips alone: lattices of one to six pips.

Every face from two to six has a pair of opposite corner pips. Pairs of alike pips are formed,
pairs that share a middle and cross make the faces with four corners, lone pairs make twos and
threes. A lone pip may be a one; its square comes from the outline (`dice_outline`).
Foreshortening is allowed for: a face is any parallelogram not too far from a square.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pips import FloatArray, Pips

IntArray = npt.NDArray[np.intp]

MAX_MEMBERS = 6
_ROOT2 = float(np.sqrt(2.0))


@dataclass(frozen=True, slots=True)
class FaceSettings:
    """How far a face may stray from the ideal lattice."""

    max_size_ratio: float = 1.6
    """Larger over smaller pip radius within one face."""
    max_contrast_ratio: float = 2.5
    min_diagonal_radii: float = 3.5
    """Least distance of opposite corner pips, in pip radii: casino dice have 5.4."""
    max_diagonal_radii: float = 13.0
    max_pairs: int = 2500
    midpoint_tolerance: float = 0.17
    """Of half a diagonal: how far apart the middles of crossing pairs may lie."""
    slot_tolerance: float = 0.36
    """Of the lattice unit: how far a middle pip may lie from its place."""
    min_aspect: float = 0.45


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Proposed faces of one tone; arrays have length N.

    Frame `image_px`; corner pips lie at `center ± u ± v`.
    """

    value: IntArray
    center: FloatArray
    """(N, 2)."""
    u: FloatArray
    """(N, 2) half the way between neighbouring corner pips."""
    v: FloatArray
    members: IntArray
    """(N, 6) places in the pips, -1 where unused."""
    residual: FloatArray
    """Root mean square misfit of the pips, in lattice units."""

    def __len__(self) -> int:
        return len(self.value)

    def take(self, chosen: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> "Faces":
        """Return the faces at these places."""
        return Faces(
            self.value[chosen],
            self.center[chosen],
            self.u[chosen],
            self.v[chosen],
            self.members[chosen],
            self.residual[chosen],
        )


def join(parts: list[Faces]) -> Faces:
    """Return all faces in one table."""
    return Faces(
        np.concatenate([p.value for p in parts]),
        np.concatenate([p.center for p in parts]),
        np.concatenate([p.u for p in parts]),
        np.concatenate([p.v for p in parts]),
        np.concatenate([p.members for p in parts]),
        np.concatenate([p.residual for p in parts]),
    )


def no_faces() -> Faces:
    """Return an empty table."""
    none = np.empty((0, 2))
    return Faces(
        np.empty(0, np.intp), none, none, none, np.empty((0, MAX_MEMBERS), np.intp), np.empty(0)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    first: IntArray
    second: IntArray
    middle: FloatArray
    half: FloatArray
    """(M, 2) from the middle to the second."""


def propose_faces(pips: Pips, settings: FaceSettings) -> Faces:
    """Return faces of two to six pips; overlapping and contradicting ones included."""
    pairs = _pairs(pips, settings)
    if len(pairs.first) == 0:
        return no_faces()
    return join([_crossed(pips, pairs, settings), _lone(pips, pairs, settings)])


def _pairs(pips: Pips, settings: FaceSettings) -> _Pairs:
    n = len(pips)
    i, j = np.triu_indices(n, 1)
    radius, contrast = pips.radius_px, pips.contrast
    step = pips.xy_px[j] - pips.xy_px[i]
    length = np.hypot(step[:, 0], step[:, 1])
    mean_radius = (radius[i] + radius[j]) / 2
    keep = (length > settings.min_diagonal_radii * mean_radius) & (
        length < settings.max_diagonal_radii * mean_radius
    )
    i, j, step = i[keep], j[keep], step[keep]
    alike = _ratio(radius[i], radius[j]) < settings.max_size_ratio
    alike &= _ratio(contrast[i], contrast[j]) < settings.max_contrast_ratio
    i, j, step = i[alike], j[alike], step[alike]
    # Pips come clearest first: a pair is as clear as its dimmer pip.
    order = np.argsort(np.maximum(i, j), kind="stable")[: settings.max_pairs]
    i, j, step = i[order], j[order], step[order]
    return _Pairs(i, j, (pips.xy_px[i] + pips.xy_px[j]) / 2, step / 2)


def _ratio(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.maximum(a, b) / np.maximum(np.minimum(a, b), 1e-9))


def _crossed(pips: Pips, pairs: _Pairs, settings: FaceSettings) -> Faces:
    """Faces with four corners: 4, 5, 6."""
    x, y = pairs.middle.T.astype(np.float32)
    length = np.hypot(pairs.half[:, 0], pairs.half[:, 1])
    reach = (settings.midpoint_tolerance * length).astype(np.float32)
    near = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2 < np.minimum(
        reach[:, None], reach
    ) ** 2
    p, q = np.nonzero(np.triu(near, 1))
    d1, d2 = pairs.half[p], pairs.half[q]
    keep = _ratio(length[p], length[q]) < 1.8
    cross = d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0]
    keep &= np.abs(cross) > 0.6 * length[p] * length[q]
    corners = np.column_stack(
        [pairs.first[p], pairs.second[p], pairs.first[q], pairs.second[q]]
    )
    radii = pips.radius_px[corners]
    keep &= radii.max(axis=1) < settings.max_size_ratio * radii.min(axis=1)
    keep &= pips.contrast[corners].max(1) < settings.max_contrast_ratio * (
        pips.contrast[corners].min(1)
    )
    d1, d2, cross, corners = d1[keep], d2[keep], cross[keep], corners[keep]
    center = (pairs.middle[p[keep]] + pairs.middle[q[keep]]) / 2
    d2 = d2 * np.sign(cross)[:, None]
    u, v = (d1 - d2) / 2, (d1 + d2) / 2
    aspect = _ratio(np.hypot(*u.T), np.hypot(*v.T))
    good = aspect < 1.0 / settings.min_aspect
    center, u, v, corners = center[good], u[good], v[good], corners[good]
    if len(center) == 0:
        return no_faces()
    gap = np.linalg.norm(pairs.middle[p[keep]] - pairs.middle[q[keep]], axis=1)[good] / 2
    middle, off_middle = _occupant(pips, center, corners, u, v, settings)
    east, off_east = _occupant(pips, center + u, corners, u, v, settings)
    west, off_west = _occupant(pips, center - u, corners, u, v, settings)
    north, off_north = _occupant(pips, center + v, corners, u, v, settings)
    south, off_south = _occupant(pips, center - v, corners, u, v, settings)
    across = (east >= 0) & (west >= 0)
    along = (north >= 0) & (south >= 0) & ~across
    six = (across | along) & (middle < 0)
    five = (middle >= 0) & ~six
    value = np.where(six, 6, np.where(five, 5, 4))
    none = np.full(len(center), -1)
    extra1 = np.where(six, np.where(across, east, north), np.where(five, middle, none))
    extra2 = np.where(six, np.where(across, west, south), none)
    unit = np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))
    misfit = np.where(
        six,
        np.where(across, off_east**2 + off_west**2, off_north**2 + off_south**2) / 2,
        np.where(five, off_middle**2, 0.0),
    )
    residual = np.sqrt((gap / np.maximum(unit, 1e-6)) ** 2 + misfit)
    members = np.column_stack([corners, extra1, extra2]).astype(np.intp)
    return Faces(value.astype(np.intp), center, u, v, members, residual)


def _lone(pips: Pips, pairs: _Pairs, settings: FaceSettings) -> Faces:
    """Faces with one diagonal: 2 and 3, square until the outline says otherwise."""
    half = pairs.half
    other = np.column_stack([-half[:, 1], half[:, 0]])
    u, v = (half - other) / 2, (half + other) / 2
    corners = np.column_stack([pairs.first, pairs.second])
    middle, off = _occupant(pips, pairs.middle, corners, u, v, settings)
    three = middle >= 0
    members = np.full((len(half), MAX_MEMBERS), -1, dtype=np.intp)
    members[:, :2] = corners
    members[:, 2] = middle
    value = np.where(three, 3, 2).astype(np.intp)
    return Faces(value, pairs.middle, u, v, members, np.where(three, off, 0.0))


def _occupant(
    pips: Pips,
    at: FloatArray,
    corners: IntArray,
    u: FloatArray,
    v: FloatArray,
    settings: FaceSettings,
) -> tuple[IntArray, FloatArray]:
    """Return the alike pip at each place (-1: none) and its distance in lattice units."""
    x, y = pips.xy_px.T.astype(np.float32)
    ax, ay = at.T.astype(np.float32)
    squared = (ax[:, None] - x) ** 2 + (ay[:, None] - y) ** 2
    radius = np.median(pips.radius_px[corners], axis=1)
    contrast = np.median(pips.contrast[corners], axis=1)
    size = pips.radius_px[None] / radius[:, None]
    tone = pips.contrast[None] / contrast[:, None]
    limit = settings.max_size_ratio
    unlike = (size > limit) | (size < 1 / limit) | (tone < 0.4) | (tone > 2.5)
    squared = np.where(unlike, np.float32(np.inf), squared)
    nearest = np.argmin(squared, axis=1)
    unit = np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))
    off = np.sqrt(squared[np.arange(len(at)), nearest]) / np.maximum(unit, 1e-6)
    taken = (corners == nearest[:, None]).any(axis=1)
    found = (off < settings.slot_tolerance) & ~taken
    return np.where(found, nearest, -1).astype(np.intp), np.where(found, off, 0.0)


def count_strangers(
    faces: Faces, pips: Pips, extent: float = 1.5, *, squared: bool = False
) -> IntArray:
    """Count alike pips inside each face that are not its members.

    A true face has none: what is called a two with a third pip between is no two.

    Args:
        faces: the faces.
        pips: all pips of their tone.
        extent: how far from the middle is still inside, lattice units.
        squared: take both units as the longer one, to catch a half of a six that poses as
            a foreshortened four.
    """
    if len(faces) == 0:
        return np.empty(0, np.intp)
    valid = faces.members >= 0
    counts = valid.sum(axis=1)
    radius = np.where(valid, pips.radius_px[faces.members], 0).sum(axis=1) / counts
    contrast = np.where(valid, pips.contrast[faces.members], 0).sum(axis=1) / counts
    delta = pips.xy_px[None] - faces.center[:, None]
    u, v = faces.u, faces.v
    if squared:
        length_u, length_v = np.hypot(*u.T), np.hypot(*v.T)
        longer = np.maximum(length_u, length_v)
        u = u * (longer / np.maximum(length_u, 1e-6))[:, None]
        v = v * (longer / np.maximum(length_v, 1e-6))[:, None]
    s, t = lattice_coordinates(delta, u, v)
    inside = (np.abs(s) < extent) & (np.abs(t) < extent)
    size = pips.radius_px[None] / radius[:, None]
    tone = pips.contrast[None] / contrast[:, None]
    alike = (size > 0.62) & (size < 1.6) & (tone > 0.5) & (pips.closure > 0.5)[None]
    inside &= alike
    rows = np.repeat(np.arange(len(faces)), MAX_MEMBERS)[valid.ravel()]
    inside[rows, faces.members[valid]] = False
    return np.asarray(inside.sum(axis=1), dtype=np.intp)


def lattice_coordinates(
    delta: FloatArray, u: FloatArray, v: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Express (N, M, 2) offsets from the centres in each face's own axes."""
    det = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    det = np.where(np.abs(det) < 1e-9, 1e-9, det)[:, None]
    s = (delta[..., 0] * v[:, None, 1] - delta[..., 1] * v[:, None, 0]) / det
    t = (u[:, None, 0] * delta[..., 1] - u[:, None, 1] * delta[..., 0]) / det
    return s, t
