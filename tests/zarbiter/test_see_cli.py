import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from rules import DEFAULT
from tests.support.boards import LONG_START
from tests.support.looks import LAYOUT, die, reading_of
from tests.zarbiter.conftest import Run
from vision.cv import as_u8
from vision.observation import BoardSighting, Observation, Surface, Timings
from zarbiter.see_cli import (
    Request,
    observation_to_json,
    observation_to_text,
    parse_request,
    requests_from,
)

FIELD = ((100.0, 60.0), (540.0, 60.0), (540.0, 420.0), (100.0, 420.0))
DICE = (die(3, 400.0), die(None, 470.0, flat=None, touches=frozenset({Surface.CHECKER})))
SEEN = Observation(
    width=640,
    height=480,
    board=BoardSighting(True, FIELD, 0.97),
    checkers=reading_of(LONG_START, layout=LAYOUT, hidden=(12,)),
    dice=DICE,
    ms=Timings(1.0, 2.0, 3.0, 6.0),
)


def request(**fields: object) -> str:
    return json.dumps(fields)


def test_an_observation_is_written_as_the_contract_has_it() -> None:
    line = observation_to_json("a.jpg", SEEN, DEFAULT)
    assert {
        "image",
        "width",
        "height",
        "board",
        "points",
        "on_bar",
        "points_confidence",
    } <= set(line)
    assert line["board"] == {
        "found": True,
        "corners_px": [list(corner) for corner in FIELD],
        "confidence": 0.97,
    }
    assert line["points"]["top"][11] == "L15"
    assert line["points"]["bottom"][0] == "U"
    assert line["points"]["top"][0] == ""
    assert line["points_candidates"]["bottom"][0][0][0] == "D5"
    assert line["points_candidates"]["top"][11] is None
    assert [one["value"] for one in line["dice"]] == [3, None]
    assert line["dice"][1]["touches"] == ["checker"]
    assert line["throw"]["verdict"] == "unsure"
    assert line["ms"] == {"board": 1.0, "points": 2.0, "dice": 3.0, "total": 6.0}
    json.dumps(line, allow_nan=False)


def test_without_a_board_nothing_is_said_of_points_and_throw() -> None:
    lost = Observation(640, 480, BoardSighting(False, None, 0.2), None, (), SEEN.ms)
    line = observation_to_json("a.jpg", lost, DEFAULT)
    assert line["board"] == {"found": False, "corners_px": None, "confidence": 0.2}
    assert line["points"] is None
    assert line["throw"] is None
    assert "--corners" in observation_to_text("a.jpg", lost, line)


def test_dice_alone_have_no_board() -> None:
    line = observation_to_json(
        "a.jpg", Observation(640, 480, None, None, DICE, SEEN.ms), DEFAULT
    )
    assert (line["board"], line["points"], line["throw"]) == (None, None, None)
    assert len(line["dice"]) == 2


def test_a_person_reads_the_same() -> None:
    text = observation_to_text("a.jpg", SEEN, observation_to_json("a.jpg", SEEN, DEFAULT))
    assert "a.jpg: 640×480" in text
    assert "L15" in text
    assert "die 3 at 400,300" in text
    assert "die unsure" in text
    assert "throw: unsure" in text


def test_requests_are_read() -> None:
    line = request(
        image="a.jpg", corners=[list(c) for c in FIELD], dice_only=False, profile=None
    )
    assert parse_request(line) == Request("a.jpg", FIELD, False)
    assert parse_request(request(image="a.jpg", dice_only=True)) == Request("a.jpg", None, True)


@pytest.mark.parametrize(
    ("line", "code", "image"),
    [
        ("{", "bad_json", None),
        ("[" * 100_000, "bad_json", None),
        ("[]", "bad_request", None),
        (request(image=5), "bad_request", None),
        (request(corners=None), "bad_request", None),
        (request(image="a.jpg", dice_only=1), "bad_request", "a.jpg"),
        (request(image="a.jpg", profile=7), "bad_request", "a.jpg"),
        (request(image="a.jpg", corners="x"), "bad_corners", "a.jpg"),
        (request(image="a.jpg", corners=[[0, 0]] * 3), "bad_corners", "a.jpg"),
        (request(image="a.jpg", corners=[[0, 0, 0]] * 4), "bad_corners", "a.jpg"),
        (request(image="a.jpg", corners=[[True, 0]] * 4), "bad_corners", "a.jpg"),
        (request(image="a.jpg", corners=[["1", 0]] * 4), "bad_corners", "a.jpg"),
        (request(image="a.jpg", corners=[[float("nan"), 0]] * 4), "bad_corners", "a.jpg"),
        (request(image="a.jpg", corners=[[10**400, 0]] * 4), "bad_corners", "a.jpg"),
    ],
)
def test_a_request_that_asks_for_nothing_gets_its_line(
    line: str, code: str, image: str | None
) -> None:
    (answer,) = requests_from(["\n", line])
    assert not isinstance(answer, Request)
    assert answer["image"] == image
    assert answer["error"]["code"] == code


