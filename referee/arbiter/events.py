"""Everything that can fall at a table, as frozen values in one closed union.

Three kinds. **Facts** are what the camera, the buttons and time report. **Words** are what
people decide. **Rulings** are what the arbiter concludes; they are recorded beside their
grounds, so that a record keeps its verdicts when the program that gave them is long replaced.

`at_ms` is monotonic time in whole milliseconds; it starts anew with `Restarted`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from referee.arbiter.setup import MatchSetup
from rules import Color, Position, Roll, Verdict
from rules.explain import Explanation
from rules.outcome import How, Win
from rules.throw import DieFacts, Lies, Reason, ThrowVerdict

SCHEMA_VERSION: Final = 2
"""Of the events in a record; `codec` reads all older ones."""


BoxPx: TypeAlias = tuple[int, int, int, int]
"""(x, y, width, height) in whole pixels of the picture an event rests on."""


class Actor(StrEnum):
    """Who says something."""

    WHITE = "white"
    BLACK = "black"
    BOTH = "both"
    """The players together: at home nobody else can overrule."""
    REFEREE = "referee"
    CAMERA = "camera"
    SYSTEM = "system"
    """The program itself, by a law of the set-up."""

    @classmethod
    def of(cls, color: Color) -> "Actor":
        """The player of a colour."""
        return cls.WHITE if color is Color.WHITE else cls.BLACK

    @property
    def rules_the_table(self) -> bool:
        """Whether this voice may overrule what was seen or said."""
        return self in (Actor.REFEREE, Actor.BOTH)


class Forfeit(StrEnum):
    """What a fallen flag costs."""

    NOTHING = "nothing"
    GAME = "game"
    MATCH = "match"


# --- facts -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MatchOpened:
    """The match begins."""

    at_ms: int
    setup: MatchSetup


@dataclass(frozen=True, slots=True)
class Restarted:
    """The program came up again; times count from here anew and the clock is paused."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class StartSeen:
    """What stands on the board before a game."""

    at_ms: int
    position: Position
    by: Actor = Actor.CAMERA
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpeningDieSeen:
    """One side's die of the opening throw."""

    at_ms: int
    side: Color
    value: int
    by: Actor = Actor.CAMERA
    evidence: tuple[str, ...] = ()
    box_px: BoxPx | None = None
    """Where the die was seen; None: by no camera, or before version 2."""


@dataclass(frozen=True, slots=True)
class ThrowSeen:
    """Dice came to rest."""

    at_ms: int
    side: Color
    """Who threw, or who is to throw where that could not be seen."""
    dice: tuple[DieFacts, ...]
    players_right: Lies | None = None
    """Which half is the thrower's right one, as the camera sees the board."""
    confidence: float = 1.0
    """Of the least certain die."""
    evidence: tuple[str, ...] = ()
    """Pictures it rests on, by the hash of their bytes."""
    boxes_px: tuple[BoxPx, ...] = ()
    """Where each die was seen, in the order of `dice`; empty before version 2."""


@dataclass(frozen=True, slots=True)
class DiceChanged:
    """The dice of a throw already judged show something else: knocked or turned."""

    at_ms: int
    values: tuple[int | None, ...]
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiceLifted:
    """The dice were taken up."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class Pressed:
    """A clock button, at its first edge."""

    at_ms: int
    side: Color


@dataclass(frozen=True, slots=True)
class PlayRead:
    """The position after a turn was read."""

    at_ms: int
    position: Position | None
    """None: not sure which of the candidates."""
    candidates: tuple[Position, ...] = ()
    """Most likely first."""
    confidence: float = 1.0
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Time went by; recorded only where it makes a flag fall."""

    at_ms: int


@dataclass(frozen=True, slots=True)
class SightLost:
    """The board can no longer be followed."""

    at_ms: int
    reason: str


@dataclass(frozen=True, slots=True)
class BoardNudged:
    """The board, or the camera, was nudged and has been found again; nothing else changed."""

    at_ms: int
    by_px: int


# --- words -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ThrowAnswered:
    """A person says what was thrown, or corrects it."""

    at_ms: int
    by: Actor
    roll: Roll | None
    """None: the throw does not count and is thrown again."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PressWithdrawn:
    """The button was pressed by mistake."""

    at_ms: int
    by: Actor


@dataclass(frozen=True, slots=True)
class PositionChosen:
    """A person says which position it is."""

    at_ms: int
    by: Actor
    position: Position
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A wrong play is accepted as it stands."""

    at_ms: int
    by: Actor


@dataclass(frozen=True, slots=True)
class Demanded:
    """A right move is demanded."""

    at_ms: int
    by: Actor


@dataclass(frozen=True, slots=True)
class PrematureAnswered:
    """What becomes of a throw made too early."""

    at_ms: int
    by: Actor
    stands: bool


@dataclass(frozen=True, slots=True)
class AdjustSaid:
    """«Поправляю»: what is touched from now on in this turn is only set straight."""

    at_ms: int
    side: Color


@dataclass(frozen=True, slots=True)
class TouchClaimed:
    """Somebody says the mover touched the checkers of a point."""

    at_ms: int
    by: Actor
    point: int
    """Absolute; 25 the bar."""


