"""What people say on a page."""

from typing import Any

import pytest

from referee.arbiter import Actor, Forfeit, MatchSetup, MatchState
from referee.arbiter.events import (
    Accepted,
    ClaimAnswered,
    DoubleOffered,
    Event,
    FlagAnswered,
    MatchClosed,
    OpeningDieSeen,
    Overridden,
    PauseAsked,
    PositionChosen,
    Pressed,
    PressWithdrawn,
    ResignOffered,
    ResultCorrected,
    StartSeen,
    ThrowAnswered,
    TimeSet,
    TouchClaimed,
    Undone,
)
from referee.arbiter.states import AwaitingThrow
from rules import Color, Roll
from rules.outcome import Win
from tests.support.boards import LONG_START
from tests.support.match import Table
from web.words import WORDS, WordError, word_from, words_possible

W, B = Color.WHITE, Color.BLACK
POSITION = LONG_START.to_json()


@pytest.mark.parametrize(("data", "event"), [
    ({"word": "accept", "by": "black"}, Accepted(7, Actor.BLACK)),
    ({"word": "throw", "by": "both", "roll": [6, 5], "reason": " видно "},
     ThrowAnswered(7, Actor.BOTH, Roll(6, 5), "видно")),
    ({"word": "throw", "by": "white", "roll": None}, ThrowAnswered(7, Actor.WHITE, None)),
    ({"word": "position", "by": "referee", "position": POSITION},
     PositionChosen(7, Actor.REFEREE, LONG_START)),
    ({"word": "claim", "by": "referee", "upheld": True},
     ClaimAnswered(7, Actor.REFEREE, True)),
    ({"word": "override", "by": "both", "turn": "b", "position": POSITION, "roll": [2, 1]},
     Overridden(7, Actor.BOTH, B, LONG_START, Roll(2, 1))),
    ({"word": "set_time", "by": "referee", "white_ms": 5, "black_ms": 0},
     TimeSet(7, Actor.REFEREE, 5, 0)),
    ({"word": "correct_result", "by": "referee", "game": 2, "winner": "w", "win": "mars",
      "points": 2}, ResultCorrected(7, Actor.REFEREE, 2, W, Win.MARS, 2)),
    ({"word": "correct_result", "by": "referee", "game": 1, "winner": None, "win": None,
      "points": 0}, ResultCorrected(7, Actor.REFEREE, 1, None, None, 0)),
    ({"word": "opening_die", "by": "both", "side": "b", "value": 3},
     OpeningDieSeen(7, B, 3, Actor.BOTH)),
    ({"word": "undo", "by": "both"}, Undone(7, Actor.BOTH, 1)),
    ({"word": "undo", "by": "both", "turns": 3}, Undone(7, Actor.BOTH, 3)),
    ({"word": "start", "by": "both", "position": POSITION},
     StartSeen(7, LONG_START, Actor.BOTH)),
    ({"word": "touch", "by": "black", "point": 24}, TouchClaimed(7, Actor.BLACK, 24)),
    ({"word": "resign", "by": "white", "win": "oin"}, ResignOffered(7, W, Win.OIN)),
    ({"word": "press", "by": "black"}, Pressed(7, B)),
    ({"word": "pause", "by": "white"}, PauseAsked(7, Actor.WHITE)),
    ({"word": "close_match", "by": "both"}, MatchClosed(7, Actor.BOTH)),
    ({"word": "flag", "by": "referee", "forfeit": "game"},
     FlagAnswered(7, Actor.REFEREE, Forfeit.GAME)),
    ({"word": "double", "by": "white"}, DoubleOffered(7, W)),
    ({"word": "withdraw_press", "by": "white"}, PressWithdrawn(7, Actor.WHITE)),
])  # fmt: skip
def test_a_word_becomes_its_event(data: dict[str, Any], event: Event) -> None:
    by, word = word_from(data)
    assert by.value == data["by"]
    assert word(7) == event


@pytest.mark.parametrize(("data", "names"), [
    ({}, "by"),
    ({"by": "white"}, "word"),
    ({"word": "shout", "by": "white"}, "word"),
    ({"word": ["accept"], "by": "white"}, "word"),
    ({"word": "accept", "by": "camera"}, "by"),
    ({"word": "accept", "by": None}, "by"),
    ({"word": "accept", "by": "white", "roll": [6, 5]}, "roll"),
    ({"word": "throw", "by": "white", "roll": [7, 5]}, "roll"),
    ({"word": "throw", "by": "white", "roll": "65"}, "roll"),
    ({"word": "throw", "by": "white", "roll": None, "reason": "x" * 501}, "reason"),
    ({"word": "position", "by": "both", "position": {"points": {"24": "w16"}}}, "position"),
    ({"word": "position", "by": "both"}, "position"),
    ({"word": "claim", "by": "both", "upheld": 1}, "upheld"),
    ({"word": "set_time", "by": "both", "white_ms": -1, "black_ms": 0}, "white_ms"),
    ({"word": "set_time", "by": "both", "white_ms": True, "black_ms": 0}, "white_ms"),
    ({"word": "undo", "by": "both", "turns": 0}, "turns"),
    ({"word": "touch", "by": "both", "point": 26}, "point"),
    ({"word": "resign", "by": "both", "win": "oin"}, "by"),
    ({"word": "resign", "by": "white", "win": "won"}, "win"),
    ({"word": "press", "by": "referee"}, "by"),
    ({"word": "override", "by": "both", "turn": "white", "position": POSITION}, "turn"),
    ({"word": "flag", "by": "both", "forfeit": None}, "forfeit"),
])  # fmt: skip
def test_a_wrong_word_names_its_field(data: dict[str, Any], names: str) -> None:
    with pytest.raises(WordError, match=f"^{names}:"):
        word_from(data)


def test_every_word_says_which_field_it_lacks() -> None:
    plain = {name for name in WORDS if not _raises({"word": name, "by": "white"})}
    assert plain == {
        "accept", "adjust", "beaver", "call_referee", "close_match", "demand", "double", "drop",
        "next_game", "pause", "press", "referee_left", "resume", "take", "throw", "undo",
        "withdraw_press",
    }  # fmt: skip


def _raises(data: dict[str, Any]) -> bool:
    try:
        word_from(data)
    except WordError:
        return True
    return False


def test_before_a_match_nothing_may_be_said() -> None:
    for by in (Actor.WHITE, Actor.BOTH, Actor.REFEREE):
        assert words_possible(MatchState(), by, 0) == ()


def test_what_may_be_said_is_what_the_arbiter_takes() -> None:
    table = Table(MatchSetup(rules="short", length=3))
    table.begin()
    assert "resign" in words_possible(table.state, Actor.WHITE, 9000)
    after = table.legal()
    table.press(W)
    table.leave(after)
    turn = table.at(AwaitingThrow).turn
    mover, other = Actor.of(turn), Actor.of(turn.other)
    assert "double" in words_possible(table.state, mover, 9000)
    assert "double" not in words_possible(table.state, other, 9000)
    assert "accept" not in words_possible(table.state, other, 9000)
    assert "double" not in words_possible(table.state, Actor.BOTH, 9000)
