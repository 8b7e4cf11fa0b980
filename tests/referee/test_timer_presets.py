import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.timer_presets import (
    PRESETS,
    TimeControl,
    control_named,
    format_control,
    parse_control,
)
from referee.timer_settings import ClockKind
from referee.timer_state import ClockError
from referee.timer_words import describe_control

MINUTE = 60_000


@pytest.mark.parametrize(
    ("name", "length", "reserve", "bonus"),
    [
        ("standard", 11, 22 * MINUTE, 12_000),  # US rules: 11 points, 22 minutes
        ("federation", 7, 14 * MINUTE, 8_000),  # Friendship Cup: to 7, 14 min + 8 s
        ("federation", 9, 18 * MINUTE, 8_000),  # to 9, 18 min + 8 s
        ("blitz", 3, MINUTE, 10_000),  # FNR online blitz
        ("doubles", 7, 17 * MINUTE + 30_000, 18_000),
        ("sudden-death", 5, 20 * MINUTE, 0),
    ],
)
def test_presets_give_the_times_of_the_events_they_come_from(
    name: str, length: int, reserve: int, bonus: int
) -> None:
    settings = PRESETS[name].control.settings(length)
    assert settings.reserve_ms == (reserve, reserve)
    assert settings.bonus_ms == bonus


def test_a_clock_brought_to_a_match_under_way_gives_less() -> None:
    standard = PRESETS["standard"].control
    assert standard.settings(9, scored=7).reserve_ms == (11 * MINUTE, 11 * MINUTE)
    # Double match point: 2 × 9 − 16 = 2 minutes; it never falls below nothing.
    assert standard.settings(9, scored=16).reserve_ms == (2 * MINUTE, 2 * MINUTE)
    assert standard.settings(1, scored=5).reserve_ms == (0, 0)


def test_time_by_the_point_needs_a_length() -> None:
    with pytest.raises(ClockError, match="needs a match length"):
        PRESETS["federation"].control.settings(None)
    assert PRESETS["blitz"].control.settings(None).reserve_ms == (MINUTE, MINUTE)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        (
            "2m/pt+12s delay",
            TimeControl(ClockKind.DELAY, per_point_ms=2 * MINUTE, bonus_ms=12_000),
        ),
        (
            "2M / point - 1m / scored + 12s delay overtime 1m",
            TimeControl(
                ClockKind.DELAY,
                per_point_ms=2 * MINUTE,
                less_a_point_ms=MINUTE,
                bonus_ms=12_000,
                overtime_ms=MINUTE,
            ),
        ),
        ("1m+10s fischer", TimeControl(ClockKind.INCREMENT, MINUTE, bonus_ms=10_000)),
        ("90s sudden death", TimeControl(ClockKind.SUDDEN_DEATH, 90_000)),
        ("10m each game", TimeControl(ClockKind.SUDDEN_DEATH, 10 * MINUTE, each_game=True)),
        ("2.5m+1.25s bronstein", TimeControl(ClockKind.BRONSTEIN, 150_000, bonus_ms=1_250)),
        (
            "5m+1m/pt+8s delay reset on void",
            TimeControl(
                ClockKind.DELAY, 5 * MINUTE, MINUTE, bonus_ms=8_000, reset_delay_on_void=True
            ),
        ),
        (" Blitz ", PRESETS["blitz"].control),
        ("none", TimeControl(ClockKind.NONE)),
    ],
)
def test_controls_are_read_as_people_write_them(text: str, control: TimeControl) -> None:
    assert control_named(text) == control


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2m/pt+12s", r"cannot read '\+12s' .*\(delay, increment or bronstein"),
        ("2m/pt 1m", "cannot read '1m'"),
        ("2m/pt+12s delayed", "cannot read"),
        ("+12s delay", None),  # a delay and no reserve: five seconds in, the flag falls
        ("", "without time"),
        ("0s", "without time"),
        ("2m/pt+0s delay", "no time"),
        ("1m+5s delay+5s delay", "said twice"),
        ("1m each game each game", "said twice"),
        ("1m sudden death+5s delay", "no time a turn"),
        ("1m reset on void", "no delay to reset"),
        ("1.0005m", "cannot read"),
        ("0.5ms", "whole number"),
        ("fast", "cannot read 'fast'"),
        ("9999999m", "cannot read"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str | None) -> None:
    if message is None:
        assert control_named(text).fixed_ms == 0
    else:
        with pytest.raises(ClockError, match=message):
            control_named(text)


TIMES = st.one_of(st.just(0), st.integers(1, 9_999_999))


@given(
    st.sampled_from([kind for kind in ClockKind if kind is not ClockKind.NONE]),
    st.tuples(TIMES, TIMES, TIMES, TIMES),
    st.integers(1, 99_999),
    st.booleans(),
    st.booleans(),
)
def test_a_written_control_reads_back_the_same(
    kind: ClockKind, times: tuple[int, int, int, int], bonus: int, each: bool, reset: bool
) -> None:
    fixed, by_point, less, overtime = times
    timed = kind is not ClockKind.SUDDEN_DEATH
    control = TimeControl(
        kind,
        fixed_ms=fixed if timed or by_point else fixed + 1,
        per_point_ms=by_point,
        less_a_point_ms=less,
        bonus_ms=bonus if timed else 0,
        overtime_ms=overtime,
        each_game=each,
        reset_delay_on_void=reset and kind in (ClockKind.DELAY, ClockKind.BRONSTEIN),
    )
    assert parse_control(format_control(control)) == control


@given(st.text(alphabet="0123456789.msh/pt+- delayovrtimc", max_size=30))
def test_any_text_is_read_or_refused_with_a_word(text: str) -> None:
    try:
        control = control_named(text)
    except ClockError:
        return
    assert control == control_named(format_control(control))


def test_presets_survive_being_written_and_are_told_apart() -> None:
    for name, preset in PRESETS.items():
        if name != "none":
            assert parse_control(format_control(preset.control)) == preset.control
    for language in ("ru", "en"):
        assert len({one.title(language) for one in PRESETS.values()}) == len(PRESETS)


def test_controls_are_described_in_both_languages() -> None:
    words = describe_control(parse_control("2.5m/pt-1m/scored+12s delay overtime 90s"))
    assert words.ru == (
        "2,5 мин на очко матча, минус 1 мин за каждое уже набранное очко, "
        "задержка 12 с на ход, добавочное время 1,5 мин"
    )
    assert words.en == (
        "2.5 min a point of the match, less 1 min for each point scored before, "
        "12 s delay a turn, 1.5 min overtime"
    )
    assert describe_control(parse_control("10m each game")).ru == (
        "10 мин каждому, без добавления, на каждую партию"
    )
    assert describe_control(PRESETS["none"].control).en == "no clock"
    for preset in PRESETS.values():
        assert describe_control(preset.control).ru != describe_control(preset.control).en
