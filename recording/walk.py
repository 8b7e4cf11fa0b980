"""What stands on the table before each action of a game: checkers, cube, a waiting offer."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from recording.transcript import (
    Action,
    Double,
    Drop,
    Game,
    Play,
    Resign,
    SetUp,
    Take,
    TranscriptError,
)
from rules import Color, Position


@dataclass(frozen=True, slots=True)
class Table:
    """The table between two actions."""

    position: Position
    cube: int = 1
    owner: Color | None = None
    """Who may double next; None: either side."""
    offered: int | None = None
    """The value of a double that waits for its answer."""
    offered_by: Color | None = None
    beavers: int = 0
    """How often the waiting double was beavered or raccooned."""
    given_up: bool = False
    """Whether a double was dropped or the game resigned: it is over."""


def walk(game: Game) -> Iterator[tuple[Table, Action]]:
    """Yield each action with the table it was done on.

    Raises:
        TranscriptError: the actions do not follow each other; readers never return such games.
    """
    table = Table(game.start, game.cube)
    for action in game.actions:
        if isinstance(action, Play):
            table = _answered(table)
        yield table, action
        table = after(table, action)


def final_table(game: Game) -> Table:
    """Return the table after the last action."""
    table = Table(game.start, game.cube)
    for action in game.actions:
        table = after(table, action)
    return table


def after(table: Table, action: Action) -> Table:
    """Return the table an action leaves.

    Raises:
        TranscriptError: a double is answered that nobody made, or the game is over.
    """
    if table.given_up:
        raise TranscriptError("the game goes on after it was given up")
    match action:
        case Play(after=position):
            return replace(_answered(table), position=position)
        case Double(color=color, value=value):
            was = table.cube if table.offered is None else table.offered
            again = 0 if table.offered is None else table.beavers + 1
            return replace(table, offered=value or 2 * was, offered_by=color, beavers=again)
        case Take(color=color) | Drop(color=color):
            if table.offered is None:
                word = "takes" if isinstance(action, Take) else "drops"
                raise TranscriptError(f"{color.name.lower()} {word} where nobody has doubled")
            taken = isinstance(action, Take)
            return _answered(table) if taken else replace(table, given_up=True)
        case Resign():
            return replace(table, given_up=True)
        case SetUp(position=position, cube=cube, owner=owner):
            return Table(position, cube, owner)
        case _:
            assert_never(action)


def _answered(table: Table) -> Table:
    """Take a double that still waits: some programs leave out the answer to a beaver."""
    if table.offered is None or table.offered_by is None:
        return table
    # An odd number of beavers and raccoons: the last offer is the taker's of the first.
    first = table.offered_by if table.beavers % 2 == 0 else table.offered_by.other
    return Table(table.position, table.offered, first.other)
