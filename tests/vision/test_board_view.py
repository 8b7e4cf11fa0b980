import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.homography import GeometryError, apply, invert
from tests.vision.checkers_drawing import BAR_PX, CORNERS, draw_board
from vision.board_view import estimate_geometry, field_proportion, nominal_geometry, rectify
from vision.frame import FrameError

START = ["L2", "", "", "", "", "D5", "", "D3", "", "", "", "L5"]
MIRROR = ["D2", "", "", "", "", "L5", "", "L3", "", "", "", "D5"]


def camera_corners(
    height_mm: float, tilt_deg: float, turn_deg: float, focal: float = 1.0
) -> list[tuple[float, float]]:
    """Return where a tilted camera above a 480 mm wide field sees its corners."""
    tilt, turn = np.radians(tilt_deg), np.radians(turn_deg)
    corners = np.array([[-240, -1, 0], [240, -1, 0], [240, 1, 0], [-240, 1, 0]], dtype=float)
    corners[:, 1] *= height_mm / 2
    around_z = np.array(
        [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
    )
    around_x = np.array(
        [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]
    )
    seen = corners @ around_z.T @ around_x.T + np.array([0, 0, 800.0])
    pixels = seen[:, :2] / seen[:, 2:] * 1280 * focal + np.array([640, 480])
    return [(float(x), float(y)) for x, y in pixels]


def test_the_fields_corners_come_to_lie_at_the_margin() -> None:
    view = rectify(draw_board(START, MIRROR), CORNERS, px_per_mm=2.0, margin_mm=10.0)
    corners = apply(view.rectifier.rectified_from_image, CORNERS)
    expected = np.array([[20, 20], [980, 20], [980, 20 + 2 * view.height_mm]])
    assert np.allclose(corners[:3], expected, atol=0.01)
    assert view.bgr.shape[:2] == view.rectifier.size_px[::-1]


def test_the_way_back_from_millimetres_ends_in_the_picture() -> None:
    view = rectify(draw_board(START, MIRROR), CORNERS)
    there = apply(view.board_from_image, CORNERS)
    assert np.allclose(apply(invert(view.board_from_image), there), CORNERS, atol=1e-3)


def test_a_picture_finer_than_asked_is_averaged_not_sampled() -> None:
    fine = np.random.default_rng(1).integers(0, 255, (1600, 1600, 3)).astype(np.uint8)
    corners = [(100.0, 100.0), (1500.0, 100.0), (1500.0, 1500.0), (100.0, 1500.0)]
    view = rectify(fine, corners, px_per_mm=0.5)
    assert view.bgr.std() < 0.5 * fine.std()


def test_a_grey_picture_is_refused() -> None:
    with pytest.raises(FrameError):
        rectify(np.zeros((100, 100), np.uint8), CORNERS)


def test_corners_out_of_order_are_refused() -> None:
    with pytest.raises(GeometryError):
        rectify(draw_board(START, MIRROR), CORNERS[::-1])


@settings(deadline=None, max_examples=60)
@given(st.floats(330, 520), st.floats(-25, 25), st.floats(-12, 12), st.floats(0.85, 1.3))
def test_the_fields_proportion_shows_through_tilt(
    height_mm: float, tilt_deg: float, turn_deg: float, focal: float
) -> None:
    corners = camera_corners(height_mm, tilt_deg, turn_deg, focal)
    assert field_proportion(corners, (1280, 960)) == pytest.approx(height_mm / 480, rel=0.06)


def test_a_bar_is_found_where_it_lies() -> None:
    view = rectify(draw_board(START, MIRROR), CORNERS)
    geometry = estimate_geometry(view)
    scale = 480 / 720
    assert geometry.bar_left_mm == pytest.approx((360 - BAR_PX / 2) * scale, abs=4)
    assert geometry.bar_right_mm == pytest.approx((360 + BAR_PX / 2) * scale, abs=4)


def test_a_board_without_a_bar_is_given_none() -> None:
    view = rectify(draw_board(START, MIRROR, bar_px=0.0), CORNERS)
    geometry = estimate_geometry(view)
    assert geometry.bar_right_mm - geometry.bar_left_mm < 3


def test_a_checkers_diameter_is_measured_where_circles_show_it() -> None:
    geometry = estimate_geometry(rectify(draw_board(START, MIRROR), CORNERS))
    assert geometry.checker_mm == pytest.approx(0.88 * geometry.pitch_mm(0), rel=0.04)


def test_an_empty_boards_checkers_are_taken_to_be_ordinary_ones() -> None:
    empty = rectify(draw_board([""] * 12, [""] * 12), CORNERS)
    geometry = estimate_geometry(empty)
    assert geometry.checker_mm == pytest.approx(0.9 * geometry.pitch_mm(0), rel=0.06)


def test_the_nominal_board_has_the_views_size() -> None:
    view = rectify(draw_board(START, MIRROR), CORNERS)
    assert nominal_geometry(view).height_mm == view.height_mm
    assert nominal_geometry().width_mm == 480
