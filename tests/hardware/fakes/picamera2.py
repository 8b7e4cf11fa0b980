"""picamera2's members that we use, with the very same signatures; no camera behind them.

`test_picamera2_real.py` compares the signatures with the installed library's.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import cv2
import numpy as np

from hardware.pi_api import PiLibrary
from hardware.picture import Pixels
from tests.hardware.scenes import scene

FULL_CONTROLS: dict[str, tuple[Any, Any, Any]] = {
    "AeEnable": (False, True, None),
    "AeFlickerMode": (0, 1, 0),
    "AeFlickerPeriod": (100, 1000000, None),
    "AfMode": (0, 2, 0),
    "AfTrigger": (0, 1, 0),
    "AnalogueGain": (1.0, 16.0, None),
    "AwbEnable": (False, True, None),
    "ColourGains": (0.0, 32.0, None),
    "ExposureTime": (29, 220000, None),
    "FrameDurationLimits": (33333, 120000, None),
    "LensPosition": (0.0, 32.0, 1.0),
}


@dataclass(frozen=True)
class Behaviour:
    """What the fake camera does."""

    cameras: int = 1
    layout: str | None = None
    """The main stream's format that the driver really delivers."""
    size_px: tuple[int, int] | None = None
    """The size that it really delivers."""
    padding: int = 0
    controls: Mapping[str, tuple[Any, Any, Any]] = field(default_factory=lambda: FULL_CONTROLS)
    metadata: Mapping[str, Any] = field(
        default_factory=lambda: {
            "AeLocked": True,
            "AfState": 2,
            "ExposureTime": 23_000,
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 2.5),
            "LensPosition": 1.7,
        }
    )
    now_s: Callable[[], float] = lambda: 100.0
    late_s: float = 0.0
    """How long ago the sensor exposed what comes now."""
    gives: Callable[[int], bool] = lambda number: True
    """Whether the nth picture comes; False lets the wait time out."""
    fails: Exception | None = None
    """What opening it says."""
    swapped: bool = False
    """The bug of red and blue swapped."""
    on_wait: Callable[[], object] = lambda: None


@dataclass
class Counts:
    """What was done to the camera."""

    opened: int = 0
    configured: int = 0
    closed: int = 0
    held: int = 0
    """Requests that were not given back."""
    controls: list[dict[str, Any]] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)


class FakeRequest:
    def __init__(self, camera: "FakePicamera2", number: int) -> None:
        self._camera = camera
        self._number = number

    def make_array(self, name: str) -> Pixels:
        config = self._camera.camera_configuration()[name]
        bgr = scene(config["size"], self._number)
        if self._camera.behaviour.swapped:
            bgr = np.ascontiguousarray(bgr[..., ::-1])
        return encode(bgr, config["format"], self._camera.behaviour.padding)

    def get_metadata(self) -> dict[str, Any]:
        behaviour = self._camera.behaviour
        picture_s = behaviour.now_s() - behaviour.late_s
        return {**behaviour.metadata, "SensorTimestamp": round(picture_s * 1e9)}

    def release(self) -> None:
        self._camera.counts.held -= 1


