"""Which cameras are there: for `doctor` and for the dashboard's choice."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hardware.camera import CameraError
from hardware.camera_holder import media_holders, video_holders
from hardware.errors import Sentence
from hardware.pi_api import PiLibrary
from hardware.pi_library import load_picamera2
from hardware.v4l2_devices import SYS, usb_cameras


@dataclass(frozen=True, slots=True)
class Listed:
    """A camera that is plugged in."""

    choice: str
    """What `--camera` takes to use it."""
    model: str
    held_by: tuple[str, ...]
    """Other programs that have it, as far as can be seen."""

    def to_json(self) -> dict[str, object]:
        """Write it for the dashboard and for `doctor --json`."""
        return {"choice": self.choice, "model": self.model, "held_by": list(self.held_by)}


@dataclass(frozen=True, slots=True)
class Listing:
    """The cameras, ribbon ones first, and why some kind could not be looked for."""

    cameras: tuple[Listed, ...]
    ribbon_trouble: Sentence | None
    """Why picamera2 cannot be asked; None when it was."""


def list_cameras(
    *,
    load: Callable[[], PiLibrary] = load_picamera2,
    sys: Path = SYS,
    ribbon_holders: Callable[[], tuple[str, ...]] = media_holders,
    usb_holders: Callable[[str], tuple[str, ...]] = video_holders,
) -> Listing:
    """Look for cameras without opening any."""
    found: list[Listed] = []
    trouble: Sentence | None = None
    try:
        for number, one in enumerate(load().global_camera_info()):
            # libcamera shows USB cameras too; those are opened without it.
            if "/usb" not in str(one.get("Id", "")):
                model = str(one.get("Model", "?"))
                found.append(Listed(f"picamera2:{number}", model, ribbon_holders()))
    except CameraError as error:
        trouble = error.sentence
    except RuntimeError as error:
        trouble = Sentence(f"libcamera сообщает: {error}.", f"libcamera says: {error}.")
    for device in usb_cameras(sys):
        held_by = usb_holders(device.path)
        found.append(Listed(f"v4l2:{device.path}", device.name, held_by))
    return Listing(tuple(found), trouble)
