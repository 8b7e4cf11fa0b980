import itertools
from collections.abc import Iterator
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import VARIANTS, Roll
from rules.throw import DieFacts, Lies, Reason, ThrowJudgement, ThrowVerdict, judge_throw
from rules.variant import DieCase, HalfLaw, ThrowLaw
from tests.support.boards import rules

GOOD = DieFacts(
    value=6, lies=Lies.LEFT, flat=True, on_checker=False,
    touches_checker=False, touches_wall=False,
)  # fmt: skip
OTHER = replace(GOOD, value=5)


def judged(name: str, *dice: DieFacts, right: Lies | None = None) -> ThrowJudgement:
    return judge_throw(dice, rules(name).throw, players_right=right)


V, X, ASK = ThrowVerdict.VALID, ThrowVerdict.VOID, ThrowVerdict.UNSURE

CASES = {
    "halves": (replace(OTHER, lies=Lies.RIGHT), Reason.DIFFERENT_HALVES),
    "off": (replace(OTHER, lies=Lies.OFF_BOARD), Reason.OFF_BOARD),
    "wood": (replace(OTHER, lies=Lies.WOODWORK), Reason.ON_WOODWORK),
    "tilted": (replace(OTHER, flat=False), Reason.TILTED),
    "on checker": (replace(OTHER, on_checker=True), Reason.ON_CHECKER),
    "touches wall": (replace(OTHER, touches_wall=True), Reason.TOUCHES_WALL),
    "touches checker": (replace(OTHER, touches_checker=True), Reason.TOUCHES_CHECKER),
}
ROWS = {
    "bolshie-nardy": (X, X, X, X, X, V, V),
    "moscow-open": (X, X, X, X, X, V, V),
    "classic": (X, X, X, X, X, V, V),
    "federation": (X, X, X, X, X, V, V),
    "sport-rf": (X, X, X, X, X, V, V),
    "club": (X, X, X, X, X, V, V),
    "beginner": (V, X, X, X, X, X, X),
    "kush": (V, X, X, ASK, ASK, V, V),
    "short": (X, X, X, X, X, V, V),
    "short+die_on_checker=valid": (X, X, X, X, V, V, V),
    "short+baffle_box=yes": (V, X, X, X, X, V, V),
}


@pytest.mark.parametrize("name", ROWS)
def test_each_sets_row_of_void_throws(name: str) -> None:
    assert judged(name, GOOD, OTHER) == ThrowJudgement(V, (), (6, 5))
    for verdict, (die, reason) in zip(ROWS[name], CASES.values(), strict=True):
        judgement = judged(name, GOOD, die)
        assert judgement.verdict is verdict, reason
        assert judgement.reasons == (() if verdict is V else (reason,))


def test_every_set_has_a_row_here() -> None:
    assert set(VARIANTS) <= set(ROWS)


def test_a_valid_throw_gives_the_roll_and_no_other_does() -> None:
    assert judged("classic", GOOD, OTHER).roll == Roll(6, 5)
    assert judged("classic", GOOD, replace(OTHER, flat=False)).roll is None
    assert judged("classic", GOOD, replace(OTHER, value=None)).roll is None


def test_the_values_seen_are_told_of_a_void_throw_too() -> None:
    assert judged("classic", GOOD, replace(OTHER, flat=False)).values == (6, 5)


@pytest.mark.parametrize("dice", [(), (GOOD,), (GOOD, GOOD, GOOD)])
def test_fewer_or_more_than_two_dice_are_left_to_a_person(dice: tuple[DieFacts, ...]) -> None:
    judgement = judged("classic", *dice)
    assert judgement.verdict is ASK
    expected = Reason.MISSING_DIE if len(dice) < 2 else Reason.TOO_MANY_DICE
    assert judgement.reasons == (expected,)


def test_a_value_that_cannot_be_read_is_asked() -> None:
    judgement = judged("classic", GOOD, replace(OTHER, value=None))
    assert (judgement.verdict, judgement.reasons) == (ASK, (Reason.VALUE_UNSURE,))


def test_void_beats_a_value_that_cannot_be_read() -> None:
    judgement = judged("classic", replace(GOOD, value=None), replace(OTHER, flat=False))
    assert (judgement.verdict, judgement.reasons) == (X, (Reason.TILTED,))


def test_every_known_reason_is_named() -> None:
    bad = DieFacts(5, Lies.WOODWORK, flat=False, on_checker=True)
    assert set(judged("classic", GOOD, bad).reasons) == {
        Reason.ON_WOODWORK, Reason.TILTED, Reason.ON_CHECKER,
    }  # fmt: skip


def test_how_a_die_off_the_board_lies_does_not_matter() -> None:
    off = DieFacts(None, Lies.OFF_BOARD)
    assert judged("classic", GOOD, off).reasons == (Reason.OFF_BOARD,)


