import numpy as np

from tests.vision.checkers_drawing import CORNERS, LIGHT, draw_board
from vision.board_view import estimate_geometry, rectify
from vision.checkers_crops import HALVES, CropName, crop, normalized

EMPTY = [""] * 12


def test_a_crop_shows_its_points_with_the_rim_on_top() -> None:
    bottom = list(EMPTY)
    bottom[7] = "L1"
    view = rectify(draw_board(EMPTY, bottom), CORNERS)
    geometry = estimate_geometry(view)
    picture = crop(view, geometry, CropName("bottom", "right"))
    # Column 7 is the right half's second point: centre at 8 + 1.5 × 16 pixels.
    assert np.abs(picture[13:17, 30:34].astype(int) - LIGHT).mean() < 12
    other = crop(view, geometry, CropName("top", "right"))
    assert np.abs(other[13:17, 30:34].astype(int) - LIGHT).mean() > 30


def test_a_board_at_the_pictures_edge_is_cropped_all_the_same() -> None:
    board = draw_board(EMPTY, EMPTY)[60:690, 60:780]
    corners = [(0.0, 0.0), (719.0, 0.0), (719.0, 629.0), (0.0, 629.0)]
    view = rectify(board, corners, margin_mm=0.0)
    geometry = estimate_geometry(view)
    for name in HALVES:
        assert crop(view, geometry, name).shape == (112, 112, 3)


def test_dimming_a_picture_changes_little_for_the_network() -> None:
    rng = np.random.default_rng(0)
    crops = [rng.integers(0, 250, (112, 112, 3)).astype(np.uint8) for _ in range(4)]
    dim = [(c // 2).astype(np.uint8) for c in crops]
    bright, dark = normalized(crops), normalized(dim)
    assert bright.shape == (4, 3, 112, 112)
    assert abs(float(bright.mean())) < 0.05
    assert float(np.abs(bright - dark).mean()) < 0.06
