"""A USB keyboard or pedal as clock buttons, through evdev: no window and no wiring."""

import fcntl
import importlib
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from types import MappingProxyType, ModuleType
from typing import Any, Final, Protocol

from hardware.button import SideName
from hardware.button_events import ButtonEvent, ButtonHealth
from hardware.button_pump import ButtonPump
from hardware.clock import Clock
from hardware.debounce import DebounceSettings
from hardware.errors import HardwareError, Sentence

_SET_CLOCK: Final = 0x400445A0
"""EVIOCSCLOCKID."""
EV_KEY: Final = 1
"""The kind of event that is about keys."""
KEY_LEFTSHIFT, KEY_RIGHTSHIFT = 42, 54
KEYS: Final[Mapping[int, SideName]] = MappingProxyType(
    {KEY_LEFTSHIFT: "w", KEY_RIGHTSHIFT: "b"}
)
"""Kernel key codes: the two Shift keys are large and lie under the players' hands."""


class KeyboardError(HardwareError):
    """No keyboard can be used; says why and what to do."""


class InputEvent(Protocol):
    """What we use of `evdev.InputEvent`."""

    type: int
    code: int
    value: int
    """0 up, 1 down, 2 repeated while held."""

    def timestamp(self) -> float:
        """Return the kernel's time of it in seconds."""
        ...


@dataclass(frozen=True, slots=True)
class KeyEdge:
    """A key that means a button went down or up."""

    side: SideName
    down: bool
    stamp_s: float


def key_edge(event: InputEvent, keys: Mapping[int, SideName] = KEYS) -> KeyEdge | None:
    """Return what an event means; None for other keys, other kinds, and repeats."""
    if event.type != EV_KEY or event.value not in (0, 1):
        return None
    side = keys.get(event.code)
    return None if side is None else KeyEdge(side, event.value == 1, event.timestamp())


def monotonic(handle: int, ioctl: Callable[[int, int, bytes], object] = fcntl.ioctl) -> None:
    """Let the kernel stamp a keyboard's events with the clock that is never set."""
    # An old kernel refuses; then the stamps are brought onto our clock as they come.
    with suppress(OSError, ValueError):
        ioctl(handle, _SET_CLOCK, struct.pack("i", time.CLOCK_MONOTONIC))


class KeyDevice(Protocol):
    """What we use of `evdev.InputDevice`."""

    name: str
    path: str

    def read_loop(self) -> Iterable[InputEvent]:
        """Yield events as they come; OSError when it is pulled out."""
        ...

    def active_keys(self) -> list[int]:
        """Return the keys that are down."""
        ...

    def close(self) -> None:
        """Give it back."""
        ...


def find_keyboards(
    keys: Mapping[int, SideName] = KEYS,
    load: Callable[[str], ModuleType] = importlib.import_module,
) -> tuple[KeyDevice, ...]:
    """Open the devices that have one of the keys.

    Raises:
        KeyboardError: evdev is missing, or there is none that may be read.
    """
    try:
        evdev: Any = load("evdev")
    except ImportError as error:
        raise KeyboardError(
            Sentence(
                "Библиотека evdev не установлена, поэтому клавиатура вместо кнопок недоступна.",
                "The library evdev is not installed, so no keyboard can stand in for buttons.",
            ),
            Sentence("«sudo apt install python3-evdev».", "“sudo apt install python3-evdev”."),
        ) from error
    found = []
    for path in evdev.list_devices():
        device = None
        # A device may vanish, or be another user's, at any of these.
        with suppress(OSError):
            device = evdev.InputDevice(path)
            if any(code in device.capabilities().get(EV_KEY, ()) for code in keys):
                monotonic(device.fd)
                found.append(device)
                continue
        if device is not None:
            device.close()
    if not found:
        raise KeyboardError(
            Sentence(
                "Клавиатуры, которую можно читать, нет.",
                "There is no keyboard that may be read.",
            ),
            Sentence(
                "Подключите её; если она есть: «sudo usermod -aG input $USER» и войти заново.",
                "Plug one in; if there is one: “sudo usermod -aG input $USER”, then log in "
                "again.",
            ),
        )
    return tuple(found)


class KeyboardButtons:
    """Clock buttons on keyboards. One thread for each keyboard and one for the events.

    Args:
        devices: as `find_keyboards` opened them; closed with this.
        clock: monotonic.
        handler: told each event; must be quick.
        keys: which key is whose.
        settings: how long is long.
    """

    def __init__(
        self,
        devices: tuple[KeyDevice, ...],
        clock: Clock,
        handler: Callable[[ButtonEvent], object],
        keys: Mapping[int, SideName] = KEYS,
        settings: DebounceSettings | None = None,
    ) -> None:
        self.devices = devices
        self.keys = keys
        self._gone: set[str] = set()
        self._threads: list[Thread] = []
        self._pump = ButtonPump(self._levels, clock, handler, settings)

    def start(self) -> None:
        """Start listening; once is enough."""
        self._pump.start("keyboard events")
        for device in self.devices:
            thread = Thread(
                target=self.listen, args=(device,), name=f"keyboard {device.path}", daemon=True
            )
            self._threads.append(thread)
            thread.start()

    def listen(self, device: KeyDevice) -> None:
        """Hand a keyboard's keys on until it is pulled out or closed."""
        try:
            for edge in self._edges(device):
                self._pump.push(edge.side, edge.stamp_s, edge.down)
        except (OSError, ValueError):
            self._gone.add(device.path)

    def step(self) -> float | None:
        """Work off what came; for driving it by hand."""
        return self._pump.step()

    def health(self) -> tuple[ButtonHealth, ...]:
        """Say how each key is."""
        return self._pump.health()

    @property
    def gone(self) -> tuple[str, ...]:
        """Keyboards that were pulled out."""
        return tuple(sorted(self._gone))

    def close(self, join_s: float = 1.0) -> None:
        """Give the keyboards back; nothing is told any more. May be called twice."""
        for device in self.devices:
            with suppress(OSError, ValueError):
                device.close()
        for thread in self._threads:
            # A blocked read comes back only with the next key: it ends with the process then.
            thread.join(join_s)
        self._threads.clear()
        self._pump.close()

    def _edges(self, device: KeyDevice) -> Iterator[KeyEdge]:
        for event in device.read_loop():
            edge = key_edge(event, self.keys)
            if edge is not None:
                yield edge

    def _levels(self) -> Mapping[SideName, bool]:
        levels: dict[SideName, bool] = dict.fromkeys(self.keys.values(), False)
        for device in self.devices:
            if device.path in self._gone:
                continue
            with suppress(OSError, ValueError):
                for code in device.active_keys():
                    if code in self.keys:
                        levels[self.keys[code]] = True
        return levels
