"""The match clock as arithmetic: whole milliseconds, monotonic time handed in, no ticking.

A `Clock` is a value that changes only when something happens; what it shows between two events
is worked out by `referee.timer_reading.at`. Time runs for `to_move` alone, so both sides can
never run. For each side, at every moment and for every kind of clock, to the millisecond:

    left + used = start + given + set

`given` is what the kind grants (increments, delays, Bronstein's refund; without a clock all of
it), `set` is what a referee changed. Source: product.md §3; docs/reference/clock.md.
"""

from dataclasses import replace
from typing import Final

from referee.timer_settings import ClockKind, ClockSettings
from referee.timer_state import (
    Answer,
    By,
    Change,
    Clock,
    ClockError,
    Edge,
    Official,
    Pause,
    PauseReason,
    Phase,
    SideTime,
)
from rules import Color

BOUNCE_MS: Final = 30
"""A press this soon after another edge of the same button is bounce; of the other one: both."""


def new_clock(settings: ClockSettings, at_ms: int = 0) -> Clock:
    """Return a clock that stands, with full reserves."""
    white, black = (SideTime(ms + settings.overtime_ms) for ms in settings.reserve_ms)
    return Clock(settings, Phase.READY, white, black, at_ms)


def next_game(
    clock: Clock,
    at_ms: int,
    *,
    settings: ClockSettings | None = None,
    colors_swap: bool = False,
) -> Clock:
    """Return the clock for the next game of a match.

    Args:
        clock: as the last game left it.
        at_ms: now.
        settings: fresh reserves; None: what is left is carried on.
        colors_swap: the players change colours, and take their times with them.
    """
    now = max(at_ms, clock.since_ms)
    if settings is not None:
        return new_clock(settings, now)
    ours = clock.settings
    white, black = clock.white, clock.black
    if colors_swap:
        ours = replace(ours, reserve_ms=ours.reserve_ms[::-1])
        white, black = black, white
    return Clock(ours, Phase.READY, white, black, now)


def ready(clock: Clock, begins: Color) -> Clock:
    """Say who begins; the other side's button then starts the clock."""
    if clock.phase is not Phase.READY:
        raise ClockError(f"a game cannot begin on a clock that is {clock.phase.value}")
    return replace(clock, to_move=begins)


def start(clock: Clock, side: Color, at_ms: int) -> Change:
    """Start a side's time."""
    if clock.phase is not Phase.READY:
        return Change(clock, Answer.NO_EFFECT)
    return Change(_turn_of(replace(clock, before=None), side, at_ms), Answer.STARTED)


def press(clock: Clock, side: Color, at_ms: int) -> Change:
    """Take a press of a button.

    Args:
        clock: before it.
        side: whose button.
        at_ms: of the first edge, however late it was confirmed.
    """
    at = max(at_ms, clock.since_ms)
    mine, other = clock.edges if side is Color.WHITE else clock.edges[::-1]
    if mine is not None and at - mine.last_ms <= BOUNCE_MS:
        last = max(at, mine.last_ms)
        return Change(_edged(clock, side, Edge(mine.first_ms, last)), Answer.BOUNCE)
    clock = _edged(clock, side, Edge(at, at))
    if clock.phase is Phase.PAUSED:
        return Change(clock, Answer.STANDS)
    if clock.phase is Phase.FLAG:
        return Change(clock, Answer.FLAG_IS_DOWN)
    if clock.phase is Phase.READY:
        return _press_to_start(clock, side, at)
    if other is not None and at - other.first_ms <= BOUNCE_MS:
        return _both_pressed(clock, at)
    if side is not clock.to_move:
        return Change(clock, Answer.NOT_YOUR_TURN)
    clock = settled(clock, at)
    if clock.phase is Phase.FLAG:
        return Change(clock, Answer.FLAG_FELL)
    return Change(_turn_ended(clock, side, at), Answer.SWITCHED)


def pause(clock: Clock, by: By, at_ms: int, reason: PauseReason = PauseReason.ASKED) -> Change:
    """Stop the clock; anyone may."""
    if clock.phase is not Phase.RUNNING:
        return Change(clock, Answer.NOT_RUNNING)
    clock = settled(clock, at_ms)
    if clock.phase is Phase.FLAG:
        return Change(clock, Answer.FLAG_FELL)
    return Change(_paused(clock, reason, by), Answer.PAUSED)


