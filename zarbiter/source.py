"""Where a replay's frames and presses come from: a recorded folder, or a video file."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from referee.states import Press
from rules import Color
from vision.cv import BgrImage, GrayImage, as_u8, to_gray
from vision.frame import Frame, FrameError, read_image

_SMALLER = 4
"""How many times smaller than the frame the picture is that motion is judged on."""


class SourceError(ValueError):
    """A source that cannot be replayed; says why and what is expected."""


@dataclass(frozen=True, slots=True)
class BadFrame:
    """A frame that could not be read: the replay goes on without it."""

    at_s: float
    name: str
    error: FrameError


@dataclass(frozen=True, slots=True)
class Recording:
    """What is to be replayed."""

    path: Path
    frames: tuple[tuple[str, float], ...]
    """(file, time in seconds) of a folder's frames; empty for a video."""
    presses: tuple[Press, ...]
    has_buttons: bool
    """Whether presses were recorded at all: without them, lifted dice end a turn."""
    setup_path: Path | None

    @property
    def is_video(self) -> bool:
        """Whether the source is one video file."""
        return self.path.is_file()


def open_recording(path: Path) -> Recording:
    """Look at a source before replaying it.

    Raises:
        SourceError: no such path, an empty folder, no `frames.jsonl`, or a broken line in it.
    """
    if path.is_file():
        setup = path.with_suffix(".setup.json")
        buttons = path.with_suffix(".buttons.jsonl")
        return Recording(
            path, (), _presses(buttons), buttons.is_file(), setup if setup.is_file() else None
        )
    if not path.is_dir():
        raise SourceError(f"there is no folder or video file {path}")
    index = path / "frames.jsonl"
    if not index.is_file():
        what = "is empty" if not any(path.iterdir()) else "has no frames.jsonl"
        raise SourceError(
            f'{path} {what}; a recording lists its frames there: {{"file","t_s"}}'
        )
    frames = []
    last_s = float("-inf")
    for number, row in _rows(index):
        file, at_s = row.get("file"), _time(row, index, number)
        if not isinstance(file, str) or Path(file).is_absolute() or ".." in Path(file).parts:
            raise SourceError(
                f'{index.name}, line {number}: "file" names a frame in the folder'
            )
        if at_s < last_s:
            raise SourceError(f"{index.name}, line {number}: the time runs backwards")
        last_s = at_s
        frames.append((file, at_s))
    if not frames:
        raise SourceError(f"{index} lists no frames")
    buttons, setup = path / "buttons.jsonl", path / "setup.json"
    return Recording(
        path,
        tuple(frames),
        _presses(buttons),
        buttons.is_file(),
        setup if setup.is_file() else None,
    )


class Picture(Protocol):
    """A frame that is decoded only as far as it is asked for."""

    @property
    def at_s(self) -> float:
        """When it was taken."""

    def luma(self) -> GrayImage | None:
        """Return it small and grey, for motion to be judged on; None: it cannot be read."""

    def frame(self) -> Frame | BadFrame:
        """Return it whole."""


@dataclass(frozen=True, slots=True)
class FilePicture:
    """A frame in a file of its own."""

    path: Path
    name: str
    at_s: float
    seq: int
    sizes: list[tuple[int, ...]]
    """The shape of the first frame read, shared by all: the board's corners hold for it."""

    def luma(self) -> GrayImage | None:
        """Return it small and grey; a JPEG is not decoded any finer for that."""
        try:
            data = np.fromfile(self.path, np.uint8)
            if not data.size:
                return None
            gray = cv2.imdecode(data, cv2.IMREAD_REDUCED_GRAYSCALE_4)
        except (OSError, ValueError, cv2.error):
            return None
        return None if gray is None else as_u8(gray)

    def frame(self) -> Frame | BadFrame:
        """Return it whole."""
        try:
            bgr = read_image(self.path)
            self.sizes.append(bgr.shape)
            size = self.sizes[0]
            del self.sizes[1:]
            if bgr.shape != size:
                raise FrameError(
                    "other_size",
                    f"{self.name} has {bgr.shape[1]}×{bgr.shape[0]} pixels, the frames before "
                    f"it {size[1]}×{size[0]}",
                )
            return Frame(bgr, self.at_s, self.seq)
        except FrameError as error:
            return BadFrame(self.at_s, self.name, error)


@dataclass(frozen=True, slots=True)
class VideoPicture:
    """A frame of a video, which is decoded as a whole in any case."""

    bgr: BgrImage
    at_s: float
    seq: int

    def luma(self) -> GrayImage | None:
        """Return it small and grey."""
        height, width = self.bgr.shape[:2]
        size = (max(1, width // _SMALLER), max(1, height // _SMALLER))
        return to_gray(as_u8(cv2.resize(self.bgr, size, interpolation=cv2.INTER_AREA)))

    def frame(self) -> Frame | BadFrame:
        """Return it whole."""
        return Frame(self.bgr, self.at_s, self.seq)


def pictures_of(recording: Recording) -> Iterator[Picture]:
    """Yield a recording's frames in order of time, not decoded yet where that can wait.

    Raises:
        SourceError: a video that cannot be decoded.
    """
    if recording.is_video:
        yield from _video_pictures(recording.path)
        return
    sizes: list[tuple[int, ...]] = []
    for seq, (file, at_s) in enumerate(recording.frames):
        yield FilePicture(recording.path / file, file, at_s, seq, sizes)


def frames_of(recording: Recording) -> Iterator[Frame | BadFrame]:
    """Yield a recording's frames in order of time.

    Raises:
        SourceError: a video that cannot be decoded.
    """
    for picture in pictures_of(recording):
        yield picture.frame()


def _video_pictures(path: Path) -> Iterator[Picture]:
    capture = cv2.VideoCapture(str(path))
    try:
        seq = 0
        while True:
            ok, bgr = capture.read()
            if not ok:
                break
            at_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            yield VideoPicture(as_u8(bgr), at_s, seq)
            seq += 1
    finally:
        capture.release()
    if seq == 0:
        raise SourceError(f"{path} is no video that can be decoded")


def _presses(path: Path) -> tuple[Press, ...]:
    if not path.is_file():
        return ()
    presses = []
    for number, row in _rows(path):
        if row.get("action") != "press":
            continue
        if row.get("side") not in ("w", "b"):
            raise SourceError(f'{path.name}, line {number}: "side" is "w" or "b"')
        presses.append(Press(_time(row, path, number), Color(row["side"])))
    return tuple(sorted(presses, key=lambda press: press.at_s))


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SourceError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{path} is not UTF-8 text") from error
    # Not splitlines(): it also cuts at signs that JSON allows within a name.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise SourceError(f"{path.name}, line {number} is not JSON: {error}") from error
        if not isinstance(row, dict):
            raise SourceError(f"{path.name}, line {number} is not an object")
        yield number, row


def _time(row: dict[str, Any], path: Path, number: int) -> float:
    at_s = row.get("t_s")
    if isinstance(at_s, bool) or not isinstance(at_s, int | float) or not abs(at_s) < 1e9:
        raise SourceError(f'{path.name}, line {number}: "t_s" is a time in seconds')
    return float(at_s)
