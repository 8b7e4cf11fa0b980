"""A scripted game with a void throw and a foul in it, for films."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from rules import Color, Law, Position, Roll, Variant, Verdict, judge_play, legal_turns
from rules.outcome import GameState, state_after
from rules.start import start_position
from rules.turns import reachable
from table import script
from table.throws import VoidKind


@dataclass(frozen=True, slots=True)
class Played:
    """One turn of the demo's game, with what is true of it."""

    turn: script.Turn
    verdict: Verdict
    law: Law | None


def play_game(variant: Variant, rng: random.Random, turns: int) -> Iterator[Played]:
    """Yield the turns of a game with incidents: a void throw, then a play against the rules.

    Args:
        variant: the rule set in force.
        rng: draws dice and plays.
        turns: how many; fewer if the game ends before.
    """
    position = start_position(variant)
    color = Color.WHITE
    kinds: tuple[VoidKind, ...] = ("cocked", "different_halves", "off_board")
    for number in range(turns):
        roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
        if variant.hits and number == 0:
            while roll.is_double:
                roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
        plays = legal_turns(position, color, roll, variant)
        after = rng.choice(plays).result
        if number % 4 == 3:
            after = _foul(position, color, roll, variant, rng) or after
        judged = judge_play(position, color, roll, after, variant)
        yield Played(
            script.Turn(
                side="w" if color is Color.WHITE else "b",
                dice=(roll.first, roll.second),
                before=position.to_json(with_bar=variant.hits),
                after=after.to_json(with_bar=variant.hits),
                voids=(rng.choice(kinds),) if number % 4 == 1 else (),
                facts={"verdict": judged.verdict.value},
            ),
            judged.verdict,
            judged.law,
        )
        if state_after(after, variant, began=Color.WHITE, moved=color) is not GameState.GOES_ON:
            return
        position, color = after, color.other


def _foul(
    position: Position, color: Color, roll: Roll, variant: Variant, rng: random.Random
) -> Position | None:
    """Return a play with these dice that breaks a law, None if there is none."""
    legal = {turn.result for turn in legal_turns(position, color, roll, variant)}
    fouls = sorted(reachable(position, color, roll, variant) - legal - {position}, key=str)
    rng.shuffle(fouls)
    for foul in fouls:
        # Wrong, not merely unfinished.
        if judge_play(position, color, roll, foul, variant).verdict is Verdict.ILLEGAL:
            return foul
    return None
