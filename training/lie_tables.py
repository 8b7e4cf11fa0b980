"""Write crops of dice on drawn boards of the simulated table: another way of drawing.

    python -m training.lie_tables OUT --shards 8 --boards 60 --seed 1

A path tracer's pictures look alike in ways that photos do not. On every board lie several dice:
leaning on checkers and walls, flat close beside them, flat on checkers, and free. The shards
are those of `training.lie_generate`.
"""

import argparse
import math
import time
from pathlib import Path

import cv2
import numpy as np

from calibration.camera_pose import camera_over
from calibration.geometry import BoardGeometry
from calibration.homography import apply, board_from_image
from calibration.layout import BoardLayout
from table.die import DiePose
from table.looks import random_board, random_camera, random_light
from table.render import die_patch, render
from table.scene import Die, Disc, Scene
from table.throws import throw
from table.truth import corners_px
from table.world import Board, WorldError, set_up
from training.dice_boards import random_position
from training.lie_physics import CHECKER, FLOOR, ON_CHECKER, ON_FLOOR, ON_WALL, WALL
from training.lie_scene import BOX_TO_OUTLINE, Rng, checker_gaps
from vision.cv import BgrImage
from vision.die_lie import DIE_PX, crop, crop_from_image

DICE = 9
_TOUCH_MM = 0.25
_WAYS = ("cocked", "cocked", "beside", "beside", "on_checker", "free")


def scene_of(rng: Rng) -> tuple[Board, Scene]:
    """Return a board with many dice on it."""
    geometry = random_geometry(rng)
    look = random_board(rng)
    geometry = BoardGeometry(
        geometry.width_mm,
        geometry.height_mm,
        geometry.bar_left_mm,
        geometry.bar_right_mm,
        look.checker_mm,
    )
    board = Board(look, BoardLayout.of("top_right"), geometry)
    discs = set_up(board, random_position(rng), rng)
    dice: list[Die] = []
    for _ in range(4 * DICE):
        if len(dice) == DICE:
            break
        try:
            die = _one(board, discs, rng)
        except WorldError:
            continue
        if all(_apart(die, other) > 2.2 * look.die.edge_mm for other in dice):
            dice.append(die)
    scene = Scene(
        look,
        geometry,
        random_camera(rng),
        random_light(rng),
        discs,
        dice=tuple(dice),
        noise=float(rng.uniform(0.4, 1.6)),
        blur_px=float(rng.uniform(0.4, 0.9)),
        noise_seed=int(rng.integers(1_000_000)),
    )
    return board, scene


def random_geometry(rng: Rng) -> BoardGeometry:
    """Return a field of some proportions, with a bar of some width."""
    bar, height = float(rng.uniform(20, 50)), float(rng.uniform(390, 470))
    return BoardGeometry(480, height, (480 - bar) / 2, (480 + bar) / 2, 36.0)


def _apart(one: Die, other: Die) -> float:
    return math.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm)


def _one(board: Board, discs: tuple[Disc, ...], rng: Rng) -> Die:
    way = _WAYS[int(rng.integers(len(_WAYS)))]
    value = int(rng.integers(1, 7))
    if way == "beside":
        return _beside(board, value, discs, rng)
    kind = None if way == "free" else way
    return throw(board, (1, value), discs, rng, kind)[1]  # type: ignore[arg-type]


def _beside(board: Board, value: int, discs: tuple[Disc, ...], rng: Rng) -> Die:
    """Return a die flat on the floor, within 3 mm of a checker or a wall."""
    geometry, edge = board.geometry, board.look.die.edge_mm
    floor = [disc for disc in discs if disc.z_mm == 0 and disc.point > 0]
    for _ in range(200):
        yaw = float(rng.uniform(0, 90))
        c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
        reach = edge / 2 * (abs(c) + abs(s))
        gap = 0.0 if rng.random() < 0.4 else float(rng.uniform(0, 3))
        if floor and rng.random() < 0.65:
            disc = floor[int(rng.integers(len(floor)))]
            angle = float(rng.uniform(0, 2 * math.pi))
            away = np.array([math.cos(angle), math.sin(angle)])
            spot = np.array([disc.x_mm, disc.y_mm]) + away * (board.look.checker_mm / 2 + edge)
            for _ in range(8):
                miss = float(_gaps(board, [disc], spot, yaw)[0]) - gap
                spot = spot - away * miss
        else:
            left, right = geometry.bar_left_mm, geometry.bar_right_mm
            walls = (reach + gap, left - reach - gap, right + reach + gap)
            x = (*walls, geometry.width_mm - reach - gap)[int(rng.integers(4))]
            y = float(rng.uniform(reach, geometry.height_mm - reach))
            if rng.random() < 0.3:
                y = reach + gap if rng.random() < 0.5 else geometry.height_mm - reach - gap
            spot = np.array([x, y])
        half = geometry.half_of(*spot.tolist())
        inside = min(_to_walls(board, spot, reach)) > -0.05
        if (
            half in ("left", "right")
            and inside
            and _gaps(board, discs, spot, yaw).min() > -0.05
        ):
            pose = DiePose(value, float(spot[0]), float(spot[1]), yaw_deg=yaw)
            return Die(pose, 0.0, half)
    raise WorldError("no room beside anything")


