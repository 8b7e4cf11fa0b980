"""USB cameras as Linux lists them, and the mains filter they have."""

import fcntl
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hardware.exposure import MainsHz

SYS = Path("/sys/class/video4linux")

_SET_CONTROL = 0xC008561C
"""VIDIOC_S_CTRL: write a pair of 32-bit numbers, which control and what value."""
_POWER_LINE_FREQUENCY = 0x00980918
_POWER_LINE = {50: 1, 60: 2}


@dataclass(frozen=True, slots=True)
class VideoDevice:
    """A camera that speaks V4L2."""

    path: str
    """Such as `/dev/video0`."""
    name: str
    """The maker's."""


def usb_cameras(sys: Path = SYS) -> tuple[VideoDevice, ...]:
    """Return the USB cameras, in the order of their numbers.

    A Pi has a score of video devices that are parts of its own processor, and a USB camera has
    a second one for metadata; neither gives pictures.
    """
    folders = [one for one in sys.glob("video*") if one.name[5:].isdigit()]
    return tuple(
        VideoDevice(f"/dev/{folder.name}", _text(folder / "name") or "?")
        for folder in sorted(folders, key=lambda one: int(one.name[5:]))
        if "/usb" in str((folder / "device").resolve()) and _text(folder / "index") == "0"
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def filter_mains(
    device: str,
    mains_hz: MainsHz,
    ioctl: Callable[[int, int, bytes], object] = fcntl.ioctl,
) -> bool:
    """Tell a USB camera the mains frequency; OpenCV has no way to. False if it has no such."""
    try:
        handle = os.open(device, os.O_RDWR | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        ioctl(
            handle,
            _SET_CONTROL,
            struct.pack("Ii", _POWER_LINE_FREQUENCY, _POWER_LINE[mains_hz]),
        )
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(handle)
