"""What hands do at the table, as scenes in time: throw dice, take them, move a checker."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from table.reel import Reel
from table.scene import Die, Disc
from table.script import Shot, Thrown
from table.throws import HalfName, VoidKind, throw
from table.world import ColorName, lift, put_down

STILL_S = 0.3
"""Between looks at rest: more than the 0.2 s that make dice count as resting."""
_CARRIED_MM = 24.0


def throw_dice(
    reel: Reel,
    index: int,
    side: ColorName,
    values: tuple[int, int],
    kind: VoidKind | None,
    final: tuple[Disc, ...],
    half: HalfName | None = None,
) -> Iterator[Shot | Thrown]:
    """Pick the dice up, throw them, let them rest.

    Args:
        reel: the table.
        index: of the turn.
        side: who throws.
        values: what the dice will show.
        kind: how the throw fails; None: it counts.
        final: checkers as they will stand after the play: no die may lie in their way.
        half: where a valid throw lies; None: drawn.

    Raises:
        WorldError: there is no room for it.
    """
    if reel.dice:
        yield from take_dice(reel, side)
        yield reel.shot("before", 0.4)
    # They must not lie where a checker will be put down.
    dice = throw(reel.board, values, (*reel.discs, *final), reel.rng, kind, half)
    yield from cast(reel, side, dice)
    yield Thrown(round(reel.now_s, 3), index, values, kind, dice)
    for _ in range(3):
        yield reel.shot("rest", STILL_S)


def cast(
    reel: Reel, side: ColorName, dice: tuple[Die, ...], lying: tuple[Die, ...] = ()
) -> Iterator[Shot]:
    """Let dice roll from a hand to where they come to rest, beside those that lie there."""
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
        reel.dice = (*lying, *(_rolling(reel, die, start, share) for die in dice))
        yield reel.shot(name, 0.2)
        reel.hand = reel.withdrawn(thrower, 0.55) if share < 0.5 else None
    reel.hand = None
    reel.dice = (*lying, *dice)


def _rolling(
    reel: Reel,
    die: Die,
    start: npt.NDArray[np.float64],
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


def take_dice(reel: Reel, side: ColorName) -> Iterator[Shot]:
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


def move_checker(
    reel: Reel, player: ColorName, mover: ColorName, source: int | None, target: int | None
) -> Iterator[Shot]:
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


def idle(reel: Reel, frames: int, name: str = "waiting") -> Iterator[Shot]:
    """Nobody does anything for some frames."""
    for _ in range(frames):
        yield reel.shot(name, 0.2 if reel.settings.dense else STILL_S)


def move_die(reel: Reel, side: ColorName, die: Die, new: Die) -> Iterator[Shot]:
    """Fingers push or turn a die."""
    reel.hand = reel.reach(side, die.pose.x_mm, die.pose.y_mm, "pinch")
    yield reel.shot("dice_moved", 0.2)
    reel.dice = tuple(new if other is die else other for other in reel.dice)
    reel.hand = reel.reach(side, new.pose.x_mm, new.pose.y_mm, "pinch")
    yield reel.shot("dice_moved", 0.2)
    if reel.settings.dense:
        reel.hand = reel.withdrawn(reel.hand, 0.4)
        yield reel.shot("dice_moved", 0.2)
    reel.hand = None


def put_up(reel: Reel, target: tuple[Disc, ...]) -> Iterator[Shot]:
    """Clear the board and set checkers on it, point by point."""
    for disc_side in ("L", "D"):
        player = reel.board.color(disc_side)
        for standing, appears in ((reel.discs, False), (target, True)):
            points = dict.fromkeys(one.point for one in standing if one.side == disc_side)
            for point in points:
                group = tuple(
                    one for one in standing if one.side == disc_side and one.point == point
                )
                spot = np.array([[one.x_mm, one.y_mm] for one in group]).mean(axis=0)
                reel.hand = reel.reach(player, float(spot[0]), float(spot[1]), "open")
                yield reel.shot("setting_up", 0.4)
                if appears:
                    reel.discs = (*reel.discs, *group)
                else:
                    reel.discs = tuple(one for one in reel.discs if one not in group)
                if reel.settings.dense:
                    yield reel.shot("setting_up", 0.4)
    reel.hand = None
