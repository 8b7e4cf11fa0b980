"""How games and matches end: borne off, resigned, doubled, out of time, corrected."""

import pytest

from referee.arbiter import Actor, FlagLaw, Forfeit, MatchSetup
from referee.arbiter.events import (
    Beavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Event,
    FlagAnswered,
    GameEnded,
    MatchClosed,
    MatchEnded,
    NextGameStarted,
    Overridden,
    PauseAsked,
    RefereeCalled,
    RefereeLeft,
    ResignAnswered,
    ResignOffered,
    Restarted,
    ResultCorrected,
    Resumed,
    StartSeen,
    TimePassed,
    TimeSet,
    Undone,
)
from referee.arbiter.states import (
    AwaitingThrow,
    DoubleAsked,
    FlagAsked,
    GameOver,
    MatchOver,
    Opening,
    Playing,
    ResignAsked,
    SettingUp,
)
from referee.timer_presets import TimeControl
from referee.timer_settings import ClockKind
from referee.timer_state import Phase
from rules import Position, Roll
from rules.outcome import How, Win
from tests.support.boards import LONG_START, board, moved
from tests.support.match import B, Table, W

DELAY = TimeControl(ClockKind.DELAY, 20_000, bonus_ms=2_000)
LAST = board("1:w1 off:w14 13:b1 off:b14")
MARS = board("1:w1 off:w14 13:b*")


def at(
    position: Position, rules: str = "bolshie-nardy", length: int | None = 3,
    flag: FlagLaw = FlagLaw.ASK,
) -> Table:  # fmt: skip
    """A game at a position, White to throw, the clock running."""
    table = Table(MatchSetup(rules, "Анна", "Борис", length, DELAY, flag=flag))
    table.do(Overridden(table.tick(), Actor.REFEREE, W, position))
    table.press(B)
    return table


def won(position: Position, rules: str = "bolshie-nardy", length: int | None = 3) -> Table:
    table = at(position, rules, length)
    table.play(W, 2, 1)
    return table


def test_bearing_off_the_last_checker_ends_the_game_with_oin() -> None:
    table = won(LAST)
    result = table.at(GameOver).result
    assert (result.winner, result.win, result.points) == (W, Win.OIN, 1)
    assert table.state.clock.phase is Phase.READY
    assert table.last is not None
    assert [one.scope for one in table.last.signs] == ["game"]


def test_a_loser_with_nothing_off_loses_mars() -> None:
    assert won(MARS).at(GameOver).result.points == 2


def test_a_single_game_gives_one_to_nil() -> None:
    table = won(LAST, length=1)
    assert table.at(MatchOver).winner is W
    assert (table.state.score.white, table.state.score.black) == (1, 0)
    assert table.last is not None
    assert [one.scope for one in table.last.signs] == ["game", "match"]


def test_in_federation_black_has_the_last_throw_and_may_draw() -> None:
    table = at(LAST, "federation")
    table.play(W, 2, 1)
    assert table.at(AwaitingThrow).last_throw
    table.play(B, 6, 5)
    result = table.at(GameOver).result
    assert (result.winner, result.points, result.how) == (None, 0, How.DRAW)
    assert table.said()[-1] == "game_drawn"


def test_sweeping_the_board_after_the_end_is_no_move() -> None:
    table = won(LAST)
    table.leave(LONG_START)
    table.throw(B, 6, 5)
    table.press(B)
    assert table.at(GameOver)
    assert len(table.state.results) == 1


def test_colours_swap_for_the_next_game_of_classic_and_the_score_goes_with_the_players() -> (
    None
):
    table = won(MARS, "classic")
    table.do(NextGameStarted(table.tick(), Actor.BOTH))
    assert table.at(SettingUp).start.color is W
    assert (table.state.name(W), table.state.score.white, table.state.score.black) == (
        "Борис", 0, 2,
    )  # fmt: skip
    table.do(StartSeen(table.tick(), LONG_START))
    assert table.at(AwaitingThrow).turn is W


def test_a_lot_decides_again_in_bolshie_nardy() -> None:
    table = won(LAST)
    table.do(NextGameStarted(table.tick(), Actor.BOTH))
    table.do(StartSeen(table.tick(), LONG_START))
    assert table.at(Opening)


