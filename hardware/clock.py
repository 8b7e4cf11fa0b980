"""Where time comes from: monotonic seconds, real or moved by hand."""

import time
from typing import Protocol


class Clock(Protocol):
    """A clock that never goes back."""

    def now_s(self) -> float:
        """Return monotonic time in seconds; only differences mean anything."""
        ...


class SystemClock:
    """The computer's monotonic clock."""

    def now_s(self) -> float:
        """Return the computer's monotonic time in seconds."""
        return time.monotonic()


class ManualClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now_s: float = 0.0) -> None:
        self._now_s = now_s

    def now_s(self) -> float:
        """Return the time it was moved to."""
        return self._now_s

    def advance(self, by_s: float) -> None:
        """Let time pass.

        Raises:
            ValueError: time would run backwards.
        """
        if by_s < 0:
            raise ValueError(f"time does not run backwards by {-by_s} s")
        self._now_s += by_s

    def advance_to(self, at_s: float) -> None:
        """Let it be that late; a time already past changes nothing."""
        self._now_s = max(self._now_s, at_s)
