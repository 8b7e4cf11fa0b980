"""The clock as the arbiter handles it: what each turn of events does to whose time.

The laws, told once: a question that only the machine has (what was thrown, what stands there)
stops the clock until it is answered. A play demanded back gives both sides the times they had
when it was ended. Turns undone by the referee leave the times as they are and stop the clock.
"""

from dataclasses import replace

from referee import timer
from referee.arbiter.events import Actor
from referee.arbiter.states import MatchState
from referee.timer_settings import ClockKind
from referee.timer_state import By, Clock, Edge, Official, PauseReason, Phase
from rules import Color


def voice(by: Actor) -> By:
    """Return who acts on the clock when somebody speaks."""
    match by:
        case Actor.WHITE:
            return Color.WHITE
        case Actor.BLACK:
            return Color.BLACK
        case Actor.REFEREE | Actor.BOTH:
            return Official.REFEREE
        case Actor.CAMERA | Actor.SYSTEM:
            return Official.TABLE


def hold(state: MatchState, at_ms: int) -> MatchState:
    """Stop the clock while the machine asks something."""
    held = timer.pause(state.clock, Official.TABLE, at_ms, PauseReason.QUESTION)
    return replace(state, clock=held.clock)


def go_on(state: MatchState, at_ms: int) -> MatchState:
    """End a stop of the machine's own; one that a person asked for stays."""
    return replace(state, clock=timer.resume(state.clock, Official.TABLE, at_ms).clock)


def end_turn(state: MatchState, side: Color, at_ms: int) -> MatchState:
    """Hand the time over where no button says it."""
    if state.clock.phase is Phase.READY:
        change = timer.start(state.clock, side.other, at_ms)
    else:
        change = timer.press(state.clock, side, at_ms)
    return replace(state, clock=change.clock)


def hand_to(state: MatchState, side: Color, at_ms: int) -> MatchState:
    """Let a side's time run: it is to answer a double, or to go on after the answer."""
    clock = state.clock
    if clock.phase is Phase.RUNNING and clock.to_move is not side:
        # No turn has ended, so nothing is granted for one.
        clock = timer.switch_to(clock, side, at_ms).clock
        clock = timer.resume(clock, Official.REFEREE, at_ms).clock
    return replace(state, clock=clock)


def take_back(state: MatchState, side: Color, at_ms: int) -> MatchState:
    """Give the turn back to a side that plays it again, at once and at the times it had."""
    clock = state.clock
    if clock.phase in (Phase.READY, Phase.FLAG):
        return state
    asked = clock.pause is not None and clock.pause.reason is PauseReason.ASKED
    back = timer.switch_to(clock, side, at_ms, back_to=clock.before, by=Official.REFEREE).clock
    if not asked:
        back = timer.resume(back, Official.REFEREE, at_ms).clock
    return replace(state, clock=back)


def set_turn(state: MatchState, side: Color, by: Actor, at_ms: int) -> MatchState:
    """Say whose turn it is by decree; the clock stands until somebody resumes it."""
    clock = state.clock
    if clock.phase is Phase.READY:
        clock = timer.ready(clock, side)
    else:
        clock = timer.switch_to(clock, side, at_ms, by=voice(by)).clock
    if clock.settings.kind is ClockKind.NONE:
        # Nobody would think of resuming a clock that the match has not got.
        clock = timer.resume(clock, Official.REFEREE, at_ms).clock
    return replace(state, clock=clock)


def void(state: MatchState, at_ms: int) -> MatchState:
    """Begin the delay anew after a void throw, where the match has it so."""
    if not state.clock.settings.reset_delay_on_void:
        return state
    return replace(state, clock=timer.reset_delay(state.clock, at_ms).clock)


def bounced(state: MatchState, side: Color, at_ms: int) -> bool:
    """Tell whether a press is only the bounce of the one before."""
    edge = state.clock.edges[0 if side is Color.WHITE else 1]
    return edge is not None and at_ms - edge.last_ms <= timer.BOUNCE_MS


def edged(state: MatchState, side: Color, at_ms: int) -> MatchState:
    """Note a press that is an answer and not the end of a turn."""
    white, black = state.clock.edges
    edge = Edge(at_ms, at_ms)
    edges = (edge, black) if side is Color.WHITE else (white, edge)
    return replace(state, clock=replace(state.clock, edges=edges))


def exchanged(clock: Clock) -> Clock:
    """Return the clock when the players change colours before the first press."""
    settings = replace(clock.settings, reserve_ms=clock.settings.reserve_ms[::-1])
    return replace(clock, settings=settings, white=clock.black, black=clock.white, to_move=None)
