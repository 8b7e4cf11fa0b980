"""The table in service: what pages ask of it from their own threads."""

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout, Corner
from calibration.profile import CalibrationProfile
from recording.keeper import MatchKeeper
from recording.record_errors import RecordFullError
from recording.record_open import open_record
from recording.signing import device_key
from referee.arbiter import Actor, MatchSetup
from referee.arbiter.events import OpeningDieSeen, Pressed, StartSeen, ThrowAnswered
from referee.arbiter.states import Opening, SettingUp
from referee.timer_presets import control_named
from rules import Color, Roll
from tests.support.boards import LONG_START
from tests.support.looks import LAYOUT
from vision.cv import as_u8
from vision.frame import Frame
from vision.observation import Side
from web.api import SightState, TableStoppedError
from zarbiter.placing import Placing
from zarbiter.profile_desk import ProfileDesk
from zarbiter.service import TableService
from zarbiter.service_device import PlainDevice
from zarbiter.service_sight import CameraNews

CORNERS = ((60.0, 40.0), (580.0, 40.0), (580.0, 440.0), (60.0, 440.0))
AGREED = MatchSetup(white="Анна", black="Борис", length=3, clock=control_named("10m+12s delay"))


class Table:
    """A service whose own thread is the test's, or one started for it."""

    def __init__(self, folder: Path, placing: Placing | None = None) -> None:
        self.now_ms = 1000
        self.folder = folder
        self.record = open_record(folder / "record", device_key(folder))
        self.kept: list[Placing] = []
        self.service = TableService(
            MatchKeeper(self.record, lambda: self.now_ms),
            placing or Placing(LAYOUT, corners_px=CORNERS),
            lambda: self.now_ms,
            PlainDevice(),
            folder / "clips",
            table="3",
            keep_placing=self.kept.append,
        )

    def frame(self, at_s: float) -> None:
        self.now_ms = round(1000 * at_s)
        noise = np.random.default_rng(1).integers(60, 190, (480, 640, 3), np.uint8)
        bgr = as_u8(cv2.GaussianBlur(noise, (0, 0), 1.2))
        self.service.see(Frame(bgr, at_s, self.now_ms))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.service.close()
    made.record.close()


@pytest.fixture
def served(table: Table) -> Iterator[Table]:
    """The table with its own thread."""
    done = threading.Event()

    def run() -> None:
        while not done.is_set():
            table.service.turn(0.02)

    thread = threading.Thread(target=run)
    thread.start()
    yield table
    done.set()
    thread.join()


def test_a_match_is_opened_and_led_from_other_threads(served: Table) -> None:
    service = served.service
    assert service.state().match_name is None
    opened = service.open_match(AGREED)
    assert opened.done
    state = service.state()
    assert (state.match.setup, state.table) == (AGREED, "3")
    assert isinstance(state.match.phase, SettingUp)
    assert service.say(lambda at: StartSeen(at, LONG_START, Actor.BOTH)).done
    assert isinstance(service.state().match.phase, Opening)
    assert service.state().version > state.version
    assert [row.kind for row in service.rows(match=state.match_name)] == [
        "match_opened", "start_seen",
    ]  # fmt: skip


def test_what_is_refused_says_why_and_is_not_recorded(served: Table) -> None:
    before = served.record.head
    answer = served.service.say(lambda at: ThrowAnswered(at, Actor.BOTH, Roll(6, 5)))
    assert (answer.done, answer.told[0].refused) == (False, True)
    served.service.open_match(AGREED)
    again = served.service.open_match(AGREED)
    assert not again.done
    assert "Another match" in again.told[0].en
    early = served.service.say(lambda at: ThrowAnswered(at, Actor.BOTH, Roll(6, 5)))
    assert (early.done, early.told[0].code) == (False, "not_now")
    assert served.record.head.seq == before.seq + 1


def test_a_waiter_hears_of_a_change_and_of_none(table: Table) -> None:
    seen: list[int] = []
    version = table.service.state().version
    waiter = threading.Thread(
        target=lambda: seen.append(table.service.wait(version, 20).version)
    )
    waiter.start()
    table.service.open(AGREED)
    waiter.join()
    assert seen[0] > version
    same = table.service.state()
    table.now_ms += 500
    table.service.turn(0)
    assert table.service.wait(same.version, 0.01) is same


def test_a_fallen_flag_needs_no_picture(table: Table) -> None:
    service = table.service
    service.open(replace(AGREED, clock=control_named("1m")))
    service.do(StartSeen(table.now_ms, LONG_START, Actor.BOTH))
    for side, value in ((Color.WHITE, 6), (Color.BLACK, 1)):
        service.do(OpeningDieSeen(table.now_ms, side, value, Actor.BOTH))
    service.do(Pressed(table.now_ms, Color.BLACK))
    table.now_ms += 61_000
    service.turn(0)
    assert service.state().match.clock.flag is Color.WHITE


