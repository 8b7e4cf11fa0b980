import numpy as np
import pytest

from tests.support.views import view
from vision.board_finder import find_board
from vision.board_finder_cut import CutSettings, ends_within, runs_out, touched
from vision.board_net import BoardGuess
from vision.observation import PictureEdge

SETTINGS = CutSettings()
SIZE_PX = (640, 480)


def corners(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def cells(left: int, top: int, right: int, bottom: int) -> np.ndarray:
    field = np.zeros((48, 64), np.bool_)
    field[top:bottom, left:right] = True
    return field


def test_corners_beyond_the_picture_say_where_a_board_runs_out_of_it() -> None:
    def sides(quad: np.ndarray, cover: float = 0.9) -> tuple[PictureEdge, ...]:
        return runs_out(BoardGuess(quad, 0.5, 0.5, 0.5, cover), SIZE_PX, SETTINGS)

    assert sides(corners(-60, 80, 500, 400)) == ("left",)
    assert sides(corners(100, -90, 700, 400)) == ("top", "right")
    assert sides(corners(-5, 80, 500, 400)) == ()
    assert sides(corners(-60, 80, 500, 400), cover=0.5) == ()


def test_a_field_that_lies_along_the_pictures_side_is_cut_there() -> None:
    quad, field = corners(0, 80, 400, 400), cells(0, 8, 40, 40)
    assert ends_within(quad, field, SIZE_PX, 0.3, SETTINGS, sure=True) == ("left",)
    assert ends_within(quad, field, SIZE_PX, 0.3, SETTINGS, sure=False) == ("left",)


def test_woodwork_between_field_and_side_shows_a_whole_board() -> None:
    quad, field = corners(30, 80, 400, 400), cells(3, 8, 40, 40)
    assert ends_within(quad, field, SIZE_PX, 0.3, SETTINGS, sure=False) == ()
    # Near the side the cells cannot tell a narrow frame from none: a sure field's corners can.
    near, touching = corners(12, 80, 400, 400), cells(1, 8, 40, 40)
    assert ends_within(near, touching, SIZE_PX, 0.3, SETTINGS, sure=True) == ()


def test_without_a_comb_what_touches_the_side_is_no_board() -> None:
    quad, field = corners(0, 80, 400, 400), cells(0, 8, 40, 40)
    assert ends_within(quad, field, SIZE_PX, 0.01, SETTINGS, sure=False) == ()


def test_a_picture_cut_out_along_the_rims_shows_a_whole_board() -> None:
    quad, field = corners(1, 1, 638, 478), cells(0, 0, 64, 48)
    assert ends_within(quad, field, SIZE_PX, 0.3, SETTINGS, sure=True) == ()


def test_no_field_touches_nothing() -> None:
    assert set(touched(cells(0, 0, 0, 0)).values()) == {0.0}
    assert (
        ends_within(corners(0, 0, 9, 9), cells(0, 0, 0, 0), SIZE_PX, 1, SETTINGS, sure=True)
        == ()
    )


@pytest.mark.parametrize("side", ["left", "right", "top", "bottom"])
def test_a_board_of_the_simulated_table_that_is_cut_is_named_so(side: PictureEdge) -> None:
    shown = view("walnut", "middle", tilt_deg=3.0, height_mm=900.0, bar_mm=36.0)
    quad = np.asarray(shown.corners_px)
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    x, y = int(0.2 * (right - left)), int(0.2 * (bottom - top))
    x0, y0 = (int(left) + x if side == "left" else 0), (int(top) + y if side == "top" else 0)
    x1 = int(right) - x if side == "right" else shown.bgr.shape[1]
    y1 = int(bottom) - y if side == "bottom" else shown.bgr.shape[0]
    seen = find_board(np.ascontiguousarray(shown.bgr[y0:y1, x0:x1]))
    assert not seen.found
    assert seen.cut == (side,)
