"""How the machine is: facts with a level, a sentence and a cure, for people and for `/healthz`.

What a fact means is judged here and is pure; `zarbiter.health_probes` reads the machine.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from hardware.errors import Sentence


class Level(StrEnum):
    """How bad a fact is."""

    OK = "ok"
    WARN = "warn"
    """The match goes on; somebody should look."""
    BAD = "bad"
    """The match cannot be refereed or recorded until it is cured."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing known of the machine."""

    name: str
    level: Level
    value: float | bool | str | None
    """As measured; None: cannot be told here."""
    said: Sentence
    unit: str = ""
    cure: Sentence | None = None

    def to_json(self) -> dict[str, object]:
        """Write it as `/healthz` has it."""
        told = self.said if self.cure is None else self.said + self.cure
        return {
            "name": self.name,
            "level": self.level.value,
            "value": self.value,
            "unit": self.unit,
            **told.to_json(),
        }


@dataclass(frozen=True, slots=True)
class MachineReading:
    """What was measured; None: cannot be told on this machine."""

    temperature_c: float | None = None
    throttled: int | None = None
    """The firmware's bits: 0–3 now, 16–19 since it was switched on."""
    free_mb: int | None = None
    """Free on the record's disk."""
    writable: bool | None = None
    """Whether the record's folder may be written."""
    clock_synced: bool | None = None
    memory_free_mb: int | None = None
    uptime_s: float | None = None
    frame_age_s: float | None = None
    """Since the newest picture came."""


HOT_C: Final = 70.0
TOO_HOT_C: Final = 80.0
"""From here a Pi slows itself down."""
LITTLE_MB: Final = 500
NO_ROOM_MB: Final = 50
LITTLE_MEMORY_MB: Final = 150
STALE_S: Final = 2.0
LOST_S: Final = 5.0
_UNDER_VOLTAGE, _CAPPED, _SLOWED, _SOFT_LIMIT = 1, 2, 4, 8
_SINCE_BOOT: Final = 16


def facts_of(reading: MachineReading) -> tuple[Fact, ...]:
    """Judge what was measured; what cannot be told here is left out."""
    judged = (
        _temperature(reading.temperature_c),
        _power(reading.throttled),
        _disk(reading.free_mb),
        _record(reading.writable),
        _clock(reading.clock_synced),
        _memory(reading.memory_free_mb),
        _uptime(reading.uptime_s),
        _frames(reading.frame_age_s),
    )
    return tuple(fact for fact in judged if fact is not None)


def worst(facts: Iterable[Fact]) -> Level:
    """Return the worst level; `ok` where there is no fact."""
    levels = {fact.level for fact in facts}
    for level in (Level.BAD, Level.WARN):
        if level in levels:
            return level
    return Level.OK


def to_json(facts: Iterable[Fact]) -> dict[str, object]:
    """Write `/healthz`: the worst level, what is not well, and every fact."""
    facts = tuple(facts)
    return {
        "level": worst(facts).value,
        "findings": [fact.to_json() for fact in facts if fact.level is not Level.OK],
        "facts": [fact.to_json() for fact in facts],
    }


def _temperature(degrees: float | None) -> Fact | None:
    if degrees is None:
        return None
    level = Level.OK if degrees < HOT_C else Level.WARN
    said = Sentence(f"Процессор: {degrees:.0f} °C.", f"The processor has {degrees:.0f} °C.")
    cure = None
    if degrees >= TOO_HOT_C:
        cure = Sentence(
            "Он замедляется: поставьте вентилятор или радиатор.",
            "It slows down: give it a fan or a heat sink.",
        )
    elif level is Level.WARN:
        cure = Sentence("Дайте ему больше воздуха.", "Give it more air.")
    return Fact("temperature", level, round(degrees, 1), said, "°C", cure)