def test_corners_and_layout_are_kept_and_looked_at_anew(table: Table) -> None:
    table.frame(1.0)
    a, b, c, d = ((x + 4, y) for x, y in CORNERS)
    moved = (a, b, c, d)
    threading.Thread(target=lambda: table.service.set_corners(moved)).start()
    while not table.service.turn(0.02):
        pass
    assert table.service.state().sight.corners_px == moved
    assert table.service.state().sight.corners_by_hand
    other = BoardLayout(Corner.BOTTOM_LEFT)
    threading.Thread(target=lambda: table.service.set_layout(other, Side.DARK)).start()
    while not table.service.turn(0.02):
        pass
    assert table.kept[-1] == Placing(other, Side.DARK, moved, by_hand=True)


def test_corners_that_make_no_field_are_refused(served: Table) -> None:
    served.frame(1.0)
    with pytest.raises(ValueError, match="field"):
        served.service.set_corners(((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)))


def test_a_picture_is_encoded_once_for_all(table: Table) -> None:
    assert table.service.picture() is None
    table.frame(1.0)
    table.now_ms += 300
    one, other = table.service.picture(), table.service.picture()
    assert one is not None
    assert other is not None
    assert one.jpeg is other.jpeg
    assert one.age_ms == 300
    drawn = table.service.picture(drawn=True)
    assert drawn is not None
    assert drawn.jpeg != one.jpeg


def test_old_pictures_and_a_lost_camera_are_called_so(table: Table) -> None:
    service = table.service
    service.camera(CameraNews(SightState.LIVE, "usb"))
    service.turn(0)
    table.frame(1.0)
    assert service.state().sight.state in (SightState.LIVE, SightState.HAND)
    table.now_ms += 2500
    service.turn(0)
    assert service.state().sight.state is SightState.STALE
    service.camera(CameraNews(SightState.LOST, "usb", ("Нет камеры.", "No camera.")))
    service.turn(0)
    service.camera(CameraNews(SightState.LIVE, "usb"))
    service.turn(0)
    noted = [row.data["state"] for row in service.rows() if row.kind == "record.camera"]
    assert noted == ["lost", "live"]


def test_a_clip_can_be_replayed(served: Table) -> None:
    served.service.open_match(AGREED)
    for number in range(5):
        served.frame(1.0 + number)
    name = served.service.keep_clip("Вторая кость — 5", {"roll": [6, 5]})
    folder = served.folder / "clips" / name
    lines = (folder / "frames.jsonl").read_text().splitlines()
    assert [json.loads(line)["t_s"] for line in lines] == [1.0, 2.0, 3.0, 4.0, 5.0]
    setup = json.loads((folder / "setup.json").read_text())
    assert setup["board_corners"] == [list(one) for one in CORNERS]
    told = json.loads((folder / "correction.json").read_text())
    assert told == {"note": "Вторая кость — 5", "correction": {"roll": [6, 5]}}


def test_a_record_that_cannot_be_written_is_told_and_the_table_goes_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = table.service
    service.open(AGREED)

    def full(*_: object, **__: object) -> object:
        raise RecordFullError("Нет места.", "No room.")

    monkeypatch.setattr(table.record, "append", full)
    answers: list[object] = []

    def ask() -> None:
        try:
            answers.append(service.say(lambda at: StartSeen(at, LONG_START, Actor.BOTH)))
        except TableStoppedError as error:
            answers.append(error)

    asker = threading.Thread(target=ask)
    asker.start()
    while not service.turn(0.02):
        pass
    asker.join()
    assert isinstance(answers[0], TableStoppedError)
    stopped = service.state().stopped
    assert stopped is not None
    assert isinstance(service.state().match.phase, SettingUp)
    monkeypatch.undo()
    service.do(StartSeen(table.now_ms, LONG_START, Actor.BOTH))
    assert service.state().stopped is None


def test_after_its_end_nobody_waits_for_the_table(table: Table) -> None:
    table.service.close()
    with pytest.raises(TableStoppedError):
        table.service.say(lambda at: Pressed(at, Color.WHITE))
    with pytest.raises(TableStoppedError):
        table.service.open_match(AGREED)


def test_a_match_under_way_is_taken_up_again(tmp_path: Path) -> None:
    first = Table(tmp_path)
    first.service.open(AGREED)
    first.service.do(StartSeen(first.now_ms, LONG_START, Actor.BOTH))
    first.service.close()
    first.record.close()
    again = Table(tmp_path)
    try:
        state = again.service.state()
        assert state.match.setup == AGREED
        assert isinstance(state.match.phase, Opening)
    finally:
        again.service.close()
        again.record.close()


def test_a_profile_of_another_view_is_not_used_and_that_is_told(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = CalibrationProfile((640, 480), CORNERS, BoardGeometry())
    owner = table.service._owner
    desk = ProfileDesk(replace(profile, image_size_px=(1000, 400)))
    monkeypatch.setattr(owner, "_profile", desk)
    table.frame(1.0)
    assert "profile" in table.service.state().sight.advice[0][1]
    assert owner.eye.corners_px == CORNERS


def test_a_profile_gives_the_eye_what_was_measured(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    geometry = replace(BoardGeometry(), checker_mm=36.0)
    profile = CalibrationProfile((640, 480), CORNERS, geometry)
    monkeypatch.setattr(table.service._owner, "_profile", ProfileDesk(profile))
    table.frame(1.0)
    assert table.service._owner.eye.geometry == geometry
    assert table.service.state().sight.advice == ()
