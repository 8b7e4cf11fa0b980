"""When: the wall clock's date with the word whether to trust it.

A Pi 4 has no battery clock. After a power cut its date may be older than the last event, and
it jumps when the network brings the right time. So order is the sequence number, durations
are monotonic, and a date is only ever printed: with "not synced" where it may be wrong.
"""

import ctypes
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Final, TypeAlias

_STEP: Final = timedelta(seconds=2)
"""A clock that is kept right is slewed; a larger step is a jump."""
_TIME_ERROR: Final = 5
_BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Moment:
    """The date of a row."""

    boot: str
    at_s: float
    """Monotonic within the boot."""
    wall: datetime
    synced: bool


Moments: TypeAlias = Callable[[], Moment]


@dataclass(frozen=True, slots=True)
class WallTrust:
    """What is known of the wall clock, from one reading to the next."""

    zero: datetime | None = None
    """The wall time at which the monotonic clock read zero, while the clock was trusted."""
    said_synced: bool | None = None
    """What the system said at the last reading; None before the first."""
    floor: datetime | None = None
    """The date of the last trusted row: a right clock cannot be before it."""


def judge_wall(
    trust: WallTrust, wall: datetime, monotonic_s: float, says_synced: bool
) -> tuple[WallTrust, bool]:
    """Tell whether a date can be trusted.

    Trust needs the system's word that its clock is synchronised, and a date that neither
    jumped under that word nor lies before the last trusted row. A system that takes its word
    back and gives it anew has found the time again: then the jump was the cure.
    """
    zero = wall - timedelta(seconds=monotonic_s)
    known = replace(trust, said_synced=says_synced)
    if not says_synced:
        return replace(known, zero=None), False
    if trust.said_synced is False:
        return replace(known, zero=zero, floor=None), True
    if trust.zero is None and trust.said_synced is None:
        late = trust.floor is not None and wall < trust.floor - _STEP
        return (known, False) if late else (replace(known, zero=zero), True)
    if trust.zero is None or abs(zero - trust.zero) > _STEP:
        return known, False
    return replace(known, zero=zero), True


class SystemMoments:
    """The device's own clocks.

    Args:
        wall: the wall clock.
        monotonic_s: the monotonic clock.
        says_synced: whether the system holds its wall clock for right.
        boot: names this boot.
    """

    def __init__(
        self,
        wall: Callable[[], datetime] = lambda: datetime.now(UTC),
        monotonic_s: Callable[[], float] = monotonic,
        says_synced: Callable[[], bool] | None = None,
        boot: str | None = None,
    ) -> None:
        self._wall = wall
        self._monotonic_s = monotonic_s
        self._says_synced = says_synced or kernel_clock_is_synced
        self._boot = boot or boot_id()
        self._trust = WallTrust()

    def remember(self, floor: datetime | None) -> None:
        """Tell the date of the last trusted row, when a record is opened."""
        self._trust = WallTrust(floor=floor)

    def __call__(self) -> Moment:
        """Read the clocks."""
        wall, at_s = self._wall(), self._monotonic_s()
        self._trust, synced = judge_wall(self._trust, wall, at_s, self._says_synced())
        return Moment(self._boot, at_s, wall, synced)


def boot_id() -> str:
    """Name this boot; without the kernel's word every process is a boot of its own."""
    try:
        return _BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return f"process-{uuid.uuid4()}"


def kernel_clock_is_synced() -> bool:
    """Ask the kernel, which timesyncd, chrony and ntpd all tell; False where it cannot."""
    try:
        # The C library that this process has loaded already: looking for it starts programs.
        state: int = ctypes.CDLL(None).ntp_adjtime(ctypes.create_string_buffer(512))
    except (OSError, AttributeError):
        return False
    return 0 <= state < _TIME_ERROR


def wall_text(wall: datetime) -> str:
    """Write a date as rows have it."""
    return wall.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def wall_of(text: str) -> datetime:
    """Read a row's date."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
