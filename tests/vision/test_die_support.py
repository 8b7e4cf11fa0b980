from dataclasses import replace

import numpy as np
import pytest

from calibration.camera_pose import CameraPose
from calibration.geometry import BoardGeometry
from vision.checkers_ends import RowEnd, Slot
from vision.die_place import place_die
from vision.die_support import counted, surroundings_of
from vision.observation import (
    BarReading,
    CheckersReading,
    DieReading,
    PointReading,
    Side,
    Surface,
)

GEOMETRY = BoardGeometry()
PLAIN = np.eye(3)
"""The picture's pixels are the board's millimetres."""
EMPTY = PointReading(None, 0, 1.0)
BARE = CheckersReading((EMPTY,) * 12, (EMPTY,) * 12, BarReading(0, 0))
SIDE = 16.0


def die(x: float, y: float) -> DieReading:
    box = (x - SIDE / 2, y - SIDE / 2, SIDE, SIDE)
    return DieReading(5, (x, y), box, 0.99, rotation_deg=0.0, on=Surface.BOARD)


def free(
    *dice: DieReading,
    checkers: CheckersReading | None = BARE,
    geometry: BoardGeometry = GEOMETRY,
) -> list[bool]:
    return [one.free for one in surroundings_of(dice, PLAIN, geometry, checkers)]


def test_no_dice_have_no_surroundings() -> None:
    assert surroundings_of((), PLAIN, GEOMETRY, BARE) == ()


def test_a_die_with_nothing_beside_it_is_free() -> None:
    assert free(die(110, 210)) == [True]
    assert free(die(110, 210), die(400, 210)) == [True, True]


@pytest.mark.parametrize("apart", [SIDE, 1.5 * SIDE])
def test_dice_beside_each_other_may_hold_each_other_up(apart: float) -> None:
    assert free(die(110, 210), die(110 + apart, 210)) == [False, False]


@pytest.mark.parametrize(
    ("x", "y"), [(6, 210), (474, 210), (110, 6), (110, 414), (212, 210), (268, 210)]
)
def test_a_die_at_a_wall_or_the_bar_may_lean_on_it(x: float, y: float) -> None:
    assert free(die(x, y)) == [False]


def test_from_aslant_a_die_stands_nearer_to_the_camera_than_it_is_seen() -> None:
    pose = CameraPose(
        900.0, (0.0, 0.0), np.array([0, 0, 1.0]), np.array([-400.0, 210.0, 600.0])
    )
    seen, stands = (
        surroundings_of((die(110, 210),), PLAIN, GEOMETRY, BARE, pose=one)[0].to_wall_mm
        for one in (None, pose)
    )
    assert seen == pytest.approx(110)
    assert stands == pytest.approx(110 - 510 * (SIDE / 2) / 600)


def test_a_board_without_a_bar_has_nothing_to_lean_on_in_the_middle() -> None:
    no_bar = BoardGeometry(bar_left_mm=240.0, bar_right_mm=240.0)
    assert free(die(230, 210), geometry=no_bar) == [True]


def test_a_die_beside_a_checker_may_lean_on_it() -> None:
    one = PointReading(Side.LIGHT, 1, 0.99)
    held = CheckersReading((EMPTY,) * 3 + (one,) + (EMPTY,) * 8, BARE.bottom, BARE.bar)
    x = GEOMETRY.point_x_mm(3)
    assert free(die(x, 46), checkers=held) == [False]
    assert free(die(x, 46), checkers=BARE) == [True]
    assert free(die(x, 210), checkers=held) == [True]


def test_with_checkers_unknown_nothing_is_free() -> None:
    assert free(die(110, 210), die(400, 210), checkers=None) == [False, False]


@pytest.mark.parametrize("on", [None, Surface.CHECKER, Surface.WALL, Surface.OFF])
def test_only_a_die_on_the_board_is_free(on: Surface | None) -> None:
    assert free(replace(die(110, 210), on=on)) == [False]


ONE = PointReading(Side.LIGHT, 1, 0.99)
UNSURE = PointReading(None, None, 0.4)
HELD = CheckersReading((EMPTY,) * 3 + (ONE,) + (EMPTY,) * 8, BARE.bottom, BARE.bar)
X = GEOMETRY.point_x_mm(3)
R = GEOMETRY.checker_mm / 2
SLOT: Slot = ("top", 3)
NEAR = R + 17.0 + 1.2 * SIDE
"""The depth of a die 1.2 sides from a checker that stands at its rim."""


