"""Lens and sensor: blur, exposure, noise."""

from functools import lru_cache

import cv2
import numpy as np

from table.scene import Scene
from vision.cv import BgrImage, FloatImage, as_f32, as_u8

_NOISE_MARGIN = 96
_STRIP_PX = 24


@lru_cache(maxsize=2)
def _grain(size_px: tuple[int, int]) -> FloatImage:
    """Return a tile of unit noise, wider than the picture so that frames take other parts."""
    rng = np.random.default_rng(20)
    shape = (size_px[1] + _NOISE_MARGIN, size_px[0] + _NOISE_MARGIN)
    luma = rng.standard_normal(shape, dtype=np.float32)[..., None]
    chroma = rng.standard_normal((*shape, 3), dtype=np.float32)
    mixed = as_f32(cv2.GaussianBlur(0.8 * luma + 0.6 * chroma, (0, 0), 0.5))
    return as_f32(mixed / mixed.std())


def exposed(canvas: BgrImage, gain: FloatImage, scene: Scene) -> BgrImage:
    """Return the picture after lens, light and sensor."""
    size_px = (canvas.shape[1], canvas.shape[0])
    soft = cv2.GaussianBlur(canvas, (0, 0), scene.blur_px) if scene.blur_px > 0.2 else canvas
    rng = np.random.default_rng(scene.noise_seed)
    x, y = rng.integers(0, _NOISE_MARGIN, 2).tolist()
    tile = _grain(size_px)[y : y + size_px[1], x : x + size_px[0]]
    # Shot noise, after the camera's gamma.
    level = np.arange(256, dtype=np.float32)
    spread = scene.noise * (
        1.1 + 2.6 * np.sqrt(np.maximum(level, 4.0) / 255.0) * (1 - level / 420)
    )
    table = (spread if rng.random() < 0.5 else -spread).astype(np.float32)
    shown = np.empty_like(canvas)
    strip = (_STRIP_PX, size_px[0], 3)
    lit, grain = np.empty(strip, np.float32), np.empty(strip, np.float32)
    # In strips that stay in the cache: twice as fast as the whole picture at once.
    for top in range(0, size_px[1], _STRIP_PX):
        rows = np.s_[top : top + _STRIP_PX]
        part = as_u8(soft[rows])
        light, noise = lit[: len(part)], grain[: len(part)]
        cv2.multiply(part, gain[rows], light, scene.exposure, cv2.CV_32F)
        cv2.LUT(part, table, noise)
        cv2.multiply(tile[rows], noise, noise)
        # Adding into 8 bits rounds and clips at both ends.
        cv2.add(light, noise, shown[rows], dtype=cv2.CV_8U)
    return shown
