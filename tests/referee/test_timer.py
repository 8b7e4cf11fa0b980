from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.timer import (
    BOUNCE_MS,
    falls_at_ms,
    new_clock,
    next_game,
    pause,
    press,
    ready,
    reset_delay,
    resume,
    set_time,
    settled,
    start,
    stop,
    switch_to,
    tick,
)
from referee.timer_reading import at
from referee.timer_settings import ClockKind, ClockSettings
from referee.timer_state import (
    Answer,
    Clock,
    ClockError,
    Official,
    Pause,
    PauseReason,
    Phase,
)
from rules import Color

W, B = Color.WHITE, Color.BLACK
REFEREE, TABLE = Official.REFEREE, Official.TABLE
MINUTE = 60_000
KINDS = tuple(ClockKind)


def settings_of(
    kind: ClockKind, reserve: int = 10 * MINUTE, bonus: int = 12_000
) -> ClockSettings:
    if kind is ClockKind.NONE:
        return ClockSettings(kind)
    with_bonus = kind is not ClockKind.SUDDEN_DEATH
    return ClockSettings(kind, (reserve, reserve), bonus if with_bonus else 0)


def running(settings: ClockSettings, side: Color = W, at_ms: int = 0) -> Clock:
    return start(new_clock(settings, at_ms), side, at_ms).clock


def balanced(clock: Clock) -> bool:
    """The law of the account: left + used = start + given + set, on both sides."""
    return all(
        clock.of(color).left_ms + clock.of(color).used_ms
        == reserve
        + clock.settings.overtime_ms
        + clock.of(color).given_ms
        + clock.of(color).set_ms
        for color, reserve in zip(Color, clock.settings.reserve_ms, strict=True)
    )


# --- the kinds --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("kind", "left"),
    [
        (ClockKind.NONE, 0),
        (ClockKind.SUDDEN_DEATH, 580_000),  # 600 s − 20 s
        (ClockKind.INCREMENT, 592_000),  # − 20 s + 12 s
        (ClockKind.DELAY, 592_000),  # the first 12 s are free
        (ClockKind.BRONSTEIN, 592_000),  # 12 s come back
    ],
)
def test_a_turn_of_twenty_seconds_costs_what_its_kind_says(kind: ClockKind, left: int) -> None:
    clock = press(running(settings_of(kind)), W, 20_000).clock
    assert clock.white.left_ms == left
    assert clock.white.used_ms == 20_000
    assert clock.black.used_ms == 0


@pytest.mark.parametrize(
    ("kind", "left"),
    [
        (ClockKind.SUDDEN_DEATH, 595_000),
        (ClockKind.INCREMENT, 607_000),  # Fischer lets time be saved up
        (ClockKind.DELAY, 600_000),  # the US delay and Bronstein do not
        (ClockKind.BRONSTEIN, 600_000),
    ],
)
def test_a_turn_of_five_seconds_saves_time_only_with_fischer(
    kind: ClockKind, left: int
) -> None:
    assert press(running(settings_of(kind)), W, 5_000).clock.white.left_ms == left


def test_a_simple_delay_lets_a_player_live_on_it_and_bronstein_does_not() -> None:
    delay = running(settings_of(ClockKind.DELAY, reserve=5_000))
    assert press(delay, W, 11_000).answer is Answer.SWITCHED
    bronstein = running(settings_of(ClockKind.BRONSTEIN, reserve=5_000))
    assert press(bronstein, W, 11_000).answer is Answer.FLAG_FELL


def test_overtime_is_shown_apart_and_runs_after_the_reserve() -> None:
    clock = running(ClockSettings(ClockKind.SUDDEN_DEATH, (10_000, 10_000), overtime_ms=MINUTE))
    assert (at(clock, 4_000).white.left_ms, at(clock, 4_000).white.overtime_left_ms) == (
        6_000,
        MINUTE,
    )
    assert (at(clock, 15_000).white.left_ms, at(clock, 15_000).white.overtime_left_ms) == (
        0,
        55_000,
    )
    assert falls_at_ms(clock) == 70_000


