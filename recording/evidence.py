"""Evidence pictures: files named by their contents, written before the row that names them."""

import contextlib
import hashlib
import os
import shutil
import uuid
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, TypeAlias

from recording.record_errors import (
    RecordError,
    RecordFullError,
    RecordReadOnlyError,
    from_os,
)
from recording.record_files import sync_folder
from recording.record_row import Evidence, PictureKind

_UNFINISHED: Final = ".part"


class DiskState(StrEnum):
    """How much room is left."""

    GOOD = "good"
    LOW = "low"
    """Below a tenth: a person should be warned."""
    NO_PICTURES = "no_pictures"
    """Pictures have stopped so that events can go on."""


@dataclass(frozen=True, slots=True)
class EvidencePolicy:
    """How much room pictures may take, and what is kept free of them."""

    budget_bytes: int = 2 << 30
    latest_kept: int = 64
    """So many newest pictures are never pruned: a dispute is about the last turns."""
    warn_free: float = 0.10
    """Part of the disk below which a person is warned."""
    stop_free: float = 0.05
    """Part of the disk below which pictures stop."""
    reserve_bytes: int = 16 << 20
    """Room given up when the disk is full, so that events go on: some hundreds of them."""


@dataclass(frozen=True, slots=True)
class Free:
    """Room on a disk."""

    free_bytes: int
    total_bytes: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A picture that was not kept; the game goes on without it."""

    ru: str
    en: str


Kept: TypeAlias = Evidence | Refused

_NO_ROOM: Final = Refused(
    "Снимок не сохранён: на диске почти нет места. События записываются дальше.",
    "The picture was not kept: the disk is nearly full. Events are recorded on.",
)
_READ_ONLY: Final = Refused(
    "Снимок не сохранён: на диск нельзя писать.",
    "The picture was not kept: the disk cannot be written.",
)
_DISK: Final = Refused(
    "Снимок не сохранён: диск не отвечает как должен.",
    "The picture was not kept: the disk does not answer as it should.",
)


def disk_state(free: Free, policy: EvidencePolicy) -> DiskState:
    """Judge the room left on a disk."""
    part = free.free_bytes / max(1, free.total_bytes)
    if part < policy.stop_free:
        return DiskState.NO_PICTURES
    return DiskState.LOW if part < policy.warn_free else DiskState.GOOD


def disk_free(folder: Path) -> Free:
    """Ask the system how much room this user has left."""
    usage = shutil.disk_usage(folder)
    return Free(usage.free, usage.total)


class EvidenceStore:
    """The folder of the pictures: `ab/abcd….jpg`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path_of(self, sha256: str) -> Path:
        """Return where a picture lies, or would."""
        return self.folder / sha256[:2] / f"{sha256}.jpg"

    def has(self, sha256: str) -> bool:
        """Tell whether the picture is there."""
        return self.path_of(sha256).is_file()

    def read(self, sha256: str) -> bytes | None:
        """Return a picture, None where it is not there."""
        try:
            return self.path_of(sha256).read_bytes()
        except FileNotFoundError:
            return None

    def put(self, kind: PictureKind, jpeg: bytes) -> Kept:
        """Keep a picture, or say why not."""
        try:
            return self.store(kind, jpeg)
        except RecordFullError:
            return _NO_ROOM
        except RecordReadOnlyError:
            return _READ_ONLY
        except RecordError:
            return _DISK

    def store(self, kind: PictureKind, jpeg: bytes) -> Evidence:
        """Keep a picture: on the disk, whole, under its name, before this returns.

        Raises:
            RecordError: the disk does not take it.
        """
        sha256 = hashlib.sha256(jpeg).hexdigest()
        path = self.path_of(sha256)
        try:
            if self.read(sha256) != jpeg:
                self._write(path, jpeg)
        except OSError as error:
            raise from_os(path, error) from error
        return Evidence(kind, sha256, len(jpeg))

    def drop(self, names: Collection[str]) -> None:
        """Remove pictures; those that stay behind are orphans of the next start."""
        for sha256 in names:
            with contextlib.suppress(OSError):
                self.path_of(sha256).unlink(missing_ok=True)

    def names(self) -> Iterator[str]:
        """Yield the names of all pictures there."""
        for path in self.folder.glob("??/*.jpg"):
            yield path.stem

    def sweep(self, known: Collection[str] | None) -> int:
        """Remove what a cut left behind, and return how many.

        Args:
            known: pictures that rows name; None where rows were lost, so that no picture can
                be called an orphan.
        """
        left = list(self.folder.glob(f"??/*{_UNFINISHED}"))
        if known is not None:
            left += [self.path_of(name) for name in self.names() if name not in known]
        for path in left:
            with contextlib.suppress(OSError):
                path.unlink()
        return len(left)

    def _write(self, path: Path, data: bytes) -> None:
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            sync_folder(self.folder)
        # Two threads may keep the same picture at once.
        temporary = path.with_suffix(f".{uuid.uuid4().hex}{_UNFINISHED}")
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def refused_for_room() -> Refused:
    """Return the word for a disk that has no room for pictures."""
    return _NO_ROOM
