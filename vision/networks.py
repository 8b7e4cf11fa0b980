"""The networks in OpenCV's dnn, and pictures as they want them."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.cv import BgrImage


def net_of(model: Path) -> cv2.dnn.Net:
    """Return a network that OpenCV runs, from its ONNX file.

    OpenCV 5 has two engines; its older one takes two thirds of the time for convolutions as
    small as these. It can be chosen for a file, but for no file's content: there OpenCV takes
    no notice of the choice. OpenCV 4 has but that one engine.
    """
    engine: int | None = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    if engine is None:
        return cv2.dnn.readNetFromONNX(str(model))
    return cv2.dnn.readNetFromONNX(str(model), engine)


def packaged(name: str) -> AbstractContextManager[Path]:
    """Return a model's file, by the name it has in the package; it lasts for a `with`."""
    return resources.as_file(resources.files("vision") / "models" / name)


def blob_of(pictures: Sequence[BgrImage]) -> npt.NDArray[np.float32]:
    """Return (N, 3, H, W) float32, −1…1; several times faster than OpenCV's own.

    Args:
        pictures: all of one size; at least one.
    """
    height, width = pictures[0].shape[:2]
    out = np.empty((len(pictures), 3, height, width), np.float32)
    for one, picture in zip(out, pictures, strict=True):
        for plane, channel in zip(one, cv2.split(picture), strict=True):
            np.multiply(channel, np.float32(1 / 127.5), out=plane)
    out -= 1.0
    return out