def test_what_is_missing_in_the_start_position_is_named() -> None:
    table = Table(MatchSetup())
    table.do(StartSeen(table.tick(), board("24:w14 23:w1 12:b*")))
    assert table.last is not None
    (said,) = table.last.said
    assert said.ru.endswith("на 24 белых 14, нужно 15; на 23 белых 1, нужно 0.")
    assert "14 white on 24, must be 15" in said.en


# --- resignation ---


def test_a_resignation_waits_for_the_opponent() -> None:
    table = at(MARS)
    table.do(ResignOffered(table.tick(), B, Win.OIN))
    assert table.at(ResignAsked)
    table.do(ResignAnswered(table.tick(), Actor.BLACK, accepted=True))
    assert table.refused() == "not_yours"
    table.do(ResignAnswered(table.tick(), Actor.WHITE, accepted=False))
    assert table.at(AwaitingThrow)
    table.do(ResignOffered(table.tick(), B, Win.OIN))
    table.do(ResignAnswered(table.tick(), Actor.WHITE, accepted=True))
    result = table.at(GameOver).result
    assert (result.winner, result.points, result.how) == (W, 1, How.RESIGNED)


@pytest.mark.parametrize(("side", "win"), [(B, Win.MARS), (W, Win.OIN)])
def test_resigning_the_most_there_is_to_lose_needs_no_answer(side: object, win: Win) -> None:
    table = at(MARS)
    table.do(ResignOffered(table.tick(), B if side is B else W, win))
    assert table.at(GameOver).result.how is How.RESIGNED


def test_a_win_that_the_set_does_not_know_cannot_be_resigned() -> None:
    table = at(MARS)
    table.do(ResignOffered(table.tick(), B, Win.KOKS))
    assert table.refused() == "no_such_win"


# --- the cube ---


def test_a_double_is_taken_and_the_clock_of_who_thinks_runs() -> None:
    table = at(LAST, "sport-rf")
    table.do(DoubleOffered(table.tick(), W))
    assert table.at(DoubleAsked)
    assert table.state.clock.to_move is B
    table.do(DoubleTaken(table.tick(), B))
    assert table.at(AwaitingThrow).turn is W
    assert (table.state.cube.value, table.state.cube.owner) == (2, B)
    assert table.state.clock.to_move is W
    table.play(W, 2, 1)
    assert table.at(GameOver).result.points == 2


def test_a_refused_double_ends_the_game_at_the_old_value() -> None:
    table = at(LAST, "sport-rf")
    table.do(DoubleOffered(table.tick(), W))
    table.do(DoubleDropped(table.tick(), B))
    result = table.at(GameOver).result
    assert (result.winner, result.points, result.how) == (W, 1, How.CUBE_DROPPED)


def test_a_beaver_goes_back_to_the_doubler() -> None:
    table = at(board("6:w* 19:b*"), "short+beavers=yes", None)
    table.do(DoubleOffered(table.tick(), W))
    table.do(Beavered(table.tick(), B))
    assert table.at(DoubleAsked)
    table.do(DoubleTaken(table.tick(), W))
    assert table.state.cube.value == 4


def test_a_set_without_a_cube_refuses_a_double() -> None:
    table = at(LAST)
    table.do(DoubleOffered(table.tick(), W))
    assert table.refused() == "no_cube"


def test_only_the_owner_of_the_cube_doubles_and_the_doubler_does_not_answer() -> None:
    table = at(board("6:w* 19:b*"), "sport-rf", 7)
    table.do(DoubleOffered(table.tick(), W))
    table.do(DoubleTaken(table.tick(), W))
    assert table.refused() == "not_yours"
    table.do(Beavered(table.tick(), B))
    assert table.refused() == "no_beaver"
    table.do(DoubleTaken(table.tick(), B))
    table.do(DoubleOffered(table.tick(), W))
    assert table.refused() == "cube_not_yours"


def test_there_is_no_doubling_in_the_crawford_game() -> None:
    table = won(LAST, "short", 2)
    table.do(NextGameStarted(table.tick(), Actor.BOTH))
    table.do(Overridden(table.tick(), Actor.REFEREE, W, LAST))
    table.do(DoubleOffered(table.tick(), W))
    assert table.refused() == "crawford"


def test_a_double_after_the_throw_is_too_late() -> None:
    table = at(LAST, "sport-rf")
    table.throw(W, 2, 1)
    table.do(DoubleOffered(table.tick(), W))
    assert table.refused() == "not_now"


# --- time ---


