"""Pips: small round spots, darker or lighter than what surrounds them.

A pip is found as an extremum of a difference-of-Gaussians pyramid and kept when the ring
around it is of the other tone all the way round. That costs the same for any size, does not
melt touching pips into one, and works for painted, drilled and glossy pips alike.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.cv import GrayImage, Mask, as_u8

FloatArray = npt.NDArray[np.float64]
I16 = npt.NDArray[np.int16]
IntArray = npt.NDArray[np.intp]

_GAIN = 100
"""Grey levels are held as int16 hundredths: exact enough, and twice as fast as float32."""
_STEPS = 3
"""Scales per octave."""
_FIRST_SIGMA = 1.0
_RATIO = 2.0 ** (1.0 / _STEPS)
_DISC_RESPONSE = 0.736 * (_RATIO - 1.0)
"""Response of a matched disc of contrast 1."""
_RING = 16
"""Samples around a pip."""
_MIN_DOG_SIDE_PX = 24
_TIE = 0.94
_WEIGHED_PER_PIP = 4
_SAME_SIZE = 2.0
"""Spots nearer in size than this can be one spot seen twice."""


@dataclass(frozen=True, slots=True)
class PipSettings:
    """What counts as a pip."""

    min_radius_px: float = 1.2
    max_radius_px: float = 100.0
    min_contrast: float = 13.0
    """Grey levels between the pip and the darkest (lightest) quarter of its ring."""
    min_roundness: float = 0.12
    """Least ratio of the two curvatures at the pip's centre; an edge has 0."""
    max_pips: int = 240
    """Per tone; the clearest are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Pips:
    """Spots of one tone, clearest first; all arrays have length N."""

    light: bool
    """Lighter than their surroundings."""
    xy_px: FloatArray
    """(N, 2) centres."""
    radius_px: FloatArray
    contrast: FloatArray
    """Median difference to the ring, grey levels, positive."""
    closure: FloatArray
    """Share of `contrast` that the weakest quarter of the ring shows: 1 is a clean spot."""
    roundness: FloatArray
    """Smaller over larger curvature, 0–1: foreshortened spots fall below 1."""

    def __len__(self) -> int:
        return len(self.xy_px)

    def take(self, chosen: npt.NDArray[np.intp]) -> "Pips":
        """Return the pips at these places, in this order."""
        return Pips(
            self.light,
            self.xy_px[chosen],
            self.radius_px[chosen],
            self.contrast[chosen],
            self.closure[chosen],
            self.roundness[chosen],
        )


def find_pips(gray: GrayImage, settings: PipSettings | None = None) -> tuple[Pips, Pips]:
    """Find dark and light spots.

    Args:
        gray: (H, W) uint8.
        settings: what counts as a pip.

    Returns:
        Dark pips, then light pips; each sorted by clarity, at most `max_pips`.
    """
    settings = settings or PipSettings()
    rows = _pyramid_extrema(gray, settings)
    found = []
    for light in (False, True):
        # A dark spot is a positive extremum of (coarse - fine).
        chosen = rows[rows[:, 3] < 0] if light else rows[rows[:, 3] > 0]
        found.append(_measure(gray, chosen, light, settings))
    return found[0], found[1]


def _pyramid_extrema(gray: GrayImage, settings: PipSettings) -> FloatArray:
    base = np.multiply(gray, np.int16(_GAIN), dtype=np.int16)
    scale = 1.0
    parts: list[FloatArray] = []
    max_sigma = settings.max_radius_px / np.sqrt(2.0)
    while min(base.shape) >= _MIN_DOG_SIDE_PX and scale * _FIRST_SIGMA <= max_sigma * 1.3:
        spots, base = _octave(base, scale, settings)
        parts.append(spots)
        scale *= 2.0
    if not parts:
        return np.empty((0, 5))
    return np.concatenate(parts)


def _as_i16(array: object) -> I16:
    return np.asarray(array, dtype=np.int16)


def _blurred(image: I16, size: tuple[int, int], sigma: float) -> I16:
    return _as_i16(cv2.GaussianBlur(image, size, sigma))


def _octave(base: I16, scale: float, settings: PipSettings) -> tuple[FloatArray, I16]:
    """Return this octave's extrema (in base pixels) and the next octave's base."""
    # The camera's own blur is taken as 0.5 px in the first octave; later ones start at 1.0.
    levels = [_blurred(base, (0, 0), 0.87) if scale == 1.0 else base]
    for k in range(1, _STEPS + 3):
        grown = _FIRST_SIGMA * _RATIO ** (k - 1) * np.sqrt(_RATIO**2 - 1.0)
        size = 2 * int(np.ceil(2.6 * grown)) + 1
        levels.append(_blurred(levels[-1], (size, size), grown))
    dogs, highs, lows = (np.empty((_STEPS + 2, *base.shape), np.int16) for _ in range(3))
    kernel = np.ones((3, 3), np.uint8)
    for k, (dog, high, low) in enumerate(zip(dogs, highs, lows, strict=True)):
        cv2.subtract(levels[k + 1], levels[k], dst=dog)
        cv2.dilate(dog, kernel, dst=high)
        cv2.erode(dog, kernel, dst=low)
    threshold = int(_DISC_RESPONSE * settings.min_contrast * _GAIN * 0.8)
    seeds = []
    for k in range(0 if scale == 1.0 else 1, _STEPS + 1):
        sigma = _FIRST_SIGMA * _RATIO**k * np.sqrt(_RATIO)
        radius = sigma * np.sqrt(2.0) * scale
        if settings.min_radius_px * 0.8 <= radius <= settings.max_radius_px * 1.25:
            seeds.append(_seeds(dogs[k], highs[k], k, 1, threshold))
            seeds.append(_seeds(dogs[k], lows[k], k, -1, threshold))
    half = np.ascontiguousarray(levels[_STEPS][::2, ::2])
    if not seeds:
        return np.empty((0, 5)), _as_i16(half)
    return _extrema(dogs, (highs, lows), np.concatenate(seeds), scale), _as_i16(half)


def _seeds(d: I16, ends: I16, k: int, sign: int, threshold: int) -> npt.NDArray[np.intp]:
    """Return (N, 4): k, sign, y, x of the strong extrema within one level."""
    peak = as_u8(cv2.compare(d, ends, cv2.CMP_EQ))
    # Comparing with a full image of the threshold is several times faster than with a number.
    limit = np.full_like(d, sign * threshold)
    strong = as_u8(cv2.compare(d, limit, cv2.CMP_GT if sign > 0 else cv2.CMP_LT))
    y, x = _nonzero(as_u8(cv2.bitwise_and(peak, strong)))
    inside = (x > 0) & (y > 0) & (x < d.shape[1] - 1) & (y < d.shape[0] - 1)
    y, x = y[inside], x[inside]
    return np.column_stack([np.full(len(x), k), np.full(len(x), sign), y, x]).astype(np.intp)


def _extrema(
    dogs: I16,
    ends: tuple[I16, I16],
    seeds: npt.NDArray[np.intp],
    scale: float,
) -> FloatArray:
    """Return the seeds that are extrema between levels as well, measured below the pixel.

    All levels at once: on a small picture the calls cost more than the numbers.
    """
    level, sign, y, x = seeds.T

    def taken(stack: I16, k: IntArray, dy: int = 0, dx: int = 0) -> FloatArray:
        return np.asarray(stack[k, y + dy, x + dx], dtype=np.float64)

    def ended(k: IntArray) -> FloatArray:
        return np.asarray(sign * np.where(sign > 0, taken(ends[0], k), taken(ends[1], k)))

    value, above = sign * taken(dogs, level), ended(level + 1)
    # Octaves meet here: the same scale from either side differs by rounding, so ties pass.
    keep = value >= above * np.where(level == _STEPS, _TIE, 1.0)
    below = np.where(level > 0, ended(np.maximum(level - 1, 0)), above)
    keep &= (level == 0) | (value >= below * np.where(level == 1, _TIE, 1.0))
    level, sign, y, x = level[keep], sign[keep], y[keep], x[keep]
    value, above, below = value[keep], above[keep], below[keep]
    # Curvatures of the response give roundness, and a parabola the sub-pixel place.
    c = taken(dogs, level)
    left, right = taken(dogs, level, 0, -1), taken(dogs, level, 0, 1)
    up, down = taken(dogs, level, -1, 0), taken(dogs, level, 1, 0)
    cross = taken(dogs, level, 1, 1) + taken(dogs, level, -1, -1)
    cross = (cross - taken(dogs, level, -1, 1) - taken(dogs, level, 1, -1)) / 4.0
    xx, yy = left + right - 2 * c, up + down - 2 * c
    mean, spread = (xx + yy) / 2, np.hypot((xx - yy) / 2, cross)
    big = np.maximum(np.abs(mean) + spread, 1e-9)
    round_ = np.clip((np.abs(mean) - spread) / big, -1, 1)
    dx = np.clip((left - right) / np.where(np.abs(xx) < 1, 1, 2 * xx), -0.5, 0.5)
    dy = np.clip((up - down) / np.where(np.abs(yy) < 1, 1, 2 * yy), -0.5, 0.5)
    bend = above + below - 2 * value
    shift = np.clip((below - above) / np.where(np.abs(bend) < 1, -1, 2 * bend), -0.5, 0.5)
    sigma = _FIRST_SIGMA * _RATIO ** (level + 0.5 + shift) * scale
    # Decimation keeps every second sample: sample i of octave o lies at i * scale exactly.
    return np.column_stack(
        [(x + dx) * scale, (y + dy) * scale, sigma, sign * value / _GAIN, round_]
    )


def _nonzero(mask: Mask) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return rows and columns; OpenCV looks through a sparse mask much faster than numpy."""
    found: object = cv2.findNonZero(mask)
    if found is None:
        none = np.empty(0, dtype=np.intp)
        return none, none
    xy = np.asarray(found, dtype=np.intp).reshape(-1, 2)
    return xy[:, 1], xy[:, 0]


