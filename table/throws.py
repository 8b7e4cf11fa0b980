"""Where thrown dice come to lie: as they should, or in a way that makes a throw void."""

import math
from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

import numpy as np

from table.die import DiePose
from table.scene import BAR_POINT, OFF_POINT, Die, Disc
from table.world import Board, WorldError

_CommonVoid: TypeAlias = Literal["different_halves", "on_checker", "cocked", "off_board"]
VoidKind: TypeAlias = _CommonVoid | Literal["on_woodwork", "wrong_half"]
HalfName: TypeAlias = Literal["left", "right"]

VOID_KINDS: tuple[_CommonVoid, ...] = get_args(_CommonVoid)
"""Those that happen often; pictures for training are drawn from these."""
REASONS: dict[VoidKind, str] = {
    "different_halves": "different_halves",
    "on_checker": "on_checker",
    "cocked": "tilted",
    "off_board": "off_board",
}
"""What a referee calls each of the common kinds."""


def reason_of(kind: VoidKind) -> str:
    """Return what a referee calls a kind of void throw."""
    return REASONS.get(kind, kind)


_TRIES = 600


def throw(
    board: Board,
    values: tuple[int, int],
    discs: Iterable[Disc],
    rng: np.random.Generator,
    kind: VoidKind | None = None,
    half: HalfName | None = None,
) -> tuple[Die, Die]:
    """Return two dice at rest.

    Args:
        board: the table.
        values: what they show; for a cocked die the face nearest to up.
        discs: checkers they must not touch, but for the one a void throw needs.
        rng: draws the places.
        kind: None: both flat in one half; otherwise the second die lies as the kind says, or
            both in the half that the rule set does not allow.
        half: where a valid throw lies; None: drawn.

    Raises:
        WorldError: there is no room for it.
    """
    discs = tuple(discs)
    if kind == "wrong_half":
        if half is None:
            raise WorldError("either half is right")
        kind, half = None, "left" if half == "right" else "right"
    drawn: HalfName = "left" if rng.random() < 0.5 else "right"
    chosen: HalfName = half or drawn
    other: HalfName = "right" if chosen == "left" else "left"
    for attempt in range(2):
        try:
            if kind == "on_checker":
                second = _on_checker(board, values[1], discs, rng)
                chosen = _half(board, second)
            elif kind == "cocked":
                second = _cocked(board, values[1], discs, rng)
                chosen = _half(board, second)
            elif kind == "off_board":
                second = _off_board(board, values[1], rng)
            elif kind == "on_woodwork":
                second = _on_woodwork(board, values[1], discs, rng)
            elif kind == "different_halves":
                second = flat(board, values[1], discs, other, rng)
            else:
                second = flat(board, values[1], discs, chosen, rng)
            first = flat(board, values[0], discs, chosen, rng, second)
        except WorldError:
            if attempt or half is not None:
                raise
            chosen, other = other, chosen
        else:
            return first, second
    raise WorldError("there is no room for two dice")


def _half(board: Board, die: Die) -> HalfName:
    middle = (board.geometry.bar_left_mm + board.geometry.bar_right_mm) / 2
    return "left" if die.pose.x_mm < middle else "right"


def _span(board: Board, half: HalfName) -> tuple[float, float]:
    if half == "left":
        return 0.0, board.geometry.bar_left_mm
    return board.geometry.bar_right_mm, board.geometry.width_mm


