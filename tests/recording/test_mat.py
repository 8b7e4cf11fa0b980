from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recording.doubts import doubts
from recording.mat import parse_mat, read_mat
from recording.transcript import (
    MONEY,
    Double,
    Drop,
    GameResult,
    Hop,
    Match,
    Play,
    Resign,
    Take,
)
from rules import Color, Position, Roll, variant_named

MATCHES = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "matches" / "mat"

GNUBG = """\
; [EventDate "2026.11.29"]

 7 point match

 Game 1
 Anna : 0                        Boris : 0
  1)                             41: 13/9 24/23
  2) 31: 6/5 8/5                 42: 8/4 6/4
  3)  Doubles => 2                Takes
  4) 64: 24/14                   21: 13/11* 24/23
  5) 66:                         55: 13/8 13/8 8/3 8/3
  6)  Doubles => 4                Drops
      Wins 2 points

 Game 2
 Anna : 2                        Boris : 0
  1) 31: 8/5 6/5                 11: 24/23 24/23 8/7 8/7
"""

GALAXY = """\
; [Site "BackgammonGalaxy"]
; [Player 1 "Anna"]
; [Player 2 "Boris"]

16 point match

 Game 1
 Anna : 0                             Boris : 0
  1) 31: 8/5 6/5                 64: 24/18 18/14
  2) 21: 13/11 6/5               42: 25/21 24/22
  3) 65: 24/18 18/13              Losses 1 point

      Wins 1 point and the match
"""

STUDIO = """\
; [Site "Backgammon Studio"]

5 point match


 Game 1
 Anna : 0                                   Boris : 0
  1) 21: 13/11 6/5                      64: 24/14*
  2) 41: bar/21 6/5                     33: 13/10(2) 6/3(2)
  3) 55: 8/3(2) 6/1*(2)                 51: Cannot Move
  4) 61: ????                            Wins 1 point
  5)
"""


def plays(match: Match) -> list[Play]:
    return [one for game in match.games for one in game.actions if isinstance(one, Play)]


def test_gnubg_dialect_is_read_with_cube_and_result() -> None:
    match = parse_mat(GNUBG)
    assert (match.length, match.players, match.errors) == (7, ("Anna", "Boris"), ())
    assert match.headers == {"EventDate": "2026.11.29"}
    first, second = match.games
    assert first.error is None
    assert second.score == (2, 0)
    assert first.actions[3:5] == (Double(Color.WHITE, 2), Take(Color.BLACK))
    assert first.actions[-2:] == (Double(Color.WHITE, 4), Drop(Color.BLACK))
    assert first.result == GameResult(Color.WHITE, 2, ends_match=False)
    assert second.result is None


@pytest.mark.parametrize("text", [GNUBG, GALAXY, STUDIO], ids=["gnubg", "galaxy", "studio"])
def test_the_samples_hold_legal_plays_only(text: str) -> None:
    assert all(play.lawful for play in plays(parse_mat(text)))


def test_left_player_is_white_and_an_empty_left_cell_is_no_action() -> None:
    first = plays(parse_mat(GNUBG))[0]
    assert (first.color, first.roll) == (Color.BLACK, Roll(4, 1))
    assert first.after.count(Color.BLACK, 25 - 9) == 1


def test_a_roll_with_nothing_after_it_is_a_dance() -> None:
    dance = next(play for play in plays(parse_mat(GNUBG)) if not play.hops)
    assert (dance.color, dance.roll, dance.moves) == (Color.WHITE, Roll(6, 6), ())


def test_galaxy_dialect_gives_no_star_and_yet_the_hit_is_made() -> None:
    told = plays(parse_mat(GALAXY))
    assert all(play.lawful for play in told)
    assert not any(hop.hit for play in told for hop in play.hops)
    assert told[2].after.bar(Color.BLACK) == 1


def test_galaxy_writes_its_money_session_as_a_sixteen_point_match() -> None:
    assert parse_mat(GALAXY).length == MONEY
    assert parse_mat(GALAXY.replace("BackgammonGalaxy", "elsewhere")).length == 16


def test_galaxy_losses_are_a_resignation_and_the_line_below_names_the_winner() -> None:
    game = parse_mat(GALAXY).games[0]
    assert game.actions[-1] == Resign(Color.BLACK, 1)
    assert game.result == GameResult(Color.WHITE, 1, ends_match=True)


