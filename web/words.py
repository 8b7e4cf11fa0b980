"""What people say on a page, from JSON to the arbiter's events; and what may be said now.

`POST /api/v1/words` takes one object: `word` names what is said, `by` who says it, the rest is
the word's own. The forms stand in docs/reference/http-api.md.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.arbiter import Actor, Event, Forfeit, MatchState, advance
from referee.arbiter.events import (
    Accepted,
    AdjustSaid,
    Beavered,
    ClaimAnswered,
    Demanded,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    FlagAnswered,
    MatchClosed,
    NextGameStarted,
    OpeningDieSeen,
    Overridden,
    PauseAsked,
    PositionChosen,
    PrematureAnswered,
    Pressed,
    PressWithdrawn,
    RefereeCalled,
    RefereeLeft,
    ResignAnswered,
    ResignOffered,
    ResultCorrected,
    Resumed,
    StartSeen,
    ThrowAnswered,
    TimeSet,
    TouchClaimed,
    Undone,
)
from referee.arbiter.states import Refused
from rules import Color, Position, Roll, RulesError
from rules.outcome import Win

Word = Callable[[int], Event]
"""Makes the event once its time is known, in milliseconds of the table's clock."""


class WordError(ValueError):
    """A word that cannot be understood; says what is wrong with it."""


PEOPLE: Final = (Actor.WHITE, Actor.BLACK, Actor.BOTH, Actor.REFEREE)
"""Who may speak on a page; what camera and program say does not come from there."""
MOST_REASON: Final = 500


def word_from(data: Mapping[str, Any]) -> tuple[Actor, Word]:
    """Read a word.

    Returns:
        Who says it, and the word.

    Raises:
        WordError: names the field that is wrong and what may stand there.
    """
    name, by = data.get("word"), _actor(data)
    if not isinstance(name, str) or name not in _READERS:
        raise WordError(f"word: one of {', '.join(sorted(_READERS))}")
    known = {"word", "by", *_FIELDS.get(name, ())}
    unknown = sorted(set(data) - known)
    if unknown:
        raise WordError(f"{unknown[0]}: no such field of {name!r}")
    try:
        return by, _READERS[name](by, data)
    except RulesError as error:
        raise WordError(str(error)) from error


def words_possible(state: MatchState, by: Actor, at_ms: int) -> tuple[str, ...]:
    """Return the words with nothing to fill in that would be taken from somebody now."""
    return tuple(
        name
        for name, sample in _SAMPLES.items()
        if (word := sample(by, state)) is not None and _taken(state, word(at_ms))
    )


def _taken(state: MatchState, event: Event) -> bool:
    step = advance(state, event)
    refused = any(isinstance(one, Refused) for one in step.effects)
    return not refused and (step.state != state or bool(step.effects))


# --- fields ----------------------------------------------------------------------------------


def _actor(data: Mapping[str, Any]) -> Actor:
    by = data.get("by")
    if by not in [one.value for one in PEOPLE]:
        raise WordError(f"by: one of {', '.join(one.value for one in PEOPLE)}")
    return Actor(by)


def _side(by: Actor) -> Color:
    if by is Actor.WHITE:
        return Color.WHITE
    if by is Actor.BLACK:
        return Color.BLACK
    raise WordError("by: a side says this, white or black")


def _color(data: Mapping[str, Any], field: str) -> Color:
    value = data.get(field)
    if value not in ("w", "b"):
        raise WordError(f"{field}: w or b")
    return Color(value)


def _flag(data: Mapping[str, Any], field: str) -> bool:
    value = data.get(field)
    if not isinstance(value, bool):
        raise WordError(f"{field}: true or false")
    return value


def _whole(data: Mapping[str, Any], field: str, least: int, most: int) -> int:
    value = data.get(field)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise WordError(f"{field}: a whole number from {least} to {most}")
    return value


def _reason(data: Mapping[str, Any]) -> str:
    value = data.get("reason", "")
    if not isinstance(value, str) or len(value) > MOST_REASON:
        raise WordError(f"reason: at most {MOST_REASON} characters")
    return value.strip()