def _gaps(
    board: Board, discs: list[Disc] | tuple[Disc, ...], spot: np.ndarray, yaw: float
) -> np.ndarray:
    c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
    bodies = np.array([[d.x_mm, d.y_mm, 0.0, board.look.checker_mm / 2] for d in discs])
    return checker_gaps(spot, np.array([[c, -s], [s, c]]), board.look.die.edge_mm, bodies)


def _to_walls(board: Board, spot: np.ndarray, reach: float) -> tuple[float, ...]:
    geometry = board.geometry
    x, y = spot.tolist()
    bar = geometry.bar_left_mm - x if x < geometry.width_mm / 2 else x - geometry.bar_right_mm
    return tuple(d - reach for d in (x, geometry.width_mm - x, y, geometry.height_mm - y, bar))


def facts_of(board: Board, scene: Scene, die: Die) -> tuple[float, int, int]:
    """Return tilt, what is touched as bits, and what it lies on or leans against."""
    tilt = die.pose.tilt_deg
    if tilt > 0:
        wall = die.where == "wall"
        return tilt, FLOOR | (WALL if wall else CHECKER), ON_WALL if wall else ON_CHECKER
    if die.where == "checker":
        return 0.0, CHECKER, ON_CHECKER
    edge, yaw = board.look.die.edge_mm, die.pose.yaw_deg
    spot = np.array([die.pose.x_mm, die.pose.y_mm])
    turn = math.radians(yaw)
    reach = edge / 2 * (abs(math.cos(turn)) + abs(math.sin(turn)))
    touched = FLOOR
    if scene.discs and _gaps(board, scene.discs, spot, yaw).min() < _TOUCH_MM:
        touched |= CHECKER
    if min(_to_walls(board, spot, reach)) < _TOUCH_MM:
        touched |= WALL
    return 0.0, touched, ON_FLOOR


def crops_of(
    board: Board, scene: Scene, bgr: BgrImage, rng: Rng
) -> list[tuple[np.ndarray, tuple[float, ...]]]:
    """Return a crop and its facts for each die of a drawn board."""
    a, b, c, d = (
        (x + float(rng.normal(0, 1.2)), y + float(rng.normal(0, 1.2)))
        for x, y in corners_px(scene)
    )
    geometry = board.geometry
    matrix = board_from_image((a, b, c, d), geometry.width_mm, geometry.height_mm)
    pose = camera_over(matrix, (bgr.shape[1], bgr.shape[0]))
    out = []
    for die in scene.dice:
        patch = die_patch(scene, die)
        x, y, width, height = patch.box_px
        outline = BOX_TO_OUTLINE * math.sqrt(float(patch.alpha.sum()))
        middle = (x + width / 2, y + height / 2)
        if not (0 <= middle[0] < bgr.shape[1] and 0 <= middle[1] < bgr.shape[0]):
            continue
        missed = rng.normal(0, 0.045 * outline, 2)
        side = outline * math.exp(float(rng.normal(0, 0.07)))
        box = (
            middle[0] + float(missed[0]) - side / 2,
            middle[1] + float(missed[1]) - side / 2,
            side,
            side,
        )
        view, slant = crop_from_image(pose, box)
        place = (apply(view, [middle])[0] - (63 / 2)) / DIE_PX
        around = apply(view, [(middle[0] - 1, middle[1]), (middle[0] + 1, middle[1])])
        grown = math.log(float(np.linalg.norm(around[1] - around[0])) / 2 * outline / DIE_PX)
        tilt, touched, on = facts_of(board, scene, die)
        edge = board.look.die.edge_mm
        facts = (
            slant,
            tilt,
            touched,
            on,
            outline,
            edge,
            float(place[0]),
            float(place[1]),
            grown,
        )
        out.append((crop(bgr, view), facts))
    return out


def main() -> None:
    """Parse the command line and write shards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--boards", type=int, default=60, help="in each shard")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for number in range(options.first, options.first + options.shards):
        rng = np.random.default_rng((options.seed, number))
        started = time.monotonic()
        crops, facts = [], []
        for _ in range(options.boards):
            board, scene = scene_of(rng)
            for shown, known in crops_of(board, scene, render(scene), rng):
                crops.append(shown)
                facts.append(known)
        np.savez(
            options.out / f"shard_{number:04d}.npz",
            crops=np.stack(crops),
            facts=np.array(facts, np.float32),
        )
        print(
            f"shard {number}: {len(crops)} crops, {time.monotonic() - started:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
