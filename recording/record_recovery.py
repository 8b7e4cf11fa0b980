"""What was wrong with a record and what was repaired, in words and for the record itself."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from recording.record_row import JsonObject


class DamageKind(StrEnum):
    """What can be wrong with a record."""

    FILE = "file"
    """Pages of the file, or the whole of it, cannot be read."""
    TAIL = "tail"
    """The end is missing."""
    CHANGED = "changed"
    """A row is not the one that was written."""


_WORDS: Final = {
    DamageKind.FILE: ("файл не читается", "the file cannot be read"),
    DamageKind.TAIL: ("нет последних записей", "the last rows were missing"),
    DamageKind.CHANGED: ("запись изменена", "a row had been changed"),
}


@dataclass(frozen=True, slots=True)
class Damage:
    """What is wrong."""

    kind: DamageKind
    detail: str
    """For the log, in English."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """What had to be repaired when a record was opened."""

    damage: Damage
    lost: tuple[tuple[int, int], ...] = ()
    """First and last number of the rows that are in no copy."""
    from_mirror: int = 0
    """Rows that only the mirror had."""
    aside: str | None = None
    """The folder, within the record's, with the damaged files."""
    rows: int = 0
    """Rows that were saved."""
    end_known: bool = True
    """Whether it could be told how far the record went; else later rows may be lost too."""

    @property
    def ru(self) -> str:
        """The sentence in Russian."""
        start = f"Протокол был повреждён ({_WORDS[self.damage.kind][0]})"
        if not self.rows:
            return (
                f"{start}, и прочесть не удалось ничего. Начат новый протокол, прежние файлы "
                f"лежат в {self.aside}. Верните копию командой zarbiter restore."
            )
        if not self.lost and self.end_known:
            return f"{start} и восстановлен полностью."
        return (
            f"{start}. {_lost_ru(self)} Остальное восстановлено, прежние файлы лежат в "
            f"{self.aside}. Счёт и позицию должен подтвердить судья."
        )

    @property
    def en(self) -> str:
        """The sentence in English."""
        start = f"The record was damaged ({_WORDS[self.damage.kind][1]})"
        if not self.rows:
            return (
                f"{start} and nothing could be read. A new record has begun, the old files are "
                f"in {self.aside}. Bring a copy back with zarbiter restore."
            )
        if not self.lost and self.end_known:
            return f"{start} and has been rebuilt in full."
        return (
            f"{start}. {_lost_en(self)} The rest has been rebuilt, the old files are in "
            f"{self.aside}. A referee has to confirm score and position."
        )

    def to_json(self) -> JsonObject:
        """Write the payload of the row that tells of it."""
        return {
            "damage": self.damage.kind.value,
            "detail": self.damage.detail,
            "lost": [list(one) for one in self.lost],
            "from_mirror": self.from_mirror,
            "aside": self.aside,
            "rows": self.rows,
            "end_known": self.end_known,
        }


def _lost_ru(recovery: Recovery) -> str:
    if not recovery.lost:
        return f"После записи {recovery.rows} могли быть ещё записи; если были, они утрачены."
    more = "" if recovery.end_known else ", а возможно, и последующие"
    return f"Потеряны записи {_ranges(recovery.lost)}{more}."


def _lost_en(recovery: Recovery) -> str:
    if not recovery.lost:
        return f"There may have been rows after row {recovery.rows}; if so, they are lost."
    more = "" if recovery.end_known else ", and perhaps later ones,"
    return f"Rows {_ranges(recovery.lost)}{more} are lost."


def _ranges(lost: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in lost)
