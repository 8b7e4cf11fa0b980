"""The same board, shown otherwise: what is read must stay the same, or become unsure."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.views import View, view
from vision.board_finder import find_board
from vision.board_view import estimate_geometry, rectify, rectify_measured
from vision.checkers import read_checkers
from vision.cv import BgrImage
from vision.observation import CheckersReading, Corners

LOOKS = ("walnut", "baize", "tournament")
MOST_LOST = 5
"""Points that a change may make unsure."""


def read(bgr: BgrImage, corners: Corners) -> CheckersReading:
    flat = rectify(bgr, corners)
    geometry = estimate_geometry(flat)
    return read_checkers(rectify_measured(bgr, corners, geometry), geometry)


def labels(reading: CheckersReading) -> list[str]:
    return [point.label for point in (*reading.top, *reading.bottom)]


def assert_same_or_unsure(seen: Sequence[str], before: Sequence[str]) -> None:
    changed = [(s, b) for s, b in zip(seen, before, strict=True) if s != b]
    assert not [pair for pair in changed if "U" not in pair], changed
    assert sum(s == "U" for s, _ in changed) <= MOST_LOST


def turned(shown: View) -> View:
    """The picture upside down, with the corners clockwise from its new top-left."""
    height, width = shown.bgr.shape[:2]
    a, b, c, d = ((width - 1 - x, height - 1 - y) for x, y in shown.corners_px)
    bgr = np.ascontiguousarray(shown.bgr[::-1, ::-1])
    return View(bgr, (c, d, a, b), shown.labels[::-1])


def mirrored(shown: View) -> View:
    width = shown.bgr.shape[1]
    a, b, c, d = ((width - 1 - x, y) for x, y in shown.corners_px)
    labels = (*shown.labels[11::-1], *shown.labels[:11:-1])
    return View(np.ascontiguousarray(shown.bgr[:, ::-1]), (b, a, d, c), labels)


def as_jpeg(bgr: BgrImage, quality: int) -> BgrImage:
    data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), dtype=np.uint8)


def gained(bgr: BgrImage, gain: Sequence[float]) -> BgrImage:
    lit = bgr.astype(np.float32) * np.asarray(gain, dtype=np.float32)
    return np.clip(lit, 0, 255).astype(np.uint8)


CHANGES: dict[str, Callable[[View], View]] = {
    "turned by 180°": turned,
    "mirrored": mirrored,
    "half as bright": lambda v: replace(v, bgr=gained(v.bgr, (0.5,) * 3)),
    "three quarters as bright": lambda v: replace(v, bgr=gained(v.bgr, (0.75,) * 3)),
    "half as bright again": lambda v: replace(v, bgr=gained(v.bgr, (1.5,) * 3)),
    "twice as bright": lambda v: replace(v, bgr=gained(v.bgr, (2.0,) * 3)),
    "warm light": lambda v: replace(v, bgr=gained(v.bgr, (0.75, 1.0, 1.15))),
    "cold light": lambda v: replace(v, bgr=gained(v.bgr, (1.2, 1.0, 0.8))),
    "JPEG 40": lambda v: replace(v, bgr=as_jpeg(v.bgr, 40)),
}


@pytest.mark.parametrize("look", LOOKS)
def test_the_base_pictures_are_read_without_a_fault(look: str) -> None:
    shown = view(look)
    seen = labels(read(shown.bgr, shown.corners_px))
    assert not [(s, t) for s, t in zip(seen, shown.labels, strict=True) if s not in (t, "U")]
    assert sum(s == "U" for s in seen) <= 2


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("look", LOOKS)
def test_a_change_of_the_picture_changes_no_reading(look: str, change: str) -> None:
    shown = view(look)
    other = CHANGES[change](shown)
    # Without a change of places the reading before is the measure, with one the truth is.
    before = labels(read(shown.bgr, shown.corners_px))
    if other.labels != shown.labels:
        before = [*other.labels]
    assert_same_or_unsure(labels(read(other.bgr, other.corners_px)), before)


@pytest.mark.parametrize("shift", [(3.0, 0.0), (-3.0, 0.0), (0.0, 3.0), (0.0, -3.0)])
@pytest.mark.parametrize("look", LOOKS)
def test_corners_three_pixels_off_change_no_reading(
    look: str, shift: tuple[float, float]
) -> None:
    shown = view(look)
    before = labels(read(shown.bgr, shown.corners_px))
    a, b, c, d = ((x + shift[0], y + shift[1]) for x, y in shown.corners_px)
    assert_same_or_unsure(labels(read(shown.bgr, (a, b, c, d))), before)


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_the_picture_moves_no_board(change: str) -> None:
    other = CHANGES[change](view("walnut"))
    found = find_board(other.bgr)
    assert found.corners_px is not None
    diagonal = np.linalg.norm(np.subtract(other.corners_px[0], other.corners_px[2]))
    apart = np.linalg.norm(np.subtract(found.corners_px, other.corners_px), axis=1)
    assert apart.max() <= 0.03 * diagonal
