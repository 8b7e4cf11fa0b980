"""Judge a play by its result: legal, unfinished, or which law was broken.

Only positions are known, not the hand's way between them. So every way the dice can lead from
the one to the other is searched, each step noting the laws it breaks; the way that breaks
fewest is taken as what the player did. Where no way with these dice exists, the checkers that
changed places say what went wrong.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeAlias

from rules.board import BAR_SLOT, Color, Position
from rules.dice import Roll
from rules.errors import PositionError
from rules.explain import Explanation, Facts, explain
from rules.law import Law
from rules.turns import Turn, absolute, block_runs, can_finish, first_turn_heads, legal_turns
from rules.variant import DiceOrder, Variant

Counts: TypeAlias = tuple[int, ...]
"""26 numbers of checkers, by the mover's own numbers: 0 off, 1–24 points, 25 bar."""
_HEAD: Final = 24
_HOME: Final = 6
_NEAREST: Final = 3


class Verdict(StrEnum):
    """What is said of a play."""

    LEGAL = "legal"
    INCOMPLETE = "incomplete"
    """A lawful beginning that can and must be gone on with."""
    ILLEGAL = "illegal"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A judged play."""

    verdict: Verdict
    law: Law | None
    """The law broken; None when legal."""
    explain: Explanation
    nearest: tuple[Turn, ...]
    """Up to three legal turns, the nearest to what was played first."""
    played: Turn | None = None
    """The legal turn that was played."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One way the dice can lead somewhere, with the laws it breaks."""

    mine: Counts
    hits: frozenset[int]
    steps: tuple[tuple[int, int, int], ...] = ()
    """(from, to, die) in own numbers."""
    broken: tuple[tuple[Law, int], ...] = ()
    """(law, index of the step that broke it)."""

    @property
    def cost(self) -> tuple[int, int, int]:
        # Of two ways that break one law each, nobody takes the cruder one: over a closed point
        # where a free way only builds a block, say.
        laws = {law for law, _ in self.broken}
        order = list(Law)
        return len(laws), -sum(order.index(law) for law in laws), -len(self.steps)


@dataclass(frozen=True, slots=True)
class _Board:
    """What does not change during the turn, in the mover's own numbers."""

    color: Color
    variant: Variant
    roll: Roll
    start: Counts
    enemy: Counts
    heads_allowed: int
    blocks_before: frozenset[int]


def judge_play(
    position: Position, color: Color, roll: Roll, played: Position, variant: Variant
) -> Judgement:
    """Judge the position a side left behind.

    Args:
        position: before the turn.
        color: the side that played.
        roll: its dice.
        played: the position left.
        variant: the rule set in force.

    Returns:
        The verdict, the law broken, a sentence in both languages and the nearest legal turns.

    Raises:
        PositionError: a checker on the bar in a set without hitting.

    Source: laws as in rules/law.py; ADR 0005 for "incomplete" against "illegal".
    """
    turns = legal_turns(position, color, roll, variant)
    if not variant.hits and (played.bar(Color.WHITE) or played.bar(Color.BLACK)):
        raise PositionError("long nardy has no bar: nobody is hit")
    for turn in turns:
        if turn.result == played:
            facts = Facts(roll=roll, steps=_absolute_steps(turn))
            return Judgement(Verdict.LEGAL, None, explain(None, facts), (turn,), turn)
    board = _board(position, color, roll, variant)
    target = _counts(played, color, variant)
    enemy_after = _counts(played, color, variant, enemy=True)
    best = min(
        (
            way
            for way in _ways(board, target)
            if way.mine == target and _enemy(board, way) == enemy_after
        ),
        key=lambda way: way.cost,
        default=None,
    )
    if best is not None and not best.broken:
        verdict, law, facts = _judge_shortfall(board, best, turns, position, played)
    elif best is not None:
        verdict = Verdict.ILLEGAL
        law, facts = _worst(board, best)
    else:
        verdict = Verdict.ILLEGAL
        law, facts = _judge_displacement(board, target, enemy_after)
    return Judgement(verdict, law, explain(law, facts), _nearest(turns, played, position))


