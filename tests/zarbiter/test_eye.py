from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout, Corner
from table.die import DiePose
from table.looks import LOOKS
from table.render import render
from table.scene import Camera, Die, Light, Scene
from table.sequence import TableSetup
from table.truth import corners_px
from table.world import set_up
from vision.board_view import BoardView
from vision.checkers import read_checkers
from vision.checkers_look import BoardLook
from vision.cv import BgrImage
from vision.frame import Frame
from vision.observation import BarReading, CheckersReading, Side
from vision.registration import shifted_picture
from zarbiter.eye import Eye

EYE = Eye(Side.LIGHT, BoardLayout(Corner.TOP_RIGHT))
HINGE = BarReading(2, 0)
EMPTY = BarReading(0, 0)
UNREAD = BarReading(None, None)


@pytest.mark.parametrize(
    ("learned", "read", "taken"),
    [
        (None, HINGE, HINGE),
        ((EMPTY, EMPTY), BarReading(1, 0), BarReading(1, 0)),
        ((HINGE, EMPTY), HINGE, EMPTY),
        ((HINGE, EMPTY), BarReading(3, 0), UNREAD),
        ((UNREAD, EMPTY), UNREAD, UNREAD),
        ((UNREAD, BarReading(0, 2)), EMPTY, EMPTY),
        ((BarReading(1, 1), BarReading(0, 2)), EMPTY, EMPTY),
        ((HINGE, BarReading(0, 1)), BarReading(0, 1), UNREAD),
        ((HINGE, EMPTY), BarReading(2, 1), BarReading(0, 1)),
    ],
    ids=[
        "nothing learned",
        "bar read right",
        "the same hinge",
        "something else on the bar",
        "a bar that could never be read",
        "all gone from a bar that could not be read",
        "all gone from a bar that was misread",
        "one seen where one was overlooked",
        "one beside a hinge",
    ],
)
def test_a_hinge_once_known_is_no_checker_and_what_looks_else_is_not_known(
    learned: tuple[BarReading, BarReading] | None, read: BarReading, taken: BarReading
) -> None:
    assert replace(EYE, bar=learned)._bar(read) == taken


SETUP = TableSetup(look=LOOKS["baize"])
BOARD = SETUP.board()
START = {"points": {"24": "w15", "12": "b15"}, "off": {"w": 0, "b": 0}}
SIZE = (960, 720)


def scene(camera: Camera | None = None) -> Scene:
    discs = set_up(BOARD, START, np.random.default_rng(1))
    return Scene(BOARD.look, BOARD.geometry, camera or Camera(), Light(), discs=discs)


def eye_at(corners: Scene) -> Eye:
    a, b, c, d = corners_px(corners, SIZE)
    return Eye(Side.LIGHT, BOARD.layout, corners_px=(a, b, c, d))


def watched(eye: Eye, *frames: tuple[BgrImage, float]) -> tuple[Eye, list[bool | None]]:
    """Show frames and return the eye, and of each whether it was calm (None: nothing new)."""
    calm: list[bool | None] = []
    for seq, (bgr, at_s) in enumerate(frames):
        eye, look = eye.see(Frame(bgr, at_s, seq))
        calm.append(None if look is None else look.calm)
    return eye, calm


@pytest.fixture(scope="module")
def board_bgr() -> BgrImage:
    return render(scene(), SIZE)


def test_a_nudged_board_is_followed_once_it_keeps_still(board_bgr: BgrImage) -> None:
    nudged = shifted_picture(board_bgr, (9.0, -5.0))
    eye = eye_at(scene())
    times = [1.0 + 0.3 * n for n in range(8)]
    eye, calm = watched(eye, (board_bgr, 0.0), *((nudged, at_s) for at_s in times))
    assert calm[0] is True
    assert calm[-1] is True
    assert eye.nudge_px == pytest.approx(10.3, abs=1.0)
    before, after = corners_px(scene(), SIZE)[0], eye.corners_px
    assert after is not None
    assert np.allclose(np.subtract(after[0], before), (9, -5), atol=0.8)