def _position(data: Mapping[str, Any]) -> Position:
    try:
        return Position.from_json(data.get("position"))
    except RulesError as error:
        raise WordError(f"position: {error}") from error


def _roll(data: Mapping[str, Any], field: str = "roll") -> Roll | None:
    value = data.get(field)
    if value is None:
        return None
    try:
        return Roll.from_json(value)
    except RulesError as error:
        raise WordError(f"{field}: two numbers from 1 to 6, or null") from error


def _named(data: Mapping[str, Any], field: str, kind: Any) -> Any:
    try:
        return kind(data.get(field))
    except ValueError as error:
        names = ", ".join(str(one.value) for one in kind)
        raise WordError(f"{field}: one of {names}") from error


# --- words -----------------------------------------------------------------------------------


def _throw(by: Actor, data: Mapping[str, Any]) -> Word:
    roll, why = _roll(data), _reason(data)
    return lambda at: ThrowAnswered(at, by, roll, why)


def _chosen(by: Actor, data: Mapping[str, Any]) -> Word:
    position, why = _position(data), _reason(data)
    return lambda at: PositionChosen(at, by, position, why)


def _claim(by: Actor, data: Mapping[str, Any]) -> Word:
    upheld, why = _flag(data, "upheld"), _reason(data)
    return lambda at: ClaimAnswered(at, by, upheld, why)


def _override(by: Actor, data: Mapping[str, Any]) -> Word:
    turn, position = _color(data, "turn"), _position(data)
    roll, why = _roll(data), _reason(data)
    return lambda at: Overridden(at, by, turn, position, roll, why)


def _time(by: Actor, data: Mapping[str, Any]) -> Word:
    day = 24 * 3600 * 1000
    white, black = _whole(data, "white_ms", 0, day), _whole(data, "black_ms", 0, day)
    why = _reason(data)
    return lambda at: TimeSet(at, by, white, black, why)


def _result(by: Actor, data: Mapping[str, Any]) -> Word:
    game, points = _whole(data, "game", 1, 10_000), _whole(data, "points", 0, 10_000)
    winner = None if data.get("winner") is None else _color(data, "winner")
    win = None if data.get("win") is None else _named(data, "win", Win)
    why = _reason(data)
    return lambda at: ResultCorrected(at, by, game, winner, win, points, why)


def _die(by: Actor, data: Mapping[str, Any]) -> Word:
    side, value = _color(data, "side"), _whole(data, "value", 1, 6)
    return lambda at: OpeningDieSeen(at, side, value, by)


def _undo(by: Actor, data: Mapping[str, Any]) -> Word:
    turns = _whole({"turns": 1, **data}, "turns", 1, 1000)
    why = _reason(data)
    return lambda at: Undone(at, by, turns, why)


def _start(by: Actor, data: Mapping[str, Any]) -> Word:
    position = _position(data)
    return lambda at: StartSeen(at, position, by)


def _touch(by: Actor, data: Mapping[str, Any]) -> Word:
    point = _whole(data, "point", 1, 25)
    return lambda at: TouchClaimed(at, by, point)


def _resign(by: Actor, data: Mapping[str, Any]) -> Word:
    side, win = _side(by), _named(data, "win", Win)
    return lambda at: ResignOffered(at, side, win)


def _press(by: Actor, data: Mapping[str, Any]) -> Word:
    del data
    side = _side(by)
    return lambda at: Pressed(at, side)


def _pause(by: Actor, data: Mapping[str, Any]) -> Word:
    why = _reason(data)
    return lambda at: PauseAsked(at, by, why)


def _close(by: Actor, data: Mapping[str, Any]) -> Word:
    why = _reason(data)
    return lambda at: MatchClosed(at, by, why)


def _fallen(by: Actor, data: Mapping[str, Any]) -> Word:
    forfeit, why = _named(data, "forfeit", Forfeit), _reason(data)
    return lambda at: FlagAnswered(at, by, forfeit, why)


