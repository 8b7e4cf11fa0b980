"""A board lost from sight: found again as it was, played on unseen, or said by a person.

What was played unseen is taken over only where exactly one sequence of legal plays leads from
the last certain position to what stands there (`referee.recovery`), and only by a person's
word: a throw that nobody saw is no fact. Only the turn that was in hand, with its throw seen,
goes on by itself: nothing is ruled by that, the play is read and judged when the turn ends.
"""

from dataclasses import replace

from referee.arbiter import clocks
from referee.arbiter.events import PlayRead, PositionChosen, ThrowRuled
from referee.arbiter.playing import on_no_bar, ruled_play
from referee.arbiter.sentences import SIDES, refuse, say
from referee.arbiter.states import (
    AwaitingThrow,
    Emit,
    Judging,
    Lost,
    MatchState,
    PlayAsked,
    Playing,
    Transition,
    ground_of,
    mover_of,
)
from referee.arbiter.throwing import begin_turn, playing_of
from referee.recovery import Recovered, UnseenTurn, recovered
from rules import Color, Position, judge_play
from rules.throw import ThrowVerdict


def read(state: MatchState, phase: Lost, event: PlayRead) -> Transition:
    """Take what the camera is certain of while the board is lost."""
    if event.position is None:
        return Transition(state)
    if event.position == ground_of(phase.under):
        resumed = clocks.go_on(replace(state, phase=phase.under), event.at_ms)
        return Transition(resumed, (say("found"),))
    found = unseen_turns(state, phase, event.position)
    if found is None:
        return Transition(replace(state, phase=replace(phase, seen=None)))
    if len(found.turns) == 1 and isinstance(phase.under, Playing | Judging):
        resumed = clocks.go_on(replace(state, phase=phase.under), event.at_ms)
        return Transition(resumed, (say("found"),))
    lost = replace(state, phase=replace(phase, seen=event.position))
    ru, en = ("; ".join(_told(one, state, n) for one in found.turns) for n in (0, 1))
    return Transition(lost, (say("played_unseen", turns_ru=ru, turns_en=en),))


def chosen(state: MatchState, phase: Lost, event: PositionChosen) -> Transition:
    """Go on from what a person says stands there."""
    impossible = on_no_bar(state, event.position)
    if impossible is not None:
        return impossible
    if not event.by.rules_the_table:
        return Transition(state, (refuse("referee_only"),))
    under, at_ms = phase.under, event.at_ms
    if event.position == ground_of(under):
        resumed = replace(state, phase=under)
        return Transition(clocks.go_on(resumed, at_ms), (say("found"),))
    found = unseen_turns(state, phase, event.position)
    if found is not None and not (len(found.turns) == 1 and _playing(phase) is not None):
        return _taken_over(state, phase, event, found)
    playing = _playing(phase)
    if playing is not None:
        # The turn in hand was played out unseen: what is left of it is judged.
        judging = replace(state, phase=Judging(playing))
        ruled = ruled_play(judging, playing, event.position, at_ms, event.by)
        return Transition(judging, (say("found"), Emit(ruled)))
    waiting = AwaitingThrow(mover_of(under), event.position)
    state = clocks.go_on(begin_turn(state, waiting), at_ms)
    return Transition(state, (say("found"),))


def unseen_turns(state: MatchState, phase: Lost, position: Position) -> Recovered | None:
    """Return the one sequence of legal plays that leads to a position, if there is one."""
    playing, under = _playing(phase), phase.under
    if playing is not None:
        return recovered(
            playing.before, playing.turn, position, state.variant, playing.roll,
            began=state.began,
        )  # fmt: skip
    if not isinstance(under, AwaitingThrow) or under.last_throw:
        return None
    return recovered(under.position, under.turn, position, state.variant, began=state.began)


def _playing(phase: Lost) -> Playing | None:
    """Return the turn that was in hand, its throw seen."""
    match phase.under:
        case Playing():
            return phase.under
        case Judging() | PlayAsked():
            return phase.under.playing
        case _:
            return None


def _taken_over(
    state: MatchState, phase: Lost, event: PositionChosen, found: Recovered
) -> Transition:
    """Record the turns played unseen by the word of who confirmed them.

    Where some throw does not follow from its play, only what stands there and whose turn it is
    is taken over.
    """
    at_ms, by, first = event.at_ms, event.by, found.turns[0]
    follows = found.turns[-1].side.other
    if not found.dice_known:
        state = clocks.set_turn(state, follows, by, at_ms)
        waiting = AwaitingThrow(follows, event.position)
        return Transition(begin_turn(state, waiting), (say("found"),))
    playing = _playing(phase)
    waiting = AwaitingThrow(first.side, first.before)
    start = replace(state, phase=waiting if playing is None else playing)
    rulings: list[Emit] = []
    for number, turn in enumerate(found.turns):
        roll = turn.rolls[0]
        if number or playing is None:
            values = (roll.first, roll.second)
            thrown = ThrowRuled(at_ms, turn.side, ThrowVerdict.VALID, values, by=by)
            rulings.append(Emit(thrown))
        in_hand = playing_of(AwaitingThrow(turn.side, turn.before), roll)
        rulings.append(Emit(ruled_play(start, in_hand, turn.after, at_ms, by)))
    start = clocks.set_turn(start, follows, by, at_ms)
    return Transition(start, (say("found"), *rulings))


def _told(turn: UnseenTurn, state: MatchState, language: int) -> str:
    """Say one turn: who, what was thrown, what was moved."""
    side: Color = turn.side
    roll = turn.rolls[0]
    judged = judge_play(turn.before, side, roll, turn.after, state.variant)
    steps = [] if judged.played is None else [one.to_json() for one in judged.played.moves]
    moves = ", ".join(f"{one[0]}→{one[1] or '×'}" for one in steps)
    either = (" или ", " or ")[language].join(
        f"{one.second}-{one.first}" if one.second > one.first else f"{one.first}-{one.second}"
        for one in turn.rolls
    )
    none = ("ходов нет", "no move")[language]
    return f"{SIDES[side][language]} {either}: {moves or none}"
