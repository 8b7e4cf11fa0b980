import itertools
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from hardware.camera import Camera, CameraError
from hardware.camera_errors import (
    CameraAbsentError,
    CameraBusyError,
    CameraClosedError,
    CameraOverError,
    CameraTimeoutError,
    CameraUnusableError,
)
from hardware.camera_states import CameraChange, CameraState
from hardware.camera_steady import SteadyCamera
from hardware.clock import ManualClock, SystemClock
from hardware.errors import Sentence
from hardware.picture import CameraPicture
from tests.hardware.fakes.device import FakeDevice


class Rig:
    """A steady camera driven by hand, over devices that do what a test says."""

    def __init__(self, make: Callable[[int], Camera] | None = None) -> None:
        self.clock = ManualClock(10.0)
        self.changes: list[CameraChange] = []
        self.opened = 0
        self.device = FakeDevice(self.clock)
        self._make = make or (lambda number: self.device)
        self.camera = SteadyCamera(
            "camera", self._open, self.clock, on_change=self.changes.append
        )

    def _open(self) -> Camera:
        self.opened += 1
        return self._make(self.opened)

    def run(self, steps: int) -> None:
        for _ in range(steps):
            wait_s = self.camera.step()
            if wait_s < 0:
                return
            self.clock.advance(wait_s)

    def run_until(self, until_s: float) -> None:
        while self.clock.now_s() < until_s:
            self.run(1)

    @property
    def states(self) -> list[CameraState]:
        return [one.after for one in self.changes]


@pytest.fixture(name="rig")
def plain_rig() -> Rig:
    return Rig()


def test_it_is_starting_until_the_first_picture(rig: Rig) -> None:
    assert rig.camera.status().state is CameraState.STARTING
    with pytest.raises(CameraError, match="starting"):
        rig.camera.read()
    rig.run(2)
    assert rig.camera.status().state is CameraState.LIVE
    assert rig.camera.read().seq == 0


def test_pictures_that_nobody_fetched_are_counted(rig: Rig) -> None:
    rig.run(5)
    assert rig.camera.read().seq == 3
    status = rig.camera.status()
    assert (status.pictures, status.dropped) == (4, 3)
    rig.run(1)
    assert rig.camera.status().dropped == 3
    assert status.size_px == (6, 4)
    assert status.fps == pytest.approx(10.0)


def test_an_old_picture_is_never_handed_out_as_new(rig: Rig) -> None:
    """CAM-04: the camera stops in the middle of a roll."""
    rig.device.gives = lambda number: number < 3
    rig.run(4)
    assert rig.camera.read().seq == 2
    rig.run(2)
    assert rig.clock.now_s() > 12.0
    with pytest.raises(CameraTimeoutError):
        rig.camera.read()
    assert rig.camera.newer(2, 0.0) is None
    assert rig.states == [CameraState.LIVE, CameraState.STALE]


def test_a_camera_that_never_gives_a_picture_is_named_within_five_seconds() -> None:
    """CAM-01."""

    def never(number: int) -> Camera:
        rig.clock.advance(1.0)
        raise CameraTimeoutError(1.0)

    rig = Rig(never)
    rig.run_until(15.0)
    status = rig.camera.status()
    assert status.state is CameraState.LOST
    assert "ribbon" in status.sentence.en
    assert "power supply" in status.sentence.en
    assert "шлейф" in status.sentence.ru
    assert rig.changes[0].at_s <= 15.0
    assert status.tries >= 2


def test_a_lost_camera_is_closed_and_opened_anew(rig: Rig) -> None:
    rig.device.gives = lambda number: not 5 <= number < 12
    rig.run(40)
    assert rig.opened == 2
    assert rig.device.closed == 1
    assert rig.states == [
        CameraState.LIVE,
        CameraState.STALE,
        CameraState.LOST,
        CameraState.LIVE,
    ]
    status = rig.camera.status()
    assert status.recovered == 1
    assert status.outages[0].lasted_s(0.0) == pytest.approx(8.7, abs=0.5)
    assert rig.changes[-1].outage == status.outages[0]


