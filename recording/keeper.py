"""The arbiter and its record together: nothing is said or shown before it is on the disk."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, TypeAlias

from recording.record import Record
from recording.record_chain import Scope
from recording.record_row import Entry, Evidence, PictureKind, Row
from referee.arbiter import MatchState, Settled, from_entry, replayed, settle, to_entry
from referee.arbiter.events import (
    DiceChanged,
    Event,
    MatchOpened,
    OpeningDieSeen,
    PlayRead,
    Restarted,
    StartSeen,
    ThrowSeen,
)
from referee.arbiter.states import MatchOver, NotOpened

Pictures: TypeAlias = Mapping[PictureKind, bytes]
"""JPEG bytes that an event rests on."""

_SCOPES: Final = {"game": Scope.GAME, "match": Scope.MATCH}


@dataclass(frozen=True)
class KeptMatch:
    """One match as a record holds it."""

    name: str
    rows: tuple[Row, ...]

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What fell, in order; read only when somebody asks.

        Raises:
            EntryError: an entry that no version of the program wrote.
        """
        return tuple(from_entry(row.kind, row.version, row.data) for row in self.rows)


class MatchKeeper:
    """Runs a match on a record: takes events, writes them, and only then moves on.

    Args:
        record: the table's record, open for writing.
        now_ms: monotonic time in whole milliseconds.

    A match that was under way when the record was last closed is taken up again, with its
    clock stopped. One thread owns the keeper.
    """

    def __init__(self, record: Record, now_ms: Callable[[], int]) -> None:
        self.record = record
        self.state = MatchState()
        self.match: str | None = None
        """The match in hand by its name in the record."""
        self._now_ms = now_ms
        last = last_match(record.rows())
        if last is not None:
            state = replayed(last.events)
            if not isinstance(state.phase, MatchOver):
                self.match, self.state = last.name, state
                self.do(Restarted(now_ms()))

    def open(self, name: str, opened: MatchOpened) -> Settled:
        """Begin a match under a name of its own.

        Raises:
            ValueError: a match is under way, or the name was used before.
        """
        if not isinstance(self.state.phase, NotOpened | MatchOver):
            raise ValueError("a match is under way")
        if next(self.record.rows(match=name), None) is not None:
            raise ValueError(f"the record already holds a match {name!r}")
        self.match, self.state = name, MatchState()
        return self.do(opened)

    def do(self, event: Event, pictures: Pictures | None = None) -> Settled:
        """Take an event: write it with all its rulings, then move on.

        Args:
            event: what fell; its `evidence` is filled in from the pictures.
            pictures: what it rests on; where there is no room for them the event is kept
                without.

        Raises:
            RecordError: it could not be written; then nothing has happened.
        """
        evidence = self._keep(pictures or {})
        if evidence and isinstance(
            event, StartSeen | OpeningDieSeen | ThrowSeen | DiceChanged | PlayRead
        ):
            event = replace(event, evidence=tuple(one.sha256 for one in evidence))
        settled = settle(self.state, event)
        scopes = [_SCOPES[one.scope] for one in settled.signs]
        if settled.events:
            entries = [self._entry(one) for one in settled.events]
            if evidence:
                # The pictures hang on what they show, which may come after a fallen flag.
                at = settled.events.index(event) if event in settled.events else 0
                entries[at] = replace(entries[at], evidence=tuple(evidence))
            self.record.append(entries, sign=scopes[-1] if scopes else None)
        self.state = settled.state
        return settled

    def _keep(self, pictures: Pictures) -> list[Evidence]:
        kept = (self.record.keep_picture(kind, jpeg) for kind, jpeg in pictures.items())
        return [one for one in kept if isinstance(one, Evidence)]

    def _entry(self, event: Event) -> Entry:
        kind, version, data = to_entry(event)
        return Entry(kind, version, data, event.at_ms / 1000, self.match)


def matches_of(rows: Iterable[Row]) -> tuple[KeptMatch, ...]:
    """Return the matches a record holds, in the order they began."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.match is not None and not row.is_own:
            found.setdefault(row.match, []).append(row)
    return tuple(KeptMatch(name, tuple(own)) for name, own in found.items())


def last_match(rows: Iterable[Row]) -> KeptMatch | None:
    """Return the match that began last, None if there is none."""
    matches = matches_of(rows)
    return matches[-1] if matches else None
