"""Is a record sound, and if not, what can be saved from it and its mirror.

Nothing is thrown away: the damaged files are moved aside, and what was lost is told, in the
return value and in a row of the rebuilt record.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from sqlite3 import SQLITE_ERROR
from typing import Final

from recording.record_chain import Head
from recording.record_errors import RecordDamagedError, RecordError, from_os, from_sqlite
from recording.record_files import RecordFiles, sync_file, sync_folder
from recording.record_mirror import mirrored_rows
from recording.record_recovery import Damage, DamageKind, Recovery
from recording.record_row import BEGINNING, RECOVERED, SIGNATURE, JsonObject, Row
from recording.record_schema import (
    MIGRATIONS,
    insert_row,
    last_row,
    open_writer,
    read_head,
    row_at,
    select_rows,
    write_head,
)

_CHECKED_ROWS: Final = 20_000
"""So many matches back that a start stays a matter of seconds."""


def damage_of(files: RecordFiles) -> Damage | None:
    """Check a record before it is written again; None if nothing is wrong.

    The chain is followed over the last rows, which a match in play goes on from, but not past
    the last repair; `verify` follows the whole.

    Raises:
        RecordError: not readable for another reason than damage.
    """
    path = files.database
    if not path.exists() or not path.stat().st_size:
        spare = any(True for _ in mirrored_rows(files.mirror))
        return Damage(DamageKind.FILE, "only the mirror is there") if spare else None
    try:
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            return _damage(connection)
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        meant = from_sqlite(path, error)
        # A file of ours without its tables is damaged too; one that may not be read is not.
        if isinstance(meant, RecordDamagedError) or error.sqlite_errorcode == SQLITE_ERROR:
            return Damage(DamageKind.FILE, str(error))
        raise meant from error


def _damage(connection: sqlite3.Connection) -> Damage | None:
    # Reads only what every version has; the record is brought up to date afterwards.
    if connection.execute("PRAGMA user_version").fetchone()[0] > len(MIGRATIONS):
        return None
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        return Damage(DamageKind.FILE, str(found).replace("\n", " "))
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        return None
    seq, row_hash, signed_seq, signed_hash = read_head(connection)
    last = last_row(connection)
    if (last.seq if last else 0) != seq:
        there = last.seq if last else 0
        return Damage(DamageKind.TAIL, f"ends at row {there} instead of {seq}")
    if last and last.hash != row_hash:
        return _changed(seq)
    signed = row_at(connection, signed_seq)
    if signed_seq and (signed is None or signed.hash != signed_hash):
        return _changed(signed_seq)
    repaired = last_row(connection, RECOVERED)
    start = max(seq - _CHECKED_ROWS, repaired.seq if repaired else 0)
    before = row_at(connection, start)
    return _damage_after(connection, Head.at(before) if before else Head())


def _damage_after(connection: sqlite3.Connection, head: Head) -> Damage | None:
    for row in select_rows(connection, head.seq):
        if (row.seq, row.prev) != (head.seq + 1, head.hash) or row.computed_hash() != row.hash:
            return _changed(row.seq)
        head = Head.at(row)
    return None


def _changed(seq: int) -> Damage:
    return Damage(DamageKind.CHANGED, f"row {seq} is not the one that was written")


def rebuild(
    files: RecordFiles, damage: Damage, row_of: Callable[[Head, str, JsonObject], Row]
) -> Recovery:
    """Build a new record from all that can be read, and put it in the place of the old.

    Args:
        files: the record; nobody else may have it open.
        damage: what is wrong with it.
        row_of: makes a row of the record's own.

    Raises:
        RecordError: the disk does not take the new file; the old ones are as they were.
    """
    new = files.database.with_name(files.database.name + ".new")
    try:
        for left in (new, _log_of(new), _memory_of(new)):
            left.unlink(missing_ok=True)
        aside = files.new_aside()
        recovery = _save_into(new, files, damage, aside, row_of)
        _exchange(files, new, aside)
    except OSError as error:
        raise from_os(files.database, error) from error
    except sqlite3.Error as error:
        raise from_sqlite(new, error) from error
    return recovery


def _save_into(
    new: Path,
    files: RecordFiles,
    damage: Damage,
    aside: Path,
    row_of: Callable[[Head, str, JsonObject], Row],
) -> Recovery:
    source = _Old(files.database)
    target = open_writer(new)
    try:
        lost: list[tuple[int, int]] = []
        head, saved, mirrored, signed = Head(), 0, 0, None
        target.execute("BEGIN IMMEDIATE")
        for row, is_spare in _best_rows(source, mirrored_rows(files.mirror)):
            if row.seq > head.seq + 1:
                lost.append((head.seq + 1, row.seq - 1))
            insert_row(target, row)
            head, saved, mirrored = Head.at(row), saved + 1, mirrored + is_spare
            signed = row if row.kind == SIGNATURE else signed
        if saved and source.end > head.seq:
            lost.append((head.seq + 1, source.end))
            # The lost numbers are not given out again.
            head = Head(source.end, BEGINNING)
        recovery = Recovery(
            damage,
            lost=tuple(lost),
            from_mirror=mirrored,
            aside=str(aside.relative_to(files.folder)),
            rows=saved,
            end_known=source.end_known,
        )
        # Where nothing was saved a new chain begins, and its beginning has to come first.
        if saved:
            told = row_of(head, RECOVERED, recovery.to_json())
            insert_row(target, told)
            write_head(target, told, signed)
        target.execute("COMMIT")
    finally:
        target.close()
        source.close()
    sync_file(new)
    return recovery


def _exchange(files: RecordFiles, new: Path, aside: Path) -> None:
    """Put the new file in place; at no moment is there none, nor one with the other's log."""
    old = files.database
    for path in (old, _log_of(old)):
        if path.exists():
            _keep(path, aside / path.name)
    sync_folder(aside)
    for path in (_log_of(old), _memory_of(old)):
        path.unlink(missing_ok=True)
    new.replace(old)
    sync_folder(files.folder)


