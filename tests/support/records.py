"""Records to be tried: made quickly, with clocks set by hand."""

import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from recording.evidence import EvidencePolicy, Free
from recording.record import Record
from recording.record_clock import Moment, SystemMoments
from recording.record_open import open_record
from recording.record_row import Entry, Evidence, PictureKind
from recording.signing import SigningKey

SMALL = EvidencePolicy(reserve_bytes=1 << 16)


def key_of(number: int = 1) -> SigningKey:
    """The same number, the same key."""
    return SigningKey(Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32))


@dataclass
class Clocks:
    """Both clocks and the system's word, set by hand."""

    wall: datetime = datetime(2026, 5, 1, 12, tzinfo=UTC)
    monotonic_s: float = 100.0
    synced: bool = True
    boot: str = "boot-1"

    def moments(self) -> SystemMoments:
        return SystemMoments(
            lambda: self.wall, lambda: self.monotonic_s, lambda: self.synced, self.boot
        )

    def pass_s(self, seconds: float) -> None:
        self.monotonic_s += seconds
        self.wall += timedelta(seconds=seconds)


@dataclass
class Disk:
    """How much room there is said to be."""

    part: float = 0.5
    asked: list[Path] = field(default_factory=list)

    def free(self, folder: Path) -> Free:
        self.asked.append(folder)
        return Free(int(self.part * 1_000_000), 1_000_000)


def opened(
    folder: Path,
    number: int = 1,
    *,
    policy: EvidencePolicy = SMALL,
    moments: Callable[[], Moment] | None = None,
    disk: Disk | None = None,
) -> Record:
    """Open a record in a folder."""
    return open_record(
        folder,
        key_of(number),
        table="7",
        policy=policy,
        moments=moments or Clocks().moments(),
        free=(disk or Disk()).free,
    )


def event(value: object = 0, *evidence: Evidence, at_s: float = 1.0) -> Entry:
    """An event of a match."""
    return Entry("throw", 1, {"value": str(value)}, at_s, "m-1", evidence)


def picture(record: Record, data: bytes, kind: PictureKind = PictureKind.THROW) -> Evidence:
    """Keep a picture that is not refused."""
    kept = record.keep_picture(kind, data)
    assert isinstance(kept, Evidence)
    return kept


def values(record: Record) -> list[str]:
    """What the events say, in order."""
    return [row.data["value"] for row in record.rows() if row.kind == "throw"]


def as_power_cut_leaves_it(record: Record, to: Path) -> Path:
    """Copy a record that is not closed."""
    shutil.copytree(record.files.folder, to)
    return to


def tampered(folder: Path, *statements: str) -> None:
    """Change a closed record behind its back."""
    connection = sqlite3.connect(folder / "record.sqlite", isolation_level=None)
    for trigger in ("entry_unchanged", "entry_kept"):
        connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    for statement in statements:
        connection.execute(statement)
    connection.close()
