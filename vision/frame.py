"""Pictures as they come in, checked: a frame is either whole or an error with its cause."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.cv import BgrImage, as_u8

MAX_PIXELS = 64_000_000
"""Above this a picture is refused: no camera of a table makes it, and it would fill the memory."""


class FrameError(ValueError):
    """A picture that cannot be used; `code` names the cause for machines."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture with its time."""

    bgr: BgrImage
    at_s: float = 0.0
    seq: int = 0

    def __post_init__(self) -> None:
        if self.bgr.ndim != 3 or self.bgr.shape[2] != 3 or self.bgr.dtype != np.uint8:
            raise FrameError("bad_frame", "a frame is (H, W, 3) uint8")


def read_image(path: Path) -> BgrImage:
    """Read a picture file, upright by its EXIF tag, blue first.

    Raises:
        FrameError: no such file, a directory, not a picture, cut short, or too large.
    """
    if path.is_dir():
        raise FrameError("is_directory", f"{path} is a directory; name a picture in it")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise FrameError("not_found", f"there is no file {path}") from None
    except OSError as error:
        raise FrameError("unreadable", f"cannot read {path}: {error.strerror}") from error
    return decode_image(data, path.name)


def decode_image(data: bytes, name: str) -> BgrImage:
    """Decode a picture held in memory.

    Raises:
        FrameError: empty, not a picture, cut short, or too large.
    """
    if not data:
        raise FrameError("empty_file", f"{name} is empty")
    if data[:2] == b"\xff\xd8" and b"\xff\xd9" not in data[-4096:]:
        # OpenCV decodes a cut JPEG into a picture with a grey foot: a wrong picture, silently.
        raise FrameError("truncated", f"{name} is cut short: its JPEG has no end mark")
    try:
        decoded = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise FrameError("not_a_picture", f"{name} cannot be decoded: {error.err}") from error
    if decoded is None:
        raise FrameError("not_a_picture", f"{name} is not a picture this program can read")
    bgr = as_u8(decoded)
    if bgr.shape[0] * bgr.shape[1] > MAX_PIXELS:
        raise FrameError(
            "too_large", f"{name} has {bgr.shape[1]}×{bgr.shape[0]} pixels; shrink it first"
        )
    if min(bgr.shape[:2]) < 16:
        raise FrameError("too_small", f"{name} has only {bgr.shape[1]}×{bgr.shape[0]} pixels")
    return bgr
