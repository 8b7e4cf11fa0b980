"""From looks to facts: what the camera reports to the arbiter. A pure machine.

The arbiter says what to look for (`arbiter.questions.Watch`), the watcher reports when it is
there: dice at rest, a position read, dice taken up. It rules nothing. Calm looks — no hand over
the board, nothing moving — are read; a movement separates what was before from what is after.
"""

import statistics
from dataclasses import dataclass, field, replace
from typing import TypeAlias, assert_never

from referee.arbiter.events import (
    BoxPx,
    DiceChanged,
    DiceLifted,
    OpeningDieSeen,
    PlayRead,
    SightLost,
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
from referee.borne_off import InView
from referee.dice_watch import (
    DiceLook,
    DiceWatchSettings,
    is_old,
    same_place,
    settled_throw,
    unsettled_throw,
)
from referee.evidence import Evidence, Touched, fuse, outcomes_of, with_memory, with_touch
from referee.matcher import (
    Belief,
    MatcherSettings,
    believe,
    match_play,
    match_standing,
    plainly_wrong,
)
from referee.states import Look
from referee.still_dice import StillDie, StillSettings, looked_at, lying, stayed, without
from referee.throws import dice_in_play, facts_of, judge_dice
from rules import Color, Position, Roll, Variant, legal_turns
from rules.throw import Lies, ThrowJudgement, ThrowVerdict, judge_throw
from rules.turns import reachable
from vision.observation import DieReading

_ENOUGH = 2
"""Calm looks that make a reading."""
_PATIENT = 5
"""Calm looks at a play before a person is asked: a slip of one of them is outvoted."""
_FUSED = 5
"""The latest looks that are averaged; older ones may show another light."""
_CONTRADICTED = 9.0
"""Natural log below the likeliest board from which a look speaks against how it stood: more
than one slip of the reader costs."""
_ROLLS = tuple(Roll(one, other) for one in range(1, 7) for other in range(1, one + 1))
_START_LIKELIER = 10.0
"""How much likelier the start position is than another board before a game."""
_CERTAIN = 0.9
"""Confidence from which dice that nobody was seen to throw are believed to be there."""
_WATCHED = 50
"""The latest looks among which two must agree on a throw: a player may think for an hour."""

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
    state = turned_to(state, wanted)
    if look.calm:
        state, look = _with_still(state, look, wanted, settings)
    if isinstance(wanted, WatchThrow) and look.calm:
        state = _missed(state, look, settings)
    state = replace(state, looked_s=look.at_s)
    reports: tuple[Fact, ...] = ()
    if not look.calm:
        if isinstance(wanted, WatchThrow):
            once = _seen_once(state, wanted, settings)
            if once is not None:
                return Watched(replace(state, looks=(), moved=True, told=False, once=once))
            left = unread(state, wanted, look.at_s, settings)
            moved = replace(left.state, looks=(), moved=True, told=False, once=None)
            return Watched(moved, left.facts)
        if isinstance(wanted, ReadPlay) and state.looks:
            # The next player reaches in: what was seen till now must do.
            reports = _play(state, wanted, settings, final=True).facts
        return Watched(replace(state, looks=(), moved=True, told=bool(reports)), reports)
    state = replace(state, looks=(*state.looks, look)[-_WATCHED:])
    match wanted:
        case None:
            return Watched(state)
        case WatchOpening():
            return _opening_die(state, wanted, settings)
        case WatchStart():
            return _start(state, wanted, settings)
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
    state = turned_to(state, wanted)
    if not isinstance(wanted, ReadPlay) or state.told:
        return Watched(state)
    return _play(state, wanted, settings, final=True)


def turned_to(state: Watching, wanted: Watch | None) -> Watching:
    """Turn to what is waited for now.

    Call it whenever that may have changed: what comes and goes between two looks is a new wait
    all the same. The position seen last goes with it: who presses the clock has left it, and
    nothing else may show it before the next hand comes.
    """
    if wanted == state.watch:
        return state
    latest = state.looks[-1].dice if state.looks else ()
    state = replace(state, watch=wanted, told=False)
    match wanted:
        case WatchThrow():
            recent = state.looks[-_ENOUGH:]
            taken_up = len(recent) == _ENOUGH and not any(one.dice for one in recent)
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
            up = wanted.correcting and not dice_in_play(latest)
            return replace(state, moved=False, up=up)
        case ReadPlay():
            return replace(state, looks=state.looks[-_FUSED:])
        case _:
            return replace(state, looks=(), moved=False)


# --- the start position ----------------------------------------------------------------------


def _start(state: Watching, wanted: WatchStart, settings: WatcherSettings) -> Watched:
    """Report what stands on the board, once it is certain and is not what was told before."""
    seen = _evidence(state.looks)
    if len(seen) < _ENOUGH or state.told:
        return Watched(state)
    # Before a game nothing lies on the bar, and hinges look like checkers there.
    evidence = replace(fuse(seen), bar=(0, 0))
    belief = believe(evidence, settings.variant, settings.matcher)
    position = belief.certain(settings.matcher)
    if position is None:
        # Two stacks of fifteen leave much open; that it is the start they were put up for
        # does not.
        share = dict(belief.positions).get(wanted.wanted, 0.0)
        likely = _START_LIKELIER * share
        if likely < settings.matcher.certain * (likely + 1 - share):
            return Watched(state)
        position = wanted.wanted
    at_ms = _ms(state.looks[-1].at_s)
    return Watched(replace(state, told=True), (StartSeen(at_ms, position),))


def _evidence(looks: tuple[Look, ...]) -> list[Evidence]:
    return [look.evidence for look in looks[-_FUSED:] if look.evidence is not None]


def _same_again(state: Watching, wanted: WatchFor, settings: WatcherSettings) -> Watched:
    seen = _evidence(state.looks)
    if len(seen) < _ENOUGH or state.told:
        return Watched(state)
    belief = match_standing(wanted.position, fuse(seen), settings.variant, settings.matcher)
    position = belief.certain(settings.matcher)
    if position is None or (position != wanted.position and len(seen) < _PATIENT):
        # What stands there otherwise may have been played unseen: no haste with that.
        return Watched(state)
    at_ms = _ms(state.looks[-1].at_s)
    return Watched(replace(state, told=True), (PlayRead(at_ms, position),))


# --- throws ----------------------------------------------------------------------------------


def _throw(state: Watching, wanted: WatchThrow, settings: WatcherSettings) -> Watched:
    """Report dice that came to rest, two looks agreeing on how they lie."""
    look = state.looks[-1]
    changed = _changed_to(state, wanted, settings)
    if not state.moved:
        if changed is not None and _out_of_hand(state, wanted, changed, None, settings):
            # Nothing was seen to move: there were no frames for a while.
            return _lost(state)
        if look.evidence is not None:
            # The board of the last ruling, untouched.
            state = replace(state, known=(wanted.position, look.evidence))
        # Dice that nobody was seen to throw are old ones.
        old = state.old_dice or look.dice
        return Watched(replace(state, old_dice=old))
    state = _stayed(state, settings)
    look = state.looks[-1]
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
    if changed is not None and _out_of_hand(state, wanted, changed, settled, settings):
        return _lost(state)
    if settled is None and state.once is not None:
        return _again(state, state.once, wanted, settings)
    if settled is None:
        rests_s = _resting_s(state.looks, settings.dice)
        if rests_s < settings.patience_s:
            return Watched(state)
        return unread(state, wanted, look.at_s, settings)
    if is_old(settled[1], state.old_dice, settings.dice):
        return Watched(state)
    seen = _seen(look.at_s, settled[1], wanted.side, settings)
    return Watched(_reported(state, settled[1]), (seen,))


def _with_still(
    state: Watching, look: Look, wanted: Watch | None, settings: WatcherSettings
) -> tuple[Watching, Look]:
    """Leave out of a look what stays where it is, and remember what else lies there."""
    still = looked_at(state.still, look.dice, settings.still)
    look = replace(look, dice=without(look.dice, still, settings.still))
    state = replace(state, still=still)
    if not (isinstance(wanted, WatchThrow) and state.moved):
        state = replace(state, lay=lying(state.lay, look.dice, settings.still))
    return state, look


def _stayed(state: Watching, settings: WatcherSettings) -> Watching:
    """Take what stayed while two dice came to lie out of all that is seen from now on."""
    looks = [DiceLook(one.at_s, one.dice) for one in state.looks]
    found = stayed(looks, state.lay, state.last, settings.dice, settings.still)
    if not found:
        return state
    return replace(
        state,
        still=(*state.still, *found),
        looks=tuple(
            replace(one, dice=without(one.dice, found, settings.still)) for one in state.looks
        ),
        old_dice=without(state.old_dice, found, settings.still),
        lay=without(state.lay, found, settings.still),
    )


def _seen_once(state: Watching, wanted: WatchThrow, settings: WatcherSettings) -> Look | None:
    """Return the last look where it alone shows a throw that no other look bears out yet."""
    if not state.moved or not state.looks or state.once is not None:
        return None
    look = state.looks[-1]
    dice = dice_in_play(look.dice)
    if len(dice) != 2 or is_old(dice, state.old_dice, settings.dice):
        return None
    judged = judge_dice(
        look.dice, settings.variant.throw, players_right=settings.right_of(wanted.side)
    )
    return None if judged.verdict is ThrowVerdict.UNSURE else look


def _again(
    state: Watching, once: Look, wanted: WatchThrow, settings: WatcherSettings
) -> Watched:
    """See whether dice seen once lie there still, after a hand came and went."""
    look = state.looks[-1]
    settled = settled_throw(
        [DiceLook(one.at_s, one.dice) for one in (once, look)],
        settings.variant.throw,
        settings.dice,
        players_right=settings.right_of(wanted.side),
    )
    if settled is None:
        left = unread(state, wanted, look.at_s, settings)
        lifted = not dice_in_play(look.dice)
        return Watched(replace(left.state, lifted=lifted), left.facts)
    seen = _seen(look.at_s, settled[1], wanted.side, settings)
    return Watched(_reported(state, settled[1]), (seen,))


def _missed(state: Watching, look: Look, settings: WatcherSettings) -> Watching:
    """Take a throw that fell between two looks far apart as one that was seen to be made."""
    if state.moved or state.looked_s is None:
        return state
    if look.at_s - state.looked_s < settings.blind_s:
        return state
    before = state.looks[-1].dice if state.looks else state.old_dice
    dice = [die for die in look.dice if die.value is not None and die.confidence >= _CERTAIN]
    if len(dice) != 2 or is_old(dice, before, settings.dice):
        return state
    return replace(state, looks=(), old_dice=before, moved=True, told=False)


def _lost(state: Watching) -> Watched:
    at_ms = _ms(state.looks[-1].at_s)
    return Watched(replace(state, told=True), (SightLost(at_ms, "board_changed"),))


def _changed_to(
    state: Watching, wanted: WatchThrow, settings: WatcherSettings
) -> Position | None:
    """Return what the last two looks are both certain of, where that is another board."""
    latest = _evidence(state.looks[-_ENOUGH:])
    if wanted.disputed or state.told or len(latest) < _ENOUGH:
        return None
    stood = outcomes_of([wanted.position])
    found: set[Position | None] = set()
    for seen in latest:
        doubt = float(seen.points.max(axis=1).sum() - seen.log_likelihood(stood)[0])
        if doubt < _CONTRADICTED:
            return None
        belief = match_standing(wanted.position, seen, settings.variant, settings.matcher)
        found.add(belief.certain(settings.matcher))
    changed = found.pop()
    return None if found or changed == wanted.position else changed


def _out_of_hand(
    state: Watching,
    wanted: WatchThrow,
    changed: Position,
    settled: tuple[ThrowJudgement, tuple[DieReading, ...]] | None,
    settings: WatcherSettings,
) -> bool:
    """Whether a changed board is no turn just being played, by dice seen or not seen."""
    shown = settled[0].roll if settled is not None else None
    rolls = _ROLLS if shown is None else (shown,)
    if not any(
        changed in reachable(wanted.position, wanted.side, roll, settings.variant)
        for roll in rolls
    ):
        return True
    return shown is None and state.looks[-1].at_s - state.looks[0].at_s >= settings.unseen_s


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


def _opening_die(state: Watching, wanted: WatchOpening, settings: WatcherSettings) -> Watched:
    """Report one new die at rest, flat and read alike in two looks; doubt is left to people."""
    if not state.moved:
        old = state.old_dice or state.looks[-1].dice
        return Watched(replace(state, old_dice=old))
    latest = state.looks[-_ENOUGH:]
    if len(latest) < _ENOUGH or latest[-1].at_s - latest[0].at_s < settings.dice.settle_s:
        return Watched(state)
    fresh = [
        [die for die in look.dice if not is_old((die,), state.old_dice, settings.dice)]
        for look in latest
    ]
    if any(len(dice) != 1 for dice in fresh):
        return Watched(state)
    one, again = fresh[0][0], fresh[-1][0]
    facts = facts_of(again)
    sure = one.value == again.value and same_place(one, again, settings.dice)
    counts = facts.flat and facts.lies in (Lies.LEFT, Lies.RIGHT) and not facts.on_checker
    if not sure or again.value is None or not counts:
        return Watched(state)
    at_ms = _ms(latest[-1].at_s)
    seen = OpeningDieSeen(at_ms, wanted.side, again.value, box_px=_box(again))
    known = (*state.old_dice, again)
    return Watched(replace(state, looks=(), old_dice=known, moved=False), (seen,))


def unread(
    state: Watching, wanted: WatchThrow, at_s: float, settings: WatcherSettings
) -> Watched:
    """Report dice that rested and were never read for certain, if there are any.

    Called when a hand comes over them, and before a press that ends a turn without a throw.
    """
    state = turned_to(state, wanted)
    seen_so_far = state.looks if state.once is None else (*state.looks, state.once)
    looks = [DiceLook(one.at_s, one.dice) for one in seen_so_far]
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
        boxes_px=tuple(_box(die) for die in dice),
    )


