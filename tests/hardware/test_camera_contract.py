"""The one suite over every camera that can be had without a device."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from hardware.camera import Camera
from hardware.camera_folder import FolderCamera
from hardware.camera_paced import PacedCamera
from hardware.camera_picamera2 import Picamera2Camera
from hardware.camera_settings import CameraSettings
from hardware.camera_steady import SteadyCamera
from hardware.camera_v4l2 import V4l2Camera
from hardware.camera_video import VideoCamera
from hardware.clock import ManualClock
from table.camera import TableCamera
from table.looks import LOOKS
from table.scene import Scene
from table.script import Shot
from tests.hardware.camera_contract import CameraContract
from tests.hardware.fakes.picamera2 import fake_library
from tests.hardware.fakes.usb import FakeUsb
from tests.hardware.scenes import scene

SIZE = (320, 240)
SETTINGS = CameraSettings(size_px=SIZE, small_px=(64, 64))


class TestRibbonCamera(CameraContract):
    @pytest.fixture(params=["RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "NV12"])
    def camera(self, request: pytest.FixtureRequest) -> Iterator[Camera]:
        clock = ManualClock(5.0)
        library = fake_library(
            layout=request.param, now_s=clock.now_s, on_wait=lambda: clock.advance(0.07)
        )
        camera = Picamera2Camera(0, SETTINGS, clock=clock, library=library)
        yield camera
        camera.close()


class TestUsbCamera(CameraContract):
    @pytest.fixture
    def camera(self) -> Iterator[Camera]:
        clock = ManualClock(5.0)
        usb = FakeUsb(clock, SIZE)
        camera = V4l2Camera(
            "/dev/video0", SETTINGS, clock=clock, opener=usb.open, mains=usb.mains
        )
        yield camera
        camera.close()


def folder_of_pictures(folder: Path, count: int = 8) -> Path:
    for number in range(count):
        assert cv2.imwrite(str(folder / f"{number:03}.png"), scene(SIZE, number))
    return folder


class TestFolderCamera(CameraContract):
    @pytest.fixture
    def camera(self, tmp_path: Path) -> Iterator[Camera]:
        camera = FolderCamera(folder_of_pictures(tmp_path))
        yield camera
        camera.close()


class TestPacedCamera(CameraContract):
    @pytest.fixture
    def camera(self, tmp_path: Path) -> Iterator[Camera]:
        clock = ManualClock(50.0)
        folder = FolderCamera(folder_of_pictures(tmp_path))
        camera = PacedCamera(folder, clock, clock.advance)
        yield camera
        camera.close()


def write_video(path: Path, count: int = 8, fps: float = 10.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, SIZE)
    assert writer.isOpened()
    for number in range(count):
        writer.write(scene(SIZE, number))
    writer.release()
    return path


class TestVideoCamera(CameraContract):
    @pytest.fixture
    def camera(self, tmp_path: Path) -> Iterator[Camera]:
        camera = VideoCamera(write_video(tmp_path / "a.avi"))
        yield camera
        camera.close()


class TestTableCamera(CameraContract):
    shows_scene = False

    @pytest.fixture
    def camera(self) -> Iterator[Camera]:
        camera = TableCamera(SIZE)
        camera.show(Shot(1.0, "before", Scene(LOOKS["walnut"])))
        yield camera
        camera.close()


class TestSteadyCamera(CameraContract):
    @pytest.fixture
    def camera(self, tmp_path: Path) -> Iterator[Camera]:
        clock = ManualClock(5.0)
        folder = folder_of_pictures(tmp_path)
        steady = SteadyCamera(
            "folder", lambda: PacedCamera(FolderCamera(folder), clock, clock.advance), clock
        )
        steady.step()
        steady.step()
        yield steady
        steady.close()
