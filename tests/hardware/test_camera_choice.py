import threading
from pathlib import Path
from typing import Any

import pytest

from hardware.camera import Camera
from hardware.camera_choice import (
    FORMS,
    AutoChoice,
    CameraChoice,
    CameraChoiceError,
    FolderChoice,
    RibbonChoice,
    UsbChoice,
    VideoChoice,
    choice_text,
    open_camera,
    opener,
    parse_choice,
)
from hardware.camera_errors import CameraAbsentError, CameraOverError, CameraUnusableError
from hardware.camera_list import Listed, Listing, list_cameras
from hardware.camera_settings import CameraSettings
from hardware.clock import ManualClock
from hardware.errors import Sentence
from hardware.pi_api import PiLibrary
from tests.hardware.fakes.picamera2 import fake_library
from tests.hardware.test_camera_contract import folder_of_pictures, write_video
from tests.hardware.test_camera_v4l2 import plug

CHOICES: list[tuple[str, CameraChoice]] = [
    ("auto", AutoChoice()),
    ("usb", UsbChoice()),
    ("v4l2:/dev/video2", UsbChoice("/dev/video2")),
    ("picamera2:1", RibbonChoice(1)),
    ("video:a:b.mp4", VideoChoice(Path("a:b.mp4"))),
    ("folder:shots", FolderChoice(Path("shots"))),
]
NO_LIBRARY = Sentence("нет библиотеки", "no library")


@pytest.mark.parametrize(("text", "choice"), CHOICES)
def test_every_form_is_read_and_written(text: str, choice: CameraChoice) -> None:
    assert parse_choice(text) == choice
    assert choice_text(choice) == text


def test_the_first_ribbon_camera_needs_no_number() -> None:
    assert parse_choice(" picamera2 ") == RibbonChoice(0)


@pytest.mark.parametrize(
    "text",
    ["", "table", "usb:1", "auto:", "picamera2:", "picamera2:-1", "picamera2:²", "v4l2:0",
     "v4l2", "video:", "folder", "http://camera"],
)  # fmt: skip
def test_a_text_that_names_no_camera_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(CameraChoiceError) as caught:
        parse_choice(text)
    assert FORMS in caught.value.sentence.en
    assert FORMS in caught.value.sentence.ru


def test_every_form_that_is_told_can_be_read() -> None:
    for form in FORMS.split(", "):
        parse_choice(form.replace("[:N]", ":0").replace("videoN", "video0"))


def opened(choice: CameraChoice, listing: Listing | None = None) -> Camera:
    clock = ManualClock(7.0)
    return open_camera(
        choice,
        CameraSettings(),
        clock,
        clock.advance,
        lambda: listing or Listing((), NO_LIBRARY),
    )


def test_recordings_are_shown_at_their_own_speed_in_our_time(tmp_path: Path) -> None:
    folder = opened(FolderChoice(folder_of_pictures(tmp_path)))
    assert [folder.read().at_s for _ in range(3)] == pytest.approx([7.0, 7.2, 7.4])
    folder.close()
    video = opened(VideoChoice(write_video(tmp_path / "a.avi")))
    assert [video.read().at_s for _ in range(3)] == pytest.approx([7.0, 7.1, 7.2])
    for _ in range(5):
        video.read()
    with pytest.raises(CameraOverError):
        video.read()
    video.close()


def test_without_any_camera_it_is_said_what_is_missing() -> None:
    with pytest.raises(CameraUnusableError, match=r"There is no USB camera\. no library"):
        opened(AutoChoice())
    with pytest.raises(CameraAbsentError, match="no camera auto, nor any other"):
        opened(AutoChoice(), Listing((), None))
    with pytest.raises(CameraAbsentError, match="no camera usb; there is picamera2:0"):
        opened(UsbChoice(), Listing((Listed("picamera2:0", "imx708", ()),), None))


def test_auto_takes_the_first_one_listed() -> None:
    listing = Listing((Listed("v4l2:/dev/video77", "C920", ()),), NO_LIBRARY)
    for choice in (AutoChoice(), UsbChoice()):
        with pytest.raises(CameraAbsentError, match="no camera v4l2:/dev/video77"):
            opened(choice, listing)


def test_an_opener_opens_only_when_called(tmp_path: Path) -> None:
    clock = ManualClock()
    later = opener(FolderChoice(tmp_path / "f"), CameraSettings(), clock, clock.advance)
    (tmp_path / "f").mkdir()
    folder_of_pictures(tmp_path / "f")
    camera = later()
    assert camera.read().seq == 0
    camera.close()


def ribbon(**behaviour: Any) -> PiLibrary:
    return fake_library(**behaviour)


def test_cameras_of_both_kinds_are_listed_with_who_holds_them(tmp_path: Path) -> None:
    sys = tmp_path / "video4linux"
    plug(sys, 0, "C920", 0, usb=True)
    listing = list_cameras(
        load=lambda: ribbon(cameras=2),
        sys=sys,
        ribbon_holders=lambda: ("rpicam-hello (pid 812)",),
        usb_holders=lambda device: (),
    )
    assert [one.to_json() for one in listing.cameras] == [
        {"choice": "picamera2:0", "model": "imx708", "held_by": ["rpicam-hello (pid 812)"]},
        {"choice": "picamera2:1", "model": "imx708", "held_by": ["rpicam-hello (pid 812)"]},
        {"choice": "v4l2:/dev/video0", "model": "C920", "held_by": []},
    ]
    assert listing.ribbon_trouble is None


def test_without_picamera2_usb_cameras_are_listed_all_the_same(tmp_path: Path) -> None:
    """CAM-17."""

    def load() -> PiLibrary:
        raise CameraUnusableError(NO_LIBRARY)

    sys = tmp_path / "video4linux"
    plug(sys, 0, "C920", 0, usb=True)
    listing = list_cameras(load=load, sys=sys, usb_holders=lambda device: ())
    assert [one.choice for one in listing.cameras] == ["v4l2:/dev/video0"]
    assert listing.ribbon_trouble == NO_LIBRARY


def test_a_usb_camera_that_libcamera_shows_too_is_listed_once(tmp_path: Path) -> None:
    library: Any = ribbon()
    usb_id = {"Num": 0, "Model": "C920", "Id": r"\_SB_.PCI0.XHCI/usb1/1-1"}
    library.global_camera_info = staticmethod(lambda: [usb_id])
    listing = list_cameras(load=lambda: library, sys=tmp_path)
    assert listing.cameras == ()


def test_listing_leaves_no_thread() -> None:
    before = threading.active_count()
    list_cameras()
    assert threading.active_count() == before
