"""Shadows: of checkers on the floor and on each other, of dice, of an arm."""

import cv2
import numpy as np
import numpy.typing as npt

from table.backdrop import Backdrop
from table.checker import circle_mm
from table.die import Projection, project
from table.hand import hand_sprite
from table.lamp import fill
from table.scene import BoardLook, Disc, Hand, Light, plane
from vision.cv import BgrImage, FloatImage, GrayImage, as_f32, as_u8

_CONTACT = 0.42
"""Darkness where a checker touches the floor."""


def lift_to(points_mm: npt.NDArray[np.float64], z_mm: float) -> npt.NDArray[np.float64]:
    """Return (N, 3) points: a flat outline at a height."""
    return np.column_stack([points_mm, np.full(len(points_mm), z_mm)])


def swept(
    outline_mm: npt.NDArray[np.float64],
    light: Light,
    span_mm: tuple[float, float],
    support_mm: float,
    projection: Projection,
) -> npt.NDArray[np.float64]:
    """Return in `image_px` the shadow of an upright body on the plane it stands on."""
    shift = np.array(light.shift)
    both = np.vstack([outline_mm + shift * rise for rise in span_mm])
    hull = np.asarray(cv2.convexHull(both.astype(np.float32)), np.float64).reshape(-1, 2)
    return project(projection, lift_to(hull, support_mm))


