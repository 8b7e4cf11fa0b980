"""The table's set-up: rule set, who is to throw, which checkers are White's, where point 24 is.

Read from `setup.json`, product contract; the README of the replay how-to shows one.
"""

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from calibration.homography import GeometryError, board_from_image
from calibration.layout import BoardLayout, Corner, Direction, LayoutError
from rules import Color, Position, RulesError, Variant, variant_named
from rules.errors import PositionError
from vision.observation import Corners, Side
from zarbiter.corners import RequestError, checked_corners

_KEYS = {
    "rules", "turn", "light", "white_start", "direction", "board_corners", "position",
}  # fmt: skip


class SetupError(ValueError):
    """A set-up that cannot be; says which key and what it may hold."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How a replay begins."""

    variant: Variant
    turn: Color
    white: Side
    """Which checkers are White's."""
    layout: BoardLayout
    corners_px: Corners | None = None
    """None: found in the picture."""
    position: Position | None = None
    """The certain start; None: read from the first settled look."""


def read_setup(path: Path, rules: str | None = None) -> Setup:
    """Read a set-up file.

    Args:
        path: the file.
        rules: a rule set named on the command line, which overrides the file's.

    Raises:
        SetupError: unreadable, or a key that is unknown, missing or impossible.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SetupError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SetupError(f"{path} is not UTF-8 text") from error
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SetupError(f"{path.name} is not JSON: {error}") from error
    return parse_setup(value, path.name, rules)


def parse_setup(value: Any, name: str, rules: str | None = None) -> Setup:
    """Check a set-up's values.

    Raises:
        SetupError: a key that is unknown, missing or impossible.
    """
    if not isinstance(value, dict):
        raise SetupError(f"{name}: a set-up is a JSON object")
    unknown = sorted(value.keys() - _KEYS)
    if unknown:
        raise SetupError(f"{name}: no key {unknown[0]!r}; there are {', '.join(sorted(_KEYS))}")
    for key in ("turn", "light", "white_start"):
        if key not in value:
            raise SetupError(f"{name}: the key {key!r} is missing")
    for key in ("turn", "light"):
        if value[key] not in ("w", "b"):
            raise SetupError(f'{name}: {key} is "w" or "b", not {value[key]!r}')
    asked = rules or value.get("rules")
    if not isinstance(asked, str):
        raise SetupError(f"{name}: the key 'rules' is missing; or name a set with --rules")
    _check_word(name, "white_start", value["white_start"], Corner)
    if value.get("direction") is not None:
        _check_word(name, "direction", value["direction"], Direction)
    corners, position = value.get("board_corners"), value.get("position")
    try:
        variant = variant_named(asked)
        return Setup(
            variant=variant,
            turn=Color(value["turn"]),
            white=Side.LIGHT if value["light"] == "w" else Side.DARK,
            layout=BoardLayout.of(value["white_start"], value.get("direction")),
            corners_px=None if corners is None else _field(corners),
            position=None if position is None else _position(position, variant),
        )
    except (RulesError, LayoutError, RequestError, GeometryError) as error:
        raise SetupError(f"{name}: {error}") from error


def _check_word(name: str, key: str, value: object, words: type[StrEnum]) -> None:
    if value not in [word.value for word in words]:
        raise SetupError(f"{name}: {key} is one of {', '.join(words)}, not {value!r}")


def _position(value: object, variant: Variant) -> Position:
    position = Position.from_json(value)
    if not variant.hits and any(position.bar(color) for color in Color):
        raise PositionError(f"in {variant.name} nobody is hit: no checker can be on the bar")
    return position


def _field(value: object) -> Corners:
    corners = checked_corners(value)
    board_from_image(corners, 1.0, 1.0)  # raises where they make no field
    return corners
