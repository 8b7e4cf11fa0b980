from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import pytest

from referee.codec import event_to_json
from referee.events import Event, GameEnded, Notice, PlayJudged, PositionSeen, ThrowJudged
from referee.follow import advance, begin
from referee.states import AwaitingThrow, End, FollowSettings, Input, Look, Over, Press, State
from rules import Color, Position, Roll, Verdict, legal_turns, variant_named
from rules.throw import ThrowVerdict
from tests.support.looks import die, seen
from vision.observation import DieReading, Half, Surface

Kind = TypeVar("Kind")
LONG = variant_named("bolshie-nardy")
SETTINGS = FollowSettings(LONG)
MIDDLE = Position.of({24: 4, 18: 3, 14: 2, 10: 2, 4: 4}, {12: 5, 5: 4, 20: 3, 22: 3})
DICE = (die(6, 500), die(5, 560))
NEXT_DICE = (die(2, 480, y=200), die(1, 590, y=350))


def run(
    inputs: Sequence[Input],
    *,
    start: Position | None = MIDDLE,
    turn: Color = Color.WHITE,
    settings: FollowSettings = SETTINGS,
) -> tuple[State, list[Event]]:
    """Feed inputs and return the last state and all events."""
    moved = begin(turn, start)
    state, events = moved.state, list(moved.events)
    for one in inputs:
        moved = advance(state, one, settings)
        state = moved.state
        events += moved.events
    return state, events


def calm(at_s: float, position: Position, dice: Sequence[DieReading] = ()) -> Look:
    return Look(at_s, calm=True, evidence=seen(position), dice=tuple(dice))


def hand(at_s: float) -> Look:
    return Look(at_s, calm=False)


def turn_of(
    after: Position,
    *,
    before: Position = MIDDLE,
    dice: Sequence[DieReading] = DICE,
    start_s: float = 0.0,
    side: Color = Color.WHITE,
    old: Sequence[DieReading] = (),
) -> list[Input]:
    """Return the looks and the press of one plain turn."""
    return [
        calm(start_s, before, old),
        hand(start_s + 0.5),
        calm(start_s + 1.0, before, dice),
        calm(start_s + 1.5, before, dice),
        hand(start_s + 2.0),
        hand(start_s + 2.5),
        calm(start_s + 3.0, after, dice),
        Press(start_s + 3.2, side),
        calm(start_s + 3.5, after, dice),
    ]


def of(kind: type[Kind], events: Sequence[Event]) -> list[Kind]:
    return [one for one in events if isinstance(one, kind)]


LEGAL = legal_turns(MIDDLE, Color.WHITE, Roll(6, 5), LONG)[0].result


def test_a_plain_turn_yields_one_throw_and_one_legal_play() -> None:
    state, events = run(turn_of(LEGAL))
    (throw,) = of(ThrowJudged, events)
    assert (throw.verdict, throw.values, throw.side) == (
        ThrowVerdict.VALID,
        (6, 5),
        Color.WHITE,
    )
    (play,) = of(PlayJudged, events)
    assert (play.verdict, play.played) == (Verdict.LEGAL, LEGAL)
    assert isinstance(state, AwaitingThrow)
    assert state.turn is Color.BLACK


def test_an_unfinished_play_is_named_with_the_nearest_plays() -> None:
    half = Position(MIDDLE.white - (1 << 4 * 24) + (1 << 4 * 19), MIDDLE.black)
    _, events = run(turn_of(half))
    (play,) = of(PlayJudged, events)
    assert play.verdict is Verdict.INCOMPLETE
    assert play.law == "die_not_played"
    assert play.nearest


