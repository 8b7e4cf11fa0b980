"""A match retold from its record: games, turns, what was played, what was disputed.

A fold over the events. What was taken back or judged anew is gone from the story, as it is from
the game; the record itself keeps it. Exports, the protocol sheet and the statistics are made
from this.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final, TypeAlias

from referee.arbiter import Actor, MatchSetup, MatchState, advance
from referee.arbiter.events import (
    Accepted,
    Beavered,
    ClaimAnswered,
    Demanded,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Event,
    FlagAnswered,
    GameEnded,
    MatchEnded,
    OpeningRuled,
    Overridden,
    PlayRuled,
    PositionChosen,
    PrematureAnswered,
    ResignAnswered,
    Restarted,
    ResultCorrected,
    ThrowAnswered,
    ThrowRuled,
    Undone,
)
from referee.arbiter.states import AwaitingThrow, Disputed, ResignAsked
from rules import Color, Position, Roll, Verdict
from rules.outcome import Win
from rules.start import start_position
from rules.throw import ThrowVerdict

CubeAction: TypeAlias = DoubleOffered | DoubleTaken | DoubleDropped | Beavered
DECISIONS: Final = (
    ThrowAnswered,
    PositionChosen,
    Demanded,
    Accepted,
    PrematureAnswered,
    ClaimAnswered,
    FlagAnswered,
    Overridden,
    Undone,
    ResultCorrected,
)
"""What a person says that a machine had not settled, or had settled otherwise."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, from its beginning."""

    side: Color
    before: Position
    put_up: bool = False
    """Whether the position was set by hand and not come to by play."""
    cube: tuple[CubeAction, ...] = ()
    """Doubles and their answers before the throw."""
    void_throws: tuple[ThrowRuled, ...] = ()
    """Throws before it that did not count."""
    opening: bool = False
    """Whether the roll was the opening throw of one die each."""
    play: PlayRuled | None = None
    """What was played in the end; None: the turn was not finished."""
    thrown_s: float | None = None
    """When its throw counted, in seconds from the match's beginning."""
    used_ms: int | None = None
    """How long the side's time ran; None where no clock ran."""
    roll: Roll | None = None
    """The roll on the table."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that a person decided."""

    event: Event
    ruling: PlayRuled | None = None
    """The play it was about."""


@dataclass(frozen=True, slots=True)
class GameStory:
    """One game."""

    number: int
    swapped: bool = False
    """Whether the players had exchanged the colours of the first game."""
    start: Position | None = None
    turns: tuple[Turn, ...] = ()
    result: GameEnded | None = None
    resigned: Win | None = None
    decisions: tuple[Decision, ...] = ()
    voids: tuple[int, int] = (0, 0)
    """Void throws, White's and Black's, those of turns taken back as well."""
    accepted: tuple[int, int] = (0, 0)
    """Wrong plays of White and Black that stood."""
    corrected: tuple[int, int] = (0, 0)
    """Wrong plays of White and Black that were played again."""
    used_ms: tuple[int, int] = (0, 0)
    """Time the clock ran for White and Black."""

    @property
    def plays(self) -> tuple[Turn, ...]:
        """The turns that were played."""
        return tuple(turn for turn in self.turns if turn.play is not None)


@dataclass(frozen=True, slots=True)
class MatchStory:
    """One match."""

    setup: MatchSetup = field(default_factory=MatchSetup)
    games: tuple[GameStory, ...] = ()
    ended: MatchEnded | None = None
    state: MatchState = field(default_factory=MatchState)
    """Where the record ends."""
    passed_s: float = 0.0
    """Seconds since the match began, time switched off left out."""
    last_ms: int | None = None


def story_of(events: Iterable[Event]) -> MatchStory:
    """Retell a match.

    Args:
        events: of one match, from its beginning.
    """
    return reduce(tell, events, MatchStory())


def tell(story: MatchStory, event: Event) -> MatchStory:
    """Take one more event into a story."""
    before = story.state
    after = advance(before, event).state
    passed = story.passed_s
    if story.last_ms is not None and not isinstance(event, Restarted):
        passed += max(0, event.at_ms - story.last_ms) / 1000
    last_ms = (
        event.at_ms
        if story.last_ms is None or isinstance(event, Restarted)
        else max(story.last_ms, event.at_ms)
    )
    story = replace(story, state=after, setup=after.setup, passed_s=passed, last_ms=last_ms)
    match event:
        case MatchEnded():
            return replace(story, ended=event)
        case ResultCorrected():
            return _corrected(story, event)
    if isinstance(event, Undone):
        story = replace(story, ended=None)
    if not after.turns and not story.games:
        return story
    story = _entered(story, after)
    game = _game_told(story.games[-1], before, after, event, passed)
    return replace(story, games=(*story.games[:-1], game))


def _entered(story: MatchStory, after: MatchState) -> MatchStory:
    """Open the game in hand, if it is a new one."""
    if story.games and story.games[-1].number >= after.game:
        return story
    if not after.turns:
        return story
    first = after.turns[0].phase.position
    game = GameStory(after.game, after.swapped, first)
    return replace(story, games=(*story.games, game))


def _corrected(story: MatchStory, event: ResultCorrected) -> MatchStory:
    games = tuple(
        replace(
            game,
            result=story.state.results[event.game - 1][0],
            decisions=(*game.decisions, Decision(event)),
        )
        if game.number == event.game and len(story.state.results) >= event.game
        else game
        for game in story.games
    )
    return replace(story, games=games)


