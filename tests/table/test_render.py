from dataclasses import replace

import numpy as np
import pytest

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout
from table.backdrop import backdrop
from table.die import project
from table.looks import LOOKS, random_board, random_camera, random_light
from table.render import die_patch, hand_patch, render
from table.scene import Hand, Scene
from table.throws import VOID_KINDS, throw
from table.truth import die_is_clear, labels
from table.world import Board, Position, set_up

SIZE = (480, 360)
POSITION: Position = {
    "points": {"24": "w7", "20": "w1", "18": "b3", "15": "w2", "12": "b9", "3": "b1"},
    "off": {"w": 1, "b": 1},
    "bar": {"w": 1, "b": 1},
}


def table(look: str = "walnut") -> Board:
    return Board(LOOKS[look], BoardLayout.of("top_right"), BoardGeometry())


def scene(board: Board, seed: int = 1) -> Scene:
    rng = np.random.default_rng(seed)
    discs = set_up(board, POSITION, rng)
    return Scene(board.look, board.geometry, discs=discs, dice=throw(board, (6, 2), discs, rng))


def test_the_same_scene_gives_the_same_bytes() -> None:
    first = render(scene(table()), SIZE)
    backdrop.cache_clear()
    again = render(scene(table()), SIZE)
    assert first.shape == (360, 480, 3)
    assert first.dtype == np.uint8
    assert first.tobytes() == again.tobytes()


def test_frames_differ_by_their_noise_only_a_little() -> None:
    shown = scene(table())
    one, two = (render(replace(shown, noise_seed=seed), SIZE).astype(int) for seed in (1, 2))
    assert 0.5 < np.abs(one - two).mean() < 6


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_a_light_checker_is_lighter_than_a_dark_one(look: str) -> None:
    board = table(look)
    shown = scene(board)
    picture = render(replace(shown, noise=0.0), SIZE)
    level: dict[str, list[float]] = {"L": [], "D": []}
    for disc in shown.discs:
        if disc.point != 24 and disc.point != 12:
            top = np.array([[disc.x_mm, disc.y_mm, disc.z_mm + board.look.checker_height_mm]])
            x, y = np.round(project(shown.projection(SIZE), top)[0]).astype(int)
            level[disc.side].append(float(picture[y - 2 : y + 3, x - 2 : x + 3].mean()))
    assert min(level["L"]) > max(level["D"]) + 40


def test_a_checker_changes_the_picture_only_where_it_lies() -> None:
    board = table()
    shown = replace(scene(board), dice=(), noise=0.0)
    disc = next(disc for disc in shown.discs if disc.point == 3)
    without = replace(shown, discs=tuple(d for d in shown.discs if d is not disc))
    change = np.abs(render(shown, SIZE).astype(int) - render(without, SIZE).astype(int)).max(2)
    x, y = project(shown.projection(SIZE), np.array([[disc.x_mm, disc.y_mm, 0.0]]))[0]
    rows, columns = np.nonzero(change > 2)
    assert len(rows) > 300
    assert np.hypot(rows - y, columns - x).max() < 35


@pytest.mark.parametrize("kind", [None, *VOID_KINDS])
def test_the_labelled_centre_of_each_die_is_in_the_picture(kind: str | None) -> None:
    board = table("baize")
    rng = np.random.default_rng(5)
    discs = set_up(board, POSITION, rng)
    chosen = next((name for name in VOID_KINDS if name == kind), None)
    shown = Scene(board.look, discs=discs, dice=throw(board, (6, 2), discs, rng, chosen))
    for die in shown.dice:
        x, y = die_patch(shown, die, SIZE).center_px
        assert 0 < x < SIZE[0]
        assert 0 < y < SIZE[1]
    told = labels(board, shown, SIZE)["dice"]
    assert isinstance(told, list)
    second = told[1]
    assert isinstance(second, dict)
    assert second["value"] == (None if kind == "cocked" else 2)
    assert second["flat"] is (kind != "cocked")


def test_labels_keep_back_what_a_stack_hides() -> None:
    board = table()
    told = labels(board, scene(board), SIZE)
    points, full = told["points"], told["full_points"]
    assert isinstance(points, dict)
    assert isinstance(full, dict)
    top, whole = points["top"], full["top"]
    assert isinstance(top, list)
    assert isinstance(whole, list)
    assert (top[11], whole[11]) == (None, "L7")
    assert told["bar"] == {"L": 1, "D": 1}


def test_a_die_under_the_hand_is_not_clear() -> None:
    board = table()
    shown = scene(board)
    die = shown.dice[0]
    assert die_is_clear(shown, die, SIZE)
    covered = replace(shown, hand=Hand(die.pose.x_mm, die.pose.y_mm - 40, grip="fist"))
    assert not die_is_clear(covered, die, SIZE)
    told = labels(board, covered, SIZE)["dice"]
    assert isinstance(told, list)
    first = told[0]
    assert isinstance(first, dict)
    assert first["value"] is None


@pytest.mark.parametrize("edge", ["top", "bottom", "left", "right"])
def test_an_arm_reaches_in_from_its_edge(edge: str) -> None:
    side = next(name for name in ("top", "bottom", "left", "right") if name == edge)
    shown = replace(scene(table()), hand=Hand(240.0, 210.0, edge=side))
    arm = hand_patch(shown, SIZE)
    assert arm is not None
    rows, columns = np.nonzero(arm.alpha > 128)
    rows, columns = rows + arm.origin_px[1], columns + arm.origin_px[0]
    ends = {
        "top": rows.min(),
        "bottom": SIZE[1] - 1 - rows.max(),
        "left": columns.min(),
        "right": SIZE[0] - 1 - columns.max(),
    }
    assert min(ends, key=lambda name: ends[name]) == edge
    assert ends[edge] <= 1


@pytest.mark.parametrize("seed", range(4))
def test_boards_drawn_at_random_can_be_photographed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = Board(random_board(rng), BoardLayout.of("bottom_left"), BoardGeometry())
    discs = set_up(board, POSITION, rng)
    shown = Scene(
        board.look,
        discs=discs,
        dice=throw(board, (1, 4), discs, rng),
        camera=random_camera(rng),
        light=random_light(rng),
    )
    picture = render(shown, (240, 180))
    assert 15 < picture.mean() < 245
    assert picture.std() > 10