def test_a_void_throw_is_thrown_again_by_the_same_side() -> None:
    split = (die(6, 500), die(5, 100, half=Half.LEFT))
    inputs = [
        calm(0.0, MIDDLE),
        hand(0.5),
        calm(1.0, MIDDLE, split),
        calm(1.5, MIDDLE, split),
        calm(1.8, MIDDLE, split),
        hand(2.0),
        calm(2.5, MIDDLE),
        *turn_of(LEGAL, start_s=3.0)[2:],
    ]
    _, events = run(inputs)
    first, second = of(ThrowJudged, events)
    assert (first.verdict, first.reasons) == (ThrowVerdict.VOID, ("different_halves",))
    assert (second.verdict, second.side) == (ThrowVerdict.VALID, Color.WHITE)
    assert [one.verdict for one in of(PlayJudged, events)] == [Verdict.LEGAL]


def test_rolling_dice_are_no_throw_until_two_looks_agree() -> None:
    rolling = [
        calm(0.0, MIDDLE),
        hand(0.5),
        calm(0.9, MIDDLE, (die(1, 700), die(2, 760))),
        calm(1.2, MIDDLE, (die(3, 600), die(3, 650))),
        calm(1.5, MIDDLE, DICE),
    ]
    _, events = run(rolling)
    assert not of(ThrowJudged, events)
    _, events = run([*rolling, calm(1.6, MIDDLE, DICE)])
    assert not of(ThrowJudged, events), "0.1 s apart is not yet rest"
    _, events = run([*rolling, calm(1.8, MIDDLE, DICE)])
    assert [one.values for one in of(ThrowJudged, events)] == [(6, 5)]


def test_the_dice_of_the_last_turn_are_not_the_next_throw() -> None:
    inputs = [
        *turn_of(LEGAL),
        hand(4.0),
        calm(4.5, LEGAL, DICE),
        calm(5.0, LEGAL, DICE),
        calm(5.5, LEGAL, DICE),
    ]
    _, events = run(inputs)
    assert len(of(ThrowJudged, events)) == 1


def test_two_turns_follow_each_other() -> None:
    after = legal_turns(LEGAL, Color.BLACK, Roll(2, 1), LONG)[0].result
    second = turn_of(
        after, before=LEGAL, dice=NEXT_DICE, start_s=10.0, side=Color.BLACK, old=DICE
    )
    _, events = run([*turn_of(LEGAL), *second])
    assert [one.side for one in of(ThrowJudged, events)] == [Color.WHITE, Color.BLACK]
    assert [one.verdict for one in of(PlayJudged, events)] == [Verdict.LEGAL] * 2


def test_a_face_that_cannot_be_read_makes_throw_and_play_unsure() -> None:
    blurred = (die(6, 500), die(None, 560))
    _, events = run(turn_of(LEGAL, dice=blurred))
    (throw,) = of(ThrowJudged, events)
    assert throw.verdict is ThrowVerdict.UNSURE
    (play,) = of(PlayJudged, events)
    assert play.verdict is None
    assert LEGAL in play.candidates


def test_no_ruling_rests_on_frames_with_a_hand() -> None:
    inputs = [*turn_of(LEGAL)[:6], Press(3.2, Color.WHITE), hand(3.5), hand(4.0)]
    _, events = run(inputs)
    assert not of(PlayJudged, events)
    _, events = run([*inputs, calm(4.5, LEGAL, DICE)])
    assert [one.verdict for one in of(PlayJudged, events)] == [Verdict.LEGAL]


def test_a_turn_ended_without_any_dice_seen_is_a_persons_to_rule() -> None:
    inputs: list[Input] = [
        calm(0.0, MIDDLE),
        hand(0.5),
        calm(1.5, LEGAL),
        calm(2.0, LEGAL),
        Press(2.2, Color.WHITE),
        calm(2.5, LEGAL),
    ]
    _, events = run(inputs)
    (throw,) = of(ThrowJudged, events)
    assert (throw.verdict, throw.reasons) == (ThrowVerdict.UNSURE, ("missing_die",))
    (play,) = of(PlayJudged, events)
    assert (play.verdict, play.candidates[0]) == (None, LEGAL)


