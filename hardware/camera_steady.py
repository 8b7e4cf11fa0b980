"""A camera that is watched, opened anew when it fails, and never shows old pictures as new.

It owns the one capture thread: the device is opened, read and closed there and nowhere else.
Everybody else gets the newest picture from a slot of one.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Condition, Event, Thread

from hardware import watchdog
from hardware.camera import Camera, CameraError, Picture
from hardware.camera_errors import (
    CameraClosedError,
    CameraFailedError,
    CameraOverError,
    CameraTimeoutError,
    CameraUnusableError,
)
from hardware.camera_states import (
    OFTEN,
    STATE_WORDS,
    CameraChange,
    CameraState,
    CameraStatus,
    Outage,
)
from hardware.clock import Clock
from hardware.errors import Sentence
from hardware.picture import CameraPicture
from hardware.watchdog import Watch, WatchSettings, state_at

_AGAIN_S = 0.1
"""Wait after a read that failed at once, so that a dead device does not eat a processor."""
_IDLE_S = 0.01
"""Wait after a picture that is not new: some cameras answer without waiting."""
_FPS_OVER = 30


class SteadyCamera:
    """A `Camera` that outlives its device. `start` it, or drive it by hand with `step`.

    Args:
        name: what people call it.
        opener: opens the device; called in the capture thread, as often as needed.
        clock: the clock that the device's pictures are stamped with.
        settings: how long is too long.
        on_change: told each change of state, from whatever thread notices it; must be quick,
            such as putting it into a queue.
    """

    def __init__(
        self,
        name: str,
        opener: Callable[[], Camera],
        clock: Clock,
        settings: WatchSettings | None = None,
        on_change: Callable[[CameraChange], object] | None = None,
    ) -> None:
        self.name = name
        self._opener = opener
        self._clock = clock
        self._settings = settings or WatchSettings()
        self._on_change = on_change
        self._device: Camera | None = None
        self._device_seq = -1
        self._thread: Thread | None = None
        self._stop = Event()
        self._new = Condition()
        now_s = clock.now_s()
        # All below is read and written under the condition's lock.
        self._watch = Watch(CameraState.STARTING, now_s)
        self._told = CameraState.STARTING
        self._told_since_s = now_s
        self._picture: CameraPicture | None = None
        self._fetched = True
        self._pictures = 0
        self._dropped = 0
        self._times: deque[float] = deque(maxlen=_FPS_OVER)
        self._notes: tuple[Sentence, ...] = ()

    def start(self) -> None:
        """Start the capture thread; once is enough."""
        if self._thread is None and not self._stop.is_set():
            self._thread = Thread(target=self._run, name=f"camera {self.name}", daemon=True)
            self._thread.start()

    def read(self) -> CameraPicture:
        """Return the newest picture, at once. The same one twice has the same `seq`.

        Raises:
            CameraError: there is none that is new enough; `status` says why.
        """
        change, state, picture = self._look()
        self._tell(change)
        if state is CameraState.LIVE and picture is not None:
            with self._new:
                self._fetched = True
            return picture
        raise self._why(state)

    def newer(self, than_seq: int, wait_s: float) -> CameraPicture | None:
        """Wait for a picture with a greater number; None when the time is up.

        Raises:
            CameraClosedError: `close` was called.
            CameraOverError: the recording is over.
            CameraUnusableError: there will never be one.
        """
        with self._new:
            self._new.wait_for(lambda: self._watch.is_over or self._has(than_seq), wait_s)
        change, state, picture = self._look()
        self._tell(change)
        if picture is not None and picture.seq > than_seq and state is CameraState.LIVE:
            with self._new:
                self._fetched = True
            return picture
        if state in (CameraState.CLOSED, CameraState.ENDED, CameraState.UNUSABLE):
            raise self._why(state)
        return None

    def status(self) -> CameraStatus:
        """Say how the camera is now. Ask now and then: this also notices that it stalls."""
        change, state, picture = self._look()
        self._tell(change)
        with self._new:
            now_s, watch = self._clock.now_s(), self._watch
            often = watchdog.often_out(watch, now_s, self._settings)
            return CameraStatus(
                self.name,
                state,
                self._told_since_s,
                None if watch.picture_s is None else now_s - watch.picture_s,
                self._fps() if state is CameraState.LIVE else 0.0,
                None if picture is None else picture.size_px,
                self._pictures,
                self._dropped,
                watch.tries,
                watch.recovered,
                watch.outages,
                often,
                self._sentence(state, often=often),
                self._notes,
            )

    def close(self, join_s: float = 5.0) -> None:
        """Stop the thread and give the device back. May be called twice.

        Args:
            join_s: the longest time to wait for a driver that does not come back.
        """
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(join_s)
        if thread is None or not thread.is_alive():
            self._close_device()
        with self._new:
            if not self._watch.is_over or self._watch.phase is not CameraState.CLOSED:
                self._watch = watchdog.closed(self._watch, self._clock.now_s())
            change = self._noticed()
            self._new.notify_all()
        self._tell(change)

    def step(self) -> float:
        """Do the capture thread's next piece of work: open, or read, or nothing.

        Returns:
            How long to wait before the next one; below zero when all is over.
        """
        with self._new:
            watch, now_s = self._watch, self._clock.now_s()
        if self._stop.is_set() or watch.is_over:
            return -1.0
        if self._device is None:
            if watch.reopen_at_s is not None and now_s < watch.reopen_at_s:
                return watch.reopen_at_s - now_s
            return self._open()
        return self._read(self._device)

    def _run(self) -> None:
        wait_s = 0.0
        while wait_s >= 0 and not self._stop.wait(wait_s):
            wait_s = self.step()
        # In this thread, since some devices want to be closed where they were opened.
        self._close_device()

    def _open(self) -> float:
        self._call()
        try:
            device = self._opener()
        except CameraError as error:
            return self._failed(error)
        except Exception as error:  # noqa: BLE001 - the thread must outlive any driver
            return self._failed(_strange(error))
        self._device, self._device_seq = device, -1
        with self._new:
            self._watch = watchdog.opened(self._watch, self._clock.now_s())
            self._notes = tuple(getattr(device, "notes", ()))
        return 0.0

    def _read(self, device: Camera) -> float:
        self._call()
        try:
            picture = device.read()
        except (CameraOverError, CameraUnusableError) as error:
            self._close_device()
            return self._failed(error)
        except CameraError as error:
            return self._gave_none(error)
        except Exception as error:  # noqa: BLE001 - the thread must outlive any driver
            return self._gave_none(_strange(error))
        return self._take(picture)

    def _take(self, picture: Picture) -> float:
        with self._new:
            now_s = self._clock.now_s()
            self._watch = watchdog.returned(self._watch)
            last = self._picture
            if last is not None and picture.at_s <= last.at_s:
                # The driver handed out an old buffer once more: it proves nothing.
                change = self._noticed()
                idle = True
            else:
                idle = False
                at_s = min(picture.at_s, now_s)
                gap = picture.seq - self._device_seq if self._device_seq >= 0 else 1
                self._device_seq = picture.seq
                self._dropped += 0 if self._fetched else 1
                self._fetched = False
                self._pictures += 1
                self._times.append(at_s)
                seq = (-1 if last is None else last.seq) + max(gap, 1)
                luma = picture.luma if isinstance(picture, CameraPicture) else None
                self._picture = CameraPicture(picture.bgr, at_s, seq, luma)
                self._watch = watchdog.came(self._watch, at_s, now_s, self._settings)
                change = self._noticed()
                self._new.notify_all()
        self._tell(change)
        return _IDLE_S if idle else 0.0

    def _gave_none(self, error: CameraError) -> float:
        with self._new:
            self._watch = watchdog.gave_none(
                watchdog.returned(self._watch), error, self._clock.now_s(), self._settings
            )
            again = self._watch.reopen_at_s is not None
            change = self._noticed()
        if again:
            self._close_device()
        self._tell(change)
        return _AGAIN_S

    def _failed(self, error: CameraError) -> float:
        with self._new:
            self._watch = watchdog.broke(
                watchdog.returned(self._watch), error, self._clock.now_s(), self._settings
            )
            over = self._watch.is_over
            change = self._noticed()
            self._new.notify_all()
        self._tell(change)
        return -1.0 if over else 0.0

    def _call(self) -> None:
        with self._new:
            self._watch = watchdog.called(self._watch, self._clock.now_s())

    def _close_device(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            # What a broken device says when it is put down is of no use to anybody.
            with suppress(Exception):
                device.close()

    def _look(self) -> tuple[CameraChange | None, CameraState, CameraPicture | None]:
        with self._new:
            change = self._noticed()
            return change, self._told, self._picture

    def _noticed(self) -> CameraChange | None:
        """Note what time and the device have made of the state; under the lock."""
        now_s = self._clock.now_s()
        self._watch = watchdog.noted(self._watch, now_s, self._settings)
        state = state_at(self._watch, now_s, self._settings)
        if state is self._told:
            return None
        before, self._told, self._told_since_s = self._told, state, now_s
        if state is not CameraState.LIVE:
            self._times.clear()
        outages = self._watch.outages
        outage: Outage | None = outages[-1] if outages else None
        if outage is not None and outage.ended_s is not None and before is CameraState.STARTING:
            outage = None
        often = watchdog.often_out(self._watch, now_s, self._settings)
        return CameraChange(now_s, before, state, self._sentence(state, often=often), outage)

    def _tell(self, change: CameraChange | None) -> None:
        if change is not None and self._on_change is not None:
            self._on_change(change)

    def _has(self, than_seq: int) -> bool:
        return self._picture is not None and self._picture.seq > than_seq

    def _fps(self) -> float:
        if len(self._times) < 2:
            return 0.0
        lasted_s = self._times[-1] - self._times[0]
        return (len(self._times) - 1) / lasted_s if lasted_s > 0 else 0.0

    def _sentence(self, state: CameraState, *, often: bool) -> Sentence:
        said = STATE_WORDS[state]
        if self._watch.trouble is not None and state is not CameraState.LIVE:
            said += self._watch.trouble
        return said + OFTEN if often else said

    def _why(self, state: CameraState) -> CameraError:
        with self._new:
            sentence = self._sentence(state, often=False)
        match state:
            case CameraState.CLOSED:
                return CameraClosedError()
            case CameraState.ENDED:
                return CameraOverError(self.name)
            case CameraState.UNUSABLE:
                return CameraUnusableError(sentence)
            case CameraState.STALE:
                return CameraTimeoutError(self._settings.stale_s)
            case _:
                return CameraError(sentence)


def _strange(error: Exception) -> CameraFailedError:
    return CameraFailedError(f"{type(error).__name__}: {error}")
