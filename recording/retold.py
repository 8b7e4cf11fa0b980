"""A story as other parts of the program want it: a transcript, figures, a protocol sheet.

Transcripts count the players as first and second, White being the first in every game.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from recording.protocol import GameEntry, PlayerGame, Protocol, Remark, Seal
from recording.sides import turned
from recording.statistics import TurnFact, pip_count
from recording.story import Decision, GameStory, MatchStory, Turn
from recording.throws_csv import Outcome, Throw
from recording.transcript import (
    MONEY,
    Action,
    Double,
    Drop,
    Game,
    GameResult,
    Match,
    Resign,
    SetUp,
    Take,
    play_between,
)
from referee.arbiter.events import (
    Accepted,
    Actor,
    Beavered,
    ClaimAnswered,
    Demanded,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    FlagAnswered,
    Overridden,
    PositionChosen,
    PrematureAnswered,
    ResultCorrected,
    ThrowAnswered,
    Undone,
)
from referee.arbiter.sentences import SIDES
from referee.timer_settings import ClockKind
from rules import Color, Roll, Variant, Verdict
from rules.explain import Explanation
from rules.outcome import MatchScore
from rules.start import start_position

_WHO = {
    Actor.WHITE: ("белые", "White"),
    Actor.BLACK: ("чёрные", "Black"),
    Actor.BOTH: ("оба игрока", "both players"),
    Actor.REFEREE: ("судья", "the referee"),
    Actor.CAMERA: ("камера", "the camera"),
    Actor.SYSTEM: ("программа", "the program"),
}


# --- transcript ------------------------------------------------------------------------------


def transcript_of(story: MatchStory, *, day: date | None = None) -> Match:
    """Return the match as match files tell it.

    Args:
        story: a match.
        day: when it was played, for the header.
    """
    setup, variant = story.setup, story.state.variant
    games: list[Game] = []
    score = MatchScore(setup.length)
    for one in story.games:
        game = _game(one, score, variant, setup.length)
        games.append(game)
        white, black = game.score_after
        played = score.crawford_played or game.crawford
        score = MatchScore(setup.length, white, black, played)
    headers = {
        "Event": setup.event,
        "Round": setup.round,
        "Site": setup.place,
        "EventDate": "" if day is None else f"{day:%Y.%m.%d}",
        "Transcriber": "Zarbiter",
    }
    return Match(
        length=MONEY if setup.length is None else setup.length,
        players=(setup.white, setup.black),
        games=tuple(games),
        headers={key: text for key, text in headers.items() if text},
        rules=setup.rules,
        crawford=variant.crawford,
        jacoby=variant.jacoby,
    )


def _game(story: GameStory, score: MatchScore, variant: Variant, length: int | None) -> Game:
    white, black = score.white, score.black
    actions: list[Action] = []
    notes: dict[int, str] = {}
    for index, turn in enumerate(story.turns):
        note = _turn_told(turn, variant, actions, first=index == 0)
        if note:
            notes[len(actions) - 1] = note
    result = None
    if story.result is not None:
        winner, points = story.result.winner, story.result.points
        if story.resigned is not None and winner is not None:
            actions.append(Resign(winner.other, points, _open_roll(story)))
        first = winner is not None and (winner is Color.WHITE) is not story.swapped
        total = (white if first else black) + points
        ends = winner is not None and length is not None and total >= length
        result = GameResult(winner, points, ends)
    game = Game(
        number=story.number,
        score=(black, white) if story.swapped else (white, black),
        start=story.start or start_position(variant),
        actions=tuple(actions),
        result=result,
        crawford=score.is_crawford(variant),
        notes=notes,
    )
    return turned(game, variant) if story.swapped else game


def _turn_told(turn: Turn, variant: Variant, actions: list[Action], *, first: bool) -> str:
    """Append a turn's actions; return what is to be said about the last one."""
    taken = [action for action in actions if isinstance(action, Take)]
    value = 2 ** len(taken)
    if turn.put_up and not first:
        actions.append(SetUp(turn.before, value, taken[-1].color if taken else None))
    for one in turn.cube:
        match one:
            case DoubleOffered() | Beavered():
                value *= 2
                actions.append(Double(one.side, value))
            case DoubleTaken():
                actions.append(Take(one.side))
            case DoubleDropped():
                actions.append(Drop(one.side))
    play = turn.play
    if play is None:
        return ""
    if play.roll is None:
        # A transcript's play has a roll; this side had none to throw.
        return f"{play.side.name.title()} is closed out and does not throw." if actions else ""
    told = play_between(play.before, play.side, play.roll, play.played, variant)
    actions.append(replace(told, at_s=turn.thrown_s))
    return "" if play.verdict is Verdict.LEGAL else f"{play.explain.en} It was let stand."


