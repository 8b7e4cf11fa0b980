"""The simulated table's camera: it photographs the newest scene, and only when asked."""

from threading import Lock

from hardware.camera import CameraError
from table.render import DEFAULT_SIZE_PX, render
from table.script import Shot
from vision.frame import Frame


class TableCamera:
    """A `hardware.Camera` over a table that is acted out.

    Whoever acts shows each shot as it falls; scenes nobody looked at in time are dropped, as a
    real camera drops pictures. Showing and reading may happen in different threads.
    """

    def __init__(self, size_px: tuple[int, int] = DEFAULT_SIZE_PX) -> None:
        self.size_px = size_px
        self._lock = Lock()
        self._shot: Shot | None = None
        self._seq = -1
        self._read_seq = -1
        self._frame: Frame | None = None
        self._dropped = 0
        self._closed = False

    @property
    def dropped(self) -> int:
        """How many scenes before the newest one were never read."""
        with self._lock:
            return self._dropped

    def show(self, shot: Shot) -> None:
        """Make this the scene in front of the lens."""
        with self._lock:
            if self._shot is not None and self._read_seq != self._seq:
                self._dropped += 1
            self._shot = shot
            self._seq += 1

    def read(self) -> Frame:
        """Photograph the newest scene; the same scene gives the same frame again.

        Raises:
            CameraError: closed, or nothing was shown yet.
        """
        with self._lock:
            if self._closed:
                raise CameraError("the camera is closed")
            shot, seq, frame = self._shot, self._seq, self._frame
            if shot is None:
                raise CameraError("there is nothing in front of the camera yet")
            self._read_seq = seq
        if frame is not None and frame.seq == seq:
            return frame
        # Outside the lock: the table need not wait for a picture.
        frame = Frame(render(shot.scene, self.size_px), shot.at_s, seq)
        with self._lock:
            self._frame = frame
        return frame

    def close(self) -> None:
        """Give no more pictures."""
        with self._lock:
            self._closed = True
