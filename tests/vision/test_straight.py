from dataclasses import replace

import numpy as np
import pytest

from tests.support.lenses import BARREL, bent_picture, bent_view
from tests.support.views import view
from vision.observation import BoardSighting, DieReading, Observation, Timings
from vision.observe import Known, observe
from vision.straight import (
    bent_back,
    bent_corners,
    lens_to_mend,
    straight_corners,
    straight_picture,
)

SQUARE = ((200.0, 150.0), (760.0, 150.0), (760.0, 610.0), (200.0, 610.0))


def test_bending_undoes_straightening() -> None:
    points = np.array([[10.0, 10.0], [480.0, 360.0], [900.0, 700.0], [30.0, 400.0]])
    assert BARREL.bent(BARREL.straightened(points)) == pytest.approx(points, abs=0.15)
    assert np.array(straight_corners(bent_corners(SQUARE, BARREL), BARREL)) == pytest.approx(
        np.array(SQUARE), abs=0.05
    )


def test_a_wide_lens_bends_by_tens_of_pixels_and_a_plain_one_is_left_alone() -> None:
    assert 60 < BARREL.bend_px < 90
    assert lens_to_mend(None, (960, 720)) is None
    assert lens_to_mend(BARREL, (960, 720)) is BARREL
    half = lens_to_mend(BARREL, (480, 360))
    assert half is not None
    assert half.bend_px == pytest.approx(BARREL.bend_px / 2, rel=0.02)
    plain = replace(BARREL, distortion=(-0.002, 0.0, 0.0, 0.0, 0.0))
    assert lens_to_mend(plain, (960, 720)) is None


def test_a_bent_picture_is_straightened_to_what_it_was() -> None:
    shown = view("walnut", "middle").bgr
    straight = straight_picture(bent_picture(shown, BARREL), BARREL)
    inside = np.s_[80:-80, 80:-80]
    away = np.abs(straight[inside].astype(int) - shown[inside].astype(int))
    assert away.mean() < 4  # sampled twice: noise goes, places stay


@pytest.mark.parametrize("look", ["walnut", "tournament"])
def test_a_board_under_a_wide_lens_is_read_and_reported_in_its_own_pixels(look: str) -> None:
    shown = bent_view(look)
    seen = observe(shown.bgr, Known(corners_px=shown.corners_px, lens=BARREL))
    assert seen.checkers is not None
    labels = [point.label for point in (*seen.checkers.top, *seen.checkers.bottom)]
    assert labels == list(shown.labels)
    assert seen.board is not None
    assert np.array(seen.board.corners_px) == pytest.approx(np.array(shown.corners_px), abs=0.1)


def test_a_board_under_a_wide_lens_is_found() -> None:
    shown = bent_view("walnut")
    seen = observe(shown.bgr, Known(lens=BARREL))
    assert seen.board is not None
    assert seen.board.corners_px is not None
    off = np.abs(np.array(seen.board.corners_px) - np.array(shown.corners_px)).max()
    assert off < 0.015 * 1200


def test_dice_are_reported_where_the_picture_shows_them() -> None:
    die = DieReading(5, (100.0, 100.0), (90.0, 90.0, 20.0, 20.0), 0.99)
    seen = Observation(
        960, 720, BoardSighting(True, SQUARE, 1.0), None, (die,), Timings(0, 0, 0, 0)
    )
    bent = bent_back(seen, BARREL).dice[0]
    assert bent.center_px == pytest.approx(tuple(BARREL.bent([(100.0, 100.0)])[0]))
    x, y, width, height = bent.box_px
    assert x < bent.center_px[0] < x + width
    assert y < bent.center_px[1] < y + height
    assert 17 < width < 21  # a barrel makes what lies at the border smaller
    assert bent.center_px[0] > 105
    nothing = Observation(960, 720, None, None, (), Timings(0, 0, 0, 0))
    assert bent_back(nothing, BARREL) == nothing
