"""Whatever the light does, no side is taken for the other: right, or unsure."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pytest

from calibration.geometry import BoardGeometry
from tests.support.views import View, view
from vision.board_view import estimate_geometry, rectify, rectify_measured
from vision.checkers import learn_look, read_checkers
from vision.checkers_look import BoardLook
from vision.checkers_shade import shading
from vision.cv import as_u8
from vision.observation import BarReading, CheckersReading, PointReading, Side

Field = npt.NDArray[np.float64]
LOOKS = ("walnut", "baize", "tournament", "village")
LAMPS = {
    "halved": (0.5, 0.5, 0.5),
    "dim": (0.3, 0.3, 0.3),
    "bright": (1.6, 1.6, 1.6),
    "warm": (0.5, 0.75, 1.0),
    "cold": (0.9, 0.7, 0.5),
}
SHADOWS: dict[str, Callable[[Field, Field], Field]] = {
    "from the right": lambda x, y: 0.5 + 0.5 * x + 0 * y,
    "from behind": lambda x, y: 1 - 0.6 * y + 0 * x,
    "across a corner": lambda x, y: np.where(x + y < 0.9, 0.45, 1.0),
    "over one half": lambda x, y: np.where(x < 0.5, 0.4, 1.0) + 0 * y,
    "a spot": lambda x, y: 0.35 + 0.9 * np.exp(-((x - 0.6) ** 2 + (y - 0.5) ** 2) / 0.08),
}


def lit(shown: View, gain: Field | Sequence[float]) -> View:
    noise = np.random.default_rng(3).normal(0, 2, shown.bgr.shape)
    bgr = np.clip(shown.bgr * np.asarray(gain) + noise, 0, 255)
    return View(as_u8(bgr.astype(np.uint8)), shown.corners_px, shown.labels)


def shadow(shown: View, name: str) -> View:
    height, width = shown.bgr.shape[:2]
    x, y = np.linspace(0, 1, width)[None], np.linspace(0, 1, height)[:, None]
    return lit(shown, np.broadcast_to(SHADOWS[name](x, y), (height, width))[:, :, None])


@lru_cache(maxsize=8)
def geometry_of(name: str) -> BoardGeometry:
    start = view(name, "short")
    return estimate_geometry(rectify(start.bgr, start.corners_px))


@lru_cache(maxsize=8)
def learned(name: str) -> BoardLook:
    start = view(name, "short")
    points = [_point(label) for label in start.labels]
    known = CheckersReading(tuple(points[:12]), tuple(points[12:]), BarReading(0, 0))
    geometry = geometry_of(name)
    return learn_look(rectify_measured(start.bgr, start.corners_px, geometry), geometry, known)


def _point(label: str) -> PointReading:
    side = Side(label[0]) if label else None
    return PointReading(side, int(label[1:] or 0) if label else 0, 1.0)


def read(name: str, shown: View, look: BoardLook | None) -> list[str]:
    geometry = geometry_of(name)
    seen = read_checkers(
        rectify_measured(shown.bgr, shown.corners_px, geometry), geometry, look=look
    )
    return [point.label for point in (*seen.top, *seen.bottom)]


def wrong(labels: Sequence[str], truth: Sequence[str]) -> list[tuple[str, str]]:
    pairs = zip(labels, truth, strict=True)
    return [(a, b) for a, b in pairs if a not in (b, "U")]


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("name", LOOKS)
def test_a_look_learned_in_other_light_misleads_nobody(name: str, lamp: str) -> None:
    shown = lit(view(name, "middle"), LAMPS[lamp])
    labels = read(name, shown, learned(name))
    assert wrong(labels, shown.labels) == []
    assert labels.count("U") <= 2


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("cast", SHADOWS)
@pytest.mark.parametrize("name", LOOKS)
def test_a_shadow_over_the_board_changes_no_side(name: str, cast: str, known: bool) -> None:
    shown = shadow(view(name, "middle"), cast)
    labels = read(name, shown, learned(name) if known else None)
    assert wrong(labels, shown.labels) == []
    assert labels.count("U") <= 6


def test_even_light_has_no_shade_and_a_shadow_is_measured() -> None:
    lab = np.full((28, 28, 3), (70.0, 0.0, 0.0), dtype=np.float32)
    labs, discs = [lab.copy() for _ in range(4)], np.zeros((4, 28, 28), dtype=np.float32)
    assert shading(labs, discs) == pytest.approx(0.0, abs=1e-6)
    labs[0] = np.full((28, 28, 3), (35.0, 0.0, 0.0), dtype=np.float32)
    shade = shading(labs, discs)
    assert shade[:6] == pytest.approx(-0.72, abs=0.05)  # sRGB of L* 35 over that of L* 70
    assert shade[6:] == pytest.approx(0.0, abs=0.05)


def test_stripes_of_the_board_are_no_shade() -> None:
    lab = np.full((28, 28, 3), (70.0, 0.0, 0.0), dtype=np.float32)
    for column in (0, 2, 4):
        lab[:, 4 * column + 2 : 4 * column + 6] = (30.0, 0.0, 0.0)
    other = np.ascontiguousarray(lab[:, ::-1])
    discs = np.zeros((4, 28, 28), dtype=np.float32)
    assert shading([lab, other, lab, other], discs) == pytest.approx(0.0, abs=0.05)
