"""Random walks through a match: sensible events mostly, anything at all now and then."""

import random

from referee.arbiter import Actor, Forfeit, MatchState
from referee.arbiter.events import (
    Accepted,
    AdjustSaid,
    Beavered,
    BoardNudged,
    ClaimAnswered,
    Demanded,
    DiceChanged,
    DiceLifted,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Event,
    FlagAnswered,
    MatchClosed,
    NextGameStarted,
    OpeningDieSeen,
    Overridden,
    PauseAsked,
    PlayRead,
    PositionChosen,
    PrematureAnswered,
    Pressed,
    PressWithdrawn,
    RefereeCalled,
    RefereeLeft,
    ResignAnswered,
    ResignOffered,
    Restarted,
    ResultCorrected,
    Resumed,
    SightLost,
    StartSeen,
    ThrowAnswered,
    ThrowSeen,
    TimePassed,
    TimeSet,
    TouchClaimed,
    Undone,
)
from referee.arbiter.states import (
    AwaitingThrow,
    ClaimAsked,
    Disputed,
    DoubleAsked,
    FlagAsked,
    GameOver,
    Judging,
    Lost,
    Opening,
    PlayAsked,
    Playing,
    PrematureAsked,
    ResignAsked,
    SettingUp,
    ThrowAsked,
    ground_of,
)
from referee.timer_state import Phase as ClockPhase
from rules import Color, Position, Roll, legal_turns
from rules.outcome import Win
from rules.start import start_position
from rules.throw import DieFacts, Lies
from tests.support.boards import board
from tests.support.match import good_dice

ENDINGS = (board("1:w1 off:w14 12:b*"), board("1:w1 2:w1 off:w13 13:b1 off:b14"))


def next_event(state: MatchState, rng: random.Random, now_ms: int) -> Event:
    """An event that may well fall now; one time in eight, one that should not."""
    if rng.random() < 0.125:
        return rng.choice(anything(state, rng, now_ms))
    if rng.random() < 0.04:
        side, chosen = rng.choice(list(Color)), rng.choice([None, roll(rng)])
        decrees: list[Event] = [
            Overridden(now_ms, Actor.REFEREE, side, start_position(state.variant), chosen),
            Undone(now_ms, Actor.REFEREE, 1),
        ]
        return rng.choice(decrees)
    if state.clock.phase is ClockPhase.PAUSED and rng.random() < 0.4:
        return Resumed(now_ms, Actor.REFEREE)
    return rng.choice(sensible(state, rng, now_ms))


def sensible(state: MatchState, rng: random.Random, now: int) -> list[Event]:
    phase = state.phase
    match phase:
        case SettingUp():
            return [StartSeen(now, start_position(state.variant))]
        case Opening():
            die = OpeningDieSeen(now, rng.choice(list(Color)), rng.randint(1, 6))
            return [die] if rng.random() < 0.9 else [MatchClosed(now, Actor.BOTH)]
        case AwaitingThrow():
            side = phase.turn
            throw = ThrowSeen(now, side, dice(rng))
            return [
                *[throw] * 8,
                Pressed(now, side),
                DoubleOffered(now, side),
                Overridden(now, Actor.REFEREE, side, rng.choice(ENDINGS)),
            ]
        case Playing():
            more: list[Event] = [
                ThrowSeen(now, phase.turn.other, dice(rng)),
                TouchClaimed(now, Actor.of(phase.turn.other), rng.randint(1, 24)),
                ResignOffered(now, phase.turn, rng.choice(list(Win))),
            ]
            ended: list[Event] = [Pressed(now, phase.turn), DiceLifted(now)]
            return [*ended * 4, *more]
        case Judging():
            return [
                *[PlayRead(now, left(state, phase.playing, rng))] * 5,
                PlayRead(now, None, (phase.playing.before,)),
                ThrowSeen(now, phase.playing.turn.other, dice(rng)),
                Pressed(now, phase.playing.turn.other),
            ]
        case PlayAsked():
            chosen = PositionChosen(now, someone(rng), left(state, phase.playing, rng))
            return [chosen, chosen, ThrowAnswered(now, Actor.BOTH, roll(rng))]
        case ThrowAsked():
            answer = rng.choice([roll(rng), None])
            return [
                ThrowAnswered(now, someone(rng), answer),
                PressWithdrawn(now, someone(rng)),
                Pressed(now, phase.awaiting.turn),
            ]
        case Disputed():
            opponent = Actor.of(phase.playing.turn.other)
            return [
                Accepted(now, opponent),
                Demanded(now, opponent),
                Pressed(now, rng.choice(list(Color))),
                ThrowSeen(now, phase.playing.turn.other, dice(rng)),
                ThrowAnswered(now, Actor.REFEREE, roll(rng)),
                PositionChosen(now, Actor.BOTH, left(state, phase.playing, rng)),
            ]
        case PrematureAsked():
            return [PrematureAnswered(now, Actor.REFEREE, rng.random() < 0.5)]
        case ClaimAsked():
            return [ClaimAnswered(now, Actor.REFEREE, rng.random() < 0.5)]
        case DoubleAsked():
            side = rng.choice(list(Color))
            return [DoubleTaken(now, side), DoubleDropped(now, side), Beavered(now, side)]
        case ResignAsked():
            answer_by = Actor.of(phase.side.other)
            return [ResignAnswered(now, answer_by, rng.random() < 0.5)]
        case FlagAsked():
            return [FlagAnswered(now, Actor.REFEREE, rng.choice(list(Forfeit)))]
        case Lost():
            found: list[Event] = [
                PlayRead(now, ground_of(phase.under)),
                PositionChosen(now, Actor.BOTH, rng.choice(ENDINGS)),
            ]
            if isinstance(phase.under, AwaitingThrow) and rng.random() < 0.4:
                # Played on unseen; to find that out takes its time.
                under = phase.under
                turns = legal_turns(under.position, under.turn, roll(rng), state.variant)
                found.append(PositionChosen(now, Actor.BOTH, rng.choice(turns).result))
            return found
        case GameOver():
            return [NextGameStarted(now, Actor.BOTH)]
        case _:
            return [TimePassed(now)]


