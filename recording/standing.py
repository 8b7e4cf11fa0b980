"""All that a position's name tells beside the checkers: score, cube, dice, whose turn it is."""

from dataclasses import dataclass, replace
from typing import Final, assert_never

from recording.transcript import MONEY, Double, Drop, Game, Match, Play, Resign, Take
from recording.walk import Table
from rules import Color, Roll, RulesError

PLAYING: Final = 1


class IdError(RulesError, ValueError):
    """A text that names no position."""


@dataclass(frozen=True, slots=True)
class Standing:
    """All but the checkers: score, cube, dice, whose turn it is."""

    on_roll: Color
    turn: Color
    """Who must decide; another side than `on_roll` when a double is to be answered."""
    cube: int = 1
    owner: Color | None = None
    roll: Roll | None = None
    doubled: bool = False
    resigned: int = 0
    """A resignation offered: 1 single, 2 gammon, 3 backgammon; 0 none."""
    length: int = MONEY
    score: tuple[int, int] = (0, 0)
    """White, Black."""
    crawford: bool = False
    jacoby: bool = False
    state: int = PLAYING
    """GNU Backgammon's state of the game: 0 none, 1 playing, 2 over, 3 resigned, 4 dropped."""

    @property
    def cube_log2(self) -> int:
        """How often the cube was turned.

        Raises:
            IdError: no cube shows this value.
        """
        if self.cube < 1 or self.cube & (self.cube - 1):
            raise IdError(f"no cube shows {self.cube}")
        return self.cube.bit_length() - 1


def standing_before(
    match: Match, game: Game, table: Table, action: Play | Double | Take | Drop | Resign
) -> Standing:
    """Return what stood on the table, dice thrown, when an action was done."""
    standing = Standing(
        action.color,
        action.color,
        table.cube,
        table.owner,
        length=match.length,
        score=game.score,
        crawford=game.crawford,
        jacoby=match.length == MONEY and match.jacoby,
    )
    match action:
        case Play(roll=roll) | Resign(roll=roll):
            return replace(standing, roll=roll)
        case Take() | Drop():
            return replace(standing, on_roll=action.color.other, doubled=True)
        case Double():
            if table.offered is None:
                return standing
            return replace(standing, on_roll=action.color.other, doubled=True)
        case _:
            assert_never(action)
