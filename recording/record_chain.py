"""Making rows: each is tied to the one before by its hash; signatures are rows too."""

import base64
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from recording.record_clock import Moment, wall_text
from recording.record_errors import EntryError
from recording.record_row import (
    BEGINNING,
    OWN_PREFIX,
    SIGNATURE,
    Entry,
    Evidence,
    JsonObject,
    Row,
    canonical,
    canonical_evidence,
)
from recording.signing import SigningKey

_TAG: Final = b"zarbiter record signature 1\n"
"""Keeps a signature of a row from being taken for one of anything else."""
_OWN_VERSION: Final = 1


class Scope(StrEnum):
    """What a signature closes."""

    GAME = "game"
    MATCH = "match"
    CLOSE = "close"
    """The record was closed with rows not signed yet."""


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a chain."""

    seq: int = 0
    hash: str = BEGINNING

    @classmethod
    def at(cls, row: Row) -> "Head":
        """Return the end of a chain whose last row this is."""
        return cls(row.seq, row.hash)


def event_row(head: Head, entry: Entry, moment: Moment) -> Row:
    """Make the row of a caller's entry.

    Raises:
        EntryError: it cannot be written as JSON, or takes a name of the record's own.
    """
    if not entry.kind or entry.kind.startswith(OWN_PREFIX):
        raise EntryError(
            f"Вид записи {entry.kind!r} занят самим протоколом.",
            f"The kind {entry.kind!r} belongs to the record itself.",
        )
    return _row(
        head,
        moment,
        kind=entry.kind,
        version=entry.version,
        data=entry.data,
        at_s=entry.at_s,
        match=entry.match,
        evidence=entry.evidence,
    )


def own_row(head: Head, kind: str, data: JsonObject, moment: Moment) -> Row:
    """Make a row that the record writes about itself."""
    return _row(
        head, moment, kind=kind, version=_OWN_VERSION, data=data, at_s=moment.at_s, match=None
    )


def signature_row(head: Head, scope: Scope, key: SigningKey, moment: Moment) -> Row:
    """Make the row that signs all rows before it, and itself."""
    data = {"key": key.public.fingerprint, "scope": scope.value}
    unsigned = own_row(head, SIGNATURE, data, moment)
    signature = base64.b64encode(key.sign(_TAG + unsigned.body().encode())).decode("ascii")
    return own_row(head, SIGNATURE, {**data, "signature": signature}, moment)


def signed_message(row: Row) -> tuple[bytes, bytes]:
    """Return the signature of a signature's row and the message it is of.

    Raises:
        ValueError, KeyError, TypeError: it is no such row.
    """
    data = row.data
    signature = base64.b64decode(data.pop("signature"), validate=True)
    return signature, _TAG + row.body(canonical(data)).encode()


def _row(
    head: Head,
    moment: Moment,
    *,
    kind: str,
    version: int,
    data: JsonObject,
    at_s: float,
    match: str | None,
    evidence: tuple[Evidence, ...] = (),
) -> Row:
    canonical([kind, match, at_s])
    row = Row(
        seq=head.seq + 1,
        match=match,
        kind=kind,
        version=version,
        at_s=float(at_s),
        boot=moment.boot,
        wall=wall_text(moment.wall),
        synced=moment.synced,
        text=canonical(data),
        evidence_text=canonical_evidence(evidence),
        prev=head.hash,
        hash="",
    )
    return replace(row, hash=row.computed_hash())
