"""The words printed on a protocol sheet."""

import datetime
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

_MONTHS_RU: Final = (
    "января", "февраля", "марта", "апреля", "мая", "июня",
    "июля", "августа", "сентября", "октября", "ноября", "декабря",
)  # fmt: skip
_MONTHS_EN: Final = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Words:
    """All labels in one language."""

    title: str
    number: str
    season: str
    date: str
    not_synced: str
    place: str
    table: str
    stage: str
    rules: str
    clock: str
    no_clock: str
    length: str
    to: str
    no_length: str
    referee: str
    nobody: str
    white: str
    black: str
    white_in_first: str
    black_in_first: str
    games: str
    winner: str
    draw: str
    result: str
    cube: str
    points: str
    score: str
    time: str
    voids: str
    wrong_plays: str
    accepted: str
    corrected: str
    disputes: str
    total: str
    order: str
    remarks: str
    of_match: str
    of_game: str
    by_hand: str
    rules_in_force: str
    changed: str
    unverified: str
    signatures: str
    signature: str
    record: str
    signed_by: str
    unsigned: str
    verify: str
    page: str
    colon: str


_RU: Final = Words(
    title="Протокол матча",
    number="№",
    season="сезон",
    date="Дата",
    not_synced="(часы стола не сверены)",
    place="Место",
    table="Стол",
    stage="Этап",
    rules="Правила",
    clock="Время",
    no_clock="без часов",
    length="Матч",
    to="до {points} {word}",
    no_length="без ограничения",
    referee="Судья",
    nobody="не назначен",
    white="Белые",
    black="Чёрные",
    white_in_first="Белые в первой партии",
    black_in_first="Чёрные в первой партии",
    games="Партии",
    winner="Победитель",
    draw="ничья",
    result="Результат",
    cube="Куб",
    points="Очки",
    score="Счёт",
    time="Время",
    voids="Недейств. броски",
    wrong_plays="Неверные ходы",
    accepted="приняты",
    corrected="исправл.",
    disputes="Споры",
    total="Всего",
    order="Через косую черту: {first} / {second}. Прочерк — не было.",
    remarks="Споры и замечания",
    of_match="Матч",
    of_game="Партия",
    by_hand="Замечания игроков и судьи",
    rules_in_force="Действующие правила",
    changed="Отмеченное звёздочкой изменено по выбору против текста правил.",
    unverified="Набор не сверен с печатным текстом.",
    signatures="Подписи под результатом {first} : {second}",
    signature="подпись",
    record="Запись",
    signed_by="подписана ключом",
    unsigned="не подписана",
    verify="проверка: zarbiter verify",
    page="стр. {page} из {pages}",
    colon=":",
)
_EN: Final = Words(
    title="Match protocol",
    number="No.",
    season="season",
    date="Date",
    not_synced="(table's clock not synced)",
    place="Place",
    table="Table",
    stage="Stage",
    rules="Rules",
    clock="Time",
    no_clock="no clock",
    length="Match",
    to="to {points} {word}",
    no_length="session without end",
    referee="Referee",
    nobody="none",
    white="White",
    black="Black",
    white_in_first="White in game 1",
    black_in_first="Black in game 1",
    games="Games",
    winner="Winner",
    draw="draw",
    result="Result",
    cube="Cube",
    points="Points",
    score="Score",
    time="Time",
    voids="Void throws",
    wrong_plays="Wrong plays",
    accepted="stood",
    corrected="redone",
    disputes="Disputes",
    total="Total",
    order="Either side of a slash: {first} / {second}. A dash: none.",
    remarks="Disputes and remarks",
    of_match="Match",
    of_game="Game",
    by_hand="Remarks of players and referee",
    rules_in_force="Rules in force",
    changed="What has an asterisk was changed by choice against the text of the rules.",
    unverified="This set has not been checked against the printed text.",
    signatures="Signed to the result {first} : {second}",
    signature="signature",
    record="Record",
    signed_by="signed with key",
    unsigned="not signed",
    verify="check with: zarbiter verify",
    page="page {page} of {pages}",
    colon="–",
)
WORDS: Final = MappingProxyType({"ru": _RU, "en": _EN})


def date_text(day: datetime.date, language: str) -> str:
    """Write a date: `30 ноября 2026 г.`, `30 November 2026`."""
    if language == "ru":
        return f"{day.day} {_MONTHS_RU[day.month - 1]} {day.year} г."
    return f"{day.day} {_MONTHS_EN[day.month - 1]} {day.year}"


def time_text(ms: int | None) -> str:
    """Write a time used: `12:05`, `1:02:03`; a dash where none was taken."""
    if ms is None:
        return "–"
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes}:{seconds:02d}"
