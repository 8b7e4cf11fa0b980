"""A button that is pressed by a program: for tests and the simulated table."""

from collections.abc import Callable

from hardware.button import Press, SideName


class SimButton:
    """A `ClockButton` without a device."""

    def __init__(self, side: SideName) -> None:
        self.side: SideName = side
        self._handler: Callable[[Press], None] | None = None
        self._closed = False

    def on_press(self, handler: Callable[[Press], None]) -> None:
        """Call the handler at every press."""
        self._handler = handler

    def press(self, at_s: float) -> None:
        """Press it; nothing happens when nobody listens, or after `close`."""
        if self._handler is not None and not self._closed:
            self._handler(Press(at_s, self.side))

    def close(self) -> None:
        """Call no handler any more."""
        self._closed = True
