import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.die import (
    DieLight,
    DieLook,
    DiePose,
    camera_looking,
    die_rotation,
    draw_die,
    face_values,
    project,
    random_look,
    render_die,
)

PLAIN = DieLook(edge_mm=14.0, drilled=0.0, gloss=0.0, rounding=0.08)


def pips_on_top(value: int, yaw_deg: float = 0.0, look: DieLook = PLAIN) -> int:
    """Count dark blobs on the upper face by sampling its 3×3 lattice turned with the die."""
    camera = camera_looking(5.0, (60.0, 60.0), distance_mm=20_000.0)
    patch = render_die(look, DiePose(value, yaw_deg=yaw_deg), camera)
    angle = math.radians(yaw_deg)
    seen = 0
    for u in (-1, 0, 1):
        for v in (-1, 0, 1):
            step = look.pip_spread * look.edge_mm * 5.0
            x = 60 + step * (u * math.cos(angle) - v * math.sin(angle)) - patch.origin_px[0]
            y = 60 + step * (u * math.sin(angle) + v * math.cos(angle)) - patch.origin_px[1]
            seen += bool(patch.bgr[round(y), round(x)].mean() < 110)
    return seen


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("right_handed", [True, False])
def test_the_upper_face_shows_the_value_asked_for(value: int, right_handed: bool) -> None:
    look = DieLook(drilled=0.0, gloss=0.0, right_handed=right_handed)
    assert pips_on_top(value, 25.0, look) == value


@pytest.mark.parametrize("right_handed", [True, False])
def test_opposite_faces_sum_to_seven(right_handed: bool) -> None:
    values = face_values(right_handed)
    assert sorted(values.values()) == [1, 2, 3, 4, 5, 6]
    for (axis, sign), value in values.items():
        assert value + values[(axis, -sign)] == 7


@pytest.mark.parametrize(("right_handed", "anticlockwise"), [(True, True), (False, False)])
@pytest.mark.parametrize("value", range(1, 7))
def test_handedness_is_what_the_eye_sees(
    value: int, right_handed: bool, anticlockwise: bool
) -> None:
    rotation = die_rotation(DiePose(value, yaw_deg=33.0, tilt_deg=12.0), right_handed)
    assert np.linalg.det(rotation) == pytest.approx(1.0)
    faces = {v: rotation[:, a] * s for (a, s), v in face_values(right_handed).items()}
    corner = faces[1] + faces[2] + faces[3]
    # Look at the common corner from outside; the picture's y runs down, as the world's does.
    away = corner / np.linalg.norm(corner)
    true_frame = np.diag([1.0, -1.0, 1.0])  # back to a right-handed world
    one, two, three, look = (true_frame @ v for v in (faces[1], faces[2], faces[3], away))
    turn = float(np.dot(np.cross(two - one, three - one), look))
    assert (turn > 0) is anticlockwise


def test_the_same_arguments_draw_the_same_die() -> None:
    camera = camera_looking(2.0, (30.0, 30.0), 20.0, 70.0)
    look = random_look(np.random.default_rng(5))
    one = render_die(look, DiePose(5, yaw_deg=10.0), camera)
    other = render_die(look, DiePose(5, yaw_deg=10.0), camera)
    np.testing.assert_array_equal(one.bgr, other.bgr)
    np.testing.assert_array_equal(one.alpha, other.alpha)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    value=st.integers(1, 6),
    yaw=st.floats(0, 360),
    tilt=st.floats(0, 50),
    oblique=st.floats(0, 55),
    azimuth=st.floats(0, 360),
    scale=st.floats(0.6, 4.0),
)
def test_any_die_fits_its_patch(
    seed: int,
    value: int,
    yaw: float,
    tilt: float,
    oblique: float,
    azimuth: float,
    scale: float,
) -> None:
    look = random_look(np.random.default_rng(seed))
    camera = camera_looking(scale, (100.0, 80.0), oblique, azimuth)
    pose = DiePose(value, yaw_deg=yaw, tilt_deg=tilt, tilt_axis_deg=azimuth)
    patch = render_die(look, pose, camera)
    assert patch.bgr.shape[:2] == patch.alpha.shape
    assert np.isfinite(patch.bgr).all()
    assert patch.bgr.min() >= 0
    assert patch.bgr.max() <= 256
    assert 0 <= patch.alpha.min() <= patch.alpha.max() <= 1.001
    edges = (patch.alpha[0], patch.alpha[-1], patch.alpha[:, 0], patch.alpha[:, -1])
    assert max(float(edge.max()) for edge in edges) == 0.0
    x, y, width, height = patch.box_px
    assert x <= patch.top_center_px[0] <= x + width
    assert y <= patch.top_center_px[1] <= y + height
    smallest = 0.6 * look.edge_mm * scale
    assert smallest <= width <= 2.2 * look.edge_mm * scale
    assert smallest * 0.8 <= height <= 2.2 * look.edge_mm * scale


