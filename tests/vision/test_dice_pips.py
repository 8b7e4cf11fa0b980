import numpy as np
import pytest

from tests.vision.dice_drawing import blank, draw_disc, soften
from vision.cv import GrayImage, to_gray
from vision.dice_faces import FaceSettings, propose_faces
from vision.pips import Pips, PipSettings, find_pips


def spots(places: list[tuple[float, float]], radius: float, *, light: bool) -> GrayImage:
    ground, tone = (30, 220) if light else (220, 30)
    picture = blank(400, 300, (ground,) * 3)
    for place in places:
        draw_disc(picture, place, radius, (tone,) * 3)
    return to_gray(soften(picture))


def near(pips: Pips, place: tuple[float, float]) -> int:
    apart = np.hypot(*(pips.xy_px - np.array(place)).T)
    assert apart.min() < 1.0
    return int(np.argmin(apart))


@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize("radius", [2.0, 3.1, 4.7, 7.0, 10.0, 14.5, 22.0])
def test_a_spot_of_any_size_and_tone_is_found_with_its_radius(
    light: bool, radius: float
) -> None:
    dark_pips, light_pips = find_pips(spots([(150.0, 140.0)], radius, light=light))
    pips = light_pips if light else dark_pips

    i = near(pips, (150.0, 140.0))

    assert pips.radius_px[i] == pytest.approx(radius, rel=0.2, abs=0.8)
    assert pips.contrast[i] > 120
    assert pips.closure[i] > 0.8


def test_spots_that_touch_are_kept_apart() -> None:
    _, pips = find_pips(spots([(150.0, 140.0), (171.0, 140.0)], 10.0, light=True))

    assert near(pips, (150.0, 140.0)) != near(pips, (171.0, 140.0))


def test_an_edge_is_no_pip() -> None:
    picture = blank(400, 300, (30, 30, 30))
    picture[:, 200:] = 220

    dark, light = find_pips(to_gray(soften(picture, noise=0.5)))

    assert len(dark) == len(light) == 0


def test_no_more_pips_than_allowed_are_returned() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (300, 300)).astype(np.uint8)

    assert max(len(p) for p in find_pips(noise, PipSettings(max_pips=20))) <= 20


def test_a_tiny_picture_has_no_pips() -> None:
    assert [len(p) for p in find_pips(np.zeros((8, 8), np.uint8))] == [0, 0]


@pytest.mark.parametrize(
    ("value", "slots"),
    [
        (2, [(-1, -1), (1, 1)]),
        (3, [(-1, -1), (0, 0), (1, 1)]),
        (4, [(-1, -1), (1, -1), (-1, 1), (1, 1)]),
        (5, [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)]),
        (6, [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)]),
    ],
)
def test_a_lattice_of_pips_is_proposed_as_its_face(
    value: int, slots: list[tuple[int, int]]
) -> None:
    u, v = np.array([18.0, 6.0]), np.array([-5.0, 17.0])
    places = [tuple(np.array([200.0, 150.0]) + s * u + t * v) for s, t in slots]
    dark, _ = find_pips(spots([(float(x), float(y)) for x, y in places], 6.0, light=False))

    faces = propose_faces(dark, FaceSettings())

    hit = (faces.value == value) & (np.hypot(*(faces.center - [200.0, 150.0]).T) < 1.5)
    assert hit.any()
