"""A match driven by hand: events in, invariants checked after each, the log kept."""

import json
from dataclasses import dataclass, field
from typing import TypeVar

from referee.arbiter import MatchSetup, MatchState, replayed, settle
from referee.arbiter.codec import from_entry, to_entry
from referee.arbiter.events import (
    Event,
    MatchOpened,
    OpeningDieSeen,
    PlayRead,
    Pressed,
    StartSeen,
    ThrowSeen,
)
from referee.arbiter.machine import Settled
from referee.arbiter.states import Playing
from referee.timer_state import Phase as ClockPhase
from rules import Color, Position, Roll, legal_turns
from rules.start import start_position
from rules.throw import DieFacts, Lies

W, B = Color.WHITE, Color.BLACK
PhaseT = TypeVar("PhaseT")


def good_dice(first: int | None, second: int | None) -> tuple[DieFacts, ...]:
    """Two dice that lie flat on the right half."""
    return tuple(
        DieFacts(value, Lies.RIGHT, True, on_checker=False, touches_checker=False,
                 touches_wall=False)
        for value in (first, second)
    )  # fmt: skip


def through_json(event: Event) -> Event:
    kind, version, data = to_entry(event)
    return from_entry(kind, version, json.loads(json.dumps(data)))


@dataclass
class Table:
    """A match at a table without a table."""

    setup: MatchSetup = field(default_factory=MatchSetup)
    state: MatchState = field(default_factory=MatchState)
    log: list[Event] = field(default_factory=list)
    last: Settled | None = None
    now_ms: int = 1000

    def __post_init__(self) -> None:
        self.do(MatchOpened(self.now_ms, self.setup))

    @property
    def phase(self) -> object:
        return self.state.phase

    def at(self, kind: type[PhaseT]) -> PhaseT:
        """The phase, which must be of this kind."""
        assert isinstance(self.state.phase, kind), self.state.phase
        return self.state.phase

    def do(self, event: Event) -> Settled:
        """Let an event fall and check what must always hold."""
        self.last = settle(self.state, event)
        for one in self.last.events:
            assert repr(through_json(one)) == repr(one)
        self.log += self.last.events
        self.state = self.last.state
        check(self.state)
        return self.last

    def tick(self, ms: int = 500) -> int:
        self.now_ms += ms
        return self.now_ms

    def runs(self) -> bool:
        return self.state.clock.phase is ClockPhase.RUNNING

    def said(self) -> list[str]:
        assert self.last is not None
        return [one.code for one in self.last.said]

    def refused(self) -> str | None:
        assert self.last is not None
        return None if self.last.refused is None else self.last.refused.code

    # --- the usual course of a game ---

    def begin(self, first: Color = W, *, dice: tuple[int, int] = (6, 1)) -> None:
        """Put up the start and throw for who begins, if the set throws."""
        self.do(StartSeen(self.tick(), start_position(self.state.variant)))
        if type(self.phase).__name__ == "Opening":
            high, low = dice
            white, black = (high, low) if first is W else (low, high)
            self.do(OpeningDieSeen(self.tick(), W, white))
            self.do(OpeningDieSeen(self.tick(), B, black))

    def throw(self, side: Color, first: int, second: int) -> None:
        self.do(ThrowSeen(self.tick(), side, good_dice(first, second)))

    def press(self, side: Color) -> None:
        self.do(Pressed(self.tick(), side))

    def leave(self, position: Position | None, *candidates: Position) -> None:
        self.do(PlayRead(self.tick(), position, candidates))

    def play(self, side: Color, first: int, second: int, choice: int = 0) -> Position:
        """Throw, play a legal turn, press, and have it read."""
        before = self.position
        self.throw(side, first, second)
        turns = legal_turns(before, side, Roll(first, second), self.state.variant)
        played = turns[choice % len(turns)].result
        self.press(side)
        self.leave(played)
        return played

    def legal(self, roll: Roll | None = None, choice: int = 0) -> Position:
        """What a legal play of the turn in hand leaves, with its roll or another."""
        playing = getattr(self.phase, "playing", self.phase)
        assert isinstance(playing, Playing)
        used = playing.roll if roll is None else roll
        turns = legal_turns(playing.before, playing.turn, used, self.state.variant)
        return turns[choice % len(turns)].result

    @property
    def position(self) -> Position:
        phase = self.state.phase
        position = getattr(phase, "position", None) or getattr(phase, "before", None)
        assert isinstance(position, Position)
        return position

    def recovered(self) -> MatchState:
        """What the record alone leads to."""
        return replayed(through_json(event) for event in self.log)


def check(state: MatchState) -> None:
    """Check what must hold after any event."""
    clock = state.clock
    for color in Color:
        side = clock.of(color)
        assert side.left_ms >= 0
        assert side.used_ms >= 0
    assert (clock.phase is ClockPhase.RUNNING) <= (clock.to_move is not None)
    if type(state.phase).__name__ in ("GameOver", "MatchOver", "NotOpened", "SettingUp"):
        assert clock.phase is not ClockPhase.RUNNING
    points = [game.points for game, _ in state.results]
    assert state.score.white + state.score.black == sum(
        game.points for game, _ in state.results if game.winner is not None
    )
    assert all(one >= 0 for one in points)
    assert state.turns == () or all(one.phase.last is None for one in state.turns)
