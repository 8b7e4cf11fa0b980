"""The worked cases of the rule texts, set by set."""

import pytest

from rules import Law, Verdict, judge_play, legal_turns
from tests.support.boards import (
    LONG_SETS,
    LONG_START,
    SHORT_START,
    B,
    W,
    board,
    moved,
    roll,
    rules,
    steps,
    texts,
)

T2_SETS = ("classic", "federation", "sport-rf")


def results(name: str, position: str, turn: str, dice: str) -> set[str]:
    color = W if turn == "w" else B
    return texts(legal_turns(board(position), color, roll(dice), rules(name)))


# --- the second checker from the head ------------------------------------------------------


@pytest.mark.parametrize("name", LONG_SETS)
def test_four_four_after_five_five(name: str) -> None:
    white_played = "24:w14 4:w1 12:b15"
    two = {"24:w14 12:b13 8:b2 4:w1"}
    one = {"24:w14 12:b14 8:b1 4:w1"}
    expected = one if name in (*T2_SETS, "bolshie-nardy") else two
    assert results(name, white_played, "b", "4-4") == expected


@pytest.mark.parametrize("name", LONG_SETS)
def test_five_five_after_two_two(name: str) -> None:
    white_played = "24:w14 16:w1 12:b15"
    one = {"24:w14 21:b1 16:w1 12:b14"}
    all_four = {"24:w14 21:b1 16:w1 12:b13 7:b1", "24:w14 16:w1 12:b13 2:b2"}
    expected = all_four if name in ("club", "kush") else one
    assert results(name, white_played, "b", "5-5") == expected


@pytest.mark.parametrize("name", LONG_SETS)
def test_five_five_after_two_one(name: str) -> None:
    white_played = "24:w14 21:w1 12:b15"
    expected = {"24:w14 21:w1 12:b13 2:b2"} if name in ("club", "kush") else {
        "24:w14 21:w1 12:b14 2:b1"
    }  # fmt: skip
    assert results(name, white_played, "b", "5-5") == expected


@pytest.mark.parametrize("name", LONG_SETS)
def test_six_two_after_five_five(name: str) -> None:
    white_played = "24:w14 4:w1 12:b15"
    two = {"24:w14 12:b13 10:b1 6:b1 4:w1"}
    larger_alone = {"24:w14 12:b14 6:b1 4:w1"}
    expected = two if name == "club" else larger_alone
    assert results(name, white_played, "b", "6-2") == expected


NO_EXCEPTION = {
    "3-3": {"24:w14 15:w1 12:b15"},
    "4-4": {"24:w14 16:w1 12:b15"},
    "6-6": {"24:w14 18:w1 12:b15"},
}
TWO_FROM_THE_HEAD = {
    "3-3": {"24:w13 21:w1 15:w1 12:b15", "24:w13 18:w2 12:b15"},
    "4-4": {"24:w13 16:w2 12:b15"},
    "6-6": {"24:w13 18:w2 12:b15"},
}


@pytest.mark.parametrize("dice", NO_EXCEPTION)
@pytest.mark.parametrize("name", LONG_SETS)
def test_first_rolls_that_one_checker_cannot_finish(name: str, dice: str) -> None:
    expected = NO_EXCEPTION if name == "bolshie-nardy" else TWO_FROM_THE_HEAD
    assert results(name, "24:w15 12:b15", "w", dice) == expected[dice]


@pytest.mark.parametrize(("dice", "lands"), [("1-1", 20), ("2-2", 16), ("5-5", 4)])
@pytest.mark.parametrize("name", [name for name in LONG_SETS if name != "kush"])
def test_doubles_that_one_checker_plays_take_only_one(name: str, dice: str, lands: int) -> None:
    expected = moved(LONG_START, W, (24, lands))
    assert results(name, "24:w15 12:b15", "w", dice) == {str(expected)}


def test_kush_lets_two_leave_on_any_first_double_at_will() -> None:
    assert results("kush", "24:w15 12:b15", "w", "5-5") == {
        "24:w14 12:b15 4:w1",
        "24:w13 19:w1 12:b15 9:w1",
        "24:w13 14:w2 12:b15",
    }