def _counts(
    position: Position, color: Color, variant: Variant, *, enemy: bool = False
) -> Counts:
    side = color.other if enemy else color
    points = [position.count(side, absolute(own, variant.path, color)) for own in range(1, 25)]
    return (position.off(side), *points, position.bar(side))


def _board(position: Position, color: Color, roll: Roll, variant: Variant) -> _Board:
    start = _counts(position, color, variant)
    return _Board(
        color=color,
        variant=variant,
        roll=roll,
        start=start,
        enemy=_counts(position, color, variant, enemy=True),
        heads_allowed=first_turn_heads(position, color, roll, variant),
        blocks_before=block_runs(position, color, variant),
    )


def _blocked(board: _Board, point: int) -> bool:
    return board.enemy[point] > (1 if board.variant.hits else 0)


def _step_laws(board: _Board, way: _Way, source: int, die: int) -> Iterator[Law]:
    """Yield the laws that this step breaks."""
    mine, target = way.mine, source - die
    if mine[BAR_SLOT] and source != BAR_SLOT:
        yield Law.BAR_FIRST
    if target >= 1 and _blocked(board, target):
        yield Law.CLOSED_POINT
    if board.variant.head and source == _HEAD:
        left = sum(1 for step in way.steps if step[0] == _HEAD)
        if left >= board.heads_allowed:
            yield Law.HEAD
    if target <= 0:
        begun_home = board.variant.bear_off_same_turn or not any(board.start[7:])
        if any(mine[7:]) or not begun_home:
            yield Law.NOT_ALL_HOME
        elif target < 0 and any(mine[source + 1 : 7]):
            yield Law.LOWER_POINT


def _after(board: _Board, way: _Way, source: int, die: int) -> _Way:
    target = max(source - die, 0)
    mine = list(way.mine)
    mine[source] -= 1
    mine[target] += 1
    hits = way.hits
    if board.variant.hits and target and board.enemy[target] == 1:
        hits = hits | {target}
    broken = [(law, len(way.steps)) for law in _step_laws(board, way, source, die)]
    after = _Way(tuple(mine), hits, (*way.steps, (source, target, die)), (*way.broken, *broken))
    if board.variant.block_in_passing:
        return _with_block(board, after)
    return after


def _with_block(board: _Board, way: _Way) -> _Way:
    if _new_blocks(board, way.mine):
        return _Way(
            way.mine, way.hits, way.steps, (*way.broken, (Law.BLOCK, len(way.steps) - 1))
        )
    return way


def _new_blocks(board: _Board, mine: Counts) -> frozenset[int]:
    return block_runs(_position(board, mine), board.color, board.variant) - board.blocks_before


def _position(board: _Board, mine: Counts) -> Position:
    """Pack a mover's counts beside the enemy as it stood."""
    path, color = board.variant.path, board.color

    def packed(counts: Counts) -> int:
        points = sum(
            n << (4 * absolute(own, path, color)) for own, n in enumerate(counts[1:25], 1)
        )
        return counts[0] + points + (counts[BAR_SLOT] << 100)

    own, other = packed(mine), packed(board.enemy)
    return Position(own, other) if color is Color.WHITE else Position(other, own)


def _ways(board: _Board, target: Counts) -> Iterator[_Way]:
    """Yield the ways these dice can lead to where the checkers stand, laws or no laws."""
    roll = board.roll
    start = _Way(board.start, frozenset())
    yield start
    if roll.is_double:
        sources = _double_sources(board.start, target, roll.first)
        if sources is not None:
            yield from _search(board, start, (roll.first,) * len(sources), sources)
        return
    for order in ((roll.larger, roll.smaller), (roll.smaller, roll.larger)):
        yield from _search(board, start, order, None)


def _search(
    board: _Board, start: _Way, order: tuple[int, ...], sources: tuple[int, ...] | None
) -> Iterator[_Way]:
    """Yield the best way to each position, playing the dice in this order.

    Args:
        board: what does not change.
        start: where to begin.
        order: the numbers, one a step.
        sources: the points the steps leave, in any order; None: any points.
    """
    level = {(start.mine, start.hits): start}
    for die in order:
        following: dict[tuple[Counts, frozenset[int]], _Way] = {}
        for way in level.values():
            used = [step[0] for step in way.steps]
            for source in range(BAR_SLOT, 0, -1):
                if not way.mine[source]:
                    continue
                if sources is not None and used.count(source) >= sources.count(source):
                    continue
                after = _after(board, way, source, die)
                key = (after.mine, after.hits)
                if key not in following or after.cost < following[key].cost:
                    following[key] = after
        level = following
        for way in level.values():
            yield way if board.variant.block_in_passing else _with_block(board, way)


