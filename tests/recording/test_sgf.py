from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recording.sgf import decode_sgf, parse_sgf, read_sgf
from recording.transcript import (
    MONEY,
    Double,
    Drop,
    GameResult,
    Hop,
    Match,
    Play,
    Resign,
    SetUp,
    Take,
)
from rules import Color, Position, Roll
from tests.recording.samples import START

MATCHES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "matches" / "sgf"
ROOT = (
    "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]MI[length:5][game:{game}][ws:{white}]"
    "[bs:{black}]PW[Anna]PB[Boris]DT[2026-11-30]EV[Club\\]s]RO[2]PC[Here]"
    'GC[[ClockType "Live 60/10"\\]\nA \\\nnote]RU[Crawford]RE[{result}]GS[M:0 0][C:0]'
)
FIRST = ROOT.format(game=0, white=0, black=0, result="W+1") + (
    "\n;W[31hefe]A[0][hefe E ver 3 0.5]\n;B[61lrqr]C[a \\] bracket]\n;W[double]\n;B[drop])\n"
)
SECOND = ROOT.format(game=1, white=1, black=0, result="B+2R") + (
    "\n;B[52lqln]\n;W[66xrxrmgmg]LU[+0.1]\n;B[double];W[take];B[64];PL[W]DI[21])\n"
)
BOTH = FIRST + SECOND


def plays(match: Match) -> list[Play]:
    return [one for game in match.games for one in game.actions if isinstance(one, Play)]


def test_a_match_of_gnu_backgammon_is_read_whole() -> None:
    match = parse_sgf(BOTH)
    assert (match.errors, [game.error for game in match.games]) == ((), [None, None])
    assert (match.length, match.players, match.crawford) == (5, ("Anna", "Boris"), True)
    first, second = match.games
    assert (first.number, first.score, second.number, second.score) == (1, (0, 0), 2, (1, 0))
    assert first.actions[2:] == (Double(Color.WHITE, None), Drop(Color.BLACK))
    assert first.result == GameResult(Color.WHITE, 1, ends_match=False)
    assert second.result == GameResult(Color.BLACK, 2, ends_match=False)
    assert match.score == (1, 2)
    assert all(play.lawful for play in plays(match)[:4])


def test_letters_are_points_seen_by_white() -> None:
    white, black, other, double, dance = plays(parse_sgf(BOTH))
    assert (white.hops, white.roll) == ((Hop(8, 5), Hop(6, 5)), Roll(3, 1))
    assert black.hops == (Hop(13, 7), Hop(8, 7))
    assert other.color is Color.BLACK
    assert len(double.hops) == len(double.moves) == 4
    assert (dance.hops, dance.lawful) == ((), False)  # 6-4 could be played


def test_the_bar_and_off_have_letters_of_their_own() -> None:
    board = "AE[a:y]AW[a][a][y]AB[x][x][x][x][x][x][x][x][x][x][x][x][x]"
    text = f"(;GM[6]FF[4]MI[length:1]\n;{board}\n;W[11yx]\n)"
    start = parse_sgf(text.replace("[x][x][x][x]", "[s][s][s][s]", 1)).games[0].start
    assert start == Position.of({1: 2}, {24: 9, 19: 4}, off=(12, 2), bar=(1, 0))
    off = parse_sgf("(;FF[4]GM[6]MI[length:1];AE[a:y]AW[b][a]AB[x];W[21bzaz])").games[0]
    assert off.error is None
    (play,) = off.actions
    assert isinstance(play, Play)
    assert (play.lawful, play.after.off(Color.WHITE)) == (True, 15)


def test_headers_comments_and_escapes_are_read() -> None:
    match = parse_sgf(BOTH)
    assert dict(match.headers) == {
        "Event": "Club]s",
        "Round": "2",
        "Site": "Here",
        "EventDate": "2026.11.30",
        "ClockType": "Live 60/10",
        "Comment": "A note",
    }
    assert dict(match.games[0].notes) == {1: "a ] bracket"}


def test_a_roll_left_on_the_table_belongs_to_the_resignation() -> None:
    second = parse_sgf(BOTH).games[1]
    assert second.actions[-3:-1] == (Take(Color.WHITE), plays(parse_sgf(BOTH))[-1])
    lost = parse_sgf(BOTH.replace("B+2R", "B+2R")).games[1]
    assert lost.actions[-1] == Resign(Color.WHITE, 2, Roll(2, 1))
    other = parse_sgf(BOTH.replace("B+2R", "W+4R")).games[1]
    assert other.actions[-1] == Resign(Color.BLACK, 4, None)


