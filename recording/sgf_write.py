"""Write short nardy matches as Smart Game Format files (GM[6]) for GNU Backgammon.

A lawful play is one move property, one hop a die. A wrong play that was accepted is written as
GNU Backgammon itself does: the roll, then the board it left, with a comment; as a move it would
be analysed as one. Names and headers without a property of their own go into `GC` as lines
`[Key "value"]`, where GNU Backgammon puts the unknown headers of .mat files.
"""

from collections.abc import Iterator
from typing import Final, assert_never

from recording.boards import NACKGAMMON
from recording.mat_write import ExportError
from recording.names import fitting_header, fitting_name
from recording.sgf_tree import escaped
from recording.transcript import (
    BAR,
    MONEY,
    OFF,
    Action,
    Double,
    Drop,
    Game,
    GameResult,
    Match,
    Play,
    Resign,
    SetUp,
    Take,
    hops_of,
)
from recording.walk import Table, final_table, walk
from rules import CHECKERS, Color, Position, Roll, variant_named
from rules.start import start_position

_SHORT: Final = variant_named("short")
_PROPERTIES: Final = {
    "Event": "EV",
    "Round": "RO",
    "Site": "PC",
    "Transcriber": "AN",
    "White rating": "WR",
    "Black rating": "BR",
}
_NOT_HEADERS: Final = ("EventDate", "Variation", "Comment", "Player 1", "Player 2")
_LETTERS: Final = "abcdefghijklmnopqrstuvwx"
_SIDES: Final = {Color.WHITE: "W", Color.BLACK: "B"}


def write_sgf(match: Match) -> str:
    """Write a match as the text of an .sgf file in UTF-8.

    Raises:
        ExportError: the match is long nardy, which SGF has no number for.
    """
    if not variant_named(match.rules).hits:
        raise ExportError("SGF knows short nardy only: write long nardy as .nardy.mat")
    return "".join(f"{_tree(match, index)}\n" for index in range(len(match.games)))


def _tree(match: Match, index: int) -> str:
    game = match.games[index]
    nodes = [";" + "".join(_root(match, game, index)), *_start(game)]
    for number, (table, action) in enumerate(walk(game)):
        nodes += _nodes(table, action, game.notes.get(number))
    return "(" + "\n".join(nodes) + ")"


# --- root -------------------------------------------------------------------------------------


def _root(match: Match, game: Game, index: int) -> Iterator[str]:
    yield "FF[4]GM[6]CA[UTF-8]AP[Zarbiter]"
    white, black = game.score
    yield f"MI[length:{match.length}][game:{game.number - 1}][ws:{white}][bs:{black}]"
    for side, name, fallback in zip("WB", match.players, ("White", "Black"), strict=True):
        yield f"P{side}[{fitting_name(name, fallback)}]"
    if index == 0:
        yield from _headers(match)
    if rules := ":".join(_rules(match, game)):
        yield f"RU[{rules}]"
    if game.result and (result := _result(game, game.result)):
        yield f"RE[{result}]"
    if game.cube > 1:
        yield f"CV[{game.cube}]"
    if note := game.notes.get(-1):
        yield f"C[{escaped(note)}]"


def _headers(match: Match) -> Iterator[str]:
    if date := match.headers.get("EventDate"):
        yield f"DT[{escaped(date.replace('.', '-'))}]"
    comment = []
    for key, value in match.headers.items():
        if key in _PROPERTIES:
            yield f"{_PROPERTIES[key]}[{escaped(fitting_header(value))}]"
        elif key not in _NOT_HEADERS:
            comment.append(f'[{fitting_header(key)} "{fitting_header(value)}"]')
    for number, (name, fallback) in enumerate(
        zip(match.players, ("White", "Black"), strict=True), 1
    ):
        if name and fitting_name(name, fallback) != name:
            comment.append(f'[Player {number} "{fitting_header(name)}"]')
    if told := match.headers.get("Comment"):
        comment.append(told)
    if comment:
        yield f"GC[{escaped(chr(10).join(comment))}]"


def _rules(match: Match, game: Game) -> Iterator[str]:
    if match.length != MONEY and match.crawford:
        yield "Crawford"
        if game.crawford:
            yield "CrawfordGame"
    if match.length == MONEY and match.jacoby:
        yield "Jacoby"
    if game.start == NACKGAMMON:
        yield "Nackgammon"


def _result(game: Game, result: GameResult) -> str:
    if result.winner is None:
        return ""
    table = final_table(game)
    side, points = _SIDES[result.winner], result.points
    dropped = bool(game.actions) and isinstance(game.actions[-1], Drop)
    if dropped or table.position.off(result.winner) == CHECKERS:
        return f"{side}+{points}"
    # A resignation is worth whole cubes; who counts no more than wins the match has fewer.
    return f"{side}+{-(-points // table.cube) * table.cube}R"


# --- nodes ------------------------------------------------------------------------------------


def _start(game: Game) -> Iterator[str]:
    if game.start in (start_position(_SHORT), NACKGAMMON):
        return
    first = game.actions[0] if game.actions else None
    turn = f"PL[{_SIDES[first.color]}]" if first and not isinstance(first, SetUp) else ""
    yield f";{turn}{_board(game.start)}"


def _nodes(table: Table, action: Action, note: str | None) -> Iterator[str]:
    comment = f"C[{escaped(note)}]" if note else ""
    match action:
        case Play(color=color, roll=roll, lawful=True):
            hops = hops_of(action.moves, table.position, color, _SHORT)
            pairs = "".join(_letter(h.source, color) + _letter(h.target, color) for h in hops)
            yield f";{_SIDES[color]}[{roll.first}{roll.second}{pairs}]{comment}"
        case Play(color=color, roll=roll, after=position):
            yield _rolled(color, roll)
            said = comment or f"C[A wrong play of {roll.first}{roll.second}, accepted.]"
            yield f";PL[{_SIDES[color]}]{_board(position)}{said}"
        case Double(color=color):
            yield f";{_SIDES[color]}[double]{comment}"
        case Take(color=color):
            yield f";{_SIDES[color]}[take]{comment}"
        case Drop(color=color):
            yield f";{_SIDES[color]}[drop]{comment}"
        case Resign(color=color, roll=roll):
            if roll is not None:
                yield _rolled(color, roll)
        case SetUp(position=position, cube=cube, owner=owner):
            held = f"CP[{_SIDES[owner].lower() if owner else 'c'}]"
            cubed = "" if (cube, owner) == (table.cube, table.owner) else f"CV[{cube}]{held}"
            yield f";{_board(position)}{cubed}{comment}"
        case _:
            assert_never(action)


def _rolled(color: Color, roll: Roll) -> str:
    return f";PL[{_SIDES[color]}]DI[{roll.first}{roll.second}]"


def _board(position: Position) -> str:
    """Write a whole board: everything taken away, then each checker put where it is."""
    told = "AE[a:y]"
    for color in Color:
        letters = [
            _LETTERS[point - 1] * count
            for point, side, count in reversed(list(position.occupied()))
            if side is color
        ]
        letters.append("y" * position.bar(color))
        if places := "".join(letters):
            told += f"A{_SIDES[color]}" + "".join(f"[{letter}]" for letter in places)
    return told


def _letter(own: int, color: Color) -> str:
    if own == BAR:
        return "y"
    if own == OFF:
        return "z"
    return _LETTERS[own - 1 if color is Color.WHITE else 24 - own]
