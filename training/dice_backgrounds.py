"""Surfaces dice are found on, drawn from nothing but random numbers."""

import cv2
import numpy as np
import numpy.typing as npt

from vision.cv import BgrImage, FloatImage, as_f32, as_u8

Rng = np.random.Generator


def any_colour(rng: Rng) -> npt.NDArray[np.float32]:
    """Return a BGR colour: wood tones, greys, felt colours and everything else."""
    kind = rng.random()
    if kind < 0.3:
        hsv = (rng.uniform(5, 22), rng.uniform(40, 190), rng.uniform(40, 240))
    elif kind < 0.5:
        hsv = (rng.uniform(0, 180), rng.uniform(0, 35), rng.uniform(10, 255))
    elif kind < 0.65:
        hsv = (rng.uniform(40, 80), rng.uniform(90, 230), rng.uniform(30, 170))
    else:
        hsv = (rng.uniform(0, 180), rng.uniform(20, 255), rng.uniform(20, 250))
    pixel = np.array([[hsv]], dtype=np.uint8)
    return as_f32(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR))[0, 0]


def value_noise(rng: Rng, size: int, cell_px: float, stretch: float = 1.0) -> FloatImage:
    """Return smooth noise around 0 with bumps of that size, longer along x by `stretch`."""
    rows = max(2, int(size / cell_px) + 2)
    columns = max(2, int(size / (cell_px * stretch)) + 2)
    coarse = rng.normal(0, 1, (rows, columns)).astype(np.float32)
    return as_f32(cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC))


def turned(rng: Rng, field: FloatImage, angle_deg: float | None = None) -> FloatImage:
    """Turn a texture by any angle about its middle, mirrored at the edges."""
    size = field.shape[0]
    angle = rng.uniform(0, 360) if angle_deg is None else angle_deg
    matrix = cv2.getRotationMatrix2D((size / 2, size / 2), angle, 1.0)
    return as_f32(
        cv2.warpAffine(field, matrix, (size, size), borderMode=cv2.BORDER_REFLECT_101)
    )


def _mix(share: FloatImage, one: npt.ArrayLike, other: npt.ArrayLike) -> FloatImage:
    low, high = as_f32(one), as_f32(other)
    return as_f32(low + share[..., None] * (high - low))


def plain(rng: Rng, size: int) -> FloatImage:
    """Paint, paper, plastic: one colour that fades into a near one."""
    base = any_colour(rng)
    fade = turned(rng, np.tile(np.linspace(0, 1, size, dtype=np.float32), (size, 1)))
    return _mix(fade, base, base * rng.uniform(0.6, 1.3))


def grainy(rng: Rng, size: int) -> FloatImage:
    """Felt, carpet, leather, stone: noise of several sizes."""
    share = np.full((size, size), 0.5, np.float32)
    for cell in (1.0, 2.0, 4.0, 9.0, 30.0):
        share += value_noise(rng, size, cell) * rng.uniform(0, 0.22)
    base = any_colour(rng)
    second = any_colour(rng) if rng.random() < 0.3 else base * rng.uniform(0.4, 1.5)
    return _mix(np.clip(share, 0, 1), base, second)


def wood(rng: Rng, size: int) -> FloatImage:
    """Grain lines along one direction, now and then in boards."""
    cell = rng.uniform(1.0, 6.0)
    grain = value_noise(rng, size, cell, rng.uniform(10, 40)) * 0.25
    grain += value_noise(rng, size, cell * 4, 12.0) * 0.3
    rings = np.sin(value_noise(rng, size, 40, 6.0) * rng.uniform(2, 9))
    share = turned(rng, np.clip(0.5 + grain + 0.25 * as_f32(rings), 0, 1))
    base = any_colour(rng)
    return _mix(share, base * rng.uniform(0.5, 0.9), base)


