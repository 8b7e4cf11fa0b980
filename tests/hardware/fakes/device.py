"""A camera that does what a test says, and counts."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from hardware.camera import CameraError
from hardware.camera_errors import CameraTimeoutError
from hardware.clock import ManualClock
from hardware.picture import CameraPicture


@dataclass
class FakeDevice:
    """Gives a picture every 0.1 s of the clock unless `gives` says no."""

    clock: ManualClock
    gives: Callable[[int], bool] = lambda number: True
    error: CameraError = field(default_factory=lambda: CameraTimeoutError(1.0))
    reads: int = 0
    closed: int = 0
    seq: int = -1
    notes: tuple[object, ...] = ()

    def read(self) -> CameraPicture:
        number, self.reads = self.reads, self.reads + 1
        if not self.gives(number):
            self.clock.advance(1.0)
            raise self.error
        self.clock.advance(0.1)
        self.seq += 1
        return CameraPicture(
            np.full((4, 6, 3), number % 256, np.uint8), self.clock.now_s(), self.seq
        )

    def close(self) -> None:
        self.closed += 1