def spoiled(folder: Path, picture: Path) -> Iterator[tuple[str, str]]:
    """Write files that are no pictures; yield name and the code they should get."""
    data = picture.read_bytes()
    for name, content, code in (
        ("cut.jpg", data[: len(data) // 2], "truncated"),
        ("text.jpg", b"hello\n", "not_a_picture"),
        ("empty.jpg", b"", "empty_file"),
        ("шум.jpg", bytes(range(256)), "not_a_picture"),
    ):
        (folder / name).write_bytes(content)
        yield name, code
    cv2.imwrite(str(folder / "pixel.png"), np.zeros((1, 1, 3), np.uint8))
    yield "pixel.png", "too_small"
    yield "nothing.jpg", "not_found"
    yield ".", "is_directory"
    yield "half\udcffpair.jpg", "not_found"


def test_files_that_are_no_pictures_get_one_error_each_and_the_rest_goes_on(
    run: Run, recording: Path, picture: Path, corners: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(recording)
    names, codes = zip(*spoiled(recording, picture), strict=True)
    said = run("see", "--json", "--corners", corners, picture.name, *names, picture.name)
    assert said.status == 1
    assert said.codes == [None, *codes, None]
    assert [line["image"] for line in said.lines] == [picture.name, *names, picture.name]
    assert said.err == ""
    spoken = run("see", *names)
    assert spoken.status == 1
    assert spoken.out == ""
    complaints = spoken.err.splitlines()
    assert len(complaints) == len(names)
    assert all(line.startswith("zarbiter: ") for line in complaints)


def test_requests_name_each_its_own_corners(
    run: Run, picture: Path, corners: str, tmp_path: Path
) -> None:
    field = [[float(number) for number in pair.split(",")] for pair in corners.split()]
    lines = [
        request(image=str(picture), corners=field),
        request(image=str(picture), dice_only=True),
        request(image="zero\0byte"),
        request(image=str(picture), corners=[[0, 0], [1, 1], [2, 2], [3, 3]]),
        "nonsense",
    ]
    file = tmp_path / "requests.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    for said in (
        run("see", "--json", "--requests", file),
        run("see", "--json", "--requests", "-", stdin=file.read_bytes()),
    ):
        assert said.status == 1
        assert said.codes == [None, None, "not_found", "bad_corners", "bad_json"]
        assert said.lines[0]["board"]["found"]
        assert said.lines[1]["board"] is None


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("", 2),
        ("a", 2),
        ("0,0 100,0 100,100", 2),
        ("nan,0 100,0 100,100 0,100", 2),
        ("inf,0 100,0 100,100 0,100", 2),
        ("0,0 1e300,0 1e300,1e300 0,1e300", 2),
        ("0,0 1,1 2,2 3,3", 1),
        ("300,0 0,0 0,200 300,200", 1),
        ("0,0 200,0 60,20 0,200", 1),
        ("-900,-900 -800,-900 -800,-800 -900,-800", 1),
        ("5000,0 6000,0 6000,1000 5000,1000", 1),
        ("-300,-200 -100,-200 -100,-100 -300,-100", 1),
        ("1,1 300,1 300,3 1,3", 1),
    ],
)
def test_corners_that_cannot_be_are_refused(
    run: Run, picture: Path, text: str, status: int
) -> None:
    said = run("see", picture, "--json", f"--corners={text}")
    assert said.status == status
    if status == 1:
        assert said.codes == ["bad_corners"]
        assert str(picture) in said.lines[0]["error"]["message"]
    else:
        assert said.out == ""
        assert "corners are four points" in said.err


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((), "name pictures"),
        (("a.jpg", "--requests", "-"), "name pictures"),
        (("--requests", "-", "--corners", "0,0 9,0 9,9 0,9"), "each line"),
        (("--requests", "-", "--dice-only"), "each line"),
        (("--requests", "no/such/file"), "cannot read"),
        (("--requests", "."), "directory"),
        (("a.jpg", "b.jpg", "--overlay", "o.png"), "one image"),
        (("a.jpg", "--overlay", "o.xyz"), ".png"),
        (("a.jpg", "--overlay", ""), ".png"),
        (("a.jpg", "--rules", "chess"), "no rule set"),
        (("--requests", "r.jsonl", "--profile", "p"), "says its own"),
        (("a.jpg", "--setup", "no/such/file"), "cannot read"),
        (("a.jpg", "--unknown"), "unrecognized"),
    ],
)
def test_wrong_use_is_said_before_any_picture_is_looked_at(
    run: Run, arguments: tuple[str, ...], word: str
) -> None:
    said = run("see", *arguments)
    assert said.status == 2
    assert said.out == ""
    assert word in said.err


def test_what_is_seen_is_drawn(run: Run, picture: Path, corners: str, tmp_path: Path) -> None:
    drawn = tmp_path / "видно.png"
    assert run("see", picture, "--corners", corners, "--overlay", drawn).status == 0
    data = np.frombuffer(drawn.read_bytes(), np.uint8)
    assert as_u8(cv2.imdecode(data, cv2.IMREAD_COLOR)).shape == (240, 320, 3)


def test_a_drawing_that_cannot_be_written_is_a_failed_job(
    run: Run, picture: Path, corners: str, tmp_path: Path
) -> None:
    said = run("see", picture, "--corners", corners, "--overlay", tmp_path / "no" / "o.png")
    assert said.status == 1
    assert said.out
    assert said.err.endswith("o.png: No such file or directory\n")


def test_a_set_up_adds_the_position(run: Run, picture: Path, recording: Path) -> None:
    said = run("see", picture, "--json", "--setup", recording / "setup.json")
    assert said.status == 0
    assert "position" in said.lines[0]
