"""Write crops of dice on drawn boards of the simulated table: another way of drawing.

    python -m training.lie_tables OUT --shards 60 --seed 21

    python -m training.lie_tables OUT --shards 24 --seed 51 --found

A path tracer's pictures look alike in ways that photos do not. A board is painted once for
each camera and light, and set up several times, with other dice each time: leaning on checkers,
walls and each other, flat close beside them, flat on checkers, and free. The shards are those
of `training.lie_generate`. With `--found` the dice are sought as in the product, and there are
crops besides of what it looks at: the finder's boxes, mended by the network that is in force.
Their facts end with a 1 where those of all others end with a 0.
"""

import argparse
import math
import time
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.camera_pose import CameraPose, camera_over
from calibration.geometry import BoardGeometry
from calibration.homography import Matrix, apply, board_from_image
from calibration.layout import BoardLayout
from table.backdrop import backdrop
from table.checker import Patch
from table.die import DiePose
from table.die_look import random_look
from table.looks import random_board, random_camera, random_light
from table.render import DEFAULT_SIZE_PX, die_patch
from table.scene import BoardLook, Camera, Die, Disc, Light, Scene
from table.sensor import exposed
from table.shadows import darken, scale_of
from table.still import lay, still
from table.throws import throw
from table.truth import corners_px
from table.world import Board, WorldError, set_up
from training.dice_boards import random_position
from training.lie_lean import LEAST_DEG, MOST_DEG, Body, against, checker, flat_die, wall
from training.lie_physics import CHECKER, FLOOR, ON_CHECKER, ON_DIE, ON_FLOOR, ON_WALL, WALL
from training.lie_physics import DIE as BY_DIE
from training.lie_scene import BOX_TO_OUTLINE, Rng, checker_gaps
from vision.cv import BgrImage, as_u8
from vision.dice_reader import read_dice_on_board
from vision.die_lie import DIE_PX, crop, crop_from_image, default_lie_net, mended_views

DICE = 12
LEAST_PX = 8.0
_TOUCH_MM = 0.25
_IS_IT = 0.6
"""How far from a die's middle, in its sizes, what is found is still taken for it."""
POSITIONS = 8
"""How often a painted board is set up."""
_SHARES = {
    "cocked": 0.1,
    "at_checker": 0.22,
    "at_wall": 0.1,
    "at_die": 0.08,
    "beside": 0.3,
    "on_checker": 0.12,
    "free": 0.08,
}


def stage_of(rng: Rng) -> tuple[BoardLook, BoardGeometry, Camera, Light]:
    """Return a board, and how it is seen."""
    look, geometry = random_board(rng), random_geometry(rng)
    geometry = BoardGeometry(
        geometry.width_mm,
        geometry.height_mm,
        geometry.bar_left_mm,
        geometry.bar_right_mm,
        look.checker_mm,
    )
    camera, light = random_camera(rng), random_light(rng)
    if rng.random() < 0.35:
        aslant = float(rng.uniform(8, 34))
        camera = replace(camera, tilt_deg=aslant, focal_px=0.88 * camera.focal_px)
    if rng.random() < 0.4:
        light = replace(
            light,
            elevation_deg=float(rng.uniform(25, 80)),
            ambient=float(rng.uniform(0.28, 0.85)),
            softness=float(rng.uniform(0.03, 0.5)),
        )
    return look, geometry, camera, light


def scene_of(
    stage: tuple[BoardLook, BoardGeometry, Camera, Light], rng: Rng
) -> tuple[Board, Scene]:
    """Return a painted board set up anew, with many dice on it."""
    plain, geometry, camera, light = stage
    look = replace(plain, die=random_look(rng))
    board = Board(look, BoardLayout.of("top_right"), geometry)
    discs = set_up(board, random_position(rng), rng)
    bodies = tuple(checker(board, d) for d in discs if d.z_mm == 0 and d.point > 0)
    dice: list[Die] = []
    for _ in range(5 * DICE):
        if len(dice) >= DICE:
            break
        try:
            new = _some(board, discs, bodies, rng)
        except WorldError:
            continue
        if all(_apart(one, other) > 2.2 * look.die.edge_mm for one in new for other in dice):
            dice += new
    scene = Scene(
        look,
        geometry,
        camera,
        light,
        discs,
        dice=tuple(dice),
        exposure=float(rng.uniform(0.75, 1.15)),
        noise=float(rng.uniform(0.3, 1.7)),
        blur_px=float(rng.uniform(0.35, 1.0)),
        noise_seed=int(rng.integers(1_000_000)),
    )
    return board, scene


