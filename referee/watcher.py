"""From looks to facts: what the camera reports to the arbiter. A pure machine.

The arbiter says what to look for (`arbiter.questions.Watch`), the watcher reports when it is
there: dice at rest, a position read, dice taken up. It rules nothing. Calm looks — no hand over
the board, nothing moving — are read; a movement separates what was before from what is after.
"""

from dataclasses import dataclass, field, replace
from typing import TypeAlias, assert_never

from referee.arbiter.events import (
    DiceChanged,
    DiceLifted,
    PlayRead,
    StartSeen,
    ThrowSeen,
)
from referee.arbiter.questions import (
    ReadPlay,
    Watch,
    WatchFor,
    WatchOpening,
    WatchPlay,
    WatchStart,
    WatchThrow,
)
from referee.dice_watch import (
    DiceLook,
    DiceWatchSettings,
    is_old,
    same_place,
    settled_throw,
    unsettled_throw,
)
from referee.evidence import Evidence, fuse
from referee.matcher import Belief, MatcherSettings, believe, match_play
from referee.states import Look
from referee.throws import dice_in_play, facts_of
from rules import Color, Position, Variant
from rules.throw import Lies, ThrowVerdict, judge_throw
from vision.observation import DieReading

_ENOUGH = 2
"""Calm looks that make a reading."""
_FUSED = 4
"""The latest looks that are averaged; older ones may show another light."""
_WATCHED = 50
"""The latest looks among which two must agree on a throw: a player may think for an hour."""

Fact: TypeAlias = StartSeen | ThrowSeen | DiceChanged | DiceLifted | PlayRead


@dataclass(frozen=True, slots=True)
class WatcherSettings:
    """What the watcher needs to know."""

    variant: Variant
    white_right: Lies | None = None
    """Which half of the picture is on White's right hand; Black's is the other."""
    patience_s: float = 1.5
    """Dice that rest this long and cannot be judged are reported as they are: a person is
    asked while they still lie there."""
    dice: DiceWatchSettings = field(default_factory=DiceWatchSettings)
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
    told: bool = False
    """Whether this watch has made its report; a movement makes another one possible."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What a look leads to."""

    state: Watching
    facts: tuple[Fact, ...] = ()


def watch(
    state: Watching, look: Look, wanted: Watch | None, settings: WatcherSettings
) -> Watched:
    """Take one look.

    Args:
        state: before it.
        look: the frame, read where it was calm.
        wanted: what the arbiter waits for now; None: nothing.
        settings: rules, halves, what counts as rest.
    """
    state = _turned_to(state, wanted)
    reports: tuple[Fact, ...] = ()
    if not look.calm:
        if isinstance(wanted, WatchThrow):
            left = unread(state, wanted, look.at_s, settings)
            moved = replace(left.state, looks=(), moved=True, told=False)
            return Watched(moved, left.facts)
        if isinstance(wanted, ReadPlay) and state.looks:
            # The next player reaches in: what was seen till now must do.
            reports = _play(state, wanted, settings, final=True).facts
        return Watched(replace(state, looks=(), moved=True, told=bool(reports)), reports)
    state = replace(state, looks=(*state.looks, look)[-_WATCHED:])
    match wanted:
        case None | WatchOpening():
            return Watched(state)
        case WatchStart():
            return _start(state, settings)
        case WatchThrow():
            return _throw(state, wanted, settings)
        case WatchPlay():
            return _dice_in_play(state, wanted, settings)
        case ReadPlay():
            return _play(state, wanted, settings)
        case WatchFor():
            return _same_again(state, wanted, settings)
        case _:
            assert_never(wanted)


def ended(state: Watching, wanted: Watch | None, settings: WatcherSettings) -> Watched:
    """Say what can be said where no more looks will come."""
    state = _turned_to(state, wanted)
    if not isinstance(wanted, ReadPlay) or state.told:
        return Watched(state)
    return _play(state, wanted, settings, final=True)


def _turned_to(state: Watching, wanted: Watch | None) -> Watching:
    """Turn to what is waited for now.

    The position seen last goes with it: who presses the clock has left it, and nothing else
    may show it before the next hand comes.
    """
    if wanted == state.watch:
        return state
    latest = state.looks[-1].dice if state.looks else ()
    state = replace(state, watch=wanted, told=False)
    match wanted:
        case WatchThrow():
            lying = latest or state.thrown or state.old_dice
            return replace(state, looks=(), old_dice=lying, moved=False, thrown=())
        case WatchPlay():
            return replace(state, moved=False)
        case ReadPlay():
            return replace(state, looks=state.looks[-_FUSED:])
        case _:
            return replace(state, looks=(), moved=False)


# --- the start position ----------------------------------------------------------------------


def _start(state: Watching, settings: WatcherSettings) -> Watched:
    """Report what stands on the board, once it is certain and is not what was told before."""
    position = _certain(state.looks, settings)
    if position is None or state.told:
        return Watched(state)
    at_ms = _ms(state.looks[-1].at_s)
    return Watched(replace(state, told=True), (StartSeen(at_ms, position),))


def _certain(looks: tuple[Look, ...], settings: WatcherSettings) -> Position | None:
    seen = _evidence(looks)
    if len(seen) < _ENOUGH:
        return None
    return believe(fuse(seen), settings.variant, settings.matcher).certain(settings.matcher)


def _evidence(looks: tuple[Look, ...]) -> list[Evidence]:
    return [look.evidence for look in looks[-_FUSED:] if look.evidence is not None]


def _same_again(state: Watching, wanted: WatchFor, settings: WatcherSettings) -> Watched:
    position = _certain(state.looks, settings)
    if position != wanted.position or state.told:
        return Watched(state)
    at_ms = _ms(state.looks[-1].at_s)
    return Watched(replace(state, told=True), (PlayRead(at_ms, position),))


