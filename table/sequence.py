"""Whole turns written as a folder of frames with their times, presses, set-up and truth."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import cv2

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout
from table.film import film
from table.looks import LOOKS
from table.render import DEFAULT_SIZE_PX, render
from table.scene import BoardLook, Scene
from table.script import FilmSettings, Press, Shot, Thrown, Turn
from table.throws import reason_of
from table.truth import Json, corners_px, labels
from table.world import Board, ColorName

_JPEG_QUALITY = 92


@dataclass(frozen=True, slots=True)
class TableSetup:
    """Who sits where with which checkers."""

    light: ColorName = "w"
    white_start: str = "top_right"
    """Where White's point 24 lies in the picture."""
    look: BoardLook = field(default_factory=lambda: LOOKS["walnut"])
    geometry: BoardGeometry = field(default_factory=BoardGeometry)

    def board(self) -> Board:
        """Return the table.

        Raises:
            LayoutError: an unknown corner.
        """
        return Board(self.look, BoardLayout.of(self.white_start), self.geometry, self.light)


def write_sequence(
    folder: Path,
    rules_name: str,
    setup: TableSetup,
    turns: Sequence[Turn],
    seed: int,
    settings: FilmSettings | None = None,
    *,
    state_position: bool = True,
    with_labels: bool = False,
    size_px: tuple[int, int] = DEFAULT_SIZE_PX,
) -> Path:
    """Write frames, `frames.jsonl`, `buttons.jsonl`, `setup.json` and `truth.json`.

    Args:
        folder: where to; made if it is not there.
        rules_name: the rule set named in the set-up; nothing is judged by it.
        setup: the table.
        turns: consecutive turns, one or several.
        seed: the same seed writes the same bytes.
        settings: camera, light, density.
        state_position: whether the set-up names the first position; without it the first turn
            should begin with the start position, which the first frames then show.
        with_labels: also write every frame's labels to `labels.jsonl`.
        size_px: (width, height) of the frames.

    Returns:
        The folder.

    Raises:
        ValueError: no turns.
        WorldError: a position or throw the table cannot show.
        OSError: the folder cannot be written.
    """
    if not turns:
        raise ValueError("a sequence needs at least one turn")
    settings = settings or FilmSettings()
    board = setup.board()
    folder.mkdir(parents=True, exist_ok=True)
    frames: list[dict[str, Json]] = []
    buttons: list[dict[str, Json]] = []
    marks: list[dict[str, Json]] = []
    thrown: list[Thrown] = []
    for event in film(board, turns, seed, settings):
        if isinstance(event, Press):
            buttons.append({"t_s": event.at_s, "side": event.side, "action": "press"})
        elif isinstance(event, Thrown):
            thrown.append(event)
        else:
            name = f"{len(frames):02d}_{event.name}.jpg"
            _write_jpeg(folder / name, event, size_px)
            frames.append({"file": name, "t_s": event.at_s})
            if with_labels:
                marks.append({"file": name, **labels(board, event.scene, size_px)})
    _write_lines(folder / "frames.jsonl", frames)
    _write_lines(folder / "buttons.jsonl", buttons)
    if with_labels:
        _write_lines(folder / "labels.jsonl", marks)
    stated = _setup(rules_name, setup, turns[0], settings, size_px)
    if state_position:
        stated["position"] = cast("Json", turns[0].before)
    _write_json(folder / "setup.json", stated)
    told = [_truth(index, turn, thrown) for index, turn in enumerate(turns)]
    # One turn is told as such; several stand in a list.
    _write_json(folder / "truth.json", told[0] if len(told) == 1 else {"turns": list(told)})
    return folder


def _setup(
    rules_name: str,
    setup: TableSetup,
    first: Turn,
    settings: FilmSettings,
    size_px: tuple[int, int],
) -> dict[str, Json]:
    board = setup.board()
    scene = Scene(board.look, board.geometry, settings.camera, settings.light)
    return {
        "rules": rules_name,
        "turn": first.side,
        "light": setup.light,
        "white_start": board.layout.white_start.value,
        "direction": board.layout.direction.value,
        "board_corners": [[x, y] for x, y in corners_px(scene, size_px)],
    }


def _truth(index: int, turn: Turn, thrown: Sequence[Thrown]) -> dict[str, Json]:
    throws: list[Json] = []
    for event in thrown:
        if event.turn != index:
            continue
        record: dict[str, Json] = {
            "t_s": event.at_s,
            "values": list(event.values),
            "throw": "valid" if event.kind is None else "void",
            "reason": None if event.kind is None else reason_of(event.kind),
        }
        throws.append(record)
    told: dict[str, Json] = {
        "dice": list(turn.dice),
        "throw": "valid",
        "side": turn.side,
        "before": cast("Json", turn.before),
        "after": cast("Json", turn.after),
    }
    facts = cast("Mapping[str, Json]", turn.facts)
    return told | dict(facts) | {"throws": throws}


def _write_jpeg(path: Path, shot: Shot, size_px: tuple[int, int]) -> None:
    ok, data = cv2.imencode(
        ".jpg", render(shot.scene, size_px), [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]
    )
    if not ok:
        raise OSError(f"cannot encode {path.name}")
    path.write_bytes(data.tobytes())


def _write_lines(path: Path, rows: Sequence[Mapping[str, Json]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _write_json(path: Path, value: Mapping[str, Json]) -> None:
    path.write_text(json.dumps(value) + "\n", encoding="utf-8")
