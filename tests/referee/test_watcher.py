"""The watcher: looks in, facts for the arbiter out."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.arbiter.events import (
    DiceChanged,
    DiceLifted,
    OpeningDieSeen,
    PlayRead,
    StartSeen,
    ThrowSeen,
)
from referee.arbiter.questions import (
    ReadPlay,
    Watch,
    WatchFor,
    WatchOpening,
    WatchPlay,
    WatchStart,
    WatchThrow,
)
from referee.evidence import Touched, fuse
from referee.states import Look
from referee.throws import judge_dice
from referee.watch_throws import unread
from referee.watcher import ended, watch
from referee.watching import Fact, WatcherSettings, Watching
from rules import Position, Roll, legal_turns, variant_named
from rules.throw import Lies, ThrowVerdict, judge_throw
from tests.support.boards import LONG_START, B, W, moved
from tests.support.looks import changed, die, seen
from vision.observation import DieReading, Half, Surface

LONG = variant_named("bolshie-nardy")
SETTINGS = WatcherSettings(LONG, Lies.RIGHT)
BEFORE = Position.of({24: 4, 18: 3, 14: 2, 10: 2, 4: 4}, {12: 5, 5: 4, 20: 3, 22: 3})
DICE = (die(6, 500), die(5, 560))
OTHER = (die(2, 480, y=200), die(1, 590, y=350))
ROLL = Roll(6, 5)
AFTER = legal_turns(BEFORE, W, ROLL, LONG)[0].result
RIVAL = legal_turns(BEFORE, W, ROLL, LONG)[1].result
IN_DOUBT = fuse([seen(AFTER), seen(RIVAL)])
THROW = WatchThrow(W, BEFORE)
PLAY, READ = WatchPlay(W, BEFORE, ROLL), ReadPlay(W, BEFORE, ROLL)


def calm(at_s: float, position: Position = BEFORE, dice: Sequence[DieReading] = ()) -> Look:
    return Look(at_s, calm=True, evidence=seen(position), dice=tuple(dice))


def hand(at_s: float) -> Look:
    return Look(at_s, calm=False)


def run(
    *steps: tuple[Watch | None, Look], state: Watching | None = None
) -> tuple[Watching, list[Fact]]:
    state = state or Watching()
    facts: list[Fact] = []
    for wanted, look in steps:
        step = watch(state, look, wanted, SETTINGS)
        state = step.state
        facts += step.facts
    return state, facts


def on(wanted: Watch | None, *looks: Look) -> list[tuple[Watch | None, Look]]:
    return [(wanted, look) for look in looks]


def test_the_start_position_is_told_once_until_something_moves() -> None:
    wanted = WatchStart(LONG_START)
    looks = [calm(0.2 * n, LONG_START) for n in range(5)]
    _, facts = run(*on(wanted, *looks, hand(1.5), calm(2, LONG_START), calm(2.3, LONG_START)))
    assert [fact.at_ms for fact in facts] == [200, 2300]
    assert all(isinstance(one, StartSeen) and one.position == LONG_START for one in facts)


def test_dice_count_as_thrown_when_two_looks_agree_after_a_movement() -> None:
    state, facts = run(
        *on(THROW, calm(0), hand(0.5), calm(1.0, dice=DICE), calm(1.5, dice=DICE))
    )
    (throw,) = facts
    assert isinstance(throw, ThrowSeen)
    assert [one.value for one in throw.dice] == [6, 5]
    assert (throw.side, throw.players_right) == (W, Lies.RIGHT)
    assert state.thrown == DICE


def test_a_throw_between_two_looks_far_apart_is_a_throw() -> None:
    for before in ((), OTHER):
        state, facts = run(
            *on(THROW, calm(0, dice=before), calm(0.2, dice=before), calm(1.2, dice=DICE),
                calm(1.6, dice=DICE))
        )  # fmt: skip
        (throw,) = facts
        assert isinstance(throw, ThrowSeen)
        assert state.thrown == DICE


@pytest.mark.parametrize("dice", [DICE[:1], (DICE[0], die(None, 560)), (*DICE, OTHER[0])])
def test_what_else_appears_unseen_is_no_throw(dice: Sequence[DieReading]) -> None:
    _, facts = run(*on(THROW, calm(0), calm(1, dice=dice), calm(1.4, dice=dice)))
    assert facts == []


def test_without_a_gap_nobody_can_have_thrown_unseen() -> None:
    looks = [calm(0.3 * n, dice=() if n < 3 else DICE) for n in range(8)]
    _, facts = run(*on(THROW, *looks))
    assert facts == []


def test_blacks_right_hand_is_the_other_half() -> None:
    wanted = WatchThrow(B, BEFORE)
    _, facts = run(*on(wanted, calm(0), hand(0.5), calm(1.0, dice=DICE), calm(1.5, dice=DICE)))
    assert isinstance(facts[0], ThrowSeen)
    assert facts[0].players_right is Lies.LEFT


def test_dice_that_lay_there_before_are_no_throw() -> None:
    _, facts = run(
        *on(THROW, calm(0, dice=DICE), calm(0.5, dice=DICE), hand(1), calm(1.5, dice=DICE),
            calm(2, dice=DICE))
    )  # fmt: skip
    assert facts == []


def test_the_dice_of_the_turn_before_are_not_taken_for_the_next_throw() -> None:
    state, _ = run(*on(READ, calm(0, AFTER, DICE), calm(0.5, AFTER, DICE)))
    wanted = WatchThrow(B, AFTER)
    looks = (calm(1, AFTER, DICE), hand(1.5), calm(2, AFTER, DICE), calm(2.5, AFTER, DICE))
    state, facts = run(*on(wanted, *looks), state=state)
    assert facts == []
    # Taken up, thrown anew: now it is one.
    anew = (hand(3), calm(3.5, AFTER), hand(4), calm(4.5, AFTER, DICE), calm(5, AFTER, DICE))
    _, facts = run(*on(wanted, *anew), state=state)
    assert len(facts) == 1


def hidden(at_s: float, *lay: DieReading, dice: Sequence[DieReading] = ()) -> Look:
    """Return a look in which the eye tells old dice from new ones."""
    return replace(calm(at_s, AFTER, dice), lay=lay)


def carried(dice: Sequence[DieReading], dx: float) -> tuple[DieReading, ...]:
    return tuple(die(one.value, one.center_px[0] + dx) for one in dice)


@pytest.mark.parametrize("nudge_px", [4.0, 25.0])
def test_old_dice_that_only_the_eye_knows_stay_old_through_a_nudge(nudge_px: float) -> None:
    """The turn is over, they lie there; then the board moves, and the eye sees them anew."""
    wanted = WatchThrow(B, AFTER)
    state, _ = run(*on(READ, hidden(0, *DICE), hidden(0.5, *DICE)))
    moved_dice = carried(DICE, nudge_px)
    looks = [hidden(1, *DICE), hand(1.5), hidden(2, *moved_dice)]
    looks += [hidden(2.3 + 0.3 * n, dice=moved_dice) for n in range(8)]
    state, facts = run(*on(wanted, *looks), state=state)
    assert facts == []
    looks = [hand(6), hidden(6.5), hand(7), hidden(7.5, dice=OTHER), hidden(8, dice=OTHER)]
    _, facts = run(*on(wanted, *looks), state=state)
    assert [
        [one.value for one in fact.dice] for fact in facts if isinstance(fact, ThrowSeen)
    ] == [[2, 1]]


def test_what_hardly_looks_like_a_die_does_not_hide_a_die_thrown_onto_it() -> None:
    wanted = WatchThrow(B, AFTER)
    ornament = replace(die(None, 500), confidence=0.3)
    looks = [hidden(0, ornament), hand(0.5), hidden(1, dice=DICE), hidden(1.5, dice=DICE)]
    _, facts = run(*on(wanted, *looks))
    assert len(facts) == 1


def test_a_die_may_come_to_lie_where_one_lay_that_was_taken_up() -> None:
    """A third die lies there all the time: it says nothing of the two that are thrown."""
    wanted, third = WatchThrow(B, AFTER), die(4, 620, y=420)
    state, _ = run(*on(READ, hidden(0, third, dice=DICE), hidden(0.5, third, dice=DICE)))
    looks = [hidden(1, third, *DICE), hand(1.5), hidden(2, third), hand(2.5)]
    looks += [hidden(3, third, dice=DICE), hidden(3.5, third, dice=DICE)]
    _, facts = run(*on(wanted, *looks), state=state)
    assert len(facts) == 1


def test_dice_that_rest_and_cannot_be_judged_are_told_so_that_a_person_is_asked() -> None:
    doubtful = (DICE[0], replace(DICE[1], flat=None))
    looks = [calm(1 + 0.4 * n, dice=doubtful) for n in range(6)]
    _, facts = run(*on(THROW, calm(0), hand(0.5), *looks))
    (throw,) = facts
    assert isinstance(throw, ThrowSeen)
    judged = judge_throw(throw.dice, LONG.throw, players_right=throw.players_right)
    assert judged.verdict is ThrowVerdict.UNSURE
    assert judged.values == (6, 5)


def test_a_hand_over_dice_that_were_not_read_makes_an_unsure_throw() -> None:
    doubtful = (DICE[0], replace(DICE[1], value=None))
    _, facts = run(*on(THROW, calm(0), hand(0.5), calm(1, dice=doubtful), hand(1.3)))
    (throw,) = facts
    assert isinstance(throw, ThrowSeen)
    assert [one.value for one in throw.dice] == [6, None]


@pytest.mark.parametrize("rules", ["bolshie-nardy", "kush"])
def test_looks_that_disagree_vouch_for_no_number_in_any_set(rules: str) -> None:
    settings = WatcherSettings(variant_named(rules), Lies.RIGHT)
    first = (DICE[0], replace(DICE[1], value=3))
    state = Watching(THROW, (calm(1, dice=first), calm(1.1, dice=DICE)), moved=True)
    (throw,) = unread(state, THROW, 1.2, settings).facts
    assert isinstance(throw, ThrowSeen)
    assert judge_throw(throw.dice, settings.variant.throw).verdict is ThrowVerdict.UNSURE


def test_no_throw_is_told_from_frames_with_a_hand() -> None:
    _, facts = run(*on(THROW, calm(0), hand(0.5), hand(1), hand(1.5)))
    assert facts == []


def test_one_die_each_is_read_for_who_begins() -> None:
    white, black = WatchOpening(LONG_START, W), WatchOpening(LONG_START, B)
    looks = (calm(0), hand(0.5), calm(1, dice=DICE[:1]), calm(1.5, dice=DICE[:1]))
    state, facts = run(*on(white, *looks))
    assert facts == [OpeningDieSeen(1500, W, 6, box_px=(490, 290, 20, 20))]
    later = (hand(2), calm(2.5, dice=DICE), calm(3, dice=DICE))
    _, facts = run(*on(black, *later), state=state)
    assert facts == [OpeningDieSeen(3000, B, 5, box_px=(550, 290, 20, 20))]


@pytest.mark.parametrize(
    "odd", [replace(DICE[0], value=None), replace(DICE[0], flat=None), die(6, 500, flat=False)]
)
def test_an_opening_die_in_doubt_is_left_to_people(odd: DieReading) -> None:
    looks = (calm(0), hand(0.5), calm(1, dice=(odd,)), calm(1.5, dice=(odd,)))
    _, facts = run(*on(WatchOpening(LONG_START, W), *looks))
    assert facts == []


def test_a_play_is_read_when_it_is_certain() -> None:
    _, facts = run(*on(PLAY, hand(0.5), calm(1, AFTER, DICE)), (READ, calm(1.5, AFTER, DICE)))
    (read,) = facts
    assert isinstance(read, PlayRead)
    assert read.position == AFTER
    assert read.candidates == ()


def test_a_position_that_stays_in_doubt_is_told_with_its_candidates() -> None:
    look = Look(1.0, calm=True, evidence=IN_DOUBT)
    looks = [replace(look, at_s=1 + 0.3 * n) for n in range(5)]
    _, facts = run(*on(READ, *looks))
    (read,) = facts
    assert isinstance(read, PlayRead)
    assert read.position is None
    assert len(read.candidates) > 1


def test_the_next_players_hand_ends_the_waiting_for_a_better_look() -> None:
    look = Look(1.0, calm=True, evidence=IN_DOUBT)
    _, facts = run(*on(READ, look, hand(1.5)))
    (read,) = facts
    assert isinstance(read, PlayRead)
    assert read.position is None


def test_what_was_never_seen_is_told_at_the_end() -> None:
    (read,) = ended(Watching(), READ, SETTINGS).facts
    assert isinstance(read, PlayRead)
    assert (read.position, read.candidates) == (None, ())


def test_dice_taken_up_and_dice_that_changed_are_told_once() -> None:
    state, _ = run(*on(THROW, calm(0), hand(0.5), calm(1, dice=DICE), calm(1.5, dice=DICE)))
    turned = (DICE[0], replace(DICE[1], value=2))
    looks = (hand(2), calm(2.5, dice=turned), calm(3, dice=turned), calm(3.5, dice=turned))
    state, facts = run(*on(PLAY, *looks), state=state)
    assert facts == [DiceChanged(3000, (6, 2))]
    _, facts = run(*on(PLAY, hand(4), calm(4.5), calm(5), calm(5.5)), state=state)
    assert facts == [DiceLifted(5000)]


def test_a_lost_board_is_found_when_it_stands_as_it_stood() -> None:
    wanted = WatchFor(BEFORE)
    _, facts = run(*on(wanted, calm(0, AFTER), calm(0.5, AFTER), hand(1), calm(1.5), calm(2)))
    assert [(type(one), one.at_ms) for one in facts] == [(PlayRead, 2000)]


def test_nothing_is_told_where_nothing_is_wanted() -> None:
    _, facts = run(*on(None, calm(0), hand(0.5), calm(1, dice=DICE), calm(1.5, dice=OTHER)))
    assert facts == []


def test_the_half_of_a_die_is_told_as_the_camera_sees_it() -> None:
    split = (die(6, 500), die(5, 100, half=Half.LEFT))
    _, facts = run(*on(THROW, calm(0), hand(0.5), calm(1, dice=split), calm(1.5, dice=split)))
    (throw,) = facts
    assert isinstance(throw, ThrowSeen)
    assert {one.lies for one in throw.dice} == {Lies.RIGHT, Lies.LEFT}


def test_three_looks_together_settle_what_the_last_one_alone_does_not() -> None:
    unread_five = (DICE[0], replace(DICE[1], value=None, confidence=0.5))
    looks = (
        calm(1.0, dice=DICE), calm(1.1, dice=unread_five), calm(1.2, dice=DICE),
        calm(1.3, dice=DICE), calm(1.5, dice=unread_five),
    )  # fmt: skip
    _, facts = run(*on(THROW, calm(0), hand(0.5), *looks))
    (throw,) = facts
    assert isinstance(throw, ThrowSeen)
    assert [one.value for one in throw.dice] == [6, 5]


@pytest.mark.parametrize(("before", "told"), [(0.8, 0), (0.2, 1)])
def test_two_looks_that_agree_settle_no_throw_that_a_third_one_contradicts(
    before: float, told: int
) -> None:
    doubtful = (DICE[0], replace(DICE[1], flat=None, leans=before))
    flat = (DICE[0], replace(DICE[1], leans=0.04))
    looks = (calm(1.0, dice=doubtful), calm(1.3, dice=flat), calm(1.6, dice=flat))
    _, facts = run(*on(THROW, calm(0), hand(0.5), *looks))
    assert len(facts) == told
    elsewhere = replace(DICE[1], center_px=(590.0, 400.0), flat=None, leans=before)
    rolling = calm(0.9, dice=(DICE[0], elsewhere))
    _, facts = run(*on(THROW, calm(0), hand(0.5), rolling, *looks[1:]))
    assert len(facts) == 1


@pytest.mark.parametrize(
    ("flat", "leans", "told"),
    [
        (False, (0.85, 0.98, 0.9, 0.98), 0),
        (False, (0.979, 0.992, 0.994, 0.992), 0),
        (False, (0.996, 0.998, 0.98, 0.997), 1),
        (True, (0.4, 0.1, 0.35, 0.12), 0),
        (True, (0.04, 0.1, 0.35, 0.12), 1),
    ],
)
def test_of_many_looks_two_sure_ones_settle_nothing_of_which_all_together_are_not_sure(
    flat: bool, leans: Sequence[float], told: int
) -> None:
    def seen_as(chance: float) -> DieReading:
        sure = chance >= 0.97 if not flat else chance <= 0.13
        on = Surface.BOARD if flat else Surface.CHECKER
        lies = flat if sure else None
        return replace(DICE[1], flat=lies, on=on if sure else None, leans=chance)

    looks = [
        calm(1 + 0.3 * n, dice=(DICE[0], seen_as(chance))) for n, chance in enumerate(leans)
    ]
    _, facts = run(*on(THROW, calm(0), hand(0.5), *looks))
    assert len(facts) == told


@pytest.mark.parametrize("may", [frozenset({Surface.CHECKER}), frozenset()])
def test_a_die_that_may_touch_a_checker_is_in_doubt_where_that_matters(
    may: frozenset[Surface],
) -> None:
    strict = variant_named("beginner")
    dice = (DICE[0], replace(DICE[1], may_touch=may))
    verdict = judge_dice(dice, strict.throw).verdict
    assert verdict is (ThrowVerdict.UNSURE if may else ThrowVerdict.VALID)


def test_dice_seen_once_before_a_hand_count_when_they_lie_there_still() -> None:
    looks = [hand(1.0), calm(1.3, dice=DICE), hand(1.6), calm(1.9, dice=DICE)]
    _, facts = run(*on(THROW, calm(0.5), *looks))
    (thrown,) = facts
    assert isinstance(thrown, ThrowSeen)
    assert [one.value for one in thrown.dice] == [6, 5]
    assert thrown.at_ms == 1900


def test_dice_seen_once_that_lie_otherwise_afterwards_are_asked_about() -> None:
    looks = [hand(1.0), calm(1.3, dice=DICE), hand(1.6), calm(1.9, dice=OTHER)]
    _, facts = run(*on(THROW, calm(0.5), *looks))
    assert all(isinstance(one, ThrowSeen) for one in facts)
    judged = judge_throw(facts[0].dice, LONG.throw)  # type: ignore[union-attr]
    assert judged.verdict is ThrowVerdict.UNSURE


def test_dice_seen_once_are_told_before_a_press() -> None:
    state, facts = run(*on(THROW, calm(0.5), hand(1.0), calm(1.3, dice=DICE), hand(1.6)))
    assert facts == []
    (told,) = unread(state, THROW, 2.0, SETTINGS).facts
    assert isinstance(told, ThrowSeen)
    assert [one.value for one in told.dice] == [None, None]


def test_a_turn_ends_though_its_dice_were_up_before_the_throw_was_answered() -> None:
    looks = [hand(1.0), calm(1.3, dice=DICE), hand(1.6), calm(1.9)]
    state, facts = run(*on(THROW, calm(0.5), *looks))
    assert len(facts) == 1
    state, facts = run((None, calm(2.2)), *on(PLAY, calm(2.5), calm(2.8)), state=state)
    assert [type(one) for one in facts] == [DiceLifted]


@pytest.mark.parametrize(("areas", "sure"), [({3: 1.1, 6: 0.4}, True), ({3: 1.1}, False)])
def test_whether_a_stack_was_touched_tells_whether_its_play_was_made(
    areas: dict[int, float], sure: bool
) -> None:
    start = Position.of({6: 8, 3: 1, 1: 6}, {12: 15})
    legal = moved(start, W, (6, 0), (3, 0))
    wanted = ReadPlay(W, start, Roll(6, 3))
    look = Look(
        1.0,
        calm=True,
        evidence=seen(legal, hidden=(6,)),
        touched=Touched(start, changed(areas)),
    )
    facts = watch(Watching(watch=wanted), look, wanted, SETTINGS).facts
    read = [one.position for one in facts if isinstance(one, PlayRead)]
    assert (read == [legal]) is sure


def test_another_board_is_told_while_the_board_is_lost() -> None:
    wanted = WatchFor(BEFORE)
    looks = [calm(1 + 0.3 * n, AFTER) for n in range(6)]
    _, facts = run(*on(wanted, *looks))
    (read,) = facts
    assert isinstance(read, PlayRead)
    assert read.position == AFTER
