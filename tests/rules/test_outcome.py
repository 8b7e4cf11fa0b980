import pytest

from rules import VARIANTS, ActionError, Color
from rules.outcome import (
    GameResult,
    GameState,
    How,
    MatchScore,
    Start,
    Win,
    first_start,
    kind_of_win,
    next_start,
    opening_throw,
    result_of,
    state_after,
    win_points,
)
from tests.support.boards import LONG_SETS, LONG_START, B, W, board, rules

ONE_OFF = board("off:w15 18:b14 off:b1")
NONE_OFF = board("off:w15 18:b15")
NOT_HOME = board("off:w15 18:b14 7:b1")
ON_HEAD = board("off:w15 18:b14 12:b1")


@pytest.mark.parametrize("name", LONG_SETS)
def test_oin_is_one_point_and_mars_two_in_every_long_set(name: str) -> None:
    variant = rules(name)
    for position, win, points in (
        (ONE_OFF, Win.OIN, 1),
        (NONE_OFF, Win.MARS, 2),
        (NOT_HOME, Win.MARS, 2),
        (ON_HEAD, Win.MARS, 2),
    ):
        assert result_of(position, variant) == GameResult(W, win, points, How.PLAYED)


def test_black_wins_in_the_same_way() -> None:
    position = board("off:b15 6:w14 24:w1")
    assert result_of(position, rules("classic")) == GameResult(B, Win.MARS, 2, How.PLAYED)
    koks = rules("classic+koks=3")
    assert result_of(position, koks) == GameResult(B, Win.KOKS, 3, How.PLAYED)


def test_koks_by_option_needs_a_checker_left_on_the_head() -> None:
    variant = rules("bolshie-nardy+koks=3")
    assert kind_of_win(ON_HEAD, W, variant) is Win.KOKS
    assert kind_of_win(NOT_HOME, W, variant) is Win.MARS
    assert kind_of_win(NONE_OFF, W, variant) is Win.MARS
    assert result_of(ON_HEAD, variant).points == 3


@pytest.mark.parametrize("worth", [3, 4])
def test_home_mars_by_option_needs_a_checker_outside_home(worth: int) -> None:
    variant = rules(f"bolshie-nardy+home_mars={worth}")
    assert kind_of_win(NOT_HOME, W, variant) is Win.HOME_MARS
    assert kind_of_win(NONE_OFF, W, variant) is Win.MARS
    assert kind_of_win(ONE_OFF, W, variant) is Win.OIN
    assert result_of(NOT_HOME, variant).points == worth


@pytest.mark.parametrize(("koks", "home_mars"), [(3, 4), (4, 3), (3, 3)])
def test_a_worse_defeat_is_never_the_cheaper_one(koks: int, home_mars: int) -> None:
    variant = rules(f"bolshie-nardy+koks={koks}+home_mars={home_mars}")
    worth = [result_of(p, variant).points for p in (ONE_OFF, NONE_OFF, NOT_HOME, ON_HEAD)]
    assert worth == sorted(worth)


@pytest.mark.parametrize(
    ("loser", "win", "points"),
    [
        ("19:b14 off:b1", Win.OIN, 1),
        ("6:b14 off:b1", Win.OIN, 1),  # one off is oin wherever the rest is
        ("19:b15", Win.MARS, 2),
        ("19:b14 7:b1", Win.MARS, 2),
        ("19:b14 6:b1", Win.KOKS, 3),
        ("19:b14 1:b1", Win.KOKS, 3),
        ("19:b14 bar:b1", Win.KOKS, 3),
    ],
)
def test_short_nardy_counts_gammons_and_backgammons(loser: str, win: Win, points: int) -> None:
    result = result_of(board(f"off:w15 {loser}"), rules("short"))
    assert result == GameResult(W, win, points, How.PLAYED)


def test_backgammon_can_be_turned_off() -> None:
    result = result_of(board("off:w15 19:b14 bar:b1"), rules("short+koks=none"))
    assert (result.win, result.points) == (Win.MARS, 2)


def test_the_cube_multiplies() -> None:
    variant = rules("short")
    assert result_of(board("off:w15 19:b15"), variant, cube=4, cube_turned=True).points == 8


def test_jacoby_counts_gammons_only_after_a_double_and_only_for_money() -> None:
    variant, gammon = rules("short"), board("off:w15 19:b15")
    unturned = result_of(gammon, variant, money=True)
    assert (unturned.win, unturned.points) == (Win.OIN, 1)
    turned = result_of(gammon, variant, cube=2, cube_turned=True, money=True)
    assert (turned.win, turned.points) == (Win.MARS, 4)
    assert result_of(gammon, variant).points == 2
    assert result_of(gammon, rules("short+jacoby=no"), money=True).points == 2


def test_a_game_nobody_has_finished_has_no_result() -> None:
    with pytest.raises(ActionError, match="not over"):
        result_of(LONG_START, rules("classic"))


def test_a_win_that_the_set_does_not_know_has_no_worth() -> None:
    with pytest.raises(ActionError):
        win_points(Win.KOKS, rules("classic"))


# --- the end -------------------------------------------------------------------------------

BOTH_OFF = board("off:w15 off:b15")


