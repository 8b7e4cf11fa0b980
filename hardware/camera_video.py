"""A video file as a camera, with the times that stand in it."""

from pathlib import Path

import cv2
import numpy as np

from hardware.camera_errors import CameraClosedError, CameraOverError, CameraUnusableError
from hardware.errors import Sentence
from hardware.picture import CameraPicture


class VideoCamera:
    """A `Camera` that gives every frame of a file, one a call, as fast as it is asked.

    The times are the recording's own; `PacedCamera` shows it at its own speed.

    Args:
        path: the file.

    Raises:
        CameraUnusableError: no such file, or none that OpenCV can decode.
    """

    def __init__(self, path: Path) -> None:
        self.name = f"video:{path}"
        self._seq = -1
        self._at_s = 0.0
        self._closed = False
        if not path.is_file():
            raise CameraUnusableError(
                Sentence(f"Видеофайла {path} нет.", f"There is no video file {path}.")
            )
        self._capture = cv2.VideoCapture(str(path))
        self._frame_s = 1 / (self._capture.get(cv2.CAP_PROP_FPS) or 25.0)
        if not self._capture.isOpened():
            raise CameraUnusableError(
                Sentence(
                    f"{path} не читается как видео.", f"{path} is no video that can be decoded."
                )
            )

    def read(self) -> CameraPicture:
        """Return the next frame.

        Raises:
            CameraClosedError: `close` was called.
            CameraOverError: that was the last one.
        """
        if self._closed:
            raise CameraClosedError
        good, bgr = self._capture.read()
        if not good:
            raise CameraOverError(self.name)
        self._seq += 1
        at_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        # Some containers have no times, or give zero for every frame.
        if self._seq and at_s <= self._at_s:
            at_s = self._at_s + self._frame_s
        self._at_s = at_s
        return CameraPicture(np.array(bgr, np.uint8, order="C"), at_s, self._seq)

    def close(self) -> None:
        """Close the file. May be called twice."""
        self._closed = True
        self._capture.release()
