from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from calibration.homography import board_from_image
from table.die import DieLook, DiePose, camera_looking, draw_die, render_die
from vision.cv import BgrImage, as_u8
from vision.dice_pool import NO_DIE, Chances, Spot, net_chances
from vision.dice_reader import (
    DiceReaderSettings,
    read_dice,
    read_dice_on_board,
    reread_dice,
    spots_on_board,
    told,
)
from vision.dice_seek import SeekSettings, SpotsPx
from vision.frame import FrameError
from vision.observation import DieReading

SETTINGS = DiceReaderSettings()
WHITE = DieLook(edge_mm=15.0, gloss=0.1, pip_radius=0.1)
CORNERS = ((60.0, 60.0), (1020.0, 60.0), (1020.0, 900.0), (60.0, 900.0))
MATRIX = board_from_image(CORNERS, 480.0, 420.0)
GEOMETRY = BoardGeometry()


def board_with(dice: list[tuple[int, float, float]], px_per_mm: float = 2.0) -> BgrImage:
    """Dice are (value, x, y) in the picture."""
    noise = np.random.default_rng(3).normal(0, 4, (960, 1080, 3))
    bgr = as_u8(np.clip(noise + np.array([70, 110, 60]), 0, 255).astype(np.uint8))
    for k, (value, x, y) in enumerate(dice):
        camera = camera_looking(px_per_mm, (x, y), distance_mm=800.0)
        pose = DiePose(value, yaw_deg=25.0 + 40 * k)
        bgr = draw_die(bgr, render_die(WHITE, pose, camera), 0.3)
    return bgr


def judged(answer: int, probability: float = 0.98) -> Chances:
    chances = np.full(8, (1 - probability) / 7)
    chances[answer] = probability
    return chances


def spot(value: int, x: float, judge: Chances, classical: float | None = 0.98) -> Spot:
    box = (x - 10, 90.0, 20.0, 20.0)
    face = None if classical is None else DieReading(value, (x, 100.0), box, classical)
    net = net_chances(0.95, np.where(np.arange(1, 7) == value, 0.95, 0.01))
    return Spot((x, 100.0), box, face, net, judge)


def test_what_all_readers_see_is_told_and_sorted_by_x() -> None:
    spots = [spot(6, 300, judged(6)), spot(2, 100, judged(2))]
    dice = told(spots, SETTINGS.photo, SETTINGS)
    assert [die.value for die in dice] == [2, 6]
    assert all(die.confidence > 0.95 for die in dice)


def test_what_the_judge_calls_no_die_is_not_told_with_a_number() -> None:
    dice = told([spot(6, 100, judged(NO_DIE, 0.999), None)], SETTINGS.photo, SETTINGS)
    assert all(die.value is None for die in dice)


def test_a_number_the_readers_do_not_agree_on_is_unsure() -> None:
    one = spot(4, 100, judged(5, 0.9))
    dice = told([one], SETTINGS.photo, SETTINGS)
    assert all(die.value is None or die.confidence < 0.99 for die in dice)


def test_of_two_faces_on_one_die_the_likelier_is_told() -> None:
    spots = [spot(6, 100, judged(6)), spot(4, 104, judged(4, 0.7))]
    assert [die.value for die in told(spots, SETTINGS.photo, SETTINGS)] == [6]


def test_dice_that_touch_are_both_told() -> None:
    spots = [spot(6, 100, judged(6)), spot(4, 116, judged(4))]
    assert [die.value for die in told(spots, SETTINGS.photo, SETTINGS)] == [6, 4]


def test_the_shape_of_a_face_read_wrong_says_nothing_about_its_lean() -> None:
    one = spot(4, 100, judged(4))
    assert one.classical is not None
    wrong = replace(one, classical=replace(one.classical, value=5, confidence=0.3, flat=True))
    for die in told([wrong], SETTINGS.photo, SETTINGS):
        assert die.flat is None


def test_a_number_is_told_from_the_confidence_asked_for_a_lower_one_in_photos() -> None:
    one = spot(4, 100, judged(4))
    sure = told([one], SETTINGS.photo, replace(SETTINGS, value_above=0.0))[0].confidence
    for least, value in ((sure - 0.01, 4), (sure + 0.01, None)):
        settings = replace(SETTINGS, value_above=least)
        assert [die.value for die in told([one], SETTINGS.photo, settings)] == [value]
    assert SETTINGS.photo_value_above < SETTINGS.value_above


