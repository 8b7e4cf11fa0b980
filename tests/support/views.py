"""Boards of the simulated table as a camera sees them, with their truth; kept once made."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout
from table.looks import LOOKS
from table.render import render
from table.scene import Camera, Light, Scene
from table.truth import corners_px
from table.world import Board, point_counts, set_up
from vision.cv import BgrImage
from vision.observation import Corners

LONG = {"points": {"24": "w15", "12": "b15"}, "off": {"w": 0, "b": 0}}
SHORT = {
    "points": {"24": "w2", "13": "w5", "8": "w3", "6": "w5",
               "1": "b2", "12": "b5", "17": "b3", "19": "b5"},
    "off": {"w": 0, "b": 0},
}  # fmt: skip
MIDDLE = {
    "points": {"24": "w4", "22": "w2", "19": "w1", "16": "w3", "13": "w2", "8": "w1", "5": "w2",
               "12": "b3", "11": "b2", "10": "b1", "7": "b4", "3": "b2", "1": "b1", "20": "b2"},
    "off": {"w": 0, "b": 0},
}  # fmt: skip
POSITIONS = {"long": LONG, "short": SHORT, "middle": MIDDLE}


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A picture and what is true of it."""

    bgr: BgrImage
    corners_px: Corners
    labels: tuple[str, ...]
    """The 24 points in reading order."""


@lru_cache(maxsize=16)
def view(
    look: str = "walnut",
    position: str = "middle",
    *,
    tilt_deg: float = 6.0,
    yaw_deg: float = 1.5,
    bar_mm: float = 36.0,
    height_mm: float = 800.0,
    seed: int = 5,
    size_px: tuple[int, int] = (960, 720),
) -> View:
    """Return a board as it is seen."""
    geometry = BoardGeometry(480.0, 420.0, 240 - bar_mm / 2, 240 + bar_mm / 2)
    chosen = LOOKS[look]
    chosen = replace(chosen, checker_mm=min(chosen.checker_mm, 0.93 * geometry.pitch_mm(0)))
    board = Board(chosen, BoardLayout.of("top_right"), geometry)
    discs = set_up(board, POSITIONS[position], np.random.default_rng(seed))
    camera = Camera(height_mm=height_mm, tilt_deg=tilt_deg, yaw_deg=yaw_deg)
    scene = Scene(
        chosen, geometry=geometry, camera=camera, light=Light(), discs=discs, noise_seed=seed
    )
    rows = point_counts(board, discs)
    a, b, c, d = corners_px(scene, size_px)
    labels = (*rows["top"], *rows["bottom"])
    return View(render(scene, size_px), (a, b, c, d), labels)
