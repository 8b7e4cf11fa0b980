"""How far points look otherwise than they did."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout
from table.looks import LOOKS
from table.render import render
from table.scene import Scene
from table.truth import corners_px
from table.world import Board, lift, put_down, set_up
from vision.board_view import BoardView, rectify_measured
from vision.cv import BgrImage
from vision.touch import (
    BesideSettings,
    ChangedAreas,
    beside_view,
    changed_areas,
    changed_beside,
)

GEOMETRY = BoardGeometry()
BOARD = Board(LOOKS["walnut"], BoardLayout.of("top_right"), GEOMETRY)
START = {
    "points": {"24": "w8", "20": "w4", "18": "w3", "12": "b9", "8": "b6"},
    "off": {"w": 0, "b": 0},
}


def views(moves: list[tuple[int, int]]) -> tuple[BoardView, BoardView]:
    rng = np.random.default_rng(5)
    discs = set_up(BOARD, START, rng)
    scene = Scene(BOARD.look, GEOMETRY, discs=discs, noise_seed=1)
    corners = corners_px(scene)
    for source, target in moves:
        discs, _ = lift(BOARD, discs, "w", source)
        discs = put_down(BOARD, discs, "w", target, rng)
    after = replace(scene, discs=discs, noise_seed=2)
    before_view, after_view = (
        rectify_measured(render(one, (1280, 960)), corners, GEOMETRY) for one in (scene, after)
    )
    return before_view, after_view


def area(found: ChangedAreas, point: int) -> float:
    row, column = BOARD.layout.slot(point)
    return found.row(row)[column]


@pytest.mark.parametrize(
    "moves", [[], [(24, 20)], [(24, 19), (24, 18)], [(20, 14), (18, 14)]], ids=str
)
def test_the_points_that_lost_or_won_a_checker_look_otherwise(
    moves: list[tuple[int, int]],
) -> None:
    before, after = views(moves)
    expected = {point for move in moves for point in move}
    found = changed_areas(before, after, GEOMETRY)
    # A checker laid on a stack of its own colour shows by its edge alone.
    assert all(area(found, point) > (0.05 if point == 24 else 0.7) for point in expected)
    others = [area(found, point) for point in range(1, 25) if point not in expected]
    # A checker leans over the point beside its own, now and then.
    assert sum(one > 0.2 for one in others) <= 1
    assert max(others) < 0.5


def beside(moves: list[tuple[int, int]], block_mm: float = 0.0) -> float | None:
    """How much changes around the field by some moves, and a dark block laid to its right."""
    rng = np.random.default_rng(5)
    discs = set_up(BOARD, START, rng)
    scene = Scene(BOARD.look, GEOMETRY, discs=discs, noise_seed=1)
    a, b, c, d = corners_px(scene)
    corners = (a, b, c, d)
    for source, target in moves:
        discs, _ = lift(BOARD, discs, "w", source)
        discs = put_down(BOARD, discs, "w", target, rng)
    after = replace(scene, discs=discs, noise_seed=2)
    first, last = (render(one, (1280, 960)) for one in (scene, after))
    views = [beside_view(one, corners, GEOMETRY) for one in (first, last)]
    if block_mm:
        _lay(views[1].bgr, block_mm)
    return changed_beside(views[0], views[1], GEOMETRY)


def _lay(bgr: BgrImage, size_mm: float) -> None:
    settings = BesideSettings()
    left = round((GEOMETRY.width_mm + settings.margin_mm + 45.0) * settings.px_per_mm)
    bgr[200 : 200 + round(size_mm), left : left + round(min(size_mm, 60.0))] = 30


def test_checkers_borne_off_show_beside_the_board() -> None:
    none, one, two = (
        beside([(24, 20)] if not count else [(24, 0)] * count) for count in (0, 1, 2)
    )
    assert none is not None
    assert one is not None
    assert two is not None
    assert none < 0.15 < one < two


def test_what_is_larger_than_checkers_tells_nothing_of_them() -> None:
    small, large = beside([], 15.0), beside([], 150.0)
    assert small is not None
    assert 0.1 < small < 0.6
    assert large is None
