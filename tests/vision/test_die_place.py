from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from vision.die_place import die_side_mm, face_tilt, place_die
from vision.observation import (
    BarReading,
    CheckersReading,
    DieReading,
    Half,
    PointPx,
    PointReading,
    Side,
    Surface,
)

GEOMETRY = BoardGeometry()
PLAIN = np.eye(3)
"""The picture's pixels are the board's millimetres."""
EMPTY = PointReading(None, 0, 1.0)
UNSURE = PointReading(Side.DARK, None, 0.5)


def die(x: float, y: float, side: float = 16.0) -> DieReading:
    box = (x - side / 2, y - side / 2, side, side)
    return DieReading(5, (x, y), box, 0.99, rotation_deg=0.0)


def checkers(top: dict[int, PointReading] | None = None) -> CheckersReading:
    row = tuple((top or {}).get(k, EMPTY) for k in range(12))
    return CheckersReading(row, (EMPTY,) * 12, BarReading(0, 0))


def stack(count: int) -> PointReading:
    return PointReading(Side.LIGHT, count, 0.99)


@pytest.mark.parametrize(
    ("x", "half"),
    [
        (100.0, Half.LEFT),
        (400.0, Half.RIGHT),
        (240.0, Half.BAR),
        (-60.0, Half.OFF),
        (560.0, Half.OFF),
        (220.0, None),
        (479.0, None),
    ],
)
def test_the_half_follows_the_centre_and_is_open_at_a_border(
    x: float, half: Half | None
) -> None:
    assert place_die(die(x, 200), PLAIN, GEOMETRY, None).half is half


def test_a_die_on_the_empty_field_lies_on_the_board() -> None:
    placed = place_die(die(100, 210), PLAIN, GEOMETRY, checkers())

    assert placed.on is Surface.BOARD
    assert placed.touches == frozenset()


def test_without_checkers_the_surface_in_the_field_stays_open() -> None:
    assert place_die(die(100, 210), PLAIN, GEOMETRY, None).on is None


def test_a_die_in_the_middle_of_a_checker_is_on_it() -> None:
    x = GEOMETRY.point_x_mm(2)
    third = 2.5 * GEOMETRY.checker_mm

    assert place_die(die(x, third), PLAIN, GEOMETRY, checkers({2: stack(3)})).on is (
        Surface.CHECKER
    )
    assert place_die(die(x, third), PLAIN, GEOMETRY, checkers({2: stack(1)})).on is (
        Surface.BOARD
    )


def test_more_checkers_than_surely_lie_in_a_row_may_lie_in_layers() -> None:
    """Whether the sixth lies beside the fifth or on the first no count tells."""
    x = GEOMETRY.point_x_mm(2)
    fifth, sixth = 4.5 * GEOMETRY.checker_mm, 5.5 * GEOMETRY.checker_mm
    nine = checkers({2: stack(9)})

    assert place_die(die(x, fifth), PLAIN, GEOMETRY, nine).on is Surface.CHECKER
    assert place_die(die(x, sixth), PLAIN, GEOMETRY, nine).on is None


def test_a_die_at_the_rim_of_a_checker_is_left_open() -> None:
    x = GEOMETRY.point_x_mm(2)
    y = GEOMETRY.checker_mm + 8.0

    assert place_die(die(x, y), PLAIN, GEOMETRY, checkers({2: stack(1)})).on is None


def test_an_unsure_point_leaves_the_surface_open() -> None:
    x = GEOMETRY.point_x_mm(7)

    assert place_die(die(x, 100), PLAIN, GEOMETRY, checkers({7: UNSURE})).on is None


def test_candidates_of_an_unsure_point_bound_its_stack() -> None:
    x = GEOMETRY.point_x_mm(7)
    known = replace(UNSURE, candidates=((Side.DARK, 1, 0.5), (Side.DARK, 2, 0.4)))

    assert place_die(die(x, 130), PLAIN, GEOMETRY, checkers({7: known})).on is Surface.BOARD


def test_a_die_near_the_wall_is_left_open() -> None:
    assert place_die(die(12, 210), PLAIN, GEOMETRY, checkers()).on is None


def test_a_die_on_the_bar_is_on_woodwork() -> None:
    assert place_die(die(240, 210), PLAIN, GEOMETRY, checkers()).on is Surface.WALL


def test_beyond_the_frame_a_die_is_off_and_on_it_unknown() -> None:
    assert place_die(die(-80, 210), PLAIN, GEOMETRY, checkers()).on is Surface.OFF
    assert place_die(die(-20, 210), PLAIN, GEOMETRY, checkers()).on is None


@pytest.mark.parametrize("turn", [0.0, 20.0, 45.0, 70.0])
def test_the_side_is_recovered_from_a_turned_box(turn: float) -> None:
    grown = 16 * (abs(np.cos(np.deg2rad(turn))) + abs(np.sin(np.deg2rad(turn))))

    side = die_side_mm((100, 100, grown, grown), turn, PLAIN)

    assert side == pytest.approx(16.0)


def face(side: float, turn_deg: float, squeeze: float = 1.0) -> list[PointPx]:
    turn = np.deg2rad(turn_deg)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    points = square @ rotation.T * np.array([squeeze, 1.0]) + 200
    return [(float(x), float(y)) for x, y in points]


@pytest.mark.parametrize("turn", [0.0, 33.0, 45.0])
def test_a_square_face_lies_flat_and_a_squeezed_one_leans(turn: float) -> None:
    assert face_tilt(face(16, turn), PLAIN) == (True, None)
    assert face_tilt(face(16, turn, 0.85), PLAIN) == (None, None)
    flat, lean = face_tilt(face(16, turn, 0.6), PLAIN)
    assert flat is False
    assert lean == pytest.approx(53.1, abs=0.5)
