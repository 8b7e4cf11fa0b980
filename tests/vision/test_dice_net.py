from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table.die import DieLook, DiePose, camera_looking, draw_die, render_die
from vision.cv import BgrImage, as_u8
from vision.dice_net import DiceNet, default_net, detect_in_windows, find_dice_net
from vision.dice_net_map import (
    CHANNELS,
    SIZE_UNIT_PX,
    STRIDE,
    Detections,
    DiceNetSettings,
    enough,
    joined,
    merged,
    of_usual_size,
    read_map,
    readings,
)
from vision.dice_windows import cut_windows
from vision.observation import DieReading

SETTINGS = DiceNetSettings()
WHITE = DieLook(edge_mm=14.0, gloss=0.1, pip_radius=0.1)


def felt(width: int, height: int, seed: int = 3) -> BgrImage:
    noise = np.random.default_rng(seed).normal(0, 5, (height, width, 3))
    return as_u8(np.clip(noise + np.array([70, 110, 60]), 0, 255).astype(np.uint8))


def table_with(
    dice: list[tuple[int, float, float]],
    width: int = 320,
    height: int = 240,
    scale: float = 2.0,
) -> BgrImage:
    """Draw dice (value, x, y in px from the picture's middle) as a camera above sees them."""
    bgr = felt(width, height)
    camera = camera_looking(scale, (width / 2, height / 2), distance_mm=700.0)
    for k, (value, x, y) in enumerate(dice):
        pose = DiePose(value, x / scale, y / scale, yaw_deg=20.0 + 37 * k)
        bgr = draw_die(bgr, render_die(WHITE, pose, camera), 0.3)
    return bgr


def spoken(
    spots: list[tuple[float, float, float]],
    value: int = 3,
    edge: float = 24.0,
    scale: float = 1.0,
) -> Detections:
    """Make detections (x, y, heat) that all say one value."""
    logits = np.zeros((len(spots), 6))
    logits[:, value - 1] = 8.0
    at = np.array([spot[:2] for spot in spots]).reshape(-1, 2)
    box = np.hstack([at - edge / 2, np.full((len(spots), 2), edge)])
    heat = np.array([spot[2] for spot in spots])
    count = len(spots)
    return Detections(at, box, heat, logits, np.full(count, scale))


def together(one: Detections, other: Detections) -> Detections:
    return joined([one, other])


def near(dice: tuple[DieReading, ...], x: float, y: float) -> DieReading:
    return min(dice, key=lambda d: (d.center_px[0] - x) ** 2 + (d.center_px[1] - y) ** 2)


def test_the_model_is_in_the_package_and_makes_a_map_of_a_quarter_of_the_size() -> None:
    raw = DiceNet.load().look(felt(160, 96))
    assert raw.shape == (CHANNELS, 24, 40)
    assert np.isfinite(raw).all()


def test_the_map_of_one_look_is_not_changed_by_the_next() -> None:
    net = default_net()
    first = net.look(felt(96, 96))
    kept = first.copy()
    net.look(table_with([(5, 0, 0)], 96, 96))
    np.testing.assert_array_equal(first, kept)


@pytest.mark.parametrize("value", range(1, 7))
def test_a_plain_white_die_from_above_is_read(value: int) -> None:
    dice = find_dice_net(table_with([(value, -60, 10)]))
    assert [die.value for die in dice] == [value]
    assert near(dice, 100, 130).center_px == pytest.approx((100, 130), abs=6)


def test_two_dice_are_told_apart_and_sorted_by_x() -> None:
    dice = find_dice_net(table_with([(6, 50, -20), (2, -50, 30)]))
    assert [die.value for die in dice] == [2, 6]


def test_an_empty_table_holds_no_dice() -> None:
    assert find_dice_net(felt(320, 240)) == ()


def test_whether_a_die_lies_flat_is_left_open() -> None:
    dice = find_dice_net(table_with([(4, 0, 0)]))
    assert [die.flat for die in dice] == [None]


@pytest.mark.parametrize("size", [(16, 16), (17, 33), (90, 40), (333, 20)])
def test_any_picture_size_is_looked_at(size: tuple[int, int]) -> None:
    assert isinstance(find_dice_net(felt(*size)), tuple)


def test_dice_in_windows_are_placed_in_the_picture() -> None:
    # One picture pixel a millimetre: a die is 14 px, as on a far board.
    bgr = table_with([(5, -100, 10), (3, 120, -30)], 560, 500, scale=1.0)
    windows = cut_windows(bgr, np.array([[182.0, 257.0], [398.0, 222.0]]), 2.1)
    dice = readings(detect_in_windows(windows), SETTINGS)
    assert near(dice, 180, 260).center_px == pytest.approx((180, 260), abs=5)
    assert near(dice, 400, 220).center_px == pytest.approx((400, 220), abs=5)
    assert all(die.value in (None, wanted) for die, wanted in zip(dice, (5, 3), strict=True))


