"""The rules of long and short nardy as a pure core: standard library only.

One engine plays every rule set; a set is a `Variant`, a value. Nothing here does I/O, looks at
a clock or draws a random number.
"""

from rules.board import CHECKERS, Color, Point, Position, Spot
from rules.dice import Roll
from rules.errors import ActionError, PositionError, RollError, RulesError, VariantError
from rules.judge import Judgement, Verdict, judge_play
from rules.law import Law
from rules.sets import DEFAULT, VARIANTS, variant_named
from rules.turns import Move, Turn, legal_turns
from rules.variant import Variant

__all__ = [
    "CHECKERS",
    "DEFAULT",
    "VARIANTS",
    "ActionError",
    "Color",
    "Judgement",
    "Law",
    "Move",
    "Point",
    "Position",
    "PositionError",
    "Roll",
    "RollError",
    "RulesError",
    "Spot",
    "Turn",
    "Variant",
    "VariantError",
    "Verdict",
    "judge_play",
    "legal_turns",
    "variant_named",
]
