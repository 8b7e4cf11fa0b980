"""A table in service: one thread owns the match, everybody else asks and reads.

Frames go into a slot of one (a newer one takes the place of an older one not yet looked at),
presses and requests into a queue. `turn` takes what has come and publishes a new, immutable
state. Whoever drives it — cameras and buttons, or the simulated table — calls `turn` in one
thread; the dashboard's threads call the rest.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from calibration.layout import BoardLayout
from recording.keeper import MatchKeeper
from recording.record_errors import RecordError
from recording.record_reader import RecordReader
from recording.record_row import Row
from referee.arbiter import Event, MatchSetup, MatchState
from rules import Color
from vision.frame import Frame
from vision.observation import Corners, Side
from web.api import Answer, LivePicture, Sight, TableState, TableStoppedError
from zarbiter.eye import Eye
from zarbiter.inbox import Inbox, Request
from zarbiter.live import Step
from zarbiter.owner import TableOwner
from zarbiter.placing import Placing
from zarbiter.profile_desk import ProfileDesk
from zarbiter.service_device import Device
from zarbiter.service_files import export_match
from zarbiter.service_sight import CameraNews, picture_of


class TableService:
    """The live table; implements `web.api.RefereeApi`.

    Args:
        keeper: the arbiter on its record; a match under way is taken up again.
        placing: how the board lies before the camera.
        now_ms: the table's monotonic time in whole milliseconds.
        device: settings, health and diagnostics of the machine.
        folder: where problem clips are kept.
        table: the table's name.
        rate: how fast the table's time runs beside real time.
        simulated: whether this is the simulated table.
        keep_placing: called, in the table's thread, when the placing changed.
        heard: called, in the table's thread, with every step.
        profile: what was measured of board and camera.
    """

    def __init__(
        self,
        keeper: MatchKeeper,
        placing: Placing,
        now_ms: Callable[[], int],
        device: Device,
        folder: Path,
        *,
        table: str = "",
        rate: float = 1.0,
        simulated: bool = False,
        keep_placing: Callable[[Placing], None] = lambda _: None,
        heard: Callable[[Step], None] = lambda _: None,
        profile: ProfileDesk | None = None,
    ) -> None:
        blank = TableState(rate=rate, table=table, simulated=simulated)
        self._owner = TableOwner(
            keeper, placing, now_ms, folder, blank, keep_placing, heard, profile
        )
        self._now_ms = now_ms
        self._device = device
        self._record = keeper.record
        self._inbox = Inbox()
        self._closed = False
        self._changed = threading.Condition()
        self._state = self._owner.state(0, 0)
        self._shown: tuple[Frame, Eye] | None = None
        self._pictures: dict[bool, LivePicture] = {}
        self._encoding = threading.Lock()

    # --- the drivers' side: any thread --------------------------------------------------------

    def offer(self, frame: Frame) -> None:
        """Hand over the newest frame; one not yet looked at is dropped."""
        self._inbox.offer(frame)

    def press(self, at_ms: int, side: Color) -> None:
        """Report a press of a clock button, at its first edge."""
        self._inbox.press(at_ms, side)

    def camera(self, news: CameraNews) -> None:
        """Report how the camera is.

        Raises:
            TableStoppedError: nobody takes it any more.
        """
        self._inbox.post(lambda: self._owner.camera(news))

    def post(self, event: Callable[[], Event]) -> None:
        """Report something that nobody waits for the answer of.

        Raises:
            TableStoppedError: nobody takes it any more.
        """
        self._inbox.post(lambda: self._owner.do(event()))

    # --- the owner's side: one thread ---------------------------------------------------------

    def turn(self, timeout_s: float) -> bool:
        """Wait for something, take everything that has come, publish what is new.

        Returns:
            Whether anything had come.
        """
        owner, arrived = self._owner, self._inbox.take(timeout_s)
        frame, presses = arrived.frame, arrived.presses
        if frame is not None and presses and 1000 * frame.at_s <= presses[0][0]:
            # The picture came first: what it shows, the press may end.
            self.see(frame)
            frame = None
        for at_ms, side in presses:
            owner.guarded(partial(owner.press, at_ms, side))
        for request in arrived.requests:
            self._do(request)
        if frame is not None:
            self.see(frame)
        else:
            owner.guarded(owner.time_passed)
        self._publish()
        return bool(arrived)

    def see(self, frame: Frame) -> None:
        """Look at a frame now."""
        self._owner.see(frame)
        self._publish(frame)

    def do(self, event: Event) -> Answer:
        """Take an event now.

        Raises:
            RecordError: it could not be written; nothing has happened.
        """
        answer = self._owner.do(event)
        self._publish()
        return answer

    def open(self, setup: MatchSetup) -> Answer:
        """Begin a match now."""
        answer = self._owner.open(setup)
        self._publish()
        return answer

    @property
    def looked_s(self) -> float | None:
        """When the newest frame looked at was taken; in any thread."""
        with self._encoding:
            return None if self._shown is None else self._shown[0].at_s

    @property
    def match(self) -> MatchState:
        """Where the match is; for the owner."""
        return self._owner.match

    def close(self) -> None:
        """Take nothing any more; whoever waits is told."""
        self._inbox.close()
        self._owner.close()
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # --- RefereeApi: any thread ---------------------------------------------------------------

    def state(self) -> TableState:
        """Return the newest state."""
        with self._changed:
            return self._state

    def wait(self, version: int, timeout_s: float) -> TableState:
        """Return the newest state as soon as it is newer than `version`, or after a while."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._state.version > version or self._closed, timeout_s
            )
            return self._state

    def now_ms(self) -> int:
        """Return the table's monotonic time now."""
        return self._now_ms()

    def say(self, word: Callable[[int], Event]) -> Answer:
        """Hand a person's word to the arbiter and wait for what becomes of it."""
        return self._inbox.ask(lambda: self._owner.do(word(self._now_ms())))

    def open_match(self, setup: MatchSetup) -> Answer:
        """Begin a match."""
        return self._inbox.ask(lambda: self._owner.open(setup))

    def picture(self, *, drawn: bool = False) -> LivePicture | None:
        """Return the newest picture, encoded once for all who ask."""
        with self._encoding:
            if self._shown is None:
                return None
            frame, eye = self._shown
            now_ms = self._now_ms()
            if drawn not in self._pictures:
                self._pictures[drawn] = picture_of(frame, eye, now_ms, drawn=drawn)
            made = self._pictures[drawn]
        return replace(made, age_ms=max(0, now_ms - made.at_ms))

    def find_board(self) -> Sight:
        """Look for the board anew in the newest picture."""
        return self._inbox.ask(self._owner.find_board)

    def set_corners(self, corners: Corners) -> Sight:
        """Use these corners.

        Raises:
            GeometryError: they make no field in the picture.
        """
        return self._inbox.ask(lambda: self._owner.set_corners(corners))

    def set_layout(self, layout: BoardLayout, white: Side) -> Sight:
        """Say where the points lie and which checkers are White's."""
        return self._inbox.ask(lambda: self._owner.set_layout(layout, white))

    def rows(self, after: int = 0, match: str | None = None) -> Iterator[Row]:
        """Yield the record's rows."""
        with RecordReader(self._record.files.folder) as reader:
            yield from reader.rows(after, match=match)

    def evidence(self, sha256: str) -> bytes | None:
        """Return a picture an event rests on."""
        return self._record.picture(sha256)

    def export(self, match: str, form: str, language: str) -> tuple[bytes, str, str]:
        """Return a match as (bytes, media type, file name)."""
        return export_match(self._record.files.folder, match, form, language)

    def keep_clip(self, note: str, correction: Mapping[str, object]) -> str:
        """Keep the latest pictures and a correction."""
        return self._inbox.ask(lambda: self._owner.keep_clip(note, correction))

    def settings(self) -> Mapping[str, object]:
        """Return the settings."""
        return self._device.settings()

    def change_settings(self, changes: Mapping[str, object]) -> Mapping[str, object]:
        """Change settings."""
        return self._device.change_settings(changes)

    def health(self) -> Mapping[str, object]:
        """Return how the device is."""
        state = self.state()
        return self._device.health(state.sight, state.storage, state.stopped)

    def diagnostics(self) -> bytes:
        """Return a ZIP for those who help."""
        return self._device.diagnostics(self.health())

    # --- inside -------------------------------------------------------------------------------

    def _do(self, request: Request) -> None:
        """Do what another thread waits for; what goes wrong is for that thread to hear."""
        try:
            done = request.task()
        except RecordError as error:
            self._owner.cannot_write(error)
            request.done.set_exception(TableStoppedError(error.en))
        except (ValueError, LookupError, OSError) as error:
            request.done.set_exception(error)
        else:
            # What was asked may have changed how the picture is read.
            self._publish(self._owner.frame)
            request.done.set_result(done)

    def _publish(self, shown: Frame | None = None) -> None:
        """Make known what is new; a frame, with what is now seen on it."""
        if shown is not None:
            with self._encoding:
                self._shown, self._pictures = (shown, self._owner.eye), {}
        state = self._owner.state(self._state.version + 1, self._inbox.dropped)
        if _timeless(state) == _timeless(self._state):
            return
        with self._changed:
            self._state = state
            self._changed.notify_all()


def _timeless(state: TableState) -> TableState:
    """Leave out what changes by itself: time alone is no news for a page."""
    sight = state.sight
    fps = None if sight.fps is None else float(round(sight.fps))
    plain = replace(sight, age_ms=None, fps=fps, dropped=0)
    return replace(state, version=0, now_ms=0, sight=plain, storage=None)
