"""Entries of a record: what is written is read back, and nothing else is read."""

import json
import random
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from referee.arbiter import EntryError, MatchSetup, from_entry, to_entry
from referee.arbiter.codec import KINDS
from referee.arbiter.events import (
    SCHEMA_VERSION,
    Event,
    Fact,
    OpeningDieSeen,
    Pressed,
    Ruling,
    ThrowSeen,
    Word,
)
from referee.arbiter.machine import advance
from referee.arbiter.states import MatchState
from tests.referee.arbiter.test_walks import walk
from tests.support.explorer import anything
from tests.support.match import W, good_dice

DOCS = Path(__file__).parents[3] / "docs" / "reference"
EVENTS = [one for union in (Fact, Word, Ruling) for one in get_args(union)]


def test_every_event_has_a_kind_of_its_own_and_its_time_first() -> None:
    assert len(KINDS) == len(EVENTS)
    for event in EVENTS:
        assert fields(event)[0].name == "at_ms"


@pytest.mark.skipif(not DOCS.is_dir(), reason="needs docs/, which no wheel has")
def test_every_kind_is_documented() -> None:
    text = (DOCS / "record-events.md").read_text(encoding="utf-8")
    assert [kind for kind in KINDS if f"`{kind}`" not in text] == []


@pytest.mark.parametrize("seed", range(10))
def test_what_is_written_is_read_back(seed: int) -> None:
    table = walk(seed, 60)
    for event in [*table.log, *anything(table.state, random.Random(seed), 5)]:
        kind, version, data = to_entry(event)
        again = from_entry(kind, version, json.loads(json.dumps(data, ensure_ascii=False)))
        assert repr(again) == repr(event)


GOOD = to_entry(Pressed(5, W))


@pytest.mark.parametrize(("kind", "version", "data", "says"), [
    ("knocked", 1, {}, "no event is called"),
    ("pressed", SCHEMA_VERSION + 1, GOOD[2], "a newer one is needed"),
    ("pressed", 0, GOOD[2], "version 0"),
    ("pressed", 1, {"at_ms": 5}, "side"),
    ("pressed", 1, {"at_ms": "5", "side": "w"}, "at_ms"),
    ("pressed", 1, {"at_ms": True, "side": "w"}, "at_ms"),
    ("pressed", 1, {"at_ms": 5, "side": "red"}, "red"),
    ("pressed", 1, {"at_ms": 5, "side": "w", "hand": "left"}, "hand"),
    ("start_seen", 1, {"at_ms": 5, "position": {"points": {"24": "w16"}}}, "White has 16"),
    ("throw_answered", 1, {"at_ms": 5, "by": "white", "roll": [7, 1]}, "a die shows"),
    ("match_opened", 1, {"at_ms": 5, "setup": {"rules": "whist"}}, "match_opened"),
])  # fmt: skip
def test_an_entry_that_nobody_wrote_is_refused(
    kind: str, version: int, data: dict[str, object], says: str
) -> None:
    with pytest.raises(EntryError, match=says):
        from_entry(kind, version, data)


def test_an_entry_is_plain_json_in_the_exchange_format() -> None:
    kind, version, data = to_entry(ThrowSeen(7, W, good_dice(6, None)))
    assert (kind, version) == ("throw_seen", SCHEMA_VERSION)
    assert data["side"] == "w"
    assert data["dice"][1]["value"] is None
    json.dumps(data)


@pytest.mark.parametrize("event", [
    ThrowSeen(7, W, good_dice(6, 5)),
    OpeningDieSeen(7, W, 6),
])  # fmt: skip
def test_an_entry_of_version_1_knows_no_places(event: Event) -> None:
    kind, _, data = to_entry(event)
    old = {key: value for key, value in data.items() if key not in ("boxes_px", "box_px")}
    assert from_entry(kind, 1, old) == event
    with pytest.raises(EntryError, match="px"):
        from_entry(kind, SCHEMA_VERSION, old)


def test_a_setup_survives_in_every_detail() -> None:
    setup = MatchSetup("classic+block=in_home", "Анна", "Борис", 7, event="Кубок")
    kind, version, data = to_entry(EVENTS[0](1, setup))
    again: Event = from_entry(kind, version, data)
    assert advance(MatchState(), again).state.setup == setup