def test_a_roll_and_the_board_it_left_are_a_wrong_play() -> None:
    board = (
        "AE[a:y]AW[e][f][f][f][f][f][h][h][m][m][m][m][m][x][x]"
        "AB[s][s][s][s][s][q][q][q][l][l][l][l][l][a][a]"
    )
    text = FIRST.replace(";W[31hefe]A[0][hefe E ver 3 0.5]", f";PL[W]DI[31];PL[W]{board}C[oh]")
    game = parse_sgf(text).games[0]
    play = game.actions[0]
    assert isinstance(play, Play)
    assert (play.color, play.roll, play.lawful) == (Color.WHITE, Roll(3, 1), False)
    assert play.hops == (Hop(8, 5),)
    assert game.notes[0] == "oh"


def test_a_board_at_the_start_is_the_start_and_later_one_is_put_up() -> None:
    board = "AE[a:y]AW[f][f][f]AB[s][s]"
    position = Position.of({6: 3}, {19: 2}, off=(12, 13))
    begun = parse_sgf(f"(;FF[4]GM[6]MI[length:3]\n;{board}\n;B[61szst])").games[0]
    assert begun.start == position
    text = f"(;FF[4]GM[6]MI[length:3]\n;W[31hefe]\n;{board}CV[4]CP[b]\n;B[61szst])"
    later = parse_sgf(text).games[0]
    assert later.start == START
    assert later.actions[1] == SetUp(position, 4, Color.BLACK)
    only_cube = parse_sgf("(;FF[4]GM[6]MI[length:3]\n;W[31hefe]\n;CV[2]CP[w])").games[0]
    put_up = only_cube.actions[1]
    assert isinstance(put_up, SetUp)
    assert (put_up.cube, put_up.owner) == (2, Color.WHITE)


def test_rules_of_the_root_node_are_read() -> None:
    text = BOTH.replace("RU[Crawford]", "RU[Crawford:CrawfordGame]CV[2]", 1)
    first, second = parse_sgf(text).games
    assert (first.crawford, first.cube, second.crawford, second.cube) == (True, 2, False, 1)
    money = parse_sgf(BOTH.replace("length:5", "length:0").replace("[Crawford]", "[Jacoby]"))
    assert (money.length, money.jacoby, money.crawford) == (MONEY, True, False)
    nack = parse_sgf(BOTH.replace("RU[Crawford]", "RU[Crawford:Nackgammon]"))
    assert nack.games[0].start.count(Color.WHITE, 23) == 2
    hyper = parse_sgf(BOTH.replace("RU[Crawford]", "RU[Hypergammon2]"))
    assert hyper.games[0].error is not None
    assert "15 checkers" in hyper.games[0].error.message


def test_unknown_properties_variations_and_old_names_do_not_disturb() -> None:
    text = FIRST.replace(";W[double]", "XY[1][2]zz[];KO[](;W[double]").replace(
        ";B[drop])", ";B[drop])(;W[64xn]))"
    )
    assert parse_sgf(text).games[0].actions == parse_sgf(FIRST).games[0].actions
    old = FIRST.replace("GM[6]", "GaMe[6]").replace(";W[31", ";White[31")
    assert parse_sgf(old).games[0].actions == parse_sgf(FIRST).games[0].actions


def ten_games() -> list[str]:
    return [
        ROOT.format(game=index, white=index, black=0, result="W+1")
        + "\n;W[31hefe]\n;B[61lrqr]\n;W[double]\n;B[drop])\n"
        for index in range(10)
    ]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (";B[61lrqr]", ";B[61rlqr]", "no checker moves"),
        (";B[61lrqr]", ";B[61hnqr]", "no black checker"),
        (";B[61lrqr]", ";B[71lrqr]", "cannot read"),
        (";B[61lrqr]", ";B[61lrq]", "cannot read"),
        (";B[61lrqr]", ";B[jump]", "cannot read"),
        (";B[61lrqr]", ";DI[9]", "no roll"),
        (";B[61lrqr]", ";AB[aa]", "names no point"),
        (";B[61lrqr]", ";AW[a]", "cannot hold both"),
        (";B[61lrqr]", ";AW[f]", "must have 15"),
        (";W[double]", "", "nobody has doubled"),
        (";B[drop]", ";B[drop];W[31hefe]", "given up"),
        (";B[61lrqr]", ";B[61lrqr", "cannot read"),
        (";B[61lrqr]", ";B;W", "has no value"),
        (";B[61lrqr]", "?", "cannot stand here"),
        (";B[drop])", ";B[drop]", "closing bracket"),
    ],
)
def test_a_broken_game_is_kept_to_the_break_and_loses_no_other(
    old: str, new: str, words: str
) -> None:
    games = ten_games()
    games[3] = games[3].replace(old, new)
    match = parse_sgf("".join(games))
    assert len(match.games) == 10
    assert [game.number for game in match.games if game.error] == [4]
    error = match.games[3].error
    assert error is not None
    assert words in error.message
    assert "".join(games).splitlines()[error.line - 1]
    # Four lines of comment and six of game make each; the root itself is sound.
    assert error.line > len("".join(games[:3]).splitlines())
    assert len(match.games[3].actions) >= 1
    assert match.games[3].result is None
    assert [len(game.actions) for game in match.games].count(4) >= 9


