"""Positions to ask the rules core about: seeded random games and shuffled boards."""

import random
from collections.abc import Iterator

from rules import CHECKERS, Color, Position, Roll, Variant, legal_turns

Question = tuple[Position, Color, Roll]


def start_of(variant: Variant) -> Position:
    if variant.hits:
        white = {24: 2, 13: 5, 8: 3, 6: 5}
        return Position.of(white, {25 - point: n for point, n in white.items()})
    return Position.of({24: 15}, {12: 15})


def random_roll(rng: random.Random) -> Roll:
    return Roll(rng.randint(1, 6), rng.randint(1, 6))


def games(variant: Variant, rng: random.Random) -> Iterator[Question]:
    """Every question of random games, one game after the other, without end."""
    while True:
        position, color = start_of(variant), rng.choice(list(Color))
        while CHECKERS not in (position.off(Color.WHITE), position.off(Color.BLACK)):
            roll = random_roll(rng)
            yield position, color, roll
            position = rng.choice(legal_turns(position, color, roll, variant)).result
            color = color.other


def shuffled_boards(variant: Variant, rng: random.Random) -> Iterator[Question]:
    """Possible but unlikely boards: prime walls, late heads, many off, many on the bar."""
    while True:
        points = list(range(1, 25))
        rng.shuffle(points)
        if rng.random() < 0.5:  # a wall, or one with a hole in it
            lowest, length = rng.randint(1, 24), rng.randint(4, 8)
            wall = {(lowest + n - 1) % 24 + 1 for n in range(length)}
            points.sort(key=lambda point: point not in wall)
        taken = rng.randint(1, 11)
        sides = []
        for own_points in (points[:taken], points[taken : taken + rng.randint(1, 11)]):
            off = rng.choice((0, 0, 0, 1, rng.randint(0, 14)))
            bar = rng.choice((0, 0, 0, 1, 2)) if variant.hits else 0
            bar = min(bar, 15 - off)
            stacks = dict.fromkeys(own_points, 0)
            for _ in range(15 - off - bar):
                stacks[rng.choice(own_points)] += 1
            sides.append((stacks, off, bar))
        (white, white_off, white_bar), (black, black_off, black_bar) = sides
        position = Position.of(
            white, black, off=(white_off, black_off), bar=(white_bar, black_bar)
        )
        yield position, rng.choice(list(Color)), random_roll(rng)


def first_turns(variant: Variant, rng: random.Random) -> Iterator[Question]:
    """Long nardy: all fifteen on the head, an enemy checker or three already on the way."""
    while True:
        color = rng.choice(list(Color))
        head, enemy_head = (24, 12) if color is Color.WHITE else (12, 24)
        roll = random_roll(rng) if rng.random() < 0.4 else Roll(*[rng.randint(1, 6)] * 2)
        enemy = {enemy_head: CHECKERS}
        for _ in range(rng.randint(0, 3)):
            point = rng.choice([n for n in range(1, 25) if n != head])
            enemy[enemy_head] -= 1
            enemy[point] = enemy.get(point, 0) + 1
        stacks = (
            ({head: CHECKERS}, enemy) if color is Color.WHITE else (enemy, {head: CHECKERS})
        )
        yield Position.of(*stacks), color, roll