def drawn(plain: BoardLook, scene: Scene) -> BgrImage:
    """Return the frame; the board is painted anew only for another board, camera or light.

    `table.render` keeps boards by their whole look, which the dice are a part of.
    """
    size = DEFAULT_SIZE_PX
    light = scene.light
    canvas = still(plain, scene.geometry, scene.camera, light.casting, scene.discs, size).copy()
    scale = scale_of(scene.projection(size))
    for die in sorted(scene.dice, key=lambda die: die.support_mm + die.pose.tilt_deg):
        patch = die_patch(scene, die, size)
        soft = max(0.5, light.softness * 4.0 * scale)
        darken(canvas, patch.shadow_px, 1 - light.ambient, soft)
        darken(canvas, patch.footprint_px, 0.35, 1.1 * scale)
        shown = np.clip(patch.bgr + 0.5, 0, 255).astype(np.uint8)
        alpha = (np.clip(patch.alpha, 0, 1) * 255 + 0.5).astype(np.uint8)
        lay(canvas, Patch(as_u8(shown), as_u8(alpha), patch.origin_px))
    gain = backdrop(plain, scene.geometry, scene.camera, light, size).gain
    return exposed(canvas, gain, scene)


def photographed(bgr: BgrImage, rng: Rng) -> tuple[BgrImage, float]:
    """Return the frame as some camera hands it over, and how much smaller it is."""
    scale = 1.0
    if rng.random() < 0.55:
        scale = float(rng.uniform(0.5, 1.0))
        bgr = as_u8(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(bgr, (0, 0), 1.0)
        much = float(rng.uniform(0.2, 0.9))
        bgr = as_u8(cv2.addWeighted(bgr, 1 + much, soft, -much, 0))
    if rng.random() < 0.8:
        quality = int(rng.integers(55, 98))
        _, packed = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
        bgr = as_u8(cv2.imdecode(packed, cv2.IMREAD_COLOR))
    return bgr, scale


def random_geometry(rng: Rng) -> BoardGeometry:
    """Return a field of some proportions, with a bar of some width."""
    bar, height = float(rng.uniform(20, 50)), float(rng.uniform(390, 470))
    return BoardGeometry(480, height, (480 - bar) / 2, (480 + bar) / 2, 36.0)


def _apart(one: Die, other: Die) -> float:
    return math.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm)


def _some(
    board: Board, discs: tuple[Disc, ...], bodies: tuple[Body, ...], rng: Rng
) -> list[Die]:
    """Return a die that lies in one of the ways, with the die it lies at where there is one."""
    way = str(rng.choice(list(_SHARES), p=list(_SHARES.values())))
    value = int(rng.integers(1, 7))
    if way == "beside":
        return [_beside(board, value, discs, rng)]
    if way in ("free", "on_checker", "cocked"):
        kind = None if way == "free" else way
        return [throw(board, (1, value), discs, rng, kind)[1]]  # type: ignore[arg-type]
    tilt = float(rng.uniform(LEAST_DEG, MOST_DEG))
    turn = float(rng.uniform(0, 2 * math.pi))
    away = np.array([math.cos(turn), math.sin(turn)])
    if way == "at_die":
        other = throw(board, (1, value), discs, rng, None)[1]
        spot = np.array([other.pose.x_mm, other.pose.y_mm])
        gap = 0.0
        if rng.random() < 0.5:
            tilt, gap = 0.0, float(max(rng.uniform(-1, 3), 0.0))
        die = against(board, flat_die(board, other), spot, away, tilt, bodies, rng, gap)
        _must_be_inside(board, die)
        return [other, die]
    if way == "at_wall" or not bodies:
        geometry = board.geometry
        spot = rng.uniform((0, 15), (geometry.width_mm, geometry.height_mm - 15))
        body, away = wall(board, spot, int(rng.choice(4, p=[0.35, 0.35, 0.15, 0.15])))
        # From just inside the wall, inwards.
        axis = int(abs(away[1]) > 0.5)
        spot[axis] = body.rim[0, axis] - 30 * away[axis]
        die = against(board, body, spot, away, tilt, bodies, rng)
        _must_be_inside(board, die)
        return [die]
    chosen = int(rng.integers(len(bodies)))
    body = bodies[chosen]
    others = bodies[:chosen] + bodies[chosen + 1 :]
    die = against(board, body, body.rim.mean(axis=0), away, tilt, others, rng)
    _must_be_inside(board, die)
    return [die]


def _must_be_inside(board: Board, die: Die) -> None:
    reach = (0.45 if die.where == "wall" else 0.65) * board.look.die.edge_mm
    if min(_to_walls(board, np.array([die.pose.x_mm, die.pose.y_mm]), reach)) < 0:
        raise WorldError("not inside the board")


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
        if die.where in ("left", "right"):
            return tilt, FLOOR | BY_DIE, ON_DIE
        wood = die.where == "wall"
        return tilt, FLOOR | (WALL if wood else CHECKER), ON_WALL if wood else ON_CHECKER
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


@dataclass(frozen=True, slots=True)
class Seen:
    """A board as a program takes it to lie."""

    matrix: Matrix
    pose: CameraPose


def _seen(board: Board, scene: Scene, bgr: BgrImage, scale: float, rng: Rng) -> Seen:
    a, b, c, d = (
        (scale * x + float(rng.normal(0, 1.2)), scale * y + float(rng.normal(0, 1.2)))
        for x, y in corners_px(scene)
    )
    geometry = board.geometry
    matrix = board_from_image((a, b, c, d), geometry.width_mm, geometry.height_mm)
    return Seen(matrix, camera_over(matrix, (bgr.shape[1], bgr.shape[0])))


