"""The members of picamera2 that we use, as types: the whole contract with the library.

`tests/hardware/fakes/picamera2.py` has the very same signatures, and both are compared with the
installed library by `make test-picamera2`.
"""

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias

from hardware.picture import Pixels

StreamSettings: TypeAlias = dict[str, Any]
"""`size`, `format`, `stride` …: what picamera2 says of a stream."""


class PiRequest(Protocol):
    """A completed request: a set of buffers that must be given back."""

    def make_array(self, name: str) -> Pixels:
        """Copy a stream's picture out of its buffer."""
        ...

    def get_metadata(self) -> Mapping[str, Any]:
        """Return what the sensor said of this picture."""
        ...

    def release(self) -> None:
        """Give the buffers back to the camera."""
        ...


class PiCamera(Protocol):
    """`picamera2.Picamera2`."""

    @property
    def camera_controls(self) -> Mapping[str, tuple[Any, Any, Any]]:
        """Least, greatest and default value of each control the camera has."""
        ...

    def create_video_configuration(
        self,
        main: StreamSettings = ...,
        lores: StreamSettings | None = ...,
        *,
        buffer_count: int = ...,
        controls: dict[str, Any] = ...,
        queue: bool = ...,
    ) -> dict[str, Any]:
        """Make a configuration for pictures in a row."""
        ...

    def configure(self, camera_config: dict[str, Any]) -> None:
        """Set the camera up; the driver may change sizes and formats."""
        ...

    def camera_configuration(self) -> dict[str, Any]:
        """Return how it really is set up."""
        ...

    def start(self) -> None:
        """Start taking pictures."""
        ...

    def set_controls(self, controls: dict[str, Any]) -> None:
        """Set controls; they act some pictures later."""
        ...

    def capture_request(self, wait: bool = ...) -> Any:
        """With `wait=False` return a job for the next picture."""
        ...

    def wait(self, job: Any, timeout: float | None = ...) -> PiRequest:
        """Wait for a job; raises TimeoutError."""
        ...

    def cancel_all_and_flush(self) -> None:
        """Throw away the jobs nobody waits for any more."""
        ...

    def stop(self) -> None:
        """Take no more pictures."""
        ...

    def close(self) -> None:
        """Give the camera back."""
        ...


class PiLibrary(Protocol):
    """The class `picamera2.Picamera2` itself."""

    def __call__(self, camera_num: int) -> PiCamera:
        """Open a camera."""
        ...

    def global_camera_info(self) -> list[dict[str, Any]]:
        """Return `Num`, `Model`, `Id` … of each camera that is plugged in."""
        ...
