"""Matches out of a table's record: transcript, throws, protocol sheet, statistics."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from recording.keeper import KeptMatch, matches_of
from recording.protocol import Seal
from recording.record_clock import wall_of
from recording.record_files import DATABASE
from recording.record_reader import RecordReader
from recording.retold import protocol_of, throws_of_story, transcript_of
from recording.story import MatchStory, story_of
from recording.throws_csv import write_throws_csv
from recording.transcript import Match
from recording.verify import Verdict, verify_record


class RecordMatchError(ValueError):
    """A match that the record does not hold."""


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """One match of a record, retold."""

    place: Path
    kept: KeptMatch
    story: MatchStory

    @property
    def day(self) -> date:
        """The day it began, in local time."""
        return wall_of(self.kept.rows[0].wall).astimezone().date()

    @property
    def transcript(self) -> Match:
        """As match files tell it."""
        return transcript_of(self.story, day=self.day)

    def csv(self) -> bytes:
        """Every throw, void ones too."""
        setup = self.story.setup
        throws = throws_of_story(self.story)
        return write_throws_csv(throws, (setup.white, setup.black)).encode()

    def pdf(self, language: str) -> bytes:
        """The protocol sheet; it names the record's last row, and its key if it verifies."""
        # Fonts and PDF are slow to load, and the other formats need neither.
        from recording.protocol_pdf import protocol_pdf

        first = self.kept.rows[0]
        sheet = protocol_of(
            self.story, day=self.day, day_synced=first.synced, seal=seal_of(self.place)
        )
        return protocol_pdf(sheet, "ru" if language == "ru" else "en", wall_of(first.wall))


def is_record(path: Path) -> bool:
    """Tell whether a path is a table's record."""
    return (path / DATABASE).is_file() or path.name == DATABASE


def recorded_match(place: Path, name: str | None = None) -> RecordedMatch:
    """Read a match of a record.

    Args:
        place: the record's folder.
        name: which match; None: the one that began last.

    Raises:
        RecordError: no record, or one that cannot be read.
        RecordMatchError: no such match; names those there are.
    """
    with RecordReader(place) as reader:
        matches = matches_of(reader.rows())
    if not matches:
        raise RecordMatchError(f"{place}: the record holds no match yet")
    found = {one.name: one for one in matches}
    chosen = matches[-1].name if name is None else name
    if chosen not in found:
        raise RecordMatchError(f"{place}: no match {chosen!r}; there are {', '.join(found)}")
    kept = found[chosen]
    return RecordedMatch(place, kept, story_of(kept.events))


def seal_of(place: Path) -> Seal | None:
    """Return what ties a sheet to its record, None for a record that does not verify."""
    found = verify_record(place, pictures=False)
    if found.verdict is Verdict.BROKEN:
        return None
    key = found.keys[-1] if found.signed_to and found.keys else None
    return Seal(found.head.hash, key, found.head.seq)
