"""Which frames of a recording get a full look."""

from dataclasses import dataclass

import numpy as np

from vision.cv import GrayImage
from vision.frame import Frame
from zarbiter.replay_pace import Pace, Paced, paced
from zarbiter.source import BadFrame


@dataclass(frozen=True)
class Shown:
    """A frame known by its small picture alone."""

    at_s: float
    die_x: int | None
    readable: bool = True

    def luma(self) -> GrayImage | None:
        if not self.readable:
            return None
        picture = np.full((240, 320), 90, np.uint8)
        if self.die_x is not None:
            picture[100:105, self.die_x : self.die_x + 5] = 235
        return picture

    def frame(self) -> Frame | BadFrame:
        raise AssertionError("nobody asked for it")


def told(*frames: Shown) -> list[tuple[bool, bool]]:
    return [(one.still, one.passing) for one in paced(frames)]


def looks(*frames: Shown, wanted: int = 2) -> list[float]:
    """When a full look was taken."""
    pace, taken = Pace(), []
    for one in paced(frames):
        pace = pace.after(one)
        if not pace.skips(one, wanted):
            taken.append(one.picture.at_s)
            pace = pace.looked(one.picture.at_s, calm=True)
    return taken


def at(*places: int | None, step_s: float = 0.2) -> list[Shown]:
    return [Shown(round(step_s * n, 3), place) for n, place in enumerate(places)]


def test_a_board_at_rest_is_looked_at_as_often_as_that_is_of_use() -> None:
    assert looks(*at(*[50] * 20)) == [0.0, 0.2]


def test_a_board_at_rest_is_looked_at_again_now_and_then() -> None:
    taken = looks(*at(*[50] * 120))
    assert len(taken) == 3
    assert 20.0 <= taken[2] <= 20.6


def test_a_die_that_comes_to_lie_there_is_looked_at() -> None:
    assert looks(*at(None, None, None, 50, 50, 50)) == [0.0, 0.2, 0.6, 0.8]


def test_what_rolls_by_is_not_looked_at_but_where_it_comes_to_rest_is() -> None:
    frames = at(None, None, 20, 60, 100, 140, 140, 140)
    flags = told(*frames)
    assert [passing for _, passing in flags] == [False] * 2 + [True] * 3 + [False] * 3
    assert looks(*frames) == [0.0, 0.2, 1.0, 1.2]


def test_frames_far_apart_are_all_looked_at() -> None:
    assert len(looks(*at(20, 60, 100, 140, step_s=0.5))) == 4


def test_what_flickers_for_long_does_not_hide_the_board() -> None:
    taken = looks(*at(*[20, 60] * 20))
    assert len(taken) > 3


def test_an_unreadable_frame_is_left_to_the_full_look() -> None:
    frames = [*at(20, 60, 100), Shown(0.6, 50, readable=False), Shown(0.8, 50)]
    assert [passing for _, passing in told(*frames)] == [False, True, False, False, False]


def test_what_the_eye_is_told_of_a_frame() -> None:
    still, moved = (Paced(Shown(1.0, None), flag, passing=False) for flag in (True, False))
    assert Pace().moving(moved) is True
    assert Pace().moving(still) is None
    assert Pace(looks=1).moving(still) is False
