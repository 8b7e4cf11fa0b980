from itertools import pairwise

import pytest

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout, Corner, Direction, LayoutError

CORNERS = list(Corner)


@pytest.mark.parametrize("corner", CORNERS)
def test_every_slot_holds_one_point(corner: Corner) -> None:
    layout = BoardLayout(corner)
    slots = [layout.slot(point) for point in range(1, 25)]
    assert len(set(slots)) == 24
    assert [layout.point(row, column) for row, column in slots] == list(range(1, 25))


@pytest.mark.parametrize("corner", CORNERS)
def test_white_starts_in_the_corner_named(corner: Corner) -> None:
    row, column = BoardLayout(corner).slot(24)
    side = "left" if column == 0 else "right"
    assert column in (0, 11)
    assert f"{row}_{side}" == corner.value


@pytest.mark.parametrize("corner", CORNERS)
def test_neighbouring_points_lie_beside_each_other(corner: Corner) -> None:
    layout = BoardLayout(corner)
    for (row, column), (next_row, next_column) in pairwise(
        layout.slot(point) for point in range(24, 0, -1)
    ):
        if row == next_row:
            assert abs(column - next_column) == 1
        else:
            assert column == next_column


@pytest.mark.parametrize("corner", CORNERS)
def test_the_direction_is_the_way_round_the_middle(corner: Corner) -> None:
    layout, geometry = BoardLayout(corner), BoardGeometry()

    def spot(point: int) -> tuple[float, float]:
        row, column = layout.slot(point)
        return geometry.point_x_mm(column) - 240, -210 if row == "top" else 210

    turned = 0.0
    for point in range(24, 1, -1):
        (x, y), (u, v) = spot(point), spot(point - 1)
        turned += x * v - y * u
    # In a picture y points down, so clockwise turns are positive.
    assert (turned > 0) == (layout.direction is Direction.CLOCKWISE)


def test_the_words_of_a_set_up_are_read() -> None:
    assert BoardLayout.of("top_right", "ccw") == BoardLayout(Corner.TOP_RIGHT)
    assert BoardLayout.of("bottom_right") == BoardLayout(Corner.BOTTOM_RIGHT)


@pytest.mark.parametrize(
    ("corner", "direction"),
    [("top_right", "cw"), ("middle", None), ("top_left", "up"), ("", None)],
)
def test_words_that_contradict_or_are_unknown_are_refused(
    corner: str, direction: str | None
) -> None:
    with pytest.raises(LayoutError):
        BoardLayout.of(corner, direction)


@pytest.mark.parametrize("point", [0, 25, -1])
def test_there_are_no_other_points(point: int) -> None:
    with pytest.raises(ValueError, match="points are 1 to 24"):
        BoardLayout(Corner.TOP_LEFT).slot(point)


def test_there_are_no_other_slots() -> None:
    with pytest.raises(ValueError, match="no point at top 12"):
        BoardLayout(Corner.TOP_LEFT).point("top", 12)
