"""Write shards of labelled training pictures.

python -m training.dice_generate OUT --pictures 20000 --seed 1 [--photos DICE_FOLDER]
"""

import argparse
import zlib
from pathlib import Path

import cv2
import numpy as np

from training.dice_photos import PhotoLibrary
from training.dice_scene import make_scene
from vision.cv import BgrImage

SIZE = 192
SHARD = 500
MAX_DICE = 24


def write_shard(
    out: Path, shard: int, seed: int, photos: PhotoLibrary | None, only_photos: bool
) -> None:
    """Draw one shard; its content depends on seed and shard number alone."""
    rng = np.random.default_rng([seed, shard])
    pictures = np.zeros((SHARD, SIZE, SIZE, 3), np.uint8)
    labels = np.full((SHARD, MAX_DICE, 9), np.nan, np.float32)
    for i in range(SHARD):
        pictures[i], rows = _picture(rng, photos, only_photos)
        for k, row in enumerate(rows[:MAX_DICE]):
            labels[i, k] = row
    name = out / f"shard_{shard:04d}.npz"
    part = name.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, pictures=pictures, labels=labels)
    part.rename(name)
    print(name.name, f"crc32 {zlib.crc32(pictures.tobytes()):08x}", flush=True)


def _picture(
    rng: np.random.Generator, photos: PhotoLibrary | None, only_photos: bool
) -> tuple[BgrImage, list[list[float]]]:
    if photos is not None and only_photos:
        return photos.crop(rng, SIZE, as_background=False)
    background = None
    if photos is not None and rng.random() < 0.12:
        # Drawn dice on a real table, but never over real dice.
        bgr, rows = photos.crop(rng, SIZE, as_background=True)
        background = None if rows else bgr
    bgr, scene = make_scene(rng, SIZE, background)
    return bgr, [label.row() for label in scene]


def main() -> None:
    """Parse the command line and write the shards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pictures", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first shard")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--photos", type=Path, help="folder of labelled photos, read in place")
    parser.add_argument("--sources", default="", help="comma-separated photo sources to use")
    parser.add_argument("--only-photos", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    photos = None
    if options.photos is not None:
        photos = PhotoLibrary(options.photos, tuple(options.sources.split(",")))
    for shard in range(options.first, options.first + -(-options.pictures // SHARD)):
        if not (options.out / f"shard_{shard:04d}.npz").exists():
            write_shard(options.out, shard, options.seed, photos, options.only_photos)


if __name__ == "__main__":
    main()
