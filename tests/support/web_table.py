"""A table for the dashboard without a camera: the arbiter on a record, pictures from truth.

`python -m tests.support.web_table --port 8090 --playing` serves it; people in a browser and the
players inside share the match.
"""

import argparse
import io
import json
import random
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.layout import BoardLayout, Corner
from recording.keeper import MatchKeeper, Pictures, matches_of
from recording.mat_write import write_mat
from recording.record import Record
from recording.record_errors import RecordError
from recording.record_open import open_record
from recording.record_row import PictureKind, Row
from recording.retold import transcript_of
from recording.sgf_write import write_sgf
from recording.story import story_of
from referee.arbiter import Actor, Event, Forfeit, MatchSetup, MatchState, question_of
from referee.arbiter.events import (
    ClaimAnswered,
    FlagAnswered,
    MatchOpened,
    OpeningDieSeen,
    PlayRead,
    PrematureAnswered,
    RefereeLeft,
    Resumed,
    ThrowSeen,
    TimePassed,
)
from referee.arbiter.machine import Settled
from referee.arbiter.states import (
    AwaitingThrow,
    ClaimAsked,
    FlagAsked,
    MatchOver,
    NotOpened,
    PlayAsked,
    Playing,
    PrematureAsked,
)
from referee.timer_presets import PRESETS
from referee.timer_state import Phase as ClockPhase
from rules import Color, Position
from rules.start import start_position
from table.die import DiePose
from table.looks import LOOKS
from table.render import render
from table.scene import Camera, Die, Light, Scene
from table.sequence import TableSetup
from table.truth import corners_px, labels
from table.world import set_up
from tests.support.match import Table
from tests.support.matches import step
from tests.support.records import SMALL, key_of
from vision.observation import (
    BarReading,
    CheckersReading,
    Corners,
    DieReading,
    PointReading,
    Side,
)
from web.api import (
    Answer,
    LivePicture,
    Sight,
    SightState,
    TableState,
    TableStoppedError,
    Told,
)
from web.view import position_of

SIZE = (960, 720)
SETUP = TableSetup(look=LOOKS["baize"])
BOARD = SETUP.board()
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Drawn:
    """A picture of a position, with what is true of it."""

    jpeg: bytes
    boxes: tuple[Box, ...]
    values: tuple[int, ...]
    corners: Corners
    checkers: CheckersReading


@lru_cache(maxsize=64)
def drawn(text: str, dice: tuple[int, ...], marked: bool = False) -> Drawn:
    """Render a position with dice on it."""
    position = json.loads(text)
    discs = set_up(BOARD, position, np.random.default_rng(1))
    width, height = BOARD.geometry.width_mm, BOARD.geometry.height_mm
    lying = tuple(
        Die(
            DiePose(value, (0.62 + 0.12 * n) * width, 0.5 * height, 25.0 + 40 * n),
            where="right",
        )
        for n, value in enumerate(dice)
    )
    scene = Scene(BOARD.look, BOARD.geometry, Camera(), Light(), discs=discs, dice=lying)
    truth: Any = labels(BOARD, scene, SIZE)
    bgr = render(scene, SIZE)
    a, b, c, d = corners_px(scene, SIZE)
    corners = (a, b, c, d)
    boxes = tuple(_box(one) for one in truth["dice"])
    if marked:
        cv2.polylines(bgr, [np.array(corners, np.int32)], True, (90, 230, 255), 2)
        for (x, y, w, h), value in zip(boxes, dice, strict=True):
            cv2.rectangle(bgr, (x, y), (x + w, y + h), (90, 230, 255), 2)
            cv2.putText(bgr, str(value), (x, y - 6), 0, 0.8, (90, 230, 255), 2)
    _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, 80])
    points = truth["full_points"]
    checkers = CheckersReading(
        tuple(_point(label) for label in points["top"]),
        tuple(_point(label) for label in points["bottom"]),
        BarReading(0, 0),
    )
    return Drawn(bytes(data), boxes, dice, corners, checkers)


