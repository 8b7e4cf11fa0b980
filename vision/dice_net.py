"""Dice read by a small network: a map of upper faces, looked at on several scales.

How it was trained is told in training/README.md.
"""

from functools import cache
from pathlib import Path
from threading import Lock

import cv2
import numpy as np

from vision.cv import BgrImage, FloatImage, as_f32, as_u8
from vision.dice_net_map import (
    Detections,
    DiceNetSettings,
    enough,
    joined,
    merged,
    of_usual_size,
    read_map,
    readings,
)
from vision.dice_windows import Windows
from vision.networks import blob_of, net_of, packaged
from vision.observation import DieReading

__all__ = [
    "DiceNet",
    "DiceNetSettings",
    "default_net",
    "detect_dice",
    "detect_in_windows",
    "find_dice_net",
]

MODEL_FILE = "dice.onnx"
_GRID = 16
_EDGE_PX = 16


class DiceNet:
    """The loaded network; one may be shared by threads, which then wait for one another."""

    def __init__(self, model: Path) -> None:
        self._net = net_of(model)
        self._lock = Lock()

    @classmethod
    def load(cls) -> "DiceNet":
        """Load the network that comes with the package."""
        with packaged(MODEL_FILE) as model:
            return cls(model)

    def look(self, bgr: BgrImage) -> FloatImage:
        """Return the raw map, (12, H/4, W/4) float32.

        Args:
            bgr: height and width must be multiples of 16.
        """
        blob = blob_of([bgr])
        with self._lock:
            self._net.setInput(blob)
            # The network reuses its buffers: what leaves the lock must be a copy.
            raw = np.array(self._net.forward(), dtype=np.float32)
        return as_f32(raw[0])

    def look_at_many(self, pictures: list[BgrImage]) -> list[FloatImage]:
        """Return the raw maps of several pictures of one size; see `look`."""
        # One by one: a batch saves nothing, and each new count would lay the network out anew.
        return [self.look(one) for one in pictures]

    def propose(self, bgr: BgrImage, settings: DiceNetSettings | None = None) -> Detections:
        """Return the dice of one picture at the scale it has, outlines of 12–60 px."""
        settings = settings or DiceNetSettings()
        height, width = bgr.shape[:2]
        right = _EDGE_PX + -(width + 2 * _EDGE_PX) % _GRID
        below = _EDGE_PX + -(height + 2 * _EDGE_PX) % _GRID
        padded = cv2.copyMakeBorder(bgr, _EDGE_PX, below, _EDGE_PX, right, cv2.BORDER_REPLICATE)
        seen = read_map(self.look(as_u8(padded)), settings)
        return seen.moved(1.0, (-_EDGE_PX, -_EDGE_PX))


@cache
def default_net() -> DiceNet:
    """Return the network that comes with the package, loaded once."""
    return DiceNet.load()


def detect_dice(
    bgr: BgrImage, settings: DiceNetSettings | None = None, net: DiceNet | None = None
) -> Detections:
    """Return the dice of any photo, with all that the network says of them.

    Args:
        bgr: the photo.
        settings: how to look; None: as fitted.
        net: the network; None: the one that comes with the package.
    """
    settings = settings or DiceNetSettings()
    net = net or default_net()
    long_px = max(bgr.shape[:2])
    scales = sorted({min(s / long_px, settings.max_enlarge) for s in settings.long_sides_px})
    seen: list[Detections] = []
    for i, scale in enumerate(scales):
        # From coarse to fine; where dice are plain to see, a finer look would only find pips.
        if seen and enough(merged(joined(seen), scales[:i], settings), scale, settings):
            scales = scales[:i]
            break
        seen.append(_at_scale(net, bgr, scale, settings))
    return of_usual_size(merged(joined(seen), scales, settings), settings)


def find_dice_net(
    bgr: BgrImage, settings: DiceNetSettings | None = None, net: DiceNet | None = None
) -> tuple[DieReading, ...]:
    """Find and read dice in any photo, sorted by x; arguments as `detect_dice`."""
    settings = settings or DiceNetSettings()
    return readings(detect_dice(bgr, settings, net), settings)


def detect_in_windows(
    windows: Windows, settings: DiceNetSettings | None = None, net: DiceNet | None = None
) -> Detections:
    """Return the dice that lie in small windows of a picture.

    Args:
        windows: cut at `settings.px_per_mm`.
        settings: how to look; None: as fitted.
        net: the network; None: the one that comes with the package.
    """
    settings = settings or DiceNetSettings()
    net = net or default_net()
    if not len(windows):
        return Detections.none()
    seen = []
    for number, raw in enumerate(net.look_at_many(list(windows.tiles))):
        found = read_map(raw, settings).moved(1 / windows.scale, windows.offset_px(number))
        center = found.box_px[:, :2] + found.box_px[:, 2:] / 2
        seen.append(found.take(windows.owned(center, number)))
    return merged(joined(seen), [windows.scale], settings)


def _at_scale(
    net: DiceNet, bgr: BgrImage, scale: float, settings: DiceNetSettings
) -> Detections:
    """Look at an enlarged or shrunk picture; answer in the picture's own pixels."""
    if abs(scale - 1.0) < 0.03:
        return net.propose(bgr, settings)
    size = (max(1, round(bgr.shape[1] * scale)), max(1, round(bgr.shape[0] * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    seen = net.propose(as_u8(cv2.resize(bgr, size, interpolation=way)), settings)
    # Pixel centres, not corners, are what the map counts from.
    back = bgr.shape[1] / size[0]
    return seen.moved(back, (0.5 * back - 0.5, 0.5 * back - 0.5))