def test_a_value_that_never_ends_breaks_its_own_game_only() -> None:
    games = ten_games()
    games[9] = games[9].replace("[drop])", "[drop)")
    match = parse_sgf("".join(games))
    assert [game.number for game in match.games if game.error] == [10]
    error = match.games[9].error
    assert error is not None
    assert (error.text, error.message) == (";B[drop)", "the value of B does not end")
    assert len(match.games[9].actions) == 3


def test_a_text_of_nothing_but_open_values_is_given_up() -> None:
    assert len(parse_sgf("(;FF[" * 5000).errors) < 300


def test_other_games_and_rubbish_are_named() -> None:
    assert "GM[6]" in parse_sgf("(;FF[4]GM[1];B[aa])\n" + FIRST).errors[0].message
    assert len(parse_sgf("(;FF[4]GM[1];B[aa])\n" + FIRST).games) == 1
    for text in ("", "hello", "(", "(;", "()", "(;)", "[[["):
        match = parse_sgf(text)
        assert match.games == ()
        assert match.errors[-1].message == "there is no game"


@pytest.mark.parametrize("charset", ["UTF-8", "windows-1251", "KOI8-R", "none-such", ""])
def test_encodings_are_taken_as_named(charset: str) -> None:
    text = f"(;FF[4]GM[6]CA[{charset}]PW[Зоя]PB[Боря]MI[length:1])"
    codec = charset if charset not in ("none-such", "") else "utf-8"
    assert parse_sgf(decode_sgf(text.encode(codec))).players == ("Зоя", "Боря")
    latin = "(;FF[4]GM[6]PW[Zoë]PB[B]MI[length:1])".encode("latin-1")
    assert parse_sgf(decode_sgf(latin)).players == ("Zoë", "B")


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_bytes(BOTH.replace("\n", "\r\n").encode("utf-8-sig"))
    match = read_sgf(path)
    assert match.games == parse_sgf(BOTH).games
    assert match.headers == parse_sgf(BOTH).headers


@given(st.data())
def test_no_text_makes_the_reader_raise(data: st.DataObject) -> None:
    text = BOTH
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(text)))
        until = data.draw(st.integers(at, min(len(text), at + 12)))
        new = data.draw(st.text("()[];\\:azyxWBDIPLAECV0123456 \n", max_size=8))
        text = text[:at] + new + text[until:]
    for game in parse_sgf(text).games:
        assert game.error is None or game.error.message


@pytest.fixture(scope="module")
def matches() -> dict[str, Match]:
    paths = sorted(MATCHES.glob("*.sgf"))
    if not paths:
        pytest.skip("no measuring data: ../shared/data/matches is absent")
    return {path.name: read_sgf(path) for path in paths}


@pytest.mark.shared
def test_every_file_is_read_with_lawful_plays_only(matches: dict[str, Match]) -> None:
    assert len(matches) == 13
    for match in matches.values():
        assert (match.errors, [game.error for game in match.games if game.error]) == ((), [])
    told = [play for match in matches.values() for play in plays(match)]
    assert [play for play in told if not play.lawful] == []
    assert sum(1 for play in told if play.hops) == 2282
    assert sum(1 for play in told if not play.hops) == 245


@pytest.mark.shared
def test_each_result_leads_to_the_next_game_s_score(matches: dict[str, Match]) -> None:
    for match in matches.values():
        for game, following in zip(match.games, match.games[1:], strict=False):
            assert game.score_after == following.score
