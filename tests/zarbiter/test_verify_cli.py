import argparse
import json
from pathlib import Path

import pytest

from recording.record_chain import Scope
from recording.signing import device_key
from tests.support.records import event, opened, picture, tampered
from zarbiter.verify_cli import add_backup, add_restore, add_verify


def run(*arguments: object, language: str = "en") -> int:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)

    def parser_of(name: str, summary: str, examples: str) -> argparse.ArgumentParser:
        assert summary
        assert f"zarbiter {name}" in examples
        return commands.add_parser(name)

    for add in (add_verify, add_backup, add_restore):
        add(parser_of, language)
    options = parser.parse_args([str(argument) for argument in arguments])
    status: int = options.run(options)
    return status


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A signed record, and the device's key beside it."""
    key = device_key(tmp_path)
    with opened(tmp_path / "r") as record:
        record._key = key
        record.note("record.key", {"public_key": key.public.text})
        record.append([event(1, picture(record, b"jpeg"))], sign=Scope.MATCH)
    return tmp_path / "r"


Capture = pytest.CaptureFixture[str]


def test_a_good_record_is_told_with_its_head(place: Path, capsys: Capture) -> None:
    assert run("verify", place, "--key", place.parent / "signing.pub") == 0
    said = capsys.readouterr()
    assert "Rows 1–4 are whole and signed by the key given." in said.out
    assert "Head: 4:" in said.out
    head = said.out.rpartition("Head: ")[2].strip()
    assert run("verify", place, "--head", head) == 0
    assert run("verify", place, "--language", "ru") == 0
    assert "целы и подписаны" in capsys.readouterr().out


def test_a_broken_record_is_told_with_its_row(place: Path, capsys: Capture) -> None:
    tampered(place, "UPDATE entry SET data = '{}' WHERE seq = 3")
    assert run("verify", place) == 1
    assert "Row 3 was changed" in capsys.readouterr().out
    assert run("verify", place, "--json") == 1
    line = json.loads(capsys.readouterr().out)
    assert line["verdict"] == "broken"
    assert line["broken"] == {"seq": 3, "what": "hash_mismatch"}
    assert line["record"] == str(place)


def test_a_record_with_an_unsigned_end_is_not_taken_for_proved(
    place: Path, capsys: Capture
) -> None:
    with opened(place) as record:
        record.append([event(2)])
        assert run("verify", place) == 1
    assert "not signed yet" in capsys.readouterr().out


def test_another_row_than_on_the_sheet_is_told(place: Path, capsys: Capture) -> None:
    assert run("verify", place, "--head", "4:00000000") == 1
    assert "not as on the sheet" in capsys.readouterr().out


def test_pictures_are_read_unless_told_otherwise(place: Path, capsys: Capture) -> None:
    next((place / "pictures").rglob("*.jpg")).unlink()
    assert run("verify", place) == 1
    assert "is missing" in capsys.readouterr().out
    assert run("verify", place, "--no-pictures") == 0


@pytest.mark.parametrize("head", ["4", "x:00000000", "4:zzzzzzzz", "0:00000000", "4:123"])
def test_wrong_use_is_told_in_one_line(place: Path, capsys: Capture, head: str) -> None:
    assert run("verify", place, "--head", head) == 2
    assert run("verify", place.parent / "nothing") == 2
    assert run("verify", place, "--key", place.parent / "signing.key") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert [line.startswith("zarbiter: ") for line in said.err.splitlines()] == [True] * 3


def test_a_backup_and_the_way_back_are_one_command_each(
    place: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert run("backup", place, tmp_path / "stick") == 0
    assert "Rows copied: 4" in capsys.readouterr().out
    (place / "record.sqlite").write_bytes(b"")
    (place / "record.jsonl").unlink()
    assert run("restore", tmp_path / "stick", place) == 0
    assert "Rows restored" in capsys.readouterr().out
    assert run("verify", place) == 0
    assert run("restore", tmp_path / "nothing", place) == 2
    capsys.readouterr()
    assert run("backup", tmp_path / "no", tmp_path / "to", "--language", "ru") == 2
    assert "нет протокола" in capsys.readouterr().err
