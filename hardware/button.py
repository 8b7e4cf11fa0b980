"""Clock buttons: what a press is, and what a button must do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

SideName: TypeAlias = Literal["w", "b"]
"""Whose button it is: the colour this player has in the game."""


@dataclass(frozen=True, slots=True)
class Press:
    """A player presses the clock."""

    at_s: float
    """Monotonic, of the first edge."""
    side: SideName


class ClockButton(Protocol):
    """One side's button, free of bounce."""

    def on_press(self, handler: Callable[[Press], None]) -> None:
        """Call the handler at every press, from whatever thread notices it.

        A second handler takes the place of the first.
        """
        ...

    def close(self) -> None:
        """Give the device back; no handler is called any more. May be called twice."""
        ...
