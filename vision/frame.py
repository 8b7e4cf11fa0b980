"""Pictures as they come in, checked: a frame is either whole or an error with its cause."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.cv import BgrImage, as_u8

MAX_PIXELS = 64_000_000
"""Above this a picture is refused: no camera of a table makes it, and memory is short."""
_MAX_BYTES = 256_000_000
"""Above this a file is refused: no format needs as much for that many pixels."""
_LEAST_SIDE = 16
_PNG_START = b"\x89PNG\r\n\x1a\n"


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
    try:
        if path.is_dir():
            raise FrameError("is_directory", f"{path} is a directory; name a picture in it")
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise FrameError("not_found", f"there is no file {path}") from None
    except OSError as error:
        raise FrameError("unreadable", f"cannot read {path}: {error.strerror}") from error
    except FrameError:
        raise
    except ValueError as error:
        # A zero byte or half a surrogate pair: names that JSON can write and no disk can hold.
        raise FrameError("not_found", f"no file can be called {str(path)!r}") from error
    if len(data) > _MAX_BYTES:
        raise FrameError("too_large", f"{path} has more than {_MAX_BYTES // 1_000_000} MB")
    return decode_image(data, str(path))


def decode_image(data: bytes, name: str) -> BgrImage:
    """Decode a picture held in memory.

    Raises:
        FrameError: empty, not a picture, cut short, too large, or too small.
    """
    if not data:
        raise FrameError("empty_file", f"{name} is empty")
    size_px, whole = _outline(data)
    # Checked before decoding: a small file may hold a picture that fills the memory.
    if size_px is not None:
        _check_size(*size_px, name)
    if not whole:
        # OpenCV decodes a cut JPEG into a picture with a grey foot: a wrong picture, silently.
        raise FrameError("truncated", f"{name} is cut short: its end mark is missing")
    try:
        decoded = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise FrameError("not_a_picture", f"{name} cannot be decoded: {error.err}") from error
    if decoded is None:
        raise FrameError("not_a_picture", f"{name} is not a picture this program can read")
    bgr = as_u8(decoded)
    _check_size(bgr.shape[1], bgr.shape[0], name)
    return bgr


def _check_size(width: int, height: int, name: str) -> None:
    if width * height > MAX_PIXELS:
        raise FrameError("too_large", f"{name} has {width}×{height} pixels; shrink it first")
    if min(width, height) < _LEAST_SIDE:
        raise FrameError("too_small", f"{name} has only {width}×{height} pixels")


def _outline(data: bytes) -> tuple[tuple[int, int] | None, bool]:
    """Return (width, height) as a picture's head states it, and whether its end is there.

    Only JPEG and PNG are looked into; of other formats the size is None and the end is taken
    to be there.
    """
    if data.startswith(b"\xff\xd8"):
        return _jpeg_outline(data)
    if data.startswith(_PNG_START) and data[12:16] == b"IHDR":
        size_px = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        return size_px, b"IEND" in data[24:]
    return None, True


def _jpeg_outline(data: bytes) -> tuple[tuple[int, int] | None, bool]:
    """Walk a JPEG's segments to its scan.

    The end mark counts only behind the first scan's head: a thumbnail before it has one of its
    own. Behind it anything may follow: telephones hang films and depth maps there.
    """
    size_px = None
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            rows, columns = data[at + 5 : at + 7], data[at + 7 : at + 9]
            size_px = int.from_bytes(columns, "big"), int.from_bytes(rows, "big")
        if marker == 0xDA:
            return size_px, data.find(b"\xff\xd9", at + 2 + length) >= 0
        at += 2 + length
    return size_px, at < len(
        data
    )  # no scan: cut short, or no JPEG at all but for its first bytes
