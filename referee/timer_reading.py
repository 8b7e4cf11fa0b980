"""What a clock shows at a moment, and how a view far away counts on without ever flattering.

A view has its own clock and hears of changes late. It counts down from the last reading by
`later(reading, elapsed)`, with `elapsed` no less than the time since `at_ms`: by the clock
exchange of docs/reference/clock.md that bound costs one round trip. A reading is then never
above the true time, and the display never jumps back up but when time was really granted.
"""

from dataclasses import dataclass, replace

from referee.timer import settled
from referee.timer_settings import ClockKind
from referee.timer_state import Clock, Pause, Phase
from rules import Color


@dataclass(frozen=True, slots=True)
class SideReading:
    """One side's display."""

    left_ms: int
    """Of the reserve; 0 in overtime, and where there is no clock."""
    overtime_left_ms: int
    used_ms: int


@dataclass(frozen=True, slots=True)
class ClockReading:
    """The whole display at `at_ms`, the server's monotonic time."""

    at_ms: int
    kind: ClockKind
    phase: Phase
    to_move: Color | None
    starts_by: Color | None
    """Ready to begin: whose button starts the clock (of the side that does not begin)."""
    white: SideReading
    black: SideReading
    delay_left_ms: int
    """Of a simple delay; counted down before the reserve."""
    turn_ms: int
    flag: Color | None
    pause: Pause | None

    @property
    def runs(self) -> Color | None:
        """Whose time runs; never both sides', None while none does."""
        return self.to_move if self.phase is Phase.RUNNING else None

    def of(self, color: Color) -> SideReading:
        """Return a side's display."""
        return self.white if color is Color.WHITE else self.black


def at(clock: Clock, now_ms: int) -> ClockReading:
    """Return what the clock shows at a moment; an earlier one reads as the last one known."""
    clock = settled(clock, now_ms)
    waiting = clock.phase is Phase.READY and clock.to_move is not None
    return ClockReading(
        at_ms=clock.since_ms,
        kind=clock.settings.kind,
        phase=clock.phase,
        to_move=clock.to_move,
        starts_by=clock.to_move.other if waiting and clock.to_move else None,
        white=_side(clock, Color.WHITE),
        black=_side(clock, Color.BLACK),
        delay_left_ms=clock.delay_left_ms if clock.settings.kind is ClockKind.DELAY else 0,
        turn_ms=clock.turn_ms,
        flag=clock.flag,
        pause=clock.pause,
    )


def later(reading: ClockReading, elapsed_ms: int) -> ClockReading:
    """Return what a view shows some time after a reading, if nothing has happened since.

    The flag is not dropped here: a view that sees zero waits for the table's word.
    """
    side, elapsed = reading.runs, max(0, elapsed_ms)
    if side is None:
        return replace(reading, at_ms=reading.at_ms + elapsed)
    before = reading.of(side)
    of_delay = min(elapsed, reading.delay_left_ms)
    charged = 0 if reading.kind is ClockKind.NONE else elapsed - of_delay
    of_reserve = min(charged, before.left_ms)
    of_overtime = min(charged - of_reserve, before.overtime_left_ms)
    ran = elapsed
    if reading.kind is not ClockKind.NONE:
        ran = of_delay + of_reserve + of_overtime
    after = SideReading(
        before.left_ms - of_reserve,
        before.overtime_left_ms - of_overtime,
        before.used_ms + ran,
    )
    moved = replace(
        reading,
        at_ms=reading.at_ms + elapsed,
        delay_left_ms=reading.delay_left_ms - of_delay,
        turn_ms=reading.turn_ms + ran,
    )
    if side is Color.WHITE:
        return replace(moved, white=after)
    return replace(moved, black=after)


def _side(clock: Clock, color: Color) -> SideReading:
    total, overtime = clock.of(color).left_ms, clock.settings.overtime_ms
    return SideReading(max(0, total - overtime), min(total, overtime), clock.of(color).used_ms)
