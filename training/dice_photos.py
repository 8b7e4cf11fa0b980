"""Crops of labelled real photos, read in place and never copied into the repository.

Only photos under MIT or Apache-2.0 may be used; a photo trained on is never scored again.
"""

import json
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from training.dice_backgrounds import Rng, photographed
from training.dice_scene import MAX_EDGE_PX
from vision.cv import BgrImage, as_f32, as_u8

ALLOWED_SOURCES = ("azbes", "damian", "kamil", "matteo", "chase")
"""Sources of the measuring data that carry a licence for training."""
EDGE_OF_BOX = 0.85
"""A die's box is its outline, turned and with its sides; its edge is somewhat shorter."""
BOX_OF_PIPS = 1.9


@dataclass(frozen=True, slots=True)
class Photo:
    """One photo and its dice as (x, y, box x, y, w, h, value)."""

    bgr: BgrImage
    dice: tuple[tuple[float, ...], ...]
    complete: bool


class PhotoLibrary:
    """All photos of some sources."""

    def __init__(self, folder: Path, sources: tuple[str, ...]) -> None:
        unknown = set(sources) - set(ALLOWED_SOURCES)
        if unknown:
            raise ValueError(f"not to be trained on: {sorted(unknown)}")
        self._by_source: list[list[Photo]] = []
        lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
        for source in sources:
            own = [row for row in rows if Path(row["file"]).stem.endswith(f"_{source}")]
            self._by_source.append([_photo(folder, row) for row in own])

    def crop(
        self, rng: Rng, size: int, as_background: bool
    ) -> tuple[BgrImage, list[list[float]]]:
        """Return a window of a random photo, dice at a findable size, and its label rows.

        Args:
            rng: all chance comes from here.
            size: width and height of the window.
            as_background: any window, as it is, rather than one around a die with a camera's
                faults added.
        """
        photos = self._by_source[int(rng.integers(len(self._by_source)))]
        photo = photos[int(rng.integers(len(photos)))]
        edges = [EDGE_OF_BOX * max(die[4], die[5]) for die in photo.dice]
        typical = float(np.median(edges)) if edges else 40.0
        target = math.exp(rng.uniform(math.log(13), math.log(40)))
        if rng.random() < 0.12:
            # Too large to be found at this scale: what looks like a die in it is a pip.
            target = rng.uniform(1.4 * MAX_EDGE_PX, 150)
        scale = target / typical
        height, width = photo.bgr.shape[:2]
        around = photo.dice[int(rng.integers(len(photo.dice)))][:2] if photo.dice else (0, 0)
        if as_background:
            around = (rng.uniform(0, width), rng.uniform(0, height))
        turn = rng.normal(0, 8)
        matrix = cv2.getRotationMatrix2D((float(around[0]), float(around[1])), turn, scale)
        matrix[:, 2] += rng.uniform(0.2, 0.8, 2) * size - np.array(around)
        source = photo.bgr
        if scale < 0.6:
            source = as_u8(cv2.GaussianBlur(source, (0, 0), 0.45 / scale))
        edge = source[0, 0].tolist()
        crop = as_u8(
            cv2.warpAffine(
                source, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=edge
            )
        )
        rows = [_mapped(die, matrix, scale, size) for die in photo.dice]
        rows = [row for row in rows if -30 < row[0] < size + 30 and -30 < row[1] < size + 30]
        if not photo.complete:
            rows.append([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, -2.0, 0.0, 1.0])
        if as_background:
            return crop, rows
        if rng.random() < 0.5:
            crop = as_u8(crop[:, ::-1].copy())
            for row in rows:
                row[0], row[2] = size - 1 - row[0], size - 1 - row[2] - row[4]
        return photographed(rng, as_f32(crop)), rows


def _photo(folder: Path, row: dict[str, object]) -> Photo:
    bgr = as_u8(cv2.imread(str(folder / str(row["file"])), cv2.IMREAD_COLOR))
    dice = []
    known = True
    listed = row["dice"]
    unread = row.get("unreadable") or []
    assert isinstance(listed, list)
    assert isinstance(unread, list)
    for die in [*listed, *unread]:
        box = die.get("box")
        if box is None:
            x, y, width, height = die["pips_box"]
            side = BOX_OF_PIPS * max(width, height)
            box = (x + width / 2 - side / 2, y + height / 2 - side / 2, side, side)
        center = die.get("centre") or (box[0] + box[2] / 2, box[1] + box[3] / 2)
        value = -1 if die in unread or die.get("logo") else die["value"] or 0
        dice.append((float(center[0]), float(center[1]), *map(float, box), float(value)))
    known = bool(row.get("complete", True)) or bool(unread)
    return Photo(bgr, tuple(dice), known)


def _mapped(die: tuple[float, ...], matrix: np.ndarray, scale: float, size: int) -> list[float]:
    x, y = matrix[:, :2] @ np.array(die[:2]) + matrix[:, 2]
    middle = np.array([die[2] + die[4] / 2, die[3] + die[5] / 2])
    box_x, box_y = matrix[:, :2] @ middle + matrix[:, 2]
    width, height = die[4] * scale, die[5] * scale
    edge = EDGE_OF_BOX * max(width, height)
    reach = 0.42 * edge
    inside = reach <= x <= size - reach and reach <= y <= size - reach
    value = die[6] if inside or edge > MAX_EDGE_PX else -1.0
    left, top = box_x - width / 2, box_y - height / 2
    return [float(x), float(y), float(left), float(top), width, height, value, math.nan, edge]
