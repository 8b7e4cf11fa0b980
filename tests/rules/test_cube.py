import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import ActionError, Color
from rules.cube import LARGEST, Cube, beaver, double, drop, may_double, take
from rules.outcome import GameResult, How, MatchScore, Win
from tests.support.boards import B, W, rules

SHORT = rules("short")
MONEY = MatchScore(None)
MATCH = MatchScore(7)


def test_either_side_may_double_a_cube_in_the_middle() -> None:
    assert may_double(Cube(), W, SHORT, MATCH) is None
    assert may_double(Cube(), B, SHORT, MATCH) is None


def test_a_take_doubles_the_value_and_gives_the_taker_the_cube() -> None:
    cube = take(double(Cube(), W, SHORT, MATCH), B)
    assert cube == Cube(2, B)
    assert cube.turned


def test_only_the_owner_may_redouble() -> None:
    cube = Cube(2, B)
    with pytest.raises(ActionError, match="owns the cube"):
        double(cube, W, SHORT, MATCH)
    assert take(double(cube, B, SHORT, MATCH), W) == Cube(4, W)


def test_a_drop_ends_the_game_at_the_value_before_the_double() -> None:
    offer = double(Cube(2, B), B, SHORT, MATCH)
    assert drop(offer, W) == GameResult(B, Win.OIN, 2, How.CUBE_DROPPED)
    assert drop(double(Cube(), W, SHORT, MATCH), B).points == 1


def test_a_beaver_doubles_again_and_keeps_the_cube() -> None:
    beavered = beaver(double(Cube(), W, SHORT, MONEY), B, SHORT, MONEY)
    assert take(beavered, W) == Cube(4, B)
    assert drop(beavered, W) == GameResult(B, Win.OIN, 2, How.CUBE_DROPPED)


def test_a_beaver_is_not_beavered() -> None:
    beavered = beaver(double(Cube(), W, SHORT, MONEY), B, SHORT, MONEY)
    with pytest.raises(ActionError, match="take or drop"):
        beaver(beavered, W, SHORT, MONEY)


def test_beavers_are_for_money_games_of_sets_that_have_them() -> None:
    with pytest.raises(ActionError, match="money"):
        beaver(double(Cube(), W, SHORT, MATCH), B, SHORT, MATCH)
    sport = rules("sport-rf")
    with pytest.raises(ActionError, match="allow"):
        beaver(double(Cube(), W, sport, MONEY), B, sport, MONEY)


def test_nobody_answers_what_was_not_offered_or_his_own_double() -> None:
    offer = double(Cube(), W, SHORT, MONEY)
    for cube, color in ((Cube(), B), (offer, W)):
        for answer in (take, drop):
            with pytest.raises(ActionError, match="no double"):
                answer(cube, color)
        with pytest.raises(ActionError, match="no double"):
            beaver(cube, color, SHORT, MONEY)


def test_there_is_no_second_double_while_one_waits() -> None:
    offer = double(Cube(), W, SHORT, MATCH)
    for color in Color:
        with pytest.raises(ActionError, match="waiting"):
            double(offer, color, SHORT, MATCH)


def test_sets_without_a_cube_have_no_doubling() -> None:
    with pytest.raises(ActionError, match="bolshie-nardy is played without a cube"):
        double(Cube(), W, rules("bolshie-nardy"), MATCH)
    assert may_double(Cube(), W, rules("bolshie-nardy+cube=yes"), MATCH) is None


def test_there_is_no_doubling_in_the_crawford_game_and_again_after_it() -> None:
    score = MatchScore(5, white=4)
    with pytest.raises(ActionError, match="Crawford"):
        double(Cube(), B, SHORT, score)
    after = score.after(GameResult(B, Win.OIN, 1, How.PLAYED), SHORT)
    assert may_double(Cube(), B, SHORT, after) is None


def test_the_cube_has_an_end() -> None:
    with pytest.raises(ActionError, match=str(LARGEST)):
        double(Cube(LARGEST, W), W, SHORT, MONEY)
    last = double(Cube(LARGEST // 2, W), W, SHORT, MONEY)
    with pytest.raises(ActionError, match=str(LARGEST)):
        beaver(last, B, SHORT, MONEY)
    assert take(last, B).value == LARGEST


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("dtbx"), st.sampled_from(Color)), max_size=40))
def test_whatever_is_tried_the_cube_stays_a_cube(tries: list[tuple[str, Color]]) -> None:
    cube = Cube()
    for action, color in tries:
        try:
            if action == "d":
                cube = double(cube, color, SHORT, MONEY)
            elif action == "t":
                cube = take(cube, color)
            elif action == "b":
                cube = beaver(cube, color, SHORT, MONEY)
            else:
                result = drop(cube, color)
                assert result.winner is color.other
                assert 1 <= result.points <= LARGEST
                cube = Cube()
        except ActionError:
            continue
        assert cube.value in {2**n for n in range(11)}
        assert cube.turned or cube.owner is None
