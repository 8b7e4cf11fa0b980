"""Server-sent events: one reading of table and record for all streams, each at its own pace.

A stream costs a thread of the server, no thread of its own, and ends when its client does.
Rows carry their record number as event id, so that a browser that comes back names the last it
has, gets what it missed first, and nothing twice.
"""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from recording.record_row import Row
from referee.arbiter import Actor, MatchState
from web.api import RefereeApi, TableState
from web.view import Json, state_to_json
from web.words import words_possible

MOST_ROWS: Final = 500
"""Rows read at once."""
_KEPT_ROWS: Final = 256
_LEAST_GAP_S: Final = 0.1
"""Between two states of a stream: ten a second."""
_TICK_S: Final = 0.5
"""How often a stream looks whether its client is still there."""


compact: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Writes JSON without white space."""


def row_text(row: Row) -> str:
    """Write a row as JSON; its payload is JSON already and goes in as it is."""
    pictures = [{"kind": one.kind.value, "sha256": one.sha256} for one in row.evidence]
    head = compact(
        {
            "seq": row.seq,
            "match": row.match,
            "kind": row.kind,
            "at_s": row.at_s,
            "wall": row.wall,
            "synced": row.synced,
            "evidence": pictures,
        },
    )
    return f'{head[:-1]},"data":{row.text}}}'


class Slots:
    """So many at once, and not one more.

    Args:
        most: how many.
    """

    def __init__(self, most: int) -> None:
        self._free = threading.BoundedSemaphore(most)
        self.most = most

    def take(self) -> Callable[[], None] | None:
        """Return what gives the place back, harmless when called again; None: all taken."""
        if not self._free.acquire(blocking=False):
            return None
        held = [True]

        def give_back() -> None:
            if held:
                held.pop()
                self._free.release()

        return give_back


@dataclass(frozen=True, slots=True)
class _Written:
    version: int
    text: str


class Feed:
    """What all streams tell, made once for all of them.

    Args:
        api: the table.
        now_s: monotonic time in seconds.
        beat_s: between two beats.
    """

    def __init__(self, api: RefereeApi, now_s: Callable[[], float], beat_s: float) -> None:
        self._api, self._now_s, self._beat_s = api, now_s, beat_s
        self._writing, self._reading = threading.Lock(), threading.Lock()
        self._written: dict[tuple[Actor, ...], _Written] = {}
        self._plain: tuple[int, Json] | None = None
        self._may: dict[Actor, tuple[MatchState, tuple[str, ...]]] = {}
        self._rows: deque[tuple[int, str]] = deque(maxlen=_KEPT_ROWS)
        self._read_to: int | None = None
        self.closing = threading.Event()
        """Set when the server stops: every stream ends."""

    def state_text(self, state: TableState, speakers: tuple[Actor, ...]) -> str:
        """Write a state as a JSON object, once for all who ask."""
        with self._writing:
            found = self._written.get(speakers)
            if found is None or found.version != state.version:
                if self._plain is None or self._plain[0] != state.version:
                    self._plain = state.version, state_to_json(state)
                may = {by.value: self._may_say(state, by) for by in speakers}
                text = compact({**self._plain[1], "may": may})
                found = self._written[speakers] = _Written(state.version, text)
            return found.text

    def _may_say(self, state: TableState, by: Actor) -> tuple[str, ...]:
        """Return what somebody may say; sight changes often, and that does not."""
        known = self._may.get(by)
        if known is None or known[0] is not state.match:
            known = state.match, words_possible(state.match, by, state.now_ms)
            self._may[by] = known
        return known[1]

    def row_texts(self, after: int, seq: int, most: int = MOST_ROWS) -> list[tuple[int, str]]:
        """Return the rows after one, as (number, JSON).

        Args:
            after: the last one known.
            seq: of the record's last row.
            most: how many at once.
        """
        if seq <= after:
            return []
        with self._reading:
            if self._read_to is None:
                self._read_to = max(0, seq - _KEPT_ROWS)
            if seq > self._read_to:
                for row in self._api.rows(self._read_to):
                    self._rows.append((row.seq, row_text(row)))
                    self._read_to = row.seq
            if self._rows and after >= self._rows[0][0] - 1:
                return list(islice((one for one in self._rows if one[0] > after), most))
        rows = islice(self._api.rows(after), most)
        return [(row.seq, row_text(row)) for row in rows]

    def events(
        self,
        after: int | None,
        speakers: tuple[Actor, ...],
        session: str,
        gone: Callable[[], bool],
    ) -> Iterator[str]:
        """Yield a stream's events until its client is gone or the server stops.

        Args:
            after: the last row the client has; None: it wants only what comes.
            speakers: for whom it may speak.
            session: its session as JSON.
            gone: whether nobody listens any more, or may not any more.
        """
        state = self._api.state()
        # A number from another record would hide every row of this one.
        last = state.seq if after is None else min(after, state.seq)
        yield "retry: 1500\n\n"
        yield self._state_event(state, speakers, session)
        sent_s = beat_s = self._now_s()
        while not self.closing.is_set() and not gone():
            rows = self.row_texts(last, state.seq)
            for seq, text in rows:
                last = seq
                yield f"id: {seq}\nevent: entry\ndata: {text}\n\n"
            if rows:
                continue
            now_s = self._now_s()
            if now_s >= beat_s:
                beat_s = now_s + self._beat_s
                yield self._beat(state.rate, now_s)
            newer = self._api.wait(state.version, min(_TICK_S, max(0.05, beat_s - now_s)))
            waited_s = self._now_s() - now_s
            if newer.version == state.version:
                if waited_s < _LEAST_GAP_S / 2:
                    # A table that is being closed answers at once.
                    self.closing.wait(_LEAST_GAP_S)
                continue
            rest_s = sent_s + _LEAST_GAP_S - self._now_s()
            if rest_s > 0:
                self.closing.wait(rest_s)
                newer = self._api.state()
            state, sent_s = newer, self._now_s()
            yield self._state_event(state, speakers, session)

    def _state_event(self, state: TableState, speakers: tuple[Actor, ...], session: str) -> str:
        text = self.state_text(state, speakers)
        return f'event: state\ndata: {text[:-1]},"session":{session}}}\n\n'

    def _beat(self, rate: float, now_s: float) -> str:
        data = {"now_ms": self._api.now_ms(), "rate": rate, "server_ms": round(1000 * now_s)}
        return f"event: beat\ndata: {compact(data)}\n\n"
