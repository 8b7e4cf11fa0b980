"""What the watcher remembers, what it needs to know, and what it reports."""

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from referee.arbiter.events import (
    DiceChanged,
    DiceLifted,
    OpeningDieSeen,
    PlayRead,
    SightLost,
    StartSeen,
    ThrowSeen,
)
from referee.arbiter.questions import ReadPlay, Watch, WatchOpening, WatchPlay, WatchThrow
from referee.borne_off import InView
from referee.dice_watch import DiceWatchSettings
from referee.evidence import Evidence
from referee.matcher import MatcherSettings
from referee.states import Look
from referee.still_dice import StillDie, StillSettings
from referee.throws import dice_in_play
from rules import Color, Position, Variant
from rules.throw import Lies
from vision.observation import DieReading

ENOUGH = 2
"""Calm looks that make a reading."""
FUSED = 5
"""The latest looks that are averaged; older ones may show another light."""
Fact: TypeAlias = (
    StartSeen | OpeningDieSeen | ThrowSeen | DiceChanged | DiceLifted | PlayRead | SightLost
)


@dataclass(frozen=True, slots=True)
class WatcherSettings:
    """What the watcher needs to know."""

    variant: Variant
    white_right: Lies | None = None
    """Which half of the picture is on White's right hand; Black's is the other."""
    patience_s: float = 1.5
    """Dice that rest this long and cannot be judged are reported as they are: a person is
    asked while they still lie there."""
    unseen_s: float = 30.0
    """A board that may have been played on, by a throw nobody saw, is waited for so long: the
    press that ends the turn asks for the throw."""
    put_right_s: float = 2.0
    """Where the dice were up already, a play is taken for put right when the board has rested
    so long and shows a legal one: between two moves it rests as well …"""
    left_wrong_s: float = 10.0
    """… and when it has rested so long, whatever it shows."""
    blind_s: float = 0.6
    """A hand may have come and gone unseen where no look was taken for so long."""
    dice: DiceWatchSettings = field(default_factory=DiceWatchSettings)
    still: StillSettings = field(default_factory=StillSettings)
    matcher: MatcherSettings = field(default_factory=MatcherSettings)

    def right_of(self, side: Color) -> Lies | None:
        """Return which half is on a side's right hand."""
        if self.white_right is None or side is Color.WHITE:
            return self.white_right
        return Lies.LEFT if self.white_right is Lies.RIGHT else Lies.RIGHT


@dataclass(frozen=True, slots=True)
class Watching:
    """What was seen since the last movement, and what lay there before."""

    watch: Watch | None = None
    looks: tuple[Look, ...] = ()
    """Calm looks since the last movement."""
    old_dice: tuple[DieReading, ...] = ()
    """Dice that lay there when this watch began, or that were reported already."""
    moved: bool = False
    """Whether anything moved since the watch began."""
    thrown: tuple[DieReading, ...] = ()
    """The dice of the throw in hand."""
    last: tuple[DieReading, ...] = ()
    """The dice of the throw reported last."""
    lay: tuple[DieReading, ...] = ()
    """Everything seen lying since then, before another throw."""
    still: tuple[StillDie, ...] = ()
    """What looks like dice and stays where it is; no look below shows it."""
    known: tuple[Position, Evidence] | None = None
    """A position ruled, and the look at it: what was misread there will be misread again."""
    in_view: InView = field(default_factory=InView)
    """Whether checkers borne off are laid where the camera sees them."""
    once: Look | None = None
    """Dice read well, but in one look only, when a hand came: if they lie there still in the
    next one, the two agree."""
    lifted: bool = False
    """Whether the dice of the throw in hand were taken up before it was ruled."""
    up: bool = False
    """Whether no dice lay there when the play in hand began."""
    told: bool = False
    """Whether this watch has made its report; a movement makes another one possible."""
    looked_s: float | None = None
    """When the last look was, calm or not."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What a look leads to."""

    state: Watching
    facts: tuple[Fact, ...] = ()


def turned_to(state: Watching, wanted: Watch | None) -> Watching:
    """Turn to what is waited for now.

    Call it whenever that may have changed: what comes and goes between two looks is a new wait
    all the same. The position seen last goes with it: who presses the clock has left it, and
    nothing else may show it before the next hand comes.
    """
    if wanted == state.watch:
        return state
    latest = state.looks[-1].lying if state.looks else ()
    state = replace(state, watch=wanted, told=False)
    match wanted:
        case WatchThrow():
            recent = state.looks[-ENOUGH:]
            taken_up = len(recent) == ENOUGH and not any(one.lying for one in recent)
            lying = () if taken_up else latest or state.thrown or state.old_dice
            return replace(
                state,
                looks=(),
                old_dice=lying,
                moved=False,
                thrown=(),
                once=None,
                lifted=False,
            )
        case WatchOpening(side=Color.BLACK):
            return replace(state, looks=(), moved=False)
        case WatchPlay():
            up = wanted.correcting and not (state.looks and dice_in_play(state.looks[-1].dice))
            return replace(state, moved=False, up=up)
        case ReadPlay():
            return replace(state, looks=state.looks[-FUSED:])
        case _:
            return replace(state, looks=(), moved=False)


def latest_evidence(looks: tuple[Look, ...]) -> list[Evidence]:
    """Return what the latest calm looks show of the points, where they were read."""
    return [look.evidence for look in looks[-FUSED:] if look.evidence is not None]


def as_ms(at_s: float) -> int:
    """Return a time as facts bear it, in whole milliseconds."""
    return round(1000 * at_s)