def _box(die: DieReading) -> BoxPx:
    x, y, width, height = (round(one) for one in die.box_px)
    return x, y, width, height


def _reported(state: Watching, dice: tuple[DieReading, ...]) -> Watching:
    """Take the dice reported as lying there from now on."""
    return replace(
        state,
        looks=(),
        old_dice=dice,
        thrown=dice,
        last=dice,
        lay=dice,
        moved=False,
        once=None,
    )


def _dice_in_play(state: Watching, wanted: WatchPlay, settings: WatcherSettings) -> Watched:
    """Report dice taken up, or showing something else than was thrown."""
    if len(state.looks) < _ENOUGH or state.told or not (state.moved or state.lifted):
        return Watched(state)
    latest = state.looks[-_ENOUGH:]
    at_ms = _ms(latest[-1].at_s)
    if all(dice_in_play(one.dice) for one in latest):
        state = replace(state, up=False)
    if not any(dice_in_play(one.dice) for one in latest):
        if state.up and not _put_right(state, wanted, settings):
            return Watched(state)
        return Watched(replace(state, told=True), (DiceLifted(at_ms),))
    shown = [sorted(_values(one.dice)) for one in latest]
    thrown = sorted(_values(state.thrown))
    if len(thrown) == 2 and shown[0] == shown[1] and len(shown[0]) == 2 and shown[0] != thrown:
        values = tuple(die.value for die in dice_in_play(latest[-1].dice))
        return Watched(replace(state, told=True), (DiceChanged(at_ms, values),))
    return Watched(state)