def test_studio_dialect_is_read_with_bar_stars_counts_and_joined_hops() -> None:
    match = parse_mat(STUDIO)
    told = plays(match)
    assert all(play.lawful for play in told)
    assert told[1].hops == (Hop(24, 14, hit=True),)
    assert len(told[1].moves) == 2
    assert told[2].hops[0] == Hop(25, 21)
    assert told[4].hops == (Hop(8, 3), Hop(8, 3), Hop(6, 1, hit=True), Hop(6, 1, hit=True))
    assert len(told[4].moves) == 4
    assert told[4].after.bar(Color.BLACK) == 1
    assert (told[5].hops, told[5].roll) == ((), Roll(5, 1))


def test_a_joined_hop_hits_nothing_on_its_way_that_has_no_star() -> None:
    after = plays(parse_mat(STUDIO))[1].after
    assert after.bar(Color.WHITE) == 1
    assert after.count(Color.WHITE, 5) == 1


def test_of_two_ways_that_each_hit_a_blot_the_written_one_is_taken() -> None:
    text = """\
1 point match
 Game 1
 A : 0                                  B : 0
  1) 21: 24/22 24/23                    51: 8/7 7/2*
  2) 63: 25/22 8/2                      51: 13/8 6/5
  3) 41: 6/2 22/21                      21: 8/6 8/7
  4) 52: 22/17{star} 17/15
"""
    for star in ("*", ""):
        last = plays(parse_mat(text.format(star=star)))[-1]
        assert last.lawful
        assert (last.after.count(Color.BLACK, 17), last.after.count(Color.BLACK, 20)) == (0, 1)


def test_question_marks_are_a_resignation_after_the_roll() -> None:
    game = parse_mat(STUDIO).games[0]
    assert game.actions[-1] == Resign(Color.WHITE, None, Roll(6, 1))
    assert game.result == GameResult(Color.BLACK, 1, ends_match=False)


def test_a_playable_roll_left_unplayed_at_the_end_is_a_resignation_too() -> None:
    text = STUDIO.replace("61: ????", "61:     ")
    assert parse_mat(text).games[0].actions[-1] == Resign(Color.WHITE, None, Roll(6, 1))


def test_case_and_a_missing_star_do_not_matter() -> None:
    text = STUDIO.replace("bar/21", "Bar/21").replace("*", "").replace("Wins", "WINS")
    assert [play.after for play in plays(parse_mat(text))] == [
        play.after for play in plays(parse_mat(STUDIO))
    ]


def test_half_a_play_with_the_word_pass_is_read() -> None:
    text = """\
1 point match
 Game 1
 A : 0                                  B : 0
  1) 31: 8/5 6/5                        62: 24/18 13/11
  2) 65: 13/7* 6/1*                     54: Bar/21 Pass
"""
    match = parse_mat(text)
    assert match.games[0].error is None
    assert plays(match)[-1].hops == (Hop(25, 21),)
    assert plays(match)[-1].lawful


def test_an_accepted_wrong_play_is_kept_and_marked() -> None:
    text = GNUBG.replace("31: 6/5 8/5 ", "31: 13/9 6/5")
    wrong = plays(parse_mat(text))[1]
    assert not wrong.lawful
    assert wrong.moves == ()
    assert wrong.after.count(Color.WHITE, 9) == 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("31: 6/5 8/5 ", "31: 7/6 8/5 ", "no white checker"),
        ("31: 6/5 8/5 ", "31: 6/5 qu/x", "cannot read"),
        ("31: 6/5 8/5 ", "31: 13/12 6/3", "hold both"),
        ("31: 6/5 8/5 ", "31: 5/6 8/5 ", "no checker moves"),
        ("31: 6/5 8/5 ", "39: 6/5 8/5 ", "cannot read"),
        ("31: 6/5 8/5 ", "31: 6/5  11: ", "third action"),
    ],
)
def test_a_broken_game_is_kept_up_to_the_error_and_the_next_is_read(
    old: str, new: str, words: str
) -> None:
    match = parse_mat(GNUBG.replace(old, new))
    broken, whole = match.games
    assert broken.error is not None
    assert words in broken.error.message
    assert broken.error.line == 8
    assert len(broken.actions) <= 2
    assert whole.error is None
    assert len(whole.actions) == 2


def test_of_ten_games_one_broken_loses_no_other() -> None:
    head, body = GNUBG.split(" Game 1\n")
    first = body.split(" Game 2\n")[0]
    games = [f" Game {number}\n{first}" for number in range(1, 11)]
    games[3] = games[3].replace("21: 13/11* 24/23", "21: 14/11* 24/23")
    match = parse_mat(head + "".join(games))
    assert [game.number for game in match.games if game.error] == [4]
    assert [len(game.actions) for game in match.games] == [11] * 3 + [6] + [11] * 6
    error = match.games[3].error
    assert error is not None
    assert "no black checker on absolute point 11" in error.message


