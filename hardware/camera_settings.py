"""What a live camera is asked for, checked once."""

from dataclasses import dataclass
from typing import get_args

from hardware.errors import HardwareError, Sentence
from hardware.exposure import MainsHz


class CameraSettingError(HardwareError, ValueError):
    """A setting that cannot be; names it and what is allowed."""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """What a live camera is asked for; it may give something else and then says so.

    Raises:
        CameraSettingError: a value out of its range.
    """

    size_px: tuple[int, int] = (1280, 960)
    """(width, height) of the pictures looked at."""
    small_px: tuple[int, int] = (320, 240)
    """Of the pictures in which motion is looked for, where the camera makes such."""
    fps: int = 15
    mains_hz: MainsHz = 50
    """The mains frequency: 50 in Europe and Russia, 60 in America."""
    lens_position: float | None = None
    """Focus in dioptres (1 / metres), from calibration; None focuses once and stays."""
    lock_exposure: bool = True
    """Measure the light at the start, then keep exposure, gain and white balance."""
    warm_up_s: float = 3.0
    """The longest time for measuring; at most 5."""
    capture_wait_s: float = 1.0
    """How long one picture may take."""

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("size_px", min(self.size_px), 240, 4608),
            ("size_px", max(self.size_px), 320, 4608),
            ("small_px", min(self.small_px), 64, 4608),
            ("fps", self.fps, 1, 60),
            ("warm_up_s", self.warm_up_s, 0, 5),
            ("capture_wait_s", self.capture_wait_s, 0.1, 5),
            ("lens_position", self.lens_position or 0.0, 0, 32),
        ):
            if not least <= value <= most:
                raise _wrong(name, value, f"{least}–{most}")
        if self.mains_hz not in get_args(MainsHz):
            raise _wrong("mains_hz", self.mains_hz, "50, 60")
        if any(side % 2 for side in (*self.size_px, *self.small_px)):
            raise _wrong("size_px", self.size_px, "even numbers")

    @property
    def frame_us(self) -> int:
        """Time from picture to picture in microseconds."""
        return round(1e6 / self.fps)


def _wrong(name: str, value: object, allowed: str) -> CameraSettingError:
    return CameraSettingError(
        Sentence(f"camera.{name} = {value}: так нельзя.", f"camera.{name} = {value} is wrong."),
        Sentence(f"Допустимо: {allowed}.", f"Allowed: {allowed}."),
    )