@dataclass(frozen=True, slots=True)
class Shown:
    """A die in a picture."""

    middle: tuple[float, float]
    outline: float
    """Its size, whichever way it is turned, in pixels."""
    lies: tuple[float, int, int]
    edge_mm: float

    def facts(self, view: Matrix, slant: float) -> tuple[float, ...]:
        """Return what there is to say about its crop."""
        place = (apply(view, [self.middle])[0] - (63 / 2)) / DIE_PX
        x, y = self.middle
        around = apply(view, [(x - 1, y), (x + 1, y)])
        enlarged = float(np.linalg.norm(around[1] - around[0])) / 2
        grown = math.log(enlarged * self.outline / DIE_PX)
        off = (float(place[0]), float(place[1]), grown)
        return (slant, *self.lies, self.outline, self.edge_mm, *off)


def _shown(board: Board, scene: Scene, bgr: BgrImage, scale: float) -> list[Shown]:
    shown = []
    for die in scene.dice:
        patch = die_patch(scene, die)
        x, y, width, height = (scale * v for v in patch.box_px)
        outline = scale * BOX_TO_OUTLINE * math.sqrt(float(patch.alpha.sum()))
        middle = (x + width / 2, y + height / 2)
        inside = 0 <= middle[0] < bgr.shape[1] and 0 <= middle[1] < bgr.shape[0]
        if outline >= LEAST_PX and inside:
            lies = facts_of(board, scene, die)
            shown.append(Shown(middle, outline, lies, board.look.die.edge_mm))
    return shown


def crops_of(
    shown: list[Shown], seen: Seen, bgr: BgrImage, rng: Rng
) -> list[tuple[np.ndarray, tuple[float, ...]]]:
    """Return a crop and its facts for each die of a picture."""
    out = []
    for die in shown:
        missed = rng.normal(0, 0.045 * die.outline, 2)
        side = die.outline * math.exp(float(rng.normal(0, 0.07)))
        box = (
            die.middle[0] + float(missed[0]) - side / 2,
            die.middle[1] + float(missed[1]) - side / 2,
            side,
            side,
        )
        view, slant = crop_from_image(seen.pose, box)
        out.append((crop(bgr, view), die.facts(view, slant)))
    return out


def found_crops_of(
    shown: list[Shown], seen: Seen, bgr: BgrImage, geometry: BoardGeometry
) -> list[tuple[np.ndarray, tuple[float, ...]]]:
    """Return crops and facts of the dice that the product finds, as its looks show them.

    Of each die the finder's box, what one look made of it, and the outline it is judged by.
    """
    dice, views = [], []
    for found in read_dice_on_board(bgr, seen.matrix, geometry):
        x, y, width, height = found.box_px
        middle = (x + width / 2, y + height / 2)
        near = [(math.dist(middle, one.middle) / one.outline, one) for one in shown]
        away, nearest = min(near, key=lambda pair: pair[0], default=(1.0, None))
        if nearest is not None and away < _IS_IT:
            dice.append(nearest)
            views.append(crop_from_image(seen.pose, found.box_px))
    stages = list(mended_views(bgr, views, default_lie_net()))
    kept = stages if len(stages) <= 2 else [stages[0], stages[1], stages[-1]]
    return [
        (crop(bgr, view), die.facts(view, slant))
        for stage in kept
        for die, (view, slant) in zip(dice, stage, strict=True)
    ]


def main() -> None:
    """Parse the command line and write shards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--boards", type=int, default=5, help="in each shard")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--found", action="store_true", help="crops of what the product finds")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for number in range(options.first, options.first + options.shards):
        rng = np.random.default_rng((options.seed, number))
        started = time.monotonic()
        crops, facts, as_found = [], [], []
        for _ in range(options.boards):
            stage = stage_of(rng)
            for _ in range(POSITIONS):
                board, scene = scene_of(stage, rng)
                bgr, scale = photographed(drawn(stage[0], scene), rng)
                shown = _shown(board, scene, bgr, scale)
                made = crops_of(shown, _seen(board, scene, bgr, scale, rng), bgr, rng)
                found = []
                if options.found:
                    seen = _seen(board, scene, bgr, scale, rng)
                    found = found_crops_of(shown, seen, bgr, board.geometry)
                for cut, known in made + found:
                    crops.append(cut)
                    facts.append(known)
                as_found += [0.0] * len(made) + [1.0] * len(found)
        # A trainer that looks for new shards must not meet half a one.
        part = options.out / f"part_{number:04d}.npz"
        known_all = np.column_stack([np.array(facts, np.float32), as_found])
        np.savez(part, crops=np.stack(crops), facts=known_all.astype(np.float32))
        part.rename(options.out / f"shard_{number:04d}.npz")
        print(
            f"shard {number}: {len(crops)} crops, {time.monotonic() - started:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
