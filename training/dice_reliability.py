"""Draw how far the confidence of dice can be trusted, and print it as a table.

    python -m training.dice_reliability --dice FOLDER --boards FOLDER --out docs/images/…png

Asks the project's own command about labelled photos, read in place, and compares how sure it
said it was with how often it was right. Photos of sources that any part was trained on are left
out; a die where none lies counts as a wrong answer.
"""

import argparse
import json
import math
import re
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from training.dice_photos import ALLOWED_SOURCES
from vision.cv import BgrImage

EDGES = (0.7, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995, 1.0)
"""Answers are grouped between these; below the first no number is told."""
_SIZE, _LEFT, _TOP, _PLOT = (620, 560), 80, 60, 420
_INK, _PALE, _BAR = (40, 40, 40), (205, 205, 205), (180, 120, 60)


KINDS = ("dark-die", "translucent", "red-one", "on-board", "blur", "glare", "hard-shadow")
"""Tags of the photos' notes that are told apart."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One number told."""

    confidence: float
    right: bool


def ask(
    folder: Path, rows: list[dict[str, object]], dice_only: bool
) -> list[dict[str, object]]:
    """Return what `zarbiter see` answers."""
    requests = [
        {
            "image": str((folder / str(row["file"])).resolve()),
            "corners": None if dice_only else row.get("board_corners"),
            "dice_only": dice_only,
            "profile": None,
        }
        for row in rows
    ]
    command = [sys.executable, "-m", "zarbiter", "see", "--json", "--requests", "-"]
    lines = "\n".join(json.dumps(one) for one in requests) + "\n"
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def answers_of(row: dict[str, object], answer: dict[str, object]) -> list[Answer]:
    """Compare the numbers told of one picture with its labels, as the scorer does."""
    seen = answer.get("dice") or []
    listed = [*_dice(row.get("dice")), *_dice(row.get("unreadable"))]
    assert isinstance(seen, list)
    left = [die for die in seen if die["value"] is not None]
    out = []
    for die in listed:
        box = die.get("box")
        at = die.get("centre") or (box and (box[0] + box[2] / 2, box[1] + box[3] / 2))
        if not at:
            continue
        reach = 0.03 * float(str(row["width"]))
        if box:
            reach = max(reach, 0.5 * max(box[2:]))
        near = [(math.dist(at, one["center_px"]), k) for k, one in enumerate(left)]
        near = [one for one in near if one[0] <= reach]
        if not near:
            continue
        told = left.pop(min(near)[1])
        if die.get("value") is not None and not die.get("logo"):
            out.append(Answer(told["confidence"], told["value"] == die["value"]))
    if row.get("complete", True):
        out += [Answer(one["confidence"], False) for one in left]
    return out


def tags_of(row: dict[str, object]) -> list[str]:
    """Return the tags at the start of a picture's notes."""
    found = re.match(r"\[([^\]]*)\]", str(row.get("notes", "")))
    return [one.strip() for one in found.group(1).split(",")] if found else []


def by_kind(rows: list[dict[str, object]], answers: list[dict[str, object]]) -> str:
    """Return how many dice are read right, by the tags of their pictures, as a table."""
    lines = ["| kind | dice | right | wrong |", "| --- | --- | --- | --- |"]
    for kind in KINDS:
        asked = right = wrong = 0
        for row, answer in zip(rows, answers, strict=True):
            if kind not in tags_of(row):
                continue
            asked += sum(
                die.get("value") is not None and not die.get("logo")
                for die in _dice(row.get("dice"))
            )
            told = answers_of({**row, "complete": False}, answer)
            right += sum(one.right for one in told)
            wrong += sum(not one.right for one in told)
        if asked:
            share = f"{right} ({100 * right / asked:.1f} %)"
            lines.append(f"| {kind} | {asked} | {share} | {wrong} |")
    return "\n".join(lines)


def _dice(listed: object) -> list[dict[str, object]]:
    return listed if isinstance(listed, list) else []


def grouped(answers: list[Answer]) -> list[tuple[float, float, list[Answer]]]:
    """Return (low, high, answers) of each group of confidence."""
    out = []
    for low, high in pairwise(EDGES):
        last = high == EDGES[-1]
        own = [a for a in answers if low <= a.confidence and (a.confidence < high or last)]
        out.append((low, high, own))
    return out


