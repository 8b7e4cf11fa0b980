"""One labelled training picture: a table, things on it, dice in any pose, a camera's faults."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from table.die import (
    DieLight,
    DieLook,
    DiePose,
    Projection,
    camera_looking,
    draw_die,
    project,
    random_look,
    render_die,
)
from training import dice_clutter, dice_props
from training.dice_backgrounds import Rng, lit, photographed, surface
from vision.cv import BgrImage, as_f32, as_u8

MIN_EDGE_PX, MAX_EDGE_PX = 11.0, 44.0
"""Dice of this size are to be found; others belong to another level of the pyramid."""
FLAT_MAX_DEG = 8.0
UNREADABLE_DEG = 38.0
"""From this tilt on a die is found, but its value is not asked for."""
CASINO_SHARE = 0.14
"""Clear casino dice among all: far more than at home, since they are the hardest to read."""


@dataclass(frozen=True, slots=True)
class DieLabel:
    """What the net is to say at one die."""

    x: float
    """Centre of the upper face."""
    y: float
    box: tuple[float, float, float, float]
    """x, y, width, height of the visible outline."""
    value: int
    """1–6; 0: a die whose value is not asked for; −1: look away here, ask for nothing."""
    tilt_deg: float
    edge_px: float

    def row(self) -> list[float]:
        """Return the numbers as they are stored."""
        return [self.x, self.y, *self.box, float(self.value), self.tilt_deg, self.edge_px]


def _lamp(rng: Rng) -> DieLight:
    around, down = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(5, 65))
    towards = (
        math.sin(down) * math.cos(around),
        math.sin(down) * math.sin(around),
        math.cos(down),
    )
    ambient = float(rng.uniform(0.35, 0.8))
    diffuse = float(rng.uniform(0.9, 1.25) - ambient)
    return DieLight(towards, ambient, max(diffuse, 0.1))


def _look(rng: Rng) -> DieLook:
    """Return any die, now and then a casino's: clear, sharp, with large flat pips."""
    look = random_look(rng)
    if rng.random() < 0.06:
        look = replace(
            look,
            pip_radius=float(rng.uniform(0.1, 0.13)),
            pip_spread=float(rng.uniform(0.26, 0.31)),
        )
    if rng.random() > CASINO_SHARE:
        return look
    dark = float(rng.uniform(10, 60))
    body = [dark * 0.5, dark * 0.5, dark * 0.5]
    body[int(rng.choice([0, 2, 1], p=[0.3, 0.5, 0.2]))] = float(rng.uniform(60, 190))
    return replace(
        look,
        body_bgr=(body[0], body[1], body[2]),
        pip_bgr=(float(rng.uniform(215, 255)),) * 3,
        one_bgr=None,
        rounding=0.02,
        ball=0.0,
        pip_radius=float(rng.uniform(0.1, 0.13)),
        one_scale=1.0,
        pip_spread=float(rng.uniform(0.26, 0.31)),
        drilled=0.0,
        gloss=float(rng.uniform(0.2, 0.8)),
        translucency=float(rng.uniform(0.15, 0.6)),
        marble=0.0,
    )


def _poses(rng: Rng, look: DieLook, count: int, reach_mm: float) -> list[DiePose]:
    """Spread dice over the table; one pair in three touches."""
    poses: list[DiePose] = []
    spots: list[np.ndarray] = []
    for _ in range(count):
        for _attempt in range(12):
            spot = rng.uniform(-reach_mm, reach_mm, 2)
            if spots and rng.random() < 0.35:
                turn = rng.uniform(0, 2 * math.pi)
                away = look.edge_mm * rng.uniform(1.02, 1.5)
                spot = spots[-1] + away * np.array([math.cos(turn), math.sin(turn)])
            if all(np.hypot(*(spot - other)) > 1.01 * look.edge_mm for other in spots):
                break
        else:
            continue
        spots.append(spot)
        tilt = float(rng.uniform(10, 52)) if rng.random() < 0.1 else float(rng.uniform(0, 3))
        poses.append(
            DiePose(
                value=int(rng.integers(1, 7)),
                x_mm=float(spot[0]),
                y_mm=float(spot[1]),
                yaw_deg=float(rng.uniform(0, 360)),
                tilt_deg=tilt,
                tilt_axis_deg=float(rng.uniform(0, 360)),
            )
        )
    return poses


