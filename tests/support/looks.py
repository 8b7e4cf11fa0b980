"""Builders of what a camera would report, from positions and dice that are known."""

import numpy as np

from calibration.layout import BoardLayout, Corner
from referee.evidence import Evidence, evidence_of
from rules import Color, Position
from vision.observation import (
    BarReading,
    CheckersReading,
    DieReading,
    Half,
    PointReading,
    Side,
    Surface,
)

LAYOUT = BoardLayout(Corner.TOP_RIGHT)


def reading_of(
    position: Position,
    *,
    layout: BoardLayout = LAYOUT,
    white: Side = Side.LIGHT,
    sure: float = 0.995,
    hidden: tuple[int, ...] = (),
) -> CheckersReading:
    """Return the reading of a good look at a position; `hidden` points may hold 5 to 15."""
    black = white.other
    rows = {name: [PointReading(None, 0, sure)] * 12 for name in ("top", "bottom")}
    for point, color, count in position.occupied():
        row, column = layout.slot(point)
        side = white if color is Color.WHITE else black
        if point in hidden:
            least = min(count, 5)
            share = 1 / (16 - least)
            rows[row][column] = PointReading(
                None, None, share, tuple((side, n, share) for n in range(least, 16))
            )
        else:
            rows[row][column] = PointReading(side, count, sure)
    on_bar = {white: position.bar(Color.WHITE), black: position.bar(Color.BLACK)}
    return CheckersReading(
        tuple(rows["top"]),
        tuple(rows["bottom"]),
        BarReading(on_bar[Side.LIGHT], on_bar[Side.DARK]),
    )


def seen(position: Position, *, sure: float = 0.995, hidden: tuple[int, ...] = ()) -> Evidence:
    """Return the evidence of a good look at a position."""
    return evidence_of(reading_of(position, sure=sure, hidden=hidden), LAYOUT, Side.LIGHT)


def changed(areas: dict[int, float]) -> tuple[float, ...]:
    """Return how far points 1–24 look otherwise; those not named look as they did."""
    return tuple(areas.get(point, 0.0) for point in range(1, 25))


def blurred(position: Position, rng: np.random.Generator, slips: int) -> Evidence:
    """Return evidence in which some points are confidently off by one checker."""
    reading = reading_of(position)
    rows = {"top": list(reading.top), "bottom": list(reading.bottom)}
    held = [
        (name, column)
        for name, row in rows.items()
        for column, one in enumerate(row)
        if one.count
    ]
    for index in rng.permutation(len(held))[:slips]:
        name, column = held[index]
        one = rows[name][column]
        rows[name][column] = PointReading(one.side, (one.count or 0) + 1, 0.9)
    slipped = CheckersReading(tuple(rows["top"]), tuple(rows["bottom"]), reading.bar)
    return evidence_of(slipped, LAYOUT, Side.LIGHT)


def die(
    value: int | None,
    x: float,
    *,
    y: float = 300.0,
    half: Half | None = Half.RIGHT,
    on: Surface | None = Surface.BOARD,
    flat: bool | None = True,
    touches: frozenset[Surface] = frozenset(),
) -> DieReading:
    """Return a die of 20 px; by default flat on the right half."""
    return DieReading(
        value=value,
        center_px=(x, y),
        box_px=(x - 10, y - 10, 20, 20),
        confidence=0.99 if value else 0.4,
        flat=flat,
        half=half,
        on=on,
        touches=touches,
    )
