"""Lamp and buzzer on the Pi's pins, through gpiozero."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from hardware.clock import Clock
from hardware.errors import Sentence
from hardware.gpio_factory import GpioError
from hardware.lamp import Lit, Signal
from hardware.lamp_player import LampPlayer


@dataclass(frozen=True, slots=True)
class LampPins:
    """Where lamp and buzzer are: numbers of the processor's lines. None: there is no such.

    High is on; each through its resistor, or through a transistor where it takes over 8 mA.
    """

    green: int | None = 5
    amber: int | None = 6
    red: int | None = 13
    buzzer: int | None = 26


class GpioLamp:
    """A `Lamp` on pins.

    Args:
        pins: where it is.
        factory: a gpiozero pin factory, as `open_pins` gives it; it stays the caller's.
        clock: monotonic.
        quiet: True leaves the buzzer out.
        threaded: False to drive it by hand with `step`.

    Raises:
        GpioError: a pin that is taken, or is none.
    """

    def __init__(
        self,
        pins: LampPins,
        factory: Any,
        clock: Clock,
        *,
        quiet: bool = False,
        threaded: bool = True,
    ) -> None:
        self._outputs: dict[str, Any] = {}
        try:
            for name in ("green", "amber", "red", "buzzer"):
                number = getattr(pins, name)
                if number is not None:
                    self._outputs[name] = _output(number, factory)
        except BaseException:
            self._release()
            raise
        self._player = LampPlayer(self._switch, clock, quiet=quiet)
        if threaded:
            self._player.start()

    def show(self, signal: Signal) -> None:
        """Show a signal from its beginning."""
        self._player.show(signal)

    def step(self) -> float | None:
        """Switch what is to be switched now; for driving it by hand."""
        return self._player.step()

    def close(self) -> None:
        """Switch all off and give the pins back. May be called twice."""
        self._player.close()
        self._release()

    def _switch(self, lit: Lit) -> None:
        if lit.amber and "amber" not in self._outputs:
            # A lamp of two colours mixes it.
            lit = replace(lit, green=True, red=True)
        for name, output in self._outputs.items():
            # A lamp that fails must not take its thread with it: the page shows the same.
            with suppress(Exception):
                output.value = getattr(lit, name)

    def _release(self) -> None:
        while self._outputs:
            _, output = self._outputs.popitem()
            with suppress(Exception):
                output.close()


def _output(number: int, factory: Any) -> Any:
    from gpiozero import DigitalOutputDevice, GPIOZeroError

    try:
        return DigitalOutputDevice(number, pin_factory=factory)
    except GPIOZeroError as error:
        raise GpioError(
            Sentence(
                f"Вывод GPIO{number} недоступен: {error}.",
                f"The pin GPIO{number} cannot be used: {error}.",
            ),
            Sentence(
                "Выберите другой вывод в настройках лампы или освободите этот.",
                "Choose another pin in the lamp's settings, or free this one.",
            ),
        ) from error
