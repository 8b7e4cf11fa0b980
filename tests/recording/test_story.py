"""What a record retells: transcripts, figures and the sheet agree with the match itself."""

from datetime import date
from itertools import pairwise

import pytest

from recording.retold import facts_of, protocol_of, transcript_of
from recording.statistics import match_statistics
from recording.story import MatchStory, story_of
from recording.transcript import Play, Resign, SetUp
from referee.arbiter import Actor, MatchSetup, Role
from referee.arbiter.events import (
    Demanded,
    Overridden,
    ResignAnswered,
    ResignOffered,
    ResultCorrected,
    ThrowAnswered,
    ThrowRuled,
    Undone,
)
from referee.arbiter.states import MatchOver
from referee.timer_presets import TimeControl
from referee.timer_settings import ClockKind
from rules import VARIANTS, Color, Roll
from rules.outcome import How, Win
from rules.throw import ThrowVerdict
from tests.support.boards import board
from tests.support.match import B, Table, W
from tests.support.matches import play_match

CLOCK = TimeControl(ClockKind.DELAY, 3_600_000, bonus_ms=2_000)


def played(rules: str, seed: int, wrong: float, length: int) -> tuple[Table, MatchStory]:
    setup = MatchSetup(rules, "Анна", "Борис", length, CLOCK, event="Кубок", round="1/4")
    table = play_match(setup, seed, wrong=wrong)
    return table, story_of(table.log)


@pytest.mark.parametrize(
    ("rules", "length"), [*((rules, 1) for rules in VARIANTS), ("classic", 3), ("short", 3)]
)
def test_a_transcript_tells_the_match_that_was_played(rules: str, length: int) -> None:
    table, story = played(rules, 1, 0.05, length)
    match = transcript_of(story, day=date(2026, 11, 30))
    assert isinstance(table.phase, MatchOver)
    assert len(match.games) == len(table.state.results)
    score = (table.state.score.white, table.state.score.black)
    assert match.score == (score[::-1] if table.state.swapped else score)
    assert match.games[-1].result is not None
    assert match.games[-1].result.ends_match
    assert match.headers == {
        "Event": "Кубок", "Round": "1/4", "EventDate": "2026.11.30", "Transcriber": "Zarbiter",
    }  # fmt: skip
    for game in match.games:
        at = game.start
        for action in game.actions:
            if isinstance(action, SetUp):
                at = action.position
            if isinstance(action, Play):
                assert action.lawful == bool(action.moves) or action.after == at
                at = action.after
        sides = [one.color for one in game.actions if isinstance(one, Play)]
        put_up = any(isinstance(one, SetUp) for one in game.actions)
        assert put_up or all(one is not two for one, two in pairwise(sides))


@pytest.mark.parametrize("rules", ["bolshie-nardy", "classic", "short"])
def test_figures_count_every_throw_that_counted_and_every_void_one(rules: str) -> None:
    table, story = played(rules, 3, 0.2, 1)
    facts = [fact for _, fact in facts_of(story)]
    figures = match_statistics(facts)
    finished = sum(len(game.plays) for game in story.games)
    assert figures.both.throws == finished
    voids = [one for one in table.log if isinstance(one, ThrowRuled)]
    undone = any(isinstance(one, Undone) for one in table.log)
    assert undone or figures.both.void_throws == sum(
        one.verdict is ThrowVerdict.VOID for one in voids
    )
    assert all(fact.time_ms is not None for fact in facts if fact.dice and fact.can_double)


@pytest.mark.parametrize("rules", ["bolshie-nardy", "classic", "federation", "short"])
def test_the_sheet_has_every_game_with_its_score_and_its_disputes(rules: str) -> None:
    table, story = played(rules, 5, 0.2, 2)
    sheet = protocol_of(story, day=date(2026, 11, 30))
    score = (table.state.score.white, table.state.score.black)
    assert sheet.score == (score[::-1] if table.state.swapped else score)
    assert sheet.winner is not None
    demanded = sum(isinstance(one, Demanded) for one in table.log)
    told = sum(player.wrong_corrected for game in sheet.games for player in game.players)
    assert told == demanded
    assert all(one.text.ru.endswith(".") and one.text.en.endswith(".") for one in sheet.remarks)
    used = [table.state.clock.of(color).used_ms for color in Color]
    times = [sheet.totals(player).time_ms for player in (0, 1)]
    assert sorted(one for one in times if one is not None) == sorted(used)


