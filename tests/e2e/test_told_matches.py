"""Whole matches of the loop, its players and their incidents, without a single picture."""

from dataclasses import replace

import pytest

from referee.arbiter import MatchSetup
from referee.arbiter.events import (
    FlagAnswered,
    FlagFell,
    Forfeit,
    GameEnded,
    PlayRuled,
    ThrowRuled,
)
from referee.arbiter.setup import NO_CLOCK
from referee.timer_presets import control_named
from referee.timer_settings import ClockKind
from rules import Color, Verdict, variant_named
from rules.outcome import How
from rules.sets import VARIANTS
from rules.throw import ThrowVerdict
from table.incidents import IncidentPlan, plan_named
from table.live import LiveTable
from table.players import RandomPlayer
from table.sequence import TableSetup
from table.truth_log import TrueFlag
from tests.e2e.told import ToldReferee, play_out
from zarbiter.demo_truth import compare

LONG, SHORT = "10m+12s delay", "20s+4s delay"


def match(
    rules: str, seed: int, plan: IncidentPlan, clock: str | None = LONG, length: int = 1
) -> ToldReferee:
    control = NO_CLOCK if clock is None else control_named(clock)
    setup = MatchSetup(rules=rules, length=length, clock=control)
    table = LiveTable(
        TableSetup().board(),
        variant_named(rules),
        seed,
        incidents=plan,
        players=dict.fromkeys(Color, RandomPlayer()) if seed % 2 else None,
        buttons=setup.clock.kind is not ClockKind.NONE,
    )
    return ToldReferee(table, setup)


@pytest.mark.parametrize("clock", ["1m+8s delay", None])
@pytest.mark.parametrize("rules", VARIANTS)
def test_a_match_with_many_incidents_is_ruled_as_it_was(rules: str, clock: str | None) -> None:
    referee = match(rules, 1 + len(rules), plan_named("many"), clock)
    play_out(referee, 16)
    told = compare(referee.table.truth, referee.events)
    assert told.wrong == ()
    assert told.missed == ()
    assert told.plays > 10


@pytest.mark.parametrize("clock", [SHORT, None])
def test_a_match_with_many_incidents_ends(clock: str | None) -> None:
    referee = match("short", 4, plan_named("many"), clock)
    play_out(referee)
    assert compare(referee.table.truth, referee.events).wrong == ()


@pytest.mark.parametrize("forfeit", [0.0, 1.0])
def test_a_flag_falls_and_the_director_says_what_it_costs(forfeit: float) -> None:
    plan = IncidentPlan(forfeit=forfeit).forcing((5, "flag_fall"))
    referee = match("short", 2, plan, SHORT)
    play_out(referee)
    (flag,) = [one for one in referee.table.truth.entries if isinstance(one, TrueFlag)]
    fell = [one for one in referee.events if isinstance(one, FlagFell)]
    assert (flag.side, round(1000 * flag.at_s)) in {(one.side, one.at_ms) for one in fell}
    answers = [one.forfeit for one in referee.events if isinstance(one, FlagAnswered)]
    (ended,) = [one for one in referee.events if isinstance(one, GameEnded)]
    if forfeit:
        assert answers == [Forfeit.GAME]
        assert (ended.how, ended.winner) == (How.TIME, flag.side.other)
    else:
        assert set(answers) == {Forfeit.NOTHING}
        assert ended.how is not How.TIME


def test_a_flag_that_fell_unnoticed_is_no_small_thing() -> None:
    referee = match("short", 2, IncidentPlan(forfeit=1.0).forcing((5, "flag_fall")), SHORT)
    play_out(referee)
    silent = [one for one in referee.events if not isinstance(one, FlagFell)]
    (wrong,) = compare(referee.table.truth, silent).wrong
    assert "unnoticed" in wrong


def test_a_ruling_against_the_truth_and_one_that_is_missing_are_told() -> None:
    referee = match("bolshie-nardy", 4, IncidentPlan())
    play_out(referee, 12)
    ruled = [one for one in referee.events if isinstance(one, PlayRuled)]
    fewer = [one for one in referee.events if one is not ruled[3]]
    assert len(compare(referee.table.truth, fewer).missed) == 1
    first = next(one for one in ruled if one.verdict is Verdict.LEGAL)
    twisted = PlayRuled(
        first.at_ms, first.side, first.roll, first.before, first.before, Verdict.ILLEGAL,
        None, first.explain,
    )  # fmt: skip
    changed = [twisted if one is first else one for one in referee.events]
    assert len(compare(referee.table.truth, changed).wrong) == 1


def test_a_throw_that_was_asked_about_is_a_question_and_no_ruling() -> None:
    referee = match("bolshie-nardy", 4, IncidentPlan().forcing((2, "cocked")))
    play_out(referee, 4)
    before = compare(referee.table.truth, referee.events)
    events = [
        replace(one, verdict=ThrowVerdict.UNSURE)
        if isinstance(one, ThrowRuled) and one.verdict is ThrowVerdict.VOID
        else one
        for one in referee.events
    ]
    told = compare(referee.table.truth, events)
    assert (before.asked, told.asked) == (0, 1)
    assert told.throws == before.throws - 1
    assert told.wrong == ()


def test_the_same_seed_plays_the_same_match() -> None:
    runs = [match("short", 6, plan_named("many")) for _ in range(2)]
    for referee in runs:
        play_out(referee, 12)
    assert runs[0].events == runs[1].events
