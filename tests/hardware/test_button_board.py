import threading

import pytest

from hardware.button import Press, SideName
from hardware.button_board import ButtonBoard
from hardware.button_events import (
    BothPressed,
    ButtonEvent,
    ButtonFault,
    ButtonHealed,
    RefereeCall,
)
from hardware.button_pump import ButtonPump
from hardware.clock import ManualClock, SystemClock
from hardware.debounce import LineFault

UP: dict[SideName, bool] = {"w": False, "b": False}


def board() -> ButtonBoard:
    return ButtonBoard(UP, 0.0)


def test_each_buttons_press_says_whose_it_is() -> None:
    buttons = board()
    buttons.edge("w", 1.0, True)
    assert buttons.tick(1.02) == (Press(1.0, "w"),)
    buttons.edge("w", 1.2, False)
    buttons.tick(1.3)
    buttons.edge("b", 2.0, True)
    assert buttons.tick(2.02) == (Press(2.0, "b"),)


def test_both_down_at_once_is_told_besides_the_presses() -> None:
    buttons = board()
    buttons.edge("w", 1.000, True)
    buttons.edge("b", 1.012, True)
    events = buttons.tick(1.04)
    assert events[:2] == (Press(1.0, "w"), Press(1.012, "b"))
    (both,) = events[2:]
    assert isinstance(both, BothPressed)
    assert both.at_s == 1.012
    assert both.apart_s == pytest.approx(0.012)


def test_a_long_hold_calls_the_referee_after_its_press() -> None:
    buttons = board()
    buttons.edge("b", 1.0, True)
    assert buttons.tick(1.1) == (Press(1.0, "b"),)
    assert buttons.tick(2.6) == (RefereeCall(2.5, "b"),)
    assert buttons.tick(3.0) == ()


@pytest.mark.parametrize("side", ["w", "b"])
def test_a_button_down_at_the_start_is_named_in_both_languages(side: SideName) -> None:
    buttons = ButtonBoard({**UP, side: True}, 0.0)
    (fault,) = buttons.at_start
    assert isinstance(fault, ButtonFault)
    assert fault == ButtonFault(0.0, side, LineFault.STUCK_AT_START)
    whose = {"w": ("белых", "White"), "b": ("чёрных", "Black")}[side]
    assert whose[0] in fault.sentence.ru
    assert whose[1] in fault.sentence.en
    buttons.edge(side, 5.0, False)
    (healed,) = buttons.tick(7.0)
    assert isinstance(healed, ButtonHealed)
    assert healed.side == side
    assert "works again" in healed.sentence.en


def test_every_fault_has_words_for_both_sides() -> None:
    for fault in LineFault:
        said = {ButtonFault(0.0, side, fault).sentence.en for side in UP}
        assert len(said) == 2


def test_health_shows_presses_noise_and_faults() -> None:
    buttons = board()
    buttons.edge("w", 1.0, True)
    buttons.edge("w", 1.0002, False)
    buttons.tick(1.1)
    buttons.edge("w", 2.0, True)
    buttons.tick(2.1)
    white, black = buttons.health()
    assert white.to_json() == {
        "side": "w", "down": True, "presses": 1, "noise": 1, "missed": 0, "fault": None,
    }  # fmt: skip
    assert (black.side, black.presses) == ("b", 0)


class Rig:
    def __init__(self) -> None:
        self.clock = ManualClock(100.0)
        self.levels: dict[SideName, bool] = dict(UP)
        self.events: list[ButtonEvent] = []
        self.pump = ButtonPump(lambda: dict(self.levels), self.clock, self.events.append)


def test_a_pump_waits_just_until_something_is_due() -> None:
    rig = Rig()
    assert rig.pump.step() is None
    rig.levels["w"] = True
    rig.pump.push("w", 100.0, True)
    assert rig.pump.step() == pytest.approx(0.020)
    rig.clock.advance(0.020)
    assert rig.pump.step() == pytest.approx(1.48)
    assert rig.events == [Press(100.0, "w")]
    assert [one.presses for one in rig.pump.health()] == [1, 0]


def test_a_driver_without_time_stamps_is_dated_by_arrival() -> None:
    rig = Rig()
    rig.levels["b"] = True
    rig.pump.push("b", None, True)
    rig.clock.advance(0.5)
    rig.pump.step()
    assert rig.events == [Press(100.0, "b")]


def test_a_flood_of_edges_is_dropped_counted_and_a_fault() -> None:
    rig = Rig()
    for number in range(5000):
        rig.clock.advance(1e-4)
        rig.pump.push("w", rig.clock.now_s(), number % 2 == 0)
    rig.clock.advance(5.0)
    rig.pump.step()
    assert rig.pump.lost == 3000
    assert [type(one) for one in rig.events][:1] == [ButtonFault]
    assert not any(isinstance(one, Press) for one in rig.events)


def test_the_pumps_thread_tells_events_and_ends() -> None:
    told = threading.Event()
    levels: dict[SideName, bool] = dict(UP)
    clock = SystemClock()
    events: list[ButtonEvent] = []

    def handler(event: ButtonEvent) -> None:
        events.append(event)
        told.set()

    pump = ButtonPump(lambda: levels, clock, handler)
    pump.start("pump under test")
    pump.start("pump under test")
    levels["w"] = True
    pump.push("w", clock.now_s(), True)
    assert told.wait(60)
    pump.close()
    pump.close()
    assert "pump under test" not in {one.name for one in threading.enumerate()}
    pump.push("b", clock.now_s(), True)
    pump.step()
    assert [type(one) for one in events] == [Press]


def test_a_pump_can_be_closed_from_its_own_handler() -> None:
    done = threading.Event()
    pump: ButtonPump

    def handler(event: ButtonEvent) -> None:
        pump.close()
        done.set()

    pump = ButtonPump(lambda: {"w": True, "b": False}, SystemClock(), handler)
    pump.start()
    assert done.wait(60)
