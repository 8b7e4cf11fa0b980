"""The arbiter's state machine: `advance(state, event)`, pure, and `settle`, all that follows.

A record holds every event, rulings included. Its state is the fold of `advance` over them with
the effects left aside; live, `settle` also takes up the rulings that an event calls for, so
that they go into the record in one piece with it.

Source: product.md §2; docs/reference/referee.md holds the transition table.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import assert_never

from referee import timer
from referee.arbiter import decrees, ending, playing, throwing, touch, unseen
from referee.arbiter.events import (
    Accepted,
    AdjustSaid,
    Beavered,
    BoardNudged,
    ClaimAnswered,
    Demanded,
    DiceChanged,
    DiceLifted,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Event,
    FlagAnswered,
    FlagFell,
    GameEnded,
    MatchClosed,
    MatchEnded,
    MatchOpened,
    NextGameStarted,
    OpeningDieSeen,
    OpeningRuled,
    Overridden,
    PauseAsked,
    PlayRead,
    PlayRuled,
    PositionChosen,
    PrematureAnswered,
    Pressed,
    PressWithdrawn,
    RefereeCalled,
    RefereeLeft,
    ResignAnswered,
    ResignOffered,
    Restarted,
    ResultCorrected,
    Resumed,
    SightLost,
    StartSeen,
    ThrowAnswered,
    ThrowRuled,
    ThrowSeen,
    TimePassed,
    TimeSet,
    TouchClaimed,
    Undone,
)
from referee.arbiter.sentences import say
from referee.arbiter.states import (
    AwaitingThrow,
    Disputed,
    Emit,
    Lost,
    MatchState,
    Refused,
    Say,
    Sign,
    Transition,
)


@dataclass(frozen=True, slots=True)
class Settled:
    """What an event and all that follows from it lead to."""

    state: MatchState
    events: tuple[Event, ...]
    """To be recorded, in order; empty where nothing was done."""
    said: tuple[Say, ...] = ()
    refused: Refused | None = None
    signs: tuple[Sign, ...] = ()


def settle(state: MatchState, event: Event) -> Settled:
    """Take an event and every ruling it calls for."""
    events: list[Event] = []
    said: list[Say] = []
    signs: list[Sign] = []
    # `Restarted` counts time anew; what came before it cannot be compared with it.
    fallen = None if isinstance(event, Restarted | MatchOpened) else _flag_due(state, event)
    waiting: list[Event] = [event] if fallen is None else [fallen, event]
    while waiting:
        one = waiting.pop(0)
        step = advance(state, one)
        rulings: list[Event] = []
        for effect in step.effects:
            match effect:
                case Refused():
                    # Only what a person asks for is refused, and then it changes nothing.
                    return Settled(state, tuple(events), tuple(said), effect, tuple(signs))
                case Emit():
                    rulings.append(effect.event)
                case Say():
                    said.append(effect)
                case Sign():
                    signs.append(effect)
        if not isinstance(one, TimePassed):
            events.append(one)
        state = step.state
        # What an event calls for comes before the next one.
        waiting = [*rulings, *waiting]
    return Settled(state, tuple(events), tuple(said), None, tuple(signs))


def replayed(events: Iterable[Event], state: MatchState | None = None) -> MatchState:
    """Return the state that recorded events lead to."""
    start = MatchState() if state is None else state
    return reduce(lambda before, event: advance(before, event).state, events, start)


def advance(state: MatchState, event: Event) -> Transition:
    """Return the next state and what follows.

    Args:
        state: before the event.
        event: a fact, a person's word or a ruling.
    """
    match event:
        case MatchOpened():
            return ending.opened(state, event)
        case Restarted():
            return decrees.restarted(state, event)
        case TimePassed():
            return Transition(state)
        case StartSeen():
            return ending.start_seen(state, event)
        case OpeningDieSeen():
            return throwing.die_seen(state, event)
        case OpeningRuled():
            return throwing.opening_ruled(state, event)
        case SightLost():
            return decrees.sight_lost(state, event)
        case BoardNudged():
            return Transition(state, (say("nudged", by_px=event.by_px),))
        case NextGameStarted():
            return ending.next_game(state, event)
        case GameEnded():
            return ending.game_ended(state, event)
        case MatchEnded():
            return ending.match_ended(state, event)
        case MatchClosed():
            return ending.match_closed(state, event)
        case FlagFell():
            return ending.flag_fell(state, event)
        case FlagAnswered():
            return ending.flag_answered(state, event)
        case (
            ThrowSeen()
            | ThrowRuled()
            | ThrowAnswered()
            | DiceChanged()
            | DiceLifted()
            | PrematureAnswered()
        ):
            return _of_a_throw(state, event)
        case (
            Pressed()
            | PressWithdrawn()
            | PlayRead()
            | PlayRuled()
            | PositionChosen()
            | Accepted()
            | Demanded()
        ):
            return _of_a_play(state, event)
        case AdjustSaid():
            return touch.adjust_said(state, event)
        case TouchClaimed():
            return touch.touch_claimed(state, event)
        case ClaimAnswered():
            return touch.claim_answered(state, event)
        case ResignOffered():
            return ending.resign_offered(state, event)
        case ResignAnswered():
            return ending.resign_answered(state, event)
        case DoubleOffered():
            return ending.double_offered(state, event)
        case DoubleTaken() | DoubleDropped() | Beavered():
            return ending.double_answered(state, event)
        case PauseAsked():
            return decrees.pause_asked(state, event)
        case Resumed():
            return decrees.resumed(state, event)
        case TimeSet():
            return decrees.time_set(state, event)
        case RefereeCalled():
            return decrees.referee_called(state, event)
        case RefereeLeft():
            return decrees.referee_left(state, event)
        case Overridden():
            return decrees.overridden(state, event)
        case Undone():
            return decrees.undone(state, event)
        case ResultCorrected():
            return decrees.result_corrected(state, event)
        case _:
            assert_never(event)


def _of_a_throw(
    state: MatchState,
    event: ThrowSeen
    | ThrowRuled
    | ThrowAnswered
    | DiceChanged
    | DiceLifted
    | PrematureAnswered,
) -> Transition:
    match event:
        case ThrowSeen() if isinstance(state.phase, Disputed):
            return playing.throw_in_dispute(state, event)
        case ThrowSeen():
            return throwing.throw_seen(state, event)
        case ThrowRuled():
            return throwing.throw_ruled(state, event)
        case ThrowAnswered() if isinstance(state.phase, Disputed | AwaitingThrow):
            return playing.reconsider(state, event)
        case ThrowAnswered():
            return throwing.answered(state, event)
        case DiceChanged():
            return throwing.dice_changed(state, event)
        case DiceLifted():
            return playing.dice_lifted(state, event)
        case PrematureAnswered():
            return throwing.premature_answered(state, event)
        case _:
            assert_never(event)


def _of_a_play(
    state: MatchState,
    event: Pressed
    | PressWithdrawn
    | PlayRead
    | PlayRuled
    | PositionChosen
    | Accepted
    | Demanded,
) -> Transition:
    match event:
        case Pressed():
            return playing.pressed(state, event)
        case PressWithdrawn():
            return playing.press_withdrawn(state, event.at_ms)
        case PlayRead() if isinstance(state.phase, Lost):
            return unseen.read(state, state.phase, event)
        case PlayRead():
            return playing.play_read(state, event)
        case PlayRuled():
            return playing.play_ruled(state, event)
        case PositionChosen() if isinstance(state.phase, Lost):
            return unseen.chosen(state, state.phase, event)
        case PositionChosen():
            return playing.position_chosen(state, event)
        case Accepted():
            return playing.accepted(state, event)
        case Demanded():
            return playing.demanded(state, event)
        case _:
            assert_never(event)


def _flag_due(state: MatchState, event: Event) -> FlagFell | None:
    """Return the fall of a flag that was due before this event.

    A press may still be under confirmation when the time comes: other events give it the time
    of a bounce before the flag is held to have fallen.
    """
    due, side = timer.falls_at_ms(state.clock), state.clock.to_move
    wait = 0 if isinstance(event, Pressed) else timer.BOUNCE_MS
    if due is None or side is None or event.at_ms < due + wait:
        return None
    return FlagFell(due, side)
