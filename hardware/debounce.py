"""A button's line as a value: from edges to presses, without hardware and without a clock.

A contact bounces: one press makes several edges within some milliseconds. A press is dated at
its first edge, since that is when the player stopped the clock, but it is believed only when
the line has stayed down for a while. What does not stay is noise and is counted. Edges come in
as they fall; `tick` lets time pass, and `due_s` says when the next tick is wanted.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from hardware.errors import HardwareError, Sentence

_BURST_S: Final = 0.003
"""Edges closer than this belong to one closing or opening of the contact."""
_WINDOW_S: Final = 0.1
_DOUBT_S: Final = 0.010
"""An edge that the line's level speaks of may still be on its way for so long."""
_MOST_BURSTS: Final = 5
"""More closings and openings than this within the window no finger makes."""


class ButtonSettingError(HardwareError, ValueError):
    """A time that cannot be; says what is allowed."""


@dataclass(frozen=True, slots=True)
class DebounceSettings:
    """How long is long, in seconds.

    Raises:
        ButtonSettingError: a value out of its range; the same on every backend.
    """

    stable_s: float = 0.020
    """A press is believed when the line stayed down so long."""
    hold_s: float = 1.5
    """Held so long, a button calls the referee."""
    stuck_s: float = 30.0
    """Held so long, something lies on it or the line is shorted."""
    chatter_s: float = 0.060
    """A line that does not settle within this time has a loose contact."""
    quiet_s: float = 1.0
    """A faulty line is trusted again after so long a silence."""

    def __post_init__(self) -> None:
        for name, value, least, most in (
            ("stable_s", self.stable_s, 0.005, 0.050),
            ("hold_s", self.hold_s, 0.5, 10.0),
            ("stuck_s", self.stuck_s, 5.0, 600.0),
            ("chatter_s", self.chatter_s, 0.030, 0.500),
            ("quiet_s", self.quiet_s, 0.1, 10.0),
        ):
            good = isinstance(value, int | float) and not isinstance(value, bool)
            if not good or not least <= value <= most:
                raise ButtonSettingError(
                    Sentence(
                        f"buttons.{name} = {value!r}: так нельзя.",
                        f"buttons.{name} = {value!r} is wrong.",
                    ),
                    Sentence(
                        f"Допустимо: {least:g}–{most:g} секунд.",
                        f"Allowed: {least:g}–{most:g} seconds.",
                    ),
                )


class LineFault(StrEnum):
    """What may be wrong with a button's line."""

    STUCK_AT_START = "stuck_at_start"
    """It was down already when the table was switched on."""
    STUCK = "stuck"
    """It has been down for too long."""
    CHATTERING = "chattering"
    """It goes up and down as no finger can."""


@dataclass(frozen=True, slots=True)
class Down:
    """A press, believed now and dated at its first edge."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Up:
    """The end of a press, dated at its first edge."""

    at_s: float


@dataclass(frozen=True, slots=True)
class HeldLong:
    """The button has been held down for long; once a press."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Faulty:
    """The line went wrong: its presses do not count until it is quiet."""

    at_s: float
    fault: LineFault


@dataclass(frozen=True, slots=True)
class Healed:
    """The line is quiet and trusted again."""

    at_s: float


LineEvent: TypeAlias = Down | Up | HeldLong | Faulty | Healed


@dataclass(frozen=True, slots=True)
class Line:
    """What is known of a button's line."""

    level: bool
    """Whether it is down, as far as edges told."""
    settled: bool
    """Whether it is down for sure: what a person would say."""
    settled_s: float
    """Since when."""
    unrest_s: float | None = None
    """The first edge since it last was at rest; None while it is."""
    edge_s: float = 0.0
    """The newest edge."""
    bursts: tuple[float, ...] = ()
    """When the contact lately closed or opened, bounces of each taken together."""
    doubt_s: float | None = None
    """Since when the level read is another one than the edges told."""
    fault: LineFault | None = None
    called: bool = False
    """Whether this press has called the referee."""
    noise: int = 0
    """Disturbances that came to nothing."""
    missed: int = 0
    """Edges that never came: the line was found to be other than they told."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The line as it is now, and what that means."""

    line: Line
    events: tuple[LineEvent, ...] = ()


def begin(down: bool, at_s: float) -> Heard:
    """Look at a line for the first time; one that is down already is faulty, not pressed."""
    line = Line(down, down, at_s)
    if not down:
        return Heard(line)
    fault = LineFault.STUCK_AT_START
    return Heard(replace(line, fault=fault), (Faulty(at_s, fault),))


