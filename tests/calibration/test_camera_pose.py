import math

import numpy as np
import pytest

from calibration.camera_pose import CameraPose, camera_over
from calibration.geometry import BoardGeometry
from calibration.homography import apply, board_from_image
from table.die import Projection, project
from table.scene import Camera

GEOMETRY = BoardGeometry()
SIZE = (1280, 960)
FIELD = [[0, 0, 0], [480, 0, 0], [480, 420, 0], [0, 420, 0]]
CAMERAS = [
    Camera(height_mm=750, tilt_deg=0.5, focal_px=1400),
    Camera(height_mm=900, tilt_deg=12, azimuth_deg=90, focal_px=1500),
    Camera(height_mm=700, tilt_deg=20, azimuth_deg=40, yaw_deg=7, focal_px=1200),
]


def pose_of(camera: Camera) -> tuple[CameraPose, Projection]:
    projection = camera.projection(GEOMETRY, SIZE)
    corners = [(float(x), float(y)) for x, y in project(projection, FIELD)]
    matrix = board_from_image(corners, GEOMETRY.width_mm, GEOMETRY.height_mm)
    return camera_over(matrix, SIZE), projection


def pixel(projection: Projection, x: float, y: float, z: float) -> tuple[float, float]:
    at = project(projection, [[x, y, z]])[0]
    return float(at[0]), float(at[1])


def eye_of(projection: Projection) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray(-np.linalg.inv(projection[:, :3]) @ projection[:, 3], np.float64)


@pytest.mark.parametrize("camera", CAMERAS)
def test_the_camera_is_found_over_the_right_spot(camera: Camera) -> None:
    pose, projection = pose_of(camera)
    eye = eye_of(projection)

    assert np.linalg.norm(pose.eye_mm[:2] - eye[:2]) < 0.06 * eye[2]
    assert pose.eye_mm[2] == pytest.approx(eye[2], rel=0.25)


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize(("x", "y"), [(30.0, 40.0), (450.0, 60.0), (240.0, 390.0)])
def test_the_slant_is_that_of_the_ray(camera: Camera, x: float, y: float) -> None:
    pose, projection = pose_of(camera)
    ray = np.array([x, y, 0.0]) - eye_of(projection)

    slant = pose.slant(pixel(projection, x, y, 0.0))

    assert slant == pytest.approx(math.hypot(ray[0], ray[1]) / -ray[2], abs=0.07)


@pytest.mark.parametrize("camera", CAMERAS)
def test_what_rises_from_the_board_rises_in_the_upright_picture(camera: Camera) -> None:
    pose, projection = pose_of(camera)
    foot, head = pixel(projection, 60, 50, 0), pixel(projection, 60, 50, 15)

    low, high = apply(pose.upright(foot), [foot, head])

    assert low == pytest.approx([0, 0], abs=1e-6)
    assert high[1] < -1.0
    assert abs(high[0]) < 0.3 * abs(high[1])


def test_right_below_the_camera_the_picture_keeps_its_way_up() -> None:
    pose = CameraPose(1000.0, (640.0, 480.0), np.array([0, 0, 1.0]), np.array([0, 0, 800.0]))

    turned = apply(pose.upright((640.0, 480.0)), [(640.0, 480.0), (650.0, 480.0)])

    assert turned == pytest.approx(np.array([[0.0, 0.0], [10.0, 0.0]]), abs=1e-6)
    assert pose.slant((640.0, 480.0)) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_raised_thing_is_brought_down_to_what_is_under_it(camera: Camera) -> None:
    pose, projection = pose_of(camera)
    matrix = np.asarray(np.linalg.inv(projection[:, [0, 1, 3]]), np.float64)
    seen = apply(matrix, [pixel(projection, 60, 50, 12)])[0]

    under = pose.lowered(seen, 12.0)

    assert np.linalg.norm(under - (60, 50)) < np.linalg.norm(seen - (60, 50)) / 2
