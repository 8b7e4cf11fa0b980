"""The sentences of `verify`, Russian and English."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final


class Broken(StrEnum):
    """What can be wrong with a link of the chain."""

    HASH = "hash_mismatch"
    LINK = "wrong_link"
    BEGINNING = "wrong_beginning"
    CONTENTS = "bad_contents"
    MISSING = "missing_rows"
    LOST = "lost_rows"
    """Missing, and the record itself tells that they were lost to damage."""
    TAIL = "missing_tail"
    SIGNED_TAIL = "missing_signed_tail"
    SHEET = "not_as_on_sheet"
    SIGNATURE = "bad_signature"
    KEY = "unknown_key"
    PICTURE_MISSING = "picture_missing"
    PICTURE_CHANGED = "picture_changed"
    UNREADABLE = "unreadable"


WORDS: Final = {
    Broken.HASH: (
        "Запись {n} изменена: она не совпадает со своей контрольной суммой.",
        "Row {n} was changed: it does not match its hash.",
    ),
    Broken.LINK: (
        "Запись {n} не продолжает запись {before}: запись подменена, вставлена или "
        "переставлена.",
        "Row {n} does not follow from row {before}: a row was exchanged, put in or moved.",
    ),
    Broken.BEGINNING: (
        "Запись {n} не на своём месте: протокол начинается не с начала или начат дважды.",
        "Row {n} is out of place: the record does not begin at its beginning, or begins twice.",
    ),
    Broken.CONTENTS: (
        "Содержание записи {n} не таково, какое пишет программа.",
        "The contents of row {n} are not what the program writes.",
    ),
    Broken.MISSING: (
        "Нет записей {first}–{last}: они удалены.",
        "Rows {first}–{last} are missing: they were taken out.",
    ),
    Broken.LOST: (
        "Нет записей начиная с {first}: по записи {row}, они утрачены при повреждении файла.",
        "Rows from {first} on are missing: row {row} tells that damage to the file lost them.",
    ),
    Broken.TAIL: (
        "Протокол обрывается на записи {end}, а должен идти до {until}: конец удалён.",
        "The record ends at row {end} but should go on to {until}: its end was cut off.",
    ),
    Broken.SIGNED_TAIL: (
        "Протокол обрывается на записи {end}, а был подписан по запись {until}: подписанный "
        "конец удалён.",
        "The record ends at row {end} but was signed up to {until}: its signed end is gone.",
    ),
    Broken.SHEET: (
        "Запись {n} — не та, что указана в бланке: нет её или её контрольная сумма другая.",
        "Row {n} is not as on the sheet: it is missing, or its hash is another.",
    ),
    Broken.SIGNATURE: (
        "Подпись в записи {n} неверна.",
        "The signature in row {n} is false.",
    ),
    Broken.KEY: (
        "Подпись в записи {n} сделана чужим ключом {key}.",
        "The signature in row {n} is by an unknown key, {key}.",
    ),
    Broken.PICTURE_MISSING: (
        "Нет снимка {name} к записи {n}, и протокол не говорит, что он удалён.",
        "Picture {name} of row {n} is missing, and the record does not tell of its removal.",
    ),
    Broken.PICTURE_CHANGED: (
        "Снимок {name} к записи {n} изменён.",
        "Picture {name} of row {n} was changed.",
    ),
    Broken.UNREADABLE: (
        "Запись {n} не читается: файл повреждён ({detail}).",
        "Row {n} cannot be read: the file is damaged ({detail}).",
    ),
}


def verdict_words(
    last: int, signed_to: int, keys: Sequence[str], key_given: bool
) -> tuple[str, str]:
    """Say what an unbroken record is worth."""
    if not signed_to:
        return (
            f"Записи 1–{last} связаны между собой, но подписи нет: доказать, что их не "
            "переписали, нельзя.",
            f"Rows 1–{last} hang together, but nothing is signed: that they were not written "
            "anew cannot be proved.",
        )
    named = ", ".join(keys)
    if key_given:
        by_ru, by_en = "данным ключом", "by the key given"
    else:
        by_ru = f"ключом самого протокола ({named}); сверьте его с ключом устройства"
        by_en = f"by the record's own key ({named}); compare it with the device's key"
    if signed_to < last:
        return (
            f"Записи 1–{signed_to} целы и подписаны {by_ru}. "
            f"Записи {signed_to + 1}–{last} ещё не подписаны.",
            f"Rows 1–{signed_to} are whole and signed {by_en}. "
            f"Rows {signed_to + 1}–{last} are not signed yet.",
        )
    return (
        f"Записи 1–{last} целы и подписаны {by_ru}.",
        f"Rows 1–{last} are whole and signed {by_en}.",
    )
