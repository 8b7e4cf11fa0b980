import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.homography import (
    GeometryError,
    apply,
    board_from_image,
    invert,
    scaled,
)

CORNERS = ((388.5, 234.0), (949.1, 237.3), (947.2, 725.7), (385.2, 722.9))
shift = st.floats(-60.0, 60.0)
shifts = st.tuples(shift, shift, shift, shift, shift, shift, shift, shift)


@given(shifts)
def test_the_corners_become_those_of_the_field(moves: tuple[float, ...]) -> None:
    corners = np.array(CORNERS) + np.reshape(moves, (4, 2))
    matrix = board_from_image([(float(x), float(y)) for x, y in corners], 480.0, 420.0)
    field = [[0, 0], [480, 0], [480, 420], [0, 420]]
    assert apply(matrix, corners) == pytest.approx(np.array(field), abs=1e-2)


@given(shifts, st.floats(0.0, 480.0), st.floats(0.0, 420.0))
def test_there_and_back_is_where_one_was(moves: tuple[float, ...], x: float, y: float) -> None:
    corners = np.array(CORNERS) + np.reshape(moves, (4, 2))
    matrix = board_from_image([(float(a), float(b)) for a, b in corners], 480.0, 420.0)
    there = apply(invert(matrix), [(x, y)])
    assert apply(matrix, there)[0] == pytest.approx((x, y), abs=1e-5)


def test_seen_straight_from_above_the_field_is_only_scaled() -> None:
    matrix = board_from_image([(100, 50), (340, 50), (340, 260), (100, 260)], 480.0, 420.0)
    assert apply(matrix, [(220, 155)])[0] == pytest.approx((240, 210), abs=1e-3)


def test_a_rectified_picture_has_a_margin_around_the_field() -> None:
    matrix = scaled(1.5, margin_mm=24.0)
    assert apply(matrix, [(0, 0), (480, 420)]).tolist() == [[36, 36], [756, 666]]


def test_no_points_map_to_no_points() -> None:
    assert apply(np.eye(3), np.zeros((0, 2))).shape == (0, 2)


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0), (1, 1), (2, 2), (3, 3)],
        [(0, 0), (100, 0), (50, 10), (0, 100)],
        [(100, 0), (0, 0), (0, 100), (100, 100)],
        [(0, 0), (100, 100), (100, 0), (0, 100)],
        [(5, 5)] * 4,
        [(0, 0), (100, 0), (100, 100)],
        [(float("nan"), 0), (100, 0), (100, 100), (0, 100)],
        [(0, 0), (float("inf"), 0), (100, 100), (0, 100)],
    ],
    ids=[
        "on one line", "dented", "anticlockwise", "crossed", "one spot", "three",
        "not a number", "infinite",
    ],
)  # fmt: skip
def test_corners_that_make_no_field_are_refused(corners: list[tuple[float, float]]) -> None:
    with np.errstate(invalid="ignore"), pytest.raises(GeometryError):
        board_from_image(corners, 480.0, 420.0)
