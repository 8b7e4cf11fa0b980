"""What happens at the table during a turn, as scenes in time: throws, moves, clock presses."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from table.scene import Die, Disc, Edge, Grip, Hand, Scene
from table.script import Event, FilmSettings, Press, Shot, Thrown, Turn
from table.throws import VoidKind, throw
from table.world import Board, ColorName, lift, put_down, set_up, steps_between

_SKINS = ("#d9a283", "#c68863", "#e3b497", "#8d5a3c", "#b5764f")
_SLEEVES = ("#27364f", "#6d2630", "#3d3f42", "#59684a", "#c9c3b4", "#1d1e22")
_CARRIED_MM = 24.0
_STILL_S = 0.3
"""Between looks at rest: more than the 0.2 s that make dice count as resting."""


def film(
    board: Board, turns: Sequence[Turn], seed: int, settings: FilmSettings | None = None
) -> Iterator[Event]:
    """Yield what happens during some turns, in order of time.

    Args:
        board: the table.
        turns: each begins with the position that the one before ended with.
        seed: draws places, hands and noise; the same seed gives the same film.
        settings: camera, light, density.

    Raises:
        WorldError: a position or throw the table cannot show.
    """
    if not turns:
        return
    reel = _Reel(board, seed, settings or FilmSettings())
    reel.discs = set_up(board, turns[0].before, reel.rng)
    for _ in range(reel.settings.opening_frames):
        yield reel.shot("before", 0.4)
    for index, turn in enumerate(turns):
        yield from _turn(reel, index, turn)
    yield from _take_dice(reel, "b" if turns[-1].side == "w" else "w")


class _Reel:
    """The table's state while a film is shot."""

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
        exposure = 1.0 + swing + self.settings.flicker * float(frame_rng.standard_normal())
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


def _turn(reel: _Reel, index: int, turn: Turn) -> Iterator[Event]:
    final = set_up(reel.board, turn.after, np.random.default_rng(reel.seed))
    for kind in turn.voids:
        values = (int(reel.rng.integers(1, 7)), int(reel.rng.integers(1, 7)))
        yield from _throw(reel, index, turn.side, values, kind, ())
    yield from _throw(reel, index, turn.side, turn.dice, None, final)
    for mover, source, target in steps_between(turn.before, turn.after, turn.side):
        yield from _move(reel, turn.side, mover, source, target)
    yield reel.shot("after", _STILL_S)
    yield reel.shot("after", _STILL_S)
    yield Press(round(reel.now_s, 3), turn.side)
    reel.now_s += 0.2


def _throw(
    reel: _Reel,
    index: int,
    side: ColorName,
    values: tuple[int, int],
    kind: VoidKind | None,
    final: tuple[Disc, ...],
) -> Iterator[Event]:
    """Pick the dice up, throw them, let them rest."""
    if reel.dice:
        yield from _take_dice(reel, side)
        yield reel.shot("before", 0.4)
    # They must not lie where a checker will be put down.
    dice = throw(reel.board, values, (*reel.discs, *final), reel.rng, kind)
    goal = np.array([[die.pose.x_mm, die.pose.y_mm] for die in dice]).mean(axis=0)
    geometry = reel.board.geometry
    bottom = reel.edge(side) == "bottom"
    start_y = geometry.height_mm - 80.0 if bottom else 80.0
    start = np.array([goal[0] + float(reel.rng.uniform(-60, 60)), start_y])
    thrower = reel.reach(side, float(start[0]), float(start[1]), "fist")
    if reel.settings.dense:
        reel.hand = reel.withdrawn(thrower, 0.6)
        yield reel.shot("throwing", 0.2)
    reel.hand = thrower
    yield reel.shot("throwing", 0.2)
    reel.hand = replace(thrower, grip="open")
    for share, name in ((0.25, "rolling"), (0.62, "rolling"), (0.9, "rolling")):
        reel.dice = tuple(_rolling(reel, die, start, share) for die in dice)
        yield reel.shot(name, 0.2)
        reel.hand = reel.withdrawn(thrower, 0.55) if share < 0.5 else None
    reel.hand = None
    reel.dice = dice
    yield Thrown(round(reel.now_s, 3), index, values, kind, dice)
    for _ in range(3):
        yield reel.shot("rest", _STILL_S)


