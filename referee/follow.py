"""Follow a game from looks and button presses to judged throws and plays: a pure machine.

`advance(state, input)` returns the next state and the events that fell. It knows no camera and
no clock; times come with the inputs. A calm look is one without a hand over the board and
without movement; only calm looks are read, and a movement between them separates what was
before from what is after.

    AwaitingThrow --dice settled, valid--> Playing --end of turn--> Judging --position sure,
    or two looks and still unsure--> AwaitingThrow (other side)
    AwaitingThrow --dice settled, void--> AwaitingThrow (same side throws again)
    AwaitingThrow --hand comes before the dice could be read--> Playing, the throw unsure
"""

from dataclasses import replace
from typing import assert_never

from referee.dice_watch import (
    DiceLook,
    is_old,
    settled_throw,
    still_lying,
    unsettled_throw,
)
from referee.events import Event, GameEnded, Notice, PlayJudged, PositionSeen, ThrowJudged
from referee.evidence import Evidence, fuse, with_touch
from referee.matcher import Belief, Match, believe, match_play, plainly_wrong
from referee.states import (
    AwaitingThrow,
    End,
    FollowSettings,
    Input,
    Judging,
    Look,
    Over,
    Playing,
    Press,
    State,
    Transition,
)
from rules import Color, Position, Roll, Variant, Verdict, judge_play
from rules.explain import Explanation
from rules.outcome import GameState, result_of, state_after
from rules.throw import Reason, ThrowJudgement, ThrowVerdict
from vision.observation import DieReading

_ENOUGH_LOOKS = 2
_FUSED = 4
"""The latest looks that are averaged; older ones may show another light."""

_WATCHED = 50
"""The latest looks among which two must agree on a throw: a player may think for an hour."""


def begin(turn: Color, position: Position | None, *, at_s: float = 0.0) -> Transition:
    """Begin with a certain position, or with none: then the first calm looks must show it."""
    belief = None if position is None else Belief.sure(position)
    events = () if position is None else (PositionSeen(at_s, position),)
    return Transition(AwaitingThrow(turn, belief), events)


def advance(state: State, given: Input, settings: FollowSettings) -> Transition:
    """Return the next state and what fell."""
    match state:
        case AwaitingThrow():
            return _await_throw(state, given, settings)
        case Playing():
            return _play(state, given, settings)
        case Judging():
            return _judge(state, given, settings)
        case Over():
            return Transition(state)
        case _:
            assert_never(state)


def _await_throw(state: AwaitingThrow, given: Input, settings: FollowSettings) -> Transition:
    match given:
        case Press():
            if given.side is not state.turn or not state.moved:
                return Transition(state, (_stray_press(given),))
            unread = _unread_throw(state, given.at_s, settings)
            playing, events = unread or _unseen_throw(state, given.at_s)
            following = _play(playing, given, settings)
            return Transition(following.state, (*events, *following.events))
        case End():
            return Transition(state)
        case Look(calm=False):
            unread = _unread_throw(state, given.at_s, settings)
            if unread is not None:
                return Transition(*unread)
            return Transition(replace(state, looks=(), moved=True))
        case Look():
            return _calm_before_throw(state, given, settings)
        case _:
            assert_never(given)


def _calm_before_throw(
    state: AwaitingThrow, look: Look, settings: FollowSettings
) -> Transition:
    events: list[Event] = []
    state = replace(state, looks=(*state.looks, look)[-_WATCHED:])
    if not state.moved and not state.old_dice:
        # Dice that nobody was seen to throw are old ones.
        state = replace(state, old_dice=look.lying)
    elif state.moved:
        old = still_lying(state.old_dice, look.dice, look.old_dice, settings.watch)
        state = replace(state, old_dice=old)
    if _unknown(state.belief, settings) and look.evidence is not None:
        seen = (*state.before_throw, look.evidence)[-_FUSED:]
        belief = believe(fuse(seen), settings.variant, settings.matcher)
        sure = belief.certain(settings.matcher)
        if sure is not None:
            belief = Belief.sure(sure)
            events.append(PositionSeen(look.at_s, sure))
        state = replace(state, belief=belief, before_throw=seen)
    if not state.moved:
        return Transition(state, tuple(events))
    looks = [DiceLook(one.at_s, one.dice) for one in state.looks]
    settled = settled_throw(looks, settings.variant.throw, settings.watch)
    if settled is None or is_old(settled[1], state.old_dice, settings.watch):
        return Transition(state, tuple(events))
    judged, dice = settled
    events.append(_throw_event(look.at_s, state.turn, judged, dice))
    if judged.verdict is ThrowVerdict.VOID:
        again = replace(state, looks=(), old_dice=dice, moved=False)
        return Transition(again, tuple(events))
    return Transition(_playing(state, judged, dice), tuple(events))


