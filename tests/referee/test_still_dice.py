"""What looks like a die and never moves takes no part in any throw."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.arbiter.events import DiceLifted, ThrowSeen
from referee.arbiter.questions import Watch, WatchPlay, WatchThrow
from referee.states import Look
from referee.watcher import watch
from referee.watching import Fact, WatcherSettings, Watching
from rules import Position, Roll, variant_named
from rules.throw import Lies
from tests.support.boards import B, W
from tests.support.looks import die, seen
from vision.observation import DieReading

LONG = variant_named("bolshie-nardy")
SETTINGS = WatcherSettings(LONG, Lies.RIGHT)
BEFORE = Position.of({24: 4, 18: 3, 14: 2, 10: 2, 4: 4}, {12: 5, 5: 4, 20: 3, 22: 3})
DICE = (die(6, 500), die(5, 560))
OTHER = (die(2, 480, y=200), die(1, 590, y=350))
SUN = replace(die(4, 530, y=300), confidence=0.97)
"""A printed ornament that passes for a die."""
THROW = WatchThrow(W, BEFORE)
NEXT = WatchThrow(B, BEFORE)
PLAY = WatchPlay(W, BEFORE, Roll(6, 5))


def follow(*steps: tuple[Watch, Sequence[DieReading] | None]) -> tuple[Watching, list[Fact]]:
    """Look every 0.4 s; None: a hand."""
    state = Watching()
    facts: list[Fact] = []
    for n, (wanted, dice) in enumerate(steps):
        calm = dice is not None
        evidence = seen(BEFORE) if calm else None
        look = Look(0.4 * n, calm=calm, evidence=evidence, dice=tuple(dice or ()))
        step = watch(state, look, wanted, SETTINGS)
        state = step.state
        facts += step.facts
    return state, facts


def values(fact: Fact) -> list[int | None]:
    assert isinstance(fact, ThrowSeen)
    return [one.value for one in fact.dice]


def test_an_ornament_that_passes_for_a_die_holds_no_throw_up() -> None:
    lying, first, second = [SUN], [SUN, *DICE], [SUN, *OTHER]
    _, facts = follow(
        (THROW, lying), (THROW, None), (THROW, first), (THROW, first),
        (PLAY, first), (PLAY, None), (PLAY, lying), (PLAY, lying),
        (NEXT, lying), (NEXT, None), (NEXT, second), (NEXT, second),
    )  # fmt: skip
    thrown, lifted, again = facts
    assert values(thrown) == [6, 5]
    assert isinstance(lifted, DiceLifted)
    assert values(again) == [2, 1]


def test_an_ornament_the_eye_knew_and_a_shadow_brings_up_is_none_of_the_throw() -> None:
    state = Watching()
    facts: list[Fact] = []
    known = Look(0.0, calm=True, evidence=seen(BEFORE), lay=(SUN,))
    shaded = Look(0.8, calm=True, evidence=seen(BEFORE), dice=(SUN, *DICE))
    for look in (known, Look(0.4, calm=False), shaded, replace(shaded, at_s=1.2)):
        step = watch(state, look, THROW, SETTINGS)
        state = step.state
        facts += step.facts
    assert [values(fact) for fact in facts] == [[6, 5]]


def test_an_ornament_seen_in_some_looks_only_holds_no_throw_up() -> None:
    both = [SUN, *OTHER]
    _, facts = follow(
        (THROW, [SUN]), (THROW, []), (THROW, None), (THROW, [SUN, *DICE]), (THROW, DICE),
        (THROW, [SUN, *DICE]), (THROW, [SUN, *DICE]),
        (PLAY, DICE), (PLAY, None), (PLAY, []), (PLAY, []),
        (NEXT, []), (NEXT, None), (NEXT, both), (NEXT, both),
    )  # fmt: skip
    assert [type(one) for one in facts] == [ThrowSeen, DiceLifted, ThrowSeen]
    assert values(facts[0]) == [6, 5]
    assert values(facts[2]) == [2, 1]


def test_a_pair_left_lying_is_none_of_the_other_players_throw() -> None:
    """Where each player has dice of one's own, those of the turn before may stay."""
    both = [*DICE, *OTHER]
    _, facts = follow(
        (THROW, []), (THROW, None), (THROW, DICE), (THROW, DICE), (PLAY, DICE),
        (NEXT, DICE), (NEXT, None), (NEXT, both), (NEXT, both),
    )  # fmt: skip
    first, second = facts
    assert values(first) == [6, 5]
    assert values(second) == [2, 1]


def test_one_die_of_the_throw_before_beside_two_others_is_left_to_people() -> None:
    three = [DICE[0], *OTHER]
    _, facts = follow(
        (THROW, []), (THROW, None), (THROW, DICE), (THROW, DICE), (PLAY, DICE),
        (NEXT, DICE), (NEXT, None), (NEXT, three), (NEXT, three), (NEXT, three),
    )  # fmt: skip
    assert len(facts) == 1


@pytest.mark.parametrize(
    "moved",
    [
        replace(SUN, value=3),
        replace(SUN, center_px=(542.0, 300.0)),
    ],
)
def test_what_shows_another_face_or_place_than_before_did_not_stay(moved: DieReading) -> None:
    three = [moved, *DICE]
    state, facts = follow((THROW, [SUN]), (THROW, None), (THROW, three), (THROW, three))
    assert state.still == ()
    assert facts == []


def test_what_is_not_seen_for_a_while_is_gone() -> None:
    first = [SUN, *DICE]
    state, _ = follow((THROW, [SUN]), (THROW, None), (THROW, first), (THROW, first))
    assert [one.die for one in state.still] == [SUN]

    steps = [(THROW, [SUN]), (THROW, None), (THROW, first), (THROW, first)]
    state, _ = follow(*steps, *[(PLAY, list(DICE))] * SETTINGS.still.unseen)
    assert state.still == ()