def _box(die: Mapping[str, Any]) -> Box:
    x, y, w, h = (round(float(n)) for n in die["box"])
    return x, y, w, h


def _point(label: str) -> PointReading:
    if not label:
        return PointReading(None, 0, 1.0)
    return PointReading(Side(label[0]), int(label[1:]), 1.0)


@dataclass
class Knobs:
    """What a test turns."""

    sight: SightState = SightState.LIVE
    stopped: bool = False
    renders: bool = False
    """Whether pictures show the board; else a small plain one does."""
    settings: dict[str, object] = field(
        default_factory=lambda: {
            "camera.source": "sim",
            "sound.volume": 0.7,
            "sound.speech": True,
            "table.name": "7",
            "buttons.white": 17,
            "buttons.black": 27,
        }
    )
    clips: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)
    encoded: int = 0
    """Pictures that were encoded for live viewers."""
    rows_read: int = 0


def ticking(seed: int = 1) -> Callable[[], int]:
    """Time that goes on by itself whenever it is asked for."""
    rng, now = random.Random(seed), [1000]

    def now_ms() -> int:
        now[0] += rng.choice((100, 300, 900, 2500))
        return now[0]

    return now_ms


class FakeTable:
    """Implements `web.api.RefereeApi` on a record in a folder.

    Args:
        folder: of the record.
        now_ms: the table's time.
        record: an open record; None: one is made in the folder.
    """

    def __init__(
        self,
        folder: Path,
        now_ms: Callable[[], int] | None = None,
        record: Record | None = None,
    ) -> None:
        self.now_ms = now_ms or ticking()
        self.knobs = Knobs()
        self.record = record or open_record(folder, key_of(), table="7", policy=SMALL)
        self.lock = threading.RLock()
        self._changed = threading.Condition(self.lock)
        self.keeper = MatchKeeper(self.record, self.now_ms)
        self._version = 1
        self._told: list[Told] = []
        self._dice: tuple[int, ...] = ()
        self._layout, self._white = BoardLayout(Corner.TOP_RIGHT), Side.LIGHT
        self._corners: Corners | None = None
        self._picture_seq = 0
        self._encoded: tuple[int, bool] | None = None
        self._state = self._made()

    # --- driving it ---------------------------------------------------------------------------

    def do(self, event: Event) -> Settled:
        """Take an event, with pictures where the camera would have some."""
        with self.lock:
            event, pictures = self._seen(event)
            settled = self.keeper.do(event, pictures)
            self._tell(settled)
            return settled

    def new_picture(self) -> None:
        """Let the camera take one; no news for pages."""
        with self.lock:
            self._picture_seq += 1

    def touch(self) -> None:
        """Publish a new version of the state."""
        with self.lock:
            self._publish()

    def close(self) -> None:
        """Let go of the record."""
        with self._changed:
            self.knobs.stopped = True
            self._changed.notify_all()
        self.record.close()

    def _seen(self, event: Event) -> tuple[Event, Pictures]:
        match event:
            case ThrowSeen():
                self._dice = tuple(die.value or 1 for die in event.dice)
                shot = self._shot()
                return replace(event, boxes_px=shot.boxes), {PictureKind.THROW: shot.jpeg}
            case OpeningDieSeen():
                self._dice = (event.value,)
                shot = self._shot()
                return replace(event, box_px=shot.boxes[0]), {PictureKind.THROW: shot.jpeg}
            case PlayRead():
                self._dice = ()
                return event, {PictureKind.AFTER: self._shot(event.position).jpeg}
            case _:
                return event, {}

    def _shot(self, position: Position | None = None, *, marked: bool = False) -> Drawn:
        stands = position or position_of(self.keeper.state)
        if not self.knobs.renders:
            return _plain(self._dice)
        if stands is None:
            stands = start_position(self.keeper.state.variant)
        return drawn(
            json.dumps(stands.to_json(with_bar=True), sort_keys=True), self._dice, marked
        )

    def _tell(self, settled: Settled) -> tuple[Told, ...]:
        seq, at_ms = self.record.head.seq, self.now_ms()
        told = tuple(Told(seq, at_ms, one.code, one.ru, one.en) for one in settled.said)
        self._told = [*self._told, *told][-30:]
        self._picture_seq += 1
        self._publish()
        return told

    def _publish(self) -> None:
        with self._changed:
            self._version += 1
            self._state = self._made()
            self._changed.notify_all()

    def _made(self) -> TableState:
        return TableState(
            version=self._version,
            seq=self.record.head.seq,
            now_ms=self.now_ms(),
            match_name=self.keeper.match,
            match=self.keeper.state,
            told=tuple(self._told),
            sight=self._sight(),
            layout=self._layout,
            white=self._white,
            table="7",
            simulated=True,
            storage=self.record.storage(),
        )

    def _sight(self) -> Sight:
        if self.knobs.sight in (SightState.OFF, SightState.LOST):
            return Sight(
                self.knobs.sight,
                source="sim",
                trouble=("Камера не отвечает.", "The camera does not answer."),
            )
        shot = self._shot()
        readings = tuple(
            DieReading(value, (x + w / 2, y + h / 2), (x, y, w, h), 0.98, flat=True)
            for value, (x, y, w, h) in zip(shot.values, shot.boxes, strict=True)
        )
        return Sight(
            self.knobs.sight,
            age_ms=120,
            fps=8.0,
            size_px=SIZE,
            corners_px=self._corners or shot.corners,
            corners_by_hand=self._corners is not None,
            corners_confidence=0.97,
            checkers=shot.checkers,
            dice=readings,
            source="sim",
        )

    # --- RefereeApi ---------------------------------------------------------------------------

    def state(self) -> TableState:
        with self.lock:
            return self._state

    def wait(self, version: int, timeout_s: float) -> TableState:
        with self._changed:
            self._changed.wait_for(
                lambda: self._state.version > version or self.knobs.stopped, timeout_s
            )
            return self._state

    def say(self, word: Callable[[int], Event]) -> Answer:
        self._must_run()
        with self.lock:
            try:
                settled = self.keeper.do(word(self.now_ms()))
            except RecordError as error:
                raise TableStoppedError(error.en) from error
            return self._answer(settled)

    def open_match(self, setup: MatchSetup) -> Answer:
        self._must_run()
        with self.lock:
            seq = self.record.head.seq
            if not isinstance(self.keeper.state.phase, NotOpened | MatchOver):
                why = ("Матч уже идёт.", "A match is under way.")
                told = Told(seq, self.now_ms(), "under_way", *why, refused=True)
                return Answer(False, (told,), seq)
            opened = MatchOpened(self.now_ms(), replace(setup, table="7"))
            return self._answer(self.keeper.open(f"2026-11-30-{seq}", opened))

    def _answer(self, settled: Settled) -> Answer:
        told = self._tell(settled)
        refused = settled.refused
        seq = self.record.head.seq
        if refused is not None:
            why = Told(seq, self.now_ms(), refused.code, refused.ru, refused.en, refused=True)
            told = (why, *told)
        return Answer(refused is None, told, seq)

    def _must_run(self) -> None:
        if self.knobs.stopped:
            raise TableStoppedError("closed")

    def picture(self, *, drawn: bool = False) -> LivePicture | None:
        if self.knobs.sight in (SightState.OFF, SightState.LOST):
            return None
        with self.lock:
            shot = self._shot(marked=drawn)
            if self._encoded != (self._picture_seq, drawn):
                self._encoded = self._picture_seq, drawn
                self.knobs.encoded += 1
            return LivePicture(shot.jpeg, self._picture_seq, 0, 120)

    def find_board(self) -> Sight:
        self._must_run()
        with self.lock:
            self._corners = None
            self._publish()
            return self._state.sight

    def set_corners(self, corners: Corners) -> Sight:
        self._must_run()
        area = cv2.contourArea(np.array(corners, np.float32))
        if area < 1000:
            raise ValueError("corners: they make no field")
        with self.lock:
            self._corners = corners
            self._publish()
            return self._state.sight

    def set_layout(self, layout: BoardLayout, white: Side) -> Sight:
        self._must_run()
        with self.lock:
            if isinstance(self.keeper.state.phase, NotOpened | MatchOver):
                self._layout, self._white = layout, white
                self._publish()
            return self._state.sight

    def rows(self, after: int = 0, match: str | None = None) -> Iterator[Row]:
        self.knobs.rows_read += 1
        return self.record.rows(after, match=match)

    def evidence(self, sha256: str) -> bytes | None:
        return self.record.picture(sha256)

    def export(self, match: str, form: str, language: str) -> tuple[bytes, str, str]:
        del language
        kept = {one.name: one for one in matches_of(self.record.rows())}[match]
        transcript = transcript_of(story_of(kept.events))
        if form == "pdf":
            raise ValueError("pdf: not at this table")
        writers = {"mat": write_mat, "sgf": write_sgf}
        text = writers[form](transcript) if form in writers else "[]"
        return text.encode(), "text/plain; charset=utf-8", f"{match}.{form}"

    def keep_clip(self, note: str, correction: Mapping[str, object]) -> str:
        self.knobs.clips.append((note, correction))
        return f"clip-{len(self.knobs.clips)}"

    def settings(self) -> Mapping[str, object]:
        return dict(self.knobs.settings)

    def change_settings(self, changes: Mapping[str, object]) -> Mapping[str, object]:
        for key, value in changes.items():
            known = self.knobs.settings.get(key)
            if known is None:
                raise ValueError(f"{key}: no such setting")
            if not isinstance(value, type(known)):
                raise ValueError(f"{key}: {type(known).__name__} is wanted")
        self.knobs.settings.update(changes)
        return self.settings()

    def health(self) -> Mapping[str, object]:
        lost = self.knobs.sight is SightState.LOST
        finding = {
            "code": "camera",
            "level": "bad",
            "ru": "Камера не отвечает.",
            "en": "The camera does not answer.",
        }
        return {"level": "bad" if lost else "ok", "findings": [finding] if lost else []}

    def diagnostics(self) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as bundle:
            bundle.writestr("health.json", json.dumps(dict(self.health())))
        return out.getvalue()


