import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.timer import (
    falls_at_ms,
    new_clock,
    pause,
    press,
    ready,
    restarted,
    start,
    switch_to,
    tick,
)
from referee.timer_json import clock_from_json, clock_to_json, reading_to_json
from referee.timer_reading import ClockReading, at, later
from referee.timer_settings import ClockKind, ClockSettings
from referee.timer_state import Answer, Clock, ClockError, Official, Pause, PauseReason, Phase
from referee.timer_words import answer_sentence, clock_text, status_sentence
from rules import Color

W, B = Color.WHITE, Color.BLACK
DELAY = ClockSettings(ClockKind.DELAY, (20_000, 30_000), 5_000, overtime_ms=4_000)
ALL = (
    DELAY,
    ClockSettings(ClockKind.NONE),
    ClockSettings(ClockKind.SUDDEN_DEATH, (20_000, 30_000)),
    ClockSettings(ClockKind.INCREMENT, (20_000, 30_000), 5_000),
    ClockSettings(ClockKind.BRONSTEIN, (20_000, 30_000), 5_000),
)
ANY_SETTINGS = st.sampled_from(ALL)


def running(settings: ClockSettings = DELAY, at_ms: int = 0) -> Clock:
    return start(new_clock(settings, at_ms), W, at_ms).clock


def total(reading: ClockReading, color: Color) -> int:
    """All the time until the flag."""
    side = reading.of(color)
    free = reading.delay_left_ms if reading.runs is color else 0
    return side.left_ms + side.overtime_left_ms + free


# --- views ------------------------------------------------------------------------------------


@given(ANY_SETTINGS, st.integers(0, 60_000), st.integers(0, 60_000))
def test_a_view_counts_on_exactly_as_the_table_does(
    settings: ClockSettings, age: int, elapsed: int
) -> None:
    clock = running(settings)
    seen, true = later(at(clock, age), elapsed), at(clock, age + elapsed)
    assert (seen.white, seen.black) == (true.white, true.black)
    assert (seen.delay_left_ms, seen.turn_ms) == (true.delay_left_ms, true.turn_ms)
    assert seen.at_ms == true.at_ms


@given(ANY_SETTINGS, st.integers(0, 30_000), st.integers(0, 5_000), st.integers(0, 5_000))
def test_a_view_that_lags_never_shows_more_than_there_is(
    settings: ClockSettings, now: int, lag: int, overestimate: int
) -> None:
    # The reading is `lag` old when it is shown; the view reckons with at least that.
    clock = running(settings)
    shown = later(at(clock, now), lag + overestimate)
    for color in Color:
        assert total(shown, color) <= total(at(clock, now + lag), color)


@given(st.lists(st.integers(31, 4_000), min_size=1, max_size=20), st.integers(0, 2_000))
def test_a_display_goes_up_only_by_what_was_granted(turns: list[int], lag: int) -> None:
    clock, now, side = running(), 0, W
    for turn in turns:
        before = later(at(clock, now), turn + lag)
        now += turn
        clock = press(clock, side, now).clock
        after = at(clock, now)
        # Only what the view counted ahead of the press, at most its own lag, comes back.
        assert total(after, side) <= total(before, side) + lag
        side = side.other


def test_a_view_leaves_the_flag_to_the_table() -> None:
    reading = later(at(running(), 0), 10**9)
    assert (reading.white.left_ms, reading.white.overtime_left_ms) == (0, 0)
    assert reading.flag is None
    assert reading.phase is Phase.RUNNING
    assert later(reading, -500) == reading


def test_never_do_both_sides_run() -> None:
    clock = running()
    for now, side in ((1_000, W), (2_000, B), (3_000, B), (4_000, W), (5_000, W)):
        clock = press(clock, side, now).clock
        reading = at(clock, now + 500)
        before = at(clock, now)
        moved = [total(reading, color) < total(before, color) for color in Color]
        assert sum(moved) == 1
        assert moved.index(True) == list(Color).index(reading.runs or W)


def test_the_reading_tells_all_that_a_view_needs() -> None:
    reading = at(press(running(), W, 7_000).clock, 9_000)
    assert reading_to_json(reading) == {
        "at_ms": 9_000,
        "kind": "delay",
        "phase": "running",
        "to_move": "b",
        "starts_by": None,
        "w": {"left_ms": 18_000, "overtime_left_ms": 4_000, "used_ms": 7_000},
        "b": {"left_ms": 30_000, "overtime_left_ms": 4_000, "used_ms": 2_000},
        "delay_left_ms": 3_000,
        "turn_ms": 2_000,
        "flag": None,
        "pause": None,
    }
    paused = at(pause(running(), B, 1_000).clock, 2_000)
    assert json.loads(json.dumps(reading_to_json(paused)))["pause"] == {
        "reason": "asked",
        "by": "b",
    }


# --- power cuts -------------------------------------------------------------------------------


