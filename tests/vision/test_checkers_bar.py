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


def bar(
    cells: np.ndarray,
    crops: list[np.ndarray],
    sides: SideColors | None,
    *,
    geometry: BoardGeometry = GEOMETRY,
    empty: BarReading | None = None,
) -> BarReading:
    return read_bar(cells, crops, geometry, sides, BarSettings(), ColorSettings(), empty=empty)


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


def test_hinges_come_in_pairs_and_are_no_checkers() -> None:
    assert bar(*scene([(0, 8, 118), (1, 8, 118), (1, 18, 25)]), SIDES) == BarReading(0, 1)


def test_hinges_in_a_checkers_colour_are_told_from_checkers_once_they_are_known() -> None:
    shown = scene([(0, 8, 228), (1, 8, 228)])
    assert bar(*shown, SIDES) == BarReading(None, None)
    assert bar(*shown, SIDES, empty=BarReading(0, 0)) == BarReading(2, 0)


def test_what_left_the_empty_bar_unknown_does_not_hide_checkers() -> None:
    catch = [(0, 4, 118)]
    nothing = BarReading(None, None)
    assert bar(*scene(catch), SIDES, empty=nothing) == BarReading(0, 0)
    assert bar(*scene([*catch, (1, 18, 25)]), SIDES, empty=nothing) == BarReading(0, 1)


def test_a_run_between_one_checker_and_two_leaves_the_bar_unknown() -> None:
    cells, crops = scene([(0, 16, 228)])
    cells[0, 16:22, 12:16] = (0, 1, 0)
    crops[0][64:88, 48:64] = 228
    assert bar(cells, crops, SIDES) == BarReading(None, None)


def test_without_a_bar_hit_checkers_lie_in_the_middle() -> None:
    free = BoardGeometry(bar_left_mm=240.0, bar_right_mm=240.0)
    assert bar(*scene([(0, 20, 228)]), SIDES, geometry=free) == BarReading(1, 0)
    assert bar(*scene([]), SIDES, geometry=free) == BarReading(0, 0)


def test_without_a_bar_checkers_near_the_rims_stand_on_points() -> None:
    free = BoardGeometry(bar_left_mm=240.0, bar_right_mm=240.0)
    assert bar(*scene([(0, 3, 228), (1, 5, 25)]), SIDES, geometry=free) == BarReading(0, 0)
    long = [(0, row, 228) for row in (3, 7, 11, 15, 19)]
    assert bar(*scene(long), SIDES, geometry=free) == BarReading(None, None)
