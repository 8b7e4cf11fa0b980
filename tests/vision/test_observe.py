from collections.abc import Sequence
from dataclasses import replace
from itertools import count

import cv2
import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from calibration.homography import GeometryError
from calibration.layout import BoardLayout, Corner
from table.die import DiePose
from table.looks import LOOKS
from table.render import render
from table.scene import Die, Hand, Scene
from table.truth import corners_px
from table.world import Board
from vision.board_view import rectify_measured
from vision.cv import BgrImage, as_u8
from vision.frame import FrameError
from vision.observation import (
    BarReading,
    CheckersReading,
    Corners,
    DieReading,
    PointReading,
    Surface,
)
from vision.observe import Known, check_field, dice_on_board, observe, observe_dice

SIZE = (640, 480)
BOARD = Board(LOOKS["walnut"], BoardLayout(Corner.TOP_RIGHT), BoardGeometry(), "w")
SCENE = Scene(BOARD.look, BOARD.geometry)
EMPTY = render(SCENE, SIZE)
TRUE_CORNERS = [(float(x), float(y)) for x, y in corners_px(SCENE, SIZE)]
FIELD: Corners = (TRUE_CORNERS[0], TRUE_CORNERS[1], TRUE_CORNERS[2], TRUE_CORNERS[3])


def test_an_empty_board_is_seen_empty() -> None:
    seen = observe(EMPTY, Known(corners_px=FIELD))
    assert (seen.width, seen.height) == SIZE
    assert seen.board is not None
    assert (seen.board.found, seen.board.corners_px, seen.board.confidence) == (
        True,
        FIELD,
        1.0,
    )
    assert seen.checkers is not None
    labels = [one.label for row in (seen.checkers.top, seen.checkers.bottom) for one in row]
    assert set(labels) <= {"", "U"}
    assert labels.count("") >= 20
    assert seen.dice == ()


def test_a_geometry_that_is_known_is_used() -> None:
    seen = observe(EMPTY, Known(corners_px=FIELD, geometry=BOARD.geometry))
    assert seen.checkers is not None


def test_time_is_taken_from_the_clock_that_was_handed_over() -> None:
    ticks = count()
    seen = observe(EMPTY, Known(corners_px=FIELD), now_s=lambda: float(next(ticks)))
    assert seen.ms.total == seen.ms.board + seen.ms.points + seen.ms.dice
    assert min(seen.ms.board, seen.ms.points, seen.ms.dice) >= 1000


def test_where_no_board_is_found_nothing_else_is_said() -> None:
    seen = observe(as_u8(np.full((480, 640, 3), 128)))
    assert seen.board is not None
    assert (seen.board.found, seen.board.corners_px) == (False, None)
    assert seen.checkers is None
    assert seen.dice == ()


@pytest.mark.parametrize(
    ("later", "values"),
    [
        ([(6, 120.0, 200.0), (2, 360.0, 220.0)], [6, 2]),
        ([(6, 120.0, 200.0), (4, 330.0, 250.0)], [6, 4]),
        ([(6, 120.0, 200.0)], [6]),
    ],
)
def test_where_a_known_die_is_gone_the_board_is_searched_for_another(
    later: list[tuple[int, float, float]], values: list[int]
) -> None:
    known = dice_in([(6, 120.0, 200.0), (2, 360.0, 220.0)])
    assert [die.value for die in known] == [6, 2]
    assert [die.value for die in dice_in(later, known)] == values


def test_of_one_die_alone_the_other_is_looked_for_in_every_look() -> None:
    both = [(6, 120.0, 200.0), (2, 360.0, 220.0)]
    first = dice_in(both[:1])
    assert [die.value for die in first] == [6]
    assert [die.value for die in dice_in(both, first)] == [6, 2]