def test_what_the_set_does_not_ask_may_stay_unknown() -> None:
    unknown_touch = replace(OTHER, touches_wall=None, touches_checker=None)
    assert judged("classic", GOOD, unknown_touch).verdict is V
    assert judged("beginner", GOOD, unknown_touch).verdict is ASK


def test_where_a_die_lies_is_always_asked() -> None:
    nowhere = replace(OTHER, lies=None)
    for name in ("kush", "kush+on_woodwork=valid", "short+baffle_box=yes"):
        assert judged(name, GOOD, nowhere).reasons == (Reason.FACTS_UNSURE,)


def test_the_players_right_half() -> None:
    name = "short+half=players_right"
    assert judged(name, GOOD, OTHER, right=Lies.LEFT).verdict is V
    wrong = judged(name, GOOD, OTHER, right=Lies.RIGHT)
    assert (wrong.verdict, wrong.reasons) == (X, (Reason.WRONG_HALF,))
    assert judged(name, GOOD, OTHER).verdict is ASK
    apart = judged(name, GOOD, replace(OTHER, lies=Lies.RIGHT))
    assert apart.reasons == (Reason.DIFFERENT_HALVES,)
    assert judged(f"{name}+baffle_box=yes", GOOD, OTHER, right=Lies.RIGHT).verdict is V


# --- what is not known ---------------------------------------------------------------------

DOMAIN: dict[str, tuple[object, ...]] = {
    "value": (1, 6),
    "lies": tuple(Lies),
    "flat": (True, False),
    "on_checker": (True, False),
    "touches_checker": (True, False),
    "touches_wall": (True, False),
}
NAMES = tuple(field.name for field in fields(DieFacts))
dice = st.builds(
    DieFacts,
    **{name: st.sampled_from((None, *values)) for name, values in DOMAIN.items()},
)
laws = st.builds(
    ThrowLaw,
    half=st.sampled_from(HalfLaw),
    tilted=st.sampled_from(DieCase),
    die_on_checker=st.sampled_from(DieCase),
    on_woodwork=st.sampled_from(DieCase),
    touching=st.sampled_from(DieCase),
    baffle_box=st.booleans(),
)
rights = st.sampled_from((Lies.LEFT, Lies.RIGHT))
SOME = settings(max_examples=150, deadline=None)


def revelations(die: DieFacts) -> Iterator[DieFacts]:
    for name in NAMES:
        if getattr(die, name) is None:
            for value in DOMAIN[name]:
                yield replace(die, **{name: value})  # type: ignore[arg-type]


@SOME
@given(dice, dice, laws, rights)
def test_learning_a_fact_never_takes_back_a_verdict(
    first: DieFacts, second: DieFacts, law: ThrowLaw, right: Lies
) -> None:
    before = judge_throw((first, second), law, players_right=right)
    for more in revelations(first):
        after = judge_throw((more, second), law, players_right=right)
        if before.verdict is not ASK:
            assert after.verdict is before.verdict
        if before.verdict is X and more.lies is not Lies.OFF_BOARD:
            assert set(before.reasons) <= set(after.reasons)


def completed(die: DieFacts) -> Iterator[DieFacts]:
    choices = [DOMAIN[n] if getattr(die, n) is None else (getattr(die, n),) for n in NAMES]
    for values in itertools.product(*choices):
        yield DieFacts(*values)


@SOME
@given(dice, laws, rights)
def test_unsure_means_that_both_are_possible_or_a_person_decides(
    die: DieFacts, law: ThrowLaw, right: Lies
) -> None:
    verdict = judge_throw((GOOD, die), law, players_right=right).verdict
    all_told = [judge_throw((GOOD, d), law, players_right=right).verdict
                for d in completed(die)]  # fmt: skip
    if verdict is ASK:
        assert set(all_told) != {X}
        assert set(all_told) != {V} or die.value is None
    else:
        assert set(all_told) == {verdict}


@SOME
@given(dice, dice, laws, rights)
def test_the_order_of_the_dice_does_not_matter(
    first: DieFacts, second: DieFacts, law: ThrowLaw, right: Lies
) -> None:
    one = judge_throw((first, second), law, players_right=right)
    two = judge_throw((second, first), law, players_right=right)
    assert one.verdict is two.verdict
    assert set(one.reasons) == set(two.reasons)


@SOME
@given(dice, dice, laws, rights)
def test_a_verdict_has_reasons_unless_valid(
    first: DieFacts, second: DieFacts, law: ThrowLaw, right: Lies
) -> None:
    judgement = judge_throw((first, second), law, players_right=right)
    assert bool(judgement.reasons) is (judgement.verdict is not V)