def test_a_checker_that_was_measured_stands_where_it_was_measured() -> None:
    die_beside = (die(X, NEAR - 1.5),)
    counted_only, measured, farther_in = (
        surroundings_of(die_beside, PLAIN, GEOMETRY, HELD, ends=ends)[0]
        for ends in (
            None,
            {SLOT: RowEnd(X, R, R)},
            {SLOT: RowEnd(X, R + 6.0, R)},
        )
    )
    assert (counted_only.free, measured.free, farther_in.free) == (False, True, False)
    assert measured.to_checkers_mm == pytest.approx(NEAR - 1.5 - 2 * R)
    assert farther_in.to_checkers_mm == pytest.approx(NEAR - 1.5 - 2 * R - 6.0)


@pytest.mark.parametrize(("turn", "gap"), [(0.0, 2.0), (45.0, 2.0 - SIDE * (0.5**0.5 - 0.5))])
def test_the_gap_to_a_measured_checker_is_told_from_the_dies_sides(
    turn: float, gap: float
) -> None:
    beside = replace(die(X, 2 * R + SIDE / 2 + 2.0), rotation_deg=turn)
    if turn:
        wide = SIDE * 2**0.5
        beside = replace(beside, box_px=(0.0, 0.0, wide, wide))
    ends = {SLOT: RowEnd(X, R, R)}
    near = surroundings_of((beside,), PLAIN, GEOMETRY, HELD, ends=ends)[0]
    assert near.gap_mm == pytest.approx(gap, abs=0.01)


def test_no_gap_is_told_where_the_nearest_checker_was_not_measured() -> None:
    two = CheckersReading(
        (EMPTY,) * 3 + (ONE, ONE) + (EMPTY,) * 7, BARE.bottom, BarReading(0, 0)
    )
    ends = {SLOT: RowEnd(X, R, R)}
    beside = (die(GEOMETRY.point_x_mm(4), 2 * R + SIDE),)
    assert surroundings_of(beside, PLAIN, GEOMETRY, two, ends=ends)[0].gap_mm is None
    assert surroundings_of((die(X, 60),), PLAIN, GEOMETRY, HELD)[0].gap_mm is None


def test_the_game_vouches_only_for_what_it_knows_to_be_far_from_everything() -> None:
    middle, beside = die(110, 210), die(X, NEAR + 3.0)

    def vouched(one: DieReading, stands: CheckersReading | None) -> bool:
        return surroundings_of((one,), PLAIN, GEOMETRY, BARE, stands=stands)[0].vouched

    assert vouched(middle, BARE)
    assert vouched(middle, HELD)
    assert not vouched(beside, HELD)
    assert not vouched(middle, None)


def test_a_die_beside_what_lies_over_the_board_may_be_partly_hidden() -> None:
    hand = replace(BARE, over_mm=((110.0, 225.0), (110.0, 230.0)))
    found = surroundings_of([die(110, 212), die(300, 210)], PLAIN, GEOMETRY, hand)
    assert [one.under for one in found] == [True, False]
    assert counted(hand, BARE).over_mm == hand.over_mm


def test_points_that_are_not_sure_hold_what_they_are_known_to_hold() -> None:
    hidden = CheckersReading((UNSURE,) * 12, HELD.bottom, BarReading(None, 0))
    merged = counted(hidden, HELD)
    assert merged.top == HELD.top
    assert merged.bottom == hidden.bottom
    assert merged.bar == hidden.bar
    assert counted(hidden, None) is hidden


def test_where_a_reading_contradicts_the_game_neither_is_sure() -> None:
    # A white die at the rim of a light point, taken for a checker.
    merged = counted(HELD, BARE)
    assert merged.top[3].unsure
    assert [(side, count) for side, count, _ in merged.top[3].candidates] == [
        (Side.LIGHT, 1),
        (None, 0),
    ]
    assert merged.top[:3] == HELD.top[:3]
    over = die(X, R)
    assert place_die(over, PLAIN, GEOMETRY, HELD).on is Surface.CHECKER
    assert place_die(over, PLAIN, GEOMETRY, merged).on is None
