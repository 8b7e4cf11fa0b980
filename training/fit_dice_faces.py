"""Fit the two small networks that weigh faces of dice (`vision/dice_score.py`).

    python -m training.fit_dice_faces --scenes 450 --photos FOLDER --sources azbes,damian

Material: drawn scenes (`training/pip_scenes.py`) and, where a folder with `labels.jsonl` is
given, its photos of the named sources. A source used here must not be scored on afterwards.
Writes `vision/dice_weights.py` and `vision/dice_context_weights.py`.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from training.pip_scenes import draw_scene
from vision.cv import BgrImage
from vision.dice import DiceSettings, resized
from vision.dice_outline import lattice_unit
from vision.dice_read import MIN_LIKELY, Candidates, face_candidates
from vision.dice_score import context_features
from vision.frame import read_image
from vision.pips import FloatArray

FIRST_SEED = 1000
FOLDS = 4
LONE_HIDDEN, CONTEXT_HIDDEN = 16, 12
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Truth:
    """One labelled die."""

    value: int | None
    center_px: tuple[float, float]
    side_px: float
    exact: bool
    """Whether the side is known, not guessed."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One picture's candidates: 1.0 right, 0.0 wrong, -1.0 not to be used."""

    found: Candidates
    truth: FloatArray


def scenes(count: int) -> Iterator[tuple[BgrImage, list[Truth], bool, float]]:
    """Yield drawn pictures, their dice, completeness, and the centre's tolerance in sides."""
    for seed in range(count):
        picture, dice = draw_scene(FIRST_SEED + seed)
        yield picture, [Truth(d.value, d.center_px, d.side_px, True) for d in dice], True, 0.2


def photos(
    folder: Path, sources: list[str]
) -> Iterator[tuple[BgrImage, list[Truth], bool, float]]:
    """Yield labelled photos of the named sources; their centres are of the whole die."""
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if not any(f"_{name}" in row["file"] for name in sources):
            continue
        dice = []
        for die in row["dice"]:
            box = die.get("box")
            center = die.get("centre") or (box[0] + box[2] / 2, box[1] + box[3] / 2)
            side = max(box[2:]) if box else 0.09 * row["width"]
            dice.append(Truth(die.get("value"), tuple(center), side, bool(box)))
        yield read_image(folder / row["file"]), dice, row.get("complete", True), 0.33


def example(
    picture: BgrImage, dice: list[Truth], complete: bool, tolerance: float
) -> Example | None:
    """Find a picture's candidates and compare each with the truth."""
    settings = DiceSettings()
    working, scale = resized(picture, settings)
    found = face_candidates(working, settings.read)
    if found is None:
        return None
    center, unit = found.faces.center / scale, lattice_unit(found.faces) / scale
    truth = np.zeros(len(unit))
    owned = np.zeros(len(unit), dtype=bool)
    for die in dice:
        apart = np.hypot(*(center - np.array(die.center_px)).T) / die.side_px
        size = unit / die.side_px
        fits = (found.faces.value == die.value) & (apart < tolerance)
        if die.exact:
            fits &= (size > 0.12) & (size < 0.4)
        truth[fits] = 1.0
        owned |= apart < 0.5
    if not complete:
        truth[(truth == 0) & ~owned] = -1.0
    return Example(found, truth)


Layers = list[FloatArray]


def predict(layers: Layers, x: FloatArray) -> FloatArray:
    """Return the network's probabilities."""
    hidden = np.tanh(x @ layers[0] + layers[1])
    return np.asarray(1 / (1 + np.exp(-(hidden @ layers[2] + layers[3]))))


