"""One die drawn by ray casting: any pose, any camera, any look; pure functions.

World frame: x right and y down as in `board_mm`, z up from the board, all in millimetres. (With
y down and z up it is a left-handed frame; the faces are laid out so that dice come out as real
ones do.) A camera is a 3×4 matrix `image_from_world`, so that a die is drawn where and as a
real camera would see it, side faces included.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from table.die_look import PIPS, DieLight, DieLook, face_values, random_look
from table.die_surface import F32, ball_radius, intersect, shade
from vision.cv import BgrImage, FloatImage, as_f32, as_u8

__all__ = [
    "DieLight",
    "DieLook",
    "DiePatch",
    "DiePose",
    "Projection",
    "camera_looking",
    "die_rotation",
    "draw_die",
    "face_values",
    "project",
    "random_look",
    "render_die",
]

Projection: TypeAlias = npt.NDArray[np.float64]
"""(3, 4) float64: homogeneous world mm → image px."""

MAX_RAYS = 24_000
"""Samples per pixel are lowered above this many rays: a large die is smooth enough."""


@dataclass(frozen=True, slots=True)
class DiePose:
    """Where a die lies and how."""

    value: int
    """The face turned up (for a tilted die: the one nearest to up)."""
    x_mm: float = 0.0
    y_mm: float = 0.0
    yaw_deg: float = 0.0
    tilt_deg: float = 0.0
    """Angle between the upper face and the board."""
    tilt_axis_deg: float = 0.0
    """Direction, in the board's plane, of the axis it is tilted about."""
    height_mm: float = 0.0
    """Height of its lowest spot above the board."""


@dataclass(frozen=True, slots=True, eq=False)
class DiePatch:
    """A drawn die, ready to be laid over a picture."""

    bgr: FloatImage
    """(H, W, 3) float32, 0–255, not multiplied by alpha."""
    alpha: FloatImage
    """(H, W) float32, 0–1."""
    origin_px: tuple[int, int]
    """(x, y) of the patch's first pixel in the picture; may be negative."""
    footprint_px: npt.NDArray[np.float64]
    """(N, 2) convex outline of the die seen straight down on the board: its contact shadow."""
    shadow_px: npt.NDArray[np.float64]
    """(N, 2) convex outline of the shadow its lamp casts on the board."""
    top_center_px: tuple[float, float]
    """Centre of the upper face."""
    center_px: tuple[float, float]
    """Centre of the whole visible outline's box."""
    box_px: tuple[float, float, float, float]
    """(x, y, width, height) of the visible outline."""


def camera_looking(
    px_per_mm: float,
    center_px: tuple[float, float],
    oblique_deg: float = 0.0,
    azimuth_deg: float = 0.0,
    distance_mm: float = 800.0,
) -> Projection:
    """Return a camera that looks at the world's origin.

    Args:
        px_per_mm: scale at the origin.
        center_px: where the origin appears.
        oblique_deg: angle between the viewing ray and the vertical.
        azimuth_deg: direction in the picture from which the camera looks (0: from the right,
            90: from below).
        distance_mm: how far away it is; small numbers give strong perspective.
    """
    oblique, azimuth = math.radians(oblique_deg), math.radians(azimuth_deg)
    horizontal = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    to_camera = math.sin(oblique) * horizontal + math.cos(oblique) * up
    across = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    # `along` and `across` span the picture; turned back so that "right" stays right.
    along = math.cos(oblique) * horizontal - math.sin(oblique) * up
    right = math.cos(azimuth) * along - math.sin(azimuth) * across
    down = math.sin(azimuth) * along + math.cos(azimuth) * across
    focal_px = px_per_mm * distance_mm
    depth = np.append(-to_camera, distance_mm)
    x_row = focal_px * np.append(right, 0.0) + center_px[0] * depth
    y_row = focal_px * np.append(down, 0.0) + center_px[1] * depth
    return np.vstack([x_row, y_row, depth])


