"""Dice at rest: a throw, the die of an opening, dice that could not be read.

A movement must have come before, two looks must agree, and what lay there before is no throw.
"""

from dataclasses import replace

from referee.arbiter.events import BoxPx, OpeningDieSeen, SightLost, ThrowSeen
from referee.arbiter.questions import Watch, WatchOpening, WatchThrow
from referee.dice_watch import (
    DiceLook,
    DiceWatchSettings,
    is_old,
    same_place,
    settled_throw,
    still_lying,
    unsettled_throw,
)
from referee.evidence import outcomes_of
from referee.matcher import match_standing
from referee.states import Look
from referee.still_dice import looked_at, lying, stayed, without
from referee.throws import dice_in_play, facts_of, judge_dice
from referee.watching import (
    ENOUGH,
    Watched,
    WatcherSettings,
    Watching,
    as_ms,
    latest_evidence,
    turned_to,
)
from rules import Color, Position, Roll
from rules.throw import Lies, ThrowJudgement, ThrowVerdict, judge_throw
from rules.turns import reachable
from vision.observation import DieReading

_CONTRADICTED = 9.0
"""Natural log below the likeliest board from which a look speaks against how it stood: more
than one slip of the reader costs."""
_ROLLS = tuple(Roll(one, other) for one in range(1, 7) for other in range(1, one + 1))
_CERTAIN = 0.9
"""Confidence from which dice that nobody was seen to throw are believed to be there."""


def throw(state: Watching, wanted: WatchThrow, settings: WatcherSettings) -> Watched:
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
        old = state.old_dice or look.lying
        return Watched(replace(state, old_dice=old))
    state = _stayed(state, settings)
    look = state.looks[-1]
    old = still_lying(state.old_dice, look.dice, look.old_dice, settings.dice)
    state = replace(state, old_dice=old)
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


def with_still(
    state: Watching, look: Look, wanted: Watch | None, settings: WatcherSettings
) -> tuple[Watching, Look]:
    """Leave out of a look what stays where it is, and remember what else lies there."""
    seen = (*look.dice, *look.lay)
    still = looked_at(state.still, seen, settings.still)
    look = replace(look, dice=without(look.dice, still, settings.still))
    state = replace(state, still=still)
    if not (isinstance(wanted, WatchThrow) and state.moved):
        rest = without(seen, still, settings.still)
        state = replace(state, lay=lying(state.lay, rest, settings.still))
    return state, look


def missed(state: Watching, look: Look, settings: WatcherSettings) -> Watching:
    """Take a throw that fell between two looks far apart as one that was seen to be made."""
    if state.moved or state.looked_s is None:
        return state
    if look.at_s - state.looked_s < settings.blind_s:
        return state
    before = state.looks[-1].lying if state.looks else state.old_dice
    dice = [die for die in look.dice if die.value is not None and die.confidence >= _CERTAIN]
    if len(dice) != 2 or is_old(dice, before, settings.dice):
        return state
    return replace(state, looks=(), old_dice=before, moved=True, told=False)


def seen_once(state: Watching, wanted: WatchThrow, settings: WatcherSettings) -> Look | None:
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
    if len(dice) < 2 and len(looks) < ENOUGH:
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


def opening_die(state: Watching, wanted: WatchOpening, settings: WatcherSettings) -> Watched:
    """Report one new die at rest, flat and read alike in two looks; doubt is left to people."""
    if not state.moved:
        old = state.old_dice or state.looks[-1].lying
        return Watched(replace(state, old_dice=old))
    latest = state.looks[-ENOUGH:]
    if len(latest) < ENOUGH or latest[-1].at_s - latest[0].at_s < settings.dice.settle_s:
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
    at_ms = as_ms(latest[-1].at_s)
    seen = OpeningDieSeen(at_ms, wanted.side, again.value, box_px=_box(again))
    known = (*state.old_dice, again)
    return Watched(replace(state, looks=(), old_dice=known, moved=False), (seen,))


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


def _lost(state: Watching) -> Watched:
    at_ms = as_ms(state.looks[-1].at_s)
    return Watched(replace(state, told=True), (SightLost(at_ms, "board_changed"),))


def _changed_to(
    state: Watching, wanted: WatchThrow, settings: WatcherSettings
) -> Position | None:
    """Return what the last two looks are both certain of, where that is another board."""
    latest = latest_evidence(state.looks[-ENOUGH:])
    if wanted.disputed or state.told or len(latest) < ENOUGH:
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


def _seen(
    at_s: float, dice: tuple[DieReading, ...], side: Color, settings: WatcherSettings
) -> ThrowSeen:
    return ThrowSeen(
        as_ms(at_s),
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
