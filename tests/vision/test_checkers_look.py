import numpy as np
import pytest

from vision.checkers_look import BoardLook, bar_with_look
from vision.observation import BarReading

NOTHING = BarReading(0, 0)


def look(bar: BarReading | None) -> BoardLook:
    return BoardLook(None, np.zeros((24, 28, 6, 3), np.float32), (0,) * 24, bar)


@pytest.mark.parametrize(
    ("empty", "read", "expected"),
    [
        (BarReading(2, 0), BarReading(2, 0), NOTHING),
        (BarReading(2, 0), BarReading(2, 1), BarReading(0, 1)),
        (BarReading(2, 0), BarReading(1, 0), BarReading(None, None)),
        (NOTHING, BarReading(0, 1), BarReading(0, 1)),
        (BarReading(None, None), BarReading(0, 1), BarReading(0, 1)),
        (BarReading(None, None), BarReading(None, None), BarReading(None, None)),
        (None, BarReading(1, 0), BarReading(1, 0)),
    ],
)
def test_what_the_empty_bar_looks_like_is_taken_off_and_the_unknown_stays_unknown(
    empty: BarReading | None, read: BarReading, expected: BarReading
) -> None:
    assert bar_with_look(read, look(empty)) == expected
