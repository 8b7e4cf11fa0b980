"""Pictures of whole boards on tables, and of tables without one, with exact truth.

python -m training.board_pictures SHARDS --pictures 8000 --seed 1
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from training.board_flat import (
    F32,
    Make,
    Rng,
    Sheet,
    corners,
    draw_checkers,
    draw_floor,
    draw_woodwork,
    random_make,
)
from training.checkers_boards import any_color
from training.dice_backgrounds import (
    dotted,
    grainy,
    lit,
    ornament,
    photographed,
    plain,
    points,
    wood,
    woven,
)
from training.dice_clutter import card, cup, hand, phone

CANVAS_PX = 352
"""Drawn at this size, shown to the network at `INPUT_PX`."""
INPUT_PX = 256
PAD = 114
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Shown:
    """A picture as the network gets it."""

    bgr: npt.NDArray[np.uint8]
    image_from_unit: Matrix
    """The field, from the unit square to pixels; zeros: there is no board."""
    inside: tuple[int, int, int, int]
    """Left, top, right, bottom of the picture within the square."""


@dataclass(frozen=True)
class Camera:
    """A pinhole over a board; z is up from the board's floor."""

    matrix: Matrix
    """(3, 4): field widths to pixels."""

    def plane(self, height: float) -> Matrix:
        """Return the homography of the plane at a height."""
        p = self.matrix
        return np.stack([p[:, 0], p[:, 1], p[:, 3] + height * p[:, 2]], axis=1)

    @property
    def eye(self) -> npt.NDArray[np.float64]:
        """Where it hangs."""
        return -np.linalg.solve(self.matrix[:, :3], self.matrix[:, 3])


