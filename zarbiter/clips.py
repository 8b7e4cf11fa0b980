"""The latest pictures of a table, kept for those who mend the reader.

A clip is a folder that `zarbiter replay` understands: pictures, their times, presses, how the
table stood, and what a person says it should have been. A picture in which nothing had changed
is kept once, with all its times.
"""

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from referee.arbiter import MatchState
from referee.arbiter.states import (
    ClaimAsked,
    Disputed,
    Judging,
    NotOpened,
    PlayAsked,
    Playing,
    PrematureAsked,
    ThrowAsked,
)
from rules import Color, Position
from vision.cv import BgrImage, jpeg_of
from vision.frame import Frame
from web.view import position_of, turn_of
from zarbiter.placing import Placing
from zarbiter.source import frames_of, open_recording

_EVERY_S = 0.4
_KEPT_S = 40.0
_QUALITY = 90
_MOST_BYTES = 24 << 20
"""Where pictures are large the clip is shorter: memory is what a small Pi has least of."""
_SMALL_PX = (320, 240)
_CHANGED = 10
"""Grey levels a spot of a small picture may differ by while nothing has changed."""
Luma: TypeAlias = npt.NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class _Kept:
    at_s: float
    jpeg: bytes
    """The very one of the picture before, where nothing had changed."""
    luma: Luma


@dataclass(frozen=True, slots=True)
class _Known:
    """The last certain position and who was to throw."""

    at_s: float
    position: Position
    turn: Color
    rules: str


class ClipBuffer:
    """Keeps pictures of the last seconds, and the presses. One thread fills it.

    Args:
        kept_s: how far back it goes.
        every_s: pictures closer together are left out.
        most_bytes: room for pictures.
    """

    def __init__(
        self,
        kept_s: float = _KEPT_S,
        every_s: float = _EVERY_S,
        most_bytes: float = _MOST_BYTES,
    ) -> None:
        self._kept_s, self._every_s, self._most_bytes = kept_s, every_s, most_bytes
        self._pictures: deque[_Kept] = deque()
        self._presses: deque[tuple[float, Color]] = deque()
        self._known: deque[_Known] = deque()

    @property
    def times_s(self) -> tuple[float, ...]:
        """The times of the pictures kept."""
        return tuple(one.at_s for one in self._pictures)

    def frame(self, frame: Frame) -> None:
        """Take a picture, if the last one is old enough."""
        if self._pictures and frame.at_s - self._pictures[-1].at_s < self._every_s:
            return
        luma = _small(frame.bgr)
        last = self._pictures[-1] if self._pictures else None
        if last is not None and _same(last.luma, luma):
            self._pictures.append(_Kept(frame.at_s, last.jpeg, last.luma))
        else:
            self._pictures.append(_Kept(frame.at_s, jpeg_of(frame.bgr, _QUALITY), luma))
        first_s = frame.at_s - self._kept_s
        while len(self._pictures) > 1 and (
            self._pictures[0].at_s < first_s or self._bytes() > self._most_bytes
        ):
            self._pictures.popleft()
        while self._presses and self._presses[0][0] < first_s:
            self._presses.popleft()
        # The position that held when the oldest picture was taken stays.
        while len(self._known) > 1 and self._known[1].at_s <= self._pictures[0].at_s:
            self._known.popleft()

    def _bytes(self) -> int:
        different = {id(one.jpeg): len(one.jpeg) for one in self._pictures}
        return sum(different.values())

    def press(self, at_s: float, side: Color) -> None:
        """Take a press."""
        self._presses.append((at_s, side))

    def state(self, at_s: float, match: MatchState) -> None:
        """Take what is certain now."""
        position, turn = position_of(match), turn_of(match.phase)
        mid_turn = (
            Playing | Judging | PlayAsked | Disputed | ClaimAsked | ThrowAsked | PrematureAsked
        )
        if position is None or turn is None or isinstance(match.phase, NotOpened | mid_turn):
            return
        last = self._known[-1] if self._known else None
        if last is None or (last.position, last.turn) != (position, turn):
            self._known.append(_Known(at_s, position, turn, match.variant.name))

    def write(
        self, folder: Path, placing: Placing, note: str, correction: Mapping[str, object]
    ) -> None:
        """Write the clip into a new folder.

        Raises:
            OSError: the disk does not take it.
        """
        folder.mkdir(parents=True)
        lines: list[str] = []
        names: dict[int, str] = {}
        for one in self._pictures:
            if id(one.jpeg) not in names:
                names[id(one.jpeg)] = f"{len(names):04d}.jpg"
                (folder / names[id(one.jpeg)]).write_bytes(one.jpeg)
            name = names[id(one.jpeg)]
            lines.append(json.dumps({"file": name, "t_s": round(one.at_s, 3)}))
        (folder / "frames.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        presses = [
            json.dumps({"t_s": round(at_s, 3), "side": side.value, "action": "press"})
            for at_s, side in self._presses
        ]
        (folder / "buttons.jsonl").write_text(
            "".join(f"{line}\n" for line in presses), encoding="utf-8"
        )
        (folder / "setup.json").write_text(_json(self._setup(placing)), encoding="utf-8")
        told = {"note": note, "correction": dict(correction)}
        (folder / "correction.json").write_text(_json(told), encoding="utf-8")

    def _setup(self, placing: Placing) -> dict[str, object]:
        setup: dict[str, object] = {
            "light": "w" if placing.white.value == "L" else "b",
            "white_start": placing.layout.white_start.value,
            "direction": placing.layout.direction.value,
        }
        if placing.corners_px is not None:
            setup["board_corners"] = [list(one) for one in placing.corners_px]
        if self._known:
            known = self._known[0]
            setup["rules"] = known.rules
            setup["turn"] = known.turn.value
            setup["position"] = known.position.to_json()
        return setup