def test_a_file_that_is_no_match_says_so_as_a_value() -> None:
    match = parse_mat("hello\n")
    assert match.games == ()
    assert [error.message for error in match.errors] == [
        "text before the first game",
        "no line says how long the match is",
        "there is no game",
    ]


def test_an_empty_file_raises_nothing() -> None:
    assert parse_mat("").games == ()


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_no_text_makes_the_reader_raise(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([GNUBG, GALAXY, STUDIO]))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        until = data.draw(st.integers(at, min(len(text), at + 12)))
        new = data.draw(st.text("0123456789/*():;? \n[]baroffbAwins=>", max_size=8))
        text = text[:at] + new + text[until:]
    for game in parse_mat(text).games:
        assert game.error is None or game.error.message


def test_long_nardy_is_read_in_own_view_numbers() -> None:
    text = """\
; [Variation "Long nardy"]
1 point match
 Game 1
 A : 0                           B : 0
  1) 65: 24/13                   21: 24/21
"""
    match = parse_mat(text, variant_named("classic"))
    assert plays(match)[-1].lawful
    assert plays(match)[-1].after == Position.of({24: 14, 13: 1}, {12: 14, 9: 1})


ILLEGAL = """\
7 point match

 Game 1
 Anna : 0                        Boris : 0
  1) 31: Illegal play (7;0;0;0;1;Anna (A);Boris;0;0;0;1;0;0;-2;0;0;0;1;5;0;2;0;0;0;-5;5;0;0;0;\
-3;0;-5;0;0;0;0;2;0;0;0;)  61: 13/7 8/7
"""


def test_an_illegal_play_given_as_a_board_is_read() -> None:
    wrong, following = plays(parse_mat(ILLEGAL))
    assert not wrong.lawful
    assert wrong.hops == (Hop(8, 5),)
    assert wrong.after == Position.of(
        {24: 2, 13: 5, 8: 2, 6: 5, 5: 1}, {1: 2, 12: 5, 17: 3, 19: 5}
    )
    assert following.lawful


@pytest.mark.parametrize(
    ("old", "new"), [(";-5;5;", ";-5;6;"), (";-5;5;", ";"), (";-5;5;", ";x;5;")]
)
def test_an_illegal_play_with_a_board_that_cannot_be_is_an_error(old: str, new: str) -> None:
    game = parse_mat(ILLEGAL.replace(old, new)).games[0]
    assert game.error is not None
    assert "no board" in game.error.message


def test_a_beaver_is_taken_by_the_next_roll() -> None:
    text = GNUBG.replace("Takes\n", "Beavers => 4\n")
    first = parse_mat(text).games[0]
    assert first.error is None
    assert first.actions[3:6] == (
        Double(Color.WHITE, 2),
        Double(Color.BLACK, 4),
        Take(Color.WHITE),
    )


@pytest.mark.parametrize("word", ["Takes", "Drops"])
def test_an_answer_without_a_double_is_an_error(word: str) -> None:
    game = parse_mat(GNUBG.replace("31: 6/5 8/5 ", f" {word}      ")).games[0]
    assert game.error is not None
    assert "nobody has doubled" in game.error.message


def test_a_game_won_in_its_middle_was_resigned() -> None:
    text = GNUBG.replace("3)  Doubles => 2                Takes", "3)").split("  4)")[0]
    game = parse_mat(text + "      Wins 2 points\n").games[0]
    assert game.actions[-1] == Resign(Color.BLACK, None)
    assert game.result == GameResult(Color.WHITE, 2, ends_match=False)


def test_the_crawford_game_is_the_first_with_one_side_a_point_away() -> None:
    games = "".join(
        f"\n Game {number}\n Anna : {white}     Boris : {black}\n"
        for number, (white, black) in enumerate([(0, 0), (4, 0), (4, 1), (4, 4)], 1)
    )
    match = parse_mat(f"5 point match\n{games}")
    assert [game.crawford for game in match.games] == [False, True, False, False]
    off = parse_mat(f'; [Crawford "Off"]\n5 point match\n{games}')
    assert not off.crawford
    assert not any(game.crawford for game in off.games)


def test_a_match_of_one_point_has_no_crawford_game() -> None:
    (game,) = parse_mat("1 point match\n Game 1\n Anna : 0   Boris : 0\n").games
    assert not game.crawford


def test_one_game_gives_its_score() -> None:
    match = parse_mat(STUDIO.replace("5 point", "1 point"))
    assert (match.score, match.winner) == ((0, 1), Color.BLACK)


