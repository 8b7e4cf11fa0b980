"""From a driver's callbacks to button events: a bounded queue and the one thread behind it.

A driver's callback must never fail and never wait: it only puts the edge down here.
"""

from collections.abc import Callable, Mapping
from queue import Empty, Full, Queue
from threading import Lock, Thread, current_thread
from typing import TypeAlias

from hardware.button import SideName
from hardware.button_board import ButtonBoard
from hardware.button_events import ButtonEvent, ButtonHealth
from hardware.clock import Clock
from hardware.debounce import DebounceSettings
from hardware.stamps import StampClock

Levels: TypeAlias = Callable[[], Mapping[SideName, bool]]
_Edge: TypeAlias = tuple[SideName, float, bool]
_MOST_EDGES = 2000
"""A wild line makes more than anybody can look at; the rest is dropped and counted."""


class ButtonPump:
    """Takes edges from any thread, tells events from its own. `start` it, or `step` by hand.

    Args:
        levels: reads which buttons are down.
        clock: monotonic.
        settings: how long is long.
        handler: told each event; must be quick, such as putting it into a queue.
    """

    def __init__(
        self,
        levels: Levels,
        clock: Clock,
        handler: Callable[[ButtonEvent], object],
        settings: DebounceSettings | None = None,
    ) -> None:
        self._levels = levels
        self._clock = clock
        self._handler = handler
        self._edges: Queue[_Edge | None] = Queue(_MOST_EDGES)
        self._stamps = StampClock()
        self._lost = 0
        self._lock = Lock()
        self._board = ButtonBoard(levels(), clock.now_s(), settings)
        self._at_start = self._board.at_start
        self._health = self._board.health()
        self._thread: Thread | None = None
        self._closed = False

    def push(self, side: SideName, stamp_s: float | None, down: bool) -> None:
        """Take an edge, with the driver's time if it has one. Never fails, never waits."""
        with self._lock:
            at_s, self._stamps = self._stamps.mapped(stamp_s, self._clock.now_s())
            if self._closed:
                return
            try:
                self._edges.put_nowait((side, at_s, down))
            except Full:
                self._lost += 1

    def start(self, name: str = "buttons") -> None:
        """Start the thread; once is enough."""
        if self._thread is None and not self._closed:
            self._thread = Thread(target=self._run, name=name, daemon=True)
            self._thread.start()

    def step(self) -> float | None:
        """Work off the edges that came, and what time has brought about.

        Returns:
            How long until time brings about something else; None if it will not.
        """
        return self._work([])

    def _work(self, items: list[_Edge | None]) -> float | None:
        events, self._at_start = self._at_start, ()
        while True:
            try:
                items.append(self._edges.get_nowait())
            except Empty:
                break
        for item in items:
            if item is not None:
                events += self._board.edge(*item)
        now_s = self._clock.now_s()
        due_s = self._board.due_s()
        if due_s is not None and due_s <= now_s:
            events += self._board.tick(now_s, self._levels())
            due_s = self._board.due_s()
        health = self._board.health()
        with self._lock:
            self._health = health
        for event in events:
            if not self._closed:
                self._handler(event)
        return None if due_s is None else max(due_s - now_s, 0.0)

    def health(self) -> tuple[ButtonHealth, ...]:
        """Say how each line is; from any thread."""
        with self._lock:
            return self._health

    @property
    def lost(self) -> int:
        """How many edges were dropped because too many came."""
        with self._lock:
            return self._lost

    def close(self) -> None:
        """Stop the thread; no event is told any more. May be called twice."""
        with self._lock:
            self._closed = True
        thread, self._thread = self._thread, None
        if thread is not None:
            self._wake()
            if thread is not current_thread():
                thread.join()

    def _wake(self) -> None:
        try:
            self._edges.put_nowait(None)
        except Full:  # then it is awake
            return

    def _run(self) -> None:
        items: list[_Edge | None] = []
        while not self._closed:
            wait_s = self._work(items)
            try:
                items = [self._edges.get(timeout=wait_s)]
            except Empty:
                items = []
