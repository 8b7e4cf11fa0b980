"""What the lamp says of a match."""

import pytest

from hardware.camera_states import CameraState
from hardware.lamp import Signal
from referee.arbiter import Actor, settle
from referee.arbiter.events import (
    Demanded,
    PlayRead,
    RefereeCalled,
    ResignOffered,
    SightLost,
    ThrowSeen,
)
from rules import Color
from rules.outcome import Win
from rules.throw import DieFacts, Lies
from tests.support.boards import moved
from tests.support.match import Table, good_dice
from zarbiter.lamp_signals import passing_signal, standing_signal
from zarbiter.live import Step

W, B = Color.WHITE, Color.BLACK


def begun() -> Table:
    table = Table()
    table.begin()
    return table


def standing(table: Table, camera: CameraState = CameraState.LIVE) -> Signal:
    return standing_signal(table.state, camera)


def test_each_state_of_a_turn_has_its_light() -> None:
    table = begun()
    assert standing(table) is Signal.YOUR_THROW
    table.throw(W, 6, 5)
    assert standing(table) is Signal.DARK
    before = table.position
    table.press(W)
    table.leave(moved(before, W, (24, 14)))
    assert standing(table) is Signal.WRONG_PLAY
    table.do(Demanded(table.tick(), Actor.BLACK))
    assert standing(table) is Signal.WRONG_PLAY


def test_a_question_is_amber_and_a_lost_board_a_fault() -> None:
    table = begun()
    table.do(ThrowSeen(table.tick(), W, good_dice(6, None)))
    assert standing(table) is Signal.UNSURE
    other = begun()
    other.do(ResignOffered(other.tick(), W, Win.OIN))
    assert standing(other) is Signal.UNSURE
    lost = begun()
    lost.do(SightLost(lost.tick(), "board_changed"))
    assert standing(lost) is Signal.FAULT


def test_the_referee_is_called_before_all_else() -> None:
    table = begun()
    table.do(RefereeCalled(table.tick(), Actor.WHITE))
    assert standing(table, CameraState.LOST) is Signal.REFEREE


@pytest.mark.parametrize(
    "camera", [CameraState.LOST, CameraState.ABSENT, CameraState.BUSY, CameraState.HUNG]
)
def test_a_failing_camera_is_shown(camera: CameraState) -> None:
    assert standing(begun(), camera) is Signal.FAULT
    assert standing(begun(), CameraState.STALE) is Signal.YOUR_THROW


def test_what_was_ruled_is_shown_once() -> None:
    table = begun()
    good = ThrowSeen(table.tick(), W, good_dice(6, 5))
    off = DieFacts(5, Lies.OFF_BOARD)
    void = ThrowSeen(table.tick(), W, (good_dice(6, 5)[0], off))
    assert passing_signal(Step(good, settle(table.state, good))) is Signal.COUNTS
    assert passing_signal(Step(void, settle(table.state, void))) is Signal.VOID
    table.do(good)
    after = table.legal()
    table.press(W)
    read = PlayRead(table.tick(), after)
    assert passing_signal(Step(read, settle(table.state, read))) is Signal.COUNTS
    wrong = PlayRead(table.tick(), moved(table.at(object).playing.before, W, (24, 14)))  # type: ignore[attr-defined]
    assert passing_signal(Step(wrong, settle(table.state, wrong))) is None
