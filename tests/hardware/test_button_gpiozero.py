import gc
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from gpiozero import Device

from hardware.button import Press
from hardware.button_events import ButtonEvent, ButtonFault, RefereeCall
from hardware.button_gpiozero import ButtonPins, GpioButtons
from hardware.clock import ManualClock, SystemClock
from hardware.debounce import LineFault
from hardware.errors import Sentence
from hardware.gpio_factory import GpioError
from tests.hardware.fakes.pins import mock_factory
from tests.hardware.traces import Trace, from_file

PINS = ButtonPins()


class Rig:
    def __init__(self) -> None:
        self.clock = ManualClock(50.0)
        self.factory: Any = mock_factory(self.clock)
        self.events: list[ButtonEvent] = []
        self.buttons = self.open()

    def open(self) -> GpioButtons:
        return GpioButtons(PINS, self.factory, self.clock, self.events.append, threaded=False)

    def pin(self, number: int) -> Any:
        return self.factory.pin(f"GPIO{number}")

    def play(self, number: int, trace: Trace) -> None:
        began_s = self.clock.now_s()
        for at_s, down in trace:
            self.pass_time(began_s + at_s)
            pin = self.pin(number)
            (pin.drive_low if down else pin.drive_high)()

    def pass_time(self, until_s: float) -> None:
        while True:
            wait_s = self.buttons.step()
            if wait_s is None or self.clock.now_s() + wait_s > until_s:
                break
            self.clock.advance(wait_s)
        self.clock.advance_to(until_s)
        self.buttons.step()


@pytest.fixture(name="rig")
def a_rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.buttons.close()
    rig.factory.close()


def test_a_bouncing_press_on_a_pin_is_one_press_at_its_first_edges_own_time(rig: Rig) -> None:
    """BTN-01, through gpiozero."""
    rig.play(PINS.white, from_file("bounce_5_edges_8_ms.csv"))
    rig.pass_time(60.0)
    assert rig.events == [Press(51.0, "w")]


def test_a_bouncing_release_on_a_pin_is_no_press(rig: Rig) -> None:
    """BTN-03, through gpiozero."""
    rig.play(PINS.black, from_file("release_bounce.csv"))
    rig.pass_time(60.0)
    assert rig.events == [Press(50.5, "b")]


def test_a_held_button_on_a_pin_calls_the_referee(rig: Rig) -> None:
    rig.play(PINS.black, [(1.0, True)])
    rig.pass_time(54.0)
    assert rig.events == [Press(51.0, "b"), RefereeCall(52.5, "b")]


def test_a_release_whose_edge_was_lost_is_found_by_reading_the_pin(rig: Rig) -> None:
    """BTN-13, through gpiozero."""
    rig.pin(PINS.white).drive_low()
    rig.pin(PINS.white)._state = True
    rig.pass_time(60.0)
    assert rig.events == []
    assert rig.buttons.health()[0].missed == 1


def test_a_button_down_at_the_start_is_a_fault(rig: Rig) -> None:
    rig.buttons.close()
    # Opening a mock pin pulls it up, so the shorted wire is put on after that.
    pull = type(rig.pin(PINS.white))._set_pull
    shorted = pytest.MonkeyPatch()
    with shorted.context() as patch:

        def pulled(pin: Any, value: str) -> None:
            pull(pin, value)
            pin._state = pin.info.name != f"GPIO{PINS.white}"

        patch.setattr(type(rig.pin(PINS.white)), "_set_pull", pulled)
        rig.buttons = rig.open()
    rig.buttons.step()
    assert rig.events == [ButtonFault(50.0, "w", LineFault.STUCK_AT_START)]


def test_gpiozeros_own_debounce_stays_off_and_both_edges_are_heard(rig: Rig) -> None:
    assert rig.pin(PINS.white).bounce is None
    assert rig.pin(PINS.white).edges == "both"
    assert rig.pin(PINS.white).pull == "up"


def test_the_handler_lives_as_long_as_the_buttons(rig: Rig) -> None:
    # gpiozero keeps weak references only.
    gc.collect()
    rig.play(PINS.white, [(0.0, True)])
    rig.pass_time(50.1)
    assert rig.events == [Press(50.0, "w")]


def test_a_pin_that_is_taken_is_an_error_that_names_it_and_leaves_none_behind(rig: Rig) -> None:
    with pytest.raises(GpioError, match="GPIO17") as caught:
        rig.open()
    assert isinstance(caught.value.cure, Sentence)
    rig.buttons.close()
    rig.buttons = rig.open()


def test_a_number_that_is_no_pin_is_an_error_in_our_words() -> None:
    clock = ManualClock()
    factory = mock_factory(clock)
    with pytest.raises(GpioError, match="GPIO99"):
        GpioButtons(ButtonPins(17, 99), factory, clock, print, threaded=False)
    GpioButtons(ButtonPins(17, 27), factory, clock, print, threaded=False).close()
    factory.close()


@pytest.mark.parametrize("attempt", [1, 2])
def test_pins_are_free_again_for_the_next_test(attempt: int) -> None:
    """BTN-12: in any order, any number of times."""
    clock = ManualClock()
    factory = mock_factory(clock)
    GpioButtons(PINS, factory, clock, print, threaded=False).close()
    factory.close()
    assert Device.pin_factory is None


def test_after_closing_nothing_is_told(rig: Rig) -> None:
    pin = rig.pin(PINS.white)
    rig.buttons.close()
    rig.buttons.close()
    pin.drive_low()
    rig.pass_time(60.0)
    assert rig.events == []


def test_the_buttons_own_thread_tells_and_ends() -> None:
    told = threading.Event()
    events: list[ButtonEvent] = []

    def handler(event: ButtonEvent) -> None:
        events.append(event)
        told.set()

    clock = SystemClock()
    from gpiozero.pins.mock import MockFactory

    factory = MockFactory()
    buttons = GpioButtons(PINS, factory, clock, handler)
    before_s = clock.now_s()
    factory.pin("GPIO27").drive_low()
    assert told.wait(60)
    (press,) = events
    assert isinstance(press, Press)
    assert press.side == "b"
    assert before_s <= press.at_s <= clock.now_s()
    buttons.close()
    factory.close()
    assert "buttons" not in {one.name for one in threading.enumerate()}
