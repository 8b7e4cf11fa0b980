import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.homography import apply
from vision.cv import BgrImage
from vision.dice_windows import WINDOW_PX, cut_square, cut_windows, mosaic_columns


def ramp(width: int = 400, height: int = 300) -> BgrImage:
    """A picture whose blue tells x and whose green tells y, both halved."""
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([x / 2, y / 2, 0 * x], axis=2).astype(np.uint8)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.1])
def test_the_middle_of_a_square_is_the_place_asked_for(scale: float) -> None:
    square = cut_square(ramp(), np.array([200.0, 120.0]), 48, scale)
    middle = square[23:25, 23:25].reshape(-1, 3).mean(axis=0)
    assert middle[:2] * 2 == pytest.approx((200, 120), abs=2)


@pytest.mark.parametrize("at", [(0.0, 0.0), (399.0, 299.0), (-3.0, 150.0), (430.0, 10.0)])
def test_a_square_at_the_edge_of_the_picture_is_filled(at: tuple[float, float]) -> None:
    assert cut_square(ramp() + 10, np.array(at), 48, 1.0).min() >= 0
    assert cut_square(ramp(), np.array(at), 48, 1.0).shape == (48, 48, 3)


def test_spots_close_together_share_a_window() -> None:
    spots = np.array([[100.0, 100.0], [104.0, 101.0], [200.0, 100.0]])
    assert len(cut_windows(ramp(), spots, 2.0)) == 2


@given(st.integers(1, 14), st.floats(0, 95), st.floats(0, 95), st.floats(0.4, 3))
def test_a_place_in_the_mosaic_is_found_in_the_picture(
    count: int, x: float, y: float, scale: float
) -> None:
    spots = np.array([[20.0 + 90 * (k % 4), 30.0 + 80 * (k // 4)] for k in range(count)])
    windows = cut_windows(ramp(), spots, scale)
    number = len(windows) - 1
    columns = mosaic_columns(len(windows))
    place = np.array([[number % columns * WINDOW_PX + x, number // columns * WINDOW_PX + y]])
    assert windows.of_mosaic(place).tolist() == [number]
    (at,) = windows.to_image(place, windows.of_mosaic(place))
    back = windows.to_mosaic(at[None], np.array([number]))
    assert back[0] == pytest.approx(place[0], abs=1e-6)
    wanted = windows.centers_px[number] + (np.array([x, y]) - (WINDOW_PX - 1) / 2) / scale
    assert at == pytest.approx(wanted, abs=1e-6)
    assert apply(windows.image_from_mosaic(number), place)[0] == pytest.approx(wanted)


def test_the_mosaic_shows_each_window_in_its_place() -> None:
    windows = cut_windows(ramp(), np.array([[100.0, 100.0], [250.0, 100.0]]), 1.0)
    mosaic = windows.mosaic()
    assert mosaic.shape == (WINDOW_PX, 2 * WINDOW_PX, 3)
    np.testing.assert_array_equal(mosaic[:, WINDOW_PX:], windows.tiles[1])


def test_of_overlapping_windows_the_nearer_one_speaks() -> None:
    windows = cut_windows(ramp(), np.array([[100.0, 100.0], [130.0, 100.0]]), 1.0)
    places = np.array([[105.0, 100.0], [126.0, 100.0]])
    assert windows.owned(places, 0).tolist() == [True, False]
    assert windows.owned(places, 1).tolist() == [False, True]


def test_nobody_speaks_of_what_lies_at_the_edge_of_a_window() -> None:
    windows = cut_windows(ramp(), np.array([[100.0, 100.0]]), 1.0)
    assert windows.owned(np.array([[145.0, 100.0]]), 0).tolist() == [False]
