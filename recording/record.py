"""The append-only record of a table: what is acknowledged here is never lost.

One SQLite file a table, one writer, any number of readers. A row is acknowledged when `append`
returns: then it is on the disk (WAL, synchronous FULL) and tied to all rows before it.
"""

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Final, assert_never

from recording.evidence import (
    DiskState,
    EvidencePolicy,
    EvidenceStore,
    Free,
    Kept,
    disk_state,
    refused_for_room,
)
from recording.evidence_index import PictureIndex
from recording.record_chain import Head, Scope, event_row, own_row, signature_row
from recording.record_clock import Moments
from recording.record_errors import (
    RecordDamagedError,
    RecordDiskError,
    RecordError,
    RecordFullError,
    from_sqlite,
)
from recording.record_files import RecordFiles, make_reserve
from recording.record_lock import WriterLock
from recording.record_mirror import Mirror
from recording.record_reader import RecordReader
from recording.record_recovery import (
    Recovery,
)
from recording.record_row import (
    BEGINNING,
    PRUNED,
    RECOVERED,
    RESTORED,
    SIGNATURE,
    Entry,
    JsonObject,
    PictureKind,
    Row,
)
from recording.record_schema import (
    insert_row,
    last_row,
    picture_rows,
    read_head,
    select_rows,
    write_head,
)
from recording.signing import SigningKey

_PRUNED_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Storage:
    """How the record's disk is."""

    state: DiskState
    free: Free
    pictures_bytes: int
    trouble: str | None = None
    """What went wrong last without stopping anything, for the log, in English."""

    @property
    def warning(self) -> tuple[str, str] | None:
        """What a person should be told, Russian and English; None while there is room."""
        percent = 100 * self.free.free_bytes // max(1, self.free.total_bytes)
        match self.state:
            case DiskState.GOOD:
                return None
            case DiskState.LOW:
                return (
                    f"На диске осталось {percent} % места: удалите лишнее, пока снимки ещё "
                    "сохраняются.",
                    f"The disk has {percent} % left: make room while pictures are still kept.",
                )
            case DiskState.NO_PICTURES:
                return (
                    f"На диске осталось {percent} % места: снимки больше не сохраняются, "
                    "события записываются. Освободите место.",
                    f"The disk has {percent} % left: pictures are no longer kept, events are. "
                    "Make room.",
                )
            case _:
                assert_never(self.state)


