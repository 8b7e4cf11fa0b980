"""Write labelled frames of simulated boards: for training the seeker and for setting limits.

    python -m training.dice_boards OUT --boards 120 --seed 1

Frames and `labels.jsonl` look like the measuring data; every third board has clutter on it
(phones, latches, cards), every third throw is void in one of the simulated table's ways.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout
from table.looks import random_board, random_camera, random_light
from table.render import render
from table.scene import Hand, Scene
from table.throws import VOID_KINDS, throw
from table.truth import Json, labels
from table.world import Board, Position, WorldError, set_up
from training.dice_backgrounds import Rng
from training.dice_clutter import clutter
from vision.cv import BgrImage

THROWS = 3


def random_position(rng: Rng) -> Position:
    """Return some middle game: up to fifteen a side on points drawn at random."""
    places = rng.permutation(np.arange(1, 25))
    points: dict[str, str] = {}
    off = {}
    for side, own in (("w", places[:9]), ("b", places[9:18])):
        left = 15
        for place in own[: int(rng.integers(3, 10))]:
            count = int(min(left, rng.integers(1, 6)))
            if count:
                points[str(int(place))] = f"{side}{count}"
            left -= count
        off[side] = left
    return {"points": points, "off": off}


def board_scenes(rng: Rng) -> tuple[Board, list[Scene]]:
    """Return one board in one light from one camera, with several throws; maybe a hand."""
    geometry = BoardGeometry()
    look = random_board(rng)
    board = Board(look, BoardLayout.of("top_right"), geometry)
    discs = set_up(board, random_position(rng), rng)
    scene = Scene(
        look,
        discs=discs,
        camera=random_camera(rng),
        light=random_light(rng),
        noise=float(rng.uniform(0.5, 2.2)),
        blur_px=float(rng.uniform(0.4, 1.0)),
        exposure=float(rng.uniform(0.75, 1.15)),
    )
    scenes = [scene]
    for _ in range(THROWS):
        values = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
        kind = VOID_KINDS[int(rng.integers(len(VOID_KINDS)))] if rng.random() < 0.33 else None
        try:
            dice = throw(board, values, discs, rng, kind)
        except WorldError:
            continue
        hand = None
        if rng.random() < 0.2:
            x, y = rng.uniform(0, geometry.width_mm), rng.uniform(0, geometry.height_mm)
            hand = Hand(float(x), float(y), lean_deg=float(rng.normal(0, 8)))
        seed = int(rng.integers(1_000_000))
        scenes.append(replace(scene, dice=dice, hand=hand, noise_seed=seed))
    return board, scenes


def _littered(rng: Rng, bgr: BgrImage) -> BgrImage:
    """Return an empty board with clutter the size of dice on and beside it."""
    littered = bgr.copy()
    for _ in range(int(rng.integers(2, 7))):
        clutter(rng, littered, float(rng.uniform(15, 34)))
    return littered


def write_boards(out: Path, first: int, count: int, seed: int) -> None:
    """Write frames of some boards; a board depends on the seed and its number alone."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / "labels.jsonl").open("a", encoding="utf-8") as file:
        for number in range(first, first + count):
            rng = np.random.default_rng([seed, number])
            board, scenes = board_scenes(rng)
            for k, scene in enumerate(scenes):
                bgr = render(scene)
                if k == 0 and number % 3 == 0:
                    bgr = _littered(rng, bgr)
                name = f"{number:04d}_{k}.jpg"
                quality = int(rng.integers(70, 97))
                cv2.imwrite(str(out / name), bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
                row: dict[str, Json] = {"file": name, "source": "drawn", "group": "drawn"}
                row |= labels(board, scene)
                file.write(json.dumps(row) + "\n")
            file.flush()


def main() -> None:
    """Parse the command line and write the frames."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--boards", type=int, default=120)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    write_boards(options.out, options.first, options.boards, options.seed)


if __name__ == "__main__":
    main()
