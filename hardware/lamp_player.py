"""Plays lamp patterns in time: the one thread behind a lamp."""

from collections.abc import Callable
from dataclasses import replace
from threading import Condition, Thread

from hardware.clock import Clock
from hardware.lamp import DARK, PATTERNS, Lit, Signal, lit_at


class LampPlayer:
    """A `Lamp` over whatever can be switched. `start` it, or drive it by hand with `step`.

    Args:
        switch: puts lights and buzzer on and off; called when something changes.
        clock: monotonic.
        quiet: True leaves the buzzer out.
    """

    def __init__(
        self, switch: Callable[[Lit], object], clock: Clock, *, quiet: bool = False
    ) -> None:
        self._switch = switch
        self._clock = clock
        self._quiet = quiet
        self._changed = Condition()
        self._signal = Signal.DARK
        self._began_s = clock.now_s()
        self._lit: Lit | None = None
        self._shown = self._played = 0
        self._closed = False
        self._thread: Thread | None = None

    @property
    def signal(self) -> Signal:
        """What is being shown."""
        with self._changed:
            return self._signal

    def start(self) -> None:
        """Start the thread; once is enough."""
        if self._thread is None and not self._closed:
            self._thread = Thread(target=self._run, name="lamp", daemon=True)
            self._thread.start()

    def show(self, signal: Signal) -> None:
        """Show a signal from its beginning, though it may be shown already."""
        with self._changed:
            self._signal, self._began_s = signal, self._clock.now_s()
            self._shown += 1
            self._changed.notify_all()

    def step(self) -> float | None:
        """Switch what is to be switched now.

        Returns:
            How long until something changes; None if nothing will.
        """
        with self._changed:
            self._played = self._shown
            elapsed_ms = round(1000 * (self._clock.now_s() - self._began_s))
            lit, until_ms = lit_at(PATTERNS[self._signal], elapsed_ms)
        if self._quiet:
            lit = replace(lit, buzzer=False)
        if lit != self._lit:
            self._lit = lit
            self._switch(lit)
        return None if until_ms is None else (until_ms - elapsed_ms) / 1000

    def close(self) -> None:
        """Stop the thread and leave all dark. May be called twice."""
        with self._changed:
            if self._closed:
                return
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join()
        self._switch(DARK)

    def _run(self) -> None:
        while True:
            wait_s = self.step()
            with self._changed:
                # What was shown meanwhile is looked at once more; nothing is waited for then.
                if not self._closed and self._played == self._shown:
                    self._changed.wait(wait_s)
                if self._closed:
                    return
