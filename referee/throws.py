"""From dice seen to a throw judged: which dice are in play, and what is known of them."""

import math
import statistics
from collections.abc import Sequence

from rules.throw import DieFacts, Lies, Reason, ThrowJudgement, ThrowVerdict, judge_throw
from rules.variant import ThrowLaw
from vision.observation import DieReading, Half, Surface

_SURE = 0.9
"""Confidence from which a die is beyond doubt."""
_NO_FITTING = 0.97
"""The same for a die on the woodwork, where screws look like ones."""
_GHOST = 0.5
"""Confidence below which a die on the field is none, if two sure ones lie there."""
_ALIKE = 0.6
"""Dice of one throw look of one size, but for their turn (up to 1.41) and their distance."""
_HALVES = {Half.LEFT: Lies.LEFT, Half.RIGHT: Lies.RIGHT, Half.BAR: Lies.WOODWORK}


def facts_of(die: DieReading) -> DieFacts:
    """Translate what is seen of a die into what the throw law asks; None stays None.

    A die on the woodwork that is not beyond doubt may be a screw of a hinge: where it lies is
    then not known, so that it can make a throw unsure but never void.
    """
    if _on_wood(die) and not _is_sure(die, _NO_FITTING):
        return DieFacts(die.value, None, die.flat)
    if die.on is Surface.OFF or die.half is Half.OFF:
        return DieFacts(die.value, Lies.OFF_BOARD, die.flat)
    if die.on is None or die.half is None:
        lies = Lies.WOODWORK if die.on is Surface.WALL or die.half is Half.BAR else None
        on_checker = True if die.on is Surface.CHECKER else None
        return DieFacts(die.value, lies, die.flat, on_checker)
    lies = Lies.WOODWORK if die.on is Surface.WALL else _HALVES[die.half]
    return DieFacts(
        value=die.value,
        lies=lies,
        flat=die.flat,
        on_checker=die.on is Surface.CHECKER,
        touches_checker=_touches(die, Surface.CHECKER),
        touches_wall=_touches(die, Surface.WALL),
    )


def _touches(die: DieReading, surface: Surface) -> bool | None:
    if surface in die.may_touch:
        return None
    return surface in die.touches


def dice_in_play(dice: Sequence[DieReading]) -> tuple[DieReading, ...]:
    """Return the dice that make the throw.

    Of three and more, one much smaller than the others is none of them.
    Where two sure dice lie on the field, what lies on the woodwork or beside the board, or
    looks only a little like a die, takes no part: spare dice, hinges, latches. One die on the
    board and one beside it are a throw with a die off the board. Dice that all lie beside the
    board are no throw.
    """
    on_board = _alike([die for die in dice if die.half is not Half.OFF])
    sure = [die for die in on_board if _on_field(die) and _is_sure(die, _SURE)]
    if len(sure) == 2:
        return tuple(
            die
            for die in on_board
            if die in sure or (die.confidence >= _GHOST and not _on_wood(die))
        )
    beside = [die for die in dice if die.half is Half.OFF and die.confidence >= _SURE]
    if len(on_board) == 1 and len(beside) == 1:
        return (on_board[0], beside[0])
    return tuple(on_board)


def _alike(dice: list[DieReading]) -> list[DieReading]:
    """Leave out what is too small to be one of these dice; a larger thing stays a question."""
    if len(dice) < 3:
        return dice
    sizes = [math.sqrt(die.box_px[2] * die.box_px[3]) for die in dice]
    usual = statistics.median(sizes)
    pairs = zip(dice, sizes, strict=True)
    return [die for die, size in pairs if size >= _ALIKE * usual]


def _on_wood(die: DieReading) -> bool:
    return die.half is Half.BAR or die.on is Surface.WALL


def _on_field(die: DieReading) -> bool:
    return die.half in (Half.LEFT, Half.RIGHT) and die.on is not Surface.WALL


def _is_sure(die: DieReading, least: float) -> bool:
    return die.value is not None and die.confidence >= least


def judge_dice(
    dice: Sequence[DieReading], law: ThrowLaw, *, players_right: Lies | None = None
) -> ThrowJudgement:
    """Judge the throw that these dice make.

    Args:
        dice: every die seen.
        law: the rule set's throw law.
        players_right: the half on the thrower's right, where known.
    """
    return judge_throw(
        [facts_of(die) for die in dice_in_play(dice)], law, players_right=players_right
    )


_CONTRACT = {
    Reason.DIFFERENT_HALVES, Reason.OFF_BOARD, Reason.ON_WOODWORK, Reason.ON_CHECKER,
    Reason.TILTED, Reason.TOUCHES_CHECKER, Reason.TOUCHES_WALL, Reason.MISSING_DIE,
    Reason.TOO_MANY_DICE, Reason.WRONG_HALF,
}  # fmt: skip


def throw_to_json(judgement: ThrowJudgement) -> dict[str, object]:
    """Write a throw's verdict; `open` names what could not be told where it is unsure."""
    answer: dict[str, object] = {
        "verdict": judgement.verdict.value,
        "reasons": [reason.value for reason in judgement.reasons if reason in _CONTRACT],
    }
    if judgement.verdict is ThrowVerdict.UNSURE:
        answer["open"] = [
            reason.value for reason in judgement.reasons if reason not in _CONTRACT
        ]
    return answer
