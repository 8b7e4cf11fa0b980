"""A USB camera as OpenCV shows it, with a driver that keeps pictures waiting."""

from collections import deque
from dataclasses import dataclass, field

import cv2
import numpy as np

from hardware.camera_v4l2 import VideoCapture
from hardware.clock import ManualClock
from hardware.exposure import MainsHz
from hardware.picture import Pixels
from tests.hardware.scenes import scene


@dataclass
class FakeUsb:
    """Makes a picture every 1/15 s; `grab` waits for one where none is kept."""

    clock: ManualClock
    gives_px: tuple[int, int] = (640, 480)
    keeps: int = 4
    there: bool = True
    can_hold_exposure: bool = True
    exposure: float = 157
    stamps: bool = True
    set_to: dict[int, float] = field(default_factory=dict)
    released: int = 0
    mains_hz: MainsHz | None = None
    dead: bool = False
    broken: bool = False

    def __post_init__(self) -> None:
        self._next_s = self.clock.now_s()
        self._kept: deque[tuple[float, int]] = deque(maxlen=self.keeps)
        self._made = 0
        self._grabbed = (0.0, 0)
        self._buffer: Pixels = np.zeros((self.gives_px[1], self.gives_px[0], 3), np.uint8)

    def open(self, device: str) -> VideoCapture:
        return self

    def mains(self, device: str, mains_hz: MainsHz) -> bool:
        self.mains_hz = mains_hz
        return True

    def isOpened(self) -> bool:  # noqa: N802
        return self.there

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        self.set_to[propId] = value
        return self.can_hold_exposure or propId != cv2.CAP_PROP_AUTO_EXPOSURE

    def get(self, propId: int) -> float:  # noqa: N803
        match propId:
            case cv2.CAP_PROP_FRAME_WIDTH:
                return self.gives_px[0]
            case cv2.CAP_PROP_FRAME_HEIGHT:
                return self.gives_px[1]
            case cv2.CAP_PROP_EXPOSURE:
                return self.exposure
            case cv2.CAP_PROP_POS_MSEC:
                return self._grabbed[0] * 1000 if self.stamps else 0.0
        return 0.0

    def grab(self) -> bool:
        if self.dead:
            return False
        self._make()
        if not self._kept:
            self.clock.advance_to(self._next_s)
            self._make()
        self._grabbed = self._kept.popleft()
        return True

    def retrieve(self) -> tuple[bool, Pixels]:
        # OpenCV decodes into one buffer again and again.
        self._buffer[:] = scene(self.gives_px, self._grabbed[1])
        return not self.broken, self._buffer

    def release(self) -> None:
        self.released += 1

    def _make(self) -> None:
        while self._next_s <= self.clock.now_s():
            # A full driver keeps the old ones and throws the new ones away.
            if len(self._kept) < self.keeps:
                self._kept.append((self._next_s, self._made))
            self._made += 1
            self._next_s += 1 / 15
