"""The latest pictures of a table, kept for those who mend the reader.

A clip is a folder that `zarbiter replay` understands: pictures, their times, presses, how the
table stood, and what a person says it should have been.
"""

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

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
from vision.frame import Frame
from web.view import position_of, turn_of
from zarbiter.placing import Placing
from zarbiter.service_sight import jpeg_of

_EVERY_S = 0.4
_KEPT_S = 40.0
_QUALITY = 92


@dataclass(frozen=True, slots=True)
class _Kept:
    at_s: float
    jpeg: bytes


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
    """

    def __init__(self, kept_s: float = _KEPT_S, every_s: float = _EVERY_S) -> None:
        self._kept_s, self._every_s = kept_s, every_s
        self._pictures: deque[_Kept] = deque()
        self._presses: deque[tuple[float, Color]] = deque()
        self._known: deque[_Known] = deque()

    def frame(self, frame: Frame) -> None:
        """Take a picture, if the last one is old enough."""
        if self._pictures and frame.at_s - self._pictures[-1].at_s < self._every_s:
            return
        self._pictures.append(_Kept(frame.at_s, jpeg_of(frame.bgr, _QUALITY)))
        first_s = frame.at_s - self._kept_s
        while self._pictures[0].at_s < first_s:
            self._pictures.popleft()
        while self._presses and self._presses[0][0] < first_s:
            self._presses.popleft()
        # The position that held when the oldest picture was taken stays.
        while len(self._known) > 1 and self._known[1].at_s <= self._pictures[0].at_s:
            self._known.popleft()

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
        for number, one in enumerate(self._pictures):
            name = f"{number:04d}.jpg"
            (folder / name).write_bytes(one.jpeg)
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


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
