"""From the layouts that libcamera delivers to blue-green-red, the one place that knows them.

The names are libcamera's: `RGB888` lies in memory as blue, green, red, which is what OpenCV
wants; `BGR888` is the one that must be turned round.
"""

import cv2
import numpy as np

from hardware.camera_errors import CameraUnusableError
from hardware.errors import Sentence
from hardware.picture import Pixels

WANTED = "RGB888"
"""The main stream's format to ask for: blue first in memory."""
WANTED_SMALL = "YUV420"
"""The small stream's; the older Pi's processor makes no other."""


def to_bgr(array: Pixels, layout: str, size_px: tuple[int, int]) -> Pixels:
    """Return a stream's picture, (H, W, 3), blue first, in memory of its own.

    Args:
        array: as `make_array` gives it, rows padded or not.
        layout: the format the camera really delivers.
        size_px: (width, height).

    Raises:
        CameraUnusableError: a format that nobody has taught us.
    """
    width, height = size_px
    match layout:
        case "RGB888":
            return np.array(array[:height, :width, :3], np.uint8, order="C")
        case "BGR888":
            return np.array(array[:height, :width, 2::-1], np.uint8, order="C")
        case "XRGB8888":
            return np.array(array[:height, :width, :3], np.uint8, order="C")
        case "XBGR8888":
            return np.array(array[:height, :width, 2::-1], np.uint8, order="C")
        case "YUV420" | "YVU420":
            code = cv2.COLOR_YUV2BGR_I420 if layout == "YUV420" else cv2.COLOR_YUV2BGR_YV12
            return np.asarray(cv2.cvtColor(_planes(array, size_px), code), np.uint8)
        case "NV12" | "NV21":
            code = cv2.COLOR_YUV2BGR_NV12 if layout == "NV12" else cv2.COLOR_YUV2BGR_NV21
            whole = np.ascontiguousarray(array[: height * 3 // 2, :width])
            return np.asarray(cv2.cvtColor(whole, code), np.uint8)
        case "YUYV":
            packed = np.ascontiguousarray(array[:height, :width])
            return np.asarray(cv2.cvtColor(packed, cv2.COLOR_YUV2BGR_YUYV), np.uint8)
        case _:
            raise _unknown(layout)


def to_luma(array: Pixels, layout: str, size_px: tuple[int, int]) -> Pixels:
    """Return a stream's brightness, (H, W), in memory of its own.

    Raises:
        CameraUnusableError: a format that nobody has taught us.
    """
    width, height = size_px
    if layout in ("YUV420", "YVU420", "NV12", "NV21"):
        return np.array(array[:height, :width], np.uint8, order="C")
    bgr = to_bgr(array, layout, size_px)
    return np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), np.uint8)


def _planes(array: Pixels, size_px: tuple[int, int]) -> Pixels:
    """Take the padding out of three planes: (3/2 H, W), as OpenCV wants them.

    Rows of the two small planes are half as long, padding included, so two of them share one
    row of the array: cropping the array would tear them apart.
    """
    width, height = size_px
    stride = array.shape[1]
    if stride == width:
        return np.ascontiguousarray(array[: height * 3 // 2])
    small = array[height : height * 3 // 2].reshape(height, stride // 2)[:, : width // 2]
    return np.concatenate([array[:height, :width].ravel(), small.ravel()]).reshape(
        height * 3 // 2, width
    )


def _unknown(layout: str) -> CameraUnusableError:
    return CameraUnusableError(
        Sentence(
            f"Камера отдаёт кадры в неизвестном формате {layout}.",
            f"The camera delivers pictures in the unknown format {layout}.",
        ),
        Sentence(
            "Обновите libcamera и picamera2 или подключите другую камеру.",
            "Update libcamera and picamera2, or use another camera.",
        ),
    )
