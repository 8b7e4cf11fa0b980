"""How far points look otherwise from turn to turn, whose checkers changed and whose did not.

    python benchmarks/touch.py [--games 36] [--seed 400]

Three turns each of games at the start, in the middle and at the end are drawn by the simulated
table on random boards under random lights and cameras, 1280×960, JPEG: the board at rest after
each turn, its dice still there. Each point is compared from turn to turn (`vision.touch`) and
held against the truth: the table tells how many points of each kind show how much change. So
is what lies around the field (`referee.borne_off`), by the checkers borne off in the turn.
"""

import argparse
import random
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# Python puts a script's own folder first on the path, where `rules.py` would hide the package.
sys.path[:] = [one for one in sys.path if Path(one).resolve() != Path(__file__).parent]

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from calibration.geometry import BoardGeometry  # noqa: E402
from calibration.layout import BoardLayout  # noqa: E402
from referee.borne_off import LaidSettings  # noqa: E402
from referee.evidence import TouchSettings  # noqa: E402
from rules import CHECKERS, Color, Position, Roll, variant_named  # noqa: E402
from rules.start import start_position  # noqa: E402
from table.film import film  # noqa: E402
from table.looks import random_board, random_camera, random_light  # noqa: E402
from table.players import Player, RandomPlayer, SensiblePlayer  # noqa: E402
from table.render import DEFAULT_SIZE_PX, render  # noqa: E402
from table.scene import Scene  # noqa: E402
from table.script import FilmSettings, Shot, Turn  # noqa: E402
from table.truth import corners_px  # noqa: E402
from table.world import Board, WorldError  # noqa: E402
from vision.board_view import BoardView, rectify_measured  # noqa: E402
from vision.cv import as_u8  # noqa: E402
from vision.touch import beside_view, changed_areas, changed_beside  # noqa: E402

_VARIANT = variant_named("bolshie-nardy")
_SKIPPED = (0, 12, 74, 80, 86, 92)
_TURNS = 3
_DEEP = 5
"""A stack of more than this lies in layers."""


@dataclass(frozen=True)
class Compared:
    """One point, from one turn to the next: checkers, White's positive and Black's negative."""

    held: int
    holds: int
    area: float

    @property
    def kind(self) -> str:
        """Of which of the referee's kinds it is (`referee.evidence.TouchSettings`)."""
        deep = max(abs(self.held), abs(self.holds)) > _DEEP
        if self.held != self.holds:
            return "changed_deep" if deep else "changed"
        return "deep" if deep else "held" if self.held else "empty"


@dataclass(frozen=True)
class Beside:
    """What is around the field, from one turn to the next."""

    borne: int
    """Checkers borne off."""
    area: float | None


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=36)
    parser.add_argument("--seed", type=int, default=400)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    every = [one for k in range(options.games) for one in compared(options.seed + k)]
    _print_beside([one for one in every if isinstance(one, Beside)])
    found = [one for one in every if isinstance(one, Compared)]
    settings = TouchSettings()
    print("\nshare of points that change by so many checkers' areas; (believed)\n")
    _print_head("", "points", settings.edges)
    for kind in ("empty", "held", "deep", "changed", "changed_deep"):
        areas = [one.area for one in found if one.kind == kind]
        print(_line(kind, areas, settings.edges, getattr(settings, kind)))


def _print_beside(found: list[Beside]) -> None:
    settings = LaidSettings()
    print("share of turns that change so much around the field; (believed)\n")
    _print_head("borne off", "turns", settings.edges)
    for borne, believed in enumerate((settings.none, *settings.laid)):
        those = [one.area for one in found if min(one.borne, len(settings.laid)) == borne]
        unknown = sum(one is None for one in those)
        print(_line(f"{borne}", those, settings.edges, believed) + f"  {unknown} not known")


def _print_head(kind: str, counted: str, edges: tuple[float, ...]) -> None:
    starts = "".join(f"{f'{one:g} on':>16}" for one in (0.0, *edges))
    print(f"{kind:14}{counted:>7}{starts}")


def _line(
    kind: str,
    areas: Sequence[float | None],
    edges: tuple[float, ...],
    believed: tuple[float, ...],
) -> str:
    sizes = Counter(bisect_right(edges, area) for area in areas if area is not None)
    cells = "".join(
        f"{f'{sizes[n] / max(1, len(areas)):.3f} ({chance:.3f})':>16}"
        for n, chance in enumerate(believed)
    )
    return f"{kind:14}{len(areas):7}{cells}"


def compared(seed: int) -> list[Compared | Beside]:
    """Play, draw and compare some turns of one game."""
    turns = played(random.Random(seed), RandomPlayer() if seed % 2 else SensiblePlayer())
    rng = np.random.default_rng(seed)
    look, geometry = random_board(rng), BoardGeometry()
    board = Board(look, BoardLayout.of("top_right"), geometry)
    settings = FilmSettings(camera=random_camera(rng), light=random_light(rng))
    scene = Scene(look, geometry, settings.camera, settings.light)
    a, b, c, d = corners_px(scene)
    told = [
        Turn(
            "w" if side is Color.WHITE else "b",
            (roll.first, roll.second),
            before.to_json(),
            after.to_json(),
        )
        for before, after, side, roll in turns
    ]
    try:
        shots = [one for one in film(board, told, seed, settings) if isinstance(one, Shot)]
    except WorldError:
        return []
    before_it = next((one for one in shots if one.name == "before"), None)
    if before_it is None:
        return []
    rests = [before_it, *[one for one in shots if one.name == "after"][1::2]]
    views: list[tuple[BoardView, BoardView]] = []
    for shot in rests:
        _, packed = cv2.imencode(
            ".jpg", render(shot.scene, DEFAULT_SIZE_PX), [cv2.IMWRITE_JPEG_QUALITY, 92]
        )
        drawn = cv2.imdecode(packed, cv2.IMREAD_COLOR)
        assert drawn is not None
        bgr, corners = as_u8(drawn), (a, b, c, d)
        views.append(
            (rectify_measured(bgr, corners, geometry), beside_view(bgr, corners, geometry))
        )
    found: list[Compared | Beside] = []
    for (before, after, side, _), one, other in zip(turns, views, views[1:], strict=False):
        areas = changed_areas(one[0], other[0], geometry)
        borne = after.off(side) - before.off(side)
        found.append(Beside(borne, changed_beside(one[1], other[1], geometry)))
        for point in range(1, 25):
            row, column = board.layout.slot(point)
            area = areas.row(row)[column]
            found.append(Compared(_stack(before, point), _stack(after, point), area))
    return found


def played(rng: random.Random, player: Player) -> list[tuple[Position, Position, Color, Roll]]:
    """Return some turns from anywhere in a game."""
    position, color = start_position(_VARIANT), Color.WHITE
    skipped, turns = rng.choice(_SKIPPED), []
    for number in range(skipped + _TURNS):
        roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
        after = player.choose(position, color, roll, _VARIANT, rng).result
        if after.off(color) == CHECKERS:
            break
        if number >= skipped:
            turns.append((position, after, color, roll))
        position, color = after, color.other
    return turns


def _stack(position: Position, point: int) -> int:
    return position.count(Color.WHITE, point) - position.count(Color.BLACK, point)


if __name__ == "__main__":
    main()
