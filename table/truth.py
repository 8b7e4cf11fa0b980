"""What is true of a rendered frame, in the words that photos are labelled with."""

import math
from typing import TypeAlias

import numpy as np

from table.die import project
from table.render import DEFAULT_SIZE_PX, die_patch, hand_patch
from table.scene import BAR_POINT, Die, Scene
from table.world import ROW_LENGTH, Board, point_counts

Json: TypeAlias = "dict[str, Json] | list[Json] | str | float | int | bool | None"

_FLAT_DEG = 6.0


def corners_px(
    scene: Scene, size_px: tuple[int, int] = DEFAULT_SIZE_PX
) -> tuple[tuple[float, float], ...]:
    """Return the field's four corners in the picture, clockwise from its top left."""
    width, height = scene.geometry.width_mm, scene.geometry.height_mm
    field = np.array([[0, 0, 0], [width, 0, 0], [width, height, 0], [0, height, 0]])
    spots = project(scene.projection(size_px), field)
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in spots)


def labels(
    board: Board, scene: Scene, size_px: tuple[int, int] = DEFAULT_SIZE_PX
) -> dict[str, Json]:
    """Return a frame's labels.

    `points` is null where a stack hides its lower layers, `full_points` is the whole truth;
    a die has no value where it is cocked, moving, or under the hand.
    """
    rows = point_counts(board, scene.discs)
    corners = corners_px(scene, size_px)
    top = math.dist(corners[0], corners[1]) / scene.geometry.width_mm
    on_bar = [disc.side for disc in scene.discs if disc.point == BAR_POINT]
    return {
        "width": size_px[0],
        "height": size_px[1],
        "board_corners": [[x, y] for x, y in corners],
        "points": {row: [_seen(label) for label in named] for row, named in rows.items()},
        "full_points": {row: list(named) for row, named in rows.items()},
        "bar": {"L": on_bar.count("L"), "D": on_bar.count("D")},
        "dice": [_die(scene, die, size_px) for die in scene.dice],
        "complete": True,
        "hand": scene.hand is not None,
        "px_per_mm": round(top, 3),
        "tilt_deg": round(scene.camera.tilt_deg, 2),
    }


def die_is_clear(scene: Scene, die: Die, size_px: tuple[int, int] = DEFAULT_SIZE_PX) -> bool:
    """Return whether a die's middle is in the picture and not under the hand."""
    x, y = die_patch(scene, die, size_px).center_px
    column, row = round(x), round(y)
    if not (0 <= column < size_px[0] and 0 <= row < size_px[1]):
        return False
    arm = hand_patch(scene, size_px)
    if arm is None:
        return True
    column, row = column - arm.origin_px[0], row - arm.origin_px[1]
    rows, columns = arm.alpha.shape
    reach = die_patch(scene, die, size_px).box_px[2] / 2
    x0, x1 = max(0, int(column - reach)), min(columns, int(column + reach) + 1)
    y0, y1 = max(0, int(row - reach)), min(rows, int(row + reach) + 1)
    if x1 <= x0 or y1 <= y0:
        return True
    return int(arm.alpha[y0:y1, x0:x1].max()) < 32


def _seen(label: str) -> str | None:
    return label if not label or int(label[1:]) <= ROW_LENGTH else None


def _die(scene: Scene, die: Die, size_px: tuple[int, int]) -> dict[str, Json]:
    patch = die_patch(scene, die, size_px)
    flat = die.pose.tilt_deg < _FLAT_DEG
    still = max(abs(v) for v in die.velocity_mm) <= 0.5
    clear = die_is_clear(scene, die, size_px)
    half = scene.geometry.half_of(die.pose.x_mm, die.pose.y_mm)
    return {
        "value": die.pose.value if flat and still and clear else None,
        "centre": [round(value, 1) for value in patch.center_px],
        "box": [round(value, 1) for value in patch.box_px],
        "flat": flat if still and clear else None,
        "tilt_deg": round(die.pose.tilt_deg, 2),
        "where": die.where,
        "half": half if half in ("left", "right") and die.where != "off" else "none",
        "size_px": round(max(patch.box_px[2:]), 1),
    }
