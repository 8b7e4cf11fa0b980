"""A match at the simulated table: the referee watches, the players do what it calls for.

Players hear of the referee what is shown to everybody: whose turn it is, what counts, what is
asked. What lies on their table the referee knows from the camera's pictures alone.
"""

from collections.abc import Callable, Iterator
from typing import Protocol, assert_never

from referee.arbiter import Actor, MatchState
from referee.arbiter.events import (
    Accepted,
    ClaimAnswered,
    Demanded,
    Event,
    FlagAnswered,
    Forfeit,
    NextGameStarted,
    OpeningDieSeen,
    PositionChosen,
    PrematureAnswered,
    RefereeLeft,
    ResignAnswered,
    ResignOffered,
    Resumed,
    ThrowAnswered,
)
from referee.arbiter.questions import thrower_of
from referee.arbiter.states import (
    AwaitingThrow,
    ClaimAsked,
    Disputed,
    DoubleAsked,
    FlagAsked,
    GameOver,
    Judging,
    Lost,
    MatchOver,
    NotOpened,
    Opening,
    PlayAsked,
    Playing,
    PrematureAsked,
    ResignAsked,
    SettingUp,
    ThrowAsked,
    mover_of,
)
from referee.timer import falls_at_ms
from referee.timer_state import Phase as ClockPhase
from rules import Color
from table.cues import (
    AcceptOrDemand,
    Accepts,
    AnswerFlag,
    AnswerOpening,
    AnswerPosition,
    AnswerPremature,
    AnswerResignation,
    AnswerThrow,
    Cue,
    Demands,
    EndTurn,
    Play,
    PutRight,
    Resigns,
    Said,
    SaysDie,
    SaysFlag,
    SaysPosition,
    SaysPremature,
    SaysResignation,
    SaysThrow,
    SetUpStart,
    Throw,
    ThrowOne,
    Wait,
)
from table.live import LiveTable
from table.script import Press, Shot
from vision.frame import Frame
from zarbiter.live import Step

_PATIENCE = 40
"""Cues that may lead nowhere before the loop gives up. Most are two frames long, at five a
second, and what looks like a hand is taken for the board only after ten seconds."""

_NOT_RULED = 6
"""Waits after which a throw that nothing was said of is made again."""


class StuckError(RuntimeError):
    """Players and referee wait for each other."""


class Referee(Protocol):
    """Who watches the table: `zarbiter.live.LiveMatch`, or one in service."""

    @property
    def state(self) -> MatchState:
        """Where the match is."""
        ...

    def frame(self, frame: Frame) -> Iterator[Step]:
        """Look at a frame and yield what it leads to."""
        ...

    def press(self, at_ms: int, side: Color) -> Iterator[Step]:
        """Take a press of a clock button."""
        ...

    def say(self, event: Event) -> Step:
        """Take a person's word."""
        ...


def run_match(
    live: Referee,
    table: LiveTable,
    frame_of: Callable[[Shot], Frame],
    *,
    until: Callable[[MatchState], bool],
) -> Iterator[Step]:
    """Play until the match is over or enough was seen, and yield what falls.

    Args:
        live: the referee, with the match open.
        table: the simulated table.
        frame_of: the camera: what it makes of a scene.
        until: asked between actions whether to stop.

    Raises:
        StuckError: nothing moves any more: a fault of the program.
    """
    idle, last = 0, live.state
    while not isinstance(live.state.phase, MatchOver) and not until(live.state):
        word = next_word(live.state, _now_ms(table))
        if word is not None:
            yield live.say(word)
        else:
            cue = cue_of(live.state, _now_ms(table), waited=idle)
            for happening in table.act(cue):
                match happening:
                    case Shot():
                        yield from live.frame(frame_of(happening))
                    case Press():
                        side = Color(happening.side)
                        yield from live.press(round(1000 * happening.at_s), side)
                    case Said():
                        said = event_of(happening)
                        yield live.say(said)
                    case _:
                        assert_never(happening)
        idle = idle + 1 if live.state == last else 0
        last = live.state
        if idle > _PATIENCE:
            raise StuckError(f"nothing moves in {type(live.state.phase).__name__}")


