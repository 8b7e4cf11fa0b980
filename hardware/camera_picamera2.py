"""The Raspberry Pi's ribbon camera, through picamera2.

All of it belongs to one thread: picamera2 is not made for more. The camera is configured once,
when it is opened; each further time would cost memory that comes back only with a reboot.
"""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from hardware.camera_errors import (
    CameraAbsentError,
    CameraBusyError,
    CameraClosedError,
    CameraFailedError,
    CameraTimeoutError,
)
from hardware.camera_holder import media_holders
from hardware.camera_settings import CameraSettings
from hardware.clock import Clock, SystemClock
from hardware.errors import Sentence
from hardware.pi_api import PiCamera, PiLibrary, PiRequest
from hardware.pi_formats import WANTED, WANTED_SMALL, to_bgr, to_luma
from hardware.pi_library import load_picamera2
from hardware.pi_light import before_start, lock, measure
from hardware.picture import CameraPicture, Pixels
from hardware.stamps import StampClock

_BUFFERS = 4


class Picamera2Camera:
    """A `Camera` on the ribbon connector. Open, read and close it in one and the same thread.

    Args:
        number: which of the cameras that are plugged in.
        settings: what is asked for.
        clock: monotonic, the one that sensors stamp with.
        library: picamera2's class; loaded when None.
        holders: says who else has a camera.

    Raises:
        CameraUnusableError: picamera2 is missing or broken.
        CameraAbsentError: no such camera.
        CameraBusyError: another program has it.
        CameraTimeoutError: it gives no picture.
        CameraFailedError: anything else the driver says.
    """

    def __init__(
        self,
        number: int = 0,
        settings: CameraSettings | None = None,
        *,
        clock: Clock | None = None,
        library: PiLibrary | None = None,
        holders: Callable[[], tuple[str, ...]] = media_holders,
    ) -> None:
        self.name = f"picamera2:{number}"
        self.settings = settings or CameraSettings()
        self.notes: tuple[Sentence, ...] = ()
        """What a person should know of this camera's picture."""
        self._clock = clock or SystemClock()
        self._stamps = StampClock()
        self._seq = -1
        self._job: object | None = None
        self._camera: PiCamera | None = None
        camera = _opened(library or load_picamera2(), number, self.name, holders)
        self._camera = camera
        try:
            self._configure(camera)
            camera.start()
            if self.settings.lock_exposure:
                self._lock(camera)
        except BaseException as error:
            self.close()
            if isinstance(error, RuntimeError) and type(error) is RuntimeError:
                raise CameraFailedError(str(error)) from error
            raise

    @property
    def size_px(self) -> tuple[int, int]:
        """(width, height) as the driver set it, which may not be what was asked for."""
        return self._main_px

    def read(self) -> CameraPicture:
        """Wait for the next picture and return it.

        Raises:
            CameraClosedError: `close` was called.
            CameraTimeoutError: none came in time; reading again goes on waiting.
            CameraFailedError: the driver gave up.
        """
        request = self._next(self._open_camera())
        try:
            arrived_s = self._clock.now_s()
            bgr = to_bgr(request.make_array("main"), self._main_layout, self._main_px)
            luma = self._luma(request)
            stamp_ns = request.get_metadata().get("SensorTimestamp")
        except RuntimeError as error:
            raise CameraFailedError(str(error)) from error
        finally:
            # Whatever happened: a buffer kept is one the camera lacks for ever.
            request.release()
        at_s, self._stamps = self._stamps.mapped(
            stamp_ns / 1e9 if stamp_ns else None, arrived_s
        )
        self._seq += 1
        return CameraPicture(bgr, at_s, self._seq, luma)

    def close(self) -> None:
        """Give the camera back. May be called twice."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        # A camera that hangs refuses any of these; the next is still to be tried.
        for step in (camera.cancel_all_and_flush, camera.stop, camera.close):
            with suppress(Exception):
                step()
        self._job = None

    def _configure(self, camera: PiCamera) -> None:
        asked = self.settings
        camera.configure(
            camera.create_video_configuration(
                main={"size": asked.size_px, "format": WANTED},
                lores={"size": asked.small_px, "format": WANTED_SMALL},
                buffer_count=_BUFFERS,
                controls=before_start(asked, camera.camera_controls),
                # No picture kept back from before it was asked for.
                queue=False,
            )
        )
        # The driver adjusts silently what it cannot do: only this tells what came of it.
        real = camera.camera_configuration()
        self._main_px, self._main_layout = _stream(real["main"])
        small = real.get("lores")
        self._small = None if small is None else _stream(small)
        if self._main_px != asked.size_px:
            self.notes += (_other_size(asked.size_px, self._main_px),)

    def _lock(self, camera: PiCamera) -> None:
        known = camera.camera_controls
        said, settled = measure(self._metadata, self._clock.now_s, self.settings, known)
        locked = lock(said, settled, self.settings, known)
        self.notes += locked.notes
        if locked.controls:
            camera.set_controls(locked.controls)

    def _metadata(self) -> Mapping[str, Any]:
        request = self._next(self._open_camera())
        try:
            return dict(request.get_metadata())
        finally:
            request.release()

    def _next(self, camera: PiCamera) -> PiRequest:
        # The job is kept when the time is up: a job that is forgotten still takes a picture
        # when one comes, and its buffer would never be given back.
        if self._job is None:
            self._job = camera.capture_request(wait=False)
        try:
            request = camera.wait(self._job, timeout=self.settings.capture_wait_s)
        except TimeoutError as error:
            raise CameraTimeoutError(self.settings.capture_wait_s) from error
        except RuntimeError as error:
            self._job = None
            raise CameraFailedError(str(error)) from error
        self._job = None
        return request

    def _luma(self, request: PiRequest) -> Pixels | None:
        if self._small is None:
            return None
        size_px, layout = self._small
        return to_luma(request.make_array("lores"), layout, size_px)

    def _open_camera(self) -> PiCamera:
        if self._camera is None:
            raise CameraClosedError
        return self._camera


def _opened(
    library: PiLibrary, number: int, name: str, holders: Callable[[], tuple[str, ...]]
) -> PiCamera:
    there = [f"picamera2:{one.get('Num', n)}" for n, one in enumerate(_known(library))]
    if number >= len(there):
        raise CameraAbsentError(name, tuple(there))
    try:
        return _built(library, number)
    except (RuntimeError, IndexError) as error:
        said = _whole_story(error)
        if "busy" in said.lower():
            raise CameraBusyError(name, holders()) from error
        raise CameraFailedError(said) from error


def _built(library: PiLibrary, number: int) -> PiCamera:
    """Build picamera2's object in two steps, so that what a failure leaves can be tidied up.

    It opens a pipe before it looks for the camera and forgets it when there is none. A busy
    camera is tried for hours, which would use up all the files a program may have open.
    """
    kind: Any = library
    camera: Any = kind.__new__(kind)
    try:
        camera.__init__(number)
    except BaseException:
        with suppress(AttributeError, OSError):
            camera.notifymeread.close()
            os.close(camera.notifyme_w)
        raise
    built: PiCamera = camera
    return built


def _whole_story(error: BaseException) -> str:
    """Join what lies behind an error: picamera2 itself says only that opening failed."""
    said = []
    behind: BaseException | None = error
    while behind is not None:
        said.append(str(behind).rstrip("."))
        behind = behind.__cause__ or behind.__context__
    return "; ".join(said)


def _known(library: PiLibrary) -> list[dict[str, Any]]:
    try:
        return library.global_camera_info()
    except RuntimeError as error:
        raise CameraFailedError(str(error)) from error


def _stream(settings: Mapping[str, Any]) -> tuple[tuple[int, int], str]:
    width, height = settings["size"]
    return (int(width), int(height)), str(settings["format"])


def _other_size(asked: tuple[int, int], given: tuple[int, int]) -> Sentence:
    asked_px, given_px = f"{asked[0]}×{asked[1]}", f"{given[0]}×{given[1]}"
    return Sentence(
        f"Вместо {asked_px} камера даёт {given_px}.",
        f"The camera gives {given_px} instead of {asked_px}.",
    )