@lru_cache(maxsize=64)
def _plain(dice: tuple[int, ...]) -> Drawn:
    """A small picture that looks different for each throw."""
    bgr = np.full((72, 96, 3), 90, np.uint8)
    boxes: list[Box] = []
    for n, value in enumerate(dice):
        x = 10 + 30 * n
        cv2.rectangle(bgr, (x, 20), (x + 20, 40), (30 * value, 255, 255), -1)
        boxes.append((x, 20, 20, 20))
    _, data = cv2.imencode(".jpg", bgr)
    empty = tuple(PointReading(None, 0, 1.0) for _ in range(12))
    corners = ((5.0, 5.0), (90.0, 5.0), (90.0, 65.0), (5.0, 65.0))
    checkers = CheckersReading(empty, empty, BarReading(0, 0))
    return Drawn(bytes(data), tuple(boxes), dice, corners, checkers)


# --- people at the table ----------------------------------------------------------------------


class Players(Table):
    """Random players of `tests.support.matches`, at a fake table."""

    def __init__(self, table: FakeTable, seed: int = 1) -> None:
        self.table, self.rng = table, random.Random(seed)
        self.setup, self.log, self.last = table.keeper.state.setup, [], None

    @property
    def state(self) -> MatchState:  # type: ignore[override]
        return self.table.keeper.state

    @property
    def now_ms(self) -> int:  # type: ignore[override]
        return self.table.now_ms()

    def do(self, event: Event) -> Settled:
        self.last = self.table.do(event)
        return self.last

    def tick(self, ms: int = 500) -> int:
        del ms
        return self.table.now_ms()

    def at_turn(self) -> Color:
        """Whose turn it is."""
        return self.at(AwaitingThrow).turn

    def go_on(self, wrong: float = 0.05) -> None:
        """Do the next thing; a clock that stands is started again."""
        stands = self.state.clock.phase is ClockPhase.PAUSED
        if self.state.called is not None:
            self.do(RefereeLeft(self.tick(), Actor.REFEREE))
        elif stands and isinstance(self.state.phase, AwaitingThrow | Playing):
            self.do(Resumed(self.tick(), Actor.REFEREE))
        elif isinstance(self.state.phase, FlagAsked):
            self.do(FlagAnswered(self.tick(), Actor.REFEREE, Forfeit.NOTHING))
        elif isinstance(self.state.phase, PlayAsked):
            self.leave(self.legal())
        elif isinstance(self.state.phase, ClaimAsked):
            self.do(ClaimAnswered(self.tick(), Actor.REFEREE, upheld=False))
        elif isinstance(self.state.phase, PrematureAsked):
            self.do(PrematureAnswered(self.tick(), Actor.REFEREE, stands=False))
        else:
            step(self, self.rng, wrong)


