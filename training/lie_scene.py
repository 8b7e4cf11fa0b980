"""One labelled crop: resting dice seen by some camera, in some light, on some board."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from table.die_look import DieLook, random_look
from training.dice_backgrounds import any_colour, surface
from training.lie_physics import CHECKER, FLOOR, ON_FLOOR, WALL, tilt_deg
from training.lie_trace import CHECKER_FIELDS, DIE_FIELDS, LAMP_FIELDS, WALL_FIELDS, trace
from vision.cv import BgrImage, as_u8
from vision.die_lie import CROP_PX, DIE_PX, crop

Rng = np.random.Generator

_TEXTURE_PX = 192
_LIGHT_WOODS = ("e3c99b", "ece8dc", "f4f3ef", "f0dfb8", "d8b07c", "e2d5b5", "cfd3d6")
_DARK_WOODS = ("46261a", "26242a", "7a1f26", "37231b", "20304f", "1d3b2c", "5c3a22", "101012")
BOX_TO_OUTLINE = 1.21
"""Mean side of a turned die's box over the root of its outline's area."""
RAYS = 32_000
"""About so many samples a picture: large dice are smooth with fewer a pixel."""


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """Dice at rest in a corner of a board (`lie_physics`)."""

    edge_mm: float
    walls: np.ndarray
    checkers: np.ndarray
    dark: np.ndarray
    poses: np.ndarray
    labels: np.ndarray


def linear(colour: np.ndarray) -> np.ndarray:
    """Return a colour of 0–255 as light."""
    return np.asarray((np.clip(colour, 0, 255) / 255.0) ** 2.2)


class Textures:
    """Surfaces painted beforehand: painting one takes longer than tracing a crop."""

    def __init__(self, rng: Rng, count: int) -> None:
        self._kept = []
        for _ in range(count):
            painted = surface(rng, _TEXTURE_PX)
            # Boards are seldom as loud as random colours are.
            pale = rng.uniform(0.3, 0.9) if rng.random() < 0.6 else 0.0
            calm = rng.uniform(0.2, 0.9) if rng.random() < 0.6 else 0.0
            painted = painted + pale * (painted.mean(axis=2, keepdims=True) - painted)
            painted = painted + calm * (painted.mean(axis=(0, 1)) - painted)
            self._kept.append(linear(painted).astype(np.float32))

    def draw(self, rng: Rng) -> np.ndarray:
        """Return one, tinted."""
        one = self._kept[int(rng.integers(len(self._kept)))]
        return (one * rng.uniform(0.75, 1.25, 3)).clip(0.003, 0.95).astype(np.float32)


def _hex(colour: str, rng: Rng, spread: float) -> np.ndarray:
    value = np.array([int(colour[k : k + 2], 16) for k in (4, 2, 0)], np.float64)
    return linear(value * rng.normal(1, spread) + rng.normal(0, 255 * spread / 4, 3))


def _die_row(look: DieLook, pose: np.ndarray, edge_mm: float, turn: np.ndarray) -> np.ndarray:
    rotation = pose[3:].reshape(3, 3) @ turn
    one = look.one_bgr or look.pip_bgr
    row = np.zeros(DIE_FIELDS)
    row[:3], row[3:12], row[12] = pose[:3], rotation.ravel(), edge_mm
    row[13], row[14] = look.rounding, 0.87 - 0.17 * look.ball
    row[15:18] = linear(np.array(look.body_bgr))
    row[18:21], row[21:24] = linear(np.array(look.pip_bgr)), linear(np.array(one))
    row[24], row[25] = look.pip_radius, look.pip_radius * look.one_scale
    row[26], row[27] = look.pip_spread, look.drilled
    row[28], row[29] = 1.2 * look.gloss, look.translucency
    return row


def _any_face(rng: Rng) -> np.ndarray:
    """Return one of the 24 turns of a cube: which face is up is drawn anew."""
    order = rng.permutation(3)
    turn = np.zeros((3, 3))
    turn[np.arange(3), order] = rng.choice([-1.0, 1.0], 3)
    if np.linalg.det(turn) < 0:
        turn[0] = -turn[0]
    return turn


def _checker_rows(rest: Rest, rng: Rng) -> np.ndarray:
    rows = np.zeros((len(rest.checkers), CHECKER_FIELDS))
    if rng.random() < 0.65:
        pair = [
            _hex(_LIGHT_WOODS[int(rng.integers(len(_LIGHT_WOODS)))], rng, 0.08),
            _hex(_DARK_WOODS[int(rng.integers(len(_DARK_WOODS)))], rng, 0.12),
        ]
    else:
        pair = [linear(any_colour(rng)), linear(any_colour(rng))]
    gloss = rng.uniform(0, 0.7)
    groove = rng.uniform(0.3, 0.8) if rng.random() < 0.6 else 0.0
    depth, dome = rng.uniform(0.2, 1.0), rng.uniform(0, 0.3) if rng.random() < 0.3 else 0.0
    grain = rng.uniform(0.2, 1.5) if rng.random() < 0.4 else 0.0
    for row, body, dark in zip(rows, rest.checkers, rest.dark, strict=True):
        row[:5] = body
        row[5:8] = pair[int(dark)] * rng.normal(1, 0.06)
        row[8:] = (gloss, groove, depth, dome, grain)
    return rows


def _lamps(rng: Rng, ambient: float) -> np.ndarray:
    count = int(rng.choice([0, 1, 2, 3], p=[0.04, 0.5, 0.34, 0.12]))
    lamps = np.zeros((count, LAMP_FIELDS))
    shares = rng.uniform(0.3, 1, max(count, 1))
    shares = shares / shares.sum() * (1 - ambient)
    for lamp, share in zip(lamps, shares, strict=False):
        high = math.radians(rng.uniform(28, 85))
        angle = rng.uniform(0, 2 * np.pi)
        level = math.cos(high)
        lamp[:4] = level * np.cos(angle), level * np.sin(angle), math.sin(high), 0
        lamp[3] = rng.uniform(0.01, 0.12) if rng.random() < 0.6 else rng.uniform(0.1, 0.45)
        lamp[4:] = share / lamp[2] * rng.normal(1, 0.07, 3)
    return lamps


def _camera(rng: Rng) -> tuple[float, float, float]:
    """Return slant in radians, azimuth and distance of a camera."""
    slant = abs(rng.normal(0, 17)) if rng.random() < 0.5 else rng.uniform(0, 42)
    return math.radians(min(slant, 50)), rng.uniform(0, 2 * np.pi), rng.uniform(420, 1300)


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A traced picture, before lens and sensor, and what is true of its middle die."""

    light: np.ndarray
    """(N, N, 3) linear."""
    box: tuple[float, float, float, float]
    """The die's outline: x, y, width, height."""
    size: float
    """How large the outline is, however the picture is turned; about the box's mean side."""
    slant: float
    """Tangent of the angle from the vertical."""
    roll: float
    """Where "upright" points in the picture: 0 up, clockwise, radians."""


