"""Which points look otherwise than they did."""

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
from vision.touch import TouchedPoints, points_touched

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


def points(found: TouchedPoints) -> set[int]:
    touched = set()
    for point in range(1, 25):
        row, column = BOARD.layout.slot(point)
        if (found.top if row == "top" else found.bottom)[column]:
            touched.add(point)
    return touched


@pytest.mark.parametrize(
    "moves", [[], [(24, 20)], [(24, 19), (24, 18)], [(20, 14), (18, 14)]], ids=str
)
def test_the_points_that_lost_or_won_a_checker_look_otherwise(
    moves: list[tuple[int, int]],
) -> None:
    before, after = views(moves)
    expected = {point for move in moves for point in move}
    found = points(points_touched(before, after, GEOMETRY))
    # A checker leans over the point beside its own, now and then.
    assert expected <= found
    assert len(found - expected) <= 1
