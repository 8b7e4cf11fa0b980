"""Write shards of labelled crops.

python -m training.lie_generate OUT --poses POSES.npz [POSES.npz …] --shards 40 --seed 1
"""

import argparse
import time
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

from training.lie_physics import tilt_deg
from training.lie_scene import (
    Rest,
    Textures,
    beside,
    cropped,
    kind_of,
    photographed,
    shoot,
)

PER_SHARD = 1000
LOOKS = 2
"""Crops of each traced picture, through different cameras and finders."""
SHARES = {"tilted": 0.42, "raised": 0.13, "touching": 0.18, "near": 0.15, "alone": 0.12}
TEXTURES = 150


class Rests:
    """All resting dice, by kind."""

    def __init__(self, paths: list[Path]) -> None:
        self._rests: list[Rest] = []
        self.kinds: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for path in paths:
            with np.load(path) as data:
                packed = {name: data[name] for name in data.files}
            for i in range(len(packed["edge"])):
                walls, checkers = packed["walls"][i], packed["checkers"][i]
                real = ~np.isnan(checkers[:, 0])
                rest = Rest(
                    float(packed["edge"][i]),
                    walls[~np.isnan(walls[:, 0])].astype(np.float64),
                    checkers[real].astype(np.float64),
                    packed["dark"][i][real],
                    packed["poses"][i].astype(np.float64),
                    packed["labels"][i].astype(np.int64),
                )
                self._rests.append(rest)
                for die in np.flatnonzero(rest.labels[:, 2]).tolist():
                    self.kinds[kind_of(rest, die)].append((len(self._rests) - 1, die))

    def draw(self, rng: np.random.Generator) -> tuple[Rest, int]:
        """Return a place and one of its dice."""
        kind = str(rng.choice(list(SHARES), p=list(SHARES.values())))
        if kind == "touching" and rng.random() < 0.85:
            for _ in range(20):
                placed = beside(self._rests[int(rng.integers(len(self._rests)))], rng)
                if placed is not None:
                    return placed, 0
        held = self.kinds[kind]
        number, die = held[int(rng.integers(len(held)))]
        return self._rests[number], die


def shard(
    rests: Rests, rng: np.random.Generator, textures: Textures
) -> tuple[np.ndarray, np.ndarray]:
    """Return (N, 64, 64, 3) crops and (N, 9) facts.

    Slant, tilt, touched, on, size, edge, and the outline's middle and log size in the crop.
    """
    crops, facts = [], []
    while len(crops) < PER_SHARD:
        rest, die = rests.draw(rng)
        shot = shoot(rest, die, rng, textures)
        touched, on, _ = rest.labels[die]
        tilt = tilt_deg(rest.poses[die, 3:])
        for _ in range(LOOKS):
            shown, slant, outline = cropped(shot, photographed(shot, rng), rng)
            crops.append(shown)
            facts.append((slant, tilt, touched, on, shot.size, rest.edge_mm, *outline))
    return np.stack(crops), np.array(facts, np.float32)


def main() -> None:
    """Parse the command line and write shards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--poses", type=Path, nargs="+", required=True)
    parser.add_argument("--shards", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    rests = Rests(options.poses)
    print({kind: len(held) for kind, held in rests.kinds.items()}, flush=True)
    for number in range(options.first, options.first + options.shards):
        rng = np.random.default_rng((options.seed, number))
        started = time.monotonic()
        crops, facts = shard(rests, rng, Textures(rng, TEXTURES))
        np.savez(options.out / f"shard_{number:04d}.npz", crops=crops, facts=facts)
        print(f"shard {number}: {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
