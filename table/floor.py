"""The board's own surfaces, seen straight down: floor, points, ornament, frame strips."""

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from table.scene import BoardLook
from table.textures import bgr, noise, scaled, surface
from vision.cv import BgrImage, FloatImage, GrayImage, as_f32, as_u8

_OUTLINE_MM = 1.5
_BRASS = (70.0, 150.0, 185.0)


def painted_floor(
    look: BoardLook, geometry: BoardGeometry, rng: np.random.Generator, px_per_mm: float
) -> BgrImage:
    """Return the floor with its 24 points, lit evenly."""
    p = px_per_mm
    shape = (round(geometry.height_mm * p), round(geometry.width_mm * p))
    floor = as_f32(_upright(surface(look.material, rng, shape[::-1], p, look.floor)))
    # One row's worth of each ink is enough: the other row takes it turned round.
    half = (shape[1], (shape[0] + 1) // 2)
    inks = []
    for colour in (look.point_a, look.point_b):
        ink = as_f32(_upright(surface(look.material, rng, half, p, colour)))
        inks.append(as_f32(np.vstack([ink, ink[::-1]])[: shape[0]]))
    for row in (0, 1):
        for column in range(12):
            triangle = _point(look, geometry, row, column)
            if look.outline is not None:
                ring = _mask(shape, triangle, p)
                _blend(floor, np.array(bgr(look.outline), np.float32), ring)
                triangle = _inset(triangle, _OUTLINE_MM)
            mask = _mask(shape, triangle, p)
            _blend(floor, inks[(row + column) % 2], mask)
    if look.ornament:
        for x0, x1 in (
            (0.0, geometry.bar_left_mm),
            (geometry.bar_right_mm, geometry.width_mm),
        ):
            _rosette(floor, inks, ((x0 + x1) / 2, geometry.height_mm / 2), p)
    _wear(floor, look, rng, p)
    return _u8(floor)


def strip(
    look: BoardLook,
    rng: np.random.Generator,
    size_mm: tuple[float, float],
    px_per_mm: float,
    hinges: bool = False,
) -> BgrImage:
    """Return one piece of frame (width, length), its outer edge on top, grain along x."""
    p = px_per_mm
    across, length = size_mm
    shape = (max(4, round(across * p)), max(4, round(length * p)))
    body = as_f32(surface(look.frame_material, rng, shape, p, look.frame))
    v = (np.arange(shape[0], dtype=np.float32) + 0.5) / p
    edge = np.minimum(v, across - v)
    # Rounded over at both edges: a light line, then a dark one.
    level = 1.0 + 0.22 * np.exp(-(((edge - 1.6) / 0.8) ** 2)) - 0.4 * np.exp(-edge / 0.5)
    if look.frame_material == "wood":
        level -= 0.2 * np.exp(-(((edge - 5.0) / 0.35) ** 2))
    body *= level[:, None, None]
    if look.frame_material == "leather":
        _stitches(body, look, across, p)
    if hinges:
        middle = shape[0] // 2
        body[max(0, middle - round(0.5 * p)) : middle + round(0.5 * p)] *= 0.22
        for share in (0.17, 0.83):
            _hinge(body, (share * length, across / 2), min(across * 0.8, 28.0), p)
    return _u8(body)


def _upright(texture: BgrImage) -> BgrImage:
    """Turn the grain from along x to along y."""
    return as_u8(np.ascontiguousarray(texture.transpose(1, 0, 2)))


def _point(
    look: BoardLook, geometry: BoardGeometry, row: int, column: int
) -> npt.NDArray[np.float64]:
    """Return a point's outline in mm: foot, foot, rounded tip."""
    middle = geometry.point_x_mm(column)
    half = geometry.pitch_mm(column) * look.point_width / 2
    length = geometry.height_mm * look.point_length
    tip = 0.9
    outline = np.array(
        [
            [middle - half, 0.0],
            [middle + half, 0.0],
            [middle + tip, length - 2 * tip],
            [middle, length],
            [middle - tip, length - 2 * tip],
        ]
    )
    if row == 1:
        outline[:, 1] = geometry.height_mm - outline[:, 1]
    return outline


def _inset(outline: npt.NDArray[np.float64], by_mm: float) -> npt.NDArray[np.float64]:
    """Return a point made narrower all round but at its foot."""
    foot_y, middle = outline[0, 1], outline[3, 0]
    length = abs(outline[3, 1] - foot_y)
    half = abs(outline[1, 0] - middle)
    shrunk = outline.copy()
    shrunk[:, 0] = middle + (outline[:, 0] - middle) * (half - by_mm) / half
    slope = by_mm * length / half
    shrunk[:, 1] = foot_y + (outline[:, 1] - foot_y) * max(0.2, (length - slope) / length)
    return shrunk


def _mask(
    shape: tuple[int, int], outline_mm: npt.NDArray[np.float64], px_per_mm: float
) -> GrayImage:
    mask = np.zeros(shape, np.uint8)
    points = np.round((outline_mm * px_per_mm - 0.5) * 16).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 4)
    return mask


