"""Read matches from Smart Game Format files (GM[6]), as GNU Backgammon writes them.

Each game is a tree of its own. White is `W`, the left player of a .mat file; letters name
points, `a` White's 1 and Black's 24 … `x`, `y` the bar, `z` off. A roll and its hops are one
value, `W[31hefe]`; `W[double]`, `W[take]`, `W[drop]` are the cube. `DI` is a roll that was not
played: before a resignation, or before a wrong play that is given as the board it left.
Analysis and anything unknown is passed over.

Source: red-bean.com/sgf/backgammon.html and the files of GNU Backgammon 1.07 and 1.08.
"""

import codecs
import re
from collections import Counter
from pathlib import Path
from types import MappingProxyType
from typing import Final

from recording.boards import NACKGAMMON
from recording.sgf_tree import Node, Tree, parse_trees, plain_text
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
    ReadError,
    Resign,
    SetUp,
    Take,
    TranscriptError,
    carry_out,
    play_between,
)
from recording.walk import Table, after
from rules import CHECKERS, Color, Position, PositionError, Roll, Variant, variant_named
from rules.start import start_position

_HEADERS: Final = {
    "EV": "Event",
    "RO": "Round",
    "PC": "Site",
    "AN": "Transcriber",
    "WR": "White rating",
    "BR": "Black rating",
}
_COLORS: Final = {"W": Color.WHITE, "B": Color.BLACK}
_POINTS: Final = "abcdefghijklmnopqrstuvwx"
_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]+)\s*\]")
_PLAY = re.compile(r"([1-6])([1-6])((?:[a-y][a-z])*)\Z")
_RESULT = re.compile(r"([WB])\+(\d{1,6})(R?)", re.IGNORECASE)
_INFO = re.compile(r"(length|game|ws|bs):(\d{1,6})\Z")
_HEADER_LINE = re.compile(r'\[\s*([^"]+?)\s*"(.*)"\s*\]\Z')
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NO_MATCH_GAMES: Final = "Hypergammon"


def read_sgf(path: Path) -> Match:
    """Read an .sgf file in the encoding it names; without one in UTF-8, else in Latin-1.

    Raises:
        OSError: the file cannot be read.
    """
    return parse_sgf(decode_sgf(path.read_bytes()))


def decode_sgf(data: bytes) -> str:
    """Turn a file's bytes into text."""
    named = _CHARSET.search(data[:4096])
    for charset in ("utf-8-sig", named[1].decode("ascii") if named else "latin-1", "latin-1"):
        try:
            if codecs.lookup(charset):
                return data.decode(charset)
        except (UnicodeError, LookupError):
            continue
    return data.decode("latin-1")


def parse_sgf(text: str) -> Match:
    """Read the text of an .sgf file.

    Returns:
        What could be read. Broken places are values: `Game.error` and `Match.errors`.
    """
    trees = list(parse_trees(text))
    readers: list[_GameReader] = []
    errors: list[ReadError] = []
    for tree in trees:
        if not tree.nodes:
            errors.append(tree.error or ReadError(1, "", "an empty game"))
        elif (tree.nodes[0].first("GM") or "").strip() != "6":
            node = tree.nodes[0]
            errors.append(ReadError(node.line, node.text[:200], "no game of backgammon, GM[6]"))
        else:
            readers.append(_GameReader(tree, len(readers)))
    if not readers:
        errors.append(ReadError(1, text[:40].strip(), "there is no game"))
    headers: dict[str, str] = {}
    for one in reversed(readers):
        headers |= one.headers
    whole = [one for one in readers if one.length is not None]
    return Match(
        (whole[0].length if whole else None) or MONEY,
        _players(readers, headers),
        tuple(one.game for one in readers),
        MappingProxyType(headers),
        tuple(errors),
        crawford=any("Crawford" in one.rules for one in readers),
        jacoby=any("Jacoby" in one.rules for one in readers),
    )