def test_one_just_opened_has_as_much_time_as_one_that_fell_silent(rig: Rig) -> None:
    rig.device.gives = lambda number: number < 3 or number >= 12
    rig.run_until(24.0)
    # Six reads failed until it was opened anew, and three more before the first picture.
    assert rig.opened == 2
    assert rig.camera.status().state is CameraState.LIVE


def test_numbers_go_on_after_it_was_opened_anew() -> None:
    def fresh(number: int) -> Camera:
        return FakeDevice(rig.clock, gives=lambda one: one < 3)

    rig = Rig(fresh)
    seqs = []
    for _ in range(60):
        rig.run(1)
        if rig.camera.status().state is CameraState.LIVE:
            seqs.append(rig.camera.read().seq)
    assert rig.opened > 2
    assert seqs == sorted(seqs)
    assert len(set(seqs)) >= 9


def test_a_hundred_stalls_leave_one_device_and_no_thread() -> None:
    """CAM-05 and CAM-07: whatever happens, the same one thread goes on."""
    threads = threading.active_count()
    rig = Rig(lambda number: FakeDevice(rig.clock, gives=lambda one: one < 2))
    while rig.opened < 100:
        rig.run(1)
    rig.run(2)
    assert rig.camera.status().recovered >= 98
    assert rig.camera.status().state is CameraState.LIVE
    assert threading.active_count() == threads


def test_six_hours_with_stalls_as_chance_will_have_it_never_end_it() -> None:
    """CAM-07, at speed: stalls of up to a minute, unplugging, strange errors."""
    rng = np.random.default_rng(11)
    errors = (CameraTimeoutError(1.0), CameraAbsentError("usb"), CameraBusyError("usb"))

    class Moody(FakeDevice):
        def read(self) -> CameraPicture:
            self.clock.advance(0.9)
            if rng.random() < 0.002:
                self.clock.advance(float(rng.uniform(1, 60)))
            if rng.random() < 0.0005:
                raise ZeroDivisionError
            return super().read()

    def moody(number: int) -> Camera:
        if number > 1 and rng.random() < 0.5:
            raise errors[int(rng.integers(len(errors)))]
        lasts = int(rng.integers(200, 2000))
        return Moody(rig.clock, gives=lambda one: one < lasts)

    rig = Rig(moody)
    rig.run_until(6 * 3600.0)
    rig.run(30)
    status = rig.camera.status()
    assert status.state not in (CameraState.UNUSABLE, CameraState.ENDED, CameraState.CLOSED)
    assert status.recovered > 20
    ended = [one for one in status.outages if one.ended_s is not None]
    assert len(status.outages) - len(ended) <= 1
    assert all(one.lasted_s(0.0) >= 2.0 for one in ended)
    # Each outage began after the one before it had ended: none was lost or told twice.
    for before, after in itertools.pairwise(status.outages):
        assert before.ended_s is not None
        assert after.began_s >= before.ended_s


def test_who_holds_the_camera_is_said() -> None:
    def busy(number: int) -> Camera:
        raise CameraBusyError("picamera2:0", ("rpicam-hello (pid 812)",))

    rig = Rig(busy)
    rig.run(3)
    status = rig.camera.status()
    assert status.state is CameraState.BUSY
    assert "rpicam-hello (pid 812)" in status.sentence.en
    assert "rpicam-hello (pid 812)" in status.sentence.ru


def test_a_camera_that_was_pulled_out_comes_back(rig: Rig) -> None:
    def unplugged(number: int) -> Camera:
        if number < 4:
            raise CameraAbsentError("usb")
        return rig.device

    rig = Rig(unplugged)
    rig.run(12)
    assert rig.states == [CameraState.ABSENT, CameraState.LIVE]
    assert rig.camera.status().tries == 3


def test_a_missing_library_is_not_tried_again() -> None:
    def missing(number: int) -> Camera:
        raise CameraUnusableError(Sentence("нет", "no library"), Sentence("взять", "get it"))

    rig = Rig(missing)
    rig.run(10)
    assert rig.opened == 1
    assert rig.camera.step() < 0
    with pytest.raises(CameraUnusableError, match="no library get it"):
        rig.camera.newer(-1, 0.0)


