import base64
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from recording.evidence import EvidenceStore
from recording.record_chain import Head, Scope
from recording.record_copy import export_jsonl
from recording.record_reader import RecordReader
from recording.record_row import PictureKind, Row
from recording.verify import Verdict, Verification, verify_lines, verify_record
from recording.verify_words import Broken
from tests.support.records import (
    as_power_cut_leaves_it,
    event,
    key_of,
    opened,
    picture,
    tampered,
)

KEY, STRANGER = key_of(1), key_of(2)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two signed games: rows 2–4, 5 the signature, 6–8, 9 the signature of the match."""
    folder = tmp_path_factory.mktemp("made") / "r"
    with opened(folder) as record:
        throw = picture(record, b"throw")
        record.append([event(1, throw), event(2), event(3)], sign=Scope.GAME)
        dispute = picture(record, b"dispute", PictureKind.DISPUTE)
        record.append([event(4), event(5, dispute), event(6)], sign=Scope.MATCH)
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    """A copy to be changed."""
    return Path(shutil.copytree(made, tmp_path / "r"))


@pytest.fixture(scope="module")
def rows(made: Path) -> list[Row]:
    with RecordReader(made) as reader:
        return list(reader.rows())


def broken(found: Verification) -> tuple[int, Broken]:
    assert found.verdict is Verdict.BROKEN
    assert found.broken is not None
    assert found.broken.ru
    assert found.broken.en
    return found.broken.seq, found.broken.what


def lines(rows: list[Row]) -> list[str]:
    return [row.to_line() for row in rows]


def rehashed(rows: list[Row]) -> list[Row]:
    """Chain rows anew, as one who changes them would."""
    made: list[Row] = []
    for row in rows:
        prev = made[-1].hash if made else row.prev
        chained = replace(row, seq=len(made) + 1, prev=prev)
        made.append(replace(chained, hash=chained.computed_hash()))
    return made


def test_a_whole_signed_record_is_ok(made: Path) -> None:
    found = verify_record(made)
    assert found.verdict is Verdict.OK
    assert (found.rows, found.signed_to, found.signatures) == (9, 9, 2)
    assert (found.pictures, found.pruned, found.not_synced) == (2, 0, 0)
    assert found.keys == (KEY.public.fingerprint,)
    assert "compare it with the device's key" in found.explain[1]
    assert verify_record(made, KEY.public).explain[1].endswith("signed by the key given.")


def test_verifying_changes_nothing(made: Path) -> None:
    before = {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
    verify_record(made)
    after = {path: path.read_bytes() for path in made.rglob("*") if path.is_file()}
    assert before.items() <= after.items()


@pytest.mark.parametrize("seq", [1, 2, 4, 5, 8, 9])
@pytest.mark.parametrize(
    "change",
    ['data = \'{"value":"6-6"}\'', "at_s = at_s + 1", "kind = 'play'", "synced = 1 - synced"],
)
def test_a_changed_row_is_named(place: Path, seq: int, change: str) -> None:
    tampered(place, f"UPDATE entry SET {change} WHERE seq = {seq}")
    assert broken(verify_record(place)) == (seq, Broken.HASH)


@pytest.mark.parametrize(("first", "last"), [(1, 1), (3, 3), (4, 6)])
def test_missing_rows_are_named(place: Path, first: int, last: int) -> None:
    tampered(place, f"DELETE FROM entry WHERE seq BETWEEN {first} AND {last}")
    found = verify_record(place)
    assert broken(found) == (first, Broken.MISSING)
    assert f"{first}–{last}" in found.explain[0]


def test_a_tail_cut_off_is_missed(place: Path) -> None:
    tampered(place, "DELETE FROM entry WHERE seq > 6")
    assert broken(verify_record(place)) == (7, Broken.SIGNED_TAIL)


def test_an_unsigned_tail_cut_off_is_missed_too(place: Path, tmp_path: Path) -> None:
    with opened(place) as record:
        record.append([event(7), event(8)])
        left = as_power_cut_leaves_it(record, tmp_path / "left")
    tampered(left, "DELETE FROM entry WHERE seq > 10")
    assert broken(verify_record(left)) == (11, Broken.TAIL)


def test_rows_after_the_last_signature_are_not_signed_yet(place: Path, tmp_path: Path) -> None:
    with opened(place) as record:
        record.append([event(7), event(8)])
        found = verify_record(place)
    assert found.verdict is Verdict.UNSIGNED
    assert (found.rows, found.signed_to) == (11, 9)
    assert "Rows 10–11 are not signed yet" in found.explain[1]


def test_a_record_without_a_signature_proves_nothing(rows: list[Row]) -> None:
    found = verify_lines(
        lines(rehashed([row for row in rows if not row.is_own or row.seq == 1]))
    )
    assert found.verdict is Verdict.UNSIGNED
    assert "cannot be proved" in found.explain[1]


def test_rows_moved_or_doubled_are_named(rows: list[Row]) -> None:
    swapped = [*rows[:2], rows[3], rows[2], *rows[4:]]
    assert broken(verify_lines(lines(swapped))) == (3, Broken.MISSING)
    doubled = [*rows[:3], rows[2], *rows[3:]]
    assert broken(verify_lines(lines(doubled))) == (3, Broken.LINK)


def test_a_row_exchanged_with_its_hash_made_right_breaks_the_next_link(
    rows: list[Row],
) -> None:
    other = replace(rows[2], text='{"value":"6-6"}')
    exchanged = [*rows[:2], replace(other, hash=other.computed_hash()), *rows[3:]]
    assert broken(verify_lines(lines(exchanged))) == (4, Broken.LINK)


def test_a_chain_made_anew_breaks_the_signature(rows: list[Row]) -> None:
    forged = rehashed([*rows[:2], replace(rows[2], text='{"value":"6-6"}'), *rows[3:]])
    assert broken(verify_lines(lines(forged))) == (5, Broken.SIGNATURE)


def test_even_the_date_of_a_signature_is_signed(rows: list[Row]) -> None:
    forged = rehashed([*rows[:-1], replace(rows[-1], wall="2027-01-01T00:00:00.000Z")])
    assert broken(verify_lines(lines(forged))) == (9, Broken.SIGNATURE)


def test_a_signature_by_another_key_is_named(made: Path, tmp_path: Path) -> None:
    assert broken(verify_record(made, STRANGER.public)) == (5, Broken.KEY)


def test_a_record_forged_whole_is_found_only_with_the_devices_key(tmp_path: Path) -> None:
    """The limit of what a record can say for itself, stated in the docs."""
    with opened(tmp_path / "forged", 2) as record:
        record.append([event("6-6")], sign=Scope.MATCH)
    assert verify_record(tmp_path / "forged").verdict is Verdict.OK
    assert broken(verify_record(tmp_path / "forged", KEY.public)) == (3, Broken.KEY)


def test_a_record_cut_off_cleanly_is_found_only_with_its_sheet(rows: list[Row]) -> None:
    """The other limit: an earlier state of a record is a true record."""
    cut = lines(rows[:5])
    assert verify_lines(cut, KEY.public).verdict is Verdict.OK
    on_sheet = Head(9, rows[8].hash[:16])
    assert broken(verify_lines(cut, KEY.public, head=on_sheet)) == (6, Broken.SHEET)
    assert verify_lines(lines(rows), KEY.public, head=on_sheet).verdict is Verdict.OK
    other = Head(9, "0" * 16)
    assert broken(verify_lines(lines(rows), KEY.public, head=other)) == (9, Broken.SHEET)


def test_a_false_signature_is_named(rows: list[Row]) -> None:
    data = rows[4].data
    data["signature"] = base64.b64encode(b"\0" * 64).decode()
    text = json.dumps(data, separators=(",", ":"))
    forged = rehashed([*rows[:4], replace(rows[4], text=text), *rows[5:]])
    assert broken(verify_lines(lines(forged))) == (5, Broken.SIGNATURE)


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", '{"key":1,"signature":2}', '{"key":"a","signature":"?"}', "7", '"a"'],
)
def test_a_signature_of_nonsense_is_named_not_stumbled_over(rows: list[Row], text: str) -> None:
    forged = replace(rows[4], text=text)
    forged = replace(forged, hash=forged.computed_hash())
    # What is no object at all is no line of a record.
    assert broken(verify_lines(lines([*rows[:4], forged])))[0] == 5


def test_a_record_that_begins_twice_is_named(rows: list[Row]) -> None:
    assert broken(verify_lines(lines(rehashed([*rows, rows[0]])))) == (10, Broken.BEGINNING)
    assert broken(verify_lines(lines(rehashed(rows[1:])))) == (1, Broken.LINK)


def test_a_missing_picture_is_told_from_a_changed_one(place: Path) -> None:
    (throw, dispute) = (
        next(path for path in (place / "pictures").rglob("*.jpg") if path.read_bytes() == data)
        for data in (b"throw", b"dispute")
    )
    dispute.write_bytes(b"disputE")
    assert broken(verify_record(place)) == (7, Broken.PICTURE_CHANGED)
    throw.unlink()
    assert broken(verify_record(place)) == (2, Broken.PICTURE_MISSING)
    assert verify_record(place, pictures=False).verdict is Verdict.OK


def test_a_picture_pruned_while_we_look_is_not_missed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(place) as record:
        read = EvidenceStore.read

        def pruned_first(store: EvidenceStore, name: str) -> bytes | None:
            monkeypatch.undo()
            record.note("record.pruned", {"pictures": [name]})
            store.drop([name])
            return read(store, name)

        monkeypatch.setattr(EvidenceStore, "read", pruned_first)
        found = verify_record(place)
    assert found.broken is None
    assert (found.pictures, found.pruned) == (1, 1)


def test_a_damaged_file_is_named_and_the_rows_before_it_are_counted(place: Path) -> None:
    data = bytearray((place / "record.sqlite").read_bytes())
    (place / "record.sqlite").write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    found = verify_record(place)
    assert broken(found) == (1, Broken.UNREADABLE)


def test_a_torn_export_is_named(rows: list[Row]) -> None:
    torn = [*lines(rows[:3]), rows[3].to_line()[:50]]
    assert broken(verify_lines(torn)) == (4, Broken.UNREADABLE)
    assert verify_lines([]).verdict is Verdict.UNSIGNED


def test_the_lines_of_an_export_verify_like_the_record(made: Path, tmp_path: Path) -> None:
    with RecordReader(made) as reader:
        text = "".join(f"{line}\n" for line in export_jsonl(reader))
    path = tmp_path / "match.jsonl"
    path.write_text(text, encoding="utf-8")
    found, direct = verify_record(path), verify_record(made, pictures=False)
    assert found == direct


def test_a_verification_for_programs(made: Path) -> None:
    line = verify_record(made).to_json()
    assert json.loads(json.dumps(line)) == line
    assert line["verdict"] == "ok"
    assert line["broken"] is None
    assert set(line["explain"]) == {"ru", "en"}
