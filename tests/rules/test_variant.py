import pytest

from rules import DEFAULT, VARIANTS, Variant, VariantError, legal_turns, variant_named
from rules.variant import (
    BlockLaw,
    DiceOrder,
    DieCase,
    EndOfGame,
    EndOfTurn,
    HalfLaw,
    HeadException,
    NextStart,
    Opening,
    ThrownFrom,
    Unfinished,
    derive,
    parameters,
)
from tests.support.boards import LONG_SETS, LONG_START, W, roll, rules


def test_the_sets_are_those_of_the_contract() -> None:
    assert tuple(VARIANTS) == (*LONG_SETS, "short")
    assert DEFAULT.name == "bolshie-nardy"
    assert all(name == one.name for name, one in VARIANTS.items())


def test_only_the_set_that_waits_for_its_printed_text_is_unverified() -> None:
    assert [name for name, one in VARIANTS.items() if not one.verified] == ["sport-rf"]
    assert "не сверены" in VARIANTS["sport-rf"].title("ru")
    assert "unverified" in VARIANTS["sport-rf"].title("en")


ROWS: dict[str, tuple[object, ...]] = {
    # head exception, block, in passing, order, next start, end, thrown from, end of turn, touch
    "bolshie-nardy": (
        HeadException.NEVER, BlockLaw.ALL_HOME, False, DiceOrder.FREE, NextStart.LOT,
        EndOfGame.AT_ONCE, ThrownFrom.CUP, EndOfTurn.DICE_OR_CLOCK, False,
    ),
    "moscow-open": (
        HeadException.BLOCKED_DOUBLE, BlockLaw.AHEAD, False, DiceOrder.FREE, NextStart.WINNER,
        EndOfGame.AT_ONCE, ThrownFrom.CUP_OR_HAND, EndOfTurn.DICE_LIFTED, True,
    ),
    "classic": (
        HeadException.ENEMY_HEAD, BlockLaw.AHEAD, True, DiceOrder.FREE, NextStart.COLORS_SWAP,
        EndOfGame.AT_ONCE, ThrownFrom.CUP, EndOfTurn.DICE_OR_CLOCK, False,
    ),
    "federation": (
        HeadException.ENEMY_HEAD, BlockLaw.AHEAD, True, DiceOrder.FREE, NextStart.COLORS_SWAP,
        EndOfGame.LAST_THROW, ThrownFrom.CUP, EndOfTurn.DICE_OR_CLOCK, False,
    ),
    "club": (
        HeadException.BLOCKED_ROLL, BlockLaw.AHEAD, False, DiceOrder.FREE, NextStart.LOT,
        EndOfGame.AT_ONCE, ThrownFrom.CUP, EndOfTurn.DICE_OR_CLOCK, False,
    ),
    "beginner": (
        HeadException.BLOCKED_DOUBLE, BlockLaw.IN_HOME, False, DiceOrder.LARGER_FIRST,
        NextStart.LOT, EndOfGame.AT_ONCE, ThrownFrom.CUP, EndOfTurn.UNSTATED, False,
    ),
    "kush": (
        HeadException.ANY_DOUBLE, BlockLaw.NONE, False, DiceOrder.FREE, NextStart.WINNER,
        EndOfGame.AT_ONCE, ThrownFrom.UNSTATED, EndOfTurn.UNSTATED, False,
    ),
    "sport-rf": (
        HeadException.ENEMY_HEAD, BlockLaw.AHEAD, True, DiceOrder.FREE, NextStart.COLORS_SWAP,
        EndOfGame.AT_ONCE, ThrownFrom.CUP, EndOfTurn.DICE_OR_CLOCK, False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_each_set_is_its_column_of_the_table(name: str) -> None:
    one = rules(name)
    assert ROWS[name] == (
        one.head_exception, one.block, one.block_in_passing, one.order, one.next_start,
        one.end, one.thrown_from, one.end_of_turn, one.touch_move,
    )  # fmt: skip
    assert one.unfinished is Unfinished.ACCEPT_OR_DEMAND
    assert one.bear_off_same_turn
    assert one.cube is (name == "sport-rf")
    assert (one.points.oin, one.points.mars) == (1, 2)
    assert (one.points.koks, one.points.home_mars) == (None, None)


def test_how_the_first_game_begins() -> None:
    others = set(VARIANTS) - {"federation", "sport-rf", "short"}
    assert {rules(name).opening for name in others} == {Opening.HIGHER_THROWS_BOTH}
    assert rules("federation").opening is Opening.WHITE
    assert rules("sport-rf").opening is Opening.HIGHER_PLAYS_BOTH
    assert rules("short").opening is Opening.HIGHER_PLAYS_BOTH


def test_short_nardy_has_cube_crawford_jacoby_beavers_and_backgammon() -> None:
    one = rules("short")
    assert (one.cube, one.crawford, one.jacoby, one.beavers) == (True,) * 4
    assert (one.points.mars, one.points.koks) == (2, 3)
    assert one.hits


def test_a_derived_set_differs_by_the_field_changed_only() -> None:
    base, one = rules("classic"), rules("classic+block=in_home")
    assert one.name == "classic+block=in_home"
    assert one.block is BlockLaw.IN_HOME
    assert one.sources["block"] == "option"
    same = [f for f in parameters() if hasattr(base, f) and f != "block"]
    assert all(getattr(one, field) == getattr(base, field) for field in same)


def test_several_fields_may_be_changed() -> None:
    one = rules("short+half=players_right+die_on_checker=valid+koks=none+cube=no")
    assert one.throw.half is HalfLaw.PLAYERS_RIGHT
    assert one.throw.die_on_checker is DieCase.VALID
    assert one.points.koks is None
    assert not one.cube


def test_what_was_decided_for_a_field_goes_when_the_field_is_changed() -> None:
    assert "bear_off_same_turn" in [d[0] for d in rules("classic").decisions]
    changed = rules("classic+bear_off_same_turn=no")
    assert "bear_off_same_turn" not in [d[0] for d in changed.decisions]


def test_every_parameter_takes_each_value_it_names() -> None:
    for key, values in parameters().items():
        for value in values.replace("0–9", "0|9").replace(" or ", "|").split("|"):
            one = derive(rules("classic"), {key: value})
            assert one.name == f"classic+{key}={value}"
            assert legal_turns(LONG_START, W, roll("6-5"), one)


BAD = {
    "nardy": ("no rule set 'nardy'", "bolshie-nardy, moscow-open"),
    "": ("no rule set ''", "short"),
    "Classic": ("no rule set 'Classic'", "classic"),
    "classic+": ("parameter=value", "''"),
    "classic+block": ("parameter=value", "'block'"),
    "classic+block=": ("block is", "none|ahead|in_home|all_home"),
    "classic+block=never": ("block is none|ahead|in_home|all_home", "'never'"),
    "classic+blok=none": ("no parameter 'blok'", "block, block_in_passing"),
    "classic+name=mine": ("no parameter 'name'", "block"),
    "classic+path=towards": ("no parameter 'path'", "block"),
    "classic+throw=void": ("no parameter 'throw'", "half"),
    "classic+touch_move=maybe": ("touch_move is yes|no", "'maybe'"),
    "classic+oin=none": ("oin is 0–9,", "'none'"),
    "classic+koks=12": ("koks is 0–9 or none", "'12'"),
    "classic+koks=²": ("koks is 0–9 or none", "'²'"),
    "classic+mars=-1": ("mars is 0–9", "'-1'"),
    "classic+half=left": ("half is any_same|players_right|free", "'left'"),
    "classic+head_exception=always": ("never|blocked_double|enemy_head", "any_double"),
    "classic+block=none+block=ahead": ("block is changed twice", "twice"),
    "short+block=ahead": ("neither a head nor a block", "short"),
    "short+head=yes": ("neither a head nor a block", "short"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_set_that_does_not_exist_is_refused_with_what_does(name: str) -> None:
    with pytest.raises(VariantError) as caught:
        variant_named(name)
    for part in BAD[name]:
        assert part in str(caught.value)
    assert caught.value.code == "unknown_rules"


def test_sets_are_values() -> None:
    assert rules("classic+block=in_home") == rules("classic+block=in_home")
    assert len({*VARIANTS.values(), rules("classic")}) == len(VARIANTS)


def test_every_decision_is_about_a_field_of_the_set() -> None:
    fields = set(parameters()) | {"throw"}
    for one in VARIANTS.values():
        keys = [key for key, _, _ in one.decisions]
        assert set(keys) <= fields
        assert len(keys) == len(set(keys))
        assert all(ru and en for _, ru, en in one.decisions)


def decided(one: Variant) -> set[str]:
    return {key for key, _, _ in one.decisions}


def test_what_the_texts_leave_open_is_marked_as_decided() -> None:
    for name in ("bolshie-nardy", "club", "beginner"):
        assert {"block_in_passing", "next_start"} <= decided(rules(name))
    for name in ("moscow-open", "club", "beginner", "kush"):
        assert "unfinished" in decided(rules(name))
    assert {"opening", "throw", "thrown_from", "end_of_turn"} <= decided(rules("club"))
    assert "bear_off_same_turn" in decided(rules("classic"))
    assert "end" in decided(rules("sport-rf"))
