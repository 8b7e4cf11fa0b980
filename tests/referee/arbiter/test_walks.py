"""Random matches: nothing breaks, the record leads back to the state, and the documented
transition table is what happens."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import pytest

from referee.arbiter import (
    Actor,
    FlagLaw,
    MatchSetup,
    MatchState,
    PrematureLaw,
    Role,
    advance,
    settle,
)
from referee.arbiter.events import Accepted, Event
from referee.arbiter.states import Ongoing
from referee.timer_presets import TimeControl
from referee.timer_settings import ClockKind
from rules import VARIANTS
from tests.support.explorer import anything, next_event, sensible
from tests.support.match import Table

CLOCKS = (
    TimeControl(ClockKind.NONE),
    TimeControl(ClockKind.DELAY, 40_000, bonus_ms=2_000, reset_delay_on_void=True),
    TimeControl(ClockKind.INCREMENT, 20_000, bonus_ms=1_000),
    TimeControl(ClockKind.BRONSTEIN, 30_000, bonus_ms=1_000),
)
UNDER_WAY = {one.__name__ for one in get_args(Ongoing)}
DOC = Path(__file__).parents[3] / "docs" / "reference" / "referee.md"


def setup_for(seed: int) -> MatchSetup:
    rng = random.Random(seed)
    return MatchSetup(
        rules=rng.choice(list(VARIANTS)) + rng.choice(["", "", "+unfinished=legal_moves"]),
        white="Анна",
        black="{Boris}",
        length=rng.choice([None, 1, 3]),
        clock=rng.choice(CLOCKS),
        role=rng.choice(list(Role)),
        flag=rng.choice(list(FlagLaw)),
        premature=rng.choice(list(PrematureLaw)),
        lifted_dice_end=rng.choice([None, True, False]),
    )


def walk(seed: int, steps: int) -> Table:
    rng = random.Random(seed)
    table = Table(setup_for(seed))
    for _ in range(steps):
        event = next_event(table.state, rng, table.tick(rng.choice([20, 400, 3000])))
        table.do(event)
    return table


@pytest.mark.parametrize("seed", range(40))
def test_a_record_of_any_match_leads_back_to_its_state(seed: int) -> None:
    table = walk(seed, 150)
    assert table.recovered() == table.state


def test_a_crash_between_any_two_events_loses_nothing() -> None:
    """Every prefix of a record is a state that the match went through."""
    table = Table(MatchSetup(rules="classic", length=3))
    rng = random.Random(5)
    for _ in range(40):
        known = table.recovered()
        assert known == table.state
        table.do(next_event(table.state, rng, table.tick()))


def documented() -> dict[tuple[str, str], set[str]]:
    """The table of docs/reference/referee.md, with "under way" as a phase of its own."""
    rows = re.findall(
        r"^\| (`[^|]+`) \| (`[^|]+`) \| (`[^|]+`) \|$", DOC.read_text(), re.MULTILINE
    )
    table: dict[tuple[str, str], set[str]] = {}
    for phases, events, after in rows:
        for phase in re.findall(r"`([\w ]+)`", phases):
            for event in re.findall(r"`(\w+)`", events):
                after_all = set(re.findall(r"`([\w ]+)`", after))
                table.setdefault((phase, event), set()).update(after_all)
    return table


def observed() -> dict[tuple[str, str], set[str]]:
    """Every change of phase in random matches, and what else might have come at many points.

    States are values: an event can be tried and left aside.
    """
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)

    def note(state: MatchState, events: Iterable[Event]) -> MatchState:
        for event in events:
            before = type(state.phase).__name__
            state = advance(state, event).state
            if type(state.phase).__name__ != before:
                seen[before, type(event).__name__].add(type(state.phase).__name__)
        return state

    visits: Counter[str] = Counter()
    for seed in range(1000, 1150):
        rng = random.Random(seed)
        table = Table(setup_for(seed))
        note(MatchState(), table.log)
        for _ in range(100):
            state, now = table.state, table.tick(rng.choice([20, 400, 3000]))
            visits[type(state.phase).__name__] += 1
            if visits[type(state.phase).__name__] < 250:
                for event in (*sensible(state, rng, now), *anything(state, rng, now)):
                    note(state, settle(state, event).events)
            note(state, table.do(next_event(state, rng, now)).events)
    return seen


@pytest.mark.skipif(not DOC.is_file(), reason="needs docs/, which no wheel has")
def test_the_documented_transition_table_is_what_happens() -> None:
    told, seen = documented(), observed()
    assert len(told) > 50
    for (phase, event), after in seen.items():
        allowed = set(told.get((phase, event), ()))
        if phase in UNDER_WAY:
            allowed |= told.get(("under way", event), set())
        if "under way" in allowed:
            allowed |= UNDER_WAY
        assert after <= allowed, f"{phase} --{event}--> {after - allowed} is not documented"
    never = []
    for (phase, event), after in told.items():
        phases = UNDER_WAY if phase == "under way" else {phase}
        met = set().union(*(seen.get((one, event), set()) for one in phases))
        missing = {one for one in after - met if one != "under way" or not met & UNDER_WAY}
        never += [(phase, event, one) for one in missing]
    assert not never, "documented, but never happens"


def test_nothing_is_recorded_when_something_is_refused() -> None:
    table = Table(MatchSetup())
    table.begin()
    before = len(table.log)
    assert table.do(Accepted(table.tick(), Actor.REFEREE)).refused is not None
    assert len(table.log) == before
