import numpy as np
import pytest

from vision.board_finder_comb import image_from_unit, map_points
from vision.board_net import (
    CELLS,
    INPUT_PX,
    BoardNetSettings,
    default_net,
    read_map,
    seen_field,
    squared,
)
from vision.cv import FloatImage

CENTERS = np.arange(CELLS) * 4 + 1.5
UNIT = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def map_of(
    quad: np.ndarray, *, flipped: bool = False, without: tuple[int, ...] = ()
) -> FloatImage:
    """The map a perfect network would draw of a field."""
    raw = np.full((5, CELLS, CELLS), -8.0, dtype=np.float32)
    grid = np.stack(np.meshgrid(CENTERS, CENTERS), axis=-1).reshape(-1, 2)
    back = np.asarray(np.linalg.inv(image_from_unit(quad[None])), dtype=np.float64)
    place = map_points(back, grid)[0]
    inside = ((place > 0) & (place < 1)).all(axis=1).reshape(CELLS, CELLS)
    raw[0] = np.where(inside, 6.0, -6.0)
    raw[1:3] = (1 - place if flipped else place).T.reshape(2, CELLS, CELLS)
    for k, corner in enumerate(quad):
        if k not in without:
            away = ((grid - corner) ** 2).sum(axis=1).reshape(CELLS, CELLS) / 25.0
            raw[3 + k % 2] = np.maximum(raw[3 + k % 2], 3.0 - away)
    return raw


LEVEL = np.array([[60.0, 70.0], [190.0, 66.0], [196.0, 180.0], [55.0, 184.0]])


@pytest.mark.parametrize("flipped", [False, True])
def test_a_perfect_map_gives_its_corners(flipped: bool) -> None:
    best = read_map(map_of(LEVEL, flipped=flipped), BoardNetSettings())[0]
    assert np.abs(best.corners - LEVEL).max() < 1.0
    assert best.cover > 0.9
    assert best.agreement > 0.95
    assert best.weakest > 0.8


def test_a_corner_that_is_hidden_is_taken_from_the_places() -> None:
    best = read_map(map_of(LEVEL, without=(2,)), BoardNetSettings())[0]
    assert np.abs(best.corners - LEVEL).max() < 6.0
    assert best.weakest < 0.1


def test_rows_that_run_up_and_down_begin_below() -> None:
    # Turned by a quarter against the clock: what was top-left is bottom-left now.
    quad = np.array([[70.0, 196.0], [66.0, 66.0], [180.0, 60.0], [184.0, 201.0]])
    best = read_map(map_of(quad), BoardNetSettings())[0]
    assert np.abs(best.corners - quad).max() < 1.5
    again = read_map(map_of(np.roll(quad, 2, axis=0)), BoardNetSettings())[0]
    assert np.abs(again.corners - quad).max() < 1.5


def test_a_board_that_runs_out_of_the_picture_is_followed_beyond_it() -> None:
    quad = LEVEL + np.array([95.0, 0.0])
    best = read_map(map_of(quad), BoardNetSettings())[0]
    assert np.abs(best.corners - quad).max() < 4.0


def test_an_empty_map_shows_no_board() -> None:
    assert read_map(np.full((5, CELLS, CELLS), -8.0, np.float32), BoardNetSettings()) == []


def test_noise_in_the_map_gives_no_sure_guess() -> None:
    rng = np.random.default_rng(4)
    for _ in range(10):
        raw = rng.normal(0, 2, (5, CELLS, CELLS)).astype(np.float32)
        assert all(one.merit < 0.7 for one in read_map(raw, BoardNetSettings()))


def test_any_shape_of_picture_fits_the_square() -> None:
    for width, height in ((1280, 960), (300, 900), (256, 256), (90, 60)):
        bgr = np.full((height, width, 3), 200, dtype=np.uint8)
        square, scale, offset = squared(bgr)
        assert square.shape == (INPUT_PX, INPUT_PX, 3)
        assert scale == pytest.approx(INPUT_PX / max(width, height), rel=0.02)
        assert offset.min() >= 0


def test_the_package_s_network_answers_with_five_maps() -> None:
    raw = default_net().look([np.full((INPUT_PX, INPUT_PX, 3), 120, dtype=np.uint8)])[0]
    assert raw.shape == (5, CELLS, CELLS)
    assert np.isfinite(raw).all()
    assert (raw[0] < 0).mean() > 0.9


def test_the_field_is_told_for_the_picture_alone_without_the_rim_of_the_square() -> None:
    raw = np.full((5, CELLS, CELLS), -4.0, np.float32)
    raw[0, 8:40, 10:50] = 4.0
    raw[0, 60:62, 0:2] = 4.0  # a stain, not the field
    field = seen_field(raw, np.array([0.0, 32.0]), BoardNetSettings())
    assert field.shape == (CELLS - 16, CELLS)
    assert field[:32, 10:50].all()
    assert field.sum() == 32 * 40
