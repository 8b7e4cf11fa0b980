"""The syntax of Smart Game Format (FF[4]): trees of nodes of properties.

Only the main line of each tree is kept. A tree that breaks off is kept up to the break, and
reading goes on with the next root node, so one broken game does not lose the others.

Source: red-bean.com/sgf, FF[4].
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from recording.transcript import ReadError

_SPACE = re.compile(r"\s*")
_NAME = re.compile(r"[A-Za-z]+")
# Possessive: a value without an end is given up at once.
_VALUE = re.compile(r"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", re.DOTALL)
# A root node has FF or GM among its first properties; bounded, for any text may be asked.
_ROOT = re.compile(r"\(\s*;\s*(?:[A-Za-z]{1,8}\[[^\]]{0,60}\]\s*){0,5}?(?:FF|GM)\s{0,4}\[")
_MOST_BROKEN = 200
"""After so many broken games the text is taken for something else."""
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Node:
    """One node: its properties with their raw values, and where it stands."""

    line: int
    """Counted from 1."""
    text: str
    """As written."""
    properties: dict[str, tuple[str, ...]]

    def first(self, name: str) -> str | None:
        """Return a property's first value, None without one."""
        values = self.properties.get(name)
        return values[0] if values else None


@dataclass(frozen=True, slots=True)
class Tree:
    """The main line of a game tree, root first, and the place where it breaks off."""

    nodes: tuple[Node, ...]
    error: ReadError | None = None


def parse_trees(text: str) -> Iterator[Tree]:
    """Read every game tree of a collection; text between trees is passed over."""
    lines = [match.start() for match in re.finditer("\n", text)]
    at = broken = 0
    while broken < _MOST_BROKEN and (start := text.find("(", at)) >= 0:
        if not _node_follows(text, start + 1):
            at = start + 1
            continue
        reading = _Reading(text, lines, start)
        tree, at = reading.tree()
        broken += tree.error is not None
        yield tree


def plain_text(value: str) -> str:
    """Undo the escapes of a text value; an escaped line end joins the lines."""
    return _ESCAPE.sub(lambda found: "" if found[1].strip() == "" else found[1], value)


def escaped(text: str) -> str:
    """Escape a text value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _node_follows(text: str, at: int) -> bool:
    space = _SPACE.match(text, at)
    return space is not None and text.startswith(";", space.end())


@dataclass(slots=True)
class _Reading:
    text: str
    line_ends: list[int]
    at: int
    depth: int = 0
    main_line_ended: bool = False
    nodes: list[Node] = field(default_factory=list)

    def tree(self) -> tuple[Tree, int]:
        """Read from an opening bracket to its close, or to where it breaks."""
        while True:
            self._pass_space()
            if self.at >= len(self.text):
                return self._broken(self.at, "the game's closing bracket is missing")
            sign = self.text[self.at]
            if sign == "(":
                if self.depth and _ROOT.match(self.text, self.at):
                    return self._broken(self.at, "the game's closing bracket is missing")
                self.depth += 1
                self.at += 1
            elif sign == ")":
                self.depth -= 1
                self.at += 1
                # What follows the first closed branch are variations of the main line.
                self.main_line_ended = True
                if self.depth == 0:
                    return Tree(tuple(self.nodes)), self.at
            elif sign == ";":
                start = self.at
                if problem := self._node():
                    return self._broken(start, problem, resume=self.at)
            else:
                return self._broken(self.at, f"{sign!r} cannot stand here")

    def _node(self) -> str | None:
        """Read one node; return what is wrong with it, None if nothing."""
        start = self.at
        self.at += 1
        properties: dict[str, list[str]] = {}
        while True:
            self._pass_space()
            name = _NAME.match(self.text, self.at)
            if name is None:
                break
            self.at = name.end()
            values = []
            while True:
                self._pass_space()
                value = _VALUE.match(self.text, self.at)
                if value is None:
                    break
                values.append(value[1])
                self.at = value.end()
            if self.text.startswith("[", self.at):
                self.at += 1
                return f"the value of {name[0]} does not end"
            if not values:
                return f"{name[0]} has no value"
            # FF[1–3] let names have small letters that mean nothing.
            key = "".join(letter for letter in name[0] if letter.isupper()) or name[0]
            properties.setdefault(key, []).extend(values)
        if not self.main_line_ended:
            written = self.text[start : self.at].strip()
            told = {name: tuple(values) for name, values in properties.items()}
            self.nodes.append(Node(self._line(start), written, told))
        return None

    def _broken(self, at: int, problem: str, resume: int | None = None) -> tuple[Tree, int]:
        line = self._line(min(at, max(0, len(self.text) - 1)))
        begin = self.text.rfind("\n", 0, at) + 1
        end = self.text.find("\n", at)
        written = self.text[begin : end if end >= 0 else len(self.text)].strip()
        following = _ROOT.search(self.text, at if resume is None else resume)
        go_on = following.start() if following else len(self.text)
        return Tree(tuple(self.nodes), ReadError(line, written[:200], problem)), go_on

    def _pass_space(self) -> None:
        space = _SPACE.match(self.text, self.at)
        if space is not None:
            self.at = space.end()

    def _line(self, at: int) -> int:
        return bisect_right(self.line_ends, at - 1) + 1
