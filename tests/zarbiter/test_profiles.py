import json
from pathlib import Path

import numpy as np
import pytest

from calibration.profile import LightLevel, ProfileError, from_json, to_json, write_profile
from calibration.quality import Fault
from rules import variant_named
from tests.support.views import view
from vision.board_view import rectify_measured
from vision.checkers import read_checkers
from vision.checkers_colors import SideColors
from vision.checkers_look import BoardLook
from vision.cv import write_image
from vision.observation import BoardSighting
from zarbiter.profiles import (
    agreed,
    calibrate,
    known_of,
    light_jumped,
    light_level,
    look_of_profile,
    refreshed,
)
from zarbiter.see_cli import Request, look_at

RULES = variant_named("bolshie-nardy")


@pytest.mark.parametrize(("position", "start"), [("long", "long"), ("short", "short")])
def test_a_start_position_teaches_the_look(position: str, start: str) -> None:
    shown = view("walnut", position)
    made = calibrate([shown.bgr], corners_px=shown.corners_px)
    assert made.start == start
    assert made.layout is not None
    assert made.layout.white_start.value == "top_right"
    assert made.profile is not None
    look = made.profile.look
    assert look is not None
    assert look.light[0] > look.dark[0] + 20
    counts = [int(label[1:] or 0) for label in ("x" + one[1:] for one in shown.labels)]
    assert list(look.counts) == counts
    assert made.quality.usable


def test_a_position_in_the_middle_teaches_no_look() -> None:
    shown = view("walnut", "middle")
    made = calibrate([shown.bgr], corners_px=shown.corners_px)
    assert (made.start, made.layout) == (None, None)
    assert made.profile is not None
    assert made.profile.look is None


def test_no_board_gives_no_profile_and_says_so() -> None:
    made = calibrate([np.full((480, 640, 3), 120, dtype=np.uint8)])
    assert made.profile is None
    assert Fault.NO_BOARD in made.quality.faults


@pytest.mark.parametrize("look", ["walnut", "baize", "tournament", "village"])
def test_a_profile_from_the_start_reads_the_game_that_follows(look: str) -> None:
    start, later = view(look, "short"), view(look, "middle")
    made = calibrate([start.bgr], corners_px=start.corners_px)
    assert made.profile is not None
    profile = from_json(json.loads(json.dumps(to_json(made.profile))))
    known = known_of(profile, (960, 720))
    assert known.geometry is not None
    assert known.corners_px is not None
    seen = read_checkers(
        rectify_measured(later.bgr, known.corners_px, known.geometry),
        known.geometry,
        look=known.look,
    )
    labels = [point.label for point in (*seen.top, *seen.bottom)]
    assert labels == list(later.labels)
    assert (seen.bar.light, seen.bar.dark) == (0, 0)


def test_see_uses_a_profile_and_corners_override_it(tmp_path: Path) -> None:
    start, later = view("walnut", "short"), view("walnut", "middle")
    made = calibrate([start.bgr], corners_px=start.corners_px)
    assert made.profile is not None
    profile, picture = tmp_path / "table.json", tmp_path / "later.png"
    write_profile(profile, made.profile)
    write_image(picture, later.bgr)
    line, seen = look_at(Request(str(picture), profile=str(profile)), RULES)
    assert seen is not None
    assert line["board"]["corners_px"] == [
        [round(x, 1), round(y, 1)] for x, y in start.corners_px
    ]
    assert [*line["points"]["top"], *line["points"]["bottom"]] == list(later.labels)
    other = ((200.0, 150.0), (700.0, 150.0), (700.0, 600.0), (200.0, 600.0))
    line, _ = look_at(Request(str(picture), other, profile=str(profile)), RULES)
    assert line["board"]["corners_px"][0] == [200.0, 150.0]


def test_a_profile_that_does_not_fit_is_the_picture_s_error(tmp_path: Path) -> None:
    start = view("walnut", "short")
    made = calibrate([start.bgr], corners_px=start.corners_px)
    assert made.profile is not None
    profile, picture = tmp_path / "table.json", tmp_path / "other.png"
    write_profile(profile, made.profile)
    write_image(picture, np.full((300, 700, 3), 100, dtype=np.uint8))
    for name in (str(profile), str(tmp_path / "none.json")):
        line, seen = look_at(Request(str(picture), profile=name), RULES)
        assert seen is None
        assert line["error"]["code"] == "bad_profile"
    with pytest.raises(ProfileError, match="960×720"):
        known_of(made.profile, (700, 300))


def test_a_lamp_that_is_switched_is_a_jump_and_drift_is_none() -> None:
    shown = view("walnut", "short")
    level = light_level(shown.bgr, shown.corners_px)

    def lit(gain: tuple[float, float, float]) -> bool:
        bgr = np.clip(shown.bgr * np.array(gain), 0, 255).astype(np.uint8)
        return light_jumped(level, light_level(bgr, shown.corners_px))

    assert not lit((1.0, 1.0, 1.0))
    assert not lit((0.8, 0.85, 0.9))
    assert lit((0.4, 0.4, 0.4))
    assert lit((0.6, 1.0, 1.0))


def test_a_profile_drifts_with_the_daylight_and_jumps_with_the_lamp() -> None:
    shown = view("walnut", "short")
    made = calibrate([shown.bgr], corners_px=shown.corners_px)
    assert made.profile is not None
    assert made.profile.look is not None
    assert made.profile.light is not None
    look, before = look_of_profile(made.profile), made.profile.look
    assert look is not None
    assert look.colors is not None
    paler = BoardLook(
        SideColors((100.0, 0.0, 0.0), look.colors.dark), look.points + 10, look.counts, look.bar
    )
    drifted = refreshed(made.profile, paler, made.profile.light)
    assert drifted.look is not None
    assert drifted.look.light[0] == pytest.approx(before.light[0] * 0.9 + 10.0)
    assert drifted.look.cells - before.cells == pytest.approx(1.0, abs=0.01)
    dimmed = LightLevel(made.profile.light.luma * 0.3, made.profile.light.cast)
    jumped = refreshed(made.profile, paler, dimmed)
    assert jumped.look is not None
    assert jumped.look.light == (100.0, 0.0, 0.0)
    assert jumped.light == dimmed


def test_the_board_most_pictures_agree_on_is_taken() -> None:
    def at(x: float, sure: float) -> BoardSighting:
        return BoardSighting(
            True, ((x, 10.0), (x + 400, 10.0), (x + 400, 400.0), (x, 400.0)), sure
        )

    none = BoardSighting(False, None, 0.2)
    best, sighting = agreed([at(200.0, 0.99), none, at(10.0, 0.8), at(12.0, 0.9)])
    assert best == 3
    assert sighting.corners_px is not None
    assert sighting.corners_px[0][0] == pytest.approx(11.0)
    assert sighting.confidence == 0.9
    assert agreed([none, BoardSighting(False, None, 0.4)])[1].confidence == 0.4
