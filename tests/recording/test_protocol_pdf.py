import io
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, PdfObject

from recording.protocol import GameEntry, PlayerGame, Protocol, Remark, Seal
from recording.protocol_pdf import protocol_pdf
from referee.timer_presets import PRESETS
from rules import VARIANTS, variant_named
from rules.explain import Explanation
from rules.outcome import How, Win

NOW = datetime(2026, 11, 30, 18, 30, tzinfo=UTC)
HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
GAMES = (
    GameEntry(
        1, 0, Win.OIN, How.PLAYED, 1, (1, 0), (PlayerGame(312_000, 2), PlayerGame(405_000, 1))
    ),
    GameEntry(
        2,
        1,
        Win.MARS,
        How.RESIGNED,
        2,
        (1, 2),
        (PlayerGame(280_000, 0, 0, 1), PlayerGame(255_000, 0, 1)),
        disputes=1,
    ),
    GameEntry(3, 0, Win.MARS, How.PLAYED, 2, (3, 2)),
)
SHEET = Protocol(
    day=date(2026, 11, 30),
    players=("Иванов Сергей Петрович", "Ёлкина Анна"),
    variant=variant_named("bolshie-nardy"),
    games=GAMES,
    length=3,
    event="Кубок клуба «Шеш-беш»",
    place="Москва",
    table="7",
    number="12",
    season="3",
    stage="1/4 финала",
    referee="Петрова Ольга",
    control=PRESETS["federation"].control,
    remarks=(
        Remark(2, Explanation("Бросок 5-2 подтверждён.", "The throw 5-2 was confirmed.")),
        Remark(None, Explanation("Матч начат позже.", "The match began late.")),
    ),
    seal=Seal(HASH, "5E3C 91AA"),
)


def many(number: int) -> tuple[GameEntry, ...]:
    return tuple(replace(GAMES[2], number=n, score=(2 * n, 0)) for n in range(1, number + 1))


def read(sheet: Protocol, language: str = "ru") -> PdfReader:
    return PdfReader(io.BytesIO(protocol_pdf(sheet, language, NOW)))


def text_of(reader: PdfReader) -> str:
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in reader.pages))


def test_the_sheet_says_in_russian_what_a_federation_wants_to_know() -> None:
    text = text_of(read(SHEET))
    for wanted in (
        "Протокол матча № 12, сезон 3", "Кубок клуба «Шеш-беш»", "30 ноября 2026 г.", "Москва",
        "1/4 финала", "Большие нарды (bolshie-nardy)", "до 3 очков", "Петрова Ольга",
        "2 мин на очко матча, задержка 8 с на ход", "Белые", "Иванов Сергей Петрович", "Чёрные",
        "Ёлкина Анна", "Победитель матча — Иванов Сергей Петрович, счёт 3:2.", "марс, сдача",
        "5:12 / 6:45", "2 / 1", "Всего", "Партия 2 Бросок 5-2 подтверждён.",
        "Матч Матч начат позже.", "Заграждение из шести:", "Замечания игроков и судьи",
        "Подписи под результатом 3 : 2", "подпись", "подписана ключом 5E3C 91AA",
        "9f86d081 884c7d65", "zarbiter verify", "стр. 1 из 1",
    ):  # fmt: skip
        assert wanted in text, wanted


def test_the_sheet_says_the_same_in_english() -> None:
    text = text_of(read(SHEET, "en"))
    for wanted in (
        "Match protocol No. 12, season 3", "30 November 2026", "to 3 points",
        "2 min a point of the match, 8 s delay a turn",
        "Иванов Сергей Петрович has won the match 3–2.",
        "mars, resigned", "Void throws", "Wrong plays", "Game 2 The throw 5-2 was confirmed.",
        "Block of six:", "Signed to the result 3 : 2", "signed with key", "page 1 of 1",
    ):  # fmt: skip
        assert wanted in text, wanted
    # Names and places stay as they were typed; everything else is English.
    for typed in (SHEET.event, SHEET.place, SHEET.stage, SHEET.referee, *SHEET.players):
        text = text.replace(typed, "")
    assert re.findall("[а-яё]+", text, re.IGNORECASE) == []


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_same_sheet_makes_the_same_bytes(language: str) -> None:
    once, again = (protocol_pdf(SHEET, language, NOW) for _ in range(2))
    assert once == again
    assert once != protocol_pdf(SHEET, language, NOW + timedelta(days=1))
    assert b"D:20261130183000" in once


def inside(holder: PdfObject | None, *keys: str) -> PdfObject:
    """What a PDF's dictionaries hold at a path of keys."""
    for key in keys:
        assert isinstance(holder, DictionaryObject)
        holder = holder[key].get_object()
    assert holder is not None
    return holder


def test_all_fonts_are_embedded_and_can_be_read_as_text() -> None:
    (page,) = read(SHEET).pages
    fonts = inside(page, "/Resources", "/Font")
    assert isinstance(fonts, DictionaryObject)
    assert len(fonts) == 2
    for name in fonts:
        assert "DejaVu" in str(inside(fonts, name, "/BaseFont"))
        inside(fonts, name, "/ToUnicode")
        inner = inside(fonts, name, "/DescendantFonts")
        assert isinstance(inner, ArrayObject)
        inside(inner[0].get_object(), "/FontDescriptor", "/FontFile2")


