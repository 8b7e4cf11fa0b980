"""The simulated table: a rendered board with known truth."""

from table.camera import TableCamera
from table.incidents import IncidentPlan, plan_named
from table.live import LiveTable
from table.render import render
from table.scene import Camera, Light, Scene
from table.script import FilmSettings, Turn
from table.sequence import TableSetup, write_sequence

__all__ = [
    "Camera",
    "FilmSettings",
    "IncidentPlan",
    "Light",
    "LiveTable",
    "Scene",
    "TableCamera",
    "TableSetup",
    "Turn",
    "plan_named",
    "render",
    "write_sequence",
]
