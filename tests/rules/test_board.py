import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    CHECKERS,
    VARIANTS,
    Color,
    Position,
    PositionError,
    Roll,
    RollError,
    judge_play,
    legal_turns,
)
from tests.support.boards import LONG_START, SHORT_START, B, W, board, roll, rules, start


@pytest.mark.parametrize("name", VARIANTS)
def test_each_side_starts_with_fifteen(name: str) -> None:
    position = start(VARIANTS[name])
    for color in Color:
        on_board = sum(n for _, side, n in position.occupied() if side is color)
        assert (on_board, position.off(color), position.bar(color)) == (CHECKERS, 0, 0)


def test_the_long_start_reads_as_in_the_contract() -> None:
    assert LONG_START.to_json() == {
        "points": {"24": "w15", "12": "b15"},
        "off": {"w": 0, "b": 0},
    }


def test_the_bar_is_named_when_asked_or_when_a_checker_lies_on_it() -> None:
    assert SHORT_START.to_json(with_bar=True)["bar"] == {"w": 0, "b": 0}
    assert "bar" not in SHORT_START.to_json()
    assert board("24:w* bar:w1 1:b15").to_json()["bar"] == {"w": 1, "b": 0}


def test_points_are_listed_highest_first() -> None:
    points = [int(key) for key in SHORT_START.to_json()["points"]]
    assert points == sorted(points, reverse=True)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    owner = draw(st.permutations(range(1, 25)))
    cut = draw(st.integers(1, 23))
    sides: list[dict[int, int]] = []
    rest: list[tuple[int, int]] = []
    for points in (owner[:cut], owner[cut:]):
        off, bar = draw(st.integers(0, 10)), draw(st.integers(0, 5))
        stacks: dict[int, int] = {}
        for _ in range(CHECKERS - off - bar):
            point = draw(st.sampled_from(points))
            stacks[point] = stacks.get(point, 0) + 1
        sides.append(stacks)
        rest.append((off, bar))
    (white_off, white_bar), (black_off, black_bar) = rest
    return Position.of(*sides, off=(white_off, black_off), bar=(white_bar, black_bar))


@settings(max_examples=60, deadline=None)
@given(positions())
def test_reading_what_was_written_gives_the_same_position(position: Position) -> None:
    assert Position.from_json(json.loads(json.dumps(position.to_json()))) == position
    assert board(str(position)) == position


GOOD: dict[str, Any] = {"points": {"24": "w15", "12": "b15"}, "off": {"w": 0, "b": 0}}


def changed(**changes: object) -> dict[str, Any]:
    return {**GOOD, **changes}


BAD_POSITIONS: dict[str, object] = {
    "nothing": None,
    "a list": [],
    "a text": "24:w15",
    "no points": {"off": {"w": 0, "b": 0}},
    "points in a list": changed(points=["w15"]),
    "points null": changed(points=None),
    "sixteen checkers": changed(points={"24": "w15", "23": "w1", "12": "b15"}),
    "sixteen with those off": changed(off={"w": 1, "b": 0}),
    "fourteen checkers": changed(points={"24": "w14", "12": "b15"}),
    "one side missing": changed(points={"24": "w15"}),
    "point 0": changed(points={"24": "w14", "0": "w1", "12": "b15"}),
    "point 25": changed(points={"24": "w14", "25": "w1", "12": "b15"}),
    "point 01": changed(points={"24": "w14", "01": "w1", "12": "b15"}),
    "point -1": changed(points={"24": "w14", "-1": "w1", "12": "b15"}),
    "point with a blank": changed(points={"24 ": "w15", "12": "b15"}),
    "point with a line feed": changed(points={"24\n": "w15", "12": "b15"}),
    "arabic-indic digits": changed(points={"٢٤": "w15", "12": "b15"}),
    "point by number": changed(points={24: "w15", "12": "b15"}),
    "unknown side": changed(points={"24": "x15", "12": "b15"}),
    "capital side": changed(points={"24": "W15", "12": "b15"}),
    "stack as number": changed(points={"24": 15, "12": "b15"}),
    "stack null": changed(points={"24": None, "12": "b15"}),
    "stack without number": changed(points={"24": "w", "12": "b15"}),
    "negative stack": changed(points={"24": "w-15", "12": "b15"}),
    "huge stack": changed(points={"24": "w" + "9" * 400, "12": "b15"}),
    "ninety-nine checkers": changed(points={"24": "w99", "12": "b15"}),
    "fraction in a stack": changed(points={"24": "w15.0", "12": "b15"}),
    "off true": changed(points={"24": "w14", "12": "b15"}, off={"w": True, "b": 0}),
    "off a fraction": changed(points={"24": "w14", "12": "b15"}, off={"w": 1.0, "b": 0}),
    "off a text": changed(points={"24": "w14", "12": "b15"}, off={"w": "1", "b": 0}),
    "off negative": changed(off={"w": -1, "b": 0}),
    "off huge": changed(off={"w": 10**40, "b": 0}),
    "off a list": changed(off=[0, 0]),
    "off of a third side": changed(off={"w": 0, "b": 0, "x": 0}),
    "bar too full": changed(bar={"w": 16, "b": 0}),
    "bar makes sixteen": changed(bar={"w": 1, "b": 0}),
    "unknown part": changed(bat={"w": 0, "b": 0}),
}


