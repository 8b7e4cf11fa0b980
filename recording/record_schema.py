"""The SQLite file: its tables, how it is opened, and how old ones are brought up to date."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from recording.record_errors import NoRecordError, RecordVersionError, damaged, from_sqlite
from recording.record_row import PRUNED, Row

APPLICATION_ID: Final = 0x5A415242
"""Marks the file as ours for `file(1)` and for `open_reader`."""
_BUSY_MS: Final = 5000
_BATCH: Final = 500
"""Rows read in one transaction: a slow reader must not keep the log from being checkpointed."""

Migration: TypeAlias = Callable[[sqlite3.Connection], None]

_V1: Final = (
    """
    CREATE TABLE entry (
      seq INTEGER PRIMARY KEY CHECK (seq > 0),
      match TEXT,
      kind TEXT NOT NULL,
      version INTEGER NOT NULL,
      at_s REAL NOT NULL,
      boot TEXT NOT NULL,
      wall TEXT NOT NULL,
      synced INTEGER NOT NULL CHECK (synced IN (0, 1)),
      data TEXT NOT NULL,
      evidence TEXT NOT NULL,
      prev TEXT NOT NULL,
      hash TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX entry_by_kind ON entry (kind, seq)",
    "CREATE INDEX entry_by_match ON entry (match, seq)",
    """
    CREATE TRIGGER entry_unchanged BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'a record is only appended to'); END
    """,
    """
    CREATE TRIGGER entry_kept BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'a record is only appended to'); END
    """,
    # Says how far the record goes, so that a tail that went missing is missed.
    """
    CREATE TABLE head (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      seq INTEGER NOT NULL,
      hash TEXT NOT NULL,
      signed_seq INTEGER NOT NULL,
      signed_hash TEXT NOT NULL
    ) STRICT
    """,
    "INSERT INTO head VALUES (1, 0, '', 0, '')",
)


def _first(connection: sqlite3.Connection) -> None:
    for statement in _V1:
        connection.execute(statement)


MIGRATIONS: Final[tuple[Migration, ...]] = (_first,)
"""The step from version n to n + 1 stands at place n. Steps are added, never changed."""