def shoot(rest: Rest, target: int, rng: Rng, textures: Textures) -> Shot:
    """Trace one die and its surroundings."""
    look = random_look(rng)
    alike = rng.random() < 0.75
    rows = []
    for i in np.flatnonzero(rest.labels[:, 2]):
        own = look if alike or i == target else random_look(rng)
        rows.append(_die_row(own, rest.poses[i], rest.edge_mm, _any_face(rng)))
    center = rest.poses[target, :3]
    slant, azimuth, distance = _camera(rng)
    back = np.array(
        [math.sin(slant) * math.cos(azimuth), math.sin(slant) * math.sin(azimuth), 0]
    ) + np.array([0, 0, math.cos(slant)])
    eye = center + distance * back
    forward = -back
    below = np.array([0, 0, -1.0]) - (np.array([0, 0, -1.0]) @ forward) * forward
    if np.linalg.norm(below) < 1e-6:
        below = np.array([0, 1.0, 0]) - forward[1] * forward
    below /= np.linalg.norm(below)
    right = np.cross(below, forward)
    roll = rng.uniform(0, 2 * np.pi)
    c, s = math.cos(roll), math.sin(roll)
    axes = np.vstack([c * right - s * below, s * right + c * below, forward])
    edge_px = math.exp(rng.uniform(math.log(9.5), math.log(23)))
    focal = edge_px / rest.edge_mm * distance
    box, outline = _outline(rest, target, look, eye, axes, focal)
    reach = CROP_PX / DIE_PX * math.sqrt(box[2] * box[3]) * 1.12
    size = math.ceil(reach * (abs(c) + abs(s))) + 4
    samples = int(np.clip(round(math.sqrt(RAYS / size**2)), 1, 4))
    scale = rng.uniform(0.5, 3.0)
    angle = rng.uniform(0, 2 * np.pi)
    ambient = rng.uniform(0.25, 0.85)
    walls = np.zeros((len(rest.walls), WALL_FIELDS))
    walls[:, :5] = rest.walls
    walls[:, 5], walls[:, 6] = rng.uniform(0, 0.5), rng.uniform(0.6, 1.1)
    at = np.array(
        [*rng.uniform(0, _TEXTURE_PX, 2), scale * math.cos(angle), scale * math.sin(angle),
         rng.uniform(0, 0.4) * (rng.random() < 0.5), rng.uniform(0.5, 3.0)]
    )  # fmt: skip
    sky = np.array([*(ambient * rng.normal(1, 0.06, 3)), *rng.normal(0, 0.3, 3)])
    floor = textures.draw(rng)
    wood = floor * rng.uniform(0.6, 1.4) if rng.random() < 0.15 else textures.draw(rng)
    light = trace(
        size, samples, eye, axes, focal, walls, _checker_rows(rest, rng), np.array(rows),
        floor, wood.clip(0, 1).astype(np.float32), at, _lamps(rng, ambient), sky,
        int(rng.integers(1 << 30)),
    )  # fmt: skip
    middle = (size - 1) / 2
    return Shot(
        light,
        (box[0] + middle, box[1] + middle, box[2], box[3]),
        outline,
        math.tan(slant),
        roll,
    )