def _open_roll(story: GameStory) -> Roll | None:
    """Return the roll on the table when the game was given up."""
    last = story.turns[-1] if story.turns else None
    return last.roll if last is not None and last.play is None else None


def _seen(color: Color, swapped: bool) -> Color:
    return color.other if swapped else color


def throws_of_story(story: MatchStory) -> Iterator[Throw]:
    """Yield every throw of a match, void ones too, sides by the colours of the first game."""
    for game in story.games:
        for turn in game.turns:
            side = _seen(turn.side, game.swapped)
            for void in turn.void_throws:
                values = (*void.values, None, None)[:2]
                reasons = tuple(reason.value for reason in void.reasons)
                yield Throw(game.number, side, (values[0], values[1]), Outcome.VOID, reasons)
            if turn.roll is None or (turn.play is None and game.resigned is None):
                # Nothing thrown, or still being played.
                continue
            yield Throw(
                game.number,
                side,
                (turn.roll.first, turn.roll.second),
                _outcome(turn),
                (),
                turn.thrown_s,
            )


def _outcome(turn: Turn) -> Outcome:
    if turn.play is None:
        return Outcome.RESIGNED
    if turn.play.verdict is not Verdict.LEGAL:
        return Outcome.WRONG
    return Outcome.PLAYED if turn.play.moves else Outcome.DANCED


# --- figures ---------------------------------------------------------------------------------


def facts_of(story: MatchStory) -> Iterator[tuple[int, TurnFact]]:
    """Yield the turns of a match for the figures, each with its game's number.

    Sides are by the colours of the first game, so that they stay with the players.
    """
    variant = story.state.variant
    for game in story.games:
        for turn in game.turns:
            if turn.play is None and not len(turn.void_throws):
                continue
            yield game.number, _fact(turn, game, variant)


def _fact(turn: Turn, game: GameStory, variant: Variant) -> TurnFact:
    side, play = _seen(turn.side, game.swapped), turn.play
    if play is None:
        return TurnFact(side, None, None, len(turn.void_throws))
    counts = [pip_count(play.played, color, variant) for color in Color]
    pips = (counts[1], counts[0]) if game.swapped else (counts[0], counts[1])
    return TurnFact(
        side=side,
        dice=None if play.roll is None else (play.roll.first, play.roll.second),
        legal=play.verdict is Verdict.LEGAL,
        void_throws=len(turn.void_throws),
        time_ms=turn.used_ms,
        pips=pips,
        pips_played=pip_count(play.before, play.side, variant)
        - pip_count(play.played, play.side, variant),
        can_double=not turn.opening,
    )


# --- protocol sheet --------------------------------------------------------------------------


