import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.exposure import Exposure, Limits, MainsHz, half_wave_us, without_bands


@pytest.mark.parametrize(
    ("measured", "mains_hz", "chosen"),
    [
        (Exposure(23_000, 2.0), 50, Exposure(20_000, 2.3)),
        (Exposure(10_000, 1.0), 50, Exposure(10_000, 1.0)),
        (Exposure(23_000, 2.0), 60, Exposure(16_667, 2.76)),
        (Exposure(5_000, 4.0), 50, Exposure(10_000, 2.0)),
        (Exposure(8_000, 1.0), 50, Exposure(10_000, 1.0)),
    ],
)
def test_the_time_fits_the_mains_and_the_gain_makes_up(
    measured: Exposure, mains_hz: MainsHz, chosen: Exposure
) -> None:
    got = without_bands(measured, mains_hz, Limits())
    assert got.exposure.time_us == chosen.time_us
    assert got.exposure.gain == pytest.approx(chosen.gain, rel=0.01)
    assert not got.may_band


def test_in_bright_light_it_is_said_that_bands_may_show() -> None:
    got = without_bands(Exposure(2_000, 1.0), 50, Limits())
    assert got.exposure == Exposure(2_000, 1.0)
    assert got.may_band


def test_at_a_high_rate_only_what_fits_between_pictures_is_taken() -> None:
    got = without_bands(Exposure(60_000, 1.0), 50, Limits(most_us=33_333))
    assert got.exposure == Exposure(30_000, 2.0)
    assert without_bands(Exposure(8_000, 1.0), 50, Limits(most_us=9_000)).may_band


def test_in_the_dark_the_time_grows_before_the_gain_ends() -> None:
    got = without_bands(Exposure(20_000, 30.0), 50, Limits(most_us=66_000))
    assert got.exposure.time_us == 40_000
    assert not got.too_dark
    assert without_bands(Exposure(60_000, 30.0), 50, Limits(most_us=66_000)).too_dark


@settings(max_examples=40)
@given(st.integers(100, 60_000), st.floats(1.0, 16.0), st.sampled_from([50, 60]))
def test_lamps_leave_no_bands_whenever_it_says_so(
    time_us: int, gain: float, mains_hz: MainsHz
) -> None:
    """CAM-14: rows are exposed one after another while the lamps swing."""
    got = without_bands(Exposure(time_us, gain), mains_hz, Limits())
    if got.may_band:
        return
    half_s = half_wave_us(mains_hz) / 1e6
    exposed_s = got.exposure.time_us / 1e6
    starts = np.linspace(0.0, 0.03, 60)[:, None]
    within = np.linspace(0.0, exposed_s, 2000, endpoint=False)[None, :]
    lamp = 1 + 0.8 * np.cos(2 * np.pi * (starts + within) / half_s)
    rows = lamp.mean(axis=1)
    assert np.ptp(rows) < 0.002
