"""Nudges: how far a picture moved, and what is no nudge."""

import numpy as np
import pytest

from table.looks import LOOKS
from table.render import render
from table.scene import Camera, Disc, Light, Scene
from table.sequence import TableSetup
from table.truth import corners_px
from table.world import set_up
from vision.cv import BgrImage
from vision.registration import shift_between, shifted_picture

SIZE = (960, 720)
START = {"points": {"24": "w15", "12": "b15"}, "off": {"w": 0, "b": 0}}


def scene(look: str, discs: int | None = None) -> Scene:
    setup = TableSetup(look=LOOKS[look])
    board = setup.board()
    standing: tuple[Disc, ...] = set_up(board, START, np.random.default_rng(1))
    if discs is not None:
        standing = standing[:discs]
    return Scene(board.look, board.geometry, Camera(), Light(), discs=standing)


@pytest.fixture(scope="module", params=["walnut", "baize"])
def picture(request: pytest.FixtureRequest) -> BgrImage:
    return render(scene(request.param), SIZE)


CORNERS = corners_px(scene("walnut"), SIZE)


@pytest.mark.parametrize("shift", [(4.0, 0.0), (-7.0, 5.0), (0.0, -12.0)])
def test_a_nudge_is_measured(picture: BgrImage, shift: tuple[float, float]) -> None:
    found = shift_between(picture, shifted_picture(picture, shift), CORNERS)
    assert found is not None
    assert np.allclose(found, shift, atol=0.8)


def test_the_same_picture_has_not_moved(picture: BgrImage) -> None:
    assert shift_between(picture, picture, CORNERS) is None


def test_another_light_is_no_nudge(picture: BgrImage) -> None:
    darker = (picture * 0.7).astype(np.uint8)
    assert shift_between(picture, darker, CORNERS) is None


def test_checkers_that_were_moved_are_no_nudge() -> None:
    before = render(scene("walnut"), SIZE)
    after = render(scene("walnut", discs=20), SIZE)
    assert shift_between(before, after, CORNERS) is None


def test_another_board_is_no_nudge() -> None:
    one, other = (render(scene(look), SIZE) for look in ("walnut", "tournament"))
    assert shift_between(one, other, CORNERS) is None


def test_a_camera_turned_away_is_no_nudge(picture: BgrImage) -> None:
    far = shifted_picture(picture, (200.0, 0.0))
    assert shift_between(picture, far, CORNERS) is None


def test_pictures_of_other_sizes_cannot_be_compared(picture: BgrImage) -> None:
    assert shift_between(picture, picture[:-2], CORNERS) is None


def test_a_hand_does_not_hide_a_nudge(picture: BgrImage) -> None:
    after = shifted_picture(picture, (6.0, -3.0)).copy()
    after[400:, 500:620] = (130, 160, 200)
    found = shift_between(picture, after, CORNERS)
    assert found is None or np.allclose(found, (6.0, -3.0), atol=1.0)
