"""Are red and blue where they belong? Hold something red or blue under the camera."""

from enum import StrEnum
from typing import Final, Literal

import numpy as np

from hardware.errors import Sentence
from hardware.picture import Pixels

_CLEARLY: Final = 1.35
"""A colour is told only where it outshines the other one by this much."""
_LEAST: Final = 40
"""Darker than this, noise has more to say than paint."""


class PatchResult(StrEnum):
    """What a patch of known colour shows."""

    RIGHT = "right"
    SWAPPED = "swapped"
    UNSURE = "unsure"


PATCH_WORDS = {
    PatchResult.RIGHT: Sentence("Цвета верны.", "The colours are right."),
    PatchResult.SWAPPED: Sentence(
        "Красный и синий перепутаны: сообщите о камере и версии picamera2.",
        "Red and blue are swapped: report the camera and the version of picamera2.",
    ),
    PatchResult.UNSURE: Sentence(
        "Цвет не различить: поднесите красный предмет так, чтобы он занял середину кадра.",
        "The colour cannot be told: hold something red so that it fills the picture's middle.",
    ),
}


def check_patch(bgr: Pixels, held: Literal["red", "blue"]) -> PatchResult:
    """Compare the middle of a picture with the colour that is held there.

    Args:
        bgr: (H, W, 3), blue first as far as the camera claims.
        held: the colour that a person holds under the camera.
    """
    height, width = bgr.shape[:2]
    middle = bgr[height * 2 // 5 : height * 3 // 5 + 1, width * 2 // 5 : width * 3 // 5 + 1]
    blue, green, red = (float(np.median(middle[..., channel])) for channel in range(3))
    most, least = max(blue, red), min(blue, red)
    if most < _LEAST or most < _CLEARLY * max(least, 1.0) or green > most:
        return PatchResult.UNSURE
    seen = "red" if red > blue else "blue"
    return PatchResult.RIGHT if seen == held else PatchResult.SWAPPED
