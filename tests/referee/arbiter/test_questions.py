"""What is asked, shown and looked for follows from the state alone."""

import pytest

from referee.arbiter import Actor, Lamp, MatchSetup, lamp_of, question_of, watch_of
from referee.arbiter.elsewhere import other_verdicts
from referee.arbiter.events import (
    DiceLifted,
    DoubleOffered,
    Event,
    Overridden,
    PlayRuled,
    ResignOffered,
    SightLost,
    StartSeen,
    ThrowSeen,
    TimePassed,
    TouchClaimed,
)
from referee.arbiter.questions import (
    Asked,
    ReadPlay,
    WatchFor,
    WatchOpening,
    WatchPlay,
    WatchStart,
    WatchThrow,
)
from referee.arbiter.sentences import codes, refuse, say
from referee.timer_presets import control_named
from rules import VARIANTS, Color, Roll
from rules.outcome import Win
from tests.support.boards import LONG_START, board, moved
from tests.support.match import B, Table, W, good_dice

HOME = board("6:w5 5:w5 4:w5 12:b*")


def table(rules: str = "bolshie-nardy", *events: Event) -> Table:
    made = Table(MatchSetup(rules, "Анна", "Борис", 3, control_named("1m+10s delay")))
    made.do(Overridden(made.tick(), Actor.REFEREE, W, HOME))
    made.press(B)
    for event in events:
        made.do(event)
    return made


def test_what_is_looked_for_follows_the_turn() -> None:
    made = Table(MatchSetup())
    assert watch_of(made.state) == WatchStart(LONG_START)
    made.do(StartSeen(made.tick(), LONG_START))
    assert watch_of(made.state) == WatchOpening(LONG_START, W)
    made = table()
    assert watch_of(made.state) == WatchThrow(W, HOME)
    made.throw(W, 6, 5)
    assert watch_of(made.state) == WatchPlay(W, HOME, Roll(6, 5))
    made.press(W)
    assert watch_of(made.state) == ReadPlay(W, HOME, Roll(6, 5))
    wrong = moved(HOME, W, (4, 0))
    made.leave(wrong)
    # The opponent's throw may accept a wrong play.
    assert watch_of(made.state) == WatchThrow(B, wrong)
    made = table("bolshie-nardy", SightLost(9000, "covered"))
    assert watch_of(made.state) == WatchFor(HOME)


def test_every_question_says_who_may_answer() -> None:
    referees = {Actor.REFEREE, Actor.BOTH}
    asked = {
        Asked.THROW: table("bolshie-nardy", ThrowSeen(9000, W, good_dice(6, None))),
        Asked.CLAIM: table(
            "moscow-open",
            ThrowSeen(9000, W, good_dice(6, 5)),
            TouchClaimed(9100, Actor.BLACK, 6),
        ),
        Asked.DOUBLE: table("sport-rf", DoubleOffered(9000, W)),
        Asked.RESIGNATION: table("bolshie-nardy", ResignOffered(9000, B, Win.OIN)),
        Asked.FLAG: table("bolshie-nardy", TimePassed(9_000_000)),
        Asked.BOARD: table("bolshie-nardy", SightLost(9000, "covered")),
    }
    for what, made in asked.items():
        question = question_of(made.state)
        assert question is not None, what
        assert question.asked is what
        if what is Asked.DOUBLE:
            assert question.of == (Actor.BLACK,)
        else:
            assert referees <= set(question.of)
        assert lamp_of(made.state) is not Lamp.GREEN
    shown = question_of(asked[Asked.THROW].state)
    assert shown is not None
    assert shown.values == (6, None)


def test_a_wrong_play_asks_the_opponent_with_the_nearest_right_ones() -> None:
    made = table("bolshie-nardy", ThrowSeen(9000, W, good_dice(6, 5)))
    made.press(W)
    made.leave(moved(HOME, W, (4, 0)))
    question = question_of(made.state)
    assert question is not None
    assert question.asked is Asked.ACCEPT_OR_DEMAND
    assert Actor.BLACK in question.of
    assert Actor.WHITE not in question.of
    assert question.candidates
    assert lamp_of(made.state) is Lamp.RED


def test_all_is_well_while_nothing_is_asked() -> None:
    made = table()
    assert question_of(made.state) is None
    assert lamp_of(made.state) is Lamp.GREEN
    assert lamp_of(Table(MatchSetup()).state) is Lamp.OFF


@pytest.mark.parametrize("code", sorted(codes()))
def test_every_sentence_can_be_said_in_both_languages(code: str) -> None:
    names = (
        "what_ru what_en white_die black_die plays_ru plays_en white black roll reasons_ru "
        "reasons_en ru en reason point win_ru win_en value turns points win why game by_px "
        "turns_ru turns_en why_ru why_en"
    )
    # Names of players may hold anything, braces too.
    values = dict.fromkeys(names.split(), "{x}")
    for make in (say, refuse):
        sentence = make(code, side=Color.WHITE, **values)
        assert sentence.ru
        assert sentence.en
        assert sentence.ru[0] == sentence.ru[0].upper()


def test_a_play_legal_here_and_illegal_elsewhere_is_told() -> None:
    """Double sixes on the first turn: some sets let two checkers leave the head."""
    made = Table(MatchSetup("club"))
    made.begin(W)
    made.throw(W, 6, 6)
    made.do(DiceLifted(made.tick()))
    made.leave(moved(LONG_START, W, (24, 18), (24, 18)))
    ruling = next(one for one in made.log if isinstance(one, PlayRuled))
    assert ruling.law is None
    others = {one.rules: one for one in other_verdicts(ruling, VARIANTS["club"])}
    assert others["bolshie-nardy"].law == "head"
    assert "short" not in others
    assert "club" not in others


def test_why_a_board_is_lost_is_said_in_words() -> None:
    for reason, ru, en in (
        ("board_changed", "стоит другое", "something else stands on it"),
        ("of_tomorrow", "уследить: поставьте", "be followed: set it"),
    ):
        table = Table(MatchSetup())
        table.begin()
        table.do(SightLost(table.tick(), reason))
        assert table.last is not None
        said = table.last.said[-1]
        assert ru in said.ru
        assert en in said.en
        assert reason not in said.ru + said.en
