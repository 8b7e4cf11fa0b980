"""Exposure, gain, white balance and focus of a ribbon camera: measure once, then keep.

A camera that keeps adapting makes a checker change its colour when a hand passes by. So it
measures for a bounded time, and what it found is set for good, with lamps on the mains in mind.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hardware.camera_settings import CameraSettings
from hardware.errors import Sentence
from hardware.exposure import Exposure, Limits, without_bands

Controls = dict[str, Any]
Known = Mapping[str, tuple[Any, Any, Any]]
"""Least, greatest and default value of each control the camera has."""
_LEAST_PICTURES = 8
"""The first pictures after a start are still being measured, whatever they say."""
_AF_MANUAL, _AF_AUTO, _AF_START = 0, 1, 0
_AF_STATE_FOCUSED = 2


@dataclass(frozen=True, slots=True)
class Locked:
    """What is set for good, and what a person should know of it."""

    controls: Controls
    notes: tuple[Sentence, ...]


def before_start(settings: CameraSettings, known: Known) -> Controls:
    """Return the controls to start with, none that this camera does not have."""
    wanted: Controls = {
        "FrameDurationLimits": (settings.frame_us, settings.frame_us),
        # Not all cameras obey it, which is why the exposure is locked to the mains besides.
        "AeFlickerMode": 1,
        "AeFlickerPeriod": round(1e6 / (2 * settings.mains_hz)),
    }
    if settings.lens_position is not None:
        wanted |= {"AfMode": _AF_MANUAL, "LensPosition": settings.lens_position}
    else:
        # Focus once; continuous focus sticks to a hand that passes under the lens.
        wanted |= {"AfMode": _AF_AUTO, "AfTrigger": _AF_START}
    return {name: value for name, value in wanted.items() if name in known}


def measure(
    metadata: Callable[[], Mapping[str, Any]],
    now_s: Callable[[], float],
    settings: CameraSettings,
    known: Known,
) -> tuple[Mapping[str, Any], bool]:
    """Look at pictures' metadata until the light is measured or the time is up.

    Returns:
        The last metadata, and whether the camera said that it had settled.
    """
    until_s = now_s() + settings.warm_up_s
    seen = 0
    while True:
        said = metadata()
        seen += 1
        settled = _settled(said, known)
        if (settled and seen >= _LEAST_PICTURES) or now_s() >= until_s:
            return said, settled


def _settled(said: Mapping[str, Any], known: Known) -> bool:
    """Whether exposure and focus are done; a camera that never says so has not settled."""
    locked = bool(said.get("AeLocked", False)) or said.get("AeState") == 2
    focused = said.get("AfState", _AF_STATE_FOCUSED) >= _AF_STATE_FOCUSED
    return locked and (focused or "AfMode" not in known)


def lock(
    said: Mapping[str, Any], settled: bool, settings: CameraSettings, known: Known
) -> Locked:
    """Turn what was measured into fixed controls, none that this camera does not have."""
    notes: list[Sentence] = []
    wanted: Controls = {}
    if not known.keys() & {"ExposureTime", "AnalogueGain"}:
        return Locked(wanted, (_NO_CONTROL,))
    if not settled:
        notes.append(_NOT_SETTLED)
    time_us, gain = said.get("ExposureTime"), said.get("AnalogueGain")
    if time_us and gain:
        measured = Exposure(int(time_us), float(gain) * float(said.get("DigitalGain", 1.0)))
        chosen = without_bands(measured, settings.mains_hz, _limits(settings, known))
        wanted |= {
            "AeEnable": False,
            "ExposureTime": chosen.exposure.time_us,
            "AnalogueGain": chosen.exposure.gain,
        }
        if chosen.may_band:
            notes.append(_TOO_BRIGHT)
        if chosen.too_dark:
            notes.append(_TOO_DARK)
    if said.get("ColourGains"):
        wanted |= {"AwbEnable": False, "ColourGains": tuple(said["ColourGains"])}
    if settings.lens_position is None and said.get("LensPosition") is not None:
        wanted |= {"AfMode": _AF_MANUAL, "LensPosition": float(said["LensPosition"])}
    return Locked({name: v for name, v in wanted.items() if name in known}, tuple(notes))


def _limits(settings: CameraSettings, known: Known) -> Limits:
    least_us, most_us, _ = known.get("ExposureTime", (100, settings.frame_us, None))
    least_gain, most_gain, _ = known.get("AnalogueGain", (1.0, 16.0, None))
    longest_us = min(int(most_us or settings.frame_us), settings.frame_us)
    return Limits(int(least_us or 100), longest_us, float(least_gain), float(most_gain))


_NO_CONTROL = Sentence(
    "Эта камера не даёт задать выдержку: цвета могут плыть, когда над доской рука.",
    "This camera's exposure cannot be set: colours may drift while a hand is over the board.",
)
_NOT_SETTLED = Sentence(
    "Камера не успела замерить свет; взято то, что есть. Если картина темна или пёстра, "
    "перезапустите камеру при обычном освещении.",
    "The camera did not finish measuring the light; what it has is kept. If the picture is "
    "dark or tinted, restart the camera in the light you play in.",
)
_TOO_BRIGHT = Sentence(
    "Света слишком много для выдержки, кратной мерцанию ламп: возможны полосы. Убавьте свет.",
    "There is too much light for an exposure that fits the lamps' flicker: bands may show. "
    "Dim the light.",
)
_TOO_DARK = Sentence(
    "Света мало: картина темна и зерниста. Добавьте рассеянный свет.",
    "There is little light: the picture is dark and grainy. Add diffuse light.",
)
