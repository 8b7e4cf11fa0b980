"""Time stamps of drivers, brought onto our monotonic clock.

Sensors, USB cameras and the kernel's pins stamp what they saw better than we could: our own
time of arrival is late by a varying delay. But whose clock they use differs by driver and
kernel: the monotonic one, the one that goes on in sleep, the wall clock, or one of their own.
"""

from dataclasses import dataclass, replace

LATEST_S = 2.0
"""A first stamp that lies at most this far in the past is taken to be of our own clock."""
_SLACK_S = 0.002
"""Two readings of one clock may seem this much out of order."""
_JUMP_S = 0.5
"""A delay that grows by more than this at once is another clock being set, not a delay."""
_DRIFT_PER_S = 1e-4
"""How fast another clock may drift off: the least delay seen is forgotten at this pace."""


@dataclass(frozen=True, slots=True)
class StampClock:
    """What is known of a driver's clock. A value: `mapped` returns the next one."""

    offset_s: float | None = None
    """Ours less theirs, less the least delay seen; 0: their clock is ours; None: unknown."""
    seen_s: float = 0.0
    """Our time of the last stamp."""
    last_s: float = float("-inf")
    """The last result: what is stamped later never comes out earlier."""

    def mapped(self, stamp_s: float | None, arrived_s: float) -> tuple[float, "StampClock"]:
        """Return when it happened on our clock, and what is known now.

        Args:
            stamp_s: the driver's stamp; None or not above zero where there is none.
            arrived_s: our clock when it reached us; the result is never later.
        """
        if stamp_s is None or stamp_s <= 0:
            return self._told(arrived_s, arrived_s, self.offset_s)
        offset_s = self._offset(arrived_s - stamp_s, arrived_s)
        return self._told(stamp_s + offset_s, arrived_s, offset_s)

    def _offset(self, delay_s: float, arrived_s: float) -> float:
        if self.offset_s is None:
            return 0.0 if -_SLACK_S <= delay_s <= LATEST_S else delay_s
        if self.offset_s == 0.0 and delay_s >= -_SLACK_S:
            # Our own clock: what comes late is old, and must be seen to be.
            return 0.0
        forgotten_s = _DRIFT_PER_S * max(arrived_s - self.seen_s, 0.0)
        offset_s = min(delay_s, self.offset_s + forgotten_s)
        return delay_s if delay_s - offset_s > _JUMP_S else offset_s

    def _told(
        self, at_s: float, arrived_s: float, offset_s: float | None
    ) -> tuple[float, "StampClock"]:
        at_s = max(min(at_s, arrived_s), self.last_s)
        return at_s, replace(self, offset_s=offset_s, seen_s=arrived_s, last_s=at_s)
