"""Two hundred pictures without a backgammon board: photos, tables, other games, rooms.

Photos come from scikit-image's data, whole and in parts; the rest is drawn from a seed by code
that the board finder was not trained with.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

import cv2
import numpy as np

from tests.support import not_dice
from vision.cv import BgrImage

Rng: TypeAlias = np.random.Generator
WIDTH, HEIGHT = 640, 480
PHOTOS = (
    "astronaut", "camera", "cat", "chelsea", "clock", "coffee", "coins", "colorwheel", "horse",
    "hubble_deep_field", "immunohistochemistry", "logo", "moon", "page", "rocket", "text",
    "brick", "grass", "gravel", "checkerboard", "motorcycle", "retina",
)  # fmt: skip


def photos() -> Iterator[tuple[str, BgrImage]]:
    """Yield what photos are installed, each whole, turned, and in two parts."""
    from skimage import data

    for name in PHOTOS:
        try:
            picture = np.asarray(getattr(data, name)())
        except (AttributeError, OSError, ValueError, ConnectionError, ModuleNotFoundError):
            continue  # not among the pictures that come with this version
        bgr = _as_bgr(picture)
        yield name, bgr
        yield f"{name} turned", np.ascontiguousarray(np.rot90(bgr))
        height, width = bgr.shape[:2]
        yield f"{name} left", np.ascontiguousarray(bgr[:, : width * 2 // 3])
        yield f"{name} below", np.ascontiguousarray(bgr[height // 3 :])


def drawings(seeds: int = 11) -> Iterator[tuple[str, BgrImage]]:
    """Yield drawn pictures: other games, furniture, and things that lie on tables."""
    for name, draw in GAMES.items():
        for seed in range(seeds):
            rng = np.random.default_rng([seed, len(name), *name.encode()])
            yield f"{name} {seed}", draw(rng)
    for kind in not_dice.KINDS:
        if "board" in kind:
            continue
        for seed in range(min(seeds, 6)):
            yield f"{kind} {seed}", not_dice.picture(kind, seed)


def _as_bgr(picture: np.ndarray) -> BgrImage:
    if picture.dtype == np.bool_:
        picture = picture.astype(np.uint8) * 255
    if picture.ndim == 2:
        picture = np.repeat(picture[..., None], 3, axis=2)
    bgr = np.ascontiguousarray(picture[..., 2::-1]).astype(np.uint8)
    longest = max(bgr.shape[:2])
    if longest > 900:
        scale = 900 / longest
        bgr = np.asarray(
            cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    return bgr


def _ink(rng: Rng) -> tuple[float, float, float]:
    b, g, r = rng.uniform(20, 240, 3).tolist()
    return b, g, r


def _ground(rng: Rng) -> BgrImage:
    grain = rng.normal(0, 10, (HEIGHT // 4, WIDTH // 16)).astype(np.float32)
    grain = np.asarray(cv2.resize(grain, (WIDTH, HEIGHT)), dtype=np.float32)
    canvas = np.asarray(_ink(rng)) + grain[..., None]
    return np.clip(canvas, 0, 255).astype(np.uint8)


def _seen(rng: Rng, plan: BgrImage, share: float = 0.75) -> BgrImage:
    """Return a flat thing as it lies on a table, from some side, with noise."""
    canvas = _ground(rng)
    height, width = plan.shape[:2]
    scale = share * min(WIDTH / width, HEIGHT / height)
    half = np.array([width, height]) * scale / 2
    turn = rng.normal(0, 0.25)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    outline = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * half @ spin.T
    outline *= 1 + rng.uniform(-0.25, 0.25) * outline[:, 1:] / HEIGHT
    target = outline + np.array([WIDTH / 2, HEIGHT / 2]) + rng.uniform(-20, 20, 2)
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    size = (WIDTH, HEIGHT)
    cv2.warpPerspective(
        plan, matrix, size, dst=canvas, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_AREA
    )
    noisy = cv2.GaussianBlur(canvas, (0, 0), 0.7) + rng.normal(0, 3, canvas.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def _squares(rng: Rng, n: int, pieces: bool) -> BgrImage:
    light, dark = _ink(rng), _ink(rng)
    cell = 480 // n
    plan = np.empty((n * cell + 60, n * cell + 60, 3), dtype=np.uint8)
    plan[:] = np.array(_ink(rng), dtype=np.uint8)
    for i in range(n):
        for j in range(n):
            spot = (30 + i * cell, 30 + j * cell)
            end = (spot[0] + cell - 1, spot[1] + cell - 1)
            cv2.rectangle(plan, spot, end, light if (i + j) % 2 else dark, -1)
            if pieces and rng.random() < 0.35:
                at = (spot[0] + cell // 2, spot[1] + cell // 2)
                ink = (230, 235, 235) if rng.random() < 0.5 else (35, 30, 30)
                cv2.circle(plan, at, int(cell * 0.4), ink, -1, cv2.LINE_AA)
    return _seen(rng, plan)


def _chess(rng: Rng) -> BgrImage:
    return _squares(rng, 8, pieces=False)


def _draughts(rng: Rng) -> BgrImage:
    return _squares(rng, int(rng.choice([8, 10])), pieces=True)


def _go(rng: Rng) -> BgrImage:
    n, cell = int(rng.choice([9, 13, 19])), 26
    plan = np.empty((n * cell, n * cell, 3), dtype=np.uint8)
    plan[:] = (90, 160, 205)
    for k in range(n):
        at = cell // 2 + k * cell
        cv2.line(plan, (at, cell // 2), (at, n * cell - cell // 2), (30, 40, 50), 1)
        cv2.line(plan, (cell // 2, at), (n * cell - cell // 2, at), (30, 40, 50), 1)
    for _ in range(int(rng.integers(5, 80))):
        at = (rng.integers(0, n, 2) * cell + cell // 2).tolist()
        ink = (235, 235, 235) if rng.random() < 0.5 else (25, 25, 25)
        cv2.circle(plan, at, int(cell * 0.45), ink, -1, cv2.LINE_AA)
    return _seen(rng, plan)


def _sunburst(rng: Rng) -> BgrImage:
    """Triangles from all sides to a middle: not a board's two rows."""
    plan = np.empty((420, 480, 3), dtype=np.uint8)
    plan[:] = np.array(_ink(rng), dtype=np.uint8)
    inks, n = [_ink(rng), _ink(rng)], int(rng.integers(10, 30))
    for k in range(n):
        a, b = 2 * np.pi * k / n, 2 * np.pi * (k + 0.6) / n
        far = np.array([[240 + 600 * np.cos(t), 210 + 600 * np.sin(t)] for t in (a, b)])
        shape = np.vstack([far, [[240, 210]]])
        cv2.fillPoly(plan, [np.rint(shape).astype(np.int32)], inks[k % 2], cv2.LINE_AA)
    return _seen(rng, plan)


