import json
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recording.evidence import DiskState, EvidencePolicy, Refused
from recording.record import Record
from recording.record_chain import Scope
from recording.record_copy import export_jsonl
from recording.record_errors import (
    EntryError,
    NoRecordError,
    RecordBusyError,
    RecordDiskError,
    RecordError,
    RecordFullError,
    RecordReadOnlyError,
)
from recording.record_reader import RecordReader
from recording.record_row import Evidence, PictureKind
from recording.verify import Verdict, verify_record
from tests.support.records import Disk, event, key_of, opened, picture, values


def test_what_is_appended_is_read_back_in_order(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as record:
        first = record.append([event(1), event(2, at_s=-5.0)])
        second = record.append([event(3)])
        assert [row.seq for row in first + second] == [2, 3, 4]
        assert values(record) == ["1", "2", "3"]
        assert list(record.rows(after=3)) == list(second)
        assert [row.data["value"] for row in record.rows(match="m-1")] == ["1", "2", "3"]
        assert list(record.rows(match="m-2")) == []
        assert record.head.seq == 4
    with opened(tmp_path / "r") as record:
        assert values(record) == ["1", "2", "3"]


def test_entries_are_written_all_or_none(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as record:
        before = record.head
        with pytest.raises(EntryError):
            record.append([event(1), event("\ud800")])
        assert record.head == before
        assert record.append([event(2)])[0].prev == before.hash


def test_the_disk_is_waited_for(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as record:
        settings = {
            name: record._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "busy_timeout")
        }
    assert settings == {"journal_mode": "wal", "synchronous": 2, "busy_timeout": 5000}


def test_the_second_writer_is_told_who_writes(tmp_path: Path) -> None:
    with opened(tmp_path / "r"), pytest.raises(RecordBusyError, match=r"zarbiter, pid \d+"):
        opened(tmp_path / "r")
    opened(tmp_path / "r").close()


def test_the_lock_of_a_dead_writer_holds_nobody_up(tmp_path: Path) -> None:
    opened(tmp_path / "r").close()
    (tmp_path / "r" / "writer.lock").write_text("{", encoding="utf-8")
    opened(tmp_path / "r").close()


def test_rows_cannot_be_changed_or_deleted_by_mistake(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as record:
        record.append([event(1)])
        for statement in ("DELETE FROM entry", "UPDATE entry SET data = '{}'"):
            with pytest.raises(sqlite3.IntegrityError, match="only appended to"):
                record._connection.execute(statement)


def test_reading_where_there_is_no_record_says_so_and_makes_none(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "r", tmp_path / "r" / "record.sqlite"):
        with pytest.raises(NoRecordError):
            RecordReader(place)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_another_program_is_no_record(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "record.sqlite") as connection:
        connection.execute("PRAGMA user_version = 1")
        connection.execute("CREATE TABLE entry (seq)")
    connection.close()
    with pytest.raises(RecordError, match="not a record"):
        RecordReader(tmp_path)


def test_closing_signs_what_is_not_signed_yet(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as record:
        record.append([event(1)], sign=Scope.GAME)
    with RecordReader(tmp_path / "r") as reader:
        scopes = [row.data["scope"] for row in reader.rows(kind="record.signature")]
    assert scopes == ["game"]
    with opened(tmp_path / "r") as record:
        record.append([event(2)])
    assert verify_record(tmp_path / "r").verdict is Verdict.OK


def test_a_new_device_key_is_announced(tmp_path: Path) -> None:
    opened(tmp_path / "r", 1).close()
    opened(tmp_path / "r", 2).close()
    opened(tmp_path / "r", 2).close()
    found = verify_record(tmp_path / "r")
    assert found.verdict is Verdict.OK
    assert found.keys == (key_of(1).public.fingerprint, key_of(2).public.fingerprint)


# --- readers beside the writer ----------------------------------------------------------------


def test_twenty_readers_a_writer_and_an_export_never_find_it_locked(tmp_path: Path) -> None:
    done = threading.Event()

    def read(place: Path) -> int:
        rounds = 0
        while not done.is_set() or not rounds:
            with RecordReader(place) as reader:
                seen = [row.seq for row in reader.rows()]
            assert seen == list(range(1, len(seen) + 1))
            rounds += 1
        return rounds

    def export(place: Path) -> int:
        rounds = 0
        while not done.is_set() or not rounds:
            with RecordReader(place) as reader:
                lines = list(export_jsonl(reader))
            assert json.loads(lines[-1])["entry"]["seq"] == len(lines)
            rounds += 1
        return rounds

    with opened(tmp_path / "r") as record, ThreadPoolExecutor(21) as pool:
        readers = [pool.submit(read, tmp_path / "r") for _ in range(20)]
        exports = pool.submit(export, tmp_path / "r")
        try:
            for number in range(40):
                record.append([event(number), event(number)])
        finally:
            done.set()
        assert all(reader.result() for reader in readers)
        assert exports.result()
        assert record.head.seq == 81


def test_threads_take_turns_at_writing(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as record, ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda number: record.append([event(number)])[0], range(40)))
        assert sorted(row.seq for row in rows) == list(range(2, 42))
    assert verify_record(tmp_path / "r").verdict is Verdict.OK


# --- a full disk, a disk that cannot be written -----------------------------------------------


def test_pictures_stop_first_and_events_go_on(tmp_path: Path) -> None:
    disk = Disk()
    with opened(tmp_path / "r", disk=disk) as record:
        assert record.storage().warning is None
        disk.part = 0.09
        assert record.storage().state is DiskState.LOW
        assert [
            "осталось 9 %" in (record.storage().warning or ("", ""))[0],
            "9 % left" in (record.storage().warning or ("", ""))[1],
        ] == [True, True]
        record.append([event(1, picture(record, b"kept"))])
        disk.part = 0.04
        assert "no longer kept" in str(record.storage().warning)
        refused = record.keep_picture(PictureKind.THROW, b"refused")
        assert isinstance(refused, Refused)
        assert "Events are recorded on" in refused.en
        record.append([event(2)])
        disk.part = 0.2
        assert isinstance(record.keep_picture(PictureKind.THROW, b"again"), Evidence)


def until_refused(record: Record) -> tuple[int, RecordError]:
    """Append pairs until one is refused; return how many were acknowledged, and the refusal."""
    for acknowledged in range(10_000):
        try:
            record.append([event(acknowledged), event("x" * 500)])
        except RecordError as error:
            return acknowledged, error
    raise AssertionError("never full")


def test_when_even_events_have_no_room_nothing_is_acknowledged(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as record:
        pages = record._connection.execute("PRAGMA page_count").fetchone()[0]
        record._connection.execute(f"PRAGMA max_page_count = {pages + 4}")
        acknowledged, told = until_refused(record)
        assert isinstance(told, RecordFullError)
        assert "free some space" in told.en
        assert "освободите место" in told.ru
        assert len(values(record)) == 2 * acknowledged
        # The reserve was given up before the referee was bothered.
        assert not record.files.reserve.exists()
        record._connection.execute("PRAGMA max_page_count = 100000")
        record.append([event("after")])
    assert verify_record(tmp_path / "r").verdict is Verdict.OK


def test_a_disk_that_turned_read_only_is_named_with_its_remedy(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as record:
        record._connection.execute("PRAGMA query_only = 1")
        with pytest.raises(RecordReadOnlyError, match="memory card") as caught:
            record.append([event(1)])
        assert "только для чтения" in caught.value.ru
        record._connection.execute("PRAGMA query_only = 0")
        record.append([event(2)])
        assert values(record) == ["2"]


LIMITED = """
import resource, sys
from pathlib import Path
from recording.record_errors import RecordError
from tests.support.records import event, opened
record = opened(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
for number in range(10_000):
    try:
        record.append([event(number)])
    except RecordError as error:
        print(type(error).__name__, number)
        break
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""


def ran(script: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )


def test_a_limit_of_the_files_size_is_a_full_disk_and_nothing_is_lost(tmp_path: Path) -> None:
    done = ran(LIMITED, str(tmp_path / "r"))
    assert done.returncode == 0, done.stderr
    name, acknowledged = done.stdout.split()
    assert name == "RecordFullError"
    assert int(acknowledged) > 10
    with opened(tmp_path / "r") as record:
        assert record.recovery is None
        assert values(record) == [str(number) for number in range(int(acknowledged))]
    assert verify_record(tmp_path / "r").verdict is Verdict.OK


SMALL_DISK = """
import os, subprocess, sys
from pathlib import Path
place = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", place], check=True)
from recording.evidence import DiskState, EvidencePolicy, Refused, disk_free
from recording.record_errors import RecordError, RecordFullError
from recording.record_open import open_record
from recording.record_row import PictureKind
from recording.verify import verify_record
from tests.support.records import Clocks, event, key_of
def fresh():
    policy = EvidencePolicy(reserve_bytes=4 << 20)
    return open_record(place / "r", key_of(), policy=policy, moments=Clocks().moments())
record, states, kept, refused = fresh(), [], 0, 0
for number in range(150):
    picture = record.keep_picture(PictureKind.THROW, os.urandom(500_000))
    refused += isinstance(picture, Refused)
    if not isinstance(picture, Refused):
        kept += 1
        record.append([event(number, picture)])
    else:
        record.append([event(number)])
    if record.storage().state not in states:
        states.append(record.storage().state)
print([state.value for state in states], kept > 90, refused > 20)
record.close()
try:
    with (place / "filler").open("wb") as filler:
        while True:
            filler.write(b"0" * 4096)
            filler.flush()
except OSError:
    pass
print((place / "r" / "reserve").exists())
record = fresh()
on_reserve = 0
try:
    for on_reserve in range(100_000):
        record.append([event("full")])
except RecordFullError:
    pass
print(on_reserve > 100, (place / "r" / "reserve").exists())
(place / "filler").unlink()
record.append([event("after")])
record.close()
print(verify_record(place / "r", key_of().public).verdict.value)
subprocess.run(["mount", "-o", "remount,ro", "none", place], check=True)
print(verify_record(place / "r", key_of().public).verdict.value)
try:
    fresh()
except RecordError as error:
    print(type(error).__name__)
"""


def test_a_small_disk_is_filled_to_the_last_byte_and_then_cannot_be_written(
    tmp_path: Path,
) -> None:
    alone = ["unshare", "--user", "--map-root-user", "--mount"]
    try:
        probe = [*alone, "mount", "-t", "tmpfs", "none", str(tmp_path)]
        if subprocess.run(probe, capture_output=True, check=False).returncode:
            pytest.skip("this machine lets nobody mount a small disk")
    except FileNotFoundError:
        pytest.skip("needs unshare and mount")
    done = subprocess.run(
        [*alone, sys.executable, "-c", SMALL_DISK, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "['good', 'low', 'no_pictures'] True True",
        "True",
        "True False",
        "ok",
        "ok",
        "RecordReadOnlyError",
    ]


def test_after_a_failed_sync_the_record_must_be_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing:
        """A connection whose disk fails."""

        in_transaction = False

        def execute(self, *_: object) -> None:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorname, error.sqlite_errorcode = "SQLITE_IOERR_FSYNC", 1034
            raise error

        def close(self) -> None:
            pass

    record = opened(tmp_path / "r")
    record.append([event(1)])
    good = record._connection
    monkeypatch.setattr(record, "_connection", Failing())
    with pytest.raises(RecordDiskError, match="SQLITE_IOERR_FSYNC"):
        record.append([event(2)])
    monkeypatch.setattr(record, "_connection", good)
    with pytest.raises(RecordDiskError):
        record.append([event(3)])
    record.close()
    with opened(tmp_path / "r") as record:
        assert values(record) == ["1"]
        record.append([event(4)])


def test_policy_has_thresholds_of_a_tenth_and_a_twentieth() -> None:
    policy = EvidencePolicy()
    assert (policy.warn_free, policy.stop_free) == (0.10, 0.05)
