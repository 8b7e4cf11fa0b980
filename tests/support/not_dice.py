"""Pictures without dice: hands, cups, phones, score cards, doubling cubes, empty boards.

Drawn from a seed by code that no reader of dice was trained with.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout
from table.die import (
    DieLook,
    DiePose,
    camera_looking,
    draw_die,
    project,
    random_look,
    render_die,
)
from table.looks import random_board, random_camera, random_light
from table.render import render
from table.scene import Hand, Scene
from table.world import Board, set_up
from vision.cv import BgrImage, as_f32, as_u8

Rng: TypeAlias = np.random.Generator
Ink: TypeAlias = tuple[float, float, float]
WIDTH, HEIGHT = 640, 480
_FONT = cv2.FONT_HERSHEY_DUPLEX


def picture(kind: str, seed: int) -> BgrImage:
    """Return one picture of a kind of `KINDS`; the same seed draws the same picture."""
    rng = np.random.default_rng([len(kind), *kind.encode(), seed])
    return KINDS[kind](rng)


def _ink(rng: Rng, low: float = 0, high: float = 255) -> Ink:
    b, g, r = rng.uniform(low, high, 3).tolist()
    return b, g, r


def _table_top(rng: Rng) -> BgrImage:
    """Return cloth or wood with grain, unevenly lit."""
    base = np.array(_ink(rng, 30, 220))
    across, along = (float(v) for v in rng.uniform(0.6, 12, 2))
    small = (max(2, int(WIDTH / along)), max(2, int(HEIGHT / across)))
    grain = rng.normal(0, 12, (small[1], small[0])).astype(np.float32)
    grain = as_f32(cv2.resize(grain, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC))
    left, right = rng.uniform(0.75, 1.15, 2).tolist()
    light = np.linspace(left, right, WIDTH, dtype=np.float32)
    canvas = (base + grain[..., None]) * light[None, :, None]
    return as_u8(np.clip(canvas, 0, 255).astype(np.uint8))


def _shot(rng: Rng, canvas: BgrImage) -> BgrImage:
    """Pass it through a camera: a little blur, noise, JPEG."""
    soft = as_f32(cv2.GaussianBlur(canvas.astype(np.float32), (0, 0), rng.uniform(0.4, 1.2)))
    noisy = np.clip(soft + rng.normal(0, rng.uniform(1, 5), soft.shape), 0, 255)
    quality = int(rng.integers(60, 95))
    _, packed = cv2.imencode(
        ".jpg", noisy.astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality]
    )
    return as_u8(cv2.imdecode(packed, cv2.IMREAD_COLOR))


def _polygon(canvas: BgrImage, points: npt.NDArray[np.float64], ink: Ink) -> None:
    cv2.fillPoly(canvas, [np.round(points * 16).astype(np.int32)], ink, cv2.LINE_AA, 4)


def _placed(
    outline: npt.NDArray[np.float64], at: tuple[float, float], turn: float, size: float
) -> npt.NDArray[np.float64]:
    c, s = math.cos(turn), math.sin(turn)
    return np.asarray(outline * size @ np.array([[c, s], [-s, c]]) + at)


def _bar(length: float, thick: float) -> npt.NDArray[np.float64]:
    """Return a bar with round ends from (0, 0) along x."""
    turn = np.linspace(-math.pi / 2, math.pi / 2, 9)
    ends = np.column_stack([np.cos(turn), np.sin(turn)]) * thick / 2
    return np.concatenate([_moved(ends, length, 0), -ends])


def _block(width: float, height: float) -> npt.NDArray[np.float64]:
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)


def _moved(outline: npt.NDArray[np.float64], x: float, y: float) -> npt.NDArray[np.float64]:
    return np.asarray(outline + np.array([x, y]))


def _spot(rng: Rng) -> tuple[float, float]:
    return float(rng.uniform(120, WIDTH - 120)), float(rng.uniform(100, HEIGHT - 100))


def _hand(rng: Rng) -> BgrImage:
    canvas = _table_top(rng)
    for _ in range(int(rng.integers(1, 3))):
        tone = rng.uniform(0.35, 1.0)
        skin: Ink = (135 * tone, 165 * tone, 225 * tone)
        dark: Ink = (0.7 * skin[0], 0.7 * skin[1], 0.72 * skin[2])
        at, turn, size = _spot(rng), rng.uniform(0, 2 * math.pi), rng.uniform(70, 130)
        _polygon(canvas, _placed(_bar(-3.0, 0.8), at, turn, size), dark)
        _polygon(canvas, _placed(_bar(-2.9, 0.75), at, turn, size), skin)
        palm = np.concatenate([_bar(0.0, 1.1), _bar(-0.5, 0.9)])
        hull = np.asarray(cv2.convexHull(palm.astype(np.float32)), np.float64).reshape(-1, 2)
        _polygon(canvas, _placed(hull, at, turn, size), skin)
        for k, length in enumerate((1.0, 1.2, 1.1, 0.85)):
            spread = turn + (k - 1.5) * rng.uniform(0.08, 0.22)
            base = _placed(np.array([[0.1, (k - 1.5) * 0.24]]), at, turn, size)[0]
            root = (float(base[0]), float(base[1]))
            _polygon(canvas, _placed(_bar(length * 1.02, 0.25), root, spread, size), dark)
            _polygon(canvas, _placed(_bar(length, 0.22), root, spread, size), skin)
            nail = _placed(_moved(_bar(0.1, 0.12), length - 0.03, 0), root, spread, size)
            _polygon(canvas, nail, (min(skin[0] * 1.2, 255), skin[1], skin[2]))
            if rng.random() < 0.3:  # a ring with a stone
                ring = _placed(_moved(_block(0.08, 0.26), 0.3, 0), root, spread, size)
                _polygon(canvas, ring, (60, 190, 220))
                x, y = _placed(np.array([[0.3, 0.0]]), root, spread, size)[0]
                cv2.circle(canvas, (round(x), round(y)), round(size * 0.06), _ink(rng), -1)
    return _shot(rng, canvas)


def _cup(rng: Rng) -> BgrImage:
    canvas = _table_top(rng)
    for _ in range(int(rng.integers(1, 4))):
        x, y = _spot(rng)
        at, radius = (round(x), round(y)), float(rng.uniform(40, 110))
        squeeze, turn = rng.uniform(0.8, 1.0), float(rng.uniform(0, 180))
        body = np.array(_ink(rng))
        for share, tone in ((1.0, 1.0), (0.88, 0.55), (0.84, 0.9), (0.75, 0.35)):
            ink = np.clip(body * tone, 0, 255).tolist()
            axes = (round(radius * share), round(radius * share * squeeze))
            cv2.ellipse(canvas, at, axes, turn, 0, 360, ink, -1, cv2.LINE_AA)
        if rng.random() < 0.5:  # a foot or a drop in the middle
            cv2.circle(canvas, at, round(radius * 0.12), _ink(rng), -1, cv2.LINE_AA)
        if rng.random() < 0.5:  # stitches round the rim of a leather cup
            for a in np.linspace(0, 2 * math.pi, 24, endpoint=False):
                end = (
                    round(x + radius * 0.92 * math.cos(a)),
                    round(y + radius * 0.92 * math.sin(a)),
                )
                cv2.circle(canvas, end, 2, (200, 220, 230), -1, cv2.LINE_AA)
    return _shot(rng, canvas)


def _phone(rng: Rng) -> BgrImage:
    canvas = _table_top(rng)
    at, turn, size = (
        _spot(rng),
        float(rng.uniform(0, 2 * math.pi)),
        float(rng.uniform(160, 300)),
    )
    body = _ink(rng, 5, 90) if rng.random() < 0.7 else _ink(rng)
    _polygon(canvas, _placed(_block(0.5, 1.02), at, turn, size), body)
    if rng.random() < 0.5:
        _polygon(canvas, _placed(_block(0.47, 0.95), at, turn, size), _ink(rng))
        for row in range(7):
            for column in range(4):
                icon = _moved(_block(0.08, 0.08), (column - 1.5) * 0.11, (row - 3) * 0.13)
                _polygon(canvas, _placed(icon, at, turn, size), _ink(rng))
        return _shot(rng, canvas)
    island = _moved(_block(0.24, 0.24), -0.1, -0.36)
    shade: Ink = (body[0] * 0.7 + 12, body[1] * 0.7 + 12, body[2] * 0.7 + 12)
    _polygon(canvas, _placed(island, at, turn, size), shade)
    lenses = [(-0.06, -0.06), (0.06, -0.06), (-0.06, 0.06), (0.06, 0.06)]
    for dx, dy in lenses[: int(rng.integers(1, 5))]:
        x, y = _placed(np.array([[dx - 0.1, dy - 0.36]]), at, turn, size)[0]
        middle = (round(x), round(y))
        cv2.circle(canvas, middle, round(size * 0.05), (70, 70, 75), -1, cv2.LINE_AA)
        cv2.circle(canvas, middle, round(size * 0.038), (12, 10, 10), -1, cv2.LINE_AA)
        cv2.circle(canvas, (middle[0] - 2, middle[1] - 2), 2, (160, 140, 120), -1)
    return _shot(rng, canvas)


def _score_card(rng: Rng) -> BgrImage:
    canvas = _table_top(rng)
    at, turn, size = _spot(rng), float(rng.normal(0, 0.4)), float(rng.uniform(200, 330))
    paper = _ink(rng, 215, 255)
    _polygon(canvas, _placed(_block(0.75, 1.0), at, turn, size), paper)
    pen = _ink(rng, 0, 110)
    rows = int(rng.integers(5, 10))
    for i in range(rows + 1):
        ends = _placed(
            np.array([[-0.33, i * 0.9 / rows - 0.45], [0.33, i * 0.9 / rows - 0.45]]),
            at,
            turn,
            size,
        )
        start, end = np.round(ends).astype(int).tolist()
        cv2.line(canvas, start, end, pen, 1, cv2.LINE_AA)
    for row in range(rows):
        for column in range(3):
            x, y = _placed(
                np.array([[column * 0.2 - 0.28, (row + 0.75) * 0.9 / rows - 0.45]]),
                at,
                turn,
                size,
            )[0]
            what = rng.random()
            if what < 0.5:
                word = str(int(rng.integers(0, 130)))
                cv2.putText(
                    canvas, word, (round(x), round(y)), _FONT, 0.45, pen, 1, cv2.LINE_AA
                )
            elif what < 0.7:  # tally strokes
                for k in range(int(rng.integers(1, 5))):
                    cv2.line(
                        canvas,
                        (round(x) + 5 * k, round(y)),
                        (round(x) + 5 * k + 2, round(y) - 12),
                        pen,
                        1,
                        cv2.LINE_AA,
                    )
            elif what < 0.85:  # full stops and dotted leaders
                for k in range(int(rng.integers(1, 6))):
                    cv2.circle(canvas, (round(x) + 7 * k, round(y)), 2, pen, -1, cv2.LINE_AA)
    return _shot(rng, canvas)


def _doubling_cube(rng: Rng) -> BgrImage:
    canvas = _table_top(rng)
    for _ in range(int(rng.integers(1, 3))):
        scale = float(rng.uniform(1.2, 3.2))
        camera = camera_looking(scale, _spot(rng), float(rng.uniform(0, 25)), 90.0)
        look = random_look(rng)
        edge = float(rng.uniform(16, 30))
        bare = DieLook(
            edge_mm=edge, body_bgr=look.body_bgr, rounding=0.1, ball=0.2, pip_radius=0.001
        )
        pose = DiePose(1, yaw_deg=float(rng.uniform(0, 360)))
        canvas = draw_die(canvas, render_die(bare, pose, camera), 0.4)
        face = np.zeros((96, 96), np.uint8)
        word = str(rng.choice(["2", "4", "8", "16", "32", "64"]))
        size = 2.4 if len(word) == 1 else 1.6
        (w, h), _ = cv2.getTextSize(word, _FONT, size, 4)
        cv2.putText(face, word, (48 - w // 2, 48 + h // 2), _FONT, size, 255, 5, cv2.LINE_AA)
        top = _placed(_block(0.8, 0.8), (0.0, 0.0), math.radians(pose.yaw_deg), edge)
        target = project(camera, np.column_stack([top, np.full(4, edge)])).astype(np.float32)
        source = np.array([[0, 0], [96, 0], [96, 96], [0, 96]], np.float32)
        matrix = cv2.getPerspectiveTransform(source, target)
        mask = as_f32(cv2.warpPerspective(face, matrix, (WIDTH, HEIGHT)))[..., None] / 255
        mixed = canvas + mask * (np.array(look.pip_bgr, np.float32) - canvas)
        canvas = as_u8(mixed.astype(np.uint8))
    return _shot(rng, canvas)


def board_scene(seed: int, *, with_hand: bool = False) -> Scene:
    """Return a board with checkers and no dice."""
    rng = np.random.default_rng([991, seed])
    geometry = BoardGeometry()
    look = random_board(rng)
    points = {
        str(int(place)): f"{side}{int(rng.integers(1, 5))}"
        for side, place in zip("wbwbwbwb", rng.permutation(np.arange(1, 25))[:8], strict=True)
    }
    totals = {side: sum(int(v[1:]) for v in points.values() if v[0] == side) for side in "wb"}
    position = {"points": points, "off": {side: 15 - totals[side] for side in "wb"}}
    board = Board(look, BoardLayout.of("top_right"), geometry)
    scene = Scene(
        look,
        discs=set_up(board, position, rng),
        camera=random_camera(rng),
        light=random_light(rng),
        noise_seed=seed,
    )
    if not with_hand:
        return scene
    x, y = rng.uniform(100, 400), rng.uniform(100, 350)
    return replace(scene, hand=Hand(float(x), float(y), grip="pinch"))


def _empty_board(rng: Rng) -> BgrImage:
    seed = int(rng.integers(1_000_000))
    return render(board_scene(seed, with_hand=bool(rng.random() < 0.3)), (800, 600))


KINDS: Mapping[str, Callable[[Rng], BgrImage]] = {
    "hand": _hand,
    "cup": _cup,
    "phone": _phone,
    "score card": _score_card,
    "doubling cube": _doubling_cube,
    "empty board": _empty_board,
}
