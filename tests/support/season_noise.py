"""A camera that errs as the measured readers do: true positions and dice in, readings out.

Two kinds of slips. *Fresh* ones are drawn for every look. *Lasting* ones belong to what is
looked at — a stack as it stands, a die as it lies — and come again in every look until it
changes, or until a hand has passed and the light falls otherwise. The rate of a slip in a
single look is the same, whatever share of them lasts; by default it is what was measured on
pictures read again with fresh noise.

What a reader says of a stack in layers is made as the real one makes it: every depth is
open, weighed by what all other points leave of fifteen, their slips included.
"""

import random
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache

from calibration.layout import BoardLayout
from referee.evidence import Touched
from rules import CHECKERS, Color, Position
from vision.observation import (
    POINTS_PER_ROW,
    BarReading,
    CheckersReading,
    DieReading,
    Half,
    PointReading,
    Side,
    Surface,
)

_LEAST_DEEP = 5
"""A stack in layers may hold this many or more."""
_ROOM = (8.0, 1.0, 0.02)
"""How likely exactly fifteen, fewer, and more of a side are (vision.checkers_counts)."""
_AREAS = (0.1, 0.35, 0.6, 1.1)
"""How far a point may look otherwise, in checkers' areas; the last where a checker was taken
or laid. Shares of the others as measured with benchmarks/touch.py:"""
_LAYERS = (0.15, 0.41, 0.23, 0.21)
"""where a checker was taken from or laid on a stack in layers,"""
_SHADOWS = (0.3, 0.52, 0.12, 0.06)
"""where nothing was done and yet something looks otherwise,"""
_SHADOWS_DEEP = (0.75, 0.21, 0.02, 0.02)
"""and the same of stacks in layers."""
_BESIDE = (0.0, 0.4, 1.0, 1.6)
"""How much may look otherwise beside the board, in checkers' areas. Shares as measured with
benchmarks/touch.py:"""
_LAID = ((0.02, 0.6, 0.35, 0.03), (0.01, 0.15, 0.44, 0.4), (0.01, 0.05, 0.14, 0.8))
"""where one, two or more checkers borne off were laid there,"""
_OTHERWISE = (0.0, 0.7, 0.2, 0.1)
"""and, a guess, where something else came, went or moved."""
_LAID_IN_VIEW = 0.6
"""Tables at which checkers borne off are laid where the camera sees them: a guess."""
_REMEMBERED = 3
"""Looks of the board that the live program compares with."""
_LIGHT_CHANGES = 0.15
"""Share of hands after which a lasting slip is drawn anew."""


@dataclass(frozen=True, slots=True)
class NoiseRates:
    """Slips per look: of a held point, an empty point, a die, the bar, or the look itself."""

    point_unsure: float = 0.02
    point_off_by_one: float = 0.002
    """Vouched for, and one checker too many or too few."""
    point_swapped: float = 0.0005
    """Vouched for, and of the other side."""
    empty_held: float = 0.0002
    """An empty point vouched for as held by one checker."""
    bar_unknown: float = 0.01
    bar_wrong: float = 0.002
    die_missed: float = 0.002
    die_unsure: float = 0.0015
    die_wrong: float = 0.0002
    die_invented: float = 0.005
    """Per look: something that is no die."""
    die_flat_unknown: float = 0.002
    die_place_unknown: float = 0.0005
    look_dropped: float = 0.05
    look_unread: float = 0.005
    """The checkers could not be read at all."""
    touch_missed: float = 0.015
    """A point whose checkers changed looks as it did."""
    touch_false: float = 0.18
    """A point whose checkers did not change looks otherwise."""
    touch_false_deep: float = 0.05
    """The same of a stack in layers."""
    beside_false: float = 0.12
    """Something beside the board looks otherwise though no checker was laid there."""
    beside_unknown: float = 0.03

    def times(self, factor: float) -> "NoiseRates":
        """Return all rates so many times as high, none above a half."""
        scaled = {one.name: min(0.5, factor * getattr(self, one.name)) for one in fields(self)}
        return NoiseRates(**scaled)


@dataclass(frozen=True, slots=True)
class TrueDie:
    """A die as it lies."""

    value: int
    x_px: float
    y_px: float
    half: Half = Half.RIGHT
    on: Surface = Surface.BOARD
    flat: bool = True


@dataclass
class _Learned:
    """How a board looked once."""

    there: Position
    thought: Position
    areas: dict[tuple[int, int], float] = field(default_factory=dict)
    """By point and what it holds: how far it looks otherwise than it did then."""
    beside: dict[int, float | None] = field(default_factory=dict)
    """The same around the field, by the checkers borne off."""


