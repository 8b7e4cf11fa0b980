import numpy as np
import pytest

from vision.checkers_colors import (
    ColorSettings,
    DiscColors,
    SideColors,
    disc_colors,
    foreign_share,
    lab_cells,
    light_probability,
)

SETTINGS = ColorSettings()


def colors(*lab: tuple[float, float, float]) -> DiscColors:
    return DiscColors(np.array(lab), np.full(len(lab), 8.0))


def test_the_lighter_of_two_colours_is_the_light_side() -> None:
    chances, sides = light_probability(
        colors((85, 2, 10), (25, 3, 3), (80, 0, 12), (30, 5, 5)), None, SETTINGS
    )
    assert (chances > 0.95).tolist() == [True, False, True, False]
    assert sides is not None
    assert sides.light[0] > sides.dark[0]


def test_green_beside_an_equally_bright_red_is_the_light_side() -> None:
    chances, _ = light_probability(
        colors((50, -38, 40), (51, 58, 45), (49, -36, 38)), None, SETTINGS
    )
    assert (chances > 0.5).tolist() == [True, False, True]


def test_a_shadow_does_not_change_a_checkers_side() -> None:
    chances, _ = light_probability(
        colors((88, 0, 10), (66, 0, 9), (24, 2, 2), (17, 2, 2), (84, 0, 9)), None, SETTINGS
    )
    assert (chances > 0.5).tolist() == [True, True, False, False, True]


def test_one_colour_alone_is_not_vouched_for() -> None:
    chances, sides = light_probability(colors((80, 0, 5), (76, 0, 5)), None, SETTINGS)
    assert sides is None
    assert (chances < 0.85).all()
    assert (chances > 0.5).all()


def test_a_colour_known_before_settles_one_side_alone() -> None:
    known = SideColors((82, 0, 8), (25, 10, 8))
    chances, _ = light_probability(colors((27, 11, 9)), known, SETTINGS)
    assert chances[0] < 0.05


def test_a_point_that_shows_no_checker_has_no_side() -> None:
    seen = DiscColors(np.zeros((2, 3)), np.array([0.0, 0.0]))
    chances, sides = light_probability(seen, None, SETTINGS)
    assert chances.tolist() == [0.5, 0.5]
    assert sides is None


def test_only_cells_that_show_checkers_give_their_colour() -> None:
    crop = np.full((112, 112, 3), 40, np.uint8)
    crop[8:24, 0:24] = 230
    disc = np.zeros((28, 28), np.float32)
    disc[2:6, 2:6] = 1
    found = disc_colors(lab_cells(crop), disc, np.array([1, 0, 0, 0, 0, 0]), 3.6, SETTINGS)
    assert found.lab[0, 0] == pytest.approx(91, abs=2)
    assert found.weight[1:].tolist() == [0.0] * 5


def test_a_checker_known_by_its_outline_alone_still_has_a_colour_but_a_faint_one() -> None:
    crop = np.full((112, 112, 3), 230, np.uint8)
    disc = np.zeros((28, 28), np.float32)
    found = disc_colors(lab_cells(crop), disc, np.array([1, 2, 0, 0, 0, 0]), 3.6, SETTINGS)
    assert found.lab[0, 0] == pytest.approx(91, abs=2)
    assert 0 < found.weight[0] < found.weight[1] < 4
    assert found.weight[2:].tolist() == [0.0] * 4


def test_a_colour_of_neither_side_is_foreign_and_one_in_glare_is_not() -> None:
    sides = SideColors(light=(90.0, 0.0, 2.0), dark=(10.0, 0.0, 2.0))
    seen = DiscColors(
        np.array([[88.0, 1.0, 3.0], [28.0, 0.0, 0.0], [50.0, 40.0, 40.0], [50.0, 40.0, 40.0]]),
        np.array([9.0, 9.0, 9.0, 0.0]),
    )
    assert foreign_share(seen, sides, SETTINGS).tolist() == [0.0, 0.0, 1.0, 0.0]
    assert not foreign_share(seen, None, SETTINGS).any()