def _premature(by: Actor, data: Mapping[str, Any]) -> Word:
    stands = _flag(data, "stands")
    return lambda at: PrematureAnswered(at, by, stands)


def _resignation(by: Actor, data: Mapping[str, Any]) -> Word:
    accepted = _flag(data, "accepted")
    return lambda at: ResignAnswered(at, by, accepted)


def _plain(event: Callable[[int, Actor], Event]) -> Callable[[Actor, Mapping[str, Any]], Word]:
    return lambda by, _: lambda at: event(at, by)


def _sided(event: Callable[[int, Color], Event]) -> Callable[[Actor, Mapping[str, Any]], Word]:
    def read(by: Actor, data: Mapping[str, Any]) -> Word:
        del data
        side = _side(by)
        return lambda at: event(at, side)

    return read


_READERS: Final[Mapping[str, Callable[[Actor, Mapping[str, Any]], Word]]] = {
    "accept": _plain(Accepted),
    "adjust": _sided(AdjustSaid),
    "beaver": _sided(Beavered),
    "call_referee": _plain(RefereeCalled),
    "claim": _claim,
    "close_match": _close,
    "correct_result": _result,
    "demand": _plain(Demanded),
    "double": _sided(DoubleOffered),
    "drop": _sided(DoubleDropped),
    "flag": _fallen,
    "next_game": _plain(NextGameStarted),
    "opening_die": _die,
    "override": _override,
    "pause": _pause,
    "position": _chosen,
    "premature": _premature,
    "press": _press,
    "referee_left": _plain(RefereeLeft),
    "resign": _resign,
    "resignation": _resignation,
    "resume": _plain(Resumed),
    "set_time": _time,
    "start": _start,
    "take": _sided(DoubleTaken),
    "throw": _throw,
    "touch": _touch,
    "undo": _undo,
    "withdraw_press": _plain(PressWithdrawn),
}
_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "claim": ("upheld", "reason"),
    "close_match": ("reason",),
    "correct_result": ("game", "winner", "win", "points", "reason"),
    "flag": ("forfeit", "reason"),
    "opening_die": ("side", "value"),
    "override": ("turn", "position", "roll", "reason"),
    "pause": ("reason",),
    "position": ("position", "reason"),
    "premature": ("stands",),
    "resign": ("win",),
    "resignation": ("accepted",),
    "set_time": ("white_ms", "black_ms", "reason"),
    "start": ("position",),
    "throw": ("roll", "reason"),
    "touch": ("point",),
    "undo": ("turns", "reason"),
}
WORDS: Final = tuple(_READERS)
"""All words by name."""


def _sample(name: str, **values: object) -> Callable[[Actor, MatchState], Word | None]:
    def make(by: Actor, state: MatchState) -> Word | None:
        del state
        try:
            return word_from({"word": name, "by": by.value, **values})[1]
        except WordError:
            return None  # a word of one side, and both or the referee ask

    return make


_SAMPLES: Final[Mapping[str, Callable[[Actor, MatchState], Word | None]]] = {
    "accept": _sample("accept"),
    "adjust": _sample("adjust"),
    "beaver": _sample("beaver"),
    "call_referee": _sample("call_referee"),
    "claim": _sample("claim", upheld=False),
    "close_match": _sample("close_match"),
    "demand": _sample("demand"),
    "double": _sample("double"),
    "drop": _sample("drop"),
    "flag": _sample("flag", forfeit="nothing"),
    "next_game": _sample("next_game"),
    "pause": _sample("pause"),
    "premature": _sample("premature", stands=True),
    "referee_left": _sample("referee_left"),
    "resign": _sample("resign", win="oin"),
    "resignation": _sample("resignation", accepted=True),
    "resume": _sample("resume"),
    "set_time": _sample("set_time", white_ms=0, black_ms=0),
    "take": _sample("take"),
    "throw": _sample("throw", roll=[2, 1]),
    "touch": _sample("touch", point=24),
    "undo": _sample("undo"),
    "withdraw_press": _sample("withdraw_press"),
}
