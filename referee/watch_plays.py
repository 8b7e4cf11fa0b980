"""Checkers at rest: the start, a play, a board that should stand as it stood.

A play is read when its dice are up or its clock is pressed: for certain, or after enough looks
with what it may be.
"""

import statistics
from dataclasses import replace

from referee.arbiter.events import DiceChanged, DiceLifted, PlayRead, StartSeen
from referee.arbiter.questions import ReadPlay, WatchFor, WatchPlay, WatchStart
from referee.evidence import Touched, fuse, with_memory, with_touch
from referee.matcher import Belief, believe, match_play, match_standing, plainly_wrong
from referee.states import Look
from referee.throws import dice_in_play
from referee.watching import (
    ENOUGH,
    FUSED,
    Watched,
    WatcherSettings,
    Watching,
    as_ms,
    latest_evidence,
)
from rules import Position, legal_turns
from vision.observation import DieReading

_PATIENT = 5
"""Calm looks at a play before a person is asked: a slip of one of them is outvoted."""
_START_LIKELIER = 10.0
"""How much likelier the start position is than another board before a game."""


def start(state: Watching, wanted: WatchStart, settings: WatcherSettings) -> Watched:
    """Report what stands on the board, once it is certain and is not what was told before."""
    seen = latest_evidence(state.looks)
    if len(seen) < ENOUGH or state.told:
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
    at_ms = as_ms(state.looks[-1].at_s)
    return Watched(replace(state, told=True), (StartSeen(at_ms, position),))


def same_again(state: Watching, wanted: WatchFor, settings: WatcherSettings) -> Watched:
    """Report that the board stands as it stood, or how else, where that stays so."""
    seen = latest_evidence(state.looks)
    if len(seen) < ENOUGH or state.told:
        return Watched(state)
    belief = match_standing(wanted.position, fuse(seen), settings.variant, settings.matcher)
    position = belief.certain(settings.matcher)
    if position is None or (position != wanted.position and len(seen) < _PATIENT):
        # What stands there otherwise may have been played unseen: no haste with that.
        return Watched(state)
    at_ms = as_ms(state.looks[-1].at_s)
    return Watched(replace(state, told=True), (PlayRead(at_ms, position),))


def dice_up(state: Watching, wanted: WatchPlay, settings: WatcherSettings) -> Watched:
    """Report dice taken up, or showing something else than was thrown."""
    if len(state.looks) < ENOUGH or state.told or not (state.moved or state.lifted):
        return Watched(state)
    latest = state.looks[-ENOUGH:]
    at_ms = as_ms(latest[-1].at_s)
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
    touched = _touched(state.looks, wanted.before)
    found = _belief(state, reading, touched, settings).certain(settings.matcher)
    legal = legal_turns(wanted.before, wanted.side, wanted.roll, settings.variant)
    return any(turn.result == found for turn in legal)


def _values(dice: tuple[DieReading, ...]) -> list[int]:
    return [die.value for die in dice_in_play(dice) if die.value is not None]


def play(
    state: Watching, wanted: ReadPlay, settings: WatcherSettings, *, final: bool = False
) -> Watched:
    """Report the position left: certain at once, or after enough looks with what it may be."""
    if state.told:
        return Watched(state)
    seen = latest_evidence(state.looks)
    if not seen and not final:
        return Watched(state)
    at_ms = as_ms(state.looks[-1].at_s) if state.looks else 0
    touched = _touched(state.looks, wanted.before)
    belief = _belief(state, wanted, touched, settings)
    certain = belief.certain(settings.matcher) or plainly_wrong(
        belief, wanted.before, wanted.side, wanted.roll, settings.variant, settings.matcher
    )
    if certain is None and not final and len(seen) < _PATIENT:
        return Watched(state)
    share = belief.positions[0][1] if belief.positions else 0.0
    read = PlayRead(at_ms, certain, () if certain else belief.candidates[:5], share)
    if certain is not None:
        beside = None if touched is None else touched.beside
        in_view = state.in_view.after(beside, wanted.before, certain)
        state = replace(state, known=(certain, fuse(seen)), in_view=in_view)
    return Watched(replace(state, told=True), (read,))


def _belief(
    state: Watching, wanted: ReadPlay, touched: Touched | None, settings: WatcherSettings
) -> Belief:
    """Weigh what the latest looks show against what may have been played."""
    seen = latest_evidence(state.looks)
    if not seen:
        return Belief(())
    look = fuse(seen)
    if state.known is not None and state.known[0] == wanted.before:
        look = with_memory(look, state.known[1], wanted.before)
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
        for look in looks[-FUSED:]
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
