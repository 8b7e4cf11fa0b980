"""Draw simple dice: flat squares with pips, for tests that need known truth."""

import cv2
import numpy as np

from vision.cv import BgrImage

SLOTS: dict[int, list[tuple[int, int]]] = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
WHITE = ((240, 240, 240), (30, 30, 30))
BLACK = ((35, 35, 35), (235, 235, 235))
RED = ((40, 40, 190), (240, 240, 240))


def blank(
    width: int = 640, height: int = 480, colour: tuple[int, int, int] = (60, 110, 40)
) -> BgrImage:
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = colour
    return picture


def draw_die(
    picture: BgrImage,
    value: int,
    center: tuple[float, float],
    side: float,
    turn_deg: float = 0.0,
    look: tuple[tuple[int, int, int], tuple[int, int, int]] = WHITE,
) -> None:
    body, pip = look
    turn = np.deg2rad(turn_deg)
    axis = np.array([np.cos(turn), np.sin(turn)]) * side
    across = np.array([-axis[1], axis[0]])
    middle = np.array(center)
    h = 0.42  # the rounded outline: a smaller square grown by its corners' radius
    square = np.array(
        [middle + a * axis + b * across for a, b in ((-h, -h), (h, -h), (h, h), (-h, h))]
    )
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(square * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    grow = max(round(0.08 * side), 1)
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * grow + 1, 2 * grow + 1))
    _blend(picture, np.asarray(cv2.dilate(mask, disc), np.uint8), body)
    for s, t in SLOTS[value]:
        spot = middle + 0.25 * s * axis + 0.25 * t * across
        mask[:] = 0
        place = (round(spot[0] * 16), round(spot[1] * 16))
        cv2.circle(mask, place, round(0.1 * side * 16), 255, -1, cv2.LINE_AA, 4)
        _blend(picture, mask, pip)


def draw_disc(
    picture: BgrImage,
    center: tuple[float, float],
    radius: float,
    colour: tuple[int, int, int],
) -> None:
    mask = np.zeros(picture.shape[:2], np.uint8)
    place = (round(center[0] * 16), round(center[1] * 16))
    cv2.circle(mask, place, round(radius * 16), 255, -1, cv2.LINE_AA, 4)
    _blend(picture, mask, colour)


def soften(picture: BgrImage, seed: int = 0, noise: float = 2.0) -> BgrImage:
    """Blur a little and add noise, as a camera does."""
    rng = np.random.default_rng(seed)
    blurred = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), dtype=np.float64)
    return np.clip(blurred + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def _blend(picture: BgrImage, mask: BgrImage, colour: tuple[int, int, int]) -> None:
    x, y, width, height = cv2.boundingRect(mask)
    part = picture[y : y + height, x : x + width]
    cover = mask[y : y + height, x : x + width].astype(np.float64)[..., None] / 255
    part[:] = np.rint(part * (1 - cover) + np.array(colour) * cover).astype(np.uint8)
