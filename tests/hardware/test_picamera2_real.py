"""The real picamera2 on libcamera's virtual camera: run by `make test-picamera2`.

It proves calls, time-outs, buffers, sizes and closing. It cannot prove the byte order of RGB,
exposure, white balance, focus or the ribbon's faults: the virtual camera has none of these.
"""

import inspect
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.camera_errors import CameraAbsentError, CameraBusyError, CameraTimeoutError
from hardware.camera_picamera2 import Picamera2Camera
from hardware.camera_settings import CameraSettings
from hardware.camera_states import CameraState
from hardware.camera_steady import SteadyCamera
from hardware.clock import SystemClock
from hardware.pi_library import load_picamera2
from tests.hardware.camera_contract import CameraContract
from tests.hardware.fakes.picamera2 import FakePicamera2, FakeRequest
from tests.hardware.scenes import COLOURS, grey, mark, quarter, scene

if not os.environ.get("ZARBITER_VIRTUAL_CAMERA"):
    pytest.skip(
        "needs libcamera's virtual camera: make test-picamera2", allow_module_level=True
    )

from tests.hardware.virtual_camera import SIZE_PX, VirtualPicamera2, showing

# picamera2's own, of no use to us.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
SETTINGS = CameraSettings(size_px=SIZE_PX, small_px=(320, 240), capture_wait_s=2.0, warm_up_s=0)
USED = [
    "create_video_configuration",
    "configure",
    "camera_configuration",
    "start",
    "set_controls",
    "capture_request",
    "wait",
    "cancel_all_and_flush",
    "stop",
    "close",
    "global_camera_info",
]


@pytest.fixture(scope="session", autouse=True)
def virtual_pictures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("pictures")
    with showing([scene(SIZE_PX, number) for number in range(3)], folder):
        yield


def opened(settings: CameraSettings = SETTINGS) -> Picamera2Camera:
    return Picamera2Camera(0, settings, library=VirtualPicamera2, clock=SystemClock())


@pytest.fixture
def camera() -> Iterator[Picamera2Camera]:
    camera = opened()
    yield camera
    camera.close()


class TestContract(CameraContract):
    @pytest.fixture
    def camera(self) -> Iterator[Picamera2Camera]:
        camera = opened()
        yield camera
        camera.close()


@pytest.mark.parametrize("name", USED)
def test_the_fake_has_the_real_ones_signature(name: str) -> None:
    ours = inspect.signature(getattr(FakePicamera2, name)).parameters
    theirs = inspect.signature(getattr(load_picamera2(), name)).parameters
    assert [(one.name, one.kind) for one in ours.values()] == [
        (one.name, one.kind) for one in theirs.values()
    ]
    for one in theirs.values():
        plain = isinstance(one.default, int | str | dict | type(None))
        if plain:
            assert ours[one.name].default == one.default
        assert (ours[one.name].default is one.empty) == (one.default is one.empty)


def test_the_fake_is_built_like_the_real_one() -> None:
    real: Any = load_picamera2()
    assert list(inspect.signature(FakePicamera2).parameters) == list(
        inspect.signature(real).parameters
    )
    assert isinstance(inspect.getattr_static(real, "camera_controls"), property)


@pytest.mark.parametrize("name", ["make_array", "get_metadata", "release"])
def test_the_fakes_request_has_the_real_ones_signature(name: str) -> None:
    from picamera2 import CompletedRequest

    ours = inspect.signature(getattr(FakeRequest, name)).parameters
    assert list(ours) == list(inspect.signature(getattr(CompletedRequest, name)).parameters)


def test_the_camera_is_listed() -> None:
    (one,) = VirtualPicamera2.global_camera_info()
    assert one["Model"] == "Virtual Board Camera"


def test_pictures_come_with_the_right_colours_in_the_right_places(
    camera: Picamera2Camera,
) -> None:
    picture = camera.read()
    assert picture.size_px == SIZE_PX == camera.size_px
    for (row, column), colour in COLOURS.items():
        assert quarter(picture.bgr, row, column) == pytest.approx(colour, abs=25)


