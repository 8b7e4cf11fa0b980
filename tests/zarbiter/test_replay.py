import json
from pathlib import Path
from typing import Any

import pytest

from calibration.profile import write_profile
from recording.verify import Verdict, verify_record
from rules import Position, variant_named
from rules.start import start_position
from tests.support.lenses import BARREL, bent_view
from tests.zarbiter.conftest import Run
from vision.cv import write_image
from zarbiter.profiles import calibrate
from zarbiter.record_export import recorded_match


def change_setup(recording: Path, **changes: object) -> None:
    path = recording / "setup.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}), encoding="utf-8")


def test_a_replay_ends_with_a_summary(run: Run, recording: Path) -> None:
    said = run("replay", recording, "--json")
    assert said.status == 0
    assert said.lines[0]["event"] == "position"
    summary = said.lines[-1]
    assert summary["event"] == "summary"
    assert summary["frames"] == 2
    assert summary["rules"] == "bolshie-nardy"
    assert all("event" in line for line in said.lines)


def test_the_record_of_a_replay_is_kept_and_verifies(
    run: Run, recording: Path, tmp_path: Path
) -> None:
    plain = run("replay", recording, "--json")
    kept = run("replay", recording, "--json", "--out", tmp_path / "kept")
    assert kept.out == plain.out
    assert verify_record(tmp_path / "kept" / "record").verdict is Verdict.OK
    match = recorded_match(tmp_path / "kept" / "record")
    position = plain.lines[0]["position"]
    assert match.story.games[0].start == Position.from_json(position)
    again = run("replay", recording, "--out", tmp_path / "kept")
    assert again.status == 2
    assert "is in use" in again.err


def test_a_replay_is_deterministic(run: Run, recording: Path) -> None:
    assert run("replay", recording, "--json").out == run("replay", recording, "--json").out


@pytest.mark.parametrize(("language", "word"), [("ru", "Кадров 2"), ("en", "2 frames")])
def test_a_person_is_told_in_words(run: Run, recording: Path, language: str, word: str) -> None:
    said = run("replay", recording, "--language", language)
    assert said.status == 0
    assert word in said.out


def test_the_command_line_names_another_set(run: Run, recording: Path) -> None:
    said = run("replay", recording, "--json", "--rules", "federation")
    assert said.lines[-1]["rules"] == "federation"


def test_frames_that_cannot_be_read_fail_the_job_and_the_rest_goes_on(
    run: Run, recording: Path
) -> None:
    lines = (recording / "frames.jsonl").read_text().splitlines()
    (recording / "cut.jpg").write_bytes((recording / "00_before.jpg").read_bytes()[:900])
    more = [json.dumps({"file": f, "t_s": 9}) for f in ("cut.jpg", "gone.jpg", "00_before.jpg")]
    (recording / "frames.jsonl").write_text("\n".join(lines + more), encoding="utf-8")
    said = run("replay", recording, "--json")
    assert said.status == 1
    assert (said.lines[-1]["frames"], said.lines[-1]["bad_frames"]) == (3, 2)
    complaints = said.err.splitlines()
    assert len(complaints) == 2
    assert "cut.jpg is cut short" in complaints[0]
    assert "no file" in complaints[1]


def test_a_recording_of_broken_frames_only_still_ends_well(run: Run, recording: Path) -> None:
    for frame in recording.glob("*.jpg"):
        frame.write_bytes(b"")
    said = run("replay", recording, "--json")
    assert said.status == 1
    assert said.lines[-1]["frames"] == 0


@pytest.mark.parametrize(
    "buttons",
    [
        [{"t_s": -5, "side": "w", "action": "press"}],
        [
            {"t_s": at, "side": side, "action": "press"}
            for at in (0.1, 0.1, 50)
            for side in "bw"
        ],
        [],
    ],
    ids=["before the first frame", "both at once and after the last", "none"],
)
def test_presses_at_odd_times_crash_nothing(
    run: Run, recording: Path, buttons: list[dict[str, Any]]
) -> None:
    text = "\n".join(json.dumps(row) for row in buttons)
    (recording / "buttons.jsonl").write_text(text, encoding="utf-8")
    said = run("replay", recording, "--json")
    assert said.status == 0
    assert said.lines[-1]["event"] == "summary"


@pytest.mark.parametrize(
    "wrong",
    [
        {"rules": "chess"},
        {"turn": 1},
        {"board_corners": [[0, 0], [1, 1], [2, 2], [3, 3]]},
        {"position": {"points": {}}},
        {"cameras": 2},
    ],
)
def test_a_wrong_set_up_is_wrong_use(run: Run, recording: Path, wrong: dict[str, Any]) -> None:
    change_setup(recording, **wrong)
    said = run("replay", recording, "--json")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("zarbiter: setup.json: ")
    assert len(said.err.splitlines()) == 1


def test_places_with_nothing_to_replay_are_wrong_use(
    run: Run, tmp_path: Path, recording: Path
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "table.mp4").write_bytes(b"hello")
    setup = recording / "setup.json"
    for source in ("empty", "nothing", "table.mp4", "n" * 300):
        said = run("replay", tmp_path / source, "--setup", setup)
        assert said.status in (1, 2)
        assert "Traceback" not in said.err
        assert len(said.err.splitlines()) == 1
    said = run("replay", recording, "--setup", tmp_path / "none.json")
    assert said.status == 2
    assert "cannot read" in said.err


def test_without_corners_the_board_is_looked_for(run: Run, recording: Path) -> None:
    change_setup(recording, board_corners=None)
    said = run("replay", recording, "--json")
    assert said.status == 0
    assert said.lines[-1]["event"] == "summary"


def test_corners_outside_the_picture_are_refused(run: Run, recording: Path) -> None:
    far = [[5000, 5000], [6000, 5000], [6000, 6000], [5000, 6000]]
    change_setup(recording, board_corners=far)
    said = run("replay", recording)
    assert said.status == 2
    assert "board_corners" in said.err


@pytest.mark.parametrize("corners", [True, False])
def test_a_profile_with_a_lens_straightens_the_recording(
    run: Run, tmp_path: Path, corners: bool
) -> None:
    shown = bent_view("walnut", "short")
    made = calibrate([shown.bgr], corners_px=shown.corners_px, lens=BARREL)
    assert made.profile is not None
    write_profile(tmp_path / "table.json", made.profile)
    folder = tmp_path / "film"
    folder.mkdir()
    write_image(folder / "0.png", shown.bgr)
    lines = [json.dumps({"file": "0.png", "t_s": at}) for at in (0.0, 0.6, 1.2)]
    (folder / "frames.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    setup: dict[str, Any] = {"rules": "short", "turn": "w", "light": "w"}
    setup |= {"white_start": "top_right", "direction": "ccw"}
    if corners:  # a person marks them in the picture as the camera made it
        setup["board_corners"] = [list(one) for one in shown.corners_px]
    (folder / "setup.json").write_text(json.dumps(setup), encoding="utf-8")
    said = run("replay", folder, "--json", "--profile", tmp_path / "table.json")
    assert said.err == ""
    start = start_position(variant_named("short"))
    assert Position.from_json(said.lines[0]["position"]) == start
