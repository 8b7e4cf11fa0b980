import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import ButtonSettingError, DebounceSettings, begin, due_s, edge, tick
from tests.hardware.traces import (
    Trace,
    bouncing,
    chatter,
    fast_presses,
    from_file,
    play,
    spikes,
)

S = DebounceSettings()


def test_five_edges_in_eight_milliseconds_are_one_press_at_the_first_edge() -> None:
    """BTN-01."""
    played = play(from_file("bounce_5_edges_8_ms.csv"), 3.0)
    assert played.presses == [1.0]
    assert played.releases == [1.408]
    assert played.faults == []


def test_a_bouncing_release_is_no_second_press() -> None:
    """BTN-03."""
    played = play(from_file("release_bounce.csv"), 4.0)
    assert (played.presses, played.releases) == ([0.5], [1.5])


def test_a_press_counts_when_it_is_made_not_when_it_ends() -> None:
    """CLK-02."""
    played = play([(1.0, True)], 1.5)
    assert (played.presses, played.releases) == ([1.0], [])


def test_spikes_of_a_fifth_of_a_millisecond_are_no_presses_and_are_counted() -> None:
    """BTN-04."""
    played = play(spikes(every_s=1.0, lasts_s=0.0002, until_s=600.5), 610.0)
    assert played.events == []
    assert played.line.noise == 600


def test_two_hundred_presses_of_thirty_milliseconds_are_two_hundred() -> None:
    trace = fast_presses(200, 0.030, 0.030)
    played = play(trace, 20.0)
    assert played.presses == [at_s for at_s, down in trace if down]
    assert played.faults == []
    assert played.line.noise == 0


def test_a_worn_switch_is_one_press() -> None:
    played = play(from_file("slow_switch.csv"), 2.0)
    assert (played.presses, played.faults) == ([0.05], [])


def test_noise_before_a_press_dates_it_by_less_than_the_settling_time_early() -> None:
    played = play(from_file("dirty_contact.csv"), 2.0)
    assert played.presses == [0.2]


@pytest.mark.parametrize("seed", range(40))
def test_a_loose_contact_is_a_fault_and_not_a_row_of_presses(seed: int) -> None:
    """BTN-06."""
    played = play(chatter(seed), 5.0)
    assert played.faults == ["chattering"]
    assert played.healed == 1
    # What looks just like a short press before the chatter shows cannot be told from one.
    assert len(played.presses) <= 2


def test_loose_contacts_seldom_make_any_press_at_all() -> None:
    """BTN-06, over many traces."""
    runs = [play(chatter(seed), 5.0) for seed in range(1000, 1200)]
    assert all(one.faults == ["chattering"] for one in runs)
    assert sum(len(one.presses) for one in runs) <= 0.15 * len(runs)


@pytest.mark.parametrize("seed", range(10))
def test_players_presses_are_all_counted_at_their_first_edge(seed: int) -> None:
    trace, starts = bouncing(seed, 50)
    played = play(trace, trace[-1][0] + 3.0)
    assert played.presses == starts
    assert played.faults == []


def test_held_at_the_start_is_a_fault_until_it_is_let_go() -> None:
    played = play([(4.0, False)], 8.0, down_at_start=True)
    assert played.faults == ["stuck_at_start"]
    assert (played.presses, played.calls, played.healed) == ([], [], 1)
    again = play([(4.0, False), (6.0, True)], 8.0, down_at_start=True)
    assert again.presses == [6.0]


def test_a_button_held_down_calls_the_referee_once() -> None:
    played = play([(1.0, True), (6.0, False)], 9.0)
    assert (played.presses, played.calls, played.releases) == ([1.0], [2.5], [6.0])


def test_a_button_held_for_half_a_minute_is_stuck() -> None:
    played = play([(1.0, True)], 40.0)
    assert (played.calls, played.faults) == ([2.5], ["stuck"])
    let_go = play([(1.0, True), (50.0, False), (60.0, True), (60.2, False)], 70.0)
    assert let_go.presses == [1.0, 60.0]
    assert let_go.healed == 1