@dataclass
class NoisyCamera:
    """A camera over one board, with the slips that last."""

    rates: NoiseRates
    rng: random.Random
    layout: BoardLayout
    white: Side
    row: int = 5
    """Checkers that lie side by side on a point; more lie on top of them."""
    lasting: float = 0.85
    """Share of the slips that come again while what they are about stays as it is."""
    _points: dict[int, tuple[int, PointReading | None]] = field(default_factory=dict)
    _dice: dict[TrueDie, DieReading | None] = field(default_factory=dict)
    _bar: tuple[tuple[int, int], tuple[int | None, int | None]] | None = None
    _known: list[_Learned] = field(default_factory=list)
    """How the board looked when its look was learned, the last time first."""

    def __post_init__(self) -> None:
        # What happens beside the board changes nothing of what happens on it.
        self._aside = random.Random(hash(self.rng.getstate()))
        self.in_view = self._aside.random() < _LAID_IN_VIEW
        """Whether players lay checkers borne off where the camera sees them."""

    def learn(self, there: Position, thought: Position) -> None:
        """Keep how the board looks, and what is thought to stand there."""
        self._known = [_Learned(there, thought), *self._known][:_REMEMBERED]

    def touched(self, position: Position, since: Position) -> Touched | None:
        """Tell how far points look otherwise than when this was thought to stand there."""
        learned = next((one for one in self._known if one.thought == since), None)
        if learned is None:
            return None
        areas = []
        for point in range(1, 25):
            stack, stood = _stack(position, point), _stack(learned.there, point)
            if (point, stack) not in learned.areas:
                learned.areas[point, stack] = self._otherwise(stack, stood)
            areas.append(learned.areas[point, stack])
        laid = _off(position) - _off(learned.there)
        if laid not in learned.beside:
            learned.beside[laid] = self._changed_beside(laid)
        return Touched(since, tuple(areas), learned.beside[laid])

    def _changed_beside(self, laid: int) -> float | None:
        rng, rates = self._aside, self.rates
        if rng.random() < rates.beside_unknown:
            return None
        if laid > 0 and self.in_view:
            return rng.choices(_BESIDE, _LAID[min(laid, len(_LAID)) - 1])[0]
        return rng.choices(_BESIDE, _OTHERWISE)[0] if rng.random() < rates.beside_false else 0.0

    def _otherwise(self, stack: int, stood: int) -> float:
        chance, rates = self.rng.random(), self.rates
        deep = max(abs(stack), abs(stood)) > self.row
        if stack != stood:
            if chance < rates.touch_missed:
                return 0.0
            return self.rng.choices(_AREAS, _LAYERS)[0] if deep else _AREAS[-1]
        if chance >= (rates.touch_false_deep if deep else rates.touch_false):
            return 0.0
        return self.rng.choices(_AREAS, _SHADOWS_DEEP if deep else _SHADOWS)[0]

    def moved(self) -> None:
        """Let a hand pass: some of what looked wrong looks otherwise now."""
        for point in list(self._points):
            if self.rng.random() < _LIGHT_CHANGES:
                del self._points[point]
        self._dice = {
            die: read for die, read in self._dice.items() if self.rng.random() > _LIGHT_CHANGES
        }
        if self.rng.random() < _LIGHT_CHANGES:
            self._bar = None

    def checkers(self, position: Position) -> CheckersReading:
        """Read the points and the bar."""
        said: dict[int, PointReading] = {}
        deep: dict[Color, list[int]] = {Color.WHITE: [], Color.BLACK: []}
        total = dict.fromkeys(Color, 0)
        for point in range(1, 25):
            stack = _stack(position, point)
            color, count = _held(stack)
            if color is not None and count > self.row:
                deep[color].append(point)
                continue
            read = self._slip(point, stack) or self._plain(self._side(color), count)
            said[point] = read
            side, seen = _likeliest(read)
            if side is not None:
                total[Color.WHITE if side is self.white else Color.BLACK] += seen
        bar = self._bar_seen(position)
        for color, points in deep.items():
            known = total[color] + (bar[0 if color is Color.WHITE else 1] or 0)
            for point in points:
                said[point] = _deep(self._side(color), known, len(points))
        rows = {"top": [_EMPTY] * POINTS_PER_ROW, "bottom": [_EMPTY] * POINTS_PER_ROW}
        for point, read in said.items():
            name, column = self.layout.slot(point)
            rows[name][column] = read
        light, dark = bar if self.white is Side.LIGHT else (bar[1], bar[0])
        return CheckersReading(
            tuple(rows["top"]), tuple(rows["bottom"]), BarReading(light, dark)
        )

    def dice(self, lying: tuple[TrueDie, ...]) -> tuple[DieReading, ...]:
        """Read the dice that lie there; now and then one too many."""
        self._dice = {die: read for die, read in self._dice.items() if die in lying}
        seen = []
        for die in lying:
            if die not in self._dice:
                self._dice[die] = self._die(die, self.lasting)
            kept = self._dice[die]
            read = kept if kept != true_reading(die) else self._die(die, 1 - self.lasting)
            if read is not None:
                seen.append(read)
        if self.rng.random() < self.rates.die_invented:
            seen.append(self._ghost())
        return tuple(sorted(seen, key=lambda one: one.center_px[0]))

    # --- checkers ---

    def _side(self, color: Color | None) -> Side | None:
        if color is None:
            return None
        return self.white if color is Color.WHITE else self.white.other

    def _slip(self, point: int, stack: int) -> PointReading | None:
        kept = self._points.get(point)
        if kept is None or kept[0] != stack:
            kept = (stack, self._drawn(stack, self.lasting))
            self._points[point] = kept
        return kept[1] or self._drawn(stack, 1 - self.lasting)

    def _drawn(self, stack: int, share: float) -> PointReading | None:
        """Draw a slip of a point, or none."""
        color, count = _held(stack)
        side, chance, rates = (
            self._side(color),
            self.rng.random() / max(share, 1e-9),
            self.rates,
        )
        if side is None:
            if chance < rates.empty_held:
                other = self.rng.choice(list(Side))
                return self._sure(other, 1, None, 0)
            return None
        for rate, draw in (
            (rates.point_off_by_one, self._off_by_one),
            (rates.point_swapped, self._swapped),
            (rates.point_unsure, self._unsure),
        ):
            if chance < rate:
                return draw(side, count)
            chance -= rate
        return None

    def _off_by_one(self, side: Side, count: int) -> PointReading:
        wrong = count + self.rng.choice((-1, 1))
        return self._sure(side if wrong else None, wrong, side, count)

    def _swapped(self, side: Side, count: int) -> PointReading:
        return self._sure(side.other, count, side, count)

    def _sure(
        self, side: Side | None, count: int, true_side: Side | None, true: int
    ) -> PointReading:
        """Vouch for something wrong; the truth has some of what is left."""
        chance = self.rng.uniform(0.86, 0.99)
        rest = ((true_side, true, 1 - chance),) if self.rng.random() < 0.8 else ()
        return PointReading(side, count, chance, ((side, count, chance), *rest))

    def _unsure(self, side: Side, count: int) -> PointReading:
        """Name candidates; the truth leads three times in four and is hardly ever missing."""
        kind = self.rng.random()
        best = self.rng.uniform(0.4, 0.84)
        near = [one for one in (count - 1, count + 1) if one >= 0]
        other = self.rng.choice(near)
        rest = near[0] if near[-1] == other else near[-1]
        if kind < 0.75:
            order = [(count, best), (other, 0.75 * (1 - best)), (rest, 0.25 * (1 - best))]
        elif kind < 0.98:
            order = [(other, best), (count, 0.75 * (1 - best)), (rest, 0.25 * (1 - best))]
        else:
            order = [(other, best), (rest, 1 - best)]
        named = tuple((side if n else None, n, share) for n, share in order)
        return PointReading(None, None, best, named)

    def _plain(self, side: Side | None, count: int) -> PointReading:
        chance = self.rng.choice(_CHANCES if count else _EMPTY_CHANCES)
        return _right(side, count, chance)

    def _bar_seen(self, position: Position) -> tuple[int | None, int | None]:
        there = (position.bar(Color.WHITE), position.bar(Color.BLACK))
        if self._bar is None or self._bar[0] != there:
            self._bar = (there, self._bar_drawn(there, self.lasting))
        kept = self._bar[1]
        return kept if kept != there else self._bar_drawn(there, 1 - self.lasting)

    def _bar_drawn(self, there: tuple[int, int], share: float) -> tuple[int | None, int | None]:
        chance = self.rng.random() / max(share, 1e-9)
        if chance < self.rates.bar_unknown:
            return None, None
        if chance < self.rates.bar_unknown + self.rates.bar_wrong:
            # A hinge taken for a checker, or a checker overlooked.
            seen = [there[0], there[1]]
            index = self.rng.randrange(2)
            seen[index] += -1 if seen[index] and self.rng.random() < 0.3 else 1
            return seen[0], seen[1]
        return there

    # --- dice ---

    def _die(self, die: TrueDie, share: float) -> DieReading | None:
        """Read a die, with a share of the slips; None: missed."""
        rates, chance = self.rates, self.rng.random() / max(share, 1e-9)
        right = true_reading(die)
        if chance < rates.die_missed:
            return None
        chance -= rates.die_missed
        if chance < rates.die_unsure:
            return replace(right, value=None, confidence=self.rng.uniform(0.3, 0.85))
        chance -= rates.die_unsure
        if chance < rates.die_wrong:
            wrong = self.rng.choice([n for n in range(1, 7) if n != die.value])
            return replace(right, value=wrong, confidence=self.rng.uniform(0.9, 0.999))
        chance -= rates.die_wrong
        if chance < rates.die_flat_unknown:
            return replace(right, flat=None)
        chance -= rates.die_flat_unknown
        if chance < rates.die_place_unknown:
            return replace(right, half=None, on=None)
        return right

    def _ghost(self) -> DieReading:
        x, y = self.rng.uniform(60, 900), self.rng.uniform(60, 600)
        value = self.rng.choice([None, 1, 1, 2])
        half = Half.LEFT if x < 480 else Half.RIGHT
        return DieReading(
            value, (x, y), (x - 10, y - 10, 20, 20), self.rng.uniform(0.2, 0.9), None,
            half=half, on=Surface.BOARD,
        )  # fmt: skip


