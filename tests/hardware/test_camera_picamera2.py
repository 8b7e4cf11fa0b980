from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest

from hardware.camera_errors import (
    CameraAbsentError,
    CameraBusyError,
    CameraFailedError,
    CameraTimeoutError,
    CameraUnusableError,
)
from hardware.camera_picamera2 import Picamera2Camera
from hardware.camera_settings import CameraSettingError, CameraSettings
from hardware.clock import ManualClock
from hardware.colour_patch import PatchResult, check_patch
from hardware.pi_library import load_picamera2
from tests.hardware.fakes.picamera2 import FULL_CONTROLS, counts_of, fake_library
from tests.hardware.scenes import BLUE, quarter

SETTINGS = CameraSettings(size_px=(320, 240), small_px=(64, 64))
MEASURED = {"ExposureTime": 23_000, "AnalogueGain": 2.0}


class Rig:
    def __init__(self, settings: CameraSettings = SETTINGS, **behaviour: Any) -> None:
        self.clock = ManualClock(100.0)
        self.library = fake_library(
            now_s=self.clock.now_s, on_wait=lambda: self.clock.advance(0.066), **behaviour
        )
        self.counts = counts_of(self.library)
        self.settings = settings

    def open(self, number: int = 0, holders: tuple[str, ...] = ()) -> Picamera2Camera:
        return Picamera2Camera(
            number,
            self.settings,
            clock=self.clock,
            library=self.library,
            holders=lambda: holders,
        )


def notes(camera: Picamera2Camera) -> str:
    return " ".join(one.en for one in camera.notes)


def test_a_thousand_pictures_configure_the_camera_once_and_keep_no_buffer() -> None:
    """CAM-08 and CAM-16: stills are pictures of the main stream, so there is no other mode."""
    rig = Rig()
    camera = rig.open()
    for _ in range(1000):
        camera.read()
    camera.close()
    assert (rig.counts.configured, rig.counts.opened, rig.counts.closed) == (1, 1, 1)
    assert rig.counts.held == 0
    assert len(rig.counts.threads) == 1


def test_after_warming_up_exposure_gain_white_balance_and_focus_are_fixed() -> None:
    rig = Rig()
    camera = rig.open()
    (controls,) = rig.counts.controls
    assert controls == {
        "AeEnable": False,
        "ExposureTime": 20_000,
        "AnalogueGain": pytest.approx(2.3),
        "AwbEnable": False,
        "ColourGains": (1.5, 2.5),
        "AfMode": 0,
        "LensPosition": 1.7,
    }
    assert camera.notes == ()


def test_the_exposure_fits_the_mains() -> None:
    """CAM-14."""
    rig = Rig(CameraSettings(size_px=(320, 240), mains_hz=60))
    rig.open()
    assert rig.counts.controls[0]["ExposureTime"] == 16_667


def test_a_calibrated_focus_is_set_from_the_beginning_and_left_alone() -> None:
    rig = Rig(CameraSettings(size_px=(320, 240), lens_position=1.25))
    rig.open()
    assert "LensPosition" not in rig.counts.controls[0]


@pytest.mark.parametrize("metadata", [{"AeLocked": False, **MEASURED}, MEASURED, {}])
def test_exposure_that_never_settles_is_waited_for_no_longer_than_asked(
    metadata: Mapping[str, Any],
) -> None:
    """CAM-13."""
    rig = Rig(metadata=metadata)
    camera = rig.open()
    assert 3.0 <= rig.clock.now_s() - 100.0 < 3.2
    assert "did not finish measuring" in notes(camera)
    assert camera.read().seq == 0


def test_a_camera_with_fewer_controls_is_only_asked_for_those_it_has() -> None:
    some = {name: FULL_CONTROLS[name] for name in ("ExposureTime", "AnalogueGain")}
    rig = Rig(controls=some)
    rig.open()
    assert rig.counts.controls[0].keys() == some.keys()


def test_a_camera_without_controls_says_that_colours_may_drift() -> None:
    rig = Rig(controls={})
    assert "exposure cannot be set" in notes(rig.open())
    assert rig.counts.controls == []


def test_a_size_that_the_driver_changed_is_taken_and_said() -> None:
    rig = Rig(size_px=(256, 192))
    camera = rig.open()
    assert camera.size_px == (256, 192)
    picture = camera.read()
    assert picture.size_px == (256, 192)
    assert picture.luma is not None
    assert picture.luma.shape == (192, 256)
    assert "gives 256×192 instead of 320×240" in notes(camera)


