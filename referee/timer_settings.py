"""What a clock is set to: its kind and its numbers."""

from dataclasses import dataclass
from enum import StrEnum


class ClockKind(StrEnum):
    """How a clock treats the time of a turn."""

    NONE = "none"
    """No clock: time is measured, nothing runs out."""
    SUDDEN_DEATH = "sudden_death"
    """All time comes from the reserve."""
    INCREMENT = "increment"
    """Fischer: each turn ended adds the bonus to the reserve."""
    DELAY = "delay"
    """Simple (US) delay: each turn's first seconds are free."""
    BRONSTEIN = "bronstein"
    """Each turn ended gives back what it used, at most the bonus."""


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """The settings of one match.

    Raises:
        ValueError: a negative time, a bonus the kind has no use for, or one it lacks.
    """

    kind: ClockKind
    reserve_ms: tuple[int, int] = (0, 0)
    """White's and Black's, without overtime."""
    bonus_ms: int = 0
    """Increment, delay or Bronstein's limit a turn."""
    overtime_ms: int = 0
    """Granted once to each side when its reserve is used up, and shown apart."""
    reset_delay_on_void: bool = False
    """Whether a void throw begins the delay anew."""

    def __post_init__(self) -> None:
        if min(*self.reserve_ms, self.bonus_ms, self.overtime_ms) < 0:
            raise ValueError("a clock's times are not negative")
        if self.kind is ClockKind.NONE and (any(self.reserve_ms) or self.overtime_ms):
            raise ValueError("without a clock there is no reserve")
        with_bonus = self.kind not in (ClockKind.NONE, ClockKind.SUDDEN_DEATH)
        if with_bonus != bool(self.bonus_ms):
            need = "needs a time a turn" if with_bonus else "has no time a turn"
            raise ValueError(f"a clock of kind {self.kind.value} {need}")

    @property
    def delay_ms(self) -> int:
        """The delay a turn begins with; 0 where the kind has none."""
        return self.bonus_ms if self.kind in (ClockKind.DELAY, ClockKind.BRONSTEIN) else 0