def test_a_driver_that_fails_in_an_unknown_way_is_borne() -> None:
    def strange(number: int) -> Camera:
        if number == 1:
            raise ZeroDivisionError("in the driver")
        return rig.device

    rig = Rig(strange)
    rig.run(1)
    assert "ZeroDivisionError: in the driver" in rig.camera.status().sentence.en
    rig.run(4)
    assert rig.camera.status().state is CameraState.LIVE


def test_the_end_of_a_recording_is_told(rig: Rig) -> None:
    rig.device.gives = lambda number: number < 2
    rig.device.error = CameraOverError("a.avi")
    rig.run(10)
    assert rig.states == [CameraState.LIVE, CameraState.ENDED]
    assert rig.device.closed == 1
    with pytest.raises(CameraOverError):
        rig.camera.read()


def test_the_same_buffer_again_is_no_new_picture() -> None:
    class Frozen:
        def read(self) -> CameraPicture:
            return CameraPicture(np.zeros((2, 2, 3), np.uint8), 10.0, 7)

        def close(self) -> None:
            pass

    rig = Rig(lambda number: Frozen())
    rig.run_until(13.0)
    assert rig.camera.status().pictures == 1
    assert rig.camera.status().state is CameraState.STALE


def test_a_driver_that_hangs_is_named_while_it_hangs() -> None:
    inside, go_on = threading.Event(), threading.Event()

    class Hanging:
        def read(self) -> CameraPicture:
            inside.set()
            go_on.wait(60)
            return CameraPicture(np.zeros((2, 2, 3), np.uint8), clock.now_s(), 0)

        def close(self) -> None:
            pass

    clock = ManualClock()
    camera = SteadyCamera("camera", Hanging, clock)
    camera.start()
    assert inside.wait(60)
    threads = threading.active_count()
    clock.advance(29.0)
    assert camera.status().state is CameraState.LOST
    clock.advance(2.0)
    status = camera.status()
    assert status.state is CameraState.HUNG
    assert "Restart the service" in status.sentence.en
    assert threading.active_count() == threads
    go_on.set()
    assert camera.newer(-1, 60.0) is not None
    assert camera.status().state is CameraState.LIVE
    camera.close()


@pytest.fixture
def running() -> Iterator[SteadyCamera]:
    class Quick:
        def __init__(self) -> None:
            self.seq = -1

        def read(self) -> CameraPicture:
            self.seq += 1
            return CameraPicture(np.zeros((2, 2, 3), np.uint8), SystemClock().now_s(), self.seq)

        def close(self) -> None:
            owners.append(threading.current_thread().name)

    owners: list[str] = []
    camera = SteadyCamera("quick", Quick, SystemClock())
    camera.start()
    camera.start()
    yield camera
    camera.close()
    assert owners == ["camera quick"]


def test_fifty_readers_at_once_get_pictures_from_one_thread(running: SteadyCamera) -> None:
    """CAM-10."""
    assert running.newer(-1, 60.0) is not None
    got: list[int] = []
    before = threading.active_count()

    def look() -> None:
        got.append(running.read().seq)
        assert running.status().state is CameraState.LIVE

    readers = [threading.Thread(target=look) for _ in range(50)]
    for one in readers:
        one.start()
    for one in readers:
        one.join()
    assert len(got) == 50
    assert threading.active_count() == before


def test_closing_ends_the_thread_and_wakes_who_waits(running: SteadyCamera) -> None:
    picture = running.newer(-1, 60.0)
    assert picture is not None
    names = {one.name for one in threading.enumerate()}
    assert "camera quick" in names
    running.close()
    running.close()
    assert "camera quick" not in {one.name for one in threading.enumerate()}
    with pytest.raises(CameraClosedError):
        running.newer(picture.seq, 60.0)
    with pytest.raises(CameraClosedError):
        running.read()
    running.start()
    assert running.status().state is CameraState.CLOSED


def test_a_status_can_be_written_as_json(rig: Rig) -> None:
    rig.device.gives = lambda number: number < 3
    rig.run(12)
    written = rig.camera.status().to_json()
    assert written["state"] == "lost"
    assert written["outages"] == [
        {"began_s": pytest.approx(10.3), "ended_s": None, "state": "lost"}
    ]
