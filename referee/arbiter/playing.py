"""Plays: ended, read, judged, disputed, reconsidered."""

from dataclasses import replace

from referee.arbiter import clocks
from referee.arbiter.events import (
    Accepted,
    Actor,
    Demanded,
    DiceLifted,
    GameEnded,
    PlayRead,
    PlayRuled,
    PositionChosen,
    Pressed,
    ThrowAnswered,
    ThrowSeen,
)
from referee.arbiter.sentences import refuse, say
from referee.arbiter.setup import Role
from referee.arbiter.states import (
    AwaitingThrow,
    Disputed,
    Emit,
    Judging,
    MatchState,
    PlayAsked,
    Playing,
    Say,
    ThrowAsked,
    Transition,
)
from referee.arbiter.throwing import begin_turn, early_throw, ruling_of, unseen, word_of
from referee.arbiter.touch import judged_with_touch
from referee.timer import press
from referee.timer_state import Answer, Phase
from rules import Color, Position, Roll, Verdict, legal_turns
from rules.explain import Explanation
from rules.outcome import GameState, result_of, state_after
from rules.throw import ThrowVerdict
from rules.variant import EndOfTurn, Unfinished

_SECOND_THOUGHTS_MS = 1000
"""A mover's press this soon after the verdict is the same press twice, no taking back."""


def pressed(state: MatchState, event: Pressed) -> Transition:
    """Take a press of a clock button by what is being waited for."""
    phase, side, at_ms = state.phase, event.side, event.at_ms
    if clocks.bounced(state, side, at_ms):
        return Transition(replace(state, clock=press(state.clock, side, at_ms).clock))
    if isinstance(phase, Disputed):
        return _pressed_in_dispute(clocks.edged(state, side, at_ms), phase, event)
    if isinstance(phase, ThrowAsked) and phase.shown is not None and not phase.pressed:
        state = clocks.edged(state, side, at_ms)
        if side is not phase.awaiting.turn:
            return Transition(state, (say("stray_press"),))
        # The mover's button says: counts as shown.
        word = ThrowAnswered(at_ms, Actor.of(side), phase.shown)
        return Transition(state, (Emit(word_of(word, side)),))
    change = press(state.clock, side, at_ms)
    state = replace(state, clock=change.clock)
    match change.answer:
        case Answer.BOTH_PRESSED:
            if isinstance(phase, Judging):
                state = replace(state, phase=phase.playing)
            return Transition(state, (say("both_pressed"),))
        case Answer.SWITCHED:
            return _turn_ended(state, side, at_ms)
        case Answer.STARTED if isinstance(phase, AwaitingThrow | Playing):
            if side is not phase.turn:
                return Transition(state, (say("clock_started", side=side.other),))
            return _turn_ended(state, side, at_ms)
        case Answer.NOT_YOUR_TURN | Answer.NOT_RUNNING if _may_begin(state, side):
            # The first turn was played before anybody started the clock.
            return _turn_ended(clocks.end_turn(state, side, at_ms), side, at_ms)
        case Answer.FLAG_IS_DOWN if mover(phase) is side:
            return _turn_ended(state, side, at_ms)
        case _:
            return Transition(state, (say("stray_press"),))


def mover(phase: object) -> Color | None:
    """Return whose turn a press may end now, None: nobody's."""
    return phase.turn if isinstance(phase, AwaitingThrow | Playing) else None


def _may_begin(state: MatchState, side: Color) -> bool:
    return state.clock.phase is Phase.READY and mover(state.phase) is side


def _turn_ended(state: MatchState, side: Color, at_ms: int) -> Transition:
    phase = state.phase
    match phase:
        case Playing():
            return Transition(replace(state, phase=Judging(phase, phase.premature)))
        case AwaitingThrow() if not _any_roll_plays(state, phase):
            # Whoever cannot move whatever he throws need not throw, only press.
            ruled = PlayRuled(
                at_ms, side, None, phase.position, phase.position, Verdict.LEGAL, None,
                Explanation(
                    "Ходов нет при любом броске: очередь переходит.",
                    "No roll could be played: the turn passes.",
                ),
            )  # fmt: skip
            return Transition(state, (Emit(ruled),))
        case AwaitingThrow():
            return unseen(state, phase, at_ms)
        case _:
            return Transition(state, (say("stray_press"),))


def _any_roll_plays(state: MatchState, phase: AwaitingThrow) -> bool:
    return any(
        legal_turns(phase.position, phase.turn, Roll(a, b), state.variant)[0].moves
        for a in range(1, 7)
        for b in range(1, a + 1)
    )


def press_withdrawn(state: MatchState, at_ms: int) -> Transition:
    """Undo a press that was a mistake: nothing had been thrown."""
    phase = state.phase
    if not isinstance(phase, ThrowAsked) or not phase.pressed:
        return Transition(state, (refuse("not_now"),))
    state = clocks.take_back(state, phase.awaiting.turn, at_ms)
    return Transition(replace(state, phase=phase.awaiting), (say("resumed"),))


