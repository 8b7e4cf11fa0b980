"""What looks like a die and never moves: a printed ornament, a doubling cube, a spare pair.

The eye leaves out what the picture shows unchanged since the turn began. A shadow or another
light changes the picture. But dice are thrown anew each turn; what lies just where it lay
before a throw, face and all, while two others came to lie, is no die of that throw.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from referee.dice_watch import DiceLook, DiceWatchSettings, is_old, sizes_apart
from referee.throws import dice_in_play
from vision.observation import DieReading

_THROWN = 2
"""Dice of a throw."""


@dataclass(frozen=True, slots=True)
class StillSettings:
    """What counts as having stayed."""

    steady: float = 0.25
    """Of its size: what moved less lies where it lay."""
    unseen: int = 5
    """Calm looks without it after which it is taken for gone: ornaments are not read as dice
    in every look."""


@dataclass(frozen=True, slots=True)
class StillDie:
    """Something that stays where it is."""

    die: DieReading
    unseen: int = 0
    """Latest calm looks that did not show it."""


def without(
    dice: Sequence[DieReading], still: Iterable[StillDie], settings: StillSettings
) -> tuple[DieReading, ...]:
    """Leave out of a look what is known to stay where it is."""
    known = [one.die for one in still]
    return tuple(die for die in dice if not _in(die, known, settings))


def looked_at(
    still: Sequence[StillDie], dice: Sequence[DieReading], settings: StillSettings
) -> tuple[StillDie, ...]:
    """Keep what a calm look still shows, or showed not long ago.

    Args:
        still: what is known to stay.
        dice: everything seen, that included.
        settings: how long it may go unseen.
    """
    seen = (
        replace(one, unseen=0 if _in(one.die, dice, settings) else one.unseen + 1)
        for one in still
    )
    return tuple(one for one in seen if one.unseen < settings.unseen)


def lying(
    before: Sequence[DieReading], dice: Sequence[DieReading], settings: StillSettings
) -> tuple[DieReading, ...]:
    """Add to what was seen lying what a look shows besides."""
    return (*before, *(die for die in dice if not _in(die, before, settings)))


def stayed(
    looks: Sequence[DiceLook],
    before: Sequence[DieReading],
    thrown: Sequence[DieReading],
    watch: DiceWatchSettings,
    settings: StillSettings,
) -> tuple[StillDie, ...]:
    """Tell what stayed through a throw: it lay there before, and two others came to lie.

    Args:
        looks: calm looks since the last movement, oldest first; two must agree.
        before: everything seen lying before that movement.
        thrown: the dice of the throw before. One of them alone does not stay for good: the
            other may be thrown anew.
        watch: what counts as rest.
        settings: what counts as having stayed.
    """
    latest = looks[-2:]
    if len(latest) < 2 or latest[-1].at_s - latest[0].at_s < watch.settle_s:
        return ()
    for look in latest:
        dice = dice_in_play(look.dice)
        staying = [die for die in dice if _in(die, before, settings)]
        fresh = [die for die in dice if die not in staying]
        if len(fresh) != _THROWN or is_old(fresh, before, watch):
            return ()
    left = [die for die in thrown if _in(die, staying, settings)]
    if len(left) == 1 and len(thrown) == _THROWN:
        return ()
    return tuple(StillDie(die) for die in staying)


def _in(die: DieReading, others: Iterable[DieReading], settings: StillSettings) -> bool:
    return any(_is_same(die, other, settings) for other in others)


def _is_same(one: DieReading, other: DieReading, settings: StillSettings) -> bool:
    alike = one.value == other.value or None in (one.value, other.value)
    return alike and sizes_apart(one, other) < settings.steady