def interval(right: int, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson)."""
    if not count:
        return 0.0, 1.0
    z, share = 1.96, right / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    spread = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    spread /= 1 + z * z / count
    return max(0.0, middle - spread), min(1.0, middle + spread)


def table(answers: list[Answer]) -> str:
    """Return the groups as a table for the documentation."""
    lines = ["| told with | answers | right | mean confidence | 95 % interval of the truth |"]
    lines.append("| --- | --- | --- | --- | --- |")
    for low, high, own in grouped(answers):
        if not own:
            continue
        right = sum(a.right for a in own)
        mean = sum(a.confidence for a in own) / len(own)
        least, most = interval(right, len(own))
        lines.append(
            f"| {low:g}–{high:g} | {len(own)} | {right} ({100 * right / len(own):.1f} %) "
            f"| {100 * mean:.1f} % | {100 * least:.1f}–{100 * most:.1f} % |"
        )
    return "\n".join(lines)


def plot(answers: list[Answer]) -> BgrImage:
    """Draw the groups: how sure it was along x, how often right along y, on stretched axes."""
    canvas = np.full((_SIZE[1], _SIZE[0], 3), 255, np.uint8)
    for value in (0.8, *EDGES[:-1], 0.999):
        x, y = _place(value), _TOP + _PLOT - (_place(value) - _LEFT)
        cv2.line(canvas, (x, _TOP), (x, _TOP + _PLOT), _PALE, 1)
        cv2.line(canvas, (_LEFT, y), (_LEFT + _PLOT, y), _PALE, 1)
        _write(canvas, f"{value:g}", (x - 14, _TOP + _PLOT + 20))
        _write(canvas, f"{value:g}", (_LEFT - 48, y + 5))
    cv2.line(canvas, (_LEFT, _TOP + _PLOT), (_LEFT + _PLOT, _TOP), _INK, 1, cv2.LINE_AA)
    for _, _, own in grouped(answers):
        if not own:
            continue
        right = sum(a.right for a in own)
        x = _place(sum(a.confidence for a in own) / len(own))
        least, most = interval(right, len(own))
        low, high = (_TOP + _PLOT - (_place(v) - _LEFT) for v in (least, most))
        y = _TOP + _PLOT - (_place(right / len(own)) - _LEFT)
        cv2.line(canvas, (x, low), (x, high), _BAR, 2, cv2.LINE_AA)
        cv2.circle(canvas, (x, y), 5, _BAR, -1, cv2.LINE_AA)
        _write(canvas, f"{right}/{len(own)}", (x + 8, y + 16))
    _write(canvas, "Dice in photos never trained on: how sure, and how often right", (60, 30))
    _write(canvas, "confidence told", (_LEFT + _PLOT // 2 - 60, _TOP + _PLOT + 45))
    _write(canvas, "share right (bars: 95 %)", (8, _TOP - 12))
    return canvas


def _place(value: float) -> int:
    """Return where a share lies on the axis: the log of its odds, 0.65 to 0.9995."""
    clipped = min(max(value, 0.65), 0.9995)
    low, high = (math.log(v / (1 - v)) for v in (0.65, 0.9995))
    return _LEFT + round((math.log(clipped / (1 - clipped)) - low) / (high - low) * _PLOT)


def _write(canvas: BgrImage, words: str, at: tuple[int, int]) -> None:
    cv2.putText(canvas, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.42, _INK, 1, cv2.LINE_AA)


def main() -> None:
    """Ask, compare, draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dice", type=Path, help="photos of dice, no board")
    parser.add_argument("--boards", type=Path, help="photos of boards with their corners")
    parser.add_argument("--out", type=Path, help="where the plot goes")
    options = parser.parse_args()
    answers: list[Answer] = []
    for folder, dice_only in ((options.dice, True), (options.boards, False)):
        if folder is None:
            continue
        text = (folder / "labels.jsonl").read_text("utf-8")
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        if dice_only:
            trained = tuple(f"_{name}" for name in ALLOWED_SOURCES)
            rows = [row for row in rows if not Path(row["file"]).stem.endswith(trained)]
        told = ask(folder, rows, dice_only)
        for row, answer in zip(rows, told, strict=True):
            answers += answers_of(row, answer)
        if dice_only:
            print(by_kind(rows, told) + "\n")
    print(f"{len(answers)} numbers told, {sum(a.right for a in answers)} right\n")
    print(table(answers))
    if options.out:
        cv2.imwrite(str(options.out), plot(answers))


if __name__ == "__main__":
    main()
