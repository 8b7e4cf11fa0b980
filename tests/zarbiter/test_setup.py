import json
from pathlib import Path
from typing import Any

import pytest

from calibration.layout import BoardLayout, Corner
from rules import Color
from tests.support.boards import LONG_START
from tests.zarbiter.conftest import START
from zarbiter.setup import SetupError, parse_setup, read_setup

LEAST: dict[str, Any] = {
    "rules": "classic", "turn": "b", "light": "b", "white_start": "top_left",
}  # fmt: skip
FIELD = [[10, 10], [90.5, 10], [90, 80], [10, 80]]


def test_the_least_set_up_is_enough() -> None:
    setup = parse_setup(LEAST, "setup.json")
    assert setup.variant.name == "classic"
    assert setup.turn == "b"
    assert setup.white == "D"
    assert setup.layout == BoardLayout(Corner.TOP_LEFT)
    assert setup.corners_px is None
    assert setup.position is None


def test_all_that_can_be_known_is_read() -> None:
    full = {
        **LEAST, "light": "w", "direction": "cw", "board_corners": FIELD, "position": START
    }  # fmt: skip
    setup = parse_setup(full, "setup.json", "short")
    assert setup.variant.name == "short"
    assert setup.white == "L"
    assert setup.position == LONG_START
    assert setup.corners_px == ((10, 10), (90.5, 10), (90, 80), (10, 80))


@pytest.mark.parametrize("key", ["turn", "light", "white_start", "rules"])
def test_a_missing_key_is_named(key: str) -> None:
    with pytest.raises(SetupError, match=f"'{key}' is missing"):
        parse_setup({k: v for k, v in LEAST.items() if k != key}, "setup.json")


@pytest.mark.parametrize(
    ("key", "value", "word"),
    [
        ("rules", 5, "rules"),
        ("rules", "chess", "no rule set"),
        ("rules", "", "no rule set"),
        ("turn", "white", 'turn is "w" or "b"'),
        ("turn", [], 'turn is "w" or "b"'),
        ("turn", None, 'turn is "w" or "b"'),
        ("light", "L", 'light is "w" or "b"'),
        ("white_start", "middle", "white_start is one of top_left"),
        ("white_start", None, "white_start is one of"),
        ("white_start", [], "white_start is one of"),
        ("direction", "up", "direction is one of cw, ccw"),
        ("direction", 5, "direction is one of"),
        ("direction", "ccw", "can only travel cw"),
        ("board_corners", "0,0 9,0 9,9 0,9", "corners are four points"),
        ("board_corners", [], "corners are four points"),
        ("board_corners", FIELD[:3], "corners are four points"),
        ("board_corners", [[0, 0]] * 4, "convex"),
        ("board_corners", FIELD[::-1], "convex"),
        ("board_corners", [[float("nan"), 0], *FIELD[1:]], "corners are four points"),
        ("board_corners", [[10**400, 0], *FIELD[1:]], "corners are four points"),
        ("position", "start", "points"),
        ("position", {}, "points"),
        ("position", {"points": {"24": "w16", "12": "b15"}}, "16 checkers"),
        ("position", {"points": {"24": "w14", "12": "b15"}, "bar": {"w": 1}}, "on the bar"),
        ("camera", 1, "no key 'camera'; there are"),
    ],
)
def test_a_wrong_value_is_named_with_what_it_may_be(key: str, value: object, word: str) -> None:
    with pytest.raises(SetupError, match=word) as caught:
        parse_setup({**LEAST, key: value}, "table.json")
    assert str(caught.value).startswith("table.json: ")


def test_a_checker_may_be_on_the_bar_where_checkers_are_hit() -> None:
    position = {"points": {"24": "w14", "12": "b15"}, "bar": {"w": 1}}
    setup = parse_setup({**LEAST, "position": position}, "setup.json", "short")
    assert setup.position is not None
    assert setup.position.bar(Color.WHITE) == 1


@pytest.mark.parametrize("content", [b"{", b"[]", b"5", b"", b"\xff\xfe{}", b"[" * 100_000])
def test_a_file_that_is_no_set_up_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "setup.json"
    path.write_bytes(content)
    with pytest.raises(SetupError, match=r"setup\.json"):
        read_setup(path)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(SetupError, match="cannot read"):
            read_setup(path)


def test_a_file_from_windows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "setup.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(LEAST).encode())
    assert read_setup(path).variant.name == "classic"
