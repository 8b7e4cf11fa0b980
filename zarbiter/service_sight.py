"""What the dashboard is shown of sight: projections of the eye and of the newest frame."""

from dataclasses import dataclass

import numpy as np

from vision.cv import BgrImage, jpeg_of
from vision.frame import Frame
from vision.observation import BoardSighting, Observation, Timings
from vision.overlay import draw_observation
from web.api import LivePicture, Sight, SightState
from zarbiter.eye import Eye

QUALITY = 80
"""Of the JPEG pictures people look at."""
STALE_MS = 2000
"""Age from which a picture is no longer called live."""


@dataclass(frozen=True, slots=True)
class CameraNews:
    """How the camera is, as its driver tells."""

    state: SightState = SightState.OFF
    source: str = ""
    trouble: tuple[str, str] | None = None
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Seen:
    """The newest frame and what is known of it."""

    frame: Frame | None = None
    calm: bool = True
    fps: float | None = None
    by_hand: bool = False
    """Whether a person set the corners."""
    confidence: float | None = None
    """Of the corners found."""
    advice: tuple[tuple[str, str], ...] = ()


def sight_of(eye: Eye, seen: Seen, camera: CameraNews, now_ms: int) -> Sight:
    """Return what the camera shows now."""
    frame = seen.frame
    age_ms = None if frame is None else max(0, now_ms - round(1000 * frame.at_s))
    return Sight(
        state=_state(eye, seen, camera, age_ms),
        age_ms=age_ms,
        fps=seen.fps,
        dropped=camera.dropped,
        size_px=None if frame is None else (frame.bgr.shape[1], frame.bgr.shape[0]),
        corners_px=eye.corners_px,
        corners_by_hand=seen.by_hand,
        corners_confidence=seen.confidence,
        checkers=eye.seen,
        dice=eye.dice,
        advice=(*seen.advice, *eye.check.advice),
        source=camera.source,
        trouble=camera.trouble,
    )


def _state(eye: Eye, seen: Seen, camera: CameraNews, age_ms: int | None) -> SightState:
    if camera.state is not SightState.LIVE:
        return camera.state
    if age_ms is None:
        return SightState.STARTING
    if age_ms > STALE_MS:
        return SightState.STALE
    if eye.check.blind:
        return SightState.BLIND
    if eye.corners_px is None:
        return SightState.NO_BOARD
    return SightState.LIVE if seen.calm else SightState.HAND


def picture_of(frame: Frame, eye: Eye, now_ms: int, *, drawn: bool) -> LivePicture:
    """Encode a frame, with what is seen drawn on it if asked."""
    bgr = _drawn(frame.bgr, eye) if drawn and eye.corners_px is not None else frame.bgr
    at_ms = round(1000 * frame.at_s)
    return LivePicture(jpeg_of(bgr, QUALITY), frame.seq, at_ms, max(0, now_ms - at_ms))


def _drawn(bgr: BgrImage, eye: Eye) -> BgrImage:
    height, width = bgr.shape[:2]
    seen = Observation(
        width,
        height,
        BoardSighting(True, eye.corners_px, 1.0),
        eye.seen,
        eye.dice,
        Timings(0.0, 0.0, 0.0, 0.0),
    )
    return np.ascontiguousarray(draw_observation(bgr, seen))
