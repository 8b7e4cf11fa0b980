"""What happens at the table during a turn, as scenes in time: throws, moves, clock presses."""

from collections.abc import Iterator, Sequence

import numpy as np

from table.gestures import STILL_S, move_checker, take_dice, throw_dice
from table.reel import Reel
from table.script import Event, FilmSettings, Press, Turn
from table.world import Board, set_up, steps_between


def film(
    board: Board, turns: Sequence[Turn], seed: int, settings: FilmSettings | None = None
) -> Iterator[Event]:
    """Yield what happens during some turns, in order of time.

    Args:
        board: the table.
        turns: each begins with the position that the one before ended with.
        seed: draws places, hands and noise; the same seed gives the same film.
        settings: camera, light, density.

    Raises:
        WorldError: a position or throw the table cannot show.
    """
    if not turns:
        return
    reel = Reel(board, seed, settings or FilmSettings())
    reel.discs = set_up(board, turns[0].before, reel.rng)
    for _ in range(reel.settings.opening_frames):
        yield reel.shot("before", 0.4)
    for index, turn in enumerate(turns):
        yield from _turn(reel, index, turn)
    yield from take_dice(reel, "b" if turns[-1].side == "w" else "w")


def _turn(reel: Reel, index: int, turn: Turn) -> Iterator[Event]:
    final = set_up(reel.board, turn.after, np.random.default_rng(reel.seed))
    for kind in turn.voids:
        values = (int(reel.rng.integers(1, 7)), int(reel.rng.integers(1, 7)))
        yield from throw_dice(reel, index, turn.side, values, kind, ())
    yield from throw_dice(reel, index, turn.side, turn.dice, None, final)
    for mover, source, target in steps_between(turn.before, turn.after, turn.side):
        yield from move_checker(reel, turn.side, mover, source, target)
    yield reel.shot("after", STILL_S)
    yield reel.shot("after", STILL_S)
    yield Press(round(reel.now_s, 3), turn.side)
    reel.now_s += 0.2
