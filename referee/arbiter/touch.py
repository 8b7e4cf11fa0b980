"""Touch-move («тронул — ходи»): claimed by a person, never guessed by the camera."""

from dataclasses import dataclass, replace

from referee.arbiter.events import Actor, AdjustSaid, ClaimAnswered, TouchClaimed
from referee.arbiter.sentences import refuse, say
from referee.arbiter.states import ClaimAsked, MatchState, Playing, Transition
from rules import Position, Turn, Variant, Verdict, judge_play, legal_turns
from rules.explain import Explanation

TOUCH_MOVE = "touch_move"
"""The law's code in rulings."""


@dataclass(frozen=True, slots=True)
class TouchJudgement:
    """A judged play, touch-move included."""

    verdict: Verdict
    law: str | None
    explain: Explanation
    nearest: tuple[Turn, ...]
    played: Turn | None


def adjust_said(state: MatchState, event: AdjustSaid) -> Transition:
    """Note «поправляю»: what follows in this turn is no touch."""
    phase = state.phase
    if not isinstance(phase, Playing) or phase.turn is not event.side:
        return Transition(state, (refuse("not_now"),))
    said = replace(state, phase=replace(phase, adjusting=True))
    return Transition(said, (say("adjust", side=event.side),))


def touch_claimed(state: MatchState, event: TouchClaimed) -> Transition:
    """Take a claim that the mover touched a checker."""
    phase = state.phase
    if not state.variant.touch_move:
        return Transition(state, (refuse("no_touch_law"),))
    if not isinstance(phase, Playing):
        return Transition(state, (refuse("not_now"),))
    if not 1 <= event.point <= 25:
        return Transition(state, (refuse("no_such_point", point=event.point),))
    if event.by is Actor.of(phase.turn):
        return Transition(state, (refuse("not_yours"),))
    if phase.adjusting:
        return Transition(state, (refuse("adjusting"),))
    asked = replace(state, phase=ClaimAsked(event.by, event.point, phase))
    return Transition(asked, (say("claim", point=event.point),))


def claim_answered(state: MatchState, event: ClaimAnswered) -> Transition:
    """Uphold a claim or not; the claimant alone cannot, the mover may own up."""
    phase = state.phase
    if not isinstance(phase, ClaimAsked):
        return Transition(state, (refuse("not_now"),))
    owns_up = event.upheld and event.by is Actor.of(phase.playing.turn)
    gives_up = not event.upheld and event.by is phase.by
    if not (event.by.rules_the_table or owns_up or gives_up):
        return Transition(state, (refuse("referee_only"),))
    playing = phase.playing
    if not event.upheld:
        return Transition(replace(state, phase=playing), (say("claim_declined"),))
    turns = legal_turns(playing.before, playing.turn, playing.roll, state.variant)
    if not any(leaves(turn, phase.point) for turn in turns):
        text = say("claim_void", point=phase.point)
        return Transition(replace(state, phase=playing), (text,))
    playing = replace(playing, touched=playing.touched | {phase.point})
    text = say("claim_upheld", point=phase.point)
    return Transition(replace(state, phase=playing), (text,))


def leaves(turn: Turn, point: int) -> bool:
    """Tell whether a turn moves a checker from a point."""
    return any(move.to_json()[0] == point for move in turn.moves)


def judged_with_touch(playing: Playing, played: Position, variant: Variant) -> TouchJudgement:
    """Judge a play by the set's laws and by upheld touches.

    A position can be reached in more ways than one; the play is wrong only where no way to it
    moves the touched checker and another legal play would have.
    """
    judged = judge_play(playing.before, playing.turn, playing.roll, played, variant)
    law = judged.law.value if judged.law else None
    as_is = TouchJudgement(judged.verdict, law, judged.explain, judged.nearest, judged.played)
    if judged.verdict is not Verdict.LEGAL or not playing.touched:
        return as_is
    turns = legal_turns(playing.before, playing.turn, playing.roll, variant)
    for point in sorted(playing.touched):
        moved = playing.before.count(playing.turn, point) > played.count(playing.turn, point)
        if moved or (judged.played is not None and leaves(judged.played, point)):
            continue
        right = tuple(turn for turn in turns if leaves(turn, point))
        explain = Explanation(
            f"Тронутая шашка не сыграна: ход с пункта {point} при {playing.roll} возможен.",
            f"The touched checker was not moved: {playing.roll} can be played from point "
            f"{point}.",
        )
        return TouchJudgement(Verdict.ILLEGAL, TOUCH_MOVE, explain, right[:3], None)
    return as_is