@pytest.mark.parametrize(("law", "after"), [
    (FlagLaw.ASK, FlagAsked),
    (FlagLaw.GAME, GameOver),
    (FlagLaw.MATCH, MatchOver),
    (FlagLaw.NOTHING, AwaitingThrow),
])  # fmt: skip
def test_a_fallen_flag_costs_what_was_agreed(law: FlagLaw, after: type) -> None:
    table = at(LAST, flag=law)
    table.do(TimePassed(table.tick(60_000)))
    table.at(after)
    assert table.state.clock.phase in (Phase.FLAG, Phase.READY)
    assert table.recovered() == table.state


def test_the_referee_says_what_a_flag_costs() -> None:
    table = at(LAST)
    table.do(TimePassed(table.tick(60_000)))
    table.do(FlagAnswered(table.tick(), Actor.BLACK, Forfeit.GAME))
    assert table.refused() == "referee_only"
    table.do(FlagAnswered(table.tick(), Actor.REFEREE, Forfeit.GAME))
    result = table.at(GameOver).result
    assert (result.winner, result.how) == (B, How.TIME)


def test_a_press_after_the_time_was_up_comes_too_late() -> None:
    table = at(LAST)
    table.throw(W, 2, 1)
    table.tick(60_000)
    table.press(W)
    assert "flag" in table.said()
    assert table.at(FlagAsked).side is W


def test_time_that_nobody_looked_at_is_not_recorded() -> None:
    table = at(LAST)
    before = len(table.log)
    table.do(TimePassed(table.tick(5)))
    assert len(table.log) == before


def test_a_pause_is_for_anybody_and_its_end_for_the_mover_or_the_referee() -> None:
    table = at(LAST)
    table.do(PauseAsked(table.tick(), Actor.BLACK))
    left = table.state.clock.white.left_ms
    table.tick(600_000)
    table.do(Resumed(table.tick(), Actor.BLACK))
    assert table.refused() == "not_yours"
    table.do(Resumed(table.tick(), Actor.WHITE))
    assert table.state.clock.white.left_ms == left
    assert table.state.clock.phase is Phase.RUNNING


def test_calling_the_referee_stops_the_clock_until_he_has_gone() -> None:
    table = at(LAST)
    table.do(RefereeCalled(table.tick(), Actor.BLACK))
    table.do(Resumed(table.tick(), Actor.WHITE))
    assert table.refused() == "not_now"
    table.do(RefereeLeft(table.tick(), Actor.REFEREE))
    table.do(Resumed(table.tick(), Actor.WHITE))
    assert table.state.clock.phase is Phase.RUNNING


def test_after_a_restart_the_clock_stands_and_times_count_anew() -> None:
    table = at(LAST)
    table.tick(5_000)
    table.do(TimePassed(table.now_ms))
    left = table.state.clock.white.left_ms
    table.do(Restarted(7))
    table.now_ms = 7
    assert table.state.clock.phase is Phase.PAUSED
    table.do(Resumed(table.tick(), Actor.REFEREE))
    table.throw(W, 2, 1)
    assert table.at(Playing)
    assert table.state.clock.white.left_ms <= left
    assert table.recovered() == table.state


def test_the_referee_sets_the_clock_and_nobody_else_does() -> None:
    table = at(LAST)
    table.do(TimeSet(table.tick(), Actor.WHITE, 90_000, 90_000))
    assert table.refused() == "referee_only"
    table.do(TimeSet(table.tick(), Actor.REFEREE, 90_000, 80_000))
    assert table.state.clock.black.left_ms == 80_000


# --- overruling ---


def test_a_turn_taken_back_gives_the_move_to_its_side_with_the_clock_stopped() -> None:
    table = Table(MatchSetup(clock=DELAY))
    table.begin(W)
    table.press(B)
    table.play(W, 2, 1)
    table.play(B, 2, 1)
    table.do(Undone(table.tick(), Actor.REFEREE, 1, "спор"))
    assert table.at(AwaitingThrow).turn is B
    assert (table.state.clock.to_move, table.state.clock.phase) == (B, Phase.PAUSED)
    table.do(Undone(table.tick(), Actor.REFEREE, 1))
    assert table.at(AwaitingThrow).position == LONG_START
    table.do(Undone(table.tick(), Actor.REFEREE, 1))
    assert table.refused() == "no_such_turn"


