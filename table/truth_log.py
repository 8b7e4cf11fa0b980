"""What truly happened at a live table: for tests to compare with, never for a reader."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from rules import Color, Position, Roll
from table.throws import VoidKind


@dataclass(frozen=True, slots=True)
class TrueStart:
    """The start position stands on the board."""

    at_s: float
    position: Position


@dataclass(frozen=True, slots=True)
class TrueDie:
    """One side's die of the opening throw came to rest."""

    at_s: float
    side: Color
    value: int


@dataclass(frozen=True, slots=True)
class TrueThrow:
    """Two dice came to rest."""

    at_s: float
    side: Color
    values: tuple[int, int]
    """What they show; of a cocked die the face nearest to up."""
    kind: VoidKind | None
    """How the throw failed; None: both lie flat in one half."""
    counts: bool | None
    """Whether the rule set lets it count; None: its text leaves it to a person."""
    premature: bool = False
    """Before the other side's turn had ended."""


@dataclass(frozen=True, slots=True)
class TruePlay:
    """A side is done playing and has not yet ended its turn."""

    at_s: float
    side: Color
    roll: Roll
    """What it played, as the referee had announced it."""
    before: Position
    after: Position
    foul: str | None = None
    """Which incident made it illegal; None: it was legal."""
    put_right: bool = False
    """Whether it was played in the place of one taken back."""


@dataclass(frozen=True, slots=True)
class TruePress:
    """A clock button was pressed."""

    at_s: float
    side: Color


@dataclass(frozen=True, slots=True)
class TrueDice:
    """Dice at rest were moved or turned; what was thrown stays what it was."""

    at_s: float
    values: tuple[int, ...]
    """What they show now."""
    how: Literal["moved", "knocked", "turned"]


@dataclass(frozen=True, slots=True)
class TrueAnswer:
    """An opponent decided about a wrong play."""

    at_s: float
    side: Color
    accepted: bool
    by_button: bool


@dataclass(frozen=True, slots=True)
class TrueFlag:
    """A side lets its time run out."""

    at_s: float
    """When its flag falls."""
    side: Color


@dataclass(frozen=True, slots=True)
class TrueIncident:
    """Something out of the ordinary happened, or begins."""

    at_s: float
    turn: int
    side: Color
    what: str


Truth: TypeAlias = (
    TrueStart
    | TrueDie
    | TrueThrow
    | TruePlay
    | TruePress
    | TrueDice
    | TrueAnswer
    | TrueFlag
    | TrueIncident
)


class TruthLog:
    """Everything that truly happened, in order of time."""

    def __init__(self) -> None:
        self._entries: list[Truth] = []

    def add(self, entry: Truth) -> None:
        """Write one more thing down."""
        self._entries.append(entry)

    @property
    def entries(self) -> tuple[Truth, ...]:
        """All of it, oldest first."""
        return tuple(self._entries)

    @property
    def throws(self) -> tuple[TrueThrow, ...]:
        """The throws among it."""
        return tuple(one for one in self._entries if isinstance(one, TrueThrow))

    @property
    def plays(self) -> tuple[TruePlay, ...]:
        """The plays among it."""
        return tuple(one for one in self._entries if isinstance(one, TruePlay))

    @property
    def incidents(self) -> tuple[TrueIncident, ...]:
        """The incidents among it."""
        return tuple(one for one in self._entries if isinstance(one, TrueIncident))

    def has_played(self, side: Color) -> bool:
        """Whether a side has played the throw it was to play."""
        for entry in reversed(self._entries):
            if isinstance(entry, TruePlay):
                return entry.side is side
            if isinstance(entry, TrueStart) or (
                isinstance(entry, TrueThrow) and not entry.premature
            ):
                return False
        return False

    def has_put_right(self, side: Color) -> bool:
        """Whether a side has made the play anew that was demanded back."""
        for entry in reversed(self._entries):
            if isinstance(entry, TruePlay):
                return entry.side is side and entry.put_right
            if isinstance(entry, TrueAnswer):
                return False
        return False