_EMPTY = PointReading(None, 0, 1.0)
_CHANCES = (
    0.92,
    0.97,
    0.985,
    0.993,
    0.9975,
    0.9989,
    0.9993,
    0.9995,
    0.9997,
    0.9997,
    0.9998,
    0.9998,
    0.9999,
    0.9999,
    0.9999,
    0.9999,
    0.9999,
    0.99995,
    0.99995,
    0.99995,
)
"""What the reader says of a held point that it reads right, by measured twentieths."""
_EMPTY_CHANCES = (
    0.975,
    0.9975,
    0.9985,
    0.9989,
    0.9991,
    0.9993,
    0.9995,
    0.9996,
    0.9997,
    0.9997,
    0.9998,
    0.9998,
    0.9999,
    0.9999,
    0.9999,
    0.99995,
    0.99995,
    0.99995,
    0.99995,
    0.99995,
)
"""The same for empty points."""


def _stack(position: Position, point: int) -> int:
    """Return what a point holds: above 0 White's number, below Black's."""
    return position.count(Color.WHITE, point) - position.count(Color.BLACK, point)


def _held(stack: int) -> tuple[Color | None, int]:
    if stack == 0:
        return None, 0
    return (Color.WHITE, stack) if stack > 0 else (Color.BLACK, -stack)


