"""One line of a record: what is written, the bytes that are hashed, the line of its export.

The hash of a row is SHA-256 over its canonical JSON: keys sorted, no white space, UTF-8,
numbers as Python writes them. It holds the hash of the row before, so that no row can be
changed, moved or left out without changing all that follow.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

from recording.record_errors import EntryError

JsonValue: TypeAlias = (
    bool | int | float | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"] | None
)
JsonObject: TypeAlias = Mapping[str, JsonValue]

BEGINNING: Final = "0" * 64
"""What the first row has for the hash of the row before."""
OWN_PREFIX: Final = "record."
"""Kinds that the record writes about itself begin so."""
CREATED: Final = "record.created"
KEY: Final = "record.key"
SIGNATURE: Final = "record.signature"
PRUNED: Final = "record.pruned"
RECOVERED: Final = "record.recovered"
RESTORED: Final = "record.restored"


class PictureKind(StrEnum):
    """What a picture shows; the later ones are kept longer."""

    BEFORE = "before"
    AFTER = "after"
    THROW = "throw"
    DISPUTE = "dispute"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A picture that a row rests on, by its contents."""

    kind: PictureKind
    sha256: str
    """64 hex digits; also the name of the picture's file."""
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Entry:
    """What a caller wants written down."""

    kind: str
    """The event's type, as its codec names it; not beginning with `record.`."""
    version: int
    """Of the event's own schema."""
    data: JsonObject
    at_s: float
    """Monotonic time within one boot (a replay: the source's own clock)."""
    match: str | None = None
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it stands in the record."""

    seq: int
    """1 and up without gaps: the order of events, whatever any clock says."""
    match: str | None
    kind: str
    version: int
    at_s: float
    boot: str
    """The boot in which `at_s` counts."""
    wall: str
    """UTC to the millisecond, as the device believed."""
    synced: bool
    """Whether that belief is to be trusted; False is printed as "not synced"."""
    text: str
    """The payload, canonical JSON."""
    evidence_text: str
    """The pictures, canonical JSON."""
    prev: str
    hash: str

    @property
    def data(self) -> dict[str, Any]:
        """The payload."""
        value: dict[str, Any] = json.loads(self.text)
        return value

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The pictures the row rests on."""
        return tuple(
            Evidence(PictureKind(one["kind"]), one["sha256"], one["bytes"])
            for one in json.loads(self.evidence_text)
        )

    @property
    def is_own(self) -> bool:
        """Whether the record wrote it about itself."""
        return self.kind.startswith(OWN_PREFIX)

    def body(self, text: str | None = None) -> str:
        """Return the canonical JSON that is hashed; `text` stands in for the payload."""
        return (
            f'{{"at_s":{_dumped(self.at_s)},"boot":{_dumped(self.boot)},'
            f'"data":{self.text if text is None else text},"evidence":{self.evidence_text},'
            f'"kind":{_dumped(self.kind)},"match":{_dumped(self.match)},'
            f'"prev":{_dumped(self.prev)},"seq":{self.seq},"synced":{_dumped(self.synced)},'
            f'"version":{self.version},"wall":{_dumped(self.wall)}}}'
        )

    def computed_hash(self) -> str:
        """Return the hash that an unchanged row has; of a row that never was one, no hash."""
        try:
            return hashlib.sha256(self.body().encode()).hexdigest()
        except ValueError:  # a number or a character that no row is written with
            return ""

    def to_line(self) -> str:
        """Write the row's line of the export, without a line end."""
        return f'{{"entry":{self.body()},"hash":"{self.hash}"}}'


def canonical(value: JsonValue) -> str:
    """Write canonical JSON.

    Raises:
        EntryError: a value that JSON has no word for, or text that is no Unicode.
    """
    _check(value)
    return _written(value)


def _written(value: JsonValue) -> str:
    text = _dumped(value)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise EntryError(
            f"В записи недопустимый символ: {error.object[error.start : error.end]!r}.",
            f"An entry has a character that is no Unicode text: "
            f"{error.object[error.start : error.end]!r}.",
        ) from error
    return text


def canonical_evidence(evidence: Sequence[Evidence]) -> str:
    """Write the pictures of a row."""
    return canonical(
        [
            {"kind": one.kind.value, "sha256": one.sha256, "bytes": one.size_bytes}
            for one in evidence
        ]
    )


def row_from_line(line: str) -> Row:
    """Read a line of an export; whether its hash is right is for the caller to ask.

    Raises:
        EntryError: no such line.
    """
    try:
        outer = json.loads(line)
        inner = outer["entry"]
        row = Row(
            seq=_kind_of(inner["seq"], int),
            match=None if inner["match"] is None else _kind_of(inner["match"], str),
            kind=_kind_of(inner["kind"], str),
            version=_kind_of(inner["version"], int),
            at_s=_kind_of(inner["at_s"], float),
            boot=_kind_of(inner["boot"], str),
            wall=_kind_of(inner["wall"], str),
            synced=_kind_of(inner["synced"], bool),
            text=_written(_kind_of(inner["data"], dict)),
            evidence_text=_written(_kind_of(inner["evidence"], list)),
            prev=_kind_of(inner["prev"], str),
            hash=_kind_of(outer["hash"], str),
        )
        _ = row.evidence
        if not math.isfinite(row.at_s):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise EntryError(
            f"Строка не из протокола: {line[:60]!r}.",
            f"This is no line of a record: {line[:60]!r}.",
        ) from error
    return row


def _kind_of(value: Any, wanted: type) -> Any:
    if type(value) is not wanted:
        raise TypeError
    return value


# Made once: `json.dumps` makes one at every call that asks for anything special.
_dumped = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode


def _check(value: JsonValue) -> None:
    """Refuse what JSON would change on its way: it has to come back as it went."""
    match value:
        case None | bool() | int() | str():
            return
        case float():
            if math.isfinite(value):
                return
        case Mapping():
            if all(isinstance(key, str) for key in value):
                for one in value.values():
                    _check(one)
                return
        case list() | tuple():
            for one in value:
                _check(one)
            return
        case _:
            pass
    raise EntryError(
        f"Это нельзя записать в протокол: {value!r}.", f"This cannot be recorded: {value!r}."
    )