def resume(clock: Clock, by: By, at_ms: int) -> Change:
    """Let the mover's time run on; for the mover and the referee.

    The table itself ends only a pause it made to ask something.
    """
    if clock.phase is not Phase.PAUSED or clock.pause is None:
        return Change(clock, Answer.NO_EFFECT)
    own = clock.pause == Pause(PauseReason.QUESTION, Official.TABLE)
    if by not in (clock.to_move, Official.REFEREE) and not (by is Official.TABLE and own):
        return Change(clock, Answer.NOT_ALLOWED)
    since = max(at_ms, clock.since_ms)
    running = replace(clock, phase=Phase.RUNNING, since_ms=since, pause=None)
    return Change(running, Answer.RESUMED)


def stop(clock: Clock, at_ms: int) -> Change:
    """End the game: nothing runs, nobody is to move."""
    clock = settled(clock, at_ms)
    if clock.phase is Phase.FLAG:
        return Change(clock, Answer.FLAG_FELL)
    stopped = replace(clock, phase=Phase.READY, to_move=None, pause=None, before=None)
    return Change(stopped, Answer.STOPPED)


def set_time(clock: Clock, white_ms: int, black_ms: int, at_ms: int) -> Change:
    """Set both reserves, overtime included; for the referee.

    A running clock runs on. A fallen flag rises if its side gets time; the clock then stands.

    Raises:
        ClockError: a negative time.
    """
    if white_ms < 0 or black_ms < 0:
        raise ClockError(f"a reserve cannot be {min(white_ms, black_ms)} ms")
    if clock.settings.kind is ClockKind.NONE:
        return Change(clock, Answer.NO_EFFECT)
    clock = _with_left(settled(clock, at_ms), white_ms, black_ms)
    if clock.flag is not None and clock.of(clock.flag).left_ms:
        clock = _paused(replace(clock, flag=None), PauseReason.TIME_SET, Official.REFEREE)
    return Change(replace(clock, before=None), Answer.TIME_SET)


def switch_to(
    clock: Clock, side: Color, at_ms: int, *, back_to: Clock | None = None,
    by: By = Official.REFEREE,
) -> Change:  # fmt: skip
    """Give the turn back to a side after a takeback; the clock stands until resumed.

    Args:
        clock: now.
        side: whose turn it is again.
        at_ms: now.
        back_to: the clock as it stood when the turn taken back was ended (`Clock.before` after
            that press). Both reserves and the delay are then as they were at that moment: the
            mover goes on where he stopped and the opponent gets back what he used since.
            None: the reserves stay as they are and the delay begins anew.
        by: who took it back.
    """
    clock = settled(clock, at_ms)
    turn_ms, delay = 0, clock.settings.delay_ms
    if back_to is not None:
        clock = _with_left(clock, back_to.white.left_ms, back_to.black.left_ms)
        if back_to.to_move is side:
            turn_ms, delay = back_to.turn_ms, back_to.delay_left_ms
    clock = replace(
        clock, to_move=side, turn_ms=turn_ms, delay_left_ms=delay, flag=None, before=None
    )
    return Change(_paused(clock, PauseReason.TAKEN_BACK, by), Answer.TAKEN_BACK)


def reset_delay(clock: Clock, at_ms: int) -> Change:
    """Begin the mover's delay anew, as after a void throw where the players agreed on it."""
    clock = settled(clock, at_ms)
    if clock.phase is Phase.FLAG:
        return Change(clock, Answer.FLAG_FELL)
    if clock.to_move is None or not clock.settings.delay_ms:
        return Change(clock, Answer.NO_EFFECT)
    clock = _granted(clock, clock.to_move, _refund_ms(clock))
    fresh = replace(clock, delay_left_ms=clock.settings.delay_ms, before=None)
    return Change(fresh, Answer.DELAY_RESET)


def restarted(clock: Clock, at_ms: int) -> Clock:
    """Return the clock after the table was switched off and on: it never runs by itself.

    The monotonic clock has begun anew: `at_ms` may be smaller than anything before. The time
    since the last event is nobody's, for nobody can tell how long the table was dark.
    """
    clock = replace(clock, since_ms=at_ms, edges=(None, None))
    if clock.phase is Phase.RUNNING:
        return _paused(clock, PauseReason.RESTART, Official.TABLE)
    return clock


def falls_at_ms(clock: Clock) -> int | None:
    """Return when the running side's flag will fall if nothing happens; None: never."""
    if clock.phase is not Phase.RUNNING or clock.to_move is None:
        return None
    if clock.settings.kind is ClockKind.NONE:
        return None
    free = clock.delay_left_ms if clock.settings.kind is ClockKind.DELAY else 0
    return clock.since_ms + free + clock.of(clock.to_move).left_ms


def tick(clock: Clock, now_ms: int) -> Change:
    """Let the flag fall if it is due: for a timer set to `falls_at_ms` plus `BOUNCE_MS`.

    The wait lets a press in that came before the fall and is still being confirmed.
    """
    due = falls_at_ms(clock)
    if due is None or now_ms < due + BOUNCE_MS:
        return Change(clock, Answer.NO_EFFECT)
    return Change(settled(clock, now_ms), Answer.FLAG_FELL)


