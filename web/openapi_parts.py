"""What the routes alone do not tell: queries, bodies and answers by endpoint."""

from collections.abc import Mapping
from typing import Any, Final

from web.labels import LABELS
from web.roles import WebRole
from web.svg import PALETTES
from web.words import PEOPLE, WORDS

Schema = Mapping[str, Any]


def _object(required: tuple[str, ...] = (), /, **fields: Schema) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: dict(schema) for name, schema in fields.items()},
        "required": list(required),
        "additionalProperties": False,
    }


def _one_of(*values: str | None) -> dict[str, Any]:
    return {"enum": list(values)}


def _text(most: int) -> dict[str, Any]:
    return {"type": "string", "maxLength": most}


def _whole(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


def _maybe(schema: Schema) -> dict[str, Any]:
    return {"oneOf": [dict(schema), {"type": "null"}]}


_SEQ: Final = _whole(0, 2**53)
_LANGUAGE: Final = _one_of("ru", "en")
_SIDE: Final = _one_of("w", "b", None)
_POSITION: Final = {"$ref": "#/components/schemas/Position"}
_ROLL: Final = _maybe({"type": "array", "items": _whole(1, 6), "minItems": 2, "maxItems": 2})
_PAIR: Final = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}

SCHEMAS: Final[Mapping[str, Any]] = {
    "Sentence": _object(("ru", "en"), ru={"type": "string"}, en={"type": "string"}),
    "Error": {
        "type": "object",
        "properties": {
            "error": {
                "type": "object",
                "properties": {
                    "code": {"type": "string"},
                    "ru": {"type": "string"},
                    "en": {"type": "string"},
                },
                "required": ["code", "ru", "en"],
            }
        },
        "required": ["error"],
    },
    "Position": {
        "type": "object",
        "description": "Point (1–24, from White's side) → colour and count.",
        "properties": {
            "points": {
                "type": "object",
                "patternProperties": {
                    "^([1-9]|1[0-9]|2[0-4])$": {
                        "type": "string",
                        "pattern": "^[wb]([1-9]|1[0-5])$",
                    }
                },
                "additionalProperties": False,
            },
            "off": _object(("w", "b"), w=_whole(0, 15), b=_whole(0, 15)),
            "bar": _object(("w", "b"), w=_whole(0, 15), b=_whole(0, 15)),
        },
        "required": ["points", "off"],
    },
    "Word": {
        "type": "object",
        "description": "What is said; further fields depend on the word.",
        "properties": {
            "word": _one_of(*WORDS),
            "by": _one_of(*(one.value for one in PEOPLE)),
            "position": _POSITION,
            "roll": _ROLL,
            "reason": _text(500),
            "turn": _one_of("w", "b"),
            "turns": _whole(1, 1000),
            "point": _whole(1, 25),
            "upheld": {"type": "boolean"},
            "stands": {"type": "boolean"},
            "accepted": {"type": "boolean"},
            "forfeit": _one_of("nothing", "game", "match"),
            "win": _one_of("oin", "mars", "home_mars", "koks"),
            "winner": _SIDE,
            "game": _whole(1, 10_000),
            "points": _whole(0, 10_000),
            "side": _one_of("w", "b"),
            "value": _whole(1, 6),
            "white_ms": _whole(0, 86_400_000),
            "black_ms": _whole(0, 86_400_000),
        },
        "required": ["word", "by"],
        "additionalProperties": False,
    },
    "Answer": {
        "type": "object",
        "properties": {
            "done": {"type": "boolean"},
            "told": {"type": "array", "items": {"type": "object"}},
            "seq": {"type": "integer"},
        },
        "required": ["done", "told", "seq"],
    },
    "Row": {
        "type": "object",
        "properties": {
            "seq": {"type": "integer"},
            "match": {"type": ["string", "null"]},
            "kind": {"type": "string", "examples": list(LABELS)[:6]},
            "at_s": {"type": "number"},
            "wall": {"type": "string"},
            "synced": {"type": "boolean"},
            "data": {"type": "object"},
            "evidence": {"type": "array", "items": {"type": "object"}},
        },
        "required": ["seq", "match", "kind", "at_s", "wall", "synced", "data", "evidence"],
    },
    "Session": {
        "type": "object",
        "properties": {
            "role": _one_of(*(one.value for one in WebRole), None),
            "side": _SIDE,
            "language": _one_of("ru", "en", None),
            "theme": _one_of("auto", *PALETTES),
            "csrf": {"type": "string"},
            "needs_setup": {"type": "boolean"},
            "may_see_pictures": {"type": "boolean"},
            "speakers": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["role", "side", "csrf", "needs_setup", "speakers"],
    },
}

QUERIES: Final[Mapping[str, Mapping[str, Schema]]] = {
    "table.get_stream": {"after": _SEQ},
    "table.get_entries": {"after": _SEQ, "limit": _whole(1, 500)},
    "matches.get_steps": {"after": _SEQ, "limit": _whole(1, 2000)},
    "matches.get_plot": {"language": _LANGUAGE, "theme": _one_of(*PALETTES)},
    "matches.get_export": {
        "format": _one_of("mat", "sgf", "json", "csv", "pdf"),
        "language": _LANGUAGE,
    },
    "pictures.get_live_picture": {"drawn": _one_of("0", "1")},
    "pictures.get_live_stream": {"drawn": _one_of("0", "1")},
    "pictures.get_close_up": {"seq": _SEQ},
}

_PINS: Final = _object(**{one.value: _maybe(_text(64)) for one in WebRole})
BODIES: Final[Mapping[str, Schema]] = {
    "table.post_word": {"$ref": "#/components/schemas/Word"},
    "session.set_language": _object(("language",), language=_LANGUAGE),
    "session.set_theme": _object(("theme",), theme=_one_of("auto", *PALETTES)),
    "session.set_side": _object(side=_SIDE),
    "session.login": _object(("pin",), pin=_text(64), side=_SIDE),
    "session.logout": _object(),
    "session.set_up": _object(("pins",), code=_text(40), pins=_PINS),
    "matches.open_match": _object(
        rules=_text(400),
        white=_maybe(_text(80)),
        black=_maybe(_text(80)),
        length=_maybe(_whole(1, 99)),
        clock=_maybe(_text(120)),
        role=_maybe(_one_of("silent", "monitor", "referee")),
        flag_law=_maybe(_one_of("ask", "game", "match", "nothing")),
        premature_law=_maybe(_one_of("ask", "stands", "again")),
        event=_maybe(_text(120)),
        place=_maybe(_text(120)),
        round=_maybe(_text(60)),
        season=_maybe(_text(60)),
        number=_maybe(_text(30)),
        arbiter=_maybe(_text(80)),
    ),
    "device.find_board": _object(again={"type": "boolean"}),
    "device.set_corners": _object(
        ("corners",), corners={"type": "array", "items": _PAIR, "minItems": 4, "maxItems": 4}
    ),
    "device.set_layout": _object(
        ("white_start",),
        white_start=_one_of("top_left", "top_right", "bottom_left", "bottom_right"),
        direction=_one_of("cw", "ccw", None),
        white=_one_of("L", "D"),
    ),
    "device.change_settings": _object(("settings",), settings={"type": "object"}),
    "device.report_reading": _object(
        note=_maybe(_text(1000)), correction=_maybe({"type": "object"})
    ),
}

_ANSWER: Final = {"$ref": "#/components/schemas/Answer"}
_SESSION: Final = {"$ref": "#/components/schemas/Session"}
_PICTURE: Final[tuple[str, Schema]] = ("image/jpeg", {})
_DRAWING: Final[tuple[str, Schema]] = ("image/svg+xml", {})
_ROWS: Final = {"type": "array", "items": {"$ref": "#/components/schemas/Row"}}
ANSWERS: Final[Mapping[str, tuple[str, Schema]]] = {
    "table.post_word": ("application/json", _ANSWER),
    "matches.open_match": ("application/json", _ANSWER),
    "session.get_session": ("application/json", _SESSION),
    "session.set_language": ("application/json", _SESSION),
    "session.set_theme": ("application/json", _SESSION),
    "session.set_side": ("application/json", _SESSION),
    "session.login": ("application/json", _SESSION),
    "session.logout": ("application/json", _SESSION),
    "session.set_up": ("application/json", _SESSION),
    "table.get_stream": ("text/event-stream", {}),
    "table.get_entries": (
        "application/json",
        {
            "type": "object",
            "properties": {"entries": _ROWS},
            "required": ["entries", "after", "seq"],
        },
    ),
    "pictures.get_live_picture": _PICTURE,
    "pictures.get_live_stream": ("multipart/x-mixed-replace", {}),
    "pictures.get_picture": _PICTURE,
    "pictures.get_close_up": _PICTURE,
    "matches.get_plot": _DRAWING,
    "session.get_join": _DRAWING,
    "matches.get_export": ("application/octet-stream", {}),
    "device.get_diagnostics": ("application/zip", {}),
    "info.healthz": ("text/plain", {}),
}
"""Endpoint → media type and schema; else a JSON object."""