def _rolling(
    reel: _Reel,
    die: Die,
    start: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    share: float,
) -> Die:
    """Return a die on its way from the hand to where it will rest."""
    rng = reel.rng
    end = np.array([die.pose.x_mm, die.pose.y_mm])
    spot = start + (end - start) * share + rng.normal(0, 6, 2) * (1 - share)
    velocity = (end - start) * 0.16 * (1.05 - share)
    pose = replace(
        die.pose,
        value=int(rng.integers(1, 7)),
        x_mm=float(spot[0]),
        y_mm=float(spot[1]),
        yaw_deg=float(rng.uniform(0, 360)),
        tilt_deg=float(rng.uniform(8, 44)),
        tilt_axis_deg=float(rng.uniform(0, 360)),
        height_mm=float(rng.uniform(2, 22) * (1 - share) + 1.0),
    )
    return Die(
        pose, die.support_mm * share, die.where, (float(velocity[0]), float(velocity[1]))
    )


def _take_dice(reel: _Reel, side: ColorName) -> Iterator[Event]:
    """The dice go back into a player's hand, one after the other."""
    for die in reversed(reel.dice):
        reel.hand = reel.reach(side, die.pose.x_mm, die.pose.y_mm, "pinch")
        if reel.settings.dense:
            held = reel.hand
            reel.hand = reel.withdrawn(held, 0.5)
            yield reel.shot("dice_taken", 0.2)
            reel.hand = held
        yield reel.shot("dice_taken", 0.2)
        reel.dice = tuple(other for other in reel.dice if other is not die)
    if reel.hand is not None:
        reel.hand = reel.withdrawn(replace(reel.hand, grip="fist"), 0.4)
        yield reel.shot("dice_taken", 0.25)
    reel.hand = None


def _move(
    reel: _Reel, player: ColorName, mover: ColorName, source: int | None, target: int | None
) -> Iterator[Event]:
    """One checker goes from place to place under the player's hand."""
    geometry = reel.board.geometry
    away_y = geometry.height_mm + 60.0 if reel.edge(player) == "bottom" else -60.0
    start = np.array([geometry.width_mm / 2, away_y])
    end = start.copy()
    taken: Disc | None = None
    left = reel.discs
    if source is not None:
        left, taken = lift(reel.board, reel.discs, mover, source)
        start = np.array([taken.x_mm, taken.y_mm])
    placed = left
    if target is not None:
        placed = put_down(reel.board, left, mover, target, reel.rng)
        taken = taken or placed[-1]
        end = np.array([placed[-1].x_mm, placed[-1].y_mm])
    if taken is None:
        return
    at_start = reel.reach(player, float(start[0]), float(start[1]), "pinch")
    at_end = reel.reach(player, float(end[0]), float(end[1]), "pinch")
    if reel.settings.dense:
        reel.hand = reel.withdrawn(at_start, 0.4)
        yield reel.shot("reach", 0.2)
    reel.hand = at_start
    yield reel.shot("reach", 0.2 if reel.settings.dense else 0.4)
    reel.discs = left
    for share in (0.3, 0.7) if reel.settings.dense else (0.5,):
        spot = start + (end - start) * share
        reel.hand = reel.reach(player, float(spot[0]), float(spot[1]), "pinch")
        reel.carried = (
            replace(
                taken,
                x_mm=float(spot[0]),
                y_mm=float(spot[1]),
                z_mm=_CARRIED_MM,
                support_mm=0.0,
            ),
        )
        yield reel.shot("carry", 0.2 if reel.settings.dense else 0.4)
    reel.carried = ()
    reel.discs = placed
    reel.hand = at_end
    yield reel.shot("released", 0.2)
    if reel.settings.dense:
        reel.hand = reel.withdrawn(at_end, 0.4)
        yield reel.shot("released", 0.2)
    reel.hand = None
