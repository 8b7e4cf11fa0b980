"""An arm that reaches over the board: capsules melted together, lit as one skin."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from table.scene import Grip, Hand, Light
from table.textures import bgr, noise
from vision.cv import BgrImage, FloatImage, GrayImage, as_f32, as_u8

_PX_PER_MM = 1.6
_LENGTH_MM = 560.0
_AHEAD_MM = 14.0
_HALF_MM = 76.0
_CUFF_MM = 176.0
"""Where the sleeve begins, from the fingertips."""

_Capsule = tuple[float, float, float, float, float, float, float, float]
"""u, v, height, radius at one end and at the other, in mm; u runs from fingertips to elbow."""

_PALM: tuple[_Capsule, ...] = (
    (84, -24, 10, 15, 128, -13, 8, 17),
    (80, -8, 12, 15, 130, -4, 9, 18),
    (82, 9, 11, 15, 130, 6, 8, 18),
    (90, 24, 8, 14, 130, 13, 6, 17),
)
_FOREARM: tuple[_Capsule, ...] = (
    (128, -7, 8, 22, 330, -4, 8, 31),
    (128, 9, 7, 21, 330, 6, 7, 30),
)
_FINGERS: dict[Grip, tuple[_Capsule, ...]] = {
    "open": (
        (80, -24, 10, 10.5, 44, -29, 10, 9.5),
        (44, -29, 10, 9.5, 10, -32, 4, 7.5),
        (78, -8, 12, 10.5, 36, -9, 12, 9.8),
        (36, -9, 12, 9.8, 0, -10, 5, 7.6),
        (80, 9, 11, 10.2, 40, 11, 11, 9.4),
        (40, 11, 11, 9.4, 5, 13, 4, 7.4),
        (90, 25, 8, 9.0, 56, 30, 8, 8.2),
        (56, 30, 8, 8.2, 26, 34, 3, 6.8),
        (122, -24, 4, 15, 86, -45, 4, 11.5),
        (86, -45, 4, 11.5, 56, -56, 0, 8.8),
    ),
    "pinch": (
        (80, -24, 12, 10.5, 44, -22, 18, 9.8),
        (44, -22, 18, 9.8, 4, -6, 2, 7.6),
        (80, -8, 14, 10.5, 44, -4, 20, 9.8),
        (44, -4, 20, 9.8, 8, 6, 2, 7.6),
        (82, 9, 12, 10.2, 50, 14, 16, 9.6),
        (50, 14, 16, 9.6, 30, 15, 4, 8.4),
        (90, 24, 9, 9.2, 64, 28, 12, 8.6),
        (64, 28, 12, 8.6, 48, 27, 4, 7.6),
        (122, -24, 2, 15, 78, -42, 2, 11.5),
        (78, -42, 2, 11.5, 26, -22, -2, 8.6),
    ),
    "fist": (
        (80, -24, 12, 11.0, 50, -23, 13, 11.0),
        (50, -23, 13, 11.0, 44, -20, 0, 10.0),
        (78, -8, 14, 11.5, 44, -7, 15, 11.4),
        (44, -7, 15, 11.4, 38, -6, 0, 10.0),
        (80, 9, 13, 11.0, 48, 10, 14, 11.0),
        (48, 10, 14, 11.0, 43, 9, 0, 10.0),
        (88, 24, 10, 10.0, 60, 25, 11, 10.0),
        (60, 25, 11, 10.0, 56, 23, 0, 9.0),
        (122, -24, 2, 15, 84, -42, 3, 12.0),
        (84, -42, 3, 12.0, 54, -28, 2, 10.0),
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class HandSprite:
    """A drawn arm and how its pixels lie on the board."""

    bgr: BgrImage
    alpha: GrayImage
    board_from_sprite: npt.NDArray[np.float64]
    """(3, 3) float64: sprite px → `board_mm` (at the hand's height)."""


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    """An arm's shape, without colour or light."""

    alpha: GrayImage
    where: npt.NDArray[np.int_]
    """Flat indices of the pixels that can be seen; the rest is given for these only."""
    normal: FloatImage
    cavity: FloatImage
    sleeve: FloatImage
    blush: FloatImage


def axes(hand: Hand) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the board directions from fingertips to elbow, and across to the little finger."""
    straight = {"bottom": 90.0, "top": 270.0, "left": 180.0, "right": 0.0}[hand.edge]
    angle = math.radians(straight + hand.lean_deg)
    along = np.array([math.cos(angle), math.sin(angle)])
    return along, np.array([along[1], -along[0]])


def hand_sprite(hand: Hand, light: Light) -> HandSprite:
    """Return the arm, lit, with its place on the board."""
    along, across = axes(hand)
    # The light on an arm does not change as it moves straight on: draw it once.
    colour = _lit(replace(hand, x_mm=0.0, y_mm=0.0, height_mm=0.0), light)
    place = np.eye(3)
    place[:2, 0] = along / _PX_PER_MM
    place[:2, 1] = across / _PX_PER_MM
    place[:2, 2] = (
        np.array([hand.x_mm, hand.y_mm])
        + along * (0.5 / _PX_PER_MM - _AHEAD_MM)
        + across * (0.5 / _PX_PER_MM - _HALF_MM)
    )
    return HandSprite(colour, _form(hand.grip).alpha, place)


@lru_cache(maxsize=96)
def _lit(hand: Hand, light: Light) -> BgrImage:
    form = _form(hand.grip)
    along, across = axes(hand)
    lamp = np.array(light.towards)
    own = np.array([lamp[:2] @ along, lamp[:2] @ across, lamp[2]], np.float32)
    facing = np.maximum(form.normal @ own, 0)
    ambient = light.ambient
    level = ambient * (0.55 + 0.45 * form.normal[..., 2]) * form.cavity
    level = level + (1 - ambient) / max(float(own[2]), 0.3) * facing
    skin = np.array(bgr(hand.skin), np.float32)
    warm = skin * np.array([0.84, 0.86, 1.02], np.float32)
    cloth = np.array(bgr(hand.sleeve), np.float32)
    half = own + np.array([0, 0, 1], np.float32)
    half /= np.linalg.norm(half)
    # The 18th power, without the slow general one.
    mirrored = np.maximum(form.normal @ half, 0) ** 2
    shine = ((mirrored**2) ** 2) ** 2 * mirrored * 16.0 * (1 - form.sleeve)
    # Light that went through the skin reddens the edge of its shadow.
    glow = np.exp(-(((facing - 0.12) / 0.16) ** 2)) * (1 - form.sleeve) * 10.0
    colour = np.zeros((form.alpha.size, 3), np.uint8)
    seen = np.empty((len(form.where), 3), np.uint8)
    # One channel after the other: arrays that end in a short axis are slow.
    for channel in range(3):
        flesh = skin[channel] + (warm[channel] - skin[channel]) * form.blush
        shown = (flesh + (cloth[channel] - flesh) * form.sleeve) * level + shine
        if channel == 2:
            shown += glow
        seen[:, channel] = np.clip(shown + 0.5, 0, 255).astype(np.uint8)
    colour[form.where] = seen
    return as_u8(colour.reshape(*form.alpha.shape, 3))


@lru_cache(maxsize=3)
def _form(grip: Grip) -> _Form:
    rng = np.random.default_rng(7)
    columns = round((_LENGTH_MM + _AHEAD_MM) * _PX_PER_MM)
    rows = round(2 * _HALF_MM * _PX_PER_MM)
    u = (np.arange(columns, dtype=np.float32) + 0.5) / _PX_PER_MM - _AHEAD_MM
    v = (np.arange(rows, dtype=np.float32) + 0.5) / _PX_PER_MM - _HALF_MM
    grid: list[npt.NDArray[np.float32]] = list(np.meshgrid(u, v))
    skin = _melted(grid, (*_PALM, *_FOREARM, *_FINGERS[grip]), 2.2)
    sleeve = _sleeve(grid, rng)
    dressed = sleeve > np.maximum(skin, -8)
    height = np.where(dressed, sleeve, skin)
    # Below this height an arm's outline is out of sight under its own bulge.
    inside = np.clip((height + 6.0) / 2.0, 0, 1)
    smooth = as_f32(cv2.GaussianBlur(np.maximum(height, -10).astype(np.float32), (0, 0), 1.1))
    rough = smooth + 0.12 * noise(rng, (rows, columns), (3, 3)) * (~dressed)
    step = _PX_PER_MM / 8
    du = as_f32(cv2.Sobel(rough, cv2.CV_32F, 1, 0)) * step
    dv = as_f32(cv2.Sobel(rough, cv2.CV_32F, 0, 1)) * step
    normal = np.stack([-du, -dv, np.ones_like(du)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    around = as_f32(cv2.GaussianBlur(smooth, (0, 0), 6.0))
    cavity = np.clip(1.0 + 0.045 * (smooth - around), 0.55, 1.08)
    weave = as_f32(cv2.GaussianBlur(dressed.astype(np.float32), (0, 0), 0.8))
    tips = np.exp(-((grid[0] - 8) ** 2) / 500) + 0.5 * np.exp(-((grid[0] - 82) ** 2) / 160)
    blush = np.clip(0.55 * tips + 0.16 * noise(rng, (rows, columns), (14, 14)), 0, 1)
    alpha = as_f32(cv2.GaussianBlur(inside.astype(np.float32), (0, 0), 0.7))
    # With a margin: where it is warped, a pixel takes colour from its neighbours.
    seen = cv2.dilate((alpha > 0).astype(np.uint8), np.ones((5, 5), np.uint8))
    where = np.flatnonzero(seen)
    return _Form(
        as_u8((alpha * 255 + 0.5).astype(np.uint8)),
        where,
        as_f32(normal.reshape(-1, 3)[where]),
        as_f32(cavity.ravel()[where]),
        as_f32(weave.ravel()[where]),
        as_f32((blush * (1 - weave)).ravel()[where]),
    )


def _melted(
    grid: list[npt.NDArray[np.float32]], capsules: tuple[_Capsule, ...], soft_mm: float
) -> npt.NDArray[np.float32]:
    """Return the height of capsules whose joints run into each other; very low outside."""
    total = np.zeros_like(grid[0])
    for u0, v0, h0, r0, u1, v1, h1, r1 in capsules:
        du, dv = u1 - u0, v1 - v0
        share = ((grid[0] - u0) * du + (grid[1] - v0) * dv) / (du * du + dv * dv)
        share = np.clip(share, 0, 1)
        across = (grid[0] - u0 - share * du) ** 2 + (grid[1] - v0 - share * dv) ** 2
        radius = r0 + (r1 - r0) * share
        bulge = np.sqrt(np.maximum(radius**2 - across, 0))
        gap = np.sqrt(np.maximum(across, 0)) - radius
        height = h0 + (h1 - h0) * share + np.where(gap < 0, bulge, -9.0 - 3.0 * gap) - 6.0
        total += np.exp(np.clip(height / soft_mm, -40, 40))
    return as_f32(soft_mm * np.log(np.maximum(total, 1e-12)))


def _sleeve(
    grid: list[npt.NDArray[np.float32]], rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """Return the sleeve's height: a wider tube with a hem and folds."""
    u, v = grid
    wide = 36.0 + 0.055 * (u - _CUFF_MM) + 1.6 * np.sin(u / 31.0)
    shape = (u.shape[0], u.shape[1])
    folds = 1.8 * noise(rng, shape, (34, 22)) + 1.1 * np.sin(u / 7.5 + 0.05 * v)
    height = np.sqrt(np.maximum(wide**2 - v**2, 0)) + folds * np.clip((u - 190) / 40, 0, 1)
    hem = 1.6 * np.exp(-(((u - _CUFF_MM - 7) / 3.0) ** 2))
    height = height + hem
    inside = (u > _CUFF_MM + 2.0 * (v / 36.0) ** 2) & (np.abs(v) < wide)
    return as_f32(np.where(inside, height, -60.0))
