"""Where a replay's frames and presses come from: a recorded folder, or a video file."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2

from referee.states import Press
from rules import Color
from vision.cv import as_u8
from vision.frame import Frame, FrameError, read_image


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


def frames_of(recording: Recording) -> Iterator[Frame | BadFrame]:
    """Yield a recording's frames in order of time.

    Raises:
        SourceError: a video that cannot be decoded.
    """
    if recording.is_video:
        yield from _video_frames(recording.path)
        return
    size: tuple[int, ...] | None = None
    for seq, (file, at_s) in enumerate(recording.frames):
        try:
            bgr = read_image(recording.path / file)
            size = size or bgr.shape
            if bgr.shape != size:
                # The board's corners hold for pictures of one size.
                raise FrameError(
                    "other_size",
                    f"{file} has {bgr.shape[1]}×{bgr.shape[0]} pixels, the frames before it "
                    f"{size[1]}×{size[0]}",
                )
            yield Frame(bgr, at_s, seq)
        except FrameError as error:
            yield BadFrame(at_s, file, error)


def _video_frames(path: Path) -> Iterator[Frame]:
    capture = cv2.VideoCapture(str(path))
    try:
        seq = 0
        while True:
            ok, bgr = capture.read()
            if not ok:
                break
            yield Frame(as_u8(bgr), capture.get(cv2.CAP_PROP_POS_MSEC) / 1000, seq)
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
