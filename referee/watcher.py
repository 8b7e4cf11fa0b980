"""From looks to facts: what the camera reports to the arbiter. A pure machine.

The arbiter says what to look for (`arbiter.questions.Watch`), the watcher reports when it is
there: dice at rest, a position read, dice taken up. It rules nothing. Calm looks — no hand over
the board, nothing moving — are read; a movement separates what was before from what is after.
"""

from dataclasses import replace
from typing import assert_never

from referee.arbiter.questions import (
    ReadPlay,
    Watch,
    WatchFor,
    WatchOpening,
    WatchPlay,
    WatchStart,
    WatchThrow,
)
from referee.states import Look
from referee.watch_plays import dice_up, play, same_again, start
from referee.watch_throws import missed, opening_die, seen_once, throw, unread, with_still
from referee.watching import Fact, Watched, WatcherSettings, Watching, turned_to

_WATCHED = 50
"""The latest looks among which two must agree on a throw: a player may think for an hour."""


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
        state, look = with_still(state, look, wanted, settings)
        if isinstance(wanted, WatchThrow):
            state = missed(state, look, settings)
    state = replace(state, looked_s=look.at_s)
    reports: tuple[Fact, ...] = ()
    if not look.calm:
        if isinstance(wanted, WatchThrow):
            once = seen_once(state, wanted, settings)
            if once is not None:
                return Watched(replace(state, looks=(), moved=True, told=False, once=once))
            left = unread(state, wanted, look.at_s, settings)
            moved = replace(left.state, looks=(), moved=True, told=False, once=None)
            return Watched(moved, left.facts)
        if isinstance(wanted, ReadPlay) and state.looks:
            # The next player reaches in: what was seen till now must do.
            reports = play(state, wanted, settings, final=True).facts
        return Watched(replace(state, looks=(), moved=True, told=bool(reports)), reports)
    state = replace(state, looks=(*state.looks, look)[-_WATCHED:])
    match wanted:
        case None:
            return Watched(state)
        case WatchOpening():
            return opening_die(state, wanted, settings)
        case WatchStart():
            return start(state, wanted, settings)
        case WatchThrow():
            return throw(state, wanted, settings)
        case WatchPlay():
            return dice_up(state, wanted, settings)
        case ReadPlay():
            return play(state, wanted, settings)
        case WatchFor():
            return same_again(state, wanted, settings)
        case _:
            assert_never(wanted)


def ended(state: Watching, wanted: Watch | None, settings: WatcherSettings) -> Watched:
    """Say what can be said where no more looks will come."""
    state = turned_to(state, wanted)
    if not isinstance(wanted, ReadPlay) or state.told:
        return Watched(state)
    return play(state, wanted, settings, final=True)
