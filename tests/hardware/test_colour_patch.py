from typing import Literal

import numpy as np
import pytest

from hardware.colour_patch import PATCH_WORDS, PatchResult, check_patch
from hardware.picture import Pixels


def patch(*bgr: int) -> Pixels:
    return np.full((40, 60, 3), bgr, np.uint8)


@pytest.mark.parametrize(
    ("bgr", "held", "result"),
    [
        ((30, 40, 200), "red", PatchResult.RIGHT),
        ((200, 60, 30), "blue", PatchResult.RIGHT),
        ((200, 40, 30), "red", PatchResult.SWAPPED),
        ((30, 40, 200), "blue", PatchResult.SWAPPED),
        ((120, 120, 120), "red", PatchResult.UNSURE),
        ((5, 5, 30), "red", PatchResult.UNSURE),
        ((30, 220, 180), "red", PatchResult.UNSURE),
        ((0, 0, 255), "red", PatchResult.RIGHT),
    ],
)
def test_a_patch_tells_whether_red_and_blue_are_swapped(
    bgr: tuple[int, int, int], held: Literal["red", "blue"], result: PatchResult
) -> None:
    """CAM-11."""
    assert check_patch(patch(*bgr), held) is result


def test_a_fingers_breadth_of_colour_in_the_middle_is_enough() -> None:
    picture = patch(90, 90, 90)
    picture[14:28, 22:40] = (30, 40, 200)
    assert check_patch(picture, "red") is PatchResult.RIGHT


def test_every_result_has_words() -> None:
    assert set(PATCH_WORDS) == set(PatchResult)