@dataclass(frozen=True, slots=True)
class Cut:
    """What was cut."""

    pictures: int
    files: int
    """Different pictures."""
    size_bytes: int


def cut_clip(
    source: Path, folder: Path, from_s: float, to_s: float, every_s: float, note: str
) -> Cut:
    """Cut a part of a recording out.

    How the table stood goes with it as far as the recording says; the position does not, unless
    the clip begins where the recording does.

    Args:
        source: a folder or a video, as for a replay.
        folder: a new one.
        from_s: the first time, on the recording's own clock.
        to_s: the last time.
        every_s: frames closer together are left out.
        note: what is wrong.

    Returns:
        What was cut; nothing was written where no picture lies between the times.

    Raises:
        SourceError: nothing that can be replayed.
        OSError: the disk does not take it.
    """
    recording = open_recording(source)
    clips = ClipBuffer(float("inf"), every_s, float("inf"))
    first: float | None = None
    for frame in frames_of(recording):
        if frame.at_s > to_s:
            break
        first = frame.at_s if first is None else first
        if isinstance(frame, Frame) and frame.at_s >= from_s:
            clips.frame(frame)
    for press in recording.presses:
        if from_s <= press.at_s <= to_s:
            clips.press(press.at_s, press.side)
    if not clips.times_s:
        return Cut(0, 0, 0)
    clips.write(folder, Placing(), note, {})
    setup = recording.setup_path
    (folder / "setup.json").unlink()
    if not recording.has_buttons:
        (folder / "buttons.jsonl").unlink()
    if setup is not None:
        told = json.loads(setup.read_text(encoding="utf-8-sig"))
        if clips.times_s[0] != first:
            told.pop("position", None)
        (folder / "setup.json").write_text(_json(told), encoding="utf-8")
    pictures = list(folder.glob("*.jpg"))
    size = sum(path.stat().st_size for path in folder.iterdir())
    return Cut(len(clips.times_s), len(pictures), size)


def _small(bgr: BgrImage) -> Luma:
    """Return a picture as small grey, in which noise has gone and a moved checker has not."""
    small = cv2.resize(bgr, _SMALL_PX, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.int16)


def _same(one: Luma, other: Luma) -> bool:
    return one.shape == other.shape and int(np.abs(one - other).max()) <= _CHANGED


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
