import itertools
import json
from pathlib import Path

import pytest

from hardware.camera_errors import CameraFailedError, CameraOverError, CameraUnusableError
from hardware.camera_folder import FolderCamera
from hardware.camera_paced import PacedCamera
from hardware.camera_video import VideoCamera
from hardware.clock import ManualClock
from tests.hardware.scenes import grey, mark
from tests.hardware.test_camera_contract import folder_of_pictures, write_video


def index(folder: Path, *rows: object) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "frames.jsonl").write_text(text, encoding="utf-8")
    return folder


def test_a_folder_without_a_list_goes_by_names(tmp_path: Path) -> None:
    camera = FolderCamera(folder_of_pictures(tmp_path, 3), fps=4.0)
    (tmp_path / "notes.txt").write_text("no picture")
    pictures = [camera.read() for _ in range(3)]
    assert [one.at_s for one in pictures] == [0.0, 0.25, 0.5]
    assert [round(grey(one.bgr)) for one in pictures] == [mark(0), mark(1), mark(2)]
    with pytest.raises(CameraOverError, match="is over"):
        camera.read()


def test_a_folder_with_a_list_goes_by_the_list(tmp_path: Path) -> None:
    folder_of_pictures(tmp_path, 3)
    rows = ({"file": "002.png", "t_s": 1.5}, {"file": "000.png", "t_s": 9})
    camera = FolderCamera(index(tmp_path, *rows))
    pictures = [camera.read() for _ in range(2)]
    assert [one.at_s for one in pictures] == [1.5, 9.0]
    assert [round(grey(one.bgr)) for one in pictures] == [mark(2), mark(0)]


def test_a_picture_that_cannot_be_read_is_one_failure_and_a_gap(tmp_path: Path) -> None:
    folder_of_pictures(tmp_path, 4)
    (tmp_path / "001.png").write_bytes(b"no picture")
    (tmp_path / "002.png").write_bytes(b"")
    camera = FolderCamera(tmp_path)
    assert camera.read().seq == 0
    for _ in range(2):
        with pytest.raises(CameraFailedError, match="no picture that can be read"):
            camera.read()
    assert camera.read().seq == 3


def test_a_picture_that_is_listed_and_missing_is_one_failure(tmp_path: Path) -> None:
    camera = FolderCamera(index(tmp_path, {"file": "none.png", "t_s": 0}))
    with pytest.raises(CameraFailedError, match=r"none\.png cannot be read"):
        camera.read()


@pytest.mark.parametrize(
    "row",
    [
        5,
        {"file": "a.png"},
        {"file": 5, "t_s": 0},
        {"file": "../a.png", "t_s": 0},
        {"file": "/etc/a.png", "t_s": 0},
        {"file": "", "t_s": 0},
        {"file": "a.png", "t_s": True},
        {"file": "a.png", "t_s": float("nan")},
        {"file": "a.png", "t_s": -1},
    ],
)
def test_a_mistake_in_the_list_names_its_line(tmp_path: Path, row: object) -> None:
    first = {"file": "a.png", "t_s": 0}
    with pytest.raises(CameraUnusableError, match=r"frames\.jsonl, line 2"):
        FolderCamera(index(tmp_path, first, row))


def test_what_is_no_recording_is_said_in_both_languages(tmp_path: Path) -> None:
    with pytest.raises(CameraUnusableError, match="no folder") as caught:
        FolderCamera(tmp_path / "none")
    assert "нет" in caught.value.sentence.ru
    with pytest.raises(CameraUnusableError, match="has no pictures"):
        FolderCamera(tmp_path)
    with pytest.raises(CameraUnusableError, match="no video file"):
        VideoCamera(tmp_path / "none.mp4")
    (tmp_path / "text.mp4").write_text("no video")
    with pytest.raises(CameraUnusableError, match="no video that can be decoded"):
        VideoCamera(tmp_path / "text.mp4")


def test_a_video_has_its_own_times_and_an_end(tmp_path: Path) -> None:
    camera = VideoCamera(write_video(tmp_path / "a.avi", 5, fps=4.0))
    pictures = [camera.read() for _ in range(5)]
    times = [one.at_s for one in pictures]
    steps = [after - before for before, after in itertools.pairwise(times)]
    assert steps == pytest.approx([0.25] * 4)
    assert [round((grey(one.bgr) - 20) / 30) for one in pictures] == [0, 1, 2, 3, 4]
    with pytest.raises(CameraOverError):
        camera.read()
    camera.close()


def test_a_paced_recording_waits_and_drops_what_is_late(tmp_path: Path) -> None:
    clock, waits = ManualClock(100.0), []

    def wait(for_s: float) -> None:
        waits.append(for_s)
        clock.advance(for_s)

    camera = PacedCamera(FolderCamera(folder_of_pictures(tmp_path, 8)), clock, wait)
    assert (camera.read().seq, camera.read().seq) == (0, 1)
    assert waits == pytest.approx([0.2])
    clock.advance(0.75)
    late = camera.read()
    assert late.seq == 4
    assert late.at_s == pytest.approx(100.8)
    camera.close()


def test_a_paced_recording_can_be_hurried(tmp_path: Path) -> None:
    clock = ManualClock(100.0)
    camera = PacedCamera(FolderCamera(folder_of_pictures(tmp_path)), clock, clock.advance, 10.0)
    assert [camera.read().at_s for _ in range(3)] == pytest.approx([100.0, 100.02, 100.04])
    with pytest.raises(ValueError, match="not above zero"):
        PacedCamera(FolderCamera(tmp_path), clock, clock.advance, 0.0)