def _put_right(state: Watching, wanted: WatchPlay, settings: WatcherSettings) -> bool:
    """Whether a play demanded back has been played anew, by the board alone."""
    rests_s = state.looks[-1].at_s - state.looks[0].at_s
    if rests_s < settings.put_right_s or rests_s >= settings.left_wrong_s:
        return rests_s >= settings.left_wrong_s
    reading = ReadPlay(wanted.side, wanted.before, wanted.roll)
    found = _belief(state, reading, settings).certain(settings.matcher)
    legal = legal_turns(wanted.before, wanted.side, wanted.roll, settings.variant)
    return any(turn.result == found for turn in legal)


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
    belief = _belief(state, wanted, settings)
    certain = belief.certain(settings.matcher) or plainly_wrong(
        belief, wanted.before, wanted.side, wanted.roll, settings.variant, settings.matcher
    )
    if certain is None and not final and len(seen) < _PATIENT:
        return Watched(state)
    share = belief.positions[0][1] if belief.positions else 0.0
    read = PlayRead(at_ms, certain, () if certain else belief.candidates[:5], share)
    if certain is not None:
        touched = _touched(state.looks, wanted.before)
        beside = None if touched is None else touched.beside
        in_view = state.in_view.after(beside, wanted.before, certain)
        state = replace(state, known=(certain, fuse(seen)), in_view=in_view)
    return Watched(replace(state, told=True), (read,))


