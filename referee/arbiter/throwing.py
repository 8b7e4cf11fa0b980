"""Throws: seen, judged, answered, doubtful, too early; and the throw for who begins."""

from dataclasses import replace
from typing import Any

from referee.arbiter import clocks
from referee.arbiter.events import (
    Actor,
    DiceChanged,
    OpeningDieSeen,
    OpeningRuled,
    PrematureAnswered,
    ThrowAnswered,
    ThrowRuled,
    ThrowSeen,
)
from referee.arbiter.sentences import reasons, refuse, say
from referee.arbiter.setup import PrematureLaw
from referee.arbiter.states import (
    AwaitingThrow,
    Emit,
    Judging,
    MatchState,
    Opening,
    PlayAsked,
    Playing,
    PrematureAsked,
    Snapshot,
    ThrowAsked,
    Transition,
    mover_of,
)
from referee.timer import ready
from rules import Color, Roll, legal_turns
from rules.outcome import opening_throw
from rules.throw import Reason, ThrowVerdict, judge_throw
from rules.variant import EndOfTurn


def die_seen(state: MatchState, event: OpeningDieSeen) -> Transition:
    """Take one side's die of the opening throw."""
    phase = state.phase
    if not isinstance(phase, Opening):
        return Transition(state, (refuse("not_now"),))
    if not 1 <= event.value <= 6:
        return Transition(state, (refuse("not_now"),))
    if event.side is Color.WHITE:
        phase = replace(phase, white=event.value)
    else:
        phase = replace(phase, black=event.value)
    state = replace(state, phase=phase)
    if phase.white is None or phase.black is None:
        return Transition(state)
    judged = opening_throw(phase.white, phase.black, state.variant)
    ruled = OpeningRuled(
        event.at_ms, phase.white, phase.black, judged.winner, judged.plays_these
    )
    return Transition(state, (Emit(ruled),))


def opening_ruled(state: MatchState, event: OpeningRuled) -> Transition:
    """Let the higher die begin."""
    phase = state.phase
    if not isinstance(phase, Opening):
        return Transition(state)
    dice: dict[str, Any] = {"white_die": event.white_die, "black_die": event.black_die}
    if event.winner is None:
        again = replace(phase, white=None, black=None)
        return Transition(replace(state, phase=again), (say("opening_tie", **dice),))
    turn, said = event.winner, []
    plays = (", этим броском", " with this roll") if event.plays_these else ("", "")
    if state.variant.opening_takes_white and turn is Color.BLACK:
        # Who has thrown higher takes White: the players change colours, not the checkers.
        state = replace(
            state,
            swapped=not state.swapped,
            score=state.score.swapped(),
            clock=clocks.exchanged(state.clock),
        )
        turn = Color.WHITE
        said.append(say("colors_swap", white=state.name(turn), black=state.name(turn.other)))
    said.insert(
        0, say("opening_won", side=event.winner, plays_ru=plays[0], plays_en=plays[1], **dice)
    )
    awaiting = AwaitingThrow(turn, phase.position)
    state = begin_turn(replace(state, began=turn, clock=ready(state.clock, turn)), awaiting)
    if not event.plays_these:
        return Transition(state, tuple(said))
    roll = Roll(event.white_die, event.black_die)
    return Transition(replace(state, phase=playing_of(awaiting, roll)), tuple(said))


def begin_turn(state: MatchState, awaiting: AwaitingThrow) -> MatchState:
    """Enter the beginning of a turn, and keep it for going back."""
    kept = Snapshot(replace(awaiting, last=None), state.cube)
    return replace(state, phase=awaiting, turns=(*state.turns, kept))


def playing_of(awaiting: AwaitingThrow, roll: Roll) -> Playing:
    """Return the phase in which a roll is played."""
    return Playing(awaiting.turn, awaiting.position, roll, awaiting.last_throw)


