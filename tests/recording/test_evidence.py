import hashlib
import os
from pathlib import Path

import pytest

from recording.evidence import EvidencePolicy, EvidenceStore, Refused
from recording.evidence_index import PictureIndex
from recording.record_chain import Scope
from recording.record_row import Evidence, PictureKind
from recording.verify import Verdict, verify_record
from tests.support.records import event, opened, picture

TIGHT = EvidencePolicy(budget_bytes=10_000, latest_kept=2, reserve_bytes=0)


def jpeg(number: int, size: int = 1000) -> bytes:
    return number.to_bytes(4, "big") * (size // 4)


def test_a_picture_is_named_by_its_contents_and_kept_once(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path)
    kept = store.put(PictureKind.THROW, b"jpeg")
    name = hashlib.sha256(b"jpeg").hexdigest()
    assert kept == Evidence(PictureKind.THROW, name, 4)
    assert store.put(PictureKind.DISPUTE, b"jpeg") == Evidence(PictureKind.DISPUTE, name, 4)
    assert [path.name for path in tmp_path.rglob("*.jpg")] == [f"{name}.jpg"]
    assert store.read(name) == b"jpeg"
    assert store.read("0" * 64) is None


def test_a_picture_spoiled_on_the_disk_is_written_anew(tmp_path: Path) -> None:
    store = EvidenceStore(tmp_path)
    kept = store.put(PictureKind.THROW, b"jpeg")
    assert isinstance(kept, Evidence)
    store.path_of(kept.sha256).write_bytes(b"spoiled")
    store.put(PictureKind.THROW, b"jpeg")
    assert store.read(kept.sha256) == b"jpeg"


def test_a_picture_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    real_sync, real_replace = os.fsync, Path.replace

    def sync(descriptor: int) -> None:
        done.append("sync")
        real_sync(descriptor)

    def replace(path: Path, target: Path) -> Path:
        done.append("name")
        return real_replace(path, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", replace)
    EvidenceStore(tmp_path).put(PictureKind.THROW, b"jpeg")
    assert done == ["sync", "sync", "name", "sync"]  # the folder's name, the file, its name


@pytest.mark.parametrize(
    ("number", "word"), [(28, "nearly full"), (30, "cannot be written"), (5, "does not answer")]
)
def test_a_picture_the_disk_does_not_take_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, word: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    monkeypatch.setattr("recording.evidence.sync_folder", lambda _: None)
    kept = EvidenceStore(tmp_path).put(PictureKind.THROW, b"jpeg")
    assert isinstance(kept, Refused)
    assert word in kept.en
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_an_event_counts_even_where_its_picture_is_gone(tmp_path: Path) -> None:
    gone = Evidence(PictureKind.THROW, "0" * 64, 4)
    with opened(tmp_path / "r") as record:
        there = picture(record, b"there", PictureKind.AFTER)
        (row,) = record.append([event(1, gone, there)])
        assert row.evidence == (there,)
        assert record.storage().trouble == "an event names a picture that is not there"
    assert verify_record(tmp_path / "r").verdict is Verdict.OK


def test_what_a_cut_left_behind_is_swept_at_the_start(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as record:
        named = picture(record, b"named")
        record.append([event(1, named)])
        orphan = picture(record, b"orphan")
        torn = tmp_path / "r" / "pictures" / named.sha256[:2] / "torn.part"
        torn.write_bytes(b"to")
    with opened(tmp_path / "r") as record:
        assert record.picture(named.sha256) == b"named"
        assert record.picture(orphan.sha256) is None
        assert not torn.exists()


def test_the_budget_is_kept_and_the_record_still_verifies(tmp_path: Path) -> None:
    with opened(tmp_path / "r", policy=TIGHT) as record:
        for number in range(60):
            kind = list(PictureKind)[number % 3]
            record.append([event(number, picture(record, jpeg(number), kind))])
            assert record.storage().pictures_bytes <= TIGHT.budget_bytes
        record.sign(Scope.GAME)
    files = list((tmp_path / "r" / "pictures").rglob("*.jpg"))
    assert sum(one.stat().st_size for one in files) <= TIGHT.budget_bytes
    found = verify_record(tmp_path / "r")
    assert found.verdict is Verdict.OK
    assert (found.pictures, found.pruned) == (len(files), 60 - len(files))


def test_pictures_of_disputes_outlive_those_of_throws_and_these_before_and_after(
    tmp_path: Path,
) -> None:
    kinds = [
        PictureKind.DISPUTE,
        PictureKind.BEFORE,
        PictureKind.AFTER,
        PictureKind.THROW,
        PictureKind.THROW,
    ]
    with opened(tmp_path / "r", policy=TIGHT) as record:
        kept = [picture(record, jpeg(n), kind) for n, kind in enumerate(kinds)]
        record.append([event(0, *kept)])
        gone = []
        for number in range(10, 60):
            record.append([event(number, picture(record, jpeg(number), PictureKind.DISPUTE))])
            gone += [n for n, one in enumerate(kept) if not record.picture(one.sha256)]
            gone = list(dict.fromkeys(gone))
            if len(gone) == len(kept):
                break
    assert gone == [1, 2, 3, 4, 0]


def test_a_throw_that_was_disputed_is_kept_as_a_dispute(tmp_path: Path) -> None:
    with opened(tmp_path / "r") as record:
        throw = picture(record, b"3-2 or 5-2?")
        dispute = picture(record, b"3-2 or 5-2?", PictureKind.DISPUTE)
        record.append([event("throw", throw)])
        record.append([event("dispute", dispute)])
        record.append([event("again", throw)])
        known = PictureIndex(record.rows()).known[throw.sha256]
        assert known.kind is PictureKind.DISPUTE
        assert record.storage().pictures_bytes == len(b"3-2 or 5-2?")


def test_the_newest_pictures_are_never_pruned(tmp_path: Path) -> None:
    policy = EvidencePolicy(budget_bytes=1, latest_kept=3, reserve_bytes=0)
    with opened(tmp_path / "r", policy=policy) as record:
        kept = [picture(record, jpeg(number), PictureKind.BEFORE) for number in range(6)]
        for one in kept:
            record.append([event(0, one)])
        assert [record.picture(one.sha256) is not None for one in kept] == [False] * 3 + [
            True
        ] * 3


def test_a_cut_between_the_row_and_the_removal_leaves_no_file_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EvidenceStore, "drop", lambda *_: None)
    with opened(tmp_path / "r", policy=TIGHT) as record:
        for number in range(20):
            record.append([event(number, picture(record, jpeg(number)))])
    assert len(list((tmp_path / "r" / "pictures").rglob("*.jpg"))) == 20
    with opened(tmp_path / "r", policy=TIGHT):
        assert len(list((tmp_path / "r" / "pictures").rglob("*.jpg"))) < 20
    assert verify_record(tmp_path / "r").verdict is Verdict.OK


def test_a_picture_pruned_and_kept_again_counts_again(tmp_path: Path) -> None:
    policy = EvidencePolicy(budget_bytes=1500, latest_kept=1, reserve_bytes=0)
    with opened(tmp_path / "r", policy=policy) as record:
        for number in (1, 2, 1):
            record.append([event(number, picture(record, jpeg(number)))])
        assert record.storage().pictures_bytes == 1000
    assert verify_record(tmp_path / "r").verdict is Verdict.OK
