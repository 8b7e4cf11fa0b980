import math

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from calibration.homography import board_from_image
from table.die import DieLook, DiePose, camera_looking, draw_die, render_die
from vision.cv import BgrImage, as_u8
from vision.dice_seek import DiceSeeker, SeekSettings, image_px_per_mm, seek_dice

WHITE = DieLook(edge_mm=14.0, gloss=0.1, pip_radius=0.1)
CORNERS = ((40.0, 40.0), (520.0, 40.0), (520.0, 460.0), (40.0, 460.0))
MATRIX = board_from_image(CORNERS, 480.0, 420.0)


def felt(width: int, height: int) -> BgrImage:
    noise = np.random.default_rng(3).normal(0, 5, (height, width, 3))
    return as_u8(np.clip(noise + np.array([70, 110, 60]), 0, 255).astype(np.uint8))


def with_dice(places: list[tuple[float, float]]) -> BgrImage:
    bgr = felt(560, 500)
    for k, (x, y) in enumerate(places):
        camera = camera_looking(1.2, (x, y), distance_mm=700.0)
        bgr = draw_die(bgr, render_die(WHITE, DiePose(k % 6 + 1, yaw_deg=30.0), camera), 0.3)
    return bgr


def test_the_model_is_in_the_package_and_answers_at_an_eighth_of_the_size() -> None:
    heat = DiceSeeker.load().heat(felt(96, 160))
    assert heat.shape == (20, 12)
    assert heat.min() >= 0
    assert heat.max() <= 1


def test_a_spot_is_told_near_every_die() -> None:
    places = [(180.0, 260.0), (400.0, 220.0), (300.0, 420.0)]
    spots = seek_dice(with_dice(places), MATRIX, BoardGeometry())
    for place in places:
        assert np.hypot(*(spots - place).T).min() < 8


def test_beyond_the_few_hottest_spots_only_hot_ones_are_told() -> None:
    places = [(180.0, 260.0), (400.0, 220.0), (300.0, 420.0)]
    settings = SeekSettings(few_spots=2, more_heat_min=1.1)
    spots = seek_dice(with_dice(places), MATRIX, BoardGeometry(), settings)
    assert len(spots) == 2
    assert all(min(np.hypot(*(spot - place)) for place in places) < 8 for spot in spots)


def test_a_die_beside_the_board_is_found() -> None:
    spots = seek_dice(with_dice([(20.0, 250.0)]), MATRIX, BoardGeometry())
    assert np.hypot(*(spots - (20, 250)).T).min() < 8


def test_what_lies_far_from_the_board_is_left_alone() -> None:
    corners = ((250.0, 100.0), (500.0, 100.0), (500.0, 400.0), (250.0, 400.0))
    matrix = board_from_image(corners, 480.0, 420.0)
    spots = seek_dice(with_dice([(60.0, 250.0)]), matrix, BoardGeometry())
    assert all(np.hypot(*(spots - (60, 250)).T) > 40)


def test_what_lies_far_from_the_board_is_found_where_it_is_asked_for() -> None:
    corners = ((250.0, 100.0), (500.0, 100.0), (500.0, 400.0), (250.0, 400.0))
    matrix = board_from_image(corners, 480.0, 420.0)
    settings = SeekSettings(margin_mm=math.inf, beyond_mm=65.0)
    spots = seek_dice(
        with_dice([(60.0, 250.0), (350.0, 250.0)]), matrix, BoardGeometry(), settings
    )
    assert np.hypot(*(spots - (60, 250)).T).min() < 8
    assert all(np.hypot(*(spots - (350, 250)).T) > 40)


def test_a_board_outside_the_picture_holds_no_spots() -> None:
    corners = ((2000.0, 100.0), (2300.0, 100.0), (2300.0, 400.0), (2000.0, 400.0))
    matrix = board_from_image(corners, 480.0, 420.0)
    assert len(seek_dice(felt(320, 240), matrix, BoardGeometry())) == 0


def test_the_scale_is_that_of_the_field() -> None:
    assert image_px_per_mm(MATRIX, BoardGeometry()) == pytest.approx(1.0)
