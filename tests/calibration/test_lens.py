import math

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.lens import Lens, LensError, SheetSighting, find_sheet, measure_lens
from calibration.sheet import CELLS_PER_SQUARE, DEFAULT_SHEET

SIZE = (960, 720)
FOCAL = 900.0


def photo(
    tilt_deg: float, way_deg: float, away_mm: float, at: tuple[float, float]
) -> npt.NDArray[np.uint8]:
    """The sheet seen by a camera without distortion."""
    cells = DEFAULT_SHEET.black_cells()
    drawn = np.where(cells, 20, 235).astype(np.uint8).repeat(4, 0).repeat(4, 1)
    px_mm = CELLS_PER_SQUARE * 4 / DEFAULT_SHEET.square_mm
    wide, tall = DEFAULT_SHEET.size_mm
    axis = np.array([math.cos(math.radians(way_deg)), math.sin(math.radians(way_deg)), 0.0])
    turn = cv2.Rodrigues(axis * math.radians(tilt_deg))[0]
    middle = np.array([wide / 2, tall / 2, 0.0])
    shift = np.array([at[0], at[1], away_mm]) - turn @ middle
    inner = np.array([[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1.0]])
    plane = inner @ np.column_stack([turn[:, :2], shift])
    matrix = plane @ np.diag([1 / px_mm, 1 / px_mm, 1.0])
    seen = cv2.warpPerspective(drawn, matrix, SIZE, borderValue=180, flags=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.8), dtype=np.uint8)


def sightings() -> list[SheetSighting]:
    views = [
        (25.0, 40.0 * k, 330.0 + 20 * (k % 3), (6.0 * k - 24, 8.0 - 2 * k)) for k in range(9)
    ]
    found = [find_sheet(photo(*view), DEFAULT_SHEET) for view in views]
    return [one for one in found if one is not None]


def test_a_lens_is_measured_from_the_sheet() -> None:
    seen = sightings()
    assert len(seen) == 9
    lens = measure_lens(seen, DEFAULT_SHEET, SIZE)
    assert lens.rms_px < 0.5
    assert lens.focal_px[0] == pytest.approx(FOCAL, rel=0.03)
    assert lens.axis_px == pytest.approx((SIZE[0] / 2, SIZE[1] / 2), abs=15)
    assert lens.pictures == 9


def test_too_few_pictures_are_refused() -> None:
    one = sightings()[0]
    with pytest.raises(LensError) as caught:
        measure_lens([one] * 7, DEFAULT_SHEET, SIZE)
    assert caught.value.code == "too_few_pictures"


def test_pictures_from_one_side_are_refused() -> None:
    one = sightings()[0]
    with pytest.raises(LensError) as caught:
        measure_lens([one] * 8, DEFAULT_SHEET, SIZE)
    assert caught.value.code == "too_alike"


def test_a_picture_without_the_sheet_shows_none() -> None:
    rng = np.random.default_rng(3)
    noise = rng.integers(0, 256, (480, 640), dtype=np.uint8)
    assert find_sheet(noise, DEFAULT_SHEET) is None


def test_straightening_undoes_what_the_lens_bends() -> None:
    lens = Lens(SIZE, (FOCAL, FOCAL), (480.0, 360.0), (-0.2, 0.05, 0.0, 0.0, 0.0), 0.2, 8)
    straight = np.array([[200.0, 150.0], [480.0, 360.0], [800.0, 600.0]])
    rays = np.column_stack([(straight - (480.0, 360.0)) / FOCAL, np.ones(3)])
    zero = np.zeros(3)
    bent, _ = cv2.projectPoints(rays, zero, zero, lens.matrix, np.array(lens.distortion))
    assert lens.straightened(bent.reshape(-1, 2)) == pytest.approx(straight, abs=0.05)


def test_a_lens_survives_its_file() -> None:
    lens = Lens(SIZE, (900.1, 901.2), (480.5, 360.25), (-0.2, 0.05, 0.001, 0.0, 0.0), 0.21, 8)
    assert Lens.from_json(lens.to_json()) == lens


def test_the_sheet_has_a_white_cell_around_each_marker() -> None:
    cells = DEFAULT_SHEET.black_cells()
    assert cells.shape == (6 * CELLS_PER_SQUARE, 10 * CELLS_PER_SQUARE)
    squares = cells.reshape(6, CELLS_PER_SQUARE, 10, CELLS_PER_SQUARE).mean(axis=(1, 3))
    assert ((squares == 1.0).sum(), (squares < 0.6).sum()) == (30, 30)
