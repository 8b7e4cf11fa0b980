"""The published rule vectors: every legal resulting position, set by set."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from rules import Color, Position, Roll, legal_turns, variant_named
from tests.rules import brute_force

VECTORS = (
    Path(__file__).resolve().parents[2].parent / "shared" / "data" / "rules" / "vectors.jsonl"
)
SETS = (
    "bolshie-nardy",
    "moscow-open",
    "classic",
    "federation",
    "club",
    "beginner",
    "kush",
    "short",
)
Case = dict[str, Any]


@pytest.fixture(scope="module")
def vectors() -> dict[str, list[Case]]:
    if not VECTORS.exists():
        pytest.skip("no measuring data: ../shared/data/rules is absent")
    cases = defaultdict(list)
    for line in VECTORS.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        cases[case["rules"]].append(case)
    return cases


def expected(case: Case) -> set[str]:
    return {brute_force.canonical(result) for result in case["results"]}


@pytest.mark.shared
def test_there_are_vectors_for_each_set(vectors: dict[str, list[Case]]) -> None:
    assert {name: len(cases) for name, cases in vectors.items()} == dict.fromkeys(SETS, 120)


@pytest.mark.shared
@pytest.mark.parametrize("rules_name", SETS)
def test_the_engine_answers_every_vector(
    vectors: dict[str, list[Case]], rules_name: str
) -> None:
    variant = variant_named(rules_name)
    wrong = []
    for case in vectors[rules_name]:
        turns = legal_turns(
            Position.from_json(case["position"]),
            Color(case["turn"]),
            Roll.from_json(case["dice"]),
            variant,
        )
        results = [brute_force.canonical(turn.result.to_json()) for turn in turns]
        if len(results) != len(set(results)) or set(results) != expected(case):
            wrong.append(case["id"])
    assert wrong == []


@pytest.mark.shared
@pytest.mark.parametrize("rules_name", SETS)
def test_the_slow_twin_answers_the_vectors_too(
    vectors: dict[str, list[Case]], rules_name: str
) -> None:
    # Every third one: the twin is slow. All 960 were asked when it was written.
    for case in vectors[rules_name][::3]:
        results = brute_force.results(rules_name, case["position"], case["turn"], case["dice"])
        assert results == expected(case), case["id"]
