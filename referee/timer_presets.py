"""Time controls: what a club agrees on, in one line of text, and what that makes of a match.

A control is written as people write it: `2m/pt+12s delay`, `1m+10s delay`,
`2m/pt-1m/scored+12s delay overtime 1m`, `10m each game`. Grammar in docs/reference/clock.md.
"""

import re
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from referee.timer_settings import ClockKind, ClockSettings
from referee.timer_state import ClockError


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a match of some length gives."""

    kind: ClockKind
    fixed_ms: int = 0
    """Reserve whatever the length."""
    per_point_ms: int = 0
    """Reserve for each point of the match's length."""
    less_a_point_ms: int = 0
    """Taken off for each point that either side had scored when the reserve is set."""
    bonus_ms: int = 0
    overtime_ms: int = 0
    each_game: bool = False
    """Whether every game begins with a fresh reserve, else it lasts the match."""
    reset_delay_on_void: bool = False

    def settings(self, length: int | None = None, scored: int = 0) -> ClockSettings:
        """Return the clock's settings.

        Args:
            length: of the match in points; None: a session without end.
            scored: points scored so far by both sides together: in the US rules a clock
                brought to a match under way gives less. With `each_game` it shrinks game
                by game.

        Raises:
            ClockError: time by the point and no length.
        """
        if length is None and self.per_point_ms:
            raise ClockError("time by the point needs a match length; name a fixed reserve")
        reserve = self.fixed_ms + self.per_point_ms * (length or 0)
        reserve = max(0, reserve - self.less_a_point_ms * scored)
        return ClockSettings(
            self.kind,
            (reserve, reserve),
            self.bonus_ms,
            self.overtime_ms,
            self.reset_delay_on_void,
        )


@dataclass(frozen=True, slots=True)
class Preset:
    """A time control with a name."""

    name: str
    title_ru: str
    title_en: str
    control: TimeControl
    source: str
    """Whose practice it is; "house": ours, no text behind it."""

    def title(self, language: str) -> str:
        """Return the title in `ru` or `en`."""
        return self.title_ru if language == "ru" else self.title_en


_UNITS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_TIME = r"(\d{1,6})(?:\.(\d{1,3}))?(ms|s|m|h)"
# What a control is made of, in any order; a fixed reserve comes first, so that the kind left
# out of `2m/pt+12s` is noticed and not taken for twelve seconds of reserve.
_PARTS: Final = tuple(
    (name, re.compile(rf"\s*{form}(?![a-z/])"))
    for name, form in (
        ("each_game", r"each\s+game"),
        ("reset_delay_on_void", r"reset\s+on\s+void"),
        ("sudden", r"sudden\s+death"),
        ("per_point_ms", rf"\+?\s*{_TIME}\s*/\s*(?:pt|point)"),
        ("less_a_point_ms", rf"-\s*{_TIME}\s*/\s*scored"),
        ("overtime_ms", rf"overtime\s+{_TIME}"),
        ("bonus_ms", rf"\+?\s*{_TIME}\s+(delay|increment|fischer|bronstein)"),
        ("fixed_ms", _TIME),
    )
)
_KINDS: Final = {
    "delay": ClockKind.DELAY,
    "increment": ClockKind.INCREMENT,
    "fischer": ClockKind.INCREMENT,
    "bronstein": ClockKind.BRONSTEIN,
}


def control_named(text: str) -> TimeControl:
    """Return a preset's control, or the one that a text describes.

    Raises:
        ClockError: neither; says what cannot be read.
    """
    name = " ".join(text.lower().split())
    return PRESETS[name].control if name in PRESETS else parse_control(text)


def parse_control(text: str) -> TimeControl:
    """Read `2m/pt+12s delay`.

    Raises:
        ClockError: what cannot be read, or is said twice.
    """
    rest, kind = text.strip().lower(), ClockKind.SUDDEN_DEATH
    times: dict[str, int] = {}
    words: set[str] = set()
    while rest:
        name, found = _next_part(rest)
        if found is None or (name == "fixed_ms" and (times or words)):
            raise ClockError(
                f"cannot read {rest.strip()!r} in the time control {text!r}; "
                "write e.g. 2m/pt+12s delay (delay, increment or bronstein after the +time)"
            )
        if name in times or name in words:
            raise ClockError(f"said twice in {text!r}: {found[0].strip()}")
        if found.re.groups:
            times[name] = _ms(found[1], found[2], found[3])
        else:
            words.add(name)
        if name == "bonus_ms":
            kind = _KINDS[found[4]]
        rest = rest[found.end() :]
    control = TimeControl(
        kind,
        **times,
        each_game="each_game" in words,
        reset_delay_on_void="reset_delay_on_void" in words,
    )
    return _checked(text, control, sudden="sudden" in words)


def _next_part(text: str) -> tuple[str, "re.Match[str] | None"]:
    for name, form in _PARTS:
        if found := form.match(text):
            return name, found
    return "", None


