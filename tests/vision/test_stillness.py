import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.cv import BgrImage, GrayImage
from vision.frame import read_image
from vision.hands import hand_in_view, only_laid_beside
from vision.stillness import (
    Motion,
    MotionState,
    StillnessSettings,
    advance,
    difference_mask,
    luma_frame,
    region_mask,
)

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the measuring data is not beside the checkout"
)
CORNERS = ((120.0, 90.0), (520.0, 90.0), (520.0, 390.0), (120.0, 390.0))


def luma(die_x: int | None = None, light: float = 1.0, seed: int = 0) -> GrayImage:
    """A table of 240 × 180 with noise, a gradient and perhaps a die of 4 px."""
    rng = np.random.default_rng(seed)
    picture = np.tile(np.linspace(70, 150, 240), (180, 1))
    if die_x is not None:
        picture[100:104, die_x : die_x + 4] = 235
    noisy = picture * light + rng.normal(0, 1.2, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def look(light: tuple[float, float, float] = (1.0, 1.0, 1.0), seed: int = 0) -> BgrImage:
    """A table with a board on it, 640 × 480."""
    rng = np.random.default_rng(seed)
    picture = np.full((480, 640, 3), (90.0, 110.0, 120.0))
    picture[80:400, 110:530] = (50, 70, 100)
    picture[90:390, 120:520] = (150, 180, 190)
    picture[90:210, 120:520:40] = (40, 40, 110)
    noisy = picture * np.asarray(light) + rng.normal(0, 2, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def with_patch(picture: BgrImage, x: slice, y: slice, color: tuple[int, int, int]) -> BgrImage:
    out = picture.copy()
    out[y, x] = color
    return out


def run(frames: list[tuple[float, GrayImage]]) -> list[Motion]:
    state, seen = MotionState(), []
    for at_s, frame in frames:
        state, motion = advance(state, frame, at_s)
        seen.append(motion)
    return seen


@pytest.mark.parametrize("rate", [2, 5, 10, 30])
def test_a_quiet_board_settles_after_a_fifth_of_a_second_at_any_rate(rate: int) -> None:
    times = [k / rate for k in range(rate + 2)]
    seen = run([(t, luma(60, seed=k)) for k, t in enumerate(times)])
    for t, motion in zip(times, seen, strict=True):
        assert motion.settled == (t >= 0.2 - 1e-6 and t > 0)
        assert motion.still_since_s in (None, 0.0)


def test_the_first_frame_alone_is_not_settled() -> None:
    assert run([(5.0, luma())])[0] == Motion(0.0, None, False)


def test_a_rolling_die_is_motion_and_rest_counts_from_where_it_stopped() -> None:
    frames = [(0.1 * k, luma(40 + 8 * min(k, 5), seed=k)) for k in range(9)]
    seen = run(frames)
    assert all(m.still_since_s is None and m.moving_share > 0 for m in seen[1:6])
    assert [m.settled for m in seen] == [False] * 7 + [True, True]
    assert seen[-1].still_since_s == pytest.approx(0.5)


def test_a_creeping_die_is_noticed_though_two_frames_hardly_differ() -> None:
    def at(x: float) -> GrayImage:
        picture = np.full((180, 240), 90.0)
        for column in range(240):
            cover = np.clip(min(column + 1, x + 12) - max(column, x), 0, 1)
            picture[90:102, column] += 100 * cover
        return np.asarray(picture, dtype=np.uint8)

    # 0.06 px a frame: six luma steps, below the threshold from one frame to the next.
    seen = run([(k / 30, at(50 + 0.06 * k)) for k in range(60)])
    assert sum(m.settled for m in seen) == 0


def test_light_that_drifts_slowly_is_no_motion() -> None:
    frames = [(0.1 * k, luma(60, light=1.0 + 0.002 * k, seed=k)) for k in range(60)]
    assert all(m.settled for m in run(frames)[2:])


def test_motion_outside_the_region_does_not_count() -> None:
    region = region_mask(CORNERS, (640, 480), 240)
    state, motion = advance(MotionState(), luma(2), 0.0, region=region)
    for k, x in enumerate((8, 14, 20)):
        state, motion = advance(state, luma(x), 0.2 * (k + 1), region=region)
    assert motion.settled


def test_another_frame_size_starts_afresh() -> None:
    state, _ = advance(MotionState(), luma(), 0.0)
    _, motion = advance(state, luma()[::2, ::2], 1.0)
    assert motion == Motion(0.0, None, False)


@given(st.lists(st.booleans(), min_size=1, max_size=20))
@settings(max_examples=30, deadline=None)
def test_settled_always_means_two_agreeing_looks_apart(moves: list[bool]) -> None:
    x, frames = 20, []
    for k, moved in enumerate(moves):
        x += 9 if moved else 0
        frames.append((0.1 * k, luma(x)))
    for k, motion in enumerate(run(frames)):
        assert motion.settled == (k >= 2 and not moves[k] and not moves[k - 1])


def test_a_luma_frame_is_small_and_never_enlarged() -> None:
    assert luma_frame(look()).shape == (180, 240)
    assert luma_frame(np.zeros((60, 80, 3), dtype=np.uint8)).shape == (60, 80)


def test_a_checker_put_down_shows_and_nothing_else_does() -> None:
    after = with_patch(look(seed=2), slice(300, 330), slice(250, 280), (20, 20, 20))
    mask = difference_mask(look(seed=1), after)
    assert mask[255:275, 305:325].all()
    mask[244:286, 294:336] = 0
    assert not mask.any()


@pytest.mark.parametrize("light", [(0.8, 0.8, 0.8), (1.2, 1.1, 1.0), (0.9, 1.0, 1.15)])
def test_a_change_of_the_light_is_no_change(light: tuple[float, float, float]) -> None:
    assert not difference_mask(look(seed=1), look(light, seed=2)).any()


def test_a_shift_by_a_pixel_is_no_change() -> None:
    assert not difference_mask(look(), np.roll(look(), 1, axis=1)).any()


def test_gray_looks_compare_as_well_as_coloured_ones() -> None:
    before = look()[..., 1]
    after = before.copy()
    after[250:280, 300:330] = 10
    assert difference_mask(before, after)[260, 310] == 255


def test_looks_of_different_sizes_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="different sizes"):
        difference_mask(look(), look()[::2, ::2])
    assert hand_in_view(look(), look()[::2, ::2].copy(), CORNERS) is None


def test_an_arm_over_the_board_is_a_hand() -> None:
    arm = with_patch(look(seed=1), slice(280, 330), slice(300, 480), (110, 140, 200))
    assert hand_in_view(arm, look(), CORNERS) is True


def test_checkers_moved_and_dice_thrown_are_no_hand() -> None:
    after = look(seed=1)
    for x in (140, 300, 420):
        after[240:270, x : x + 30] = (20, 20, 20)
    after[300:312, 200:212] = 250
    assert hand_in_view(after, look(), CORNERS) is False


def test_a_cup_moved_far_from_the_board_is_no_hand() -> None:
    after = with_patch(look(seed=1), slice(5, 50), slice(5, 50), (10, 10, 10))
    assert hand_in_view(after, look(), CORNERS) is False


def test_checkers_piled_against_the_frame_look_like_a_hand_and_only_lie_beside() -> None:
    piled = with_patch(look(seed=1), slice(535, 595), slice(150, 210), (20, 20, 20))
    assert hand_in_view(piled, look(), CORNERS) is True
    assert only_laid_beside(piled, look(), CORNERS)
    assert not only_laid_beside(piled, look()[::2, ::2].copy(), CORNERS)


@pytest.mark.parametrize(
    ("x", "y"),
    [(slice(470, 570), slice(150, 210)), (slice(530, 640), slice(150, 210))],
    ids=["over the field", "from the picture's edge"],
)
def test_what_reaches_in_or_comes_from_outside_does_not_only_lie_beside(
    x: slice, y: slice
) -> None:
    arm = with_patch(look(seed=1), x, y, (110, 140, 200))
    assert hand_in_view(arm, look(), CORNERS) is True
    assert not only_laid_beside(arm, look(), CORNERS)


def test_a_picture_changed_all_over_cannot_be_judged() -> None:
    rng = np.random.default_rng(3)
    other = (
        rng.integers(0, 256, (12, 16, 3), dtype=np.uint8).repeat(40, axis=0).repeat(40, axis=1)
    )
    assert hand_in_view(other, look(), CORNERS, StillnessSettings(lost_share=0.4)) is None


@pytest.mark.shared
@needs_shared
def test_a_rendered_turn_settles_at_rest_and_never_with_rolling_dice() -> None:
    folder = SHARED / "renders" / "seq0"
    setup = json.loads((folder / "setup.json").read_text(encoding="utf-8"))
    lines = (folder / "frames.jsonl").read_text(encoding="utf-8").splitlines()
    reference = read_image(folder / "00_before.jpg")
    state, settled, hands = MotionState(), set(), set()
    for row in map(json.loads, lines):
        frame = read_image(folder / row["file"])
        state, motion = advance(state, luma_frame(frame), row["t_s"])
        settled |= {row["file"]} if motion.settled else set()
        seen = hand_in_view(frame, reference, setup["board_corners"])
        hands |= {row["file"]} if seen else set()
    assert "06_rest.jpg" in settled
    assert not any("rolling" in name for name in settled)
    assert {name for name in hands if "rest" in name or "after" in name} == set()
    assert len(hands) >= 6