def _unknown(belief: Belief | None, settings: FollowSettings) -> bool:
    return belief is None or belief.certain(settings.matcher) is None


def _unread_throw(
    state: AwaitingThrow, at_s: float, settings: FollowSettings
) -> tuple[Playing, tuple[Event, ...]] | None:
    """Take new dice that rested without being read as an unsure throw that is now played."""
    if not state.moved:
        return None
    looks = [DiceLook(one.at_s, one.dice) for one in state.looks]
    found = unsettled_throw(looks, settings.variant.throw)
    if found is None or is_old(found[1], state.old_dice, settings.watch):
        return None
    judged, dice = found
    if len(dice) < 2 and len(looks) < _ENOUGH_LOOKS:
        return None
    return _playing(state, judged, dice), (_throw_event(at_s, state.turn, judged, dice),)


def _unseen_throw(state: AwaitingThrow, at_s: float) -> tuple[Playing, tuple[Event, ...]]:
    """Take a turn that was ended without any dice seen: a person must say what was thrown.

    The position seen so far goes with it, for nothing else shows what the player left.
    """
    judged = ThrowJudgement(ThrowVerdict.UNSURE, (Reason.MISSING_DIE,), ())
    playing = replace(_playing(state, judged, ()), looks=state.looks[-_FUSED:])
    return playing, (_throw_event(at_s, state.turn, judged, ()),)


def _playing(
    state: AwaitingThrow, judged: ThrowJudgement, dice: tuple[DieReading, ...]
) -> Playing:
    return Playing(
        turn=state.turn,
        belief=state.belief or Belief(()),
        roll=judged.roll,
        values=judged.values,
        dice=dice,
        last_throw=state.last_throw,
    )


def _throw_event(
    at_s: float, side: Color, judged: ThrowJudgement, dice: tuple[DieReading, ...]
) -> ThrowJudged:
    return ThrowJudged(
        at_s=at_s,
        side=side,
        verdict=judged.verdict,
        values=judged.values,
        reasons=tuple(reason.value for reason in judged.reasons),
        confidence=min((die.confidence for die in dice), default=0.0),
    )


def _stray_press(press: Press) -> Notice:
    return Notice(
        press.at_s,
        "stray_press",
        "Кнопка нажата, а хода не было: нажатие не учтено.",
        "The button was pressed with no turn to end: the press is not counted.",
    )


def _play(state: Playing, given: Input, settings: FollowSettings) -> Transition:
    match given:
        case Press() if given.side is state.turn:
            return _judge_now(Judging(state), given.at_s, settings, final=False)
        case Press():
            return Transition(state, (_stray_press(given),))
        case End():
            return Transition(state)
        case Look(calm=False):
            return Transition(replace(state, looks=()))
        case Look():
            state = replace(state, looks=(*state.looks, given)[-_FUSED:])
            gone = len(state.looks) >= _ENOUGH_LOOKS and not any(
                one.dice for one in state.looks[-_ENOUGH_LOOKS:]
            )
            if settings.lifted_dice_end and gone:
                return _judge_now(Judging(state), given.at_s, settings, final=True)
            return Transition(state)
        case _:
            assert_never(given)


def _judge(state: Judging, given: Input, settings: FollowSettings) -> Transition:
    match given:
        case Press():
            return Transition(state, (_stray_press(given),))
        case End():
            return _judge_now(state, given.at_s, settings, final=True)
        case Look(calm=False):
            if state.play.looks:
                # The next player reaches in: what was seen till now must do.
                ended = _judge_now(state, given.at_s, settings, final=True)
                if isinstance(ended.state, AwaitingThrow):
                    return Transition(replace(ended.state, moved=True), ended.events)
                return ended
            return Transition(state)
        case Look():
            looks = (*state.play.looks, given)[-_FUSED:]
            state = replace(state, play=replace(state.play, looks=looks))
            final = len(looks) >= _ENOUGH_LOOKS
            return _judge_now(state, given.at_s, settings, final=final)
        case _:
            assert_never(given)


