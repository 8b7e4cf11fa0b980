"""Who is at a page, and what each may do."""

from enum import StrEnum
from typing import Final

from referee.arbiter import Actor


class WebRole(StrEnum):
    """The roles, each with all that the ones after it may do."""

    ADMIN = "admin"
    REFEREE = "referee"
    PLAYER = "player"
    SPECTATOR = "spectator"

    @property
    def rank(self) -> int:
        """How much it may do; more is more."""
        return _RANKS[self]

    def may_act_as(self, other: "WebRole") -> bool:
        """Whether it may do what another may."""
        return self.rank >= other.rank


_RANKS: Final = {one: 4 - index for index, one in enumerate(WebRole)}
_ALL: Final = (Actor.WHITE, Actor.BLACK, Actor.BOTH, Actor.REFEREE)
_SIDES: Final = {"w": Actor.WHITE, "b": Actor.BLACK}


def speakers_of(role: WebRole | None, side: str | None) -> tuple[Actor, ...]:
    """Return for whom a session may speak.

    Args:
        role: its role.
        side: `w` or `b` where a player has one side; None: one phone for both.
    """
    match role:
        case None | WebRole.SPECTATOR:
            return ()
        case WebRole.PLAYER:
            return (_SIDES[side],) if side in _SIDES else _ALL[:3]
        case WebRole.REFEREE | WebRole.ADMIN:
            return _ALL