def test_a_line_whose_release_was_lost_is_no_press() -> None:
    """BTN-13."""
    played = play(from_file("usb_plugged_in.csv"), 60.0, level=False)
    assert (played.presses, played.calls, played.faults) == ([], [], [])
    assert (played.line.missed, played.line.noise) == (1, 1)
    assert not played.line.settled


def test_a_release_that_was_lost_later_ends_the_press_without_a_call() -> None:
    line = edge(begin(False, 0.0).line, 1.0, True, S).line
    heard = tick(line, 1.02, S, down=True)
    assert [type(one).__name__ for one in heard.events] == ["Down"]
    heard = tick(heard.line, 2.5, S, down=False)
    assert heard.events == ()
    heard = tick(heard.line, 2.51, S, down=False)
    heard = tick(heard.line, 2.54, S, down=False)
    assert [type(one).__name__ for one in heard.events] == ["Up"]
    assert heard.line.missed == 1


def test_an_edge_still_on_its_way_keeps_its_own_time() -> None:
    line = edge(begin(False, 0.0).line, 1.0, True, S).line
    # Woken late: the line is up again, and the edge of that has not been told yet.
    doubtful = tick(line, 1.031, S, down=False)
    assert doubtful.events == ()
    heard = edge(doubtful.line, 1.030, False, S)
    assert [(type(one).__name__, one.at_s) for one in heard.events] == [("Down", 1.0)]
    assert heard.line.missed == 0


def test_two_edges_down_in_a_row_prove_no_press() -> None:
    line = edge(begin(False, 0.0).line, 1.0, True, S).line
    heard = edge(line, 1.5, True, S)
    assert heard.events == ()
    assert heard.line.missed == 1


def test_an_idle_line_wants_no_tick() -> None:
    assert due_s(begin(False, 0.0).line, S) is None
    assert due_s(play([(1.0, True), (1.2, False)], 3.0).line, S) is None


@pytest.mark.parametrize("value", [1, -1, 0, 0.0049, 0.051, float("nan"), "abc", True, None])
def test_a_debounce_time_out_of_range_is_an_error_that_names_the_range(value: object) -> None:
    """BTN-07: the same on every backend, since none of them debounces."""
    with pytest.raises(ButtonSettingError, match=r"stable_s.*Allowed: 0\.005–0\.05") as caught:
        DebounceSettings(stable_s=value)  # type: ignore[arg-type]
    assert "Допустимо" in caught.value.sentence.ru
    assert isinstance(caught.value, ValueError)


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    gaps = draw(st.lists(st.floats(0.0, 2.5), max_size=60))
    times = itertools.accumulate(gaps, initial=1.0)
    return [(at_s, draw(st.booleans())) for at_s in times]


@given(traces(), st.booleans())
def test_whatever_comes_presses_and_releases_take_turns(trace: Trace, down: bool) -> None:
    played = play(trace, trace[-1][0] + 100.0, down_at_start=down)
    assert played.presses == sorted(played.presses)
    # In any stretch without a fault, a press is followed by its release.
    last = "Up"
    for event in played.events:
        name = type(event).__name__
        if name in ("Down", "Up"):
            assert name != last or name == "Down"
            last = name
        elif name == "Faulty":
            last = "Up"
    for at_s in played.presses:
        assert any(at_s == edge_s for edge_s, _ in trace)


@given(traces())
def test_every_press_rests_on_a_level_that_stayed(trace: Trace) -> None:
    played = play(trace, trace[-1][0] + 100.0)
    edges = [at_s for at_s, _ in trace] + [trace[-1][0] + 100.0]
    for at_s in played.presses:
        unrest = [at for at in edges if at >= at_s]
        gaps = [after - before for before, after in itertools.pairwise(unrest)]
        assert any(gap >= S.stable_s - 1e-9 for gap in gaps)
