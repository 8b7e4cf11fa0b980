"""How the board lies, kept for the next start."""

import json
from pathlib import Path

import pytest

from calibration.layout import BoardLayout, Corner
from vision.observation import Side
from zarbiter.placing import Placing, PlacingError, read_placing, write_placing

CORNERS = ((60.0, 40.0), (580.5, 40.0), (580.0, 440.0), (60.0, 440.0))


@pytest.mark.parametrize("placing", [
    Placing(),
    Placing(BoardLayout(Corner.BOTTOM_LEFT), Side.DARK, CORNERS, by_hand=True),
])  # fmt: skip
def test_what_is_kept_is_read_again(placing: Placing, tmp_path: Path) -> None:
    path = tmp_path / "placing.json"
    assert read_placing(path) is None
    write_placing(path, placing)
    assert read_placing(path) == placing
    assert [one.name for one in tmp_path.iterdir()] == ["placing.json"]


def told(**changes: object) -> str:
    whole = {
        "version": 1, "white_start": "top_left", "white": "L", "corners_px": None,
        "by_hand": False,
    }  # fmt: skip
    return json.dumps(whole | changes)


@pytest.mark.parametrize("text", [
    "", "[]", "{}", told(version=2), told(white_start="middle"), told(white="G"),
    told(corners_px=[[0, 0]]), told(corners_px=[[0, 0], [1, 1], [2, 2], [3, 3]]),
])  # fmt: skip
def test_a_file_that_says_what_cannot_be_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "placing.json"
    path.write_text(text)
    with pytest.raises(PlacingError, match=r"placing\.json"):
        read_placing(path)
