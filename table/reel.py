"""The table while it is filmed: every shot is what stands there now."""

import math
from dataclasses import replace

import numpy as np

from table.scene import Die, Disc, Edge, Grip, Hand, Scene
from table.script import FilmSettings, Shot
from table.world import Board, ColorName

_SKINS = ("#d9a283", "#c68863", "#e3b497", "#8d5a3c", "#b5764f")
_SLEEVES = ("#27364f", "#6d2630", "#3d3f42", "#59684a", "#c9c3b4", "#1d1e22")


class Reel:
    """The table's state while it is filmed: what stands and lies there, and the time."""

    def __init__(self, board: Board, seed: int, settings: FilmSettings) -> None:
        self.board = board
        self.settings = settings
        self.seed = seed
        self.rng = np.random.default_rng(seed)
        self.now_s = 0.0
        self.frames = 0
        self.discs: tuple[Disc, ...] = ()
        self.carried: tuple[Disc, ...] = ()
        self.dice: tuple[Die, ...] = ()
        self.hand: Hand | None = None
        self.brightness = 1.0
        skins = self.rng.permutation(len(_SKINS))
        sleeves = self.rng.permutation(len(_SLEEVES))
        self.dress = {
            side: (_SKINS[skins[index]], _SLEEVES[sleeves[index]])
            for index, side in enumerate(("w", "b"))
        }

    def shot(self, name: str, wait_s: float) -> Shot:
        """Take a frame now, then let time pass."""
        frame_rng = np.random.default_rng((self.seed, self.frames))
        swing = 0.008 * math.sin(self.frames / 7.0)
        exposure = (
            self.brightness + swing + self.settings.flicker * float(frame_rng.standard_normal())
        )
        scene = Scene(
            look=self.board.look,
            geometry=self.board.geometry,
            camera=self.settings.camera,
            light=self.settings.light,
            discs=self.discs,
            carried=self.carried,
            dice=self.dice,
            hand=self.hand,
            exposure=exposure,
            noise=self.settings.noise,
            noise_seed=int(frame_rng.integers(2**31)),
        )
        taken = Shot(round(self.now_s, 3), name, scene)
        self.frames += 1
        self.now_s += wait_s
        return taken

    def edge(self, side: ColorName) -> Edge:
        """Where a player sits: White at the row of points 1–12, Black across."""
        near = self.board.layout.slot(1)[0]
        if side == "w":
            return near
        return "bottom" if near == "top" else "top"

    def reach(self, side: ColorName, x_mm: float, y_mm: float, grip: Grip) -> Hand:
        """Return the player's hand with its fingers at a spot."""
        skin, sleeve = self.dress[side]
        edge = self.edge(side)
        # The shoulder stays where it is, so the arm leans towards what it reaches for.
        lean = math.degrees(math.atan2(x_mm - self.board.geometry.width_mm * 0.55, 900.0))
        lean = lean if edge == "bottom" else -lean
        return Hand(
            x_mm=x_mm,
            y_mm=y_mm,
            edge=edge,
            grip=grip,
            lean_deg=round(-lean),
            skin=skin,
            sleeve=sleeve,
        )

    def withdrawn(self, hand: Hand, share: float) -> Hand:
        """Return a hand on its way back to its edge (1: where it was, 0: nearly gone)."""
        goal = self.board.geometry.height_mm + 70.0 if hand.edge == "bottom" else -70.0
        y = goal + (hand.y_mm - goal) * share
        return replace(hand, y_mm=y)
