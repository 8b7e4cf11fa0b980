import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from recording.evidence import EvidencePolicy
from recording.record_chain import Scope
from recording.record_copy import backup, export_jsonl, import_jsonl, restore
from recording.record_errors import (
    NoRecordError,
    RecordBusyError,
    RecordDamagedError,
    RecordImportError,
)
from recording.record_reader import RecordReader
from recording.verify import Verdict, verify_record
from tests.support.records import event, key_of, opened, picture, tampered, values


def filled(folder: Path, events: int = 5) -> Path:
    with opened(folder) as record:
        for number in range(events):
            record.append([event(number, picture(record, bytes([number])))])
        record.sign(Scope.MATCH)
    return folder


def lines_of(folder: Path) -> list[str]:
    with RecordReader(folder) as reader:
        return list(export_jsonl(reader))


def test_an_import_is_the_same_record_to_the_last_hash(tmp_path: Path) -> None:
    lines = lines_of(filled(tmp_path / "r"))
    head = import_jsonl(lines, tmp_path / "copy")
    assert lines_of(tmp_path / "copy") == lines
    found = verify_record(tmp_path / "copy", key_of().public, pictures=False)
    assert (found.verdict, found.head) == (Verdict.OK, head)


def test_an_imported_record_can_be_gone_on_with(tmp_path: Path) -> None:
    import_jsonl(lines_of(filled(tmp_path / "r")), tmp_path / "copy")
    with opened(tmp_path / "copy") as record:
        assert record.recovery is None
        record.append([event("next")])
    found = verify_record(tmp_path / "copy", pictures=False)
    assert found.verdict is Verdict.OK


@pytest.mark.parametrize("at", [0, 3, 6])
def test_a_changed_line_is_named_and_nothing_is_made(tmp_path: Path, at: int) -> None:
    lines = lines_of(filled(tmp_path / "r"))
    lines[at] = lines[at].replace('"synced":true', '"synced":false')
    with pytest.raises(RecordImportError, match=f"Line {at + 1}"):
        import_jsonl(lines, tmp_path / "copy")
    assert not (tmp_path / "copy" / "record.sqlite").exists()
    import_jsonl(lines_of(tmp_path / "r"), tmp_path / "copy")


def test_no_line_and_a_place_already_taken_are_refused(tmp_path: Path) -> None:
    lines = lines_of(filled(tmp_path / "r"))
    with pytest.raises(RecordImportError, match="no lines"):
        import_jsonl([], tmp_path / "copy")
    with pytest.raises(RecordImportError, match="already"):
        import_jsonl(lines, tmp_path / "r")


def test_a_live_record_is_copied_while_it_is_written(tmp_path: Path) -> None:
    stop = threading.Event()
    policy = EvidencePolicy(budget_bytes=20_000, latest_kept=2, reserve_bytes=0)
    with opened(tmp_path / "r", policy=policy) as record, ThreadPoolExecutor(1) as pool:

        def play() -> int:
            number = 0
            while not stop.is_set() or number < 20:
                number += 1
                kept = picture(record, number.to_bytes(2, "big") * 500)
                record.append([event(number, kept)])
            return number

        playing = pool.submit(play)
        try:
            heads = [backup(tmp_path / "r", tmp_path / "stick") for _ in range(4)]
        finally:
            stop.set()
        assert playing.result() >= 20
    assert [head.seq for head in heads] == sorted(head.seq for head in heads)
    found = verify_record(tmp_path / "stick")
    assert found.broken is None
    assert found.head == heads[-1]


def test_a_copy_replaces_the_older_one_whole(tmp_path: Path) -> None:
    filled(tmp_path / "r")
    backup(tmp_path / "r", tmp_path / "stick")
    verify_record(tmp_path / "stick")
    with opened(tmp_path / "r") as record:
        record.append([event("more")])
    backup(tmp_path / "r", tmp_path / "stick")
    assert lines_of(tmp_path / "stick") == lines_of(tmp_path / "r")
    assert verify_record(tmp_path / "stick").verdict is Verdict.OK
    assert not (tmp_path / "stick" / "aside").exists()


def test_a_copy_takes_the_place_of_a_destroyed_record(tmp_path: Path) -> None:
    filled(tmp_path / "r")
    backup(tmp_path / "r", tmp_path / "stick")
    for path in (tmp_path / "r").glob("record.*"):
        path.write_bytes(b"destroyed")
    restore(tmp_path / "stick", tmp_path / "r", key_of())
    assert (tmp_path / "r" / "aside" / "1" / "record.sqlite").read_bytes() == b"destroyed"
    with opened(tmp_path / "r") as record:
        assert record.recovery is None
        assert values(record) == ["0", "1", "2", "3", "4"]
        record.append([event("next")])
    assert verify_record(tmp_path / "r").verdict is Verdict.OK


def test_rows_made_after_the_copy_come_back_from_the_mirror(tmp_path: Path) -> None:
    filled(tmp_path / "r")
    backup(tmp_path / "r", tmp_path / "stick")
    with opened(tmp_path / "r") as record:
        record.append([event("after the copy")])
    (tmp_path / "r" / "record.sqlite").write_bytes(b"destroyed")
    restore(tmp_path / "stick", tmp_path / "r", key_of())
    with opened(tmp_path / "r") as record:
        assert values(record)[-1] == "after the copy"
    assert verify_record(tmp_path / "r").verdict is Verdict.OK


def test_a_copy_is_restored_on_another_device_which_signs_with_its_own_key(
    tmp_path: Path,
) -> None:
    backup(filled(tmp_path / "r"), tmp_path / "stick")
    restore(tmp_path / "stick", tmp_path / "new" / "r", key_of(2))
    found = verify_record(tmp_path / "new" / "r")
    assert found.verdict is Verdict.OK
    assert found.keys == (key_of(1).public.fingerprint, key_of(2).public.fingerprint)
    assert found.pictures == 5


def test_a_spoiled_copy_is_refused_unless_it_is_all_there_is(tmp_path: Path) -> None:
    backup(filled(tmp_path / "r"), tmp_path / "stick")
    tampered(tmp_path / "stick", "UPDATE entry SET data = '{}' WHERE seq = 3")
    before = lines_of(tmp_path / "r")
    with pytest.raises(RecordDamagedError, match="Row 3 was changed"):
        restore(tmp_path / "stick", tmp_path / "r", key_of())
    assert lines_of(tmp_path / "r") == before
    restore(tmp_path / "stick", tmp_path / "r", key_of(), even_broken=True)


def test_a_running_table_is_not_restored_over(tmp_path: Path) -> None:
    backup(filled(tmp_path / "r"), tmp_path / "stick")
    with opened(tmp_path / "r"), pytest.raises(RecordBusyError):
        restore(tmp_path / "stick", tmp_path / "r", key_of())


def test_there_must_be_something_to_copy(tmp_path: Path) -> None:
    with pytest.raises(NoRecordError):
        backup(tmp_path / "r", tmp_path / "stick")
    with pytest.raises(NoRecordError):
        restore(tmp_path / "stick", tmp_path / "r", key_of())