class Record:
    """The one writer of a record; made by `open_record`. Threads take turns."""

    def __init__(
        self,
        files: RecordFiles,
        connection: sqlite3.Connection,
        lock: WriterLock,
        mirror: Mirror,
        key: SigningKey,
        moments: Moments,
        policy: EvidencePolicy,
        free: Callable[[Path], Free],
    ) -> None:
        self.files = files
        self.recovery: Recovery | None = None
        """What was repaired at the opening; a person must be told."""
        self._connection = connection
        self._lock = lock
        self._key = key
        self._moments = moments
        self._policy = policy
        self._free = free
        self._turn = threading.RLock()
        self._mirror = mirror
        self._pictures = EvidenceStore(files.pictures)
        self._index = PictureIndex(picture_rows(connection))
        self._trouble: str | None = None
        self._failed: RecordError | None = None
        self._closed = False

    # --- writing ------------------------------------------------------------------------------

    def append(self, entries: Sequence[Entry], *, sign: Scope | None = None) -> tuple[Row, ...]:
        """Write entries, all or none, and return their rows once they are on the disk.

        A picture that is not there, as one pruned long ago, is left out of its row: the event
        counts, and a row that names a missing picture would look like a broken one.

        Args:
            entries: in their order.
            sign: sign the record's end with them, at the end of a game or a match.

        Raises:
            EntryError: an entry is not JSON.
            RecordFullError: no room even for events; nothing was written.
            RecordReadOnlyError: the disk cannot be written; nothing was written.
            RecordBusyError: another program held the file for 5 s; nothing was written.
            RecordDiskError: the disk failed; open the record again.
        """
        with self._turn:
            there = [self._with_pictures_there(entry) for entry in entries]

            def rows(head: Head) -> Iterator[Row]:
                moment = self._moments()
                for entry in there:
                    row = event_row(head, entry, moment)
                    yield row
                    head = Head.at(row)
                if sign is not None:
                    yield signature_row(head, sign, self._key, moment)

            written = self._write(rows)
            if sign is not None:
                self._mirror.sync()
            self._prune()
            return tuple(written[: len(entries)])

    def sign(self, scope: Scope) -> Row:
        """Sign all rows so far."""
        with self._turn:
            signed = self._write(
                lambda head: [signature_row(head, scope, self._key, self._moments())]
            )
            self._mirror.sync()
            return signed[0]

    def note(self, kind: str, data: JsonObject) -> Row:
        """Write a row of the record's own, as a restored copy does."""
        with self._turn:
            return self._write(lambda head: [own_row(head, kind, data, self._moments())])[0]

    def keep_picture(self, kind: PictureKind, jpeg: bytes) -> Kept:
        """Keep a picture, to be named by an entry appended after it; or say why not."""
        if self.storage().state is DiskState.NO_PICTURES:
            return refused_for_room()
        return self._pictures.put(kind, jpeg)

    # --- reading ------------------------------------------------------------------------------

    def rows(
        self, after: int = 0, *, match: str | None = None, kind: str | None = None
    ) -> Iterator[Row]:
        """Yield rows in order, of all that is acknowledged; in any thread."""
        with RecordReader(self.files.folder) as reader:
            yield from reader.rows(after, match=match, kind=kind)

    def picture(self, sha256: str) -> bytes | None:
        """Return a picture, None if it was pruned."""
        return self._pictures.read(sha256)

    @property
    def head(self) -> Head:
        """The end of the chain."""
        with self._turn:
            seq, row_hash, *_ = read_head(self._connection)
        return Head(seq, row_hash or BEGINNING)

    def storage(self) -> Storage:
        """Tell how much room there is; below `LOW` a person should be warned."""
        try:
            free = self._free(self.files.folder)
        except OSError:
            free = Free(0, 1)
        state = disk_state(free, self._policy)
        return Storage(state, free, self._index.bytes, self._trouble)

    # --- beginning and end --------------------------------------------------------------------

    def settle(self) -> None:
        """Clear away what a cut left behind, and keep room for events; done by the opening."""
        # Where rows were lost, a picture that no row names may have been named by one of them.
        self._pictures.sweep(None if self._lacks_rows() else self._index.known)
        if self.storage().state is DiskState.GOOD:
            make_reserve(self.files.reserve, self._policy.reserve_bytes)

    def close(self) -> None:
        """Sign what is not signed yet, bring everything onto the disk and let go."""
        with self._turn:
            if self._closed:
                return
            self._closed = True
            try:
                seq, _, signed_seq, _ = read_head(self._connection)
                if seq > signed_seq and self._failed is None:
                    self.sign(Scope.CLOSE)
            except (sqlite3.Error, RecordError) as error:
                # Unsigned is what `verify` says of it then; leaving must go on.
                self._trouble = str(error)
            self._mirror.sync()
            self._mirror.close()
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._lock.close()

    def __enter__(self) -> "Record":
        """Write."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    # --- inside -------------------------------------------------------------------------------

    def _write(self, rows_after: Callable[[Head], Sequence[Row] | Iterator[Row]]) -> list[Row]:
        if self._failed is not None:
            raise self._failed
        try:
            rows = self._commit(rows_after)
        except RecordFullError:
            if not self._give_up_reserve():
                raise
            rows = self._commit(rows_after)
        self._mirror.append(rows)
        for row in rows:
            self._index.follow(row)
        return rows

    def _commit(self, rows_after: Callable[[Head], Sequence[Row] | Iterator[Row]]) -> list[Row]:
        connection = self._connection
        try:
            try:
                connection.execute("BEGIN IMMEDIATE")
                seq, row_hash, *_ = read_head(connection)
                rows, signed = list(rows_after(Head(seq, row_hash or BEGINNING))), None
                for row in rows:
                    insert_row(connection, row)
                    signed = row if row.kind == SIGNATURE else signed
                if rows:
                    write_head(connection, rows[-1], signed)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            meant = from_sqlite(self.files.database, error)
            if isinstance(meant, RecordDiskError | RecordDamagedError):
                # After a failed sync nobody knows what the disk holds: read it anew.
                self._failed = meant
            raise meant from error
        return rows

    def _lacks_rows(self) -> bool:
        """Tell whether rows may be missing that there once were."""
        if last_row(self._connection, RESTORED) is not None:
            return True
        told = (row.data for row in select_rows(self._connection, kind=RECOVERED))
        return any(one["lost"] or not one["end_known"] for one in told)

    def _give_up_reserve(self) -> bool:
        try:
            self.files.reserve.unlink()
        except OSError:
            return False
        self._trouble = "the disk was full; the reserve for events is in use"
        return True

    def _with_pictures_there(self, entry: Entry) -> Entry:
        there = tuple(one for one in entry.evidence if self._pictures.has(one.sha256))
        if len(there) == len(entry.evidence):
            return entry
        self._trouble = "an event names a picture that is not there"
        return replace(entry, evidence=there)

    def _prune(self) -> None:
        """Keep the pictures within their budget; the row first, then the files."""
        due = self._index.due(self._policy)[:_PRUNED_AT_ONCE]
        if not due:
            return
        data: JsonObject = {"pictures": list(due), "budget_bytes": self._policy.budget_bytes}
        try:
            self.note(PRUNED, data)
        except RecordError as error:
            # The caller's entries are acknowledged; their pictures stay for now.
            self._trouble = str(error)
            return
        self._pictures.drop(due)
