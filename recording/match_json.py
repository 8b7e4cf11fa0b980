"""A transcript as one JSON object: what it tells, position after position."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias, assert_never

from recording.position_ids import Ids, ids_of
from recording.standing import IdError
from recording.transcript import (
    MONEY,
    Action,
    Double,
    Drop,
    Game,
    GameResult,
    Match,
    Play,
    ReadError,
    Resign,
    SetUp,
    Take,
)
from rules import Roll, variant_named

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
VERSION = 1


def match_to_json(match: Match) -> "dict[str, Json]":
    """Return a match for `json.dumps`; positions are in the exchange format."""
    white, black = match.score
    return {
        "format": "zarbiter-match",
        "version": VERSION,
        "rules": match.rules,
        "length": None if match.length == MONEY else match.length,
        "players": list(match.players),
        "headers": dict(match.headers),
        "crawford": match.crawford,
        "jacoby": match.jacoby,
        "score": [white, black],
        "winner": match.winner and match.winner.value,
        "games": [_game(match, game) for game in match.games],
        "errors": [_error(error) for error in match.errors],
    }


def _names(match: Match, game: Game) -> dict[int, Ids]:
    if not variant_named(match.rules).hits:
        return {}
    try:
        return {one.action: one for one in ids_of(replace(match, games=(game,)))}
    except IdError:  # a cube or a score beyond what the names have room for
        return {}


def _game(match: Match, game: Game) -> "dict[str, Json]":
    named = _names(match, game)
    return {
        "number": game.number,
        "score": list(game.score),
        "start": _position(game.start.to_json()),
        "crawford": game.crawford,
        "cube": game.cube,
        "note": game.notes.get(-1),
        "actions": [
            _action(action, named.get(index), game.notes.get(index))
            for index, action in enumerate(game.actions)
        ],
        "result": None if game.result is None else _result(game.result),
        "error": None if game.error is None else _error(game.error),
    }


def _result(result: GameResult) -> "dict[str, Json]":
    return {"winner": result.winner and result.winner.value, "points": result.points}


def _action(action: Action, ids: Ids | None, note: str | None) -> "dict[str, Json]":
    told = _told(action)
    if ids:
        told |= {"position_id": ids.position_id, "match_id": ids.match_id, "xgid": ids.xgid}
    if note:
        told["note"] = note
    return told


def _told(action: Action) -> "dict[str, Json]":
    match action:
        case Play():
            told: dict[str, Json] = {
                "action": "play",
                "side": action.color.value,
                "dice": _dice(action.roll),
                "moves": [list(move.to_json()) for move in action.moves],
                "lawful": action.lawful,
                "played": _position(action.after.to_json()),
            }
            return told if action.at_s is None else {**told, "at_s": action.at_s}
        case Double():
            return {"action": "double", "side": action.color.value, "value": action.value}
        case Take():
            return {"action": "take", "side": action.color.value}
        case Drop():
            return {"action": "drop", "side": action.color.value}
        case Resign():
            return {
                "action": "resign",
                "side": action.color.value,
                "points": action.points,
                "dice": None if action.roll is None else _dice(action.roll),
            }
        case SetUp():
            return {
                "action": "set_up",
                "position": _position(action.position.to_json()),
                "cube": action.cube,
                "owner": action.owner and action.owner.value,
            }
        case _:
            assert_never(action)


def _dice(roll: Roll) -> "list[Json]":
    return [roll.first, roll.second]


def _position(told: "Mapping[str, Mapping[str, str] | Mapping[str, int]]") -> "dict[str, Json]":
    return {key: dict(value) for key, value in told.items()}


def _error(error: ReadError) -> "dict[str, Json]":
    return {"line": error.line, "text": error.text, "message": error.message}