def test_the_file_names_itself_for_archives() -> None:
    reader = read(SHEET)
    assert reader.metadata is not None
    assert reader.metadata.title == "Протокол матча: Иванов Сергей Петрович – Ёлкина Анна"
    assert reader.metadata.creation_date == NOW
    assert str(inside(reader.root_object, "/Lang")) == "ru"
    assert len(protocol_pdf(SHEET, "ru", NOW)) < 60_000


def test_many_games_flow_onto_further_pages_under_the_same_headings() -> None:
    reader = read(replace(SHEET, games=many(60), length=121))
    pages = [page.extract_text() for page in reader.pages]
    assert len(pages) == 3
    assert all("Победитель" in page for page in pages[:2])
    for number, page in enumerate(pages, 1):
        assert f"стр. {number} из 3" in page
        if number > 1:
            assert "Протокол матча № 12 · Иванов" in re.sub(r"\s+", " ", page)
    text = text_of(reader)
    assert [n for n in range(1, 61) if f"{2 * n} : 0" not in text] == []
    # The lines to sign stay together, on one page.
    assert ["подпись" in page for page in pages] == [False, False, True]
    assert pages[-1].count("подпись") == 3


@pytest.mark.parametrize("number", [1, 4, 6, 7, 8, 12])
def test_signatures_are_never_torn_apart(number: int) -> None:
    pages = [page.extract_text() for page in read(replace(SHEET, games=many(number))).pages]
    assert len(pages) <= 2
    assert pages[-1].count("подпись") == 3
    assert "Подписи под результатом" in pages[-1]
    assert "Замечания игроков и судьи" in pages[-1]


def test_long_names_wrap_and_are_cut_only_where_they_are_repeated() -> None:
    names = (
        "Константинопольский-Вознесенский Александр Владимирович Младший",
        "Константинопольский-Вознесенский Алексей Владимирович Старший",
    )
    text = text_of(read(replace(SHEET, players=names)))
    for name in names:
        assert all(word in text for word in name.replace("-", "- ").split())
    # Two names alike in their first letters are told apart where they are cut.
    assert "1) Константин" in text
    assert "2) Константин" in text


def test_players_who_change_colours_are_numbered() -> None:
    games = (GAMES[0], replace(GAMES[1], white=1), GAMES[2])
    text = text_of(read(replace(SHEET, games=games)))
    assert "1) Белые в первой партии" in text
    assert "2) Чёрные в первой партии" in text
    assert re.search(r"2 2 2\) Ёлкина Анна марс, сдача", text)


def test_a_sheet_without_games_or_particulars_can_still_be_signed() -> None:
    bare = Protocol(SHEET.day, ("Анна", "Борис"), SHEET.variant, day_synced=False)
    text = text_of(read(bare))
    assert "часы стола не сверены" in re.sub(r"\s+", " ", text)
    assert "Ни одна партия не доиграна." in text
    assert "без ограничения" in text
    assert "без часов" in text
    assert "Место" not in text
    assert text.count("подпись") == 3
    unsigned = text_of(read(replace(bare, seal=Seal(HASH))))
    assert "не подписана" in unsigned


def test_rules_changed_by_choice_or_not_verified_are_marked() -> None:
    changed = text_of(read(replace(SHEET, variant=variant_named("classic+block=in_home"))))
    assert "хоть одна шашка соперника в его доме или выброшена *" in changed
    assert "Отмеченное звёздочкой изменено по выбору" in changed
    assert "не сверен с печатным текстом" in text_of(
        read(replace(SHEET, variant=variant_named("sport-rf")))
    )
    assert "*" not in text_of(read(SHEET))


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_every_rule_set_can_be_printed(name: str) -> None:
    language = "ru" if VARIANTS[name].hits else "en"
    text = text_of(read(replace(SHEET, variant=VARIANTS[name]), language))
    assert VARIANTS[name].title(language) in text
    assert "□" not in text


def test_armenian_georgian_and_greek_names_are_printed() -> None:
    names = ("Մկրտչյան Աննա", "ქართველიშვილი Ελένη")
    text = text_of(read(replace(SHEET, players=names)))
    for name in names:
        assert name in text


@settings(max_examples=8, deadline=None)
@given(st.tuples(st.text(max_size=80), st.text(max_size=80)), st.text(max_size=200))
def test_no_text_breaks_the_sheet(names: tuple[str, str], remark: str) -> None:
    remarks = (Remark(1, Explanation(remark, remark)),)
    odd = replace(SHEET, players=names, remarks=remarks, event=remark, place=names[0])
    assert protocol_pdf(odd, "ru", NOW).startswith(b"%PDF")


def test_the_fonts_licence_lies_beside_them() -> None:
    folder = files("recording") / "fonts"
    assert "Bitstream Vera Fonts Copyright" in (folder / "LICENSE").read_text("utf-8")
    sizes = [len(one.read_bytes()) for one in folder.iterdir() if one.name.endswith(".ttf")]
    assert len(sizes) == 2
    assert sum(sizes) < 300_000
