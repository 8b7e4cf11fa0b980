import random

import pytest

from rules import Color, Law, Position, Roll, Verdict, judge_play, variant_named
from table.fouls import FOULS, Foul, foul
from table.incidents import (
    INCIDENTS,
    PLAN_NAMES,
    IncidentError,
    IncidentPlan,
    plan_named,
)
from table.players import SensiblePlayer
from tests.support.boards import LONG_START, board

W = Color.WHITE
LONG = board("24:w9 22:w1 20:w1 18:w2 16:w1 15:w* 12:b9 9:b2 8:b1 5:b*")
NEAR_HOME = board("14:w1 6:w4 5:w3 4:w2 3:w2 2:w* 12:b9 9:b2 24:b*")
ON_BAR = board("bar:w1 13:w5 8:w3 6:w* 1:b2 12:b5 17:b3 19:b*")
BLOCK = board("24:w9 23:w1 22:w1 21:w1 20:w1 19:w1 17:w* 12:b14 7:b*")


def erred(
    kind: Foul, position: Position, roll: Roll, rules: str, seed: int = 1
) -> Position | None:
    variant = variant_named(rules)
    rng = random.Random(seed)
    wish = SensiblePlayer().choose(position, W, roll, variant, rng)
    return foul(kind, position, W, roll, variant, wish, rng)


@pytest.mark.parametrize(
    ("kind", "position", "roll", "rules", "law"),
    [
        ("wrong_distance", LONG, Roll(5, 2), "bolshie-nardy", None),
        ("two_from_head", LONG, Roll(5, 3), "bolshie-nardy", Law.HEAD),
        ("block", BLOCK, Roll(6, 2), "bolshie-nardy", Law.BLOCK),
        ("not_all_home", NEAR_HOME, Roll(5, 1), "bolshie-nardy", Law.NOT_ALL_HOME),
        ("bar_first", ON_BAR, Roll(6, 4), "short", Law.BAR_FIRST),
        ("too_many_moves", LONG, Roll(5, 2), "bolshie-nardy", None),
        ("unfinished", LONG, Roll(5, 2), "bolshie-nardy", Law.DIE_NOT_PLAYED),
        ("moved_enemy", LONG, Roll(5, 2), "bolshie-nardy", Law.MOVED_ENEMY_CHECKER),
        ("nudged_checker", LONG, Roll(5, 2), "bolshie-nardy", None),
    ],
)
def test_each_error_is_the_error_it_is_called(
    kind: Foul, position: Position, roll: Roll, rules: str, law: Law | None
) -> None:
    after = erred(kind, position, roll, rules)
    assert after is not None
    judged = judge_play(position, W, roll, after, variant_named(rules))
    assert judged.verdict is (Verdict.INCOMPLETE if kind == "unfinished" else Verdict.ILLEGAL)
    assert law is None or judged.law is law


def test_the_smaller_number_may_be_played_where_the_larger_must() -> None:
    # Either number can be played alone, and not both.
    position = board("24:w1 7:w0 1:w* 22:b0 16:b2 12:b9 14:b*")
    roll = Roll(6, 4)
    after = erred("larger_number", position, roll, "bolshie-nardy")
    assert after is not None
    judged = judge_play(position, W, roll, after, variant_named("bolshie-nardy"))
    assert judged.law is Law.LARGER_NUMBER


def test_an_error_that_cannot_be_made_is_none() -> None:
    assert erred("bar_first", LONG, Roll(5, 2), "bolshie-nardy") is None
    assert erred("not_all_home", LONG_START, Roll(5, 2), "bolshie-nardy") is None
    assert erred("two_from_head", ON_BAR, Roll(5, 2), "short") is None


@pytest.mark.parametrize("name", PLAN_NAMES)
def test_every_plan_can_be_asked_for_by_name(name: str) -> None:
    plan = plan_named(name)
    assert plan.name == name
    drawn = [plan.drawn(random.Random(f"1 {turn}")) for turn in range(200)]
    again = [plan.drawn(random.Random(f"1 {turn}")) for turn in range(200)]
    assert drawn == again
    if name in INCIDENTS:
        assert {one for one in drawn if one} == {name}


def test_many_is_more_than_few_and_few_more_than_none() -> None:
    counts = [
        sum(plan_named(name).drawn(random.Random(turn)) is not None for turn in range(400))
        for name in ("none", "few", "many")
    ]
    assert counts[0] == 0
    assert 20 < counts[1] < 90
    assert counts[2] > 180


def test_an_unknown_plan_is_refused_with_those_there_are() -> None:
    with pytest.raises(IncidentError, match="none, few, many, different_halves"):
        plan_named("earthquake")


def test_rates_above_certainty_are_refused() -> None:
    with pytest.raises(IncidentError, match="more than 1"):
        IncidentPlan(rates=(("cocked", 0.7), ("block", 0.5)))


def test_every_error_is_an_incident() -> None:
    assert set(FOULS) <= set(INCIDENTS)
    assert len(set(INCIDENTS)) == len(INCIDENTS)