def _camera(rng: Rng, size: int, px_per_mm: float) -> tuple[Projection, float]:
    oblique = abs(rng.normal(0, 18)) if rng.random() < 0.6 else rng.uniform(0, 52)
    oblique = float(min(oblique, 54.0))
    if oblique < 28 and rng.random() < 0.6:
        azimuth = float(rng.uniform(0, 360))
    else:
        azimuth = float(90 + rng.normal(0, 18))
    distance = float(rng.uniform(250, 1100))
    middle = (float(rng.uniform(0.2, 0.8) * size), float(rng.uniform(0.2, 0.8) * size))
    return camera_looking(px_per_mm, middle, oblique, azimuth, distance), oblique


def make_scene(
    rng: Rng, size: int, background: BgrImage | None = None
) -> tuple[BgrImage, list[DieLabel]]:
    """Return one picture and its dice.

    Args:
        rng: all chance comes from here.
        size: width and height.
        background: a photo to use instead of a painted table.
    """
    look = _look(rng)
    if rng.random() < 0.14:
        # Seen too large: not to be found here, and least of all its single pips.
        edge_px = float(rng.uniform(1.35 * MAX_EDGE_PX, 190))
    else:
        edge_px = float(math.exp(rng.uniform(math.log(MIN_EDGE_PX), math.log(MAX_EDGE_PX))))
    px_per_mm = edge_px / look.edge_mm
    reach_mm = 0.65 * size / px_per_mm
    camera, oblique = _camera(rng, size, px_per_mm)
    light = _lamp(rng)
    if background is None:
        canvas = surface(rng, size)
        if oblique > 15 and rng.random() < 0.7:
            canvas = _leaned(rng, canvas, oblique)
        bgr = as_u8(canvas.astype(np.uint8))
    else:
        bgr = background.copy()
    if background is None or rng.random() < 0.3:
        bgr = _furnish(rng, bgr, camera, light, edge_px, reach_mm)
    count = int(rng.choice([0, 1, 2, 3, 5, 8], p=[0.1, 0.15, 0.3, 0.22, 0.15, 0.08]))
    if edge_px > 70:
        count = min(count, 2)
    poses = [
        pose
        for pose in _poses(rng, look, count, 0.75 * reach_mm)
        if _near_view(camera, pose, edge_px, size)
    ]
    # The far ones first: nearer dice hide them.
    poses.sort(key=lambda pose: _depth(camera, pose), reverse=True)
    poses = [_raised(rng, bgr, camera, pose) for pose in poses]
    alike = rng.random() < 0.6
    labels: list[DieLabel] = []
    shadow, softness = float(rng.uniform(0.0, 0.75)), float(edge_px * rng.uniform(0.02, 0.25))
    for pose in poses:
        own = look if alike else replace(_look(rng), edge_mm=look.edge_mm)
        patch = render_die(own, pose, camera, light)
        bgr = draw_die(bgr, patch, shadow, softness)
        labels = _hidden(labels, patch.box_px)
        px_here = edge_px * _depth(camera, None) / _depth(camera, pose)
        labels.append(_label(patch.top_center_px, patch.box_px, pose, px_here, size))
    shown = photographed(rng, lit(rng, as_f32(bgr)))
    return shown, [_if_legible(shown, label) for label in labels if _in_view(label, size)]


def _near_view(camera: Projection, pose: DiePose, edge_px: float, size: int) -> bool:
    x, y = project(camera, [(pose.x_mm, pose.y_mm, 0.0)])[0]
    return bool(-edge_px < x < size + edge_px and -edge_px < y < size + edge_px)