def project(image_from_world: Projection, points_mm: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Map (N, 3) world points to (N, 2) pixels."""
    world = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3)
    lifted = world @ image_from_world[:, :3].T + image_from_world[:, 3]
    return np.asarray(lifted[:, :2] / lifted[:, 2:3], dtype=np.float64)


def die_rotation(pose: DiePose, right_handed: bool = True) -> npt.NDArray[np.float64]:
    """Return the (3, 3) rotation from the die's own frame to the world's."""
    if pose.value not in PIPS:
        raise ValueError(f"a die shows 1 to 6, not {pose.value}")
    axis, sign = next(k for k, v in face_values(right_handed).items() if v == pose.value)
    lift = np.eye(3)
    if axis != 2:
        other = 1 - axis
        lift = np.zeros((3, 3))
        lift[2, axis], lift[axis, 2], lift[other, other] = sign, -sign, 1.0
    elif sign < 0:
        lift = np.diag([1.0, -1.0, -1.0])
    tilt = _turn(pose.tilt_axis_deg) @ _roll(pose.tilt_deg) @ _turn(-pose.tilt_axis_deg)
    return np.asarray(tilt @ _turn(pose.yaw_deg) @ lift, dtype=np.float64)


def render_die(
    look: DieLook,
    pose: DiePose,
    image_from_world: Projection,
    light: DieLight | None = None,
    samples: int = 3,
) -> DiePatch:
    """Draw one die as the camera sees it.

    Args:
        look: material and shape.
        pose: value, place, turn and tilt.
        image_from_world: the camera.
        light: lamp and room; None: the default lamp.
        samples: rays per pixel and axis.
    """
    light = light or DieLight()
    rotation = die_rotation(pose, look.right_handed)
    half = look.edge_mm / 2
    center = np.array([pose.x_mm, pose.y_mm, pose.height_mm + _support_mm(look, rotation)])
    core = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
    vertices = (core * half) @ rotation.T + center
    corners_px = project(image_from_world, vertices)
    low = np.floor(corners_px.min(axis=0)).astype(int) - 1
    width, height = (np.ceil(corners_px.max(axis=0)).astype(int) + 2 - low).tolist()
    while samples > 2 and width * height * samples**2 > MAX_RAYS:
        samples -= 1
    eye, rays = _rays(image_from_world, low, (width, height), samples, center)
    # The die's own frame, in edges: a unit cube around the origin.
    own_eye = as_f32((eye - center) @ rotation / look.edge_mm)
    inside = _inside_hull(corners_px - low, (width, height), samples)
    own_rays = rays[inside] @ as_f32(rotation)
    own_rays /= np.sqrt(np.einsum("ij,ij->i", own_rays, own_rays))[:, None]
    hit, points, normals, through = intersect(look, own_eye, own_rays)
    seen_rays, hit = own_rays[hit], inside[hit]
    colour = np.zeros((len(rays), 4), np.float32)
    shown, opacity = shade(
        look, light, rotation, points, normals, seen_rays, through, pose.height_mm
    )
    colour[hit, :3] = shown * opacity[:, None]
    colour[hit, 3] = opacity
    fine = colour.reshape(height * samples, width * samples, 4)
    coarse = as_f32(cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA))
    alpha = coarse[..., 3]
    bgr = coarse[..., :3] / np.maximum(alpha, 1e-4)[..., None]
    solid = np.zeros(len(rays), np.uint8)
    solid[hit] = 1
    box = _box_px(solid.reshape(height * samples, width * samples), low, samples)
    inset = vertices * 0.92 + center * 0.08
    lamp = np.asarray(light.towards, dtype=np.float64)
    lamp_z = max(float(lamp[2]), 0.2)
    cast = inset[:, :2] - inset[:, 2:] * (lamp[:2] / lamp_z)
    top = center + np.array([0.0, 0.0, half]) @ _upright(rotation, look, pose.value).T
    top_px = project(image_from_world, top)[0]
    return DiePatch(
        bgr=as_f32(bgr),
        alpha=as_f32(alpha),
        origin_px=(int(low[0]), int(low[1])),
        footprint_px=_outline_px(image_from_world, inset[:, :2]),
        shadow_px=_outline_px(image_from_world, cast),
        top_center_px=(float(top_px[0]), float(top_px[1])),
        center_px=(box[0] + box[2] / 2, box[1] + box[3] / 2),
        box_px=box,
    )


def draw_die(
    bgr: BgrImage, patch: DiePatch, shadow: float = 0.45, softness_px: float = 2.0
) -> BgrImage:
    """Return the picture with the die and its shadows laid over it.

    Args:
        bgr: the picture; it is not changed.
        patch: the drawn die.
        shadow: 0: none; 1: black.
        softness_px: blur of the cast shadow's edge.
    """
    canvas = bgr.copy()
    size_px = max(patch.alpha.shape)
    pad = math.ceil(3 * softness_px) + 2
    reach = np.vstack([patch.footprint_px, patch.shadow_px])
    ox, oy = patch.origin_px
    x0, y0 = np.floor(np.minimum(reach.min(axis=0), (ox, oy))).astype(int) - pad
    x1, y1 = (
        np.ceil(np.maximum(reach.max(axis=0), (ox + size_px, oy + size_px))).astype(int) + pad
    )
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, bgr.shape[1]), min(y1, bgr.shape[0])
    if x1 > x0 and y1 > y0 and shadow > 0:
        region = canvas[y0:y1, x0:x1]
        kept = np.ones(region.shape[:2], np.float32)
        for outline, strength, blur in (
            (patch.shadow_px, shadow, softness_px),
            (patch.footprint_px, 0.6 * shadow, 0.6 + 0.04 * size_px),
        ):
            mask = np.zeros(region.shape[:2], np.uint8)
            # shift=4: sixteenths of a pixel, so that the shadow does not jump as a die moves
            shape = np.round((outline - (x0, y0)) * 16).astype(np.int32)
            cv2.fillConvexPoly(mask, shape, 255, cv2.LINE_AA, 4)
            soft = as_f32(cv2.GaussianBlur(mask, (0, 0), max(blur, 0.3)))
            kept *= 1.0 - strength * soft / 255.0
        canvas[y0:y1, x0:x1] = as_u8(
            np.clip(region * kept[..., None] + 0.5, 0, 255).astype(np.uint8)
        )
    return _lay_over(canvas, patch)


def _turn(angle_deg: float) -> npt.NDArray[np.float64]:
    """Return the rotation about z, from x towards y (clockwise for the eye)."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _roll(angle_deg: float) -> npt.NDArray[np.float64]:
    """Return the rotation about x."""
    c, s = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def _upright(
    rotation: npt.NDArray[np.float64], look: DieLook, value: int
) -> npt.NDArray[np.float64]:
    """Return the rotation that carries +z to the outward normal of the value's face."""
    axis, sign = next(k for k, v in face_values(look.right_handed).items() if v == value)
    normal = rotation[:, axis] * sign
    return np.column_stack([np.zeros(3), np.zeros(3), normal])


def _support_mm(look: DieLook, rotation: npt.NDArray[np.float64]) -> float:
    """Return how far the die's centre is above its lowest spot."""
    core = 0.5 - look.rounding
    reach = core * float(np.abs(rotation[2]).sum()) + look.rounding
    return look.edge_mm * min(reach, max(ball_radius(look), 0.5))


def _rays(
    image_from_world: Projection,
    low: npt.NDArray[np.int_],
    size_px: tuple[int, int],
    samples: int,
    target: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], F32]:
    """Return the camera's place and one direction per sample, row by row."""
    inverse = np.linalg.inv(image_from_world[:, :3])
    eye = -inverse @ image_from_world[:, 3]
    steps = (np.arange(size_px[0] * samples) + 0.5) / samples - 0.5 + low[0]
    rows = (np.arange(size_px[1] * samples) + 0.5) / samples - 0.5 + low[1]
    # Middle first: sums of large numbers in double precision, the rest in single.
    middle = inverse @ np.array([steps.mean(), rows.mean(), 1.0])
    scale = float(np.linalg.norm(middle))
    along = as_f32(np.outer(steps - steps.mean(), inverse[:, 0]) / scale)
    down = as_f32(np.outer(rows - rows.mean(), inverse[:, 1]) / scale)
    directions = (down[:, None] + as_f32(middle / scale)) + along[None]
    directions = directions.reshape(-1, 3)
    if float(directions[len(directions) // 2] @ (target - eye)) < 0:
        directions = -directions
    return eye, directions


def _inside_hull(
    corners_px: npt.NDArray[np.float64], size_px: tuple[int, int], samples: int
) -> npt.NDArray[np.int_]:
    """Return the indices of the samples that the die's corners enclose."""
    mask = np.zeros((size_px[1] * samples, size_px[0] * samples), np.uint8)
    fine = np.round((corners_px + 0.5) * samples - 0.5).astype(np.int32)
    cv2.fillConvexPoly(mask, np.asarray(cv2.convexHull(fine), np.int32), 1)
    return np.flatnonzero(mask)


def _box_px(
    solid: npt.NDArray[np.uint8], low: npt.NDArray[np.int_], samples: int
) -> tuple[float, float, float, float]:
    """Return the box, to a fraction of a pixel, of the samples that met the die."""
    x, y, width, height = cv2.boundingRect(solid)
    left, top = x / samples - 0.5 + float(low[0]), y / samples - 0.5 + float(low[1])
    return left, top, width / samples, height / samples


def _outline_px(
    image_from_world: Projection, ground_mm: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    hull = np.asarray(cv2.convexHull(ground_mm.astype(np.float32)), np.float64).reshape(-1, 2)
    return project(image_from_world, np.column_stack([hull, np.zeros(len(hull))]))


def _lay_over(canvas: BgrImage, patch: DiePatch) -> BgrImage:
    """Blend the patch into the canvas, clipped at its edges."""
    ox, oy = patch.origin_px
    height, width = patch.alpha.shape
    x0, y0 = max(ox, 0), max(oy, 0)
    x1, y1 = min(ox + width, canvas.shape[1]), min(oy + height, canvas.shape[0])
    if x1 <= x0 or y1 <= y0:
        return canvas
    part = np.s_[y0 - oy : y1 - oy, x0 - ox : x1 - ox]
    alpha = patch.alpha[part][..., None]
    under = canvas[y0:y1, x0:x1].astype(np.float32)
    mixed = under + alpha * (patch.bgr[part] - under)
    canvas[y0:y1, x0:x1] = as_u8(np.clip(mixed + 0.5, 0, 255).astype(np.uint8))
    return canvas
