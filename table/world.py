"""The physical truth of a table: from a position to checkers in space, and back."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout
from table.scene import BAR_POINT, OFF_POINT, BoardLook, Disc, SideName

Position: TypeAlias = Mapping[str, object]
"""A position in the exchange format: {"points": {"24": "w15"}, "off": {…}, "bar": {…}}."""
ColorName: TypeAlias = Literal["w", "b"]
Counts: TypeAlias = dict[tuple[ColorName, int], int]
"""Checkers by colour and place: 1–24, `OFF_POINT`, `BAR_POINT`; zeros left out."""

ROW_LENGTH = 5
"""Checkers side by side on a point before the next layer begins."""
_OFF_STACK = 3


class WorldError(ValueError):
    """A position or a throw that no table can show."""


@dataclass(frozen=True, slots=True)
class Board:
    """One board on one table: how it looks, how large it is, which point lies where."""

    look: BoardLook
    layout: BoardLayout
    geometry: BoardGeometry
    light: ColorName = "w"
    """Who plays the light checkers."""

    def side(self, color: ColorName) -> SideName:
        """Return the look of a player's checkers."""
        return "L" if color == self.light else "D"

    def color(self, side: SideName) -> ColorName:
        """Return the player whose checkers look so."""
        other: ColorName = "b" if self.light == "w" else "w"
        return self.light if side == "L" else other


def counts(position: Position) -> Counts:
    """Return how many checkers of each colour stand where.

    Raises:
        WorldError: not the exchange format.
    """
    found: Counts = {}
    try:
        points = position["points"]
        if not isinstance(points, Mapping):
            raise TypeError("points must be an object")
        for name, label in points.items():
            point, count = int(name), int(str(label)[1:])
            if not 1 <= point <= 24 or count < 1:
                raise ValueError(f"{name}: {label}")
            found[_color(str(label)[:1]), point] = count
        for place, point in (("off", OFF_POINT), ("bar", BAR_POINT)):
            held = position.get(place, {})
            if not isinstance(held, Mapping):
                raise TypeError(f"{place} must be an object")
            for name, count in held.items():
                if int(count) > 0:
                    found[_color(name), point] = int(count)
    except (KeyError, TypeError, ValueError) as error:
        raise WorldError(f"not a position in the exchange format: {error}") from error
    return found


def _color(name: str) -> ColorName:
    if name == "w":
        return "w"
    if name == "b":
        return "b"
    raise ValueError(f"colours are w and b, not {name!r}")


def set_up(board: Board, position: Position, rng: np.random.Generator) -> tuple[Disc, ...]:
    """Return all checkers of a position, set down as a hand does: never quite straight.

    Raises:
        WorldError: not the exchange format.
    """
    discs: tuple[Disc, ...] = ()
    for (color, point), count in counts(position).items():
        for _ in range(count):
            discs = put_down(board, discs, color, point, rng)
    return discs


def put_down(
    board: Board,
    discs: tuple[Disc, ...],
    color: ColorName,
    point: int,
    rng: np.random.Generator,
) -> tuple[Disc, ...]:
    """Return the checkers with one more on a point, on the bar or borne off."""
    side = board.side(color)
    held = [disc for disc in discs if disc.point == point]
    if point in (OFF_POINT, BAR_POINT):
        # Each side has its own row there.
        held = [disc for disc in held if disc.side == side]
    order = len(held)
    variant = int(rng.integers(8))
    jitter = np.clip(rng.normal(0, 0.8, 2), -1.7, 1.7)
    if point == OFF_POINT:
        new = _beside(board, side, order, jitter, variant)
    elif point == BAR_POINT:
        new = _on_bar(board, side, order, jitter, variant)
    else:
        new = _on_point(board, side, point, order, jitter, variant, rng)
    return (*discs, new)


def lift(
    board: Board, discs: tuple[Disc, ...], color: ColorName, point: int
) -> tuple[tuple[Disc, ...], Disc]:
    """Return the checkers without the last one of a place, and that one.

    Raises:
        WorldError: there is none.
    """
    side = board.side(color)
    held = [disc for disc in discs if disc.point == point and disc.side == side]
    if not held:
        raise WorldError(f"there is no checker of {color} on {point}")
    taken = max(held, key=lambda disc: disc.order)
    return tuple(disc for disc in discs if disc is not taken), taken