def edge(line: Line, at_s: float, down: bool, settings: DebounceSettings) -> Heard:
    """Take an edge: the line went down, or up."""
    # Drivers may deliver a little out of order; time itself does not run backwards.
    at_s = max(at_s, line.edge_s)
    events: tuple[LineEvent, ...] = ()
    if down == line.level:
        # The edge between was lost: how long the line stayed cannot be known, so begin anew.
        again = at_s >= line.edge_s + settings.stable_s
        unrest_s = None if again else line.unrest_s
        line = replace(line, missed=line.missed + 1, unrest_s=unrest_s)
    else:
        heard = tick(line, at_s, settings)
        line, events = heard.line, heard.events
    return _moved(line, at_s, down, settings, events)


def tick(
    line: Line, now_s: float, settings: DebounceSettings, *, down: bool | None = None
) -> Heard:
    """Let time pass.

    Args:
        line: as it was.
        now_s: the time.
        settings: how long is long.
        down: the line's level as just read, where it was; it uncovers edges that got lost.
    """
    if down is not None and down != line.level:
        if line.doubt_s is None:
            return Heard(replace(line, doubt_s=now_s))
        if now_s < line.doubt_s + _DOUBT_S:
            return Heard(line)
        lost = replace(line, missed=line.missed + 1)
        return _moved(lost, max(line.doubt_s, line.edge_s), down, settings, ())
    line = replace(line, doubt_s=None)
    events: tuple[LineEvent, ...] = ()
    if line.unrest_s is not None and now_s >= line.edge_s + settings.stable_s:
        heard = _settle(line, line.unrest_s)
        line, events = heard.line, heard.events
    heard = _last(line, now_s, settings)
    return Heard(heard.line, events + heard.events)


def _moved(
    line: Line,
    at_s: float,
    down: bool,
    settings: DebounceSettings,
    events: tuple[LineEvent, ...],
) -> Heard:
    """Put an edge into the books."""
    new_burst = not line.bursts or at_s - line.edge_s > _BURST_S
    recent = tuple(one for one in line.bursts if at_s - one <= _WINDOW_S)
    moved = replace(
        line,
        level=down,
        doubt_s=None,
        unrest_s=at_s if line.unrest_s is None else line.unrest_s,
        edge_s=at_s,
        bursts=(*recent, at_s)[-_MOST_BURSTS - 1 :] if new_burst else recent,
    )
    heard = _chatters(moved, at_s, settings)
    return Heard(heard.line, events + heard.events)


def due_s(line: Line, settings: DebounceSettings) -> float | None:
    """Return when the next tick is wanted; None while nothing is to come."""
    if line.doubt_s is not None:
        return line.doubt_s + _DOUBT_S
    if line.unrest_s is not None:
        return line.edge_s + settings.stable_s
    if line.fault is not None:
        return None if line.settled else max(line.settled_s, line.edge_s) + settings.quiet_s
    if line.settled:
        return line.settled_s + (settings.stuck_s if line.called else settings.hold_s)
    return None


def _settle(line: Line, first_s: float) -> Heard:
    """Believe what has stayed; `first_s` is the first edge of it."""
    line = replace(line, unrest_s=None)
    if line.level == line.settled:
        return Heard(replace(line, noise=line.noise + 1))
    line = replace(line, settled=line.level, settled_s=first_s, called=False)
    if line.fault is not None:
        return Heard(line)
    return Heard(line, (Down(first_s) if line.settled else Up(first_s),))


def _last(line: Line, now_s: float, settings: DebounceSettings) -> Heard:
    """See to what lasts: a long hold, a stuck line, a fault that is over."""
    if line.unrest_s is not None:
        return Heard(line)
    if line.fault is not None:
        quiet_since_s = max(line.settled_s, line.edge_s)
        if not line.settled and now_s >= quiet_since_s + settings.quiet_s:
            return Heard(replace(line, fault=None, bursts=()), (Healed(now_s),))
        return Heard(line)
    if not line.settled:
        return Heard(line)
    events: list[LineEvent] = []
    if not line.called and now_s >= line.settled_s + settings.hold_s:
        line = replace(line, called=True)
        events.append(HeldLong(line.settled_s + settings.hold_s))
    if now_s >= line.settled_s + settings.stuck_s:
        line = replace(line, fault=LineFault.STUCK)
        events.append(Faulty(now_s, LineFault.STUCK))
    return Heard(line, tuple(events))


def _chatters(line: Line, at_s: float, settings: DebounceSettings) -> Heard:
    unrest_s = at_s if line.unrest_s is None else line.unrest_s
    restless = at_s - unrest_s > settings.chatter_s
    if line.fault is None and (restless or len(line.bursts) > _MOST_BURSTS):
        fault = LineFault.CHATTERING
        return Heard(replace(line, fault=fault), (Faulty(at_s, fault),))
    return Heard(line)
