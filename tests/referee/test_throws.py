from dataclasses import replace

import pytest

from referee.throws import dice_in_play, facts_of, judge_dice, throw_to_json
from rules import variant_named
from rules.throw import Lies, ThrowVerdict
from tests.support.looks import die
from vision.observation import DieReading, Half, Surface

LAW = variant_named("bolshie-nardy").throw


def test_two_flat_dice_on_one_half_count() -> None:
    judged = judge_dice([die(6, 500), die(5, 560)], LAW)
    assert judged.verdict is ThrowVerdict.VALID
    assert judged.values == (6, 5)


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (die(5, 100, half=Half.LEFT), "different_halves"),
        (die(5, 560, on=Surface.CHECKER), "on_checker"),
        (die(5, 560, flat=False), "tilted"),
        (die(5, 560, half=Half.BAR, on=Surface.WALL), "on_woodwork"),
        (die(5, 900, half=Half.OFF, on=Surface.OFF), "off_board"),
    ],
)
def test_each_way_of_lying_wrong_voids_with_its_reason(second: DieReading, reason: str) -> None:
    line = throw_to_json(judge_dice([die(6, 500), second], LAW))
    assert line["verdict"] == "void"
    assert isinstance(line["reasons"], list)
    assert reason in line["reasons"]


def test_an_unread_face_is_a_question_not_a_throw() -> None:
    line = throw_to_json(judge_dice([die(6, 500), die(None, 560)], LAW))
    assert line == {"verdict": "unsure", "reasons": [], "open": ["value_unsure"]}


def test_one_die_alone_is_a_question() -> None:
    assert judge_dice([die(6, 500)], LAW).verdict is ThrowVerdict.UNSURE


def test_spare_dice_beside_the_board_take_no_part() -> None:
    spare = [die(1, 900, half=Half.OFF, on=Surface.OFF), die(2, 950, half=Half.OFF)]
    on_board = [die(6, 500), die(5, 560)]
    assert dice_in_play([*spare, *on_board]) == tuple(on_board)


def test_dice_that_all_lie_beside_the_board_are_no_throw() -> None:
    beside = [die(1, 900, half=Half.OFF), die(2, 950, half=Half.OFF)]
    assert dice_in_play(beside) == ()


def sized(one: DieReading, size_px: float) -> DieReading:
    return replace(one, box_px=(*one.box_px[:2], size_px, size_px))


def test_what_is_much_smaller_than_two_dice_is_no_third_one() -> None:
    screw = sized(die(1, 300), 22.0)
    dice = sized(die(6, 500), 40.0), sized(die(5, 560), 44.0)
    assert dice_in_play([screw, *dice]) == dice


def test_a_thing_as_large_as_the_dice_or_larger_leaves_the_throw_a_question() -> None:
    dice = [sized(die(6, 500), 30.0), sized(die(5, 560), 32.0)]
    for size_px in (25.0, 90.0):
        assert len(dice_in_play([sized(die(2, 300), size_px), *dice])) == 3
    # Two small things are not taken for the dice because they are two.
    small = [sized(die(2, 300), 20.0), sized(die(1, 340), 21.0)]
    assert len(dice_in_play([*small, dice[0]])) == 3


def test_a_hinge_that_looks_a_little_like_a_die_does_not_spoil_a_sure_throw() -> None:
    hinge = replace(die(1, 480, half=Half.BAR, on=Surface.WALL), confidence=0.76)
    assert dice_in_play([hinge, die(6, 500), die(5, 560)]) == (die(6, 500), die(5, 560))


def test_a_screw_on_the_bar_makes_a_throw_unsure_but_never_void() -> None:
    screw = replace(die(1, 480, half=Half.BAR, on=Surface.WALL), confidence=0.95)
    judged = judge_dice([screw, die(6, 500)], LAW)
    assert judged.verdict is ThrowVerdict.UNSURE


def test_a_third_die_on_the_field_is_a_question_even_when_it_is_hard_to_read() -> None:
    third = replace(die(None, 620), confidence=0.6)
    judged = judge_dice([die(6, 500), die(5, 560), third], LAW)
    assert judged.verdict is ThrowVerdict.UNSURE


def test_a_die_on_the_bar_still_voids_the_throw() -> None:
    judged = judge_dice([die(6, 500), die(5, 480, half=Half.BAR, on=Surface.WALL)], LAW)
    assert judged.verdict is ThrowVerdict.VOID


def test_a_die_of_unknown_place_stays_unknown() -> None:
    facts = facts_of(die(3, 500, half=None, on=None))
    assert facts.lies is None
    assert facts.on_checker is None


def test_a_die_on_a_checker_is_on_it_in_whichever_half() -> None:
    facts = facts_of(die(3, 500, half=None, on=Surface.CHECKER))

    assert facts.lies is None
    assert facts.on_checker is True


def test_a_die_on_the_wall_lies_on_the_woodwork_in_any_half() -> None:
    assert facts_of(die(3, 500, on=Surface.WALL)).lies is Lies.WOODWORK
