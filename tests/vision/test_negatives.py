"""No die is seen for sure where there is none: drawn pictures, and real ones where at hand."""

import importlib

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from calibration.homography import board_from_image
from table.render import render
from table.truth import corners_px
from tests.support.not_dice import KINDS, board_scene, picture
from vision.cv import BgrImage, as_u8
from vision.dice_reader import read_dice, read_dice_on_board
from vision.observation import DieReading

REAL = (
    "astronaut",
    "brick",
    "camera",
    "chelsea",
    "clock",
    "coffee",
    "coins",
    "colorwheel",
    "grass",
    "gravel",
    "immunohistochemistry",
    "moon",
    "page",
    "retina",
    "rocket",
    "text",
)
"""Pictures that come inside scikit-image and hold no dice."""


def numbers(dice: tuple[DieReading, ...]) -> list[int]:
    return [die.value for die in dice if die.value is not None]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"cup", "phone", "score card"}))
def test_what_lies_about_a_board_is_no_die(kind: str, seed: int) -> None:
    assert numbers(read_dice(picture(kind, seed))) == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["cup", "phone", "score card"])
def test_a_lone_dot_with_a_frame_is_taken_for_a_one_at_the_worst(kind: str, seed: int) -> None:
    # Known weakness: rims around a dot, one lens in its frame, a full stop in a ruled cell.
    assert set(numbers(read_dice(picture(kind, seed)))) <= {1}


@pytest.mark.parametrize("hand", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_a_board_without_dice_has_none(seed: int, hand: bool) -> None:
    scene = board_scene(seed, with_hand=hand)
    geometry = BoardGeometry()
    corners = corners_px(scene)
    matrix = board_from_image(corners, geometry.width_mm, geometry.height_mm)
    assert numbers(read_dice_on_board(render(scene), matrix, geometry)) == []


@pytest.mark.parametrize("name", REAL)
def test_real_photos_without_dice_have_none(name: str) -> None:
    assert numbers(read_dice(real_photo(name))) == []


def test_stars_and_galaxies_are_taken_for_ones_at_the_worst() -> None:
    """Lone round spots are what fools the readers most; see docs/limits.md."""
    assert set(numbers(read_dice(real_photo("hubble_deep_field")))) <= {1}


def real_photo(name: str) -> BgrImage:
    try:
        data = importlib.import_module("skimage.data")
    except ImportError:
        pytest.skip("scikit-image is not installed: no real photos to look at")
    rgb = np.asarray(getattr(data, name)())
    if rgb.ndim == 2:
        rgb = np.stack([rgb] * 3, axis=2)
    return as_u8(np.ascontiguousarray(rgb[..., 2::-1]))
