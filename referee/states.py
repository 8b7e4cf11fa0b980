"""The states of a followed game and what moves it on: values in closed unions."""

from dataclasses import dataclass, field
from typing import TypeAlias

from referee.dice_watch import DiceWatchSettings
from referee.events import Event
from referee.evidence import Evidence, Touched
from referee.matcher import Belief, MatcherSettings
from rules import Color, Roll, Variant
from vision.observation import DieReading

_LIKE_A_DIE = 0.5
"""Confidence from which what lay there before is taken for an old die."""


@dataclass(frozen=True, slots=True)
class Look:
    """One frame, read or not."""

    at_s: float
    calm: bool
    """No hand over the board, nothing moving."""
    evidence: Evidence | None = None
    """None: not read, or not readable."""
    dice: tuple[DieReading, ...] = ()
    """What came to lie since the last turn ended."""
    lay: tuple[DieReading, ...] = ()
    """What looks like dice, lay there before and lies there still."""
    touched: Touched | None = None
    """Points that look otherwise than when it was last known what stood there; None: not
    compared."""

    @property
    def old_dice(self) -> tuple[DieReading, ...]:
        """What lay there before and is a die rather than an ornament like one."""
        return tuple(die for die in self.lay if die.confidence >= _LIKE_A_DIE)

    @property
    def lying(self) -> tuple[DieReading, ...]:
        """The dice that lie there, new and old."""
        return (*self.dice, *self.old_dice)


@dataclass(frozen=True, slots=True)
class Press:
    """A clock button."""

    at_s: float
    side: Color


@dataclass(frozen=True, slots=True)
class End:
    """The source has no more frames."""

    at_s: float


Input: TypeAlias = Look | Press | End


@dataclass(frozen=True, slots=True)
class FollowSettings:
    """What the machine needs to know beside the rules."""

    variant: Variant
    began: Color = Color.WHITE
    """The side that began the game: who may have the last throw."""
    lifted_dice_end: bool = False
    """Whether taking up the dice ends the turn (no clock buttons)."""
    matcher: MatcherSettings = field(default_factory=MatcherSettings)
    watch: DiceWatchSettings = field(default_factory=DiceWatchSettings)


@dataclass(frozen=True, slots=True)
class AwaitingThrow:
    """A side is to throw."""

    turn: Color
    belief: Belief | None
    """What stands on the board; None: nothing read yet."""
    looks: tuple[Look, ...] = ()
    """Calm looks since the last movement."""
    before_throw: tuple[Evidence, ...] = ()
    """Looks at the position, as long as it has to be read from the picture alone."""
    old_dice: tuple[DieReading, ...] = ()
    """Dice that lay there when this side's turn began, or of a throw already judged."""
    moved: bool = False
    """Whether anything moved since then."""
    last_throw: bool = False
    """The other side has borne off everything; this throw is the last."""


@dataclass(frozen=True, slots=True)
class Playing:
    """A throw is being played."""

    turn: Color
    belief: Belief
    roll: Roll | None
    """None: the throw could not be read."""
    values: tuple[int | None, ...]
    dice: tuple[DieReading, ...]
    looks: tuple[Look, ...] = ()
    last_throw: bool = False


@dataclass(frozen=True, slots=True)
class Judging:
    """The turn has ended; the position is being read."""

    play: Playing


@dataclass(frozen=True, slots=True)
class Over:
    """The game is decided."""


State: TypeAlias = AwaitingThrow | Playing | Judging | Over


@dataclass(frozen=True, slots=True)
class Transition:
    """What an input leads to."""

    state: State
    events: tuple[Event, ...] = ()
