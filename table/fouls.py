"""Plays against the rules, as people make them; the judge of the rules vouches for each."""

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias, TypeVar, get_args

from rules import (
    Color,
    Law,
    Position,
    PositionError,
    Roll,
    Turn,
    Variant,
    Verdict,
    judge_play,
    legal_turns,
)
from rules.turns import absolute, reachable
from rules.variant import BlockLaw, DiceOrder

Foul: TypeAlias = Literal[
    "wrong_distance",
    "two_from_head",
    "block",
    "larger_number",
    "not_all_home",
    "bar_first",
    "too_many_moves",
    "unfinished",
    "moved_enemy",
    "nudged_checker",
]
FOULS: tuple[Foul, ...] = get_args(Foul)

_LAWS: Mapping[Foul, frozenset[Law]] = {
    "two_from_head": frozenset({Law.HEAD}),
    "block": frozenset({Law.BLOCK}),
    "larger_number": frozenset({Law.LARGER_NUMBER, Law.LARGER_FIRST}),
    "not_all_home": frozenset({Law.NOT_ALL_HOME}),
    "bar_first": frozenset({Law.BAR_FIRST}),
}
"""Kinds that break just these laws, with whole dice."""
_MOST_TRIED = 40
_T = TypeVar("_T")
_OFF, _HEAD, _BAR = 0, 24, 25


def foul(
    kind: Foul,
    position: Position,
    color: Color,
    roll: Roll,
    variant: Variant,
    wish: Turn,
    rng: random.Random,
) -> Position | None:
    """Return what a side leaves behind that errs in this way.

    Args:
        kind: the error.
        position: before the turn.
        color: who plays.
        roll: the dice.
        variant: the rule set in force.
        wish: the legal turn that was meant.
        rng: draws among the ways to err.

    Returns:
        A position that is not legal; None where this error cannot be made.
    """
    if not _may_be(kind, position, color, roll, variant, wish):
        return None
    laws = _LAWS.get(kind)
    wanted = Verdict.INCOMPLETE if kind == "unfinished" else Verdict.ILLEGAL
    tried: set[Position] = {position, wish.result}
    for after in _candidates(kind, position, color, roll, variant, wish, rng):
        if after in tried:
            continue
        tried.add(after)
        if len(tried) > _MOST_TRIED:
            break
        judged = judge_play(position, color, roll, after, variant)
        if judged.verdict is wanted and (laws is None or judged.law in laws):
            return after
    return None


def _may_be(
    kind: Foul, position: Position, color: Color, roll: Roll, variant: Variant, wish: Turn
) -> bool:
    """Whether it is worth looking for an error: judging many plays takes a while."""
    match kind:
        case "two_from_head":
            head = absolute(_HEAD, variant.path, color)
            return variant.head and position.count(color, head) > 1
        case "block":
            return variant.block is not BlockLaw.NONE
        case "larger_number":
            one_of_two = not roll.is_double and len(wish.moves) == 1
            return one_of_two or variant.order is DiceOrder.LARGER_FIRST
        case _:
            return True


def _candidates(
    kind: Foul,
    position: Position,
    color: Color,
    roll: Roll,
    variant: Variant,
    wish: Turn,
    rng: random.Random,
) -> Iterator[Position]:
    steps = [(one[0], one[1]) for one in (move.to_json() for move in wish.moves)]
    match kind:
        case "two_from_head" | "block" | "larger_number":
            legal = {turn.result for turn in legal_turns(position, color, roll, variant)}
            found = sorted(reachable(position, color, roll, variant) - legal, key=str)
            rng.shuffle(found)
            yield from found
        case "not_all_home":
            for die in roll.numbers[:2]:
                ended = [*steps[:-1], (absolute(die, variant.path, color), _OFF)]
                yield from _moved(position, color, ended, hits=variant.hits)
        case "bar_first":
            if position.bar(color):
                yield from _past_the_bar(position, color, roll, variant, rng)
        case "wrong_distance":
            for source, target in _off_by_one(steps[-1:], color, variant, rng):
                ended = [*steps[:-1], (source, target)]
                yield from _moved(position, color, ended, hits=variant.hits)
        case "too_many_moves":
            for turn in _shuffled(legal_turns(wish.result, color, roll, variant), rng):
                for move in turn.moves[:1]:
                    source, target = move.to_json()
                    yield from _moved(wish.result, color, [(source, target)], hits=variant.hits)
        case "unfinished":
            for count in range(len(steps) - 1, 0, -1):
                yield from _moved(position, color, steps[:count], hits=variant.hits)
        case "moved_enemy":
            yield from _nudged(wish.result, color.other, rng)
        case "nudged_checker":
            yield from _nudged(wish.result, color, rng)


def _past_the_bar(
    position: Position, color: Color, roll: Roll, variant: Variant, rng: random.Random
) -> Iterator[Position]:
    """Yield positions in which another checker was moved than the one on the bar."""
    for point, owner, _ in _shuffled(tuple(position.occupied()), rng):
        own = absolute(point, variant.path, color)
        for die in roll.numbers[:2]:
            if owner is color and own > die:
                step = (point, absolute(own - die, variant.path, color))
                yield from _moved(position, color, [step], hits=variant.hits)


def _off_by_one(
    steps: list[tuple[int, int]], color: Color, variant: Variant, rng: random.Random
) -> Iterator[tuple[int, int]]:
    """Yield a step that ends one or two points too far or too near."""
    for source, target in steps:
        if target == _OFF:
            continue
        own = absolute(target, variant.path, color)
        start = 25 if source == _BAR else absolute(source, variant.path, color)
        for off in _shuffled((-1, 1, -2, 2), rng):
            if 1 <= own + off < start:
                yield source, absolute(own + off, variant.path, color)


def _nudged(position: Position, color: Color, rng: random.Random) -> Iterator[Position]:
    """Yield positions in which one checker has slipped onto the next point."""
    for point, owner, _ in _shuffled(tuple(position.occupied()), rng):
        if owner is not color:
            continue
        for beside in _shuffled((point - 1, point + 1), rng):
            # 12 and 13, 6 and 7, 18 and 19 are not side by side on the table.
            if 1 <= beside <= 24 and {point, beside} not in ({12, 13}, {6, 7}, {18, 19}):
                yield from _moved(position, color, [(point, beside)], hits=False)


def _moved(
    position: Position, color: Color, steps: Iterable[tuple[int, int]], *, hits: bool
) -> Iterator[Position]:
    """Yield the position after some steps, lawful or not, if there is such a position."""
    stacks: dict[Color, dict[int, int]] = {side: {} for side in Color}
    for point, owner, count in position.occupied():
        stacks[owner][point] = count
    for side in Color:
        stacks[side][_OFF], stacks[side][_BAR] = position.off(side), position.bar(side)
    mine, theirs = stacks[color], stacks[color.other]
    for source, target in steps:
        mine[source] = mine.get(source, 0) - 1
        mine[target] = mine.get(target, 0) + 1
        if hits and 1 <= target <= 24 and theirs.get(target) == 1:
            theirs[target] -= 1
            theirs[_BAR] += 1
    white, black = stacks[Color.WHITE], stacks[Color.BLACK]
    off, bar = ((white.pop(place), black.pop(place)) for place in (_OFF, _BAR))
    try:
        yield Position.of(white, black, off=off, bar=bar)
    except PositionError:
        return


def _shuffled(values: tuple[_T, ...], rng: random.Random) -> list[_T]:
    return rng.sample(values, len(values))