def _double_sources(start: Counts, target: Counts, die: int) -> tuple[int, ...] | None:
    """Return the points that equal steps must have left, None if no such steps exist.

    How many left each point follows from the top down: what stood there, less what stands
    there now, plus what came from `die` above.
    """
    left = [0] * (BAR_SLOT + die + 1)
    for point in range(BAR_SLOT, 0, -1):
        left[point] = start[point] - target[point] + left[point + die]
        if left[point] < 0:
            return None
    sources = tuple(p for p in range(BAR_SLOT, 0, -1) for _ in range(left[p]))
    return sources if len(sources) <= 4 else None


def _enemy(board: _Board, way: _Way) -> Counts:
    counts = list(board.enemy)
    for point in way.hits:
        counts[point] -= 1
        counts[BAR_SLOT] += 1
    return tuple(counts)


def _abs(board: _Board, own: int) -> int:
    if own in (0, BAR_SLOT):
        return own
    return absolute(own, board.variant.path, board.color)


def _absolute(board: _Board, way: _Way) -> tuple[tuple[int, int], ...]:
    return tuple((_abs(board, source), _abs(board, target)) for source, target, _ in way.steps)


def _absolute_steps(turn: Turn) -> tuple[tuple[int, int], ...]:
    return tuple((step[0], step[1]) for step in (move.to_json() for move in turn.moves))


def _worst(board: _Board, way: _Way) -> tuple[Law, Facts]:
    """Name the first law broken on a way, with the points it is about."""
    order = list(Law)
    law, index = min(way.broken, key=lambda one: order.index(one[0]))
    source, target, die = way.steps[index]
    facts = Facts(roll=board.roll, steps=_absolute(board, way), die=die)
    if law is Law.HEAD:
        return law, replace(facts, points=(_abs(board, _HEAD),), count=board.heads_allowed)
    if law is Law.BLOCK:
        bottom = min(_new_blocks(board, _mine_at(board, way, index + 1)))
        row = tuple(_from_enemy(board, bottom + step) for step in range(5, -1, -1))
        in_passing = not _new_blocks(board, way.mine)
        return law, replace(facts, points=row, block=board.variant.block, in_passing=in_passing)
    points = (_abs(board, source), _abs(board, target))
    if law in (Law.NOT_ALL_HOME, Law.LOWER_POINT):
        standing = _mine_at(board, way, index)
        highest = max(point for point in range(1, 26) if standing[point])
        if law is Law.NOT_ALL_HOME and highest <= _HOME:
            # All are home by now, and this set lets them off from the next turn only.
            return law, replace(facts, points=points[:1])
        points = (points[0], _abs(board, highest))
    return law, replace(facts, points=points)


def _mine_at(board: _Board, way: _Way, step: int) -> Counts:
    """Return the mover's checkers before a step of a way."""
    mine = list(board.start)
    for source, target, _ in way.steps[:step]:
        mine[source] -= 1
        mine[target] += 1
    return tuple(mine)


def _from_enemy(board: _Board, number: int) -> int:
    """Return the absolute point of the enemy's own number."""
    return absolute(number, board.variant.path, board.color.other)


def _judge_shortfall(
    board: _Board, way: _Way, turns: tuple[Turn, ...], position: Position, played: Position
) -> tuple[Verdict, Law, Facts]:
    """Judge a way that breaks no law of moving and still is no legal turn."""
    needed = len(turns[0].moves)
    left = list(board.roll.numbers)
    for _, _, die in way.steps:
        left.remove(die)
    facts = Facts(
        roll=board.roll,
        steps=_absolute(board, way),
        die=left[0] if left else board.roll.smaller,
        count=needed,
    )
    if len(way.steps) < needed:
        orders = {tuple(left), tuple(reversed(left))}
        can_go_on = any(
            can_finish(
                position, board.color, board.roll, board.variant, played=played, left=order
            )
            for order in orders
        )
        verdict = Verdict.INCOMPLETE if can_go_on else Verdict.ILLEGAL
        return verdict, Law.DIE_NOT_PLAYED, replace(facts, can_go_on=can_go_on)
    if board.variant.order is DiceOrder.LARGER_FIRST and len(way.steps) == 2:
        return Verdict.ILLEGAL, Law.LARGER_FIRST, facts
    return Verdict.ILLEGAL, Law.LARGER_NUMBER, facts


