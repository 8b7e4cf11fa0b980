"""Write match files in the .mat text format.

Short nardy is written as GNU Backgammon reads it: one hop a die, `25` the bar, `0` off, hits
starred, `Cannot Move` for a dance. A wrong play that was accepted is written as `Illegal play`
with the board it left, since GNU Backgammon drops some wrong moves and bends others.

Long nardy has the same lines in each player's own numbers, 24 (the head) to 1; headers name the
variation and the rule set. No other program would understand it as backgammon, so its files end
in `.nardy.mat`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, assert_never

from recording.boards import NACKGAMMON, snowie_text
from recording.names import fitting_header, fitting_name
from recording.transcript import (
    MONEY,
    Action,
    Double,
    Drop,
    Game,
    GameResult,
    Hop,
    Match,
    Play,
    Resign,
    SetUp,
    Take,
    hops_of,
    leads_to,
)
from recording.walk import Table, walk
from rules import Color, Position, Variant, legal_turns, variant_named
from rules.start import start_position

LONG_VARIATION: Final = "LongNardy"
_LEFT_WIDTH: Final = 27
_LEFT_RESULT: Final = 6
_RIGHT_RESULT: Final = 34
_OWN_HEADERS: Final = ("Player 1", "Player 2", "Variation", "Ruleset", "Crawford", "Jacoby")


class ExportError(ValueError):
    """A match that the format asked for cannot hold; says why and what can."""


def write_mat(match: Match) -> str:
    """Write a match as the text of a .mat file.

    Raises:
        ExportError: a game does not begin with the start position, or the board was put up by
            hand where the format has no play to hang it on.
    """
    variant = variant_named(match.rules)
    lines = [*_headers(match, variant), ""]
    if variant.hits and match.length == MONEY:
        lines += [" 0 point match"]
    else:
        lines += [f" {match.length} point match"]
    for game in match.games:
        lines += ["", f" Game {game.number}", _score_line(match, game)]
        lines += _game(match, game, variant)
    return "\n".join(lines) + "\n"


# --- headers ----------------------------------------------------------------------------------


def _headers(match: Match, variant: Variant) -> Iterator[str]:
    told = {key: value for key, value in match.headers.items() if key not in _OWN_HEADERS}
    for key, value in told.items():
        yield f'; [{fitting_header(key)} "{fitting_header(value)}"]'
    for number, name in enumerate(match.players, 1):
        yield f'; [Player {number} "{fitting_header(name)}"]'
    if not variant.hits:
        yield f'; [Variation "{LONG_VARIATION}"]'
        yield f'; [Ruleset "{match.rules}"]'
        yield f"; {variant.title('en')}: points are each player's own, 24 the head, 0 off"
    else:
        nack = match.games and all(game.start == NACKGAMMON for game in match.games)
        yield f'; [Variation "{"NackGammon" if nack else "Backgammon"}"]'
        if match.rules != "short":
            yield f'; [Ruleset "{match.rules}"]'
    if match.length == MONEY:
        yield f'; [Jacoby "{"On" if match.jacoby else "Off"}"]'
    elif variant.hits:
        yield f'; [Crawford "{"On" if match.crawford else "Off"}"]'
    # GNU Backgammon takes no comment inside a game, so they all stand before the first.
    for game in match.games:
        yield from (f"; {text}" for text in _remarks(game))


def _remarks(game: Game) -> Iterator[str]:
    for index, note in sorted(game.notes.items()):
        yield f"Game {game.number}, action {index + 1}: {' '.join(note.split())}"
    for index, action in enumerate(game.actions, 1):
        if isinstance(action, Play) and not action.lawful and index - 1 not in game.notes:
            side = action.color.name.title()
            roll = f"{action.roll.first}{action.roll.second}"
            yield (
                f"Game {game.number}, action {index}: "
                f"{side}'s wrong play of {roll} accepted as it stood"
            )
    if game.error:
        yield f"Game {game.number} breaks off: {' '.join(game.error.message.split())}"


def _score_line(match: Match, game: Game) -> str:
    white, black = _names(match)
    return f" {f'{white} : {game.score[0]}':<31}{black} : {game.score[1]}"


def _names(match: Match) -> tuple[str, str]:
    white, black = match.players
    return fitting_name(white, "White"), fitting_name(black, "Black")


# --- games ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Rows:
    """Cells on their way into rows: White's left, Black's right."""

    lines: list[str] = field(default_factory=list)
    _number: int = 0
    _left: str | None = None

    def add(self, color: Color, text: str) -> None:
        if color is Color.WHITE:
            self.flush()
            self._left = text
        else:
            self._row(self._left or "", text)
            self._left = None

    def add_result(self, winner: Color | None, text: str) -> None:
        """Put the last words under the winner's column.

        Black's stand in the row of White's refusal: on a line of their own GNU Backgammon 1.07
        reads them as one more double.
        """
        if winner is Color.BLACK and self._left is not None:
            self._row(self._left, f" {text}")
            self._left = None
            return
        self.flush()
        indent = _RIGHT_RESULT if winner is Color.BLACK else _LEFT_RESULT
        self.lines.append(f"{' ' * indent}{text}")

    def flush(self) -> None:
        if self._left is not None:
            self._row(self._left, "")
            self._left = None

    def _row(self, left: str, right: str) -> None:
        self._number += 1
        # Two spaces part the halves where no colon does.
        cell = f"{left:<{_LEFT_WIDTH}}" if len(left) < _LEFT_WIDTH else f"{left} "
        self.lines.append(f"{self._number:3d}) {cell} {right}".rstrip())


def _game(match: Match, game: Game, variant: Variant) -> list[str]:
    if game.start not in ({start_position(variant), NACKGAMMON} if variant.hits else
                          {start_position(variant)}):  # fmt: skip
        raise ExportError(
            f"game {game.number} does not begin with the start position: .mat cannot hold it"
        )
    rows = _Rows()
    for table, action in _with_boards_put_up(game):
        if cell := _cell(match, game, variant, table, action):
            rows.add(*cell)
    if game.result:
        rows.add_result(game.result.winner, _result(match, game, game.result))
    rows.flush()
    return rows.lines


def _with_boards_put_up(game: Game) -> Iterator[tuple[Table, Action]]:
    """Let a board put up by hand be what the play before it left."""
    waiting: tuple[Table, Play] | None = None
    for table, action in walk(game):
        if isinstance(action, SetUp):
            if waiting is None or (action.cube, action.owner) != (table.cube, table.owner):
                raise ExportError(
                    f"in game {game.number} the board or the cube is put up by hand: "
                    ".mat cannot hold it"
                )
            before, play = waiting
            waiting = (
                before,
                Play(play.color, play.roll, (), (), False, action.position, play.at_s),
            )
            continue
        if waiting:
            yield waiting
        waiting = (table, action) if isinstance(action, Play) else None
        if waiting is None:
            yield table, action
    if waiting:
        yield waiting


def _cell(
    match: Match, game: Game, variant: Variant, table: Table, action: Action
) -> tuple[Color, str] | None:
    match action:
        case Play(color=color):
            return color, _play(match, game, variant, table, action)
        case Double(color=color, value=value):
            odd = "Raccoons" if table.beavers % 2 else "Beavers"
            word = "Doubles" if table.offered is None else odd
            return color, f" {word} => {value or 2 * (table.offered or table.cube)}"
        case Take(color=color):
            # GNU Backgammon takes a beaver itself at the next roll, and once more when told.
            return None if table.beavers % 2 else (color, " Takes")
        case Drop(color=color):
            return color, " Drops"
        case Resign(color=color, roll=roll):
            if roll is None:
                return None
            if variant.hits and len(legal_turns(table.position, color, roll, variant)) == 1:
                return None  # GNU Backgammon would play the only play there is
            return color, f"{roll.first}{roll.second}: ????"
        case SetUp():
            return None
        case _:
            assert_never(action)


def _play(match: Match, game: Game, variant: Variant, table: Table, play: Play) -> str:
    dice = f"{play.roll.first}{play.roll.second}:"
    before = table.position
    if play.lawful:
        hops = hops_of(play.moves, before, play.color, variant)
        return f"{dice} {_hops(hops)}" if hops else f"{dice} Cannot Move"
    if variant.hits:
        return f"{dice} Illegal play ({_board(match, game, table, play)})"
    if play.hops and leads_to(before, play.color, play.hops, play.after, variant):
        return f"{dice} {_hops(play.hops)}"
    return f"{dice} Illegal play ({play.after})"


def _hops(hops: Iterable[Hop]) -> str:
    return " ".join(f"{hop.source}/{hop.target}{'*' if hop.hit else ''}" for hop in hops)


def _board(match: Match, game: Game, table: Table, play: Play) -> str:
    position: Position = play.after
    return snowie_text(
        position,
        play.color,
        length=match.length,
        players=_names(match),
        score=game.score,
        crawford=game.crawford,
        cube=table.cube,
        owner=table.owner,
    )


def _result(match: Match, game: Game, result: GameResult) -> str:
    if result.winner is None:
        return "Draw"
    plural = "" if result.points == 1 else "s"
    last = max(game.score_after) >= match.length != MONEY
    return f"Wins {result.points} point{plural}{' and the match' if last else ''}"
