"""When dice make a throw: at rest, seen twice, agreeing, and not the dice that lay before."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from referee.throws import dice_in_play, judge_dice
from rules.throw import Lies, ThrowJudgement, ThrowVerdict
from rules.variant import ThrowLaw
from vision.dice_fuse import fuse_looks, log_odds
from vision.observation import DieReading

_LEAST = 1e-3
"""Chances are taken to be no nearer to nothing or all: one look never outweighs many."""


@dataclass(frozen=True, slots=True)
class DiceWatchSettings:
    """What counts as rest."""

    settle_s: float = 0.2
    """Two looks this far apart must agree."""
    together: int = 3
    """So many looks may settle together what the last one alone does not."""
    moved: float = 0.5
    """A die is elsewhere when its centre moved by this share of its size."""
    even: float = 0.5
    """A look that takes a die for leaning with this chance or more speaks against its lying
    flat, and one with less against its leaning."""
    flat_to: float = 0.15
    """Chance of a lean up to which all looks at a die together call it flat …"""
    tilted_from: float = 0.993
    """… and from which they call it leaning. A look's own bar is lower: it is set where one die
    in three leans, and of those that players throw it is one in fifty."""


@dataclass(frozen=True, slots=True)
class DiceLook:
    """The dice in one calm look."""

    at_s: float
    dice: tuple[DieReading, ...]


def sizes_apart(one: DieReading, other: DieReading) -> float:
    """Return how far two readings lie apart, in the larger one's longer side."""
    size = max(*one.box_px[2:], *other.box_px[2:])
    return math.dist(one.center_px, other.center_px) / size


def same_place(one: DieReading, other: DieReading, settings: DiceWatchSettings) -> bool:
    """Whether two readings are of a die that did not move."""
    return sizes_apart(one, other) < settings.moved


def is_old(
    dice: Sequence[DieReading], before: Sequence[DieReading], settings: DiceWatchSettings
) -> bool:
    """Whether some die of a would-be throw still lies where one lay before it."""
    return any(same_place(die, old, settings) for die, old in itertools.product(dice, before))


def still_lying(
    before: tuple[DieReading, ...],
    dice: tuple[DieReading, ...],
    vouched: tuple[DieReading, ...],
    settings: DiceWatchSettings,
) -> tuple[DieReading, ...]:
    """Return the old dice that lie there still; new ones may come to lie where others lay.

    Args:
        before: the old dice so far.
        dice: what a look shows as having come to lie.
        vouched: the old dice that the eye saw lie there all the time, in a picture that moved
            as well; of the others it did not see, those are kept that the look shows.
        settings: what counts as moved.
    """
    if not vouched:
        return before if is_old(dice, before, settings) else ()
    shown = (die for die in before if is_old((die,), dice, settings))
    return (*vouched, *(die for die in shown if not is_old((die,), vouched, settings)))


def settled_throw(
    looks: Sequence[DiceLook],
    law: ThrowLaw,
    settings: DiceWatchSettings,
    *,
    players_right: Lies | None = None,
) -> tuple[ThrowJudgement, tuple[DieReading, ...]] | None:
    """Judge the dice once they rest: two looks far enough apart that tell the same.

    Args:
        looks: calm looks since the last movement, oldest first.
        law: the rule set's throw law.
        settings: what counts as rest.
        players_right: the half on the thrower's right, where known.

    Returns:
        The judgement and the dice it rests on; None while they may still move, are not
        there, or the looks do not agree on a verdict.
    """
    if len(looks) < 2:
        return None
    last = looks[-1]
    latest = judge_dice(last.dice, law, players_right=players_right)
    if latest.verdict is ThrowVerdict.UNSURE:
        return _together(looks, law, settings, players_right)
    for look in reversed(looks[:-1]):
        if last.at_s - look.at_s < settings.settle_s:
            continue
        earlier = judge_dice(look.dice, law, players_right=players_right)
        if _agree(look, earlier, last, latest, settings):
            dice = dice_in_play(last.dice)
            return None if _contradicted(dice, looks, settings) else (latest, dice)
    return None


def _contradicted(
    dice: Sequence[DieReading], looks: Sequence[DiceLook], settings: DiceWatchSettings
) -> bool:
    """Whether the looks at dice that lie where they lie speak against how they are said to.

    Two looks that agree are worth little where a third one, at the same dice, does not: what
    differs between them is noise, and of many looks some two are always sure of something. So
    none may say the contrary, and all together must be sure as well.
    """
    for die in dice:
        leans = [
            one.leans
            for look in looks
            for one in look.dice
            if one.leans is not None and same_place(one, die, settings)
        ]
        if not leans or die.flat is None:
            continue
        if any((one >= settings.even) is die.flat for one in leans):
            return True
        odds = fmean(log_odds(one, _LEAST) for one in leans)
        if die.flat and odds > log_odds(settings.flat_to):
            return True
        if not die.flat and odds < log_odds(settings.tilted_from):
            return True
    return False


def _together(
    looks: Sequence[DiceLook],
    law: ThrowLaw,
    settings: DiceWatchSettings,
    players_right: Lies | None,
) -> tuple[ThrowJudgement, tuple[DieReading, ...]] | None:
    """Judge what the latest looks show together, where the last one alone settles nothing."""
    latest = looks[-settings.together :]
    if len(latest) < settings.together:
        return None
    if latest[-1].at_s - latest[0].at_s < 2 * settings.settle_s:
        return None
    if len({len(dice_in_play(look.dice)) for look in latest}) > 1:
        return None
    dice = fuse_looks([look.dice for look in latest])
    judged = judge_dice(dice, law, players_right=players_right)
    dice = dice_in_play(dice)
    if judged.verdict is ThrowVerdict.UNSURE or _contradicted(dice, looks, settings):
        return None
    return judged, dice


def unsettled_throw(
    looks: Sequence[DiceLook], law: ThrowLaw
) -> tuple[ThrowJudgement, tuple[DieReading, ...]] | None:
    """Return what can be said of dice that were seen but never settled: an unsure throw.

    Returns:
        None when no look showed any dice.
    """
    with_dice = [look for look in looks if dice_in_play(look.dice)]
    if not with_dice:
        return None
    best = max(with_dice, key=lambda look: (len(dice_in_play(look.dice)) == 2, look.at_s))
    dice = dice_in_play(best.dice)
    judged = judge_dice(best.dice, law)
    return ThrowJudgement(ThrowVerdict.UNSURE, judged.reasons, judged.values), dice


def _agree(
    one: DiceLook,
    judged_one: ThrowJudgement,
    other: DiceLook,
    judged_other: ThrowJudgement,
    settings: DiceWatchSettings,
) -> bool:
    if judged_one.verdict is not judged_other.verdict:
        return False
    first, second = dice_in_play(one.dice), dice_in_play(other.dice)
    if len(first) != len(second):
        return False
    return all(
        any(same_place(die, twin, settings) and die.value == twin.value for twin in second)
        for die in first
    )