def test_without_a_clock_time_is_measured_and_no_flag_falls() -> None:
    clock = running(settings_of(ClockKind.NONE))
    assert falls_at_ms(clock) is None
    clock = press(clock, W, 86_400_000).clock
    assert clock.white.used_ms == 86_400_000
    assert clock.phase is Phase.RUNNING
    assert balanced(clock)


# --- who runs ---------------------------------------------------------------------------------
@pytest.mark.parametrize("begins", list(Color))
def test_the_side_that_does_not_begin_starts_the_clock(begins: Color) -> None:
    clock = ready(new_clock(settings_of(ClockKind.DELAY)), begins)
    reading = at(clock, 500)
    assert (reading.runs, reading.to_move, reading.starts_by) == (None, begins, begins.other)
    wrong = press(clock, begins, 1_000)
    assert wrong.answer is Answer.NOT_YOUR_TURN
    assert at(wrong.clock, 1_500).runs is None
    right = press(wrong.clock, begins.other, 2_000)
    assert right.answer is Answer.STARTED
    assert at(right.clock, 2_500).runs is begins


def test_no_press_starts_a_clock_while_nobody_knows_who_begins() -> None:
    clock = new_clock(settings_of(ClockKind.DELAY))
    for side in Color:
        assert press(clock, side, 1_000).answer is Answer.NOT_RUNNING
        assert press(clock, side, 1_000).clock.phase is Phase.READY


def test_a_press_counts_at_its_first_edge_and_a_long_hold_changes_nothing() -> None:
    # The button is held from 5 s on; the machine hears of it a little later.
    pressed = press(running(settings_of(ClockKind.SUDDEN_DEATH)), W, 5_000)
    assert pressed.answer is Answer.SWITCHED
    assert at(pressed.clock, 7_000).white.used_ms == 5_000
    assert at(pressed.clock, 7_000).black.used_ms == 2_000


def test_the_other_sides_button_is_ignored_and_reported() -> None:
    change = press(running(settings_of(ClockKind.DELAY)), B, 5_000)
    assert change.answer is Answer.NOT_YOUR_TURN
    assert at(change.clock, 6_000).runs is W
    assert at(change.clock, 6_000).white.used_ms == 6_000


@pytest.mark.parametrize("gap", [0, 1, BOUNCE_MS])
def test_a_second_edge_of_the_same_button_is_bounce(gap: int) -> None:
    first = press(running(settings_of(ClockKind.DELAY)), W, 5_000).clock
    second = press(first, W, 5_000 + gap)
    assert second.answer is Answer.BOUNCE
    assert at(second.clock, 6_000).runs is B


def test_chatter_stays_bounce_until_the_contact_has_been_quiet() -> None:
    clock = press(running(settings_of(ClockKind.DELAY)), W, 5_000).clock
    for ms in range(5_010, 5_200, 10):
        change = press(clock, W, ms)
        assert change.answer is Answer.BOUNCE
        clock = change.clock
    assert press(clock, W, 5_190 + BOUNCE_MS + 1).answer is Answer.NOT_YOUR_TURN


@pytest.mark.parametrize("first", list(Color))
@pytest.mark.parametrize("gap", [0, 1, BOUNCE_MS])
@pytest.mark.parametrize("kind", KINDS)
def test_both_buttons_at_once_stop_the_clock_with_the_turn_where_it_was(
    first: Color, gap: int, kind: ClockKind
) -> None:
    clock = press(running(settings_of(kind)), W, 1_000).clock  # Black to move since 1 s
    clock = press(clock, first, 60_000).clock
    change = press(clock, first.other, 60_000 + gap)
    assert change.answer is Answer.BOTH_PRESSED
    assert change.clock.phase is Phase.PAUSED
    assert change.clock.pause == Pause(PauseReason.BOTH_PRESSED, TABLE)
    assert change.clock.to_move is B
    assert change.clock.black.used_ms == 59_000 + gap
    assert change.clock.white.used_ms == 1_000
    assert change.clock.turn_ms == 59_000 + gap
    assert balanced(change.clock)


