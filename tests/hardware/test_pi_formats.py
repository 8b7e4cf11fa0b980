import numpy as np
import pytest

from hardware.camera_errors import CameraUnusableError
from hardware.pi_formats import to_bgr, to_luma
from tests.hardware.fakes.picamera2 import encode
from tests.hardware.scenes import COLOURS, quarter, scene

SIZE = (96, 64)
LAYOUTS = [
    "RGB888", "BGR888", "XRGB8888", "XBGR8888", "YUV420", "YVU420", "NV12", "NV21",
]  # fmt: skip


@pytest.mark.parametrize("padding", [0, 32])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_comes_out_blue_first_and_whole(layout: str, padding: int) -> None:
    bgr = to_bgr(encode(scene(SIZE, 2), layout, padding), layout, SIZE)
    assert bgr.shape == (64, 96, 3)
    assert bgr.flags.c_contiguous
    for (row, column), colour in COLOURS.items():
        assert quarter(bgr, row, column) == pytest.approx(colour, abs=12)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_picture_shares_memory_with_the_cameras_buffer(layout: str) -> None:
    array = encode(scene(SIZE, 0), layout)
    assert not np.shares_memory(to_bgr(array, layout, SIZE), array)
    assert not np.shares_memory(to_luma(array, layout, SIZE), array)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_brightness_has_the_pictures_size(layout: str) -> None:
    luma = to_luma(encode(scene(SIZE, 0), layout, 16), layout, SIZE)
    assert luma.shape == (64, 96)
    assert luma[-4:, -4:].mean() > 200 > 120 > luma[:4, :4].mean()


def test_a_format_nobody_has_taught_us_is_said() -> None:
    with pytest.raises(CameraUnusableError, match="unknown format SBGGR10_CSI2P"):
        to_bgr(np.zeros((4, 4), np.uint8), "SBGGR10_CSI2P", (4, 4))
