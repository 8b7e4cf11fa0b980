"""The positions games begin with."""

from rules.board import Position
from rules.variant import Variant

_LONG = Position.of({24: 15}, {12: 15})
_SHORT = Position.of({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 17: 3, 19: 5})


def start_position(variant: Variant) -> Position:
    """Return the start position of a rule set."""
    return _SHORT if variant.hits else _LONG
