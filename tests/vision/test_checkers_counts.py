import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.checkers_counts import (
    OUTCOMES,
    CountSettings,
    class_probabilities,
    depth_probability,
    outcome,
    outcome_probabilities,
    with_cover,
    with_feet,
    with_foreign,
    with_sum,
)
from vision.checkers_network import CLASSES, HIDDEN, STACKED
from vision.observation import Side

SETTINGS = CountSettings()


def sure_of(classes: list[int]) -> np.ndarray:
    logits = np.zeros((len(classes), CLASSES))
    logits[np.arange(len(classes)), classes] = 14.0
    return class_probabilities(logits, SETTINGS)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1))
def test_probabilities_of_a_point_sum_to_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    classes = class_probabilities(rng.normal(0, 4, (24, CLASSES)), SETTINGS)
    outcomes = with_sum(outcome_probabilities(classes, rng.random(24)), SETTINGS)
    assert outcomes.shape == (24, OUTCOMES)
    assert np.allclose(outcomes.sum(axis=1), 1)
    assert (outcomes >= 0).all()


def test_outcomes_name_side_and_count() -> None:
    assert outcome(0) == (None, 0)
    assert outcome(1) == (Side.LIGHT, 1)
    assert outcome(15) == (Side.LIGHT, 15)
    assert outcome(16) == (Side.DARK, 1)
    assert outcome(OUTCOMES - 1) == (Side.DARK, 15)


def test_a_stack_is_given_what_the_others_leave_of_fifteen() -> None:
    classes = sure_of([3, 2, STACKED, 0])
    outcomes = with_sum(outcome_probabilities(classes, np.ones(4)), SETTINGS)
    assert outcome(int(outcomes[2].argmax())) == (Side.LIGHT, 10)


def test_a_covered_point_is_weighed_by_the_sum() -> None:
    classes = sure_of([6, 6, HIDDEN])
    outcomes = with_sum(outcome_probabilities(classes, np.ones(3)), SETTINGS)
    held = outcomes[2, 1:]
    assert held.argmax() + 1 == 3


def test_checkers_on_the_bar_count_towards_fifteen() -> None:
    classes = sure_of([6, 6, HIDDEN])
    outcomes = with_sum(outcome_probabilities(classes, np.ones(3)), SETTINGS, (2, 0))
    assert outcomes[2, 1:].argmax() + 1 == 1


def test_more_than_fifteen_of_a_side_is_doubted() -> None:
    logits = np.zeros((3, CLASSES))
    logits[[0, 1], 6] = 14
    logits[2, 4], logits[2, 3] = 5.0, 4.5
    classes = class_probabilities(logits, SETTINGS)
    outcomes = with_sum(outcome_probabilities(classes, np.zeros(3)), SETTINGS)
    assert outcome(int(outcomes[2].argmax())) == (Side.DARK, 3)


def test_an_unsure_colour_splits_the_probability() -> None:
    outcomes = outcome_probabilities(sure_of([2]), np.array([0.5]))
    assert outcomes[0, 2] == pytest.approx(outcomes[0, 17])


def test_five_in_a_row_may_hide_layers_until_the_others_make_ten() -> None:
    logits = np.full((3, CLASSES), -9.0)
    logits[[0, 1], [5, 4]] = 9
    logits[2, 5], logits[2, STACKED] = 2.0, 1.0
    classes = class_probabilities(logits, SETTINGS)
    deep = {}
    for case, first in (("enough", 0), ("too few", 1)):
        shown = classes[first:] if first else classes
        outcomes = outcome_probabilities(shown, np.ones(len(shown)))
        weighed = with_sum(outcomes, SETTINGS, (1, 0) if case == "enough" else (0, 0))
        deep[case] = float(depth_probability(shown, weighed)[-1])
    assert deep["enough"] < 0.15
    assert deep["too few"] > 0.25


def test_a_foot_under_something_hides_its_point() -> None:
    classes = with_cover(sure_of([2, 2, 2]), np.array([0.2, 0.75, 1.0]))
    assert classes[:, HIDDEN] == pytest.approx([0, 0.5, 1], abs=1e-3)
    assert classes.sum(axis=1) == pytest.approx([1, 1, 1])


def test_a_row_that_does_not_reach_the_rim_may_be_one_shorter() -> None:
    classes = np.zeros((4, 10))
    classes[[0, 1], 2] = 1.0
    classes[2, 1] = 1.0
    classes[3, 0] = 1.0
    read = with_feet(classes, np.array([0.95, 0.1, 0.1, 0.0]))
    assert read.sum(axis=1) == pytest.approx(1.0)
    assert read[0, 2] == 1.0
    assert read[1, 2] > read[1, 1] > 0.3
    assert read[2, 1] == 1.0
    assert read[3, 0] == 1.0


def test_what_the_network_calls_covered_is_not_where_nothing_strange_is_seen() -> None:
    classes = class_probabilities(np.log(np.array([[0.3, *[0.001] * 8, 0.7]] * 2)), SETTINGS)
    made = with_cover(classes, np.zeros(2), np.array([0.0, 0.2]))
    assert made[0, 0] > 0.9
    assert made[1, HIDDEN] == pytest.approx(classes[1, HIDDEN])


def test_a_foreign_colour_is_doubted_unless_the_shape_is_plain() -> None:
    faint = class_probabilities(np.log(np.array([[0.8, 0.18, *[0.0025] * 8]])), SETTINGS)
    plain = sure_of([1])
    assert with_foreign(faint, np.ones(1))[0, 0] > 0.97
    assert with_foreign(plain, np.ones(1))[0, 1] > 0.99
    assert with_foreign(faint, np.zeros(1)) == pytest.approx(faint)


def test_checkers_of_no_sure_side_go_to_the_side_that_lacks_them() -> None:
    classes = sure_of([6, 6, 6, 6, 3, 3])
    light = np.array([1.0, 1.0, 0.0, 0.0, 1.0, 0.5])
    outcomes = with_sum(outcome_probabilities(classes, light), SETTINGS)
    assert outcome(int(outcomes[5].argmax())) == (Side.DARK, 3)
    assert outcomes[5].max() > 0.99


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 2**32 - 1))
def test_the_sum_weighs_both_sides_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    outcomes = np.zeros((3, OUTCOMES))
    for row in outcomes:
        row[rng.choice(OUTCOMES, 4, replace=False)] = rng.dirichlet(np.ones(4))
    prior = np.ones(17)
    prior[15], prior[16] = SETTINGS.all_on_board, SETTINGS.too_many
    expected = np.zeros_like(outcomes)
    for case in itertools.product(*(np.flatnonzero(row) for row in outcomes)):
        light = 1 + sum(int(k) for k in case if k <= 15)
        dark = 2 + sum(int(k) - 15 for k in case if k > 15)
        chance = prior[min(light, 16)] * prior[min(dark, 16)]
        chance *= np.prod([row[k] for row, k in zip(outcomes, case, strict=True)])
        for row, k in zip(expected, case, strict=True):
            row[k] += chance
    expected /= expected.sum(axis=1, keepdims=True)
    assert with_sum(outcomes, SETTINGS, (1, 2)) == pytest.approx(expected)