def open_writer(path: Path, steps: Sequence[Migration] = MIGRATIONS) -> sqlite3.Connection:
    """Open a record for writing, made or brought up to date if need be.

    Raises:
        RecordError: newer than this program, damaged, or not writable.
    """
    try:
        connection = sqlite3.connect(
            path, isolation_level=None, timeout=_BUSY_MS / 1000, check_same_thread=False
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
            migrate(connection, path, steps)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise from_sqlite(path, error) from error
    return connection


def open_reader(path: Path) -> sqlite3.Connection:
    """Open a record for reading, beside its writer or without one; nothing is changed.

    Raises:
        RecordError: newer than this program, damaged, or not readable.
    """
    try:
        connection = _readable(path)
        try:
            if check_version(connection, path) == 0:
                raise _not_begun(path)
        except BaseException:
            connection.close()
            raise
    except sqlite3.Error as error:
        raise from_sqlite(path, error) from error
    return connection


def _not_begun(path: Path) -> NoRecordError:
    return NoRecordError(
        f"Протокол {path} ещё не начат: в нём нет ни одной записи.",
        f"The record {path} has not been begun: there is no row in it.",
    )


def _readable(path: Path) -> sqlite3.Connection:
    log = path.with_name(path.name + "-wal")
    waiting = log.exists() and log.stat().st_size > 0
    uri = path.resolve().as_uri()
    for mode in ("mode=ro",) if waiting else ("mode=ro", "immutable=1"):
        connection = sqlite3.connect(
            f"{uri}?{mode}",
            uri=True,
            isolation_level=None,
            timeout=_BUSY_MS / 1000,
            check_same_thread=False,
        )
        try:
            connection.execute("SELECT 1 FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            # On a disk that cannot be written even readers of a WAL file need another way.
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CANTOPEN:
                raise
            last = error
            continue
        except sqlite3.Error:
            connection.close()
            raise
        return connection
    raise last


def migrate(connection: sqlite3.Connection, path: Path, steps: Sequence[Migration]) -> None:
    """Bring the tables to the newest version, all steps or none."""
    version = check_version(connection, path, newest=len(steps))
    if version == len(steps):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in steps[version:]:
            step(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(steps)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check_version(
    connection: sqlite3.Connection, path: Path, newest: int = len(MIGRATIONS)
) -> int:
    """Return the version of a file's tables, 0 where there are none yet.

    Raises:
        RecordVersionError: made by a newer program.
        RecordDamagedError: some other program's file.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    mark: int = connection.execute("PRAGMA application_id").fetchone()[0]
    if mark not in (0, APPLICATION_ID) or (version and not mark):
        raise damaged(path, "not a record")
    if version > newest:
        raise RecordVersionError(
            f"{path} записан более новой программой (версия {version}, здесь {newest}). "
            "Обновите Zarbiter.",
            f"{path} was recorded by a newer program (version {version}, here {newest}). "
            "Update Zarbiter.",
        )
    return version


# --- rows -------------------------------------------------------------------------------------

_COLUMNS: Final = (
    "seq, match, kind, version, at_s, boot, wall, synced, data, evidence, prev, hash"
)


def insert_row(connection: sqlite3.Connection, row: Row) -> None:
    """Write a row as it is."""
    connection.execute(
        f"INSERT INTO entry ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            row.seq,
            row.match,
            row.kind,
            row.version,
            row.at_s,
            row.boot,
            row.wall,
            int(row.synced),
            row.text,
            row.evidence_text,
            row.prev,
            row.hash,
        ),
    )


def select_rows(
    connection: sqlite3.Connection,
    after: int = 0,
    *,
    match: str | None = None,
    kind: str | None = None,
) -> Iterator[Row]:
    """Yield rows in order, a batch a transaction; rows written meanwhile come too.

    Raises:
        sqlite3.Error: as it comes.
    """
    where, values = "seq > ?", list[str]()
    if match is not None:
        where, values = where + " AND match = ?", [*values, match]
    if kind is not None:
        where, values = where + " AND kind = ?", [*values, kind]
    query = f"SELECT {_COLUMNS} FROM entry WHERE {where} ORDER BY seq LIMIT {_BATCH}"
    while batch := connection.execute(query, (after, *values)).fetchall():
        for columns in batch:
            yield _row(columns)
        after = batch[-1][0]


def picture_rows(connection: sqlite3.Connection) -> Iterator[Row]:
    """Yield the rows that name pictures, or tell that some were pruned."""
    query = f"SELECT {_COLUMNS} FROM entry WHERE evidence <> '[]' OR kind = ? ORDER BY seq"
    for columns in connection.execute(query, (PRUNED,)):
        yield _row(columns)


def row_at(connection: sqlite3.Connection, seq: int) -> Row | None:
    """Return one row."""
    found = connection.execute(f"SELECT {_COLUMNS} FROM entry WHERE seq = ?", (seq,)).fetchone()
    return None if found is None else _row(found)


def last_row(connection: sqlite3.Connection, kind: str | None = None) -> Row | None:
    """Return the last row, or the last of its kind."""
    where, values = ("", ()) if kind is None else ("WHERE kind = ?", (kind,))
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM entry {where} ORDER BY seq DESC LIMIT 1", values
    ).fetchone()
    return None if found is None else _row(found)


def _row(columns: Sequence[object]) -> Row:
    seq, match, kind, version, at_s, boot, wall, synced, *texts = columns
    return Row(seq, match, kind, version, at_s, boot, wall, bool(synced), *texts)  # type: ignore[arg-type]


# --- how far it goes --------------------------------------------------------------------------


def read_head(connection: sqlite3.Connection) -> tuple[int, str, int, str]:
    """Return number and hash of the last row, then of the last signature's row; 0 for none."""
    found: tuple[int, str, int, str] = connection.execute(
        "SELECT seq, hash, signed_seq, signed_hash FROM head"
    ).fetchone()
    return found


def write_head(connection: sqlite3.Connection, row: Row, signed: Row | None) -> None:
    """Note the last row, and the last signature if there is a new one."""
    connection.execute("UPDATE head SET seq = ?, hash = ?", (row.seq, row.hash))
    if signed is not None:
        connection.execute(
            "UPDATE head SET signed_seq = ?, signed_hash = ?", (signed.seq, signed.hash)
        )
