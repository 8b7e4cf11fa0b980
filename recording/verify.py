"""Is a record whole and unchanged? Names the first broken link, in order of the rows.

What this proves and what it cannot: docs/explanation/record.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, Final

from recording.evidence import EvidenceStore
from recording.evidence_index import PictureIndex
from recording.record_chain import Head, signed_message
from recording.record_errors import EntryError, KeyFileError, RecordDamagedError
from recording.record_files import files_of
from recording.record_reader import RecordReader
from recording.record_row import CREATED, KEY, RECOVERED, SIGNATURE, Row, row_from_line
from recording.signing import PublicKey, public_key_from_text
from recording.verify_words import WORDS, Broken, verdict_words

_TRIES: Final = 3


class Verdict(StrEnum):
    """What a record is worth."""

    OK = "ok"
    """Whole, unchanged and signed to its last row."""
    UNSIGNED = "unsigned"
    """Whole, but the last rows, or all, bear no signature."""
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """The first thing that is wrong."""

    seq: int
    """The row it is wrong with."""
    what: Broken
    ru: str
    en: str


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found."""

    verdict: Verdict
    rows: int
    """Rows that are whole, up to the break if there is one."""
    head: Head
    """The last of them."""
    signed_to: int
    """The last row that a good signature covers, 0 for none."""
    signatures: int
    keys: tuple[str, ...]
    """Fingerprints of the keys the record names, in order."""
    key_given: bool
    """Whether signatures were held against a key from outside the record."""
    broken: BrokenLink | None
    pictures: int
    """Pictures that are there and unchanged; 0 where they were not looked at."""
    pruned: int
    """Pictures that were removed by the budget, with a row that says so."""
    not_synced: int
    """Rows whose date may be wrong."""

    @property
    def explain(self) -> tuple[str, str]:
        """The verdict in a sentence, Russian and English."""
        if self.broken is not None:
            return self.broken.ru, self.broken.en
        return verdict_words(self.head.seq, self.signed_to, self.keys, self.key_given)

    def to_json(self) -> dict[str, Any]:
        """Write it for programs."""
        ru, en = self.explain
        link = self.broken
        return {
            "verdict": self.verdict.value,
            "rows": self.rows,
            "head": {"seq": self.head.seq, "hash": self.head.hash},
            "signed_to": self.signed_to,
            "signatures": self.signatures,
            "keys": list(self.keys),
            "key_given": self.key_given,
            "broken": link and {"seq": link.seq, "what": link.what.value},
            "pictures": self.pictures,
            "pruned": self.pruned,
            "not_synced": self.not_synced,
            "explain": {"ru": ru, "en": en},
        }


def verify_record(
    place: Path,
    public_key: PublicKey | None = None,
    *,
    head: Head | None = None,
    pictures: bool = True,
) -> Verification:
    """Verify a record, also while it is written.

    Args:
        place: the record's folder, the file in it, or a `.jsonl` export.
        public_key: the device's key, got from elsewhere. Without it the record vouches for
            itself: whoever forged all of it could have signed it with a key of their own.
        head: a row known from elsewhere, as a protocol sheet prints it; its hash may be cut
            short. A record cut off before it is found by this alone.
        pictures: whether to read all pictures too.

    Raises:
        RecordError: there is no record, or it cannot be opened for another reason than damage.
    """
    if place.suffix == ".jsonl" and place.is_file():
        with place.open(encoding="utf-8", errors="replace", newline="\n") as lines:
            return verify_lines(lines, public_key, head=head)
    for _ in range(_TRIES):
        found = _verified(place, public_key, head, pictures)
        if found.broken is None or found.broken.what is not Broken.PICTURE_MISSING:
            break
        with RecordReader(place) as reader:
            if reader.head() == found.head:
                break
        # Pruned while we looked: the row that says so is among the new ones.
    return found


def _verified(
    place: Path, public_key: PublicKey | None, head: Head | None, pictures: bool
) -> Verification:
    files = files_of(place)
    checker = _Checker(public_key, [(head, Broken.SHEET)] if head else [])
    try:
        with RecordReader(place) as reader:
            # Read before the rows: a live record grows meanwhile, and may only grow.
            wrong_ends: RecordDamagedError | None = None
            try:
                end, signed = reader.ends()
                checker.wanted += [(signed, Broken.SIGNED_TAIL), (end, Broken.TAIL)]
            except RecordDamagedError as error:
                wrong_ends = error
            checker.check(reader.rows())
            if wrong_ends is not None and checker.broken is None:
                raise wrong_ends
    except RecordDamagedError as error:
        checker.unreadable(str(error.__cause__ or error))
    store = EvidenceStore(files.pictures) if pictures else None
    return checker.result(store)


def verify_lines(
    lines: Iterable[str], public_key: PublicKey | None = None, *, head: Head | None = None
) -> Verification:
    """Verify the lines of an export; its pictures are not looked at."""
    checker = _Checker(public_key, [(head, Broken.SHEET)] if head else [])
    try:
        checker.check(row_from_line(line) for line in lines if line.strip())
    except EntryError as error:
        checker.unreadable(error.en)
    return checker.result(None)


