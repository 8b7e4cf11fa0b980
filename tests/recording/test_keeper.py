"""The arbiter on its record: nothing happens that is not written, and all of it comes back."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recording.keeper import MatchKeeper, last_match, matches_of
from recording.record import Record
from recording.record_errors import RecordFullError
from recording.record_open import open_record
from recording.record_row import PictureKind
from recording.signing import SigningKey, device_key
from recording.story import story_of
from recording.verify import Verdict, verify_record
from referee.arbiter import Actor, MatchSetup
from referee.arbiter.events import (
    Accepted,
    MatchClosed,
    MatchOpened,
    Overridden,
    PlayRead,
    Pressed,
    StartSeen,
    ThrowSeen,
)
from referee.arbiter.states import (
    AwaitingThrow,
    Disputed,
    MatchOver,
    NotOpened,
    SettingUp,
)
from referee.timer_presets import TimeControl
from referee.timer_settings import ClockKind
from referee.timer_state import Phase
from rules import Color, Position
from tests.support import kill_match
from tests.support.boards import LONG_START, board, moved
from tests.support.match import B, W, good_dice

CLOCK = TimeControl(ClockKind.DELAY, 60_000, bonus_ms=1)
SETUP = MatchSetup("federation", "Анна", "Борис", 1, CLOCK)
JPEG = b"\xff\xd8" + b"picture" * 40


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "record"


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    return device_key(tmp_path)


@pytest.fixture
def record(folder: Path, key: SigningKey) -> Iterator[Record]:
    with open_record(folder, key) as made:
        yield made


def opened(record: Record, now_ms: Callable[[], int] = lambda: 1000) -> MatchKeeper:
    keeper = MatchKeeper(record, now_ms)
    keeper.open("final", MatchOpened(1000, SETUP))
    return keeper


def test_a_match_is_taken_up_where_it_was_with_the_clock_stopped(
    folder: Path, key: SigningKey
) -> None:
    with open_record(folder, key) as record:
        keeper = opened(record)
        keeper.do(StartSeen(1100, LONG_START))
        keeper.do(ThrowSeen(1200, W, good_dice(6, 5)))
        phase = keeper.state.phase
    with open_record(folder, key) as record:
        again = MatchKeeper(record, lambda: 7)
        assert again.match == "final"
        assert again.state.phase == phase
        assert again.state.clock.phase is not Phase.RUNNING
        assert [row.kind for row in record.rows(match="final")][-1] == "restarted"


def test_a_finished_match_is_left_alone_and_the_next_one_may_begin(
    folder: Path, key: SigningKey
) -> None:
    with open_record(folder, key) as record:
        keeper = opened(record)
        keeper.do(MatchClosed(1100, Actor.BOTH))
        assert isinstance(keeper.state.phase, MatchOver)
    with open_record(folder, key) as record:
        keeper = MatchKeeper(record, lambda: 7)
        assert isinstance(keeper.state.phase, NotOpened)
        with pytest.raises(ValueError, match="already holds"):
            keeper.open("final", MatchOpened(8, SETUP))
        keeper.open("second", MatchOpened(9, SETUP))
        assert [one.name for one in matches_of(record.rows())] == ["final", "second"]


def test_a_second_match_cannot_begin_inside_the_first(record: Record) -> None:
    keeper = opened(record)
    with pytest.raises(ValueError, match="under way"):
        keeper.open("other", MatchOpened(1100, SETUP))


def test_what_is_refused_is_not_written(record: Record) -> None:
    keeper = opened(record)
    before = record.head
    assert keeper.do(Accepted(1100, Actor.WHITE)).refused is not None
    assert record.head == before


def test_what_cannot_be_written_has_not_happened(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = opened(record)

    def full(*_: object, **__: object) -> None:
        raise RecordFullError("Нет места.", "No room.")

    monkeypatch.setattr(record, "append", full)
    with pytest.raises(RecordFullError):
        keeper.do(StartSeen(1100, LONG_START))
    assert isinstance(keeper.state.phase, SettingUp)


def test_rulings_are_written_in_one_piece_with_their_ground(record: Record) -> None:
    keeper = opened(record)
    keeper.do(StartSeen(1100, LONG_START))
    keeper.do(ThrowSeen(1200, W, good_dice(6, 5)))
    kinds = [row.kind for row in record.rows(match="final")]
    assert kinds == ["match_opened", "start_seen", "throw_seen", "throw_ruled"]


def test_a_picture_is_kept_with_the_event_it_shows(record: Record) -> None:
    keeper = opened(record)
    keeper.do(StartSeen(1100, LONG_START))
    keeper.do(ThrowSeen(1200, W, good_dice(6, 5)), {PictureKind.THROW: JPEG})
    row = next(row for row in record.rows() if row.kind == "throw_seen")
    (evidence,) = row.evidence
    assert record.picture(evidence.sha256) == JPEG
    assert row.data["evidence"] == [evidence.sha256]


def test_the_end_of_a_match_is_signed_and_the_record_verifies(
    folder: Path, key: SigningKey
) -> None:
    last = board("1:w1 off:w14 13:b*")
    after = moved(last, W, (1, 0))
    with open_record(folder, key) as record:
        keeper = opened(record)
        keeper.do(Overridden(1100, Actor.REFEREE, W, last))
        keeper.do(ThrowSeen(1200, W, good_dice(2, 1)))
        _end_turn(keeper, W, after)
        assert phase_of(keeper) is AwaitingThrow
        keeper.do(ThrowSeen(1600, B, good_dice(6, 5)))
        _end_turn(keeper, B, moved(after, B, (13, 7), (13, 8)), 1700)
        assert phase_of(keeper) is MatchOver
        kept = last_match(record.rows())
        assert kept is not None
        assert story_of(kept.events).games[0].result is not None
    found = verify_record(folder, key.public)
    assert found.verdict is Verdict.OK


def phase_of(keeper: MatchKeeper) -> type:
    return type(keeper.state.phase)


def _end_turn(keeper: MatchKeeper, side: Color, left: Position, at_ms: int = 1300) -> None:
    keeper.do(Pressed(at_ms, side))
    keeper.do(PlayRead(at_ms + 200, left))
    if isinstance(keeper.state.phase, Disputed):
        keeper.do(Accepted(at_ms + 250, Actor.REFEREE))


def test_matches_killed_at_random_moments_go_on_where_they_were(tmp_path: Path) -> None:
    # What a killed process has written outlives it on any file system: take the quick one.
    memory = Path("/dev/shm")
    folder = memory if os.access(memory, os.W_OK) else tmp_path
    command = [sys.executable, "-m", "tests.support.kill_match", "--lives=30", "--seed=4"]
    done = subprocess.run(
        [*command, f"--folder={folder}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(kill_match.__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["kills"] == 30
    assert found["states checked"] == found["acknowledged"] > 100
