"""Plays that nobody saw: which turns lead from the last certain position to the one seen now.

Pure and bounded: so many turns at the most, so many questions to the rules at the most. Only
when exactly one sequence of legal plays explains what is seen is there an answer; whether a
turn without a move went by is part of the question.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rules import Color, Position, Roll, Turn, Variant, legal_turns
from rules.outcome import GameState, state_after
from rules.turns import absolute

MOST_TURNS: Final = 4
MOST_TURNS_WITH_HITS: Final = 2
"""Where checkers are sent back, longer sequences are too many to be told apart."""
MOST_QUESTIONS: Final = 800
"""Lists of legal turns asked for: a second or two on a small machine."""
_ROLLS: Final = tuple(Roll(one, other) for one in range(1, 7) for other in range(1, one + 1))
_MOST_PIPS: Final = 24


@dataclass(frozen=True, slots=True)
class UnseenTurn:
    """One turn of the sequence."""

    side: Color
    rolls: tuple[Roll, ...]
    """Every throw that this play is a legal play of."""
    before: Position
    after: Position


@dataclass(frozen=True, slots=True)
class Recovered:
    """The one sequence of plays that explains what is seen."""

    turns: tuple[UnseenTurn, ...]

    @property
    def dice_known(self) -> bool:
        """Whether every throw follows from the plays."""
        return all(len(turn.rolls) == 1 for turn in self.turns)


@lru_cache(maxsize=32)
def recovered(
    ground: Position,
    turn: Color,
    seen: Position,
    variant: Variant,
    roll: Roll | None = None,
    *,
    began: Color = Color.WHITE,
) -> Recovered | None:
    """Find the turns played unseen.

    Args:
        ground: the last certain position.
        turn: whose turn it was then.
        seen: what stands on the board now.
        variant: the rule set in force.
        roll: the throw, where it had been made and seen already.
        began: the side that began the game: who may have the last throw.

    Returns:
        None where nothing changed, no legal plays lead there, several sequences do, or the
        search would take too long to say.
    """
    if seen == ground:
        return None
    search = _Search(seen, variant, began)
    found: list[tuple[UnseenTurn, ...]] = []
    longest = MOST_TURNS_WITH_HITS if variant.hits else MOST_TURNS
    for length in range(1, longest + 1):
        for one in search.sequences(ground, turn, roll, length):
            found.append(one)
            if len(found) > 1:
                return None
        if search.spent:
            return None
    return Recovered(found[0]) if found else None


class _Search:
    """A depth-first search that counts what it asks of the rules.

    Args:
        seen: where it must end.
        variant: the rule set in force.
        began: the side that began the game.
    """

    def __init__(self, seen: Position, variant: Variant, began: Color) -> None:
        self._seen, self._variant, self._began = seen, variant, began
        self._asked = 0
        self._turns: dict[tuple[Position, Color, Roll], tuple[Turn, ...]] = {}

    @property
    def spent(self) -> bool:
        """Whether more was to be asked than may be."""
        return self._asked > MOST_QUESTIONS

    def sequences(
        self, start: Position, side: Color, roll: Roll | None, length: int
    ) -> Iterator[tuple[UnseenTurn, ...]]:
        """Yield the sequences of so many turns that end where they must."""
        if self.spent or not self._in_reach(start, side, length):
            return
        for after, rolls in self._plays(start, side, roll).items():
            turn = UnseenTurn(side, rolls, start, after)
            if length == 1:
                if after == self._seen:
                    yield (turn,)
                continue
            state = state_after(after, self._variant, began=self._began, moved=side)
            if state is not GameState.GOES_ON:
                continue
            for rest in self.sequences(after, side.other, None, length - 1):
                yield (turn, *rest)

    def _plays(
        self, start: Position, side: Color, roll: Roll | None
    ) -> dict[Position, tuple[Roll, ...]]:
        """Return what a turn can lead to, and by which throws."""
        found: dict[Position, tuple[Roll, ...]] = {}
        for one in _ROLLS if roll is None else (roll,):
            key = (start, side, one)
            if key not in self._turns:
                self._asked += 1
                if self.spent:
                    return {}
                self._turns[key] = tuple(legal_turns(start, side, one, self._variant))
            for turn in self._turns[key]:
                found[turn.result] = (*found.get(turn.result, ()), one)
        return {after: tuple(dict.fromkeys(rolls)) for after, rolls in found.items()}

    def _in_reach(self, now: Position, side: Color, length: int) -> bool:
        """Whether so many turns, this side's first, could lead there at all.

        Checkers only move on, unless they are hit, and no turn moves more than four sixes.
        """
        turns = {side: (length + 1) // 2, side.other: length // 2}
        for color in Color:
            pips = self._pips(now, color) - self._pips(self._seen, color)
            if self._variant.hits:
                # Every hit sends a checker back: it only ever adds to what must be moved.
                if pips > _MOST_PIPS * turns[color]:
                    return False
                if length == 1 and color is not side and not self._only_hit(now, color):
                    return False
                continue
            if not 0 <= pips <= _MOST_PIPS * turns[color]:
                return False
            if not turns[color] and now.packed(color) != self._seen.packed(color):
                return False
            if not self._moved_on(now, color):
                return False
        return True

    def _only_hit(self, now: Position, color: Color) -> bool:
        """Whether a side that does not move only lost checkers to the bar."""
        if now.off(color) != self._seen.off(color):
            return False
        return all(
            self._seen.count(color, point) <= now.count(color, point) for point in range(1, 25)
        )

    def _moved_on(self, now: Position, color: Color) -> bool:
        """Whether a side's checkers can have come there by moving on alone."""
        there = after = 0
        for own in range(24, 0, -1):
            point = absolute(own, self._variant.path, color)
            there += now.count(color, point)
            after += self._seen.count(color, point)
            if after > there:
                return False
        return True

    def _pips(self, position: Position, color: Color) -> int:
        path = self._variant.path
        bar = 25 * position.bar(color)
        return bar + sum(
            own * position.count(color, absolute(own, path, color)) for own in range(1, 25)
        )