def _power(bits: int | None) -> Fact | None:
    if bits is None:
        return None
    power = Sentence(
        "Нужен родной блок питания: 5,1 В и 3 А, для Pi 5 — 5 А, и короткий толстый кабель.",
        "Use the Pi's own supply: 5.1 V with 3 A, 5 A for a Pi 5, and a short thick cable.",
    )
    if bits & _UNDER_VOLTAGE:
        said = Sentence("Плате не хватает напряжения.", "The board gets too little voltage.")
        # A card that is written while the voltage sags is a card that loses its record.
        return Fact("power", Level.BAD, bits, said, "", power)
    if bits & (_CAPPED | _SLOWED | _SOFT_LIMIT):
        said = Sentence("Процессор замедлен.", "The processor is being slowed down.")
        cure = Sentence("Охладите его.", "Cool it.")
        return Fact("power", Level.WARN, bits, said, "", cure)
    if bits & (_UNDER_VOLTAGE << _SINCE_BOOT):
        said = Sentence(
            "С включения плате не раз не хватало напряжения.",
            "Since it was switched on the board has had too little voltage.",
        )
        return Fact("power", Level.WARN, bits, said, "", power)
    return Fact("power", Level.OK, bits, Sentence("Питание в порядке.", "The power is sound."))


def _disk(free_mb: int | None) -> Fact | None:
    if free_mb is None:
        return None
    level = Level.OK if free_mb >= LITTLE_MB else Level.WARN
    if free_mb < NO_ROOM_MB:
        level = Level.BAD
    said = Sentence(f"На диске свободно {free_mb} МБ.", f"The disk has {free_mb} MB free.")
    cure = Sentence(
        "Удалите старые файлы или подключите другой диск; снимки уже могут не храниться.",
        "Delete old files or attach another disk; pictures may not be kept any more.",
    )
    return Fact("disk", level, free_mb, said, "MB", None if level is Level.OK else cure)


def _record(writable: bool | None) -> Fact | None:
    if writable is None:
        return None
    if writable:
        return Fact(
            "record",
            Level.OK,
            True,
            Sentence("В папку записи можно писать.", "The record can be written."),
        )
    return Fact(
        "record",
        Level.BAD,
        False,
        Sentence("В папку записи нельзя писать.", "The record's folder cannot be written."),
        "",
        Sentence(
            "Проверьте record.folder и права; если карта памяти стала «только для чтения», "
            "замените её.",
            "Check record.folder and the rights; a memory card that has become read-only is "
            "to be replaced.",
        ),
    )


def _clock(synced: bool | None) -> Fact | None:
    if synced is None:
        return None
    if synced:
        return Fact("clock", Level.OK, True, Sentence("Время сверено.", "The time is synced."))
    return Fact(
        "clock",
        Level.WARN,
        False,
        Sentence(
            "Время не сверено с сетью: даты в записи помечены.",
            "The time is not synced: dates in the record are marked so.",
        ),
        "",
        Sentence(
            "Подключите сеть или батарейку часов; игровые часы от этого не зависят.",
            "Connect a network or a clock battery; the game clocks do not depend on it.",
        ),
    )


def _memory(free_mb: int | None) -> Fact | None:
    if free_mb is None:
        return None
    said = Sentence(f"Свободно {free_mb} МБ памяти.", f"{free_mb} MB of memory are free.")
    if free_mb >= LITTLE_MEMORY_MB:
        return Fact("memory", Level.OK, free_mb, said, "MB")
    cure = Sentence("Закройте другие программы.", "Close other programs.")
    return Fact("memory", Level.WARN, free_mb, said, "MB", cure)


def _uptime(seconds: float | None) -> Fact | None:
    if seconds is None:
        return None
    hours = seconds / 3600
    said = Sentence(f"Работает {hours:.1f} ч.", f"It has been running for {hours:.1f} h.")
    return Fact("uptime", Level.OK, round(seconds), said, "s")


def _frames(age_s: float | None) -> Fact | None:
    if age_s is None:
        return None
    age_s = round(age_s, 1)
    if age_s < STALE_S:
        said = Sentence("Камера даёт снимки.", "The camera gives pictures.")
        return Fact("frames", Level.OK, age_s, said, "s")
    said = Sentence(f"Снимков нет {age_s} с.", f"There has been no picture for {age_s} s.")
    cure = Sentence(
        "Проверьте кабель камеры; судейство ждёт свежего снимка.",
        "Check the camera's cable; the referee waits for a fresh picture.",
    )
    return Fact("frames", Level.BAD if age_s >= LOST_S else Level.WARN, age_s, said, "s", cure)