@given(
    ANY_SETTINGS,
    st.lists(st.integers(0, 9_000), max_size=8),
    st.integers(0, 9_000),
    st.integers(0, 10**12),
)
def test_a_kept_clock_comes_back_paused_with_the_times_it_had(
    settings: ClockSettings, turns: list[int], more: int, new_time: int
) -> None:
    clock, now, side = running(settings, 1_000_000), 1_000_000, W
    for turn in turns:
        now += turn
        clock = press(clock, side, now).clock
        side = clock.to_move or side
    kept = json.loads(json.dumps(clock_to_json(clock, now + more)))
    # After the power cut monotonic time begins anew, as like as not far lower.
    back = clock_from_json(kept, new_time)
    before, after = at(clock, now + more), at(back, new_time + 3_600_000)
    assert (after.white, after.black) == (before.white, before.black)
    assert (after.to_move, after.flag) == (before.to_move, before.flag)
    assert after.runs is None
    if before.phase is Phase.RUNNING:
        assert after.pause == Pause(PauseReason.RESTART, Official.TABLE)
        assert press(back, back.to_move or W, new_time + 10).answer is Answer.STANDS


def test_a_pause_from_before_the_power_cut_keeps_its_reason() -> None:
    clock = pause(running(), W, 3_000).clock
    assert clock_from_json(clock_to_json(clock, 4_000), 0).pause == Pause(PauseReason.ASKED, W)


def test_a_takeback_still_finds_its_times_after_a_restart() -> None:
    clock = press(running(), W, 8_000).clock
    back = clock_from_json(clock_to_json(clock, 20_000), 5)
    taken = switch_to(back, W, 10, back_to=back.before).clock
    assert (taken.white.left_ms, taken.black.left_ms) == (21_000, 34_000)


def test_kept_clocks_hold_no_absolute_time() -> None:
    early = clock_to_json(press(running(at_ms=0), W, 8_000).clock, 9_000)
    late = clock_to_json(press(running(at_ms=10**9), W, 10**9 + 8_000).clock, 10**9 + 9_000)
    assert early == late


def test_a_replayed_clock_is_paused_too() -> None:
    clock = restarted(running(at_ms=50_000), 70)
    assert (clock.phase, clock.since_ms) == (Phase.PAUSED, 70)
    waiting = ready(new_clock(DELAY), B)
    assert restarted(waiting, 70).phase is Phase.READY


KEPT: dict[str, object] = {**clock_to_json(running(), 0)}


@pytest.mark.parametrize(
    "broken",
    [
        None,
        [],
        {},
        {"settings": {}},
        {**KEPT, "phase": "asleep"},
        {**KEPT, "turn_ms": 1.5},
        {**KEPT, "w": {"left_ms": "1"}},
        {**KEPT, "to_move": "white"},
        {**KEPT, "pause": {"reason": 1, "by": "w"}},
    ],
)
def test_what_is_no_kept_clock_is_refused(broken: object) -> None:
    with pytest.raises(ClockError):
        clock_from_json(broken, 0)


# --- words ------------------------------------------------------------------------------------


def test_the_display_says_who_runs_and_what_starts_it() -> None:
    waiting = new_clock(DELAY)
    assert "кто начинает" in status_sentence(at(waiting, 0)).ru
    words = status_sentence(at(ready(waiting, B), 0))
    assert words.ru == "Начинают чёрные: часы пускают белые своей кнопкой."
    assert words.en == "Black begins: White starts the clock with its own button."
    assert status_sentence(at(running(), 5)).ru == "Идёт время белых."
    paused = pause(running(), B, 5).clock
    assert status_sentence(at(paused, 9)).ru == (
        "Часы стоят: остановили чёрные. Очередь: белые."
    )
    taken = switch_to(running(), B, 5).clock
    assert status_sentence(at(taken, 9)).en == (
        "The clock stands: a turn was taken back. Black to move."
    )
    clock = running()
    fallen = tick(clock, (falls_at_ms(clock) or 0) + 1_000).clock
    assert status_sentence(at(fallen, 0)).en == "White's flag has fallen."


def test_every_answer_and_reason_has_a_sentence_in_both_languages() -> None:
    for answer in Answer:
        assert answer_sentence(answer).ru != answer_sentence(answer).en
    for reason in PauseReason:
        for by in (*Color, *Official):
            words = status_sentence(at(pause(running(), by, 5, reason).clock, 5))
            assert words.ru.startswith("Часы стоят: ")
            assert words.en.startswith("The clock stands: ")


@pytest.mark.parametrize(
    ("ms", "text"),
    [
        (0, "0:00.0"),
        (9_999, "0:09.9"),
        (10_000, "0:10"),
        (59_999, "0:59"),
        (845_000, "14:05"),
        (3_723_000, "1:02:03"),
    ],
)
def test_times_are_written_without_promising_more(ms: int, text: str) -> None:
    assert clock_text(ms) == text