def _likeliest(read: PointReading) -> tuple[Side | None, int]:
    if read.candidates:
        side, count, _ = read.candidates[0]
        return side, count
    return read.side, read.count or 0


@lru_cache(maxsize=1024)
def _right(side: Side | None, count: int, chance: float) -> PointReading:
    rest = 1 - chance
    near: tuple[tuple[Side | None, int, float], ...]
    if side is None:
        near = ((Side.LIGHT, 1, rest / 2), (Side.DARK, 1, rest / 2))
    else:
        below = (side if count > 1 else None, count - 1, rest / 2)
        near = ((side, count + 1, rest / 2), below)
    return PointReading(side, count, chance, ((side, count, chance), *near))


@lru_cache(maxsize=1024)
def _deep(side: Side | None, known: int, stacks: int) -> PointReading:
    """Return what is said of one of a side's stacks in layers.

    Args:
        side: whose it is.
        known: how many of that side the other points and the bar show.
        stacks: how many such stacks the side has.
    """
    depths = range(_LEAST_DEEP, CHECKERS + 1)
    others = {0: 1.0}
    for _ in range(stacks - 1):
        following: dict[int, float] = {}
        for total, weight in others.items():
            for depth in depths:
                following[total + depth] = following.get(total + depth, 0.0) + weight
        others = following
    weights = []
    for depth in depths:
        room = 0.0
        for total, weight in others.items():
            there = known + depth + total
            room += weight * _ROOM[0 if there == CHECKERS else 1 if there < CHECKERS else 2]
        weights.append((room, depth))
    whole = sum(weight for weight, _ in weights)
    named = [(weight / whole, depth) for weight, depth in sorted(weights, reverse=True)]
    kept = [(share, depth) for share, depth in named if share >= 0.01]
    shares = sum(share for share, _ in kept)
    candidates = tuple((side, depth, share / shares) for share, depth in kept)
    return PointReading(None, None, candidates[0][2], candidates)


def true_reading(die: TrueDie) -> DieReading:
    """Return a good reading of a die."""
    return DieReading(
        value=die.value,
        center_px=(die.x_px, die.y_px),
        box_px=(die.x_px - 10, die.y_px - 10, 20, 20),
        confidence=0.99,
        flat=die.flat,
        half=die.half,
        on=die.on,
    )


def _off(position: Position) -> int:
    return sum(position.off(color) for color in Color)
