import pytest

from hardware.camera import CameraError
from hardware.camera_errors import (
    CameraAbsentError,
    CameraBusyError,
    CameraFailedError,
    CameraOverError,
    CameraTimeoutError,
    CameraUnusableError,
)
from hardware.camera_states import CameraState, Outage
from hardware.errors import Sentence
from hardware.watchdog import (
    Watch,
    WatchSettings,
    broke,
    called,
    came,
    closed,
    gave_none,
    noted,
    often_out,
    returned,
    state_at,
)

S = WatchSettings()
START = Watch(CameraState.STARTING, 0.0)
TIMEOUT = CameraTimeoutError(1.0)


def live(at_s: float = 1.0) -> Watch:
    return came(START, at_s, at_s, S)


def test_a_camera_that_starts_is_starting_and_then_lost() -> None:
    assert state_at(START, 4.9, S) is CameraState.STARTING
    assert state_at(START, 5.1, S) is CameraState.LOST


@pytest.mark.parametrize(
    ("age_s", "state"),
    [
        (0.0, CameraState.LIVE),
        (2.0, CameraState.LIVE),
        (2.1, CameraState.STALE),
        (5.0, CameraState.STALE),
        (5.1, CameraState.LOST),
    ],
)
def test_age_alone_makes_a_live_camera_stale_and_lost(age_s: float, state: CameraState) -> None:
    assert state_at(live(), 1.0 + age_s, S) is state


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (CameraBusyError("x", ("vlc (pid 7)",)), CameraState.BUSY),
        (CameraAbsentError("x"), CameraState.ABSENT),
        (CameraFailedError("EIO"), CameraState.LOST),
        (TIMEOUT, CameraState.LOST),
        (CameraError("who knows"), CameraState.LOST),
        (CameraUnusableError("no library"), CameraState.UNUSABLE),
        (CameraOverError("a.avi"), CameraState.ENDED),
    ],
)
def test_every_kind_of_failure_has_its_state(error: CameraError, state: CameraState) -> None:
    assert state_at(broke(START, error, 1.0, S), 1.0, S) is state


def test_reads_that_fail_are_borne_for_five_seconds() -> None:
    watch = live()
    for now_s in (2.0, 3.0, 4.0, 5.0, 6.0):
        watch = gave_none(watch, TIMEOUT, now_s, S)
        assert watch.reopen_at_s is None
    watch = gave_none(watch, TIMEOUT, 6.1, S)
    assert watch.reopen_at_s == pytest.approx(6.6)
    assert watch.phase is CameraState.LOST


def test_waits_before_opening_anew_grow_and_have_an_end() -> None:
    watch, waits = START, []
    for _ in range(9):
        watch = broke(watch, TIMEOUT, 10.0, S)
        assert watch.reopen_at_s is not None
        waits.append(watch.reopen_at_s - 10.0)
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 30.0, 30.0]


def test_waits_begin_anew_only_after_a_long_life() -> None:
    watch = came(broke(START, TIMEOUT, 1.0, S), 2.0, 2.0, S)
    assert watch.tries == 1
    for now_s in range(3, 40):
        watch = came(watch, float(now_s), float(now_s), S)
    assert watch.tries == 0


def test_an_outage_is_noted_from_the_last_picture_to_the_next_one() -> None:
    watch = noted(live(), 3.5, S)
    assert watch.outages == (Outage(1.0, None, CameraState.STALE),)
    watch = noted(watch, 9.0, S)
    assert watch.outages == (Outage(1.0, None, CameraState.LOST),)
    watch = came(watch, 10.0, 10.0, S)
    assert watch.outages == (Outage(1.0, 10.0, CameraState.LOST),)
    assert watch.recovered == 1
    assert watch.outages[0].lasted_s(99.0) == 9.0


def test_an_outage_that_nobody_looked_at_is_noted_when_it_ends() -> None:
    watch = came(live(), 4.0, 4.0, S)
    assert watch.outages == (Outage(1.0, 4.0, CameraState.STALE),)


def test_ten_stalls_of_three_seconds_in_an_hour_are_ten_outages_with_a_warning() -> None:
    """CAM-02."""
    watch, now_s, warned = live(), 1.0, []
    for _ in range(10):
        for _ in range(330):
            now_s += 1.0
            watch = came(watch, now_s, now_s, S)
        now_s += 3.0
        watch = noted(watch, now_s - 0.5, S)
        watch = came(watch, now_s, now_s, S)
        warned.append(often_out(watch, now_s, S))
    assert warned == [False, False] + [True] * 8
    assert [one.lasted_s(now_s) for one in watch.outages] == [3.0] * 10
    assert watch.recovered == 10
    assert not often_out(watch, now_s + 3601.0, S)


def test_an_old_picture_ends_no_outage() -> None:
    watch = noted(live(), 4.0, S)
    late = came(watch, 1.5, 4.0, S)
    assert state_at(late, 4.0, S) is CameraState.STALE
    assert late.recovered == 0


def test_a_driver_that_does_not_come_back_hangs() -> None:
    watch = called(live(), 1.0)
    assert state_at(watch, 31.0, S) is CameraState.LOST
    assert state_at(watch, 31.1, S) is CameraState.HUNG
    assert state_at(returned(watch), 31.1, S) is CameraState.LOST


def test_what_is_over_stays_over() -> None:
    over = broke(live(), CameraOverError("a.avi"), 2.0, S)
    assert over.is_over
    assert over.reopen_at_s is None
    assert over.outages == ()
    assert state_at(over, 1e6, S) is CameraState.ENDED
    assert state_at(closed(over, 3.0), 1e6, S) is CameraState.CLOSED


def test_closing_ends_the_outage() -> None:
    watch = closed(noted(live(), 9.0, S), 9.5)
    assert watch.outages == (Outage(1.0, 9.5, CameraState.LOST),)


def test_trouble_is_forgotten_with_the_next_picture() -> None:
    watch = broke(START, CameraFailedError("EIO"), 1.0, S)
    assert isinstance(watch.trouble, Sentence)
    assert came(watch, 2.0, 2.0, S).trouble is None


def test_no_more_outages_are_kept_than_fit() -> None:
    watch, now_s = live(), 1.0
    for _ in range(300):
        now_s += 3.0
        watch = came(watch, now_s, now_s, S)
    assert len(watch.outages) == 100
    assert watch.recovered == 300
