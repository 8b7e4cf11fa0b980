"""Clock buttons on the Pi's pins, through gpiozero: it feeds edges and does nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hardware.button import SideName
from hardware.button_events import ButtonEvent, ButtonHealth
from hardware.button_pump import ButtonPump
from hardware.clock import Clock
from hardware.debounce import DebounceSettings
from hardware.errors import Sentence
from hardware.gpio_factory import GpioError


@dataclass(frozen=True, slots=True)
class ButtonPins:
    """Where the buttons are: numbers of the processor's lines, as printed on pin-out cards.

    Each button connects its line to ground; the line is pulled up to 3.3 V.
    """

    white: int = 17
    black: int = 27
    by_side: Mapping[SideName, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_side", {"w": self.white, "b": self.black})


class GpioButtons:
    """Both clock buttons on pins.

    Args:
        pins: where they are.
        factory: a gpiozero pin factory, as `open_pins` gives it; it stays the caller's.
        clock: monotonic, the one that the factory stamps edges with.
        handler: told each event, from the buttons' own thread; must be quick.
        settings: how long is long.
        threaded: False to drive it by hand with `step`.

    Raises:
        GpioError: a pin that is taken, or is none.
    """

    def __init__(
        self,
        pins: ButtonPins,
        factory: Any,
        clock: Clock,
        handler: Callable[[ButtonEvent], object],
        settings: DebounceSettings | None = None,
        *,
        threaded: bool = True,
    ) -> None:
        self._lines: dict[SideName, _EdgeLine] = {}
        try:
            for side, number in pins.by_side.items():
                self._lines[side] = _EdgeLine(side, number, factory)
            self._pump = ButtonPump(self._levels, clock, handler, settings)
        except BaseException:
            self._release()
            raise
        for line in self._lines.values():
            line.listen(self._pump)
        if threaded:
            self._pump.start()

    def step(self) -> float | None:
        """Work off what came; for driving it by hand."""
        return self._pump.step()

    def health(self) -> tuple[ButtonHealth, ...]:
        """Say how each line is."""
        return self._pump.health()

    def close(self) -> None:
        """Give the pins back; nothing is told any more. May be called twice."""
        self._release()
        self._pump.close()

    def _levels(self) -> Mapping[SideName, bool]:
        return {side: line.is_down for side, line in self._lines.items()}

    def _release(self) -> None:
        for line in self._lines.values():
            line.close()


class _EdgeLine:
    """One pin: raw edges with the driver's own time, no debounce of gpiozero's."""

    def __init__(self, side: SideName, number: int, factory: Any) -> None:
        # gpiozero is looked for here alone, so that a program without pins does not need it.
        from gpiozero import GPIOZeroError, InputDevice

        self._side = side
        self._pump: ButtonPump | None = None
        try:
            # An InputDevice reserves the pin and pulls it up, but listens to nothing by itself.
            self._device = InputDevice(number, pull_up=True, pin_factory=factory)
        except GPIOZeroError as error:
            raise GpioError(
                Sentence(
                    f"Вывод GPIO{number} недоступен: {error}.",
                    f"The pin GPIO{number} cannot be used: {error}.",
                ),
                Sentence(
                    "Выберите другой вывод в настройках кнопок или освободите этот.",
                    "Choose another pin in the buttons' settings, or free this one.",
                ),
            ) from error
        self._pin = self._device.pin
        self._pin.bounce = None
        self._pin.edges = "both"

    @property
    def is_down(self) -> bool:
        return not self._pin.state if self._pin is not None else False

    def listen(self, pump: ButtonPump) -> None:
        self._pump = pump
        # gpiozero keeps only a weak reference; this object holds the method's owner, itself.
        self._pin.when_changed = self._changed

    def close(self) -> None:
        pin, self._pin = self._pin, None
        if pin is not None:
            pin.when_changed = None
            self._device.close()

    def _changed(self, ticks: float, state: int) -> None:
        # An exception here would land in the driver's thread and silence the button.
        if self._pump is not None:
            self._pump.push(self._side, ticks, not state)
