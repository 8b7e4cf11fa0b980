import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from queue import Queue
from types import SimpleNamespace
from typing import Any

import pytest

from hardware.button import Press
from hardware.button_events import ButtonEvent, ButtonFault, RefereeCall
from hardware.clock import ManualClock, SystemClock
from hardware.keyboard import (
    EV_KEY,
    KEY_LEFTSHIFT,
    KEY_RIGHTSHIFT,
    KeyboardButtons,
    KeyboardError,
    KeyEdge,
    find_keyboards,
    key_edge,
    monotonic,
)


@dataclass
class FakeEvent:
    code: int
    value: int
    at_s: float = 10.0
    type: int = EV_KEY

    def timestamp(self) -> float:
        return self.at_s


@dataclass
class FakeKeyboard:
    path: str = "/dev/input/event3"
    name: str = "USB Keyboard"
    down: list[int] = field(default_factory=list)
    closed: int = 0
    pulled_out: bool = False
    events: "Queue[FakeEvent | None]" = field(default_factory=Queue)

    def read_loop(self) -> Iterable[FakeEvent]:
        while (event := self.events.get(timeout=60)) is not None:
            yield event
        if self.pulled_out:
            raise OSError("No such device")

    def active_keys(self) -> list[int]:
        return self.down

    def close(self) -> None:
        self.closed += 1
        self.events.put(None)


def test_the_shift_keys_are_the_players_buttons() -> None:
    assert key_edge(FakeEvent(KEY_LEFTSHIFT, 1)) == KeyEdge("w", True, 10.0)
    assert key_edge(FakeEvent(KEY_RIGHTSHIFT, 0)) == KeyEdge("b", False, 10.0)


@pytest.mark.parametrize(
    "event",
    [
        FakeEvent(KEY_LEFTSHIFT, 2),
        FakeEvent(30, 1),
        FakeEvent(KEY_LEFTSHIFT, 1, type=2),
    ],
)
def test_repeats_other_keys_and_other_kinds_mean_nothing(event: FakeEvent) -> None:
    assert key_edge(event) is None


def test_other_keys_can_be_chosen() -> None:
    assert key_edge(FakeEvent(30, 1), {30: "b"}) == KeyEdge("b", True, 10.0)


def test_a_key_is_a_button_like_any_other() -> None:
    clock = ManualClock(10.0)
    keyboard = FakeKeyboard()
    events: list[ButtonEvent] = []
    buttons = KeyboardButtons((keyboard,), clock, events.append)
    keyboard.down = [KEY_LEFTSHIFT]
    keyboard.events.put(FakeEvent(KEY_LEFTSHIFT, 1, 10.0))
    keyboard.events.put(FakeEvent(KEY_LEFTSHIFT, 2, 10.3))
    keyboard.events.put(None)
    buttons.listen(keyboard)
    clock.advance(0.05)
    buttons.step()
    clock.advance(1.6)
    buttons.step()
    assert events == [Press(10.0, "w"), RefereeCall(11.5, "w")]
    assert buttons.gone == ()
    buttons.close()


def test_a_keyboard_that_is_pulled_out_lets_its_keys_go() -> None:
    clock = ManualClock(10.0)
    keyboard = FakeKeyboard(pulled_out=True)
    events: list[ButtonEvent] = []
    buttons = KeyboardButtons((keyboard,), clock, events.append)
    keyboard.down = [KEY_LEFTSHIFT]
    keyboard.events.put(FakeEvent(KEY_LEFTSHIFT, 1, 10.0))
    keyboard.events.put(None)
    buttons.listen(keyboard)
    for _ in range(100):
        clock.advance(0.05)
        buttons.step()
    assert buttons.gone == ("/dev/input/event3",)
    assert not any(isinstance(one, RefereeCall) for one in events)
    buttons.close()


def test_the_kernel_is_asked_for_monotonic_stamps() -> None:
    asked: list[tuple[int, int, bytes]] = []
    monotonic(7, lambda *what: asked.append(what))
    assert asked == [(7, 0x400445A0, b"\x01\x00\x00\x00")]

    def refuses(*what: object) -> None:
        raise OSError("Invalid argument")

    monotonic(7, refuses)


def test_a_key_down_at_the_start_is_a_fault() -> None:
    keyboard = FakeKeyboard(down=[KEY_RIGHTSHIFT])
    events: list[ButtonEvent] = []
    buttons = KeyboardButtons((keyboard,), ManualClock(), events.append)
    buttons.step()
    assert [type(one) for one in events] == [ButtonFault]
    buttons.close()


def test_the_keyboards_threads_end() -> None:
    told = threading.Event()
    keyboard = FakeKeyboard()
    clock = SystemClock()
    buttons = KeyboardButtons((keyboard,), clock, lambda event: told.set())
    buttons.start()
    keyboard.down = [KEY_LEFTSHIFT]
    keyboard.events.put(FakeEvent(KEY_LEFTSHIFT, 1, clock.now_s()))
    assert told.wait(60)
    buttons.close(60)
    buttons.close()
    names = {one.name for one in threading.enumerate()}
    assert not {"keyboard /dev/input/event3", "keyboard events"} & names
    assert keyboard.closed == 2


def evdev(devices: dict[str, Any]) -> Any:
    def opened(path: str) -> Any:
        device = devices[path]
        if isinstance(device, Exception):
            raise device
        return device

    return lambda name: SimpleNamespace(list_devices=lambda: list(devices), InputDevice=opened)


def capable(*codes: int) -> Any:
    closed: list[bool] = []
    return SimpleNamespace(
        capabilities=lambda: {EV_KEY: list(codes)},
        close=lambda: closed.append(True),
        closed=closed,
        fd=-1,
    )


def test_only_devices_with_the_keys_are_taken() -> None:
    shift, mouse = capable(KEY_LEFTSHIFT, 30), capable(272)
    found = find_keyboards(load=evdev({"a": mouse, "b": shift, "c": OSError("denied")}))
    assert found == (shift,)
    assert mouse.closed == [True]
    assert shift.closed == []


def test_without_evdev_it_says_which_package() -> None:
    def load(name: str) -> Any:
        raise ImportError(name)

    with pytest.raises(KeyboardError, match="python3-evdev"):
        find_keyboards(load=load)


def test_without_a_keyboard_it_says_what_to_do() -> None:
    with pytest.raises(KeyboardError, match="usermod -aG input"):
        find_keyboards(load=evdev({"c": PermissionError("denied")}))


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before
