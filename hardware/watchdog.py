"""The camera's watchdog as a value: what each picture and each failure makes of it.

It waits for nothing and reads no clock: times come in, and what a camera's state is *at* a time
can be asked at any moment, so that even a driver that never comes back is noticed.
"""

from dataclasses import dataclass, replace
from typing import Final

from hardware.camera import CameraError
from hardware.camera_errors import (
    CameraAbsentError,
    CameraBusyError,
    CameraOverError,
    CameraUnusableError,
)
from hardware.camera_states import CameraState, Outage
from hardware.errors import Sentence

KEPT_OUTAGES: Final = 100
_FINAL: Final = (CameraState.UNUSABLE, CameraState.ENDED, CameraState.CLOSED)


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """How long is too long."""

    stale_s: float = 2.0
    """A picture older than this is not ruled on."""
    lost_s: float = 5.0
    """Without a picture for so long the camera is opened anew."""
    hung_s: float = 30.0
    """A driver that does not come back for so long never will."""
    backoff_s: tuple[float, ...] = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0)
    """Waits before opening it anew; the last one is repeated."""
    proven_s: float = 30.0
    """After so long a life the waits begin anew."""
    often: int = 3
    """So many outages …"""
    often_within_s: float = 3600.0
    """… within this time want looking at."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What is known of a camera."""

    phase: CameraState
    """As the capture last left it; `state_at` says what time made of it."""
    since_s: float
    """When the phase began."""
    picture_s: float | None = None
    """Of the newest picture."""
    alive_since_s: float | None = None
    """Of the first picture since it was opened or since the last outage."""
    call_since_s: float | None = None
    """Since when a call to the driver has not come back."""
    opened_s: float | None = None
    """When it was last opened."""
    reopen_at_s: float | None = None
    """When to open it anew."""
    tries: int = 0
    recovered: int = 0
    outages: tuple[Outage, ...] = ()
    trouble: Sentence | None = None
    """What the last failure said."""

    @property
    def is_over(self) -> bool:
        """Whether nothing will change any more."""
        return self.phase in _FINAL


def state_at(watch: Watch, now_s: float, settings: WatchSettings) -> CameraState:
    """Return how the camera is at a time, whether or not anything has happened since."""
    if watch.is_over:
        return watch.phase
    if watch.call_since_s is not None and now_s - watch.call_since_s > settings.hung_s:
        return CameraState.HUNG
    if watch.phase is CameraState.STARTING:
        late = now_s - watch.since_s > settings.lost_s
        return CameraState.LOST if late else CameraState.STARTING
    if watch.phase is not CameraState.LIVE or watch.picture_s is None:
        return watch.phase
    age_s = now_s - watch.picture_s
    if age_s > settings.lost_s:
        return CameraState.LOST
    return CameraState.STALE if age_s > settings.stale_s else CameraState.LIVE


def called(watch: Watch, now_s: float) -> Watch:
    """Note that the driver is being called."""
    return replace(watch, call_since_s=now_s)


def returned(watch: Watch) -> Watch:
    """Note that the driver came back."""
    return replace(watch, call_since_s=None)


def opened(watch: Watch, now_s: float) -> Watch:
    """Note that the device was opened; it is no live camera before its first picture."""
    return replace(returned(watch), opened_s=now_s, reopen_at_s=None)


def came(watch: Watch, picture_s: float, now_s: float, settings: WatchSettings) -> Watch:
    """Take a new picture's time.

    A picture that is too old when it comes is noted, but ends no outage.
    """
    if now_s - picture_s > settings.stale_s:
        return noted(replace(watch, picture_s=picture_s), now_s, settings)
    was = state_at(watch, now_s, settings)
    alive_since_s = watch.alive_since_s
    recovered, outages = watch.recovered, watch.outages
    if was is not CameraState.LIVE:
        outages, ended = _ended(noted(watch, now_s, settings).outages, picture_s)
        recovered += ended
        alive_since_s = now_s
    proven = alive_since_s is not None and now_s - alive_since_s >= settings.proven_s
    return replace(
        watch,
        phase=CameraState.LIVE,
        since_s=now_s if was is not CameraState.LIVE else watch.since_s,
        picture_s=picture_s,
        alive_since_s=alive_since_s,
        reopen_at_s=None,
        tries=0 if proven else watch.tries,
        recovered=recovered,
        outages=outages,
        trouble=None,
    )


def gave_none(watch: Watch, error: CameraError, now_s: float, settings: WatchSettings) -> Watch:
    """Take a read that failed: kept trying for a while, then the camera is opened anew."""
    if isinstance(error, CameraOverError | CameraUnusableError):
        return broke(watch, error, now_s, settings)
    tried = noted(replace(watch, trouble=error.sentence), now_s, settings)
    # One just opened has as much time as one that fell silent.
    silent_since_s = max(tried.picture_s or 0.0, tried.opened_s or tried.since_s)
    if now_s - silent_since_s > settings.lost_s:
        return broke(tried, error, now_s, settings)
    return tried


def broke(watch: Watch, error: CameraError, now_s: float, settings: WatchSettings) -> Watch:
    """Take a camera that must be opened anew, or could not be opened at all."""
    phase = _phase_of(error)
    waits = settings.backoff_s
    again = now_s + waits[min(watch.tries, len(waits) - 1)]
    final = phase in _FINAL
    broken = replace(
        watch,
        phase=phase,
        since_s=watch.since_s if watch.phase is phase else now_s,
        alive_since_s=None,
        reopen_at_s=None if final else again,
        tries=watch.tries if final else watch.tries + 1,
        trouble=error.sentence,
    )
    return noted(broken, now_s, settings)


def closed(watch: Watch, now_s: float) -> Watch:
    """Note that nobody wants pictures any more."""
    return Watch(
        CameraState.CLOSED,
        now_s,
        watch.picture_s,
        recovered=watch.recovered,
        outages=_ended(watch.outages, now_s)[0],
    )


def noted(watch: Watch, now_s: float, settings: WatchSettings) -> Watch:
    """Write down an outage that time alone has brought about."""
    state = state_at(watch, now_s, settings)
    if state in (CameraState.LIVE, CameraState.STARTING, *_FINAL):
        return watch
    outages = watch.outages
    if outages and outages[-1].ended_s is None:
        worst = state if state is not CameraState.STALE else outages[-1].state
        outages = (*outages[:-1], replace(outages[-1], state=worst))
    else:
        began_s = watch.since_s if watch.picture_s is None else watch.picture_s
        outages = (*outages, Outage(began_s, None, state))[-KEPT_OUTAGES:]
    return replace(watch, outages=outages)


def often_out(watch: Watch, now_s: float, settings: WatchSettings) -> bool:
    """Whether there were so many outages lately that the cable wants looking at."""
    recent = [
        one
        for one in watch.outages
        if one.ended_s is None or now_s - one.ended_s <= settings.often_within_s
    ]
    return len(recent) >= settings.often


def _phase_of(error: CameraError) -> CameraState:
    match error:
        case CameraBusyError():
            return CameraState.BUSY
        case CameraAbsentError():
            return CameraState.ABSENT
        case CameraUnusableError():
            return CameraState.UNUSABLE
        case CameraOverError():
            return CameraState.ENDED
        case _:
            return CameraState.LOST


def _ended(outages: tuple[Outage, ...], at_s: float) -> tuple[tuple[Outage, ...], int]:
    if not outages or outages[-1].ended_s is not None:
        return outages, 0
    return (*outages[:-1], replace(outages[-1], ended_s=at_s)), 1
