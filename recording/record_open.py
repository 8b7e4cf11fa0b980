"""Opening a record for writing: made if missing, repaired if damaged, and never silently."""

import contextlib
import sqlite3
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Final

from recording.evidence import EvidencePolicy, Free, disk_free
from recording.record import Record
from recording.record_chain import own_row
from recording.record_clock import Moments, SystemMoments, wall_of, wall_text
from recording.record_errors import RecordFullError, from_os, from_sqlite
from recording.record_files import RecordFiles
from recording.record_lock import WriterLock
from recording.record_mirror import Mirror, last_mirrored, rewrite_mirror
from recording.record_recovery import Damage, DamageKind, Recovery
from recording.record_row import CREATED, KEY, RECOVERED
from recording.record_salvage import damage_of, extend_from_mirror, rebuild
from recording.record_schema import last_row, open_writer, read_head, row_at, select_rows
from recording.signing import SigningKey

FORMAT: Final = 1
"""Of the chain: what is hashed and how. The tables' version is `record_schema`'s."""


def open_record(
    folder: Path,
    key: SigningKey,
    *,
    table: str = "",
    program: str = "zarbiter",
    moments: Moments | None = None,
    policy: EvidencePolicy | None = None,
    free: Callable[[Path], Free] = disk_free,
) -> Record:
    """Open a table's record for writing: made if missing, repaired if damaged.

    Args:
        folder: the record's own folder.
        key: the device's key.
        table: the table's name, for a new record.
        program: who writes, for one who is refused because of it.
        moments: the clocks; the system's if left out.
        policy: how much room pictures may take.
        free: asks how much room there is.

    Returns:
        The record; its `recovery` says what had to be repaired.

    Raises:
        RecordBusyError: another process writes it.
        RecordError: it cannot be written, or was made by a newer program.
    """
    files, clocks = RecordFiles(folder), moments or SystemMoments()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise from_os(folder, error) from error
    lock = WriterLock(files.lock, program, wall_text(clocks().wall))

    def opened() -> Record:
        recovery = _repair(files, clocks)
        connection = open_writer(files.database)
        try:
            recovery = recovery or _catch_up(files, connection)
            _remember_date(clocks, connection)
            mirror = _aligned_mirror(files, connection)
            limits = policy or EvidencePolicy()
            record = Record(files, connection, lock, mirror, key, clocks, limits, free)
            record.recovery = recovery
            _begin(record, connection, key, table, program)
            record.settle()
        except sqlite3.Error as error:
            connection.close()
            raise from_sqlite(files.database, error) from error
        except BaseException:
            connection.close()
            raise
        return record

    try:
        try:
            return opened()
        except RecordFullError:
            # Even opening takes some room: it is what the reserve is for.
            if not files.reserve.exists():
                raise
            files.reserve.unlink()
            return opened()
    except BaseException:
        lock.close()
        raise


def _repair(files: RecordFiles, moments: Moments) -> Recovery | None:
    damage = damage_of(files)
    if damage is None:
        return None
    return rebuild(files, damage, lambda head, kind, data: own_row(head, kind, data, moments()))


def _catch_up(files: RecordFiles, connection: sqlite3.Connection) -> Recovery | None:
    """Take back rows that only the mirror still has, as when the log was cut off."""
    seq = read_head(connection)[0]
    last = last_mirrored(files.mirror)
    if last is not None and last.seq <= seq:
        return None
    added = extend_from_mirror(connection, files)
    if not added:
        return None
    return Recovery(
        Damage(DamageKind.TAIL, f"ended at row {seq}"), from_mirror=added, rows=seq + added
    )


def _remember_date(moments: Moments, connection: sqlite3.Connection) -> None:
    if isinstance(moments, SystemMoments):
        found = connection.execute(
            "SELECT wall FROM entry WHERE synced = 1 ORDER BY seq DESC LIMIT 1"
        ).fetchone()
        with contextlib.suppress(ValueError):
            moments.remember(wall_of(found[0]) if found else None)


def _begin(
    record: Record, connection: sqlite3.Connection, key: SigningKey, table: str, program: str
) -> None:
    """Write what a record says about itself: its beginning, its keys, its repairs."""
    if read_head(connection)[0] == 0:
        record.note(
            CREATED,
            {
                "format": FORMAT,
                "record": str(uuid.uuid4()),
                "table": table,
                "public_key": key.public.text,
                "program": program,
            },
        )
    known = last_row(connection, KEY) or last_row(connection, CREATED)
    if known is None or known.data["public_key"] != key.public.text:
        record.note(KEY, {"public_key": key.public.text})
    recovery = record.recovery
    if recovery is not None and (recovery.aside is None or not recovery.rows):
        record.note(RECOVERED, recovery.to_json())


def _aligned_mirror(files: RecordFiles, connection: sqlite3.Connection) -> Mirror:
    """Make the mirror hold what the record holds, and return it ready for more."""
    head, last = read_head(connection)[0], last_mirrored(files.mirror)
    stored = row_at(connection, last.seq) if last else None
    mirror = Mirror(files.mirror)
    try:
        if last is not None and stored is not None and stored.hash == last.hash:
            mirror.follow_on(last.seq)
            mirror.append(list(select_rows(connection, last.seq)))
            return mirror
        if last is not None:
            # A mirror of something else: not ours to throw away.
            files.mirror.replace(files.new_aside() / files.mirror.name)
        rewrite_mirror(files.mirror, select_rows(connection))
        mirror.follow_on(head)
    except OSError:
        # A spare that cannot be written now is written at the next opening.
        mirror.give_up()
    return mirror