def throw_seen(state: MatchState, event: ThrowSeen) -> Transition:
    """Take dice that came to rest, by what is being waited for."""
    phase = state.phase
    match phase:
        case AwaitingThrow() if event.side is phase.turn:
            return Transition(state, (Emit(ruling_of(state, event)),))
        case AwaitingThrow():
            return Transition(state, (say("out_of_turn", side=event.side),))
        case Playing() if event.side is phase.turn:
            return dice_changed(state, DiceChanged(event.at_ms, ()))
        case Playing() if state.variant.end_of_turn is EndOfTurn.DICE_LIFTED:
            # In such a set the opponent's throw ends the turn and accepts the play.
            state = clocks.end_turn(state, phase.turn, event.at_ms)
            return Transition(replace(state, phase=Judging(phase, early=event)))
        case Playing():
            early = replace(state, phase=replace(phase, premature=event))
            return Transition(early, (say("premature", side=event.side),))
        case Judging() | PlayAsked() if event.side is not mover_of(phase):
            return Transition(replace(state, phase=replace(phase, early=event)))
        case _:
            return Transition(state)


def dice_changed(state: MatchState, event: DiceChanged) -> Transition:
    """Flag dice that no longer show what was thrown; the throw itself stands."""
    del event
    if isinstance(state.phase, Playing):
        return Transition(state, (say("dice_changed", roll=state.phase.roll),))
    return Transition(state)


def ruling_of(state: MatchState, throw: ThrowSeen) -> ThrowRuled:
    """Judge a throw by the set in force."""
    judged = judge_throw(throw.dice, state.variant.throw, players_right=throw.players_right)
    return ThrowRuled(throw.at_ms, throw.side, judged.verdict, judged.values, judged.reasons)


def throw_ruled(state: MatchState, event: ThrowRuled) -> Transition:
    """Go on by what became of a throw."""
    phase, at_ms = state.phase, event.at_ms
    match phase:
        case ThrowAsked():
            awaiting, pressed = phase.awaiting, phase.pressed
        case PrematureAsked():
            awaiting, pressed = phase.awaiting, False
        case AwaitingThrow():
            awaiting, pressed = phase, False
        case Playing() | Judging() | PlayAsked():
            return _corrected(state, event)
        case _:
            return Transition(state)
    match event.verdict:
        case ThrowVerdict.VOID:
            voids = {**state.voids, event.side: state.voids[event.side] + 1}
            state = replace(state, phase=replace(awaiting, last=None), voids=voids)
            state = clocks.void(clocks.go_on(state, at_ms), at_ms)
            text = say("throw_void", side=event.side, **reasons(event.reasons))
            return Transition(state, (text,))
        case ThrowVerdict.UNSURE:
            asked = ThrowAsked(replace(awaiting, last=None), event.values, event.reasons)
            state = replace(state, phase=asked)
            if asked.shown is None:
                # The players' time is not spent on what the machine cannot read.
                state = clocks.hold(state, at_ms)
            return Transition(state, (say("throw_unsure", **reasons(event.reasons)),))
        case ThrowVerdict.VALID:
            roll = roll_of(event)
            if roll is None:
                return Transition(state)
            playing = playing_of(awaiting, roll)
            state = clocks.go_on(state, at_ms)
            said = [say("throw_valid", roll=roll)]
            if not _can_move(state, playing):
                said.append(say("no_moves", roll=roll))
            after = Judging(playing) if pressed else playing
            return Transition(replace(state, phase=after), tuple(said))


def roll_of(event: ThrowRuled) -> Roll | None:
    """Return the roll of a throw that counts."""
    if event.verdict is not ThrowVerdict.VALID or len(event.values) != 2:
        return None
    first, second = event.values
    return None if first is None or second is None else Roll(first, second)


def _can_move(state: MatchState, playing: Playing) -> bool:
    turns = legal_turns(playing.before, playing.turn, playing.roll, state.variant)
    return bool(turns[0].moves)


