"""The board with its checkers, drawn anew only where a checker came or went."""

from functools import lru_cache
from threading import Lock

import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from table.backdrop import Backdrop, backdrop
from table.checker import Patch, circle_mm, disc_patch
from table.die import Projection, project
from table.lamp import fill
from table.scene import BoardLook, Camera, Disc, Light, nadir_mm, projection_of
from table.shadows import dimmed, in_colour, lift_to, scale_of, shade_tops, shading, swept
from vision.cv import BgrImage, GrayImage, as_f32

_Box = tuple[int, int, int, int]
"""x0, y0, x1, y1 in `image_px`, even numbers."""
_Key = tuple[BoardLook, BoardGeometry, Camera, Light, tuple[int, int]]
_MOST_CHANGED = 8
"""With more checkers come or gone the whole board is drawn."""
_KEPT = 4

_latest: dict[_Key, tuple[tuple[Disc, ...], BgrImage]] = {}
_lock = Lock()


def still(
    look: BoardLook,
    geometry: BoardGeometry,
    camera: Camera,
    light: Light,
    discs: tuple[Disc, ...],
    size_px: tuple[int, int],
) -> BgrImage:
    """Return the board with its checkers, before lens and sensor; not to be written to."""
    return _still((look, geometry, camera, light, size_px), discs)


def forget() -> None:
    """Draw the next boards from nothing."""
    with _lock:
        _latest.clear()
    _still.cache_clear()


@lru_cache(maxsize=6)
def _still(key: _Key, discs: tuple[Disc, ...]) -> BgrImage:
    with _lock:
        before = _latest.get(key)
    changed = None if before is None else set(before[0]) ^ set(discs)
    width, height = key[-1]
    base = backdrop(*key)
    if (
        before is None
        or changed is None
        or len(changed) > _MOST_CHANGED
        or width % 2
        or height % 2
    ):
        canvas = np.empty_like(base.bgr)
        _draw(canvas, base, key, discs, (0, 0, width, height), 0)
    else:
        canvas = before[1].copy()
        for disc in changed:
            _draw(canvas, base, key, discs, _reach(key, disc), _margin(key))
    canvas.setflags(write=False)
    with _lock:
        _latest.pop(key, None)
        _latest[key] = (discs, canvas)
        while len(_latest) > _KEPT:
            del _latest[next(iter(_latest))]
    return canvas


def _draw(
    canvas: BgrImage,
    base: Backdrop,
    key: _Key,
    discs: tuple[Disc, ...],
    box: _Box,
    margin_px: int,
) -> None:
    """Draw a part of the board, in place.

    Args:
        canvas: the whole picture.
        base: the empty board.
        key: what it is seen with.
        discs: all checkers.
        box: the part.
        margin_px: drawn around it and thrown away, so that blurs meet what they would in the
            whole; even.
    """
    look, geometry, camera, light, size_px = key
    x0, y0 = max(box[0] - margin_px, 0), max(box[1] - margin_px, 0)
    x1, y1 = min(box[2] + margin_px, size_px[0]), min(box[3] + margin_px, size_px[1])
    if x1 <= x0 or y1 <= y0:
        return
    part = np.s_[y0:y1, x0:x1]
    cut = Backdrop(
        base.bgr[part], base.over[part], base.cast[y0 // 2 : y1 // 2, x0 // 2 : x1 // 2],
        base.gain[part],
    )  # fmt: skip
    whole = projection_of(camera, geometry, size_px)
    shift = np.array([[1.0, 0.0, -x0], [0.0, 1.0, -y0], [0.0, 0.0, 1.0]])
    projection: Projection = shift @ whole
    near = discs
    if margin_px:
        near = tuple(disc for disc in discs if _meets(_reach(key, disc), (x0, y0, x1, y1)))
    drawn = dimmed(cut.bgr, shading(cut, look, light, projection, near))
    below = nadir_mm(whole)
    # Low ones first; among equals the nearer to the camera's foot hides the farther.
    order = sorted(
        near,
        key=lambda d: (d.z_mm, -float(np.hypot(d.x_mm - below[0], d.y_mm - below[1]))),
    )
    tops = np.zeros(drawn.shape[:2], np.uint8)
    for disc in order:
        if disc.z_mm > disc.support_mm:
            shade_tops(drawn, tops, disc, look, light, projection)
        patch = disc_patch(disc, look, geometry, camera, light, size_px)
        top_mm = disc.z_mm + look.checker_height_mm
        hidden = disc.support_mm <= 0 and top_mm <= look.frame_height_mm
        origin = (patch.origin_px[0] - x0, patch.origin_px[1] - y0)
        lay(drawn, Patch(patch.bgr, patch.alpha, origin), cut.over if hidden else None)
        rim = circle_mm(disc, look.checker_mm / 2)
        fill(tops, project(projection, lift_to(rim, top_mm)))
    left, up = max(box[0], 0), max(box[1], 0)
    right, down = min(box[2], size_px[0]), min(box[3], size_px[1])
    canvas[up:down, left:right] = drawn[up - y0 : down - y0, left - x0 : right - x0]


def _margin(key: _Key) -> int:
    """Return how far the softest shadow is smeared, and a little more."""
    look, geometry, camera, light, size_px = key
    scale = scale_of(projection_of(camera, geometry, size_px))
    soft_px = max(light.softness * look.checker_height_mm * 0.7, 1.9) * scale
    return 2 * (int(3 * soft_px) // 2 + 6)


@lru_cache(maxsize=512)
def _reach(key: _Key, disc: Disc) -> _Box:
    """Return where a checker or its shadow may change the picture."""
    look, geometry, camera, light, size_px = key
    projection = projection_of(camera, geometry, size_px)
    top_mm = disc.z_mm - disc.support_mm + look.checker_height_mm
    outline = circle_mm(disc, look.checker_mm * 0.55)
    shadow = swept(outline, light, (0.0, top_mm), disc.support_mm, projection)
    body = np.vstack(
        [
            project(projection, lift_to(outline, disc.z_mm + rise))
            for rise in (0.0, look.checker_height_mm)
        ]
    )
    spots: npt.NDArray[np.float64] = np.vstack([shadow, body])
    pad = _margin(key)
    low = np.floor(spots.min(axis=0)).astype(int) - pad
    high = np.ceil(spots.max(axis=0)).astype(int) + pad
    x0, y0 = (low // 2 * 2).tolist()
    x1, y1 = ((high + 1) // 2 * 2).tolist()
    return x0, y0, x1, y1


def _meets(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def lay(canvas: BgrImage, patch: Patch, over: GrayImage | None = None) -> None:
    """Blend a patch into the canvas, in place, but for where `over` lies in front of it."""
    ox, oy = patch.origin_px
    height, width = patch.alpha.shape
    x0, y0 = max(ox, 0), max(oy, 0)
    x1, y1 = min(ox + width, canvas.shape[1]), min(oy + height, canvas.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    part = np.s_[y0 - oy : y1 - oy, x0 - ox : x1 - ox]
    alpha = as_f32(patch.alpha[part]) / 255.0
    if over is not None:
        alpha = alpha * (1.0 - as_f32(over[y0:y1, x0:x1]) / 255.0)
    region = canvas[y0:y1, x0:x1]
    under = as_f32(region)
    mixed = (as_f32(patch.bgr[part]) - under) * in_colour(alpha)
    mixed += under
    mixed += 0.5
    region[:] = mixed.astype(np.uint8)
