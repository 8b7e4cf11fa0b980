from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from recording.record_clock import SystemMoments, boot_id, kernel_clock_is_synced, wall_of
from recording.record_row import Row
from tests.support.records import Clocks, event, opened

YEAR = timedelta(days=365)


def test_a_clock_the_system_does_not_vouch_for_is_not_synced() -> None:
    clocks = Clocks(synced=False)
    assert not clocks.moments()().synced


def test_a_steady_clock_stays_synced_while_it_is_slewed() -> None:
    clocks = Clocks()
    moments = clocks.moments()
    for _ in range(100):
        clocks.pass_s(60)
        clocks.wall += timedelta(seconds=0.5)
        assert moments().synced


@pytest.mark.parametrize("jump", [YEAR, -YEAR, timedelta(minutes=10), timedelta(seconds=-3)])
def test_a_jump_under_the_systems_word_is_not_trusted(jump: timedelta) -> None:
    clocks = Clocks()
    moments = clocks.moments()
    assert moments().synced
    clocks.wall += jump
    assert not moments().synced
    clocks.pass_s(60)
    assert not moments().synced
    clocks.wall -= jump
    assert moments().synced


def test_the_jump_that_brings_the_right_time_is_the_cure() -> None:
    clocks = Clocks(synced=False)
    moments = clocks.moments()
    assert not moments().synced
    clocks.wall += timedelta(days=14)
    clocks.synced = True
    assert moments().synced


@pytest.mark.parametrize("jump", [YEAR, -YEAR, timedelta(minutes=-10), timedelta(minutes=10)])
def test_a_jump_in_mid_game_changes_nothing_but_the_dates(
    tmp_path: Path, jump: timedelta
) -> None:
    steady, jumping = Clocks(), Clocks()
    told: list[list[Row]] = []
    for clocks, step in ((steady, timedelta()), (jumping, jump)):
        with opened(tmp_path / str(len(told)), moments=clocks.moments()) as record:
            for turn in range(6):
                clocks.pass_s(10)
                if turn == 3:
                    clocks.wall += step
                record.append([event(turn, at_s=clocks.monotonic_s)])
            told.append([row for row in record.rows() if row.kind == "throw"])
    for one, other in zip(*told, strict=True):
        assert (one.seq, one.at_s, one.text) == (other.seq, other.at_s, other.text)
    assert [row.synced for row in told[1]] == [True] * 3 + [False] * 3
    assert all(row.synced for row in told[0])


def test_after_a_power_cut_an_older_date_is_not_trusted_and_the_order_stands(
    tmp_path: Path,
) -> None:
    clocks = Clocks()
    with opened(tmp_path / "r", moments=clocks.moments()) as record:
        record.append([event("before", at_s=5000.0)])
    after = Clocks(wall=clocks.wall - timedelta(weeks=2), monotonic_s=3.0, boot="boot-2")
    with opened(tmp_path / "r", moments=after.moments()) as record:
        record.append([event("after", at_s=3.0)])
        rows = list(record.rows())
    throws = [row for row in rows if row.kind == "throw"]
    assert [row.data["value"] for row in throws] == ["before", "after"]
    assert [(row.boot, row.synced) for row in throws] == [("boot-1", True), ("boot-2", False)]
    assert wall_of(throws[1].wall) < wall_of(throws[0].wall)
    assert all(b.seq == a.seq + 1 for a, b in pairwise(rows))


def test_this_machine_can_tell_its_boot_and_whether_its_clock_is_right() -> None:
    assert boot_id()
    assert kernel_clock_is_synced() in (True, False)
    assert SystemMoments()().wall.tzinfo is not None


def test_asking_whether_the_clock_is_right_starts_no_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is asked at every event."""
    monkeypatch.setattr("subprocess.Popen", None)
    monkeypatch.setattr("os.posix_spawn", None)
    kernel_clock_is_synced()
