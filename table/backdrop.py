"""What stays in the picture while board and camera stay: table, frame, floor, bar, light.

Drawn once per look, camera and light, at twice the picture's size.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from calibration.homography import apply, invert
from table.die import Projection, project
from table.floor import painted_floor, strip
from table.lamp import Rect, fall_on, fill, gain_of, level_quad, mirrored
from table.scene import BoardLook, Camera, Light, plane
from table.textures import surface
from vision.cv import BgrImage, FloatImage, GrayImage, as_f32, as_u8

Array = npt.NDArray[np.float64]

_FINE = 2
_OVERSAMPLING = 1.85
"""Texture pixels per picture pixel."""


@dataclass(frozen=True, slots=True, eq=False)
class Backdrop:
    """The empty board as the camera sees it, and what drawing on it needs to know."""

    bgr: BgrImage
    over: GrayImage
    """255 where a frame or bar top hides what lies on the floor behind it."""
    cast: FloatImage
    """Shadow of frame and bar on the floor, 0–1, at half size."""
    gain: FloatImage
    """(H, W, 3): lamp, lens and white balance."""


@lru_cache(maxsize=3)
def backdrop(
    look: BoardLook,
    geometry: BoardGeometry,
    camera: Camera,
    light: Light,
    size_px: tuple[int, int],
) -> Backdrop:
    """Return the empty board for one look, camera and light.

    One takes 21 MB at 1280×960: a table in use keeps the few it comes back to, no more.
    """
    # Painting takes a second; a knock or a lamp of another colour must not.
    settled, lamp = replace(camera, shift_px=(0.0, 0.0)), light.casting
    painted = _painted(look, geometry, settled, lamp, size_px)
    gain = gain_of(camera.projection(geometry, size_px), light, geometry, size_px)
    if camera.shift_px == settled.shift_px:
        return replace(painted, gain=gain)
    grow = size_px[0] / 1280.0
    dx, dy = camera.shift_px[0] * grow, camera.shift_px[1] * grow
    return Backdrop(
        bgr=as_u8(_shifted(painted.bgr, dx, dy)),
        over=as_u8(_shifted(painted.over, dx, dy)),
        cast=as_f32(_shifted(painted.cast, dx / 2, dy / 2)),
        gain=gain,
    )


def _shifted(picture: BgrImage | FloatImage, dx: float, dy: float) -> object:
    """Return a picture moved by some pixels; what comes in at its edge repeats the edge."""
    warp = np.array([[1.0, 0.0, dx], [0.0, 1.0, dy]])
    size = (picture.shape[1], picture.shape[0])
    return cv2.warpAffine(
        picture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


@lru_cache(maxsize=2)
def _painted(
    look: BoardLook,
    geometry: BoardGeometry,
    camera: Camera,
    light: Light,
    size_px: tuple[int, int],
) -> Backdrop:
    rng = np.random.default_rng(look.seed)
    projection = camera.projection(geometry, size_px)
    grow = np.array([[_FINE, 0, (_FINE - 1) / 2], [0, _FINE, (_FINE - 1) / 2], [0, 0, 1.0]])
    painter = _Painter(
        np.zeros((size_px[1] * _FINE, size_px[0] * _FINE, 3), np.uint8),
        np.asarray(grow @ projection, np.float64),
        look,
        geometry,
        light,
        rng,
    )
    painter.tabletop()
    painter.outer_walls()
    cast = painter.field()
    painter.inner_walls()
    tops = painter.tops()
    width, height = size_px
    canvas = as_u8(cv2.resize(painter.canvas, size_px, interpolation=cv2.INTER_AREA))
    over = np.zeros((height, width), np.uint8)
    for polygon in tops:
        fill(over, project(projection, polygon))
    half = np.diag([0.5, 0.5, 1.0]) @ plane(projection)
    cast_px = cv2.warpPerspective(cast, half, (width // 2, height // 2))
    return Backdrop(
        bgr=mirrored(canvas, over, look, projection, light, geometry),
        over=over,
        cast=as_f32(cast_px),
        gain=gain_of(projection, light, geometry, size_px),
    )


class _Painter:
    """Lays textured rectangles in space onto one canvas, far ones first."""

    def __init__(
        self,
        canvas: BgrImage,
        projection: Projection,
        look: BoardLook,
        geometry: BoardGeometry,
        light: Light,
        rng: np.random.Generator,
    ) -> None:
        self.canvas = canvas
        self.projection = projection
        self.look = look
        self.geometry = geometry
        self.light = light
        self.rng = rng
        self.eye = -np.linalg.inv(projection[:, :3]) @ projection[:, 3]
        self.top = look.frame_height_mm
        # Never finer than the picture can show.
        self.px_per_mm = min(8.0, _OVERSAMPLING / _FINE * _px_per_mm(projection, geometry))
        w, h, f = geometry.width_mm, geometry.height_mm, look.frame_mm
        self.inner: Rect = (0.0, 0.0, w, h)
        self.outer: Rect = (-f, -f, w + f, h + f)
        self.bar: Rect = (geometry.bar_left_mm, 0.0, geometry.bar_right_mm, h)
        self.blocks: tuple[tuple[Rect, float], ...] = (
            ((-f, -f, w + f, 0.0), self.top),
            ((-f, h, w + f, h + f), self.top),
            ((-f, -f, 0.0, h + f), self.top),
            ((w, -f, w + f, h + f), self.top),
            (self.bar, self.top),
        )

    def lay(self, texture: BgrImage, quad: Array, outline: Array | None = None) -> None:
        """Draw a texture whose corners (clockwise from its top left) lie at `quad` in space."""
        height, width = texture.shape[:2]
        source = np.array(
            [
                [-0.5, -0.5],
                [width - 0.5, -0.5],
                [width - 0.5, height - 0.5],
                [-0.5, height - 0.5],
            ],
            np.float32,
        )
        shape = project(self.projection, quad if outline is None else outline)
        low = np.maximum(np.floor(shape.min(axis=0)).astype(int) - 1, 0)
        high = np.minimum(
            np.ceil(shape.max(axis=0)).astype(int) + 2, self.canvas.shape[1::-1]
        ).astype(int)
        if (high <= low).any():
            return
        target = (project(self.projection, quad) - low).astype(np.float32)
        warp = cv2.getPerspectiveTransform(source, target)
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        patch = cv2.warpPerspective(
            texture, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        alpha = _cover(shape - low, size)[..., None]
        region = self.canvas[low[1] : high[1], low[0] : high[0]]
        mixed = region + (as_f32(patch) - region) * alpha
        region[:] = (mixed + 0.5).astype(np.uint8)

    def tabletop(self) -> None:
        """Draw the table and the board's shadow on it."""
        z, look = -self.look.depth_mm, self.look
        height, width = self.canvas.shape[:2]
        ground = plane(self.projection, z)
        frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        seen = apply(invert(ground), frame)
        x0, y0 = np.floor(seen.min(axis=0)) - 2
        x1, y1 = np.ceil(seen.max(axis=0)) + 2
        scale = min(0.67 * self.px_per_mm, 2600.0 / max(x1 - x0, y1 - y0))
        shape = (int((y1 - y0) * scale), int((x1 - x0) * scale))
        texture = surface(look.tabletop, self.rng, shape, scale, look.tabletop_colour)
        area = (float(x0), float(y0), float(x1), float(y1))
        cast = fall_on(((self.outer, self.top),), self.light, area, z)
        touch = np.zeros(cast.shape, np.uint8)
        left, top, right, bottom = self.outer
        corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
        fill(touch, corners - (x0, y0))
        contact = as_f32(cv2.GaussianBlur(touch, (0, 0), 7.0)) / 255.0
        level = (1 - (1 - self.light.ambient) * cast) * (1 - 0.45 * contact)
        self.lay(_shaded(texture, level), level_quad(area, z))

    def outer_walls(self) -> None:
        """Draw the box's outside."""
        x0, y0, x1, y1 = self.outer
        low = -self.look.depth_mm
        for normal, a, b in (
            ((0.0, -1.0), (x1, y0), (x0, y0)),
            ((0.0, 1.0), (x0, y1), (x1, y1)),
            ((-1.0, 0.0), (x0, y0), (x0, y1)),
            ((1.0, 0.0), (x1, y1), (x1, y0)),
        ):
            self._wall(normal, a, b, low, 0.8)

    def inner_walls(self) -> None:
        """Draw the frame's inside and the bar's sides."""
        x0, y0, x1, y1 = self.inner
        walls = [
            ((0.0, 1.0), (x0, y0), (x1, y0)),
            ((0.0, -1.0), (x1, y1), (x0, y1)),
            ((1.0, 0.0), (x0, y1), (x0, y0)),
            ((-1.0, 0.0), (x1, y0), (x1, y1)),
        ]
        if self.bar[2] > self.bar[0]:
            walls += [
                ((-1.0, 0.0), (self.bar[0], y0), (self.bar[0], y1)),
                ((1.0, 0.0), (self.bar[2], y1), (self.bar[2], y0)),
            ]
        for normal, a, b in walls:
            self._wall(normal, a, b, 0.0, 0.62)

    def _wall(
        self,
        normal: tuple[float, float],
        a: tuple[float, float],
        b: tuple[float, float],
        low_mm: float,
        foot: float,
    ) -> None:
        middle = np.array([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, self.top])
        if (self.eye - middle) @ np.array([*normal, 0.0]) <= 0:
            return
        length = float(np.hypot(b[0] - a[0], b[1] - a[1]))
        shape = (max(4, int((self.top - low_mm) * self.px_per_mm)), int(length * 2))
        look = self.look
        texture = surface(look.frame_material, self.rng, shape, self.px_per_mm, look.frame)
        tx, ty, tz = self.light.towards
        facing = max(0.0, normal[0] * tx + normal[1] * ty) / tz
        ambient = self.light.ambient
        level = ambient * 0.85 + (1 - ambient) * min(facing, 1.3)
        ramp = np.linspace(1.0, foot, shape[0], dtype=np.float32)[:, None] * level
        quad = np.array([[*a, self.top], [*b, self.top], [*b, low_mm], [*a, low_mm]])
        self.lay(_shaded(texture, ramp), quad)

    def field(self) -> FloatImage:
        """Draw the floor with its points; return the shadow on it, one pixel a mm."""
        texture = painted_floor(self.look, self.geometry, self.rng, self.px_per_mm)
        cast = fall_on(self.blocks, self.light, self.inner, 0.0)
        height, width = cast.shape
        x = np.arange(width, dtype=np.float32) + 0.5
        y = np.arange(height, dtype=np.float32)[:, None] + 0.5
        near = np.minimum(np.minimum(x, width - x)[None, :], np.minimum(y, height - y))
        if self.bar[2] > self.bar[0]:
            bar = np.maximum(self.bar[0] - x, x - self.bar[2])
            near = np.minimum(near, np.maximum(bar, 0.0)[None, :])
        hidden = 0.3 * np.exp(-near / (0.55 * self.top))
        level = (1 - (1 - self.light.ambient) * cast) * (1 - hidden)
        self.lay(_shaded(texture, as_f32(level)), level_quad(self.inner, 0.0))
        return cast

    def tops(self) -> list[Array]:
        """Draw the tops of frame and bar; return their outlines."""
        x0, y0, x1, y1 = self.inner
        left, up, right, down = self.outer
        f, z = self.look.frame_mm, self.top
        outlines = []
        for quad, outline in (
            (
                [(left, up), (right, up), (right, y0), (left, y0)],
                [(left, up), (right, up), (x1, y0), (x0, y0)],
            ),
            (
                [(right, down), (left, down), (left, y1), (right, y1)],
                [(right, down), (left, down), (x0, y1), (x1, y1)],
            ),
            (
                [(left, down), (left, up), (x0, up), (x0, down)],
                [(left, down), (left, up), (x0, y0), (x0, y1)],
            ),
            (
                [(right, up), (right, down), (x1, down), (x1, up)],
                [(right, up), (right, down), (x1, y1), (x1, y0)],
            ),
        ):
            length = float(np.hypot(quad[1][0] - quad[0][0], quad[1][1] - quad[0][1]))
            texture = strip(self.look, self.rng, (f, length), self.px_per_mm)
            shape = _raised(outline, z)
            self.lay(texture, _raised(quad, z), shape)
            outlines.append(shape)
        if self.bar[2] > self.bar[0]:
            outlines += self._bar_tops()
        return outlines

    def _bar_tops(self) -> list[Array]:
        left, up, right, down = self.bar
        middle = (left + right) / 2
        texture = strip(
            self.look,
            self.rng,
            (right - left, down - up),
            self.px_per_mm,
            hinges=self.look.hinges,
        )
        quad = _raised([(right, up), (right, down), (left, down), (left, up)], self.top)
        self.lay(texture, quad)
        gap = np.full((8, 8, 3), 22, np.uint8)
        if not self.look.hinges:
            slit = (middle - 0.4, up, middle + 0.4, down)
            self.lay(gap, level_quad(slit, self.top))
        return [quad]