def test_a_die_in_two_windows_is_one() -> None:
    bgr = table_with([(5, 0, 0)], 560, 500, scale=1.0)
    windows = cut_windows(bgr, np.array([[272.0, 250.0], [288.0, 250.0]]), 2.1)
    assert len(windows) == 2
    assert len(detect_in_windows(windows)) == 1


def test_no_windows_hold_no_dice() -> None:
    assert len(detect_in_windows(cut_windows(felt(320, 240), np.empty((0, 2)), 2.1))) == 0


def test_a_peak_of_the_map_becomes_one_detection_in_pixels() -> None:
    raw = np.full((CHANNELS, 20, 30), -9.0, np.float32)
    raw[0, 8:11, 11:14] = 0.0
    raw[0, 9, 12] = 4.0
    raw[1:7] = 0.0
    raw[4] = 5.0
    raw[7], raw[8] = 0.25, -0.25
    raw[9:11] = np.log(30.0 / SIZE_UNIT_PX)
    found = read_map(raw, SETTINGS)
    assert len(found) == 1
    spot = (12 * STRIDE + 1.5, 9 * STRIDE + 1.5)
    np.testing.assert_allclose(found.face_px, [spot])
    np.testing.assert_allclose(found.box_px[:, 2:], [[30, 30]], rtol=1e-5)
    center = found.box_px[0, :2] + 15
    np.testing.assert_allclose(center, (spot[0] + 6, spot[1] - 6), rtol=1e-5)
    assert readings(found, SETTINGS)[0].value == 4


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 400), st.floats(0, 400), st.floats(0.3, 1.0)), max_size=12)
)
def test_merging_leaves_no_two_dice_in_one_place(
    spots: list[tuple[float, float, float]],
) -> None:
    found = spoken(spots)
    once = merged(found, [1.0], SETTINGS)
    assert len(once) <= len(found)
    assert bool(len(once)) == bool(len(found))
    again = merged(once, [1.0], SETTINGS)
    np.testing.assert_array_equal(again.box_px, once.box_px)


def test_two_scales_that_contradict_each_other_leave_the_value_open() -> None:
    one = spoken([(50, 50, 0.9)], value=2)
    other = spoken([(51, 50, 0.89)], value=5, scale=1.6)
    dice = readings(merged(together(one, other), [1.0, 1.6], SETTINGS), SETTINGS)
    assert [die.value for die in dice] == [None]


def test_what_only_one_of_two_scales_sees_is_doubted() -> None:
    alone = merged(spoken([(50, 50, 0.8)]), [1.0, 1.6], SETTINGS)
    seen = together(spoken([(50, 50, 0.8)]), spoken([(50, 50, 0.8)], scale=1.6))
    both = merged(seen, [1.0, 1.6], SETTINGS)
    assert alone.heat == pytest.approx([0.4])
    assert both.heat == pytest.approx([0.8])


def test_the_pips_of_a_large_die_are_not_dice() -> None:
    large = [spoken([(100, 100, 0.8)], value=2, edge=48, scale=scale) for scale in (0.6, 1.0)]
    pips = spoken([(88, 88, 0.9), (112, 112, 0.9)], value=1, edge=14)
    dice = readings(merged(joined([*large, pips]), [0.6, 1.0], SETTINGS), SETTINGS)
    assert [die.value for die in dice] == [2]


def test_dice_laid_out_as_a_five_are_not_one_large_die() -> None:
    spots = [(60.0, 60.0), (140.0, 60.0), (100.0, 100.0), (60.0, 140.0), (140.0, 140.0)]
    scales = [0.25, 0.6, 1.0]
    small = [spoken([(x, y, 0.9) for x, y in spots], 3, scale=scale) for scale in scales[1:]]
    group = spoken([(100, 100, 0.99)], value=5, edge=130, scale=0.25)
    dice = readings(merged(joined([*small, group]), scales, SETTINGS), SETTINGS)
    assert [die.value for die in dice] == [3] * 5


def test_a_finer_look_is_taken_until_dice_would_be_very_large() -> None:
    sure = spoken([(50, 50, 0.9)], edge=40)
    assert not enough(sure, 1.6, SETTINGS)
    assert enough(sure, 6.0, SETTINGS)
    assert not enough(spoken([(50, 50, 0.4)], edge=40), 6.0, SETTINGS)
    assert not enough(spoken([]), 6.0, SETTINGS)


def test_the_odd_one_out_in_size_is_dropped() -> None:
    usual = spoken([(50, 50, 0.9), (150, 50, 0.9), (250, 50, 0.9)])
    giant = spoken([(200, 300, 0.6)], edge=120)
    assert len(of_usual_size(together(usual, giant), SETTINGS)) == 3


def test_a_value_that_is_not_probable_is_not_told() -> None:
    found = spoken([(50, 50, 0.9)])
    open_ = replace(found, logits=found.logits * 0)
    die = readings(open_, SETTINGS)[0]
    assert die.value is None
    assert die.confidence == pytest.approx(1 / 6, abs=0.01)
