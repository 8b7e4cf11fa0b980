"""Judge a play by its result: legal, unfinished, or which law was broken.

Only positions are known, not the hand's way between them. So every way the dice can lead from
the one to the other is searched, each step noting the laws it breaks; the way that breaks
fewest is taken as what the player did. Where no way with these dice exists, the checkers that
changed places say what went wrong.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from rules.board import Color, Position
from rules.dice import Roll
from rules.displacement import judge_displacement
from rules.errors import PositionError
from rules.explain import Explanation, Facts, explain
from rules.law import Law
from rules.turns import Turn, can_finish, legal_turns
from rules.variant import DiceOrder, Variant
from rules.ways import (
    HEAD,
    HOME,
    TurnBoard,
    Way,
    counts_of,
    enemy_after,
    from_enemy,
    mine_before,
    new_blocks,
    point_of,
    steps_of,
    turn_board,
    ways,
)

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
    board = turn_board(position, color, roll, variant)
    target = counts_of(played, color, variant)
    enemy = counts_of(played, color, variant, enemy=True)
    best = min(
        (
            way
            for way in ways(board, target)
            if way.mine == target and enemy_after(board, way) == enemy
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
        law, facts = judge_displacement(board, target, enemy)
    return Judgement(verdict, law, explain(law, facts), _nearest(turns, played, position))


def _absolute_steps(turn: Turn) -> tuple[tuple[int, int], ...]:
    return tuple((step[0], step[1]) for step in (move.to_json() for move in turn.moves))


def _worst(board: TurnBoard, way: Way) -> tuple[Law, Facts]:
    """Name the first law broken on a way, with the points it is about."""
    order = list(Law)
    law, index = min(way.broken, key=lambda one: order.index(one[0]))
    source, target, die = way.steps[index]
    facts = Facts(roll=board.roll, steps=steps_of(board, way), die=die)
    if law is Law.HEAD:
        return law, replace(facts, points=(point_of(board, HEAD),), count=board.heads_allowed)
    if law is Law.BLOCK:
        bottom = min(new_blocks(board, mine_before(board, way, index + 1)))
        row = tuple(from_enemy(board, bottom + step) for step in range(5, -1, -1))
        in_passing = not new_blocks(board, way.mine)
        return law, replace(facts, points=row, block=board.variant.block, in_passing=in_passing)
    points = (point_of(board, source), point_of(board, target))
    if law in (Law.NOT_ALL_HOME, Law.LOWER_POINT):
        standing = mine_before(board, way, index)
        highest = max(point for point in range(1, 26) if standing[point])
        if law is Law.NOT_ALL_HOME and highest <= HOME:
            # All are home by now, and this set lets them off from the next turn only.
            return law, replace(facts, points=points[:1])
        points = (points[0], point_of(board, highest))
    return law, replace(facts, points=points)


def _judge_shortfall(
    board: TurnBoard, way: Way, turns: tuple[Turn, ...], position: Position, played: Position
) -> tuple[Verdict, Law, Facts]:
    """Judge a way that breaks no law of moving and still is no legal turn."""
    needed = len(turns[0].moves)
    left = list(board.roll.numbers)
    for _, _, die in way.steps:
        left.remove(die)
    facts = Facts(
        roll=board.roll,
        steps=steps_of(board, way),
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