def test_pictures_are_dated_by_the_sensor() -> None:
    rig = Rig(late_s=0.05)
    camera = rig.open()
    assert camera.read().at_s == pytest.approx(rig.clock.now_s() - 0.05)


def test_swapped_colours_fail_loudly() -> None:
    """CAM-11: a driver that delivers red and blue the wrong way round."""
    right, wrong = Rig().open().read(), Rig(swapped=True).open().read()
    assert quarter(right.bgr, 0, 0) == pytest.approx(BLUE, abs=12)
    with pytest.raises(AssertionError):
        assert quarter(wrong.bgr, 0, 0) == pytest.approx(BLUE, abs=12)
    height, width = right.bgr.shape[:2]
    patch = (slice(height // 2), slice(width // 4))
    assert check_patch(right.bgr[patch], "blue") is PatchResult.RIGHT
    assert check_patch(wrong.bgr[patch], "blue") is PatchResult.SWAPPED


def test_a_camera_that_never_gives_a_picture_times_out_and_is_given_back() -> None:
    """CAM-01."""
    rig = Rig(gives=lambda number: False)
    with pytest.raises(CameraTimeoutError, match=r"within 1 s\..*ribbon.*power supply"):
        rig.open()
    assert rig.counts.closed == 1
    assert rig.counts.held == 0


def test_waiting_on_after_a_time_out_loses_no_buffer() -> None:
    rig = Rig(gives=lambda number: number < 10 or number > 14)
    camera = rig.open()
    lost = 0
    for _ in range(30):
        try:
            camera.read()
        except CameraTimeoutError:
            lost += 1
    assert lost == 5
    assert rig.counts.held == 0


def test_a_busy_camera_says_who_has_it() -> None:
    rig = Rig(fails=RuntimeError("Failed to acquire camera: Device or resource busy"))
    with pytest.raises(CameraBusyError, match=r"rpicam-hello \(pid 812\)"):
        rig.open(holders=("rpicam-hello (pid 812)",))


def test_another_failure_of_opening_is_told_whole() -> None:
    rig = Rig(fails=RuntimeError("Cannot allocate memory"))
    with pytest.raises(CameraFailedError, match="did not complete; Cannot allocate memory"):
        rig.open()


def test_a_camera_that_is_not_there_is_absent() -> None:
    with pytest.raises(CameraAbsentError, match="no camera picamera2:0, nor any other"):
        Rig(cameras=0).open()
    with pytest.raises(CameraAbsentError, match="there is picamera2:0, picamera2:1"):
        Rig(cameras=2).open(2)


@pytest.mark.parametrize(
    ("missing", "package"),
    [
        ("picamera2", "python3-picamera2"),
        ("libcamera", "python3-libcamera"),
        ("pykms", r"python3-kms\+\+"),
        ("kms", r"python3-kms\+\+"),
        ("prctl", "python3-prctl"),
        ("libcamera._libcamera", "python3-libcamera"),
    ],
)
def test_a_missing_library_is_said_with_both_commands(missing: str, package: str) -> None:
    """CAM-17 and CAM-19."""

    def load(name: str) -> ModuleType:
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    with pytest.raises(CameraUnusableError, match=package) as caught:
        load_picamera2(load)
    sentence = caught.value.sentence
    for said in (sentence.ru, sentence.en):
        assert "sudo apt install --no-install-recommends python3-picamera2" in said
        assert "venv --system-site-packages" in said
        assert "--camera usb" in said


def test_libraries_that_do_not_fit_each_other_are_said() -> None:
    def load(name: str) -> ModuleType:
        raise ValueError("numpy.dtype size changed, may indicate binary incompatibility")

    with pytest.raises(CameraUnusableError, match=r"numpy.dtype size changed.*neither numpy"):
        load_picamera2(load)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fps", 0),
        ("fps", 61),
        ("warm_up_s", 6),
        ("capture_wait_s", 0.0),
        ("mains_hz", 55),
        ("size_px", (100, 100)),
        ("size_px", (641, 480)),
        ("lens_position", -1.0),
    ],
)
def test_a_setting_out_of_range_is_an_error_that_says_what_is_allowed(
    name: str, value: Any
) -> None:
    with pytest.raises(CameraSettingError, match=rf"camera\.{name}.*Allowed"):
        CameraSettings(**{name: value})
