"""Where the parts of a record lie, and bringing them onto the disk."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from recording.record_errors import NoRecordError

DATABASE: Final = "record.sqlite"
MIRROR: Final = "record.jsonl"


@dataclass(frozen=True, slots=True)
class RecordFiles:
    """The files of one table's record."""

    folder: Path

    @property
    def database(self) -> Path:
        """The record itself."""
        return self.folder / DATABASE

    @property
    def mirror(self) -> Path:
        """A second copy of every row, to rebuild from."""
        return self.folder / MIRROR

    @property
    def pictures(self) -> Path:
        """The folder of the evidence."""
        return self.folder / "pictures"

    @property
    def lock(self) -> Path:
        """Names the writer."""
        return self.folder / "writer.lock"

    @property
    def reserve(self) -> Path:
        """Room kept for events on a full disk."""
        return self.folder / "reserve"

    def new_aside(self) -> Path:
        """Make a folder for files moved aside: numbered, as dates may repeat."""
        parent = self.folder / "aside"
        parent.mkdir(exist_ok=True)
        taken = [int(one.name) for one in parent.iterdir() if one.name.isdecimal()]
        made = parent / str(max(taken, default=0) + 1)
        made.mkdir()
        return made


def files_of(place: Path) -> RecordFiles:
    """Find a record by its folder, or by the file in it.

    Raises:
        NoRecordError: there is none.
    """
    files = RecordFiles(place if place.is_dir() else place.parent)
    if (place.is_dir() or place.name == DATABASE) and files.database.is_file():
        return files
    raise NoRecordError(
        f"В {place} нет протокола (ожидается папка с {DATABASE}).",
        f"There is no record at {place} (expected a folder with {DATABASE}).",
    )


def sync_folder(folder: Path) -> None:
    """Bring a folder's own list of names onto the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some file systems cannot sync a folder; then they need not.
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file(path: Path) -> None:
    """Bring a file onto the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_reserve(path: Path, size_bytes: int) -> None:
    """Take room for worse days; where it cannot be had, go on without."""
    try:
        if path.exists() and path.stat().st_size == size_bytes:
            return
        with path.open("wb") as file:
            if size_bytes:
                os.posix_fallocate(file.fileno(), 0, size_bytes)
            os.fsync(file.fileno())
    except OSError:
        with contextlib.suppress(OSError):
            path.unlink()
