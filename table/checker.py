"""One checker as the camera sees it: turned face, rim, side wall."""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from table.die import Projection, project
from table.scene import BoardLook, Camera, Disc, Light, SideName, projection_of
from table.textures import bgr, noise, wood
from vision.cv import BgrImage, FloatImage, GrayImage, as_f32, as_u8

_FACE_PX = 144
"""Size at which a face is drawn, before it is brought down to the picture's scale."""
_REACH = 1.04
"""The sprite's half side in radii."""
_RIM = np.linspace(0, 2 * np.pi, 44, endpoint=False)
_CIRCLE = np.column_stack([np.cos(_RIM), np.sin(_RIM)])


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """Something drawn, ready to be laid over a picture."""

    bgr: BgrImage
    alpha: GrayImage
    origin_px: tuple[int, int]


def circle_mm(disc: Disc, radius_mm: float) -> npt.NDArray[np.float64]:
    """Return the (N, 2) outline of a checker, or of a wider or narrower circle around it."""
    return np.array([disc.x_mm, disc.y_mm]) + radius_mm * _CIRCLE


@lru_cache(maxsize=2048)
def disc_patch(
    disc: Disc,
    look: BoardLook,
    geometry: BoardGeometry,
    camera: Camera,
    light: Light,
    size_px: tuple[int, int],
) -> Patch:
    """Return one checker drawn at its place."""
    projection = projection_of(camera, geometry, size_px)
    radius, height = look.checker_mm / 2, look.checker_height_mm
    rim = circle_mm(disc, radius)
    low = project(projection, _lift(rim, disc.z_mm))
    high = project(projection, _lift(rim, disc.z_mm + height))
    both = np.vstack([low, high])
    origin = np.floor(both.min(axis=0)).astype(int) - 2
    width, rows = (np.ceil(both.max(axis=0)).astype(int) + 3 - origin).tolist()
    size = (width, rows)
    # Near the picture's own scale, so that fine grooves do not flicker.
    across_px = float(np.ptp(high[:, 0])) * _REACH
    face_px = min(_FACE_PX, 8 * math.ceil(across_px * 1.1 / 8))
    face, wall = _sprites(look, disc.side, disc.variant % 8, light, face_px)
    hull = np.asarray(cv2.convexHull(both.astype(np.float32)), np.float64).reshape(-1, 2)
    alpha = np.zeros((rows, width), np.uint8)
    points = np.round((hull - origin) * 16).astype(np.int32)
    cv2.fillConvexPoly(alpha, points, 255, cv2.LINE_AA, 4)
    body = _placed(wall, projection, disc, disc.z_mm + height / 2, radius, origin, size)
    top = _placed(face, projection, disc, disc.z_mm + height, radius, origin, size)
    cover = as_f32(top[..., 3:]) * np.float32(1 / 255)
    colour = as_f32(body)
    colour += (top[..., :3] - colour) * cover
    return Patch(_u8(colour), alpha, (int(origin[0]), int(origin[1])))


def _lift(points_mm: npt.NDArray[np.float64], z_mm: float) -> npt.NDArray[np.float64]:
    return np.column_stack([points_mm, np.full(len(points_mm), z_mm)])


