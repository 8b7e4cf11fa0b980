import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from calibration.homography import apply
from table.die import project
from table.scene import Camera, Light, nadir_mm, plane

SIZE = (1280, 960)
GEOMETRY = BoardGeometry()
MIDDLE = np.array([[GEOMETRY.width_mm / 2, GEOMETRY.height_mm / 2, 0.0]])


def test_the_camera_looks_at_the_middle_of_the_field() -> None:
    camera = Camera(tilt_deg=14, azimuth_deg=30, yaw_deg=7)
    spot = project(camera.projection(GEOMETRY, SIZE), MIDDLE)[0]
    assert spot == pytest.approx([639.5, 479.5])


def test_the_default_camera_shows_about_two_pixels_a_millimetre() -> None:
    camera = Camera()
    spots = project(camera.projection(GEOMETRY, SIZE), np.vstack([MIDDLE, MIDDLE + 10.0]))
    assert 1.9 * 14 < np.linalg.norm(spots[1] - spots[0]) < 2.2 * 14.5


def test_a_larger_picture_shows_the_same_at_a_larger_scale() -> None:
    camera = Camera(tilt_deg=6)
    corner = np.array([[0.0, 0.0, 0.0]])
    small = project(camera.projection(GEOMETRY, (640, 480)), corner)[0]
    large = project(camera.projection(GEOMETRY, SIZE), corner)[0]
    assert large + 0.5 == pytest.approx(2 * (small + 0.5))


def test_positive_yaw_turns_the_board_clockwise() -> None:
    right = np.array([[GEOMETRY.width_mm, GEOMETRY.height_mm / 2, 0.0]])
    camera = Camera(tilt_deg=0, yaw_deg=10)
    assert project(camera.projection(GEOMETRY, SIZE), right)[0][1] > 479.5


def test_what_is_higher_is_drawn_farther_from_the_cameras_foot() -> None:
    projection = Camera(tilt_deg=8, azimuth_deg=200).projection(GEOMETRY, SIZE)
    spot = np.array([[60.0, 70.0]])
    low, high = (apply(plane(projection, z), spot)[0] for z in (0.0, 20.0))
    foot = apply(plane(projection), nadir_mm(projection)[None])[0]
    assert np.linalg.norm(high - foot) > np.linalg.norm(low - foot)


def test_shadows_fall_away_from_the_lamp() -> None:
    light = Light(azimuth_deg=180, elevation_deg=45)
    assert light.shift == pytest.approx((1.0, 0.0))
