"""The promise of a replay on sequences that others rendered."""

import json
from io import StringIO
from pathlib import Path

import pytest

from tests.e2e.promise import Score, replayed, score

RENDERS = Path(__file__).resolve().parents[3] / "shared" / "data" / "renders"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not RENDERS.is_dir(), reason="needs ../shared/data/renders"),
]


@pytest.fixture(scope="module")
def total() -> Score:
    """The score over all sequences; the referee is not shown their truth."""
    result = Score(0, 0, ())
    for folder in sorted(RENDERS.glob("seq*")):
        events = replayed(folder, StringIO(), StringIO())
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        result += score(events, truth)
    return result


def test_nothing_wrong_is_said(total: Score) -> None:
    assert total.wrong == ()


def test_at_least_half_of_what_was_is_said(total: Score) -> None:
    assert total.right >= max(total.unsure, 1)
