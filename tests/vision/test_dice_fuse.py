from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dice_fuse import fuse_looks
from vision.observation import DieReading, Half, Surface


def die(value: int | None, x: float = 100.0, confidence: float = 0.95) -> DieReading:
    return DieReading(value, (x, 100.0), (x - 10, 90.0, 20.0, 20.0), confidence)


def test_no_looks_hold_no_dice() -> None:
    assert fuse_looks([]) == ()
    assert fuse_looks([[], []]) == ()


def test_one_look_is_left_as_it_is() -> None:
    (fused,) = fuse_looks([[die(5, confidence=0.93)]])
    assert fused.value == 5
    assert fused.confidence == pytest.approx(0.93)


def test_a_second_look_that_agrees_makes_the_first_surer_but_is_no_second_witness() -> None:
    (fused,) = fuse_looks([[die(5, confidence=0.9)], [die(5, confidence=0.9)]])
    assert fused.value == 5
    assert 0.9 < fused.confidence < 0.99 - 0.002


def test_two_looks_that_contradict_each_other_make_the_number_unsure() -> None:
    (fused,) = fuse_looks([[die(5, confidence=0.999)], [die(4, confidence=0.9)]])
    assert fused.value is None
    assert fused.confidence <= 0.5


def test_a_third_look_does_not_outvote_a_contradiction() -> None:
    looks = [[die(5)], [die(5)], [die(3)]]
    assert fuse_looks(looks)[0].value is None


def test_a_look_that_cannot_tell_leaves_the_number_of_a_sure_one() -> None:
    (fused,) = fuse_looks([[die(6, confidence=0.98)], [die(None, confidence=0.4)]])
    assert fused.value == 6
    assert fused.confidence < 0.98


def test_dice_that_no_look_can_read_stay_unsure() -> None:
    (fused,) = fuse_looks([[die(None, confidence=0.4)], [die(None, confidence=0.6)]])
    assert fused.value is None
    assert fused.confidence == 0.6


def test_what_only_one_of_three_looks_saw_is_no_die() -> None:
    assert fuse_looks([[die(5)], [], []]) == ()
    assert len(fuse_looks([[die(5)], []])) == 1


def test_dice_side_by_side_are_not_mixed_up() -> None:
    looks = [[die(2, 100), die(6, 121)], [die(6, 122), die(2, 101)]]
    assert [one.value for one in fuse_looks(looks)] == [2, 6]


def test_a_die_that_moved_between_the_looks_is_two() -> None:
    assert len(fuse_looks([[die(2, 100)], [die(2, 160)]])) == 2


def test_the_place_is_that_of_the_latest_look() -> None:
    (fused,) = fuse_looks([[die(2, 100)], [die(2, 103)]])
    assert fused.center_px == (103, 100.0)


def test_how_it_lies_is_told_where_no_look_says_otherwise() -> None:
    flat, tilted = replace(die(4), flat=True, tilt_deg=2.0), replace(die(4), flat=False)
    assert fuse_looks([[flat], [die(4)]])[0].flat is True
    assert fuse_looks([[flat], [tilted]])[0].flat is None
    assert fuse_looks([[flat], [replace(flat, tilt_deg=4.0)]])[0].tilt_deg == 3.0


def test_where_it_lies_is_unsure_when_the_looks_differ() -> None:
    left = replace(die(4), half=Half.LEFT, on=Surface.BOARD)
    bar = replace(left, half=Half.BAR)
    fused = fuse_looks([[left], [bar]])[0]
    assert fused.half is None
    assert fused.on is Surface.BOARD


def test_what_any_look_saw_it_touch_it_touches() -> None:
    touching = replace(die(4), touches=frozenset({Surface.WALL}))
    assert fuse_looks([[die(4)], [touching]])[0].touches == {Surface.WALL}


@given(st.lists(st.tuples(st.integers(1, 6), st.floats(0.3, 0.999)), min_size=1, max_size=5))
def test_the_order_of_the_looks_does_not_change_the_number(
    told: list[tuple[int, float]],
) -> None:
    looks = [[die(value, confidence=sure)] for value, sure in told]
    forth, back = fuse_looks(looks), fuse_looks(looks[::-1])
    assert [one.value for one in forth] == [one.value for one in back]
    assert forth[0].confidence == pytest.approx(back[0].confidence)


@given(st.lists(st.floats(0.85, 0.999), min_size=2, max_size=5))
def test_looks_that_agree_never_make_it_less_sure(sure: list[float]) -> None:
    (fused,) = fuse_looks([[die(3, confidence=one)] for one in sure])
    assert fused.value == 3
    assert fused.confidence >= max(sure) - 1e-9
