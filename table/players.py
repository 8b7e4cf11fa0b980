"""Who plays at the simulated table: somebody at random, and somebody with a little sense."""

import random
from collections.abc import Sequence
from typing import Protocol

from rules import Color, Position, Roll, Turn, Variant, legal_turns
from rules.turns import absolute

_POINTS = range(1, 25)
_HEAD = 24


class Player(Protocol):
    """Chooses how to play a roll."""

    def choose(
        self,
        position: Position,
        color: Color,
        roll: Roll,
        variant: Variant,
        rng: random.Random,
    ) -> Turn:
        """Return one of the legal turns; the same draws choose the same turn."""
        ...


class RandomPlayer:
    """Plays any legal turn."""

    def choose(
        self,
        position: Position,
        color: Color,
        roll: Roll,
        variant: Variant,
        rng: random.Random,
    ) -> Turn:
        """Return a legal turn drawn at random."""
        return rng.choice(legal_turns(position, color, roll, variant))


class SensiblePlayer:
    """Plays the turn that looks best by a handful of hand-made weights.

    Not strong: its games only look like games of people, with points made, blots hit, heads
    left in time and an end within some sixty turns a side.
    """

    def choose(
        self,
        position: Position,
        color: Color,
        roll: Roll,
        variant: Variant,
        rng: random.Random,
    ) -> Turn:
        """Return the legal turn with the highest value; equals are drawn for."""
        turns = legal_turns(position, color, roll, variant)
        if len(turns) == 1:
            return turns[0]
        worth = _short_worth if variant.hits else _long_worth
        values = []
        for turn in turns:
            own = _own_numbers(turn.result, color, variant)
            enemy = _own_numbers(turn.result, color.other, variant)
            values.append(worth(own, enemy))
        best = max(values)
        return rng.choice([t for t, value in zip(turns, values, strict=True) if value == best])


def _own_numbers(position: Position, color: Color, variant: Variant) -> list[int]:
    """Return a side's checkers by its own numbers: 0 off, 1–24, 25 the bar."""
    held = [position.count(color, absolute(n, variant.path, color)) for n in _POINTS]
    return [position.off(color), *held, position.bar(color)]


def _long_worth(own: Sequence[int], enemy: Sequence[int]) -> float:
    """Value a long nardy position for the side that has just played, in rough pips."""
    value = 12.0 * own[0] - 0.6 * _pips(own)
    # A head that stays full is locked in; every turn takes one at most.
    value -= 2.2 * own[_HEAD]
    held = [own[n] > 0 for n in _POINTS]
    # Points in a row stop the enemy where it still has to pass: its own numbers are half a
    # lap away.
    for start, length in _runs(held):
        top = (start + length + 10) % 24 + 1
        behind = sum(enemy[top + 1 : 25])
        value += min(length, 6) ** 1.6 * (0.55 + 0.05 * min(behind, 15))
    for n in _POINTS:
        if n != _HEAD and own[n] > 3:
            value -= (0.5 if n > 6 else 0.15) * (own[n] - 3)
    # Whoever stands alone far behind the others comes home last.
    rear = [n for n in _POINTS if own[n] and n != _HEAD]
    if rear:
        mean = sum(n * own[n] for n in rear) / sum(own[n] for n in rear)
        value -= 0.25 * max(0.0, max(rear) - mean - 6)
    # An even home bears off without waste.
    value -= 0.3 * sum(1 for n in range(1, 7) if not own[n] and own[0] + sum(own[1:7]) == 15)
    return value


def _short_worth(own: Sequence[int], enemy: Sequence[int]) -> float:
    """Value a backgammon position for the side that has just played, in rough pips."""
    theirs = [0, *(enemy[25 - n] for n in _POINTS)]
    """Enemy checkers by the mover's numbers."""
    value = float(_pips(enemy) - _pips(own)) * 0.5 + 9.0 * own[0]
    value += 6.0 * enemy[25] - 9.0 * own[25]
    lowest_enemy = 0 if enemy[25] else min((n for n in _POINTS if theirs[n]), default=25)
    for n in _POINTS:
        if own[n] == 1 and n > lowest_enemy:
            # What a hit costs is the way back; what it risks are the shots.
            value -= _shots(n, theirs, enemy[25]) * (0.12 * (25 - n) + 1.0)
        if own[n] >= 2:
            value += {4: 4.0, 5: 5.0, 6: 4.0, 7: 4.0, 8: 2.0, 20: 4.0, 21: 3.0}.get(n, 1.0)
        value -= 0.6 * max(0, own[n] - 4)
    for _, length in _runs([own[n] >= 2 for n in _POINTS]):
        value += 0.9 * length**1.7 if length > 2 else 0.0
    value -= 1.2 * sum(own[22:25])
    return value


def _shots(n: int, theirs: Sequence[int], on_bar: int) -> float:
    """Return roughly how likely (0–1) a blot is hit."""
    chance = 0.0
    for away in range(1, 12):
        hitter = n - away
        if hitter < 0:
            break
        if (on_bar if hitter == 0 else theirs[hitter]) > 0:
            chance += (11 + away) / 36 if away <= 6 else 0.1
    return min(chance, 1.0)


def _pips(own: Sequence[int]) -> int:
    return sum(n * count for n, count in enumerate(own))


def _runs(held: Sequence[bool]) -> list[tuple[int, int]]:
    """Return (first own number, length) of every run of points held."""
    runs: list[tuple[int, int]] = []
    start = 0
    for index, one in enumerate([*held, False]):
        if one:
            continue
        if index > start:
            runs.append((start + 1, index - start))
        start = index + 1
    return runs
