"""What goes wrong with dice, light and camera at a live table, as scenes in time."""

import random
from collections.abc import Generator, Iterator
from dataclasses import replace

import numpy as np

from table.gestures import idle, move_die
from table.reel import Reel
from table.scene import Die
from table.script import Shot
from table.throws import HalfName, flat
from table.world import ColorName, WorldError

_NUDGE_PX = (5.0, 12.0)
"""How far a knock moves the picture: some three to six millimetres on the board."""
_AFTER_S = 0.6
_DOZING_S = 1.5
_SIMILAR = 12
"""Places tried, of which the nearest is taken."""


def nudge(reel: Reel, rng: random.Random) -> Iterator[Shot]:
    """Somebody knocks against the camera's arm: it swings, and rests elsewhere."""
    turn = rng.uniform(0, 2 * np.pi)
    far = rng.uniform(*_NUDGE_PX)
    dx, dy = far * float(np.cos(turn)), far * float(np.sin(turn))
    x, y = reel.settings.camera.shift_px
    for share in (0.6, 1.3, 1.0):
        # Even pixels: the empty board is moved and not smeared.
        at = (2.0 * round((x + share * dx) / 2), 2.0 * round((y + share * dy) / 2))
        camera = replace(reel.settings.camera, shift_px=at)
        reel.settings = replace(reel.settings, camera=camera)
        yield reel.shot("nudged", 0.2)
    yield from idle(reel, 3)


def change_light(reel: Reel, rng: random.Random) -> Iterator[Shot]:
    """A cloud passes or a lamp is switched on: brighter or darker, warmer or colder."""
    light, was = reel.settings.light, reel.brightness
    darker = rng.random() < 0.5 if was == 1.0 else was > 1.0
    goal = rng.uniform(0.68, 0.85) if darker else rng.uniform(1.05, 1.2)
    kelvin = rng.uniform(3900, 6000)
    steps = rng.choice((1, 6))
    for step in range(1, steps + 1):
        share = step / steps
        warmth = light.kelvin + share * (kelvin - light.kelvin)
        reel.settings = replace(reel.settings, light=replace(light, kelvin=warmth))
        reel.brightness = was + share * (goal - was)
        yield reel.shot("light", 0.2)
    yield from idle(reel, 3)


def doze(reel: Reel, for_s: float) -> Iterator[Shot]:
    """Nobody moves for so long, and a little longer; few pictures are taken of the middle."""
    ends_s = reel.now_s + for_s + _AFTER_S
    while reel.now_s < ends_s:
        left_s = ends_s - reel.now_s
        step_s = 0.2 if left_s < 2 * _AFTER_S else min(_DOZING_S, left_s - _AFTER_S)
        yield reel.shot("waiting", step_s)


def forget_hand(reel: Reel, for_s: float) -> Iterator[Shot]:
    """Let the hand that lies on the board stay there, hardly moving, then go."""
    for _ in range(round(for_s / 0.2)):
        if reel.hand is not None:
            dx, dy = reel.rng.normal(0, 0.4, 2).tolist()
            reel.hand = replace(reel.hand, x_mm=reel.hand.x_mm + dx, y_mm=reel.hand.y_mm + dy)
        yield reel.shot("hand_left", 0.2)
    if reel.hand is not None:
        reel.hand = reel.withdrawn(reel.hand, 0.4)
        yield reel.shot("hand_left", 0.2)
    reel.hand = None


def disturb_dice(
    reel: Reel, side: ColorName, rng: random.Random, *, in_place: bool
) -> Generator[Shot, None, bool]:
    """Turn a die onto another face in its place, or knock it away, perhaps over.

    Returns:
        Whether it could be done.
    """
    if len(reel.dice) != 2:
        return False
    die = reel.dice[rng.randrange(2)]
    value = die.pose.value
    if in_place or rng.random() < 0.5:
        # Onto a neighbouring face: nobody turns a die twice.
        value = rng.choice([n for n in range(1, 7) if n not in (value, 7 - value)])
    if in_place:
        new: Die | None = replace(die, pose=replace(die.pose, value=value))
    else:
        other = next(one for one in reel.dice if one is not die)
        new = _elsewhere(reel, die, other, value)
    if new is None:
        return False
    yield from move_die(reel, side, die, new)
    yield from idle(reel, 3, "rest")
    return True


def clear_way(
    reel: Reel, side: ColorName, source: int | None, target: int | None
) -> Generator[Shot, None, bool]:
    """Push aside dice that lie on the checkers to be moved, or where one will go.

    Returns:
        Whether any die was moved.
    """
    look = reel.board.look
    room = look.checker_mm / 2 + look.die.edge_mm * 0.72
    spots = [
        (disc.x_mm, disc.y_mm)
        for disc in reel.discs
        if disc.point in (source, target) and 1 <= disc.point <= 24
    ]
    if target is not None and 1 <= target <= 24:
        spots.append(_next_spot(reel, target))
    moved = False
    for die in reel.dice:
        if die.where == "off" or not any(
            np.hypot(die.pose.x_mm - x, die.pose.y_mm - y) < room for x, y in spots
        ):
            continue
        other = next((one for one in reel.dice if one is not die), None)
        new = _elsewhere(reel, die, other, die.pose.value, spots[-1:])
        if new is not None:
            yield from move_die(reel, side, die, new)
            moved = True
    return moved


def _next_spot(reel: Reel, point: int) -> tuple[float, float]:
    """Return where the next checker put on a point will lie."""
    geometry = reel.board.geometry
    row, column = reel.board.layout.slot(point)
    held = sum(disc.point == point for disc in reel.discs) % 5
    y = (held + 0.5) * (reel.board.look.checker_mm + 0.5) + 1.0
    return geometry.point_x_mm(column), y if row == "top" else geometry.height_mm - y


def _elsewhere(
    reel: Reel,
    die: Die,
    other: Die | None,
    value: int,
    clear_of: list[tuple[float, float]] | None = None,
) -> Die | None:
    """Return the die flat at another place near by, None where there is no room."""
    board = reel.board
    middle = (board.geometry.bar_left_mm + board.geometry.bar_right_mm) / 2
    half: HalfName = "left" if die.pose.x_mm < middle else "right"
    room = board.look.checker_mm / 2 + board.look.die.edge_mm
    found: list[Die] = []
    for _ in range(_SIMILAR):
        try:
            new = flat(board, value, reel.discs, half, reel.rng, other)
        except WorldError:
            return None
        if all(_apart(new, x, y) >= room for x, y in clear_of or ()):
            found.append(new)
    return min(found, key=lambda new: _apart(new, die.pose.x_mm, die.pose.y_mm), default=None)


def _apart(die: Die, x_mm: float, y_mm: float) -> float:
    return float(np.hypot(die.pose.x_mm - x_mm, die.pose.y_mm - y_mm))
