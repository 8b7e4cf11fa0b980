import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.geometry import BoardGeometry
from calibration.lens import Lens
from calibration.profile import (
    CELL_SHAPE,
    CalibrationProfile,
    LearnedLook,
    LightLevel,
    ProfileError,
    from_json,
    read_profile,
    to_json,
    write_profile,
)


def profile() -> CalibrationProfile:
    rng = np.random.default_rng(1)
    cells = rng.uniform((0, -60, -60), (100, 60, 60), CELL_SHAPE).astype(np.float32)
    return CalibrationProfile(
        image_size_px=(1280, 960),
        corners_px=((100.25, 50.0), (1100.0, 55.5), (1105.0, 900.0), (98.0, 905.0)),
        geometry=BoardGeometry(480.0, 431.5, 221.0, 259.0, 33.5),
        look=LearnedLook((80.0, 2.0, 20.0), (20.0, 5.0, 3.0), cells, (15, *(0,) * 22, None)),
        light=LightLevel(122.5, (0.8, 1.1)),
        lens=Lens((1280, 960), (1100.0, 1101.0), (640.0, 480.0), (0.1, -0.2, 0, 0, 0), 0.3, 9),
        made_utc="2026-11-30T08:00:00Z",
        name="Стол 7",
        notes=("first",),
    )


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "table.profile.json"
    write_profile(path, profile())
    read = read_profile(path)
    wanted = profile()
    assert (read.corners_px, read.geometry) == (wanted.corners_px, wanted.geometry)
    assert (read.light, read.lens, read.name) == (wanted.light, wanted.lens, wanted.name)
    assert read.notes == ("first",)
    assert read.look is not None
    assert wanted.look is not None
    assert read.look.counts == wanted.look.counts
    off = np.abs(read.look.cells - wanted.look.cells)
    assert off[..., 0].max() <= 0.21
    assert off[..., 1:].max() <= 0.51
    assert [one.name for one in tmp_path.iterdir()] == ["table.profile.json"]


def test_a_profile_without_a_look_is_small_and_whole(tmp_path: Path) -> None:
    bare = CalibrationProfile((640, 480), ((10, 10), (600, 10), (600, 400), (10, 400)))
    write_profile(tmp_path / "p.json", bare)
    read = read_profile(tmp_path / "p.json")
    assert (read.look, read.geometry, read.lens, read.light) == (None, None, None, None)


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "p.json"
    write_profile(path, profile())
    before = path.read_bytes()

    def broken(_: Path, __: object) -> Path:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(OSError, match="no space"):
        write_profile(path, replace(profile(), name="new"))
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["p.json"]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("profile", "other", "calibration profile"),
        ("version", 2, "known are those up to 1"),
        ("version", True, "whole number"),
        ("colour", 1, "no key 'colour'"),
        ("image_size_px", [1280], "2 numbers"),
        ("image_size_px", [1280.5, 960], "whole pixels"),
        ("corners_px", [[0, 0], [1, 0], [1, 1]], "four pairs"),
        ("corners_px", [[0, 0], [0, 9], [9, 9], [9, 0]], "clockwise"),
        ("corners_px", [[0, 0], [9, "a"], [9, 9], [0, 9]], "no number"),
        ("geometry", {"width_mm": 480}, "geometry has the keys"),
        ("look", {"light": [1, 2, 3], "dark": [1, 2, 3], "counts": [0] * 24, "cells": "xx"},
         "cut short"),
        ("look", {"light": [1, 2, 3], "dark": [1, 2, 3], "counts": [16] * 24, "cells": ""},
         "from 0 to 15"),
        ("light", {"luma": None, "cast": [1, 1]}, "no number"),
        ("lens", {"focal_px": 3}, "lens has the keys"),
        ("name", 7, "is a text"),
        ("notes", "a", "list of texts"),
    ],
)  # fmt: skip
def test_an_impossible_key_is_named(key: str, value: object, words: str) -> None:
    changed = {**to_json(profile()), key: value}
    with pytest.raises(ProfileError, match=words):
        from_json(json.loads(json.dumps(changed)))


@given(
    st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5)
)
def test_no_value_of_a_key_breaks_the_reader(value: object) -> None:
    base = to_json(CalibrationProfile((64, 48), ((1, 1), (60, 1), (60, 40), (1, 40))))
    for key in base:
        with suppress(ProfileError):
            from_json({**base, key: value})


def test_a_cut_file_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    write_profile(path, profile())
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(ProfileError, match=r"p\.json is not JSON"):
        read_profile(path)
    with pytest.raises(ProfileError, match="cannot read"):
        read_profile(tmp_path / "none.json")


def test_a_smaller_picture_of_the_same_view_has_its_corners_where_they_belong() -> None:
    half = profile().for_size((640, 480))
    assert half.corners_px[0] == pytest.approx((49.875, 24.75))
    assert half.lens is not None
    assert half.lens.focal_px[0] == pytest.approx(550.0)


def test_a_picture_of_another_shape_is_another_view() -> None:
    with pytest.raises(ProfileError, match="1280×960"):
        profile().for_size((1280, 720))