def test_the_game_goes_on_while_both_have_checkers() -> None:
    for variant in VARIANTS.values():
        assert state_after(LONG_START, variant, began=W, moved=W) is GameState.GOES_ON


@pytest.mark.parametrize("name", VARIANTS)
def test_only_the_federation_gives_the_second_side_a_last_throw(name: str) -> None:
    state = state_after(ONE_OFF, rules(name), began=W, moved=W)
    assert state is (GameState.LAST_THROW if name == "federation" else GameState.OVER)


def test_the_game_is_over_after_the_last_throw_whatever_it_brought() -> None:
    variant = rules("federation")
    for position in (ONE_OFF, NONE_OFF, BOTH_OFF):
        assert state_after(position, variant, began=W, moved=B) is GameState.OVER


def test_the_second_side_gives_no_last_throw_by_finishing_first() -> None:
    black_done = board("6:w14 off:w1 off:b15")
    assert state_after(black_done, rules("federation"), began=W, moved=B) is GameState.OVER


def test_a_last_throw_is_given_even_where_no_draw_is_left_for_it_may_save_from_mars() -> None:
    state = state_after(NONE_OFF, rules("federation"), began=W, moved=W)
    assert state is GameState.LAST_THROW


def test_both_off_is_a_draw_without_points() -> None:
    assert result_of(BOTH_OFF, rules("federation")) == GameResult(None, None, 0, How.DRAW)


# --- who begins ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", VARIANTS)
def test_white_always_begins_the_first_game_in_the_federation_only(name: str) -> None:
    assert first_start(rules(name)) == Start(W if name == "federation" else None)


@pytest.mark.parametrize(
    ("name", "after_black_won"),
    [
        ("bolshie-nardy", Start(None)),
        ("moscow-open", Start(B)),
        ("classic", Start(W, colors_swap=True)),
        ("federation", Start(W, colors_swap=True)),
        ("sport-rf", Start(W, colors_swap=True)),
        ("club", Start(None)),
        ("beginner", Start(None)),
        ("kush", Start(B)),
        ("short", Start(None)),
    ],
)
def test_who_begins_the_next_game(name: str, after_black_won: Start) -> None:
    assert next_start(rules(name), GameResult(B, Win.OIN, 1, How.PLAYED)) == after_black_won


def test_the_lot_decides_after_a_draw_where_the_winner_would_begin() -> None:
    draw = GameResult(None, None, 0, How.DRAW)
    assert next_start(rules("moscow-open"), draw) == Start(None)


@pytest.mark.parametrize("name", VARIANTS)
def test_one_die_each(name: str) -> None:
    variant = rules(name)
    assert opening_throw(4, 4, variant).winner is None
    assert opening_throw(6, 1, variant).winner is W
    assert opening_throw(2, 3, variant).winner is B
    plays = name in ("short", "sport-rf")
    assert opening_throw(6, 1, variant).plays_these is plays


def test_who_wins_the_opening_takes_white_in_classic_only() -> None:
    takers = [name for name, one in VARIANTS.items() if one.opening_takes_white]
    assert takers == ["classic"]


# --- the match -----------------------------------------------------------------------------


def won(color: Color | None, points: int) -> GameResult:
    if color is None:
        return GameResult(None, None, 0, How.DRAW)
    return GameResult(color, Win.OIN, points, How.PLAYED)


def test_a_match_of_one_game_ends_one_to_nil() -> None:
    score = MatchScore(1).after(won(W, 1), rules("classic"))
    assert (score.white, score.black, score.winner) == (1, 0, W)


def test_a_match_goes_on_until_somebody_has_the_points() -> None:
    variant = rules("classic")
    score = MatchScore(5).after(won(W, 2), variant).after(won(W, 1), variant)
    assert (score.white, score.winner) == (3, None)
    score = score.after(won(None, 0), variant)
    assert (score.white, score.black, score.winner) == (3, 0, None)
    assert score.after(won(W, 4), variant).winner is W


def test_a_match_that_is_won_takes_no_more_games() -> None:
    with pytest.raises(ActionError, match="over"):
        MatchScore(1, white=1).after(won(B, 1), rules("classic"))


def test_a_money_session_has_no_winner() -> None:
    assert MatchScore(None, white=100).winner is None


def test_the_score_follows_the_players_when_colours_swap() -> None:
    assert MatchScore(5, 3, 1).swapped() == MatchScore(5, 1, 3)


def test_the_crawford_game_is_the_first_one_in_which_somebody_lacks_one_point() -> None:
    variant, score = rules("short"), MatchScore(5)
    assert not score.is_crawford(variant)
    score = score.after(won(W, 4), variant)
    assert score.is_crawford(variant)
    score = score.swapped()
    assert score.is_crawford(variant)
    score = score.after(won(W, 2), variant)  # the trailing player, now White, wins it
    assert not score.is_crawford(variant)
    score = score.after(won(W, 2), variant)
    assert (score.white, score.black) == (4, 4)
    assert not score.is_crawford(variant)


def test_there_is_no_crawford_game_for_money_or_where_the_set_has_none() -> None:
    assert not MatchScore(None, white=4).is_crawford(rules("short"))
    assert not MatchScore(5, white=4).is_crawford(rules("short+crawford=no"))
    assert not MatchScore(5, white=4).is_crawford(rules("sport-rf"))
