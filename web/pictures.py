"""Pictures: the camera live for a few viewers at once, and a recorded throw in close-up."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.cv import BgrImage, as_u8, jpeg_of
from web.api import LivePicture, RefereeApi
from web.stream import Slots

BOUNDARY: Final = "zarbiter-picture"
_AGAIN_S: Final = 5.0
"""A picture that stays is sent again: so a viewer who has left is noticed."""
_SLOW_S: Final = 0.7
"""A picture that takes longer to go out is too large for its viewer."""
_QUICK_S: Final = 0.15
_QUICK_TIMES: Final = 30
"""So many quick ones before a larger one is tried again."""
_LEAST_LEVEL: Final = 2
_SMALL_KEPT: Final = 6
_CLOSE_UPS_KEPT: Final = 32
_MARGIN: Final = 1.2
"""Room around the dice, in widths of the largest."""
_LEAST_PX: Final = 480
_LARGEST_SCALE: Final = 6.0

Box = tuple[int, int, int, int]


@dataclass(slots=True)
class Pace:
    """How well a viewer keeps up; one who does not gets smaller pictures."""

    level: int = 0
    """How often the picture is halved."""
    quick: int = 0

    def sent(self, took_s: float) -> None:
        """Note how long the last picture took until it was out of the way."""
        if took_s > _SLOW_S:
            steps = 2 if took_s > 3 * _SLOW_S else 1
            self.level, self.quick = min(_LEAST_LEVEL, self.level + steps), 0
        elif took_s < _QUICK_S:
            self.quick += 1
            if self.quick >= _QUICK_TIMES and self.level:
                self.level, self.quick = self.level - 1, 0


class Viewers:
    """Everybody who watches the camera; nothing is encoded while nobody does.

    Args:
        api: the table, which encodes each picture once.
        now_s: monotonic time in seconds.
        most: viewers at once.
        fps: pictures a second at most.
    """

    def __init__(
        self, api: RefereeApi, now_s: Callable[[], float], most: int, fps: float
    ) -> None:
        self._api, self._now_s, self._gap_s = api, now_s, 1 / fps
        self.slots = Slots(most)
        self.closing = threading.Event()
        """Set when the server stops."""
        self._shrinking = threading.Lock()
        self._small: OrderedDict[tuple[int, bool, int], bytes] = OrderedDict()

    def parts(self, *, drawn: bool, gone: Callable[[], bool]) -> Iterator[bytes]:
        """Yield a multipart stream, always the newest picture.

        The line between two pictures goes out by itself and first: when it has, the one before
        is nearly through, and only then the next is taken.

        Args:
            drawn: with what is seen drawn on it.
            gone: whether nobody looks any more.
        """
        last: int | None = None
        sent_s, pace = self._now_s() - _AGAIN_S, Pace()
        yield f"--{BOUNDARY}".encode()
        while not self.closing.is_set() and not gone():
            picture, now_s = self._api.picture(drawn=drawn), self._now_s()
            if picture is None or (picture.seq == last and now_s < sent_s + _AGAIN_S):
                self.closing.wait(self._gap_s)
                continue
            last, sent_s = picture.seq, now_s
            yield _part(picture, self._jpeg(picture, pace.level, drawn=drawn))
            yield f"\r\n--{BOUNDARY}".encode()
            took_s = self._now_s() - now_s
            pace.sent(took_s)
            self.closing.wait(max(0.0, self._gap_s - took_s))

    def _jpeg(self, picture: LivePicture, level: int, *, drawn: bool) -> bytes:
        if level == 0:
            return picture.jpeg
        key = picture.seq, drawn, level
        with self._shrinking:
            if key not in self._small:
                self._small[key] = shrunk(picture.jpeg, level) or picture.jpeg
                while len(self._small) > _SMALL_KEPT:
                    self._small.popitem(last=False)
            return self._small[key]


def shrunk(jpeg: bytes, level: int) -> bytes | None:
    """Return a picture halved so many times; None for bytes that are no picture."""
    flag = cv2.IMREAD_REDUCED_COLOR_2 if level == 1 else cv2.IMREAD_REDUCED_COLOR_4
    decoded = cv2.imdecode(np.frombuffer(jpeg, np.uint8), flag)
    if decoded is None:
        return None
    return jpeg_of(as_u8(decoded), 70 - 15 * level)


def _part(picture: LivePicture, jpeg: bytes) -> bytes:
    head = (
        f"\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n"
        f"X-Age-Ms: {picture.age_ms}\r\nX-Seq: {picture.seq}\r\n\r\n"
    )
    return head.encode() + jpeg


class CloseUps:
    """Throws in close-up, drawn once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    def get(
        self, sha256: str, seq: int, jpeg: bytes, boxes: Sequence[Box], values: Sequence[str]
    ) -> bytes | None:
        """Return a throw's close-up as JPEG; None for bytes that are no picture.

        Args:
            sha256: of the picture.
            seq: of the throw's row.
            jpeg: the picture.
            boxes: (x, y, width, height) of each die; none: the whole picture.
            values: what each was read as.
        """
        with self._lock:
            if (sha256, seq) in self._made:
                self._made.move_to_end((sha256, seq))
                return self._made[sha256, seq]
            made = close_up(jpeg, boxes, values)
            if made is not None:
                self._made[sha256, seq] = made
                while len(self._made) > _CLOSE_UPS_KEPT:
                    self._made.popitem(last=False)
            return made


def close_up(jpeg: bytes, boxes: Sequence[Box], values: Sequence[str]) -> bytes | None:
    """Cut out the dice of a picture, enlarge them, and draw boxes and values."""
    decoded = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if decoded is None:
        return None
    bgr = as_u8(decoded)
    height, width = bgr.shape[:2]
    fitting = [(box, value) for box, value in zip(boxes, values, strict=False)
               if box[2] > 0 and box[3] > 0 and box[0] < width and box[1] < height]  # fmt: skip
    if fitting:
        left, top, right, bottom = _around([box for box, _ in fitting], width, height)
        bgr = bgr[top:bottom, left:right]
        scale = min(_LARGEST_SCALE, max(1.0, _LEAST_PX / max(1, min(bgr.shape[:2]))))
        bgr = as_u8(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC))
        for (x, y, w, h), value in fitting:
            corner = round((x - left) * scale), round((y - top) * scale)
            _draw(bgr, corner, (round(w * scale), round(h * scale)), value)
    return jpeg_of(bgr, 88)


def _around(boxes: Sequence[Box], width: int, height: int) -> tuple[int, int, int, int]:
    margin = round(_MARGIN * max(max(w, h) for _, _, w, h in boxes))
    return (
        max(0, min(x for x, _, _, _ in boxes) - margin),
        max(0, min(y for _, y, _, _ in boxes) - margin),
        min(width, max(x + w for x, _, w, _ in boxes) + margin),
        min(height, max(y + h for _, y, _, h in boxes) + margin),
    )


def _draw(bgr: BgrImage, corner: tuple[int, int], size: tuple[int, int], text: str) -> None:
    """Draw a box with a value above it, dark beneath light: it shows on any board."""
    x, y = corner
    end = x + size[0], y + size[1]
    scale = max(0.9, size[1] / 70)
    at = x, max(round(24 * scale), y - 8)
    for color, line in (((0, 0, 0), 5), ((90, 230, 255), 2)):
        cv2.rectangle(bgr, corner, end, color, line, cv2.LINE_AA)
        cv2.putText(
            bgr, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, color,
            line + round(scale), cv2.LINE_AA,
        )  # fmt: skip
