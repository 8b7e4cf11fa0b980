import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from hardware.camera_errors import (
    CameraAbsentError,
    CameraBusyError,
    CameraFailedError,
    CameraTimeoutError,
)
from hardware.camera_settings import CameraSettings
from hardware.camera_v4l2 import V4l2Camera, open_with_opencv
from hardware.clock import ManualClock
from hardware.v4l2_devices import VideoDevice, filter_mains, usb_cameras
from tests.hardware.fakes.usb import FakeUsb

SIZE = (640, 480)


class Rig:
    def __init__(self, **behaviour: Any) -> None:
        self.clock = ManualClock(20.0)
        self.usb = FakeUsb(self.clock, **behaviour)

    def open(self, device: str = "/dev/video0", holders: tuple[str, ...] = ()) -> V4l2Camera:
        return V4l2Camera(
            device,
            CameraSettings(size_px=SIZE, warm_up_s=1.0),
            clock=self.clock,
            opener=self.usb.open,
            mains=self.usb.mains,
            holders=lambda name: holders,
        )


def test_compressed_pictures_of_the_size_are_asked_for_and_one_kept() -> None:
    rig = Rig()
    rig.open()
    asked = rig.usb.set_to
    assert asked[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert asked[cv2.CAP_PROP_FRAME_WIDTH] == SIZE[0]
    assert asked[cv2.CAP_PROP_FRAME_HEIGHT] == SIZE[1]
    assert asked[cv2.CAP_PROP_BUFFERSIZE] == 1
    assert list(asked).index(cv2.CAP_PROP_FOURCC) < list(asked).index(cv2.CAP_PROP_FRAME_WIDTH)


def test_exposure_is_measured_and_then_held_to_fit_the_mains() -> None:
    rig = Rig(exposure=157)
    rig.open()
    assert rig.clock.now_s() >= 21.0
    assert rig.usb.set_to[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
    assert rig.usb.set_to[cv2.CAP_PROP_EXPOSURE] == 100
    assert rig.usb.set_to[cv2.CAP_PROP_AUTOFOCUS] == 0
    assert rig.usb.mains_hz == 50


def test_a_camera_that_cannot_hold_its_exposure_says_so() -> None:
    camera = Rig(can_hold_exposure=False).open()
    assert "exposure cannot be held" in camera.notes[0].en


def test_another_size_than_asked_for_is_taken_and_said() -> None:
    camera = Rig(gives_px=(800, 600)).open()
    assert camera.size_px == (800, 600)
    assert camera.read().size_px == (800, 600)
    assert "gives 800×600 instead of 640×480" in camera.notes[0].en


def test_only_the_newest_picture_is_handed_out() -> None:
    rig = Rig()
    camera = rig.open()
    first = camera.read()
    rig.clock.advance(3.0)  # the reader was busy, the driver's buffers are full and old
    second = camera.read()
    assert rig.clock.now_s() - second.at_s <= 0.1
    assert second.seq - first.seq > 1


def test_a_driver_without_stamps_is_read_all_the_same() -> None:
    rig = Rig(stamps=False)
    camera = rig.open()
    assert camera.read().at_s == pytest.approx(rig.clock.now_s())


def test_pictures_survive_opencv_using_its_buffer_again() -> None:
    camera = Rig().open()
    first = camera.read()
    kept = first.bgr.copy()
    camera.read()
    assert np.array_equal(first.bgr, kept)


def test_a_camera_that_was_pulled_out_times_out() -> None:
    rig = Rig()
    camera = rig.open()
    rig.usb.dead = True
    with pytest.raises(CameraTimeoutError):
        camera.read()


def test_a_picture_that_cannot_be_decoded_is_one_failure() -> None:
    rig = Rig()
    camera = rig.open()
    rig.usb.broken = True
    with pytest.raises(CameraFailedError, match="cannot be decoded"):
        camera.read()
    rig.usb.broken = False
    camera.read()


def test_a_camera_that_dies_while_warming_up_is_given_back() -> None:
    rig = Rig(dead=True)
    with pytest.raises(CameraTimeoutError):
        rig.open()
    assert rig.usb.released == 1


def test_a_device_that_is_not_there_is_absent() -> None:
    rig = Rig(there=False)
    with pytest.raises(CameraAbsentError, match="no camera v4l2:/dev/video77"):
        rig.open("/dev/video77")
    assert rig.usb.released == 1


def test_a_device_that_another_program_has_is_busy(tmp_path: Path) -> None:
    device = tmp_path / "video0"
    device.touch()
    with pytest.raises(CameraBusyError, match=r"held by vlc \(pid 77\)"):
        Rig(there=False).open(str(device), ("vlc (pid 77)",))


def test_a_device_that_gives_no_pictures_is_said(tmp_path: Path) -> None:
    device = tmp_path / "video0"
    device.touch()
    with pytest.raises(CameraFailedError, match="gives no pictures"):
        Rig(there=False).open(str(device))


def test_a_device_that_may_not_be_opened_names_the_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: str, flags: int) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(CameraFailedError, match="usermod -aG video"):
        Rig(there=False).open(str(tmp_path))


def test_opencv_itself_says_no_to_a_device_that_is_not_there(
    capfd: pytest.CaptureFixture[str],
) -> None:
    capture = open_with_opencv("/dev/video77")
    assert not capture.isOpened()
    capture.release()


def plug(sys: Path, number: int, name: str, index: int, *, usb: bool) -> None:
    where = sys.parent / ("devices/usb1/1-1" if usb else "devices/platform/codec")
    where.mkdir(parents=True, exist_ok=True)
    folder = sys / f"video{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(name + "\n")
    (folder / "index").write_text(f"{index}\n")
    (folder / "device").symlink_to(where)


def test_only_usb_cameras_that_give_pictures_are_listed_in_order(tmp_path: Path) -> None:
    sys = tmp_path / "video4linux"
    plug(sys, 10, "bcm2835-codec-decode", 0, usb=False)
    plug(sys, 11, "C920", 0, usb=True)
    plug(sys, 2, "C270", 0, usb=True)
    plug(sys, 12, "C920", 1, usb=True)
    assert usb_cameras(sys) == (
        VideoDevice("/dev/video2", "C270"),
        VideoDevice("/dev/video11", "C920"),
    )
    assert usb_cameras(tmp_path / "nothing") == ()


def test_the_mains_frequency_is_set_by_the_kernels_own_call(tmp_path: Path) -> None:
    device = tmp_path / "video0"
    device.touch()
    asked: list[tuple[int, bytes]] = []
    assert filter_mains(str(device), 60, lambda fd, what, data: asked.append((what, data)))
    assert asked == [(0xC008561C, b"\x18\x09\x98\x00\x02\x00\x00\x00")]


def test_a_camera_without_a_mains_filter_is_left_as_it_is(tmp_path: Path) -> None:
    device = tmp_path / "video0"
    device.touch()
    # A plain file refuses the call as a camera without the control does.
    assert not filter_mains(str(device), 50)
    assert not filter_mains(str(tmp_path / "none"), 50)