def _judge_displacement(board: _Board, target: Counts, enemy: Counts) -> tuple[Law, Facts]:
    """Say what is wrong with a play that these dice cannot lead to at all."""
    roll = board.roll
    left = [p for p in range(26) for _ in range(max(0, board.start[p] - target[p]))]
    come = [p for p in range(26) for _ in range(max(0, target[p] - board.start[p]))]
    pairs = sorted(zip(sorted(left), sorted(come), strict=True), reverse=True)
    # A point that checkers left tells more than the one they came to.
    for point in sorted(range(26), key=lambda point: enemy[point] - board.enemy[point]):
        change = enemy[point] - board.enemy[point]
        if change and not _may_be_hit(board, point, change, target, pairs):
            return Law.MOVED_ENEMY_CHECKER, Facts(
                roll=roll,
                points=(_abs(board, point),),
                count=enemy[point],
                die=board.enemy[point],
            )
    steps = tuple((_abs(board, s), _abs(board, t)) for s, t in pairs)
    facts = Facts(roll=roll, steps=steps, count=len(roll.numbers))
    back = [(s, t) for s, t in pairs if t > s]
    if back:
        points = (_abs(board, back[0][0]), _abs(board, back[0][1]))
        return Law.MOVED_BACKWARDS, Facts(roll=roll, steps=steps, points=points)
    borne_off = any(t == 0 for _, t in pairs)
    outside = [p for p in range(_HOME + 1, BAR_SLOT + 1) if target[p]]
    if borne_off and outside:
        points = (_abs(board, pairs[-1][0]), _abs(board, outside[-1]))
        return Law.NOT_ALL_HOME, replace(facts, points=points)
    pips = sum(s - t for s, t in pairs)
    whole = all(_made_of(s - t, roll) or (t == 0 and s < roll.larger) for s, t in pairs)
    many = len(pairs) > len(roll.numbers)
    if pips == sum(roll.numbers) and not borne_off and (many or (len(pairs) > 1 and not whole)):
        return Law.DIE_SPLIT, facts
    if many or (whole and pips > sum(roll.numbers)):
        return Law.TOO_MANY_MOVES, facts
    return Law.WRONG_DISTANCE, facts


def _may_be_hit(
    board: _Board, point: int, change: int, target: Counts, pairs: list[tuple[int, int]]
) -> bool:
    """Whether an enemy's change may be a blot hit by a checker that came there or by."""
    if not board.variant.hits:
        return False
    if point == BAR_SLOT:
        return change > 0
    came = target[point] > 0 or any(s > point >= t for s, t in pairs)
    return point > 0 and board.enemy[point] == 1 and change == -1 and came


def _made_of(distance: int, roll: Roll) -> bool:
    """Whether whole numbers of these dice, used as often as one likes, make the distance."""
    reached = {0}
    for pips in range(1, distance + 1):
        if pips - roll.first in reached or pips - roll.second in reached:
            reached.add(pips)
    return distance in reached


def _nearest(turns: tuple[Turn, ...], played: Position, before: Position) -> tuple[Turn, ...]:
    """Return the legal turns whose results differ least from what was played."""

    def distance(turn: Turn) -> int:
        return _difference(turn.result, played)

    if played == before:
        return turns[:_NEAREST]
    return tuple(sorted(turns, key=distance)[:_NEAREST])


def _difference(one: Position, other: Position) -> int:
    """Return how many checkers stand elsewhere, each side counted."""
    total = 0
    for color in Color:
        a, b = one.packed(color), other.packed(color)
        if a != b:
            total += sum(
                abs((a >> shift & 15) - (b >> shift & 15)) for shift in range(0, 104, 4)
            )
    return total