def _outline(
    rest: Rest, target: int, look: DieLook, eye: np.ndarray, axes: np.ndarray, focal: float
) -> tuple[tuple[float, float, float, float], float]:
    """Return the rounded die's box, from the camera's axis, and its size.

    A square's box grows by two fifths while it turns, and a crop does not show how the picture
    it was cut from was turned: what the network is to say is the size that does not.
    """
    pose = rest.poses[target]
    core = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    turned = core @ pose[3:].reshape(3, 3).T
    length = 0.5 - look.rounding
    seen = (pose[:3] + turned * length * rest.edge_mm - eye) @ axes.T
    flat = focal * seen[:, :2] / seen[:, 2:]
    grow = look.rounding * rest.edge_mm * focal / float(seen[:, 2].mean())
    low, high = flat.min(axis=0) - grow, flat.max(axis=0) + grow
    # A ball-cut die is smaller than its corners.
    cut = 0.06 * look.ball * (high - low)
    low, high = low + cut / 2, high - cut / 2
    box = (float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))
    hull = cv2.convexHull(flat.astype(np.float32))
    around = cv2.arcLength(hull, closed=True)
    area = cv2.contourArea(hull) + grow * around + math.pi * grow**2
    return box, BOX_TO_OUTLINE * math.sqrt(area) * (1 - 0.06 * look.ball)