@pytest.mark.parametrize("first", list(Color))
def test_both_buttons_at_the_start_leave_the_clock_ready(first: Color) -> None:
    clock = ready(new_clock(settings_of(ClockKind.DELAY)), W)
    change = press(press(clock, first, 1_000).clock, first.other, 1_010)
    if first is B:  # it had started the clock
        assert change.answer is Answer.BOTH_PRESSED
        assert change.clock.phase is Phase.READY
        assert change.clock.to_move is W
    else:  # only White's own press was stray
        assert change.answer is Answer.STARTED


def test_the_bounce_of_a_quick_answer_is_not_both_pressed() -> None:
    clock = press(running(settings_of(ClockKind.DELAY)), W, 5_000).clock
    answer = press(clock, B, 5_000 + BOUNCE_MS + 1)
    assert answer.answer is Answer.SWITCHED


# --- flags ------------------------------------------------------------------------------------
def test_the_flag_falls_to_the_millisecond_and_time_stops_there() -> None:
    clock = running(settings_of(ClockKind.DELAY, reserve=10_000))
    assert falls_at_ms(clock) == 22_000
    assert at(clock, 21_999).phase is Phase.RUNNING
    reading = at(clock, 99_000)
    assert (reading.flag, reading.white.left_ms, reading.white.used_ms) == (W, 0, 22_000)


@pytest.mark.parametrize(("at_ms", "answer"), [
    (21_999, Answer.SWITCHED),
    (22_000, Answer.FLAG_FELL),
    (22_001, Answer.FLAG_FELL),
])  # fmt: skip
def test_a_press_in_the_last_millisecond_still_counts(at_ms: int, answer: Answer) -> None:
    clock = running(settings_of(ClockKind.DELAY, reserve=10_000))
    assert press(clock, W, at_ms).answer is answer


def test_the_timer_waits_for_a_press_that_is_still_being_confirmed() -> None:
    clock = running(settings_of(ClockKind.DELAY, reserve=10_000))
    early = tick(clock, 22_000 + BOUNCE_MS - 1)
    assert early.answer is Answer.NO_EFFECT
    assert press(early.clock, W, 21_990).answer is Answer.SWITCHED
    late = tick(clock, 22_000 + BOUNCE_MS)
    assert (late.answer, late.clock.flag) == (Answer.FLAG_FELL, W)


def test_after_the_flag_only_the_referee_moves_on() -> None:
    clock = tick(running(settings_of(ClockKind.SUDDEN_DEATH, reserve=1_000)), 5_000).clock
    assert press(clock, W, 6_000).answer is Answer.FLAG_IS_DOWN
    assert pause(clock, W, 6_000).answer is Answer.NOT_RUNNING
    assert resume(clock, REFEREE, 6_000).answer is Answer.NO_EFFECT
    change = set_time(clock, 30_000, 40_000, 7_000)
    assert change.answer is Answer.TIME_SET
    assert (change.clock.flag, change.clock.phase) == (None, Phase.PAUSED)
    assert balanced(change.clock)
    assert at(resume(change.clock, REFEREE, 8_000).clock, 9_000).white.left_ms == 29_000


# --- pauses -----------------------------------------------------------------------------------
@pytest.mark.parametrize("by", [W, B, REFEREE, TABLE])
def test_anyone_stops_the_clock_and_the_mover_or_referee_lets_it_run(
    by: Color | Official,
) -> None:
    clock = pause(running(settings_of(ClockKind.DELAY)), by, 5_000).clock
    assert at(clock, 90_000).white.used_ms == 5_000
    assert at(clock, 90_000).delay_left_ms == 7_000
    assert resume(clock, B, 90_000).answer is Answer.NOT_ALLOWED
    assert resume(clock, TABLE, 90_000).answer is Answer.NOT_ALLOWED
    for allowed in (W, REFEREE):
        again = resume(clock, allowed, 90_000)
        assert again.answer is Answer.RESUMED
        assert at(again.clock, 91_000).white.used_ms == 6_000


