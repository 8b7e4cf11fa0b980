"""The clock as JSON: to be kept, without any absolute time, and to be shown, with the server's.

Monotonic time begins anew when the machine does, so a kept clock holds only durations and comes
back paused. The time between the last event kept and the crash is nobody's.
"""

from collections.abc import Mapping
from typing import TypeAlias

from referee.timer import restarted, settled
from referee.timer_reading import ClockReading, SideReading
from referee.timer_settings import ClockKind, ClockSettings
from referee.timer_state import (
    By,
    Clock,
    ClockError,
    Official,
    Pause,
    PauseReason,
    Phase,
    SideTime,
)
from rules import Color

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | None"


def clock_to_json(clock: Clock, now_ms: int) -> dict[str, Json]:
    """Write a clock as it stands now."""
    clock = settled(clock, now_ms)
    kept = _kept(clock)
    kept["before"] = _kept(clock.before) if clock.before else None
    return kept


def clock_from_json(value: object, now_ms: int) -> Clock:
    """Read a kept clock; one that ran is paused.

    Args:
        value: what `clock_to_json` wrote.
        now_ms: monotonic time of this start of the machine.

    Raises:
        ClockError: anything else; says what is wrong.
    """
    fields = _object(value)
    try:
        before = fields.get("before")
        clock = _read(fields, now_ms, _read(_object(before), now_ms, None) if before else None)
    except (KeyError, TypeError, ValueError) as error:
        raise ClockError(f"not a kept clock: {error}") from error
    return restarted(clock, now_ms)


def reading_to_json(reading: ClockReading) -> dict[str, Json]:
    """Write what a view needs to show a clock and to count on from it."""
    return {
        "at_ms": reading.at_ms,
        "kind": reading.kind.value,
        "phase": reading.phase.value,
        "to_move": reading.to_move,
        "starts_by": reading.starts_by,
        "w": _side_reading(reading.white),
        "b": _side_reading(reading.black),
        "delay_left_ms": reading.delay_left_ms,
        "turn_ms": reading.turn_ms,
        "flag": reading.flag,
        "pause": _pause_to_json(reading.pause),
    }


def _kept(clock: Clock) -> dict[str, Json]:
    settings = clock.settings
    return {
        "settings": {
            "kind": settings.kind.value,
            "reserve_ms": list(settings.reserve_ms),
            "bonus_ms": settings.bonus_ms,
            "overtime_ms": settings.overtime_ms,
            "reset_delay_on_void": settings.reset_delay_on_void,
        },
        "phase": clock.phase.value,
        "w": _side_to_json(clock.white),
        "b": _side_to_json(clock.black),
        "to_move": clock.to_move,
        "turn_ms": clock.turn_ms,
        "delay_left_ms": clock.delay_left_ms,
        "pause": _pause_to_json(clock.pause),
        "flag": clock.flag,
    }


def _read(fields: Mapping[str, object], now_ms: int, before: Clock | None) -> Clock:
    settings = _object(fields["settings"])
    reserves = settings["reserve_ms"]
    if not isinstance(reserves, list) or len(reserves) != 2:
        raise ClockError(f"reserve_ms is a list of two, not {reserves!r}")
    return Clock(
        settings=ClockSettings(
            kind=ClockKind(_word(settings["kind"])),
            reserve_ms=(_whole(reserves[0]), _whole(reserves[1])),
            bonus_ms=_whole(settings["bonus_ms"]),
            overtime_ms=_whole(settings["overtime_ms"]),
            reset_delay_on_void=settings["reset_delay_on_void"] is True,
        ),
        phase=Phase(_word(fields["phase"])),
        white=_side_from_json(fields["w"]),
        black=_side_from_json(fields["b"]),
        since_ms=now_ms,
        to_move=_color(fields["to_move"]),
        turn_ms=_whole(fields["turn_ms"]),
        delay_left_ms=_whole(fields["delay_left_ms"]),
        pause=_pause_from_json(fields["pause"]),
        flag=_color(fields["flag"]),
        before=before,
    )


def _side_to_json(side: SideTime) -> dict[str, Json]:
    return {
        "left_ms": side.left_ms,
        "used_ms": side.used_ms,
        "given_ms": side.given_ms,
        "set_ms": side.set_ms,
    }


def _side_from_json(value: object) -> SideTime:
    side = _object(value)
    return SideTime(
        *(_whole(side[key]) for key in ("left_ms", "used_ms", "given_ms", "set_ms"))
    )


def _side_reading(side: SideReading) -> dict[str, Json]:
    return {
        "left_ms": side.left_ms,
        "overtime_left_ms": side.overtime_left_ms,
        "used_ms": side.used_ms,
    }


def _pause_to_json(pause: Pause | None) -> dict[str, Json] | None:
    return {"reason": pause.reason.value, "by": pause.by.value} if pause else None


def _pause_from_json(value: object) -> Pause | None:
    if value is None:
        return None
    fields = _object(value)
    by = _word(fields["by"])
    who: By = Color(by) if by in ("w", "b") else Official(by)
    return Pause(PauseReason(_word(fields["reason"])), who)


def _color(value: object) -> Color | None:
    return None if value is None else Color(_word(value))


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise ClockError(f"expected a word, not {value!r}")
    return value


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ClockError(f"a time is a whole number of milliseconds, not {value!r}")
    return value


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ClockError(f"expected an object, not {value!r}")
    return value