def _placed(
    sprite: BgrImage,
    projection: Projection,
    disc: Disc,
    z_mm: float,
    radius_mm: float,
    origin: npt.NDArray[np.int_],
    size: tuple[int, int],
) -> BgrImage:
    """Return a sprite warped to where it lies, in a patch."""
    x, y = disc.x_mm, disc.y_mm
    spots = np.array([[x, y, z_mm], [x + radius_mm, y, z_mm], [x, y + radius_mm, z_mm]])
    target = project(projection, spots) - origin
    face_px = sprite.shape[0]
    middle, reach = (face_px - 1) / 2, (face_px / 2) / _REACH
    source = np.array([[middle, middle], [middle + reach, middle], [middle, middle + reach]])
    warp = cv2.getAffineTransform(source.astype(np.float32), target.astype(np.float32))
    return as_u8(
        cv2.warpAffine(
            sprite, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    )


@lru_cache(maxsize=128)
def _sprites(
    look: BoardLook, side: SideName, variant: int, light: Light, face_px: int
) -> tuple[BgrImage, BgrImage]:
    """Return a checker's face (N, N, 4) and its wall, spread out from above (N, N, 3)."""
    span = np.linspace(-_REACH, _REACH, _FACE_PX, dtype=np.float32)
    x, y = np.meshgrid(span, span)
    rho = np.hypot(x, y)
    safe = np.maximum(rho, 1e-3)
    lamp = np.array(light.towards)
    ambient, direct = light.ambient, (1 - light.ambient) / float(lamp[2])
    colour = bgr(look.light if side == "L" else look.dark)
    albedo = _albedo(look, side, variant, colour)
    slope, groove = _profile(look, rho)
    normal = np.stack([-slope * x / safe, -slope * y / safe, np.ones_like(x)], axis=-1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    level = ambient * (0.7 + 0.3 * normal[..., 2]) * (1 - 0.25 * groove)
    level = level + direct * np.maximum(normal @ lamp, 0)
    half = lamp + np.array([0.0, 0.0, 1.0])
    half /= np.linalg.norm(half)
    shine = np.maximum(normal @ half, 0) ** 55
    face = albedo * level[..., None] + (look.checker_gloss * 150.0 * shine)[..., None]
    edge = np.clip((1.0 - rho) * _FACE_PX / (2 * _REACH) + 0.5, 0, 1) * 255.0
    facing = np.maximum((x * lamp[0] + y * lamp[1]) / safe, 0)
    around = 0.72 * ambient + direct * 0.9 * facing
    wall = np.array(colour, np.float32) * around[..., None]
    size = (face_px, face_px)
    return (
        _u8(cv2.resize(np.dstack([face, edge]), size, interpolation=cv2.INTER_AREA)),
        _u8(cv2.resize(wall, size, interpolation=cv2.INTER_AREA)),
    )


def _albedo(
    look: BoardLook, side: SideName, variant: int, colour: tuple[float, float, float]
) -> FloatImage:
    """Return the face's own colour: wood grain or marble, different for each variant."""
    rng = np.random.default_rng((look.seed, variant, side == "D"))
    shape = (_FACE_PX, _FACE_PX)
    base = np.array(colour, np.float32) * np.float32(rng.normal(1.0, 0.025))
    out = np.broadcast_to(base, (*shape, 3)).astype(np.float32)
    if look.grain > 0:
        wide = wood(rng, (220, 220), _FACE_PX / look.checker_mm / _REACH, "#808080", look.grain)
        angle = float(rng.uniform(0, 180))
        warp = cv2.getRotationMatrix2D((110.0, 110.0), angle, 1.0)
        warp[:, 2] += np.array([_FACE_PX / 2 - 110.0])
        out = out * as_f32(cv2.warpAffine(wide, warp, shape)) / 128.0
    if look.marble > 0:
        veins = np.exp(-((noise(rng, shape, (22, 22)) + 0.4 * noise(rng, shape, (7, 7))) ** 2))
        lift = 60.0 if side == "D" else -45.0
        out = as_f32(out + (look.marble * lift * (veins - 0.5))[..., None])
    return as_f32(np.maximum(out, 0))


def _profile(look: BoardLook, rho: FloatImage) -> tuple[FloatImage, FloatImage]:
    """Return the face's slope along the radius, and where it is grooved (0–1)."""
    # Every checker is rounded over at its rim.
    slope = -1.3 * np.clip((rho - 0.88) / 0.12, 0, 1) ** 1.5
    groove = np.zeros_like(rho)
    circles = {"ring": (0.7,), "rings": (0.3, 0.52, 0.74)}.get(look.profile, ())
    for at in circles:
        offset = (rho - at) / 0.035
        slope = slope + 0.75 * offset * np.exp(-(offset**2))
        groove = as_f32(groove + np.exp(-(offset**2)))
    if look.profile == "dome":
        slope = slope - 0.28 * rho
    if look.profile == "dish":
        slope = slope + 0.9 * np.exp(-(((rho - 0.74) / 0.05) ** 2))
        groove = as_f32(groove + 0.5 * np.exp(-(((rho - 0.68) / 0.06) ** 2)))
    return as_f32(slope), as_f32(groove)


def _u8(values: npt.ArrayLike) -> BgrImage:
    return as_u8(np.clip(np.asarray(values) + 0.5, 0, 255).astype(np.uint8))
