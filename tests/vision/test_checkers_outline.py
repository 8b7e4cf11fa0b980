import cv2
import numpy as np

from calibration.geometry import BoardGeometry
from tests.vision.checkers_drawing import CORNERS, LIGHT_POINT, draw_board
from vision.board_view import BoardView, estimate_geometry, rectify
from vision.checkers_colors import SideColors, lab_cells
from vision.checkers_crops import HALVES, crop
from vision.checkers_outline import OutlineSettings, circle_strength, with_outlines

EMPTY = [""] * 12
AT = 3  # a light point of the upper row
SETTINGS = OutlineSettings()


def board(*, hidden: bool) -> tuple[BoardView, BoardGeometry]:
    """A board; on a light point, where asked, a checker of its colour, but for its shade."""
    bgr = draw_board(EMPTY, EMPTY)
    pitch = (720 - 60) / 12
    x, radius = 60 + (AT + 0.5) * pitch, pitch * 0.44
    for color in ((90, 130, 150), LIGHT_POINT) if hidden else ():
        cv2.circle(bgr, (round(x), round(60 + pitch * 0.44)), round(radius), color, -1)
        radius -= 2
    view = rectify(bgr, CORNERS)
    return view, estimate_geometry(view)


def seen(view: BoardView, geometry: BoardGeometry, sides: SideColors | None) -> np.ndarray:
    classes = np.full((24, 10), 0.001)
    classes[:, 0] = 0.991
    labs = [lab_cells(crop(view, geometry, name)) for name in HALVES]
    return with_outlines(classes, view, geometry, labs, sides, SETTINGS)


LIKE_THE_POINT = SideColors(light=(81.0, 0.0, 28.0), dark=(10.0, 0.0, 2.0))


def test_a_checkers_outline_on_a_point_of_its_colour_is_clear() -> None:
    assert circle_strength(*board(hidden=True), AT) > SETTINGS.clear
    assert circle_strength(*board(hidden=False), AT) < SETTINGS.faint


def test_an_outline_makes_an_empty_point_doubtful_and_no_other() -> None:
    made = seen(*board(hidden=True), LIKE_THE_POINT)
    assert made[AT, 0] < 0.7
    assert np.delete(made[:, 0], AT).min() > 0.9
    assert seen(*board(hidden=False), LIKE_THE_POINT)[:, 0].min() > 0.9


def test_outlines_are_not_looked_for_where_no_side_has_the_points_colour() -> None:
    other = SideColors(light=(50.0, 60.0, 40.0), dark=(30.0, -40.0, 0.0))
    for sides in (other, None):
        assert seen(*board(hidden=True), sides)[:, 0].min() > 0.98


def test_a_board_at_the_pictures_edge_is_looked_at_all_the_same() -> None:
    bgr = draw_board(EMPTY, EMPTY)[60:690, 60:780]
    view = rectify(bgr, [(0.0, 0.0), (719.0, 0.0), (719.0, 629.0), (0.0, 629.0)], margin_mm=0.0)
    geometry = estimate_geometry(view)
    for point in (0, 11, 12, 23):
        assert 0 <= circle_strength(view, geometry, point) <= 1
