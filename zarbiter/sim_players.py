"""The simulated table in real time: a camera that can be read as any other, and two people.

They act in a thread of their own and hear of the referee what pages are shown. Nothing of what
truly happens reaches the referee but pictures, presses and words.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from hardware.camera import CameraError
from hardware.camera_errors import CameraClosedError, CameraTimeoutError
from hardware.clock import Clock
from hardware.picture import CameraPicture
from referee.arbiter import MatchState
from referee.arbiter.states import AwaitingThrow, MatchOver, NotOpened, SettingUp
from referee.timer_settings import ClockKind
from rules import Color, Variant
from table.camera import TableCamera
from table.cues import Cue, Happening, Said, Throw, Wait
from table.live import LiveTable
from table.script import Press, Shot
from web.api import TableStoppedError
from zarbiter.match_loop import cue_of, event_of, next_word
from zarbiter.service import TableService

_READ_S: Final = 2.0
"""How long a picture may take before the camera says that none came."""
_SAME_S: Final = 0.25
"""A scene that stands still is photographed anew so often."""
_SEEN_S: Final = 4.0
"""How long the players wait for the referee to have looked at what they did."""
_IDLE_S: Final = 0.5
_AGAIN: Final = 8
"""Waits after which something is done once more."""


class SimulatedCamera:
    """A camera over a table that is acted out in another thread.

    Args:
        table: shows the scenes.
        clock: the clock that pictures are stamped with.
    """

    def __init__(self, table: TableCamera, clock: Clock, shown: threading.Condition) -> None:
        self._table = table
        self._clock = clock
        self._shown = shown
        self._seq = 0
        self._closed = False

    def read(self) -> CameraPicture:
        """Photograph the scene: a new one at once, a standing one now and then.

        Raises:
            CameraClosedError: it was closed.
            CameraTimeoutError: nothing was shown yet.
        """
        with self._shown:
            self._shown.wait(_SAME_S)
            if self._closed:
                raise CameraClosedError
        try:
            frame = self._table.read()
        except CameraError as error:
            raise CameraTimeoutError(_READ_S) from error
        at_s = self._clock.now_s()
        self._seq += 1
        return CameraPicture(np.array(frame.bgr), at_s, self._seq)

    def close(self) -> None:
        """Photograph nothing more; the table goes on."""
        with self._shown:
            self._closed = True
            self._shown.notify_all()


class SimulatedPlayers:
    """Two people who play whatever match is opened.

    Args:
        service: the referee.
        sit: gives the table they sit down at, for a rule set, and whether turns are ended by
            buttons.
        clock: the time they act in.
        speed: how fast they are.
    """

    def __init__(
        self,
        service: TableService,
        sit: Callable[[Variant, bool], LiveTable],
        clock: Clock,
        speed: float = 1.0,
    ) -> None:
        self._service = service
        self._sit = sit
        self._agreed = service.state().match.variant, True
        self._table = sit(*self._agreed)
        self._clock = clock
        self._speed = speed
        self._camera = TableCamera()
        self._shown = threading.Condition()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def camera(self) -> SimulatedCamera:
        """Return a camera over their table; any number of them, one after the other."""
        return SimulatedCamera(self._camera, self._clock, self._shown)

    def start(self) -> None:
        """Sit down."""
        self._thread = threading.Thread(target=self._run, name="players", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Get up."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(10.0)
        self._camera.close()

    # --- inside: the players' thread ----------------------------------------------------------

    def _run(self) -> None:
        waited, last = 0, self._service.state().match
        try:
            while not self._stop.is_set():
                self._do(last, waited)
                now = self._service.state().match
                waited = waited + 1 if now == last else 0
                last = now
        except TableStoppedError:
            return

    def _do(self, state: MatchState, waited: int) -> None:
        if isinstance(state.phase, NotOpened | MatchOver):
            self._act(Wait(2))
            self._stop.wait(_IDLE_S)
            return
        agreed = state.variant, state.setup.clock.kind is not ClockKind.NONE
        if isinstance(state.phase, SettingUp) and agreed != self._agreed:
            self._agreed, self._table = agreed, self._sit(*agreed)
        word = next_word(state, round(1000 * self._clock.now_s()))
        if word is not None:
            self._service.say(lambda at_ms: replace(word, at_ms=at_ms))
            return
        if isinstance(state.phase, SettingUp) and waited % _AGAIN:
            self._act(Wait(3))
        elif isinstance(state.phase, AwaitingThrow) and waited and waited % _AGAIN == 0:
            # Nobody was told that the throw counts: the camera was out when it fell.
            self._act(Throw(state.phase.turn))
        else:
            self._act(cue_of(state, round(1000 * self._clock.now_s()), waited=waited))
        self._until_seen()

    def _act(self, cue: Cue) -> None:
        began_s, table_s = self._clock.now_s(), self._table.now_s
        for happening in self._table.act(cue):
            if self._stop.is_set():
                return
            due_s = began_s + (self._table.now_s - table_s) / self._speed
            left_s = due_s - self._clock.now_s()
            if left_s > 0:
                self._stop.wait(left_s)
            self._happens(happening)

    def _happens(self, happening: Happening) -> None:
        match happening:
            case Shot():
                with self._shown:
                    self._camera.show(happening)
                    self._shown.notify_all()
            case Press():
                self._service.press(round(1000 * self._clock.now_s()), Color(happening.side))
            case Said():
                event = event_of(happening)
                self._service.say(lambda at_ms: replace(event, at_ms=at_ms))

    def _until_seen(self) -> None:
        """Let the referee see what was done before anybody wonders why nothing is said."""
        done_s = self._clock.now_s()
        while self._clock.now_s() < done_s + _SEEN_S and not self._stop.is_set():
            looked_s = self._service.looked_s
            if looked_s is not None and looked_s > done_s:
                return
            self._stop.wait(0.05)
