"""Events to and from JSON: what a record keeps.

An entry is a kind (the event's class in words), the schema version it was written under, and
its fields. `SCHEMA_VERSION` goes up when a reader must know; `_UPGRADES` then says how entries
of the version before become those of the next.
"""

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias, get_args

import cattrs
from cattrs.errors import ForbiddenExtraKeysError

from referee.arbiter.events import SCHEMA_VERSION, Event, Fact, Ruling, Word
from rules import Position, Roll, RulesError

JsonObject: TypeAlias = dict[str, Any]


class EntryError(ValueError):
    """An entry that no version of the program can have written."""


def _kind(event: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event.__name__).lower()


_CLASSES: Final[Mapping[str, type]] = MappingProxyType(
    {_kind(one): one for union in (Fact, Word, Ruling) for one in get_args(union)}
)
KINDS: Final = tuple(_CLASSES)
"""The kinds of entries, facts first, then people's words, then rulings."""


def _with_places(kind: str, data: JsonObject) -> JsonObject:
    """Version 2 tells where dice were seen."""
    match kind:
        case "throw_seen":
            return {**data, "boxes_px": []}
        case "opening_die_seen":
            return {**data, "box_px": None}
        case _:
            return data


_UPGRADES: Final[Mapping[int, Callable[[str, JsonObject], JsonObject]]] = MappingProxyType(
    {1: _with_places}
)
"""From a version to the next: (kind, data) → data."""


def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=True, detailed_validation=False)
    converter.register_unstructure_hook(Position, lambda position: position.to_json())
    converter.register_structure_hook(Position, lambda value, _: Position.from_json(value))
    converter.register_unstructure_hook(Roll, lambda roll: [roll.first, roll.second])
    converter.register_structure_hook(Roll, lambda value, _: Roll.from_json(value))
    return converter


_CONVERTER: Final = _converter()


_UNREADABLE: Final = (
    ValueError, TypeError, KeyError, AttributeError, ForbiddenExtraKeysError, RulesError,
)  # fmt: skip


def to_entry(event: Event) -> tuple[str, int, JsonObject]:
    """Return an event's kind, schema version and data, ready for JSON."""
    data: JsonObject = _CONVERTER.unstructure(event)
    return _kind(type(event)), SCHEMA_VERSION, data


def from_entry(kind: str, version: int, data: Mapping[str, Any]) -> Event:
    """Read an entry of this or an older version.

    Raises:
        EntryError: an unknown kind, a version from the future, or fields that make no event.
    """
    if kind not in _CLASSES:
        raise EntryError(f"no event is called {kind!r}")
    if not 1 <= version <= SCHEMA_VERSION:
        raise EntryError(
            f"entry of version {version}: this program reads versions up to {SCHEMA_VERSION}; "
            "a newer one is needed"
        )
    fields = dict(data)
    for step in range(version, SCHEMA_VERSION):
        fields = _UPGRADES[step](kind, fields)
    try:
        event: Event = _CONVERTER.structure(fields, _CLASSES[kind])
    except _UNREADABLE as error:
        raise EntryError(f"{kind}: {error}") from error
    # Converters are obliging ("5" becomes 5): an entry must say exactly what it is read as.
    written = _CONVERTER.unstructure(event)
    if _text(written) != _text(fields):
        odd = [key for key in {**fields, **written} if _odd(key, fields, written)]
        raise EntryError(f"{kind}: {', '.join(odd)} cannot have been written like this")
    return event


def _odd(key: str, fields: JsonObject, written: JsonObject) -> bool:
    return key not in fields or key not in written or _text(fields[key]) != _text(written[key])


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True)