# --- throws ----------------------------------------------------------------------------------


def _throw(state: Watching, wanted: WatchThrow, settings: WatcherSettings) -> Watched:
    """Report dice that came to rest, two looks agreeing on how they lie."""
    look = state.looks[-1]
    if not state.moved:
        # Dice that nobody was seen to throw are old ones.
        old = state.old_dice or look.dice
        return Watched(replace(state, old_dice=old))
    if not is_old(look.dice, state.old_dice, settings.dice):
        # The old dice were taken up: new ones may come to lie where they lay.
        state = replace(state, old_dice=())
    looks = [DiceLook(one.at_s, one.dice) for one in state.looks]
    settled = settled_throw(
        looks,
        settings.variant.throw,
        settings.dice,
        players_right=settings.right_of(wanted.side),
    )
    if settled is None:
        rests_s = _resting_s(state.looks, settings.dice)
        if rests_s < settings.patience_s:
            return Watched(state)
        return unread(state, wanted, look.at_s, settings)
    if is_old(settled[1], state.old_dice, settings.dice):
        return Watched(state)
    seen = _seen(look.at_s, settled[1], wanted.side, settings)
    return Watched(_reported(state, settled[1]), (seen,))


def _resting_s(looks: tuple[Look, ...], settings: DiceWatchSettings) -> float:
    """Return for how long two dice or more have been lying where they lie now."""
    last = dice_in_play(looks[-1].dice)
    if len(last) < 2:
        return 0.0
    since_s = looks[-1].at_s
    for look in reversed(looks):
        dice = dice_in_play(look.dice)
        if len(dice) != len(last) or not all(
            any(same_place(die, twin, settings) for twin in dice) for die in last
        ):
            break
        since_s = look.at_s
    return looks[-1].at_s - since_s


def unread(
    state: Watching, wanted: WatchThrow, at_s: float, settings: WatcherSettings
) -> Watched:
    """Report dice that rested and were never read for certain, if there are any.

    Called when a hand comes over them, and before a press that ends a turn without a throw.
    """
    state = _turned_to(state, wanted)
    looks = [DiceLook(one.at_s, one.dice) for one in state.looks]
    if not state.moved or not looks:
        return Watched(state)
    found = unsettled_throw(looks, settings.variant.throw)
    if found is None or is_old(found[1], state.old_dice, settings.dice):
        return Watched(state)
    dice = found[1]
    if len(dice) < 2 and len(looks) < _ENOUGH:
        return Watched(state)
    seen = _seen(at_s, dice, wanted.side, settings)
    judged = judge_throw(
        seen.dice, settings.variant.throw, players_right=settings.right_of(wanted.side)
    )
    if judged.verdict is not ThrowVerdict.UNSURE:
        # Looks that do not agree vouch for nothing, least of all for a number.
        facts = tuple(replace(one, value=None, flat=None, lies=None) for one in seen.dice)
        seen = replace(seen, dice=facts)
    return Watched(_reported(state, dice), (seen,))


def _seen(
    at_s: float, dice: tuple[DieReading, ...], side: Color, settings: WatcherSettings
) -> ThrowSeen:
    return ThrowSeen(
        _ms(at_s),
        side,
        tuple(facts_of(die) for die in dice),
        settings.right_of(side),
        min((die.confidence for die in dice), default=0.0),
    )


def _reported(state: Watching, dice: tuple[DieReading, ...]) -> Watching:
    """Take the dice reported as lying there from now on."""
    return replace(state, looks=(), old_dice=dice, thrown=dice, moved=False)


def _dice_in_play(state: Watching, wanted: WatchPlay, settings: WatcherSettings) -> Watched:
    """Report dice taken up, or showing something else than was thrown."""
    del wanted
    if len(state.looks) < _ENOUGH or state.told or not state.moved:
        return Watched(state)
    latest = state.looks[-_ENOUGH:]
    at_ms = _ms(latest[-1].at_s)
    if not any(dice_in_play(one.dice) for one in latest):
        return Watched(replace(state, told=True), (DiceLifted(at_ms),))
    shown = [sorted(_values(one.dice)) for one in latest]
    thrown = sorted(_values(state.thrown))
    if len(thrown) == 2 and shown[0] == shown[1] and len(shown[0]) == 2 and shown[0] != thrown:
        values = tuple(die.value for die in dice_in_play(latest[-1].dice))
        return Watched(replace(state, told=True), (DiceChanged(at_ms, values),))
    return Watched(state)


def _values(dice: tuple[DieReading, ...]) -> list[int]:
    return [die.value for die in dice_in_play(dice) if die.value is not None]


# --- plays -----------------------------------------------------------------------------------


def _play(
    state: Watching, wanted: ReadPlay, settings: WatcherSettings, *, final: bool = False
) -> Watched:
    """Report the position left: certain at once, or after enough looks with what it may be."""
    if state.told:
        return Watched(state)
    seen = _evidence(state.looks)
    if not seen and not final:
        return Watched(state)
    at_ms = _ms(state.looks[-1].at_s) if state.looks else 0
    belief = Belief(())
    if seen:
        belief = match_play(
            Belief.sure(wanted.before),
            wanted.side,
            wanted.roll,
            fuse(seen),
            settings.variant,
            settings.matcher,
        ).after
    certain = belief.certain(settings.matcher)
    if certain is None and not final and len(seen) < _ENOUGH + 1:
        return Watched(state)
    share = belief.positions[0][1] if belief.positions else 0.0
    read = PlayRead(at_ms, certain, () if certain else belief.candidates[:5], share)
    return Watched(replace(state, told=True), (read,))


def _ms(at_s: float) -> int:
    return round(1000 * at_s)
