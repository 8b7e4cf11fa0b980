"""Telling systemd: ready, alive, stopping. Without it nobody is told and nothing fails."""

import os
import socket
from collections.abc import Callable, Mapping

from zarbiter.pulse import Pulses

_MICRO = 1_000_000


class Notifier:
    """The socket that systemd gives a service of `Type=notify`.

    Args:
        environment: of the process.
        process: its number.
    """

    def __init__(
        self, environment: Mapping[str, str], process: Callable[[], int] = os.getpid
    ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the zero byte of an abstract name.
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self.watchdog_s = _watchdog_s(environment, process)
        """After this much silence systemd restarts the service; None: it does not watch."""

    def ready(self, status: str = "") -> bool:
        """Say that the service works."""
        return self._send("READY=1", _status(status))

    def status(self, status: str) -> bool:
        """Say in a line what goes on; `systemctl status` shows it."""
        return self._send(_status(status))

    def stopping(self, status: str = "") -> bool:
        """Say that the service ends of its own accord."""
        return self._send("STOPPING=1", _status(status))

    def alive(self) -> bool:
        """Feed the watchdog."""
        return self._send("WATCHDOG=1")

    def _send(self, *lines: str) -> bool:
        """Return whether somebody was told."""
        if not self._address:
            return False
        message = "\n".join(line for line in lines if line).encode()
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
                out.setblocking(False)
                out.sendto(message, self._address)
        except OSError:
            # systemd restarts too; a referee does not fall because nobody listens.
            return False
        return True


class Watchdog:
    """Feeds systemd's watchdog while every part of the service lives.

    Args:
        notifier: to systemd.
        pulses: of the parts.
        now_s: monotonic.
    """

    def __init__(self, notifier: Notifier, pulses: Pulses, now_s: Callable[[], float]) -> None:
        self._notifier = notifier
        self._pulses = pulses
        self._now_s = now_s
        self._fed_s: float | None = None
        self._late: tuple[str, ...] = ()

    @property
    def every_s(self) -> float | None:
        """How often `tick` is to be called at least; None: there is no watchdog."""
        watchdog_s = self._notifier.watchdog_s
        return None if watchdog_s is None else watchdog_s / 4

    def tick(self) -> tuple[str, ...]:
        """Feed it if it is time and all live; return the parts that are late."""
        late = self._pulses.late()
        if late != self._late:
            self._late = late
            self._notifier.status(f"not answering: {', '.join(late)}" if late else "running")
        watchdog_s, now_s = self._notifier.watchdog_s, self._now_s()
        due = self._fed_s is None or (
            watchdog_s is not None and now_s - self._fed_s >= watchdog_s / 4
        )
        if watchdog_s is not None and due and not late:
            self._fed_s = now_s
            self._notifier.alive()
        return late


def _status(text: str) -> str:
    return f"STATUS={' '.join(text.split())}" if text else ""


def _watchdog_s(environment: Mapping[str, str], process: Callable[[], int]) -> float | None:
    microseconds = environment.get("WATCHDOG_USEC", "")
    for_process = environment.get("WATCHDOG_PID", "")
    if not microseconds.isdecimal() or int(microseconds) == 0:
        return None
    if for_process and for_process != str(process()):
        return None
    return int(microseconds) / _MICRO
