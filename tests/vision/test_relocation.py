import math

import cv2
import numpy as np
import pytest

from tests.support.views import view
from vision.cv import BgrImage
from vision.observation import BoardSighting, Corners
from vision.relocation import Move, relocate


def carried(
    bgr: BgrImage,
    corners: Corners,
    turn_deg: float,
    shift: tuple[float, float],
    scale: float = 1,
) -> tuple[BgrImage, Corners]:
    """The whole picture turned and shifted; the corners keep their names."""
    height, width = bgr.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), -turn_deg, scale)
    matrix[:, 2] += np.asarray(shift)
    moved = cv2.warpAffine(bgr, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    made = np.asarray(corners) @ matrix[:, :2].T + matrix[:, 2]
    a, b, c, d = ((float(x), float(y)) for x, y in made)
    return np.asarray(moved, dtype=np.uint8), (a, b, c, d)


def seen_at(corners: Corners, turn: int) -> BoardSighting:
    """What the finder would say: right, but it cannot know which end is which."""
    a, b, c, d = (corners[(k + turn) % 4] for k in range(4))
    return BoardSighting(True, (a, b, c, d), 0.9)


CASES = [
    (0.0, (0.0, 0.0), Move.STAYED),
    (0.5, (14.0, -9.0), Move.NUDGED),
    (0.0, (120.0, 30.0), Move.MOVED),
    (14.0, (20.0, 5.0), Move.TURNED),
    (180.0, (0.0, 0.0), Move.TURNED),
    (-174.0, (10.0, 0.0), Move.TURNED),
]


@pytest.mark.parametrize(("turn_deg", "shift", "move"), CASES)
@pytest.mark.parametrize("end", [0, 2])
def test_where_a_board_went_and_which_way_round_is_told(
    turn_deg: float, shift: tuple[float, float], move: Move, end: int
) -> None:
    shown = view("walnut", "short", height_mm=1100.0)
    after, truth = carried(shown.bgr, shown.corners_px, turn_deg, shift)
    found = relocate(shown.bgr, after, shown.corners_px, finder=lambda _: seen_at(truth, end))
    assert found.move is move
    assert found.corners_px == truth
    off = math.remainder(found.turn_deg - turn_deg, 360.0)
    assert abs(off) < 0.5


def test_a_board_that_is_gone_is_lost() -> None:
    shown = view("walnut", "short")
    gone = np.full_like(shown.bgr, 120)
    none = relocate(
        shown.bgr, gone, shown.corners_px, finder=lambda _: BoardSighting(False, None, 0.1)
    )
    assert none.move is Move.LOST
    assert none.corners_px is None


def test_another_position_is_not_taken_for_the_same_board_turned() -> None:
    shown = view("walnut", "short")
    other = view("baize", "middle")
    found = relocate(
        shown.bgr, other.bgr, shown.corners_px, finder=lambda _: seen_at(other.corners_px, 0)
    )
    assert found.move is Move.LOST


def test_a_turned_board_is_found_by_the_finder_itself() -> None:
    shown = view("walnut", "short", height_mm=1100.0)
    after, truth = carried(shown.bgr, shown.corners_px, 174.0, (5.0, -8.0))
    found = relocate(shown.bgr, after, shown.corners_px)
    assert found.move is Move.TURNED
    assert found.corners_px is not None
    diagonal = math.dist(truth[0], truth[2])
    apart = np.linalg.norm(np.subtract(found.corners_px, truth), axis=1)
    assert apart.max() < 0.03 * diagonal
