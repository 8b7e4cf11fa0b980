"""A rule set as data: every law is a field, and one engine plays them all.

A set differs from its neighbour by values, never by code; `derive` changes single fields
("classic+block=in_home"). What each field means is told once, here, and shown to people by
`rules.sheet`. Source: ADR 0004; the texts behind each value are in `Variant.sources`.
"""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from rules.errors import VariantError


class Path(StrEnum):
    """How the two sides travel."""

    SAME_WAY = "same_way"
    """Long nardy: both the same way round, half a lap apart; nobody hits."""
    TOWARDS = "towards"
    """Short nardy: towards each other; a lone checker can be hit."""


class HeadException(StrEnum):
    """When a second checker may leave the head on a side's first turn."""

    NEVER = "never"
    BLOCKED_DOUBLE = "blocked_double"
    """3-3, 4-4 and 6-6, when one checker cannot play the whole roll."""
    ENEMY_HEAD = "enemy_head"
    """3-3, 4-4 and 6-6, when the enemy head is the first thing to stop one checker."""
    BLOCKED_ROLL = "blocked_roll"
    """Any roll that one checker cannot play in full."""
    ANY_DOUBLE = "any_double"
    """Any double, at will."""


class BlockLaw(StrEnum):
    """When six points in a row on the enemy's path may be held."""

    NONE = "none"
    """Always."""
    AHEAD = "ahead"
    """When an enemy checker has passed the block, or is off."""
    IN_HOME = "in_home"
    """When an enemy checker is in its home, or off."""
    ALL_HOME = "all_home"
    """When all enemy checkers are home or off."""


class DiceOrder(StrEnum):
    """In which order the two numbers are played."""

    FREE = "free"
    LARGER_FIRST = "larger_first"


class Opening(StrEnum):
    """How the first game begins."""

    HIGHER_THROWS_BOTH = "higher_throws_both"
    """One die each; the higher begins with a new throw of both dice."""
    HIGHER_PLAYS_BOTH = "higher_plays_both"
    """One die each; the higher plays the two numbers shown."""
    WHITE = "white"
    """White begins."""


class NextStart(StrEnum):
    """Who begins the next game."""

    LOT = "lot"
    WINNER = "winner"
    COLORS_SWAP = "colors_swap"
    """The players change colours and White, who had Black, begins."""


class EndOfGame(StrEnum):
    """When the game ends."""

    AT_ONCE = "at_once"
    LAST_THROW = "last_throw"
    """Black, if second, has one more throw; both off is a draw."""


class Unfinished(StrEnum):
    """What becomes of an unfinished or wrong play."""

    ACCEPT_OR_DEMAND = "accept_or_demand"
    """The opponent accepts it as it stands or demands a right one."""
    LEGAL_MOVES = "legal_moves"
    """It must be put right if seen before the next throw."""


class ThrownFrom(StrEnum):
    """What the dice are thrown from."""

    CUP = "cup"
    CUP_OR_HAND = "cup_or_hand"
    """A cup when the opponent asks for it."""
    UNSTATED = "unstated"


class EndOfTurn(StrEnum):
    """What ends a turn."""

    DICE_OR_CLOCK = "dice_or_clock"
    """The dice are handed over, or the clock is pressed."""
    DICE_LIFTED = "dice_lifted"
    """Taking up the dice; the opponent's throw accepts the play."""
    UNSTATED = "unstated"


class HalfLaw(StrEnum):
    """On which half the dice must lie."""

    ANY_SAME = "any_same"
    PLAYERS_RIGHT = "players_right"
    FREE = "free"
    """The halves do not matter."""


class DieCase(StrEnum):
    """How a throw with such a die is judged."""

    VALID = "valid"
    VOID = "void"
    ASK = "ask"
    """The text is silent: a person decides."""


@dataclass(frozen=True, slots=True)
class ThrowLaw:
    """When a throw counts."""

    half: HalfLaw = HalfLaw.ANY_SAME
    tilted: DieCase = DieCase.VOID
    """A die not flat: leaning on a wall, a checker or the other die, or on its edge."""
    die_on_checker: DieCase = DieCase.VOID
    """A die flat on top of a checker."""
    on_woodwork: DieCase = DieCase.VOID
    """A die on the rim or the bar."""
    touching: DieCase = DieCase.VALID
    """A flat die whose side touches a wall or a checker."""
    baffle_box: bool = False
    """Thrown through a baffle box: the half law is waived."""


