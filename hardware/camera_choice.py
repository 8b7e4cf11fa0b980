"""What `--camera` means, and how the camera it names is opened."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, assert_never

from hardware.camera import Camera
from hardware.camera_errors import CameraAbsentError, CameraUnusableError
from hardware.camera_folder import FolderCamera
from hardware.camera_list import Listing, list_cameras
from hardware.camera_paced import PacedCamera
from hardware.camera_picamera2 import Picamera2Camera
from hardware.camera_settings import CameraSettings
from hardware.camera_v4l2 import V4l2Camera
from hardware.camera_video import VideoCamera
from hardware.clock import Clock
from hardware.errors import HardwareError, Sentence


@dataclass(frozen=True, slots=True)
class RibbonChoice:
    """`picamera2` or `picamera2:1`."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class UsbChoice:
    """`usb` for the first one, or `v4l2:/dev/video2`."""

    device: str | None = None


@dataclass(frozen=True, slots=True)
class VideoChoice:
    """`video:FILE`, shown at its own speed."""

    path: Path


@dataclass(frozen=True, slots=True)
class FolderChoice:
    """`folder:DIR`, shown at its own speed."""

    path: Path


@dataclass(frozen=True, slots=True)
class AutoChoice:
    """`auto`: the first ribbon camera, else the first USB camera."""


CameraChoice: TypeAlias = RibbonChoice | UsbChoice | VideoChoice | FolderChoice | AutoChoice
FORMS = "auto, picamera2[:N], usb, v4l2:/dev/videoN, video:FILE, folder:DIR"


class CameraChoiceError(HardwareError, ValueError):
    """A text that names no camera."""

    def __init__(self, text: str) -> None:
        super().__init__(
            Sentence(f"«{text}» — не камера.", f"“{text}” names no camera."),
            Sentence(f"Допустимо: {FORMS}.", f"Allowed: {FORMS}."),
        )


def parse_choice(text: str) -> CameraChoice:
    """Read what `--camera` was given.

    Raises:
        CameraChoiceError: it names no camera; says what is allowed.
    """
    kind, colon, rest = text.strip().partition(":")
    match kind, bool(colon), rest:
        case "auto", False, _:
            return AutoChoice()
        case "usb", False, _:
            return UsbChoice()
        case "picamera2", False, _:
            return RibbonChoice()
        case "picamera2", True, number if number.isascii() and number.isdigit():
            return RibbonChoice(int(number))
        case "v4l2", True, device if device.startswith("/dev/"):
            return UsbChoice(device)
        case "video", True, path if path:
            return VideoChoice(Path(path))
        case "folder", True, path if path:
            return FolderChoice(Path(path))
        case _:
            raise CameraChoiceError(text)


def choice_text(choice: CameraChoice) -> str:
    """Write a choice as `--camera` takes it."""
    match choice:
        case RibbonChoice():
            return f"picamera2:{choice.number}"
        case UsbChoice():
            return "usb" if choice.device is None else f"v4l2:{choice.device}"
        case VideoChoice():
            return f"video:{choice.path}"
        case FolderChoice():
            return f"folder:{choice.path}"
        case AutoChoice():
            return "auto"
        case _:
            assert_never(choice)


def open_camera(
    choice: CameraChoice,
    settings: CameraSettings,
    clock: Clock,
    wait: Callable[[float], object],
    listing: Callable[[], Listing] = list_cameras,
) -> Camera:
    """Open the camera that was chosen, in the thread that is going to read it.

    Args:
        choice: which one.
        settings: what a live camera is asked for.
        clock: monotonic; the pictures' times are its times.
        wait: waits for some seconds, for recordings; may return earlier.
        listing: what is plugged in.

    Raises:
        CameraError: it cannot be opened; says why and what to do.
    """
    match choice:
        case RibbonChoice():
            return Picamera2Camera(choice.number, settings, clock=clock)
        case UsbChoice():
            device = choice.device or _first_usb(listing())
            return V4l2Camera(device, settings, clock=clock)
        case VideoChoice():
            return PacedCamera(VideoCamera(choice.path), clock, wait)
        case FolderChoice():
            return PacedCamera(FolderCamera(choice.path), clock, wait)
        case AutoChoice():
            return open_camera(_any(listing()), settings, clock, wait, listing)
        case _:
            assert_never(choice)


def opener(
    choice: CameraChoice,
    settings: CameraSettings,
    clock: Clock,
    wait: Callable[[float], object],
) -> Callable[[], Camera]:
    """Return what `SteadyCamera` opens its device with."""
    return lambda: open_camera(choice, settings, clock, wait)


def _first_usb(listing: Listing) -> str:
    for one in listing.cameras:
        kind, _, device = one.choice.partition(":")
        if kind == "v4l2":
            return device
    raise CameraAbsentError("usb", tuple(one.choice for one in listing.cameras))


def _any(listing: Listing) -> CameraChoice:
    if listing.cameras:
        return parse_choice(listing.cameras[0].choice)
    if listing.ribbon_trouble is None:
        raise CameraAbsentError("auto")
    # Neither kind: the person most likely has a ribbon camera and lacks its library.
    raise CameraUnusableError(
        Sentence("Ни одной USB-камеры нет.", "There is no USB camera.") + listing.ribbon_trouble
    )
