"""Every legal turn of a position and a roll.

The engine works in the mover's own numbers (24 → 1, 0 off, 25 bar) on the packed integers of
`rules.board`: the points a die can be played from are one AND of "mine" with "open" shifted by
the die, and one checker's move is one subtraction and one addition. The laws come from the
`Variant`; nothing here knows a set by name.

Why a double is played from the highest point down only: closed points do not change within a
turn, so any lawful order of four equal steps can be rearranged into that one, and each result
then turns up once. A law that looks at what stands *between* steps (a block in passing) needs
all orders and takes the slower way.
"""

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from rules.board import BAR_SLOT, OFF_SLOT, Color, Point, Position, Source, Spot, Target
from rules.dice import Roll
from rules.errors import PositionError
from rules.variant import BlockLaw, DiceOrder, HeadException, Path, Variant

_ONES: Final = sum(1 << (4 * slot) for slot in range(1, 26))
_POINTS: Final = sum(1 << (4 * point) for point in range(1, 25))
_FIELD: Final = (1 << 96) - 1
_LOW: Final = (1 << 104) - 1
_HEAD_BIT: Final = 1 << 96
_BAR_BIT: Final = 1 << 100
_HEAD: Final = 24
_ENEMY_HEAD: Final = 12

State: TypeAlias = int
"""The mover's packed checkers in own numbers; above bit 104 the points where it hit."""
Steps: TypeAlias = tuple[tuple[int, int], ...]
"""(from, to) in own numbers, 25 the bar, 0 off."""
Found: TypeAlias = dict[State, Steps]


_NUMBERS: Final = {Spot.OFF: OFF_SLOT, Spot.BAR: BAR_SLOT}


@dataclass(frozen=True, slots=True)
class Move:
    """One checker moved by one die, in absolute points."""

    source: Source
    target: Target

    def to_json(self) -> list[int]:
        """Write the exchange format: 0 is off, 25 the bar."""
        source, target = self.source, self.target
        return [
            _NUMBERS[source] if isinstance(source, Spot) else source,
            _NUMBERS[target] if isinstance(target, Spot) else target,
        ]


@dataclass(frozen=True, slots=True)
class Turn:
    """A legal play: one way to move, and the position it leads to."""

    moves: tuple[Move, ...]
    result: Position


def _place(slot: int, path: Path, color: Color) -> Source | Target:
    if slot == OFF_SLOT:
        return Spot.OFF
    if slot == BAR_SLOT:
        return Spot.BAR
    return Point(absolute(slot, path, color))


def absolute(own: int, path: Path, color: Color) -> int:
    """Return the absolute point of a side's own number (1–24), and the other way round.

    Both numberings are their own inverse.
    """
    if color is Color.WHITE:
        return own
    return ((own + 11) % 24) + 1 if path is Path.SAME_WAY else 25 - own


def _turned(packed: int, path: Path) -> int:
    """Renumber the 24 points for Black; off and bar stay."""
    field = (packed >> 4) & _FIELD
    if path is Path.SAME_WAY:
        field = ((field >> 48) | (field << 48)) & _FIELD
    else:
        field = int(f"{field:024x}"[::-1], 16)
    return (packed & ~(_FIELD << 4)) | field << 4


_MOVES: Final = {
    (path, color): [
        [Move(_place(s, path, color), _place(t, path, color)) for t in range(25)]
        for s in range(26)
    ]
    for path in Path
    for color in Color
}


@dataclass(frozen=True, slots=True)
class _Question:
    """A position and the laws, as the enumeration needs them."""

    start: State
    open_: int
    """Low bit of each own point 1–24 where the mover may land."""
    blots: int
    """Low bit of each own point where one enemy checker can be hit."""
    head_floor: int
    """The head may not sink below this many checkers; -1: no law."""
    block_mask: int
    """Block bottoms (low bits, enemy's numbers) that are forbidden; 0: no law."""
    block_before: int
    """Blocks that stood before the turn."""
    in_passing: bool
    may_bear_off: bool


def _spread(packed: int) -> int:
    """Return the low bit of every slot 1–25 that holds a checker."""
    return (packed | packed >> 1 | packed >> 2 | packed >> 3) & _ONES