def dice_lifted(state: MatchState, event: DiceLifted) -> Transition:
    """End the turn where taking up the dice ends it."""
    phase = state.phase
    if not isinstance(phase, Playing) or not state.setup.dice_end_turn:
        return Transition(state)
    state = clocks.end_turn(state, phase.turn, event.at_ms)
    return Transition(replace(state, phase=Judging(phase, phase.premature)))


def play_read(state: MatchState, event: PlayRead) -> Transition:
    """Judge the position left, or ask which it is."""
    phase, at_ms = state.phase, event.at_ms
    if not isinstance(phase, Judging):
        return Transition(state)
    if event.position is None:
        asked = PlayAsked(phase.playing, event.candidates, phase.early)
        state = clocks.hold(replace(state, phase=asked), at_ms)
        return Transition(state, (say("play_unsure"),))
    ruled = ruled_play(state, phase.playing, event.position, at_ms)
    if _only_put_back(state, phase.playing, ruled):
        back = clocks.take_back(state, phase.playing.turn, at_ms)
        return Transition(replace(back, phase=phase.playing))
    return Transition(state, (Emit(ruled),))


def _only_put_back(state: MatchState, playing: Playing, ruled: PlayRuled) -> bool:
    """Tell whether a play demanded back was put back and not yet played anew.

    Where taking up the dice ends the turn they are up already, and a board at rest would be the
    end of it: nobody has ended a turn in which nothing was moved that must be.
    """
    idle = ruled.played == playing.before and ruled.verdict is not Verdict.LEGAL
    return playing.correcting and state.setup.dice_end_turn and idle


def ruled_play(
    state: MatchState, playing: Playing, played: Position, at_ms: int, by: Actor = Actor.SYSTEM
) -> PlayRuled:
    """Judge a play by the set in force."""
    judged = judged_with_touch(playing, played, state.variant)
    legal = judged.verdict is Verdict.LEGAL
    moves = judged.played.moves if judged.played else ()
    return PlayRuled(
        at_ms=at_ms,
        side=playing.turn,
        roll=playing.roll,
        before=playing.before,
        played=played,
        verdict=judged.verdict,
        law=judged.law,
        explain=judged.explain,
        moves=tuple((step[0], step[1]) for step in (move.to_json() for move in moves)),
        nearest=() if legal else tuple(turn.result for turn in judged.nearest),
        by=by,
    )


def play_ruled(state: MatchState, event: PlayRuled) -> Transition:
    """Go on by what became of a play."""
    phase = state.phase
    playing: Playing | None
    match phase:
        case Judging() | PlayAsked() | Disputed():
            playing, early = phase.playing, phase.early
        case AwaitingThrow() if event.roll is None:
            playing, early = None, None
        case Playing() if event.by.rules_the_table and event.before == phase.before:
            # A turn that nobody saw, taken over by a person's word.
            playing, early = phase, None
        case _:
            return Transition(state)
    said = say("ruling", ru=event.explain.ru, en=event.explain.en)
    state = clocks.go_on(state, event.at_ms)
    if playing is None or event.verdict is Verdict.LEGAL:
        return _passed(state, event, early, (said,))
    must = state.variant.unfinished is Unfinished.LEGAL_MOVES
    silent = state.setup.role is Role.SILENT
    dispute = Disputed(playing, event, early)
    disputed = replace(state, phase=dispute)
    if silent or (must and early is not None):
        # Nobody is told; or the next throw has been made and it is too late.
        stands = Accepted(event.at_ms, Actor.SYSTEM)
        return Transition(disputed, (said, Emit(stands)))
    if must:
        again = _taken_back(disputed, dispute, event.at_ms)
        return Transition(again, (said, say("must_correct", side=event.side, roll=event.roll)))
    if state.setup.role is Role.REFEREE:
        disputed = clocks.hold(disputed, event.at_ms)
    elif early is not None:
        return Transition(disputed, (said, Emit(Accepted(early.at_ms, Actor.of(early.side)))))
    return Transition(disputed, (said, say("accept_or_demand", side=event.side.other)))


def _passed(
    state: MatchState,
    ruling: PlayRuled,
    early: ThrowSeen | None,
    said: tuple[Say, ...],
) -> Transition:
    """Pass the turn on, or end the game."""
    after = state_after(ruling.played, state.variant, began=state.began, moved=ruling.side)
    if after is GameState.OVER:
        result = result_of(
            ruling.played,
            state.variant,
            cube=state.cube.value,
            cube_turned=state.cube.turned,
            money=state.score.length is None,
        )
        ended = GameEnded(
            ruling.at_ms, state.game, result.winner, result.win, result.points, result.how,
            state.cube.value,
        )  # fmt: skip
        # The state keeps the play as the last one until the end of the game is taken up.
        waiting = AwaitingThrow(ruling.side.other, ruling.played, last=ruling)
        return Transition(replace(state, phase=waiting), (*said, Emit(ended)))
    waiting = AwaitingThrow(
        ruling.side.other, ruling.played, after is GameState.LAST_THROW, ruling
    )
    state = begin_turn(state, waiting)
    if early is None:
        return Transition(state, said)
    if isinstance(state.phase, AwaitingThrow) and early.at_ms >= _ended_at(state, ruling):
        return Transition(state, (*said, Emit(ruling_of(state, early))))
    taken = early_throw(state, early, ruling.at_ms)
    return Transition(taken.state, (*said, *taken.effects))


