import csv
import io
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from recording.throws_csv import COLUMNS, Outcome, Throw, throws_of, write_throws_csv
from recording.transcript import Play, Resign
from rules import Color, Roll
from tests.recording import samples

SCRIPT = """
import locale, sys
locale.setlocale(locale.LC_ALL, "ru_RU.UTF-8")
assert locale.str(1.5) == "1,5"
from recording.throws_csv import Outcome, Throw, write_throws_csv
from rules import Color
throws = [Throw(1, Color.WHITE, (6, 5), Outcome.PLAYED, (), 12345.678)]
sys.stdout.write(write_throws_csv(throws, ("Anna", "Boris")))
"""


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_each_throw_is_a_line() -> None:
    match = samples.with_wrong_plays()
    table = rows(write_throws_csv(throws_of(match), match.players))
    assert tuple(table[0]) == COLUMNS
    assert [row["throw"] for row in table] == [str(number) for number in range(1, 9)]
    assert [row["outcome"] for row in table].count("wrong") == 5
    assert table[0] == {
        "game": "1",
        "throw": "1",
        "side": "w",
        "player": "Anna",
        "first": "3",
        "second": "1",
        "double": "no",
        "outcome": "wrong",
        "reasons": "",
        "at_s": "",
    }


def test_dances_and_dice_resigned_with_are_throws_too() -> None:
    start = samples.turns(samples.START, (3, 1))[0]
    dance = Play(Color.BLACK, Roll(6, 6), (), (), True, start.after)
    match = samples.match_of(start, dance, Resign(Color.WHITE, 1, Roll(2, 2)))
    outcomes = [throw.outcome for throw in throws_of(match)]
    assert outcomes == [Outcome.PLAYED, Outcome.DANCED, Outcome.RESIGNED]
    assert not list(throws_of(samples.match_of(Resign(Color.WHITE, 1))))


def test_void_throws_of_a_record_have_reasons_and_dice_that_were_not_read() -> None:
    throws = [
        Throw(1, Color.WHITE, (6, None), Outcome.VOID, ("tilted", "on_checker"), 3.25),
        Throw(1, Color.WHITE, (2, 2), Outcome.PLAYED, (), 9.0),
        Throw(2, Color.BLACK, (None, None), Outcome.VOID, ("off_board",)),
    ]
    void, double, other = rows(write_throws_csv(throws, ("Anna", "Boris")))
    assert (void["first"], void["second"], void["double"]) == ("6", "", "no")
    assert (void["reasons"], void["at_s"]) == ("tilted on_checker", "3.250")
    assert (double["double"], double["throw"]) == ("yes", "2")
    assert (other["game"], other["throw"], other["player"]) == ("2", "1", "Boris")


def test_the_time_of_a_play_is_kept() -> None:
    (play,) = samples.turns(samples.START, (3, 1))
    match = samples.match_of(replace(play, at_s=61.5))
    assert rows(write_throws_csv(throws_of(match), match.players))[0]["at_s"] == "61.500"


@pytest.mark.parametrize("name", ["=1+1", "+x", "-x", "@x", "\tx"])
def test_a_name_is_no_formula(name: str) -> None:
    match = samples.short_match()
    (first, *_) = rows(write_throws_csv(throws_of(match), (name, "Boris")))
    assert first["player"] == f"'{name}"


def test_commas_and_quotes_in_names_keep_the_columns() -> None:
    match = samples.short_match()
    (first, *_) = rows(write_throws_csv(throws_of(match), ('A, "B"\nC', "Boris")))
    assert first["player"] == 'A, "B"\nC'


def test_numbers_have_a_point_under_a_russian_locale(tmp_path: Path) -> None:
    maker = shutil.which("localedef")
    if maker is None:
        pytest.skip("localedef is absent: no Russian locale can be made")
    made = subprocess.run(
        [maker, "-i", "ru_RU", "-f", "UTF-8", str(tmp_path / "ru_RU.UTF-8")],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("the sources of the Russian locale are absent: apt install locales")
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={
            **os.environ,
            "LOCPATH": str(tmp_path),
            "LC_ALL": "ru_RU.UTF-8",
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.splitlines()[1] == "1,1,w,Anna,6,5,no,played,,12345.678"
