"""How a match's record compares with what truly happened at the simulated table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias, TypeVar

from referee.arbiter import Actor
from referee.arbiter.events import (
    Event,
    FlagFell,
    OpeningDieSeen,
    PlayRead,
    PlayRuled,
    SightLost,
    ThrowRuled,
)
from rules import Verdict
from rules.throw import ThrowVerdict
from table.truth_log import TrueDie, TrueFlag, TruePlay, TrueThrow, TruthLog

Kind = TypeVar("Kind", TrueDie, TrueThrow, TruePlay)
_SLACK_MS = 400
"""A press is written down the moment it falls, a play a little before."""
About: TypeAlias = Literal["throw", "die", "play", "sight"]


@dataclass(frozen=True, slots=True)
class Question:
    """What people were asked, or told the referee unasked because it said nothing."""

    at_ms: int
    about: About
    why: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Record against truth."""

    throws: int
    plays: int
    questions: tuple[Question, ...]
    """Throws, opening dice, plays and boards that a person had to tell."""
    wrong: tuple[str, ...]
    """What the referee ruled of its own accord and was not so."""
    missed: tuple[str, ...] = ()
    """What truly happened and neither a ruling nor a question is about."""

    @property
    def asked(self) -> int:
        """How often people were asked."""
        return len(self.questions)


def compare(truth: TruthLog, events: Sequence[Event]) -> Comparison:
    """Hold every ruling of the referee's own against the truth.

    Args:
        truth: of the table.
        events: of the match, in order.
    """
    throws = plays = 0
    wrong = list(_wrong_flags(truth, events))
    for event in events:
        match event:
            case ThrowRuled(by=Actor.SYSTEM) if event.verdict is not ThrowVerdict.UNSURE:
                throws += 1
                wrong += _wrong_throw(truth, event)
            case OpeningDieSeen(by=Actor.CAMERA):
                throws += 1
                die = _latest(truth.entries, TrueDie, event.at_ms)
                if die is None or (die.side, die.value) != (event.side, event.value):
                    wrong.append(f"{event.at_ms} ms: opening die {event.value}, true {die}")
            case PlayRuled(by=Actor.SYSTEM) if event.roll is not None:
                plays += 1
                wrong += _wrong_play(truth, event)
            case _:
                pass
    return Comparison(
        throws, plays, tuple(_questions(events)), tuple(wrong), tuple(_missed(truth, events))
    )


def _questions(events: Sequence[Event]) -> Iterator[Question]:
    for event in events:
        match event:
            case ThrowRuled(verdict=ThrowVerdict.UNSURE):
                shown = "-".join("?" if one is None else str(one) for one in event.values)
                why = " ".join(reason.value for reason in event.reasons)
                yield Question(event.at_ms, "throw", f"{shown} {why}")
            case OpeningDieSeen() if event.by is not Actor.CAMERA:
                yield Question(event.at_ms, "die", "not read")
            case PlayRead(position=None):
                yield Question(event.at_ms, "play", f"{len(event.candidates)} candidates")
            case SightLost():
                yield Question(event.at_ms, "sight", event.reason)
            case _:
                pass


def _wrong_flags(truth: TruthLog, events: Sequence[Event]) -> Iterator[str]:
    """Yield the flags that players let fall and that fell unnoticed, or at another time."""
    fell = {(one.side, one.at_ms) for one in events if isinstance(one, FlagFell)}
    for flag in truth.entries:
        if isinstance(flag, TrueFlag) and (flag.side, round(1000 * flag.at_s)) not in fell:
            yield f"{round(1000 * flag.at_s)} ms: the flag of {flag.side.value} fell unnoticed"


def _missed(truth: TruthLog, events: Sequence[Event]) -> Iterator[str]:
    """Yield the throws and plays before whose successor the record says nothing of them."""
    throws = [one for one in truth.throws if not one.premature]
    ruled = [one.at_ms for one in events if isinstance(one, ThrowRuled)]
    for throw, after in pairwise(throws):
        if not _between(ruled, throw.at_s, after.at_s):
            yield f"{round(1000 * throw.at_s)} ms: throw {throw.values}"
    plays = truth.plays
    judged = [one.at_ms for one in events if isinstance(one, PlayRuled)]
    for play, later in pairwise(plays):
        # A roll that cannot be played is ruled on before anybody has thought about it.
        moved = play.before != play.after
        if moved and not _between(judged, play.at_s, later.at_s):
            yield f"{round(1000 * play.at_s)} ms: play {play.roll} to {play.after}"


def _between(times_ms: Sequence[int], since_s: float, before_s: float) -> bool:
    return any(1000 * since_s - _SLACK_MS <= at <= 1000 * before_s for at in times_ms)


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
    legal = event.verdict is Verdict.LEGAL
    if (
        true is None
        or (true.after, true.roll) != (event.played, event.roll)
        or (true.before == event.before and legal != (true.foul is None))
    ):
        said = f"{event.verdict.value} {event.before} → {event.played}"
        left = None if true is None else f"{true.roll} → {true.after} {true.foul or 'legal'}"
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
