"""What stands on the board with no turn in hand, and what a reader's habits are worth."""

from dataclasses import replace

import numpy as np
import pytest

from referee.arbiter.events import StartSeen
from referee.arbiter.questions import WatchStart
from referee.evidence import Evidence, evidence_of, outcome, with_memory
from referee.matcher import Belief, MatcherSettings, match_play, match_standing
from referee.states import Look
from referee.watcher import watch
from referee.watching import Fact, WatcherSettings, Watching
from rules import Color, Position, Roll, legal_turns, variant_named
from tests.support.boards import LONG_START, B, W, board, moved
from tests.support.looks import LAYOUT, reading_of, seen
from vision.observation import BarReading, CheckersReading, PointReading, Side

LONG = variant_named("bolshie-nardy")
SETTINGS = MatcherSettings()
MIDDLE = board("24:w4 18:w3 14:w2 10:w2 4:w4 12:b5 5:b4 20:b3 22:b3")


def misread(position: Position, point: int, count: int, sure: float = 0.97) -> Evidence:
    """A look that vouches for another number on one point."""
    reading = reading_of(position, sure=0.9998)
    rows = {"top": list(reading.top), "bottom": list(reading.bottom)}
    name, column = LAYOUT.slot(point)
    side = rows[name][column].side
    rows[name][column] = PointReading(side, count, sure, ((side, count, sure),))
    return evidence_of(
        CheckersReading(tuple(rows["top"]), tuple(rows["bottom"]), BarReading(0, 0)),
        LAYOUT,
        Side.LIGHT,
    )


def test_a_board_that_stands_as_it_stood_is_certain() -> None:
    belief = match_standing(MIDDLE, seen(MIDDLE, sure=0.9998), LONG, SETTINGS)
    assert belief.certain(SETTINGS) == MIDDLE


def test_one_slip_of_the_reader_does_not_make_another_board() -> None:
    belief = match_standing(MIDDLE, misread(MIDDLE, 18, 4), LONG, SETTINGS)
    assert belief.certain(SETTINGS) in (MIDDLE, None)


@pytest.mark.parametrize("step", [(14, 13), (18, 9)])
def test_one_checker_elsewhere_is_seen(step: tuple[int, int]) -> None:
    changed = moved(MIDDLE, W, step)
    belief = match_standing(MIDDLE, seen(changed, sure=0.9998), LONG, SETTINGS)
    assert belief.candidates[0] != MIDDLE
    assert belief.certain(SETTINGS) in (changed, None)


def test_a_stack_misread_while_it_was_known_is_understood_when_it_looks_the_same() -> None:
    earlier = misread(MIDDLE, 18, 4)
    for turn in legal_turns(MIDDLE, B, Roll(3, 2), LONG)[:5]:
        look = misread(turn.result, 18, 4)
        helped = with_memory(look, earlier, MIDDLE)
        belief = match_play(Belief.sure(MIDDLE), B, Roll(3, 2), helped, LONG, SETTINGS).after
        assert belief.certain(SETTINGS) == turn.result


def test_memory_hides_no_checker_that_was_really_moved() -> None:
    earlier = seen(MIDDLE, sure=0.9998)
    changed = moved(legal_turns(MIDDLE, B, Roll(3, 2), LONG)[0].result, W, (18, 17))
    helped = with_memory(seen(changed, sure=0.9998), earlier, MIDDLE)
    belief = match_play(Belief.sure(MIDDLE), B, Roll(3, 2), helped, LONG, SETTINGS).after
    assert belief.certain(SETTINGS) in (changed, None)
    assert belief.candidates[0] == changed


def test_memory_says_nothing_of_stacks_in_layers() -> None:
    deep = board("24:w9 18:w6 12:b15")
    look = seen(deep, hidden=(24, 18, 12))
    assert np.array_equal(with_memory(look, look, deep).points, look.points)


def test_a_readers_guess_at_the_depth_of_a_stack_is_not_taken_for_a_look() -> None:
    guess = (("L", 15, 0.6), ("L", 14, 0.1), ("L", 13, 0.1), ("L", 12, 0.1), ("L", 6, 0.1))
    named = tuple((Side(side), count, share) for side, count, share in guess)
    reading = reading_of(LONG_START)
    rows = {"top": list(reading.top), "bottom": list(reading.bottom)}
    name, column = LAYOUT.slot(24)
    rows[name][column] = PointReading(None, None, 0.6, named)
    look = evidence_of(
        CheckersReading(tuple(rows["top"]), tuple(rows["bottom"]), reading.bar),
        LAYOUT,
        Side.LIGHT,
    )
    row = look.points[23]
    depths = [row[outcome(Color.WHITE, n)] for n in range(6, 15)]
    assert max(depths) - min(depths) < 0.3


def test_the_start_put_up_is_recognised_though_its_stacks_lie_in_layers() -> None:
    look = Look(1.0, True, seen(LONG_START, sure=0.999, hidden=(24, 12)))
    state, settings = Watching(), WatcherSettings(LONG)
    facts: list[Fact] = []
    for n in range(3):
        step = watch(state, replace(look, at_s=1 + 0.3 * n), WatchStart(LONG_START), settings)
        state, facts = step.state, [*facts, *step.facts]
    (start,) = facts
    assert isinstance(start, StartSeen)
    assert start.position == LONG_START
