"""Records of every version there was are opened, brought up to date, and verify."""

import sqlite3
from pathlib import Path

import pytest

from recording.record_errors import RecordVersionError
from recording.record_reader import RecordReader
from recording.record_schema import MIGRATIONS, open_reader, open_writer
from recording.verify import Verdict, verify_record
from tests.support.records import event, opened, values

# Version 1 as it was first released, written out: this must not follow the code.
VERSION_1 = """
CREATE TABLE entry (
  seq INTEGER PRIMARY KEY CHECK (seq > 0), match TEXT, kind TEXT NOT NULL,
  version INTEGER NOT NULL, at_s REAL NOT NULL, boot TEXT NOT NULL, wall TEXT NOT NULL,
  synced INTEGER NOT NULL CHECK (synced IN (0, 1)), data TEXT NOT NULL,
  evidence TEXT NOT NULL, prev TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
CREATE INDEX entry_by_kind ON entry (kind, seq);
CREATE INDEX entry_by_match ON entry (match, seq);
CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL,
  hash TEXT NOT NULL, signed_seq INTEGER NOT NULL, signed_hash TEXT NOT NULL) STRICT;
PRAGMA application_id = 1514230338;
PRAGMA user_version = 1;
"""
ROWS_1 = (
    (1, None, "record.created", 1, 100.0, "boot-1", "2026-05-01T12:00:00.000Z", 1,
     '{"format":1,"program":"zarbiter","public_key":'
     '"iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w=",'
     '"record":"11111111-1111-4111-8111-111111111111","table":"7"}', "[]", "0" * 64,
     "@1"),
    (2, "m-1", "throw", 1, 1.0, "boot-1", "2026-05-01T12:00:00.000Z", 1,
     '{"value":"бросок"}', "[]", "@1", "@2"),
)  # fmt: skip
HASHES_1 = {
    "@1": "bb45dd4b97cd00c85498aa449b4f1d86f7382c9398009d12256e288c0ab75869",
    "@2": "65a5a725aa1bd4913dfbe998d486894f38b0bee9da457c8540a9702c84b4b2fc",
}


def version_1(folder: Path) -> Path:
    folder.mkdir()
    connection = sqlite3.connect(folder / "record.sqlite")
    connection.executescript(VERSION_1)
    for row in ROWS_1:
        written = [
            HASHES_1.get(value, value) if isinstance(value, str) else value for value in row
        ]
        connection.execute(f"INSERT INTO entry VALUES ({','.join('?' * 12)})", written)
    connection.execute("INSERT INTO head VALUES (1, 2, ?, 0, '')", (HASHES_1["@2"],))
    connection.commit()
    connection.close()
    return folder


def second(connection: sqlite3.Connection) -> None:
    """A step as a later version may need it: a column more, another table."""
    connection.execute("ALTER TABLE head ADD COLUMN checked_seq INTEGER NOT NULL DEFAULT 0")
    connection.execute("CREATE TABLE note (seq INTEGER PRIMARY KEY) STRICT")


def failing(connection: sqlite3.Connection) -> None:
    second(connection)
    raise sqlite3.OperationalError("no power")


def test_a_record_of_version_1_is_read_verified_and_gone_on_with(tmp_path: Path) -> None:
    place = version_1(tmp_path / "r")
    assert verify_record(place).verdict is Verdict.UNSIGNED
    with opened(place) as record:
        assert record.recovery is None
        assert values(record) == ["бросок"]
        record.append([event("next")])
    found = verify_record(place)
    assert (found.verdict, found.rows) == (Verdict.OK, 4)


def test_a_later_step_keeps_every_row_and_hash(tmp_path: Path) -> None:
    place = version_1(tmp_path / "r")
    with RecordReader(place) as reader:
        before = list(reader.rows())
    connection = open_writer(place / "record.sqlite", (*MIGRATIONS, second))
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)
    assert connection.execute("SELECT seq, checked_seq FROM head").fetchone() == (2, 0)
    hashes = [row[0] for row in connection.execute("SELECT hash FROM entry ORDER BY seq")]
    connection.close()
    assert hashes == [row.hash for row in before]


def test_a_step_that_fails_leaves_the_record_as_it_was(tmp_path: Path) -> None:
    place = version_1(tmp_path / "r")
    with pytest.raises(Exception, match="no power"):
        open_writer(place / "record.sqlite", (*MIGRATIONS, failing))
    with opened(place) as record:
        assert record.recovery is None
        assert values(record) == ["бросок"]


def test_a_record_of_a_newer_program_is_refused_by_name_and_left_alone(tmp_path: Path) -> None:
    place = version_1(tmp_path / "r")
    open_writer(place / "record.sqlite", (*MIGRATIONS, second)).close()
    before = (place / "record.sqlite").read_bytes()
    with pytest.raises(RecordVersionError, match="newer program"):
        open_reader(place / "record.sqlite")
    with pytest.raises(RecordVersionError, match="Update Zarbiter"):
        opened(place)
    assert (place / "record.sqlite").read_bytes() == before


def test_a_new_record_has_the_newest_version(tmp_path: Path) -> None:
    opened(tmp_path / "r").close()
    connection = open_reader(tmp_path / "r" / "record.sqlite")
    assert connection.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    connection.close()
