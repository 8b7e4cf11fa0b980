"""A referee who is told the truth instead of pictures: whole matches in no time."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from referee.arbiter import MatchSetup, MatchState, settle
from referee.arbiter.events import (
    DiceChanged,
    DiceLifted,
    Event,
    MatchOpened,
    OpeningDieSeen,
    PlayRead,
    Pressed,
    StartSeen,
    ThrowSeen,
    TimePassed,
)
from referee.arbiter.states import Judging, MatchOver, Playing
from rules import Color
from rules.throw import DieFacts, Lies
from table.live import LiveTable
from table.live_truth import standing
from table.script import Shot
from table.truth_log import TrueDice, TrueDie, TrueStart, TrueThrow
from vision.frame import Frame
from zarbiter.live import Step
from zarbiter.match_loop import run_match

_MOST_STEPS = 20_000
_BLANK = np.zeros((1, 1, 3), np.uint8)


@dataclass
class ToldReferee:
    """Hears what truly happens with every picture, as one who sees all would."""

    table: LiveTable
    setup: MatchSetup
    state: MatchState = field(default_factory=MatchState)
    events: list[Event] = field(default_factory=list)
    _told: int = 0
    _shot: Shot | None = None
    _calm: int = 0
    """Looks since a hand was over the board."""
    _moved: bool = False

    def __post_init__(self) -> None:
        self.say(MatchOpened(0, self.setup))

    def photographed(self, shot: Shot) -> Frame:
        self._shot = shot
        return Frame(_BLANK, shot.at_s)

    def frame(self, frame: Frame) -> Iterator[Step]:
        at_ms, shot = round(1000 * frame.at_s), self._shot
        yield self.say(TimePassed(at_ms))
        entries = self.table.truth.entries
        news, self._told = entries[self._told :], len(entries)
        for entry in news:
            match entry:
                case TrueStart():
                    yield self.say(StartSeen(at_ms, entry.position))
                case TrueDie():
                    yield self.say(OpeningDieSeen(at_ms, entry.side, entry.value))
                case TrueThrow():
                    yield self.say(ThrowSeen(at_ms, entry.side, facts(entry)))
                case TrueDice(how="turned" | "knocked") if isinstance(
                    self.state.phase, Playing
                ):
                    yield self.say(DiceChanged(at_ms, entry.values))
                case _:
                    pass
        if shot is None or shot.scene.hand is not None:
            self._calm, self._moved = 0, True
            return
        self._calm += 1
        lifted = self._moved and self._calm >= 3 and not shot.scene.dice
        if lifted and self.setup.dice_end_turn and isinstance(self.state.phase, Playing):
            self._moved = False
            yield self.say(DiceLifted(at_ms))
        if isinstance(self.state.phase, Judging):
            stands = standing(self.table.board, shot.scene.discs)
            yield self.say(PlayRead(at_ms, stands))

    def press(self, at_ms: int, side: Color) -> Iterator[Step]:
        yield self.say(Pressed(at_ms, side))

    def say(self, event: Event) -> Step:
        settled = settle(self.state, event)
        self.state = settled.state
        self.events += settled.events
        return Step(event, settled)


def facts(throw: TrueThrow) -> tuple[DieFacts, ...]:
    """Return dice that make the throw count, fail, or be asked about, as it truly does."""
    lies = Lies.OFF_BOARD if throw.counts is False else Lies.RIGHT
    flat = None if throw.counts is None else True
    first, second = throw.values
    return (
        DieFacts(first, Lies.RIGHT, True, on_checker=False, touches_checker=False,
                 touches_wall=False),
        DieFacts(second, lies, flat, on_checker=False, touches_checker=False,
                 touches_wall=False),
    )  # fmt: skip


def play_out(referee: ToldReferee, turns: int | None = None) -> None:
    """Play until the match is over, or for so many turns."""

    def enough(_: MatchState) -> bool:
        return turns is not None and len(referee.table.truth.plays) >= turns

    for count, _ in enumerate(
        run_match(referee, referee.table, referee.photographed, until=enough)
    ):
        assert count < _MOST_STEPS
    assert turns is not None or isinstance(referee.state.phase, MatchOver)
