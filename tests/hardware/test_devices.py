import numpy as np
import pytest

from hardware import (
    Camera,
    CameraError,
    Clock,
    ClockButton,
    HardwareError,
    ManualClock,
    Picture,
    Press,
    SimButton,
    SystemClock,
)
from vision.frame import Frame


def test_a_manual_clock_stands_still_until_it_is_moved() -> None:
    clock = ManualClock(3.0)
    assert clock.now_s() == clock.now_s() == 3.0
    clock.advance(0.5)
    clock.advance_to(2.0)
    assert clock.now_s() == 3.5
    clock.advance_to(9.0)
    assert clock.now_s() == 9.0


def test_time_does_not_run_backwards() -> None:
    with pytest.raises(ValueError, match="backwards"):
        ManualClock().advance(-1.0)


@pytest.mark.parametrize("clock", [ManualClock(1.0), SystemClock()])
def test_every_clock_is_monotonic(clock: Clock) -> None:
    first = clock.now_s()
    assert clock.now_s() >= first


def test_a_pressed_button_calls_who_listens_last() -> None:
    button = SimButton("b")
    listens: ClockButton = button
    first: list[Press] = []
    then: list[Press] = []
    button.press(0.5)
    listens.on_press(first.append)
    listens.on_press(then.append)
    button.press(1.5)
    assert (first, then) == ([], [Press(1.5, "b")])


def test_a_closed_button_calls_nobody() -> None:
    button = SimButton("w")
    heard: list[Press] = []
    button.on_press(heard.append)
    button.close()
    button.close()
    button.press(1.0)
    assert heard == []


def test_a_frame_is_what_a_camera_hands_over() -> None:
    picture: Picture = Frame(np.zeros((20, 30, 3), np.uint8), 1.5, 7)
    assert (picture.at_s, picture.seq) == (1.5, 7)


def test_a_camera_error_is_a_hardware_error() -> None:
    assert issubclass(CameraError, HardwareError)
    assert hasattr(Camera, "read")
