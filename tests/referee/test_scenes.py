"""Scenes in which sight is lost or misled: watcher and arbiter together, looks in."""

import pytest

from referee.arbiter import Actor, MatchSetup, MatchState, settle, watch_of
from referee.arbiter.events import (
    Demanded,
    Event,
    MatchClosed,
    MatchOpened,
    OpeningDieSeen,
    Overridden,
    PlayRuled,
    PositionChosen,
    Pressed,
    ResignAnswered,
    ResignOffered,
    SightLost,
    StartSeen,
    ThrowAnswered,
    ThrowRuled,
)
from referee.arbiter.questions import WatchThrow
from referee.arbiter.states import (
    AwaitingThrow,
    Disputed,
    GameOver,
    Lost,
    Opening,
    Playing,
    ThrowAsked,
)
from referee.states import Look
from referee.watch_throws import unread
from referee.watcher import watch
from referee.watching import WatcherSettings, Watching
from rules import Color, Position, Roll, Verdict, legal_turns
from rules.outcome import Win
from rules.start import start_position
from rules.throw import Lies
from tests.support.boards import B, W, board, moved
from tests.support.looks import die, seen
from vision.observation import DieReading

PRESS = MatchSetup(lifted_dice_end=False)
LIFT = MatchSetup(lifted_dice_end=True)
MIDDLE = board("24:w4 18:w3 14:w2 10:w2 4:w4 12:b5 5:b4 20:b3 22:b3")


class Scene:
    """A table under the camera, White to throw."""

    def __init__(self, setup: MatchSetup = PRESS, stands: Position | None = None) -> None:
        self.state, self.watching, self.now_s = MatchState(), Watching(), 1.0
        self.settings = WatcherSettings(setup.variant, Lies.RIGHT)
        self.events: list[Event] = []
        self.board = start_position(setup.variant)
        self.dice: tuple[DieReading, ...] = ()
        self.do(MatchOpened(self.ms(), setup))
        self.do(StartSeen(self.ms(), self.board))
        if isinstance(self.state.phase, Opening):
            for side, value in ((W, 6), (B, 1)):
                self.do(OpeningDieSeen(self.ms(), side, value))
        if stands is not None:
            self.board = stands
            self.do(Overridden(self.ms(), Actor.REFEREE, W, stands))
        self.calm()

    def ms(self) -> int:
        return round(1000 * self.now_s)

    def do(self, event: Event) -> None:
        settled = settle(self.state, event)
        assert settled.refused is None, settled.refused
        self.state = settled.state
        self.events += settled.events

    def look(self, look: Look) -> None:
        watched = watch(self.watching, look, watch_of(self.state), self.settings)
        self.watching = watched.state
        for fact in watched.facts:
            self.do(fact)

    def calm(self, looks: int = 3, every_s: float = 0.3) -> None:
        for _ in range(looks):
            self.now_s += every_s
            self.look(Look(self.now_s, True, seen(self.board, sure=0.9998), self.dice))

    def covered(self, for_s: float = 0.6) -> None:
        """Hide the board: a hand, or something over the lens."""
        for _ in range(max(1, round(for_s / 0.3))):
            self.now_s += 0.3
            self.look(Look(self.now_s, calm=False))

    def throw(self, first: int, second: int) -> Roll:
        self.covered()
        self.dice = ()
        self.calm(2)
        self.covered()
        self.dice = (die(first, 500), die(second, 560))
        self.calm()
        return Roll(first, second)

    def legal(self, side: Color, roll: Roll, choice: int = 0) -> Position:
        return legal_turns(self.board, side, roll, self.settings.variant)[choice].result

    def press(self, side: Color) -> None:
        wanted = watch_of(self.state)
        if isinstance(wanted, WatchThrow) and wanted.side is side:
            left = unread(self.watching, wanted, self.now_s, self.settings)
            self.watching = left.state
            for fact in left.facts:
                self.do(fact)
        self.do(Pressed(self.ms(), side))

    def play(self, side: Color, first: int, second: int) -> None:
        roll = self.throw(first, second)
        self.covered()
        self.board = self.legal(side, roll)
        self.calm()
        self.press(side)
        self.calm()

    def phase(self) -> type:
        return type(self.state.phase)

    def said(self, *kinds: type) -> list[Event]:
        return [one for one in self.events if isinstance(one, kinds)]


def test_a_whole_turn_under_a_covered_lens_is_asked_about_and_the_game_goes_on() -> None:
    # VIS-05: White throws 6-5, plays and presses while the lens is covered.
    scene = Scene()
    scene.covered(20)
    scene.board = scene.legal(W, Roll(6, 5))
    scene.press(W)
    scene.covered(2)
    assert isinstance(scene.state.phase, ThrowAsked)
    scene.do(ThrowAnswered(scene.ms(), Actor.BOTH, Roll(6, 5)))
    scene.calm()
    (ruled,) = scene.said(PlayRuled)
    assert isinstance(ruled, PlayRuled)
    assert (ruled.verdict, ruled.played) == (Verdict.LEGAL, scene.board)
    scene.play(B, 3, 2)
    assert [one.verdict for one in scene.said(PlayRuled) if isinstance(one, PlayRuled)] == [
        Verdict.LEGAL,
        Verdict.LEGAL,
    ]


