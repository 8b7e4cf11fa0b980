from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recording.protocol import (
    GameEntry,
    PlayerGame,
    Protocol,
    result_words,
    rule_lines,
    verdict_sentence,
)
from recording.protocol_columns import columns_of, game_row, total_row
from recording.protocol_words import WORDS, date_text, time_text
from rules import VARIANTS, variant_named
from rules.outcome import How, Win

LONG, SHORT = variant_named("bolshie-nardy"), variant_named("short")
GAMES = (
    GameEntry(
        1, 0, Win.OIN, How.PLAYED, 1, (1, 0), (PlayerGame(60_000, 2), PlayerGame(75_500, 0, 1))
    ),
    GameEntry(
        2,
        1,
        Win.MARS,
        How.RESIGNED,
        2,
        (1, 2),
        (PlayerGame(30_000, 0, 0, 1), PlayerGame(40_000)),
        disputes=1,
    ),
)
SHEET = Protocol(date(2026, 11, 30), ("Анна", "Борис"), LONG, GAMES, length=3)


def test_the_sheet_adds_up_its_games() -> None:
    assert SHEET.totals(0) == PlayerGame(90_000, 2, 0, 1)
    assert SHEET.totals(1) == PlayerGame(115_500, 0, 1, 0)
    assert SHEET.score == (1, 2)
    untimed = replace(GAMES[1], players=(PlayerGame(), PlayerGame(40_000)))
    assert replace(SHEET, games=(GAMES[0], untimed)).totals(0).time_ms is None
    assert replace(SHEET, games=()).totals(0) == PlayerGame()


@pytest.mark.parametrize(
    ("length", "score", "winner", "ru", "en"),
    [
        (
            3,
            (1, 2),
            None,
            "Матч не окончен; счёт 1:2.",
            "The match is not finished; the score is 1–2.",
        ),
        (3, (1, 4), 1, "Победитель матча — Борис, счёт 4:1.", "Борис has won the match 4–1."),
        (3, (3, 2), 0, "Победитель матча — Анна, счёт 3:2.", "Анна has won the match 3–2."),
        (
            None,
            (9, 2),
            None,
            "Без ограничения; счёт 9:2.",
            "Session without end; the score is 9–2.",
        ),
    ],
)
def test_the_sheet_says_how_the_match_ended(
    length: int | None, score: tuple[int, int], winner: int | None, ru: str, en: str
) -> None:
    sheet = replace(SHEET, length=length, games=(replace(GAMES[0], score=score),))
    assert sheet.winner == winner
    assert (verdict_sentence(sheet).ru, verdict_sentence(sheet).en) == (ru, en)


def test_nothing_played_is_said_too() -> None:
    assert verdict_sentence(replace(SHEET, games=())).en == "No game has been finished."


@pytest.mark.parametrize(
    ("win", "how", "ru", "en", "short_en"),
    [
        (Win.OIN, How.PLAYED, "ойн", "oin", "single"),
        (Win.MARS, How.RESIGNED, "марс, сдача", "mars, resigned", "gammon, resigned"),
        (Win.KOKS, How.PLAYED, "кокс", "koks", "backgammon"),
        (Win.HOME_MARS, How.PLAYED, "домашний марс", "home mars", "home mars"),
        (Win.OIN, How.TIME, "ойн, по времени", "oin, on time", "single, on time"),
        (Win.OIN, How.CUBE_DROPPED, "отказ от куба", "cube dropped", "cube dropped"),
        (None, How.DRAW, "ничья", "draw", "draw"),
    ],
)
def test_results_are_named(win: Win | None, how: How, ru: str, en: str, short_en: str) -> None:
    game = replace(GAMES[0], win=win, how=how)
    assert (result_words(game, LONG).ru, result_words(game, LONG).en) == (ru, en)
    assert result_words(game, SHORT).en == short_en


def test_every_way_to_end_a_game_has_words() -> None:
    for win in (*Win, None):
        for how in How:
            if win is not None or how is How.DRAW:
                words = result_words(replace(GAMES[0], win=win, how=how), LONG)
                assert words.ru != words.en


def test_games_and_totals_stand_in_the_same_columns() -> None:
    names = ("Анна", "Борис")
    assert game_row(SHEET, GAMES[0], names, "ru") == [
        "1", "Анна", "ойн", "1", "1 : 0", "1:00 / 1:15", "2 / 0", "0 / 1", "–", "–",
    ]  # fmt: skip
    assert total_row(SHEET, WORDS["ru"]) == [
        "", "Всего", "", "", "1 : 2", "1:30 / 1:55", "2 / 0", "0 / 1", "1 / 0", "1",
    ]  # fmt: skip
    drawn = replace(GAMES[0], winner=None, win=None, how=How.DRAW, points=0)
    assert game_row(SHEET, drawn, names, "ru")[1:4] == ["–", "ничья", "0"]


@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("variant", [LONG, SHORT])
@pytest.mark.parametrize("swap", [False, True])
def test_every_row_fills_every_column(language: str, variant: object, swap: bool) -> None:
    games = (GAMES[0], replace(GAMES[1], white=1)) if swap else GAMES
    sheet = replace(SHEET, variant=SHORT if variant is SHORT else LONG, games=games)
    words = WORDS[language]
    columns = columns_of(sheet, words)
    assert len(game_row(sheet, games[1], ("A", "B"), language)) == len(columns)
    assert len(total_row(sheet, words)) == len(columns)
    winner = [column.label for column in columns].index(words.winner)
    assert total_row(sheet, words)[winner] == words.total
    assert (words.white in [column.label for column in columns]) == swap
    assert sum(column.width_mm for column in columns) == pytest.approx(175, abs=1.5)


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_the_rules_printed_are_those_in_force(name: str) -> None:
    for language in ("ru", "en"):
        lines = rule_lines(VARIANTS[name], language)
        assert len(lines) > 15
        assert not any(changed for _, _, changed in lines)


def test_what_was_changed_by_choice_is_marked() -> None:
    lines = rule_lines(variant_named("classic+block=in_home+half=players_right"), "ru")
    assert [title for title, _, changed in lines if changed] == [
        "Заграждение из шести",
        "Половины доски для костей",
    ]


def test_dates_and_times_are_written_out() -> None:
    assert date_text(date(2026, 5, 1), "ru") == "1 мая 2026 г."
    assert date_text(date(2026, 5, 1), "en") == "1 May 2026"
    assert time_text(None) == "–"
    assert time_text(3_723_999) == "1:02:03"
    assert time_text(59_999) == "0:59"


@given(st.dates())
def test_every_date_can_be_written(day: date) -> None:
    for language in ("ru", "en"):
        assert str(day.year) in date_text(day, language)
