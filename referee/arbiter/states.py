"""The phases of a match, each with its own data, and the state around them.

    SettingUp → Opening → (AwaitingThrow → Playing → Judging)* → GameOver → … → MatchOver

beside which stand the phases in which a person is asked: ThrowAsked, PlayAsked, Disputed,
PrematureAsked, ClaimAsked, DoubleAsked, ResignAsked, FlagAsked, Lost.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from referee.arbiter.events import (
    Actor,
    Event,
    GameEnded,
    PlayRuled,
    ThrowSeen,
)
from referee.arbiter.setup import MatchSetup
from referee.timer import new_clock
from referee.timer_settings import ClockKind, ClockSettings
from referee.timer_state import Clock
from rules import Color, Position, Roll, Variant
from rules.cube import Cube
from rules.outcome import MatchScore, Start, Win
from rules.throw import Reason


@dataclass(frozen=True, slots=True)
class NotOpened:
    """No match yet."""


@dataclass(frozen=True, slots=True)
class SettingUp:
    """The start position is being put up."""

    start: Start
    seen: Position | None = None
    """What stood there at the last look."""


@dataclass(frozen=True, slots=True)
class Opening:
    """One die each is thrown for who begins."""

    position: Position
    white: int | None = None
    black: int | None = None


@dataclass(frozen=True, slots=True)
class AwaitingThrow:
    """A side is to throw, or to double."""

    turn: Color
    position: Position
    last_throw: bool = False
    """The other side has borne off everything; this throw is the last."""
    last: PlayRuled | None = None
    """The play just judged, as long as it may be looked at again."""


@dataclass(frozen=True, slots=True)
class ThrowAsked:
    """A person must say what was thrown."""

    awaiting: AwaitingThrow
    values: tuple[int | None, ...]
    reasons: tuple[Reason, ...]
    pressed: bool = False
    """The mover has already pressed: the turn is over and only the throw is not known."""

    @property
    def shown(self) -> Roll | None:
        """What the dice show, where both can be read: it may count as shown."""
        if len(self.values) != 2:
            return None
        first, second = self.values
        return None if first is None or second is None else Roll(first, second)


@dataclass(frozen=True, slots=True)
class Playing:
    """A throw is being played."""

    turn: Color
    before: Position
    roll: Roll
    last_throw: bool = False
    correcting: bool = False
    """A wrong play is being put right."""
    adjusting: bool = False
    """«Поправляю» was said."""
    touched: frozenset[int] = frozenset()
    """Points a checker of which must be moved, by an upheld claim."""
    premature: ThrowSeen | None = None
    """The opponent threw before this turn had ended."""


@dataclass(frozen=True, slots=True)
class Judging:
    """The turn has ended; the position is being read."""

    playing: Playing
    early: ThrowSeen | None = None
    """The opponent's throw, made before the verdict."""


@dataclass(frozen=True, slots=True)
class PlayAsked:
    """A person must say which position was left."""

    playing: Playing
    candidates: tuple[Position, ...]
    early: ThrowSeen | None = None


@dataclass(frozen=True, slots=True)
class Disputed:
    """A wrong play waits to be accepted, or demanded back."""

    playing: Playing
    ruling: PlayRuled
    early: ThrowSeen | None = None


@dataclass(frozen=True, slots=True)
class PrematureAsked:
    """A throw made too early waits for what becomes of it."""

    awaiting: AwaitingThrow
    throw: ThrowSeen


@dataclass(frozen=True, slots=True)
class ClaimAsked:
    """A touch is claimed."""

    by: Actor
    point: int
    playing: Playing


@dataclass(frozen=True, slots=True)
class DoubleAsked:
    """A double waits for its answer; the cube knows whose."""

    awaiting: AwaitingThrow


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game is decided."""

    result: GameEnded


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match is decided."""

    winner: Color | None


