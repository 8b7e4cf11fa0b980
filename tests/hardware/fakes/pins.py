"""gpiozero's own mock pins, with edges stamped by a clock that a test moves."""

from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from hardware.clock import ManualClock


class StampedPin(MockPin):  # type: ignore[misc]
    def _call_when_changed(self) -> None:
        PiPin._call_when_changed(self, self.factory.clock.now_s(), self._state)


def mock_factory(clock: ManualClock) -> Any:
    """Return a factory of its own for one test: gpiozero's shared one stays untouched."""
    factory = MockFactory(pin_class=StampedPin)
    factory.clock = clock
    return factory
