import json
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from calibration.homography import board_from_image
from tests.vision.dice_drawing import BLACK, RED, WHITE, blank, draw_die, draw_disc, soften
from vision.cv import BgrImage
from vision.dice import find_dice, find_dice_at
from vision.frame import FrameError, read_image
from vision.observation import DieReading

LOOKS = {"white": WHITE, "black": BLACK, "red": RED}
PHOTOS = Path(__file__).parents[3] / "shared" / "data" / "dice"


def values(picture: BgrImage) -> list[int | None]:
    return [die.value for die in find_dice(picture)]


@pytest.mark.parametrize("look", sorted(LOOKS))
@pytest.mark.parametrize("side", [28, 90])
def test_all_six_faces_are_read_in_one_picture(look: str, side: int) -> None:
    picture = blank()
    for k in range(6):
        draw_die(picture, k + 1, (70 + 100 * k, 240), side, 15 * k, LOOKS[look])

    assert values(soften(picture)) == [1, 2, 3, 4, 5, 6]


def test_a_die_is_placed_where_it_was_drawn() -> None:
    picture = blank()
    draw_die(picture, 5, (300, 200), 60, 20)

    (die,) = find_dice(soften(picture))

    assert die.center_px == pytest.approx((300, 200), abs=1.5)
    assert die.rotation_deg == pytest.approx(20, abs=4)
    x, y, width, height = die.box_px
    assert x < 275 < 325 < x + width
    assert y < 175 < 225 < y + height
    assert die.half is None
    assert die.on is None


def test_readings_are_sorted_by_x_and_sure_ones_have_high_confidence() -> None:
    picture = blank()
    for value, x in ((4, 500), (6, 100), (5, 300)):
        draw_die(picture, value, (x, 240), 50, 10)

    dice = find_dice(soften(picture))

    assert [die.value for die in dice] == [6, 5, 4]
    assert all(die.confidence > 0.8 for die in dice)


@pytest.mark.parametrize("quarter", [1, 2, 3])
def test_turning_the_picture_changes_no_value(quarter: int) -> None:
    picture = blank()
    draw_die(picture, 6, (150, 150), 48, 12, BLACK)
    draw_die(picture, 3, (420, 300), 48, 50, BLACK)
    turned = np.ascontiguousarray(np.rot90(soften(picture), quarter))

    assert sorted(v or 0 for v in values(turned)) == [3, 6]


@pytest.mark.parametrize("seed", range(3))
def test_noise_and_checkers_are_no_dice(seed: int) -> None:
    picture = blank()
    rng = np.random.default_rng(seed)
    for k in range(14):
        tone = (225, 235, 240) if k % 2 else (40, 30, 30)
        at = (float(rng.uniform(40, 600)), float(rng.uniform(40, 440)))
        draw_disc(picture, at, 26, tone)
        if seed == 1:
            draw_disc(picture, at, 6, (120, 120, 120))

    assert not any(values(soften(picture, seed, 6.0)))


def test_a_blank_picture_has_no_dice() -> None:
    assert find_dice(blank()) == ()


def test_a_gray_picture_is_refused() -> None:
    with pytest.raises(FrameError):
        find_dice(np.zeros((100, 100), np.uint8))


def board_picture(dice: list[tuple[int, float, float]]) -> BgrImage:
    """A board seen from above: field of 480 by 420 mm at 2 px a mm, 100 px around it."""
    picture = blank(1160, 1040, (70, 100, 120))
    picture[100:940, 100:1060] = (70, 120, 60)
    picture[100:940, 540:620] = (50, 70, 90)
    for value, x_mm, y_mm in dice:
        draw_die(picture, value, (100 + 2 * x_mm, 100 + 2 * y_mm), 30, 3 * x_mm % 90)
    return soften(picture)


