"""What players hear from the referee, and what they say: closed unions of frozen values."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from hardware.button import Press
from rules import Color, Position, Roll
from rules.outcome import Win
from table.script import Shot

FlagCosts: TypeAlias = Literal["nothing", "game"]


@dataclass(frozen=True, slots=True)
class SetUpStart:
    """Put the start position up."""


@dataclass(frozen=True, slots=True)
class ThrowOne:
    """Throw one die for who begins."""

    side: Color


@dataclass(frozen=True, slots=True)
class Throw:
    """It is your throw: the first of the turn, or again after one that was void."""

    side: Color


@dataclass(frozen=True, slots=True)
class Play:
    """Play this roll and end your turn."""

    side: Color
    roll: Roll
    before: Position
    """What stands on the board, as the referee has it."""
    flag_s: float | None = None
    """In how many seconds the side's flag falls, as the clock shows it; None: not now."""


@dataclass(frozen=True, slots=True)
class PutRight:
    """Take your play back and play it right."""

    side: Color
    roll: Roll
    before: Position


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Your turn waits to be ended: press, or take up the dice."""

    side: Color


@dataclass(frozen=True, slots=True)
class AcceptOrDemand:
    """The other side played wrong: do you accept it, or demand a right move?"""

    side: Color
    """Who decides: the opponent of whoever played."""


@dataclass(frozen=True, slots=True)
class AnswerOpening:
    """What does your die of the opening throw show?"""

    side: Color


@dataclass(frozen=True, slots=True)
class AnswerThrow:
    """What was thrown?"""

    side: Color


@dataclass(frozen=True, slots=True)
class AnswerPosition:
    """What stands on the board?"""

    side: Color


@dataclass(frozen=True, slots=True)
class AnswerPremature:
    """The other side threw too early: does it stand?"""

    side: Color


@dataclass(frozen=True, slots=True)
class AnswerResignation:
    """The other side gives up: do you take it?"""

    side: Color


@dataclass(frozen=True, slots=True)
class AnswerFlag:
    """A flag has fallen: the one who directs says what it costs."""

    side: Color
    """Whose flag."""


@dataclass(frozen=True, slots=True)
class TakeDice:
    """Take the dice up."""

    side: Color


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing for some frames."""

    frames: int = 1


Cue: TypeAlias = (
    SetUpStart
    | ThrowOne
    | Throw
    | Play
    | PutRight
    | EndTurn
    | AcceptOrDemand
    | AnswerOpening
    | AnswerThrow
    | AnswerPosition
    | AnswerPremature
    | AnswerResignation
    | AnswerFlag
    | TakeDice
    | Wait
)


@dataclass(frozen=True, slots=True)
class Accepts:
    """The wrong play stands."""


@dataclass(frozen=True, slots=True)
class Demands:
    """It must be put right."""


@dataclass(frozen=True, slots=True)
class SaysDie:
    """What one die shows."""

    value: int


@dataclass(frozen=True, slots=True)
class SaysThrow:
    """What was thrown; None: it does not count."""

    roll: Roll | None


@dataclass(frozen=True, slots=True)
class SaysPosition:
    """What stands on the board."""

    position: Position


@dataclass(frozen=True, slots=True)
class SaysPremature:
    """Whether a throw made too early stands."""

    stands: bool


@dataclass(frozen=True, slots=True)
class Resigns:
    """The game is given up, for so much."""

    win: Win


@dataclass(frozen=True, slots=True)
class SaysResignation:
    """Whether a resignation is taken."""

    accepted: bool


@dataclass(frozen=True, slots=True)
class SaysFlag:
    """What a fallen flag costs; said by the one who directs."""

    costs: FlagCosts


Word: TypeAlias = (
    Accepts
    | Demands
    | SaysDie
    | SaysThrow
    | SaysPosition
    | SaysPremature
    | Resigns
    | SaysResignation
    | SaysFlag
)


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody says something, as on the dashboard."""

    at_s: float
    side: Color
    word: Word


Happening: TypeAlias = Shot | Press | Said
