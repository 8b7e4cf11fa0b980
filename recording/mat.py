"""Read match files in the .mat text format, as three programs write it.

The dialects differ in small things and one reader takes them all:

- GNU Backgammon: `0` off, `25` bar, one hop a move, a roll with nothing after it is a dance.
- Backgammon Galaxy: the same numbers, hits carry no star, `Losses 3 point` is a resignation,
  and a "16 point match" is its money session.
- Backgammon Studio: `bar`, `off`, `(2)` repeats a hop, hops are joined (`22/13`),
  `Cannot Move`, `????` for a player who resigned after rolling.

A wrong play that was accepted is written out as hops, or as `Illegal play (…)` with the board
it left. Long nardy has the same lines in each player's own numbers, 24 the head, and names its
rule set in a header (`recording.mat_write`).

Every play is carried out on the board, so a file that contradicts itself is found
where it does. A game is kept up to such a place and those after it are read all the same.
"""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Final

from recording.boards import NACKGAMMON, position_of_text
from recording.names import fitting_name
from recording.transcript import (
    BAR,
    MONEY,
    OFF,
    Action,
    Double,
    Drop,
    Game,
    GameResult,
    Hop,
    Match,
    Play,
    ReadError,
    Resign,
    Take,
    TranscriptError,
    carry_out,
    crawford_games,
    play_between,
)
from recording.walk import Table, after
from rules import (
    CHECKERS,
    DEFAULT,
    Color,
    Position,
    Roll,
    Variant,
    VariantError,
    variant_named,
)
from rules.start import start_position

_GALAXY_MONEY_LENGTH: Final = 16
# An action in the left column follows its number at once; the right column starts far away.
_RIGHT_COLUMN_GAP: Final = 8


def read_mat(path: Path, variant: Variant | None = None) -> Match:
    """Read a .mat file; older programs wrote Latin-1, newer ones UTF-8.

    Raises:
        OSError: the file cannot be read.
    """
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return parse_mat(text, variant)


def parse_mat(text: str, variant: Variant | None = None) -> Match:
    """Read the text of a .mat file.

    Args:
        text: all lines.
        variant: the rule set played; None: the one the file names, else `short`.

    Returns:
        What could be read. Broken places are values: `Game.error` and `Match.errors`.
    """
    headers: dict[str, str] = {}
    length: int | None = None
    readers: list[_GameReader] = []
    errors: list[ReadError] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if header := _HEADER.match(line):
            headers[header[1]] = header[2]
        elif line.lstrip().startswith((";", "#")):
            continue
        elif found := _LENGTH.match(line):
            length = int(found[1])
        elif found := _GAME.match(line):
            if not readers:
                variant = variant or _named_variant(headers, errors)
            readers.append(_GameReader(int(found[1]), *_rules(headers, variant)))
        elif readers:
            readers[-1].read(number, line)
        else:
            errors.append(ReadError(number, line, "text before the first game"))
    if length is None:
        errors.append(ReadError(1, "", "no line says how long the match is"))
        length = MONEY
    if length == _GALAXY_MONEY_LENGTH and "galaxy" in headers.get("Site", "").lower():
        length = MONEY
    if not readers:
        errors.append(ReadError(1, "", "there is no game"))
    named = next((one.players for one in readers if one.players), None)
    crawford = headers.get("Crawford", "On").lower() != "off"
    crawfords = crawford_games(length if crawford else MONEY, (one.score for one in readers))
    return Match(
        length,
        _players(headers, named),
        tuple(
            one.game(is_crawford) for one, is_crawford in zip(readers, crawfords, strict=True)
        ),
        MappingProxyType(headers),
        tuple(errors),
        rules=(variant or variant_named("short")).name,
        crawford=crawford,
        jacoby=headers.get("Jacoby", "Off").lower() == "on",
    )


def _named_variant(headers: dict[str, str], errors: list[ReadError]) -> Variant | None:
    """Return the rule set the headers name; long nardy without one is played by the default."""
    name = headers.get("Ruleset")
    if name is not None:
        try:
            return variant_named(name)
        except VariantError as error:
            errors.append(ReadError(1, f'[Ruleset "{name}"]', str(error)))
    is_long = headers.get("Variation", "").lower().startswith("long")
    return DEFAULT if is_long else None