def _now_ms(table: LiveTable) -> int:
    return round(1000 * table.now_s)


def next_word(state: MatchState, at_ms: int) -> Event | None:
    """Return what people do at the dashboard that needs nothing done at the table."""
    match state.phase:
        case GameOver():
            return NextGameStarted(at_ms, Actor.BOTH)
        case ClaimAsked():
            return ClaimAnswered(at_ms, Actor.REFEREE, upheld=False)
        case _:
            pass
    if state.called is not None:
        return RefereeLeft(at_ms, Actor.REFEREE)
    stands = state.clock.phase is ClockPhase.PAUSED
    if stands and isinstance(state.phase, AwaitingThrow | Playing):
        return Resumed(at_ms, Actor.REFEREE)
    return None


def cue_of(state: MatchState, at_ms: int, *, waited: int = 0) -> Cue:
    """Return what the players hear: what the referee waits for.

    Args:
        state: where the match is.
        at_ms: the clock's time now.
        waited: how often in a row nothing came of it.
    """
    phase = state.phase
    match phase:
        case SettingUp():
            return SetUpStart() if waited % 4 == 0 else Wait(3)
        case Opening():
            side = thrower_of(phase)
            # The die lies there and is not read: somebody says what it shows.
            return ThrowOne(side) if waited == 0 else AnswerOpening(side)
        case AwaitingThrow():
            # Dice that nobody rules on or asks about are thrown once more, in the end.
            return Throw(phase.turn) if waited % _NOT_RULED == 0 else Wait(4)
        case Playing() if waited:
            return EndTurn(phase.turn)
        case Playing(correcting=True):
            return PutRight(phase.turn, phase.roll, phase.before)
        case Playing():
            falls_ms = falls_at_ms(state.clock)
            flag_s = None if falls_ms is None else max(0.0, (falls_ms - at_ms) / 1000)
            return Play(phase.turn, phase.roll, phase.before, flag_s)
        case Judging():
            return Wait(2)
        case ThrowAsked():
            return AnswerThrow(phase.awaiting.turn)
        case PlayAsked():
            return AnswerPosition(phase.playing.turn.other)
        case Disputed():
            return AcceptOrDemand(phase.playing.turn.other)
        case PrematureAsked():
            return AnswerPremature(phase.awaiting.turn.other)
        case ResignAsked():
            return AnswerResignation(phase.side.other)
        case FlagAsked():
            return AnswerFlag(phase.side)
        case Lost():
            return AnswerPosition(mover_of(phase.under).other)
        case NotOpened() | ClaimAsked() | DoubleAsked() | GameOver() | MatchOver():
            return Wait(1)
        case _:
            assert_never(phase)


def event_of(said: Said) -> Event:
    """Return what a word at the table is for the referee."""
    at_ms, by = round(1000 * said.at_s), Actor.of(said.side)
    match said.word:
        case Accepts():
            return Accepted(at_ms, by)
        case Demands():
            return Demanded(at_ms, by)
        case SaysDie(value):
            return OpeningDieSeen(at_ms, said.side, value, by)
        case SaysThrow(roll):
            return ThrowAnswered(at_ms, by, roll)
        case SaysPosition(position):
            return PositionChosen(at_ms, Actor.BOTH, position)
        case SaysPremature(stands):
            return PrematureAnswered(at_ms, by, stands)
        case Resigns(win):
            return ResignOffered(at_ms, said.side, win)
        case SaysResignation(accepted):
            return ResignAnswered(at_ms, by, accepted)
        case SaysFlag(costs):
            return FlagAnswered(at_ms, Actor.REFEREE, Forfeit(costs))
        case _:
            assert_never(said.word)
