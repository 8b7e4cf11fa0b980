import json
from itertools import pairwise
from pathlib import Path

import cv2
import pytest

from table.film import film
from table.looks import LOOKS
from table.script import FilmSettings, Press, Shot, Thrown, Turn
from table.sequence import TableSetup, write_sequence
from table.world import ColorName, Position

SIZE = (240, 180)
START: Position = {"points": {"24": "w15", "12": "b15"}, "off": {"w": 0, "b": 0}}
MIDDLE: Position = {"points": {"24": "w14", "13": "w1", "12": "b15"}, "off": {"w": 0, "b": 0}}
THEN: Position = {
    "points": {"24": "w14", "13": "w1", "12": "b14", "7": "b1"},
    "off": {"w": 0, "b": 0},
}
SETUP = TableSetup(look=LOOKS["baize"])
FIRST = Turn("w", (6, 5), START, MIDDLE, facts={"verdict": "legal"})
SECOND = Turn("b", (4, 1), MIDDLE, THEN, voids=("cocked", "off_board"))


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_one_turn_is_written_with_all_its_files(tmp_path: Path) -> None:
    folder = write_sequence(
        tmp_path / "seq", "bolshie-nardy", SETUP, [FIRST], 3, with_labels=True, size_px=SIZE
    )
    frames = lines(folder / "frames.jsonl")
    assert [path.name for path in sorted(folder.glob("*.jpg"))] == [f["file"] for f in frames]
    times = [float(str(frame["t_s"])) for frame in frames]
    assert all(a < b for a, b in pairwise(times))
    rest = [
        t for t, frame in zip(times, frames, strict=True) if str(frame["file"])[3:7] == "rest"
    ]
    assert len(rest) == 3
    assert min(b - a for a, b in pairwise(rest)) >= 0.2
    picture = cv2.imread(str(folder / str(frames[0]["file"])))
    assert picture is not None
    assert picture.shape == (180, 240, 3)
    (press,) = lines(folder / "buttons.jsonl")
    assert press["side"] == "w"
    assert press["action"] == "press"
    setup = json.loads((folder / "setup.json").read_text(encoding="utf-8"))
    assert setup["position"] == START
    assert setup["rules"] == "bolshie-nardy"
    assert (setup["white_start"], setup["direction"]) == ("top_right", "ccw")
    assert len(setup["board_corners"]) == 4
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    assert truth["dice"] == [6, 5]
    assert truth["throw"] == "valid"
    assert truth["verdict"] == "legal"
    assert (truth["before"], truth["after"]) == (START, MIDDLE)
    told = lines(folder / "labels.jsonl")
    assert len(told) == len(frames)
    assert told[0]["board_corners"] == setup["board_corners"]


def test_the_same_seed_writes_the_same_bytes(tmp_path: Path) -> None:
    short = Turn("w", (6, 5), MIDDLE, MIDDLE)
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        write_sequence(tmp_path / name, "short", SETUP, [short], seed, size_px=SIZE)

    def held(name: str) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}

    assert held("a") == held("b")
    assert held("a") != held("c")


def test_a_void_throw_is_followed_by_another_of_the_same_player() -> None:
    events = list(film(SETUP.board(), [FIRST, SECOND], 5))
    thrown = [event for event in events if isinstance(event, Thrown)]
    assert [event.kind for event in thrown] == [None, "cocked", "off_board", None]
    assert [event.turn for event in thrown] == [0, 1, 1, 1]
    assert thrown[-1].values == (4, 1)
    presses = [(event.side, event.at_s) for event in events if isinstance(event, Press)]
    assert [side for side, _ in presses] == ["w", "b"]
    assert thrown[0].at_s < presses[0][1] < thrown[1].at_s


@pytest.mark.parametrize("dense", [False, True])
def test_a_film_ends_with_the_position_after_the_last_turn(dense: bool) -> None:
    board = SETUP.board()
    settings = FilmSettings(dense=dense, opening_frames=3)
    shots = [
        event for event in film(board, [FIRST, SECOND], 5, settings) if isinstance(event, Shot)
    ]
    assert [shot.name for shot in shots[:3]] == ["before"] * 3
    held: dict[tuple[ColorName, int], int] = {}
    for disc in shots[-1].scene.discs:
        key = (board.color(disc.side), disc.point)
        held[key] = held.get(key, 0) + 1
    assert held == {("w", 24): 14, ("w", 13): 1, ("b", 12): 14, ("b", 7): 1}


def test_checkers_nobody_touches_stay_where_they_are() -> None:
    shots = [e for e in film(SETUP.board(), [FIRST], 5) if isinstance(e, Shot)]
    first, last = set(shots[0].scene.discs), set(shots[-1].scene.discs)
    assert len(first & last) == 29


def test_a_carried_checker_is_off_the_board() -> None:
    shots = [e for e in film(SETUP.board(), [FIRST], 5) if isinstance(e, Shot)]
    carrying = [shot for shot in shots if shot.name == "carry"]
    assert carrying
    for shot in carrying:
        assert len(shot.scene.discs) == 29
        assert len(shot.scene.carried) == 1
        assert shot.scene.hand is not None


def test_the_start_position_can_be_left_to_be_seen(tmp_path: Path) -> None:
    write_sequence(
        tmp_path, "short", SETUP, [FIRST, SECOND], 1, state_position=False, size_px=(120, 90)
    )
    setup = json.loads((tmp_path / "setup.json").read_text(encoding="utf-8"))
    assert "position" not in setup
    truth = json.loads((tmp_path / "truth.json").read_text(encoding="utf-8"))
    assert [turn["dice"] for turn in truth["turns"]] == [[6, 5], [4, 1]]
    reasons = [thrown["reason"] for thrown in truth["turns"][1]["throws"]]
    assert reasons == ["tilted", "off_board", None]


def test_a_sequence_needs_a_turn(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one turn"):
        write_sequence(tmp_path, "short", SETUP, [], 1)
