"""What comes to the table from other threads: one slot for the newest frame, and queues."""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from rules import Color
from vision.frame import Frame
from web.api import TableStoppedError

_ANSWER_S: Final = 8.0
"""How long a page waits for the table before it is told that nobody listens."""
_Answered = TypeVar("_Answered")


@dataclass(frozen=True, slots=True)
class Request:
    """Something to be done in the table's thread."""

    task: Callable[[], object]
    done: "Future[Any]"


@dataclass(frozen=True, slots=True)
class Arrived:
    """What has come since the last time, each kind in its order."""

    frame: Frame | None = None
    presses: tuple[tuple[int, Color], ...] = ()
    requests: tuple[Request, ...] = ()

    def __bool__(self) -> bool:
        """Whether anything has come."""
        return self.frame is not None or bool(self.presses) or bool(self.requests)


class Inbox:
    """Filled by any thread, emptied by one."""

    def __init__(self) -> None:
        self._wake = threading.Condition()
        self._frame: Frame | None = None
        self._presses: deque[tuple[int, Color]] = deque()
        self._requests: deque[Request] = deque()
        self._closed = False
        self._dropped = 0

    @property
    def dropped(self) -> int:
        """How many frames were never taken."""
        with self._wake:
            return self._dropped

    def offer(self, frame: Frame) -> None:
        """Put the newest frame into the slot; one not yet taken is dropped."""
        with self._wake:
            self._dropped += self._frame is not None
            self._frame = frame
            self._wake.notify()

    def press(self, at_ms: int, side: Color) -> None:
        """Report a press."""
        with self._wake:
            self._presses.append((at_ms, side))
            self._wake.notify()

    def post(self, task: Callable[[], object]) -> None:
        """Have something done, and do not wait for it.

        Raises:
            TableStoppedError: nobody takes it any more.
        """
        self._enqueue(Request(task, Future()))

    def ask(self, task: Callable[[], _Answered]) -> _Answered:
        """Have something done and return what comes of it.

        Raises:
            TableStoppedError: nobody takes it any more, or it took too long.
        """
        done: Future[_Answered] = Future()
        self._enqueue(Request(task, done))
        try:
            return done.result(_ANSWER_S)
        except FutureTimeoutError as error:
            raise TableStoppedError("the table does not answer") from error

    def take(self, timeout_s: float) -> Arrived:
        """Return all that has come, waiting a while for something."""
        with self._wake:
            if timeout_s > 0:
                self._wake.wait_for(
                    lambda: self._frame or self._presses or self._requests or self._closed,
                    timeout_s,
                )
            arrived = Arrived(self._frame, tuple(self._presses), tuple(self._requests))
            self._frame = None
            self._presses.clear()
            self._requests.clear()
        return arrived

    def close(self) -> None:
        """Take nothing any more; whoever waits is told."""
        with self._wake:
            self._closed = True
            waiting = tuple(self._requests)
            self._requests.clear()
            self._wake.notify_all()
        for one in waiting:
            one.done.set_exception(TableStoppedError("the table is being closed"))

    def _enqueue(self, request: Request) -> None:
        with self._wake:
            if self._closed:
                raise TableStoppedError("the table is being closed")
            self._requests.append(request)
            self._wake.notify()
