"""Dice read by a small network: a map of upper faces, looked at on several scales.

How it was trained is told in training/README.md.
"""

import math
from functools import cache
from importlib import resources
from threading import Lock

import cv2
import numpy as np

from calibration.geometry import BoardGeometry
from calibration.homography import Matrix, apply, invert
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
from vision.observation import DieReading, Half

__all__ = [
    "DiceNet",
    "DiceNetSettings",
    "default_net",
    "find_dice_net",
    "find_dice_on_board_net",
]

MODEL_FILE = "dice.onnx"
_GRID = 16
_EDGE_PX = 16


class DiceNet:
    """The loaded network; one may be shared by threads, which then wait for one another."""

    def __init__(self, model: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(model, dtype=np.uint8))
        self._lock = Lock()

    @classmethod
    def load(cls) -> "DiceNet":
        """Load the network that comes with the package."""
        return cls((resources.files("vision") / "models" / MODEL_FILE).read_bytes())

    def look(self, bgr: BgrImage) -> FloatImage:
        """Return the raw map, (12, H/4, W/4) float32.

        Args:
            bgr: height and width must be multiples of 16.
        """
        blob = cv2.dnn.blobFromImage(bgr, 1 / 127.5, mean=(127.5, 127.5, 127.5))
        with self._lock:
            self._net.setInput(blob)
            # The network reuses its buffers: what leaves the lock must be a copy.
            raw = np.array(self._net.forward(), dtype=np.float32)
        return as_f32(raw[0])

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


def find_dice_net(
    bgr: BgrImage, settings: DiceNetSettings | None = None, net: DiceNet | None = None
) -> tuple[DieReading, ...]:
    """Find and read dice in any photo.

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
    return readings(of_usual_size(merged(joined(seen), scales, settings), settings), settings)


def find_dice_on_board_net(
    bgr: BgrImage,
    board_from_image: Matrix,
    geometry: BoardGeometry,
    settings: DiceNetSettings | None = None,
    net: DiceNet | None = None,
) -> tuple[DieReading, ...]:
    """Find and read dice on a board and close to it.

    The field is cut out and enlarged, not flattened: a die's sides keep the look they have.

    Args:
        bgr: the camera's picture.
        board_from_image: `image_px` → `board_mm`.
        geometry: the board's measures.
        settings: how to look; None: as fitted.
        net: the network; None: the one that comes with the package.
    """
    settings = settings or DiceNetSettings()
    net = net or default_net()
    image_from_board = invert(board_from_image)
    margin = settings.margin_mm
    left, right = -margin, geometry.width_mm + margin
    top, bottom = -margin, geometry.height_mm + margin
    outline = apply(
        image_from_board, [(left, top), (right, top), (right, bottom), (left, bottom)]
    )
    height, width = bgr.shape[:2]
    x0, y0 = np.floor(np.clip(outline.min(axis=0), 0, (width, height))).astype(int).tolist()
    x1, y1 = np.ceil(np.clip(outline.max(axis=0), 0, (width, height))).astype(int).tolist()
    if x1 - x0 < _GRID or y1 - y0 < _GRID:
        return ()
    area_px = abs(float(cv2.contourArea(outline.astype(np.float32))))
    image_px_per_mm = math.sqrt(area_px / ((right - left) * (bottom - top)))
    scale = min(settings.px_per_mm / image_px_per_mm, settings.max_enlarge)
    found = _at_scale(net, as_u8(bgr[y0:y1, x0:x1]), scale, settings)
    found = merged(found, [scale], settings).moved(1.0, (x0, y0))
    spots = apply(board_from_image, found.face_px) if len(found) else np.empty((0, 2))
    inside = (spots > (left, top)).all(axis=1) & (spots < (right, bottom)).all(axis=1)
    dice = readings(found.take(inside), settings)
    return tuple(_placed(die, board_from_image, geometry) for die in dice)


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


def _placed(die: DieReading, board_from_image: Matrix, geometry: BoardGeometry) -> DieReading:
    x_mm, y_mm = apply(board_from_image, [die.center_px])[0].tolist()
    return DieReading(
        value=die.value,
        center_px=die.center_px,
        box_px=die.box_px,
        confidence=die.confidence,
        half=Half(geometry.half_of(x_mm, y_mm)),
    )
