"""Every throw of a match as a table for other programs.

Numbers are written with a point and no grouping whatever the system's language, and names that
a spreadsheet would take for a formula are made plain text.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from recording.transcript import Match, Play, Resign
from rules import Color, Roll

COLUMNS = (
    "game",
    "throw",
    "side",
    "player",
    "first",
    "second",
    "double",
    "outcome",
    "reasons",
    "at_s",
)
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


class Outcome(StrEnum):
    """What became of a throw."""

    PLAYED = "played"
    DANCED = "danced"
    """Nothing could be played."""
    WRONG = "wrong"
    """Played against the rules, and accepted."""
    RESIGNED = "resigned"
    """Given up with these dice on the table."""
    VOID = "void"
    """The throw did not count."""


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw of the dice."""

    game: int
    color: Color
    dice: tuple[int | None, int | None]
    """None: not read."""
    outcome: Outcome
    reasons: tuple[str, ...] = ()
    """Why it did not count."""
    at_s: float | None = None
    """Seconds from the start of the match."""


def throws_of(match: Match) -> Iterator[Throw]:
    """Yield the throws a transcript tells; it knows none that did not count."""
    for game in match.games:
        for action in game.actions:
            match action:
                case Play(color=color, roll=roll, at_s=at_s):
                    yield Throw(game.number, color, _dice(roll), _outcome(action), (), at_s)
                case Resign(color=color, roll=Roll() as roll):
                    yield Throw(game.number, color, _dice(roll), Outcome.RESIGNED)
                case _:
                    pass


def write_throws_csv(throws: Iterable[Throw], players: tuple[str, str]) -> str:
    """Write throws as CSV (RFC 4180, but lines end in a line feed), one a line, names first."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    names = dict(zip(Color, players, strict=True))
    number = game = 0
    for throw in throws:
        number = number + 1 if throw.game == game else 1
        game = throw.game
        first, second = ("" if die is None else str(die) for die in throw.dice)
        table.writerow(
            (
                str(game),
                str(number),
                throw.color.value,
                _plain(names[throw.color]),
                first,
                second,
                "yes" if first and first == second else "no",
                throw.outcome.value,
                " ".join(throw.reasons),
                "" if throw.at_s is None else f"{throw.at_s:.3f}",
            )
        )
    return out.getvalue()


def _dice(roll: Roll) -> tuple[int, int]:
    return roll.first, roll.second


def _outcome(play: Play) -> Outcome:
    if not play.lawful:
        return Outcome.WRONG
    return Outcome.PLAYED if play.moves else Outcome.DANCED


def _plain(name: str) -> str:
    return f"'{name}" if name.startswith(_FORMULA_SIGNS) else name