def protocol_of(
    story: MatchStory, *, day: date, day_synced: bool = True, seal: Seal | None = None
) -> Protocol:
    """Return what stands on the protocol sheet of a match.

    Args:
        story: the match.
        day: when it began.
        day_synced: whether that date can be trusted.
        seal: what ties the sheet to its record.
    """
    setup = story.setup
    first = second = 0
    games: list[GameEntry] = []
    remarks: list[Remark] = []
    timed = setup.clock.kind is not ClockKind.NONE
    for game in story.games:
        remarks += [
            Remark(game.number, text) for one in game.decisions if (text := _remark(one))
        ]
        result = game.result
        if result is None:
            continue
        winner = None if result.winner is None else _player(result.winner, game.swapped)
        first += result.points if winner == 0 else 0
        second += result.points if winner == 1 else 0
        players = tuple(_player_game(game, player, timed=timed) for player in (0, 1))
        games.append(
            GameEntry(
                number=game.number,
                winner=winner,
                win=result.win,
                how=result.how,
                points=result.points,
                score=(first, second),
                players=(players[0], players[1]),
                white=1 if game.swapped else 0,
                cube=result.cube,
                disputes=len(game.decisions),
            )
        )
    return Protocol(
        day=day,
        players=(setup.white, setup.black),
        variant=story.state.variant,
        games=tuple(games),
        length=setup.length,
        event=setup.event,
        place=setup.place,
        table=setup.table,
        number=setup.number,
        season=setup.season,
        stage=setup.round,
        referee=setup.arbiter,
        control=setup.clock if timed else None,
        remarks=tuple(remarks),
        seal=seal,
        day_synced=day_synced,
    )


def _player(color: Color, swapped: bool) -> int:
    return 0 if _seen(color, swapped) is Color.WHITE else 1


def _player_game(game: GameStory, player: int, *, timed: bool) -> PlayerGame:
    at = player if not game.swapped else 1 - player
    return PlayerGame(
        time_ms=game.used_ms[at] if timed else None,
        void_throws=game.voids[at],
        wrong_accepted=game.accepted[at],
        wrong_corrected=game.corrected[at],
    )


def _remark(decision: Decision) -> Explanation | None:
    """Put a decision into a sentence for the signers."""
    event, ruling = decision.event, decision.ruling
    by = getattr(event, "by", Actor.SYSTEM)
    who_ru, who_en = _WHO[by]
    reason = getattr(event, "reason", "")
    why_ru = why_en = f" ({reason})" if reason else ""
    match event:
        case Accepted() if ruling is not None:
            ru, en = SIDES[ruling.side]
            return Explanation(
                f"{ru.capitalize()}: {ruling.explain.ru} Принято как есть ({who_ru}).",
                f"{en}: {ruling.explain.en} Accepted as it stands ({who_en}).",
            )
        case Demanded() if ruling is not None:
            ru, en = SIDES[ruling.side]
            return Explanation(
                f"{ru.capitalize()}: {ruling.explain.ru} Сыграно заново ({who_ru}).",
                f"{en}: {ruling.explain.en} Played again ({who_en}).",
            )
        case ThrowAnswered(roll=None):
            ru, en = "Бросок не засчитан", "The throw was not counted"
        case ThrowAnswered():
            ru, en = f"Бросок {event.roll}", f"The throw was {event.roll}"
        case PositionChosen():
            ru, en = "Положение указано рукой", "The position was said by hand"
        case PrematureAnswered():
            ru, en = (
                ("Преждевременный бросок засчитан", "A premature throw was let stand")
                if event.stands
                else ("Преждевременный бросок повторён", "A premature throw was thrown again")
            )
        case ClaimAnswered():
            ru, en = (
                ("Касание признано", "A touch was upheld")
                if event.upheld
                else ("Касание не признано", "A touch was not upheld")
            )
        case FlagAnswered():
            ru, en = "Решение о времени", "A decision on time"
        case Overridden():
            ru, en = "Положение установлено решением", "The position was set by decision"
        case Undone():
            ru, en = f"Возврат ходов: {event.turns}", f"Turns taken back: {event.turns}"
        case ResultCorrected():
            ru, en = "Результат исправлен", "The result was corrected"
        case _:
            return None
    return Explanation(f"{ru}: {who_ru}{why_ru}.", f"{en}: {who_en}{why_en}.")
