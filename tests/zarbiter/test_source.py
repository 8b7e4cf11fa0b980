import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules import Color
from vision.cv import as_u8
from vision.frame import Frame
from zarbiter.source import BadFrame, SourceError, frames_of, open_recording

PICTURE = as_u8(np.full((24, 32, 3), 90, np.uint8))
INDEX = '{"file": "a.png", "t_s": 0}\n\n{"file": "b.png", "t_s": 0.5}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), PICTURE)
    (tmp_path / "frames.jsonl").write_text(INDEX, encoding="utf-8")
    return tmp_path


def test_a_folder_gives_its_frames_in_order(folder: Path) -> None:
    recording = open_recording(folder)
    assert recording.setup_path is None
    assert not recording.has_buttons
    frames = list(frames_of(recording))
    assert all(isinstance(one, Frame) for one in frames)
    assert [one.at_s for one in frames] == [0.0, 0.5]


def test_presses_are_put_in_order_and_other_actions_passed_over(folder: Path) -> None:
    rows = [
        {"t_s": 2, "side": "b", "action": "press"},
        {"t_s": -1, "side": "w", "action": "press"},
        {"t_s": 3, "side": "w", "action": "release"},
        {"action": "lamp"},
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "buttons.jsonl").write_text(lines, encoding="utf-8")
    recording = open_recording(folder)
    assert recording.has_buttons
    assert [(one.at_s, one.side) for one in recording.presses] == [
        (-1.0, Color.WHITE),
        (2.0, Color.BLACK),
    ]


@pytest.mark.parametrize(
    ("index", "word"),
    [
        ("", "lists no frames"),
        ("\n \n", "lists no frames"),
        ("{", "line 1 is not JSON"),
        ("[" * 100_000, "line 1 is not JSON"),
        ("[]", "line 1 is not an object"),
        ("\n5", "line 2 is not an object"),
        ('{"file": "a.png"}', '"t_s" is a time'),
        ('{"file": "a.png", "t_s": "0"}', '"t_s" is a time'),
        ('{"file": "a.png", "t_s": true}', '"t_s" is a time'),
        ('{"file": "a.png", "t_s": NaN}', '"t_s" is a time'),
        ('{"file": "a.png", "t_s": Infinity}', '"t_s" is a time'),
        ('{"file": "a.png", "t_s": 1' + "0" * 400 + "}", '"t_s" is a time'),
        ('{"t_s": 0}', '"file" names a frame'),
        ('{"file": 5, "t_s": 0}', '"file" names a frame'),
        ('{"file": "../a.png", "t_s": 0}', '"file" names a frame'),
        ('{"file": "/etc/a.png", "t_s": 0}', '"file" names a frame'),
        (
            '{"file": "a.png", "t_s": 1}\n{"file": "b.png", "t_s": 0.9}',
            "line 2: the time runs backwards",
        ),
    ],
)
def test_a_broken_list_of_frames_names_the_line(folder: Path, index: str, word: str) -> None:
    (folder / "frames.jsonl").write_text(index, encoding="utf-8")
    with pytest.raises(SourceError, match=word):
        open_recording(folder)


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("{", "line 1 is not JSON"),
        ('{"t_s": 1, "side": "white", "action": "press"}', '"side" is "w" or "b"'),
        ('{"t_s": 1, "action": "press"}', '"side" is "w" or "b"'),
        ('{"side": "w", "action": "press"}', '"t_s" is a time'),
    ],
)
def test_broken_presses_name_the_line(folder: Path, line: str, word: str) -> None:
    (folder / "buttons.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(SourceError, match=word):
        open_recording(folder)


def test_a_list_that_is_no_text_is_refused(folder: Path) -> None:
    (folder / "frames.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SourceError, match="not UTF-8"):
        open_recording(folder)


def test_a_place_with_nothing_to_replay_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"is empty; .* frames there"):
        open_recording(tmp_path)
    (tmp_path / "a.txt").write_text("")
    with pytest.raises(SourceError, match=r"has no frames\.jsonl"):
        open_recording(tmp_path)
    with pytest.raises(SourceError, match="no folder or video"):
        open_recording(tmp_path / "nothing")


def test_frames_that_cannot_be_used_are_named_and_the_others_come(folder: Path) -> None:
    cv2.imwrite(str(folder / "wide.png"), np.hstack([PICTURE, PICTURE]))
    (folder / "text.png").write_text("hello")
    names = ["a.png", "gone.png", "text.png", "wide.png", "", "zero\0byte", "b.png"]
    lines = [json.dumps({"file": name, "t_s": at}) for at, name in enumerate(names)]
    (folder / "frames.jsonl").write_text("\n".join(lines), encoding="utf-8")
    codes = [
        one.error.code if isinstance(one, BadFrame) else None
        for one in frames_of(open_recording(folder))
    ]
    assert codes == [
        None, "not_found", "not_a_picture", "other_size", "is_directory", "not_found", None,
    ]  # fmt: skip


def test_a_name_may_hold_signs_that_look_like_line_ends(folder: Path) -> None:
    name = "a\u2028b\u0085.png"
    cv2.imwrite(str(folder / "c.png"), PICTURE)
    (folder / "c.png").rename(folder / name)
    line = json.dumps({"file": name, "t_s": 0}, ensure_ascii=False)
    (folder / "frames.jsonl").write_text(line, encoding="utf-8")
    (frame,) = frames_of(open_recording(folder))
    assert isinstance(frame, Frame)


def test_a_video_gives_its_frames_with_their_times(tmp_path: Path) -> None:
    path = tmp_path / "стол.avi"
    writer = cv2.VideoWriter(
        str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (PICTURE.shape[1], PICTURE.shape[0])
    )
    for _ in range(3):
        writer.write(PICTURE)
    writer.release()
    (tmp_path / "стол.setup.json").write_text("{}")
    recording = open_recording(path)
    assert recording.is_video
    assert recording.setup_path == tmp_path / "стол.setup.json"
    frames = list(frames_of(recording))
    assert [round(one.at_s, 3) for one in frames] == [0.0, 0.2, 0.4]


@pytest.mark.parametrize("content", [b"", b"hello, I am a text\n", bytes(range(256)) * 9])
def test_a_file_that_is_no_video_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.mp4"
    path.write_bytes(content)
    with pytest.raises(SourceError, match="no video"):
        list(frames_of(open_recording(path)))
