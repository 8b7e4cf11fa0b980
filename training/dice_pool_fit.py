"""Fit how much each reader of dice counts (`vision/dice_pool.py`): prints the weights.

    python -m training.dice_pool_fit --boards FOLDER [--photos FOLDER --sources kamil,chase]

Material that neither the seeker nor the judge was trained on: boards of another seed
(`training.dice_boards`), drawn tables, and photos of sources held out from the judge's
training. What is said of a spot is compared with the truth, and the weights are those that make
the truth most probable.
"""

import argparse
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np

from calibration.geometry import BoardGeometry
from calibration.homography import board_from_image
from training.dice_scene import make_scene
from vision.cv import BgrImage, as_u8
from vision.dice_pool import NO_DIE, PoolWeights, Spot, terms
from vision.dice_reader import DiceReaderSettings, spots_in_photo, spots_on_board
from vision.dice_seek import seek_dice

DOUBT = 0.004
"""Share of the spots whose truth is taken to be anything: no fit is surer than the labels."""
START = PoolWeights(0.5, 0.6, 0.7, 0.0, 1.0, 1.0, 0.0)
PULL = 5.0
"""How firmly the weights are held near `START`, in spots: drawn tables are easier
than real ones, and would make the readers too sure of themselves."""
SCENE_PX = 512


@dataclass(frozen=True, slots=True)
class Truth:
    """One labelled die; `value` None: not to be used."""

    x: float
    y: float
    reach_px: float
    value: int | None


def answers(spots: list[Spot], dice: list[Truth], complete: bool) -> list[int | None]:
    """Return what each spot holds, None where that is not known."""
    out: list[int | None] = []
    for spot in spots:
        near = [
            (math.dist(spot.center_px, (die.x, die.y)), k)
            for k, die in enumerate(dice)
            if math.dist(spot.center_px, (die.x, die.y)) < die.reach_px
        ]
        if near:
            out.append(dice[min(near)[1]].value)
        else:
            out.append(NO_DIE if complete else None)
    return out


def labelled(row: dict[str, object]) -> list[Truth]:
    """Return the dice of a row of labels."""
    dice = []
    listed, unread = row.get("dice") or [], row.get("unreadable") or []
    assert isinstance(listed, list)
    assert isinstance(unread, list)
    for die in [*listed, *unread]:
        box = die.get("box")
        center = die.get("centre") or (box[0] + box[2] / 2, box[1] + box[3] / 2)
        side = max(box[2:]) if box else 0.06 * float(str(row["width"]))
        value = None if die in unread or die.get("logo") else die.get("value")
        dice.append(Truth(float(center[0]), float(center[1]), 0.5 * side, value))
    return dice


def on_boards(folder: Path, settings: DiceReaderSettings) -> Iterator[tuple[Spot, int]]:
    """Yield the spots of drawn boards."""
    geometry = BoardGeometry()
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        bgr = as_u8(cv2.imread(str(folder / row["file"])))
        matrix = board_from_image(row["board_corners"], geometry.width_mm, geometry.height_mm)
        where = seek_dice(bgr, matrix, geometry, settings.seek)
        spots = spots_on_board(bgr, matrix, geometry, where, settings)
        yield from _known(spots, answers(spots, labelled(row), not row["hand"]))


def in_photos(
    folder: Path | None, sources: list[str], scenes: int, settings: DiceReaderSettings
) -> Iterator[tuple[Spot, int]]:
    """Yield the spots of photos and of drawn tables."""
    for bgr, dice, complete in _photos(folder, sources):
        spots = spots_in_photo(bgr, settings)
        yield from _known(spots, answers(spots, dice, complete))
    for number in range(scenes):
        drawn, dice = scene(number)
        spots = spots_in_photo(drawn, settings)
        yield from _known(spots, answers(spots, dice, True))


def scene(number: int) -> tuple[BgrImage, list[Truth]]:
    """Return one drawn table, larger than those trained on."""
    bgr, found = make_scene(np.random.default_rng([77, number]), SCENE_PX)
    return bgr, [
        Truth(
            label.box[0] + label.box[2] / 2,
            label.box[1] + label.box[3] / 2,
            0.5 * max(label.box[2:]),
            label.value if label.value > 0 else None,
        )
        for label in found
    ]


def _photos(
    folder: Path | None, sources: list[str]
) -> Iterator[tuple[BgrImage, list[Truth], bool]]:
    if folder is None:
        return
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if any(f"_{name}" in row["file"] for name in sources):
            bgr = as_u8(cv2.imread(str(folder / row["file"])))
            yield bgr, labelled(row), bool(row.get("complete", True))


def _known(spots: list[Spot], truth: list[int | None]) -> Iterator[tuple[Spot, int]]:
    for spot, answer in zip(spots, truth, strict=True):
        if answer is not None:
            yield spot, answer


def fit(material: list[tuple[Spot, int]], start: PoolWeights) -> PoolWeights:
    """Return the weights that make the truth most probable, by Adam."""
    x = terms([spot for spot, _ in material])
    y = np.array([answer for _, answer in material])
    names = [one.name for one in fields(PoolWeights)]
    first = np.array([getattr(start, name) for name in names])
    own = first.copy()
    mean, square = np.zeros_like(own), np.zeros_like(own)
    rows = np.arange(len(y))
    for step in range(1, 3001):
        logits = np.einsum("nka,k->na", x, own)
        p = np.exp(logits - logits.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        told = p[rows, y]
        # d(-log((1-DOUBT) p + DOUBT/8)): spots the readers cannot know pull but little.
        share = (1 - DOUBT) * told / ((1 - DOUBT) * told + DOUBT / 8)
        wanted = np.zeros_like(p)
        wanted[rows, y] = 1.0
        slope = np.einsum("na,nka->k", (p - wanted) * share[:, None], x) / len(y)
        slope += PULL * (own - first) / len(y)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        rate = 0.03 * 0.5 * (1 + math.cos(math.pi * step / 3000))
        own -= rate * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        own[:3] = np.maximum(own[:3], 0.0)
    return PoolWeights(*(round(float(value), 3) for value in own))


def report(material: list[tuple[Spot, int]], weights: PoolWeights, name: str) -> None:
    """Print the weights, and how often what they are sure of is right."""
    own = np.array([getattr(weights, one.name) for one in fields(PoolWeights)])
    logits = np.einsum("nka,k->na", terms([spot for spot, _ in material]), own)
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    y = np.array([answer for _, answer in material])
    values = p[:, 1:7]
    best, sure = values.argmax(axis=1) + 1, values.max(axis=1)
    print(f"{name}: {weights}")
    print(f"  {len(y)} spots, {(y > 0).sum()} dice")
    for low, high in ((0.5, 0.85), (0.85, 0.95), (0.95, 0.99), (0.99, 1.01)):
        told = (sure >= low) & (sure < high)
        right = told & (best == y)
        ghosts = told & (y == NO_DIE)
        span = f"{low:.2f}–{min(high, 1):.2f}"
        print(f"  {span}: {told.sum()}, right {right.sum()}, no die {ghosts.sum()}")


def main() -> None:
    """Collect, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=Path)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--sources", default="kamil,chase")
    parser.add_argument("--scenes", type=int, default=250)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    settings = DiceReaderSettings()
    if options.boards:
        material = list(on_boards(options.boards, settings))
        report(material, fit(material, START), "BOARD_WEIGHTS")
    if options.scenes or options.photos:
        sources = options.sources.split(",")
        material = list(in_photos(options.photos, sources, options.scenes, settings))
        report(material, fit(material, START), "PHOTO_WEIGHTS")


if __name__ == "__main__":
    main()
