"""Exposure under lamps: a time in which the mains swings whole times leaves no bands."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

MainsHz: TypeAlias = Literal[50, 60]

_TOO_BRIGHT: Final = 1.5
"""Overexposure by more than this spoils the picture more than bands would."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """What is set for good once the light is known."""

    time_us: int
    gain: float


@dataclass(frozen=True, slots=True)
class Limits:
    """What the sensor can do at the frame rate asked for."""

    least_us: int = 100
    most_us: int = 66_000
    least_gain: float = 1.0
    most_gain: float = 16.0


@dataclass(frozen=True, slots=True)
class Chosen:
    """An exposure, and whether lamps on the mains may show as bands."""

    exposure: Exposure
    may_band: bool
    too_dark: bool
    """The gain is at its end and the picture is darker than was measured."""


def half_wave_us(mains_hz: MainsHz) -> float:
    """Return the time of one swing of a lamp's brightness: it lights up twice a period."""
    return 1e6 / (2 * mains_hz)


def without_bands(measured: Exposure, mains_hz: MainsHz, limits: Limits) -> Chosen:
    """Return an exposure as bright as the measured one that shows no bands.

    The time is the largest multiple of the half wave that is not longer than the measured one,
    and at least one half wave; the gain makes up for the difference. Where even one half wave
    would overexpose, the measured exposure stays and may show bands.
    """
    half_us = half_wave_us(mains_hz)
    light = measured.time_us * measured.gain
    longest = int(limits.most_us // half_us)
    waves = min(max(int(measured.time_us / half_us + 1e-6), 1), longest)
    gain = light / (waves * half_us) if waves else 0.0
    if waves < 1 or limits.least_gain > gain * _TOO_BRIGHT:
        return Chosen(measured, may_band=True, too_dark=False)
    while gain > limits.most_gain and waves < longest:
        waves += 1
        gain = light / (waves * half_us)
    kept = min(max(gain, limits.least_gain), limits.most_gain)
    chosen = Exposure(max(round(waves * half_us), limits.least_us), kept)
    return Chosen(chosen, may_band=False, too_dark=gain > limits.most_gain * 1.05)
