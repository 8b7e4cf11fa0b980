"""The table as it was a while ago: what spectators see of a match that is broadcast late.

One seam for all of them: whatever a view asks of this API is as old as was agreed, states,
rows, times and pictures alike, so that no page can tell more by mistake.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import Final, NoReturn

from calibration.layout import BoardLayout
from recording.record_row import Row
from referee.arbiter import Event, MatchSetup
from vision.observation import Corners, Side
from web.api import Answer, LivePicture, RefereeApi, Sight, TableState
from web.problems import ProblemError

_TICK_S: Final = 0.5
"""Between two states that are kept: pages draw no finer."""


class DelayedApi:
    """A `RefereeApi` for those who only look, late by some seconds.

    Args:
        api: the table.
        delay_s: how late.
        now_s: monotonic time in seconds.
    """

    def __init__(
        self, api: RefereeApi, delay_s: float, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._api, self._delay_s, self._now_s = api, delay_s, now_s
        self._kept: deque[tuple[float, TableState]] = deque()
        self._changed = threading.Condition()
        self._closing = threading.Event()
        newest = api.state()
        self._shown = TableState(
            version=-1,
            now_ms=self._late(newest),
            rate=newest.rate,
            table=newest.table,
            simulated=newest.simulated,
        )
        """Nothing before the first state is old enough: not even whether a match is on."""
        self._thread = threading.Thread(target=self._run, name="delay", daemon=True)

    def start(self) -> None:
        """Begin to keep states."""
        self._thread.start()

    def close(self) -> None:
        """Keep no more."""
        self._closing.set()

    def tick(self) -> None:
        """Keep the newest state, and let go what has become old enough."""
        now_s, newest = self._now_s(), self._api.state()
        with self._changed:
            if not self._kept or self._kept[-1][1].version != newest.version:
                self._kept.append((now_s, newest))
            shown = self._shown
            while self._kept and self._kept[0][0] <= now_s - self._delay_s:
                shown = self._kept.popleft()[1]
            if shown is not self._shown:
                self._shown = shown
                self._changed.notify_all()

    def _run(self) -> None:
        while not self._closing.wait(_TICK_S):
            self.tick()

    def _late(self, newest: TableState) -> int:
        return self._api.now_ms() - round(1000 * self._delay_s * newest.rate)

    # --- what spectators ask ------------------------------------------------------------------

    def state(self) -> TableState:
        """Return the state of then."""
        with self._changed:
            return self._shown

    def wait(self, version: int, timeout_s: float) -> TableState:
        """Return the state of then as soon as it is newer than `version`, or after a while."""
        with self._changed:
            self._changed.wait_for(lambda: self._shown.version > version, timeout_s)
            return self._shown

    def now_ms(self) -> int:
        """Return the table's time of then, so that clocks show what they showed."""
        return self._late(self.state())

    def rows(self, after: int = 0, match: str | None = None) -> Iterator[Row]:
        """Yield the rows that were there then, oldest first."""
        last = self.state().seq
        return takewhile(lambda row: row.seq <= last, self._api.rows(after, match))

    def picture(self, *, drawn: bool = False) -> LivePicture | None:
        """Refuse: there is no live picture of what is over.

        Raises:
            ProblemError: always.
        """
        raise ProblemError("shown_late")

    def evidence(self, sha256: str) -> bytes | None:
        """Return a kept picture; its name is told by rows alone, and those are late."""
        return self._api.evidence(sha256)

    def export(self, match: str, form: str, language: str) -> tuple[bytes, str, str]:
        """Return a match, once all of it is old enough.

        Raises:
            LookupError: no such match.
            ProblemError: it goes on, or ended too short a while ago.
        """
        shown = self.state()
        if next(self.rows(match=match), None) is None:
            raise LookupError(match)
        if next(self._api.rows(shown.seq, match), None) is not None:
            raise ProblemError("shown_late")
        return self._api.export(match, form, language)

    def health(self) -> Mapping[str, object]:
        """Return how the device is, now."""
        return self._api.health()

    def settings(self) -> Mapping[str, object]:
        """Return the settings."""
        return self._api.settings()

    # --- what they may not --------------------------------------------------------------------

    def say(self, word: Callable[[int], Event]) -> Answer:
        """Refuse."""
        _refuse(word)

    def open_match(self, setup: MatchSetup) -> Answer:
        """Refuse."""
        _refuse(setup)

    def find_board(self) -> Sight:
        """Refuse."""
        _refuse()

    def set_corners(self, corners: Corners) -> Sight:
        """Refuse."""
        _refuse(corners)

    def set_layout(self, layout: BoardLayout, white: Side) -> Sight:
        """Refuse."""
        _refuse(layout, white)

    def keep_clip(self, note: str, correction: Mapping[str, object]) -> str:
        """Refuse."""
        _refuse(note, correction)

    def change_settings(self, changes: Mapping[str, object]) -> Mapping[str, object]:
        """Refuse."""
        _refuse(changes)

    def diagnostics(self) -> bytes:
        """Refuse."""
        _refuse()


def _refuse(*_: object) -> NoReturn:
    """Roles forbid it before it gets here; a view that forgot must not get through."""
    raise PermissionError("spectators only look")
