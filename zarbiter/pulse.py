"""Whether the parts of the service still live: each beats, and whoever is late is named."""

from collections.abc import Callable, Mapping
from threading import Lock


class Pulses:
    """Heartbeats of the service's parts. Thread-safe.

    A part beats when it has done its work, or when it has named its fault and tries again: a
    camera that is unplugged is no reason to restart the service, a thread that hangs is.

    Args:
        limits_s: the parts, and how long each may be silent.
        now_s: monotonic.
    """

    def __init__(self, limits_s: Mapping[str, float], now_s: Callable[[], float]) -> None:
        self._limits_s = dict(limits_s)
        self._now_s = now_s
        self._lock = Lock()
        self._last_s = dict.fromkeys(self._limits_s, now_s())

    def beat(self, part: str) -> None:
        """Say that a part lives.

        Raises:
            KeyError: there is no such part.
        """
        with self._lock:
            if part not in self._limits_s:
                raise KeyError(part)
            self._last_s[part] = self._now_s()

    def late(self) -> tuple[str, ...]:
        """Return the parts that have been silent for too long."""
        with self._lock:
            now_s = self._now_s()
            return tuple(
                part
                for part, limit_s in self._limits_s.items()
                if now_s - self._last_s[part] > limit_s
            )
