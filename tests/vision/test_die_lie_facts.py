from dataclasses import replace

import numpy as np
import pytest

from calibration.camera_pose import CameraPose
from calibration.geometry import BoardGeometry
from vision.die_lie import Lie
from vision.die_lie_facts import LieSettings, tilt_chance, with_lies, worth_a_wider_look
from vision.die_support import Surroundings
from vision.observation import DieReading, Half, Surface

GEOMETRY = BoardGeometry()
PLAIN = np.eye(3)
"""The picture's pixels are the board's millimetres."""
POSE = CameraPose(900.0, (240.0, 210.0), np.array([0, 0, 1.0]), np.array([240.0, 210.0, 800.0]))
FLAT = Lie(0.004, 1.0, 0.98, 0.01, 0.01, 0.05, 0.05)
LEANING = Lie(0.99, 31.0, 0.01, 0.98, 0.01, 0.97, 0.05)
FREE = Surroundings(15.0, 80.0, 18.0, alone=True, free=True)
FAR = Surroundings(15.0, 80.0, 60.0, alone=True, free=True)
BESIDE = Surroundings(15.0, 80.0, 8.0, alone=True, free=False)
OVER = Surroundings(15.0, 80.0, -4.0, alone=True, free=False)
"""Its middle may be over a checker."""
AT_WALL = Surroundings(15.0, 8.0, 60.0, alone=True, free=False)


def die(
    on: Surface | None = None, half: Half | None = Half.LEFT, x: float = 110.0
) -> DieReading:
    box = (x - 8, 200.0, 16.0, 16.0)
    return DieReading(5, (x, 208.0), box, 0.99, rotation_deg=0.0, half=half, on=on)


def told(reading: DieReading, lie: Lie, near: Surroundings) -> DieReading:
    return with_lies([reading], [lie], [near], PLAIN, GEOMETRY, POSE)[0]


def test_no_dice_give_no_facts() -> None:
    assert with_lies([], [], [], PLAIN, GEOMETRY, POSE) == ()


@pytest.mark.parametrize(("tilted", "flat"), [(0.001, True), (0.5, None), (0.9999, False)])
def test_a_die_beside_a_checker_lies_as_the_network_is_sure_of(
    tilted: float, flat: bool | None
) -> None:
    assert told(die(), replace(FLAT, tilted=tilted), BESIDE).flat is flat


def test_a_face_taken_for_a_die_is_not_flat_where_a_wider_look_sees_it_lean() -> None:
    def seen(wider: Lie, near: Surroundings = BESIDE) -> DieReading:
        flat = replace(FLAT, tilted=0.04)
        looks = {0: wider}
        return with_lies([die()], [flat], [near], PLAIN, GEOMETRY, POSE, wider=looks)[0]

    assert seen(FLAT).flat is True
    doubted = seen(LEANING)
    assert (doubted.flat, doubted.tilt_deg) == (None, None)
    assert doubted.leans is not None
    assert doubted.leans < 0.5, "it takes more than this to contradict other looks"
    assert seen(replace(LEANING, tilted=0.3)).flat is True


def test_only_dice_not_quite_surely_flat_beside_something_are_worth_a_wider_look() -> None:
    chances = [0.001, 0.04, 0.3, 0.99]
    lies = [replace(FLAT, tilted=one) for one in chances]
    assert worth_a_wider_look([die()] * 4, lies, [BESIDE] * 4) == [1]
    assert worth_a_wider_look([die()] * 4, lies, [FREE] * 4) == []


def test_nothing_is_told_of_how_a_die_lies_that_a_hand_may_hide_a_part_of() -> None:
    seen = told(die(Surface.BOARD), LEANING, replace(BESIDE, under=True))
    assert (seen.flat, seen.on, seen.half, seen.leans) == (None, None, None, None)
    assert seen.value == 5


def test_how_likely_it_leans_is_told_where_something_could_hold_it_up() -> None:
    assert told(die(), FLAT, FREE).leans is None
    flat, leaning = told(die(), FLAT, BESIDE).leans, told(die(), LEANING, BESIDE).leans
    assert flat is not None
    assert leaning is not None
    assert flat < 0.1 < 0.9 < leaning


@pytest.mark.parametrize(
    ("sides", "tilted", "flat"),
    [(0.7, 0.97, False), (0.95, 0.97, None), (0.95, 0.995, False), (0.95, 0.01, True)],
)
def test_what_is_hardly_near_enough_holds_a_die_up_only_where_the_network_is_surer(
    sides: float, tilted: float, flat: bool | None
) -> None:
    around = replace(BESIDE, to_checkers_mm=15 * sides)
    assert told(die(), replace(LEANING, tilted=tilted), around).flat is flat