def _players(readers: "list[_GameReader]", headers: dict[str, str]) -> tuple[str, str]:
    names = []
    for number, side in enumerate(("PW", "PB"), 1):
        told = [one.root.first(side) for one in readers]
        short = plain_text(next((name for name in told if name), ""))
        names.append(headers.pop(f"Player {number}", short))
    return names[0], names[1]


# --- one game ---------------------------------------------------------------------------------


class _GameReader:
    """Reads one tree and plays it on a board as it goes."""

    def __init__(self, tree: Tree, index: int) -> None:
        self.root = tree.nodes[0]
        self.rules = (self.root.first("RU") or "").split(":")
        self.headers = _headers(self.root)
        info = _info(self.root)
        self.length = info.get("length")
        self._variant: Variant = variant_named("short")
        self._start = (
            NACKGAMMON if "Nackgammon" in self.rules else start_position(self._variant)
        )
        self._table = Table(self._start, _cube(self.root.first("CV")) or 1)
        self._cube = self._table.cube
        self._actions: list[Action] = []
        self._notes: dict[int, str] = {}
        self._roll: tuple[Color, Roll] | None = None
        error = self._read(tree.nodes[1:]) or tree.error
        self._finish()
        self.game = Game(
            info.get("game", index) + 1,
            (info.get("ws", 0), info.get("bs", 0)),
            self._start,
            tuple(self._actions),
            None if error else self._result(),
            error,
            crawford="CrawfordGame" in self.rules,
            cube=self._cube,
            notes=MappingProxyType(self._notes),
        )

    def _read(self, nodes: tuple[Node, ...]) -> ReadError | None:
        if any(rule.startswith(_NO_MATCH_GAMES) for rule in self.rules):
            return ReadError(self.root.line, self.root.text[:200], "no game of 15 checkers")
        self._note(self.root, -1)
        for node in nodes:
            try:
                self._take(node)
            except (TranscriptError, PositionError) as broken:
                return ReadError(node.line, node.text[:200], str(broken))
        return None

    def _note(self, node: Node, index: int) -> None:
        if note := node.first("C"):
            self._notes[index] = plain_text(note).strip()

    def _take(self, node: Node) -> None:
        played = [(side, node.first(side)) for side in _COLORS if side in node.properties]
        put_up = not node.properties.keys().isdisjoint(("AE", "AW", "AB", "CV", "CP"))
        if put_up:
            self._put_up(node)
        if roll := node.first("DI"):
            self._roll = self._waiting(node, roll)
        for side, value in played:
            self._act(_COLORS[side], (value or "").strip())
        if played or put_up:
            self._note(node, len(self._actions) - 1)

    def _act(self, color: Color, value: str) -> None:
        self._roll = None
        word = value.lower()
        if word == "double":
            self._add(Double(color, None))
        elif word == "take":
            self._add(Take(color))
        elif word in ("drop", "pass"):
            self._add(Drop(color))
        elif found := _PLAY.match(word):
            roll = Roll(int(found[1]), int(found[2]))
            pairs = [found[3][at : at + 2] for at in range(0, len(found[3]), 2)]
            hops = tuple(_hop(pair, color) for pair in pairs)
            self._add(carry_out(self._table.position, color, roll, hops, self._variant))
        else:
            raise TranscriptError(f"cannot read {value!r}")

    def _waiting(self, node: Node, value: str) -> tuple[Color, Roll]:
        found = _PLAY.match(value.strip())
        if not found or found[3]:
            raise TranscriptError(f"{value!r} is no roll")
        side = _COLORS.get((node.first("PL") or "")[:1].upper())
        return side or self._next_to_move(), Roll(int(found[1]), int(found[2]))

    def _next_to_move(self) -> Color:
        last = self._actions[-1] if self._actions else None
        return Color.WHITE if last is None or isinstance(last, SetUp) else last.color.other

    def _put_up(self, node: Node) -> None:
        position = _changed(self._table.position, node)
        cube = _cube(node.first("CV")) or self._table.cube
        owner = self._table.owner
        if told := node.first("CP"):
            owner = _COLORS.get(told[:1].upper())
        same_cube = (cube, owner) == (self._table.cube, self._table.owner)
        if self._roll and same_cube:
            color, roll = self._roll
            self._roll = None
            before = self._table.position
            self._add(play_between(before, color, roll, position, self._variant))
        elif not self._actions and owner is None:
            self._start, self._cube = position, cube
            self._table = Table(position, cube)
        else:
            self._add(SetUp(position, cube, owner))

    def _add(self, action: Action) -> None:
        self._table = after(self._table, action)
        self._actions.append(action)

    def _finish(self) -> None:
        """Add the resignation that the root node tells."""
        found = _RESULT.match(self.root.first("RE") or "")
        if not found or not found[3]:
            return
        loser = _COLORS[found[1].upper()].other
        roll = self._roll[1] if self._roll and self._roll[0] is loser else None
        self._actions.append(Resign(loser, int(found[2]), roll))

    def _result(self) -> GameResult | None:
        found = _RESULT.match(self.root.first("RE") or "")
        if not found:
            return None
        winner, points = _COLORS[found[1].upper()], int(found[2])
        info = _info(self.root)
        before = info.get("ws" if winner is Color.WHITE else "bs", 0)
        length = self.length or MONEY
        return GameResult(winner, points, ends_match=before + points >= length != MONEY)