def settled(clock: Clock, now_ms: int) -> Clock:
    """Bring the accounts up to a moment; the flag may fall on the way."""
    now = max(now_ms, clock.since_ms)
    mover, due = clock.to_move, falls_at_ms(clock)
    if clock.phase is not Phase.RUNNING or mover is None:
        return replace(clock, since_ms=now)
    fallen = due is not None and now >= due
    elapsed = (due if due is not None and fallen else now) - clock.since_ms
    of_delay = min(elapsed, clock.delay_left_ms)
    free = {ClockKind.NONE: elapsed, ClockKind.DELAY: of_delay}.get(clock.settings.kind, 0)
    side = clock.of(mover)
    side = replace(
        side,
        left_ms=side.left_ms - (elapsed - free),
        used_ms=side.used_ms + elapsed,
        given_ms=side.given_ms + free,
    )
    clock = replace(
        _with_side(clock, mover, side),
        since_ms=now,
        turn_ms=clock.turn_ms + elapsed,
        delay_left_ms=clock.delay_left_ms - of_delay,
    )
    return replace(clock, phase=Phase.FLAG, flag=mover) if fallen else clock


def _press_to_start(clock: Clock, side: Color, at: int) -> Change:
    if clock.to_move is None:
        return Change(clock, Answer.NOT_RUNNING)
    if side is clock.to_move:
        return Change(clock, Answer.NOT_YOUR_TURN)
    waiting = replace(clock, since_ms=at, before=None)
    return Change(replace(_turn_of(waiting, side.other, at), before=waiting), Answer.STARTED)


def _both_pressed(clock: Clock, at: int) -> Change:
    """Stop, with the turn where it was before either button, whichever came first."""
    earlier = clock.before
    if earlier is not None and clock.since_ms == earlier.since_ms >= at - BOUNCE_MS:
        # The first of the two presses had handed the turn over: that does not stand.
        clock = replace(earlier, edges=clock.edges)
        if clock.phase is Phase.READY:
            return Change(replace(clock, since_ms=at), Answer.BOTH_PRESSED)
    clock = settled(clock, at)
    if clock.phase is Phase.FLAG:
        return Change(clock, Answer.FLAG_FELL)
    stands = _paused(clock, PauseReason.BOTH_PRESSED, Official.TABLE)
    return Change(stands, Answer.BOTH_PRESSED)


def _turn_ended(clock: Clock, mover: Color, at: int) -> Clock:
    """Hand the turn over, with what this kind of clock grants for it."""
    at_press = replace(clock, before=None)
    bonus = (
        clock.settings.bonus_ms
        if clock.settings.kind is ClockKind.INCREMENT
        else _refund_ms(clock)
    )
    return replace(_turn_of(_granted(clock, mover, bonus), mover.other, at), before=at_press)


def _refund_ms(clock: Clock) -> int:
    """Return what Bronstein's clock gives back for the turn so far."""
    if clock.settings.kind is not ClockKind.BRONSTEIN:
        return 0
    return clock.settings.delay_ms - clock.delay_left_ms


def _turn_of(clock: Clock, side: Color, at_ms: int) -> Clock:
    return replace(
        clock,
        phase=Phase.RUNNING,
        to_move=side,
        since_ms=max(at_ms, clock.since_ms),
        turn_ms=0,
        delay_left_ms=clock.settings.delay_ms,
    )


def _paused(clock: Clock, reason: PauseReason, by: By) -> Clock:
    return replace(clock, phase=Phase.PAUSED, pause=Pause(reason, by))


def _granted(clock: Clock, color: Color, ms: int) -> Clock:
    side = clock.of(color)
    side = replace(side, left_ms=side.left_ms + ms, given_ms=side.given_ms + ms)
    return _with_side(clock, color, side)


def _with_left(clock: Clock, white_ms: int, black_ms: int) -> Clock:
    for color, ms in zip(Color, (white_ms, black_ms), strict=True):
        side = clock.of(color)
        side = replace(side, left_ms=ms, set_ms=side.set_ms + ms - side.left_ms)
        clock = _with_side(clock, color, side)
    return clock


def _with_side(clock: Clock, color: Color, side: SideTime) -> Clock:
    if color is Color.WHITE:
        return replace(clock, white=side)
    return replace(clock, black=side)


def _edged(clock: Clock, color: Color, edge: Edge) -> Clock:
    white, black = clock.edges
    return replace(clock, edges=(edge, black) if color is Color.WHITE else (white, edge))
