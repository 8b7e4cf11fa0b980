import math

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout
from table.looks import LOOKS
from table.scene import Disc
from table.throws import REASONS, VOID_KINDS, throw
from table.world import Board, Position, WorldError, set_up

POSITION: Position = {
    "points": {
        "24": "w6",
        "22": "w2",
        "18": "b5",
        "15": "w2",
        "12": "b8",
        "6": "w3",
        "3": "b1",
    },
    "off": {"w": 1, "b": 1},
}


def table(look: str = "walnut") -> Board:
    return Board(LOOKS[look], BoardLayout.of("top_right"), BoardGeometry())


def gap(disc: Disc, x: float, y: float) -> float:
    return math.hypot(disc.x_mm - x, disc.y_mm - y)


@pytest.mark.parametrize("seed", range(30))
def test_a_valid_throw_lies_flat_in_one_half_and_touches_nothing(seed: int) -> None:
    board = table()
    rng = np.random.default_rng(seed)
    discs = set_up(board, POSITION, rng)
    dice = throw(board, (6, 5), discs, rng)
    halves = {board.geometry.half_of(die.pose.x_mm, die.pose.y_mm) for die in dice}
    assert halves in ({"left"}, {"right"})
    assert [die.pose.value for die in dice] == [6, 5]
    reach = board.look.checker_mm / 2 + board.look.die.edge_mm * 0.7071
    for die in dice:
        assert die.pose.tilt_deg == 0
        assert min(gap(disc, die.pose.x_mm, die.pose.y_mm) for disc in discs) > reach
    a, b = (die.pose for die in dice)
    assert math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) > board.look.die.edge_mm * 1.42


def test_the_half_of_a_throw_can_be_asked_for() -> None:
    board = table()
    for half in ("left", "right"):
        dice = throw(board, (1, 2), (), np.random.default_rng(1), half=half)
        assert {die.where for die in dice} == {half}


def test_dice_of_different_halves_lie_in_different_halves() -> None:
    board = table()
    dice = throw(board, (3, 3), (), np.random.default_rng(2), "different_halves")
    assert {die.where for die in dice} == {"left", "right"}


def test_a_die_on_a_checker_lies_on_the_uppermost_one() -> None:
    board = table()
    rng = np.random.default_rng(3)
    discs = set_up(board, POSITION, rng)
    _, die = throw(board, (3, 3), discs, rng, "on_checker")
    under = min(discs, key=lambda disc: (gap(disc, die.pose.x_mm, die.pose.y_mm), -disc.z_mm))
    assert die.where == "checker"
    assert die.support_mm == under.z_mm + board.look.checker_height_mm
    assert gap(under, die.pose.x_mm, die.pose.y_mm) < 6


@pytest.mark.parametrize("look", sorted(LOOKS))
@pytest.mark.parametrize("seed", range(6))
def test_a_cocked_die_leans_clearly_on_something(look: str, seed: int) -> None:
    board = table(look)
    rng = np.random.default_rng(seed)
    discs = set_up(board, POSITION, rng)
    _, die = throw(board, (3, 3), discs, rng, "cocked")
    assert 20 < die.pose.tilt_deg < 51
    assert die.where in ("checker", "wall")
    near = min(gap(disc, die.pose.x_mm, die.pose.y_mm) for disc in discs)
    if die.where == "checker":
        assert near < board.look.checker_mm / 2 + board.look.die.edge_mm


def test_a_cocked_die_needs_no_checkers() -> None:
    _, die = throw(table(), (3, 3), (), np.random.default_rng(3), "cocked")
    assert die.where == "wall"


def test_a_die_off_the_board_lies_on_the_tabletop() -> None:
    board = table()
    _, die = throw(board, (3, 3), (), np.random.default_rng(3), "off_board")
    assert board.geometry.half_of(die.pose.x_mm, die.pose.y_mm) == "off"
    assert die.support_mm == -board.look.depth_mm


def test_no_die_lies_on_a_checker_where_there_is_none() -> None:
    with pytest.raises(WorldError, match="no checker"):
        throw(table(), (3, 3), (), np.random.default_rng(3), "on_checker")


def test_each_void_kind_has_a_reason() -> None:
    assert set(REASONS) == set(VOID_KINDS)