def _judge_now(
    state: Judging, at_s: float, settings: FollowSettings, *, final: bool
) -> Transition:
    """Judge the play if the position is clear, or if there is nothing more to wait for."""
    play = state.play
    seen = [one.evidence for one in play.looks if one.evidence is not None]
    if not seen and not final:
        return Transition(state)
    matched = (
        _matched(play, _read(play, seen, settings), settings)
        if seen
        else Match(Belief(()), play.belief)
    )
    belief = matched.after
    played = belief.certain(settings.matcher)
    before = matched.before.certain(settings.matcher)
    if played is None and before is not None and play.roll is not None:
        played = plainly_wrong(
            belief, before, play.turn, play.roll, settings.variant, settings.matcher
        )
    if (played is None or before is None or play.roll is None) and not final:
        return Transition(state)
    events: list[Event] = [PositionSeen(at_s, played, () if played else belief.candidates[:5])]
    if played is None or before is None or play.roll is None:
        events.append(_unsure_play(at_s, play, played, before, belief))
    else:
        events.append(_judged_play(at_s, play, before, play.roll, played, settings.variant))
    following, ended = _after_turn(play, belief, played, at_s, settings)
    return Transition(following, (*events, *ended))


def _read(play: Playing, seen: list[Evidence], settings: FollowSettings) -> Evidence:
    """Put the looks together, with which points were touched since the turn began."""
    before, touched = play.belief.certain(settings.matcher), play.looks[-1].touched
    look = fuse(seen)
    if touched is None or touched.since != before:
        return look
    return with_touch(look, touched)


def _matched(play: Playing, evidence: Evidence, settings: FollowSettings) -> Match:
    if play.roll is None or not play.belief.positions:
        return Match(believe(evidence, settings.variant, settings.matcher), play.belief)
    return match_play(
        play.belief, play.turn, play.roll, evidence, settings.variant, settings.matcher
    )


def _unsure_play(
    at_s: float, play: Playing, played: Position | None, before: Position | None, belief: Belief
) -> PlayJudged:
    if play.roll is None:
        ru, en = "Бросок не прочитан", "The throw could not be read"
    elif before is None:
        ru, en = "Положение до хода не ясно", "The position before the play is not clear"
    else:
        ru, en = "Положение после хода не ясно", "The position after the play is not clear"
    return PlayJudged(
        at_s=at_s,
        side=play.turn,
        dice=play.values,
        played=played,
        verdict=None,
        law=None,
        explain=Explanation(f"{ru}: решает человек.", f"{en}: a person decides."),
        candidates=belief.candidates[:5],
    )


def _judged_play(
    at_s: float, play: Playing, before: Position, roll: Roll, played: Position, variant: Variant
) -> PlayJudged:
    judged = judge_play(before, play.turn, roll, played, variant)
    moves = judged.played.moves if judged.played else ()
    legal = judged.verdict is Verdict.LEGAL
    return PlayJudged(
        at_s=at_s,
        side=play.turn,
        dice=play.values,
        played=played,
        verdict=judged.verdict,
        law=judged.law.value if judged.law else None,
        explain=judged.explain,
        moves=tuple((step[0], step[1]) for step in (move.to_json() for move in moves)),
        nearest=() if legal else tuple(turn.result for turn in judged.nearest),
    )


def _after_turn(
    play: Playing,
    belief: Belief,
    played: Position | None,
    at_s: float,
    settings: FollowSettings,
) -> tuple[State, tuple[Event, ...]]:
    """Pass the turn on, or end the game.

    An illegal play stands until somebody demands it back; nobody can in a replay.
    """
    if played is not None:
        # What was ruled certain is the ground the next turn stands on.
        belief = Belief.sure(played)
    last = play.looks[-1].lying if play.looks else ()
    waiting = AwaitingThrow(play.turn.other, belief, old_dice=last or play.dice)
    if played is None:
        return waiting, ()
    state = state_after(played, settings.variant, began=settings.began, moved=play.turn)
    if state is GameState.LAST_THROW:
        return replace(waiting, last_throw=True), ()
    if state is GameState.GOES_ON:
        return waiting, ()
    result = result_of(played, settings.variant)
    win = result.win.value if result.win else None
    return Over(), (GameEnded(at_s, result.winner, win, result.points),)
