import numpy as np

from calibration.geometry import BoardGeometry
from vision.checkers_bar import BarSettings, read_bar
from vision.checkers_colors import ColorSettings, SideColors
from vision.observation import BarReading

GEOMETRY = BoardGeometry()
SIDES = SideColors(light=(90.0, 0.0, 2.0), dark=(10.0, 0.0, 2.0))


def scene(discs: list[tuple[int, int, int]]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return cells and crops of a bar; a disc is (crop, first cell row, grey value)."""
    cells = np.zeros((2, 28, 28, 3), np.float32)
    cells[..., 0] = 1
    crops = [np.full((112, 112, 3), 90, np.uint8) for _ in range(2)]
    for which, row, value in discs:
        cells[which, row : row + 4, 12:16] = (0, 1, 0)
        crops[which][row * 4 : row * 4 + 16, 48:64] = value
    return cells, crops


def bar(cells: np.ndarray, crops: list[np.ndarray], sides: SideColors | None) -> BarReading:
    return read_bar(cells, crops, GEOMETRY, sides, BarSettings(), ColorSettings())


def test_an_empty_bar_holds_nothing() -> None:
    assert bar(*scene([]), SIDES) == BarReading(0, 0)


def test_checkers_on_the_bar_are_counted_by_side() -> None:
    assert bar(*scene([(0, 10, 228), (1, 6, 25), (1, 16, 25)]), SIDES) == BarReading(1, 2)


def test_a_hand_over_the_bar_leaves_it_unknown() -> None:
    cells, crops = scene([])
    cells[0, :, :] = (0, 0, 1)
    assert bar(cells, crops, SIDES) == BarReading(None, None)


def test_a_colour_of_neither_side_leaves_the_bar_unknown() -> None:
    assert bar(*scene([(0, 10, 118)]), SIDES) == BarReading(None, None)


def test_without_known_colours_a_checker_on_the_bar_is_nobodys() -> None:
    assert bar(*scene([(0, 10, 228)]), None) == BarReading(None, None)


def test_a_board_without_a_bar_has_nothing_on_it() -> None:
    empty = np.zeros((0, 28, 28, 3), np.float32)
    assert bar(empty, [], SIDES) == BarReading(0, 0)
