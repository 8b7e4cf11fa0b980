"""Reading the machine's health: files of the kernel, no waiting on anybody."""

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from recording.record_clock import kernel_clock_is_synced
from zarbiter.health import MachineReading

THERMAL: Final = Path("/sys/class/thermal")
PLATFORM: Final = Path("/sys/devices/platform")
TIMESYNC: Final = Path("/run/systemd/timesync/synchronized")
"""systemd-timesyncd puts this file down when it has found the time."""
PROC: Final = Path("/proc")
_VCGENCMD_S: Final = 0.5
_T = TypeVar("_T")


def temperature_c(thermal: Path = THERMAL) -> float | None:
    """Return the hottest of the processor's sensors."""
    found = []
    for zone in sorted(thermal.glob("thermal_zone*/temp")):
        with suppress(OSError, ValueError):
            found.append(int(zone.read_text(encoding="ascii")) / 1000)
    return max(found, default=None)


def throttled(
    platform: Path = PLATFORM,
    run: Callable[..., "subprocess.CompletedProcess[str]"] | None = None,
) -> int | None:
    """Return the Pi firmware's bits; None off the Pi.

    The kernel of Raspberry Pi OS tells them in a file; where it does not, `vcgencmd` is asked
    and given half a second.
    """
    for place in sorted(platform.glob("soc*/soc*firmware/get_throttled")):
        with suppress(OSError, ValueError):
            return int(place.read_text(encoding="ascii").strip(), 16)
    program = shutil.which("vcgencmd")
    if program is None and run is None:
        return None
    try:
        said = (run or subprocess.run)(
            [program or "vcgencmd", "get_throttled"],
            capture_output=True,
            text=True,
            timeout=_VCGENCMD_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return bits_of(said.stdout)


def bits_of(text: str) -> int | None:
    """Read `throttled=0x50005`; None where it is something else."""
    name, _, bits = text.strip().partition("=")
    if name != "throttled":
        return None
    with suppress(ValueError):
        return int(bits, 16)
    return None


def clock_synced(
    timesync: Path = TIMESYNC, kernel: Callable[[], bool] = kernel_clock_is_synced
) -> bool | None:
    """Tell whether the wall clock follows the network's time."""
    return timesync.exists() or kernel()


def memory_free_mb(proc: Path = PROC) -> int | None:
    """Return how much memory programs may still have."""
    for line in (proc / "meminfo").read_text(encoding="ascii").splitlines():
        name, _, rest = line.partition(":")
        if name == "MemAvailable":
            return int(rest.split()[0]) // 1024
    return None


def uptime_s(proc: Path = PROC) -> float | None:
    """Return how long the machine has been running."""
    return float((proc / "uptime").read_text(encoding="ascii").split()[0])


def free_mb(folder: Path) -> int | None:
    """Return the room on a folder's disk, or on that of the nearest one above that exists."""
    return shutil.disk_usage(_existing(folder)).free // 1_000_000


def writable(folder: Path) -> bool | None:
    """Tell whether a folder may be written, or made."""
    there = _existing(folder)
    # `access` does not tell root of a disk that is mounted read-only; its flags do.
    return os.access(there, os.W_OK | os.X_OK) and not os.statvfs(there).f_flag & os.ST_RDONLY


def _existing(folder: Path) -> Path:
    for one in (folder, *folder.parents):
        if one.exists():
            return one
    return folder


@dataclass(frozen=True, slots=True)
class Probes:
    """What is asked; tests put their own in. Each gives None where it cannot tell."""

    temperature_c: Callable[[], float | None] = temperature_c
    throttled: Callable[[], int | None] = throttled
    clock_synced: Callable[[], bool | None] = clock_synced
    memory_free_mb: Callable[[], int | None] = memory_free_mb
    uptime_s: Callable[[], float | None] = uptime_s
    free_mb: Callable[[Path], int | None] = free_mb
    writable: Callable[[Path], bool | None] = writable


class HealthWatch:
    """The machine's health, measured anew when the last reading is too old. Thread-safe.

    Args:
        folder: the record's.
        now_s: monotonic.
        probes: what is asked.
        keep_s: how long a reading counts.
    """

    def __init__(
        self,
        folder: Path,
        now_s: Callable[[], float],
        probes: Probes | None = None,
        keep_s: float = 5.0,
    ) -> None:
        self._folder = folder
        self._now_s = now_s
        self._probes = probes or Probes()
        self._keep_s = keep_s
        self._lock = Lock()
        self._read: tuple[float, MachineReading] | None = None

    def reading(self) -> MachineReading:
        """Return the newest reading; `frame_age_s` is for the caller to put in."""
        with self._lock:
            now_s = self._now_s()
            if self._read is None or now_s - self._read[0] >= self._keep_s:
                self._read = (now_s, read_machine(self._folder, self._probes))
            return self._read[1]


def read_machine(folder: Path, probes: Probes) -> MachineReading:
    """Ask every probe; one that fails tells nothing and stops nobody."""
    return MachineReading(
        temperature_c=_told(probes.temperature_c),
        throttled=_told(probes.throttled),
        free_mb=_told(lambda: probes.free_mb(folder)),
        writable=_told(lambda: probes.writable(folder)),
        clock_synced=_told(probes.clock_synced),
        memory_free_mb=_told(probes.memory_free_mb),
        uptime_s=_told(probes.uptime_s),
    )


def _told(probe: Callable[[], _T | None]) -> _T | None:
    with suppress(OSError, ValueError):
        return probe()
    return None
