"""A match under the camera, with an eye that sees what it is told."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from recording.keeper import MatchKeeper
from recording.record import Record
from recording.record_open import open_record
from recording.record_row import PictureKind
from recording.signing import device_key
from referee.arbiter import Actor, MatchSetup
from referee.arbiter.events import (
    Demanded,
    MatchOpened,
    Overridden,
    PlayRuled,
    ThrowAnswered,
)
from referee.arbiter.states import AwaitingThrow, Disputed, FlagAsked, Judging, ThrowAsked
from referee.evidence import Touched
from referee.states import Look
from referee.timer_presets import control_named
from rules import Position, Roll, legal_turns, variant_named
from rules.throw import Lies
from tests.support.boards import LONG_START, B, W, moved
from tests.support.looks import LAYOUT, die, seen
from vision.frame import Frame
from vision.observation import DieReading
from zarbiter.eye import Eye
from zarbiter.live import LiveMatch, right_of_white

DICE = (die(6, 500), die(5, 560))
PIXELS = np.zeros((24, 32, 3), np.uint8)
LONG = variant_named("bolshie-nardy")


@dataclass(frozen=True)
class ToldEye:
    """Sees the next look it was told."""

    looks: tuple[Look | None, ...] = ()
    learned: tuple[Position, ...] = ()
    turns: int = 0
    nudge_px: float = 0.0
    layout: object = LAYOUT
    look: object | None = "known"

    def see(self, frame: Frame, *, expectant: bool = False) -> "tuple[ToldEye, Look | None]":
        del frame, expectant
        return replace(self, looks=self.looks[1:]), self.looks[0]

    def learn(self, position: Position) -> "ToldEye":
        return replace(self, learned=(*self.learned, position), look="learned")

    def turn_over(self) -> "ToldEye":
        return replace(self, turns=self.turns + 1)

    def touched(self, since: Position | None = None) -> Touched | None:
        return None


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    with open_record(tmp_path / "r", device_key(tmp_path)) as made:
        yield made


def at(record: Record, *looks: Look | None, rules: str = "bolshie-nardy") -> LiveMatch:
    """A match whose White is to throw, and what the camera will show from now on."""
    keeper = MatchKeeper(record, lambda: 0)
    setup = MatchSetup(rules, "Анна", "Борис", 1, control_named("1m+10s delay"))
    keeper.open("m", MatchOpened(0, setup))
    keeper.do(Overridden(1, Actor.REFEREE, W, LONG_START))
    return LiveMatch(keeper, cast("Eye", ToldEye(looks)))


def calm(at_s: float, position: Position, dice: tuple[DieReading, ...] = ()) -> Look:
    return Look(at_s, calm=True, evidence=seen(position), dice=dice)


def run(live: LiveMatch, *times_s: float) -> None:
    for at_s in times_s:
        for _ in live.frame(Frame(PIXELS, at_s, int(10 * at_s))):
            pass


def told(live: LiveMatch) -> Any:
    return live.eye


def phase(live: LiveMatch) -> type:
    return type(live.state.phase)


def ruling_of(live: LiveMatch) -> PlayRuled:
    last = live.keeper.state.phase
    assert isinstance(last, AwaitingThrow)
    assert last.last is not None
    return last.last


def test_a_turn_from_frames_and_a_press(record: Record) -> None:
    after = legal_turns(LONG_START, W, Roll(6, 5), LONG)[0].result
    live = at(
        record, calm(0, LONG_START), Look(0.5, calm=False), calm(1, LONG_START, DICE),
        calm(1.5, LONG_START, DICE), Look(2, calm=False), calm(2.5, after, DICE),
        calm(3, after, DICE),
    )  # fmt: skip
    list(live.press(50, B))
    run(live, 0, 0.5, 1, 1.5, 2, 2.5)
    list(live.press(2700, W))
    assert phase(live) is Judging
    run(live, 3)
    assert live.state.phase == AwaitingThrow(B, after, last=ruling_of(live))
    assert told(live).learned == (after,)
    kinds = [one.kind for row in record.rows() for one in row.evidence]
    assert kinds == [PictureKind.THROW, PictureKind.AFTER]


def test_after_a_restart_the_look_is_learned_from_a_board_that_stands_as_it_stood(
    record: Record,
) -> None:
    moved_on = moved(LONG_START, W, (24, 20))
    looks = (
        Look(0, calm=False), calm(0.5, moved_on), calm(1, LONG_START, DICE),
        calm(1.5, LONG_START), calm(2, LONG_START),
    )  # fmt: skip
    live = at(record, *looks)
    live.eye = replace(told(live), look=None)
    run(live, 0, 0.5, 1)
    assert told(live).learned == ()
    run(live, 1.5, 2)
    assert told(live).learned == (LONG_START,)


def test_a_play_put_right_while_no_frame_came_is_read_again(record: Record) -> None:
    wrong = moved(LONG_START, W, (24, 18), (24, 19))
    right = legal_turns(LONG_START, W, Roll(6, 5), LONG)[0].result
    looks = (
        calm(0, LONG_START), Look(0.5, calm=False), calm(1, LONG_START, DICE),
        calm(1.5, LONG_START, DICE), Look(2, calm=False), calm(2.5, wrong, DICE),
        calm(3, wrong, DICE), calm(7, right, DICE), calm(7.5, right, DICE),
        calm(8, right, DICE),
    )  # fmt: skip
    live = at(record, *looks)
    list(live.press(50, B))
    run(live, 0, 0.5, 1, 1.5, 2, 2.5)
    list(live.press(2700, W))
    run(live, 3)
    assert phase(live) is Disputed
    # The camera is out: the play is demanded back, put right and ended unseen.
    live.say(Demanded(4500, Actor.BLACK))
    list(live.press(6500, W))
    assert phase(live) is Judging
    run(live, 7, 7.5, 8)
    assert phase(live) is AwaitingThrow
    assert ruling_of(live).played == right


def test_a_picture_that_leads_to_a_dispute_is_kept_as_one(record: Record) -> None:
    wrong = moved(LONG_START, W, (24, 18), (24, 19))
    live = at(
        record, calm(0, LONG_START), Look(0.5, calm=False), calm(1, LONG_START, DICE),
        calm(1.5, LONG_START, DICE), Look(2, calm=False), calm(2.5, wrong, DICE),
        calm(3, wrong, DICE),
    )  # fmt: skip
    list(live.press(50, B))
    run(live, 0, 0.5, 1, 1.5, 2, 2.5)
    list(live.press(2700, W))
    run(live, 3)
    assert isinstance(live.state.phase, Disputed)
    kinds = [one.kind for row in record.rows() for one in row.evidence]
    assert kinds == [PictureKind.THROW, PictureKind.DISPUTE]


def test_dice_nobody_could_read_are_told_before_the_press_that_ends_their_turn(
    record: Record,
) -> None:
    doubtful = (DICE[0], replace(DICE[1], value=None))
    live = at(
        record, calm(0, LONG_START), Look(0.5, calm=False), calm(1, LONG_START, doubtful),
        calm(1.3, LONG_START, doubtful),
    )  # fmt: skip
    list(live.press(50, B))
    run(live, 0, 0.5, 1, 1.3)
    steps = list(live.press(1500, W))
    assert [type(step.event).__name__ for step in steps] == ["ThrowSeen", "Pressed"]
    assert isinstance(live.state.phase, ThrowAsked)
    live.say(ThrowAnswered(1600, Actor.REFEREE, Roll(6, 4)))
    ruled = list(record.rows(kind="throw_ruled"))
    assert ruled[-1].data["by"] == "referee"


def test_a_flag_falls_with_the_frame_that_comes_after_it(record: Record) -> None:
    live = at(record, calm(0, LONG_START), None)
    list(live.press(50, B))
    run(live, 0, 100)
    assert isinstance(live.state.phase, FlagAsked)


def test_white_sits_at_the_row_of_its_home() -> None:
    assert right_of_white(LAYOUT) in (Lies.LEFT, Lies.RIGHT)
    near, _ = LAYOUT.slot(1)
    assert (right_of_white(LAYOUT) is Lies.RIGHT) == (near == "bottom")
