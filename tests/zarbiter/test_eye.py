from dataclasses import replace

import pytest

from calibration.layout import BoardLayout, Corner
from vision.observation import BarReading, Side
from zarbiter.eye import Eye

EYE = Eye(Side.LIGHT, BoardLayout(Corner.TOP_RIGHT))
HINGE = BarReading(2, 0)
EMPTY = BarReading(0, 0)


@pytest.mark.parametrize(
    ("learned", "read", "taken"),
    [
        (None, HINGE, HINGE),
        ((EMPTY, EMPTY), BarReading(1, 0), BarReading(1, 0)),
        ((HINGE, EMPTY), HINGE, EMPTY),
        ((HINGE, EMPTY), BarReading(3, 0), BarReading(None, None)),
    ],
    ids=["nothing learned", "bar read right", "the same hinge", "something else on the bar"],
)
def test_a_hinge_once_known_is_no_checker_and_what_looks_else_is_not_known(
    learned: tuple[BarReading, BarReading] | None, read: BarReading, taken: BarReading
) -> None:
    assert replace(EYE, bar=learned)._bar(read) == taken