def _game_told(
    game: GameStory, before: MatchState, after: MatchState, event: Event, passed_s: float
) -> GameStory:
    game = _time_taken(game, before, after)
    if isinstance(event, DECISIONS) and getattr(event, "by", None) is not Actor.SYSTEM:
        game = replace(game, decisions=(*game.decisions, _decision(before, event)))
    if after.game != game.number:
        return game
    turns = _turns_kept(game.turns, before, after, event)
    match event:
        case ThrowRuled(verdict=ThrowVerdict.VOID):
            game = replace(game, voids=_counted(game.voids, event.side))
            if turns:
                voids = (*turns[-1].void_throws, event)
                turns = (*turns[:-1], replace(turns[-1], void_throws=voids))
        case ThrowRuled(verdict=ThrowVerdict.VALID) if len(event.values) == 2:
            first, second = event.values
            if first is not None and second is not None and turns:
                roll = Roll(first, second)
                turns = (*turns[:-1], replace(turns[-1], roll=roll, thrown_s=passed_s))
        case OpeningRuled(plays_these=True, winner=Color()) if turns:
            roll = Roll(event.white_die, event.black_die)
            opened = replace(turns[-1], roll=roll, thrown_s=passed_s, opening=True)
            turns = (*turns[:-1], opened)
        case Overridden(roll=Roll() as roll) if turns:
            turns = (*turns[:-1], replace(turns[-1], roll=roll, thrown_s=passed_s))
        case DoubleOffered() | DoubleTaken() | DoubleDropped() | Beavered() if turns:
            turns = (*turns[:-1], replace(turns[-1], cube=(*turns[-1].cube, event)))
        case PlayRuled(verdict=Verdict.LEGAL):
            turns = _played(turns, before, event)
        case Accepted() if isinstance(before.phase, Disputed):
            ruling = before.phase.ruling
            turns = _played(turns, before, ruling)
            game = replace(game, accepted=_counted(game.accepted, ruling.side))
        case Demanded() if isinstance(before.phase, Disputed):
            side = before.phase.playing.turn
            game = replace(game, corrected=_counted(game.corrected, side))
        case ResignAnswered(accepted=True) if isinstance(before.phase, ResignAsked):
            game = replace(game, resigned=before.phase.win)
        case GameEnded():
            game = replace(game, result=event)
        case Undone():
            game = replace(game, result=None, resigned=None)
        case _:
            pass
    return replace(game, turns=_turns_begun(turns, before, after, event))


def _decision(before: MatchState, event: Event) -> Decision:
    ruling = before.phase.ruling if isinstance(before.phase, Disputed) else None
    if ruling is None and isinstance(before.phase, AwaitingThrow):
        ruling = before.phase.last
    return Decision(event, ruling)


def _turns_kept(
    turns: tuple[Turn, ...], before: MatchState, after: MatchState, event: Event
) -> tuple[Turn, ...]:
    """Drop what was taken back: the turn gone back to begins anew."""
    if len(after.turns) >= len(before.turns) and not isinstance(event, Undone):
        return turns
    count = len(after.turns)
    if count == 0 or count > len(turns):
        return turns
    kept = turns[count - 1]
    if isinstance(event, Undone):
        kept = Turn(kept.side, kept.before, kept.put_up, kept.cube)
    else:
        kept = replace(kept, play=None)
    return (*turns[: count - 1], kept)


def _turns_begun(
    turns: tuple[Turn, ...], before: MatchState, after: MatchState, event: Event
) -> tuple[Turn, ...]:
    """Begin the turns that the event began."""
    for snapshot in after.turns[len(turns) :]:
        begun = snapshot.phase
        put_up = isinstance(event, Overridden | PositionChosen) and bool(before.turns)
        first_put_up = not turns and begun.position != start_position(after.variant)
        turn = Turn(begun.turn, begun.position, put_up or first_put_up)
        if isinstance(event, OpeningRuled) and event.plays_these:
            turn = replace(turn, roll=Roll(event.white_die, event.black_die), opening=True)
        if isinstance(event, Overridden):
            turn = replace(turn, roll=event.roll)
        turns = (*turns, turn)
    return turns


def _played(turns: tuple[Turn, ...], before: MatchState, ruling: PlayRuled) -> tuple[Turn, ...]:
    """Close the turn in hand with what was played."""
    index = len(before.turns) - 1
    if not 0 <= index < len(turns):
        return turns
    done = replace(turns[index], play=ruling, roll=ruling.roll)
    return (*turns[:index], done, *turns[index + 1 :])


def _counted(pair: tuple[int, int], side: Color) -> tuple[int, int]:
    white, black = pair
    return (white + 1, black) if side is Color.WHITE else (white, black + 1)


def _time_taken(game: GameStory, before: MatchState, after: MatchState) -> GameStory:
    """Add the time that ran between two states to the game and to the turn in hand."""
    spent = tuple(
        max(0, after.clock.of(color).used_ms - before.clock.of(color).used_ms)
        for color in Color
    )
    if not any(spent) or before.game != after.game:
        return game
    game = replace(game, used_ms=(game.used_ms[0] + spent[0], game.used_ms[1] + spent[1]))
    if not game.turns:
        return game
    # A press settles the mover's time: the turn it ended is still the last one here.
    turn = game.turns[-1]
    mine = spent[0 if turn.side is Color.WHITE else 1]
    turn = replace(turn, used_ms=(turn.used_ms or 0) + mine)
    return replace(game, turns=(*game.turns[:-1], turn))