@dataclass(frozen=True, slots=True)
class ClaimAnswered:
    """Whether the touch is held to be one."""

    at_ms: int
    by: Actor
    upheld: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ResignOffered:
    """A player gives the game up, for so much."""

    at_ms: int
    side: Color
    win: Win


@dataclass(frozen=True, slots=True)
class ResignAnswered:
    """The opponent, or the referee, answers a resignation."""

    at_ms: int
    by: Actor
    accepted: bool


@dataclass(frozen=True, slots=True)
class DoubleOffered:
    """Даве."""

    at_ms: int
    side: Color


@dataclass(frozen=True, slots=True)
class DoubleTaken:
    """Басе."""

    at_ms: int
    side: Color


@dataclass(frozen=True, slots=True)
class DoubleDropped:
    """The double is refused and the game is over."""

    at_ms: int
    side: Color


@dataclass(frozen=True, slots=True)
class Beavered:
    """Бивер: taken and doubled again at once."""

    at_ms: int
    side: Color


@dataclass(frozen=True, slots=True)
class PauseAsked:
    """The clock is stopped."""

    at_ms: int
    by: Actor
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Resumed:
    """The clock goes on."""

    at_ms: int
    by: Actor


@dataclass(frozen=True, slots=True)
class TimeSet:
    """The referee sets the clock."""

    at_ms: int
    by: Actor
    white_ms: int
    black_ms: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RefereeCalled:
    """Somebody wants the referee."""

    at_ms: int
    by: Actor


@dataclass(frozen=True, slots=True)
class RefereeLeft:
    """The referee is done."""

    at_ms: int
    by: Actor


@dataclass(frozen=True, slots=True)
class FlagAnswered:
    """What the fallen flag costs."""

    at_ms: int
    by: Actor
    forfeit: Forfeit
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Overridden:
    """The referee sets what stands, whose turn it is and what was thrown."""

    at_ms: int
    by: Actor
    turn: Color
    position: Position
    roll: Roll | None = None
    """None: the side is yet to throw."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Undone:
    """The game goes back to the beginning of an earlier turn."""

    at_ms: int
    by: Actor
    turns: int = 1
    """How many turns back: 1 the one in hand or, where it has not begun, the last one."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """The referee corrects a finished game's result."""

    at_ms: int
    by: Actor
    game: int
    winner: Color | None
    """By the colours of that game; None: a draw."""
    win: Win | None
    points: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NextGameStarted:
    """The players go on with the next game."""

    at_ms: int
    by: Actor


@dataclass(frozen=True, slots=True)
class MatchClosed:
    """A session ends, or a match is broken off."""

    at_ms: int
    by: Actor
    reason: str = ""


# --- rulings ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OpeningRuled:
    """One die each has been judged."""

    at_ms: int
    white_die: int
    black_die: int
    winner: Color | None
    """None: equal, both throw again."""
    plays_these: bool
    """Whether the two numbers are the first roll."""


@dataclass(frozen=True, slots=True)
class ThrowRuled:
    """A throw has been judged."""

    at_ms: int
    side: Color
    verdict: ThrowVerdict
    values: tuple[int | None, ...]
    reasons: tuple[Reason, ...] = ()
    by: Actor = Actor.SYSTEM


@dataclass(frozen=True, slots=True)
class PlayRuled:
    """A play has been judged."""

    at_ms: int
    side: Color
    roll: Roll | None
    """None: nothing could have been played whatever was thrown."""
    before: Position
    played: Position
    verdict: Verdict
    law: str | None
    """The law broken."""
    explain: Explanation
    moves: tuple[tuple[int, int], ...] = ()
    """The legal way played: (from, to), absolute points, 0 off, 25 bar."""
    nearest: tuple[Position, ...] = ()
    """What the nearest legal turns lead to, where the play was not legal."""
    by: Actor = Actor.SYSTEM
    """Who said what stands on the board."""


@dataclass(frozen=True, slots=True)
class FlagFell:
    """A side has no time left."""

    at_ms: int
    side: Color


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is decided."""

    at_ms: int
    game: int
    winner: Color | None
    win: Win | None
    points: int
    how: How
    cube: int = 1


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is decided, or broken off."""

    at_ms: int
    winner: Color | None
    """By the colours of the last game; None: nobody won."""
    white: int
    black: int


Fact: TypeAlias = (
    MatchOpened
    | Restarted
    | StartSeen
    | OpeningDieSeen
    | ThrowSeen
    | DiceChanged
    | DiceLifted
    | Pressed
    | PlayRead
    | TimePassed
    | SightLost
    | BoardNudged
)
Word: TypeAlias = (
    ThrowAnswered
    | PressWithdrawn
    | PositionChosen
    | Accepted
    | Demanded
    | PrematureAnswered
    | AdjustSaid
    | TouchClaimed
    | ClaimAnswered
    | ResignOffered
    | ResignAnswered
    | DoubleOffered
    | DoubleTaken
    | DoubleDropped
    | Beavered
    | PauseAsked
    | Resumed
    | TimeSet
    | RefereeCalled
    | RefereeLeft
    | FlagAnswered
    | Overridden
    | Undone
    | ResultCorrected
    | NextGameStarted
    | MatchClosed
)
Ruling: TypeAlias = OpeningRuled | ThrowRuled | PlayRuled | FlagFell | GameEnded | MatchEnded
Event: TypeAlias = Fact | Word | Ruling
