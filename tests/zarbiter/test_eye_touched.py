"""What the eye knows of points touched since it was last known what stood there."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from referee.evidence import Touched
from vision.frame import Frame, read_image
from vision.registration import shifted_picture
from zarbiter.eye import Eye
from zarbiter.setup import Setup, read_setup


@pytest.fixture
def setup(film: Path) -> Setup:
    return read_setup(film / "setup.json")


@pytest.fixture
def frames(film: Path) -> list[Frame]:
    rows = [json.loads(line) for line in (film / "frames.jsonl").read_text().splitlines()]
    return [
        Frame(read_image(film / row["file"]), row["t_s"], seq)
        for seq, row in enumerate(rows)
        if "before" in row["file"] or "after" in row["file"]
    ]


def learned(setup: Setup, frame: Frame) -> Eye:
    eye, look = Eye(setup.white, setup.layout, corners_px=setup.corners_px).see(frame)
    assert look is not None
    assert look.calm
    assert setup.position is not None
    return eye.learn(setup.position)


def test_nothing_is_touched_on_the_board_that_was_learned(
    setup: Setup, frames: list[Frame]
) -> None:
    touched = learned(setup, frames[0]).touched()
    assert touched == Touched(setup.position, (0.0,) * 24, 0.0)  # type: ignore[arg-type]


def test_a_play_touches_the_point_it_leaves(setup: Setup, frames: list[Frame]) -> None:
    eye, look = learned(setup, frames[0]).see(frames[-1])
    assert look is not None
    touched = eye.touched()
    assert touched is not None
    assert touched.areas[23] > 0.7


def test_a_play_taken_back_is_compared_with_the_board_before_it(
    setup: Setup, frames: list[Frame]
) -> None:
    eye, look = learned(setup, frames[0]).see(frames[-1])
    assert look is not None
    assert setup.position is not None
    wrong = replace(setup.position, white=setup.position.black, black=setup.position.white)
    ruled = eye.learn(wrong)

    last, before = ruled.touched(), ruled.touched(setup.position)
    assert last == Touched(wrong, (0.0,) * 24, 0.0)
    assert before is not None
    assert before.since == setup.position
    assert before.areas[23] > 0.7
    assert learned(setup, frames[0]).touched(wrong) is None


def test_nothing_is_compared_before_anything_was_learned(
    setup: Setup, frames: list[Frame]
) -> None:
    eye, _ = Eye(setup.white, setup.layout, corners_px=setup.corners_px).see(frames[0])
    assert eye.touched() is None


def test_nothing_is_compared_after_the_board_moved_in_the_picture(
    setup: Setup, frames: list[Frame]
) -> None:
    eye = learned(setup, frames[0])
    assert eye.corners_px is not None
    a, b, c, d = eye.corners_px
    moved = replace(eye, corners_px=(a, b, c, (d[0] + 2.0, d[1])))
    assert moved.touched() is None


def test_nothing_is_compared_where_the_whole_picture_changed(
    setup: Setup, frames: list[Frame]
) -> None:
    eye = learned(setup, frames[0])
    assert eye.calm is not None
    # Corners stay where they were: a nudge that was not noticed.
    nudged = Frame(shifted_picture(frames[0].bgr, (14.0, 9.0)), frames[0].at_s + 1.0, 1)
    assert replace(eye, calm=nudged).touched() is None


def test_a_frame_known_to_be_still_shows_what_the_last_one_showed(
    setup: Setup, frames: list[Frame]
) -> None:
    eye = learned(setup, frames[0])
    again = Frame(frames[0].bgr, frames[0].at_s + 0.5, 1)
    later, look = eye.see(again, moving=False)
    assert look is not None
    assert look.calm
    assert later.seen == eye.seen
    soon = Frame(frames[0].bgr, frames[0].at_s + 0.55, 2)
    assert later.see(soon, moving=False)[1] is None
