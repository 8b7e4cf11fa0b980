"""Whole matches played at random through the arbiter, wrong plays and disputes among them."""

import random

from referee.arbiter import Actor, MatchSetup
from referee.arbiter.events import (
    Accepted,
    Demanded,
    DiceLifted,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    NextGameStarted,
    Overridden,
    ResignAnswered,
    ResignOffered,
    Resumed,
    ThrowAnswered,
    ThrowSeen,
    Undone,
)
from referee.arbiter.states import (
    AwaitingThrow,
    Disputed,
    DoubleAsked,
    GameOver,
    Judging,
    MatchOver,
    Opening,
    Playing,
    ResignAsked,
    SettingUp,
    ThrowAsked,
)
from rules import Color, Position, Roll, legal_turns
from rules.outcome import Win
from rules.throw import DieFacts, Lies
from tests.support.match import Table, good_dice


def play_match(setup: MatchSetup, seed: int, *, wrong: float = 0.05, most: int = 3000) -> Table:
    """Play a match to its end, or as far as `most` steps go."""
    rng = random.Random(seed)
    table = Table(setup)
    for _ in range(most):
        if isinstance(table.phase, MatchOver):
            break
        step(table, rng, wrong)
    return table


def step(table: Table, rng: random.Random, wrong: float) -> None:
    phase, now = table.state.phase, table.tick(rng.choice([300, 2000, 5000]))
    match phase:
        case SettingUp() | Opening():
            first = rng.choice(list(Color))
            table.begin(first, dice=rng.choice([(6, 1), (3, 2), (5, 5)]))
            clock = table.state.clock
            if isinstance(table.phase, AwaitingThrow) and clock.to_move is table.phase.turn:
                table.press(table.phase.turn.other)
        case AwaitingThrow():
            _before_a_throw(table, phase, rng, wrong)
        case ThrowAsked():
            table.do(ThrowAnswered(now, Actor.REFEREE, rng.choice([_roll(rng), None])))
        case DoubleAsked():
            side = (table.state.cube.offered_by or phase.awaiting.turn).other
            answer = DoubleTaken if rng.random() < 0.8 else DoubleDropped
            table.do(answer(now, side))
        case Playing():
            _play(table, phase, rng, wrong)
        case Judging():
            # Taken up again where a kill left it.
            table.leave(table.legal())
        case Disputed():
            by = Actor.of(phase.playing.turn.other)
            table.do(Accepted(now, by) if rng.random() < 0.5 else Demanded(now, by))
        case ResignAsked():
            table.do(ResignAnswered(now, Actor.of(phase.side.other), rng.random() < 0.5))
        case GameOver():
            table.do(NextGameStarted(now, Actor.BOTH))
        case _:
            raise AssertionError(phase)


def _before_a_throw(
    table: Table, phase: AwaitingThrow, rng: random.Random, wrong: float
) -> None:
    side, now, chance = phase.turn, table.now_ms, rng.random()
    if chance < wrong / 4:
        first, _ = good_dice(6, 5)
        table.do(ThrowSeen(now, side, (first, DieFacts(5, Lies.OFF_BOARD))))
    elif chance < wrong / 2:
        table.do(ThrowSeen(now, side, good_dice(6, None)))
    elif chance < wrong * 0.55 and len(table.state.turns) > 2:
        table.do(Undone(now, Actor.REFEREE, rng.randint(1, 2)))
        _go_on(table)
    elif chance < wrong * 0.6:
        table.do(Overridden(now, Actor.REFEREE, side.other, phase.position))
        _go_on(table)
    elif chance < wrong * 0.7 and table.state.variant.cube:
        table.do(DoubleOffered(now, side))
    elif chance < wrong * 0.72:
        table.do(ResignOffered(now, side, Win.OIN))
    else:
        table.throw(side, rng.randint(1, 6), rng.randint(1, 6))


def _go_on(table: Table) -> None:
    table.do(Resumed(table.tick(), Actor.REFEREE))


def _play(table: Table, phase: Playing, rng: random.Random, wrong: float) -> None:
    turns = legal_turns(phase.before, phase.turn, phase.roll, table.state.variant)
    played: Position = rng.choice(turns).result
    if rng.random() < wrong and not phase.correcting:
        other = _roll(rng)
        played = rng.choice(
            legal_turns(phase.before, phase.turn, other, table.state.variant)
        ).result
    table.press(phase.turn)
    if isinstance(table.phase, Playing):
        # Without a clock the dice are taken up instead.
        table.do(DiceLifted(table.tick()))
    table.leave(played)


def _roll(rng: random.Random) -> Roll:
    return Roll(rng.randint(1, 6), rng.randint(1, 6))
