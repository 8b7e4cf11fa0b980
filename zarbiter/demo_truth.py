"""How a match's record compares with what truly happened at the simulated table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from referee.arbiter import Actor
from referee.arbiter.events import (
    Event,
    OpeningDieSeen,
    PlayRead,
    PlayRuled,
    ThrowRuled,
)
from rules.throw import ThrowVerdict
from table.truth_log import TrueDie, TruePlay, TrueThrow, TruthLog

Kind = TypeVar("Kind", TrueDie, TrueThrow, TruePlay)
_SLACK_MS = 400
"""A press is written down the moment it falls, a play a little before."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Record against truth."""

    throws: int
    plays: int
    asked: int
    """Throws, opening dice and plays that a person was asked about."""
    wrong: tuple[str, ...]
    """What the referee ruled of its own accord and was not so."""


def compare(truth: TruthLog, events: Sequence[Event]) -> Comparison:
    """Hold every ruling of the referee's own against the truth.

    Args:
        truth: of the table.
        events: of the match, in order.
    """
    throws = plays = asked = 0
    wrong: list[str] = []
    for event in events:
        match event:
            case ThrowRuled(verdict=ThrowVerdict.UNSURE):
                asked += 1
            case ThrowRuled(by=Actor.SYSTEM):
                throws += 1
                wrong += _wrong_throw(truth, event)
            case OpeningDieSeen(by=Actor.CAMERA):
                throws += 1
                die = _latest(truth.entries, TrueDie, event.at_ms)
                if die is None or (die.side, die.value) != (event.side, event.value):
                    wrong.append(f"{event.at_ms} ms: opening die {event.value}, true {die}")
            case OpeningDieSeen():
                asked += 1
            case PlayRead(position=None):
                asked += 1
            case PlayRuled(by=Actor.SYSTEM) if event.roll is not None:
                plays += 1
                wrong += _wrong_play(truth, event)
            case _:
                pass
    return Comparison(throws, plays, asked, tuple(wrong))


def _wrong_throw(truth: TruthLog, event: ThrowRuled) -> list[str]:
    true = _latest(truth.entries, TrueThrow, event.at_ms, side=event.side)
    if true is None:
        return [f"{event.at_ms} ms: a throw that never was: {event.values}"]
    void = event.verdict is ThrowVerdict.VOID
    right = not true.counts if void else true.counts is not False
    if not void and sorted(event.values, key=str) != sorted(true.values, key=str):
        right = False
    if right:
        return []
    return [
        f"{event.at_ms} ms: throw {event.values} {event.verdict.value}, "
        f"true {true.values} {true.kind or 'valid'}"
    ]


def _wrong_play(truth: TruthLog, event: PlayRuled) -> list[str]:
    true = _latest(truth.entries, TruePlay, event.at_ms, side=event.side)
    if true is None or (true.after, true.roll) != (event.played, event.roll):
        said = f"{event.verdict.value} {event.before} → {event.played}"
        left = None if true is None else f"{true.roll} → {true.after}"
        return [f"{event.at_ms} ms: play {event.roll} {said}, true {left}"]
    return []


def _latest(
    entries: Sequence[object], kind: type[Kind], at_ms: int, side: object = None
) -> Kind | None:
    """Return the latest entry of a kind before a moment."""
    for one in reversed(entries):
        if (
            isinstance(one, kind)
            and 1000 * one.at_s <= at_ms + _SLACK_MS
            and side in (None, one.side)
        ):
            return one
    return None