def test_a_match_goes_on_until_somebody_has_the_points() -> None:
    text = GNUBG.replace("7 point", "5 point").replace(
        "Wins 2 points", "Wins 3 points and the match"
    )
    match = parse_mat(text.replace("Anna : 2", "Anna : 3"))
    assert (match.score, match.winner) == ((3, 0), None)
    assert list(doubts(match)) == [(1, "said to end the match at 3-0 of 5 points")]


def test_scores_that_do_not_follow_are_doubted() -> None:
    match = parse_mat(GNUBG.replace("Anna : 2", "Anna : 7"))
    assert list(doubts(match)) == [
        (2, "played at 7-0, when the match was won already"),
        (2, "begins at 7-0 after a game that ended at 2-0"),
    ]
    unfinished = parse_mat(GNUBG.replace("      Wins 2 points\n", ""))
    assert list(doubts(unfinished)) == [(1, "has no result, and yet the score goes on")]


def test_nackgammon_starts_from_its_own_position() -> None:
    text = GNUBG.replace(" 7 point", '; [Variation "NackGammon"]\n 7 point')
    assert parse_mat(text).games[0].start.count(Color.WHITE, 23) == 2


def test_a_named_rule_set_is_played_by() -> None:
    header = '; [Variation "LongNardy"]\n; [Ruleset "classic"]\n'
    text = "1 point match\n Game 1\n A : 0       B : 0\n  1) 65: 24/13    21: 24/21\n"
    assert parse_mat(header + text).rules == "classic"
    assert parse_mat('; [Variation "Long nardy"]\n' + text).rules == "bolshie-nardy"
    unknown = parse_mat(header.replace("classic", "none-such") + text)
    assert unknown.rules == "bolshie-nardy"
    assert "no rule set" in unknown.errors[0].message
    assert all(play.lawful for play in plays(unknown))


def test_a_draw_has_no_winner() -> None:
    text = (
        "1 point match\n Game 1\n A : 0       B : 0\n  1) 65: 24/13    21: 24/21\n      Draw\n"
    )
    (game,) = parse_mat(text, variant_named("federation")).games
    assert game.result == GameResult(None, 0, ends_match=False)
    assert game.score_after == (0, 0)


def test_a_name_in_full_is_taken_from_the_header() -> None:
    full = "Maximiliane Wolkenstein-Rodenegg, Dr."
    text = f'; [Player 1 "{full}"]\n{GNUBG.replace("Anna", "Maximiliane Wolkenstein-Rodeneg")}'
    assert parse_mat(text).players == (full, "Boris")


def test_latin_1_names_survive(tmp_path: Path) -> None:
    path = tmp_path / "old.mat"
    path.write_bytes(GNUBG.replace("Boris", "Zoë").encode("latin-1"))
    assert read_mat(path).players == ("Anna", "Zoë")
    path.write_bytes(GNUBG.replace("Boris", "Зоя").encode("utf-8-sig"))
    assert read_mat(path).players == ("Anna", "Зоя")


@pytest.fixture(scope="module")
def matches() -> dict[str, Match]:
    paths = sorted(MATCHES.glob("*.mat"))
    if not paths:
        pytest.skip("no measuring data: ../shared/data/matches is absent")
    return {path.name: read_mat(path) for path in paths}


@pytest.mark.shared
def test_every_file_is_read_without_an_error(matches: dict[str, Match]) -> None:
    assert len(matches) == 54
    errors = {
        name: (match.errors, [game.error for game in match.games if game.error])
        for name, match in matches.items()
    }
    assert errors == dict.fromkeys(matches, ((), []))


@pytest.mark.shared
def test_every_play_is_legal_and_every_dance_has_no_legal_play(
    matches: dict[str, Match],
) -> None:
    told = [play for match in matches.values() for play in plays(match)]
    assert [play for play in told if not play.lawful] == []
    assert sum(1 for play in told if play.hops) == 9454
    assert sum(1 for play in told if not play.hops) == 1080


@pytest.mark.shared
def test_each_result_leads_to_the_next_game_s_score(matches: dict[str, Match]) -> None:
    for match in matches.values():
        for game, following in zip(match.games, match.games[1:], strict=False):
            assert game.result is not None
            white, black = game.score
            if game.result.winner is Color.WHITE:
                white += game.result.points
            else:
                black += game.result.points
            assert following.score == (white, black)


@pytest.mark.shared
def test_starred_hits_are_the_hits_on_the_board(matches: dict[str, Match]) -> None:
    for name, match in matches.items():
        if name.startswith("galaxy"):
            continue  # writes no stars
        for game in match.games:
            before = game.start
            for play in (one for one in game.actions if isinstance(one, Play)):
                enemy = play.color.other
                stars = len({hop.target for hop in play.hops if hop.hit})
                assert play.after.bar(enemy) - before.bar(enemy) == stars, (name, play)
                before = play.after
