import os
from pathlib import Path

import pytest

from hardware.camera_holder import holders, media_holders, named, video_holders


def process(proc: Path, pid: int, name: str, *opened: str) -> None:
    folder = proc / str(pid) / "fd"
    folder.mkdir(parents=True)
    (proc / str(pid) / "comm").write_text(name + "\n")
    for number, target in enumerate(opened):
        (folder / str(number)).symlink_to(target)


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    process(tmp_path, 812, "rpicam-hello", "/dev/media0", "/dev/media1", "/dev/null")
    process(tmp_path, 640, "wireplumber", "/dev/media0", "/dev/video0")
    process(tmp_path, 77, "vlc", "/dev/video0", "/dev/video10")
    process(tmp_path, 5, "sh", "/dev/pts/0")
    (tmp_path / "meminfo").write_text("")
    (tmp_path / "locks").write_text(
        "1: POSIX  ADVISORY  WRITE 812 00:05:301 0 EOF\n2: -> POSIX  ADVISORY  READ x y\n\n"
    )
    return tmp_path


def test_who_has_a_video_device_is_named(proc: Path) -> None:
    assert video_holders("/dev/video0", proc) == ("vlc (pid 77)", "wireplumber (pid 640)")
    assert video_holders("/dev/video1", proc) == ()


def test_of_those_who_only_look_and_those_who_lock_the_locker_is_named(proc: Path) -> None:
    assert media_holders(proc) == ("rpicam-hello (pid 812)",)
    (proc / "locks").unlink()
    assert media_holders(proc) == ("wireplumber (pid 640)", "rpicam-hello (pid 812)")


def test_a_process_can_be_left_out(proc: Path) -> None:
    found = holders(("/dev/video0",), proc=proc, but_pid=77)
    assert named(found) == ("wireplumber (pid 640)",)


def test_what_may_not_be_read_is_passed_over(tmp_path: Path) -> None:
    process(tmp_path, 9, "gone", "/dev/video0")
    (tmp_path / "9" / "comm").unlink()
    (tmp_path / "10").mkdir()
    assert named(holders(("/dev/video0",), proc=tmp_path)) == ("? (pid 9)",)
    assert holders(("/dev/video0",), proc=tmp_path / "none") == ()


def test_this_very_process_is_found_in_the_real_folder(tmp_path: Path) -> None:
    path = tmp_path / "device"
    with path.open("w"):
        (one,) = holders((str(path),))
    assert one.pid == os.getpid()
    assert one.name
    # But never named as the one to be ended.
    with path.open("w"):
        assert video_holders(str(path)) == ()