def test_a_press_before_any_throw_is_noticed_and_not_counted() -> None:
    _, events = run([calm(0.0, MIDDLE), Press(0.3, Color.WHITE)])
    assert [one.code for one in of(Notice, events)] == ["stray_press"]
    assert not of(PlayJudged, events)


def test_the_opponents_press_does_not_end_the_turn() -> None:
    inputs = [*turn_of(LEGAL)[:7], Press(3.2, Color.BLACK), calm(3.5, LEGAL, DICE)]
    _, events = run(inputs)
    assert not of(PlayJudged, events)


def test_lifted_dice_end_the_turn_where_there_are_no_buttons() -> None:
    inputs = [*turn_of(LEGAL)[:7], hand(3.5), calm(4.0, LEGAL), calm(4.5, LEGAL)]
    _, events = run(inputs, settings=replace(SETTINGS, lifted_dice_end=True))
    assert [one.verdict for one in of(PlayJudged, events)] == [Verdict.LEGAL]


def test_the_position_is_read_first_where_none_is_given() -> None:
    _, events = run(turn_of(LEGAL), start=None)
    assert of(PositionSeen, events)[0].position == MIDDLE
    assert [one.verdict for one in of(PlayJudged, events)] == [Verdict.LEGAL]


def test_dice_lying_there_from_the_start_are_not_a_throw() -> None:
    inputs = [calm(0.0, MIDDLE, DICE), calm(0.5, MIDDLE, DICE), calm(1.0, MIDDLE, DICE)]
    _, events = run(inputs)
    assert not of(ThrowJudged, events)


def test_a_player_may_think_for_an_hour_without_the_state_growing() -> None:
    looks: list[Input] = [calm(0.0, MIDDLE), hand(0.5)]
    looks += [calm(1.0 + 0.2 * n, MIDDLE) for n in range(300)]
    state, _ = run(looks)
    assert isinstance(state, AwaitingThrow)
    assert len(state.looks) <= 50


def test_bearing_off_the_last_checker_ends_the_game_with_a_mars() -> None:
    start = Position.of({1: 1}, {20: 15}, off=(14, 0))
    after = legal_turns(start, Color.WHITE, Roll(6, 5), LONG)[0].result
    state, events = run(turn_of(after, before=start), start=start)
    (ended,) = of(GameEnded, events)
    assert (ended.winner, ended.win, ended.points) == (Color.WHITE, "mars", 2)
    assert isinstance(state, Over)


def test_the_federations_last_throw_lets_the_second_side_play_on() -> None:
    federation = replace(SETTINGS, variant=variant_named("federation"))
    start = Position.of({1: 1}, {13: 2}, off=(14, 13))
    after = legal_turns(start, Color.WHITE, Roll(6, 5), federation.variant)[0].result
    state, events = run(turn_of(after, before=start), start=start, settings=federation)
    assert not of(GameEnded, events)
    assert isinstance(state, AwaitingThrow)
    assert state.last_throw
    final = legal_turns(after, Color.BLACK, Roll(2, 1), federation.variant)[0].result
    second = turn_of(
        final, before=after, dice=NEXT_DICE, start_s=10.0, side=Color.BLACK, old=DICE
    )
    _, events = run([*turn_of(after, before=start), *second], start=start, settings=federation)
    assert [one.winner for one in of(GameEnded, events)] == [None]


def test_the_end_of_the_source_rules_nothing_by_itself() -> None:
    _, events = run([*turn_of(LEGAL)[:6], End(9.0)])
    assert not of(PlayJudged, events)


@pytest.mark.parametrize("on", [Surface.BOARD, Surface.CHECKER])
def test_every_event_is_written_with_its_name_and_time(on: Surface) -> None:
    dice = (die(6, 500), die(5, 560, on=on))
    _, events = run([*turn_of(LEGAL, dice=dice), Press(9.0, Color.WHITE)])
    for event in events:
        line = event_to_json(event, LONG)
        assert line["event"]
        assert line["t_s"] >= 0