@dataclass
class _Checker:
    """Follows the rows up to the first broken link."""

    public_key: PublicKey | None
    wanted: list[tuple[Head, Broken]]
    """Rows that have to be there."""
    head: Head = field(default_factory=Head)
    index: PictureIndex = field(default_factory=PictureIndex)
    keys: dict[str, PublicKey] = field(default_factory=dict)
    rows: int = 0
    signed_to: int = 0
    signatures: int = 0
    not_synced: int = 0
    broken: BrokenLink | None = None

    def check(self, rows: Iterable[Row]) -> None:
        following = iter(rows)
        for row in following:
            self.broken = self._fault_of(row)
            if self.broken is not None:
                if self.broken.what is Broken.MISSING:
                    self._look_for_the_telling(chain([row], following))
                return
            self.head = Head.at(row)
            self.rows += 1
            self.not_synced += not row.synced
        for wanted, what in self.wanted:
            if wanted.seq > self.head.seq:
                self._break(self.head.seq + 1, what, end=self.head.seq, until=wanted.seq)
                return

    def unreadable(self, detail: str) -> None:
        self._break(self.head.seq + 1, Broken.UNREADABLE, detail=detail)

    def result(self, store: EvidenceStore | None) -> Verification:
        pictures = 0
        # Beyond a break nobody knows what was pruned.
        if store is not None and self.broken is None:
            pictures = self._look_at_pictures(store)
        if self.broken is not None:
            verdict = Verdict.BROKEN
        elif self.signed_to < self.head.seq or not self.head.seq:
            verdict = Verdict.UNSIGNED
        else:
            verdict = Verdict.OK
        return Verification(
            verdict=verdict,
            rows=self.rows,
            head=self.head,
            signed_to=self.signed_to,
            signatures=self.signatures,
            keys=tuple(self.keys),
            key_given=self.public_key is not None,
            broken=self.broken,
            pictures=pictures,
            pruned=len(self.index.pruned),
            not_synced=self.not_synced,
        )

    def _break(self, at: int, what: Broken, **facts: object) -> None:
        self.broken = _link(at, what, **facts)

    def _fault_of(self, row: Row) -> BrokenLink | None:
        expected = self.head.seq + 1
        if row.seq > expected:
            return _link(expected, Broken.MISSING, first=expected, last=row.seq - 1)
        if row.computed_hash() != row.hash:
            return _link(row.seq, Broken.HASH)
        if row.seq < expected or row.prev != self.head.hash:
            return _link(row.seq, Broken.LINK, before=self.head.seq)
        if (row.kind == CREATED) != (row.seq == 1):
            return _link(row.seq, Broken.BEGINNING)
        for wanted, what in self.wanted:
            if wanted.seq == row.seq and not row.hash.startswith(wanted.hash):
                return _link(row.seq, Broken.SHEET if what is Broken.SHEET else Broken.HASH)
        try:
            self.index.follow(row)
            if row.kind in (CREATED, KEY):
                key = public_key_from_text(row.data["public_key"])
                self.keys[key.fingerprint] = key
            if row.kind == SIGNATURE:
                return self._fault_of_signature(row)
        except (ValueError, KeyError, TypeError, AttributeError, KeyFileError):
            return _link(row.seq, Broken.CONTENTS)
        return None

    def _fault_of_signature(self, row: Row) -> BrokenLink | None:
        signature, message = signed_message(row)
        name = row.data["key"]
        given = self.public_key
        key = given if given and given.fingerprint == name else None
        if given is None:
            key = self.keys.get(name)
        if key is None:
            return _link(row.seq, Broken.KEY, key=name)
        if not key.verifies(signature, message):
            return _link(row.seq, Broken.SIGNATURE)
        self.signatures += 1
        self.signed_to = row.seq
        return None

    def _look_for_the_telling(self, following: Iterator[Row]) -> None:
        """Say so where the record itself tells that rows were lost."""
        assert self.broken is not None
        for row in following:
            if row.kind == RECOVERED and row.computed_hash() == row.hash:
                lost: Sequence[Sequence[int]] = row.data.get("lost", [])
                if any(first <= self.broken.seq <= last for first, last in lost):
                    self._break(
                        self.broken.seq, Broken.LOST, row=row.seq, first=self.broken.seq
                    )
                    return

    def _look_at_pictures(self, store: EvidenceStore) -> int:
        good = 0
        for name, known in sorted(self.index.known.items(), key=lambda one: one[1].seq):
            data = store.read(name)
            if data is None:
                self._break(known.seq, Broken.PICTURE_MISSING, name=name)
                return good
            if sha256(data).hexdigest() != name:
                self._break(known.seq, Broken.PICTURE_CHANGED, name=name)
                return good
            good += 1
        return good


def _link(seq: int, what: Broken, **facts: object) -> BrokenLink:
    ru, en = WORDS[what]
    return BrokenLink(seq, what, ru.format(n=seq, **facts), en.format(n=seq, **facts))
