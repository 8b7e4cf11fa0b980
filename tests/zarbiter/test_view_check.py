"""A picture that cannot be read is not read, and it is said why."""

import cv2
import numpy as np
import pytest

from calibration.layout import BoardLayout, Corner
from calibration.quality import Fault
from tests.support.views import view
from vision.cv import BgrImage, as_u8
from vision.frame import Frame
from vision.observation import Side
from web.api import SightState
from zarbiter.eye import Eye
from zarbiter.service_sight import CameraNews, Seen, sight_of
from zarbiter.view_check import ViewCheck

SHOWN = view("walnut", "short")


def dark(bgr: BgrImage) -> BgrImage:
    return as_u8(bgr // 20)


def blurred(bgr: BgrImage) -> BgrImage:
    return as_u8(cv2.GaussianBlur(bgr, (0, 0), 7.0))


def white(bgr: BgrImage) -> BgrImage:
    return as_u8(np.clip(bgr.astype(np.int32) * 8, 0, 255).astype(np.uint8))


SPOILT = {"too_dark": dark, "out_of_focus": blurred, "overexposed": white}


def eye() -> Eye:
    return Eye(Side.LIGHT, BoardLayout(Corner.TOP_RIGHT), corners_px=SHOWN.corners_px)


@pytest.mark.parametrize("fault", SPOILT)
def test_what_cannot_be_read_is_not_read_and_has_a_name_and_a_cure(fault: str) -> None:
    bgr = SPOILT[fault](SHOWN.bgr)
    seen, look = eye().see(Frame(bgr, 5.0))
    assert look is not None
    assert not look.calm
    assert look.evidence is None
    assert seen.seen is None
    shown = sight_of(seen, Seen(Frame(bgr, 5.0)), CameraNews(SightState.LIVE), 5100)
    assert shown.state is SightState.BLIND
    assert seen.check.quality is not None
    assert Fault(fault) in seen.check.quality.faults
    assert len(shown.advice) == len(seen.check.quality.faults)


@pytest.mark.parametrize("fault", SPOILT)
def test_a_view_spoilt_in_mid_game_stops_the_reading_until_it_is_good_again(fault: str) -> None:
    bgr = SPOILT[fault](SHOWN.bgr)
    seen, look = eye().see(Frame(SHOWN.bgr, 0.0))
    assert look is not None
    assert look.calm
    for at_s in (1.0, 1.2, 1.4, 11.5, 11.7, 12.8, 12.9):
        seen, look = seen.see(Frame(bgr, at_s))
    assert look is not None
    assert not look.calm
    assert seen.check.blind
    for at_s in (13.0, 14.2, 14.4):
        seen, look = seen.see(Frame(SHOWN.bgr, at_s))
    assert look is not None
    assert look.calm
    assert not seen.check.blind
    assert seen.seen is not None


def test_a_good_view_is_measured_once_in_a_while() -> None:
    frame = Frame(SHOWN.bgr, 3.0)
    check = ViewCheck().after(frame, SHOWN.corners_px, changed=False)
    assert not check.blind
    assert check.after(Frame(SHOWN.bgr, 9.0), SHOWN.corners_px, changed=False) is check
    again = check.after(Frame(dark(SHOWN.bgr), 13.5), SHOWN.corners_px, changed=False)
    assert again.blind
    assert again.after(Frame(SHOWN.bgr, 14.0), SHOWN.corners_px, changed=True) is again
    assert not again.after(Frame(SHOWN.bgr, 14.6), SHOWN.corners_px, changed=False).blind
    assert check.after(Frame(dark(SHOWN.bgr), 3.1), SHOWN.corners_px, changed=True).blind


def test_a_clock_that_went_back_does_not_stop_the_checks() -> None:
    check = ViewCheck().after(Frame(SHOWN.bgr, 100.0), SHOWN.corners_px, changed=False)
    assert check.after(Frame(SHOWN.bgr, 2.0), SHOWN.corners_px, changed=False) is not check


def test_a_dark_room_without_a_board_is_called_dark() -> None:
    bgr = as_u8(np.full((720, 960, 3), 4, dtype=np.uint8))
    seen, look = Eye(Side.LIGHT, BoardLayout(Corner.TOP_RIGHT)).see(Frame(bgr, 1.0))
    assert look is None
    assert seen.check.blind
    shown = sight_of(seen, Seen(Frame(bgr, 1.0)), CameraNews(SightState.LIVE), 1100)
    assert shown.state is SightState.BLIND
    assert any("dark" in en for _, en in shown.advice)