def test_a_hand_that_keeps_still_is_a_hand(board_bgr: BgrImage) -> None:
    hand = board_bgr.copy()
    hand[300:, 420:560] = (130, 160, 205)
    eye, calm = watched(
        eye_at(scene()), (board_bgr, 0.0), *((hand, 1 + 0.3 * n) for n in range(10))
    )
    assert calm == [True, *[False] * 10]
    assert eye.nudge_px == 0


def test_checkers_laid_beside_the_frame_are_no_hand_once_they_keep_still(
    board_bgr: BgrImage,
) -> None:
    piled = board_bgr.copy()
    _, (right, top), (_, bottom), _ = corners_px(scene(), SIZE)
    x, y = round(right) + 12, round(top + bottom) // 2
    piled[y - 60 : y + 60, x : x + 100] = (25, 20, 20)
    times = [1.0 + 0.3 * n for n in range(8)]
    _, calm = watched(eye_at(scene()), (board_bgr, 0.0), *((piled, at_s) for at_s in times))
    assert calm[:5] == [True, *[False] * 4]
    assert calm[-1] is True


def test_a_shadow_once_taken_for_calm_does_not_blind_the_eye(board_bgr: BgrImage) -> None:
    """A hand just out of view shades the edge; when it has gone the edge has changed."""
    hand = board_bgr.copy()
    hand[300:, 420:560] = (130, 160, 205)
    shaded = board_bgr.copy()
    shaded[:80, 300:700] = (shaded[:80, 300:700] * 0.35).astype(np.uint8)
    eye = eye_at(scene())
    eye, _ = watched(eye, (board_bgr, 0.0), (hand, 0.5))
    # The shaded frame was taken for a calm one.
    eye = replace(eye, calm=Frame(shaded, 1.0, 5), past=(Frame(board_bgr, 0.0, 0),))
    _, calm = watched(eye, *((board_bgr, 2 + 0.3 * n) for n in range(3)))
    assert calm[-1] is True


@pytest.mark.parametrize(("expectant", "still_s"), [(True, 3.0), (False, 10.0)])
def test_what_looks_like_a_hand_and_keeps_still_for_long_is_taken_for_the_board(
    board_bgr: BgrImage, expectant: bool, still_s: float
) -> None:
    laid_over = board_bgr.copy()
    laid_over[:400, 300:420] = (70, 60, 50)
    eye, _ = watched(eye_at(scene()), (board_bgr, 0.0))
    calm_at = None
    for number in range(26):
        at_s = 1.0 + 0.5 * number
        eye, look = eye.see(Frame(laid_over, at_s, number), expectant=expectant)
        assert look is None or look.calm or calm_at is None
        if look is not None and look.calm and calm_at is None:
            calm_at = at_s
    assert calm_at == 1.0 + still_s


