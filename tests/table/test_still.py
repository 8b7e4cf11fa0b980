from dataclasses import replace

import numpy as np
import pytest

from table.backdrop import backdrop
from table.gestures import move_checker
from table.looks import LOOKS
from table.reel import Reel
from table.render import render
from table.scene import Camera, Light, Scene
from table.script import FilmSettings
from table.sequence import TableSetup
from table.still import forget
from table.world import Position, set_up
from vision.cv import BgrImage

SIZE = (320, 240)
POSITION: Position = {
    "points": {"24": "w7", "20": "w1", "18": "b3", "15": "w2", "12": "b9", "3": "b1"},
    "off": {"w": 1, "b": 1},
    "bar": {"w": 1, "b": 1},
}
STEPS = (
    ("w", 24, 20),
    ("w", 24, 23),
    ("b", 12, 18),
    ("b", 18, 0),
    ("w", 25, 24),
    ("w", 20, 20),
)


def difference(one: BgrImage, other: BgrImage) -> int:
    return int(np.abs(one.astype(int) - other).max())


@pytest.mark.parametrize(
    ("look", "tilt_deg"), list(zip(sorted(LOOKS), (0, 14, 5, 20), strict=True))
)
def test_a_board_drawn_anew_in_places_looks_like_one_drawn_as_a_whole(
    look: str, tilt_deg: float
) -> None:
    board = TableSetup(look=LOOKS[look]).board()
    camera = Camera(tilt_deg=tilt_deg, azimuth_deg=40.0, height_mm=820.0)
    settings = FilmSettings(camera, Light(azimuth_deg=120.0, softness=0.35), noise=0.0)
    reel = Reel(board, 3, settings)
    reel.discs = set_up(board, POSITION, reel.rng)
    scenes = [reel.shot("before", 0.2).scene]
    for color, source, target in STEPS:
        mover = board.color(board.side("w" if color == "w" else "b"))
        scenes += [one.scene for one in move_checker(reel, mover, mover, source, target)]
    forget()
    in_places = [render(scene, SIZE) for scene in scenes]
    for scene, shown in zip(scenes, in_places, strict=True):
        forget()
        assert difference(render(scene, SIZE), shown) <= 2


def test_a_knocked_camera_sees_the_board_elsewhere() -> None:
    size = (640, 480)
    straight = Scene(LOOKS["walnut"], noise=0.0)
    knocked = replace(straight, camera=Camera(shift_px=(32.0, -16.0)))
    one, other = render(straight, size), render(knocked, size)
    # The lamp's light does not move with the board, and the edge is new.
    moved = one[20:-20, 20:-40].astype(int) - other[12:-28, 36:-24]
    assert np.abs(moved).mean() < 1.0
    spot = np.array([100.0, 100.0, 0.0, 1.0])
    at, now = (scene.projection(size) @ spot for scene in (straight, knocked))
    assert np.allclose(now[:2] / now[2] - at[:2] / at[2], (16.0, -8.0))


def test_light_of_another_colour_needs_no_new_board() -> None:
    scene = Scene(LOOKS["walnut"])
    day, evening = (
        backdrop(scene.look, scene.geometry, scene.camera, Light(kelvin=kelvin), SIZE)
        for kelvin in (5500.0, 3900.0)
    )
    assert day.bgr is evening.bgr
    assert day.gain[..., 0].mean() > evening.gain[..., 0].mean()
