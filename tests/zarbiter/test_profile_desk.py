from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.layout import BoardLayout, Corner
from calibration.profile import CalibrationProfile, read_profile
from rules import variant_named
from rules.start import start_position
from tests.support.lenses import BARREL, bent_view
from tests.support.views import view
from vision.cv import BgrImage, as_u8
from vision.frame import Frame
from vision.observation import Side
from vision.straight import straight_corners
from zarbiter.eye import Eye
from zarbiter.placing import Placing
from zarbiter.profile_desk import KEPT, ProfileDesk, keeper_in, profile_for
from zarbiter.profiles import calibrate

SIZE = (960, 720)
LAYOUT = BoardLayout(Corner.TOP_RIGHT)
START = start_position(variant_named("short"))


def made(*, bent: bool = False) -> CalibrationProfile:
    shown = bent_view("walnut", "short") if bent else view("walnut", "short")
    found = calibrate(
        [shown.bgr], corners_px=shown.corners_px, lens=BARREL if bent else None, made_utc="t"
    )
    assert found.profile is not None
    return found.profile


def seen(desk: ProfileDesk, bgr: BgrImage, at_s: float, eye: Eye) -> Eye:
    """A frame with the start position, looked at and learned from."""
    frame = desk.straight(Frame(bgr, at_s))
    read, _ = replace(eye, calm=None).see(frame)
    learned = read.learn(START)
    desk.look(learned, frame)
    return learned


def test_a_profile_under_a_wide_lens_is_of_the_straightened_picture() -> None:
    profile = made(bent=True)
    assert profile.look is not None
    assert np.array(profile.corners_px) == pytest.approx(
        np.array(bent_view("walnut", "short").corners_px), abs=0.1
    )
    desk = ProfileDesk(profile)
    begun = desk.begin(Eye(Side.LIGHT, LAYOUT), Placing(), SIZE)
    assert begun.trouble is None
    assert begun.placing.straight
    assert begun.eye.focal_px == pytest.approx(760.0)
    later = bent_view("walnut", "middle")
    eye, look = begun.eye.see(desk.straight(Frame(later.bgr, 1.0)))
    assert look is not None
    assert eye.seen is not None
    assert [p.label for p in (*eye.seen.top, *eye.seen.bottom)] == list(later.labels)
    assert eye.corners_px is not None
    assert np.array(desk.in_picture(eye.corners_px)) == pytest.approx(
        np.array(later.corners_px), abs=0.1
    )


def test_corners_kept_before_the_lens_was_known_are_brought_over() -> None:
    corners = bent_view("walnut", "short").corners_px
    placing = Placing(LAYOUT, Side.LIGHT, corners, by_hand=True)
    eye = Eye(Side.LIGHT, LAYOUT, corners_px=corners)
    begun = ProfileDesk(made(bent=True)).begin(eye, placing, SIZE)
    assert begun.placing.by_hand
    assert begun.placing.corners_px == begun.eye.corners_px
    assert begun.eye.corners_px == straight_corners(corners, BARREL)
    again = ProfileDesk(made(bent=True)).begin(begun.eye, begun.placing, SIZE)
    assert again.placing == begun.placing


def test_corners_of_a_lens_that_is_gone_are_looked_for_anew_and_it_is_said() -> None:
    corners = view("walnut", "short").corners_px
    placing = Placing(LAYOUT, Side.LIGHT, corners, by_hand=True, straight=True)
    begun = ProfileDesk().begin(Eye(Side.LIGHT, LAYOUT, corners_px=corners), placing, SIZE)
    assert begun.trouble is not None
    assert (begun.eye.corners_px, begun.placing.corners_px) == (None, None)
    assert not begun.placing.by_hand
    assert not begun.placing.straight


def test_a_profile_of_another_view_is_told_and_left() -> None:
    desk = ProfileDesk(made())
    begun = desk.begin(Eye(Side.LIGHT, LAYOUT), Placing(), (700, 300))
    assert begun.trouble is not None
    assert "960×720" in begun.trouble[1]
    assert begun.eye.look is None


def test_play_refreshes_the_profile_slowly_and_keeps_it_now_and_then(tmp_path: Path) -> None:
    kept: list[CalibrationProfile] = []
    profile, shown = made(), view("walnut", "short")
    desk = ProfileDesk(profile, kept.append)
    eye = desk.begin(Eye(Side.LIGHT, LAYOUT), Placing(), SIZE).eye
    paler = as_u8(np.clip(shown.bgr * 1.15, 0, 255).astype(np.uint8))
    eye = seen(desk, paler, 10.0, eye)
    assert len(kept) == 1
    assert profile.light is not None
    assert kept[0].light is not None
    drift = kept[0].light.luma / profile.light.luma
    assert 1.0 < drift < 1.03
    eye = seen(desk, paler, 20.0, eye)
    assert len(kept) == 1  # not with every move: the card lives longer
    desk.close()
    desk.close()
    assert len(kept) == 2
    eye = seen(desk, as_u8(shown.bgr // 3), 400.0, eye)
    assert len(kept) == 3
    assert kept[2].light is not None
    assert kept[2].light.luma < 0.4 * profile.light.luma  # a lamp was switched: taught anew
    keeper_in(tmp_path)(kept[2])
    assert profile_for(profile, tmp_path).light == read_profile(tmp_path / KEPT).light


def test_what_play_kept_belongs_to_the_profile_it_came_from(tmp_path: Path) -> None:
    measured = made()
    assert profile_for(measured, tmp_path) is measured
    keeper_in(tmp_path)(replace(measured, made_utc="earlier"))
    assert profile_for(measured, tmp_path) is measured
    (tmp_path / KEPT).write_text("{", encoding="utf-8")
    assert profile_for(measured, tmp_path) is measured
    keeper_in(tmp_path / "missing")(measured)


def test_without_a_profile_nothing_is_kept() -> None:
    kept: list[CalibrationProfile] = []
    desk = ProfileDesk(None, kept.append)
    shown = view("walnut", "short")
    eye = Eye(Side.LIGHT, LAYOUT, corners_px=shown.corners_px)
    begun = desk.begin(eye, Placing(LAYOUT, Side.LIGHT, shown.corners_px), SIZE)
    assert begun.placing.corners_px == shown.corners_px
    seen(desk, shown.bgr, 1.0, begun.eye)
    desk.close()
    assert kept == []