def _corrected(state: MatchState, event: ThrowRuled) -> Transition:
    """Play on with a throw that a person has corrected."""
    phase, roll = state.phase, roll_of(event)
    if not isinstance(phase, Playing | Judging | PlayAsked):
        return Transition(state)
    if roll is None:
        playing = phase if isinstance(phase, Playing) else phase.playing
        voids = {**state.voids, event.side: state.voids[event.side] + 1}
        awaiting = AwaitingThrow(playing.turn, playing.before, playing.last_throw)
        if not isinstance(phase, Playing):
            state = clocks.take_back(state, playing.turn, event.at_ms)
        state = clocks.go_on(replace(state, phase=awaiting, voids=voids), event.at_ms)
        text = say("throw_void", side=event.side, **reasons(event.reasons))
        return Transition(state, (text,))
    if isinstance(phase, Playing):
        after: Playing | Judging = replace(phase, roll=roll)
    else:
        # The candidates were those of another roll: the position is looked at again.
        after = Judging(replace(phase.playing, roll=roll), phase.early)
        state = clocks.go_on(state, event.at_ms)
    return Transition(replace(state, phase=after), (say("throw_valid", roll=roll),))


def answered(state: MatchState, event: ThrowAnswered) -> Transition:
    """Take a person's word on a throw: an answer, or a correction."""
    phase = state.phase
    if isinstance(phase, ThrowAsked):
        side = phase.awaiting.turn
    elif isinstance(phase, Playing | Judging | PlayAsked):
        side = mover_of(phase)
        if not event.by.rules_the_table:
            return Transition(state, (refuse("referee_only"),))
    else:
        return Transition(state, (refuse("not_now"),))
    return Transition(state, (Emit(word_of(event, side)),))


def word_of(event: ThrowAnswered, side: Color) -> ThrowRuled:
    """Return the ruling that a person's word makes."""
    if event.roll is None:
        return ThrowRuled(event.at_ms, side, ThrowVerdict.VOID, (), by=event.by)
    values = (event.roll.first, event.roll.second)
    return ThrowRuled(event.at_ms, side, ThrowVerdict.VALID, values, by=event.by)


def unseen(state: MatchState, awaiting: AwaitingThrow, at_ms: int) -> Transition:
    """Ask what was thrown, where a turn was ended and no throw seen."""
    asked = ThrowAsked(replace(awaiting, last=None), (), (Reason.MISSING_DIE,), pressed=True)
    state = clocks.hold(replace(state, phase=asked), at_ms)
    return Transition(state, (say("throw_unseen"),))


def early_throw(state: MatchState, throw: ThrowSeen, at_ms: int) -> Transition:
    """Take up a throw made before the turn it follows was done with.

    A throw that came after the turn had ended is an ordinary one; one that came before is
    premature, and the set-up's law or a person says whether it stands.
    """
    phase = state.phase
    if not isinstance(phase, AwaitingThrow) or throw.side is not phase.turn:
        return Transition(state)
    match state.setup.premature:
        case PrematureLaw.STANDS:
            return Transition(state, (Emit(ruling_of(state, throw)),))
        case PrematureLaw.AGAIN:
            return Transition(state, (say("premature_again", side=throw.side),))
        case PrematureLaw.ASK:
            asked = PrematureAsked(replace(phase, last=None), throw)
            state = clocks.hold(replace(state, phase=asked), at_ms)
            return Transition(state, (say("premature", side=throw.side),))


def premature_answered(state: MatchState, event: PrematureAnswered) -> Transition:
    """Let a premature throw stand, or have it thrown again."""
    phase = state.phase
    if not isinstance(phase, PrematureAsked):
        return Transition(state, (refuse("not_now"),))
    if event.by is Actor.of(phase.awaiting.turn):
        # Who threw too early does not choose whether he likes the throw.
        return Transition(state, (refuse("not_yours"),))
    state = clocks.go_on(state, event.at_ms)
    if event.stands:
        return Transition(state, (Emit(ruling_of(state, phase.throw)),))
    again = replace(state, phase=phase.awaiting)
    return Transition(again, (say("premature_again", side=phase.awaiting.turn),))
