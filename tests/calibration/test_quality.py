import math
import re

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.advice import advice_on
from calibration.quality import Edge, Fault, ViewQuality, edge_width_px, measure_view

BgrImage = npt.NDArray[np.uint8]
Corners = tuple[tuple[float, float], ...]


def view(width: int = 1280, height: int = 960, share: float = 0.7) -> tuple[BgrImage, Corners]:
    """A drawn board, sharp, evenly lit."""
    bgr = np.full((height, width, 3), (90, 105, 120), dtype=np.uint8)
    tall = share * height
    wide = tall * 480 / 420
    x0, y0 = (width - wide) / 2, (height - tall) / 2
    corners = ((x0, y0), (x0 + wide, y0), (x0 + wide, y0 + tall), (x0, y0 + tall))
    cv2.rectangle(bgr, (round(x0), round(y0)), (round(x0 + wide), round(y0 + tall)),
                  (150, 190, 205), -1)  # fmt: skip
    pitch = wide / 13
    for k in range(13):
        for foot, tip in ((y0, y0 + 0.4 * tall), (y0 + tall, y0 + 0.6 * tall)):
            shape = np.array(
                [
                    [x0 + k * pitch, foot],
                    [x0 + (k + 1) * pitch, foot],
                    [x0 + (k + 0.5) * pitch, tip],
                ]
            )
            ink = ((40, 50, 120), (60, 60, 50))[k % 2]
            cv2.fillPoly(bgr, [np.rint(shape).astype(np.int32)], ink, cv2.LINE_AA)
    return bgr, corners


def faults(bgr: BgrImage, corners: Corners | None) -> tuple[Fault, ...]:
    return measure_view(bgr, corners).faults


def test_a_good_view_has_no_faults_and_needs_no_advice() -> None:
    quality = measure_view(*view())
    assert quality.faults == ()
    assert quality.usable
    assert advice_on(quality) == ()
    assert quality.px_per_mm == pytest.approx(0.7 * 960 / 420, rel=0.01)
    assert quality.tilt_deg < 3
    assert quality.blur_px < 3.0


def test_no_board_is_said() -> None:
    bgr, _ = view()
    assert Fault.NO_BOARD in faults(bgr, None)
    assert not measure_view(bgr, None).usable


@pytest.mark.parametrize("edge", list(Edge))
def test_the_side_that_cuts_the_board_is_named(edge: Edge) -> None:
    bgr, corners = view()
    dx, dy = {"left": (-300, 0), "right": (300, 0), "top": (0, -200), "bottom": (0, 200)}[edge]
    moved = tuple((x + dx, y + dy) for x, y in corners)
    quality = measure_view(bgr, moved)
    assert quality.cut == (edge,)
    assert quality.faults[0] is Fault.CUT
    assert edge.value in advice_on(quality)[0].en


def test_a_cut_board_without_corners_is_cut_and_not_missing() -> None:
    bgr, _ = view()
    quality = measure_view(bgr, None, cut=(Edge.LEFT, Edge.TOP))
    assert quality.faults[0] is Fault.CUT
    assert Fault.NO_BOARD not in quality.faults
    assert not quality.usable


def test_darkness_and_too_much_light_are_told_apart() -> None:
    bgr, corners = view()
    dark = (bgr * 0.06).astype(np.uint8)
    bright = np.clip(bgr.astype(np.float32) * 3.5 + 60, 0, 255).astype(np.uint8)
    assert Fault.TOO_DARK in faults(dark, corners)
    assert Fault.OVEREXPOSED in faults(bright, corners)
    assert Fault.OVEREXPOSED not in faults(dark, corners)


@pytest.mark.parametrize("gain", [0.5, 1.5])
def test_ordinary_light_is_no_fault(gain: float) -> None:
    bgr, corners = view()
    lit = np.clip(bgr.astype(np.float32) * gain, 0, 255).astype(np.uint8)
    assert faults(lit, corners) == ()


def test_a_picture_out_of_focus_is_said_and_noise_is_not_sharpness() -> None:
    bgr, corners = view()
    soft = cv2.GaussianBlur(bgr, (0, 0), 6.0).astype(np.float32)
    noisy = soft + np.random.default_rng(1).normal(0, 4, bgr.shape)
    blurred = np.clip(noisy, 0, 255).astype(np.uint8)
    assert faults(blurred, corners) == (Fault.OUT_OF_FOCUS,)
    assert measure_view(blurred, corners).blur_px > 2 * measure_view(bgr, corners).blur_px


def test_edges_widen_with_blur() -> None:
    bgr, _ = view()
    gray = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    everywhere = np.full(gray.shape, 255, np.uint8)
    widths = [
        edge_width_px(np.asarray(cv2.GaussianBlur(gray, (0, 0), s), dtype=np.uint8), everywhere)
        for s in (0.3, 1.0, 2.0)
    ]
    assert widths == sorted(widths)
    assert edge_width_px(np.full((50, 50), 90, np.uint8), np.full((50, 50), 255, np.uint8)) == 0


def test_glare_is_a_white_spot() -> None:
    bgr, corners = view()
    cv2.circle(bgr, (600, 500), 90, (255, 255, 255), -1)
    assert faults(bgr, corners) == (Fault.GLARE,)


def test_a_far_board_asks_for_a_nearer_camera_in_steps_of_five_centimetres() -> None:
    quality = measure_view(*view(share=0.33))
    assert quality.faults == (Fault.TOO_FAR,)
    said = advice_on(quality)[0].en
    steps = re.search(r"(\d+) cm closer", said)
    assert steps is not None
    assert int(steps.group(1)) % 5 == 0


def test_a_board_that_fills_the_picture_leaves_no_room_for_dice() -> None:
    assert faults(*view(share=0.985)) == (Fault.TOO_CLOSE,)


def test_a_slanting_view_is_said() -> None:
    bgr, _ = view()
    focal, tilt = 1400.0, math.radians(52)
    corners = []
    for x, y in ((-240, -210), (240, -210), (240, 210), (-240, 210)):
        deep = 900 - y * math.sin(tilt)
        corners.append((640 + focal * x / deep, 480 + focal * y * math.cos(tilt) / deep))
    quality = measure_view(bgr, corners)
    assert Fault.TOO_SLANTED in quality.faults
    assert quality.tilt_deg == pytest.approx(52, abs=10)


def test_the_reprojection_error_is_that_of_the_corners() -> None:
    bgr, corners = view()
    moved = tuple((x + 3, y - 4) for x, y in corners)
    assert measure_view(bgr, corners).reprojection_px is None
    seen = measure_view(bgr, corners, expected_px=moved)
    assert seen.reprojection_px == pytest.approx(5.0)


def test_every_fault_has_a_sentence_in_both_languages() -> None:
    seen = ViewQuality(9, 10, 5, 0.5, 0.1, 0.4, 55, 700, 0.0, (Edge.LEFT,), None, tuple(Fault))
    advice = advice_on(seen)
    assert [one.fault for one in advice] == list(Fault)
    for one in advice:
        assert re.search(r"[а-я]", one.text("ru"))
        assert not re.search(r"[а-я]", one.text("en"))
        assert one.text("ru").endswith(".")
        assert one.text("en").endswith(".")
