"""Every way the dice can lead from one position to another, with the laws each breaks.

All in the mover's own numbers. A search over plain counts: judging is rare, so it is written to
be followed, not to be fast; the fast enumeration of lawful turns is `rules.turns`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from rules.board import BAR_SLOT, Color, Position
from rules.dice import Roll
from rules.law import Law
from rules.turns import absolute, block_runs, first_turn_heads
from rules.variant import Variant

Counts: TypeAlias = tuple[int, ...]
"""26 numbers of checkers, by the mover's own numbers: 0 off, 1–24 points, 25 bar."""
HEAD: Final = 24
HOME: Final = 6


@dataclass(frozen=True, slots=True)
class Way:
    """One way the dice can lead somewhere, with the laws it breaks."""

    mine: Counts
    hits: frozenset[int]
    steps: tuple[tuple[int, int, int], ...] = ()
    """(from, to, die) in own numbers."""
    broken: tuple[tuple[Law, int], ...] = ()
    """(law, index of the step that broke it)."""

    @property
    def cost(self) -> tuple[int, int, int]:
        """Order of preference: fewer laws broken, then the finer ones, then more steps."""
        # Of two ways that break one law each, nobody takes the cruder one: over a closed point
        # where a free way only builds a block, say.
        laws = {law for law, _ in self.broken}
        order = list(Law)
        return len(laws), -sum(order.index(law) for law in laws), -len(self.steps)


@dataclass(frozen=True, slots=True)
class TurnBoard:
    """What does not change during the turn, in the mover's own numbers."""

    color: Color
    variant: Variant
    roll: Roll
    start: Counts
    enemy: Counts
    heads_allowed: int
    blocks_before: frozenset[int]


def counts_of(
    position: Position, color: Color, variant: Variant, *, enemy: bool = False
) -> Counts:
    """Return a side's checkers in the mover's own numbers."""
    side = color.other if enemy else color
    points = [position.count(side, absolute(own, variant.path, color)) for own in range(1, 25)]
    return (position.off(side), *points, position.bar(side))


def turn_board(position: Position, color: Color, roll: Roll, variant: Variant) -> TurnBoard:
    """Gather what does not change during the turn."""
    start = counts_of(position, color, variant)
    return TurnBoard(
        color=color,
        variant=variant,
        roll=roll,
        start=start,
        enemy=counts_of(position, color, variant, enemy=True),
        heads_allowed=first_turn_heads(position, color, roll, variant),
        blocks_before=block_runs(position, color, variant),
    )


def _blocked(board: TurnBoard, point: int) -> bool:
    return board.enemy[point] > (1 if board.variant.hits else 0)


def _step_laws(board: TurnBoard, way: Way, source: int, die: int) -> Iterator[Law]:
    """Yield the laws that this step breaks."""
    mine, target = way.mine, source - die
    if mine[BAR_SLOT] and source != BAR_SLOT:
        yield Law.BAR_FIRST
    if target >= 1 and _blocked(board, target):
        yield Law.CLOSED_POINT
    if board.variant.head and source == HEAD:
        left = sum(1 for step in way.steps if step[0] == HEAD)
        if left >= board.heads_allowed:
            yield Law.HEAD
    if target <= 0:
        begun_home = board.variant.bear_off_same_turn or not any(board.start[7:])
        if any(mine[7:]) or not begun_home:
            yield Law.NOT_ALL_HOME
        elif target < 0 and any(mine[source + 1 : 7]):
            yield Law.LOWER_POINT


def _after(board: TurnBoard, way: Way, source: int, die: int) -> Way:
    target = max(source - die, 0)
    mine = list(way.mine)
    mine[source] -= 1
    mine[target] += 1
    hits = way.hits
    if board.variant.hits and target and board.enemy[target] == 1:
        hits = hits | {target}
    broken = [(law, len(way.steps)) for law in _step_laws(board, way, source, die)]
    after = Way(tuple(mine), hits, (*way.steps, (source, target, die)), (*way.broken, *broken))
    if board.variant.block_in_passing:
        return _with_block(board, after)
    return after


def _with_block(board: TurnBoard, way: Way) -> Way:
    if new_blocks(board, way.mine):
        return Way(
            way.mine, way.hits, way.steps, (*way.broken, (Law.BLOCK, len(way.steps) - 1))
        )
    return way


def new_blocks(board: TurnBoard, mine: Counts) -> frozenset[int]:
    """Return the forbidden blocks that did not stand before the turn, by their bottoms."""
    return block_runs(_position(board, mine), board.color, board.variant) - board.blocks_before


def _position(board: TurnBoard, mine: Counts) -> Position:
    """Pack a mover's counts beside the enemy as it stood."""
    path, color = board.variant.path, board.color

    def packed(counts: Counts) -> int:
        points = sum(
            n << (4 * absolute(own, path, color)) for own, n in enumerate(counts[1:25], 1)
        )
        return counts[0] + points + (counts[BAR_SLOT] << 100)

    own, other = packed(mine), packed(board.enemy)
    return Position(own, other) if color is Color.WHITE else Position(other, own)


def ways(board: TurnBoard, target: Counts) -> Iterator[Way]:
    """Yield the ways these dice can lead to where the checkers stand, laws or no laws."""
    roll = board.roll
    start = Way(board.start, frozenset())
    yield start
    if roll.is_double:
        sources = _double_sources(board.start, target, roll.first)
        if sources is not None:
            yield from search(board, start, (roll.first,) * len(sources), sources)
        return
    for order in ((roll.larger, roll.smaller), (roll.smaller, roll.larger)):
        yield from search(board, start, order, None)


def search(
    board: TurnBoard, start: Way, order: tuple[int, ...], sources: tuple[int, ...] | None
) -> Iterator[Way]:
    """Yield the best way to each position, playing the dice in this order.

    Args:
        board: what does not change.
        start: where to begin.
        order: the numbers, one a step.
        sources: the points the steps leave, in any order; None: any points.
    """
    level = {(start.mine, start.hits): start}
    for die in order:
        following: dict[tuple[Counts, frozenset[int]], Way] = {}
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


def enemy_after(board: TurnBoard, way: Way) -> Counts:
    """Return the enemy's checkers once those hit on the way lie on the bar."""
    counts = list(board.enemy)
    for point in way.hits:
        counts[point] -= 1
        counts[BAR_SLOT] += 1
    return tuple(counts)


def point_of(board: TurnBoard, own: int) -> int:
    """Return the absolute point of the mover's own number; off and bar stay."""
    if own in (0, BAR_SLOT):
        return own
    return absolute(own, board.variant.path, board.color)


def steps_of(board: TurnBoard, way: Way) -> tuple[tuple[int, int], ...]:
    """Return a way's steps in absolute points."""
    return tuple(
        (point_of(board, source), point_of(board, target)) for source, target, _ in way.steps
    )


def mine_before(board: TurnBoard, way: Way, step: int) -> Counts:
    """Return the mover's checkers before a step of a way."""
    mine = list(board.start)
    for source, target, _ in way.steps[:step]:
        mine[source] -= 1
        mine[target] += 1
    return tuple(mine)


def from_enemy(board: TurnBoard, number: int) -> int:
    """Return the absolute point of the enemy's own number."""
    return absolute(number, board.variant.path, board.color.other)