def test_the_table_resumes_after_its_own_question_only() -> None:
    clock = running(settings_of(ClockKind.DELAY))
    asked = pause(clock, TABLE, 5_000, PauseReason.QUESTION).clock
    assert resume(asked, TABLE, 6_000).answer is Answer.RESUMED
    by_player = pause(clock, B, 5_000, PauseReason.QUESTION).clock
    assert resume(by_player, TABLE, 6_000).answer is Answer.NOT_ALLOWED


def test_a_press_on_a_stopped_clock_is_ignored_and_reported() -> None:
    clock = pause(running(settings_of(ClockKind.DELAY)), W, 5_000).clock
    assert press(clock, W, 6_000).answer is Answer.STANDS


# --- the referee's hand -----------------------------------------------------------------------
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind is not ClockKind.NONE])
def test_a_takeback_restores_the_times_of_the_press_taken_back(kind: ClockKind) -> None:
    pressed = press(running(settings_of(kind)), W, 8_000).clock
    # Black thinks for half a minute before somebody sees that White's play was wrong.
    change = switch_to(pressed, W, 38_000, back_to=pressed.before, by=B)
    assert change.answer is Answer.TAKEN_BACK
    clock = change.clock
    assert clock.pause == Pause(PauseReason.TAKEN_BACK, B)
    assert clock.to_move is W
    assert clock.black.left_ms == 10 * MINUTE
    free = min(8_000, 12_000) if kind is ClockKind.DELAY else 0
    assert clock.white.left_ms == 10 * MINUTE - 8_000 + free
    assert clock.black.used_ms == 30_000  # what happened is not forgotten
    assert balanced(clock)
    resumed = resume(clock, W, 100_000).clock
    assert at(resumed, 101_000).runs is W
    # The delay goes on where it stopped: no second delay for one turn.
    if kind is ClockKind.DELAY:
        assert at(resumed, 101_000).delay_left_ms == 3_000
    if kind is ClockKind.BRONSTEIN:
        assert press(resumed, W, 105_000).clock.white.left_ms == 10 * MINUTE - 1_000


def test_a_turn_given_to_a_side_without_a_memory_keeps_the_times() -> None:
    pressed = press(running(settings_of(ClockKind.DELAY)), W, 20_000).clock
    clock = switch_to(pressed, W, 60_000).clock
    assert (clock.white.left_ms, clock.black.left_ms) == (592_000, 572_000)
    assert clock.delay_left_ms == 12_000


def test_a_turn_given_to_the_other_side_begins_with_a_full_delay() -> None:
    pressed = press(running(settings_of(ClockKind.DELAY)), W, 8_000).clock
    clock = switch_to(pressed, B, 20_000, back_to=pressed.before).clock
    assert (clock.turn_ms, clock.delay_left_ms) == (0, 12_000)
    assert clock.black.left_ms == 10 * MINUTE


def test_a_takeback_after_the_flag_revives_the_game() -> None:
    pressed = press(running(settings_of(ClockKind.SUDDEN_DEATH, reserve=9_000)), W, 8_000).clock
    fallen = tick(pressed, 30_000).clock
    assert fallen.flag is B
    clock = switch_to(fallen, W, 31_000, back_to=pressed.before).clock
    assert (clock.flag, clock.phase) == (None, Phase.PAUSED)
    assert (clock.white.left_ms, clock.black.left_ms) == (1_000, 9_000)
    assert balanced(clock)


def test_the_referee_sets_the_time_of_a_running_clock() -> None:
    clock = running(settings_of(ClockKind.SUDDEN_DEATH))
    change = set_time(clock, 90_000, 80_000, 10_000)
    assert at(change.clock, 11_000).white.left_ms == 89_000
    assert balanced(change.clock)
    with pytest.raises(ClockError, match="-1 ms"):
        set_time(clock, -1, 0, 10_000)


def test_a_void_throw_begins_the_delay_anew() -> None:
    delay = running(settings_of(ClockKind.DELAY))
    again = reset_delay(delay, 15_000)
    assert again.answer is Answer.DELAY_RESET
    assert press(again.clock, W, 27_000).clock.white.left_ms == 10 * MINUTE - 3_000
    bronstein = reset_delay(running(settings_of(ClockKind.BRONSTEIN)), 15_000).clock
    assert press(bronstein, W, 27_000).clock.white.left_ms == 10 * MINUTE - 3_000