def _measure(gray: GrayImage, rows: FloatArray, light: bool, settings: PipSettings) -> Pips:
    """Keep the spots with a closed ring around them, clearest first."""
    rows = rows[rows[:, 4] >= settings.min_roundness]
    most = _WEIGHED_PER_PIP * settings.max_pips
    if len(rows) > most:  # noise and cloth: only the stronger are worth a ring
        strength = np.abs(rows[:, 3]) * np.sqrt(rows[:, 2])
        rows = rows[np.argpartition(-strength, most)[:most]]
    radius = np.sqrt(2.0) * rows[:, 2]
    xy = rows[:, :2]
    angles = np.arange(_RING) * (2 * np.pi / _RING)
    unit = np.column_stack([np.cos(angles), np.sin(angles)])
    ring = _sample(gray, xy[:, None, :] + unit * (1.4 * radius)[:, None, None])
    core = np.concatenate(
        [
            _sample(gray, xy[:, None, :]),
            _sample(gray, xy[:, None, :] + unit[::4] * (0.45 * radius)[:, None, None]),
        ],
        axis=1,
    )
    difference = ring - np.median(core, axis=1)[:, None]
    if light:
        difference = -difference
    difference = np.sort(difference, axis=1)
    contrast = difference[:, _RING // 2]
    weakest = difference[:, _RING // 4]
    closure = weakest / np.maximum(contrast, 1.0)
    keep = (contrast >= settings.min_contrast) & (closure > 0.25)
    keep &= (radius >= settings.min_radius_px) & (radius <= settings.max_radius_px)
    order = np.flatnonzero(keep)
    # Texture is fine-grained: at equal contrast the larger spot is the likelier pip.
    # Pips that touch also make one long spot at a larger scale: roundness tells them apart.
    clarity = weakest * np.sqrt(radius) * np.sqrt(np.clip(rows[:, 4], 0.0, 1.0))
    order = order[np.argsort(-clarity[order], kind="stable")][: settings.max_pips * 2]
    pips = Pips(light, xy, radius, contrast, np.clip(closure, 0, 1), np.clip(rows[:, 4], 0, 1))
    return _thin(pips.take(order), settings.max_pips)


def _thin(pips: Pips, limit: int) -> Pips:
    """Drop spots that repeat a clearer one at another scale."""
    if len(pips) == 0:
        return pips
    x, y = pips.xy_px.T.astype(np.float32)
    reach = (0.8 * pips.radius_px).astype(np.float32)
    apart = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
    clash = apart < np.maximum(reach[:, None], reach) ** 2
    # A die's whole body is a spot too; it must not hide the pips on it.
    clash &= np.maximum(reach[:, None], reach) < _SAME_SIZE * np.minimum(reach[:, None], reach)
    kept: list[int] = []
    free = np.ones(len(pips), dtype=bool)
    for i in range(len(pips)):
        if free[i]:
            kept.append(i)
            free[clash[i]] = False
    return pips.take(np.asarray(kept[:limit], dtype=np.intp))


def _sample(gray: GrayImage, points: FloatArray) -> FloatArray:
    """Nearest samples at (..., 2) points, clamped to the picture."""
    x = np.clip(np.rint(points[..., 0]).astype(np.intp), 0, gray.shape[1] - 1)
    y = np.clip(np.rint(points[..., 1]).astype(np.intp), 0, gray.shape[0] - 1)
    return np.asarray(gray[y, x], dtype=np.float64)