def test_the_slowest_reader_is_not_asked_where_its_word_does_not_matter() -> None:
    bgr, where = board_with([(5, 260, 480)]), np.array([[260.0, 480.0]])
    asked = spots_on_board(bgr, MATRIX, GEOMETRY, where, SETTINGS)
    assert [one.asked_classical for one in asked] == [True]
    settings = replace(SETTINGS, worth=1.1)
    spared = spots_on_board(bgr, MATRIX, GEOMETRY, where, settings)
    assert [(one.asked_classical, one.classical) for one in spared] == [(False, None)]


def test_dice_on_a_board_are_read() -> None:
    bgr = board_with([(5, 260, 480), (3, 700, 300)])
    dice = read_dice_on_board(bgr, MATRIX, GEOMETRY)
    assert [die.value for die in dice] == [5, 3]
    assert dice[0].center_px == pytest.approx((260, 480), abs=5)


FAR = board_from_image(
    ((430.0, 60.0), (1030.0, 60.0), (1030.0, 585.0), (430.0, 585.0)), 480, 420
)
"""A field of which the lower left part of the picture lies more than 65 mm away."""


def test_the_other_die_is_looked_for_far_from_the_board_where_one_is_missing() -> None:
    bgr = board_with([(5, 500.0, 200.0), (4, 120.0, 700.0)], 1.25)
    dice = read_dice_on_board(bgr, FAR, GEOMETRY)
    assert [die.value for die in dice] == [4, 5]


def test_the_other_die_is_looked_for_again_where_it_shows_but_faintly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bgr, asked = board_with([(5, 260.0, 480.0), (3, 700.0, 300.0)]), []

    def faint(*args: object) -> SpotsPx:
        """Name the second die only to who asks for faint spots."""
        settings = args[-1]
        assert isinstance(settings, SeekSettings)
        asked.append(settings)
        spots = [(260.0, 480.0), (700.0, 300.0)]
        return np.array(spots if settings.heat_min < 0.1 else spots[:1])

    monkeypatch.setattr("vision.dice_reader.seek_dice", faint)
    assert [die.value for die in read_dice_on_board(bgr, MATRIX, GEOMETRY)] == [5, 3]
    assert asked == [SETTINGS.seek, SETTINGS.seek_other]


def test_nothing_is_looked_for_far_from_the_board_where_two_dice_lie_on_it() -> None:
    bgr = board_with([(5, 500.0, 200.0), (2, 700.0, 300.0), (4, 120.0, 700.0)], 1.25)
    dice = read_dice_on_board(bgr, FAR, GEOMETRY)
    assert [die.value for die in dice] == [5, 2]


def test_a_second_look_at_known_dice_reads_what_the_first_did() -> None:
    bgr = board_with([(6, 260, 480), (2, 700, 300)])
    known = read_dice_on_board(bgr, MATRIX, GEOMETRY)
    again = reread_dice(bgr, MATRIX, GEOMETRY, known)
    assert [die.value for die in again] == [6, 2]
    assert [die.center_px for die in again] == [
        pytest.approx(die.center_px, abs=4) for die in known
    ]


def test_a_second_look_finds_the_value_changed_the_die_gone_and_no_new_one() -> None:
    known = read_dice_on_board(board_with([(6, 260, 480), (2, 700, 300)]), MATRIX, GEOMETRY)
    later = board_with([(4, 262, 481), (5, 500, 700)])
    assert [die.value for die in reread_dice(later, MATRIX, GEOMETRY, known)] == [4]


def test_where_no_dice_are_known_none_are_seen_again() -> None:
    assert reread_dice(board_with([(6, 260, 480)]), MATRIX, GEOMETRY, []) == ()


def test_a_picture_of_the_wrong_kind_is_refused() -> None:
    gray = np.zeros((40, 40), dtype=np.uint8)
    with pytest.raises(FrameError):
        read_dice(gray)
    with pytest.raises(FrameError):
        read_dice_on_board(gray, MATRIX, GEOMETRY)
    with pytest.raises(FrameError):
        reread_dice(gray, MATRIX, GEOMETRY, [])


def test_an_empty_picture_holds_no_dice() -> None:
    assert read_dice(np.full((240, 320, 3), 120, dtype=np.uint8)) == ()