def test_turns_that_nobody_saw_and_no_button_told_are_noticed_when_the_lens_is_free() -> None:
    # VIS-05 where the dice end turns: two turns pass, then the third throw lies there.
    scene = Scene(LIFT, MIDDLE)
    scene.covered(40)
    scene.board = scene.legal(W, Roll(6, 5))
    scene.board = scene.legal(B, Roll(4, 3))
    scene.dice = (die(2, 500), die(1, 560))
    scene.calm()
    assert [type(one) for one in scene.events if isinstance(one, SightLost | ThrowRuled)] == [
        SightLost
    ]
    assert scene.phase() is Lost
    scene.do(PositionChosen(scene.ms(), Actor.BOTH, scene.board))
    assert scene.phase() is AwaitingThrow


def test_a_turn_played_unseen_is_waited_for_as_long_as_a_press_may_tell_of_it() -> None:
    scene = Scene(PRESS, MIDDLE)
    scene.covered(20)
    scene.board = scene.legal(W, Roll(6, 5))
    scene.calm(8)
    assert scene.said(SightLost) == []
    scene.press(W)
    assert isinstance(scene.state.phase, ThrowAsked)


def test_after_a_long_wait_a_turn_played_unseen_is_told() -> None:
    scene = Scene(LIFT, MIDDLE)
    scene.covered(20)
    scene.board = scene.legal(W, Roll(6, 5))
    scene.calm(50, every_s=1.0)
    assert len(scene.said(SightLost)) == 1


def test_hands_that_clear_the_board_at_the_end_of_a_turn_make_no_throw_and_no_play() -> None:
    # VIS-03: hands and dice being taken up between the turns.
    scene = Scene()
    scene.play(W, 6, 5)
    before = len(scene.events)
    for _ in range(3):
        scene.covered(0.9)
        scene.calm(1)
    scene.dice = ()
    scene.covered()
    scene.calm(3)
    assert scene.events[before:] == []
    assert scene.phase() is AwaitingThrow


def test_a_board_rearranged_between_the_turns_is_noticed_once_and_found_again() -> None:
    scene = Scene()
    scene.play(W, 6, 5)
    stood = scene.board
    scene.covered()
    scene.board = board("24:w12 18:w3 12:b12 8:b3")
    scene.calm(6)
    assert len(scene.said(SightLost)) == 1
    phase = scene.state.phase
    assert isinstance(phase, Lost)
    assert phase.reason == "board_changed"
    scene.covered()
    scene.board = stood
    scene.calm(4)
    assert scene.phase() is AwaitingThrow
    scene.play(B, 3, 2)
    assert len(scene.said(PlayRuled)) == 2


def test_one_checker_pushed_aside_between_the_turns_is_noticed() -> None:
    scene = Scene()
    scene.play(W, 6, 5)
    scene.covered()
    scene.board = moved(scene.board, W, (13, 14))
    scene.calm(4)
    assert len(scene.said(SightLost)) == 1


def test_a_board_that_changed_while_no_frames_came_is_noticed() -> None:
    # VIS-17: the camera is away for a minute; nobody loses anything by it.
    scene = Scene(PRESS, MIDDLE)
    scene.now_s += 60
    scene.calm()
    assert scene.phase() is AwaitingThrow
    scene.now_s += 60
    scene.board = moved(MIDDLE, B, (22, 15), (20, 19))
    scene.calm(4)
    assert len(scene.said(SightLost)) == 1


def test_the_camera_away_for_a_minute_in_the_midst_of_a_turn_costs_nothing() -> None:
    # VIS-17
    scene = Scene()
    roll = scene.throw(6, 5)
    scene.now_s += 60
    scene.calm()
    scene.covered()
    scene.board = scene.legal(W, roll)
    scene.calm()
    scene.press(W)
    scene.calm()
    (ruled,) = scene.said(PlayRuled)
    assert isinstance(ruled, PlayRuled)
    assert ruled.verdict is Verdict.LEGAL
    assert scene.said(SightLost) == []


@pytest.mark.parametrize("setup", [PRESS, LIFT], ids=["press", "dice"])
def test_a_pause_between_the_two_dice_is_no_end_of_the_turn(setup: MatchSetup) -> None:
    # VIS-09: the six, four seconds of thought, then the five.
    scene = Scene(setup)
    scene.throw(6, 5)
    scene.covered()
    scene.board = moved(scene.board, W, (24, 18))
    scene.calm(13)
    assert isinstance(scene.state.phase, Playing)
    assert scene.said(PlayRuled) == []
    scene.covered()
    scene.board = moved(scene.board, W, (18, 13))
    scene.calm()
    if setup is PRESS:
        scene.press(W)
    else:
        scene.covered()
        scene.dice = ()
    scene.calm()
    (ruled,) = scene.said(PlayRuled)
    assert isinstance(ruled, PlayRuled)
    assert (ruled.verdict, ruled.played) == (Verdict.LEGAL, scene.board)


