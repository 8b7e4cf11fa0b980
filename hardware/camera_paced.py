"""A recording shown at its own speed, as if it happened now."""

from collections.abc import Callable
from dataclasses import replace

from hardware.camera import Camera
from hardware.clock import Clock
from hardware.picture import CameraPicture

_LATE_S = 0.3
"""A picture this late is dropped, as a live camera drops what nobody fetched."""


class PacedCamera:
    """A `Camera` that hands a recording's pictures over when their time has come.

    Times are those of the clock, so that a recording can stand in for a live camera.

    Args:
        recording: gives pictures with its own times.
        clock: the clock to go by.
        wait: waits for some seconds; may return earlier.
        speed: how much faster than it happened.

    Raises:
        ValueError: a speed that is not above zero.
    """

    def __init__(
        self,
        recording: Camera,
        clock: Clock,
        wait: Callable[[float], object],
        speed: float = 1.0,
    ) -> None:
        if not speed > 0:
            raise ValueError(f"speed {speed} is not above zero")
        self._recording = recording
        self._clock = clock
        self._wait = wait
        self._speed = speed
        self._began_s: tuple[float, float] | None = None

    def read(self) -> CameraPicture:
        """Wait until the next picture's time and return it.

        Raises:
            CameraError: as the recording says.
        """
        now_s = self._clock.now_s()
        picture = self._recording.read()
        if self._began_s is None:
            self._began_s = now_s, picture.at_s
        ours_s, theirs_s = self._began_s
        due_s = ours_s + (picture.at_s - theirs_s) / self._speed
        while due_s < now_s - _LATE_S:
            picture = self._recording.read()
            due_s = ours_s + (picture.at_s - theirs_s) / self._speed
        if due_s > now_s:
            self._wait(due_s - now_s)
        if isinstance(picture, CameraPicture):
            return replace(picture, at_s=due_s)
        return CameraPicture(picture.bgr, due_s, picture.seq)

    def close(self) -> None:
        """Close the recording."""
        self._recording.close()