def flat(
    board: Board,
    value: int,
    discs: tuple[Disc, ...],
    half: HalfName,
    rng: np.random.Generator,
    beside: Die | None = None,
) -> Die:
    """Return a die lying flat in a half, clear of all checkers and of another die.

    Raises:
        WorldError: there is no room for it.
    """
    edge = board.look.die.edge_mm
    x0, x1 = _span(board, half)
    for spread in (1.0, 0.8, 0.72):
        room = edge * spread
        for _ in range(_TRIES // 3):
            x = float(rng.uniform(x0 + room + 2, x1 - room - 2))
            y = float(rng.uniform(room + 2, board.geometry.height_mm - room - 2))
            if not _free(board, discs, x, y, room):
                continue
            if beside is not None and _near(beside, x, y, 2.1 * room):
                continue
            pose = DiePose(value, x, y, yaw_deg=float(rng.uniform(0, 360)))
            return Die(pose, 0.0, half)
    raise WorldError(f"no room for a die in the {half} half")


def _near(die: Die, x: float, y: float, reach: float) -> bool:
    return math.hypot(die.pose.x_mm - x, die.pose.y_mm - y) < reach


def _free(
    board: Board,
    discs: tuple[Disc, ...],
    x: float,
    y: float,
    room: float,
    but: Disc | None = None,
) -> bool:
    reach = board.look.checker_mm / 2 + room
    return all(
        disc is but or math.hypot(disc.x_mm - x, disc.y_mm - y) >= reach for disc in discs
    )


def _uppermost(discs: tuple[Disc, ...]) -> list[Disc]:
    """Return the checkers with nothing on them."""
    on_points = [disc for disc in discs if disc.point not in (OFF_POINT, BAR_POINT)]
    last: dict[int, Disc] = {}
    for disc in on_points:
        if disc.point not in last or disc.order > last[disc.point].order:
            last[disc.point] = disc
    return list(last.values())


def _on_checker(
    board: Board, value: int, discs: tuple[Disc, ...], rng: np.random.Generator
) -> Die:
    tops = _uppermost(discs)
    if not tops:
        raise WorldError("there is no checker for a die to lie on")
    disc = tops[int(rng.integers(len(tops)))]
    x, y = (float(v) for v in np.array([disc.x_mm, disc.y_mm]) + rng.uniform(-3.5, 3.5, 2))
    pose = DiePose(value, x, y, yaw_deg=float(rng.uniform(0, 360)))
    return Die(pose, disc.z_mm + board.look.checker_height_mm, "checker")


def _cocked(board: Board, value: int, discs: tuple[Disc, ...], rng: np.random.Generator) -> Die:
    """Return a die that leans on a checker's rim, or on the frame where no checker serves."""
    edge, rise = board.look.die.edge_mm, board.look.checker_height_mm
    leaners = [disc for disc in _uppermost(discs) if disc.z_mm == 0]
    order = rng.permutation(len(leaners)).tolist() if rise < 0.72 * edge else []
    lean = math.asin(min(rise / edge, 0.72))
    for index in order:
        disc = leaners[index]
        tilt = lean + math.radians(float(rng.uniform(1.0, 4.0)))
        inwards = 1.0 if disc.y_mm < board.geometry.height_mm / 2 else -1.0
        side = float(rng.uniform(-0.5, 0.5))
        away = np.array([math.sin(side), inwards * math.cos(side)])
        # The lower edge on the floor, the lower face on the checker's rim.
        foot = board.look.checker_mm / 2 + rise / math.tan(tilt)
        out = foot - edge / 2 * (math.cos(tilt) - math.sin(tilt))
        x, y = (np.array([disc.x_mm, disc.y_mm]) + out * away).tolist()
        inside = edge < y < board.geometry.height_mm - edge
        clear = any(
            x0 + 0.85 * edge < x < x1 - 0.85 * edge
            for x0, x1 in (_span(board, "left"), _span(board, "right"))
        )
        if inside and clear and _free(board, discs, x, y, edge, disc):
            return _leaning(value, x, y, -away, tilt, "checker", rng)
    for _ in range(_TRIES):
        tilt = math.radians(float(rng.uniform(22, 36)))
        x0, x1 = _span(board, "left" if rng.random() < 0.5 else "right")
        gap = edge / 2 * (math.cos(tilt) + math.sin(tilt))
        to_left = bool(rng.random() < 0.5)
        x = x0 + gap if to_left else x1 - gap
        y = float(rng.uniform(edge * 2, board.geometry.height_mm - edge * 2))
        if _free(board, discs, x, y, edge):
            wall = np.array([-1.0 if to_left else 1.0, 0.0])
            return _leaning(value, x, y, wall, tilt, "wall", rng)
    raise WorldError("there is nothing for a die to lean on")


def _leaning(
    value: int,
    x: float,
    y: float,
    uphill: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    tilt: float,
    where: Literal["checker", "wall"],
    rng: np.random.Generator,
) -> Die:
    axis = math.degrees(math.atan2(-float(uphill[0]), float(uphill[1])))
    yaw = axis + 90.0 * int(rng.integers(4))
    return Die(DiePose(value, x, y, yaw, math.degrees(tilt), axis), 0.0, where)


def _off_board(board: Board, value: int, rng: np.random.Generator) -> Die:
    """Return a die on the tabletop, left of the board: borne-off checkers lie on the right."""
    x = -board.look.frame_mm - float(rng.uniform(16, 34))
    y = float(rng.uniform(0.2, 0.8)) * board.geometry.height_mm
    pose = DiePose(value, x, y, yaw_deg=float(rng.uniform(0, 360)))
    return Die(pose, -board.look.depth_mm, "off")


def _on_woodwork(
    board: Board, value: int, discs: tuple[Disc, ...], rng: np.random.Generator
) -> Die:
    """Return a die flat on top of the bar or, on boards without one, of the frame."""
    look, geometry = board.look, board.geometry
    edge = look.die.edge_mm
    left, right = geometry.bar_left_mm, geometry.bar_right_mm
    on_bar = right - left > 1.5 * edge
    if not on_bar and look.frame_mm < edge:
        raise WorldError("no woodwork is wide enough for a die")
    for _ in range(_TRIES):
        y = float(rng.uniform(2 * edge, geometry.height_mm - 2 * edge))
        if on_bar:
            x = (left + right) / 2 + float(rng.uniform(-0.5, 0.5)) * (right - left - 1.5 * edge)
        else:
            x = -look.frame_mm / 2
        if _free(board, discs, x, y, edge):
            pose = DiePose(value, x, y, yaw_deg=float(rng.uniform(0, 360)))
            return Die(pose, look.frame_height_mm, "bar" if on_bar else "wall")
    raise WorldError("no room for a die on the woodwork")