def photographed(shot: Shot, rng: Rng) -> BgrImage:
    """Return the picture as a camera hands it over."""
    light = shot.light
    x, y, width, height = (round(v) for v in shot.box)
    die = light[max(y, 0) : y + height, max(x, 0) : x + width]
    level = max(float(np.percentile(light, 90)), float(np.percentile(die, 60)))
    gain = rng.uniform(0.3, 1.15) / max(level, 1e-3)
    tint = rng.normal(1, 0.07, 3)
    seen = light * (gain * tint).astype(np.float32)
    if rng.random() < 0.95:
        seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.3, 0.95)))
    noise = rng.uniform(0.0, 0.015)
    grain = rng.normal(0, 1, seen.shape).astype(np.float32)
    if rng.random() < 0.5:
        grain = cv2.GaussianBlur(grain, (0, 0), 0.6) * 1.7
    seen = seen + noise * grain * np.sqrt(np.maximum(seen, 0.0) * 0.5 + 0.01)
    shown = np.clip(seen, 0, 1) ** (1 / rng.uniform(1.9, 2.5)) * 255.0
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(shown, (0, 0), 1.0)
        shown = shown + rng.uniform(0.2, 1.0) * (shown - soft)
    shown = as_u8(np.clip(shown + 0.5, 0, 255).astype(np.uint8))
    if rng.random() < 0.85:
        quality = int(rng.integers(55, 98))
        _, packed = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, quality])
        shown = as_u8(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    return shown


def cropped(
    shot: Shot, bgr: BgrImage, rng: Rng
) -> tuple[BgrImage, float, tuple[float, float, float]]:
    """Return the crop, with a finder's and a pose's errors, and what is true of it.

    That is the slant believed in, and the outline's middle (from the crop's) and log size, in
    units of the size it should have.
    """
    x, y, width, height = shot.box
    outline = shot.size
    missed = rng.normal(0, 0.045 * outline, 2)
    middle = np.array([x + width / 2, y + height / 2]) + missed
    grown = -float(rng.normal(0, 0.07))
    scale = DIE_PX / outline * math.exp(grown)
    lean = np.array([0.0, shot.slant * math.exp(rng.normal(0, 0.12))])
    lean += rng.normal(0, 0.03, 2)
    # Upright is where the slant seems to go.
    angle = -shot.roll + math.atan2(lean[0], lean[1])
    c, s = scale * math.cos(angle), scale * math.sin(angle)
    half = (CROP_PX - 1) / 2
    matrix = np.array(
        [
            [c, -s, half - c * middle[0] + s * middle[1]],
            [s, c, half - s * middle[0] - c * middle[1]],
            [0, 0, 1.0],
        ]
    )
    at = -matrix[:2, :2] @ missed / DIE_PX
    return crop(bgr, matrix), float(np.hypot(*lean)), (float(at[0]), float(at[1]), grown)


def beside(rest: Rest, rng: Rng) -> Rest | None:
    """Return the place with one die lying flat close beside something; None: no room.

    Thrown dice seldom stop so, but whether a die merely touches or leans is the question.
    """
    edge, yaw = rest.edge_mm, rng.uniform(0, np.pi / 2)
    c, s = math.cos(yaw), math.sin(yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    reach = edge / 2 * (abs(c) + abs(s))
    low = [k for k, body in enumerate(rest.checkers) if body[2] == 0]
    for _ in range(12):
        gap = 0.0 if rng.random() < 0.6 else rng.uniform(0, 3)
        if low and (rng.random() < 0.7 or not len(rest.walls)):
            x, y, _, radius, _ = rest.checkers[low[int(rng.integers(len(low)))]]
            angle = rng.uniform(0, 2 * np.pi)
            away = np.array([math.cos(angle), math.sin(angle)])
            at = np.array([x, y]) + away * (radius + gap)
            for _ in range(12):
                miss = checker_gaps(at, turn, edge, rest.checkers[low]).min() - gap
                at = at - away * miss
            spot = at
        elif len(rest.walls):
            _, _, x1, y1, _ = rest.walls[int(rng.integers(len(rest.walls)))]
            if y1 == 0.0:
                spot = np.array([rng.uniform(reach, 100), reach + gap])
            else:
                spot = np.array([x1 + reach + gap, rng.uniform(reach + 0.1, 100)])
            if rng.random() < 0.3:
                spot = np.array([reach + gap, reach + rng.uniform(0, 2)])
        else:
            return None
        touched = FLOOR
        apart = checker_gaps(spot, turn, edge, rest.checkers[low]) if low else np.array([99.0])
        beyond = np.array([_to_wall(spot, reach, wall) for wall in rest.walls] or [99.0])
        if min(apart.min(), beyond.min()) < -0.06:
            continue
        touched |= CHECKER if apart.min() < 0.25 else 0
        touched |= WALL if beyond.min() < 0.25 else 0
        poses = rest.poses.copy()
        labels = rest.labels.copy()
        clear = np.hypot(*(poses[:, :2] - spot).T) > 1.5 * edge
        labels[:, 2] &= clear
        poses[0] = (*spot, edge / 2, *turn.ravel())
        labels[0] = (touched, ON_FLOOR, 1)
        return Rest(edge, rest.walls, rest.checkers, rest.dark, poses, labels)
    return None


def checker_gaps(
    at: np.ndarray, turn: np.ndarray, edge: float, bodies: np.ndarray
) -> np.ndarray:
    """Return the distance of a die's square from each checker."""
    own = np.abs((bodies[:, :2] - at) @ turn[:2, :2]) - edge / 2
    outside = np.hypot(*np.maximum(own, 0).T) + np.minimum(own.max(axis=1), 0)
    return np.asarray(outside - bodies[:, 3])


def _to_wall(at: np.ndarray, reach: float, wall: np.ndarray) -> float:
    x0, y0, x1, y1, _ = wall
    return float(max(x0 - at[0], at[0] - x1, y0 - at[1], at[1] - y1)) - reach


def kind_of(rest: Rest, target: int) -> str:
    """Return which kind of case a die is, so that rare ones are drawn often."""
    if tilt_deg(rest.poses[target, 3:]) > 3.0:
        return "tilted"
    touched, on, _ = rest.labels[target]
    if on != ON_FLOOR:
        return "raised"
    if touched & ~FLOOR:
        return "touching"
    place = rest.poses[target, :2]
    gap = 1.2 * rest.edge_mm
    for x, y, _, radius, _ in rest.checkers:
        if np.hypot(place[0] - x, place[1] - y) < radius + gap:
            return "near"
    for x0, y0, x1, y1, _ in rest.walls:
        if x0 - gap < place[0] < x1 + gap and y0 - gap < place[1] < y1 + gap:
            return "near"
    return "alone"