def _belief(state: Watching, wanted: ReadPlay, settings: WatcherSettings) -> Belief:
    """Weigh what the latest looks show against what may have been played."""
    seen = _evidence(state.looks)
    if not seen:
        return Belief(())
    look = fuse(seen)
    if state.known is not None and state.known[0] == wanted.before:
        look = with_memory(look, state.known[1], wanted.before)
    touched = _touched(state.looks, wanted.before)
    if touched is not None:
        look = with_touch(look, touched, in_view=state.in_view)
    return match_play(
        Belief.sure(wanted.before),
        wanted.side,
        wanted.roll,
        look,
        settings.variant,
        settings.matcher,
    ).after


def _touched(looks: tuple[Look, ...], before: Position) -> Touched | None:
    """Return how far points changed since a position was known: of looks the middle one."""
    latest = [
        look.touched
        for look in looks[-_FUSED:]
        if look.touched is not None and look.touched.since == before
    ]
    if not latest:
        return None
    areas = zip(*(one.areas for one in latest), strict=True)
    beside = [one.beside for one in latest if one.beside is not None]
    return Touched(
        before,
        tuple(statistics.median(some) for some in areas),
        statistics.median(beside) if beside else None,
    )


def _ms(at_s: float) -> int:
    return round(1000 * at_s)