@dataclass(frozen=True, slots=True)
class Points:
    """What a won game is worth; None: the outcome does not exist in this set."""

    oin: int = 1
    """The loser has borne off at least one."""
    mars: int = 2
    """The loser has borne off none."""
    koks: int | None = None
    """Mars, and a loser's checker still stands on its head (short: on the bar or in the
    winner's home)."""
    home_mars: int | None = None
    """Mars, and not all of the loser's checkers have come home."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One rule set. The field names are the parameters that `derive` accepts."""

    name: str
    title_ru: str
    title_en: str
    source: str
    """The text it follows."""
    path: Path = Path.SAME_WAY
    head: bool = True
    """One checker from the head a turn."""
    head_exception: HeadException = HeadException.NEVER
    block: BlockLaw = BlockLaw.AHEAD
    block_in_passing: bool = False
    """Whether a forbidden block that stands only between two moves breaks the law too."""
    order: DiceOrder = DiceOrder.FREE
    bear_off_same_turn: bool = True
    """Whether bearing off may begin in the turn in which the last checker comes home."""
    opening: Opening = Opening.HIGHER_THROWS_BOTH
    opening_takes_white: bool = False
    """Whether the winner of the opening throw takes White."""
    next_start: NextStart = NextStart.LOT
    end: EndOfGame = EndOfGame.AT_ONCE
    throw: ThrowLaw = ThrowLaw()
    thrown_from: ThrownFrom = ThrownFrom.CUP
    end_of_turn: EndOfTurn = EndOfTurn.DICE_OR_CLOCK
    unfinished: Unfinished = Unfinished.ACCEPT_OR_DEMAND
    touch_move: bool = False
    points: Points = Points()
    cube: bool = False
    beavers: bool = False
    """Whether a money game's taker may redouble at once."""
    crawford: bool = False
    jacoby: bool = False
    """Money games only: mars and koks count only once the cube was turned."""
    verified: bool = True
    """False: nobody with the printed text has confirmed it yet."""
    sources: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType({}), hash=False, compare=False
    )
    """Field → the text (T0…T4, P) its value comes from, where it is not `source`."""
    decisions: tuple[tuple[str, str, str], ...] = ()
    """(field, ru, en): values the text does not settle, and what was decided."""

    @property
    def hits(self) -> bool:
        """Whether checkers are hit and enter again from the bar."""
        return self.path is Path.TOWARDS

    def title(self, language: str) -> str:
        """Return the set's name in `ru` or `en`."""
        return self.title_ru if language == "ru" else self.title_en


_GROUPS = {"throw": ThrowLaw, "points": Points}
_FIXED = {
    "name", "title_ru", "title_en", "source", "path", "verified", "sources", "decisions",
}  # fmt: skip
_YES_NO = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def parameters() -> dict[str, str]:
    """Return the parameters that `derive` accepts, each with the values it takes."""
    table: dict[str, str] = {}
    for holder in (Variant, ThrowLaw, Points):
        for one in dataclasses.fields(holder):
            if one.name in _FIXED or one.name in _GROUPS:
                continue
            if isinstance(one.type, type) and issubclass(one.type, StrEnum):
                table[one.name] = "|".join(one.type)
            elif one.type is bool:
                table[one.name] = "yes|no"
            else:
                table[one.name] = "0–9" if one.type is int else "0–9 or none"
    return table


def derive(base: Variant, changes: Mapping[str, str]) -> Variant:
    """Return `base` with single parameters changed.

    Raises:
        VariantError: no such parameter, or not one of its values; names those allowed.
    """
    values: dict[str, dict[str, Any]] = {"": {}, **{group: {} for group in _GROUPS}}
    allowed = parameters()
    name = base.name
    for key, text in changes.items():
        if key not in allowed:
            raise VariantError(f"no parameter {key!r}; there are {', '.join(sorted(allowed))}")
        for group, holder in (("", Variant), *_GROUPS.items()):
            kinds = {one.name: one.type for one in dataclasses.fields(holder)}
            if key in kinds:
                values[group][key] = _value(key, text, kinds[key], allowed[key])
        name = f"{name}+{key}={text}"
    for group in _GROUPS:
        values[""][group] = dataclasses.replace(getattr(base, group), **values[group])
    variant = dataclasses.replace(base, **values[""])
    if variant.hits and (variant.head or variant.block is not BlockLaw.NONE):
        raise VariantError("short nardy has neither a head nor a block law")
    decisions = tuple(one for one in variant.decisions if one[0] not in changes)
    sources = {**variant.sources, **dict.fromkeys(changes, "option")}
    return dataclasses.replace(
        variant, name=name, decisions=decisions, sources=MappingProxyType(sources)
    )


def _value(key: str, text: str, kind: object, allowed: str) -> object:
    try:
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return kind(text)
        if kind is bool:
            return _YES_NO[text]
        if text == "none" and kind is not int:
            return None
        if text.isascii() and text.isdigit() and len(text) == 1:
            return int(text)
    except (ValueError, KeyError):
        pass
    raise VariantError(f"{key} is {allowed}, not {text!r}")