def played(
    folder: Path,
    *,
    setup: MatchSetup | None = None,
    steps: int = 200,
    seed: int = 1,
    wrong: float = 0.03,
) -> FakeTable:
    """Return a table at which a match was played for some steps."""
    table = FakeTable(folder)
    agreed = setup or MatchSetup(white="Анна", black="Борис", length=3)
    table.open_match(agreed)
    players = Players(table, seed)
    for _ in range(steps):
        if isinstance(table.keeper.state.phase, MatchOver):
            break
        players.go_on(wrong)
    return table


def _serve(options: argparse.Namespace, folder: Path) -> None:
    from web.access import AccessStore
    from web.app import ACCESS_FILE, create_app
    from web.server import WebServer
    from web.settings import WebSettings

    began = time.monotonic()
    table = FakeTable(
        folder / "record", lambda: round(1000 * (time.monotonic() - began)) + 1000
    )
    table.knobs.renders = not options.plain
    settings = WebSettings(folder / "web", options.host, options.port, prefix=options.prefix)
    access = AccessStore(settings.folder / ACCESS_FILE)
    server = WebServer(create_app(table, settings, access=access), settings)
    server.start()
    sys.stdout.write(f"{server.url}  one-time code: {access.setup_code}\n")
    sys.stdout.flush()
    if options.playing:
        clock = PRESETS["federation"].control
        if isinstance(table.keeper.state.phase, NotOpened | MatchOver):
            table.open_match(MatchSetup(options.rules, "Анна", "Борис", 3, clock))
        players = Players(table, options.seed)
    pause, patience = threading.Event(), options.patience
    try:
        while not pause.wait(options.pause):
            with table.lock:
                if options.playing and not isinstance(players.state.phase, MatchOver):
                    # What is asked is first left to the people in the browser.
                    asked = question_of(players.state) is not None
                    patience = patience - 1 if asked else options.patience
                    if patience <= 0 or not asked:
                        players.go_on(options.wrong)
                table.do(TimePassed(table.now_ms()))
                table.new_picture()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()
        table.close()


def main() -> None:
    """Serve a table."""
    parser = argparse.ArgumentParser(description="a dashboard over a table without a camera")
    parser.add_argument("--port", type=int, default=8090)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--prefix", default="")
    parser.add_argument("--rules", default=MatchSetup().rules)
    parser.add_argument("--playing", action="store_true", help="players play by themselves")
    parser.add_argument("--pause", type=float, default=1.5, help="seconds between two actions")
    parser.add_argument("--patience", type=int, default=8, help="pauses left to answer in")
    parser.add_argument("--wrong", type=float, default=0.05, help="share of wrong plays")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="small pictures, quicker")
    parser.add_argument("--folder", type=Path, help="kept; else a temporary one")
    options = parser.parse_args()
    if options.folder is not None:
        _serve(options, options.folder)
        return
    with tempfile.TemporaryDirectory(prefix="web-table-") as made:
        _serve(options, Path(made))


if __name__ == "__main__":
    main()
