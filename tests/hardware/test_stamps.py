import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.stamps import StampClock


def run(pairs: list[tuple[float | None, float]]) -> list[float]:
    clock, results = StampClock(), []
    for stamp_s, arrived_s in pairs:
        at_s, clock = clock.mapped(stamp_s, arrived_s)
        results.append(at_s)
    return results


def test_stamps_of_our_own_clock_are_taken_as_they_are() -> None:
    assert run([(99.95, 100.0), (100.05, 100.4)]) == [99.95, 100.05]


def test_a_picture_of_our_own_clock_that_lay_waiting_for_long_is_seen_to_be_old() -> None:
    assert run([(99.95, 100.0), (100.05, 109.0), (108.95, 109.0)]) == [99.95, 100.05, 108.95]


def test_another_clock_is_brought_onto_ours_by_its_least_delay() -> None:
    rng = np.random.default_rng(1)
    true = np.arange(200) / 15 + 50.0
    delays = 0.02 + rng.exponential(0.03, 200)
    got = run([(float(t) + 1.9e9, float(t + d)) for t, d in zip(true, delays, strict=True)])
    late = np.array(got) - true
    # Whatever the delay varies by is taken out; only the least delay is left in.
    assert late[50:].max() < delays.min() + 0.005
    assert np.all(late[50:] >= 0)


def test_without_stamps_arrival_counts() -> None:
    assert run([(None, 5.0), (0.0, 6.0), (-1.0, 7.0)]) == [5.0, 6.0, 7.0]


@pytest.mark.parametrize("jump_s", [-3600.0, -1.0, 1.0, 3600.0])
def test_a_clock_that_is_set_does_not_date_presses_to_the_past(jump_s: float) -> None:
    got = run([(1.9e9, 10.0), (1.9e9 + 5, 15.0), (1.9e9 + 65 + jump_s, 75.0)])
    assert got[-1] == pytest.approx(75.0)


@given(st.lists(st.tuples(st.floats(-10, 1e5), st.floats(0, 10)), max_size=30))
def test_results_never_go_back_and_never_lie_in_the_future(
    steps: list[tuple[float, float]],
) -> None:
    now_s, pairs = 100.0, []
    for stamp_s, gap_s in steps:
        now_s += gap_s
        pairs.append((stamp_s, now_s))
    got = run(list(pairs))
    assert got == sorted(got)
    assert all(at_s <= arrived_s for at_s, (_, arrived_s) in zip(got, pairs, strict=True))