def test_a_board_at_rest_is_read_ever_more_seldom_and_told_as_often_as_before(
    board_bgr: BgrImage, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_s: list[float] = []
    at_s = 0.0

    def counted(
        view: BoardView, geometry: BoardGeometry, *, look: BoardLook | None
    ) -> CheckersReading:
        read_s.append(at_s)
        return read_checkers(view, geometry, look=look)

    monkeypatch.setattr("zarbiter.eye.read_checkers", counted)
    eye, looks = eye_at(scene()), []
    for n in range(17):
        at_s = 0.25 * n
        eye, look = eye.see(Frame(board_bgr, at_s, n))
        looks.append(look)
    assert [look.at_s for look in looks if look is not None] == [0.25 * n for n in range(17)]
    assert read_s == [0.0, 0.25, 0.5, 0.75, 1.0, 2.0, 3.0, 4.0]
    assert all(look is not None and look.evidence is not None for look in looks)


def test_what_changes_on_a_board_at_rest_is_read_at_once(board_bgr: BgrImage) -> None:
    eye = eye_at(scene())
    for n in range(8):
        eye, _ = eye.see(Frame(board_bgr, 0.25 * n, n))
    moved = board_bgr.copy()
    (x, y), _, (right, bottom), _ = corners_px(scene(), SIZE)
    middle_x, middle_y = int(x + right) // 2 + 60, int(y + bottom) // 2
    moved[middle_y : middle_y + 24, middle_x : middle_x + 24] = 245
    eye, look = eye.see(Frame(moved, 2.0, 8))
    assert look is not None
    assert look.at_s == 2.0
    assert eye.read_s == 2.0
    assert eye.reads == 1


def test_a_board_at_rest_is_read_anew_once_a_turn_is_over(board_bgr: BgrImage) -> None:
    eye = eye_at(scene())
    for n in range(6):
        eye, _ = eye.see(Frame(board_bgr, 0.25 * n, n))
    eye, look = eye.turn_over().see(Frame(board_bgr, 1.5, 6))
    assert look is not None
    assert eye.read_s == 1.5


LYING = ((6, 120.0, 200.0), (2, 360.0, 220.0))


def pictured(*dice: tuple[int, float, float]) -> BgrImage:
    """Return the board with dice (value, x, y in mm) lying flat on it."""
    lying = tuple(Die(DiePose(value, x, y, yaw_deg=20.0), 0.0, "left") for value, x, y in dice)
    return render(replace(scene(), dice=lying), SIZE)


def shown(
    eye: Eye, bgr: BgrImage, at_s: float
) -> tuple[Eye, list[int | None], list[int | None]]:
    """Return what the eye says of dice: those that came to lie, and those that lay there."""
    eye, look = eye.see(Frame(bgr, at_s, round(10 * at_s)))
    assert look is not None
    return eye, [die.value for die in look.dice], [die.value for die in look.lay]


def test_dice_left_lying_are_known_for_old_ones_once_the_turn_is_over(
    board_bgr: BgrImage,
) -> None:
    eye, *_ = shown(eye_at(scene()), board_bgr, 0.0)
    eye, *thrown = shown(eye, pictured(*LYING), 1.0)
    assert thrown == [[6, 2], []]
    eye, *left = shown(eye.turn_over(), pictured(*LYING), 2.0)
    assert left == [[], [6, 2]]
    eye, *one_up = shown(eye, pictured(LYING[0]), 3.0)
    assert one_up == [[], [6]]
    eye, *anew = shown(eye, pictured((6, 420.0, 160.0), (3, 352.0, 230.0)), 4.0)
    assert anew == [[3, 6], []]


def test_dice_that_lay_there_when_the_eye_opened_are_old_ones(board_bgr: BgrImage) -> None:
    eye, *first = shown(eye_at(scene()), pictured(*LYING), 0.0)
    assert first == [[], [6, 2]]
    _, *gone = shown(eye, board_bgr, 1.0)
    assert gone == [[], []]


def test_a_nudge_carries_the_dice_that_lay_there_along(board_bgr: BgrImage) -> None:
    eye, *_ = shown(eye_at(scene()), board_bgr, 0.0)
    eye, *_ = shown(eye, pictured(*LYING), 1.0)
    eye, before = eye.turn_over().see(Frame(pictured(*LYING), 2.0, 20))
    assert before is not None
    nudged = shifted_picture(pictured(*LYING), (9.0, -5.0))
    look = None
    for n in range(8):
        eye, seen = eye.see(Frame(nudged, 3.0 + 0.3 * n, 30 + n))
        look = seen or look
    assert look is not None
    assert look.calm
    assert [die.value for die in look.lay] == [6, 2]
    ways = [
        np.subtract(new.center_px, old.center_px)
        for old, new in zip(before.lay, look.lay, strict=True)
    ]
    assert np.allclose(ways, (9, -5), atol=0.8)
