"""Which pictures the rows rest on and which were pruned: a fold over the rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from recording.evidence import EvidencePolicy
from recording.record_row import PRUNED, Evidence, PictureKind, Row

_RANK: Final = {
    PictureKind.BEFORE: 0,
    PictureKind.AFTER: 1,
    PictureKind.THROW: 2,
    PictureKind.DISPUTE: 3,
}
_ENOUGH: Final = 0.95
"""Pruning goes down to this part of the budget, so that it is seldom."""


@dataclass(frozen=True, slots=True)
class Known:
    """A picture that is to be there."""

    kind: PictureKind
    """The one kept longest of all that rows call it."""
    size_bytes: int
    seq: int
    """The last row that names it."""


class PictureIndex:
    """Follows the rows."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.known: dict[str, Known] = {}
        self.pruned: set[str] = set()
        self.bytes = 0
        for row in rows:
            self.follow(row)

    def follow(self, row: Row) -> None:
        """Take the next row."""
        if row.evidence_text != "[]":
            for one in row.evidence:
                self._add(one, row.seq)
        if row.kind == PRUNED:
            for name in row.data["pictures"]:
                gone = self.known.pop(name, None)
                if gone is not None:
                    self.bytes -= gone.size_bytes
                    self.pruned.add(name)

    def due(self, policy: EvidencePolicy) -> tuple[str, ...]:
        """Return what has to go to keep the budget: by kind, then oldest first."""
        if self.bytes <= policy.budget_bytes:
            return ()
        by_age = sorted(self.known.items(), key=lambda item: item[1].seq)
        old = by_age[: max(0, len(by_age) - policy.latest_kept)]
        # Sorting keeps the order of equals, so age decides within a kind.
        old.sort(key=lambda item: _RANK[item[1].kind])
        left, due = self.bytes, []
        for name, one in old:
            if left <= policy.budget_bytes * _ENOUGH:
                break
            left -= one.size_bytes
            due.append(name)
        return tuple(due)

    def _add(self, one: Evidence, seq: int) -> None:
        before = self.known.get(one.sha256)
        kind = one.kind
        if before is None:
            self.bytes += one.size_bytes
        elif _RANK[before.kind] > _RANK[kind]:
            kind = before.kind
        self.pruned.discard(one.sha256)
        self.known[one.sha256] = Known(kind, one.size_bytes, seq)
