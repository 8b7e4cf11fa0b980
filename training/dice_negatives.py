"""Count the dice that are seen for sure where there are none.

    python -m training.dice_negatives --pictures 60

Draws hands, cups, phones, score cards, doubling cubes and empty boards (tests/support); with
scikit-image installed its photographs are looked at as well.
"""

import argparse
import importlib

import cv2
import numpy as np

from calibration.geometry import BoardGeometry
from calibration.homography import board_from_image
from table.render import render
from table.truth import corners_px
from tests.support.not_dice import KINDS, board_scene, picture
from tests.vision.test_negatives import REAL
from vision.cv import BgrImage, as_u8
from vision.dice_reader import read_dice, read_dice_on_board
from vision.observation import DieReading

FIRST_SEED = 1000
"""The test suite draws the seeds below."""


def sure(dice: tuple[DieReading, ...]) -> int:
    """Return how many numbers were told."""
    return sum(die.value is not None for die in dice)


def board(seed: int) -> tuple[DieReading, ...]:
    """Look at an empty board whose corners are known."""
    scene = board_scene(seed, with_hand=seed % 3 == 0)
    geometry = BoardGeometry()
    matrix = board_from_image(corners_px(scene), geometry.width_mm, geometry.height_mm)
    return read_dice_on_board(render(scene), matrix, geometry)


def real_pictures() -> dict[str, BgrImage]:
    """Return scikit-image's own pictures, none where it is not installed."""
    try:
        data = importlib.import_module("skimage.data")
    except ImportError:
        return {}
    out = {}
    for name in REAL:
        rgb = np.asarray(getattr(data, name)())
        if rgb.ndim == 2:
            rgb = np.stack([rgb] * 3, axis=2)
        out[name] = as_u8(np.ascontiguousarray(rgb[..., 2::-1]))
    return out


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=60, help="of each kind")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    seeds = range(FIRST_SEED, FIRST_SEED + options.pictures)
    print(f"{'kind':26} pictures  with a die  dice")
    for kind in KINDS:
        told = [sure(read_dice(picture(kind, seed))) for seed in seeds]
        print(f"{kind:26} {len(told):8} {sum(n > 0 for n in told):11} {sum(told):5}")
    told = [sure(board(seed)) for seed in seeds]
    name = "empty board, field known"
    print(f"{name:26} {len(told):8} {sum(n > 0 for n in told):11} {sum(told):5}")
    real = {name: sure(read_dice(bgr)) for name, bgr in real_pictures().items()}
    told = list(real.values())
    print(f"{'scikit-image':26} {len(told):8} {sum(n > 0 for n in told):11} {sum(told):5}")
    for name, count in real.items():
        if count:
            print(f"  {name}: {count}")


if __name__ == "__main__":
    main()
