"""Surfaces drawn from noise: wood, felt, leather, cloth and stone, at any scale."""

import cv2
import numpy as np

from vision.cv import BgrImage, FloatImage, as_f32, as_u8

Shape = tuple[int, int]
"""(height, width) in pixels."""


def bgr(colour: str) -> tuple[float, float, float]:
    """Return blue, green, red (0–255) of "#rrggbb"."""
    value = int(colour.removeprefix("#"), 16)
    return float(value & 255), float(value >> 8 & 255), float(value >> 16 & 255)


def scaled(colour: str, factor: float) -> tuple[float, float, float]:
    """Return the colour made lighter or darker, as blue, green, red."""
    b, g, r = (min(255.0, max(0.0, channel * factor)) for channel in bgr(colour))
    return b, g, r


def noise(rng: np.random.Generator, shape: Shape, cell_px: tuple[float, float]) -> FloatImage:
    """Return smooth noise of about unit spread; `cell_px` is its grain (down, across)."""
    small = tuple(
        max(4, int(np.ceil(n / max(cell, 1.0))) + 3)
        for n, cell in zip(shape, cell_px, strict=True)
    )
    field = rng.standard_normal(small, dtype=np.float32)
    if min(cell_px) < 1.0 and max(cell_px) <= 1.0:
        return as_f32(field[: shape[0], : shape[1]])
    sized = as_f32(cv2.resize(field, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC))
    return as_f32(sized / max(float(sized.std()), 1e-3))


def wood(
    rng: np.random.Generator, shape: Shape, px_per_mm: float, colour: str, contrast: float = 1.0
) -> BgrImage:
    """Return a plank with its grain along x."""
    p = px_per_mm
    height, width = shape
    v = np.arange(height, dtype=np.float32)[:, None] / p + np.zeros((1, width), np.float32)
    v += 4.5 * noise(rng, shape, (35 * p, 190 * p)) + 0.7 * noise(rng, shape, (7 * p, 60 * p))
    rings = v / rng.uniform(4.5, 8.0) + rng.uniform(0, 1)
    saw = rings - np.floor(rings)
    # Late wood: dark slowly, light again at once.
    late = np.where(saw < 0.88, (saw / 0.88) ** 2.6, (1.0 - saw) / 0.12)
    fibre = noise(rng, shape, (0.45 * p, 22 * p))
    fine = noise(rng, shape, (0.3 * p, 5 * p))
    broad = noise(rng, shape, (50 * p, 160 * p))
    dark = 0.17 * (late - 0.35) + 0.045 * fibre + 0.03 * fine + 0.05 * broad
    pores = np.clip(noise(rng, shape, (0.35 * p, 4 * p)) - 1.7, 0, 1) * 0.16
    level = 1.0 - contrast * (dark + pores)
    base = np.array(bgr(colour), np.float32)
    # Dark grain is redder than light grain.
    tint = np.array([1.22, 1.07, 0.86], np.float32)
    return _u8(base * (1.0 - tint * (1.0 - level[..., None])))


def felt(rng: np.random.Generator, shape: Shape, px_per_mm: float, colour: str) -> BgrImage:
    """Return felt or baize: short fibres and faint mottling."""
    p = px_per_mm
    level = 1.0 + 0.045 * noise(rng, shape, (0.4 * p, 0.4 * p))
    level += 0.03 * noise(rng, shape, (0.5 * p, 2.2 * p))
    level += 0.03 * noise(rng, shape, (2.2 * p, 0.5 * p))
    level += 0.025 * noise(rng, shape, (9 * p, 9 * p)) + 0.02 * noise(rng, shape, (70 * p,) * 2)
    return _u8(np.array(bgr(colour), np.float32) * level[..., None])


def leather(rng: np.random.Generator, shape: Shape, px_per_mm: float, colour: str) -> BgrImage:
    """Return grained leather, lit from the top left."""
    p = px_per_mm
    relief = np.abs(noise(rng, shape, (1.1 * p, 1.1 * p)))
    relief = as_f32(cv2.GaussianBlur(np.minimum(relief, 0.9), (0, 0), max(0.22 * p, 0.4)))
    slope = as_f32(cv2.Sobel(relief, cv2.CV_32F, 1, 0)) + as_f32(
        cv2.Sobel(relief, cv2.CV_32F, 0, 1)
    )
    slope /= max(float(slope.std()), 1e-3)
    level = 1.0 + 0.032 * np.clip(slope, -2.5, 2.5) + 0.05 * (relief - 0.45)
    level += 0.014 * noise(rng, shape, (40 * p, 40 * p))
    return _u8(np.array(bgr(colour), np.float32) * level[..., None])


def cloth(rng: np.random.Generator, shape: Shape, px_per_mm: float, colour: str) -> BgrImage:
    """Return a woven tablecloth."""
    p = px_per_mm
    y = np.arange(shape[0], dtype=np.float32)[:, None] / p
    x = np.arange(shape[1], dtype=np.float32)[None, :] / p
    wander = 0.5 * noise(rng, shape, (30 * p, 30 * p))
    weave = np.sin(2.1 * (x + wander)) * np.sin(2.1 * (y + wander))
    level = 1.0 + 0.05 * weave + 0.05 * noise(rng, shape, (0.8 * p, 9 * p))
    level += 0.05 * noise(rng, shape, (9 * p, 0.8 * p)) + 0.02 * noise(rng, shape, (1, 1))
    level += 0.03 * noise(rng, shape, (120 * p, 120 * p))
    return _u8(np.array(bgr(colour), np.float32) * level[..., None])


def stone(rng: np.random.Generator, shape: Shape, px_per_mm: float, colour: str) -> BgrImage:
    """Return a speckled stone or laminate top."""
    p = px_per_mm
    level = 1.0 + 0.03 * noise(rng, shape, (25 * p, 25 * p))
    level += 0.05 * noise(rng, shape, (4 * p, 4 * p)) + 0.05 * noise(rng, shape, (p, p))
    specks = np.clip(noise(rng, shape, (1.3 * p, 1.3 * p)) - 1.6, 0, 1)
    level -= 0.35 * specks
    level += 0.3 * np.clip(noise(rng, shape, (1.1 * p, 1.1 * p)) - 1.9, 0, 1)
    return _u8(np.array(bgr(colour), np.float32) * level[..., None])


def surface(
    material: str, rng: np.random.Generator, shape: Shape, px_per_mm: float, colour: str
) -> BgrImage:
    """Return a material by its name, grain along x."""
    makers = {"wood": wood, "felt": felt, "leather": leather, "cloth": cloth, "stone": stone}
    return makers[material](rng, shape, px_per_mm, colour)


def _u8(values: object) -> BgrImage:
    return as_u8(np.clip(np.asarray(values) + 0.5, 0, 255).astype(np.uint8))