def test_a_die_with_nothing_to_lean_on_is_flat_unless_it_looks_tilted() -> None:
    on_board = die(Surface.BOARD)

    assert told(on_board, replace(FLAT, tilted=0.25), FREE).flat is True
    assert told(on_board, replace(FLAT, tilted=0.4), FREE).flat is None


def test_a_die_far_from_everything_is_flat_unless_it_looks_surely_tilted() -> None:
    on_board = die(Surface.BOARD)

    assert told(on_board, replace(FLAT, tilted=0.8), FAR).flat is True
    assert told(on_board, replace(FLAT, tilted=0.99), FAR).flat is None


def test_where_the_game_knows_of_nothing_near_an_ornament_holds_no_die_up() -> None:
    on_board, vouched = die(Surface.BOARD), replace(FAR, vouched=True)
    on_a_rosette = replace(FLAT, on_board=0.01, on_checker=0.98, tilted=0.99)

    assert told(on_board, on_a_rosette, vouched).on is Surface.BOARD
    assert told(on_board, on_a_rosette, vouched).flat is True
    assert told(on_board, on_a_rosette, FAR).on is None
    assert told(on_board, on_a_rosette, FAR).flat is None
    assert told(on_board, replace(on_a_rosette, tilted=0.9995), vouched).flat is None


def test_a_die_beside_the_board_is_never_called_tilted() -> None:
    beside = die(Surface.OFF, Half.OFF)

    assert told(beside, LEANING, FREE).flat is None
    assert told(beside, LEANING, FREE).on is Surface.OFF


def test_what_the_geometry_leaves_open_the_network_may_settle() -> None:
    assert told(die(), FLAT, BESIDE).on is Surface.BOARD
    assert told(die(), LEANING, BESIDE).on is Surface.CHECKER
    assert told(die(), replace(FLAT, on_board=0.5, on_checker=0.5), OVER).on is None


def test_a_die_flat_with_its_middle_outside_every_checker_lies_on_the_board() -> None:
    doubtful = replace(FLAT, on_board=0.6, on_checker=0.4)

    assert told(die(), doubtful, BESIDE).on is Surface.BOARD
    assert told(die(), replace(doubtful, tilted=0.5), BESIDE).on is None
    assert told(die(), replace(FLAT, on_board=0.4, on_checker=0.6), BESIDE).on is None


@pytest.mark.parametrize(("sure", "told_so"), [(0.93, True), (0.88, False)])
def test_the_network_settles_what_a_die_lies_on_only_where_it_is_sure(
    sure: float, told_so: bool
) -> None:
    lying = replace(FLAT, on_board=sure, on_checker=1 - sure)
    leaning = replace(LEANING, on_board=1 - sure, on_checker=sure)

    assert told(die(), lying, OVER).on is (Surface.BOARD if told_so else None)
    assert told(die(), leaning, BESIDE).on is (Surface.CHECKER if told_so else None)


def test_a_die_flat_on_a_checker_has_its_middle_over_it() -> None:
    """A round ornament looks like a checker; a die flat beside one does not lie on it."""
    looks_on_it = replace(FLAT, on_board=0.01, on_checker=0.98)

    assert told(die(), looks_on_it, OVER).on is Surface.CHECKER
    assert told(die(), looks_on_it, BESIDE).on is None


def test_over_a_checker_a_die_is_on_it_whether_it_leans_or_not() -> None:
    open_ = replace(LEANING, tilted=0.5)

    assert told(die(), open_, OVER).flat is None
    assert told(die(), open_, OVER).on is Surface.CHECKER
    assert told(die(), open_, BESIDE).on is None
    assert told(die(), replace(open_, on_board=0.1, on_checker=0.9), OVER).on is None


def test_a_die_flat_inside_a_half_is_not_on_a_wall() -> None:
    doubtful = replace(FLAT, on_board=0.55, on_checker=0.01, on_wall=0.44)

    assert told(die(), doubtful, AT_WALL).on is Surface.BOARD
    assert told(die(None, None, 222.0), doubtful, AT_WALL).on is None
    assert told(die(), replace(doubtful, tilted=0.6), AT_WALL).on is None


