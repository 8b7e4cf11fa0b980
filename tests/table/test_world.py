import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.geometry import BoardGeometry
from calibration.homography import apply, board_from_image
from calibration.layout import BoardLayout, Corner
from table.die import project
from table.looks import LOOKS, random_camera
from table.scene import BAR_POINT, OFF_POINT, Disc, Scene
from table.truth import corners_px
from table.world import (
    Board,
    Position,
    WorldError,
    counts,
    lift,
    point_counts,
    put_down,
    set_up,
    steps_between,
)

START: Position = {"points": {"24": "w15", "12": "b15"}, "off": {"w": 0, "b": 0}}
SHORT: Position = {
    "points": {"24": "w2", "19": "b5", "13": "w5", "6": "w4", "8": "w3", "1": "b2", "12": "b5"},
    "off": {"w": 0, "b": 2},
    "bar": {"w": 1, "b": 1},
}


def table(corner: Corner = Corner.TOP_RIGHT, light: str = "w") -> Board:
    return Board(
        LOOKS["walnut"], BoardLayout(corner), BoardGeometry(), "w" if light == "w" else "b"
    )


@st.composite
def positions(draw: st.DrawFn) -> Position:
    points = draw(st.lists(st.integers(1, 24), min_size=1, max_size=10, unique=True))
    labels = {
        str(point): f"{draw(st.sampled_from('wb'))}{draw(st.integers(1, 15))}"
        for point in points
    }
    return {"points": labels, "off": {"w": 0, "b": 0}}


@settings(max_examples=25, deadline=None)
@given(positions(), st.sampled_from(list(Corner)), st.integers(0, 1000))
def test_a_checker_seen_in_the_picture_lies_on_its_own_point(
    position: Position, corner: Corner, seed: int
) -> None:
    board = table(corner)
    rng = np.random.default_rng(seed)
    discs = set_up(board, position, rng)
    scene = Scene(board.look, board.geometry, random_camera(rng), discs=discs)
    size = (1280, 960)
    geometry = board.geometry
    back = board_from_image(corners_px(scene, size), geometry.width_mm, geometry.height_mm)
    spots = project(
        scene.projection(size), np.array([[disc.x_mm, disc.y_mm, 0.0] for disc in discs])
    )
    for disc, (x, y) in zip(discs, apply(back, spots), strict=True):
        row, column = board.layout.slot(disc.point)
        assert abs(x - geometry.point_x_mm(column)) < geometry.pitch_mm(column) / 2
        assert (y < geometry.height_mm / 2) == (row == "top")


@given(positions())
@settings(max_examples=25, deadline=None)
def test_the_labels_of_a_table_tell_its_position(position: Position) -> None:
    board = table()
    rows = point_counts(board, set_up(board, position, np.random.default_rng(1)))
    for (color, point), count in counts(position).items():
        row, column = board.layout.slot(point)
        assert rows[row][column] == f"{board.side(color)}{count}"
    assert sum(bool(label) for row in rows.values() for label in row) == len(counts(position))


def test_black_may_play_the_light_checkers() -> None:
    board = table(light="b")
    assert board.side("b") == "L"
    assert board.color("L") == "b"
    assert board.color("D") == "w"


def test_checkers_of_one_layer_do_not_run_into_each_other() -> None:
    board = table()
    discs = set_up(board, START, np.random.default_rng(3))
    for point in (24, 12):
        first = [disc for disc in discs if disc.point == point and disc.z_mm == 0]
        assert len(first) == 5
        gaps = [
            math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)
            for index, a in enumerate(first)
            for b in first[:index]
        ]
        assert min(gaps) > board.look.checker_mm - 0.3


def test_fifteen_checkers_on_a_point_lie_in_three_layers() -> None:
    board = table()
    heights = {disc.z_mm for disc in set_up(board, START, np.random.default_rng(3))}
    step = board.look.checker_height_mm
    assert heights == {0.0, step, 2 * step}


def test_checkers_on_the_bar_and_borne_off_lie_where_they_belong() -> None:
    board = table()
    discs = set_up(board, SHORT, np.random.default_rng(2))
    bar = [disc for disc in discs if disc.point == BAR_POINT]
    off = [disc for disc in discs if disc.point == OFF_POINT]
    assert {disc.side for disc in bar} == {"L", "D"}
    assert all(board.geometry.half_of(disc.x_mm, disc.y_mm) == "bar" for disc in bar)
    assert len(off) == 2
    assert all(board.geometry.half_of(disc.x_mm, disc.y_mm) == "off" for disc in off)


def test_a_checker_goes_from_place_to_place_and_none_is_lost() -> None:
    board = table()
    rng = np.random.default_rng(4)
    discs = set_up(board, START, rng)
    left, taken = lift(board, discs, "w", 24)
    assert taken.order == 14
    placed = put_down(board, left, "w", 18, rng)
    assert len(placed) == len(discs)
    kept: set[Disc] = set(left)
    assert kept <= set(placed)


def test_there_must_be_a_checker_to_lift() -> None:
    board = table()
    with pytest.raises(WorldError, match="no checker of b on 24"):
        lift(board, set_up(board, START, np.random.default_rng(4)), "b", 24)


def test_a_hit_checker_goes_to_the_bar_before_the_other_lands() -> None:
    before: Position = {"points": {"8": "w1", "5": "b1"}, "bar": {"w": 0, "b": 0}}
    after: Position = {"points": {"5": "w1"}, "bar": {"w": 0, "b": 1}}
    assert steps_between(before, after, "w") == (("b", 5, BAR_POINT), ("w", 8, 5))


def test_a_checker_on_the_bar_enters_first_and_one_may_be_borne_off() -> None:
    before: Position = {"points": {"3": "w2"}, "bar": {"w": 1}, "off": {"w": 0}}
    after: Position = {"points": {"22": "w1", "3": "w1"}, "bar": {"w": 0}, "off": {"w": 1}}
    steps = steps_between(before, after, "w")
    assert steps == (("w", BAR_POINT, 22), ("w", 3, OFF_POINT))


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"points": []},
        {"points": {"25": "w1"}},
        {"points": {"3": "x1"}},
        {"points": {"3": "w"}},
        {"points": {"3": "w0"}},
        {"points": {}, "off": 3},
    ],
)
def test_what_is_no_position_is_refused(wrong: Position) -> None:
    with pytest.raises(WorldError, match="exchange format"):
        counts(wrong)
