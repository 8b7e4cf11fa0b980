from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recording.mat import parse_mat, read_mat
from recording.mat_write import ExportError, write_mat
from recording.transcript import (
    MONEY,
    Double,
    Drop,
    GameResult,
    Match,
    Play,
    Resign,
    SetUp,
    Take,
    play_between,
)
from rules import Color, Position, Roll, legal_turns
from tests.recording import samples

MATCHES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "matches" / "mat"


def told(match: Match) -> object:
    """All that a file can hold, the same however its hops were written."""
    return [
        (
            game.number,
            game.score,
            game.start,
            game.crawford,
            game.result and (game.result.winner, game.result.points),
            [
                (one.color, one.roll, one.lawful, one.after) if isinstance(one, Play) else one
                for one in game.actions
                if not isinstance(one, Resign)
            ],
        )
        for game in match.games
    ]


def test_a_match_is_written_in_the_layout_of_gnu_backgammon() -> None:
    match = samples.resigned(1, 2)
    assert write_mat(replace(match, headers={"Event": "Club", "Round": "3"})) == (
        """\
; [Event "Club"]
; [Round "3"]
; [Player 1 "Anna"]
; [Player 2 "Boris"]
; [Variation "Backgammon"]
; [Crawford "On"]

 7 point match

 Game 1
 Anna : 0                       Boris : 0
  1) 31: 24/21 24/23             61: 24/18 24/23
  2)  Doubles => 2                Takes
      Wins 2 points
"""
    )


def test_hits_are_starred_the_bar_is_25_and_off_is_0() -> None:
    start = Position.of({24: 1, 6: 4}, {5: 1, 1: 1, 19: 5}, off=(10, 8))
    hit = play_between(
        start,
        Color.WHITE,
        Roll(5, 1),
        Position.of({24: 1, 6: 2, 5: 1, 1: 1}, {19: 5}, off=(10, 8), bar=(0, 2)),
        samples.SHORT,
    )
    assert hit.lawful
    # The format begins at the start position; only the wording of the cells is looked at.
    shown = write_mat(
        samples.match_of(
            put_up_by(start), hit, *samples.turns(hit.after, (6, 6), (6, 5), begins=Color.BLACK)
        )
    )
    assert "51: 6/1* 6/5*" in shown
    assert "66: Cannot Move" in shown


def put_up_by(position: Position) -> Play:
    return play_between(samples.START, Color.BLACK, Roll(2, 1), position, samples.SHORT)


def test_a_double_that_is_dropped_ends_the_game_in_the_row_of_its_refusal() -> None:
    # On a line of their own GNU Backgammon 1.07 reads the words as one more double.
    black_wins = samples.match_of(
        *samples.turns(samples.START, (3, 1)),
        Double(Color.BLACK, None),
        Drop(Color.WHITE),
        result=GameResult(Color.BLACK, 1, ends_match=False),
    )
    assert "  2)  Drops                       Wins 1 point\n" in write_mat(black_wins)


def test_the_match_is_said_to_be_over_by_points_not_by_words() -> None:
    over = samples.resigned(1, 1, length=1)
    assert "Wins 1 point and the match\n" in write_mat(over)
    game = replace(over.games[0], result=GameResult(Color.WHITE, 1, ends_match=True))
    assert "Wins 1 point\n" in write_mat(replace(over, length=5, games=(game,)))


@pytest.mark.parametrize("points", [1, 2, 3])
@pytest.mark.parametrize("cube", [1, 2])
@pytest.mark.parametrize("length", [7, MONEY])
def test_resignations_keep_their_points(points: int, cube: int, length: int) -> None:
    match = samples.resigned(points, cube, length)
    back = parse_mat(write_mat(match))
    assert back.games[0].result is not None
    assert back.games[0].result.points == points * cube
    assert back.score == match.score == (points * cube, 0)
    assert back.games[0].actions[-1] == Resign(Color.BLACK, None)


def test_a_resignation_after_the_roll_keeps_the_dice() -> None:
    match = samples.match_of(
        *samples.turns(samples.START, (3, 1)),
        Resign(Color.BLACK, 1, Roll(5, 2)),
        result=GameResult(Color.WHITE, 1, ends_match=False),
    )
    text = write_mat(match)
    assert "52: ????" in text
    assert parse_mat(text).games[0].actions[-1] == Resign(Color.BLACK, None, Roll(5, 2))


def test_dice_with_one_play_only_are_left_out_of_a_resignation() -> None:
    # GNU Backgammon would take the only play for played.
    start = Position.of({1: 1}, {24: 1, 13: 2}, off=(14, 12))
    assert len(legal_turns(start, Color.WHITE, Roll(2, 1), samples.SHORT)) == 1
    match = samples.match_of(
        put_up_by(start),
        Resign(Color.WHITE, 1, Roll(2, 1)),
        result=GameResult(Color.BLACK, 1, ends_match=False),
    )
    assert "????" not in write_mat(match)
    assert "21: Illegal play" in write_mat(match)


def test_accepted_wrong_plays_come_back_as_they_were_left() -> None:
    match = samples.with_wrong_plays()
    text = write_mat(match)
    assert text.count("Illegal play (7;0;0;0;") == 5
    assert "; Game 1, action 2: Black's wrong play of 61 accepted as it stood" in text
    assert told(parse_mat(text)) == told(match)