def test_the_drivers_own_format_and_size_are_taken_as_they_are(
    camera: Picamera2Camera,
) -> None:
    # RGB888 and a small YUV420 were asked for; the virtual camera silently does NV12 alone.
    assert camera._main_layout == "NV12"
    assert camera._small is not None
    size_px, layout = camera._small
    assert layout == "NV12"
    luma = camera.read().luma
    assert luma is not None
    assert luma.shape == (size_px[1], size_px[0])


def test_pictures_go_on(camera: Picamera2Camera) -> None:
    marks = {round((grey(camera.read().bgr) - mark(0)) / 30) for _ in range(16)}
    assert marks == {0, 1, 2}


def test_stamps_are_of_the_monotonic_clock(camera: Picamera2Camera) -> None:
    clock = SystemClock()
    before_s = clock.now_s()
    pictures = [camera.read() for _ in range(10)]
    times = [one.at_s for one in pictures]
    assert times == sorted(times)
    assert before_s - 2.0 < times[0] <= times[-1] <= clock.now_s()


def test_two_hundred_pictures_use_four_buffers_and_one_configuration() -> None:
    before = VirtualPicamera2.configured
    camera = opened()
    try:
        for _ in range(200):
            camera.read()
    finally:
        camera.close()
    assert VirtualPicamera2.configured == before + 1


def test_held_requests_are_an_honest_time_out_and_it_recovers(
    camera: Picamera2Camera,
) -> None:
    device = camera._open_camera()
    held = [device.wait(device.capture_request(wait=False), timeout=2.0) for _ in range(4)]
    camera.settings = CameraSettings(size_px=SIZE_PX, capture_wait_s=0.2)
    for _ in range(10):
        with pytest.raises(CameraTimeoutError, match=r"Reseat the camera's ribbon"):
            camera.read()
    for request in held:
        request.release()
    camera.settings = SETTINGS
    # Ten reads timed out before; none of them may have kept a buffer.
    for _ in range(20):
        camera.read()


def test_a_second_opening_is_refused_as_busy(camera: Picamera2Camera) -> None:
    with pytest.raises(CameraBusyError):
        opened()
    camera.read()


def test_a_camera_that_is_busy_for_long_uses_up_no_files(camera: Picamera2Camera) -> None:
    def open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    with pytest.raises(CameraBusyError):
        opened()
    before = open_files()
    for _ in range(20):
        with pytest.raises(CameraBusyError):
            opened()
    assert open_files() == before


def test_a_number_too_great_is_an_absent_camera() -> None:
    with pytest.raises(CameraAbsentError, match="there is picamera2:0"):
        Picamera2Camera(3, SETTINGS, library=VirtualPicamera2)


def test_it_can_be_closed_and_opened_again() -> None:
    for _ in range(3):
        camera = opened()
        camera.read()
        camera.close()
        camera.close()


def test_a_camera_without_exposure_control_says_so() -> None:
    camera = opened()
    camera.close()
    assert any("exposure cannot be set" in note.en for note in camera.notes)


def test_the_steady_camera_reads_it_in_its_own_thread_and_ends() -> None:
    threads = threading.active_count()
    steady = SteadyCamera("virtual", opened, SystemClock())
    steady.start()
    seq = -1
    for _ in range(10):
        picture = steady.newer(seq, 10.0)
        assert picture is not None
        assert picture.seq > seq
        seq = picture.seq
    assert steady.status().state is CameraState.LIVE
    steady.close()
    assert threading.active_count() == threads


def test_memory_stays_flat_over_two_thousand_pictures(camera: Picamera2Camera) -> None:
    """CAM-16."""

    def resident_kb() -> int:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0])

    for _ in range(200):
        camera.read()
    before = resident_kb()
    for _ in range(2000):
        camera.read()
    assert resident_kb() < before * 1.1