@pytest.mark.parametrize("kind", [ClockKind.NONE, ClockKind.SUDDEN_DEATH, ClockKind.INCREMENT])
def test_where_there_is_no_delay_a_void_throw_changes_nothing(kind: ClockKind) -> None:
    assert reset_delay(running(settings_of(kind)), 15_000).answer is Answer.NO_EFFECT


# --- games of a match -------------------------------------------------------------------------
def test_what_is_left_is_carried_to_the_next_game_and_follows_the_player() -> None:
    over = stop(press(running(settings_of(ClockKind.SUDDEN_DEATH)), W, 30_000).clock, 50_000)
    assert over.answer is Answer.STOPPED
    assert at(over.clock, 90_000).runs is None
    same = next_game(over.clock, 90_000)
    assert (same.white.left_ms, same.black.left_ms) == (570_000, 580_000)
    swapped = next_game(over.clock, 90_000, colors_swap=True)
    assert (swapped.white.left_ms, swapped.black.left_ms) == (580_000, 570_000)
    assert balanced(swapped)
    fresh = next_game(over.clock, 90_000, settings=settings_of(ClockKind.SUDDEN_DEATH))
    assert (fresh.white.left_ms, fresh.black.left_ms) == (600_000, 600_000)


def test_a_game_does_not_begin_on_a_running_clock() -> None:
    with pytest.raises(ClockError, match="running"):
        ready(running(settings_of(ClockKind.DELAY)), B)
    assert start(running(settings_of(ClockKind.DELAY)), B, 5).answer is Answer.NO_EFFECT


@pytest.mark.parametrize(
    ("kind", "bonus"),
    [(ClockKind.DELAY, 0), (ClockKind.SUDDEN_DEATH, 5), (ClockKind.NONE, 5)],
)
def test_settings_that_contradict_their_kind_are_refused(kind: ClockKind, bonus: int) -> None:
    with pytest.raises(ValueError, match="time a turn"):
        ClockSettings(kind, bonus_ms=bonus)
    with pytest.raises(ValueError, match="no reserve"):
        ClockSettings(ClockKind.NONE, (1, 0))
    with pytest.raises(ValueError, match="negative"):
        ClockSettings(ClockKind.SUDDEN_DEATH, (-1, 0))


# --- to the millisecond -----------------------------------------------------------------------
@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_alternations_add_up_to_the_millisecond(kind: ClockKind) -> None:
    random = Random(6)
    clock = running(settings_of(kind, reserve=10**9), at_ms=17)
    now, elapsed, side = 17, {W: 0, B: 0}, W
    for _ in range(10_000):
        turn = random.choice([31, 5_000, 11_999, 12_000, 12_001, random.randrange(31, 40_000)])
        now += turn
        elapsed[side] += turn
        clock = press(clock, side, now).clock
        side = side.other
        assert clock.to_move is side
    assert (clock.white.used_ms, clock.black.used_ms) == (elapsed[W], elapsed[B])
    assert clock.white.used_ms + clock.black.used_ms == now - 17
    assert balanced(clock)


def slow_twin(
    kind: ClockKind, reserve: int, bonus: int, turns: list[int]
) -> tuple[object, ...]:
    """The same clock, one millisecond at a time: (left, used, flag) of the sides."""
    left, used, side = {W: reserve, B: reserve}, {W: 0, B: 0}, W
    for turn in turns:
        delay = bonus if kind is ClockKind.DELAY else 0
        spent = 0
        for _ in range(turn):
            if not delay and not left[side]:
                return left, used, side
            if delay:
                delay -= 1
            else:
                left[side] -= 1
            used[side] += 1
            spent += 1
        if not delay and not left[side]:
            return left, used, side
        if kind is ClockKind.INCREMENT:
            left[side] += bonus
        if kind is ClockKind.BRONSTEIN:
            left[side] += min(bonus, spent)
        side = side.other
    return left, used, None