def _ended_at(state: MatchState, ruling: PlayRuled) -> int:
    """Return when the turn was ended: the clock was handed over then."""
    edge = state.clock.edges[0 if ruling.side is Color.WHITE else 1]
    return ruling.at_ms if edge is None else edge.first_ms


def accepted(state: MatchState, event: Accepted) -> Transition:
    """Let a wrong play stand."""
    phase = state.phase
    if not isinstance(phase, Disputed):
        return Transition(state, (refuse("not_now"),))
    if event.by is Actor.of(phase.playing.turn):
        return Transition(state, (refuse("not_yours"),))
    state = clocks.go_on(state, event.at_ms)
    return _passed(state, phase.ruling, phase.early, (say("stands"),))


def demanded(state: MatchState, event: Demanded) -> Transition:
    """Have a wrong play taken back and played again; the mover may offer it himself."""
    phase = state.phase
    if not isinstance(phase, Disputed):
        return Transition(state, (refuse("not_now"),))
    again = _taken_back(state, phase, event.at_ms)
    text = say("taken_back", side=phase.playing.turn, roll=phase.playing.roll)
    return Transition(again, (text,))


def _taken_back(state: MatchState, phase: Disputed, at_ms: int) -> MatchState:
    playing = replace(phase.playing, correcting=True, premature=None)
    return replace(clocks.take_back(state, playing.turn, at_ms), phase=playing)


def _pressed_in_dispute(state: MatchState, phase: Disputed, event: Pressed) -> Transition:
    """Take buttons as answers: the opponent's accepts, the mover's takes the play back."""
    if event.side is not phase.playing.turn:
        return Transition(state, (Emit(Accepted(event.at_ms, Actor.of(event.side))),))
    if event.at_ms - phase.ruling.at_ms < _SECOND_THOUGHTS_MS:
        return Transition(state, (say("stray_press"),))
    return Transition(state, (Emit(Demanded(event.at_ms, Actor.of(event.side))),))


def throw_in_dispute(state: MatchState, event: ThrowSeen) -> Transition:
    """Take the opponent's throw: where it says so it accepts the play, else it waits."""
    phase = state.phase
    if not isinstance(phase, Disputed) or event.side is phase.playing.turn:
        return Transition(state)
    state = replace(state, phase=replace(phase, early=event))
    accepts = (
        state.setup.role is not Role.REFEREE
        or state.variant.end_of_turn is EndOfTurn.DICE_LIFTED
    )
    if accepts:
        return Transition(state, (Emit(Accepted(event.at_ms, Actor.of(event.side))),))
    return Transition(state, (say("accept_or_demand", side=event.side),))


def on_no_bar(state: MatchState, position: Position) -> Transition | None:
    """Refuse a position with checkers on a bar that the game has not got."""
    if state.variant.hits or not any(position.bar(color) for color in Color):
        return None
    return Transition(state, (refuse("bad_position", why="бар"),))


def position_chosen(state: MatchState, event: PositionChosen) -> Transition:
    """Take a person's word on what stands on the board."""
    phase, at_ms = state.phase, event.at_ms
    impossible = on_no_bar(state, event.position)
    if impossible is not None:
        return impossible
    match phase:
        case PlayAsked() | Judging():
            ruled = ruled_play(state, phase.playing, event.position, at_ms, event.by)
            return Transition(state, (Emit(ruled),))
        case Disputed() | AwaitingThrow():
            return reconsider(state, event)
        case _:
            return Transition(state, (refuse("not_now"),))


def reconsider(state: MatchState, event: PositionChosen | ThrowAnswered) -> Transition:
    """Judge the last play again, with another throw or another position than was seen."""
    phase, at_ms = state.phase, event.at_ms
    if not event.by.rules_the_table:
        return Transition(state, (refuse("referee_only"),))
    match phase:
        case Disputed():
            playing, played, early = phase.playing, phase.ruling.played, phase.early
        case AwaitingThrow(last=PlayRuled(roll=Roll() as roll) as last):
            back = state.turns[-2].phase if len(state.turns) > 1 else None
            playing = Playing(
                last.side, last.before, roll, back.last_throw if back is not None else False
            )
            played, early = last.played, None
            state = replace(state, turns=state.turns[:-1])
        case _:
            return Transition(state, (refuse("after_play"),))
    if isinstance(event, PositionChosen):
        judging = replace(state, phase=Judging(playing, early))
        ruled = ruled_play(judging, playing, event.position, at_ms, event.by)
        return Transition(judging, (Emit(ruled),))
    word = word_of(event, playing.turn)
    if word.verdict is not ThrowVerdict.VALID or event.roll is None:
        return Transition(state, (refuse("after_play"),))
    judging = replace(state, phase=Judging(playing, early))
    playing = replace(playing, roll=event.roll)
    ruled = ruled_play(judging, playing, played, at_ms, event.by)
    return Transition(judging, (Emit(word), Emit(ruled)))
