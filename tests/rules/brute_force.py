"""The slow twin of the rules core: every sequence of moves in every order, then the laws.

Written from the rule text alone, on plain exchange-format dicts, sharing no line with the
package it checks. Nothing here is clever; that is its worth.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

Json = dict[str, Any]

BAR = 25
OFF = 0


@dataclass(frozen=True)
class Laws:
    """The columns of the rule table that decide which results are lawful."""

    long: bool = True
    second_head: str = "never"  # never | big_doubles | enemy_head | unfinished | any_double
    block: str = "enemy_ahead"  # none | enemy_ahead | one_in_home | all_in_home
    block_in_passing: bool = False  # is a block that stands only within the turn unlawful too?
    larger_first: bool = False
    bear_off_same_turn: bool = True


CLASSIC = Laws(second_head="enemy_head", block_in_passing=True)

LAWS = {
    "bolshie-nardy": Laws(block="all_in_home"),
    "moscow-open": Laws(second_head="big_doubles"),
    "classic": CLASSIC,
    "federation": CLASSIC,
    "sport-rf": CLASSIC,
    "club": Laws(second_head="unfinished"),
    "beginner": Laws(second_head="big_doubles", block="one_in_home", larger_first=True),
    "kush": Laws(second_head="any_double", block="none"),
    "short": Laws(long=False, block="none"),
    # Derived sets: one field changed.
    "classic+block=in_home": replace(CLASSIC, block="one_in_home"),
    "classic+block=all_home": replace(CLASSIC, block="all_in_home"),
    "classic+bear_off_same_turn=no": replace(CLASSIC, bear_off_same_turn=False),
    "bolshie-nardy+block_in_passing=yes": Laws(block="all_in_home", block_in_passing=True),
    "club+order=larger_first": Laws(second_head="unfinished", larger_first=True),
    "moscow-open+head_exception=any_double": Laws(second_head="any_double"),
    "short+bear_off_same_turn=no": Laws(long=False, block="none", bear_off_same_turn=False),
}


@dataclass(frozen=True)
class Table:
    """A position in the mover's own numbers: 24 … 1, bar 25, off 0."""

    mine: tuple[int, ...]  # index = the mover's own number, 0 … 25
    theirs: tuple[int, ...]  # index = the mover's own number of the point; 0 and 25 their own


def results(rules_name: str, position: Json, turn: str, dice: list[int]) -> set[str]:
    """Every lawful resulting position, in canonical text."""
    laws = LAWS[rules_name]
    start = read(position, turn, laws)
    return {canonical(write(table, turn, laws)) for table in lawful_tables(start, dice, laws)}


def canonical(position: Json) -> str:
    """One text for one position, whatever the order of its keys."""
    points = {str(k): v for k, v in position["points"].items() if int(v[1:])}
    bar = position.get("bar") or {}
    off = position.get("off") or {}
    return json.dumps(
        [
            sorted(points.items()),
            {side: off.get(side, 0) for side in "wb"},
            {side: n for side, n in sorted(bar.items()) if n},
        ],
        sort_keys=True,
    )


# --- numbers of the points -------------------------------------------------------------------


def own_number(absolute: int, side: str, laws: Laws) -> int:
    if side == "w":
        return absolute
    return (absolute + 11) % 24 + 1 if laws.long else 25 - absolute


def absolute_number(own: int, side: str, laws: Laws) -> int:
    return next(a for a in range(1, 25) if own_number(a, side, laws) == own)


def other(side: str) -> str:
    return "b" if side == "w" else "w"


def read(position: Json, turn: str, laws: Laws) -> Table:
    mine, theirs = [0] * 26, [0] * 26
    for point, text in position["points"].items():
        stack = mine if text[0] == turn else theirs
        stack[own_number(int(point), turn, laws)] += int(text[1:])
    for stack, side in ((mine, turn), (theirs, other(turn))):
        stack[OFF] = position.get("off", {}).get(side, 0)
        stack[BAR] = position.get("bar", {}).get(side, 0)
    return Table(tuple(mine), tuple(theirs))


def write(table: Table, turn: str, laws: Laws) -> Json:
    points = {}
    for own in range(24, 0, -1):
        absolute = str(absolute_number(own, turn, laws))
        if table.mine[own]:
            points[absolute] = f"{turn}{table.mine[own]}"
        if table.theirs[own]:
            points[absolute] = f"{other(turn)}{table.theirs[own]}"
    position: Json = {
        "points": points,
        "off": {turn: table.mine[OFF], other(turn): table.theirs[OFF]},
    }
    if not laws.long:
        position["bar"] = {turn: table.mine[BAR], other(turn): table.theirs[BAR]}
    return position


# --- single moves ----------------------------------------------------------------------------


def all_home(table: Table) -> bool:
    return not any(table.mine[point] for point in range(7, 26))