@given(
    st.sampled_from([kind for kind in KINDS if kind is not ClockKind.NONE]),
    st.integers(1, 900),
    st.integers(1, 200),
    st.lists(st.integers(BOUNCE_MS + 1, 400), max_size=12),
)
def test_the_clock_agrees_with_one_that_counts_every_millisecond(
    kind: ClockKind, reserve: int, bonus: int, turns: list[int]
) -> None:
    clock = running(settings_of(kind, reserve, bonus))
    now, side = 0, W
    for turn in turns:
        now += turn
        clock = press(clock, side, now).clock
        side = side.other
    left, used, flag = slow_twin(kind, reserve, bonus, turns)
    assert left == {W: clock.white.left_ms, B: clock.black.left_ms}
    assert used == {W: clock.white.used_ms, B: clock.black.used_ms}
    assert clock.flag is flag


CALLS = ("press", "pause", "resume", "set", "switch", "back", "delay", "tick", "stop", "ready")


@given(
    st.sampled_from(KINDS),
    st.integers(0, 60_000),
    st.lists(
        st.tuples(
            st.sampled_from(CALLS), st.sampled_from(list(Color)), st.integers(-500, 9_000)
        ),
        max_size=60,
    ),
)
def test_whatever_is_called_the_accounts_balance_and_no_time_comes_back(
    kind: ClockKind, reserve: int, calls: list[tuple[str, Color, int]]
) -> None:
    clock, now, truth, fell = running(settings_of(kind, reserve, 700)), 0, 0, False
    for name, side, step in calls:
        # Stamps may come late, be equal or go backwards; the clock's own time never does.
        now += step
        earlier = clock
        match name:
            case "press":
                clock = press(clock, side, now).clock
            case "pause":
                clock = pause(clock, side, now).clock
            case "resume":
                clock = resume(clock, REFEREE, now).clock
            case "set":
                clock = set_time(clock, 5_000, 6_000, now).clock
            case "switch":
                clock = switch_to(clock, side, now).clock
            case "back":
                clock = switch_to(clock, side, now, back_to=clock.before).clock
            case "delay":
                clock = reset_delay(clock, now).clock
            case "tick":
                clock = tick(clock, now).clock
            case "stop":
                clock = stop(clock, now).clock
            case _ if clock.phase is Phase.READY:
                clock = start(ready(clock, side), side, now).clock
        assert clock.since_ms >= earlier.since_ms
        assert balanced(clock)
        assert min(clock.white.left_ms, clock.black.left_ms) >= 0
        if earlier.phase is Phase.RUNNING:
            truth += clock.since_ms - earlier.since_ms
        due = falls_at_ms(earlier)
        fell = fell or (due is not None and clock.since_ms >= due)
        used = clock.white.used_ms + clock.black.used_ms
        assert used <= truth if fell else used == truth
        for color in Color:
            if name not in ("set", "back"):
                granted = clock.of(color).given_ms - earlier.of(color).given_ms
                assert clock.of(color).left_ms <= earlier.of(color).left_ms + granted
            assert clock.of(color).used_ms >= earlier.of(color).used_ms or (
                clock.pause == Pause(PauseReason.BOTH_PRESSED, TABLE)
            )


def test_stamps_from_the_past_are_taken_for_now() -> None:
    clock = press(running(settings_of(ClockKind.SUDDEN_DEATH), at_ms=1_000), W, 9_000).clock
    late = press(clock, B, 4_000)
    # Within the bounce window of the press it is stamped onto: both buttons, so it stands.
    assert late.answer is Answer.BOTH_PRESSED
    clock = settled(clock, 20_000)
    assert press(clock, B, 4_000).clock.black.used_ms == 11_000
    assert at(clock, 0) == at(clock, 20_000)


def test_a_clock_is_never_changed_in_place() -> None:
    clock = running(settings_of(ClockKind.DELAY))
    copy = replace(clock)
    press(clock, W, 5_000)
    settled(clock, 90_000_000)
    assert clock == copy