def _in_enemy_numbers(own_points: int) -> int:
    """Return low bits of own points as those of the enemy's numbers 1–24 (long nardy)."""
    field = (own_points >> 4) & _FIELD
    return ((field >> 48) | (field << 48)) & _FIELD


def _block_in_reach(own_points: int, steps: int) -> bool:
    """Whether some six points in a row lack no more of the mover's checkers than it has steps.

    Only a shortcut: most positions are far from a block, and none of their results need a look.
    """
    field = _in_enemy_numbers(own_points)
    pairs = field + (field >> 4)
    held = pairs + (pairs >> 8) + (pairs >> 16)
    return bool((held + (2 + steps) * (_POINTS >> 4)) & (8 * (_POINTS >> 4)))


def _blocks(own_points: int) -> int:
    """Return the bottoms of all runs of six, as low bits of the enemy's numbers 1–24."""
    field = _in_enemy_numbers(own_points)
    pairs = field & field >> 4
    fours = pairs & pairs >> 8
    return fours & pairs >> 16


def _block_mask(law: BlockLaw, enemy_own: int) -> int:
    """Return which block bottoms the law forbids against these enemy checkers.

    Args:
        law: the set's block law.
        enemy_own: the enemy's packed checkers in the enemy's own numbers.
    """
    if law is BlockLaw.NONE:
        return 0
    points = (enemy_own >> 4) & _FIELD
    off = enemy_own & 15
    if law is BlockLaw.ALL_HOME:
        return _FIELD if points >> 24 else 0
    if off:
        return 0
    if law is BlockLaw.IN_HOME:
        return 0 if points & 0xFFFFFF else _FIELD
    first = ((points & -points).bit_length() - 1) >> 2 if points else 24
    return (1 << (4 * first)) - 1


def _head_allowance(variant: Variant, roll: Roll, open_: int, on_head: int) -> int:
    """Return how many checkers may leave the head this turn."""
    if on_head < 15 or variant.head_exception is HeadException.NEVER:
        return 1
    law = variant.head_exception
    if law is HeadException.ANY_DOUBLE:
        return 2 if roll.is_double else 1
    orders = [roll.numbers] if roll.is_double else [roll.numbers, roll.numbers[::-1]]
    stops = [_first_stop(order, open_) for order in orders]
    if None in stops:
        return 1
    if law is HeadException.BLOCKED_ROLL:
        return 2
    if not (roll.is_double and roll.first in (3, 4, 6)):
        return 1
    if law is HeadException.ENEMY_HEAD:
        return 2 if stops[0] == _ENEMY_HEAD else 1
    return 2


def _first_stop(numbers: tuple[int, ...], open_: int) -> int | None:
    """Return the own point that stops one head checker, None if it plays everything."""
    at = _HEAD
    for number in numbers:
        at -= number
        if at < 1 or not open_ >> (4 * at) & 1:
            return at
    return None


def _question(position: Position, color: Color, roll: Roll, variant: Variant) -> _Question:
    path = variant.path
    mine, theirs = position.packed(color), position.packed(color.other)
    if not variant.hits and (mine >> 100 or theirs >> 100):
        raise PositionError("long nardy has no bar: nobody is hit")
    if color is Color.BLACK:
        mine, theirs_seen = _turned(mine, path), _turned(theirs, path)
        theirs_own = theirs
    else:
        theirs_seen, theirs_own = theirs, _turned(theirs, path)
    held = _spread(theirs_seen) & _POINTS
    blots = 0
    if variant.hits:
        several = (theirs_seen >> 1 | theirs_seen >> 2 | theirs_seen >> 3) & _POINTS
        blots = held & ~several
        held = several
    open_ = _POINTS & ~held
    head_floor = -1
    if variant.head:
        on_head = (mine >> 96) & 15
        head_floor = max(0, on_head - _head_allowance(variant, roll, open_, on_head))
    mask = 0
    if variant.block is not BlockLaw.NONE and _block_in_reach(_spread(mine), len(roll.numbers)):
        mask = _block_mask(variant.block, theirs_own)
    return _Question(
        start=mine,
        open_=open_,
        blots=blots,
        head_floor=head_floor,
        block_mask=mask,
        block_before=_blocks(_spread(mine)) if mask else 0,
        in_passing=variant.block_in_passing,
        may_bear_off=variant.bear_off_same_turn or not mine >> 28,
    )


