import argparse
import json
from pathlib import Path

import pytest

from recording.keeper import MatchKeeper
from recording.mat import parse_mat, read_mat
from recording.mat_write import write_mat
from recording.record_open import open_record
from recording.sgf import read_sgf
from recording.sgf_write import write_sgf
from recording.signing import device_key
from referee.arbiter import Actor, MatchSetup
from referee.arbiter.events import (
    DiceLifted,
    MatchOpened,
    Overridden,
    PlayRead,
    ThrowSeen,
)
from rules import Color
from tests.recording import samples
from tests.support.boards import board, moved
from tests.support.match import good_dice
from zarbiter.cli import main
from zarbiter.exchange import EXPORTERS, LoadError, load_match
from zarbiter.exchange_cli import FORMATS, add_export, add_import

MATCHES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "matches"
BROKEN = """\
7 point match

 Game 1
 Anna : 0                       Boris : 0
  1) 31: 8/5 6/5                61: 13/7 8/7
  2) 42: 8/4 6/4                 Drops

 Game 2
 Anna : 0                       Boris : 1
  1) 31: 8/5 6/5                61: 13/7 8/7
"""


def run(*arguments: str | Path) -> int:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)

    def parser_of(name: str, summary: str, examples: str) -> argparse.ArgumentParser:
        assert summary
        assert f"zarbiter {name}" in examples
        made: argparse.ArgumentParser = commands.add_parser(name)
        return made

    add_export(parser_of, "en")
    add_import(parser_of)
    options = parser.parse_args([str(argument) for argument in arguments])
    status: int = options.run(options)
    return status


@pytest.fixture
def mat(tmp_path: Path) -> Path:
    path = tmp_path / "club.mat"
    path.write_text(write_mat(samples.resigned(2, 2)), encoding="utf-8")
    return path


@pytest.fixture
def sgf(tmp_path: Path) -> Path:
    path = tmp_path / "club.sgf"
    path.write_text(write_sgf(samples.resigned(2, 2)), encoding="utf-8")
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.mat"
    path.write_text(BROKEN, encoding="utf-8")
    return path


def test_a_match_becomes_another_format(mat: Path, sgf: Path, tmp_path: Path) -> None:
    assert run("export", mat, "--format", "sgf", "--out", tmp_path / "a.sgf") == 0
    assert read_sgf(tmp_path / "a.sgf").score == (4, 0)
    assert run("export", sgf, "--format", "mat", "--out", tmp_path / "a.mat") == 0
    assert read_mat(tmp_path / "a.mat").score == (4, 0)


