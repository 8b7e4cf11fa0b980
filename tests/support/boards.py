"""Boards written as text, and checkers moved by hand without asking any law."""

from rules import Color, Move, Position, Roll, Spot, Turn, Variant, variant_named

W, B = Color.WHITE, Color.BLACK
LONG_SETS = (
    "bolshie-nardy", "moscow-open", "classic", "federation",
    "club", "beginner", "kush", "sport-rf",
)  # fmt: skip


def board(text: str) -> Position:
    """A position from `24:w14 12:b* off:w1 bar:b2`; `*` is whatever is missing to fifteen."""
    counts: dict[str, dict[str, int]] = {"w": {}, "b": {}}
    open_place: dict[str, str] = {}
    for word in text.split():
        place, stack = word.split(":")
        side, number = stack[0], stack[1:]
        if number == "*":
            open_place[side] = place
        else:
            counts[side][place] = int(number)
    for side, place in open_place.items():
        counts[side][place] = 15 - sum(counts[side].values())
    off = [counts[side].pop("off", 0) for side in "wb"]
    bar = [counts[side].pop("bar", 0) for side in "wb"]
    white, black = ({int(p): n for p, n in counts[side].items()} for side in "wb")
    return Position.of(white, black, off=(off[0], off[1]), bar=(bar[0], bar[1]))


LONG_START = board("24:w15 12:b15")
SHORT_START = board("24:w2 13:w5 8:w3 6:w5 1:b2 12:b5 17:b3 19:b5")


def start(variant: Variant) -> Position:
    return SHORT_START if variant.hits else LONG_START


def moved(position: Position, color: Color, *steps: tuple[int, int]) -> Position:
    """The position after these steps, lawful or not: absolute points, 0 off, 25 the bar.

    A lone enemy checker on the target goes to the bar.
    """
    stacks: dict[Color, dict[int, int]] = {side: {} for side in Color}
    for point, owner, count in position.occupied():
        stacks[owner][point] = count
    for side in Color:
        stacks[side][0], stacks[side][25] = position.off(side), position.bar(side)
    mine, theirs = stacks[color], stacks[color.other]
    for source, target in steps:
        mine[source] -= 1
        mine[target] = mine.get(target, 0) + 1
        if 1 <= target <= 24 and theirs.get(target) == 1:
            theirs[target] -= 1
            theirs[25] += 1
    off = stacks[W].pop(0), stacks[B].pop(0)
    bar = stacks[W].pop(25), stacks[B].pop(25)
    return Position.of(stacks[W], stacks[B], off=off, bar=bar)


def slot(place: int | Spot) -> int:
    """A place as the exchange format counts it."""
    if isinstance(place, Spot):
        return 25 if place is Spot.BAR else 0
    return place


def steps(moves: tuple[Move, ...]) -> list[tuple[int, int]]:
    return [(slot(move.source), slot(move.target)) for move in moves]


def texts(turns: tuple[Turn, ...]) -> set[str]:
    """The results as text, for readable differences."""
    return {str(turn.result) for turn in turns}


def roll(text: str) -> Roll:
    first, second = text.split("-")
    return Roll(int(first), int(second))


def rules(name: str) -> Variant:
    return variant_named(name)