CORNERS = [(100.0, 100.0), (1060.0, 100.0), (1060.0, 940.0), (100.0, 940.0)]
Dice: TypeAlias = tuple[DieReading, ...]
Box: TypeAlias = tuple[float, float, float, float]
BOARD_FROM_IMAGE = board_from_image(CORNERS, 480.0, 420.0)


def read_at(picture: BgrImage, boxes: list[Box]) -> Dice:
    return find_dice_at(picture, np.array(boxes).reshape(-1, 4), 2.1 / 2.0, BOARD_FROM_IMAGE)


def box_around(x_mm: float, y_mm: float, side_px: float = 40.0) -> Box:
    x, y = 100 + 2 * x_mm - side_px / 2, 100 + 2 * y_mm - side_px / 2
    return x, y, side_px, side_px


def test_dice_that_another_reader_found_are_read_and_placed_in_the_picture() -> None:
    dice = [(6, 100.0, 200.0), (5, 350.0, 220.0), (1, -35.0, 210.0)]
    boxes = [box_around(x + 1, y - 1) for _, x, y in dice]

    seen = read_at(board_picture(dice), boxes)

    assert [die.value for die in seen] == [1, 6, 5]
    assert [die.center_px for die in seen] == [
        pytest.approx((100 + 2 * x, 100 + 2 * y), abs=1.5)
        for x, y in ((-35, 210), (100, 200), (350, 220))
    ]


def test_a_die_that_nobody_expects_is_not_looked_at() -> None:
    picture = board_picture([(6, 100, 200), (5, 117, 200)])

    assert [die.value for die in read_at(picture, [box_around(100, 200)])] == [6]


def test_a_die_that_two_outlines_are_drawn_around_is_told_once() -> None:
    boxes = [box_around(99, 200), box_around(103, 200)]

    assert [die.value for die in read_at(board_picture([(5, 100, 200)]), boxes)] == [5]


def test_an_outline_over_the_edge_of_the_picture_does_no_harm() -> None:
    boxes = [box_around(-40, 20), (-20.0, -20.0, 40.0, 40.0), (1150.0, 1030.0, 40.0, 40.0)]

    assert [die.value for die in read_at(board_picture([(4, -40, 20)]), boxes)] == [4]


def test_a_flat_die_seen_from_above_shows_a_flat_face() -> None:
    (die,) = read_at(board_picture([(5, 100, 200)]), [box_around(100, 200)])

    assert die.flat is True


def test_pips_of_a_die_far_too_large_for_the_outline_are_not_taken() -> None:
    picture = blank(1160, 1040)
    draw_die(picture, 5, (500, 500), 200)

    dice = read_at(soften(picture), [box_around(200, 200)])

    assert all(die.value is None for die in dice)


def test_no_outlines_hold_no_dice() -> None:
    assert read_at(blank(), []) == ()


@pytest.mark.shared
def test_photos_that_were_never_tuned_on_are_mostly_read_right() -> None:
    labels = PHOTOS / "labels.jsonl"
    if not labels.exists():
        pytest.skip("../shared/data/dice is absent")
    tuned = ("azbes", "damian", "kamil", "matteo", "chase")
    rows = [json.loads(line) for line in labels.read_text("utf-8").splitlines() if line]
    rows = [r for r in rows if not any(name in r["file"] for name in tuned)][::12]
    right = wrong = asked = 0
    for row in rows:
        seen = find_dice(read_image(PHOTOS / row["file"]))
        for die in row["dice"]:
            if die.get("logo") or die.get("value") is None:
                continue
            box = die.get("box")
            at = die.get("centre") or (box[0] + box[2] / 2, box[1] + box[3] / 2)
            reach = max(0.03 * row["width"], max(box[2:]) / 2 if box else 0)
            near = [d for d in seen if np.hypot(*np.subtract(d.center_px, at)) < reach]
            said = {d.value for d in near} - {None}
            asked += 1
            right += die["value"] in said
            wrong += bool(said) and die["value"] not in said

    assert asked > 50
    assert right / asked > 0.5
    assert wrong / asked < 0.08
