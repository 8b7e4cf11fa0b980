"""What goes wrong at a table, and when: drawn per turn, the same for the same seed."""

import random
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from table.fouls import FOULS, Foul
from table.throws import VoidKind

Mishap: TypeAlias = Literal[
    "premature_throw",
    "knocked_dice",
    "turned_die",
    "nudged_board",
    "hand_left",
    "light_change",
    "flag_fall",
    "resignation",
]
"""What is neither a void throw nor a wrong play."""
Incident: TypeAlias = VoidKind | Foul | Mishap

VOIDS: tuple[VoidKind, ...] = (
    "different_halves",
    "off_board",
    "cocked",
    "on_checker",
    "on_woodwork",
    "wrong_half",
)
MISHAPS: tuple[Mishap, ...] = get_args(Mishap)
INCIDENTS: tuple[Incident, ...] = (*VOIDS, *FOULS, *MISHAPS)
PLAN_NAMES: tuple[str, ...] = ("none", "few", "many", *INCIDENTS)

_WEIGHTS: dict[Incident, float] = {
    **dict.fromkeys(VOIDS, 3.0),
    **dict.fromkeys(FOULS, 2.0),
    "unfinished": 3.0,
    "premature_throw": 1.0,
    "knocked_dice": 2.0,
    "turned_die": 0.7,
    "nudged_board": 0.7,
    "hand_left": 3.0,
    "light_change": 1.5,
    "flag_fall": 0.5,
    "resignation": 0.1,
}
"""How often one happens among all."""
_ONE_KIND = 0.4
"""Chance per turn in a plan of one kind."""


class IncidentError(ValueError):
    """No such plan; says which there are."""


@dataclass(frozen=True, slots=True)
class IncidentPlan:
    """How often what goes wrong."""

    name: str = "none"
    rates: tuple[tuple[Incident, float], ...] = ()
    """Chance per turn of each; they add up to 1 at most, and a turn has one of them at most."""
    forced: tuple[tuple[int, Incident], ...] = ()
    """(turn from 1, incident) that must happen: in that turn, or the next that allows it."""
    accept: float = 0.5
    """How often a wrong play is accepted."""
    by_button: float = 0.5
    """How often the decision is made with a clock button, not on the dashboard."""
    stands: float = 0.5
    """How often a throw made too early is let stand, and a resignation taken."""

    forfeit: float = 0.5
    """How often a fallen flag costs the game; otherwise it is only noted."""

    def __post_init__(self) -> None:
        unknown = [what for what, _ in (*self.rates,) if what not in INCIDENTS]
        unknown += [what for _, what in self.forced if what not in INCIDENTS]
        if unknown:
            raise IncidentError(f"no incident {unknown[0]!r}; there are {', '.join(INCIDENTS)}")
        if sum(rate for _, rate in self.rates) > 1 + 1e-9:
            raise IncidentError("the rates of all incidents add up to more than 1 a turn")

    def drawn(self, rng: random.Random) -> Incident | None:
        """Return what happens in a turn beside what is forced."""
        at = rng.random()
        for what, rate in self.rates:
            if at < rate:
                return what
            at -= rate
        return None

    def forcing(self, *forced: tuple[int, Incident]) -> "IncidentPlan":
        """Return the plan with more that must happen."""
        return replace(self, forced=(*self.forced, *forced))


def plan_named(name: str) -> IncidentPlan:
    """Return `none`, `few` (about every eighth turn), `many` (most turns), or one kind only.

    Raises:
        IncidentError: no such plan; names those there are.
    """
    if name == "none":
        return IncidentPlan()
    if name in INCIDENTS:
        return IncidentPlan(name, ((name, _ONE_KIND),))
    share = {"few": 0.12, "many": 0.6}.get(name)
    if share is None:
        raise IncidentError(f"no incidents {name!r}; there are {', '.join(PLAN_NAMES)}")
    total = sum(_WEIGHTS.values())
    rates = tuple((what, share * weight / total) for what, weight in _WEIGHTS.items())
    return IncidentPlan(name, rates)