def _steps(
    question: _Question, state: State, die: int, top: int
) -> list[tuple[State, int, int]]:
    """Return (new state, from, to) for each checker that one die can move.

    Args:
        question: position and laws.
        state: the checkers now.
        die: the number.
        top: only from bits up to this one (canonical order of doubles); -1: from anywhere.
    """
    checkers = state & _LOW
    occupied = _spread(checkers)
    shift = 4 * die
    sources = occupied & (question.open_ << shift)
    if checkers >> 100:
        sources &= _BAR_BIT
    elif question.head_floor >= 0 and (checkers >> 96) & 15 <= question.head_floor:
        sources &= ~_HEAD_BIT
    if top >= 0:
        sources &= (top << 1) - 1
    blots = question.blots
    found = []
    while sources:
        bit = 1 << (sources.bit_length() - 1)
        sources ^= bit
        target = bit >> shift
        new = state - bit + target
        if target & blots:
            new |= target << 104
        slot = bit.bit_length() >> 2
        found.append((new, slot, slot - die))
    if checkers >> 28 == 0 and question.may_bear_off:
        bit = 1 << shift
        if not occupied & bit and not checkers >> shift:
            bit = 1 << (occupied.bit_length() - 1) if occupied else 0
        elif not occupied & bit:
            bit = 0
        if bit and (top < 0 or bit <= top):
            found.append((state - bit + 1, bit.bit_length() >> 2, 0))
    return found


def _standing(question: _Question, found: Found) -> Found:
    """Return those states in which no forbidden block was built."""
    mask = question.block_mask & ~question.block_before
    if not mask:
        return found
    standing = {}
    for state, steps in found.items():
        checkers = state & _LOW
        points = (checkers | checkers >> 1 | checkers >> 2 | checkers >> 3) & _POINTS
        if points.bit_count() < 6 or not _blocks(points) & mask:
            standing[state] = steps
    return standing


def _play_double(question: _Question, die: int) -> list[Found]:
    """Return what can stand after one, two, three and four steps."""
    levels: list[Found] = []
    level: list[tuple[State, int, Steps]] = [(question.start, -1, ())]
    for _ in range(4):
        level = [
            (new, 1 << (4 * source), (*steps, (source, target)))
            for state, top, steps in level
            for new, source, target in _steps(question, state, die, top)
        ]
        levels.append({state: steps for state, _, steps in level})
    return levels


def _play_in_order(question: _Question, order: tuple[int, ...]) -> list[Found]:
    """Return what can stand after each step when the dice are played in this order."""
    levels: list[Found] = []
    level: Found = {question.start: ()}
    for die in order:
        following: Found = {}
        for state, steps in level.items():
            for new, source, target in _steps(question, state, die, -1):
                if new not in following:
                    following[new] = (*steps, (source, target))
        level = _standing(question, following) if question.in_passing else following
        levels.append(level)
    return levels


def _double_results(question: _Question, die: int) -> Found:
    if question.in_passing and question.block_mask:
        levels = _play_in_order(question, (die,) * 4)
    else:
        levels = _play_double(question, die)
    for level in reversed(levels):
        if standing := _standing(question, level):
            return standing
    return {question.start: ()}


def _pair_results(question: _Question, roll: Roll, order: DiceOrder) -> Found:
    larger_first, smaller_first = (
        [_standing(question, level) for level in _play_in_order(question, numbers)]
        for numbers in ((roll.larger, roll.smaller), (roll.smaller, roll.larger))
    )
    if order is DiceOrder.LARGER_FIRST:
        both = larger_first[1] or smaller_first[1]
    else:
        both = smaller_first[1] | larger_first[1]
    return both or larger_first[0] or smaller_first[0] or {question.start: ()}


