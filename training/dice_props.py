"""Things on a table that are no dice, drawn so that a reader learns to leave them alone."""

import math

import cv2
import numpy as np

from table.die import (
    DieLight,
    DieLook,
    DiePose,
    Projection,
    draw_die,
    project,
    random_look,
    render_die,
)
from training.dice_backgrounds import Rng, any_colour
from vision.cv import BgrImage, as_u8

_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
)
_DISC = np.array(
    [(math.cos(a), math.sin(a)) for a in np.linspace(0, 2 * math.pi, 40, endpoint=False)]
)


def _fill(canvas: BgrImage, outline_px: np.ndarray, colour: object) -> None:
    shape = np.round(outline_px * 16).astype(np.int32)
    cv2.fillPoly(canvas, [shape], colour, cv2.LINE_AA, 4)  # type: ignore[call-overload]


def _ring(
    camera: Projection, x_mm: float, y_mm: float, radius_mm: float, z_mm: float
) -> np.ndarray:
    flat = _DISC * radius_mm + (x_mm, y_mm)
    return project(camera, np.column_stack([flat, np.full(len(flat), z_mm)]))


def checker(
    rng: Rng, canvas: BgrImage, camera: Projection, at_mm: tuple[float, float], radius_mm: float
) -> float:
    """Draw a checker with a rim, rings, a dot, or nothing; return the height of its top."""
    height = radius_mm * rng.uniform(0.25, 0.6)
    kind = rng.random()
    if kind < 0.35:
        body = np.full(3, rng.uniform(180, 255), np.float32)
    elif kind < 0.6:
        body = np.full(3, rng.uniform(10, 60), np.float32)
    else:
        body = any_colour(rng)
    for step in np.linspace(0, height, 5):
        ring = _ring(camera, *at_mm, radius_mm, float(step))
        _fill(canvas, ring, (body * rng.uniform(0.45, 0.7)).tolist())
    _fill(canvas, _ring(camera, *at_mm, radius_mm, height), body.tolist())
    for share in sorted(rng.uniform(0.15, 0.95, int(rng.integers(0, 4))), reverse=True):
        tone = np.clip(body * rng.uniform(0.5, 1.5) + rng.normal(0, 10), 0, 255)
        _fill(canvas, _ring(camera, *at_mm, radius_mm * share, height), tone.tolist())
    if rng.random() < 0.12:
        ink = (255 - body if rng.random() < 0.5 else any_colour(rng)).tolist()
        _fill(canvas, _ring(camera, *at_mm, radius_mm * rng.uniform(0.1, 0.3), height), ink)
    if rng.random() < 0.06:
        for k in range(int(rng.integers(2, 9))):
            turn = k * rng.uniform(0.6, 1.3)
            spot = (
                at_mm[0] + 0.6 * radius_mm * math.cos(turn),
                at_mm[1] + 0.6 * radius_mm * math.sin(turn),
            )
            _fill(canvas, _ring(camera, *spot, radius_mm * 0.1, height), (255 - body).tolist())
    return float(height)


def checkers(rng: Rng, canvas: BgrImage, camera: Projection, reach_mm: float) -> None:
    """Draw a row or a scatter of checkers."""
    radius = rng.uniform(11, 24)
    count = int(rng.integers(1, 9))
    start = rng.uniform(-reach_mm, reach_mm, 2)
    turn = rng.choice([0.0, math.pi / 2]) + rng.normal(0, 0.1)
    for k in range(count):
        at = start + 2 * radius * k * np.array([math.cos(turn), math.sin(turn)])
        if rng.random() < 0.3:
            at = rng.uniform(-reach_mm, reach_mm, 2)
        checker(rng, canvas, camera, (float(at[0]), float(at[1])), radius)


def _flat_card(
    rng: Rng, canvas: BgrImage, camera: Projection, card: BgrImage, z_mm: float, edge_mm: float
) -> BgrImage:
    """Lay a picture flat at a random place; black border pixels stay clear."""
    height, width = card.shape[:2]
    turn = rng.uniform(0, 2 * math.pi)
    c, s = math.cos(turn), math.sin(turn)
    half = np.array([[-width, -height], [width, -height], [width, height], [-width, height]])
    half = half / max(width, height) * edge_mm / 2
    spot = rng.uniform(-60, 60, 2)
    world = half @ np.array([[c, s], [-s, c]]) + spot
    target = project(camera, np.column_stack([world, np.full(4, z_mm)]))
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    size = (canvas.shape[1], canvas.shape[0])
    warped = as_u8(cv2.warpPerspective(card, matrix, size, flags=cv2.INTER_AREA))
    solid = np.full(card.shape[:2], 255, np.uint8)
    mask = as_u8(cv2.warpPerspective(solid, matrix, size, flags=cv2.INTER_LINEAR))
    return as_u8(np.where(mask[..., None] > 127, warped, canvas))


def domino(rng: Rng, canvas: BgrImage, camera: Projection) -> BgrImage:
    """Lay down a domino, a card with pips, or a bare print of pips."""
    width, height = (60, 120) if rng.random() < 0.6 else (80, 110)
    body = np.full(3, rng.uniform(200, 255)) if rng.random() < 0.7 else any_colour(rng)
    ink = (any_colour(rng) if rng.random() < 0.3 else np.full(3, rng.uniform(0, 60))).tolist()
    card = np.empty((height, width, 3), np.uint8)
    card[:] = body
    if width == 60:
        cv2.line(card, (6, 60), (54, 60), ink, 2)
        for top in (0, 60):
            for i in range(3):
                for j in range(3):
                    if rng.random() < 0.45:
                        at = (15 + 15 * i, top + 15 + 15 * j)
                        cv2.circle(card, at, 5, ink, -1, cv2.LINE_AA)
    else:
        for _ in range(int(rng.integers(1, 9))):
            at = (int(rng.integers(10, 70)), int(rng.integers(10, 100)))
            cv2.circle(card, at, int(rng.integers(4, 9)), ink, -1, cv2.LINE_AA)
        cv2.putText(
            card, str(rng.choice(list("A23456789JQK"))), (4, 22), _FONTS[0], 0.7, ink, 2
        )
    return _flat_card(rng, canvas, camera, card, 0.0, rng.uniform(25, 70))