@pytest.mark.parametrize("name", LONG_SETS)
def test_a_roll_that_is_no_double_moves_one_checker_when_it_can(name: str) -> None:
    for first, second in ((6, 5), (6, 1), (4, 3), (2, 1)):
        found = legal_turns(LONG_START, W, roll(f"{first}-{second}"), rules(name))
        assert [turn.result.count(W, 24) for turn in found] == [14]
        assert found[0].result.count(W, 24 - first - second) == 1


@pytest.mark.parametrize("dice", ["3-3", "4-4", "6-6", "5-5"])
@pytest.mark.parametrize("name", LONG_SETS)
def test_the_exception_is_for_the_first_turn_only(name: str, dice: str) -> None:
    second_turn = board("24:w14 23:w1 12:b14 11:b1")
    for color, head in ((W, 24), (B, 12)):
        for turn in legal_turns(second_turn, color, roll(dice), rules(name)):
            assert turn.result.count(color, head) >= 13


@pytest.mark.parametrize("name", LONG_SETS)
def test_another_checker_before_the_head_stops_three_three(name: str) -> None:
    # White stands on Black's way at 6: 12-9, then stop; the enemy head is not what stops it.
    white_out = "24:w14 6:w1 12:b15"
    one, two = {"24:w14 12:b14 9:b1 6:w1"}, {"24:w14 12:b13 9:b2 6:w1"}
    expected = one if name in (*T2_SETS, "bolshie-nardy") else two
    assert results(name, white_out, "b", "3-3") == expected


@pytest.mark.parametrize("name", LONG_SETS)
def test_a_checker_off_the_way_does_not_take_the_exception(name: str) -> None:
    # White's 13-pip runner at 11 is no stop of 6-6 from Black's head.
    expected = "24:w14 12:b14 11:w1 6:b1" if name == "bolshie-nardy" else (
        "24:w14 12:b13 11:w1 6:b2"
    )  # fmt: skip
    assert results(name, "24:w14 11:w1 12:b15", "b", "6-6") == {expected}


# --- the block of six ----------------------------------------------------------------------

BEFORE = "24:w4 10:w1 9:w2 8:w2 7:w2 6:w2 5:w2"  # 10-4 completes 9 to 4, Black's 21 to 16
ENEMY = {
    "none ahead": "12:b15",
    "one ahead": "12:b14 3:b1",
    "one at home": "12:b14 18:b1",
    "one off": "12:b14 off:b1",
    "all home but one": "12:b1 18:b14",
    "all home": "18:b10 13:b5",
    "all home or off": "18:b10 off:b5",
}
ALLOWED = {
    "ahead": set(ENEMY) - {"none ahead"},
    "in_home": set(ENEMY) - {"none ahead", "one ahead"},
    "all_home": {"all home", "all home or off"},
    "none": set(ENEMY),
}


@pytest.mark.parametrize("enemy", ENEMY)
@pytest.mark.parametrize("name", [*LONG_SETS, "classic+block=in_home"])
def test_a_block_of_six(name: str, enemy: str) -> None:
    variant = rules(name)
    before = board(f"{BEFORE} {ENEMY[enemy]}")
    played = moved(before, W, (10, 4), (24, 23))
    judgement = judge_play(before, W, roll("6-1"), played, variant)
    if enemy in ALLOWED[variant.block.value]:
        assert judgement.verdict is Verdict.LEGAL
    else:
        assert (judgement.verdict, judgement.law) == (Verdict.ILLEGAL, Law.BLOCK)
        assert "9, 8, 7, 6, 5, 4" in judgement.explain.ru
        assert "9, 8, 7, 6, 5, 4" in judgement.explain.en


def test_the_block_laws_of_the_sets() -> None:
    laws = {name: rules(name).block.value for name in LONG_SETS}
    assert laws == {
        "bolshie-nardy": "all_home",
        "moscow-open": "ahead",
        "classic": "ahead",
        "federation": "ahead",
        "club": "ahead",
        "beginner": "in_home",
        "kush": "none",
        "sport-rf": "ahead",
    }