def anything(state: MatchState, rng: random.Random, now: int) -> list[Event]:
    side, by = rng.choice(list(Color)), someone(rng)
    position = rng.choice([*ENDINGS, start_position(state.variant)])
    return [
        Restarted(rng.choice([now, 0])),
        StartSeen(now, position),
        OpeningDieSeen(now, side, rng.randint(1, 6)),
        ThrowSeen(now, side, dice(rng)),
        DiceChanged(now, (1, None)),
        DiceLifted(now),
        Pressed(now, side),
        PlayRead(now, position),
        TimePassed(now + rng.choice([0, 10**6])),
        SightLost(now, "camera covered"),
        BoardNudged(now, 6),
        ThrowAnswered(now, by, rng.choice([roll(rng), None])),
        PressWithdrawn(now, by),
        PositionChosen(now, by, position),
        Accepted(now, by),
        Demanded(now, by),
        PrematureAnswered(now, by, stands=True),
        AdjustSaid(now, side),
        TouchClaimed(now, by, rng.randint(0, 26)),
        ClaimAnswered(now, by, upheld=True),
        ResignOffered(now, side, rng.choice(list(Win))),
        ResignAnswered(now, by, accepted=True),
        DoubleOffered(now, side),
        DoubleTaken(now, side),
        DoubleDropped(now, side),
        Beavered(now, side),
        PauseAsked(now, by),
        Resumed(now, by),
        TimeSet(now, by, rng.choice([-1, 60_000]), 50_000),
        RefereeCalled(now, by),
        RefereeLeft(now, by),
        FlagAnswered(now, by, Forfeit.NOTHING),
        Overridden(now, by, side, position, rng.choice([None, roll(rng)])),
        Undone(now, by, rng.randint(0, 3)),
        ResultCorrected(
            now, by, rng.randint(0, 2), rng.choice([None, side]), rng.choice([None, Win.OIN]), 1
        ),
        NextGameStarted(now, by),
        MatchClosed(now, by) if rng.random() < 0.1 else TimePassed(now),
    ]


def someone(rng: random.Random) -> Actor:
    return rng.choice([Actor.WHITE, Actor.BLACK, Actor.BOTH, Actor.REFEREE])


def roll(rng: random.Random) -> Roll:
    return Roll(rng.randint(1, 6), rng.randint(1, 6))


def dice(rng: random.Random) -> tuple[DieFacts, ...]:
    kind = rng.random()
    if kind < 0.7:
        return good_dice(rng.randint(1, 6), rng.randint(1, 6))
    if kind < 0.8:
        return good_dice(rng.randint(1, 6), None)
    first, _ = good_dice(3, 4)
    if kind < 0.9:
        return first, DieFacts(4, Lies.LEFT, True, on_checker=False)
    return first, DieFacts(4, Lies.RIGHT, None, on_checker=None)


def left(state: MatchState, playing: Playing, rng: random.Random) -> Position:
    """What the mover leaves: a legal play as a rule, else nothing moved or another roll's."""
    kind = rng.random()
    played = playing.roll if kind < 0.7 else roll(rng)
    if kind > 0.9:
        return playing.before
    turns = legal_turns(playing.before, playing.turn, played, state.variant)
    return rng.choice(turns).result