def _raised(rng: Rng, bgr: BgrImage, camera: Projection, pose: DiePose) -> DiePose:
    """Put one die in seven on a checker, which is drawn into the picture."""
    if rng.random() > 0.15:
        return pose
    at = (pose.x_mm + float(rng.normal(0, 4)), pose.y_mm + float(rng.normal(0, 4)))
    height = dice_props.checker(rng, bgr, camera, at, float(rng.uniform(12, 24)))
    return replace(pose, height_mm=height)


def _if_legible(bgr: BgrImage, label: DieLabel) -> DieLabel:
    """Ask nothing of a die that light, blur or noise have wiped out."""
    reach = max(3, round(0.4 * label.edge_px))
    x, y = round(label.x), round(label.y)
    face = bgr[max(y - reach, 0) : y + reach, max(x - reach, 0) : x + reach]
    if label.value > 0 and (face.size == 0 or float(face.std(axis=(0, 1)).max()) < 7):
        return replace(label, value=-1)
    return label


def _depth(camera: Projection, pose: DiePose | None) -> float:
    at = (0.0, 0.0, 0.0) if pose is None else (pose.x_mm, pose.y_mm, pose.height_mm)
    return max(float(camera[2, :3] @ np.array(at) + camera[2, 3]), 1.0)


def _leaned(rng: Rng, canvas: np.ndarray, oblique_deg: float) -> np.ndarray:
    """Foreshorten the painted table as the camera would."""
    size = canvas.shape[0]
    squeeze = 0.5 * (1 - math.cos(math.radians(oblique_deg))) * size
    narrow = rng.uniform(0, 0.2) * size
    source = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    target = source + np.array(
        [[narrow, squeeze], [-narrow, squeeze], [narrow, -squeeze], [-narrow, -squeeze]]
    ).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    flags = cv2.INTER_LINEAR
    return as_f32(
        cv2.warpPerspective(
            canvas, matrix, (size, size), flags=flags, borderMode=cv2.BORDER_REFLECT
        )
    )


def _furnish(
    rng: Rng,
    bgr: BgrImage,
    camera: Projection,
    light: DieLight,
    edge_px: float,
    reach_mm: float,
) -> BgrImage:
    if rng.random() < 0.45:
        dice_props.checkers(rng, bgr, camera, reach_mm)
    if rng.random() < 0.3:
        dice_props.small_things(rng, bgr, edge_px * 1.5)
    if rng.random() < 0.3:
        dice_clutter.clutter(rng, bgr, edge_px)
    if rng.random() < 0.06:
        bgr = dice_props.domino(rng, bgr, camera)
    if rng.random() < 0.12:
        bgr = dice_props.cube(rng, bgr, camera, light)
    return bgr


def _hidden(labels: list[DieLabel], box: tuple[float, float, float, float]) -> list[DieLabel]:
    """Ask nothing of a die whose upper face a later one covers in part."""
    kept = []
    for label in labels:
        reach = 0.32 * label.edge_px
        overlap_x = min(label.x + reach, box[0] + box[2]) - max(label.x - reach, box[0])
        overlap_y = min(label.y + reach, box[1] + box[3]) - max(label.y - reach, box[1])
        covered = max(overlap_x, 0) * max(overlap_y, 0) / (4 * reach * reach)
        kept.append(replace(label, value=-1) if covered > 0.2 else label)
    return kept


def _label(
    top: tuple[float, float],
    box: tuple[float, float, float, float],
    pose: DiePose,
    edge_px: float,
    size: int,
) -> DieLabel:
    reach = 0.42 * edge_px
    cut = not (reach <= top[0] <= size - reach and reach <= top[1] <= size - reach)
    value = pose.value
    if pose.tilt_deg > UNREADABLE_DEG:
        value = 0
    if cut:
        value = -1
    return DieLabel(top[0], top[1], box, value, pose.tilt_deg, edge_px)


def _in_view(label: DieLabel, size: int) -> bool:
    x, y, width, height = label.box
    return x < size and y < size and x + width > 0 and y + height > 0