def test_an_enemy_checker_behind_the_block_is_not_ahead_of_it() -> None:
    before = board(f"{BEFORE} 12:b14 11:b1")
    played = moved(before, W, (10, 4), (24, 23))
    assert judge_play(before, W, roll("6-1"), played, rules("moscow-open")).law is Law.BLOCK


def test_black_may_not_build_a_block_either() -> None:
    before = board("24:w15 12:b4 22:b1 21:b2 20:b2 19:b2 18:b2 17:b2")
    judgement = judge_play(
        before, B, roll("6-1"), moved(before, B, (22, 16), (12, 11)), rules("moscow-open")
    )
    assert judgement.law is Law.BLOCK
    assert "21, 20, 19, 18, 17, 16" in judgement.explain.ru


@pytest.mark.parametrize("name", [name for name in LONG_SETS if name != "kush"])
def test_six_points_across_the_enemys_bearing_off_edge_are_no_block(name: str) -> None:
    # 15 to 10 are Black's 3, 2, 1 and 24, 23, 22: no path of Black's runs through all six.
    before = board("24:w4 16:w1 15:w2 14:w2 13:w2 12:w2 11:w2 5:b15")
    played = moved(before, W, (16, 10), (24, 23))
    assert judge_play(before, W, roll("6-1"), played, rules(name)).verdict is Verdict.LEGAL


@pytest.mark.parametrize("name", [name for name in LONG_SETS if name != "kush"])
def test_six_points_across_whites_own_edge_are_a_block(name: str) -> None:
    # 3, 2, 1, 24, 23, 22 are Black's 15 to 10: a wall on Black's way.
    before = board("24:w4 23:w2 22:w2 9:w1 2:w3 1:w3 12:b15")
    played = moved(before, W, (9, 3), (24, 23))
    judgement = judge_play(before, W, roll("6-1"), played, rules(name))
    assert judgement.law is Law.BLOCK
    assert "3, 2, 1, 24, 23, 22" in judgement.explain.en


PASSING = "24:w4 13:w1 8:w2 7:w2 6:w2 5:w2 4:w2 12:b14 11:b1"


@pytest.mark.parametrize("name", LONG_SETS)
def test_a_block_in_passing(name: str) -> None:
    # 13-9 makes 9 to 4 for a moment, 9-7 undoes it; the other order is stopped on 11.
    before = board(PASSING)
    played = moved(before, W, (13, 9), (9, 7))
    judgement = judge_play(before, W, roll("4-2"), played, rules(name))
    if name in T2_SETS:
        assert judgement.law is Law.BLOCK
        assert "на проходе" in judgement.explain.ru
        assert "in passing" in judgement.explain.en
    else:
        assert judgement.verdict is Verdict.LEGAL


def test_a_block_left_standing_is_not_said_to_be_in_passing() -> None:
    before = board(PASSING)
    played = moved(before, W, (13, 9), (24, 22))
    judgement = judge_play(before, W, roll("4-2"), played, rules("classic"))
    assert judgement.law is Law.BLOCK
    assert "на проходе" not in judgement.explain.ru


def test_a_die_that_could_only_build_a_forbidden_block_is_lost() -> None:
    before = "10:w5 9:w2 8:w2 7:w2 6:w2 5:w2 3:b5 2:b5 1:b5"
    assert results("bolshie-nardy", before, "w", "6-6") == {str(board(before))}
    assert results("kush", before, "w", "6-6") != {str(board(before))}


# --- bearing off ---------------------------------------------------------------------------

LAST_OUTSIDE = "7:w1 5:w* 12:b14 1:b1"  # the 6 from 7 is stopped on 1


@pytest.mark.parametrize("name", LONG_SETS)
def test_the_last_checker_comes_home_and_another_is_borne_off_in_the_same_turn(
    name: str,
) -> None:
    found = legal_turns(board(LAST_OUTSIDE), W, roll("6-1"), rules(name))
    assert [steps(turn.moves) for turn in found] == [[(7, 6), (6, 0)]]


