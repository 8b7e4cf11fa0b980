"""A folder of pictures as a camera: a recording with `frames.jsonl`, or just pictures."""

import json
import math
from pathlib import Path

import cv2
import numpy as np

from hardware.camera_errors import (
    CameraClosedError,
    CameraFailedError,
    CameraOverError,
    CameraUnusableError,
)
from hardware.errors import Sentence
from hardware.picture import CameraPicture

INDEX = "frames.jsonl"
"""`{"file","t_s"}` a line, as recordings have it."""
_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".ppm"})


class FolderCamera:
    """A `Camera` that gives every picture of a folder, one a call.

    Without a list the pictures come in the order of their names, `fps` a second.

    Args:
        path: the folder.
        fps: pictures a second where no times are given.

    Raises:
        CameraUnusableError: no folder, no picture in it, or a list with a mistake.
    """

    def __init__(self, path: Path, fps: float = 5.0) -> None:
        self.name = f"folder:{path}"
        self._folder = path
        self._seq = -1
        self._closed = False
        if not path.is_dir():
            raise _unusable(f"Папки {path} нет.", f"There is no folder {path}.")
        if (path / INDEX).is_file():
            self._frames = _listed(path / INDEX)
        else:
            names = sorted(
                one.name for one in path.iterdir() if one.suffix.lower() in _SUFFIXES
            )
            self._frames = [(name, number / fps) for number, name in enumerate(names)]
        if not self._frames:
            raise _unusable(
                f"В папке {path} нет кадров.", f"The folder {path} has no pictures."
            )

    def read(self) -> CameraPicture:
        """Return the next picture.

        Raises:
            CameraClosedError: `close` was called.
            CameraOverError: that was the last one.
            CameraFailedError: this one cannot be read; the next call goes on behind it.
        """
        if self._closed:
            raise CameraClosedError
        if self._seq + 1 >= len(self._frames):
            raise CameraOverError(self.name)
        self._seq += 1
        file, at_s = self._frames[self._seq]
        try:
            data = np.fromfile(self._folder / file, np.uint8)
            bgr = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
        except (OSError, cv2.error) as error:
            raise CameraFailedError(f"{file} cannot be read") from error
        if bgr is None:
            raise CameraFailedError(f"{file} is no picture that can be read")
        return CameraPicture(np.array(bgr, np.uint8, order="C"), at_s, self._seq)

    def close(self) -> None:
        """Give no more pictures. May be called twice."""
        self._closed = True


def _listed(index: Path) -> list[tuple[str, float]]:
    frames: list[tuple[str, float]] = []
    last_s = -math.inf
    lines = index.read_text(encoding="utf-8-sig", errors="replace").split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            file, at_s = row["file"], row["t_s"]
            good = isinstance(file, str) and not isinstance(at_s, bool)
            at_s = float(at_s)
        except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
            good, file, at_s = False, "", math.nan
        parts = Path(file).parts if good else ()
        if not parts or Path(file).is_absolute() or ".." in parts or not at_s >= last_s:
            raise _unusable(
                f'{INDEX}, строка {number}: нужны "file" в этой папке и растущее "t_s".',
                f'{INDEX}, line {number}: needs "file" in this folder and a "t_s" that grows.',
            )
        last_s = at_s
        frames.append((file, at_s))
    return frames


def _unusable(ru: str, en: str) -> CameraUnusableError:
    return CameraUnusableError(Sentence(ru, en))