@pytest.mark.parametrize("case", BAD_POSITIONS)
def test_a_position_that_cannot_be_is_refused_with_a_word(case: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position.from_json(BAD_POSITIONS[case])
    assert str(caught.value)
    assert caught.value.code == "bad_position"


def test_a_refusal_says_how_many_checkers_there_are() -> None:
    with pytest.raises(PositionError, match="White has 16 checkers, must have 15"):
        Position.from_json(changed(off={"w": 1, "b": 0}))


def test_no_point_holds_both_sides() -> None:
    with pytest.raises(PositionError, match="point 12 cannot hold both"):
        Position.of({24: 14, 12: 1}, {12: 15})


def test_counts_of_zero_do_not_count_as_holding_a_point() -> None:
    assert Position.of({24: 15, 12: 0}, {12: 15}) == LONG_START


def test_points_outside_the_board_are_refused() -> None:
    for point in (0, 25, -1):
        with pytest.raises(PositionError):
            Position.of({24: 14, point: 1}, {12: 15})


def test_asking_for_places_beside_the_points_counts_nothing() -> None:
    off = board("1:w* off:w7 13:b15")
    assert (off.count(W, 0), off.count(W, 25), off.off(W), off.count(W, 1)) == (0, 0, 7, 8)


BAD_DICE: list[object] = [
    None, 6, "6-5", [], [6], [6, 5, 4], [0, 1], [7, 1], [-1, 1], [6.0, 5], ["6", "5"],
    [True, 1], [None, 1], [10**30, 1], {"a": 6, "b": 5},
]  # fmt: skip


@pytest.mark.parametrize("dice", BAD_DICE, ids=str)
def test_dice_that_no_throw_shows_are_refused(dice: object) -> None:
    with pytest.raises(RollError) as caught:
        Roll.from_json(dice)
    assert caught.value.code == "bad_dice"


def test_a_double_is_four_numbers() -> None:
    assert Roll(3, 3).numbers == (3, 3, 3, 3)
    assert Roll(2, 5).numbers == (2, 5)
    assert (Roll(2, 5).larger, Roll(2, 5).smaller) == (5, 2)


@pytest.mark.parametrize("color", Color)
def test_long_nardy_has_no_bar(color: Color) -> None:
    variant = rules("bolshie-nardy")
    on_bar = board("24:w* 12:b14 bar:b1")
    with pytest.raises(PositionError, match="no bar"):
        legal_turns(on_bar, color, roll("6-5"), variant)
    with pytest.raises(PositionError, match="no bar"):
        judge_play(on_bar, color, roll("6-5"), LONG_START, variant)
    with pytest.raises(PositionError, match="no bar"):
        judge_play(LONG_START, color, roll("6-5"), on_bar, variant)


def test_black_counts_as_white_does_from_its_own_head() -> None:
    black = legal_turns(LONG_START, B, roll("6-5"), rules("bolshie-nardy"))
    assert [str(turn.result) for turn in black] == ["24:w15 12:b14 1:b1"]
