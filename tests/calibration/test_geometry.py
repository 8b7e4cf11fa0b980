import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.geometry import BoardGeometry

NOMINAL = BoardGeometry()
NO_BAR = BoardGeometry(bar_left_mm=240.0, bar_right_mm=240.0)


@pytest.mark.parametrize("geometry", [NOMINAL, NO_BAR])
def test_the_halves_hold_six_points_each_of_one_width(geometry: BoardGeometry) -> None:
    edges = [geometry.point_x_mm(k) - geometry.pitch_mm(k) / 2 for k in range(12)]
    assert edges[0] == pytest.approx(0.0)
    assert edges[6] == pytest.approx(geometry.bar_right_mm)
    for column in (5, 11):
        right = geometry.point_x_mm(column) + geometry.pitch_mm(column) / 2
        end = geometry.bar_left_mm if column == 5 else geometry.width_mm
        assert right == pytest.approx(end)


@given(st.integers(0, 11))
def test_columns_mirror_about_the_middle_of_a_board(column: int) -> None:
    mirrored = NOMINAL.width_mm - NOMINAL.point_x_mm(11 - column)
    assert NOMINAL.point_x_mm(column) == pytest.approx(mirrored)


def test_a_bar_off_the_middle_gives_the_halves_different_pitches() -> None:
    geometry = BoardGeometry(bar_left_mm=210.0, bar_right_mm=250.0)
    assert geometry.pitch_mm(0) == pytest.approx(35.0)
    assert geometry.pitch_mm(11) == pytest.approx(230 / 6)


@pytest.mark.parametrize("column", [-1, 12])
def test_a_row_has_no_other_columns(column: int) -> None:
    with pytest.raises(ValueError, match="columns 0 to 11"):
        NOMINAL.point_x_mm(column)


@pytest.mark.parametrize(
    ("spot", "half"),
    [
        ((0.0, 0.0), "left"),
        ((219.9, 420.0), "left"),
        ((220.0, 200.0), "bar"),
        ((260.0, 200.0), "bar"),
        ((260.1, 200.0), "right"),
        ((480.0, 420.0), "right"),
        ((-0.1, 200.0), "off"),
        ((480.1, 200.0), "off"),
        ((100.0, -0.1), "off"),
        ((100.0, 420.1), "off"),
    ],
)
def test_a_spot_lies_in_a_half_on_the_bar_or_off(spot: tuple[float, float], half: str) -> None:
    assert NOMINAL.half_of(*spot) == half


def test_without_a_bar_only_the_seam_belongs_to_it() -> None:
    assert [NO_BAR.half_of(x, 10.0) for x in (239.9, 240.0, 240.1)] == ["left", "bar", "right"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"bar_left_mm": 0.0},
        {"bar_left_mm": 270.0},
        {"bar_right_mm": 480.0},
        {"height_mm": 0.0},
        {"width_mm": float("nan")},
    ],
)
def test_a_bar_outside_the_field_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="bar must lie inside"):
        BoardGeometry(**wrong)
