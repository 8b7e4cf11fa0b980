"""A board lost from sight and played on meanwhile."""

from referee.arbiter import Actor
from referee.arbiter.events import PlayRuled, PositionChosen, SightLost, ThrowRuled
from referee.arbiter.questions import Asked, question_of
from referee.arbiter.states import AwaitingThrow, Judging, Lost, Playing
from rules import Roll, Verdict
from tests.support.boards import LONG_START, moved
from tests.support.match import B, Table, W

FIRST = moved(LONG_START, W, (24, 18), (18, 13))
"""6-5 alone leads there."""
EITHER = moved(LONG_START, W, (24, 16))
"""6-2, 5-3 and more lead there."""
TWO_FROM_HEAD = moved(LONG_START, W, (24, 18), (24, 19))


def lost(*, thrown: tuple[int, int] | None = None) -> Table:
    table = Table()
    table.begin()
    if thrown is not None:
        table.throw(W, *thrown)
    table.do(SightLost(table.tick(), "camera covered"))
    return table


def test_one_way_to_what_stands_there_is_offered_and_nothing_is_ruled() -> None:
    table = lost()
    rulings = len(table.log)
    table.leave(FIRST)
    assert table.at(Lost).seen == FIRST
    assert not any(isinstance(one, PlayRuled | ThrowRuled) for one in table.log[rulings:])
    assert table.said() == ["played_unseen"]
    assert table.last is not None
    assert "6-5: 24→18, 18→13" in table.last.said[0].en
    question = question_of(table.state)
    assert question is not None
    assert question.asked is Asked.BOARD
    assert question.candidates == (LONG_START, FIRST)


def test_who_confirms_it_puts_throw_and_play_on_the_record() -> None:
    table = lost()
    table.leave(FIRST)
    table.do(PositionChosen(table.tick(), Actor.WHITE, FIRST))
    assert table.refused() == "referee_only"
    table.do(PositionChosen(table.tick(), Actor.BOTH, FIRST))
    thrown, ruled = table.log[-2:]
    assert isinstance(thrown, ThrowRuled)
    assert sorted(map(str, thrown.values)) == ["5", "6"]
    assert thrown.by is Actor.BOTH
    assert isinstance(ruled, PlayRuled)
    assert (ruled.verdict, ruled.by, ruled.roll) == (Verdict.LEGAL, Actor.BOTH, Roll(6, 5))
    waiting = table.at(AwaitingThrow)
    assert (waiting.turn, waiting.position) == (B, FIRST)
    assert table.state.clock.to_move in (B, None)
    assert table.recovered() == table.state


def test_turns_of_both_sides_are_taken_over() -> None:
    table = lost()
    first = moved(LONG_START, W, (24, 23), (23, 21))
    seen = moved(first, B, (12, 11), (11, 9))
    table.leave(seen)
    table.do(PositionChosen(table.tick(), Actor.REFEREE, seen))
    ruled = [one for one in table.log if isinstance(one, PlayRuled)]
    assert [(one.side, one.played) for one in ruled] == [(W, first), (B, seen)]
    assert table.at(AwaitingThrow).turn is W
    assert table.recovered() == table.state


def test_a_throw_that_does_not_follow_from_the_play_is_not_invented() -> None:
    table = lost()
    table.leave(EITHER)
    assert table.at(Lost).seen == EITHER
    table.do(PositionChosen(table.tick(), Actor.REFEREE, EITHER))
    assert not any(isinstance(one, PlayRuled | ThrowRuled) for one in table.log)
    waiting = table.at(AwaitingThrow)
    assert (waiting.turn, waiting.position) == (B, EITHER)


def test_what_no_legal_play_explains_is_asked_about_as_before() -> None:
    table = lost()
    table.leave(TWO_FROM_HEAD)
    assert table.at(Lost).seen is None
    question = question_of(table.state)
    assert question is not None
    assert question.candidates == (LONG_START,)


def test_an_offer_is_taken_back_when_the_board_changes_again() -> None:
    table = lost()
    table.leave(FIRST)
    table.leave(TWO_FROM_HEAD)
    assert table.at(Lost).seen is None
    table.leave(LONG_START)
    assert table.at(AwaitingThrow).turn is W


def test_a_turn_in_hand_goes_on_by_itself_where_its_throw_explains_the_board() -> None:
    table = lost(thrown=(6, 5))
    table.leave(FIRST)
    assert table.at(Playing).roll == Roll(6, 5)
    assert not any(isinstance(one, PlayRuled) for one in table.log)
    table.press(W)
    assert table.at(Judging)


def test_a_turn_in_hand_does_not_go_on_where_another_throw_was_played() -> None:
    table = lost(thrown=(4, 3))
    table.leave(FIRST)
    assert table.at(Lost).seen is None


def test_the_turn_in_hand_and_the_one_after_it_are_taken_over_together() -> None:
    table = lost(thrown=(2, 1))
    first = moved(LONG_START, W, (24, 23), (23, 21))
    seen = moved(first, B, (12, 11), (11, 9))
    table.leave(seen)
    assert table.at(Lost).seen == seen
    table.do(PositionChosen(table.tick(), Actor.BOTH, seen))
    assert [one.side for one in table.log if isinstance(one, PlayRuled)] == [W, B]
    assert table.at(AwaitingThrow).position == seen
    assert table.recovered() == table.state
