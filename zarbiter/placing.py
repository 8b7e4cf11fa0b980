"""How the board lies before the camera, kept beside the record for the next start.

What is measured of board, lens and light belongs to a calibration profile; this is only what a
person said or confirmed in the wizard.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibration.homography import GeometryError, board_from_image
from calibration.layout import BoardLayout, Corner, LayoutError
from vision.observation import Corners, Side
from zarbiter.config_file import write_whole
from zarbiter.corners import RequestError, checked_corners

VERSION = 1


class PlacingError(ValueError):
    """A file that holds no placing."""


@dataclass(frozen=True, slots=True)
class Placing:
    """Corners, orientation and colours."""

    layout: BoardLayout = field(default_factory=lambda: BoardLayout(Corner.TOP_RIGHT))
    white: Side = Side.LIGHT
    """Which checkers are White's."""
    corners_px: Corners | None = None
    """None: found in the picture."""
    by_hand: bool = False
    """Whether a person set the corners; then the finder does not move them."""
    straight: bool = False
    """Whether the corners lie in pictures straightened by the profile's lens."""


def read_placing(path: Path) -> Placing | None:
    """Read what was kept, None where nothing was.

    Raises:
        PlacingError: the file cannot be read or says what cannot be.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise PlacingError(f"{path}: {error}") from error
    try:
        return _from_json(value)
    except (KeyError, TypeError, ValueError, RequestError, GeometryError, LayoutError) as error:
        raise PlacingError(f"{path}: {error}") from error


def write_placing(path: Path, placing: Placing) -> None:
    """Keep it; a power cut leaves the old file or the new one.

    Raises:
        OSError: the disk does not take it.
    """
    corners = placing.corners_px
    value = {
        "version": VERSION,
        "white_start": placing.layout.white_start.value,
        "white": placing.white.value,
        "corners_px": None if corners is None else [list(one) for one in corners],
        "by_hand": placing.by_hand,
        "straight": placing.straight,
    }
    write_whole(path, json.dumps(value) + "\n")


def _from_json(value: dict[str, Any]) -> Placing:
    if value["version"] != VERSION:
        raise ValueError(f"version {value['version']}: this program reads {VERSION}")
    corners = None if value["corners_px"] is None else checked_corners(value["corners_px"])
    if corners is not None:
        board_from_image(corners, 1.0, 1.0)
    return Placing(
        BoardLayout.of(value["white_start"]),
        Side(value["white"]),
        corners,
        bool(value["by_hand"]),
        bool(value.get("straight", False)),
    )