class FakePicamera2:
    behaviour: ClassVar[Behaviour]
    counts: ClassVar[Counts]

    def __init__(
        self,
        camera_num: Any = 0,
        verbose_console: Any = None,
        tuning: Any = None,
        allocator: Any = None,
    ) -> None:
        if self.behaviour.fails is not None:
            # As the real one: it says nothing itself and hides the reason behind.
            message = "Camera __init__ sequence did not complete."
            raise RuntimeError(message) from self.behaviour.fails
        self.counts.opened += 1
        self._number = 0
        self._config: dict[str, Any] = {}
        self._jobs: list[object] = []

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        raise NotImplementedError

    @property
    def camera_controls(self) -> Mapping[str, tuple[Any, Any, Any]]:
        return self.behaviour.controls

    def create_video_configuration(
        self,
        main: Any = {},  # noqa: B006 - picamera2's own
        lores: Any = None,
        raw: Any = {},  # noqa: B006
        transform: Any = None,
        colour_space: Any = None,
        buffer_count: Any = 6,
        controls: Any = {},  # noqa: B006
        display: Any = "main",
        encode: Any = "main",
        queue: Any = True,
        sensor: Any = {},  # noqa: B006
        use_case: Any = "video",
    ) -> dict[str, Any]:
        for name in controls:
            if name not in self.behaviour.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        return {"main": dict(main), "lores": lores and dict(lores), "queue": queue}

    def configure(self, camera_config: Any = None) -> None:
        self._here()
        self.counts.configured += 1
        self._config = camera_config
        for stream in ("main", "lores"):
            if self._config[stream] is None:
                continue
            if self.behaviour.layout is not None:
                self._config[stream]["format"] = self.behaviour.layout
            if self.behaviour.size_px is not None:
                self._config[stream]["size"] = self.behaviour.size_px

    def camera_configuration(self) -> dict[str, Any]:
        return self._config

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        self._here()

    def set_controls(self, controls: Any) -> None:
        for name in controls:
            if name not in self.behaviour.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.counts.controls.append(dict(controls))

    def capture_request(
        self, wait: Any = None, signal_function: Any = None, flush: Any = None
    ) -> Any:
        self._here()
        job = object()
        self._jobs.append(job)
        return job

    def wait(self, job: Any, timeout: Any = None) -> FakeRequest:
        self._here()
        assert job in self._jobs
        self.behaviour.on_wait()
        number, self._number = self._number, self._number + 1
        if not self.behaviour.gives(number):
            raise TimeoutError
        self._jobs.remove(job)
        self.counts.held += 1
        return FakeRequest(self, number)

    def cancel_all_and_flush(self) -> None:
        self._jobs.clear()

    def stop(self) -> None:
        self._here()

    def close(self) -> None:
        self._here()
        self.counts.closed += 1

    def _here(self) -> None:
        self.counts.threads.add(threading.get_ident())


def fake_library(behaviour: Behaviour | None = None, **changes: Any) -> PiLibrary:
    """Return a class like `picamera2.Picamera2`, with counts of its own as `counts`."""
    does = replace(behaviour or Behaviour(), **changes)

    class Picamera2(FakePicamera2):
        behaviour = does
        counts = Counts()

        @staticmethod
        def global_camera_info() -> list[dict[str, Any]]:
            return [
                {"Num": number, "Model": "imx708", "Id": f"/base/i2c@{number}/imx708@1a"}
                for number in range(does.cameras)
            ]

    library: PiLibrary = Picamera2
    return library


def counts_of(library: PiLibrary) -> Counts:
    counts = library.counts  # type: ignore[attr-defined]
    assert isinstance(counts, Counts)
    return counts


def encode(bgr: Pixels, layout: str, padding: int = 0) -> Pixels:
    """Lay a picture out as `make_array` of picamera2 gives it."""
    height, width = bgr.shape[:2]
    if layout in ("RGB888", "BGR888"):
        return np.array(bgr if layout == "RGB888" else bgr[..., ::-1])
    if layout in ("XRGB8888", "XBGR8888"):
        order = bgr if layout == "XRGB8888" else bgr[..., ::-1]
        return np.dstack([order, np.full((height, width), 255, np.uint8)])
    whole = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2YUV_I420), np.uint8)
    luma, u, v = np.split(whole.ravel(), [height * width, height * width * 5 // 4])
    if layout in ("NV12", "NV21"):  # picamera2 takes their padding out itself
        pair = (u, v) if layout == "NV12" else (v, u)
        mixed = np.stack(pair, axis=1).ravel()
        return np.concatenate([luma, mixed]).reshape(height * 3 // 2, width)
    if layout == "YVU420":
        u, v = v, u
    small = [padded(one.reshape(height // 2, width // 2), padding // 2) for one in (u, v)]
    planes = [padded(luma.reshape(height, width), padding), *small]
    return np.concatenate([one.ravel() for one in planes]).reshape(
        height * 3 // 2, width + padding
    )


def padded(plane: Pixels, columns: int) -> Pixels:
    return np.pad(plane, ((0, 0), (0, columns)), constant_values=77)