def test_a_camera_shows_the_origin_where_it_was_told() -> None:
    camera = camera_looking(3.0, (50.0, 40.0), 30.0, 120.0)
    np.testing.assert_allclose(project(camera, [(0, 0, 0)]), [(50, 40)], atol=1e-9)
    straight = camera_looking(3.0, (50.0, 40.0), distance_mm=1e7)
    np.testing.assert_allclose(project(straight, [(10, 4, 0)]), [(80, 52)], atol=1e-3)


@pytest.mark.parametrize(("azimuth", "step"), [(0.0, (1, 0)), (90.0, (0, 1))])
def test_a_raised_spot_leans_away_from_the_camera(
    azimuth: float, step: tuple[int, int]
) -> None:
    camera = camera_looking(3.0, (50.0, 40.0), 30.0, azimuth)
    raised = project(camera, [(0, 0, 14)])[0] - (50, 40)
    assert float(raised @ np.array(step)) < -10


def test_the_side_that_faces_the_camera_is_seen() -> None:
    camera = camera_looking(4.0, (80.0, 80.0), 40.0, 90.0)
    patch = render_die(PLAIN, DiePose(1), camera)
    x, y, _, height = patch.box_px
    above = patch.top_center_px[1] - y
    assert y + height - patch.top_center_px[1] > 1.5 * above
    assert x > 0


def test_a_die_is_laid_over_a_picture_with_its_shadow() -> None:
    table = np.full((120, 160, 3), 128, np.uint8)
    camera = camera_looking(3.0, (80.0, 60.0))
    light = DieLight((-1.0, 0.0, 1.0))
    patch = render_die(PLAIN, DiePose(2), camera, light)
    drawn = draw_die(table, patch)
    assert (table == 128).all()
    assert drawn[60, 70].mean() > 150
    assert drawn[60, 110].mean() < 100, "the shadow falls away from the lamp"
    assert (drawn[60, 30] == 128).all()


def test_a_die_may_stick_out_of_the_picture() -> None:
    table = np.full((40, 40, 3), 90, np.uint8)
    for center in ((0.0, 0.0), (39.0, 20.0), (-100.0, 20.0)):
        patch = render_die(PLAIN, DiePose(6), camera_looking(2.0, center))
        assert draw_die(table, patch).shape == table.shape


def test_a_clear_die_lets_the_table_through() -> None:
    camera = camera_looking(3.0, (30.0, 30.0))
    clear = render_die(DieLook(translucency=0.7), DiePose(1), camera)
    solid = render_die(DieLook(), DiePose(1), camera)
    middle = (15 - 4, 15)
    assert clear.alpha[middle] < 0.8
    assert solid.alpha[middle] == pytest.approx(1.0)


def test_a_die_has_no_seven() -> None:
    with pytest.raises(ValueError, match="1 to 6"):
        render_die(PLAIN, DiePose(7), camera_looking(2.0, (20.0, 20.0)))