def test_t2s_remark_loses_the_six_when_bearing_off_waits_for_the_next_turn() -> None:
    variant = rules("classic+bear_off_same_turn=no")
    before = board(LAST_OUTSIDE)
    entered = moved(before, W, (7, 6))
    assert judge_play(before, W, roll("6-1"), entered, variant).verdict is Verdict.LEGAL
    assert all(turn.result.off(W) == 0 for turn in legal_turns(before, W, roll("6-1"), variant))


def test_bearing_off_too_early_in_the_turn_is_explained_as_such() -> None:
    variant = rules("classic+bear_off_same_turn=no")
    before = board(LAST_OUTSIDE)
    judgement = judge_play(before, W, roll("6-1"), moved(before, W, (7, 6), (6, 0)), variant)
    assert judgement.law is Law.NOT_ALL_HOME
    assert "со следующего хода" in judgement.explain.ru
    assert "next turn" in judgement.explain.en


def test_a_lower_point_bears_off_only_when_the_higher_ones_are_empty() -> None:
    assert results("bolshie-nardy", "3:w2 off:w13 18:b15", "w", "6-5") == {"18:b15 off:w15"}
    assert results("bolshie-nardy", "6:w1 3:w1 off:w13 18:b15", "w", "5-4") == {
        "18:b15 1:w1 off:w14",  # 6-1 with the 5, then 3 off with the 4
        "18:b15 2:w1 off:w14",  # 6-2 with the 4, then 3 off with the 5
    }


def test_a_move_inside_home_is_allowed_instead_of_bearing_off() -> None:
    found = results("bolshie-nardy", "6:w2 5:w2 4:w2 off:w9 18:b15", "w", "2-1")
    assert "18:b15 6:w1 5:w2 4:w2 3:w1 off:w9" in found


# --- rows of public bug reports ------------------------------------------------------------


def test_rul_02_both_dice_are_demanded() -> None:
    before = board("24:w1 8:w1 6:w13 4:b2 16:b2 18:b3 19:b4 20:b4")
    found = legal_turns(before, W, roll("6-2"), rules("short"))
    assert texts(found) == {str(moved(before, W, (8, 2), (24, 22)))}
    only_the_six = moved(before, W, (8, 2))
    judgement = judge_play(before, W, roll("6-2"), only_the_six, rules("short"))
    assert (judgement.verdict, judgement.law) == (Verdict.INCOMPLETE, Law.DIE_NOT_PLAYED)


def test_rul_03_a_blocked_way_is_no_way() -> None:
    before = board("13:w5 11:w5 2:w* 12:b2 24:b*")
    for turn in legal_turns(before, W, roll("1-1"), rules("short")):
        assert turn.result.count(W, 13) == 5
    judgement = judge_play(before, W, roll("1-1"), moved(before, W, (13, 10)), rules("short"))
    assert judgement.law is Law.CLOSED_POINT
    assert "13→12" in judgement.explain.ru


def test_rul_05_a_double_is_one_turn_of_four_moves() -> None:
    found = legal_turns(SHORT_START, W, roll("1-1"), rules("short"))
    assert {len(turn.moves) for turn in found} == {4}


def test_rul_06_the_final_position_decides_which_die_bore_off() -> None:
    before = board("5:w1 4:w1 off:w13 19:b15")
    assert results("short", "5:w1 4:w1 off:w13 19:b15", "w", "6-4") == {"19:b15 off:w15"} | {
        "19:b15 1:w1 off:w14"  # 5-1 with the 4, and the 6 bears off the 4
    }
    for source, left in ((5, "4"), (4, "6")):
        judgement = judge_play(
            before, W, roll("6-4"), moved(before, W, (source, 0)), rules("short")
        )
        assert judgement.verdict is Verdict.INCOMPLETE
        assert f"the {left} can still be played" in judgement.explain.en
