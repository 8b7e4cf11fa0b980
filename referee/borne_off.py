"""What the table beside the board says of checkers borne off.

A stack in layers hardly shows whether one or two were taken from it. Where those are laid, it
shows: a turn that bears off changes something there, and one that does not mostly does not.
"""

import math
from bisect import bisect_right
from dataclasses import dataclass, replace

from rules import Color, Position


@dataclass(frozen=True, slots=True)
class LaidSettings:
    """How often so much looks otherwise beside a board, by the checkers borne off in a turn."""

    edges: tuple[float, ...] = (0.15, 0.7, 1.3)
    """Areas, in checkers', between which the shares below are."""
    none: tuple[float, ...] = (0.6, 0.25, 0.08, 0.07)
    """None were: on the simulated table that is as good as always less than the first edge,
    on real ones dice, cups and hands come and go."""
    laid: tuple[tuple[float, ...], ...] = (
        (0.03, 0.47, 0.42, 0.08),
        (0.02, 0.15, 0.43, 0.4),
        (0.02, 0.08, 0.2, 0.7),
    )
    """One, two, more were laid in view, on the table or on those that lie there already: as
    measured (`benchmarks/touch.py`), nothing rarer than two in a hundred."""


@dataclass(frozen=True, slots=True)
class InView:
    """Whether checkers borne off are laid where the camera sees them: what a match showed."""

    seen: int = 2
    """Turns in which they were. It begins with what is usual …"""
    unseen: int = 1
    """… and these are those in which nothing changed beside the board."""

    @property
    def share(self) -> float:
        """How often it may be expected, 0–1."""
        return self.seen / (self.seen + self.unseen)

    def after(self, beside: float | None, before: Position, now: Position) -> "InView":
        """Return what is known after a turn.

        Args:
            beside: how much changed beside the board, in areas of a checker; None: not known.
            before: what stood before the turn.
            now: what stands for certain after it.
        """
        if beside is None or _off(now) <= _off(before):
            return self
        if beside < LaidSettings().edges[0]:
            return replace(self, unseen=self.unseen + 1)
        return replace(self, seen=self.seen + 1)


@dataclass(frozen=True, slots=True)
class Borne:
    """What a look around the board says of checkers borne off since."""

    before: int
    """Checkers off the board then, of both sides."""
    logs: tuple[float, ...]
    """Log likelihood of no, one, two … more of them now; the last one also of all beyond."""


def borne_off(
    beside: float | None,
    since: Position,
    in_view: InView | None = None,
    settings: LaidSettings | None = None,
) -> Borne | None:
    """Tell from what changed beside the board how many checkers may have been laid there.

    Args:
        beside: in areas of a checker; None: not known.
        since: what stood on the board before that.
        in_view: whether they are laid where the camera sees them.
        settings: how far that is trusted.
    """
    if beside is None:
        return None
    settings = settings or LaidSettings()
    size, share = bisect_right(settings.edges, beside), (in_view or InView()).share
    none = settings.none[size]
    laid = (share * one[size] + (1 - share) * none for one in settings.laid)
    return Borne(_off(since), tuple(math.log(one) for one in (none, *laid)))


def _off(position: Position) -> int:
    return sum(position.off(color) for color in Color)