def steps_between(
    before: Position, after: Position, color: ColorName
) -> tuple[tuple[ColorName, int | None, int | None], ...]:
    """Return (colour, from, to) steps that turn one position into the other.

    Hit checkers go to the bar first. Where a checker vanished or appeared, the other end
    is None.
    """
    old, new = counts(before), counts(after)
    places = [*range(24, 0, -1), BAR_POINT, OFF_POINT]
    other: ColorName = "b" if color == "w" else "w"
    steps: list[tuple[ColorName, int | None, int | None]] = []
    for mover in (other, color):
        gone: list[int] = []
        come: list[int] = []
        for place in places:
            change = new.get((mover, place), 0) - old.get((mover, place), 0)
            gone += [place] * max(-change, 0)
            come += [place] * max(change, 0)
        # Whoever stands on the bar enters first.
        gone.sort(key=lambda place: place != BAR_POINT)
        for index in range(max(len(gone), len(come))):
            source = gone[index] if index < len(gone) else None
            target = come[index] if index < len(come) else None
            steps.append((mover, source, target))
    return tuple(steps)


def point_counts(board: Board, discs: Iterable[Disc]) -> dict[str, list[str]]:
    """Return the labels of both rows, left to right: "D4", "" for empty."""
    rows = {"top": [""] * 12, "bottom": [""] * 12}
    found: dict[tuple[str, int], tuple[str, int]] = {}
    for disc in discs:
        if disc.point in (OFF_POINT, BAR_POINT):
            continue
        slot = board.layout.slot(disc.point)
        found[slot] = (disc.side, found.get(slot, ("", 0))[1] + 1)
    for (row, column), (side, count) in found.items():
        rows[row][column] = f"{side}{count}"
    return rows


def _on_point(
    board: Board,
    side: SideName,
    point: int,
    order: int,
    jitter: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    variant: int,
    rng: np.random.Generator,
) -> Disc:
    look, geometry = board.look, board.geometry
    row, column = board.layout.slot(point)
    layer, place = divmod(order, ROW_LENGTH)
    radius = look.checker_mm / 2
    slack = max(0.0, geometry.pitch_mm(column) - look.checker_mm) / 2
    x = geometry.point_x_mm(column) + float(np.clip(jitter[0], -slack * 0.8, slack * 0.8))
    y = radius + 1.0 + place * (look.checker_mm + 0.5) + 0.2 * float(jitter[1])
    if layer:
        # The upper layers lie a little nearer the middle, and not straight.
        x += float(rng.uniform(-1.5, 1.5))
        y += float(rng.uniform(1.0, 5.0)) * math.sqrt(layer)
    if row == "bottom":
        y = geometry.height_mm - y
    height = layer * look.checker_height_mm
    return Disc(side, x, y, point, order, height, 0.0, variant)


def _on_bar(
    board: Board,
    side: SideName,
    order: int,
    jitter: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    variant: int,
) -> Disc:
    geometry, look = board.geometry, board.look
    layer, place = divmod(order, 4)
    away = 24.0 + place * (look.checker_mm + 2.0)
    y = geometry.height_mm / 2 + (away if side == "L" else -away) + float(jitter[1])
    x = (geometry.bar_left_mm + geometry.bar_right_mm) / 2 + float(jitter[0])
    # Boards without a raised bar keep hit checkers on the middle line.
    wide = geometry.bar_right_mm > geometry.bar_left_mm
    support = look.frame_height_mm if wide else 0.0
    height = support + layer * look.checker_height_mm
    return Disc(side, x, y, BAR_POINT, order, height, support, variant)


def _beside(
    board: Board,
    side: SideName,
    order: int,
    jitter: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    variant: int,
) -> Disc:
    geometry, look = board.geometry, board.look
    place, layer = divmod(order, _OFF_STACK)
    step = look.checker_mm + 3.0
    x = geometry.width_mm + look.frame_mm + 0.62 * look.checker_mm + 2.0 + float(jitter[0])
    y = 0.7 * look.checker_mm + place * step + float(jitter[1])
    if side == "L":
        y = geometry.height_mm - y
    support = -look.depth_mm
    height = support + layer * look.checker_height_mm
    return Disc(side, x, y, OFF_POINT, order, height, support, variant)
