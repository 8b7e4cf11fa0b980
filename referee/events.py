"""What falls during a match, as frozen values in a closed union.

Source: product event lines (docs/reference/events.md); ADR 0003.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from rules import Color, Position, Verdict
from rules.explain import Explanation
from rules.throw import ThrowVerdict

SCHEMA_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person should know that changes nothing in the game."""

    at_s: float
    code: str
    ru: str
    en: str


@dataclass(frozen=True, slots=True)
class PositionSeen:
    """A settled position."""

    at_s: float
    position: Position | None
    """None: unsure."""
    candidates: tuple[Position, ...] = ()
    """Where unsure: what it may be, most likely first."""


@dataclass(frozen=True, slots=True)
class ThrowJudged:
    """Dice that came to rest, judged."""

    at_s: float
    side: Color
    verdict: ThrowVerdict
    values: tuple[int | None, ...]
    reasons: tuple[str, ...]
    confidence: float
    """Of the least certain die."""


@dataclass(frozen=True, slots=True)
class PlayJudged:
    """A turn's play, judged."""

    at_s: float
    side: Color
    dice: tuple[int | None, ...]
    played: Position | None
    """None: unsure which of the candidates."""
    verdict: Verdict | None
    """None: unsure."""
    law: str | None
    explain: Explanation
    moves: tuple[tuple[int, int], ...] = ()
    """The legal way played, absolute points, 0 off, 25 bar."""
    candidates: tuple[Position, ...] = ()
    nearest: tuple[Position, ...] = ()
    """What the nearest legal turns lead to, where the play was not legal."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game decided on the board."""

    at_s: float
    winner: Color | None
    """None: a draw."""
    win: str | None
    points: int


Event: TypeAlias = Notice | PositionSeen | ThrowJudged | PlayJudged | GameEnded