def test_colours_that_were_exchanged_stay_with_their_players() -> None:
    table = Table(MatchSetup("classic", "Анна", "Борис", 3))
    table.begin(B)
    table.play(W, 2, 1)
    story = story_of(table.log)
    assert story.games[0].swapped
    match = transcript_of(story)
    play = match.games[0].actions[0]
    assert isinstance(play, Play)
    assert play.color is B
    assert play.hops[0].source == 24
    assert [fact.side for _, fact in facts_of(story)] == [B]


def test_a_turn_taken_back_is_not_told() -> None:
    table = Table(MatchSetup())
    table.begin(W)
    table.play(W, 2, 1)
    table.play(B, 2, 1)
    table.do(Undone(table.tick(), Actor.REFEREE, 2, "спор"))
    assert [turn.play for turn in story_of(table.log).games[0].turns] == [None]
    table.play(W, 6, 5)
    (game,) = transcript_of(story_of(table.log)).games
    (play,) = game.actions
    assert isinstance(play, Play)
    assert str(play.roll) == "6-5"


def test_a_corrected_throw_replaces_what_was_played() -> None:
    table = Table(MatchSetup())
    table.begin(W)
    table.throw(W, 2, 1)
    table.press(W)
    table.leave(table.legal(Roll(5, 1)))
    table.do(ThrowAnswered(table.tick(), Actor.BOTH, Roll(5, 1)))
    (turn,) = story_of(table.log).games[0].plays
    assert turn.play is not None
    assert str(turn.play.roll) == "5-1"


def test_a_wrong_play_that_stood_is_told_as_such_with_its_law() -> None:
    table = Table(MatchSetup(role=Role.SILENT))
    table.begin(W)
    table.throw(W, 2, 1)
    table.press(W)
    table.leave(table.legal(Roll(6, 5)))
    story = story_of(table.log)
    (game,) = transcript_of(story).games
    (play,) = game.actions
    assert isinstance(play, Play)
    assert not play.lawful
    assert game.notes[0].endswith("It was let stand.")
    assert story.games[0].accepted == (1, 0)


def test_a_position_set_by_hand_is_told_as_a_set_up_board() -> None:
    table = Table(MatchSetup(length=3))
    table.begin(W)
    table.play(W, 2, 1)
    here = board("24:w14 13:w1 12:b14 3:b1")
    table.do(Overridden(table.tick(), Actor.REFEREE, W, here))
    table.play(W, 6, 5)
    actions = transcript_of(story_of(table.log)).games[0].actions
    assert [type(one).__name__ for one in actions] == ["Play", "SetUp", "Play"]


def test_a_corrected_result_is_what_is_told() -> None:
    table = Table(MatchSetup(length=3))
    table.do(Overridden(table.tick(), Actor.REFEREE, W, board("1:w1 off:w14 13:b*")))
    table.play(W, 2, 1)
    table.do(ResultCorrected(table.tick(), Actor.REFEREE, 1, W, Win.OIN, 1))
    story = story_of(table.log)
    assert transcript_of(story).score == (1, 0)
    assert protocol_of(story, day=date(2026, 11, 30)).games[0].win is Win.OIN


@pytest.mark.parametrize(("win", "points"), [(Win.OIN, 1), (Win.MARS, 2)])
def test_a_resignation_is_told_with_its_points(win: Win, points: int) -> None:
    table = Table(MatchSetup(length=3))
    table.begin(W)
    table.do(ResignOffered(table.tick(), W, win))
    table.do(ResignAnswered(table.tick(), Actor.BLACK, accepted=True))
    (game,) = transcript_of(story_of(table.log)).games
    assert game.actions == (Resign(W, points),)
    assert game.result is not None
    assert (game.result.winner, game.result.points) == (B, points)
    sheet = protocol_of(story_of(table.log), day=date(2026, 11, 30))
    assert sheet.games[0].how is How.RESIGNED