def test_undoing_in_the_middle_of_a_turn_begins_it_again() -> None:
    table = Table(MatchSetup(clock=DELAY))
    table.begin(W)
    table.press(B)
    table.play(W, 2, 1)
    table.throw(B, 6, 5)
    table.do(Undone(table.tick(), Actor.BOTH, 1))
    assert table.at(AwaitingThrow).turn is B


def test_an_end_that_was_none_is_undone_with_its_points() -> None:
    table = won(LAST)
    table.do(Undone(table.tick(), Actor.REFEREE, 1))
    assert table.at(AwaitingThrow).turn is W
    assert (table.state.results, table.state.score.white) == ((), 0)


def test_the_referee_sets_position_turn_and_throw() -> None:
    table = at(LAST)
    table.do(Overridden(table.tick(), Actor.WHITE, B, LONG_START))
    assert table.refused() == "referee_only"
    table.do(Overridden(table.tick(), Actor.REFEREE, B, LONG_START, Roll(3, 1), "спор"))
    assert (table.at(Playing).turn, table.at(Playing).roll) == (B, Roll(3, 1))


@pytest.mark.parametrize("position", [
    board("bar:w1 24:w* 12:b*"), board("off:w15 12:b*"),
])  # fmt: skip
def test_a_position_that_cannot_be_played_is_not_set(position: Position) -> None:
    table = at(LAST)
    table.do(Overridden(table.tick(), Actor.REFEREE, W, position))
    assert table.refused() == "bad_position"


def test_a_wrong_result_is_put_right_by_the_referee_and_the_match_goes_on() -> None:
    table = won(MARS, length=2)
    assert table.at(MatchOver).winner is W
    wrong = ResultCorrected(table.tick(), Actor.WHITE, 1, W, Win.OIN, 1)
    table.do(wrong)
    assert table.refused() == "referee_only"
    table.do(ResultCorrected(table.tick(), Actor.REFEREE, 1, W, Win.OIN, 1, "была снята одна"))
    assert table.at(GameOver).result.points == 1
    assert table.state.score.white == 1
    table.do(ResultCorrected(table.tick(), Actor.REFEREE, 1, W, Win.MARS, 2))
    assert table.at(MatchOver).winner is W


def test_a_technical_draw_does_not_win_a_match() -> None:
    table = won(LAST, length=5)
    table.do(ResultCorrected(table.tick(), Actor.REFEREE, 1, None, None, 0, "ничья"))
    assert table.at(GameOver).result.winner is None
    table.do(NextGameStarted(table.tick(), Actor.BOTH))
    assert table.at(SettingUp)


@pytest.mark.parametrize("event", [
    ResultCorrected(9, Actor.REFEREE, 2, W, Win.OIN, 1),
    ResultCorrected(9, Actor.REFEREE, 1, W, None, 1),
    ResultCorrected(9, Actor.REFEREE, 1, None, None, -1),
])  # fmt: skip
def test_a_result_that_makes_no_sense_is_refused(event: Event) -> None:
    table = won(LAST, length=5)
    table.do(event)
    assert table.refused() in ("no_such_game", "bad_result")


def test_a_session_is_closed_by_anybody_between_games_and_signed() -> None:
    table = won(LAST, length=None)
    table.do(MatchClosed(table.tick(), Actor.WHITE))
    assert table.at(MatchOver)
    assert isinstance(table.log[-1], MatchEnded)
    assert table.last is not None
    assert [one.scope for one in table.last.signs] == ["match"]


def test_a_game_under_way_is_broken_off_by_the_table_alone() -> None:
    table = at(LAST)
    table.do(MatchClosed(table.tick(), Actor.WHITE))
    assert table.refused() == "referee_only"


def test_a_long_match_adds_up_game_by_game() -> None:
    table = won(MARS, "federation", 5)
    for _ in range(2):
        table.do(NextGameStarted(table.tick(), Actor.BOTH))
        table.do(StartSeen(table.tick(), LONG_START))
        table.do(Overridden(table.tick(), Actor.REFEREE, W, MARS))
        table.do(Resumed(table.tick(), Actor.REFEREE))
        table.play(W, 2, 1)
        table.play(B, 2, 1)
    ended = [one for one in table.log if isinstance(one, GameEnded)]
    assert len(ended) == len(table.state.results)
    assert table.recovered() == table.state


def test_moving_after_an_override_is_judged_from_the_position_set() -> None:
    table = at(MARS)
    table.throw(W, 6, 5)
    table.press(W)
    table.leave(moved(MARS, W, (1, 0)))
    assert table.at(GameOver)
