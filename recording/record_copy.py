"""Copies of a record: JSON Lines out and in, backups of a live record, and back again."""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Protocol

from recording.evidence import EvidenceStore
from recording.evidence_index import PictureIndex
from recording.record_chain import Head
from recording.record_clock import SystemMoments, wall_text
from recording.record_errors import (
    EntryError,
    RecordDamagedError,
    RecordError,
    RecordImportError,
    from_os,
    from_sqlite,
)
from recording.record_files import RecordFiles, files_of, sync_file, sync_folder
from recording.record_lock import WriterLock
from recording.record_open import open_record
from recording.record_reader import RecordReader
from recording.record_row import RESTORED, SIGNATURE, Row, row_from_line
from recording.record_schema import insert_row, open_writer, picture_rows, read_head, write_head
from recording.signing import SigningKey
from recording.verify import Verdict, verify_record

_TRIES: Final = 3


class HasRows(Protocol):
    """A record, or a reader of one."""

    def rows(self) -> Iterator[Row]:
        """Yield all rows in order."""
        ...


def export_jsonl(record: HasRows) -> Iterator[str]:
    """Yield every row as a JSON line, without line ends; pictures are named by their hash."""
    for row in record.rows():
        yield row.to_line()


def import_jsonl(lines: Iterable[str], folder: Path) -> Head:
    """Make a new record of exported lines, the same to the last hash.

    Pictures are copied by hand: the folder `pictures` beside.

    Raises:
        RecordImportError: a line was changed, or is missing; there is a record already.
        RecordError: the folder cannot be written.
    """
    files = RecordFiles(folder)
    with _locked(files, "zarbiter import"):
        if files.database.exists():
            raise RecordImportError(
                f"В {folder} уже есть протокол.", f"There is a record in {folder} already."
            )
        new = _new(files)
        target = open_writer(new)
        try:
            target.execute("BEGIN IMMEDIATE")
            last, signed = None, None
            for row in _imported(lines):
                insert_row(target, row)
                last, signed = row, row if row.kind == SIGNATURE else signed
            if last is None:
                raise RecordImportError("Строк нет.", "There are no lines.")
            write_head(target, last, signed)
            target.execute("COMMIT")
        except sqlite3.Error as error:
            raise from_sqlite(new, error) from error
        finally:
            target.close()
        _put_in_place(files, new)
    return Head.at(last)


def _imported(lines: Iterable[str]) -> Iterator[Row]:
    head = Head()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = row_from_line(line)
        except EntryError as error:
            raise RecordImportError(
                f"Строка {number}: {error.ru}", f"Line {number}: {error.en}"
            ) from error
        # A record rebuilt after damage may lack rows; those it has must be what they were.
        follows = row.seq > head.seq + 1 or (row.seq, row.prev) == (head.seq + 1, head.hash)
        if not follows or row.computed_hash() != row.hash:
            raise RecordImportError(
                f"Строка {number}: запись {row.seq} изменена или не на своём месте.",
                f"Line {number}: row {row.seq} was changed or is out of place.",
            )
        head = Head.at(row)
        yield row


def backup(place: Path, folder: Path) -> Head:
    """Copy a record with its pictures while its table goes on writing.

    Args:
        place: the record.
        folder: where to; an older copy there is replaced once the new one is whole.

    Returns:
        The last row copied.

    Raises:
        RecordError: no record, or the folder cannot be written.
    """
    source, target = files_of(place), RecordFiles(folder)
    with _locked(target, "zarbiter backup"):
        new = _new(target)
        for _ in range(_TRIES):
            head = _copy_database(source, new)
            if _copy_pictures(source, target, new):
                break
            # One was pruned while we copied; the next copy has the row that says so.
        _put_in_place(target, new)
    return head


def restore(copy: Path, folder: Path, key: SigningKey, *, even_broken: bool = False) -> Head:
    """Put a copy in the place of a record, which is moved aside, not deleted.

    Where the record's mirror survived, the rows made after the copy come back too.

    Args:
        copy: the copy's folder.
        folder: the record's folder.
        key: the device's key.
        even_broken: take a copy that does not verify.

    Returns:
        The last row after it.

    Raises:
        RecordDamagedError: the copy itself does not verify.
        RecordBusyError: the table is running; stop it first.
        RecordError: the folder cannot be written.
    """
    source, target = files_of(copy), RecordFiles(folder)
    found = verify_record(copy)
    if found.verdict is Verdict.BROKEN and not even_broken:
        ru, en = found.explain
        raise RecordDamagedError(
            f"Копия {copy} сама не в порядке. {ru}", f"The copy {copy} is itself no good. {en}"
        )
    with _locked(target, "zarbiter restore"):
        new = _new(target)
        head = _copy_database(source, new)
        _copy_pictures(source, target, new)
        _move_aside(target)
        _put_in_place(target, new)
    with open_record(folder, key, program="zarbiter restore") as record:
        record.note(RESTORED, {"copy_seq": head.seq, "copy_hash": head.hash})
    with RecordReader(folder) as reader:
        return reader.head()


@contextlib.contextmanager
def _locked(files: RecordFiles, program: str) -> Iterator[None]:
    """Hold a folder, made if missing; name what the disk does to us meanwhile."""
    try:
        files.folder.mkdir(parents=True, exist_ok=True)
        with WriterLock(files.lock, program, wall_text(SystemMoments()().wall)):
            yield
    except RecordError:
        raise
    except OSError as error:
        raise from_os(files.folder, error) from error


def _new(files: RecordFiles) -> Path:
    new = files.database.with_name(files.database.name + ".new")
    for end in ("", "-wal", "-shm"):
        new.with_name(new.name + end).unlink(missing_ok=True)
    return new


def _copy_database(source: RecordFiles, new: Path) -> Head:
    with RecordReader(source.folder) as reader:
        target = sqlite3.connect(new)
        try:
            reader.connection.backup(target)
        except sqlite3.Error as error:
            raise from_sqlite(new, error) from error
        finally:
            target.close()
    sync_file(new)
    with contextlib.closing(open_writer(new)) as made:
        seq, row_hash, *_ = read_head(made)
    return Head(seq, row_hash)


def _copy_pictures(source: RecordFiles, target: RecordFiles, new: Path) -> bool:
    """Copy the pictures that the copied rows rest on; False if one vanished meanwhile."""
    here, there = EvidenceStore(source.pictures), EvidenceStore(target.pictures)
    with contextlib.closing(open_writer(new)) as made:
        known = PictureIndex(picture_rows(made)).known
    for name, one in known.items():
        if there.has(name):
            continue
        data = here.read(name)
        if data is None:
            return False
        there.store(one.kind, data)
    return True


def _move_aside(files: RecordFiles) -> None:
    """Keep what is replaced."""
    old = files.database
    log = old.with_name(old.name + "-wal")
    if old.exists():
        aside = files.new_aside()
        for path in (old, log):
            if path.exists():
                path.replace(aside / path.name)


def _put_in_place(files: RecordFiles, new: Path) -> None:
    """Exchange the database; a log left of the old one would spoil the new."""
    for end in ("-wal", "-shm"):
        files.database.with_name(files.database.name + end).unlink(missing_ok=True)
    new.replace(files.database)
    sync_folder(files.folder)
