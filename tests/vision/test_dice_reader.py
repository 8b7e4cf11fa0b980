from dataclasses import replace

import numpy as np
import pytest

from vision.dice_reader import fuse, read_dice
from vision.frame import FrameError
from vision.observation import DieReading


def die(value: int | None, x: float, confidence: float) -> DieReading:
    return DieReading(value, (x, 100.0), (x - 10, 90.0, 20.0, 20.0), confidence)


def test_two_readers_that_agree_are_surer_than_the_classical_one_alone() -> None:
    (fused,) = fuse([die(5, 100, 0.8)], [die(5, 103, 0.9)])
    assert fused.value == 5
    assert 0.8 < fused.confidence < 0.99
    assert fused.center_px == (103, 100.0), "the network's outline tells the centre"


def test_two_readers_that_disagree_make_the_number_unsure() -> None:
    (fused,) = fuse([die(5, 100, 0.99)], [die(4, 103, 0.99)])
    assert fused.value is None
    assert fused.confidence < 0.6


def test_a_screw_that_only_the_classical_reader_takes_for_a_die_is_none() -> None:
    assert fuse([die(1, 100, 0.85)], []) == ()


def test_a_die_that_only_one_reader_sees_counts_when_that_one_is_very_sure() -> None:
    assert [one.value for one in fuse([die(6, 100, 0.98)], [])] == [6]
    assert [one.value for one in fuse([], [die(6, 100, 0.97)])] == [6]


def test_a_doubtful_die_of_the_network_alone_is_none() -> None:
    assert fuse([], [die(6, 100, 0.92)]) == ()
    assert fuse([], [die(None, 100, 0.97)]) == ()


def test_a_sure_reader_is_believed_where_the_other_cannot_tell_the_number() -> None:
    (fused,) = fuse([die(None, 100, 0.5)], [die(3, 101, 0.98)])
    assert fused.value == 3
    (fused,) = fuse([die(None, 100, 0.5)], [die(3, 101, 0.8)])
    assert fused.value is None


def test_dice_side_by_side_are_not_mixed_up() -> None:
    classical = [die(2, 100, 0.95), die(6, 122, 0.95)]
    net = [die(6, 121, 0.95), die(2, 101, 0.95)]
    assert [one.value for one in fuse(classical, net)] == [2, 6]


def test_the_order_of_the_readings_does_not_matter() -> None:
    classical = [die(2, 100, 0.95), die(6, 160, 0.95)]
    net = [die(2, 101, 0.95), die(6, 161, 0.95), die(1, 300, 0.97)]
    assert fuse(classical, net) == fuse(classical[::-1], net[::-1])


def test_the_networks_silence_on_flatness_is_no_statement() -> None:
    (fused,) = fuse([], [replace(die(6, 100, 0.99), flat=True)])
    assert fused.flat is None


def test_a_picture_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(FrameError):
        read_dice(np.zeros((40, 40), dtype=np.uint8))


def test_an_empty_picture_holds_no_dice() -> None:
    assert read_dice(np.full((240, 320, 3), 120, dtype=np.uint8)) == ()
