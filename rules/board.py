"""Sides, points and positions.

A position is kept like a chess bitboard: one integer a side, four bits a place (0 off,
1–24 absolute points, 25 bar). Fifteen checkers fit four bits, whole positions compare and hash
as two integers, and the engine moves a checker with one subtraction and one addition. Callers
use `count`, `off`, `bar`, `occupied` and the exchange format and never see the packing.

Source: spec of the exchange format in docs/reference/exchange-format.md.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final, NewType, TypeAlias

from rules.errors import PositionError

CHECKERS: Final = 15
Point = NewType("Point", int)
"""An absolute point, 1–24: White's own numbers."""
JsonPosition: TypeAlias = dict[str, dict[str, str] | dict[str, int]]
"""The exchange format of a position."""


class Spot(Enum):
    """Places beside the 24 points."""

    BAR = "bar"
    OFF = "off"


Source: TypeAlias = Point | Spot
Target: TypeAlias = Point | Spot


class Color(StrEnum):
    """A side of the game. Which checkers on the table play White is the table's business."""

    WHITE = "w"
    BLACK = "b"

    @property
    def other(self) -> "Color":
        """The opponent."""
        return Color.BLACK if self is Color.WHITE else Color.WHITE


OFF_SLOT: Final = 0
BAR_SLOT: Final = 25
_POINT_KEY = re.compile(r"(?:[1-9]|1[0-9]|2[0-4])\Z", re.ASCII)
_STACK = re.compile(r"([wb])([0-9]{1,2})\Z", re.ASCII)
# Entry texts of the exchange format, built once: answers with hundreds of positions are common.
_KEYS: Final = tuple(str(point) for point in range(26))
_STACKS: Final = {
    Color.WHITE: {f"{n:x}": f"w{n}" for n in range(1, 16)},
    Color.BLACK: {f"{n:x}": f"b{n}" for n in range(1, 16)},
}


@dataclass(frozen=True, slots=True)
class Position:
    """Where all thirty checkers are. Build with `from_json` or `of`, which check."""

    white: int
    """White's checkers, packed."""
    black: int
    """Black's checkers, packed."""

    @classmethod
    def of(
        cls,
        white: Mapping[int, int],
        black: Mapping[int, int],
        *,
        off: tuple[int, int] = (0, 0),
        bar: tuple[int, int] = (0, 0),
    ) -> "Position":
        """Build from counts per absolute point.

        Args:
            white: point → number of White's checkers.
            black: the same for Black.
            off: borne off, White and Black.
            bar: on the bar, White and Black.

        Raises:
            PositionError: not 15 a side, a point outside 1–24, or one held by both sides.
        """
        both = white.keys() & black.keys()
        shared = sorted(p for p in both if white[p] and black[p])
        if shared:
            raise PositionError(f"point {shared[0]} cannot hold both sides")
        return cls(
            _pack("White", white, off[0], bar[0]),
            _pack("Black", black, off[1], bar[1]),
        )

    @classmethod
    def from_json(cls, value: object) -> "Position":
        """Read the exchange format.

        Raises:
            PositionError: anything but a whole, possible position; says what is wrong.
        """
        if not isinstance(value, dict) or not isinstance(value.get("points"), dict):
            raise PositionError('a position is an object with "points"')
        unknown = sorted(str(key) for key in value.keys() - {"points", "off", "bar"})
        if unknown:
            raise PositionError(f'a position has "points", "off" and "bar", not "{unknown[0]}"')
        counts: dict[str, dict[int, int]] = {"w": {}, "b": {}}
        for key, stack in value["points"].items():
            if not isinstance(key, str) or not _POINT_KEY.match(key):
                raise PositionError(f'points are "1" to "24", not {key!r}')
            match = _STACK.match(stack) if isinstance(stack, str) else None
            if match is None:
                raise PositionError(f'point {key} holds "w" or "b" and a number, not {stack!r}')
            counts[match[1]][int(key)] = int(match[2])
        return cls.of(
            counts["w"],
            counts["b"],
            off=_pair(value.get("off"), "off"),
            bar=_pair(value.get("bar"), "bar"),
        )

    def to_json(self, *, with_bar: bool | None = None) -> JsonPosition:
        """Write the exchange format.

        Args:
            with_bar: whether to name the bar; None: only when a checker lies on it.
        """
        white_digits, black_digits = f"{self.white:026x}", f"{self.black:026x}"
        white_text, black_text = _STACKS[Color.WHITE], _STACKS[Color.BLACK]
        points: dict[str, str] = {}
        for slot in range(24, 0, -1):
            digit = white_digits[25 - slot]
            if digit != "0":
                points[_KEYS[slot]] = white_text[digit]
            else:
                digit = black_digits[25 - slot]
                if digit != "0":
                    points[_KEYS[slot]] = black_text[digit]
        answer: JsonPosition = {
            "points": points,
            "off": {"w": self.white & 15, "b": self.black & 15},
        }
        bar = {"w": self.white >> 100, "b": self.black >> 100}
        if with_bar or (with_bar is None and any(bar.values())):
            answer["bar"] = bar
        return answer

    def packed(self, color: Color) -> int:
        """Return one side's packed checkers."""
        return self.white if color is Color.WHITE else self.black

    def count(self, color: Color, point: int) -> int:
        """Return how many checkers of a side stand on an absolute point."""
        return (self.packed(color) >> (4 * point)) & 15 if 1 <= point <= 24 else 0

    def off(self, color: Color) -> int:
        """Return how many checkers a side has borne off."""
        return self.packed(color) & 15

    def bar(self, color: Color) -> int:
        """Return how many checkers of a side are on the bar."""
        return self.packed(color) >> 100

    def occupied(self) -> Iterator[tuple[Point, Color, int]]:
        """Yield (point, side, count), highest point first."""
        both = (self.white | self.black) >> 4 & (1 << 96) - 1
        while both:
            number = (both.bit_length() + 3) >> 2
            shift = 4 * number
            both &= (1 << (shift - 4)) - 1
            count = self.white >> shift & 15
            if count:
                yield Point(number), Color.WHITE, count
            else:
                yield Point(number), Color.BLACK, self.black >> shift & 15

    def __str__(self) -> str:
        parts = [f"{point}:{color.value}{count}" for point, color, count in self.occupied()]
        for color in Color:
            parts += [f"bar:{color.value}{self.bar(color)}"] if self.bar(color) else []
            parts += [f"off:{color.value}{self.off(color)}"] if self.off(color) else []
        return " ".join(parts)


def _pack(side: str, counts: Mapping[int, int], off: int, bar: int) -> int:
    total = off + bar
    packed = off + (bar << 100)
    for point, count in counts.items():
        if not 1 <= point <= 24:
            raise PositionError(f"points are 1 to 24, not {point}")
        if count < 0:
            raise PositionError(f"point {point} cannot hold {count} checkers")
        total += count
        packed += count << (4 * point)
    if total != CHECKERS or off < 0 or bar < 0:
        raise PositionError(f"{side} has {total} checkers, must have {CHECKERS}")
    return packed


def _pair(value: object, name: str) -> tuple[int, int]:
    if value is None:
        return 0, 0
    if not isinstance(value, dict) or value.keys() - {"w", "b"}:
        raise PositionError(f'"{name}" is an object with "w" and "b"')
    counts = (value.get("w", 0), value.get("b", 0))
    if any(type(n) is not int or not 0 <= n <= CHECKERS for n in counts):
        raise PositionError(f'"{name}" holds numbers from 0 to {CHECKERS}')
    return counts
