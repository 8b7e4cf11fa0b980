"""What goes wrong in the turn in hand: drawn when it begins, crossed off as it happens."""

import random
from collections.abc import Sequence
from typing import TypeVar

from rules import Color
from table.incidents import Incident, IncidentPlan

_Kind = TypeVar("_Kind", bound=Incident)


class Agenda:
    """Turns counted, and what is due in each."""

    def __init__(self, plan: IncidentPlan, seed: int) -> None:
        self.plan = plan
        self.turn = 0
        """From 1; 0 before the first."""
        self.mover: Color | None = None
        """Whose turn it is; None: between turns."""
        self._seed = seed
        self._due: list[Incident] = []
        self._owed: list[Incident] = []
        """Forced incidents that no turn has allowed yet."""

    def begin(self, side: Color) -> None:
        """Begin a side's turn, if it has not begun."""
        if self.mover is side:
            return
        self.mover = side
        self.turn += 1
        self._owed += [what for at, what in self.plan.forced if at == self.turn]
        drawn = self.plan.drawn(self.rng("incidents"))
        self._due = [*self._owed, *([drawn] if drawn and drawn not in self._owed else [])]

    def end(self) -> None:
        """End the turn."""
        self.mover = None

    def due(self, kinds: Sequence[_Kind]) -> tuple[_Kind, ...]:
        """Return those of these kinds that are still to happen in this turn."""
        return tuple(what for what in kinds if what in self._due)

    def cross_off(self, what: Incident) -> None:
        """Take it as having happened."""
        self._due.remove(what)
        if what in self._owed:
            self._owed.remove(what)

    def rng(self, purpose: str) -> random.Random:
        """Return draws for a purpose in this turn, the same each time it is asked."""
        return random.Random(f"{self._seed} {purpose} {self.turn}")