def project(matrix: Matrix, at: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Map points."""
    made = (
        np.column_stack([np.asarray(at, np.float64), np.ones(len(np.asarray(at)))]) @ matrix.T
    )
    return np.asarray(made[:, :2] / made[:, 2:])


def random_camera(rng: Rng, make: Make, wide: float, high: float) -> Camera:
    """Draw a camera that has the board in its middle part, or cut by an edge."""
    tilt = abs(rng.normal(0, 9)) if rng.random() < 0.6 else rng.uniform(0, 42)
    kind = rng.random()
    roll = rng.normal(0, 4) if kind < 0.6 else rng.uniform(-180, 180)
    if 0.6 <= kind < 0.75:
        roll = 90 + rng.normal(0, 5)
    way = rng.uniform(0, 360) if rng.random() < 0.5 else -roll + rng.normal(0, 12)
    lean, tilt, roll = np.radians(way), np.radians(tilt), np.radians(roll)
    axis = np.array([np.cos(lean), np.sin(lean), 0.0])
    turn = cv2.Rodrigues(axis * tilt)[0]
    spin = cv2.Rodrigues(np.array([0, 0, roll]))[0]
    flip = np.diag([1.0, 1.0, -1.0])  # the board's z is up, the camera's away
    rotation = spin @ turn @ flip
    share = rng.triangular(0.3, 0.8, 1.03) if rng.random() < 0.87 else rng.uniform(1.0, 1.25)
    focal = rng.uniform(0.75, 1.9) * max(wide, high)
    middle = np.array([0.5, make.tall / 2, 0.0])
    away = 1.4
    for _ in range(3):  # until the board has its share of the picture
        shift = np.array([0, 0, away]) - rotation @ middle
        inner = np.diag([focal, focal, 1.0])
        matrix = inner @ np.column_stack([rotation, shift])
        seen = project(np.delete(matrix, 2, axis=1), corners((0, 0, 1, make.tall)))
        extent = np.ptp(seen, axis=0) / (wide, high)
        away = float(away * extent.max() / share)
        away = max(away, 0.9)
    room = np.maximum(1.0 - extent, 0.0) / 2 + 0.02
    if rng.random() < 0.1:
        room = room + 0.15
    center = (seen.min(axis=0) + seen.max(axis=0)) / 2
    goal = (0.5 + rng.uniform(-1, 1, 2) * room) * (wide, high) - center
    place = np.array([[1, 0, goal[0]], [0, 1, goal[1]], [0, 0, 1.0]])
    return Camera(place @ matrix)


def _polygon(at: npt.ArrayLike) -> npt.NDArray[np.int32]:
    return np.round(np.asarray(at) * 8).astype(np.int32)


def _lay(canvas: F32, sheet: Sheet, plane: Matrix, mask: F32) -> None:
    """Warp one level of a board onto the canvas, where the mask (on the canvas) says."""
    size = (canvas.shape[1], canvas.shape[0])
    flat = cv2.warpPerspective(
        sheet.bgr, plane @ sheet.board_from_sheet, size, flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    canvas += mask[..., None] * (flat - canvas)


def _mask(shape: tuple[int, ...], *polygons: npt.NDArray[np.float64]) -> F32:
    mask = np.zeros(shape[:2], np.float32)
    for one in polygons:
        cv2.fillPoly(mask, [_polygon(one)], 1.0, cv2.LINE_AA, 3)
    return mask


def draw_board(rng: Rng, canvas: F32, make: Make, camera: Camera) -> None:
    """Draw a board into the canvas: outer walls, floor, inner walls, woodwork."""
    field = project(camera.plane(0.0), corners((0, 0, 1, make.tall)))
    scale = float(np.linalg.norm(field[1] - field[0])) * rng.uniform(1.0, 1.5) + 30.0
    scale = min(scale, 900.0)
    floor, colors = draw_floor(rng, make, scale)
    eye = camera.eye
    draw_checkers(rng, floor, make, (float(eye[0]), float(eye[1])), float(eye[2]))
    outer = corners(make.outer)
    ground, above = camera.plane(-0.02 if make.wall else 0.0), camera.plane(make.wall)
    low, high = project(ground, outer), project(above, outer)
    body = np.asarray(cv2.convexHull(np.vstack([low, high]).astype(np.float32)))[:, 0]
    if rng.random() < 0.6:
        cast = body + rng.normal(0, 0.04, 2) * np.ptp(body, axis=0)
        dark = cv2.GaussianBlur(_mask(canvas.shape, cast), (0, 0), rng.uniform(1, 9))
        canvas *= 1 - rng.uniform(0.1, 0.7) * dark[..., None]
    tone = np.float32(rng.uniform(0.4, 1.0))
    skin = _mask(canvas.shape, body)[..., None]
    canvas += skin * (colors["frame"] * tone - canvas)
    holes = [project(camera.plane(0.0), corners(r)) for r in make.openings]
    _lay(canvas, floor, camera.plane(0.0), _mask(canvas.shape, *holes))
    if make.wall:
        lamp = rng.uniform(0.3, 1.2, 4)
        for rect in make.openings:
            down = project(camera.plane(0.0), corners(rect))
            up = project(above, corners(rect))
            for k in range(4):
                n = (k + 1) % 4
                wall = np.array([down[k], down[n], up[n], up[k]])
                ink = (colors["frame"] * np.float32(lamp[k])).tolist()
                cv2.fillPoly(canvas, [_polygon(wall)], ink, cv2.LINE_AA, 3)
    wood_ = draw_woodwork(rng, make, scale, colors)
    top = _mask(canvas.shape, project(above, outer))
    for rect in make.openings:
        top = np.minimum(top, 1 - _mask(canvas.shape, project(above, corners(rect))))
    if make.gap:
        split = (0.5 - make.gap / 2, make.outer[1], 0.5 + make.gap / 2, make.outer[3])
        top = np.minimum(top, 1 - _mask(canvas.shape, project(above, corners(split))))
    _lay(canvas, wood_, above, top)


_GROUNDS = (plain, grainy, wood, woven, dotted, ornament)
_GROUND_ODDS = np.array([0.2, 0.25, 0.28, 0.14, 0.04, 0.09])


def draw_ground(rng: Rng, size: int) -> F32:
    """Draw a table, a cloth, a floor; often two of them, and things with straight edges."""
    canvas = _GROUNDS[int(rng.choice(len(_GROUNDS), p=_GROUND_ODDS))](rng, size)
    for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.6 else 0):
        at = rng.uniform(-0.1, 1.1, 2) * size
        turn, reach = rng.uniform(0, np.pi), rng.uniform(0.05, 0.7, 2) * size
        box = np.asarray(cv2.boxPoints((at.tolist(), reach.tolist(), float(np.degrees(turn)))))
        if rng.random() < 0.5:
            cv2.fillPoly(canvas, [_polygon(box)], any_color(rng).tolist(), cv2.LINE_AA, 3)
        else:
            other = _GROUNDS[int(rng.choice(len(_GROUNDS), p=_GROUND_ODDS))](rng, size)
            canvas += _mask(canvas.shape, box)[..., None] * (other - canvas)
    return canvas


def draw_arm(rng: Rng, canvas: F32) -> None:
    """Draw an arm that reaches in from an edge."""
    size = canvas.shape[0]
    turn = rng.uniform(0, 2 * np.pi)
    start = size / 2 + 0.75 * size * np.array([np.cos(turn), np.sin(turn)])
    end = rng.uniform(0.2, 0.8, 2) * size
    along = (end - start) / np.linalg.norm(end - start)
    side = np.array([-along[1], along[0]])
    wide, thin = rng.uniform(0.04, 0.1) * size, rng.uniform(0.02, 0.05) * size
    arm = np.array(
        [start + side * wide, end + side * thin, end - side * thin, start - side * wide]
    )
    skin = np.array([0.62, 0.75, 1.0]) * rng.uniform(60, 250)
    sleeve = any_color(rng)
    cuff = rng.uniform(0, 1.1)
    cv2.fillPoly(canvas, [_polygon(arm + rng.normal(0, 0.02, 2) * size)], [25, 25, 25], 16, 3)
    cv2.fillPoly(canvas, [_polygon(arm)], skin.tolist(), cv2.LINE_AA, 3)
    if cuff > 0.1:
        part = start + (end - start) * min(cuff, 0.9)
        sewn = np.array([start + side * wide * 1.1, part + side * wide, part - side * wide,
                         start - side * wide * 1.1])  # fmt: skip
        cv2.fillPoly(canvas, [_polygon(sewn)], sleeve.tolist(), cv2.LINE_AA, 3)
    for k in range(4):
        finger = end + side * thin * (k - 1.5) * 0.5
        tip = finger + along * rng.uniform(1, 2.2) * thin + side * rng.normal(0, 0.3) * thin
        ends = _polygon([finger, tip])
        thick = max(2, round(thin * 0.5))
        cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), skin.tolist(), thick, 16, 3)


def draw_things(rng: Rng, canvas: F32) -> F32:
    """Lay arms, cups, phones, papers and words over a picture."""
    if rng.random() < 0.22:
        for _ in range(int(rng.integers(1, 3))):
            draw_arm(rng, canvas)
    flat = np.clip(canvas, 0, 255).astype(np.uint8)
    if rng.random() < 0.35:
        for _ in range(int(rng.integers(1, 3))):
            (cup, phone, card, hand)[int(rng.integers(4))](rng, flat, rng.uniform(8, 26))
    for _ in range(int(rng.integers(0, 4))):  # dice, small and bright
        at = rng.uniform(0.1, 0.9, 2) * canvas.shape[0]
        box = cv2.boxPoints((at.tolist(), [rng.uniform(5, 10)] * 2, rng.uniform(0, 90)))
        cv2.fillPoly(flat, [_polygon(box)], any_color(rng).tolist(), cv2.LINE_AA, 3)
    if rng.random() < 0.08:
        at = (rng.uniform(0, 0.7, 2) * canvas.shape[0]).astype(int).tolist()
        ink = any_color(rng).tolist()
        cv2.putText(
            flat, "Final 7-3 Live", at, int(rng.integers(4)), rng.uniform(0.4, 1.2), ink, 2
        )
    return flat.astype(np.float32)


def draw_other(rng: Rng, canvas: F32) -> F32:
    """Draw what looks a little like a board and is none: other games, rows, grids, one row."""
    kind = int(rng.integers(6))
    size = canvas.shape[0]
    if kind == 0:
        return points(rng, size)
    make = random_make(rng)
    camera = random_camera(rng, make, size, size)
    sheet = Sheet(make.outer, 1.2 * size, any_color(rng))
    if kind in (1, 2):  # chess, draughts, tiles
        n = int(rng.choice([3, 6, 8, 8, 8, 10, 15, 19]))
        a, b = any_color(rng), any_color(rng)
        for i in range(n):
            for j in range(n):
                cell = (i / n, j / n * make.tall, (i + 1) / n, (j + 1) / n * make.tall)
                if kind == 1 and (i + j) % 2:
                    sheet.fill(corners(cell), a)
                elif kind == 2:
                    sheet.outline(corners(cell), b, 1)
                if rng.random() < 0.25:
                    middle = (cell[0] + cell[2]) / 2, (cell[1] + cell[3]) / 2
                    sheet.disc(*middle, 0.4 / n, a if rng.random() < 0.5 else b)
    elif kind == 3:  # books, keys, stripes
        x = 0.0
        while x < 1:
            step = rng.uniform(0.02, 0.12)
            sheet.fill(corners((x, rng.uniform(0, 0.2), x + step, make.tall)), any_color(rng))
            x += step
    elif kind == 4:  # a board's frame with nothing in it, or a page of words
        for y in np.arange(0.08, make.tall - 0.05, rng.uniform(0.03, 0.1)):
            end = rng.uniform(0.5, 0.95)
            sheet.fill(corners((0.08, y, end, y + 0.012)), any_color(rng) * np.float32(0.4))
    outer = project(camera.plane(0), corners(make.outer))
    _lay(canvas, sheet, camera.plane(0), _mask(canvas.shape, outer))
    return canvas


@dataclass(frozen=True)
class Whole:
    """A picture at the size it was drawn at."""

    bgr: npt.NDArray[np.uint8]
    """(size, size, 3): the picture lies within a square; around it is more of the scene."""
    image_from_unit: Matrix
    box: tuple[int, int, int, int]
    """Left, top, right, bottom of the picture within the square."""


def draw_whole(rng: Rng, size: int = CANVAS_PX) -> Whole:
    """Draw one picture, with a board in six of seven."""
    shape = rng.random()
    ratio = (3 / 4, 9 / 16, 1.0, 2 / 3)[int(rng.choice(4, p=[0.5, 0.25, 0.15, 0.1]))]
    wide, high = (size, round(size * ratio)) if shape < 0.85 else (round(size * ratio), size)
    x0, y0 = (size - wide) // 2, (size - high) // 2
    canvas = draw_ground(rng, size)
    unit = np.zeros((3, 3))
    kind = rng.random()
    if kind < 0.86:
        make = random_make(rng)
        shift = np.array([[1, 0, x0], [0, 1, y0], [0, 0, 1.0]])
        camera = Camera(shift @ random_camera(rng, make, wide, high).matrix)
        draw_board(rng, canvas, make, camera)
        unit = camera.plane(0.0) @ np.diag([1.0, make.tall, 1.0])
    elif kind < 0.96:
        canvas = draw_other(rng, canvas)
    canvas = draw_things(rng, np.ascontiguousarray(canvas, np.float32))
    seen = photographed(rng, lit(rng, canvas))
    return Whole(seen, unit, (x0, y0, x0 + wide, y0 + high))


def draw_picture(rng: Rng) -> Shown:
    """Draw one picture as the network gets it."""
    whole = draw_whole(rng)
    size = len(whole.bgr)
    x0, y0, x1, y1 = whole.box
    square = np.full((size, size, 3), PAD, np.uint8)
    square[y0:y1, x0:x1] = whole.bgr[y0:y1, x0:x1]
    shrink = INPUT_PX / size
    small = cv2.resize(square, (INPUT_PX, INPUT_PX), interpolation=cv2.INTER_AREA)
    down = np.array([[shrink, 0, shrink / 2 - 0.5], [0, shrink, shrink / 2 - 0.5], [0, 0, 1]])
    made = down @ whole.image_from_unit
    if made.any():
        made = made / made[2, 2]
    left, top, right, bottom = (round(v * shrink) for v in whole.box)
    return Shown(small, made, (left, top, right, bottom))


def write_shard(path: Path, seed: int, number: int, pictures: int) -> None:
    """Write a shard; its content depends on seed and number alone."""
    rng = np.random.default_rng([seed, number])
    made = [draw_picture(rng) for _ in range(pictures)]
    part = path.with_suffix(".part.npz")
    np.savez(
        part,
        x=np.stack([one.bgr for one in made]),
        h=np.stack([one.image_from_unit for one in made]),
        inside=np.array([one.inside for one in made]),
    )
    part.rename(path)


def main() -> None:
    """Parse the command line and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("--pictures", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=400, help="pictures a shard")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.shards.mkdir(parents=True, exist_ok=True)
    for number in range(-(-options.pictures // options.each)):
        path = options.shards / f"{options.seed:02}-{number:04}.npz"
        if not path.exists():
            write_shard(path, options.seed, number, options.each)


if __name__ == "__main__":
    main()
