"""A referee that knows the truth: it drives a live table without looking at a picture."""

from collections.abc import Iterator

from rules import Color, Position, Roll, Variant, Verdict, judge_play
from rules.outcome import GameState, state_after
from table.cues import (
    AcceptOrDemand,
    Accepts,
    AnswerThrow,
    Cue,
    Demands,
    Happening,
    Play,
    PutRight,
    Resigns,
    Said,
    SaysThrow,
    SetUpStart,
    Throw,
)
from table.live import LiveTable
from table.script import Press
from table.truth_log import TruePlay, TrueThrow


def game(table: LiveTable, variant: Variant, turns: int) -> Iterator[tuple[Cue, Happening]]:
    """Play some turns of a game, or all of it; yields what happens with its cue."""
    seen: list[Happening] = []

    def act(cue: Cue) -> Iterator[tuple[Cue, Happening]]:
        seen.clear()
        for one in table.act(cue):
            seen.append(one)
            yield cue, one

    yield from act(SetUpStart())
    side = Color.WHITE
    for _ in range(turns):
        roll: Roll | None = None
        while roll is None:
            yield from act(Throw(side))
            if any(isinstance(one, Said) and isinstance(one.word, Resigns) for one in seen):
                continue
            thrown = last_throw(table)
            roll = Roll(*thrown.values) if thrown.counts else None
            if thrown.counts is None:
                yield from act(AnswerThrow(side))
                said = seen[-1]
                assert isinstance(said, Said)
                assert isinstance(said.word, SaysThrow)
                roll = said.word.roll
        before = table.position
        yield from act(Play(side, roll, before))
        while not legal(before, side, roll, table, variant):
            yield from act(AcceptOrDemand(side.other))
            if not demanded(seen[-1], side):
                break
            yield from act(PutRight(side, roll, before))
        ended = state_after(table.position, variant, began=Color.WHITE, moved=side)
        if ended is GameState.OVER:
            return
        side = side.other


def legal(
    before: Position, side: Color, roll: Roll, table: LiveTable, variant: Variant
) -> bool:
    return judge_play(before, side, roll, table.position, variant).verdict is Verdict.LEGAL


def demanded(last: Happening, side: Color) -> bool:
    if isinstance(last, Press):
        return last.side == side
    assert isinstance(last, Said)
    assert isinstance(last.word, Accepts | Demands)
    return isinstance(last.word, Demands)


def last_throw(table: LiveTable) -> TrueThrow:
    return table.truth.throws[-1]


def last_play(table: LiveTable) -> TruePlay:
    return table.truth.plays[-1]
