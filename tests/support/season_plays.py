"""Wrong plays: in many ways, as players make them."""

import random
from collections.abc import Iterator

from rules import Color, Law, Position, Roll, Variant, Verdict, judge_play, legal_turns
from rules.turns import absolute, reachable

WRONG_KINDS = (
    "wrong_distance",
    "two_from_head",
    "block",
    "larger_number",
    "unfinished",
    "opponent_checker",
    "extra_move",
    "nudged",
    "off_too_early",
)
_LAWS = {
    "two_from_head": {Law.HEAD},
    "block": {Law.BLOCK},
    "larger_number": {Law.LARGER_NUMBER, Law.LARGER_FIRST},
    "unfinished": {Law.DIE_NOT_PLAYED},
}
_TRIES = 30


def wrong_play(
    before: Position,
    color: Color,
    roll: Roll,
    variant: Variant,
    legal: Position,
    rng: random.Random,
) -> tuple[str, Position] | None:
    """Return a wrong play and its kind, None where none was found.

    Args:
        before: the position before the turn.
        color: the mover.
        roll: the dice.
        variant: the rule set.
        legal: the legal play he had in mind.
        rng: where chance comes from.
    """
    for kind in rng.sample(WRONG_KINDS, len(WRONG_KINDS)):
        for played in _of_kind(kind, before, color, roll, variant, legal, rng):
            if _is_wrong(kind, before, color, roll, variant, played):
                return kind, played
    return None


def _is_wrong(
    kind: str, before: Position, color: Color, roll: Roll, variant: Variant, played: Position
) -> bool:
    judged = judge_play(before, color, roll, played, variant)
    if judged.verdict is Verdict.LEGAL:
        return False
    if kind == "unfinished" and judged.verdict is Verdict.INCOMPLETE:
        return True
    return kind not in _LAWS or judged.law in _LAWS[kind]


def _of_kind(
    kind: str,
    before: Position,
    color: Color,
    roll: Roll,
    variant: Variant,
    legal: Position,
    rng: random.Random,
) -> Iterator[Position]:
    match kind:
        case "wrong_distance":
            for _ in range(3):
                one = max(1, min(6, roll.first + rng.choice((-1, 1))))
                other = Roll(one, roll.second)
                yield rng.choice(legal_turns(before, color, other, variant)).result
        case "opponent_checker":
            yield from _strayed(legal, color.other, variant, rng, range(1, 7))
        case "extra_move":
            yield from _strayed(legal, color, variant, rng, range(1, 7))
        case "nudged":
            yield from _strayed(legal, rng.choice(list(Color)), variant, rng, (-1, 1))
        case "off_too_early":
            yield from _off_too_early(before, color, roll, variant, rng)
        case _:
            # Lawless ways with these very dice.
            found = reachable(before, color, roll, variant)
            ways = sorted(found, key=lambda one: (one.white, one.black))
            yield from rng.sample(ways, min(_TRIES, len(ways)))


def _strayed(
    position: Position,
    color: Color,
    variant: Variant,
    rng: random.Random,
    distances: range | tuple[int, ...],
) -> Iterator[Position]:
    """Yield the position with one checker of a side moved on, by no law's leave."""
    numbers = [
        n for n in range(1, 25) if position.count(color, absolute(n, variant.path, color))
    ]
    for _ in range(6):
        if not numbers:
            return
        number, distance = rng.choice(numbers), rng.choice(list(distances))
        target = number - distance
        if not 1 <= target <= 24:
            continue
        source, to = (absolute(n, variant.path, color) for n in (number, target))
        if position.count(color.other, to):
            continue
        yield _placed(position, color, source, to)


def _off_too_early(
    before: Position, color: Color, roll: Roll, variant: Variant, rng: random.Random
) -> Iterator[Position]:
    """Yield the position with one die borne off and the other moved, checkers still outside."""
    own = {n: absolute(n, variant.path, color) for n in range(1, 25)}
    if not any(before.count(color, own[n]) for n in range(7, 25)):
        return
    for die, other in (roll.numbers[:2], roll.numbers[1::-1]):
        if not before.count(color, own[die]):
            continue
        after = _placed(before, color, own[die], 0)
        steps = [
            (own[n], own[n - other])
            for n in range(other + 1, 25)
            if after.count(color, own[n]) and not before.count(color.other, own[n - other])
        ]
        if steps:
            yield _placed(after, color, *rng.choice(steps))


def _placed(position: Position, color: Color, source: int, target: int) -> Position:
    packed = position.packed(color) - (1 << 4 * source) + (1 << 4 * target)
    if color is Color.WHITE:
        return Position(packed, position.black)
    return Position(position.white, packed)


def half_way(before: Position, after: Position, color: Color) -> Position:
    """Return how the board stands when the first of a turn's checkers has been moved."""
    mine, target = before.packed(color), after.packed(color)
    left = [p for p in range(26) if (mine >> 4 * p & 15) > (target >> 4 * p & 15)]
    come = [p for p in range(26) if (mine >> 4 * p & 15) < (target >> 4 * p & 15)]
    if not left or not come:
        return before
    moved = mine - (1 << 4 * left[-1]) + (1 << 4 * come[-1])
    theirs = before.packed(color.other)
    if 1 <= come[-1] <= 24 and theirs >> 4 * come[-1] & 15:
        return before
    return Position(moved, theirs) if color is Color.WHITE else Position(theirs, moved)
