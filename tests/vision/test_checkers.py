import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.checkers_drawing import CORNERS, draw_board
from vision.board_view import BoardView, estimate_geometry, rectify
from vision.checkers import CheckersSettings, learn_look, read_checkers
from vision.checkers_look import BoardLook
from vision.frame import read_image
from vision.observation import BarReading, CheckersReading, PointReading, Side

EMPTY = [""] * 12
START_TOP = ["L2", "", "", "", "", "D5", "", "D3", "", "", "", "L5"]
START_BOTTOM = ["D2", "", "", "", "", "L5", "", "L3", "", "", "", "D5"]
PLAY_TOP = ["D4", "D1", "D2", "", "D2", "", "", "L1", "", "", "L2", ""]
PLAY_BOTTOM = ["", "L1", "L1", "D3", "L3", "L2", "", "L2", "D2", "L2", "D1", "L1"]
SHARED = Path(__file__).parents[3] / "shared" / "data"


def known(top: list[str], bottom: list[str]) -> CheckersReading:
    def point(label: str) -> PointReading:
        if not label:
            return PointReading(None, 0, 1.0)
        return PointReading(Side(label[0]), int(label[1:]), 1.0)

    first, second = (tuple(point(label) for label in row) for row in (top, bottom))
    return CheckersReading(first, second, BarReading(0, 0))


def view_of(top: list[str], bottom: list[str], on_bar: str = "") -> BoardView:
    return rectify(draw_board(top, bottom, on_bar=on_bar), CORNERS)


def labels(reading: CheckersReading) -> list[str]:
    return [p.label for p in (*reading.top, *reading.bottom)]


def tally(seen: list[str], truth: list[str]) -> tuple[int, int]:
    """Return how many points were read right and how many wrong."""
    pairs = list(zip(seen, truth, strict=True))
    right = sum(s == t for s, t in pairs)
    return right, sum(s not in (t, "U") for s, t in pairs)


@pytest.mark.parametrize(
    ("top", "bottom"), [(START_TOP, START_BOTTOM), (PLAY_TOP, PLAY_BOTTOM)]
)
def test_a_clear_position_is_read(top: list[str], bottom: list[str]) -> None:
    view = view_of(top, bottom)
    right, wrong = tally(labels(read_checkers(view, estimate_geometry(view))), top + bottom)
    assert wrong == 0
    assert right >= 22


def test_an_empty_board_holds_nothing() -> None:
    view = view_of(EMPTY, EMPTY)
    seen = labels(read_checkers(view, estimate_geometry(view)))
    right, wrong = tally(seen, [""] * 24)
    assert wrong == 0
    assert right >= 22


def test_turning_the_board_round_turns_the_reading_round() -> None:
    board = draw_board(PLAY_TOP, PLAY_BOTTOM)
    turned = np.ascontiguousarray(board[::-1, ::-1])
    corners = [(839 - x, 749 - y) for x, y in (*CORNERS[2:], *CORNERS[:2])]
    views = rectify(board, CORNERS), rectify(turned, corners)
    first, second = (labels(read_checkers(v, estimate_geometry(v))) for v in views)
    pairs = list(zip(first, second[::-1], strict=True))
    assert sum(a != b and "U" not in (a, b) for a, b in pairs) == 0


def test_candidates_name_the_best_guess_first_and_sum_to_one() -> None:
    view = view_of(PLAY_TOP, PLAY_BOTTOM)
    reading = read_checkers(view, estimate_geometry(view))
    for point in (*reading.top, *reading.bottom):
        chances = [chance for _, _, chance in point.candidates]
        assert sum(chances) == pytest.approx(1)
        assert chances == sorted(chances, reverse=True)
        if not point.unsure:
            assert point.candidates[0][:2] == (point.side, point.count)


def test_a_reader_asked_to_be_certain_says_unsure_rather_than_guess() -> None:
    view = view_of(PLAY_TOP, PLAY_BOTTOM)
    reading = read_checkers(view, estimate_geometry(view), CheckersSettings(sure=1.1))
    assert set(labels(reading)) == {"U"}
    assert all(p.candidates for p in reading.top)


def test_a_covered_point_is_not_vouched_for() -> None:
    board = draw_board(START_TOP, START_BOTTOM)
    hand = np.zeros(board.shape[:2], np.uint8)
    cv2.line(hand, (760, 0), (740, 260), 255, 90)
    for finger in (690, 730, 770):
        cv2.line(hand, (740, 250), (finger, 340), 255, 24)
    soft = cv2.GaussianBlur(hand, (0, 0), 12)[..., None] / 255
    skin = np.array([110.0, 140.0, 200.0]) * (0.5 + 0.5 * soft)
    board = np.where(hand[..., None] > 0, skin, board).astype(np.uint8)
    view = rectify(board, CORNERS)
    reading = read_checkers(view, estimate_geometry(view))
    assert reading.top[11].unsure


def test_a_lone_colour_is_named_once_it_was_learned() -> None:
    full = view_of(START_TOP, START_BOTTOM)
    geometry = estimate_geometry(full)
    look = learn_look(full, geometry, known(START_TOP, START_BOTTOM))
    bottom = [*EMPTY[:6], "D2", "D3", "", "D1", "", ""]
    view = view_of(EMPTY, bottom)
    alone = labels(read_checkers(view, geometry))
    taught = labels(read_checkers(view, geometry, look=look))
    assert tally(alone, EMPTY + bottom)[1] == 0
    right, wrong = tally(taught, EMPTY + bottom)
    assert wrong == 0
    assert right >= 22


def test_what_looks_as_it_did_is_read_more_surely() -> None:
    view = view_of(START_TOP, START_BOTTOM)
    geometry = estimate_geometry(view)
    look = learn_look(view, geometry, known(START_TOP, START_BOTTOM))
    before = read_checkers(view, geometry)
    after = read_checkers(view, geometry, look=look)
    assert isinstance(look, BoardLook)
    assert min(p.confidence for p in after.top) >= min(p.confidence for p in before.top) - 1e-3
    assert labels(after) == START_TOP + START_BOTTOM


@pytest.mark.shared
def test_photos_and_renders_are_read_well_and_seldom_wrong() -> None:
    if not SHARED.is_dir():
        pytest.skip("../shared/data is not here: the measuring pictures are kept outside")
    right = wrong = held = total = 0
    for folder, every in (("boards", 4), ("renders", 9)):
        lines = (SHARED / folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
        for line in lines[::every]:
            row = json.loads(line)
            if not row.get("points") or not row.get("board_corners"):
                continue
            view = rectify(read_image(SHARED / folder / row["file"]), row["board_corners"])
            seen = labels(read_checkers(view, estimate_geometry(view)))
            for said, true in zip(
                seen, row["points"]["top"] + row["points"]["bottom"], strict=True
            ):
                if true is None:
                    continue
                total += 1
                wrong += said not in (true, "U")
                held += true != ""
                right += true != "" and said == true
    assert wrong <= 0.05 * total
    assert right >= 0.75 * held