def _rules(headers: dict[str, str], variant: Variant | None) -> tuple[Variant, Position]:
    rules = variant or variant_named("short")
    if rules.hits and headers.get("Variation", "").lower() == "nackgammon":
        return rules, NACKGAMMON
    return rules, start_position(rules)


def _players(headers: dict[str, str], named: tuple[str, str] | None) -> tuple[str, str]:
    """Take the names of the games' own lines, or the headers' where those are only longer.

    A name in a game's line ends where GNU Backgammon would cut it.
    """
    told = (headers.get("Player 1", ""), headers.get("Player 2", ""))
    if named is None:
        return told
    white, black = (
        long if fitting_name(long) == short else short
        for long, short in zip(told, named, strict=True)
    )
    return white, black


# --- one line ---------------------------------------------------------------------------------

_HEADER = re.compile(r'\s*[;#]\s*\[\s*([^"]+?)\s*"(.*)"\s*\]')
_LENGTH = re.compile(r"\s*(\d{1,6})\s+points?\s+match\b", re.IGNORECASE)
_GAME = re.compile(r"\s*Game\s+(\d{1,6})\s*$", re.IGNORECASE)
_PLAYERS = re.compile(r"\s*(.*?)\s*:\s*(\d{1,6})\s+(\S.*?)\s*:\s*(\d{1,6})\s*$")
_ROW = re.compile(r"\s*\d+\)")
_HOP = r"(?:bar|\d\d?)\*?(?:/(?:bar|off|\d\d?)\*?)+(?:\(\d\))?"
_ACTION = re.compile(
    rf"""
      (?P<roll>[1-6]{{2}}):\s*
      (?: (?P<unsaid>\?+)
        | illegal\s+play\s*\((?P<board>[^()]*(?:\([^()]*\)[^()]*)*)\)
        | (?P<hops>(?:{_HOP}\s+)*) (?:can(?:no|')t\ move|no\ move|pass(?:es)?|dance[sd]?)?
      )(?:(?<=\s)|(?!\S))
    | (?:re)?doubles?(?:\s*=>\s*(?P<cube>\d{{1,6}}))?(?!\S)
    | (?:beavers?|raccoons?)(?:\s*=>\s*(?P<beaver>\d{{1,6}}))?(?!\S)
    | (?P<take>takes?|accepts?)(?!\S)
    | (?P<drop>drops?|rejects?|passes)(?!\S)
    | (?P<resign>loses|losses|resigns)(?:\s+(?P<lost>\d{{1,6}})\s+points?)?(?!\S)
    | wins\s+(?P<won>\d{{1,6}})\s+points?(?P<last>\s+and\s+the\s+match)?(?!\S)
    | (?P<draw>draw)(?!\S)
    """,
    re.IGNORECASE | re.VERBOSE,
)


def _actions(row: str) -> Iterator[tuple[Color, "re.Match[str]"]]:
    """Split the text after a row's number into actions and say in whose column each stands."""
    # The hops of a roll are told apart by the space after each; the last one needs it too.
    text, at = row.rstrip() + " ", 0
    color: Color | None = None
    while at < len(text):
        gap = len(text) - at - len(text[at:].lstrip())
        at += gap
        if at == len(text):
            return
        found = _ACTION.match(text, at)
        if found is None:
            raise TranscriptError(f"cannot read {text[at:].strip()!r}")
        if color is None:
            color = Color.BLACK if gap >= _RIGHT_COLUMN_GAP else Color.WHITE
        elif color is Color.WHITE:
            color = Color.BLACK
        else:
            raise TranscriptError(f"a third action in one row: {text[at:].strip()!r}")
        yield color, found
        at = found.end()


