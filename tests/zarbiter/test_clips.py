"""Problem clips: small, and a replay's food."""

import json
from pathlib import Path

import cv2
import numpy as np

from referee.arbiter import MatchSetup
from rules import Color
from tests.support.boards import LONG_START
from tests.support.looks import LAYOUT
from tests.support.match import Table
from tests.zarbiter.conftest import Run
from vision.frame import Frame
from zarbiter.clips import ClipBuffer
from zarbiter.placing import Placing
from zarbiter.setup import read_setup
from zarbiter.source import BadFrame, frames_of, open_recording

CORNERS = ((60.0, 40.0), (580.0, 40.0), (580.0, 440.0), (60.0, 440.0))


def frame(at_s: float, patch: int = 0) -> Frame:
    noise = np.random.default_rng(round(1000 * at_s)).integers(118, 126, (480, 640, 3))
    bgr = noise.astype(np.uint8)
    bgr[100:130, 100:130] += np.uint8(patch)
    return Frame(bgr, at_s)


def test_a_still_board_is_kept_once_with_all_its_times(tmp_path: Path) -> None:
    clips = ClipBuffer()
    for number in range(12):
        clips.frame(frame(0.5 * number, patch=60 if number > 6 else 0))
    clips.frame(frame(5.6, patch=60))  # too soon after the last one
    clips.write(tmp_path / "clip", Placing(LAYOUT, corners_px=CORNERS), "", {})
    files = sorted(path.name for path in (tmp_path / "clip").glob("*.jpg"))
    assert files == ["0000.jpg", "0001.jpg"]
    recording = open_recording(tmp_path / "clip")
    assert [at_s for _, at_s in recording.frames] == [0.5 * number for number in range(12)]
    assert not any(isinstance(one, BadFrame) for one in frames_of(recording))


def test_what_is_long_past_is_let_go_but_not_how_the_table_stood(tmp_path: Path) -> None:
    table = Table(MatchSetup("classic"))
    table.begin()
    clips = ClipBuffer(kept_s=3.0)
    clips.press(0.1, Color.WHITE)
    clips.state(0.2, table.state)
    for number in range(20):
        clips.frame(frame(0.5 * number))
    clips.press(9.0, Color.BLACK)
    clips.write(tmp_path / "clip", Placing(LAYOUT, corners_px=CORNERS), "note", {"a": 1})
    recording = open_recording(tmp_path / "clip")
    assert [at_s for _, at_s in recording.frames] == [6.5 + 0.5 * number for number in range(7)]
    assert [one.side for one in recording.presses] == [Color.BLACK]
    setup = read_setup(tmp_path / "clip" / "setup.json")
    assert setup.position == LONG_START
    assert setup.turn is Color.WHITE
    assert setup.variant.name == "classic"
    assert setup.corners_px == CORNERS
    told = json.loads((tmp_path / "clip" / "correction.json").read_text())
    assert told == {"note": "note", "correction": {"a": 1}}


def test_large_pictures_make_a_shorter_clip(tmp_path: Path) -> None:
    clips = ClipBuffer(most_bytes=400_000)
    for number in range(8):
        noise = np.random.default_rng(number).integers(0, 255, (480, 640, 3))
        clips.frame(Frame(noise.astype(np.uint8), float(number)))
    assert 1 <= len(clips.times_s) < 4
    assert clips.times_s[-1] == 7.0


def recorded(folder: Path) -> Path:
    folder.mkdir()
    lines = []
    for number in range(20):
        picture = folder / f"{number}.png"
        cv2.imwrite(str(picture), frame(0.5 * number, patch=60 if number > 9 else 0).bgr)
        lines.append(json.dumps({"file": picture.name, "t_s": 0.5 * number}))
    (folder / "frames.jsonl").write_text("\n".join(lines))
    (folder / "buttons.jsonl").write_text(
        '{"t_s": 1.0, "side": "w", "action": "press"}\n'
        '{"t_s": 6.0, "side": "b", "action": "press"}\n'
    )
    setup = {
        "rules": "classic", "turn": "w", "light": "w", "white_start": "top_right",
        "position": LONG_START.to_json(),
    }  # fmt: skip
    (folder / "setup.json").write_text(json.dumps(setup))
    return folder


def test_a_part_of_a_recording_is_cut_to_be_sent(run: Run, tmp_path: Path) -> None:
    source, out = recorded(tmp_path / "r"), tmp_path / "clip"
    said = run("clip", source, "--from", "4", "--to", "7", "--note", "5", out, "--every", "0.5")
    assert said.status == 0, said.err
    assert "7 frames, 2 of them different" in said.out
    cut = open_recording(out)
    assert [at_s for _, at_s in cut.frames] == [4 + 0.5 * number for number in range(7)]
    assert [one.at_s for one in cut.presses] == [6.0]
    # In the middle of a game nobody knows what stood on the board when the clip begins.
    assert read_setup(out / "setup.json").position is None
    whole = tmp_path / "whole"
    assert run("clip", source, whole).status == 0
    assert read_setup(whole / "setup.json").position == LONG_START


def test_a_clip_that_cannot_be_cut_says_why(run: Run, tmp_path: Path) -> None:
    source = recorded(tmp_path / "r")
    assert "in use" in run("clip", source, tmp_path).err
    assert "no folder or video" in run("clip", tmp_path / "none", tmp_path / "c").err
    empty = run("clip", source, tmp_path / "c", "--from", "90")
    assert (empty.status, (tmp_path / "c").exists()) == (1, False)
    assert "no picture" in empty.err
    assert run("clip", source, tmp_path / "c", "--every", "0").status == 2
