"""USB cameras, through OpenCV and Linux's own interface."""

import errno
import os
from collections.abc import Callable
from typing import Any, Protocol

import cv2
import numpy as np

from hardware.camera_errors import (
    CameraAbsentError,
    CameraBusyError,
    CameraClosedError,
    CameraFailedError,
    CameraTimeoutError,
)
from hardware.camera_holder import video_holders
from hardware.camera_settings import CameraSettings
from hardware.clock import Clock, SystemClock
from hardware.errors import Sentence
from hardware.exposure import Exposure, Limits, MainsHz, without_bands
from hardware.picture import CameraPicture
from hardware.stamps import StampClock
from hardware.v4l2_devices import filter_mains, usb_cameras

_MOST_OLD = 8
"""Pictures passed over at most to reach the newest: drivers keep four or so."""
_OLD_FRAMES = 1.5
"""A picture this many frame times old has a newer one behind it."""
_MANUAL, _AUTO = 1.0, 3.0
"""What V4L2 calls the two ways to expose."""
_EXPOSURE_STEP_US = 100


class VideoCapture(Protocol):
    """What we use of `cv2.VideoCapture`."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether there is a camera at all."""
        ...

    def set(self, propId: int, value: float) -> bool:  # noqa: N803 - OpenCV's name
        """Ask for a property."""
        ...

    def get(self, propId: int) -> float:  # noqa: N803 - OpenCV's name
        """Return what a property really is."""
        ...

    def grab(self) -> bool:
        """Take the next picture."""
        ...

    def retrieve(self) -> tuple[bool, Any]:
        """Decode it: whether that went well, and (H, W, 3) uint8."""
        ...

    def release(self) -> None:
        """Give the camera back."""
        ...


def open_with_opencv(device: str) -> VideoCapture:
    """Open a device with Linux's interface alone: others buffer more."""
    return cv2.VideoCapture(device, cv2.CAP_V4L2)


class V4l2Camera:
    """A `Camera` on USB.

    Args:
        device: such as `/dev/video0`.
        settings: what is asked for.
        clock: monotonic.
        opener: what opens the device.
        holders: says who else has it.
        mains: what tells it the mains frequency.

    Raises:
        CameraAbsentError: no such device.
        CameraBusyError: another program has it.
        CameraFailedError: it is no camera, or may not be opened.
        CameraTimeoutError: it gives no picture.
    """

    def __init__(
        self,
        device: str = "/dev/video0",
        settings: CameraSettings | None = None,
        *,
        clock: Clock | None = None,
        opener: Callable[[str], VideoCapture] = open_with_opencv,
        holders: Callable[[str], tuple[str, ...]] = video_holders,
        mains: Callable[[str, MainsHz], object] = filter_mains,
    ) -> None:
        self.name = f"v4l2:{device}"
        self.settings = settings or CameraSettings()
        self.notes: tuple[Sentence, ...] = ()
        """What a person should know of this camera's picture."""
        self._clock = clock or SystemClock()
        self._stamps = StampClock()
        self._seq = -1
        self._capture: VideoCapture | None = _opened(device, self.name, opener, holders)
        try:
            mains(device, self.settings.mains_hz)
            self._ask(self._capture)
            if self.settings.lock_exposure:
                self._lock(self._capture)
        except BaseException:
            self.close()
            raise

    @property
    def size_px(self) -> tuple[int, int]:
        """(width, height) as the driver set it, which may not be what was asked for."""
        return self._size_px

    def read(self) -> CameraPicture:
        """Return the newest picture, passing over those that lay waiting in the driver.

        Raises:
            CameraClosedError: `close` was called.
            CameraTimeoutError: none came in time (OpenCV itself waits for ten seconds).
            CameraFailedError: a picture that cannot be decoded.
        """
        capture = self._open_capture()
        for _ in range(_MOST_OLD):
            if not capture.grab():
                raise CameraTimeoutError(self.settings.capture_wait_s)
            arrived_s = self._clock.now_s()
            stamp_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            at_s, self._stamps = self._stamps.mapped(stamp_s, arrived_s)
            self._seq += 1
            if arrived_s - at_s <= _OLD_FRAMES / self.settings.fps:
                break
        good, bgr = capture.retrieve()
        if not good or bgr is None or bgr.ndim != 3:
            raise CameraFailedError("the picture cannot be decoded")
        self._size_px = bgr.shape[1], bgr.shape[0]
        # OpenCV decodes into a buffer that it uses again.
        return CameraPicture(np.array(bgr, np.uint8, order="C"), at_s, self._seq)

    def close(self) -> None:
        """Give the camera back. May be called twice."""
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def _ask(self, capture: VideoCapture) -> None:
        width, height = self.settings.size_px
        # Compressed pictures first: raw ones of this size do not fit through USB 2 in time.
        capture.set(cv2.CAP_PROP_FOURCC, float(cv2.VideoWriter.fourcc(*"MJPG")))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        capture.set(cv2.CAP_PROP_FPS, self.settings.fps)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._size_px = (
            int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
            int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        )
        if self._size_px != (width, height):
            given = f"{self._size_px[0]}×{self._size_px[1]}"
            self.notes += (
                Sentence(
                    f"Вместо {width}×{height} камера даёт {given}.",
                    f"The camera gives {given} instead of {width}×{height}.",
                ),
            )

    def _lock(self, capture: VideoCapture) -> None:
        """Let the camera look for a while, then hold exposure, white balance and focus."""
        capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTO)
        until_s = self._clock.now_s() + self.settings.warm_up_s
        while self._clock.now_s() < until_s:
            if not capture.grab():
                raise CameraTimeoutError(self.settings.capture_wait_s)
        measured_us = round(capture.get(cv2.CAP_PROP_EXPOSURE)) * _EXPOSURE_STEP_US
        if not capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL) or measured_us <= 0:
            self.notes += (_CANNOT_LOCK,)
        else:
            limits = Limits(most_us=self.settings.frame_us)
            chosen = without_bands(Exposure(measured_us, 1.0), self.settings.mains_hz, limits)
            time_us = chosen.exposure.time_us
            capture.set(cv2.CAP_PROP_EXPOSURE, round(time_us / _EXPOSURE_STEP_US))
        capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        capture.set(cv2.CAP_PROP_AUTOFOCUS, 0)

    def _open_capture(self) -> VideoCapture:
        if self._capture is None:
            raise CameraClosedError
        return self._capture


def _opened(
    device: str,
    name: str,
    opener: Callable[[str], VideoCapture],
    holders: Callable[[str], tuple[str, ...]],
) -> VideoCapture:
    capture = opener(device)
    if capture.isOpened():
        return capture
    capture.release()
    # OpenCV does not say why; the system does.
    try:
        os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
            there = tuple(f"v4l2:{one.path}" for one in usb_cameras())
            raise CameraAbsentError(name, there) from error
        if error.errno == errno.EBUSY:
            raise CameraBusyError(name, holders(device)) from error
        if error.errno in (errno.EACCES, errno.EPERM):
            raise CameraFailedError(
                f"{error.strerror}; sudo usermod -aG video $USER, then log in again"
            ) from error
        raise CameraFailedError(str(error.strerror)) from error
    who = holders(device)
    if who:
        raise CameraBusyError(name, who)
    raise CameraFailedError(f"{device} gives no pictures")


_CANNOT_LOCK = Sentence(
    "Выдержку этой камеры не закрепить: цвета могут плыть, когда над доской рука.",
    "This camera's exposure cannot be held: colours may drift while a hand is over the board.",
)