def _blend(
    floor: FloatImage, ink: FloatImage | npt.NDArray[np.float32], mask: GrayImage
) -> None:
    x, y, width, height = cv2.boundingRect(mask)
    part = np.s_[y : y + height, x : x + width]
    alpha = as_f32(mask[part])[..., None] / 255.0
    paint = ink[part] if ink.ndim == 3 else ink
    floor[part] += (paint - floor[part]) * alpha


def _rosette(
    floor: FloatImage, inks: list[FloatImage], center: tuple[float, float], px_per_mm: float
) -> None:
    shape = (floor.shape[0], floor.shape[1])
    turn = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    for radius, ink in ((25.0, 1), (23.0, 0), (21.5, 1)):
        outline = np.array(center) + radius * circle
        _blend(floor, inks[ink], _mask(shape, outline, px_per_mm))
    for petal in range(8):
        angle = petal * np.pi / 4
        u = np.array([np.cos(angle), np.sin(angle)])
        w = np.array([-u[1], u[0]])
        tip = 19.0 if petal % 2 == 0 else 13.0
        kite = np.array([0 * u, 7 * u + 3.4 * w, tip * u, 7 * u - 3.4 * w])
        _blend(floor, inks[0], _mask(shape, np.array(center) + kite, px_per_mm))


def _wear(
    floor: FloatImage, look: BoardLook, rng: np.random.Generator, px_per_mm: float
) -> None:
    """Fade broad patches and scratch hard floors a little."""
    shape = (floor.shape[0], floor.shape[1])
    broad = noise(rng, shape, (60 * px_per_mm, 60 * px_per_mm))
    floor *= (1.0 + 0.02 * broad)[..., None]
    if look.material == "felt":
        return
    scratches = np.zeros(shape, np.uint8)
    for _ in range(40):
        x, y = rng.uniform(0, shape[1]), rng.uniform(0, shape[0])
        angle, reach = rng.uniform(0, 2 * np.pi), rng.uniform(5, 40) * px_per_mm
        end = (int(x + reach * np.cos(angle)), int(y + reach * np.sin(angle)))
        strength = int(rng.integers(20, 90))
        cv2.line(scratches, (int(x), int(y)), end, strength, 1, cv2.LINE_AA)
    floor += (as_f32(scratches) * 0.16)[..., None]


def _stitches(body: FloatImage, look: BoardLook, across: float, px_per_mm: float) -> None:
    thread = np.array(scaled(look.frame, 2.2), np.float32) + 25
    step, dash, thick = (
        round(4.2 * px_per_mm),
        round(2.9 * px_per_mm),
        max(1, round(0.5 * px_per_mm)),
    )
    for at in (4.2, across - 4.2):
        row = round(at * px_per_mm)
        for start in range(0, body.shape[1], step):
            body[row - 1 : row + thick + 1, start : start + dash] *= 0.75
            body[row : row + thick, start : start + dash] = thread


def _hinge(
    body: FloatImage, at_mm: tuple[float, float], width_mm: float, px_per_mm: float
) -> None:
    p = px_per_mm
    x, y = at_mm
    rows = slice(round((y - width_mm / 2) * p), round((y + width_mm / 2) * p))
    columns = slice(round((x - 13) * p), round((x + 13) * p))
    plate = body[rows, columns]
    height, width = plate.shape[:2]
    ramp = np.linspace(1.25, 0.8, height, dtype=np.float32)[:, None, None]
    plate[:] = np.array(_BRASS, np.float32) * ramp
    plate[:2] *= 0.5
    plate[-2:] *= 0.5
    barrel = height // 2
    plate[barrel - round(1.6 * p) : barrel + round(1.6 * p)] *= 0.7
    plate[barrel - round(0.5 * p) : barrel + round(0.3 * p)] *= 1.7
    for u in (0.16, 0.84):
        for v in (0.2, 0.8):
            spot = (round(u * width), round(v * height))
            cv2.circle(plate, spot, round(1.4 * p), (40.0, 95.0, 120.0), -1, cv2.LINE_AA)


def _u8(values: FloatImage) -> BgrImage:
    return as_u8(np.clip(values + 0.5, 0, 255).astype(np.uint8))
