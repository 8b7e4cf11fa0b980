"""Who has a device open: found by looking through `/proc`, as `fuser` does."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Holder:
    """A program that has a device open."""

    pid: int
    name: str
    device: str
    locks: bool
    """Whether it holds a lock on it: libcamera locks what it uses, others only look."""

    def __str__(self) -> str:
        return f"{self.name} (pid {self.pid})"


def holders(
    prefixes: Iterable[str], *, proc: Path = PROC, but_pid: int | None = None
) -> tuple[Holder, ...]:
    """Return who has devices open whose path starts with one of the prefixes.

    Other users' programs can be seen by root alone: an empty answer does not mean nobody.

    Args:
        prefixes: such as `/dev/video0`, or `/dev/media` for all of them.
        proc: the folder of processes.
        but_pid: a process to leave out.
    """
    starts = tuple(prefixes)
    lockers = _lockers(proc)
    found: dict[tuple[int, str], Holder] = {}
    for pid in _pids(proc):
        if pid == but_pid:
            continue
        for device in _open_files(proc / str(pid) / "fd"):
            if device.startswith(starts):
                key = (pid, device)
                found[key] = Holder(pid, _name(proc, pid), device, pid in lockers)
    return tuple(sorted(found.values(), key=lambda one: (not one.locks, one.pid, one.device)))


def named(found: Iterable[Holder]) -> tuple[str, ...]:
    """Return each program once; those with a lock alone, where there are any."""
    all_of_them = tuple(found)
    locking = [one for one in all_of_them if one.locks] or all_of_them
    return tuple(dict.fromkeys(str(one) for one in locking))


def media_holders(proc: Path = PROC) -> tuple[str, ...]:
    """Say which other programs have a ribbon camera."""
    return named(holders(("/dev/media",), proc=proc, but_pid=os.getpid()))


def video_holders(device: str, proc: Path = PROC) -> tuple[str, ...]:
    """Say which other programs have a video device, such as `/dev/video0`."""
    real = str(Path(device).resolve())
    found = holders((real,), proc=proc, but_pid=os.getpid())
    return named(one for one in found if one.device == real)


def _pids(proc: Path) -> Iterator[int]:
    try:
        names = [entry.name for entry in proc.iterdir()]
    except OSError:
        return
    yield from sorted(int(name) for name in names if name.isdigit())


def _open_files(folder: Path) -> Iterator[str]:
    try:
        links = list(folder.iterdir())
    except OSError:  # another user's, or it has ended meanwhile
        return
    for link in links:
        try:
            yield str(link.readlink())
        except OSError:
            continue


def _name(proc: Path, pid: int) -> str:
    try:
        return (proc / str(pid) / "comm").read_text(errors="replace").strip() or "?"
    except OSError:
        return "?"


def _lockers(proc: Path) -> set[int]:
    """Return the processes that hold a lock on any file: `1: POSIX ADVISORY WRITE 812 …`."""
    try:
        lines = (proc / "locks").read_text(errors="replace").splitlines()
    except OSError:
        return set()
    fields = [line.split() for line in lines]
    return {int(one[4]) for one in fields if len(one) > 4 and one[4].isdigit()}