def dice_in(
    dice: list[tuple[int, float, float]], known: Sequence[DieReading] = ()
) -> tuple[DieReading, ...]:
    """Read a board with dice (value, x, y in mm) lying flat on it."""
    lying = tuple(Die(DiePose(value, x, y, yaw_deg=20.0), 0.0, "left") for value, x, y in dice)
    bgr = render(replace(SCENE, dice=lying), (1280, 960))
    a, b, c, d = corners_px(SCENE, (1280, 960))
    view = rectify_measured(bgr, (a, b, c, d), BOARD.geometry)
    bare = (PointReading(None, 0, 1.0),) * 12
    nothing = CheckersReading(bare, bare, BarReading(0, 0))
    return dice_on_board(bgr, view, BOARD.geometry, nothing, known=known)


@pytest.mark.parametrize(("beside_mm", "told"), [(26.0, None), (110.0, True)])
def test_how_a_die_lies_is_not_told_where_a_hand_is_seen_beside_it(
    beside_mm: float, told: bool | None
) -> None:
    known = Known(corners_px=FIELD, geometry=BOARD.geometry)
    reaching = replace(SCENE, hand=Hand(150.0, 160.0))
    seen = observe(render(reaching, SIZE), known).checkers
    assert seen is not None
    x, y = max(seen.over_mm)
    lying = Die(DiePose(6, x + beside_mm, y, yaw_deg=20.0), 0.0, "left")
    (die,) = observe(render(replace(reaching, dice=(lying,)), SIZE), known).dice
    assert die.value == 6
    assert die.flat is told
    assert (die.on is Surface.BOARD) is bool(told)


def test_nothing_lies_over_an_empty_board() -> None:
    seen = observe(EMPTY, Known(corners_px=FIELD, geometry=BOARD.geometry)).checkers
    assert seen is not None
    assert seen.over_mm == ()


def test_dice_alone_are_looked_for_without_a_board() -> None:
    seen = observe_dice(EMPTY)
    assert seen.board is None
    assert seen.checkers is None


@pytest.mark.parametrize(
    "size", [(16, 16), (16, 900), (900, 17), (22, 211), (49, 48), (9, 2000)]
)
@pytest.mark.parametrize("kind", ["black", "noise", "squeezed"])
def test_pictures_of_any_size_crash_nothing(size: tuple[int, int], kind: str) -> None:
    width, height = size
    pictures: dict[str, BgrImage] = {
        "black": np.zeros((height, width, 3), np.uint8),
        "noise": as_u8(np.random.default_rng(5).integers(0, 256, (height, width, 3))),
        "squeezed": as_u8(cv2.resize(EMPTY, size)),
    }
    seen = observe(pictures[kind])
    assert seen.board is not None
    assert not seen.board.found
    observe_dice(pictures[kind])


@pytest.mark.parametrize(
    ("corners", "word"),
    [
        ([(0, 0), (1, 1), (2, 2), (3, 3)], "convex"),
        ([(300, 0), (0, 0), (0, 200), (300, 200)], "convex"),
        ([(-2000, 0), (600, 0), (600, 400), (0, 400)], "far outside"),
        ([(0, 0), (600, 0), (600, 1000), (0, 400)], "far outside"),
        ([(-500, 0), (-100, 0), (-100, 400), (-500, 400)], "outside the picture"),
        ([(0, 0), (600, 0), (600, 40), (0, 40)], "too small"),
    ],
)
def test_corners_that_hold_no_board_of_this_picture_are_refused(
    corners: list[tuple[float, float]], word: str
) -> None:
    field: Corners = (corners[0], corners[1], corners[2], corners[3])
    with pytest.raises(GeometryError, match=word):
        observe(EMPTY, Known(corners_px=field))


def test_a_corner_may_lie_a_little_outside_the_picture() -> None:
    check_field(((-40, -30), (680, -30), (640, 500), (0, 500)), SIZE)


def test_a_picture_without_colour_is_refused() -> None:
    with pytest.raises(FrameError):
        observe(EMPTY[:, :, 0], Known(corners_px=FIELD))
