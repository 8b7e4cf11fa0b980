"""A photograph of the simulated table, composed from flat layers with height.

The empty board is drawn once (`table.backdrop`); checkers with their thickness and shadows
are laid on it once per position (`table.still`); dice, hand and sensor noise are added to every
frame.
"""

from functools import lru_cache

import cv2
import numpy as np

from calibration.geometry import BoardGeometry
from calibration.homography import apply
from table.backdrop import backdrop
from table.checker import Patch, circle_mm, disc_patch
from table.die import DieLight, DieLook, DiePatch, DiePose, render_die
from table.hand import hand_sprite
from table.scene import Camera, Die, Light, Scene, plane
from table.sensor import exposed
from table.shadows import darken, hand_shadow, scale_of, swept
from table.still import lay, still
from vision.cv import BgrImage, as_u8

DEFAULT_SIZE_PX = (1280, 960)
_BLUR_STEPS = 7


def render(scene: Scene, size_px: tuple[int, int] = DEFAULT_SIZE_PX) -> BgrImage:
    """Return the frame a camera would take of a scene.

    Args:
        scene: what stands in front of the camera.
        size_px: (width, height).
    """
    canvas = still(
        scene.look, scene.geometry, scene.camera, scene.light.casting, scene.discs, size_px
    ).copy()
    for die in sorted(scene.dice, key=lambda die: die.support_mm + die.pose.height_mm):
        _lay_die(canvas, scene, die, size_px)
    if scene.hand is not None or scene.carried:
        _lay_hand(canvas, scene, size_px)
    base = backdrop(scene.look, scene.geometry, scene.camera, scene.light, size_px)
    return exposed(canvas, base.gain, scene)


def die_patch(
    scene: Scene,
    die: Die,
    size_px: tuple[int, int] = DEFAULT_SIZE_PX,
    samples: int = 3,
) -> DiePatch:
    """Return one die as it is drawn in a scene, with its outline and box in `image_px`."""
    return _die_patch(
        scene.look.die,
        die.pose,
        die.support_mm,
        scene.geometry,
        scene.camera,
        scene.light.casting,
        size_px,
        samples,
    )


def hand_patch(scene: Scene, size_px: tuple[int, int] = DEFAULT_SIZE_PX) -> Patch | None:
    """Return the arm as it is drawn in a scene: what it hides; None: no arm in the picture."""
    if scene.hand is None:
        return None
    sprite = hand_sprite(scene.hand, scene.light.casting)
    warp = plane(scene.projection(size_px), scene.hand.height_mm) @ sprite.board_from_sprite
    rows, columns = sprite.alpha.shape
    corners = apply(warp, [[0, 0], [columns, 0], [columns, rows], [0, rows]])
    x0, y0 = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0).tolist()
    x1, y1 = np.minimum(np.ceil(corners.max(axis=0)).astype(int), size_px).tolist()
    if x1 <= x0 or y1 <= y0:
        return None
    local = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]]) @ warp
    size = (x1 - x0, y1 - y0)
    colour = cv2.warpPerspective(sprite.bgr, local, size, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(sprite.alpha, local, size)
    return Patch(as_u8(colour), as_u8(alpha), (x0, y0))


@lru_cache(maxsize=64)
def _die_patch(
    look: DieLook,
    pose: DiePose,
    support_mm: float,
    geometry: BoardGeometry,
    camera: Camera,
    light: Light,
    size_px: tuple[int, int],
    samples: int,
) -> DiePatch:
    projection = camera.projection(geometry, size_px)
    # The die renderer knows one ground; seen from a raised one the camera hangs lower.
    projection[:, 3] += support_mm * projection[:, 2]
    towards = light.towards
    lamp = DieLight(towards, light.ambient, (1 - light.ambient) / towards[2])
    return render_die(look, pose, projection, lamp, samples)


def _lay_die(canvas: BgrImage, scene: Scene, die: Die, size_px: tuple[int, int]) -> None:
    vx, vy = die.velocity_mm
    moving = abs(vx) + abs(vy) > 0.5
    steps = _BLUR_STEPS if moving else 1
    scale = scale_of(scene.projection(size_px))
    light = scene.light
    patches = []
    for step in range(steps):
        share = (step + 0.5) / steps - 0.5
        pose = die.pose
        if moving:
            pose = DiePose(
                value=pose.value,
                x_mm=pose.x_mm + share * vx,
                y_mm=pose.y_mm + share * vy,
                yaw_deg=pose.yaw_deg + 50 * share,
                tilt_deg=pose.tilt_deg + 40 * share,
                tilt_axis_deg=pose.tilt_axis_deg,
                height_mm=pose.height_mm,
            )
        samples = 1 if moving else 3
        patches.append(die_patch(scene, Die(pose, die.support_mm), size_px, samples))
    shadow = (1 - light.ambient) / steps
    soft = max(0.5, light.softness * (4.0 + die.pose.height_mm) * scale)
    for view in patches:
        darken(canvas, view.shadow_px, shadow, soft)
        darken(canvas, view.footprint_px, 0.35 / steps, 1.1 * scale)
    lay(canvas, _merged(patches))


def _merged(patches: list[DiePatch]) -> Patch:
    """Return one patch of a die's views while the shutter was open."""
    origins = np.array([patch.origin_px for patch in patches])
    ends = origins + np.array([patch.alpha.shape[::-1] for patch in patches])
    low, high = origins.min(axis=0), ends.max(axis=0)
    width, height = (high - low).tolist()
    colour = np.zeros((height, width, 3), np.float32)
    alpha = np.zeros((height, width), np.float32)
    for patch, origin in zip(patches, origins, strict=True):
        x, y = (origin - low).tolist()
        rows, columns = patch.alpha.shape
        part = np.s_[y : y + rows, x : x + columns]
        colour[part] += patch.bgr * patch.alpha[..., None]
        alpha[part] += patch.alpha
    solid = colour / np.maximum(alpha, 1e-4)[..., None]
    shown = np.minimum(alpha / len(patches), 1.0) * 255.0
    return Patch(
        as_u8(np.clip(solid + 0.5, 0, 255).astype(np.uint8)),
        as_u8((shown + 0.5).astype(np.uint8)),
        (int(low[0]), int(low[1])),
    )


def _lay_hand(canvas: BgrImage, scene: Scene, size_px: tuple[int, int]) -> None:
    """Draw the arm's shadow, what it holds, and the arm itself, in place."""
    projection = scene.projection(size_px)
    if scene.hand is not None:
        hand_shadow(canvas, scene.hand, scene.light.casting, projection)
    for disc in scene.carried:
        rise = disc.z_mm - disc.support_mm
        span = (rise, rise + scene.look.checker_height_mm)
        outline = circle_mm(disc, scene.look.checker_mm / 2)
        shadow = swept(outline, scene.light, span, disc.support_mm, projection)
        soft = scene.light.softness * (rise + 4.0) * scale_of(projection)
        darken(canvas, shadow, 1 - scene.light.ambient, soft)
        lay(
            canvas,
            disc_patch(
                disc,
                scene.look,
                scene.geometry,
                scene.camera,
                scene.light.casting,
                size_px,
            ),
        )
    patch = hand_patch(scene, size_px)
    if patch is not None:
        lay(canvas, patch)
