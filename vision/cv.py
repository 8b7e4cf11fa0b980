"""The one typed doorway to OpenCV: array types and the calls whose stubs are too loose."""

from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

GrayImage: TypeAlias = npt.NDArray[np.uint8]
"""(H, W) uint8."""
BgrImage: TypeAlias = npt.NDArray[np.uint8]
"""(H, W, 3) uint8, blue first."""
Mask: TypeAlias = npt.NDArray[np.uint8]
"""(H, W) uint8, 0 or 255."""
FloatImage: TypeAlias = npt.NDArray[np.float32]
"""(H, W) or (H, W, C) float32."""
PointsPx: TypeAlias = npt.NDArray[np.float64]
"""(N, 2) float64, (x, y) in pixels."""


def as_u8(array: object) -> npt.NDArray[np.uint8]:
    """Return an OpenCV result as a uint8 array without copying."""
    return np.asarray(array, dtype=np.uint8)


def as_f32(array: object) -> npt.NDArray[np.float32]:
    """Return an OpenCV result as a float32 array without copying."""
    return np.asarray(array, dtype=np.float32)


def as_f64(array: object) -> npt.NDArray[np.float64]:
    """Return an OpenCV result as a float64 array."""
    return np.asarray(array, dtype=np.float64)


def to_gray(bgr: BgrImage) -> GrayImage:
    """Return the luma of a colour image."""
    return as_u8(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY))


def jpeg_of(bgr: BgrImage, quality: int) -> bytes:
    """Encode a picture as JPEG.

    Args:
        bgr: (H, W, 3) uint8.
        quality: 0–100.
    """
    _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data.tobytes())


def write_image(path: Path, bgr: BgrImage) -> None:
    """Write a picture; the suffix chooses the format.

    Raises:
        OSError: the folder is missing or not writable, or the format is unknown.
    """
    try:
        ok, data = cv2.imencode(path.suffix, bgr)
    except cv2.error as error:
        raise OSError(f"{path.name}: unknown picture format {path.suffix!r}") from error
    if not ok:
        raise OSError(f"cannot encode {path.name} as {path.suffix}")
    path.write_bytes(data.tobytes())
