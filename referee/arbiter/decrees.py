"""What the referee, or both players, may order: positions, turns taken back, results, time."""

from dataclasses import replace

from referee import timer
from referee.arbiter import clocks
from referee.arbiter.ending import decided, score_of
from referee.arbiter.events import (
    Overridden,
    PauseAsked,
    RefereeCalled,
    RefereeLeft,
    Restarted,
    ResultCorrected,
    Resumed,
    SightLost,
    TimeSet,
    Undone,
)
from referee.arbiter.sentences import LOST_WHY, refuse, say
from referee.arbiter.states import (
    AwaitingThrow,
    GameOver,
    Lost,
    MatchOver,
    MatchState,
    NotOpened,
    Ongoing,
    Opening,
    Playing,
    SettingUp,
    Transition,
)
from referee.arbiter.throwing import begin_turn
from referee.timer_settings import ClockKind
from referee.timer_state import Answer, PauseReason, Phase
from rules import CHECKERS, Color


def overridden(state: MatchState, event: Overridden) -> Transition:
    """Set what stands on the board, whose turn it is and what was thrown."""
    if isinstance(state.phase, NotOpened | GameOver | MatchOver):
        return Transition(state, (refuse("not_now"),))
    if not event.by.rules_the_table:
        return Transition(state, (refuse("referee_only"),))
    position = event.position
    if not state.variant.hits and (position.bar(Color.WHITE) or position.bar(Color.BLACK)):
        return Transition(state, (refuse("bad_position", why="бар / bar"),))
    if any(position.off(color) == CHECKERS for color in Color):
        return Transition(state, (refuse("bad_position", why="15 × 0"),))
    if isinstance(state.phase, SettingUp | Opening):
        state = replace(state, began=event.turn)
    waiting = AwaitingThrow(event.turn, position)
    state = begin_turn(clocks.set_turn(state, event.turn, event.by, event.at_ms), waiting)
    if event.roll is not None:
        playing = Playing(event.turn, position, event.roll)
        state = replace(state, phase=playing)
    return Transition(state, (say("overridden"),))


def undone(state: MatchState, event: Undone) -> Transition:
    """Go back to the beginning of an earlier turn of this game."""
    phase = state.phase
    if isinstance(phase, NotOpened | SettingUp | Opening):
        return Transition(state, (refuse("not_now"),))
    if not event.by.rules_the_table:
        return Transition(state, (refuse("referee_only"),))
    # The snapshot of a turn that has not begun is where the game stands already.
    steps = event.turns + (1 if isinstance(phase, AwaitingThrow) else 0)
    if event.turns < 1 or steps > len(state.turns):
        return Transition(state, (refuse("no_such_turn", turns=event.turns),))
    kept = state.turns[: len(state.turns) - steps + 1]
    back = kept[-1]
    if state.results and state.results[-1][0].game == state.game:
        results = state.results[:-1]
        score = score_of(state.setup, state.variant, results, swapped=state.swapped)
        state = replace(state, results=results, score=score)
    state = clocks.set_turn(state, back.phase.turn, event.by, event.at_ms)
    state = replace(state, phase=back.phase, cube=back.cube, turns=kept)
    return Transition(state, (say("undone", turns=event.turns),))


def result_corrected(state: MatchState, event: ResultCorrected) -> Transition:
    """Put a finished game's result right; the score and the exports follow."""
    if not event.by.rules_the_table:
        return Transition(state, (refuse("referee_only"),))
    if not 1 <= event.game <= len(state.results):
        return Transition(state, (refuse("no_such_game", game=event.game),))
    if event.points < 0 or (event.winner is None) != (event.win is None):
        return Transition(state, (refuse("bad_result"),))
    old, swapped = state.results[event.game - 1]
    new = replace(old, winner=event.winner, win=event.win, points=event.points)
    results = (
        *state.results[: event.game - 1], (new, swapped), *state.results[event.game :],
    )  # fmt: skip
    score = score_of(state.setup, state.variant, results, swapped=state.swapped)
    state = replace(state, results=results, score=score)
    phase = state.phase
    said = [say("result_corrected")]
    if isinstance(phase, GameOver) and phase.result.game == event.game:
        state = replace(state, phase=GameOver(new))
    if isinstance(phase, GameOver | SettingUp):
        return Transition(state, (*said, *decided(state, event.at_ms)))
    if isinstance(phase, MatchOver) and score.winner is not phase.winner:
        if score.winner is not None:
            return Transition(replace(state, phase=MatchOver(score.winner)), tuple(said))
        said.append(say("match_reopened"))
        state = replace(state, phase=GameOver(results[-1][0]))
    return Transition(state, tuple(said))


