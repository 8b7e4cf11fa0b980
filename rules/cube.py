"""The doubling cube (даве, басе, бивер): a pure state and the actions it allows.

Source: T3 and the practice of WBGF and USBGF (P); beavers in money games only.
"""

from dataclasses import dataclass, replace
from typing import Final

from rules.board import Color
from rules.errors import ActionError
from rules.outcome import GameResult, How, MatchScore, Win
from rules.variant import Variant

LARGEST: Final = 1024
"""Beyond this a cube is a slip of the finger."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The cube between two throws."""

    value: int = 1
    owner: Color | None = None
    """Who may double next; None: either side."""
    offered_by: Color | None = None
    """A double that waits for an answer."""
    beavered: bool = False
    """The waiting offer is a beaver: the doubler answers it."""

    @property
    def turned(self) -> bool:
        """Whether anybody has doubled in this game."""
        return self.value > 1


def may_double(cube: Cube, color: Color, variant: Variant, score: MatchScore) -> str | None:
    """Return why a side may not double before its throw, None if it may."""
    if not variant.cube:
        return f"{variant.name} is played without a cube"
    if cube.offered_by is not None:
        return "a double is waiting for its answer"
    if cube.owner is not None and cube.owner is not color:
        return "the other side owns the cube"
    if score.is_crawford(variant):
        return "no doubling in the Crawford game"
    if cube.value >= LARGEST:
        return f"the cube ends at {LARGEST}"
    return None


def double(cube: Cube, color: Color, variant: Variant, score: MatchScore) -> Cube:
    """Offer a double (даве).

    Raises:
        ActionError: not allowed now; says why.
    """
    reason = may_double(cube, color, variant, score)
    if reason is not None:
        raise ActionError(reason)
    return replace(cube, offered_by=color, beavered=False)


def _answering(cube: Cube, color: Color) -> None:
    if cube.offered_by is None or cube.offered_by is color:
        raise ActionError("no double is waiting for this side's answer")


def take(cube: Cube, color: Color) -> Cube:
    """Accept the double (басе): the value doubles and the taker owns the cube.

    After a beaver the value has doubled already and the beaverer keeps the cube.

    Raises:
        ActionError: no double waits for this side's answer.
    """
    _answering(cube, color)
    if cube.beavered:
        return Cube(cube.value, cube.offered_by)
    return Cube(cube.value * 2, color)


def beaver(cube: Cube, color: Color, variant: Variant, score: MatchScore) -> Cube:
    """Take and double again at once, keeping the cube (бивер).

    Raises:
        ActionError: no double waits, or beavers are not played here.
    """
    _answering(cube, color)
    if not variant.beavers or score.length is not None:
        raise ActionError("beavers are for money games of sets that allow them")
    if cube.beavered:
        raise ActionError("a beaver is answered with take or drop")
    if cube.value * 4 > LARGEST:
        raise ActionError(f"the cube ends at {LARGEST}")
    return Cube(cube.value * 4, color, offered_by=color, beavered=True)


def drop(cube: Cube, color: Color) -> GameResult:
    """Decline the double: the game ends at the value before it.

    A beaver that is dropped costs what the first double had made of the game.

    Raises:
        ActionError: no double waits for this side's answer.
    """
    _answering(cube, color)
    points = cube.value // 2 if cube.beavered else cube.value
    return GameResult(color.other, Win.OIN, points, How.CUBE_DROPPED)