def legal_turns(
    position: Position, color: Color, roll: Roll, variant: Variant
) -> tuple[Turn, ...]:
    """Return every legal turn, each resulting position once.

    Args:
        position: the position before the turn.
        color: the side that threw.
        roll: the dice.
        variant: the rule set in force.

    Returns:
        One turn per distinct result, with one way to play it. When nothing can be played:
        one turn without moves and the same position.

    Raises:
        PositionError: a checker on the bar in a set without hitting.

    Source: full move, larger number, head, block: rules.md §2–3; texts T0–T4 per set.
    """
    question = _question(position, color, roll, variant)
    found = (
        _double_results(question, roll.first)
        if roll.is_double
        else _pair_results(question, roll, variant.order)
    )
    moves = _MOVES[variant.path, color]
    results = _results(position, color, variant.path, found)
    return tuple(
        Turn(tuple([moves[s][t] for s, t in steps]), result)
        for steps, result in zip(found.values(), results, strict=True)
    )


def _results(position: Position, color: Color, path: Path, found: Found) -> list[Position]:
    """Turn engine states back into positions."""
    theirs = position.packed(color.other)
    after_hits = {0: theirs}
    white = color is Color.WHITE
    results = []
    for state in found:
        mine = state & _LOW
        if not white:
            mine = _turned(mine, path)
        hits = state >> 104
        enemy = after_hits.get(hits)
        if enemy is None:
            lifted = hits if white else _turned(hits, path)
            enemy = theirs - lifted + (hits.bit_count() << 100)
            after_hits[hits] = enemy
        results.append(Position(mine, enemy) if white else Position(enemy, mine))
    return results


def first_turn_heads(position: Position, color: Color, roll: Roll, variant: Variant) -> int:
    """Return how many checkers may leave the head this turn: one, or two by exception."""
    question = _question(position, color, roll, variant)
    on_head = (question.start >> 96) & 15
    return _head_allowance(variant, roll, question.open_, on_head)


def block_runs(position: Position, color: Color, variant: Variant) -> frozenset[int]:
    """Return the forbidden blocks a side holds, each by its lowest point in enemy numbers."""
    path = variant.path
    mine, theirs = position.packed(color), position.packed(color.other)
    own = _turned(mine, path) if color is Color.BLACK else mine
    enemy_own = _turned(theirs, path) if color is Color.WHITE else theirs
    runs = _blocks(_spread(own)) & _block_mask(variant.block, enemy_own)
    return frozenset(number for number in range(1, 25) if runs >> (4 * (number - 1)) & 1)


def reachable(
    position: Position, color: Color, roll: Roll, variant: Variant
) -> frozenset[Position]:
    """Return what these dice can lead to in whole or in part, whatever laws that breaks.

    Stops on closed points, any number from the head, blocks and lost dice are all allowed;
    checkers still go forward by whole dice and bear off only when all are home.
    """
    strict = _question(position, color, roll, variant)
    loose = replace(strict, open_=_POINTS, head_floor=-1, block_mask=0, may_bear_off=True)
    closed = _POINTS & ~strict.open_
    found: Found = {strict.start: ()}
    for numbers in {roll.numbers, roll.numbers[::-1]}:
        levels = (
            _play_double(loose, roll.first)
            if roll.is_double
            else _play_in_order(loose, numbers)
        )
        for level in levels:
            found |= level
    standing = {s: steps for s, steps in found.items() if not _spread(s & _LOW) & closed}
    return frozenset(_results(position, color, variant.path, standing))


def can_finish(
    position: Position,
    color: Color,
    roll: Roll,
    variant: Variant,
    *,
    played: Position,
    left: tuple[int, ...],
) -> bool:
    """Whether a lawful beginning can be gone on with to a legal turn.

    Args:
        position: before the turn.
        color: the side that plays.
        roll: its dice.
        variant: the rule set in force.
        played: where the play stands now.
        left: the numbers still to be played; of different numbers, in this order.
    """
    question = _question(position, color, roll, variant)
    now = _question(played, color, roll, variant).start
    theirs, theirs_now = position.packed(color.other), played.packed(color.other)
    lifted = (theirs - theirs_now) & _POINTS
    if color is Color.BLACK:
        lifted = _turned(lifted, variant.path)
    ends = {turn.result for turn in legal_turns(position, color, roll, variant)}
    level: Found = {now | lifted << 104: ()}
    for die in left:
        level = {new: () for state in level for new, _, _ in _steps(question, state, die, -1)}
        if question.in_passing:
            level = _standing(question, level)
        if not ends.isdisjoint(_results(position, color, variant.path, level)):
            return True
    return False
