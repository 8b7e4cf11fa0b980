"""The second copy of every row, one JSON line each, from which a damaged record is rebuilt.

It is written after the commit and never waited for: after a kill it is whole, after a power
cut it may lack the last seconds, which the record has. It is not the truth but its spare.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from recording.record_errors import EntryError
from recording.record_files import sync_folder
from recording.record_row import Row, row_from_line

_TAIL_BYTES: Final = 1 << 20


class Mirror:
    """Appends rows; a line that cannot be written makes it stale until the next opening."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stale = False
        self._last = 0
        self._descriptor: int | None = None

    def follow_on(self, seq: int) -> None:
        """Say which row the mirror ends with."""
        self._last = seq

    def give_up(self) -> None:
        """Write no more: the next opening brings the mirror up to date."""
        self._stale = True

    def append(self, rows: Sequence[Row]) -> None:
        """Add rows; a failure is forgiven, because the record has them."""
        if not rows:
            return
        # No gap: the opening looks at the last line only.
        if self._stale or rows[0].seq != self._last + 1:
            self.give_up()
            return
        self._last = rows[-1].seq
        try:
            if self._descriptor is None:
                self._descriptor = os.open(
                    self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644
                )
            data = "".join(f"{row.to_line()}\n" for row in rows).encode()
            # After a part of a line no further one may follow.
            self._stale = os.write(self._descriptor, data) < len(data)
        except OSError:
            self._stale = True

    def sync(self) -> None:
        """Bring it onto the disk, at the end of a game."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._descriptor)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def mirrored_rows(path: Path) -> Iterator[Row]:
    """Yield the rows whose hash is right; torn and spoiled lines are passed over."""
    if not path.exists():
        return
    with path.open(encoding="utf-8", errors="replace", newline="\n") as lines:
        for line in lines:
            try:
                row = row_from_line(line)
            except EntryError:
                continue
            if row.computed_hash() == row.hash:
                yield row


def last_mirrored(path: Path) -> Row | None:
    """Return the last row of a mirror that ends in a whole line, else None."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL_BYTES))
            tail = file.read()
    except OSError:
        return None
    if not tail.endswith(b"\n"):
        return None
    try:
        row = row_from_line(tail[:-1].rpartition(b"\n")[2].decode())
    except (EntryError, UnicodeDecodeError):
        return None
    return row if row.computed_hash() == row.hash else None


def rewrite_mirror(path: Path, rows: Iterable[Row]) -> None:
    """Write the whole mirror anew.

    Raises:
        OSError: no room; the old one stays.
    """
    temporary = path.with_name(f"{path.name}.new")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{row.to_line()}\n" for row in rows)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