def woven(rng: Rng, size: int) -> FloatImage:
    """Cloth and tiles: a pattern that repeats in two directions."""
    period = rng.uniform(3, 40)
    at = np.arange(size, dtype=np.float32) / period
    duty = rng.uniform(0.2, 0.8)
    rows, columns = (at % 1 < duty), ((at + rng.random()) % 1 < duty)
    style = rng.integers(4)
    if style == 0:
        cells = rows[:, None] ^ columns[None]
    elif style == 1:
        cells = rows[:, None] & columns[None]
    elif style == 2:
        cells = np.broadcast_to(rows[:, None], (size, size))
    else:
        cells = (rng.random((size // 3 + 1, size // 3 + 1)) < 0.5).repeat(3, 0).repeat(3, 1)
        cells = cells[:size, :size]
    share = turned(rng, cells.astype(np.float32))
    if rng.random() < 0.5:
        share = as_f32(cv2.GaussianBlur(share, (0, 0), rng.uniform(0.5, 1.5)))
    share = np.clip(share + 0.15 * value_noise(rng, size, 2.0), 0, 1)
    return _mix(share, any_colour(rng), any_colour(rng))


def dotted(rng: Rng, size: int) -> FloatImage:
    """Perforated plates, polka dots, breadboards: rows of dots with no die around them."""
    base, ink = any_colour(rng), any_colour(rng)
    period = rng.uniform(5, 28)
    radius = period * rng.uniform(0.12, 0.4)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    angle = rng.uniform(0, np.pi)
    u = (np.cos(angle) * x + np.sin(angle) * y) / period
    v = (np.cos(angle) * y - np.sin(angle) * x) / period
    if rng.random() < 0.3:
        u = u + 0.5 * (np.floor(v) % 2)
    gap = np.hypot(u - np.round(u), v - np.round(v)) * period
    share = np.clip(radius - gap + 0.5, 0, 1)
    if rng.random() < 0.5:
        present = rng.random((64, 64)) < rng.uniform(0.2, 0.9)
        share = share * present[np.round(v).astype(int) % 64, np.round(u).astype(int) % 64]
    return _mix(as_f32(share), base, ink)


def points(rng: Rng, size: int) -> FloatImage:
    """The triangles of a board, cut at any place."""
    canvas = grainy(rng, size) if rng.random() < 0.5 else plain(rng, size)
    pitch = rng.uniform(25, 110)
    length = pitch * rng.uniform(3, 6)
    inks = [any_colour(rng), any_colour(rng)]
    top = rng.uniform(-0.7, 0.9) * size
    for i, left in enumerate(np.arange(-rng.uniform(0, pitch), size, pitch)):
        width = pitch * rng.uniform(0.75, 1.0)
        for base_y, tip_y in ((top, top + length), (top - 4, top - 4 - length)):
            shape = np.array(
                [[left, base_y], [left + width, base_y], [left + width / 2, tip_y]]
            )
            ink = inks[i % 2].tolist()
            cv2.fillConvexPoly(
                canvas, np.round(shape * 16).astype(np.int32), ink, cv2.LINE_AA, 4
            )
            if rng.random() < 0.15:
                outline = np.round(shape).astype(np.int32)
                edge = any_colour(rng).tolist()
                cv2.polylines(canvas, [outline], True, edge, int(rng.integers(1, 3)))
    if rng.random() < 0.5:
        canvas += value_noise(rng, size, rng.uniform(1, 4), rng.uniform(1, 12))[..., None] * 8
    return turned(rng, canvas, None if rng.random() < 0.4 else float(rng.normal(0, 8)))


def ornament(rng: Rng, size: int) -> FloatImage:
    """Inlays and print: curves, rings, stars, lines."""
    canvas = _SURFACES[int(rng.integers(3))](rng, size)
    for _ in range(int(rng.integers(3, 25))):
        ink = any_colour(rng).tolist()
        at = rng.integers(0, size, 2).tolist()
        axes = rng.integers(2, 40, 2).tolist()
        span = sorted(rng.uniform(0, 360, 2).tolist())
        thick = int(rng.integers(1, 4))
        shape = rng.integers(4)
        if shape == 0:
            cv2.ellipse(
                canvas, at, axes, rng.uniform(0, 180), span[0], span[1], ink, thick, cv2.LINE_AA
            )
        elif shape == 1:
            cv2.circle(canvas, at, axes[0] // 2 + 1, ink, thick, cv2.LINE_AA)
        elif shape == 2:
            cv2.line(canvas, at, rng.integers(0, size, 2).tolist(), ink, thick, cv2.LINE_AA)
        else:
            vertices = (np.array(at) + rng.normal(0, 12, (int(rng.integers(3, 7)), 2))).astype(
                int
            )
            cv2.fillPoly(canvas, [vertices.astype(np.int32)], ink, cv2.LINE_AA)
    return canvas


_SURFACES = (plain, grainy, wood, woven, dotted, points, ornament)
_SHARES = np.array([0.16, 0.2, 0.17, 0.12, 0.05, 0.22, 0.08])


def surface(rng: Rng, size: int) -> FloatImage:
    """Return a (size, size, 3) float32 table top, 0–255."""
    paint = _SURFACES[int(rng.choice(len(_SURFACES), p=_SHARES / _SHARES.sum()))]
    canvas = paint(rng, size)
    if rng.random() < 0.2:
        # A second surface beside the first: board beside table, sheet on cloth.
        other = _SURFACES[int(rng.integers(len(_SURFACES)))](rng, size)
        mask = np.zeros((size, size), np.float32)
        vertices = rng.uniform(-0.3, 1.3, (4, 2)) * size
        hull = np.asarray(cv2.convexHull(vertices.astype(np.float32)), np.int32)
        cv2.fillConvexPoly(mask, hull, 1.0, cv2.LINE_AA)
        canvas = as_f32(canvas + mask[..., None] * (other - canvas))
    return np.clip(canvas, 0, 255)


def lit(rng: Rng, canvas: FloatImage) -> FloatImage:
    """Lay light over a finished picture: fall-off, hard shadows, a shine."""
    size = canvas.shape[0]
    level = np.ones((size, size), np.float32)
    if rng.random() < 0.5:
        slope = turned(rng, np.tile(np.linspace(-1, 1, size, dtype=np.float32), (size, 1)))
        level *= 1 + rng.uniform(0, 0.35) * slope
    if rng.random() < 0.22:
        vertices = rng.uniform(-0.6, 1.6, (int(rng.integers(3, 6)), 2)) * size
        hull = np.asarray(cv2.convexHull(vertices.astype(np.float32)), np.int32)
        mask = np.zeros((size, size), np.float32)
        cv2.fillConvexPoly(mask, hull, 1.0, cv2.LINE_AA)
        mask = as_f32(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 12)))
        level *= 1 - rng.uniform(0.15, 0.65) * mask
    shown = canvas * level[..., None]
    if rng.random() < 0.12:
        y, x = np.mgrid[0:size, 0:size].astype(np.float32) / size - rng.random((2, 1, 1))
        spot = np.exp(-(x**2 + y**2) / rng.uniform(0.002, 0.15))
        shown = shown + rng.uniform(20, 170) * spot[..., None]
    return as_f32(shown)


def photographed(rng: Rng, canvas: FloatImage) -> BgrImage:
    """Pass a picture through a camera: focus, motion, exposure, noise, JPEG."""
    size = canvas.shape[0]
    seen = np.clip(canvas, 0, 255)
    if rng.random() < 0.5:
        # Seen small and enlarged, as when a board is rectified.
        small = max(24, int(size / rng.uniform(1.0, 2.4)))
        seen = cv2.resize(seen, (small, small), interpolation=cv2.INTER_AREA)
        if rng.random() < 0.4:
            seen = _noisy_jpeg(rng, as_f32(seen))
        how = (cv2.INTER_LINEAR, cv2.INTER_CUBIC)[int(rng.integers(2))]
        seen = cv2.resize(as_f32(seen), (size, size), interpolation=how)
    if rng.random() < 0.5:
        seen = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.3, 1.5))
    if rng.random() < 0.12:
        length = int(rng.integers(2, 6))
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        angle = rng.uniform(0, np.pi)
        end = (int(length + length * np.cos(angle)), int(length + length * np.sin(angle)))
        cv2.line(kernel, (length, length), end, 1.0, 1)
        seen = cv2.filter2D(seen, -1, kernel / kernel.sum())
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.8, 2.0))
        seen = seen + rng.uniform(0.3, 1.5) * (seen - soft)
    seen = np.clip(as_f32(seen), 0, 255) / 255.0
    seen = seen ** np.float32(np.exp(rng.normal(0, 0.3))) * rng.uniform(0.55, 1.35)
    seen = seen * np.exp(rng.normal(0, 0.09, 3)).astype(np.float32)
    if rng.random() < 0.15:
        gray = seen.mean(axis=2, keepdims=True)
        seen = gray + (seen - gray) * rng.uniform(0, 0.8)
    shown = as_f32(seen * 255.0 + rng.uniform(0, 18) * (rng.random() < 0.3))
    return as_u8(np.clip(_noisy_jpeg(rng, shown), 0, 255).astype(np.uint8))


def _noisy_jpeg(rng: Rng, canvas: FloatImage) -> FloatImage:
    sigma = rng.uniform(0, 9) if rng.random() < 0.6 else 0.5
    noisy = canvas + rng.normal(0, sigma, canvas.shape).astype(np.float32)
    shown = np.clip(noisy, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.integers(35, 97))
        data = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        shown = as_u8(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return shown.astype(np.float32)
