from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dice_pool import (
    ANSWERS,
    BOARD_WEIGHTS,
    NO_DIE,
    PHOTO_WEIGHTS,
    UNREADABLE,
    Chances,
    PoolWeights,
    Spot,
    chances,
    classical_chances,
    net_chances,
    pool,
    two_witnesses,
)
from vision.observation import DieReading

WEIGHTS = [PHOTO_WEIGHTS, BOARD_WEIGHTS]


def face(value: int, probability: float) -> DieReading:
    return DieReading(value, (50.0, 50.0), (40.0, 40.0, 20.0, 20.0), probability)


def judged(answer: int, probability: float = 0.97) -> Chances:
    chances = np.full(ANSWERS, (1 - probability) / (ANSWERS - 1))
    chances[answer] = probability
    return chances


def netted(value: int, die: float = 0.95) -> Chances:
    return net_chances(die, np.where(np.arange(1, 7) == value, 0.95, 0.01))


def spot(
    classical: DieReading | None = None,
    net: Chances | None = None,
    judge: Chances | None = None,
) -> Spot:
    own = judged(5) if judge is None else judge
    return Spot((50.0, 50.0), (40.0, 40.0, 20.0, 20.0), classical, net, own)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_three_readers_that_agree_are_very_sure(weights: PoolWeights) -> None:
    (said,) = pool([spot(face(5, 0.98), netted(5))], weights)
    assert said.argmax() == 5
    assert said[5] > 0.97


@pytest.mark.parametrize("weights", WEIGHTS)
def test_a_screw_that_only_the_classical_reader_takes_for_a_die_is_none(
    weights: PoolWeights,
) -> None:
    (said,) = pool([spot(face(1, 0.9), None, judged(NO_DIE))], weights)
    assert said.argmax() == NO_DIE


@pytest.mark.parametrize("weights", WEIGHTS)
def test_an_ornament_that_only_the_network_takes_for_a_die_is_none(
    weights: PoolWeights,
) -> None:
    (said,) = pool([spot(None, netted(6, 0.9), judged(NO_DIE))], weights)
    assert said.argmax() == NO_DIE


@pytest.mark.parametrize("weights", WEIGHTS)
def test_readers_that_disagree_on_the_number_are_not_sure(weights: PoolWeights) -> None:
    (said,) = pool([spot(face(4, 0.97), netted(5), judged(4, 0.6))], weights)
    assert said[1:7].max() < 0.99


@given(
    st.integers(1, 6),
    st.floats(0, 1),
    st.integers(1, 6),
    st.floats(0, 1),
    st.integers(0, 7),
    st.floats(0.2, 1),
    st.booleans(),
)
def test_what_comes_out_are_probabilities(
    value: int, sure: float, other: int, die: float, answer: int, clear: float, seen: bool
) -> None:
    one = spot(face(value, sure) if seen else None, netted(other, die), judged(answer, clear))
    (said,) = pool([one], PHOTO_WEIGHTS)
    assert said.sum() == pytest.approx(1.0)
    assert (said >= 0).all()


def test_each_readers_chances_add_up() -> None:
    assert netted(3, 0.7).sum() == pytest.approx(1.0)
    assert classical_chances(2, 0.8).sum() == pytest.approx(1.0)


def test_a_judge_that_cannot_tell_the_face_speaks_for_an_unreadable_die() -> None:
    weights = replace(PHOTO_WEIGHTS, unreadable=1.0)
    (said,) = pool([spot(None, netted(3, 0.9), judged(UNREADABLE))], weights)
    (before,) = pool([spot(None, netted(3, 0.9), judged(3))], weights)
    assert said[UNREADABLE] > before[UNREADABLE]


def test_no_spots_have_no_chances() -> None:
    assert pool([], PHOTO_WEIGHTS).shape == (0, ANSWERS)


def test_two_readers_that_agree_are_believed_against_a_doubtful_judge() -> None:
    one = spot(face(5, 0.95), netted(5, 0.97), judged(NO_DIE, 0.6))
    value, sure = two_witnesses(one)
    assert value == 5
    assert sure > 0.95
    (said,) = chances([one], PHOTO_WEIGHTS)
    assert said[5] == pytest.approx(sure)
    assert said.sum() == pytest.approx(1.0)


def test_a_judge_that_is_sure_of_something_else_has_a_veto() -> None:
    assert two_witnesses(spot(face(5, 0.95), netted(5, 0.97), judged(NO_DIE, 0.97)))[1] == 0
    assert two_witnesses(spot(face(5, 0.95), netted(5, 0.97), judged(4, 0.97)))[1] == 0


def test_two_networks_are_no_two_witnesses_where_the_classical_reader_saw_nothing() -> None:
    both = spot(None, netted(6, 0.99), judged(6, 0.99))
    assert two_witnesses(both)[1] == 0
    assert two_witnesses(replace(both, asked_classical=False))[1] > 0.95


def test_what_was_not_asked_says_nothing() -> None:
    both = spot(None, netted(6, 0.9), judged(6))
    asked, unasked = pool([both, replace(both, asked_classical=False)], BOARD_WEIGHTS)
    assert asked[NO_DIE] > unasked[NO_DIE]