def test_without_out_the_match_goes_to_standard_output(
    mat: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run("export", mat, "--format", "csv") == 0
    lines = capsysbinary.readouterr().out.decode().splitlines()
    assert lines[1:] == ["1,1,w,Anna,3,1,no,played,,", "1,2,b,Boris,6,1,no,played,,"]
    assert run("export", mat, "--format", "json") == 0
    told = json.loads(capsysbinary.readouterr().out)
    assert (told["score"], told["winner"], told["length"]) == ([4, 0], None, 7)
    actions = told["games"][0]["actions"]
    assert [one["action"] for one in actions] == ["play", "play", "double", "take", "resign"]
    assert actions[0]["xgid"].startswith("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:")
    assert actions[0]["position_id"] == "4HPwATDgc/ABMA"


def test_json_tells_every_kind_of_action(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "middle.sgf"
    path.write_text(write_sgf(samples.from_the_middle()), encoding="utf-8")
    assert run("export", path, "--format", "json") == 0
    game = json.loads(capsysbinary.readouterr().out)["games"][0]
    assert game["start"]["off"] == {"w": 2, "b": 0}
    assert game["actions"][2]["action"] == "set_up"
    assert (game["actions"][2]["cube"], game["actions"][2]["owner"]) == (2, "w")
    assert "position_id" not in game["actions"][2]
    path = tmp_path / "wrong.sgf"
    path.write_text(write_sgf(samples.with_wrong_plays()), encoding="utf-8")
    assert run("export", path, "--format", "json") == 0
    game = json.loads(capsysbinary.readouterr().out)["games"][0]
    assert [one["lawful"] for one in game["actions"] if "lawful" in one].count(False) == 5
    assert game["actions"][0]["note"] == "A wrong play of 31, accepted."


def test_long_nardy_goes_by_its_own_name_and_has_no_sgf(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "long.nardy.mat"
    path.write_text(write_mat(samples.long_match((6, 5), (2, 1))), encoding="utf-8")
    assert load_match(path).rules == "classic"
    out = tmp_path / "copy.nardy.mat"
    assert run("export", path, "--format", "mat", "--out", out) == 0
    assert out.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
    assert run("export", path, "--format", "mat", "--out", tmp_path / "copy.mat") == 2
    assert not (tmp_path / "copy.mat").exists()
    assert run("export", path, "--format", "sgf") == 1
    assert run("export", path, "--format", "json") == 0
    said = capsys.readouterr()
    assert ".nardy.mat" in said.err
    assert "xgid" not in said.out


def test_short_nardy_does_not_take_the_name_of_long(mat: Path, tmp_path: Path) -> None:
    assert run("export", mat, "--format", "mat", "--out", tmp_path / "a.nardy.mat") == 2


def test_a_broken_game_is_exported_to_its_break_and_the_status_says_so(
    broken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("export", broken, "--format", "mat", "--out", tmp_path / "a.mat") == 1
    assert "game 1 breaks off at line 6" in capsys.readouterr().err
    text = (tmp_path / "a.mat").read_text(encoding="utf-8")
    assert "; Game 1 breaks off: black drops where nobody has doubled" in text
    assert [len(game.actions) for game in parse_mat(text).games] == [3, 2]


def test_the_protocol_sheet_is_not_made_from_a_match_file(
    mat: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("export", mat, "--format", "pdf") == 1
    assert "record" in capsys.readouterr().err
    assert set(EXPORTERS) == {"mat", "sgf", "json", "csv", "pdf"}


def test_import_tells_games_scores_and_plies(
    mat: Path, sgf: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", mat, sgf) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        f"{mat}: Anna – Boris, short, match to 7",
        "  game 1: 0–0 → 4–0, plies: 2",
        f"{sgf}: Anna – Boris, short, match to 7",
        "  game 1: 0–0 → 4–0, plies: 2",
    ]


def test_import_as_json_has_a_line_a_file(
    mat: Path, broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", "--json", mat, broken, "none.mat") == 1
    whole, cut, none = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (whole["score"], whole["errors"], whole["doubts"]) == ([4, 0], [], [])
    assert whole["games"][0] == {
        "game": 1,
        "score": [0, 0],
        "score_after": [4, 0],
        "plies": 2,
        "dances": 0,
        "wrong_plays": 0,
        "error": None,
    }
    assert [game["error"] is None for game in cut["games"]] == [False, True]
    assert cut["games"][0]["error"]["line"] == 6
    assert none["file"] == "none.mat"
    assert none["error"]


def test_import_names_breaks_and_doubts(
    broken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", broken) == 1
    said = capsys.readouterr().out
    assert "  ! game 1 breaks off at line 6: black drops where nobody has doubled\n" in said
    assert "  game 1: 0–0 → no result, plies: 3\n" in said
    early = tmp_path / "early.mat"
    text = write_mat(samples.resigned(1, 1, length=5))
    early.write_text(
        text.replace("Wins 1 point", "Wins 1 point and the match"), encoding="utf-8"
    )
    assert run("import", early) == 0  # every game is read; the match simply goes on
    assert "  ? game 1: said to end the match at 1-0 of 5 points\n" in capsys.readouterr().out


def test_other_files_are_no_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(LoadError, match="no match is read"):
        load_match(path)
    assert run("export", path, "--format", "mat") == 1
    assert run("import", path) == 1
    assert "no match is read" in capsys.readouterr().err


def test_an_sgf_file_is_known_by_its_content_too(sgf: Path, tmp_path: Path) -> None:
    other = tmp_path / "club.dat"
    other.write_bytes(b"\xef\xbb\xbf" + sgf.read_bytes())
    assert load_match(other).score == (4, 0)


def test_rules_may_be_named_for_files_that_name_none(tmp_path: Path) -> None:
    path = tmp_path / "a.mat"
    path.write_text(
        "1 point match\n Game 1\n A : 0       B : 0\n"
        "  1) 65: 24/13    21: 24/21\n  2) 53: 24/19 13/10\n",
        encoding="utf-8",
    )
    assert run("import", path) == 1
    assert run("import", "--rules", "classic", path) == 0


@pytest.mark.shared
def test_all_67_files_import_without_a_problem(capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(MATCHES.glob("*/*.[ms][ag][tf]"))
    if not files:
        pytest.skip("no measuring data: ../shared/data/matches is absent")
    assert run("import", "--json", *files[::4]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(files) == 67
    assert sum(game["wrong_plays"] for one in told for game in one["games"]) == 0
    assert [one["doubts"] for one in told if one["doubts"]] == []


def test_every_format_offered_is_one_that_can_be_written() -> None:
    assert set(FORMATS) == set(EXPORTERS)


def test_a_match_of_a_record_goes_out_in_every_format(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    setup = MatchSetup("short", "Анна", "Борис", 1)
    with open_record(tmp_path / "t7", device_key(tmp_path)) as record:
        keeper = MatchKeeper(record, lambda: 5)
        keeper.open("final", MatchOpened(5, setup))
        last = board("1:w1 off:w14 13:b5 12:b5 19:b5")
        keeper.do(Overridden(10, Actor.REFEREE, Color.WHITE, last))
        keeper.do(ThrowSeen(20, Color.WHITE, good_dice(2, 1)))
        keeper.do(DiceLifted(30))
        keeper.do(PlayRead(40, moved(last, Color.WHITE, (1, 0))))
    heads = {"sgf": b"(;FF[4]", "json": b'{"entry"', "csv": b"game,", "pdf": b"%PDF"}
    for format_, head in heads.items():
        arguments = ["export", str(tmp_path / "t7"), "--format", format_]
        assert main(arguments) == 0, format_
        assert capfdbinary.readouterr().out.startswith(head)
    # A game that does not begin with the start position: .mat has no words for it.
    assert main(["export", str(tmp_path / "t7"), "--format", "mat"]) == 1
    assert b".mat cannot hold it" in capfdbinary.readouterr().err
    # The JSON of a record is all of it: it verifies as the record does.
    copy = tmp_path / "copy.jsonl"
    assert main(["export", str(tmp_path / "t7"), "--format", "json", "--out", str(copy)]) == 0
    assert main(["verify", str(copy)]) == 0
    capfdbinary.readouterr()
    assert main(["import", str(tmp_path / "t7")]) == 0
    assert "game 1: 0–0 → 2–0" in capfdbinary.readouterr().out.decode()


def test_a_match_that_a_record_does_not_hold_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_record(tmp_path / "t7", device_key(tmp_path)) as record:
        keeper = MatchKeeper(record, lambda: 5)
        keeper.open("final", MatchOpened(5, MatchSetup()))
    place = str(tmp_path / "t7")
    assert main(["export", place, "--format", "csv", "--match", "semi"]) == 1
    assert "no match 'semi'; there are final" in capsys.readouterr().err
