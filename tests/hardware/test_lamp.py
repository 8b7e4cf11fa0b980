import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.clock import ManualClock, SystemClock
from hardware.gpio_factory import GpioError
from hardware.lamp import DARK, PATTERNS, SIGNAL_WORDS, Lamp, Lit, Signal, lit_at
from hardware.lamp_gpiozero import GpioLamp, LampPins
from hardware.lamp_player import LampPlayer
from tests.hardware.fakes.pins import mock_factory


def seen(signal: Signal, until_ms: int = 8000) -> list[tuple[int, Lit]]:
    """What is on, from change to change."""
    at_ms = 0
    changes: list[tuple[int, Lit]] = []
    while at_ms < until_ms:
        lit, next_ms = lit_at(PATTERNS[signal], at_ms)
        if not changes or changes[-1][1] != lit:
            changes.append((at_ms, lit))
        if next_ms is None:
            break
        assert next_ms > at_ms
        at_ms = next_ms
    return changes


def test_every_signal_has_a_pattern_and_words() -> None:
    assert set(PATTERNS) == set(SIGNAL_WORDS) == set(Signal)
    assert all(one.ru and one.en for one in SIGNAL_WORDS.values())


def test_who_sees_no_colours_tells_the_signals_apart_by_rhythm() -> None:
    rhythms = [
        tuple((at_ms, lit.any_light) for at_ms, lit in seen(signal)) for signal in Signal
    ]
    assert len(set(rhythms)) == len(rhythms)


def test_who_only_hears_tells_apart_the_signals_that_sound() -> None:
    sounds = {
        signal: tuple((at_ms, lit.buzzer) for at_ms, lit in seen(signal)) for signal in Signal
    }
    heard = [
        tuple(pair for n, pair in enumerate(one) if n == 0 or pair[1] != one[n - 1][1])
        for one in sounds.values()
    ]
    silent = [one for one in heard if not any(on for _, on in one)]
    assert len(silent) == 2  # dark, and the reminder that the dice may be thrown
    assert len(set(heard)) == len(heard) - 1


@pytest.mark.parametrize("signal", list(Signal))
def test_the_buzzer_falls_silent_however_long_a_signal_stays(signal: Signal) -> None:
    assert not any(lit.buzzer for at_ms, lit in seen(signal, 60_000) if at_ms > 1600)


def test_a_signal_that_counts_ends_by_itself_and_one_that_asks_stays() -> None:
    assert lit_at(PATTERNS[Signal.COUNTS], 2000) == (DARK, None)
    assert any(lit.amber for at_ms, lit in seen(Signal.UNSURE, 60_000) if at_ms > 50_000)
    assert lit_at(PATTERNS[Signal.FLAG], 10**9) == (Lit(red=True), None)


@given(st.sampled_from(list(Signal)), st.integers(0, 10**7))
def test_what_is_on_stays_until_the_time_that_is_told(signal: Signal, at_ms: int) -> None:
    lit, until_ms = lit_at(PATTERNS[signal], at_ms)
    if until_ms is not None:
        assert until_ms > at_ms
        assert lit_at(PATTERNS[signal], until_ms - 1)[0] == lit


def test_a_player_switches_at_the_changes_and_only_then() -> None:
    clock = ManualClock(3.0)
    switched: list[tuple[float, Lit]] = []
    player = LampPlayer(lambda lit: switched.append((clock.now_s(), lit)), clock)
    lamp: Lamp = player
    lamp.show(Signal.VOID)
    while (wait_s := player.step()) is not None:
        clock.advance(wait_s)
    on, off, still = Lit(red=True, buzzer=True), DARK, Lit(red=True)
    assert [lit for _, lit in switched] == [on, off, on, off, still, off]
    assert [at_s for at_s, _ in switched] == pytest.approx([3.0, 3.3, 3.5, 3.8, 4.0, 5.0])


def test_a_signal_shown_again_begins_again() -> None:
    clock = ManualClock()
    switched: list[Lit] = []
    player = LampPlayer(switched.append, clock)
    for _ in range(2):
        player.show(Signal.COUNTS)
        assert player.signal is Signal.COUNTS
        player.step()
        clock.advance(0.1)
        player.step()
    assert [lit.buzzer for lit in switched] == [True, False, True, False]


def test_a_quiet_lamp_makes_no_sound() -> None:
    clock = ManualClock()
    switched: list[Lit] = []
    player = LampPlayer(switched.append, clock, quiet=True)
    player.show(Signal.FLAG)
    player.step()
    assert switched == [Lit(red=True)]


def test_the_players_thread_ends_and_leaves_all_dark() -> None:
    lit_up, switched = threading.Event(), []

    def switch(lit: Lit) -> None:
        switched.append(lit)
        if lit.green:
            lit_up.set()

    player = LampPlayer(switch, SystemClock())
    player.start()
    player.start()
    player.show(Signal.COUNTS)
    assert lit_up.wait(60)
    player.close()
    player.close()
    assert switched[-1] == DARK
    assert "lamp" not in {one.name for one in threading.enumerate()}


@pytest.fixture(name="rig")
def a_lamp() -> Iterator[tuple[GpioLamp, ManualClock, Any]]:
    clock = ManualClock()
    factory = mock_factory(clock)
    lamp = GpioLamp(LampPins(), factory, clock, threaded=False)
    yield lamp, clock, factory
    lamp.close()
    factory.close()


def levels(factory: Any) -> dict[str, bool]:
    pins = LampPins()
    return {
        name: bool(factory.pin(f"GPIO{getattr(pins, name)}").state)
        for name in ("green", "amber", "red", "buzzer")
    }


def test_a_lamp_on_pins_shows_the_pattern(rig: tuple[GpioLamp, ManualClock, Any]) -> None:
    lamp, clock, factory = rig
    lamp.show(Signal.UNSURE)
    lamp.step()
    assert levels(factory) == {"green": False, "amber": True, "red": False, "buzzer": True}
    clock.advance(0.1)
    lamp.step()
    assert not any(levels(factory).values())


def test_a_closed_lamp_is_dark_and_its_pins_are_free(
    rig: tuple[GpioLamp, ManualClock, Any],
) -> None:
    lamp, clock, factory = rig
    lamp.show(Signal.FLAG)
    lamp.step()
    lamp.close()
    lamp.close()
    again = GpioLamp(LampPins(), factory, clock, threaded=False)
    assert not any(levels(factory).values())
    again.close()


def test_a_lamp_pin_that_is_taken_is_named(rig: tuple[GpioLamp, ManualClock, Any]) -> None:
    _, clock, factory = rig
    with pytest.raises(GpioError, match="GPIO6 cannot be used"):
        GpioLamp(LampPins(green=20, amber=6), factory, clock, threaded=False)
    GpioLamp(LampPins(20, None, None, None), factory, clock, threaded=False).close()


def test_a_lamp_of_two_colours_mixes_amber(rig: tuple[GpioLamp, ManualClock, Any]) -> None:
    _, clock, factory = rig
    lamp = GpioLamp(LampPins(20, None, 16, None), factory, clock, threaded=False)
    lamp.show(Signal.UNSURE)
    lamp.step()
    assert factory.pin("GPIO20").state
    assert factory.pin("GPIO16").state
    lamp.close()


def test_a_lamp_without_a_buzzer_works(rig: tuple[GpioLamp, ManualClock, Any]) -> None:
    _, clock, factory = rig
    lamp = GpioLamp(LampPins(20, 21, 16, None), factory, clock, threaded=False)
    lamp.show(Signal.VOID)
    lamp.step()
    assert factory.pin("GPIO16").state
    lamp.close()
