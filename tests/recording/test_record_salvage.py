import contextlib
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from recording.record_chain import Scope
from recording.record_errors import RecordDamagedError, RecordError
from recording.record_reader import RecordReader
from recording.record_recovery import DamageKind
from recording.verify import Verdict, verify_record
from recording.verify_words import Broken
from tests.support.records import as_power_cut_leaves_it, event, opened, tampered, values

EVENTS = 200
WANTED = [str(number) for number in range(EVENTS)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed record of some pages; nobody may write into it."""
    folder = tmp_path_factory.mktemp("made") / "r"
    with opened(folder) as record:
        for start in range(0, EVENTS, 50):
            record.append([event(n) for n in range(start, start + 50)], sign=Scope.GAME)
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    """A copy to be spoiled."""
    return Path(shutil.copytree(made, tmp_path / "r"))


def spoil_pages(path: Path, seed: int, *, first: int = 1, count: int = 1) -> None:
    """Overwrite pages as a dying card does."""
    rng = random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(count):
        page = rng.randrange(first, len(data) // 4096)
        data[page * 4096 : page * 4096 + 4096] = rng.randbytes(4096)
    path.write_bytes(data)


@pytest.mark.parametrize("seed", range(8))
def test_a_malformed_page_is_found_and_everything_comes_back_from_the_mirror(
    place: Path, seed: int
) -> None:
    spoil_pages(place / "record.sqlite", seed, count=1 + seed % 4)
    with opened(place) as record:
        recovery = record.recovery
        assert values(record) == WANTED
        record.append([event("next")])
    assert recovery is not None
    assert recovery.lost == ()
    if recovery.end_known:
        assert "has been rebuilt in full" in recovery.en
        assert "восстановлен полностью" in recovery.ru
    else:
        assert "There may have been rows after row" in recovery.en
        assert "могли быть ещё записи" in recovery.ru
    assert (place / str(recovery.aside) / "record.sqlite").exists()
    assert verify_record(place).verdict is Verdict.OK


@pytest.mark.parametrize("seed", range(4))
def test_without_a_mirror_what_is_lost_is_told_to_the_row(place: Path, seed: int) -> None:
    (place / "record.jsonl").unlink()
    spoil_pages(place / "record.sqlite", seed, first=2, count=2)
    with opened(place) as record:
        recovery = record.recovery
        assert recovery is not None
        there = {row.seq for row in record.rows()}
        told = {row.seq: row.data for row in record.rows(kind="record.recovered")}
        record.append([event("next")])
    lost = {seq for first, last in recovery.lost for seq in range(first, last + 1)}
    assert lost.isdisjoint(there)
    assert lost | there == set(range(1, max(there) + 1))
    assert len(told) == 1
    found = verify_record(place)
    if lost:
        assert "A referee has to confirm" in recovery.en
        assert found.broken is not None
        assert found.broken.what is Broken.LOST
        assert found.broken.seq == min(lost)
    else:
        assert found.verdict is Verdict.OK
    with opened(place) as record:  # and not again at every start
        assert record.recovery is None


@pytest.mark.parametrize("data", [b"", b"SQLite format 3\0", b"\0" * 100_000, b"x" * 5000])
def test_a_database_that_is_none_any_more_is_rebuilt_from_the_mirror(
    place: Path, data: bytes
) -> None:
    (place / "record.sqlite").write_bytes(data)
    with opened(place) as record:
        assert record.recovery is not None
        assert record.recovery.damage.kind is DamageKind.FILE
        assert values(record) == WANTED
    assert verify_record(place).verdict is Verdict.OK


def test_a_database_that_vanished_is_rebuilt_from_the_mirror(place: Path) -> None:
    (place / "record.sqlite").unlink()
    with opened(place) as record:
        assert record.recovery is not None
        assert values(record) == WANTED


def test_where_nothing_can_be_read_a_new_record_begins_and_tells_of_it(place: Path) -> None:
    (place / "record.jsonl").unlink()
    (place / "record.sqlite").write_bytes(b"x" * 5000)
    with opened(place) as record:
        assert record.recovery is not None
        assert "nothing could be read" in record.recovery.en
        assert "прочесть не удалось ничего" in record.recovery.ru
        assert [row.kind for row in record.rows()] == ["record.created", "record.recovered"]
    assert (place / "aside" / "1" / "record.sqlite").read_bytes() == b"x" * 5000
    assert verify_record(place).verdict is Verdict.OK


def test_a_reader_of_a_damaged_record_is_told_what_to_do(place: Path) -> None:
    (place / "record.sqlite").write_bytes(b"x" * 5000)
    with pytest.raises(RecordDamagedError, match="zarbiter restore"):
        RecordReader(place)


# --- power cuts -------------------------------------------------------------------------------


def part_of_log(share: float) -> Callable[[Path], None]:
    def cut(folder: Path) -> None:
        log = folder / "record.sqlite-wal"
        data = log.read_bytes()
        log.write_bytes(data[: int(len(data) * share)])

    return cut


def spoiled_log(folder: Path) -> None:
    log = folder / "record.sqlite-wal"
    data = bytearray(log.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 64] = b"\xff" * 64
    log.write_bytes(data)


@pytest.mark.parametrize("cut", [*map(part_of_log, (0, 0.001, 0.3, 0.77, 0.999)), spoiled_log])
def test_a_log_cut_short_loses_nothing_acknowledged(
    tmp_path: Path, cut: Callable[[Path], None]
) -> None:
    with opened(tmp_path / "live") as record:
        for number in range(30):
            record.append([event(number)])
        place = as_power_cut_leaves_it(record, tmp_path / "r")
    cut(place)
    with opened(place) as record:
        assert record.recovery is not None
        assert record.recovery.lost == ()
        assert values(record) == [str(number) for number in range(30)]
        record.append([event("next")])
    assert verify_record(place).verdict is Verdict.OK


def test_a_whole_log_is_replayed_without_a_word(tmp_path: Path) -> None:
    with opened(tmp_path / "live") as record:
        record.append([event(number) for number in range(30)])
        place = as_power_cut_leaves_it(record, tmp_path / "r")
    with opened(place) as record:
        assert record.recovery is None
        assert len(values(record)) == 30


@pytest.mark.parametrize("cut", [1, 100, 5000])
def test_a_torn_mirror_is_mended_from_the_record(place: Path, cut: int) -> None:
    mirror = place / "record.jsonl"
    before = mirror.read_bytes()
    mirror.write_bytes(before[:-cut])
    with opened(place) as record:
        assert record.recovery is None
        record.append([event("next")])
    assert mirror.read_bytes().startswith(before)
    with RecordReader(place) as reader:
        assert [row.to_line() for row in reader.rows()] == mirror.read_text(
            encoding="utf-8"
        ).splitlines()


def test_the_mirror_of_another_record_is_moved_aside_not_merged(
    place: Path, tmp_path: Path
) -> None:
    with opened(tmp_path / "other") as other:
        other.append([event("other")])
    shutil.copy(tmp_path / "other" / "record.jsonl", place / "record.jsonl")
    with opened(place) as record:
        assert record.recovery is None
        assert values(record) == WANTED
    assert (place / "aside" / "1" / "record.jsonl").exists()


# --- hands in the file ------------------------------------------------------------------------


def test_a_signed_row_changed_behind_our_back_comes_back_from_the_mirror(place: Path) -> None:
    tampered(place, 'UPDATE entry SET data = \'{"value":"6-6"}\' WHERE seq = 20')
    found = verify_record(place)
    assert found.broken is not None
    assert (found.broken.seq, found.broken.what) == (20, Broken.HASH)
    with opened(place) as record:
        assert record.recovery is not None
        assert record.recovery.damage.detail == "row 20 is not the one that was written"
        assert values(record) == WANTED
    assert verify_record(place).verdict is Verdict.OK


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("name", ["record.sqlite", "record.sqlite-wal", "record.jsonl"])
def test_one_spoiled_file_never_goes_unnoticed(tmp_path: Path, name: str, seed: int) -> None:
    """Either everything is there, or what is not is told."""
    rng = random.Random(seed)
    with opened(tmp_path / "live") as record:
        for number in range(20):
            record.append([event(number)])
            if number == 9:
                record._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        place = as_power_cut_leaves_it(record, tmp_path / "r")
    path = place / name
    data = bytearray(path.read_bytes())
    if rng.random() < 0.5:
        del data[rng.randrange(len(data)) :]
    else:
        at = rng.randrange(len(data))
        data[at : at + 100] = rng.randbytes(min(100, len(data) - at))
    path.write_bytes(data)
    with opened(place) as record:
        recovery, there = record.recovery, values(record)
        record.append([event("next")])
    if there != [str(number) for number in range(20)]:
        assert recovery is not None
        assert recovery.lost or not recovery.end_known
    else:
        assert verify_record(place).verdict is Verdict.OK


def test_an_unsigned_row_changed_behind_our_back_comes_back_from_the_mirror(
    tmp_path: Path,
) -> None:
    with opened(tmp_path / "live") as record:
        record.append([event(number) for number in range(5)])
        place = as_power_cut_leaves_it(record, tmp_path / "r")
    tampered(place, 'UPDATE entry SET data = \'{"value":"6-6"}\' WHERE seq = 3')
    with opened(place) as record:
        assert record.recovery is not None
        assert record.recovery.damage.kind is DamageKind.CHANGED
        assert values(record) == ["0", "1", "2", "3", "4"]


def test_a_tail_deleted_behind_our_back_comes_back_from_the_mirror(place: Path) -> None:
    tampered(place, "DELETE FROM entry WHERE seq > 150")
    with opened(place) as record:
        assert record.recovery is not None
        assert record.recovery.damage.kind is DamageKind.TAIL
        assert values(record) == WANTED
    assert verify_record(place).verdict is Verdict.OK


def test_a_tail_that_is_in_no_copy_is_told_and_its_numbers_are_not_given_again(
    place: Path,
) -> None:
    (place / "record.jsonl").unlink()
    with RecordReader(place) as reader:
        end = reader.head().seq
    tampered(place, "DELETE FROM entry WHERE seq > 150")
    with opened(place) as record:
        assert record.recovery is not None
        assert record.recovery.lost == ((151, end),)
        assert record.append([event("next")])[0].seq == end + 2


def test_pictures_of_lost_rows_are_not_swept_away(place: Path) -> None:
    lost = place / "pictures" / "ab" / f"{'ab' * 32}.jpg"
    lost.parent.mkdir(parents=True)
    lost.write_bytes(b"evidence")
    (place / "record.jsonl").unlink()
    tampered(place, "DELETE FROM entry WHERE seq > 150")
    opened(place).close()
    opened(place).close()
    assert lost.exists()


def test_a_disk_that_does_not_take_the_rebuilt_record_leaves_the_old_one(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil_pages(place / "record.sqlite", 1)
    before = (place / "record.sqlite").read_bytes()

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("recording.record_salvage.sync_file", refuse)
    with pytest.raises(RecordError, match="no room"):
        opened(place)
    assert (place / "record.sqlite").read_bytes() == before
    monkeypatch.undo()
    with opened(place) as record:
        assert values(record) == WANTED


def test_quick_check_alone_would_not_do(place: Path) -> None:
    """A changed row is a sound page: only the chain shows it."""
    tampered(place, "UPDATE entry SET data = '{}' WHERE seq = 3")
    connection = sqlite3.connect(place / "record.sqlite")
    assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
    connection.close()
    assert verify_record(place).verdict is Verdict.BROKEN


@pytest.mark.parametrize("step", range(12))
def test_a_repair_that_is_itself_cut_off_is_made_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    spoil_pages(place / "record.sqlite", 5, count=3)
    left = [step]

    def cut(real: Callable[..., object]) -> Callable[..., object]:
        def cut_at_last(*arguments: object, **named: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return real(*arguments, **named)

        return cut_at_last

    with monkeypatch.context() as patched:
        for owner, name in ((Path, "unlink"), (Path, "replace"), (Path, "mkdir"), (os, "link")):
            patched.setattr(owner, name, cut(getattr(owner, name)))
        with contextlib.suppress(KeyboardInterrupt):
            opened(place).close()
    with opened(place) as record:
        assert values(record) == WANTED
        record.append([event("next")])
    assert verify_record(place).verdict is Verdict.OK
