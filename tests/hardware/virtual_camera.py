"""libcamera's virtual camera behind the real picamera2. Needs the root of deploy/picamera2.

Three shims, and no more: frame buffers in memory files, since there is no DMA heap; the one raw
mode that picamera2 wants to see and the virtual camera lacks; and the allocator that picamera2
makes anew when it closes. The last two override private names, so the library is pinned there.
"""

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import cv2
import libcamera
import picamera2
import picamera2.picamera2 as inside
from picamera2.allocators.allocator import Allocator, Sync

from hardware.picture import Pixels

CONFIG = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
SIZE_PX = (640, 480)


class MemfdAllocator(Allocator):  # type: ignore[misc]
    """NV12 frame buffers in memory files."""

    def __init__(self) -> None:
        super().__init__()
        self._frames: dict[Any, list[Any]] = {}
        self._maps: dict[Any, mmap.mmap] = {}
        self._fds: list[int] = []
        outer = self

        class MemfdSync(Sync):  # type: ignore[misc]
            def __init__(self, allocator: Any, buffer: Any, write: bool) -> None:
                self._buffer = buffer

            def __enter__(self) -> mmap.mmap:
                return outer._maps[self._buffer]

            def __exit__(
                self,
                kind: type[BaseException] | None = None,
                error: BaseException | None = None,
                trace: TracebackType | None = None,
            ) -> None:
                return None

            def get_buffer(self) -> mmap.mmap:
                return outer._maps[self._buffer]

        self.sync = MemfdSync

    def allocate(self, libcamera_config: Any, _use_case: Any) -> None:
        for stream in libcamera_config:
            buffers = []
            for number in range(stream.buffer_count):
                fd = os.memfd_create(f"virtual-{number}")
                os.ftruncate(fd, stream.frame_size)
                luma = stream.stride * stream.size.height
                planes = []
                for offset, length in ((0, luma), (luma, stream.frame_size - luma)):
                    plane = libcamera.FrameBuffer.Plane()
                    plane.fd, plane.offset, plane.length = fd, offset, length
                    planes.append(plane)
                buffer = libcamera.FrameBuffer(planes)
                buffers.append(buffer)
                self._fds.append(fd)
                self._maps[buffer] = mmap.mmap(fd, stream.frame_size)
            self._frames[stream.stream] = buffers

    def buffers(self, stream: Any) -> list[Any]:
        return self._frames[stream]

    def close(self) -> None:
        for fd in self._fds:
            os.close(fd)
        self._fds = []


inside.DmaAllocator = MemfdAllocator


class VirtualPicamera2(picamera2.Picamera2):  # type: ignore[misc]
    """The real class, able to open the virtual camera."""

    opened = 0
    configured = 0

    def __init__(self, camera_num: Any = 0) -> None:
        super().__init__(camera_num, allocator=MemfdAllocator())
        type(self).opened += 1

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        return [{"format": "NV12", "size": SIZE_PX}]

    def configure(self, camera_config: Any = None) -> None:
        type(self).configured += 1
        super().configure(camera_config)


@contextmanager
def showing(pictures: list[Pixels], folder: Path) -> Iterator[None]:
    """Let the virtual camera show pictures, each four times, again and again.

    libcamera reads its list once a process: to be called before the first camera is opened.
    """
    for number, bgr in enumerate(pictures):
        assert cv2.imwrite(str(folder / f"{number}.jpg"), bgr, [cv2.IMWRITE_JPEG_QUALITY, 98])
    CONFIG.parent.mkdir(parents=True, exist_ok=True)
    CONFIG.write_text(
        '"Virtual0":\n'
        "  supported_formats:\n"
        f"  - width: {SIZE_PX[0]}\n"
        f"    height: {SIZE_PX[1]}\n"
        "    frame_rates: [15, 30]\n"
        "  frames:\n"
        f'    path: "{folder}/"\n'
        '  location: "CameraLocationFront"\n'
        '  model: "Virtual Board Camera"\n',
        encoding="ascii",
    )
    try:
        yield
    finally:
        CONFIG.unlink()
