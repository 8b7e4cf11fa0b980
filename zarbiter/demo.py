"""`zarbiter demo`: a few turns filmed on the simulated table, refereed like a real recording.

The film is pictures on the disk and nothing else; the referee sees it through `replay`, as it
would see any recording. What was really thrown and played stays in `truth.json`, which only
the comparison at the end opens.
"""

import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rules import (
    Color,
    Law,
    Position,
    Roll,
    Variant,
    Verdict,
    judge_play,
    legal_turns,
)
from rules.outcome import GameState, state_after
from rules.start import start_position
from rules.turns import reachable
from table import script
from table.sequence import TableSetup, write_sequence
from table.throws import VoidKind
from zarbiter.replay import run_replay

_MOST_TURNS = 200


class DemoError(ValueError):
    """A demo that cannot be shown as asked."""


@dataclass(frozen=True, slots=True)
class Played:
    """One turn of the demo's game, with what is true of it."""

    turn: script.Turn
    verdict: Verdict
    law: Law | None


def run_demo(
    variant: Variant,
    *,
    seed: int,
    turns: int,
    keep: Path | None,
    as_json: bool,
    language: str,
    out: TextIO,
    err: TextIO,
) -> int:
    """Film a game and referee it.

    Returns:
        0, or 1 when a frame could not be read.

    Raises:
        DemoError: a number of turns or a seed that cannot be, or a folder already in use.
    """
    if not 1 <= turns <= _MOST_TURNS:
        raise DemoError(f"a demo has 1 to {_MOST_TURNS} turns, not {turns}")
    if seed < 0:
        raise DemoError(f"a seed is a number from 0 up, not {seed}")
    if keep is not None and keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        raise DemoError(f"{keep} is in use; name a new folder for the film")
    ru = language == "ru"
    with tempfile.TemporaryDirectory(prefix="zarbiter-demo-") as scratch:
        folder = keep or Path(scratch)
        played = list(play_game(variant, random.Random(seed), turns))
        err.write(
            f"Снимаем {len(played)} ходов на модели стола …\n"
            if ru
            else f"Filming {len(played)} turns on the simulated table …\n"
        )
        err.flush()
        write_sequence(folder, variant.name, TableSetup(), [one.turn for one in played], seed)
        status = run_replay(
            folder,
            setup_path=None,
            rules=None,
            as_json=as_json,
            language=language,
            out=out,
            err=err,
        )
    _tell_truth(played, err, ru=ru)
    if keep is not None:
        err.write(f"{'Фильм' if ru else 'The film'}: {keep}\n")
    return status


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


def _tell_truth(played: list[Played], err: TextIO, *, ru: bool) -> None:
    """Say what was really played, for comparison with the rulings above."""
    voids = sum(len(one.turn.voids) for one in played)
    fouls = [one for one in played if one.verdict is not Verdict.LEGAL]
    laws = ", ".join(one.law.value for one in fouls if one.law) or "—"
    if ru:
        err.write(
            f"На самом деле: ходов {len(played)}, недействительных бросков {voids}, "
            f"ходов против правил {len(fouls)} ({laws}).\n"
        )
    else:
        err.write(
            f"In truth: {len(played)} turns, {voids} void throws, "
            f"{len(fouls)} plays against the rules ({laws}).\n"
        )