def sight_lost(state: MatchState, event: SightLost) -> Transition:
    """Stop: the board can no longer be followed."""
    phase = state.phase
    if not isinstance(phase, Ongoing):
        return Transition(state)
    lost = replace(state, phase=Lost(event.reason, phase))
    why_ru, why_en = LOST_WHY.get(event.reason, ("", ""))
    text = say("lost", why_ru=why_ru, why_en=why_en)
    return Transition(clocks.hold(lost, event.at_ms), (text,))


def restarted(state: MatchState, event: Restarted) -> Transition:
    """Come up again where the record ends; the clock stands."""
    if isinstance(state.phase, NotOpened):
        return Transition(state)
    clock = timer.restarted(state.clock, event.at_ms)
    return Transition(replace(state, clock=clock), (say("restarted"),))


def pause_asked(state: MatchState, event: PauseAsked) -> Transition:
    """Stop the clock; anybody may."""
    clock = state.clock
    if clock.phase is Phase.PAUSED and clock.pause is not None:
        # A person's pause outlasts the machine's question.
        asked = replace(clock.pause, reason=PauseReason.ASKED, by=clocks.voice(event.by))
        stopped = replace(state, clock=replace(clock, pause=asked))
        return Transition(stopped, (say("paused"),))
    change = timer.pause(clock, clocks.voice(event.by), event.at_ms)
    if change.answer is not Answer.PAUSED:
        return Transition(state, (refuse("not_now"),))
    return Transition(replace(state, clock=change.clock), (say("paused"),))


def resumed(state: MatchState, event: Resumed) -> Transition:
    """Let the clock run on; the mover or the referee may."""
    if not isinstance(state.phase, Ongoing) or state.called is not None:
        return Transition(state, (refuse("not_now"),))
    change = timer.resume(state.clock, clocks.voice(event.by), event.at_ms)
    if change.answer is Answer.NOT_ALLOWED:
        return Transition(state, (refuse("not_yours"),))
    if change.answer is not Answer.RESUMED:
        return Transition(state, (refuse("not_now"),))
    return Transition(replace(state, clock=change.clock), (say("resumed"),))


def time_set(state: MatchState, event: TimeSet) -> Transition:
    """Set both sides' time."""
    if not event.by.rules_the_table:
        return Transition(state, (refuse("referee_only"),))
    if state.clock.settings.kind is ClockKind.NONE:
        return Transition(state, (refuse("clock_off"),))
    if event.white_ms < 0 or event.black_ms < 0:
        return Transition(state, (refuse("bad_result"),))
    change = timer.set_time(state.clock, event.white_ms, event.black_ms, event.at_ms)
    return Transition(replace(state, clock=change.clock), (say("time_set"),))


def referee_called(state: MatchState, event: RefereeCalled) -> Transition:
    """Stop the clock and call the referee."""
    if isinstance(state.phase, NotOpened):
        return Transition(state, (refuse("not_now"),))
    paused = timer.pause(state.clock, clocks.voice(event.by), event.at_ms)
    called = replace(state, called=event.by, clock=paused.clock)
    return Transition(called, (say("referee_called"),))


def referee_left(state: MatchState, event: RefereeLeft) -> Transition:
    """Go on after the referee has come; the clock is resumed apart from that."""
    if state.called is None:
        return Transition(state, (refuse("not_now"),))
    if not (event.by.rules_the_table or event.by is state.called):
        return Transition(state, (refuse("not_yours"),))
    return Transition(replace(state, called=None))
