"""A filmed game, camera to judgement: nothing is let through from the script but pictures."""

import json
import random
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import cv2
import pytest

from rules import variant_named
from table.sequence import TableSetup, write_sequence
from tests.e2e.promise import replayed, score
from tests.support.film_game import play_game


@pytest.fixture
def _one_thread() -> Iterator[None]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)


@pytest.mark.usefixtures("_one_thread")
def test_a_filmed_game_is_judged_as_it_was_played(tmp_path: Path) -> None:
    variant = variant_named("bolshie-nardy")
    turns = [one.turn for one in play_game(variant, random.Random(1), 4)]
    assert sum(len(turn.voids) for turn in turns) == 1
    assert [turn.facts["verdict"] for turn in turns].count("illegal") == 1
    film, hidden = tmp_path / "film", tmp_path / "truth.json"
    write_sequence(film, variant.name, TableSetup(), turns, 1)
    (film / "truth.json").rename(hidden)
    events = replayed(film, StringIO(), StringIO())
    result = score(events, json.loads(hidden.read_text(encoding="utf-8")))
    assert result.wrong == ()
    assert result.right + result.unsure == 9
    assert result.right >= result.unsure
    # The foul is either named, by its law, or left to a person.
    foul = [event for event in events if event["event"] == "play"][-1]
    assert (foul["verdict"], foul["law"]) in {("illegal", "head"), ("unsure", None)}
    summary = events[-1]
    assert summary["event"] == "summary"
    assert summary["bad_frames"] == 0
