"""Reading a record, beside its writer or without one."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from recording.record_chain import Head
from recording.record_errors import from_sqlite
from recording.record_files import files_of
from recording.record_row import BEGINNING, Row
from recording.record_schema import open_reader, read_head, select_rows


class RecordReader:
    """Reads a record beside its writer, one reader a thread.

    Args:
        place: the record's folder, or the file in it.

    Raises:
        RecordError: no record, or one that cannot be read.
    """

    def __init__(self, place: Path) -> None:
        self.files = files_of(place)
        self.connection = open_reader(self.files.database)

    def rows(
        self, after: int = 0, *, match: str | None = None, kind: str | None = None
    ) -> Iterator[Row]:
        """Yield rows in order; those appended meanwhile come too.

        Raises:
            RecordDamagedError: a row cannot be read.
        """
        try:
            yield from select_rows(self.connection, after, match=match, kind=kind)
        except sqlite3.Error as error:
            raise from_sqlite(self.files.database, error) from error

    def head(self) -> Head:
        """Return the end of the chain."""
        return self.ends()[0]

    def ends(self) -> tuple[Head, Head]:
        """Return the last row and the last signature's as the record notes them."""
        try:
            seq, row_hash, signed_seq, signed_hash = read_head(self.connection)
        except sqlite3.Error as error:
            raise from_sqlite(self.files.database, error) from error
        return Head(seq, row_hash or BEGINNING), Head(signed_seq, signed_hash or BEGINNING)

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> "RecordReader":
        """Read."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()