Ongoing: TypeAlias = (
    AwaitingThrow
    | ThrowAsked
    | Playing
    | Judging
    | PlayAsked
    | Disputed
    | PrematureAsked
    | ClaimAsked
    | DoubleAsked
)
"""Phases in which a game is under way."""


@dataclass(frozen=True, slots=True)
class ResignAsked:
    """A resignation waits for its answer."""

    side: Color
    win: Win
    under: Ongoing


@dataclass(frozen=True, slots=True)
class FlagAsked:
    """A flag fell; what it costs is to be said."""

    side: Color
    under: Ongoing


@dataclass(frozen=True, slots=True)
class Lost:
    """The board can no longer be followed; a person, or the board itself, puts it right."""

    reason: str
    under: Ongoing
    seen: Position | None = None
    """What stands there now, where exactly one sequence of legal plays leads to it."""


Phase: TypeAlias = (
    NotOpened
    | SettingUp
    | Opening
    | Ongoing
    | ResignAsked
    | FlagAsked
    | Lost
    | GameOver
    | MatchOver
)


def mover_of(phase: Ongoing) -> Color:
    """Return whose turn it is."""
    match phase:
        case AwaitingThrow() | Playing():
            return phase.turn
        case ThrowAsked() | PrematureAsked() | DoubleAsked():
            return phase.awaiting.turn
        case Judging() | PlayAsked() | Disputed() | ClaimAsked():
            return phase.playing.turn


def ground_of(phase: Ongoing) -> Position:
    """Return the last certain position."""
    match phase:
        case AwaitingThrow():
            return phase.position
        case Playing():
            return phase.before
        case ThrowAsked() | PrematureAsked() | DoubleAsked():
            return phase.awaiting.position
        case Judging() | PlayAsked() | ClaimAsked():
            return phase.playing.before
        case Disputed():
            return phase.ruling.played


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The game at the beginning of a turn, for going back."""

    phase: AwaitingThrow
    cube: Cube


@dataclass(frozen=True, slots=True)
class MatchState:
    """Everything that is known of a match."""

    phase: Phase = field(default_factory=NotOpened)
    setup: MatchSetup = field(default_factory=MatchSetup)
    variant: Variant = field(default_factory=lambda: MatchSetup().variant)
    clock: Clock = field(default_factory=lambda: new_clock(ClockSettings(ClockKind.NONE)))
    score: MatchScore = field(default_factory=lambda: MatchScore(None))
    """By the colours of the game in hand."""
    cube: Cube = field(default_factory=Cube)
    game: int = 1
    swapped: bool = False
    """Whether the players have exchanged the colours of the first game."""
    began: Color = Color.WHITE
    """The side that began the game in hand."""
    results: tuple[tuple[GameEnded, bool], ...] = ()
    """Finished games, each with whether the colours were swapped in it."""
    voids: Mapping[Color, int] = field(
        default_factory=lambda: MappingProxyType(dict.fromkeys(Color, 0))
    )
    """Void throws of the game in hand."""
    turns: tuple[Snapshot, ...] = ()
    """Beginnings of this game's turns."""
    called: Actor | None = None
    """Who waits for the referee."""

    def name(self, color: Color) -> str:
        """Who plays a colour now."""
        return self.setup.name(color.other if self.swapped else color)


@dataclass(frozen=True, slots=True)
class Emit:
    """A ruling that follows; it goes into the record behind its ground."""

    event: Event


@dataclass(frozen=True, slots=True)
class Refused:
    """What was asked cannot be done; nothing changes and nothing is recorded."""

    code: str
    ru: str
    en: str


@dataclass(frozen=True, slots=True)
class Say:
    """A sentence for everybody at the table."""

    code: str
    ru: str
    en: str


@dataclass(frozen=True, slots=True)
class Sign:
    """The record is to be signed: a game or the match is over."""

    scope: str
    """`game` or `match`."""


Effect: TypeAlias = Emit | Refused | Say | Sign


@dataclass(frozen=True, slots=True)
class Transition:
    """What an event leads to."""

    state: MatchState
    effects: tuple[Effect, ...] = ()
