from dataclasses import replace

import numpy as np
import pytest

from calibration.layout import BoardLayout, Corner
from referee.evidence import (
    OUTCOMES,
    Touched,
    evidence_of,
    fuse,
    outcome,
    outcomes_of,
    reading_of,
    with_touch,
)
from rules import Color, Position
from tests.support.looks import changed, seen
from tests.support.looks import reading_of as look_of
from vision.observation import Side

MIDDLE = Position.of({24: 10, 18: 3, 4: 2}, {12: 9, 5: 4, 20: 2})


@pytest.mark.parametrize("corner", list(Corner))
@pytest.mark.parametrize("white", list(Side))
def test_a_clear_look_makes_the_true_outcome_the_likeliest_on_every_point(
    corner: Corner, white: Side
) -> None:
    layout = BoardLayout(corner)
    evidence = evidence_of(look_of(MIDDLE, layout=layout, white=white), layout, white)
    assert np.array_equal(evidence.points.argmax(axis=1), outcomes_of([MIDDLE])[0])


def test_each_row_is_a_probability_distribution() -> None:
    evidence = seen(MIDDLE, hidden=(24,))
    assert evidence.points.shape == (24, OUTCOMES)
    assert np.allclose(np.exp(evidence.points).sum(axis=1), 1.0)


def test_one_checker_off_is_likelier_than_anything_else_wrong() -> None:
    row = seen(MIDDLE).points[17]
    assert row[outcome(Color.WHITE, 4)] > row[outcome(Color.WHITE, 8)]
    assert row[outcome(Color.WHITE, 4)] > row[outcome(Color.BLACK, 3)]


def test_a_hidden_stack_leaves_all_its_counts_open() -> None:
    row = seen(MIDDLE, hidden=(24,)).points[23]
    deep = [row[outcome(Color.WHITE, n)] for n in range(10, 16)]
    assert max(deep) - min(deep) < 0.5


def test_fusing_equal_looks_adds_no_certainty() -> None:
    one = seen(MIDDLE)
    assert np.allclose(fuse([one, one, one]).points, one.points)


def test_the_true_position_is_likelier_than_its_neighbour() -> None:
    near = Position.of({24: 10, 18: 2, 17: 1, 4: 2}, {12: 9, 5: 4, 20: 2})
    logs = seen(MIDDLE).log_likelihood(outcomes_of([MIDDLE, near]))
    assert logs[0] > logs[1] + 5


@pytest.mark.parametrize("corner", list(Corner))
@pytest.mark.parametrize("white", list(Side))
def test_a_known_position_written_as_a_reading_is_read_back(
    corner: Corner, white: Side
) -> None:
    layout = BoardLayout(corner)
    evidence = evidence_of(reading_of(MIDDLE, layout, white), layout, white)
    assert np.array_equal(evidence.points.argmax(axis=1), outcomes_of([MIDDLE])[0])
    assert evidence.bar == (0, 0)


def test_a_slip_of_one_look_among_three_leaves_no_trace() -> None:
    slip = seen(Position.of({24: 10, 18: 2, 4: 3}, {12: 9, 5: 4, 20: 2}))
    right = seen(MIDDLE)
    assert np.allclose(fuse([right, slip, right]).points, right.points)


def test_a_bar_is_what_most_looks_show() -> None:
    one = seen(MIDDLE)
    other = replace(one, bar=(1, 0))
    assert fuse([one, other, one]).bar == (0, 0)
    assert fuse([one, other]).bar == (None, None)


def test_an_untouched_point_holds_what_it_held() -> None:
    look = seen(MIDDLE, hidden=(24,))
    read = with_touch(look, Touched(MIDDLE, changed({18: 1.0})))
    held, fewer = outcome(Color.WHITE, 10), outcome(Color.WHITE, 9)
    before = look.points[23, held] - look.points[23, fewer]
    assert read.points[23, held] - read.points[23, fewer] > before + 2
    three, two = outcome(Color.WHITE, 3), outcome(Color.WHITE, 2)
    assert read.points[17, three] - read.points[17, two] < (
        look.points[17, three] - look.points[17, two]
    )


def test_a_shadow_over_a_row_speaks_for_nothing_and_a_checkers_area_does() -> None:
    look = seen(MIDDLE)
    three, two = outcome(Color.WHITE, 3), outcome(Color.WHITE, 2)

    def gained(area: float) -> float:
        read = with_touch(look, Touched(MIDDLE, changed({18: area})))
        return float(
            (read.points - look.points)[17, three] - (read.points - look.points)[17, two]
        )

    assert gained(0.3) > 1.5
    assert gained(1.0) < -3


def test_an_edge_that_shows_on_a_stack_in_layers_is_a_checker_more_or_less() -> None:
    look = seen(MIDDLE, hidden=(24,))
    read = with_touch(look, Touched(MIDDLE, changed({24: 0.3})))
    held, fewer = outcome(Color.WHITE, 10), outcome(Color.WHITE, 9)
    assert read.points[23, held] - read.points[23, fewer] < (
        look.points[23, held] - look.points[23, fewer] - 1
    )
