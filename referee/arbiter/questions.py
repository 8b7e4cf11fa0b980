"""What a person is asked, what the lamp shows, what the camera is to look for: projections."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from referee.arbiter.events import Actor
from referee.arbiter.states import (
    AwaitingThrow,
    ClaimAsked,
    Disputed,
    DoubleAsked,
    FlagAsked,
    Judging,
    Lost,
    MatchState,
    Opening,
    PlayAsked,
    Playing,
    PrematureAsked,
    ResignAsked,
    SettingUp,
    ThrowAsked,
    ground_of,
)
from rules import Color, Position, Roll
from rules.start import start_position


class Lamp(StrEnum):
    """The lamp at the table."""

    OFF = "off"
    GREEN = "green"
    """All is well; a throw counts, a play was right."""
    AMBER = "amber"
    """A person is asked."""
    RED = "red"
    """Something is wrong: a void throw, a wrong play, a board that cannot be followed."""


class Asked(StrEnum):
    """What is asked."""

    THROW = "throw"
    POSITION = "position"
    ACCEPT_OR_DEMAND = "accept_or_demand"
    PREMATURE = "premature"
    CLAIM = "claim"
    DOUBLE = "double"
    RESIGNATION = "resignation"
    FLAG = "flag"
    OPENING = "opening"
    """What a die of the opening throw shows, where it is not seen."""
    BOARD = "board"
    """The board was lost: set it as it was, or say what stands there. The first candidate is
    how it was; a second one is what stands there now, if only one way leads to it."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question that waits for an answer."""

    asked: Asked
    of: tuple[Actor, ...]
    """Who may answer."""
    candidates: tuple[Position, ...] = ()
    """Positions to choose from, most likely first."""
    values: tuple[int | None, ...] = ()
    """What the dice show, where a throw is asked about."""


_TABLE = (Actor.REFEREE, Actor.BOTH)


def question_of(state: MatchState) -> Question | None:
    """Return what waits for a person, None if nothing does."""
    phase = state.phase
    match phase:
        case Opening():
            anyone = (Actor.WHITE, Actor.BLACK, *_TABLE)
            return Question(Asked.OPENING, anyone, values=(phase.white, phase.black))
        case ThrowAsked():
            anyone = (Actor.WHITE, Actor.BLACK, *_TABLE)
            return Question(Asked.THROW, anyone, values=phase.values)
        case PlayAsked():
            anyone = (Actor.WHITE, Actor.BLACK, *_TABLE)
            return Question(Asked.POSITION, anyone, phase.candidates)
        case Disputed():
            opponent = Actor.of(phase.playing.turn.other)
            return Question(Asked.ACCEPT_OR_DEMAND, (opponent, *_TABLE), phase.ruling.nearest)
        case PrematureAsked():
            victim = Actor.of(phase.awaiting.turn.other)
            return Question(Asked.PREMATURE, (victim, *_TABLE))
        case ClaimAsked():
            return Question(Asked.CLAIM, _TABLE)
        case DoubleAsked():
            offered = state.cube.offered_by
            side = (phase.awaiting.turn if offered is None else offered).other
            return Question(Asked.DOUBLE, (Actor.of(side),))
        case ResignAsked():
            return Question(Asked.RESIGNATION, (Actor.of(phase.side.other), *_TABLE))
        case FlagAsked():
            return Question(Asked.FLAG, _TABLE)
        case Lost():
            ground = ground_of(phase.under)
            shown = (ground,) if phase.seen is None else (ground, phase.seen)
            return Question(Asked.BOARD, _TABLE, shown)
        case _:
            return None


def lamp_of(state: MatchState) -> Lamp:
    """Return what the lamp shows."""
    match state.phase:
        case Disputed() | Lost():
            return Lamp.RED
        case Playing(correcting=True):
            return Lamp.RED
        case Playing() | AwaitingThrow() | Judging() | Opening():
            return Lamp.GREEN
        case _:
            return Lamp.OFF if question_of(state) is None else Lamp.AMBER


@dataclass(frozen=True, slots=True)
class WatchStart:
    """Wait for the start position."""

    wanted: Position


@dataclass(frozen=True, slots=True)
class WatchOpening:
    """Wait for one die of a side, White's first."""

    position: Position
    side: Color


@dataclass(frozen=True, slots=True)
class WatchThrow:
    """Wait for a side's dice to come to rest."""

    side: Color
    position: Position
    disputed: bool = field(default=False, compare=False)
    """A play is disputed: the board may be put back meanwhile. Once it is accepted, what was
    seen till then still counts."""


@dataclass(frozen=True, slots=True)
class WatchPlay:
    """A roll is being played; wait for the end of the turn and other dice."""

    side: Color
    before: Position
    roll: Roll
    correcting: bool = False
    """A wrong play is being put right: its dice may have been taken up already."""


@dataclass(frozen=True, slots=True)
class ReadPlay:
    """The turn has ended: read what stands on the board."""

    side: Color
    before: Position
    roll: Roll


@dataclass(frozen=True, slots=True)
class WatchFor:
    """The board is lost: see whether it comes to stand as it stood."""

    position: Position


Watch: TypeAlias = WatchStart | WatchOpening | WatchThrow | WatchPlay | ReadPlay | WatchFor


def thrower_of(phase: Opening) -> Color:
    """Return whose die of the opening throw is missing, White's first."""
    return Color.WHITE if phase.white is None else Color.BLACK


def watch_of(state: MatchState) -> Watch | None:
    """Return what the camera is to look for, None if nothing would be used."""
    phase = state.phase
    match phase:
        case SettingUp():
            return WatchStart(start_position(state.variant))
        case Opening():
            return WatchOpening(phase.position, thrower_of(phase))
        case AwaitingThrow():
            return WatchThrow(phase.turn, phase.position)
        case Playing():
            return WatchPlay(phase.turn, phase.before, phase.roll, phase.correcting)
        case Judging():
            playing = phase.playing
            return ReadPlay(playing.turn, playing.before, playing.roll)
        case Disputed():
            # In such a dispute the opponent's throw may accept the play.
            return WatchThrow(phase.playing.turn.other, phase.ruling.played, disputed=True)
        case Lost():
            return WatchFor(ground_of(phase.under))
        case _:
            return None
