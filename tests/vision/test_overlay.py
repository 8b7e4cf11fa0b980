from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.geometry import BoardGeometry
from vision.cv import BgrImage
from vision.observation import (
    BarReading,
    BoardSighting,
    CheckersReading,
    DieReading,
    Half,
    Observation,
    PointReading,
    Side,
    Surface,
    Timings,
)
from vision.overlay import OverlayStyle, die_remarks, draw_observation

EMPTY = PointReading(None, 0, 0.99)
UNSURE = PointReading(None, None, 0.4)
FOUR_DARK = PointReading(Side.DARK, 4, 0.9)


def picture(width: int = 640, height: int = 480) -> BgrImage:
    return np.full((height, width, 3), 120, dtype=np.uint8)


def sighting(scale: float = 1.0) -> BoardSighting:
    a, b, c, d = ((100, 80), (540, 84), (550, 420), (96, 416))
    corners = tuple((x * scale, y * scale) for x, y in (a, b, c, d))
    return BoardSighting(True, (corners[0], corners[1], corners[2], corners[3]), 1.0)


def seen(
    board: BoardSighting | None,
    top: tuple[PointReading, ...] = (EMPTY,) * 12,
    dice: tuple[DieReading, ...] = (),
    bar: BarReading = BarReading(0, 0),  # noqa: B008 - a frozen value
) -> Observation:
    checkers = None if board is None else CheckersReading(top, (EMPTY,) * 12, bar)
    return Observation(640, 480, board, checkers, dice, Timings(0, 0, 0, 0))


def die(x: float = 300, y: float = 200, **more: object) -> DieReading:
    return DieReading(5, (x + 10, y + 10), (x, y, 20, 20), 0.97, **more)  # type: ignore[arg-type]


def changed(before: BgrImage, after: BgrImage) -> int:
    return int(np.count_nonzero((before != after).any(axis=2)))


def has_color(bgr: BgrImage, color: tuple[int, int, int]) -> bool:
    return bool((np.abs(bgr.astype(int) - color).max(axis=2) <= 45).any())


def test_the_picture_handed_in_is_left_alone() -> None:
    before = picture()
    draw_observation(before, seen(sighting(), dice=(die(),)))
    assert (before == 120).all()


def test_nothing_seen_draws_nothing() -> None:
    before = picture()
    assert changed(before, draw_observation(before, seen(None))) == 0


def test_the_field_is_outlined_along_its_sides() -> None:
    out = draw_observation(picture(), seen(sighting()))
    assert has_color(out[76:90, 200:260], OverlayStyle().field)
    assert has_color(out[200:260, 92:106], OverlayStyle().field)
    assert not has_color(out[200:260, 150:250], OverlayStyle().field)


def test_a_board_not_found_is_said() -> None:
    before = picture()
    out = draw_observation(before, seen(BoardSighting(False, None, 0.1)))
    assert has_color(out, OverlayStyle().unsure)


def test_an_unsure_point_is_amber_and_an_empty_one_has_no_mark() -> None:
    style = OverlayStyle()
    plain = draw_observation(picture(), seen(sighting()))
    out = draw_observation(picture(), seen(sighting(), (UNSURE,) + (EMPTY,) * 11))
    assert has_color(out, style.unsure)
    assert not has_color(plain, style.unsure)


def test_a_reading_stands_at_its_own_point() -> None:
    plain = draw_observation(picture(), seen(sighting()))
    top = (EMPTY,) * 9 + (FOUR_DARK,) + (EMPTY,) * 2
    out = draw_observation(picture(), seen(sighting(), top))
    columns = np.flatnonzero((plain != out).any(axis=(0, 2)))
    # The tenth point's middle lies at 320 of 480 mm on a nominal board.
    expected = 100 + 440 * (260 + 3.5 * 220 / 6) / 480
    assert abs(columns.mean() - expected) < 8


def test_the_geometry_moves_the_points() -> None:
    top = (EMPTY,) * 6 + (FOUR_DARK,) + (EMPTY,) * 5
    nominal = draw_observation(picture(), seen(sighting(), top))
    no_bar = BoardGeometry(bar_left_mm=240.0, bar_right_mm=240.0)
    assert changed(nominal, draw_observation(picture(), seen(sighting(), top), no_bar)) > 50


def test_checkers_on_the_bar_are_named() -> None:
    plain = draw_observation(picture(), seen(sighting()))
    out = draw_observation(picture(), seen(sighting(), bar=BarReading(1, 2)))
    assert changed(plain[:, 280:360], out[:, 280:360]) > 100


def test_a_cocked_die_is_red_and_a_flat_one_is_not() -> None:
    style = OverlayStyle()
    good = draw_observation(picture(), seen(None, dice=(die(flat=True, on=Surface.BOARD),)))
    bad = draw_observation(picture(), seen(None, dice=(die(flat=False, tilt_deg=31.0),)))
    assert has_color(good, style.sure_die)
    assert not has_color(good, style.bad_die)
    assert has_color(bad, style.bad_die)


def test_labels_of_two_dice_side_by_side_do_not_cover_the_dice() -> None:
    pair = (die(300, 200, flat=True), die(312, 222, flat=True))
    out = draw_observation(picture(), seen(None, dice=pair))
    for x, y in ((302, 202), (316, 226)):
        assert (out[y + 3 : y + 13, x + 3 : x + 8] == 120).all()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"flat": True, "half": Half.LEFT, "on": Surface.BOARD}, ("left",)),
        ({"flat": False, "tilt_deg": 31.2, "half": Half.RIGHT}, ("tilted 31 deg", "right")),
        ({"flat": True, "on": Surface.CHECKER, "half": Half.LEFT}, ("on checker", "left")),
        ({"flat": True, "on": Surface.OFF, "half": Half.OFF}, ("off board",)),
        ({"flat": None}, ("flat?",)),
        ({"flat": True, "touches": frozenset({Surface.WALL})}, ("touches wall",)),
    ],
)
def test_a_die_says_what_is_out_of_the_ordinary(
    more: dict[str, object], words: tuple[str, ...]
) -> None:
    assert die_remarks(replace(die(), **more)) == words  # type: ignore[arg-type]


def test_strokes_grow_with_the_picture() -> None:
    small = changed(picture(), draw_observation(picture(), seen(sighting())))
    large_picture = picture(2560, 1920)
    large = changed(large_picture, draw_observation(large_picture, seen(sighting(4.0))))
    # Lines four times as long and four times as thick.
    assert 10 * small < large < 22 * small


@given(
    st.floats(-50, 690), st.floats(-50, 530), st.floats(4, 200), st.sampled_from([None, 1, 6])
)
@settings(max_examples=40, deadline=None)
def test_dice_at_the_edge_or_beyond_it_break_nothing(
    x: float, y: float, size: float, value: int | None
) -> None:
    one = DieReading(value, (x, y), (x, y, size, size), 0.5, flat=None)
    out = draw_observation(picture(), seen(sighting(), dice=(one,)))
    assert out.shape == (480, 640, 3)
    assert out.dtype == np.uint8


def test_corners_that_make_no_board_are_passed_over() -> None:
    twisted = BoardSighting(True, ((0, 0), (100, 100), (100, 0), (0, 100)), 1.0)
    before = picture()
    assert changed(before, draw_observation(before, seen(twisted))) == 0