def shading(
    base: Backdrop,
    look: BoardLook,
    light: Light,
    projection: Projection,
    discs: tuple[Disc, ...],
) -> FloatImage:
    """Return how much light (0–1) is left beside and under the checkers."""
    height, width = base.over.shape
    half = np.diag([0.5, 0.5, 1.0]) @ projection
    px_per_mm = scale_of(half)
    radius, thick = look.checker_mm / 2, look.checker_height_mm
    clear = 1.0 - as_f32(base.over) / 255.0
    kept = np.ones((height, width), np.float32)
    for raised in (False, True):
        group = [disc for disc in discs if (disc.support_mm > 0) == raised]
        if raised and not group:
            continue
        cast = np.zeros((height // 2, width // 2), np.uint8)
        touch = np.zeros_like(cast)
        for disc in group:
            rise = disc.z_mm - disc.support_mm
            span = (rise, rise + thick)
            fill(cast, swept(circle_mm(disc, radius), light, span, disc.support_mm, half))
            if rise <= 0:
                foot = lift_to(circle_mm(disc, radius * 1.06), disc.support_mm)
                fill(touch, project(half, foot))
        soft = max(0.5, light.softness * thick * 0.7 * px_per_mm)
        shadow = as_f32(cv2.GaussianBlur(cast, (0, 0), soft)) / 255.0
        contact = as_f32(cv2.GaussianBlur(touch, (0, 0), 1.9 * px_per_mm)) / 255.0
        dark = 1 - light.ambient
        before = np.zeros_like(shadow) if raised else base.cast
        share = (1 - dark * np.maximum(before, shadow)) / (1 - dark * before)
        share *= 1 - _CONTACT * contact
        fine = as_f32(cv2.resize(share, (width, height), interpolation=cv2.INTER_LINEAR))
        # What lies on floor or table throws no shadow up on the frame.
        kept *= fine if raised else 1 - (1 - fine) * clear
    return kept


def scale_of(projection: Projection) -> float:
    """Return pixels per mm near the board's middle."""
    spots = project(projection, np.array([[240.0, 210.0, 0.0], [250.0, 210.0, 0.0]]))
    return float(np.linalg.norm(spots[1] - spots[0])) / 10.0


def shade_tops(
    canvas: BgrImage,
    tops: GrayImage,
    disc: Disc,
    look: BoardLook,
    light: Light,
    projection: Projection,
) -> None:
    """Let a checker of a higher layer darken the faces below it, in place."""
    outline = circle_mm(disc, look.checker_mm / 2)
    shadow = swept(outline, light, (0.0, look.checker_height_mm), disc.z_mm, projection)
    foot = project(projection, lift_to(circle_mm(disc, look.checker_mm * 0.52), disc.z_mm))
    soft = max(0.6, light.softness * look.checker_height_mm * 0.7 * scale_of(projection))
    darken(canvas, shadow, 1 - light.ambient, soft, tops)
    darken(canvas, foot, 0.3, 2.2, tops)


def darken(
    canvas: BgrImage,
    outline_px: npt.NDArray[np.float64],
    strength: float,
    soft_px: float,
    where: GrayImage | None = None,
) -> None:
    """Multiply a soft shadow into the canvas, in place."""
    pad = int(3 * soft_px) + 2
    x0, y0 = np.maximum(np.floor(outline_px.min(axis=0)).astype(int) - pad, 0).tolist()
    x1, y1 = np.ceil(outline_px.max(axis=0)).astype(int) + pad
    x1, y1 = min(int(x1), canvas.shape[1]), min(int(y1), canvas.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    fill(mask, outline_px - (x0, y0))
    soft = as_f32(cv2.GaussianBlur(mask, (0, 0), max(soft_px, 0.3))) * (strength / 255.0)
    if where is not None:
        soft = soft * as_f32(where[y0:y1, x0:x1]) / 255.0
    region = canvas[y0:y1, x0:x1]
    kept = as_f32(region) * in_colour(as_f32(1 - soft))
    kept += 0.5
    region[:] = kept.astype(np.uint8)


def hand_shadow(canvas: BgrImage, hand: Hand, light: Light, projection: Projection) -> None:
    """Darken the picture by an arm's shadow, in place."""
    sprite = hand_sprite(hand, light)
    quarter = np.diag([0.25, 0.25, 1.0])
    size = (canvas.shape[1] // 4, canvas.shape[0] // 4)
    shift = np.eye(3)
    # Fingers are low and the palm is high: the shadow starts near the tips and runs away.
    shift[:2, 2] = np.array(light.shift) * (hand.height_mm + 12.0)
    warp = quarter @ plane(projection) @ shift @ sprite.board_from_sprite
    mask = as_u8(cv2.warpPerspective(sprite.alpha, warp, size))
    soft = light.softness * (hand.height_mm + 12.0) * scale_of(projection) / 4
    shadow = _blurred(mask, max(soft, 0.6))
    under = quarter @ plane(projection, hand.height_mm) @ sprite.board_from_sprite
    close = as_u8(cv2.warpPerspective(sprite.alpha, under, size))
    contact = _blurred(close, 7.0)
    kept = as_f32((1 - (1 - light.ambient) / 255.0 * shadow) * (1 - 0.22 / 255.0 * contact))
    x, y, width, height = cv2.boundingRect((kept < 1).astype(np.uint8))
    if canvas.shape[1] % 4 or canvas.shape[0] % 4:
        x, y, width, height = 0, 0, *size
    elif not width:
        return
    # A margin, so that the edge is drawn out from the same neighbours as in the whole.
    x0, y0 = max(x - 2, 0), max(y - 2, 0)
    x1, y1 = min(x + width + 2, size[0]), min(y + height + 2, size[1])
    part = canvas[4 * y0 : 4 * y1, 4 * x0 : 4 * x1]
    if (x1, y1) == size and (x0, y0) == (0, 0):
        part = canvas
    fine = as_f32(
        cv2.resize(kept[y0:y1, x0:x1], part.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    )
    part[:] = dimmed(part, fine)


def _blurred(mask: GrayImage, soft_px: float) -> FloatImage:
    """Return a blurred mask; nothing is done where it is empty."""
    blurred = np.zeros(mask.shape, np.float32)
    x, y, width, height = cv2.boundingRect(mask)
    if width:
        pad = int(3 * soft_px) + 3
        part = np.s_[max(y - pad, 0) : y + height + pad, max(x - pad, 0) : x + width + pad]
        blurred[part] = cv2.GaussianBlur(np.ascontiguousarray(mask[part]), (0, 0), soft_px)
    return blurred


def dimmed(canvas: BgrImage, kept: FloatImage) -> BgrImage:
    """Return the picture with its light cut down to a share (0–1)."""
    return as_u8(cv2.multiply(canvas, in_colour(kept), dtype=cv2.CV_8U))


def in_colour(share: FloatImage) -> FloatImage:
    """Return a share (H, W) for each of three channels; numpy would repeat it far slower."""
    return as_f32(cv2.merge([share, share, share]))
