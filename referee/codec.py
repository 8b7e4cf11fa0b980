"""Events as the JSON lines that the commands print."""

from typing import Any, TypeAlias, assert_never

from referee.events import (
    Event,
    GameEnded,
    Notice,
    PlayJudged,
    PositionSeen,
    ThrowJudged,
)
from rules import Position, Variant

JsonLine: TypeAlias = dict[str, Any]


def event_to_json(event: Event, variant: Variant) -> JsonLine:
    """Write one event; every line has `event` and `t_s`."""

    def written(position: Position | None) -> JsonLine | None:
        return None if position is None else dict(position.to_json(with_bar=variant.hits))

    def many(positions: tuple[Position, ...]) -> list[JsonLine | None]:
        return [written(position) for position in positions]

    match event:
        case Notice():
            return {
                "event": "notice",
                "t_s": event.at_s,
                "code": event.code,
                "explain": {"ru": event.ru, "en": event.en},
            }
        case PositionSeen():
            line: JsonLine = {
                "event": "position",
                "t_s": event.at_s,
                "position": written(event.position),
            }
            if event.position is None:
                line["candidates"] = many(event.candidates)
            return line
        case ThrowJudged():
            return {
                "event": "throw",
                "t_s": event.at_s,
                "verdict": event.verdict.value,
                "values": list(event.values),
                "side": event.side.value,
                "reasons": list(event.reasons),
                "confidence": round(event.confidence, 4),
            }
        case PlayJudged():
            line = {
                "event": "play",
                "t_s": event.at_s,
                "side": event.side.value,
                "dice": list(event.dice),
                "played": written(event.played),
                "moves": [list(move) for move in event.moves],
                "verdict": "unsure" if event.verdict is None else event.verdict.value,
                "law": event.law,
                "explain": event.explain.to_json(),
            }
            if event.candidates:
                line["candidates"] = many(event.candidates)
            if event.nearest:
                line["nearest"] = many(event.nearest)
            return line
        case GameEnded():
            return {
                "event": "game_over",
                "t_s": event.at_s,
                "winner": event.winner.value if event.winner else None,
                "win": event.win,
                "points": event.points,
            }
        case _:
            assert_never(event)