def format_control(control: TimeControl) -> str:
    """Write a control so that `parse_control` reads it back."""
    if control.kind is ClockKind.NONE:
        return "none"
    parts = [_text(control.fixed_ms)] if control.fixed_ms or not control.per_point_ms else []
    if control.per_point_ms:
        parts.append(f"{'+' if parts else ''}{_text(control.per_point_ms)}/pt")
    if control.less_a_point_ms:
        parts.append(f"-{_text(control.less_a_point_ms)}/scored")
    if control.bonus_ms:
        parts.append(f"+{_text(control.bonus_ms)} {control.kind.value}")
    else:
        parts.append(" sudden death")
    if control.overtime_ms:
        parts.append(f" overtime {_text(control.overtime_ms)}")
    parts += [" each game"] if control.each_game else []
    parts += [" reset on void"] if control.reset_delay_on_void else []
    return "".join(parts)


def _checked(text: str, control: TimeControl, *, sudden: bool) -> TimeControl:
    if sudden and control.bonus_ms:
        raise ClockError(f"sudden death has no time a turn: {text!r}")
    if control.kind is not ClockKind.SUDDEN_DEATH and not control.bonus_ms:
        raise ClockError(f"a {control.kind.value} of no time: {text!r}")
    if not control.bonus_ms and not control.fixed_ms and not control.per_point_ms:
        raise ClockError(f"a clock without time: {text!r}")
    if control.reset_delay_on_void and control.kind not in (
        ClockKind.DELAY, ClockKind.BRONSTEIN,
    ):  # fmt: skip
        raise ClockError(f"there is no delay to reset in {text!r}")
    return control


def _ms(whole: str, part: str | None, unit: str) -> int:
    """Read a decimal exactly: 2.5m is 150 000 ms and no float ever rounds it."""
    digits = part or ""
    thousandths = int(whole) * 1000 + int(digits.ljust(3, "0"))
    ms, rest = divmod(thousandths * _UNITS[unit], 1000)
    if rest:
        raise ClockError(f"{whole}.{digits}{unit} is not a whole number of milliseconds")
    return ms


def _text(ms: int) -> str:
    for unit in ("h", "m"):
        if ms and ms % _UNITS[unit] == 0:
            return f"{ms // _UNITS[unit]}{unit}"
    minutes, rest = divmod(ms, _UNITS["m"])
    if minutes and rest == _UNITS["m"] // 2:
        return f"{minutes}.5m"
    seconds, rest = divmod(ms, _UNITS["s"])
    return f"{seconds}.{rest:03d}s" if rest else f"{seconds}s"


_BY_POINT: Final = TimeControl(ClockKind.DELAY, per_point_ms=120_000, bonus_ms=12_000)
_MINUTE: Final = 60_000
_LIST: Final = (
    Preset("none", "Без часов", "No clock", TimeControl(ClockKind.NONE), "product"),
    Preset(
        "standard",
        "2 мин на очко, задержка 12 с",
        "2 min a point, 12 s delay",
        replace(_BY_POINT, less_a_point_ms=_MINUTE),
        "US rules 2013, 2.1: 1 min less for each point scored before the clock came",
    ),
    Preset(
        "federation",
        "2 мин на очко, задержка 8 с",
        "2 min a point, 8 s delay",
        replace(_BY_POINT, bonus_ms=8_000),
        "Friendship Cup, February 2025: to 7, 14 min + 8 s",
    ),
    Preset(
        "blitz",
        "Блиц: 1 мин, задержка 10 с",
        "Blitz: 1 min, 10 s delay",
        TimeControl(ClockKind.DELAY, fixed_ms=_MINUTE, bonus_ms=10_000),
        "FNR online blitz, March 2025: to 3, 1 min + 10 s",
    ),
    Preset(
        "doubles",
        "Парные: 2,5 мин на очко, задержка 18 с",
        "Doubles: 2.5 min a point, 18 s delay",
        replace(_BY_POINT, per_point_ms=150_000, bonus_ms=18_000),
        "US rules 2013, 2.2",
    ),
    Preset(
        "overtime",
        "2 мин на очко, задержка 12 с, добавочная минута",
        "2 min a point, 12 s delay, 1 min overtime",
        replace(_BY_POINT, less_a_point_ms=_MINUTE, overtime_ms=_MINUTE),
        "Gammon Associates 2019",
    ),
    Preset(
        "bronstein",
        "2 мин на очко, Бронштейн 12 с",
        "2 min a point, 12 s Bronstein",
        replace(_BY_POINT, kind=ClockKind.BRONSTEIN),
        "house; Bronstein clocks were used at Atlanta 2003",
    ),
    Preset(
        "increment",
        "1 мин на очко, добавление 10 с за ход (Фишер)",
        "1 min a point, 10 s increment (Fischer)",
        TimeControl(ClockKind.INCREMENT, per_point_ms=_MINUTE, bonus_ms=10_000),
        "house",
    ),
    Preset(
        "sudden-death",
        "4 мин на очко, без добавления",
        "4 min a point, sudden death",
        TimeControl(ClockKind.SUDDEN_DEATH, per_point_ms=4 * _MINUTE),
        "house",
    ),
)
PRESETS: Final = MappingProxyType({one.name: one for one in _LIST})