def _headers(root: Node) -> dict[str, str]:
    headers = {
        name: plain_text(value) for key, name in _HEADERS.items() if (value := root.first(key))
    }
    if date := _DATE.match(root.first("DT") or ""):
        headers["EventDate"] = f"{date[1]}.{int(date[2]):02d}.{int(date[3]):02d}"
    comment = []
    for line in plain_text(root.first("GC") or "").splitlines():
        # A header of a .mat file that has no property of its own.
        if found := _HEADER_LINE.match(line.strip()):
            headers[found[1]] = found[2]
        elif line.strip():
            comment.append(line.strip())
    if comment:
        headers["Comment"] = " ".join(comment)
    return headers


def _info(root: Node) -> dict[str, int]:
    values = root.properties.get("MI", ())
    return {found[1]: int(found[2]) for value in values if (found := _INFO.match(value))}


def _cube(value: str | None) -> int | None:
    if value is None or not value.strip().isdecimal():
        return None
    return int(value)


def _hop(pair: str, color: Color) -> Hop:
    hop = Hop(_own(pair[0], color), _own(pair[1], color))
    if hop.target >= hop.source:
        raise TranscriptError(f"no checker moves from {hop.source} to {hop.target}")
    return hop


def _own(letter: str, color: Color) -> int:
    """Return the mover's own number of a point."""
    if letter == "y":
        return BAR
    if letter == "z":
        return OFF
    number = _POINTS.index(letter) + 1
    return number if color is Color.WHITE else 25 - number


def _changed(position: Position, node: Node) -> Position:
    """Return a position with the checkers a node takes away and adds."""
    sides = {}
    for color in Color:
        counts = Counter({point: n for point, side, n in position.occupied() if side is color})
        sides[color] = Counter({int(point): n for point, n in counts.items()})
        sides[color][BAR] = position.bar(color)
    for place in _list_of_points(node, "AE"):
        for counts_of_side in sides.values():
            counts_of_side[place] = 0
    for name, color in (("AW", Color.WHITE), ("AB", Color.BLACK)):
        sides[color].update(_list_of_points(node, name))
    white, black = sides[Color.WHITE], sides[Color.BLACK]
    off = (CHECKERS - white.total(), CHECKERS - black.total())
    bar = (white.pop(BAR, 0), black.pop(BAR, 0))
    return Position.of(white, black, off=off, bar=bar)


def _list_of_points(node: Node, name: str) -> list[int]:
    """Return absolute points, 25 the bar, of values such as `f` and `a:y`."""
    places: list[int] = []
    for value in node.properties.get(name, ()):
        first, _, last = value.strip().partition(":")
        letters = _POINTS + "y"
        if len(first) != 1 or first not in letters or (last or first) not in letters:
            raise TranscriptError(f"{name}[{value}] names no point")
        begin, end = letters.index(first), letters.index(last or first)
        places += range(begin + 1, end + 2)
    return places