def fit(
    x: FloatArray, y: FloatArray, hidden: int, epochs: int, decay: float, seed: int = 0
) -> Layers:
    """Fit one hidden layer by Adam with a cosine schedule and a little input noise."""
    rng = np.random.default_rng(seed)
    n, d = x.shape
    layers: Layers = [
        rng.normal(0, 0.25, (d, hidden)),
        np.zeros(hidden),
        rng.normal(0, 0.25, hidden),
        np.array([-3.0]),
    ]
    mean = [np.zeros_like(p) for p in layers]
    square = [np.zeros_like(p) for p in layers]
    step = 0
    for epoch in range(epochs):
        order = rng.permutation(n)
        rate = 4e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 1e-5
        for start in range(0, n, 256):
            rows = order[start : start + 256]
            noisy = x[rows] + rng.normal(0, 0.03, (len(rows), d))
            h = np.tanh(noisy @ layers[0] + layers[1])
            p = 1 / (1 + np.exp(-(h @ layers[2] + layers[3])))
            error = (p - y[rows]) / len(rows)
            back = error[:, None] * layers[2] * (1 - h * h)
            slopes = [
                noisy.T @ back + decay * layers[0],
                back.sum(axis=0),
                h.T @ error + decay * layers[2],
                np.array([error.sum()]),
            ]
            step += 1
            for k, slope in enumerate(slopes):
                mean[k] = 0.9 * mean[k] + 0.1 * slope
                square[k] = 0.999 * square[k] + 0.001 * slope**2
                unbiased = np.sqrt(square[k] / (1 - 0.999**step)) + 1e-8
                layers[k] = layers[k] - rate * mean[k] / (1 - 0.9**step) / unbiased
    return layers


def train(examples: list[Example], epochs: int) -> tuple[Layers, Layers]:
    """Fit both networks; the second sees the first's answers on pictures new to it."""
    fold = np.random.default_rng(1).integers(0, FOLDS, len(examples))
    x = np.concatenate([e.found.features for e in examples])
    y = np.concatenate([e.truth for e in examples])
    of = np.concatenate([np.full(len(e.truth), f) for e, f in zip(examples, fold, strict=True)])
    unseen = np.zeros(len(y))
    for k in range(FOLDS):
        rows = (y >= 0) & (of != k)
        layers = fit(x[rows], y[rows], LONE_HIDDEN, epochs, 3e-4, seed=k)
        unseen[of == k] = predict(layers, x[of == k])
    alone = fit(x[y >= 0], y[y >= 0], LONE_HIDDEN, epochs, 3e-4)
    parts = []
    start = 0
    for e in examples:
        p = unseen[start : start + len(e.truth)]
        start += len(e.truth)
        found = e.found
        parts.append(
            context_features(found.faces, found.outline, found.traits, found.pip_key, p)
        )
    both = np.column_stack([x, np.concatenate(parts)])
    rows = (y >= 0) & (unseen > MIN_LIKELY)
    return alone, fit(both[rows], y[rows], CONTEXT_HIDDEN, 2 * epochs, 1e-3)


def write(layers: Layers, path: Path, name: str, about: str) -> None:
    """Write one network as a Python table."""
    hidden = len(layers[1])
    last = np.zeros(hidden)
    last[0] = layers[3][0]
    table = np.vstack([layers[0], layers[1], layers[2], last])
    lines = [
        f'"""The fitted weights of {about}: data, not code.',
        "",
        "Made by training/fit_dice_faces.py; one row per feature, then the biases (see",
        '`Weights`).\n"""',
        "",
        "from vision.dice_score import Weights",
        "",
        "# fmt: off",
        f"{name} = Weights([",
    ]
    for row in table:
        words = [f"{round(float(value), 3):g}" for value in row]
        lines += ["    [" + ", ".join(words[:8]) + ",", "     " + ", ".join(words[8:]) + "],"]
    path.write_text("\n".join([*lines, "])", "# fmt: on", ""]), "utf-8")


def main() -> None:
    """Collect, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=450)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--sources", default="azbes,damian,kamil,matteo,chase")
    parser.add_argument("--epochs", type=int, default=40)
    a = parser.parse_args()
    material = list(scenes(a.scenes))
    if a.photos:
        material += photos(a.photos, a.sources.split(","))
    examples = [e for m in material if (e := example(*m)) is not None]
    print(f"{len(examples)} pictures, {sum(int((e.truth == 1).sum()) for e in examples)} faces")
    alone, beside = train(examples, a.epochs)
    write(alone, ROOT / "vision/dice_weights.py", "WEIGHTS", "a face by itself")
    write(
        beside,
        ROOT / "vision/dice_context_weights.py",
        "CONTEXT_WEIGHTS",
        "a face beside the others of its picture",
    )


if __name__ == "__main__":
    main()
