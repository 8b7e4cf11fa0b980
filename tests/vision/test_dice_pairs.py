from hypothesis import given
from hypothesis import strategies as st

from vision.dice_pairs import nearest_pairs
from vision.observation import BoxPx, DieReading

SIDE = 20.0
places = st.lists(st.tuples(st.floats(0, 200), st.floats(0, 200)), max_size=6)


def box(x: float, y: float) -> BoxPx:
    return (x - SIDE / 2, y - SIDE / 2, SIDE, SIDE)


def die(x: float, y: float) -> DieReading:
    return DieReading(3, (x, y), box(x, y), 0.9)


def test_a_die_goes_with_the_outline_nearest_to_it() -> None:
    boxes = [box(50, 50), box(60, 50)]
    assert nearest_pairs([die(58, 50)], boxes, 0.7) == [(1, 0)]


def test_of_two_dice_the_nearer_one_gets_the_outline() -> None:
    assert nearest_pairs([die(56, 50), die(51, 50)], [box(50, 50)], 0.7) == [(0, 1)]


def test_what_lies_too_far_apart_is_not_paired() -> None:
    assert nearest_pairs([die(50, 50)], [box(65, 50)], 0.7) == []


@given(places, places)
def test_nobody_is_paired_twice(
    dice: list[tuple[float, float]], outlines: list[tuple[float, float]]
) -> None:
    pairs = nearest_pairs([die(*at) for at in dice], [box(*at) for at in outlines], 0.7)
    for side in zip(*pairs, strict=True):
        assert len(set(side)) == len(side)
