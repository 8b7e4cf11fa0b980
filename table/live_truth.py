"""What is true of a live table: where the checkers are, and whether a throw counts."""

from collections.abc import Iterable

from rules import Color, Position, Variant
from rules.throw import DieFacts, Lies, ThrowVerdict, judge_throw
from rules.variant import HalfLaw
from table.reel import Reel
from table.scene import BAR_POINT, OFF_POINT, Die, Disc
from table.throws import HalfName
from table.world import Board, ColorName

_FLAT_DEG = 6.0


def name_of(color: Color) -> ColorName:
    """Return a side's name at the table."""
    return "w" if color is Color.WHITE else "b"


def standing(board: Board, discs: Iterable[Disc]) -> Position:
    """Return the position that stands on the board.

    Raises:
        PositionError: checkers are missing, as before they are set up.
    """
    held: dict[ColorName, dict[int, int]] = {"w": {}, "b": {}}
    for disc in discs:
        stacks = held[board.color(disc.side)]
        stacks[disc.point] = stacks.get(disc.point, 0) + 1
    white, black = held["w"], held["b"]
    off = (white.pop(OFF_POINT, 0), black.pop(OFF_POINT, 0))
    bar = (white.pop(BAR_POINT, 0), black.pop(BAR_POINT, 0))
    return Position.of(white, black, off=off, bar=bar)


def right_half(reel: Reel, color: Color) -> HalfName:
    """Return which half of the picture is on a side's right hand."""
    return "right" if reel.edge(name_of(color)) == "bottom" else "left"


def wanted_half(reel: Reel, color: Color, variant: Variant) -> HalfName | None:
    """Return the half a throw must land in; None: either."""
    law = variant.throw
    if law.half is HalfLaw.PLAYERS_RIGHT and not law.baffle_box:
        return right_half(reel, color)
    return None


def throw_counts(
    reel: Reel, dice: tuple[Die, ...], color: Color, variant: Variant
) -> bool | None:
    """Return whether a throw counts; None: the rule set leaves it to a person."""
    right = Lies.RIGHT if right_half(reel, color) == "right" else Lies.LEFT
    facts = [_facts(reel.board, die) for die in dice]
    verdict = judge_throw(facts, variant.throw, players_right=right).verdict
    if verdict is ThrowVerdict.UNSURE:
        return None
    return verdict is ThrowVerdict.VALID


def _facts(board: Board, die: Die) -> DieFacts:
    pose = die.pose
    flat = pose.tilt_deg < _FLAT_DEG
    half = board.geometry.half_of(pose.x_mm, pose.y_mm)
    lies = {"left": Lies.LEFT, "right": Lies.RIGHT, "bar": Lies.WOODWORK}.get(half)
    if die.where == "off":
        lies = Lies.OFF_BOARD
    elif lies is None or (flat and die.where in ("bar", "wall")):
        lies = Lies.WOODWORK
    return DieFacts(
        value=pose.value,
        lies=lies,
        flat=flat,
        on_checker=flat and die.where == "checker",
        touches_checker=not flat and die.where == "checker",
        touches_wall=not flat and die.where == "wall",
    )
