"""One writer a record: a lock that says who holds it and that a dead holder cannot keep."""

import contextlib
import fcntl
import json
import os
import socket
from pathlib import Path
from types import TracebackType

from recording.record_errors import RecordBusyError, from_os


class WriterLock:
    """Held from construction to `close`; the kernel frees it when the process dies.

    Args:
        path: the lock's file; its text names the holder.
        holder: the program, for the one who is refused.
        since: when, as text.

    Raises:
        RecordBusyError: somebody else holds it.
        RecordError: the file cannot be written.
    """

    def __init__(self, path: Path, holder: str, since: str) -> None:
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise from_os(path, error) from error
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._descriptor)
            if isinstance(error, BlockingIOError):
                raise _busy(path) from error
            raise from_os(path, error) from error
        told = {
            "holder": holder,
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "since": since,
        }
        # The lock holds without its text too, as on a full disk.
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, (json.dumps(told) + "\n").encode(), 0)

    def close(self) -> None:
        """Let go."""
        os.close(self._descriptor)

    def __enter__(self) -> "WriterLock":
        """Hold on."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go."""
        self.close()


def _busy(path: Path) -> RecordBusyError:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        who = "{holder}, pid {pid}, {host}, {since}".format(**told)
    except (OSError, ValueError, KeyError, TypeError):
        who = "?"
    return RecordBusyError(
        f"Протокол {path.parent} уже пишет другая программа ({who}). Закройте её и повторите.",
        f"The record {path.parent} is already being written by another program ({who}). "
        "Close that one and try again.",
    )
