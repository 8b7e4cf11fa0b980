"""`zarbiter legal` and `zarbiter judge`: JSON Lines in, JSON Lines out, and the rule sheet.

A line that cannot be answered gets an error of its own and the rest goes on. Source of the
format: docs/reference/exchange-format.md.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeAlias

from rules import (
    Color,
    Position,
    Roll,
    RulesError,
    Turn,
    Variant,
    judge_play,
    legal_turns,
    variant_named,
)

JsonObject: TypeAlias = dict[str, Any]

_variant = lru_cache(maxsize=64)(variant_named)
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode
_LONGEST_MESSAGE = 300


class QuestionError(Exception):
    """A line that asks nothing answerable; `code` names the cause for machines."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def answer_legal(question: JsonObject, default_rules: str) -> JsonObject:
    """Answer one question for the legal turns.

    Raises:
        QuestionError: a field is missing or has the wrong type.
        RulesError: the position, the dice or the rule set cannot be.
    """
    position, color, roll, variant = _asked(question, default_rules)
    turns = legal_turns(position, color, roll, variant)
    return {"id": question.get("id"), "turns": [turn_to_json(turn, variant) for turn in turns]}


def answer_judge(question: JsonObject, default_rules: str) -> JsonObject:
    """Answer one question for the judgement of a play.

    Raises:
        QuestionError: a field is missing or has the wrong type.
        RulesError: a position, the dice or the rule set cannot be.
    """
    position, color, roll, variant = _asked(question, default_rules)
    if "played" not in question:
        raise QuestionError("missing_field", 'a play is judged by "played", the position left')
    played = Position.from_json(question["played"])
    judgement = judge_play(position, color, roll, played, variant)
    return {
        "id": question.get("id"),
        "verdict": judgement.verdict.value,
        "law": judgement.law.value if judgement.law else None,
        "explain": judgement.explain.to_json(),
        "nearest": [turn_to_json(turn, variant) for turn in judgement.nearest],
    }


def turn_to_json(turn: Turn, variant: Variant) -> JsonObject:
    """Write a turn in the exchange format."""
    return {
        "moves": [move.to_json() for move in turn.moves],
        "result": turn.result.to_json(with_bar=variant.hits),
    }


def answer_lines(
    lines: Iterable[str], answer: Callable[[JsonObject, str], JsonObject], default_rules: str
) -> Iterator[tuple[str, bool]]:
    """Yield an answer line for each question line, and whether it is an answer.

    Blank lines are passed over.
    """
    for line in lines:
        if not line.strip():
            continue
        id_: Any = None
        try:
            question = _parsed(line)
            # An id is sent back as it came; one that JSON cannot write is none.
            id_ = question.get("id")
            yield _encode(answer(question, default_rules)), True
        except (QuestionError, RulesError) as error:
            yield _fault(id_, error.code, str(error)), False
        except (ValueError, RecursionError):
            # Infinity, or brackets within brackets beyond what Python can write.
            yield _fault(id_, "bad_question", "a value too large or too deep"), False


def _fault(id_: object, code: str, message: str) -> str:
    if len(message) > _LONGEST_MESSAGE:
        message = message[:_LONGEST_MESSAGE] + " …"
    error = {"code": code, "message": message}
    try:
        return _encode({"id": id_, "error": error})
    except (ValueError, RecursionError):
        return _encode({"id": None, "error": error})


def _parsed(line: str) -> JsonObject:
    try:
        question = json.loads(line, parse_constant=_no_constant)
    except RecursionError as error:
        raise QuestionError("bad_json", "not JSON: nested too deep") from error
    except ValueError as error:
        raise QuestionError("bad_json", f"not JSON: {error}") from error
    if not isinstance(question, dict):
        raise QuestionError("bad_question", "a question is a JSON object")
    return question


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _asked(question: JsonObject, default_rules: str) -> tuple[Position, Color, Roll, Variant]:
    for field in ("position", "turn", "dice"):
        if field not in question:
            raise QuestionError("missing_field", f'the question has no "{field}"')
    name = question.get("rules", default_rules)
    if not isinstance(name, str):
        raise QuestionError("unknown_rules", f'"rules" is the name of a set, not {name!r}')
    if question["turn"] not in ("w", "b"):
        raise QuestionError("bad_turn", f'"turn" is "w" or "b", not {question["turn"]!r}')
    return (
        Position.from_json(question["position"]),
        Color(question["turn"]),
        Roll.from_json(question["dice"]),
        _variant(name),
    )