def test_a_number_that_reads_badly_speaks_for_a_tilt() -> None:
    undecided = replace(FLAT, tilted=0.5)

    def chance(confidence: float, flat: bool | None = None) -> float:
        reading = replace(die(), confidence=confidence, flat=flat)
        return tilt_chance(reading, undecided, LieSettings())

    assert chance(0.7) > 0.5 > chance(0.9999)
    assert chance(1.0) > 0.0
    assert chance(0.9, True) < chance(0.9) < chance(0.9, False)


def test_what_holds_a_die_up_is_told_only_where_its_lie_is() -> None:
    undecided = replace(LEANING, tilted=0.6)

    assert told(die(), undecided, BESIDE).on is None
    assert told(die(Surface.CHECKER), undecided, BESIDE).on is Surface.CHECKER


def test_a_die_is_not_on_a_checker_where_none_is_near() -> None:
    assert told(die(), LEANING, AT_WALL).on is None
    on_wall = replace(LEANING, on_checker=0.01, on_wall=0.98)
    assert told(die(), on_wall, AT_WALL).on is Surface.WALL
    assert told(die(), on_wall, BESIDE).on is None


def test_where_network_and_geometry_contradict_each_other_nothing_is_said() -> None:
    assert told(die(Surface.BOARD), LEANING, FREE).on is None
    assert told(die(Surface.CHECKER), FLAT, BESIDE).on is None
    assert told(die(Surface.CHECKER), replace(FLAT, on_board=0.6), BESIDE).on is None
    assert told(die(Surface.CHECKER), LEANING, BESIDE).on is Surface.CHECKER


def test_the_bar_stays_the_bar() -> None:
    assert told(die(Surface.WALL, Half.BAR, 240.0), FLAT, AT_WALL).on is Surface.WALL


@pytest.mark.parametrize(
    ("x", "half"), [(219.0, Half.LEFT), (261.0, Half.RIGHT), (222.0, None), (484.0, None)]
)
def test_a_die_flat_on_the_floor_is_in_the_half_its_middle_is_in(
    x: float, half: Half | None
) -> None:
    assert told(die(None, None, x), FLAT, AT_WALL).half is half
    assert told(die(None, None, x), LEANING, AT_WALL).half is None


def test_a_die_touches_only_what_is_within_reach() -> None:
    touching = replace(FLAT, touches_checker=0.97, touches_wall=0.97)

    assert told(die(), touching, BESIDE).touches == {Surface.CHECKER}
    assert told(die(), touching, AT_WALL).touches == {Surface.WALL}
    assert told(die(), touching, FAR).touches == frozenset()


@pytest.mark.parametrize(
    ("sides", "touches", "may_touch"),
    [(0.6, True, True), (0.9, True, True), (1.1, False, False)],
)
def test_a_flat_die_farther_away_than_its_corners_reach_touches_nothing(
    sides: float, touches: bool, may_touch: bool
) -> None:
    around = replace(BESIDE, to_checkers_mm=15 * sides)
    sure, doubtful = replace(FLAT, touches_checker=0.97), replace(FLAT, touches_checker=0.5)

    assert (Surface.CHECKER in told(die(), sure, around).touches) is touches
    assert (Surface.CHECKER in told(die(), doubtful, around).may_touch) is may_touch


def test_a_slight_doubt_about_a_touch_counts_only_close_by() -> None:
    doubtful = replace(FLAT, touches_wall=0.1)
    near, hardly = (replace(AT_WALL, to_wall_mm=15 * sides) for sides in (0.7, 0.9))

    assert told(die(), doubtful, near).may_touch == {Surface.WALL}
    assert told(die(), doubtful, hardly).may_touch == frozenset()


@pytest.mark.parametrize(("gap_mm", "open_"), [(3.0, False), (1.0, True), (None, True)])
def test_a_measured_gap_settles_a_doubt_about_a_touch(
    gap_mm: float | None, open_: bool
) -> None:
    doubtful, around = replace(FLAT, touches_checker=0.15), replace(BESIDE, gap_mm=gap_mm)

    assert (Surface.CHECKER in told(die(), doubtful, around).may_touch) is open_
    sure = replace(FLAT, touches_checker=0.97)
    assert told(die(), sure, around).touches == {Surface.CHECKER}


def test_what_a_die_lies_on_it_does_not_touch_besides() -> None:
    assert told(die(), LEANING, BESIDE).touches == frozenset()


def test_the_tilt_is_told_only_with_a_verdict() -> None:
    assert told(die(), LEANING, BESIDE).tilt_deg == 31.0
    assert told(die(), replace(FLAT, tilted=0.5), BESIDE).tilt_deg is None
