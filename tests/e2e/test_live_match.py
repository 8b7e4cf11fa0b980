"""A match at the live table: pictures and presses in; record, rulings and exports out."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import cv2
import pytest

from recording.keeper import last_match
from recording.record_reader import RecordReader
from recording.verify import Verdict, verify_record
from referee.arbiter import replayed
from rules import variant_named
from zarbiter.demo import DemoOptions, run_demo


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)


@pytest.mark.parametrize(("rules", "seed", "incidents"), [
    ("classic", 3, "many"),
    ("short", 2, "different_halves"),
])  # fmt: skip
def test_what_is_ruled_is_what_happened_and_the_record_tells_it(
    rules: str, seed: int, incidents: str, tmp_path: Path
) -> None:
    out, err = StringIO(), StringIO()
    options = DemoOptions(
        variant_named(rules), seed, turns=3, incidents=incidents, keep=tmp_path / "demo",
        as_json=True, language="ru",
    )  # fmt: skip
    status = run_demo(options, out=out, err=err)
    assert status == 0, err.getvalue()
    assert "неверных решений 0" in err.getvalue()
    said = [json.loads(line) for line in out.getvalue().splitlines()]
    assert said[0]["event"] == "start_seen"
    assert sum(one["event"] == "play_ruled" for one in said) >= 3
    place = tmp_path / "demo" / "record"
    assert verify_record(place).verdict is Verdict.OK
    with RecordReader(place) as reader:
        match = last_match(reader.rows())
        pictures = sum(len(row.evidence) for row in reader.rows())
    assert match is not None
    assert pictures >= 3
    assert replayed(match.events).setup.rules == rules
    sheet = (tmp_path / "demo" / "protocol.pdf").read_bytes()
    assert sheet.startswith(b"%PDF")


def test_a_demo_in_words_names_who_and_what() -> None:
    out, err = StringIO(), StringIO()
    options = DemoOptions(variant_named("federation"), 5, turns=1, incidents="none")
    assert run_demo(options, out=out, err=err) == 0, err.getvalue()
    lines = out.getvalue().splitlines()
    assert lines[0].endswith("White begins.")
    assert "White: " in lines[1]
    assert "the throw counts." in lines[1]
    assert "Legal" in lines[-1]
    assert "0 wrong" in err.getvalue()