def _piano(rng: Rng) -> BgrImage:
    plan = np.full((260, 600, 3), 235, dtype=np.uint8)
    for k in range(15):
        cv2.line(plan, (k * 40, 0), (k * 40, 260), (60, 60, 60), 2)
        if k % 7 not in (2, 6):
            cv2.rectangle(plan, (k * 40 + 28, 0), (k * 40 + 52, 160), (20, 20, 20), -1)
    return _seen(rng, plan, 0.9)


def _shelf(rng: Rng) -> BgrImage:
    plan = np.empty((420, 560, 3), dtype=np.uint8)
    plan[:] = (40, 60, 80)
    for top in (10, 220):
        x = 8
        while x < 530:
            wide, tall = int(rng.integers(12, 40)), int(rng.integers(120, 190))
            foot = top + 195
            cv2.rectangle(plan, (x, foot - tall), (x + wide, foot), _ink(rng), -1)
            x += wide + 2
    return _seen(rng, plan, 0.95)


def _room(rng: Rng) -> BgrImage:
    """A window, a door, a picture, a floor of planks."""
    canvas = _ground(rng)
    floor = int(HEIGHT * rng.uniform(0.55, 0.75))
    canvas[floor:] = np.array(_ink(rng), dtype=np.uint8)
    middle = WIDTH * rng.uniform(0.3, 0.7)
    for k in range(-12, 24):
        end = (round(middle + (k * 60 - middle) * 3), HEIGHT)
        cv2.line(canvas, (round(k * 60 + 100), floor), end, (40, 50, 60), 2, cv2.LINE_AA)
    for _ in range(3):
        x, y = int(rng.integers(20, 500)), int(rng.integers(20, floor - 100))
        wide, tall = int(rng.integers(60, 160)), int(rng.integers(50, 150))
        cv2.rectangle(canvas, (x, y), (x + wide, y + tall), _ink(rng), -1)
        cv2.rectangle(canvas, (x, y), (x + wide, y + tall), _ink(rng), 6)
        cv2.line(canvas, (x + wide // 2, y), (x + wide // 2, y + tall), _ink(rng), 4)
    noisy = canvas + rng.normal(0, 3, canvas.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def _harlequin(rng: Rng) -> BgrImage:
    """Diamonds and zigzags on cloth: slanting edges everywhere, but no two rows."""
    plan = np.empty((420, 480, 3), dtype=np.uint8)
    plan[:] = np.array(_ink(rng), dtype=np.uint8)
    ink, wide, tall = _ink(rng), int(rng.integers(24, 60)), int(rng.integers(40, 110))
    for y in range(-tall, 500, tall):
        for x in range(-wide, 540, wide):
            shape = np.array(
                [[x, y + tall // 2], [x + wide // 2, y], [x + wide, y + tall // 2],
                 [x + wide // 2, y + tall]]
            )  # fmt: skip
            cv2.fillPoly(plan, [shape.astype(np.int32)], ink, cv2.LINE_AA)
    return _seen(rng, plan, 0.9)


GAMES: Mapping[str, Callable[[Rng], BgrImage]] = {
    "chess": _chess,
    "draughts": _draughts,
    "go": _go,
    "sunburst": _sunburst,
    "piano": _piano,
    "shelf": _shelf,
    "room": _room,
    "harlequin": _harlequin,
}
