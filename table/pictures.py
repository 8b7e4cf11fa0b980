"""Pictures of the simulated table for the documentation."""

from dataclasses import replace

import numpy as np

from calibration.geometry import BoardGeometry
from calibration.layout import BoardLayout
from table.looks import LOOKS
from table.render import render
from table.scene import Hand, Scene
from table.throws import VoidKind, throw
from table.world import Board, Position, set_up
from vision.cv import BgrImage

_MIDDLE_GAME: Position = {
    "points": {
        "24": "w5", "22": "w1", "20": "w2", "18": "b2", "17": "b1", "15": "w1",
        "12": "b6", "11": "b1", "10": "w2", "8": "b2", "7": "w2", "5": "b1",
        "4": "w1", "3": "b2", "2": "w1",
    },
    "off": {"w": 0, "b": 0},
}  # fmt: skip
_START: Position = {"points": {"24": "w15", "12": "b15"}, "off": {"w": 0, "b": 0}}


def readme_pictures() -> dict[str, BgrImage]:
    """Return the README's pictures by file name: four boards, each at another moment."""
    return {
        "table-throw": _picture("walnut", _MIDDLE_GAME, (6, 5), None, None),
        "table-cocked": _picture("tournament", _MIDDLE_GAME, (4, 2), "cocked", None),
        "table-hand": _picture(
            "baize", _MIDDLE_GAME, (3, 3), None, Hand(150.0, 300.0, grip="pinch", lean_deg=6.0)
        ),
        "table-start": _picture("village", _START, (2, 1), None, None),
    }


def _picture(
    name: str,
    position: Position,
    values: tuple[int, int],
    kind: VoidKind | None,
    hand: Hand | None,
) -> BgrImage:
    rng = np.random.default_rng(5)
    board = Board(LOOKS[name], BoardLayout.of("top_right"), BoardGeometry())
    discs = set_up(board, position, rng)
    scene = Scene(board.look, discs=discs, dice=throw(board, values, discs, rng, kind))
    return render(replace(scene, hand=hand))
