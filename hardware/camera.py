"""What a camera must do."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from hardware.errors import HardwareError


class CameraError(HardwareError):
    """A camera that gives no picture: unplugged, taken by another program, closed."""


class Picture(Protocol):
    """One picture with its time, as a camera hands it over; `vision.frame.Frame` is one."""

    @property
    def bgr(self) -> npt.NDArray[np.uint8]:
        """(H, W, 3) uint8, blue first; the reader's own, not the camera's buffer."""
        ...

    @property
    def at_s(self) -> float:
        """Monotonic time of the exposure in seconds."""
        ...

    @property
    def seq(self) -> int:
        """Number of the picture; gaps show how many were dropped."""
        ...


class Camera(Protocol):
    """A source of pictures."""

    def read(self) -> Picture:
        """Return the newest picture.

        Raises:
            CameraError: there is none.
        """
        ...

    def close(self) -> None:
        """Give the device back. May be called twice."""
        ...