def _keep(path: Path, copy: Path) -> None:
    try:
        os.link(path, copy)
    except OSError:  # a file system without links
        copy.write_bytes(path.read_bytes())
        sync_file(copy)


class _Old:
    """Reads what can be read of a damaged database."""

    def __init__(self, path: Path) -> None:
        self._connection: sqlite3.Connection | None = None
        self.end = 0
        """The number of the last row, as far as anything tells."""
        self.end_known = False
        if path.exists():
            self._connection = sqlite3.connect(path, isolation_level=None)
            self.end = self._find_end(self._connection)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def row(self, seq: int) -> Row | None:
        if self._connection is None:
            return None
        try:
            found = row_at(self._connection, seq)
            return found if found and found.computed_hash() == found.hash else None
        except (sqlite3.Error, ValueError, TypeError):
            return None

    def _find_end(self, connection: sqlite3.Connection) -> int:
        ends = [0]
        with contextlib.suppress(sqlite3.Error, TypeError):
            ends.append(read_head(connection)[0])
            self.end_known = True
        with contextlib.suppress(sqlite3.Error, TypeError):
            last = last_row(connection)
            ends.append(last.seq if last else 0)
            self.end_known = True
        return max(ends)


def _best_rows(source: _Old, spare: Iterator[Row]) -> Iterator[tuple[Row, bool]]:
    """Merge both copies in order; True where only the mirror's could be used."""
    seq, waiting = 1, next(spare, None)
    while waiting is not None or seq <= source.end:
        while waiting is not None and waiting.seq < seq:
            waiting = next(spare, None)
        if waiting is not None and waiting.seq > seq and seq > source.end:
            seq = waiting.seq
        mirrored = waiting if waiting is not None and waiting.seq == seq else None
        stored = source.row(seq)
        if stored and mirrored and stored.hash != mirrored.hash:
            # Two histories: the one that the next row goes on from is the true one.
            following = source.row(seq + 1)
            stored = None if following and following.prev == mirrored.hash else stored
        if stored is not None:
            yield stored, False
        elif mirrored is not None:
            yield mirrored, True
        seq += 1


def extend_from_mirror(connection: sqlite3.Connection, files: RecordFiles) -> int:
    """Take over rows that went on after the record's end, as after a lost log; return how many.

    Raises:
        RecordError: they cannot be written.
    """
    seq, row_hash, *_ = read_head(connection)
    head, added, signed = Head(seq, row_hash) if seq else Head(), [], None
    for row in mirrored_rows(files.mirror):
        if (row.seq, row.prev) == (head.seq + 1, head.hash):
            added.append(row)
            head = Head.at(row)
            signed = row if row.kind == SIGNATURE else signed
    if not added:
        return 0
    try:
        connection.execute("BEGIN IMMEDIATE")
        for row in added:
            insert_row(connection, row)
        write_head(connection, added[-1], signed)
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        meant: RecordError = from_sqlite(files.database, error)
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise meant from error
    return len(added)


def _log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _memory_of(path: Path) -> Path:
    return path.with_name(path.name + "-shm")
