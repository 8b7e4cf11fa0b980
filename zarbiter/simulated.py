"""The simulated table for a live service: its board, its camera's view, its players."""

from hardware.clock import Clock
from rules import Variant
from table.incidents import plan_named
from table.live import LiveTable
from table.looks import LOOKS
from table.render import DEFAULT_SIZE_PX
from table.scene import Scene
from table.script import FilmSettings
from table.sequence import TableSetup
from table.truth import corners_px
from vision.observation import Corners
from zarbiter.placing import Placing
from zarbiter.service import TableService
from zarbiter.sim_players import SimulatedPlayers

_SETUP = TableSetup(look=LOOKS["walnut"])


def simulated_placing() -> Placing:
    """Return how the simulated board lies, as a person confirms it in the wizard."""
    board, film = _SETUP.board(), FilmSettings(dense=True)
    scene = Scene(board.look, board.geometry, film.camera, film.light)
    a, b, c, d = corners_px(scene, DEFAULT_SIZE_PX)
    corners: Corners = (a, b, c, d)
    return Placing(board.layout, corners_px=corners, by_hand=True)


def seat_players(
    service: TableService,
    clock: Clock,
    speed: float = 1.0,
    *,
    seed: int = 1,
    incidents: str = "few",
) -> SimulatedPlayers:
    """Return two players at the simulated board, who play whatever match is opened."""
    plan = plan_named(incidents)

    def sit(variant: Variant, buttons: bool) -> LiveTable:
        film = FilmSettings(dense=True)
        return LiveTable(_SETUP.board(), variant, seed, film, plan, buttons=buttons)

    return SimulatedPlayers(service, sit, clock, speed)