def test_a_board_put_up_after_a_play_is_what_the_play_left() -> None:
    first, second = samples.turns(samples.START, (3, 1), (6, 1))
    right = samples.shifted(first.after, Color.WHITE, 13, 12 + 2)
    with pytest.raises(ExportError, match="put up by hand"):
        write_mat(samples.match_of(SetUp(right, 1, None), first))
    put_up = write_mat(samples.match_of(first, SetUp(right, 1, None), second))
    (play, *_) = parse_mat(put_up).games[0].actions
    assert isinstance(play, Play)
    assert play.after == right
    with pytest.raises(ExportError, match="put up by hand"):
        write_mat(samples.match_of(first, SetUp(right, 4, Color.WHITE)))


def test_a_game_from_the_middle_is_refused() -> None:
    with pytest.raises(ExportError, match="start position"):
        write_mat(samples.from_the_middle())


def test_the_take_of_a_beaver_is_left_out() -> None:
    match = parse_mat(samples.BEAVERED)
    text = write_mat(match)
    assert "Beavers => 4" in text
    assert "Takes" not in text
    assert told(parse_mat(text)) == told(match)


def test_a_raccoon_is_named_and_taken() -> None:
    match = samples.match_of(
        *samples.turns(samples.START, (3, 1), (6, 1)),
        Double(Color.WHITE, None),
        Double(Color.BLACK, None),
        Double(Color.WHITE, None),
        Take(Color.BLACK),
        length=MONEY,
    )
    text = write_mat(match)
    assert "Raccoons => 8" in text
    assert "Takes" in text


def test_names_are_cut_where_gnu_backgammon_cuts_and_kept_in_the_header() -> None:
    names = ("Александра Константинопольская", 'Jr.: "the 2nd", [7]')
    text = write_mat(replace(samples.resigned(1, 1), players=names))
    line = next(line for line in text.splitlines() if " : 0" in line)
    assert line == " Александра Конст : 0           Jr. 'the 2nd' 7 : 0"
    assert parse_mat(text).players == (names[0], "Jr.: 'the 2nd', [7]")
    nameless = write_mat(replace(samples.resigned(1, 1), players=("", "::")))
    assert " White : 0                      Black : 0\n" in nameless


def test_a_header_cannot_break_out_of_its_line() -> None:
    headers = {"Event": 'x"]\n 5 point match\n'}
    match = replace(samples.short_match(), headers=headers)
    back = parse_mat(write_mat(match))
    assert back.length == 7
    assert back.headers["Event"] == "x'] 5 point match"


def test_nackgammon_keeps_its_start() -> None:
    text = """\
; [Variation "NackGammon"]
1 point match
 Game 1
 A : 0     B : 0
  1) 31: 24/21 6/5
"""
    match = parse_mat(text)
    assert told(parse_mat(write_mat(match))) == told(match)


# --- long nardy -------------------------------------------------------------------------------


def test_long_nardy_is_in_own_numbers_and_names_its_rules() -> None:
    text = write_mat(samples.long_match((6, 5), (2, 1), (4, 3)))
    assert '; [Variation "LongNardy"]\n; [Ruleset "classic"]\n; ' in text
    assert "  1) 65: 24/18 18/13             21: 24/22 22/21\n" in text
    assert told(parse_mat(text)) == told(samples.long_match((6, 5), (2, 1), (4, 3)))


def test_long_nardy_keeps_wrong_plays_by_hops_or_by_the_board() -> None:
    match = samples.long_match((6, 5))
    before = match.games[0].actions[0]
    assert isinstance(before, Play)
    two_heads = Position.of({24: 14, 13: 1}, {12: 13, 10: 1, 11: 1})
    backwards = Position.of({24: 14, 15: 1}, {12: 13, 10: 1, 11: 1})
    one = play_between(before.after, Color.BLACK, Roll(2, 1), two_heads, samples.CLASSIC)
    two = play_between(two_heads, Color.WHITE, Roll(2, 1), backwards, samples.CLASSIC)
    game = replace(match.games[0], actions=(before, one, two))
    text = write_mat(replace(match, games=(game,)))
    assert "21: 24/23 24/22\n" in text
    assert "21: Illegal play (24:w14 15:w1 12:b13 11:b1 10:b1)" in text
    assert told(parse_mat(text)) == told(replace(match, games=(game,)))


def test_a_draw_of_long_nardy_is_kept() -> None:
    match = replace(samples.long_match((6, 5)), rules="federation")
    game = replace(match.games[0], result=GameResult(None, 0, ends_match=False))
    text = write_mat(replace(match, games=(game,)))
    assert told(parse_mat(text)) == told(replace(match, games=(game,)))


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=24))
def test_any_long_game_comes_back_the_same(rolls: list[tuple[int, int]]) -> None:
    match = samples.long_match(*rolls)
    back = parse_mat(write_mat(match))
    assert told(back) == told(match)
    assert (back.rules, back.length, back.players) == ("classic", 3, ("Анна", "Борис"))


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=30), st.data())
def test_any_short_game_comes_back_the_same(
    rolls: list[tuple[int, int]], data: st.DataObject
) -> None:
    def any_turn(position: Position, color: Color, roll: Roll) -> Play:
        turn = data.draw(st.sampled_from(legal_turns(position, color, roll, samples.SHORT)))
        return play_between(position, color, roll, turn.result, samples.SHORT)

    match = samples.match_of(*samples.turns(samples.START, *rolls, choose=any_turn))
    assert told(parse_mat(write_mat(match))) == told(match)


@pytest.mark.shared
@pytest.mark.parametrize("path", sorted(MATCHES.glob("*.mat"))[::9] or [Path()], ids=str)
def test_real_matches_come_back_the_same(path: Path) -> None:
    if not path.name:
        pytest.skip("no measuring data: ../shared/data/matches is absent")
    match = read_mat(path)
    back = parse_mat(write_mat(match))
    assert back.errors == ()
    assert told(back) == told(match)
    assert (back.length, back.players) == (match.length, match.players)