def _cover(polygon_px: Array, size_px: tuple[int, int]) -> FloatImage:
    """Return how much of each pixel a convex polygon covers.

    OpenCV's smooth edges lie half a pixel too far out, which would move the field's corners.
    """
    finer = 2
    mask = np.zeros((size_px[1] * finer, size_px[0] * finer), np.uint8)
    points = np.round(((polygon_px + 0.5) * finer - 0.5) * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 255, cv2.LINE_8, 4)
    return as_f32(cv2.resize(mask, size_px, interpolation=cv2.INTER_AREA)) / 255.0


def _px_per_mm(projection: Projection, geometry: BoardGeometry) -> float:
    middle = np.array([geometry.width_mm / 2, geometry.height_mm / 2, 0.0])
    spots = project(projection, np.vstack([middle, middle + np.array([10.0, 0.0, 0.0])]))
    return float(np.linalg.norm(spots[1] - spots[0])) / 10.0


def _raised(points: list[tuple[float, float]], z: float) -> Array:
    return np.array([[x, y, z] for x, y in points], np.float64)


def _shaded(texture: BgrImage, level: npt.NDArray[np.floating]) -> BgrImage:
    """Return the texture made darker by a coarser field of light."""
    size = (texture.shape[1], texture.shape[0])
    fine = as_f32(cv2.resize(as_f32(level), size, interpolation=cv2.INTER_LINEAR))
    return as_u8(np.clip(texture * fine[..., None] + 0.5, 0, 255).astype(np.uint8))