def moves(table: Table, start: Table, die: int, laws: Laws) -> Iterator[tuple[int, Table]]:
    """Every move of one checker by exactly one die, as (source, table after it)."""
    for source in range(25, 0, -1):
        if not table.mine[source]:
            continue
        if table.mine[BAR] and source != BAR:
            continue
        target = source - die
        if target >= 1:
            if table.theirs[target] >= (1 if laws.long else 2):
                continue
        else:
            if not all_home(table if laws.bear_off_same_turn else start):
                continue
            if source < die and any(table.mine[point] for point in range(source + 1, 7)):
                continue  # a higher point is still held
            target = OFF
        mine, theirs = list(table.mine), list(table.theirs)
        mine[source] -= 1
        mine[target] += 1
        if not laws.long and target != OFF and theirs[target] == 1:
            theirs[target] = 0
            theirs[BAR] += 1
        yield source, Table(tuple(mine), tuple(theirs))


# --- the block -------------------------------------------------------------------------------


def forbidden_blocks(table: Table, laws: Laws) -> set[int]:
    """The lowest point, on the enemy's path, of each six in a row that may not stand."""
    if laws.block == "none":
        return set()
    # The enemy's own number of a point whose number for the mover is n: the heads are 12 apart.
    mine_on_their_path = {(n + 11) % 24 + 1: table.mine[n] for n in range(1, 25)}
    theirs_on_path = {(n + 11) % 24 + 1: table.theirs[n] for n in range(1, 25)}
    off = table.theirs[OFF]
    home = sum(theirs_on_path[n] for n in range(1, 7))
    forbidden = set()
    for lowest in range(1, 20):
        if not all(mine_on_their_path[n] for n in range(lowest, lowest + 6)):
            continue
        ahead = sum(theirs_on_path[n] for n in range(1, lowest))
        allowed = {
            "enemy_ahead": ahead + off >= 1,
            "one_in_home": home + off >= 1,
            "all_in_home": home + off == 15,
        }[laws.block]
        if not allowed:
            forbidden.add(lowest)
    return forbidden


def builds_block(table: Table, start: Table, laws: Laws) -> bool:
    """Whether a forbidden block stands that did not stand before the turn.

    The texts forbid building one and are silent on one that an accepted wrong play left behind;
    it may stay.
    """
    return bool(forbidden_blocks(table, laws) - forbidden_blocks(start, laws))


# --- whole turns -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """What matters of a sequence of moves from the start of a turn."""

    played: tuple[int, ...]  # the dice used, in order
    from_head: int
    end: Table
    broke_block_law: bool  # after any of its moves


def all_lines(start: Table, dice: list[int], laws: Laws) -> set[Line]:
    """Every sequence of moves, shorter ones included, in every order of the dice."""
    orders: list[tuple[int, ...]] = [(dice[0], dice[1]), (dice[1], dice[0])]
    if dice[0] == dice[1]:
        orders = [(dice[0],) * 4]
    lines = {Line((), 0, start, broke_block_law=False)}
    for order in orders:
        front = {Line((), 0, start, broke_block_law=False)}
        for die in order:
            front = {
                Line(
                    (*line.played, die),
                    line.from_head + (laws.long and source == 24),
                    table,
                    line.broke_block_law or builds_block(table, start, laws),
                )
                for line in front
                for source, table in moves(line.end, start, die, laws)
            }
            lines |= front
    return lines


def lawful_tables(start: Table, dice: list[int], laws: Laws) -> set[Table]:
    every = all_lines(start, dice, laws)
    if laws.block_in_passing:
        every = {x for x in every if not x.broke_block_law}
    else:
        every = {x for x in every if not x.played or not builds_block(x.end, start, laws)}
    one_head = [x for x in every if x.from_head <= 1]
    two_heads = [x for x in every if x.from_head <= 2]
    lines = two_heads if second_head_allowed(start, dice, one_head, laws) else one_head
    most = max(len(x.played) for x in lines)
    if laws.larger_first and most == 2:
        # The order is an order, not a release: where only the smaller die opens the way for
        # the larger one, both are still played (law 4).
        lines = [x for x in lines if x.played == (max(dice), min(dice))] or lines
    lines = [x for x in lines if len(x.played) == most]
    if most == 1 and dice[0] != dice[1]:
        larger = [x for x in lines if x.played == (max(dice),)]
        lines = larger or lines
    return {x.end for x in lines}


def second_head_allowed(
    start: Table, dice: list[int], one_head: list[Line], laws: Laws
) -> bool:
    if not laws.long:
        return True  # no head law at all
    if start.mine[24] != 15 or laws.second_head == "never":
        return False
    double = dice[0] == dice[1]
    if laws.second_head == "any_double":
        return double
    in_full = 4 if double else 2
    unfinished = max(len(x.played) for x in one_head) < in_full
    if laws.second_head == "unfinished":
        return unfinished
    if not double or dice[0] not in (3, 4, 6):
        return False
    if laws.second_head == "big_doubles":
        return unfinished
    # enemy_head: the first stop that is taken must be the enemy's head.
    stop = 24 - dice[0]
    while stop > 0 and not start.theirs[stop]:
        stop -= dice[0]
    return stop == 12