def test_sweeping_the_checkers_up_after_the_game_is_no_play_and_no_fault() -> None:
    # VIS-15
    scene = Scene()
    scene.play(W, 6, 5)
    scene.do(ResignOffered(scene.ms(), B, Win.MARS))
    if not isinstance(scene.state.phase, GameOver):
        scene.do(ResignAnswered(scene.ms(), Actor.WHITE, accepted=True))
    assert isinstance(scene.state.phase, GameOver)
    told = len(scene.events)
    scene.covered()
    for swept in ("24:w5 off:w10 12:b15", "off:w15 12:b3 off:b12"):
        scene.board = board(swept)
        scene.calm(4)
        scene.covered()
    assert scene.events[told:] == []
    scene.do(MatchClosed(scene.ms(), Actor.BOTH))


def test_a_disputed_play_may_be_put_back_before_anybody_says_so() -> None:
    scene = Scene()
    scene.throw(6, 5)
    stood = scene.board
    scene.covered()
    scene.board = moved(scene.board, W, (24, 14))
    scene.calm()
    scene.press(W)
    scene.calm()
    assert scene.phase() is Disputed
    scene.covered()
    scene.board = stood
    scene.calm(6)
    assert scene.said(SightLost) == []
    scene.do(Demanded(scene.ms(), Actor.BLACK))
    assert isinstance(scene.state.phase, Playing)


def test_dice_may_come_to_lie_where_those_lay_that_ended_the_turn_before() -> None:
    scene = Scene(LIFT)
    roll = scene.throw(6, 5)
    scene.covered()
    scene.board = scene.legal(W, roll)
    scene.calm()
    scene.covered()
    scene.dice = ()
    scene.calm()
    assert scene.phase() is AwaitingThrow
    # Black throws at once: no look shows a board without dice.
    scene.covered()
    scene.dice = (die(2, 500), die(1, 700))
    scene.calm()
    assert isinstance(scene.state.phase, Playing)
    assert scene.state.phase.roll == Roll(2, 1)


def taken_back() -> Scene:
    """Take two checkers from the head, end the turn by lifting the dice; demanded back."""
    scene = Scene(LIFT, MIDDLE)
    scene.throw(6, 5)
    scene.covered()
    scene.board = moved(MIDDLE, W, (24, 18), (24, 19))
    scene.calm()
    scene.covered()
    scene.dice = ()
    scene.calm()
    assert scene.phase() is Disputed
    scene.do(Demanded(scene.ms(), Actor.BLACK))
    assert scene.said(PlayRuled) != []
    return scene


def test_a_play_put_right_is_ruled_when_it_is_done_and_not_between_two_moves() -> None:
    scene = taken_back()
    told = len(scene.said(PlayRuled))
    for half_way in (moved(MIDDLE, W, (24, 19)), MIDDLE, moved(MIDDLE, W, (24, 18))):
        scene.covered()
        scene.board = half_way
        scene.calm(6)
        assert len(scene.said(PlayRuled)) == told
    scene.covered()
    scene.board = moved(MIDDLE, W, (24, 18), (14, 9))
    scene.calm(4)
    assert len(scene.said(PlayRuled)) == told
    scene.calm(6)
    ruled = scene.said(PlayRuled)[-1]
    assert isinstance(ruled, PlayRuled)
    assert (ruled.verdict, ruled.played) == (Verdict.LEGAL, scene.board)


def test_a_play_put_right_wrongly_is_ruled_when_it_has_been_left_so() -> None:
    scene = taken_back()
    told = len(scene.said(PlayRuled))
    scene.covered()
    scene.board = moved(MIDDLE, W, (24, 18))
    scene.calm(30)
    assert len(scene.said(PlayRuled)) == told
    scene.calm(8)
    ruled = scene.said(PlayRuled)[-1]
    assert isinstance(ruled, PlayRuled)
    assert (ruled.verdict, ruled.played) == (Verdict.INCOMPLETE, scene.board)


def test_dice_that_lie_there_still_end_a_play_put_right_as_ever() -> None:
    scene = taken_back()
    scene.covered()
    scene.dice = (die(6, 500), die(5, 560))
    scene.calm()
    scene.covered()
    scene.board = moved(MIDDLE, W, (24, 18), (14, 9))
    scene.calm(8)
    scene.covered()
    scene.dice = ()
    scene.calm()
    ruled = scene.said(PlayRuled)[-1]
    assert isinstance(ruled, PlayRuled)
    assert (ruled.verdict, ruled.played) == (Verdict.LEGAL, scene.board)


def test_a_throw_and_a_play_too_fast_to_be_told_apart_are_a_throw() -> None:
    # The dice had just come to rest when the hand was back: both are seen at once.
    scene = Scene()
    scene.covered()
    scene.board = moved(scene.board, W, (24, 18), (18, 13))
    scene.dice = (die(6, 500), die(5, 560))
    scene.calm()
    assert scene.said(SightLost) == []
    assert isinstance(scene.state.phase, Playing)
    scene.press(W)
    scene.calm()
    (ruled,) = scene.said(PlayRuled)
    assert isinstance(ruled, PlayRuled)
    assert ruled.verdict is Verdict.LEGAL
