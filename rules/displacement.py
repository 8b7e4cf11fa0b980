"""What went wrong when no way with these dice leads to the position that was left."""

from dataclasses import replace

from rules.board import BAR_SLOT
from rules.dice import Roll
from rules.explain import Facts
from rules.law import Law
from rules.ways import HOME, Counts, TurnBoard, point_of


def judge_displacement(board: TurnBoard, target: Counts, enemy: Counts) -> tuple[Law, Facts]:
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
                points=(point_of(board, point),),
                count=enemy[point],
                die=board.enemy[point],
            )
    steps = tuple((point_of(board, s), point_of(board, t)) for s, t in pairs)
    facts = Facts(roll=roll, steps=steps, count=len(roll.numbers))
    back = [(s, t) for s, t in pairs if t > s]
    if back:
        points = (point_of(board, back[0][0]), point_of(board, back[0][1]))
        return Law.MOVED_BACKWARDS, Facts(roll=roll, steps=steps, points=points)
    borne_off = any(t == 0 for _, t in pairs)
    outside = [p for p in range(HOME + 1, BAR_SLOT + 1) if target[p]]
    if borne_off and outside:
        points = (point_of(board, pairs[-1][0]), point_of(board, outside[-1]))
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
    board: TurnBoard, point: int, change: int, target: Counts, pairs: list[tuple[int, int]]
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
