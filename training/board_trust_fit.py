"""Fit how far the board finder's evidence is to be trusted (`vision/board_finder_trust.py`).

python -m training.board_trust_fit --pictures 500 --seed 97 --frames FRAMES

FRAMES is a folder of labelled frames of the simulated table (`labels.jsonl` with
"board_corners"). The weights are those of a logistic regression: was the settled field right to
3 % of its diagonal? Half of the pictures are kept aside and only reported on.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from training.board_pictures import (
    CANVAS_PX,
    draw_ground,
    draw_other,
    draw_things,
    draw_whole,
    project,
)
from training.dice_backgrounds import lit, photographed
from vision.board_finder import settle_board
from vision.board_finder_trust import NAMES, as_row
from vision.cv import BgrImage

SIZE_PX = 2 * CANVAS_PX
RIGHT = 0.03
_RIDGE = 0.3
Array = npt.NDArray[np.float64]
UNIT = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]


def drawn(pictures: int, seed: int) -> Iterator[tuple[BgrImage, Array | None]]:
    """Yield drawn pictures with their corners, and one in three without a board."""
    for number in range(pictures):
        rng = np.random.default_rng([seed, number])
        if number % 3 == 0:
            canvas = draw_other(rng, draw_ground(rng, SIZE_PX))
            canvas = draw_things(rng, np.ascontiguousarray(canvas, np.float32))
            yield photographed(rng, lit(rng, canvas)), None
            continue
        whole = draw_whole(rng, SIZE_PX)
        x0, y0, x1, y1 = whole.box
        corners = None
        if whole.image_from_unit.any():
            corners = project(whole.image_from_unit, UNIT) - (x0, y0)
        yield np.ascontiguousarray(whole.bgr[y0:y1, x0:x1]), corners


def framed(folder: Path) -> Iterator[tuple[BgrImage, Array | None]]:
    """Yield labelled frames."""
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        bgr = cv2.imread(str(folder / row["file"]))
        if bgr is not None:
            yield np.asarray(bgr, np.uint8), np.array(row["board_corners"], np.float64)


def is_right(found: Array, truth: Array) -> bool:
    """Whether corners are right, from whichever end they are counted."""
    diagonal = np.linalg.norm(truth[2] - truth[0])
    ways = (np.linalg.norm(np.roll(found, k, axis=0) - truth, axis=1).max() for k in (0, 2))
    return bool(min(ways) <= RIGHT * diagonal)


def fit(rows: Array, right: Array) -> tuple[Array, float]:
    """Return weights and bias of a ridge logistic regression, by Newton's method."""
    x = np.column_stack([rows, np.ones(len(rows))])
    w = np.zeros(x.shape[1])
    ridge = np.diag([_RIDGE] * rows.shape[1] + [1e-6])
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(x @ w, -30, 30)))
        gradient = x.T @ (p - right) + ridge @ w
        curve = (x * (p * (1 - p))[:, None]).T @ x + ridge
        w = w - np.linalg.solve(curve, gradient)
    return w[:-1], float(w[-1])


def main() -> None:
    """Parse the command line, settle, fit, report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=500)
    parser.add_argument("--seed", type=int, default=97)
    parser.add_argument("--frames", type=Path)
    parser.add_argument("--keep", type=Path, help="keep the figures in this .npz")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rows, right, boards = [], [], []
    sources = [drawn(options.pictures, options.seed)]
    if options.frames:
        sources.append(framed(options.frames))
    for source in sources:
        for bgr, truth in source:
            settled = settle_board(bgr)
            whole = truth is not None and bool(
                ((truth > -2) & (truth < np.array(bgr.shape[1::-1]) + 1)).all()
            )
            boards.append(whole)
            good = settled is not None and not settled.cut and settled.plausible
            if settled is None or not good:
                rows.append(np.zeros(len(NAMES)))
                right.append(np.nan)
                continue
            rows.append(as_row(settled.evidence))
            right.append(float(truth is not None and is_right(settled.corners, truth)))
    x, y, whole_board = np.array(rows), np.array(right), np.array(boards)
    if options.keep:
        np.savez(options.keep, x=x, y=y, boards=whole_board)
    report(x, y, whole_board)


def report(x: Array, y: Array, boards: npt.NDArray[np.bool_]) -> None:
    """Fit on every other picture, report on the rest, print the weights of all."""
    usable = ~np.isnan(y)
    first = usable & (np.arange(len(y)) % 2 == 0)
    weights, bias = fit(x[first], y[first])
    rest = usable & ~first
    odds = 1 / (1 + np.exp(-(x[rest] @ weights + bias)))
    asked = int(boards[np.arange(len(y)) % 2 == 1].sum())
    for least in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        told = odds >= least
        print(
            f"from {least}: {int(y[rest][told].sum())} right, "
            f"{int((1 - y[rest][told]).sum())} wrong of {asked} boards"
        )
    weights, bias = fit(x[usable], y[usable])
    print({name: round(float(w), 2) for name, w in zip(NAMES, weights, strict=True)})
    print(f"bias {bias:.2f}")


if __name__ == "__main__":
    main()
