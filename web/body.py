"""A request's JSON and query, read with nothing taken on trust."""

import json
from collections.abc import Mapping
from typing import Any, Final

from flask import request

from web.problems import ProblemError

MOST_BYTES: Final = 64 * 1024
_DEEPEST: Final = 12


def json_body(*known: str) -> dict[str, Any]:
    """Return the request's JSON object.

    Args:
        known: the fields it may have; none: any.

    Raises:
        ProblemError: no JSON, no object, text that is no Unicode, or an unknown field.
    """
    if request.mimetype != "application/json":
        raise ProblemError("not_json")
    try:
        data = json.loads(request.get_data(cache=False).decode(), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise ProblemError("bad_request", "JSON") from error
    if not isinstance(data, dict):
        raise ProblemError("bad_request", "JSON: {…}")
    check_json(data)
    if known:
        unknown = sorted(set(data) - set(known))
        if unknown:
            raise ProblemError("unfit", f"{unknown[0][:40]!r}: {', '.join(known)}")
    return data


def check_json(value: object, depth: int = 0) -> None:
    """Refuse what could not be written down again.

    Raises:
        ProblemError: too deep, a number out of all bounds, or text with half characters.
    """
    if depth > _DEEPEST:
        raise ProblemError("unfit", f"> {_DEEPEST} levels")
    match value:
        case str():
            check_text(value)
        case bool() | None:
            pass
        case int() if abs(value) > 2**53:
            raise ProblemError("unfit", "|number| > 2^53")
        case dict():
            for key, one in value.items():
                check_text(key)
                check_json(one, depth + 1)
        case list():
            for one in value:
                check_json(one, depth + 1)


def check_text(text: str) -> None:
    """Refuse halves of characters and control characters other than line ends and tabs.

    Raises:
        ProblemError: there is one.
    """
    for one in text:
        code = ord(one)
        if 0xD800 <= code < 0xE000 or code == 0x7F or (code < 0x20 and one not in "\n\r\t"):
            raise ProblemError("unfit", f"U+{code:04X}")


def text_field(data: Mapping[str, Any], name: str, most: int, default: str = "") -> str:
    """Return a text field on one line.

    Raises:
        ProblemError: it is no text, or too long.
    """
    value = data.get(name)
    if value is None:
        return default
    if not isinstance(value, str) or len(value) > most:
        raise ProblemError("unfit", f"{name}: ≤ {most}")
    return " ".join(value.split())


def whole_query(name: str, default: int, most: int) -> int:
    """Return a whole number of the query.

    Raises:
        ProblemError: it is none, or out of bounds.
    """
    text = request.args.get(name)
    if text is None or text == "":
        return default
    if not (text.isascii() and text.isdecimal()) or len(text) > 15 or int(text) > most:
        raise ProblemError("unfit", f"{name}: 0–{most}")
    return int(text)


def choice_query(name: str, choices: tuple[str, ...], default: str) -> str:
    """Return one of some words of the query.

    Raises:
        ProblemError: it is another.
    """
    text = request.args.get(name, default)
    if text not in choices:
        raise ProblemError("unfit", f"{name}: {', '.join(choices)}")
    return text


def _no_number(text: str) -> float:
    raise ValueError(text)
