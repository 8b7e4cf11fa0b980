import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recording.mat import parse_mat
from recording.mat_write import ExportError, write_mat
from recording.match_json import match_to_json
from recording.sgf import parse_sgf, read_sgf
from recording.sgf_tree import escaped, plain_text
from recording.sgf_write import write_sgf
from recording.transcript import (
    MONEY,
    Double,
    GameResult,
    Match,
    Play,
    Resign,
    Take,
    play_between,
)
from rules import Color, Position, Roll, legal_turns
from tests.recording import samples

MATCHES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "matches" / "sgf"


def told(match: Match) -> object:
    """All that a file can hold, the same however its hops were written."""
    return [
        (
            replace(game, actions=(), result=None),
            game.result and (game.result.winner, game.result.points),
            [
                (one.color, one.roll, one.lawful, one.after)
                if isinstance(one, Play)
                else ("double", one.color)
                if isinstance(one, Double)
                else one
                for one in game.actions
            ],
        )
        for game in match.games
    ]


def test_a_match_is_written_as_gnu_backgammon_writes_it() -> None:
    match = samples.resigned(1, 2)
    headers = {"Event": "Club [A]", "EventDate": "2026.11.30", "ClockType": "2 min"}
    assert write_sgf(replace(match, headers=headers)) == (
        """\
(;FF[4]GM[6]CA[UTF-8]AP[Zarbiter]MI[length:7][game:0][ws:0][bs:0]PW[Anna]PB[Boris]\
DT[2026-11-30]EV[Club [A\\]]GC[[ClockType "2 min"\\]]RU[Crawford]RE[W+2R]
;W[31xuxw]
;B[61agab]
;W[double]
;B[take])
"""
    )


@pytest.mark.parametrize("points", [1, 2, 3])
@pytest.mark.parametrize("cube", [1, 2])
@pytest.mark.parametrize("length", [7, MONEY])
def test_resignations_keep_their_points(points: int, cube: int, length: int) -> None:
    match = samples.resigned(points, cube, length)
    back = parse_sgf(write_sgf(match))
    assert told(back) == told(match)
    assert back.score == (points * cube, 0)


def test_a_resignation_is_worth_whole_cubes() -> None:
    # A program that counts no more points than win the match tells 3 of a gammon at 2.
    match = samples.match_of(
        *samples.turns(samples.START, (3, 1), (6, 1)),
        Double(Color.WHITE, 2),
        Take(Color.BLACK),
        Resign(Color.BLACK, 3),
        length=3,
        result=GameResult(Color.WHITE, 3, ends_match=True),
    )
    assert "RE[W+4R]" in write_sgf(match)


def test_wrong_plays_set_ups_notes_and_dice_come_back() -> None:
    wrong = samples.with_wrong_plays()
    game = replace(wrong.games[0], notes={-1: "the\ngame", 2: "a ] and a \\"})
    text = write_sgf(replace(wrong, games=(game,)))
    assert text.count("DI[") == 5
    back = parse_sgf(text)
    assert told(replace(back, games=(replace(back.games[0], notes=game.notes),))) == told(
        replace(wrong, games=(game,))
    )
    assert back.games[0].notes[2] == "a ] and a \\"
    assert back.games[0].notes[0] == "A wrong play of 31, accepted."
    middle = samples.from_the_middle()
    assert told(parse_sgf(write_sgf(middle))) == told(middle)


def test_dice_on_the_table_of_who_resigns_are_kept() -> None:
    match = samples.match_of(
        *samples.turns(samples.START, (3, 1)),
        Resign(Color.BLACK, 1, Roll(5, 2)),
        result=GameResult(Color.WHITE, 1, ends_match=False),
    )
    assert told(parse_sgf(write_sgf(match))) == told(match)


def test_long_and_special_names_are_kept() -> None:
    names = ("Александра Константинопольская", "B\\o]ris: [x]")
    back = parse_sgf(write_sgf(replace(samples.short_match(), players=names)))
    assert back.players == names
    assert "Player 1" not in back.headers


def test_rules_and_automatic_doubles_come_back() -> None:
    match = samples.short_match()
    game = replace(match.games[0], crawford=True, cube=4)
    crawford = parse_sgf(write_sgf(replace(match, games=(game,))))
    assert (crawford.games[0].crawford, crawford.games[0].cube) == (True, 4)
    money = parse_sgf(write_sgf(replace(match, length=MONEY, jacoby=True)))
    assert (money.length, money.jacoby) == (MONEY, True)
    assert "RU[" not in write_sgf(replace(match, crawford=False))


def test_long_nardy_has_no_sgf() -> None:
    with pytest.raises(ExportError, match=r"\.nardy\.mat"):
        write_sgf(samples.long_match((6, 5)))


@given(st.text("ab ]\\[:;(\nЖ"))
def test_any_text_survives_its_escapes(text: str) -> None:
    value = escaped(text)
    assert plain_text(value) == text
    assert (
        parse_sgf(f"(;FF[4]GM[6]MI[length:1]C[{value}])").games[0].notes.get(-1, "")
        == text.strip()
    )


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=30), st.data())
def test_any_game_comes_back_the_same(
    rolls: list[tuple[int, int]], data: st.DataObject
) -> None:
    def any_turn(position: Position, color: Color, roll: Roll) -> Play:
        turn = data.draw(st.sampled_from(legal_turns(position, color, roll, samples.SHORT)))
        return play_between(position, color, roll, turn.result, samples.SHORT)

    match = samples.match_of(*samples.turns(samples.START, *rolls, choose=any_turn))
    assert told(parse_sgf(write_sgf(match))) == told(match)


@given(st.data())
def test_whatever_was_read_can_be_written_and_read_again(data: st.DataObject) -> None:
    for source, parse in ((write_mat, parse_mat), (write_sgf, parse_sgf)):
        text = source(
            data.draw(st.sampled_from([samples.short_match(), samples.resigned(2, 2)]))
        )
        for _ in range(data.draw(st.integers(0, 4))):
            at = data.draw(st.integers(0, len(text)))
            until = data.draw(st.integers(at, min(len(text), at + 8)))
            new = data.draw(st.text("0123456/*():;[]\\? \nbarofWinsDB", max_size=6))
            text = text[:at] + new + text[until:]
        match = parse(text)
        assert json.dumps(match_to_json(match))
        for write, read in ((write_mat, parse_mat), (write_sgf, parse_sgf)):
            with suppress(ExportError):
                back = read(write(match))
                assert [game.error for game in back.games if game.error] == []


@pytest.mark.shared
@pytest.mark.parametrize("path", sorted(MATCHES.glob("*.sgf"))[::4] or [Path()], ids=str)
def test_real_matches_come_back_the_same(path: Path) -> None:
    if not path.name:
        pytest.skip("no measuring data: ../shared/data/matches is absent")
    match = read_sgf(path)
    back = parse_sgf(write_sgf(match))
    assert told(back) == told(match)
    assert (back.length, back.players, back.headers) == (
        match.length,
        match.players,
        match.headers,
    )
