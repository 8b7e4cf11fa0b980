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
from vision.touch import ChangedAreas, changed_areas

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
