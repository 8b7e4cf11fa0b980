"""What changes beside the board tells of checkers borne off."""

import math
from dataclasses import replace

import pytest

from referee.arbiter.events import PlayRead
from referee.arbiter.questions import ReadPlay
from referee.borne_off import InView, borne_off
from referee.evidence import Touched, with_touch
from referee.matcher import Belief, MatcherSettings, match_play
from referee.states import Look
from referee.watcher import watch
from referee.watching import WatcherSettings, Watching
from rules import Position, Roll, variant_named
from tests.support.boards import W, moved
from tests.support.looks import changed, seen

LONG = variant_named("bolshie-nardy")
START = Position.of({6: 8, 2: 1, 1: 6}, {12: 15})
ONE = moved(START, W, (6, 0))
WHOLE = moved(START, W, (6, 0), (2, 0))
HALF = moved(START, W, (2, 0))
"""As `WHOLE`, but for a checker of the stack."""


def odds(beside: float | None) -> float:
    """How much likelier both dice were played off a stack than one, which it hardly shows."""
    touched = Touched(START, changed({6: 0.4, 2: 1.0}), beside)
    look = with_touch(seen(WHOLE, hidden=(6,)), touched)
    found = match_play(Belief.sure(START), W, Roll(6, 2), look, LONG, MatcherSettings()).after
    shares = dict(found.positions)
    return shares[WHOLE] / max(shares.get(HALF, 0.0), 1e-12)


def logs(beside: float, in_view: InView | None = None) -> tuple[float, ...]:
    found = borne_off(beside, START, in_view)
    assert found is not None
    return found.logs


def test_a_change_of_a_checkers_size_speaks_for_one_more_and_none_for_none() -> None:
    assert max(logs(0.0)) == logs(0.0)[0]
    assert max(logs(0.5)) == logs(0.5)[1]
    assert max(logs(1.6)) in logs(1.6)[2:]
    assert borne_off(None, START) is None


def test_where_checkers_are_laid_out_of_view_their_absence_says_nothing() -> None:
    elsewhere = InView(seen=1, unseen=40)
    none, one, *_ = logs(0.0, elsewhere)
    assert math.exp(none - one) < 1.1
    none, one, *_ = logs(0.0, InView(seen=40, unseen=1))
    assert math.exp(none - one) > 5


def test_what_lies_beside_the_board_weighs_on_the_position() -> None:
    assert odds(0.0) < odds(None) < odds(1.6)


def test_a_match_shows_whether_they_are_laid_in_view() -> None:
    usual = InView()
    assert usual.after(1.0, START, ONE) == replace(usual, seen=usual.seen + 1)
    assert usual.after(0.0, START, ONE) == replace(usual, unseen=usual.unseen + 1)
    assert usual.after(0.0, START, START) == usual
    assert usual.after(None, START, ONE) == usual


@pytest.mark.parametrize("beside", [0.0, 1.6])
def test_the_watcher_learns_it_from_plays_it_is_certain_of(beside: float) -> None:
    wanted = ReadPlay(W, START, Roll(6, 2))
    look = Look(
        1.0,
        calm=True,
        evidence=seen(WHOLE),
        touched=Touched(START, changed({6: 0.4, 2: 1.0}), beside),
    )
    step = watch(Watching(watch=wanted), look, wanted, WatcherSettings(LONG))
    (fact,) = step.facts
    assert isinstance(fact, PlayRead)
    assert fact.position == WHOLE
    expected = InView().after(beside, START, WHOLE)
    assert step.state.in_view == expected != InView()
