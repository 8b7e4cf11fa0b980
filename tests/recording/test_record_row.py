import hashlib
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recording.record_chain import Head, event_row
from recording.record_errors import EntryError
from recording.record_row import BEGINNING, Entry, JsonValue, canonical, row_from_line
from tests.support.records import Clocks

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=20,
)
MOMENT = Clocks().moments()()


@settings(max_examples=25)
@given(
    st.dictionaries(TEXT, VALUES),
    TEXT.filter(lambda kind: kind and not kind.startswith("record.")),
    TEXT | st.none(),
    st.floats(allow_nan=False, allow_infinity=False),
)
def test_a_row_is_the_same_after_its_export(
    data: dict[str, JsonValue], kind: str, match: str | None, at_s: float
) -> None:
    row = event_row(Head(), Entry(kind, 1, data, at_s, match), MOMENT)
    assert row_from_line(row.to_line()) == row
    assert row.computed_hash() == row.hash
    assert row.data == data
    assert "\n" not in row.to_line()


def test_the_hash_can_be_recomputed_without_this_program() -> None:
    line = event_row(Head(), Entry("throw", 1, {"б": [1, 2.5]}, 3, None), MOMENT).to_line()
    found = re.fullmatch(r'\{"entry":(.*),"hash":"([0-9a-f]{64})"\}', line)
    assert found
    assert hashlib.sha256(found[1].encode()).hexdigest() == found[2]
    assert json.loads(found[1])["prev"] == BEGINNING


def test_every_part_of_a_row_is_in_its_hash() -> None:
    row = event_row(Head(), Entry("throw", 1, {}, 3.0, "m"), MOMENT)
    for change in (
        '"throw"|"play"',
        '"version":1|"version":2',
        '"at_s":3.0|"at_s":3.5',
        '"boot-1"|"boot-2"',
        "2026-05|2025-05",
        '"synced":true|"synced":false',
        '"match":"m"|"match":null',
        '"data":{}|"data":{"a":1}',
        '"evidence":[]|"evidence":[{"bytes":1,"kind":"throw","sha256":"a"}]',
        '"seq":1|"seq":2',
        '"prev":"0|"prev":"1',
    ):
        before, after = change.split("|")
        line = row.to_line()
        assert line.count(before) == 1
        other = row_from_line(line.replace(before, after))
        assert other.computed_hash() != other.hash


@pytest.mark.parametrize(
    "data",
    [
        {"a": float("nan")},
        {"a": float("inf")},
        {1: "a"},
        {"a": {2: 3}},
        {"a": {1, 2}},
        {"a": b"bytes"},
        {"a": "\ud800"},
        {"\udc41": 1},
    ],
)
def test_what_json_would_change_is_refused(data: dict[str, JsonValue]) -> None:
    with pytest.raises(EntryError):
        event_row(Head(), Entry("throw", 1, data, 1.0), MOMENT)


@pytest.mark.parametrize("kind", ["record.signature", "record.", ""])
def test_nobody_writes_in_the_name_of_the_record(kind: str) -> None:
    with pytest.raises(EntryError):
        event_row(Head(), Entry(kind, 1, {}, 1.0), MOMENT)


def test_a_time_that_is_no_number_is_refused() -> None:
    with pytest.raises(EntryError):
        event_row(Head(), Entry("throw", 1, {}, float("nan")), MOMENT)


@pytest.mark.parametrize(
    "line",
    ["", "{}", "[]", "null", '{"entry":{},"hash":""}', '{"entry":null}', "{" * 5000, "й"],
)
def test_a_line_of_something_else_is_refused(line: str) -> None:
    with pytest.raises(EntryError):
        row_from_line(line)


def test_a_tuple_is_written_as_a_list() -> None:
    assert canonical({"b": (1, 2), "a": None}) == '{"a":null,"b":[1,2]}'
