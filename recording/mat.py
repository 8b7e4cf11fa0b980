"""Read match files in the .mat text format, as three programs write it.

The dialects differ in small things and one reader takes them all:

- GNU Backgammon: `0` off, `25` bar, one hop a move, a roll with nothing after it is a dance.
- Backgammon Galaxy: the same numbers, hits carry no star, `Losses 3 point` is a resignation,
  and a "16 point match" is its money session.
- Backgammon Studio: `bar`, `off`, `(2)` repeats a hop, hops are joined (`22/13`),
  `Cannot Move`, `????` for a player who resigned after rolling.

Every play is carried out on the board, so a file that contradicts itself is found
where it does. A game is kept up to such a place and those after it are read all the same.
"""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Final

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
)
from rules import Color, Roll, Variant, variant_named
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
        variant: the rule set played, None for `short`. Long nardy is in own-view numbers.

    Returns:
        What could be read. Broken places are values: `Game.error` and `Match.errors`.
    """
    rules = variant or variant_named("short")
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
            readers.append(_GameReader(int(found[1]), rules))
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
    players = named or (headers.get("Player 1", ""), headers.get("Player 2", ""))
    return Match(
        length,
        players,
        tuple(one.game() for one in readers),
        MappingProxyType(headers),
        tuple(errors),
    )


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
        | (?P<hops>(?:{_HOP}\s+)*) (?:can(?:no|')t\ move|no\ move|pass(?:es)?|dance[sd]?)?
      )(?:(?<=\s)|(?!\S))
    | (?:re)?doubles?(?:\s*=>\s*(?P<cube>\d{{1,6}}))?(?!\S)
    | beavers?(?:\s*=>\s*(?P<beaver>\d{{1,6}}))?(?!\S)
    | (?P<take>takes?|accepts?)(?!\S)
    | (?P<drop>drops?|rejects?|passes)(?!\S)
    | (?P<resign>loses|losses|resigns)(?:\s+(?P<lost>\d{{1,6}})\s+points?)?(?!\S)
    | wins\s+(?P<won>\d{{1,6}})\s+points?(?P<last>\s+and\s+the\s+match)?(?!\S)
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

    def __init__(self, number: int, variant: Variant) -> None:
        self._number = number
        self._variant = variant
        self._start = self._position = start_position(variant)
        self._actions: list[Action] = []
        self._result: GameResult | None = None
        self._error: ReadError | None = None
        self._score: tuple[int, int] | None = None
        self.players: tuple[str, str] | None = None

    def read(self, number: int, line: str) -> None:
        """Take the next line; after an error the rest of the game is passed over."""
        if self._error:
            return
        try:
            self._read(line)
        except TranscriptError as broken:
            self._error = ReadError(number, line.rstrip(), str(broken))

    def game(self) -> Game:
        """Return what was read."""
        return Game(
            self._number,
            self._score or (0, 0),
            self._start,
            tuple(self._actions),
            self._result,
            self._error,
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
            self._resigned_after_rolling()
            self._result = GameResult(color, int(found["won"]), bool(found["last"]))
            return
        if self._result:
            raise TranscriptError("the game goes on after it was won")
        if not found["roll"]:
            self._actions.append(_without_dice(color, found))
            return
        roll = Roll(int(found["roll"][0]), int(found["roll"][1]))
        if found["unsaid"]:
            self._actions.append(Resign(color, None, roll))
            return
        hops = _hops(found["hops"] or "")
        play = carry_out(self._position, color, roll, hops, self._variant)
        self._position = play.after
        self._actions.append(play)

    def _resigned_after_rolling(self) -> None:
        """Read a playable roll left unplayed at the end as GNU Backgammon means it."""
        match self._actions:
            case [*_, Play(color=color, roll=roll, hops=(), lawful=False)]:
                self._actions[-1] = Resign(color, None, roll)


def _without_dice(color: Color, found: "re.Match[str]") -> Action:
    if found["take"]:
        return Take(color)
    if found["drop"]:
        return Drop(color)
    if found["resign"]:
        return Resign(color, int(found["lost"]) if found["lost"] else None)
    value = found["cube"] or found["beaver"]
    return Double(color, int(value) if value else None)