def cube(rng: Rng, canvas: BgrImage, camera: Projection, light: DieLight) -> BgrImage:
    """Draw a doubling cube or a die with a maker's mark: a body without pips, with letters."""
    look = random_look(rng)
    edge = look.edge_mm * rng.uniform(0.8, 1.8)
    bare = DieLook(
        edge_mm=edge,
        body_bgr=look.body_bgr,
        rounding=look.rounding,
        pip_radius=0.001,
        drilled=0,
    )
    x, y = rng.uniform(-60, 60, 2)
    yaw = rng.uniform(0, 360)
    patch = render_die(bare, DiePose(1, float(x), float(y), float(yaw)), camera, light)
    drawn = draw_die(canvas, patch)
    if rng.random() < 0.8:
        face = np.full((64, 64), 0, np.uint8)
        word = str(rng.choice(["2", "4", "8", "16", "32", "64", "A", "K", "@", "X", "W20"]))
        font = _FONTS[int(rng.integers(4))]
        scale = 1.7 if len(word) == 1 else 1.1 if len(word) == 2 else 0.7
        (w, h), _ = cv2.getTextSize(word, font, scale, 3)
        cv2.putText(face, word, (32 - w // 2, 32 + h // 2), font, scale, 255, 4, cv2.LINE_AA)
        c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * edge * 0.42
        world = half @ np.array([[c, s], [-s, c]]) + (x, y)
        target = project(camera, np.column_stack([world, np.full(4, edge)])).astype(np.float32)
        source = np.array([[0, 0], [64, 0], [64, 64], [0, 64]], np.float32)
        matrix = cv2.getPerspectiveTransform(source, target)
        size = (canvas.shape[1], canvas.shape[0])
        mask = cv2.warpPerspective(face, matrix, size).astype(np.float32)[..., None] / 255
        ink = np.array(look.pip_bgr, np.float32)
        drawn = as_u8((drawn + mask * (ink - drawn)).astype(np.uint8))
    return drawn


def small_things(rng: Rng, canvas: BgrImage, scale_px: float) -> None:
    """Draw dots, coins, screws, keys, cables, letters, fingers straight into the picture."""
    size = canvas.shape[0]
    for _ in range(int(rng.integers(1, 7))):
        ink = any_colour(rng).tolist()
        x, y = rng.integers(0, size, 2).tolist()
        reach = max(2, int(scale_px * rng.uniform(0.1, 0.9)))
        kind = rng.integers(8)
        if kind == 0:
            cv2.circle(canvas, (x, y), reach, ink, -1, cv2.LINE_AA)
            if rng.random() < 0.5:
                cv2.circle(canvas, (x, y), max(1, reach // 2), any_colour(rng).tolist(), 1)
        elif kind == 1:
            cv2.circle(canvas, (x, y), max(2, reach // 3), ink, -1, cv2.LINE_AA)
            cv2.line(canvas, (x - reach // 4, y), (x + reach // 4, y), (30, 30, 30), 1)
        elif kind == 2:
            word = "".join(
                rng.choice(list("ABCDEMNORSTX0123456789?!:."), int(rng.integers(1, 7)))
            )
            font = _FONTS[int(rng.integers(4))]
            thick = int(rng.integers(1, 3))
            cv2.putText(
                canvas, word, (x, y), font, rng.uniform(0.3, 1.3), ink, thick, cv2.LINE_AA
            )
        elif kind == 3:
            for row in range(int(rng.integers(1, 4))):
                for column in range(int(rng.integers(1, 6))):
                    left, top = x + column * reach, y + row * reach
                    corner = (left + int(reach * 0.8), top + int(reach * 0.8))
                    cv2.rectangle(canvas, (left, top), corner, ink, -1)
                    if rng.random() < 0.5:
                        middle = (left + reach // 3, top + int(reach * 0.6))
                        letter = chr(int(rng.integers(65, 91)))
                        cv2.putText(canvas, letter, middle, _FONTS[0], 0.3, (200, 200, 200), 1)
        elif kind == 4:
            way = np.cumsum(rng.normal(0, 25, (6, 2)), axis=0) + np.array([x, y])
            cv2.polylines(canvas, [way.astype(np.int32)], False, ink, int(rng.integers(2, 8)))
        elif kind == 5:
            box = (
                (float(x), float(y)),
                (reach * 2.0, reach * rng.uniform(1, 2)),
                rng.uniform(0, 90),
            )
            _fill(canvas, np.asarray(cv2.boxPoints(box), np.float64), ink)
        elif kind == 6:
            skin = np.array(
                [rng.uniform(60, 160), rng.uniform(100, 190), rng.uniform(140, 240)]
            )
            end = (rng.uniform(-1, 2, 2) * size).astype(int).tolist()
            cv2.line(canvas, (x, y), end, skin.tolist(), max(3, int(scale_px)), cv2.LINE_AA)
        else:
            # Pips without a body.
            pitch, radius = max(2, reach // 2), max(1, reach // 6)
            for i in range(3):
                for j in range(3):
                    if rng.random() < 0.4:
                        spot = (x + i * pitch, y + j * pitch)
                        cv2.circle(canvas, spot, radius, ink, -1, cv2.LINE_AA)