def _hops(text: str) -> tuple[Hop, ...]:
    """Read `bar/22* 13/7(2) 24/18*/13` into single hops."""
    hops: list[Hop] = []
    for word in text.lower().split():
        way, _, times = word.partition("(")
        stops = [(_slot(stop.rstrip("*")), stop.endswith("*")) for stop in way.split("/")]
        once = [Hop(a, b, hit) for (a, _), (b, hit) in itertools.pairwise(stops)]
        for hop in once:
            if not OFF <= hop.target < hop.source <= BAR:
                raise TranscriptError(f"no checker moves from {hop.source} to {hop.target}")
        hops += once * (int(times.rstrip(")")) if times else 1)
    return tuple(hops)


def _slot(text: str) -> int:
    return BAR if text == "bar" else OFF if text == "off" else int(text)


# --- one game ---------------------------------------------------------------------------------


class _GameReader:
    """Collects the lines of one game and plays it on a board as they come."""

    def __init__(self, number: int, variant: Variant, start: Position) -> None:
        self._number = number
        self._variant = variant
        self._start = start
        self._table = Table(start)
        self._actions: list[Action] = []
        self._result: GameResult | None = None
        self._error: ReadError | None = None
        self._score: tuple[int, int] | None = None
        self.players: tuple[str, str] | None = None

    @property
    def score(self) -> tuple[int, int]:
        """The score before the game."""
        return self._score or (0, 0)

    def read(self, number: int, line: str) -> None:
        """Take the next line; after an error the rest of the game is passed over."""
        if self._error:
            return
        try:
            self._read(line)
        except TranscriptError as broken:
            self._error = ReadError(number, line.rstrip(), str(broken))

    def game(self, is_crawford: bool) -> Game:
        """Return what was read."""
        return Game(
            self._number,
            self.score,
            self._start,
            tuple(self._actions),
            self._result,
            self._error,
            crawford=is_crawford,
        )

    def _read(self, line: str) -> None:
        if row := _ROW.match(line):
            line = line[row.end() :]
        elif self._score is None and (found := _PLAYERS.match(line)):
            self.players = (found[1], found[3])
            self._score = (int(found[2]), int(found[4]))
            return
        for color, found in list(_actions(line)):  # all of a row or nothing
            self._take(color, found)

    def _take(self, color: Color, found: "re.Match[str]") -> None:
        if found["won"]:
            self._resigned(color.other)
            self._result = GameResult(color, int(found["won"]), bool(found["last"]))
            return
        if self._result:
            raise TranscriptError("the game goes on after it was won")
        if found["draw"]:
            self._result = GameResult(None, 0, ends_match=False)
            return
        self._add(self._rolled(color, found) if found["roll"] else _without_dice(color, found))

    def _rolled(self, color: Color, found: "re.Match[str]") -> Action:
        roll = Roll(int(found["roll"][0]), int(found["roll"][1]))
        if self._table.offered is not None and self._table.beavers:
            self._add(Take(color))  # left out after a beaver: to roll is to take it
        before = self._table.position
        if found["unsaid"]:
            return Resign(color, None, roll)
        if found["board"] is not None:
            left = position_of_text(found["board"], color)
            return play_between(before, color, roll, left, self._variant)
        return carry_out(before, color, roll, _hops(found["hops"] or ""), self._variant)

    def _add(self, action: Action) -> None:
        self._table = after(self._table, action)
        self._actions.append(action)

    def _resigned(self, loser: Color) -> None:
        """Read a game won in its middle, or a playable roll left unplayed, as given up."""
        match self._actions:
            case [*_, Play(color=color, roll=roll, hops=(), lawful=False)] if color is loser:
                self._actions[-1] = Resign(color, None, roll)
            case [*_, Resign() | Drop()]:
                pass
            case _ if self._table.position.off(loser.other) < CHECKERS:
                self._actions.append(Resign(loser, None))


def _without_dice(color: Color, found: "re.Match[str]") -> Action:
    if found["take"]:
        return Take(color)
    if found["drop"]:
        return Drop(color)
    if found["resign"]:
        return Resign(color, int(found["lost"]) if found["lost"] else None)
    value = found["cube"] or found["beaver"]
    return Double(color, int(value) if value else None)
