"""The lamp over the table: shadows of boxes, light across the picture, reflection."""

from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from calibration.homography import apply, invert
from table.die import Projection, project
from table.scene import BoardLook, Light, plane
from vision.cv import BgrImage, FloatImage, GrayImage, as_f32, as_u8

Rect: TypeAlias = tuple[float, float, float, float]
"""x0, y0, x1, y1 in mm."""

_SHADE_STEPS = 10


def fill(mask: GrayImage, polygon_px: npt.NDArray[np.float64], value: int = 255) -> None:
    """Fill a convex polygon with smooth edges, in place."""
    points = np.round(polygon_px * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, points, value, cv2.LINE_AA, 4)


def fall_on(
    boxes: tuple[tuple[Rect, float], ...], light: Light, area: Rect, floor_mm: float
) -> FloatImage:
    """Return the shadow (0–1, one pixel a mm) that boxes of given tops cast on a plane."""
    width, height = int(area[2] - area[0]), int(area[3] - area[1])
    shadow = np.zeros((height, width), np.float32)
    for (x0, y0, x1, y1), top_mm in boxes:
        for step in range(1, _SHADE_STEPS + 1):
            rise = (top_mm - floor_mm) * step / _SHADE_STEPS
            dx = light.shift[0] * rise - area[0]
            dy = light.shift[1] * rise - area[1]
            corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) + np.array([dx, dy])
            mask = np.zeros((height, width), np.uint8)
            fill(mask, corners)
            soft = cv2.GaussianBlur(mask, (0, 0), 0.6 + light.softness * rise)
            shadow = np.maximum(shadow, as_f32(soft) / 255.0)
    return shadow


def level_quad(area: Rect, z: float) -> npt.NDArray[np.float64]:
    """Return a level rectangle's corners in space, clockwise from the top left."""
    x0, y0, x1, y1 = area
    return np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]], np.float64)


def _coarse_ground(
    projection: Projection, size_px: tuple[int, int]
) -> tuple[npt.NDArray[np.float64], tuple[int, int]]:
    """Return the board's (x, y) under every eighth pixel."""
    columns = np.linspace(0, size_px[0] - 1, size_px[0] // 8)
    rows = np.linspace(0, size_px[1] - 1, size_px[1] // 8)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1)
    shape = (grid.shape[0], grid.shape[1])
    return apply(invert(plane(projection)), grid.reshape(-1, 2)), shape


def gain_of(
    projection: Projection, light: Light, geometry: BoardGeometry, size_px: tuple[int, int]
) -> FloatImage:
    """Return (H, W, 3): how lamp, lens and white balance change the light over the picture."""
    ground, shape = _coarse_ground(projection, size_px)
    tx, ty, _ = light.towards
    along = (ground[:, 0] - geometry.width_mm / 2) * tx
    along += (ground[:, 1] - geometry.height_mm / 2) * ty
    lamp = 1 + 0.5 * light.falloff * np.clip(along / (geometry.width_mm / 2), -1.6, 1.6)
    y, x = np.mgrid[-1 : 1 : shape[0] * 1j, -1 : 1 : shape[1] * 1j]
    lens = 1.0 - 0.14 * (0.64 * x**2 + 0.36 * y**2)
    level = as_f32(lamp.reshape(shape) * lens)
    warmth = light.kelvin / 5000.0
    balance = np.array([warmth**0.5, 1.0, warmth**-0.35], np.float32)
    fine = as_f32(cv2.resize(level, size_px, interpolation=cv2.INTER_LINEAR))
    return as_f32(fine[..., None] * balance)


def mirrored(
    bgr: BgrImage,
    over: GrayImage,
    look: BoardLook,
    projection: Projection,
    light: Light,
    geometry: BoardGeometry,
) -> BgrImage:
    """Add the lamp's broad reflection on the floor and on the frame."""
    size_px = (bgr.shape[1], bgr.shape[0])
    ground, shape = _coarse_ground(projection, size_px)
    eye = -np.linalg.inv(projection[:, :3]) @ projection[:, 3]
    view = eye - np.column_stack([ground, np.zeros(len(ground))])
    view /= np.linalg.norm(view, axis=1, keepdims=True)
    half = view + np.array(light.towards)
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    shine = as_f32((half[:, 2] ** 24).reshape(shape))
    shine = as_f32(cv2.resize(shine, size_px, interpolation=cv2.INTER_LINEAR))
    field = np.zeros(over.shape, np.uint8)
    corners = level_quad((0.0, 0.0, geometry.width_mm, geometry.height_mm), 0.0)
    fill(field, project(projection, corners))
    strength = look.gloss * 150.0
    weight = as_f32(field) / 255.0 + 0.4 * as_f32(over) / 255.0
    added = (strength * shine * np.minimum(weight, 1.0))[..., None]
    return as_u8(np.clip(bgr + added + 0.5, 0, 255).astype(np.uint8))
