"""The values of the match clock: what it is at a moment, and what became of a call.

Source: product.md §3; docs/reference/clock.md.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from referee.timer_settings import ClockSettings
from rules import Color


class Phase(StrEnum):
    """Whether time runs."""

    READY = "ready"
    """Between games, or before the first: nothing runs."""
    RUNNING = "running"
    PAUSED = "paused"
    FLAG = "flag"
    """A flag has fallen; only a referee moves on from here."""


class Official(StrEnum):
    """Who acts on the clock and is not a player."""

    REFEREE = "referee"
    TABLE = "table"
    """The machine itself."""


By: TypeAlias = Color | Official


class PauseReason(StrEnum):
    """Why the clock stands."""

    ASKED = "asked"
    QUESTION = "question"
    """The table asks the players something; it may also resume."""
    BOTH_PRESSED = "both_pressed"
    TAKEN_BACK = "taken_back"
    TIME_SET = "time_set"
    RESTART = "restart"
    """The table was switched off, or fell over."""


class Answer(StrEnum):
    """What became of a call."""

    STARTED = "started"
    SWITCHED = "switched"
    PAUSED = "paused"
    RESUMED = "resumed"
    STOPPED = "stopped"
    BOTH_PRESSED = "both_pressed"
    TAKEN_BACK = "taken_back"
    FLAG_FELL = "flag_fell"
    TIME_SET = "time_set"
    DELAY_RESET = "delay_reset"
    # From here on: nothing was changed.
    BOUNCE = "bounce"
    NOT_YOUR_TURN = "not_your_turn"
    """The button of the side whose time does not run."""
    NOT_RUNNING = "not_running"
    STANDS = "stands"
    """A press while the clock is paused."""
    NOT_ALLOWED = "not_allowed"
    """Only the mover or the referee resumes."""
    FLAG_IS_DOWN = "flag_is_down"
    NO_EFFECT = "no_effect"
    """This kind of clock has no such thing."""


class ClockError(ValueError):
    """A call that makes no sense, such as a negative time."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Why the clock stands and who stopped it."""

    reason: PauseReason
    by: By


@dataclass(frozen=True, slots=True)
class SideTime:
    """One side's account."""

    left_ms: int
    """Until the flag falls, overtime included, delay not."""
    used_ms: int = 0
    """All the time this side's clock ran, free or not."""
    given_ms: int = 0
    set_ms: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """A button's latest burst of contacts."""

    first_ms: int
    last_ms: int


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock as it stood at `since_ms`. Build with `new_clock`."""

    settings: ClockSettings
    phase: Phase
    white: SideTime
    black: SideTime
    since_ms: int = 0
    """The latest time known; earlier stamps are taken for this one, so no time comes back."""
    to_move: Color | None = None
    """Whose time runs, or will; None: nobody knows yet who begins."""
    turn_ms: int = 0
    """How long this turn has run."""
    delay_left_ms: int = 0
    """Of this turn's delay (simple), or of the time it will get back (Bronstein)."""
    pause: Pause | None = None
    flag: Color | None = None
    edges: tuple[Edge | None, Edge | None] = (None, None)
    """White's and Black's button."""
    before: "Clock | None" = None
    """As it stood at the last press that counted: where a takeback of that turn leads."""

    def of(self, color: Color) -> SideTime:
        """Return a side's account."""
        return self.white if color is Color.WHITE else self.black


@dataclass(frozen=True, slots=True)
class Change:
    """The clock after a call, and what became of the call."""

    clock: Clock
    answer: Answer
