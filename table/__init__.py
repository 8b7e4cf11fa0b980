"""The simulated table: a rendered board with known truth."""

from table.render import render
from table.scene import Camera, Light, Scene
from table.script import FilmSettings, Turn
from table.sequence import TableSetup, write_sequence

__all__ = [
    "Camera",
    "FilmSettings",
    "Light",
    "Scene",
    "TableSetup",
    "Turn",
    "render",
    "write_sequence",
]
