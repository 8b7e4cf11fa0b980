import cv2
import numpy as np
import pytest

from calibration.camera_pose import CameraPose
from calibration.geometry import BoardGeometry
from tests.vision.checkers_drawing import BAR_PX, CORNERS, draw_board
from vision.board_view import rectify_measured
from vision.checkers_ends import RowEnd, Slot, row_ends
from vision.cv import BgrImage
from vision.observation import BarReading, CheckersReading, PointReading, Side

PX_PER_MM = 1.5
PITCH = (480.0 - BAR_PX / PX_PER_MM) / 12
RADIUS = 0.44 * PITCH
GEOMETRY = BoardGeometry(checker_mm=2 * RADIUS)
ABOVE = CameraPose(900.0, (420.0, 375.0), np.array([0, 0, 1.0]), np.array([240.0, 210.0, 1e6]))
"""So high up that nothing is seen aslant, as in the drawing."""
BARE = ("",) * 12


def reading(top: tuple[str, ...], bottom: tuple[str, ...] = BARE) -> CheckersReading:
    rows = [
        tuple(
            PointReading(Side(label[0]), int(label[1:]), 0.99)
            if label
            else PointReading(None, 0, 1.0)
            for label in row
        )
        for row in (top, bottom)
    ]
    return CheckersReading(rows[0], rows[1], BarReading(0, 0))


def at(column: int, label: str) -> tuple[str, ...]:
    return tuple(label if k == column else "" for k in range(12))


def ends_in(
    bgr: BgrImage, checkers: CheckersReading, *spots_mm: tuple[float, float]
) -> dict[Slot, RowEnd]:
    view = rectify_measured(bgr, CORNERS, GEOMETRY)
    return dict(row_ends(view, GEOMETRY, checkers, ABOVE, spots_mm))


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("label", ["L", "D"])
def test_the_last_checker_is_found_where_it_lies(label: str, count: int) -> None:
    row = at(3, f"{label}{count}")
    x = GEOMETRY.point_x_mm(3)
    found = ends_in(draw_board(row, BARE), reading(row), (x, RADIUS * 2 * count + 15.0))

    assert list(found) == [("top", 3)]
    end = found["top", 3]
    assert end.depth_mm == pytest.approx(RADIUS * (1 + 2.05 * (count - 1)), abs=1.5)
    assert end.x_mm == pytest.approx(x, abs=1.5)
    assert end.radius_mm == pytest.approx(RADIUS, rel=0.05)


def test_the_lower_row_is_measured_from_its_own_rim() -> None:
    row = at(8, "D2")
    spot = (GEOMETRY.point_x_mm(8), 330.0)
    end = ends_in(draw_board(BARE, row), reading(BARE, row), spot)["bottom", 8]
    assert end.depth_mm == pytest.approx(RADIUS * 3.05, abs=1.2)


def test_from_aslant_a_checker_stands_nearer_to_the_camera_than_it_is_seen() -> None:
    row = at(3, "L2")
    view = rectify_measured(draw_board(row, BARE), CORNERS, GEOMETRY)
    low = CameraPose(900.0, (0.0, 0.0), np.array([0, 0, 1.0]), np.array([135.0, 500.0, 600.0]))
    spots = [(GEOMETRY.point_x_mm(3), 100.0)]
    end = row_ends(view, GEOMETRY, reading(row), low, spots)["top", 3]
    # Seen 447 mm away from below the camera, its edge 9 mm of 600 high.
    assert end.depth_mm == pytest.approx(RADIUS * 3.05 + 447 * 0.28 * 2 * RADIUS / 600, abs=1.5)


def test_only_rows_near_a_spot_are_looked_at() -> None:
    row = tuple("L2" for _ in range(12))
    drawn, read = draw_board(row, row), reading(row, row)
    found = ends_in(drawn, read, (GEOMETRY.point_x_mm(3), 90.0))
    assert set(found) == {("top", column) for column in (2, 3, 4)}
    assert ends_in(drawn, read, (GEOMETRY.point_x_mm(3), 180.0)) == {}
    assert ends_in(drawn, read) == {}


def test_an_end_that_is_not_seen_is_not_told() -> None:
    row, x = at(3, "L2"), GEOMETRY.point_x_mm(3)
    assert ends_in(draw_board(BARE, BARE), reading(row), (x, 100.0)) == {}
    covered = draw_board(row, BARE)
    middle = (round(60 + x * PX_PER_MM), round(60 + RADIUS * 3.05 * PX_PER_MM))
    cv2.circle(covered, middle, 40, (90, 90, 90), -1)
    assert ends_in(covered, reading(row), (x, 100.0)) == {}


@pytest.mark.parametrize("count", [None, 6, 0])
def test_stacks_in_layers_and_points_that_are_not_sure_are_left_out(count: int | None) -> None:
    row, x = at(3, "L5"), GEOMETRY.point_x_mm(3)
    read = reading(row)
    side = None if not count else Side.LIGHT
    point = PointReading(side, count, 0.9)
    unsure = CheckersReading((*read.top[:3], point, *read.top[4:]), read.bottom, read.bar)
    assert ends_in(draw_board(row, BARE), unsure, (x, 190.0)) == {}
