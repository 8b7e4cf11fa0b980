"""Whether a throw counts: a verdict with reasons from the facts seen of each die.

Facts may be unknown. A throw is void when something known makes it void, valid only when
everything that could void it is known not to, and unsure otherwise: then a person decides.

Source: rules.md §3, rows "throw is void when"; ADR 0006.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.dice import Roll
from rules.variant import DieCase, HalfLaw, ThrowLaw


class Lies(StrEnum):
    """Where a die lies."""

    LEFT = "left"
    RIGHT = "right"
    WOODWORK = "woodwork"
    """On the rim or on the bar."""
    OFF_BOARD = "off_board"


class Reason(StrEnum):
    """Why a throw does not count, or cannot be judged."""

    MISSING_DIE = "missing_die"
    TOO_MANY_DICE = "too_many_dice"
    OFF_BOARD = "off_board"
    ON_WOODWORK = "on_woodwork"
    DIFFERENT_HALVES = "different_halves"
    WRONG_HALF = "wrong_half"
    ON_CHECKER = "on_checker"
    TILTED = "tilted"
    TOUCHES_CHECKER = "touches_checker"
    TOUCHES_WALL = "touches_wall"
    VALUE_UNSURE = "value_unsure"
    FACTS_UNSURE = "facts_unsure"
    """Where a die lies, or how, could not be told."""


class ThrowVerdict(StrEnum):
    """What is said of a throw."""

    VALID = "valid"
    VOID = "void"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class DieFacts:
    """What is known of one die at rest; None: not known."""

    value: int | None
    lies: Lies | None
    flat: bool | None = None
    on_checker: bool | None = None
    touches_checker: bool | None = None
    touches_wall: bool | None = None


@dataclass(frozen=True, slots=True)
class ThrowJudgement:
    """A judged throw."""

    verdict: ThrowVerdict
    reasons: tuple[Reason, ...]
    """Why void; or, when unsure, what could not be told or what a person must decide."""
    values: tuple[int | None, ...]
    """The upper faces in the order of the dice given."""

    @property
    def roll(self) -> Roll | None:
        """The roll to play, None unless the throw is valid."""
        if self.verdict is not ThrowVerdict.VALID:
            return None
        first, second = self.values
        return None if first is None or second is None else Roll(first, second)


def judge_throw(
    dice: Sequence[DieFacts], law: ThrowLaw, *, players_right: Lies | None = None
) -> ThrowJudgement:
    """Judge a throw of two dice at rest.

    Args:
        dice: what is known of every die in view.
        law: the rule set's throw law.
        players_right: which half is the thrower's right one; needed by `players_right`.

    Returns:
        `void` with every known reason; else `unsure` with what is not known; else `valid`.
    """
    values = tuple(die.value for die in dice)
    if len(dice) != 2:
        reason = Reason.MISSING_DIE if len(dice) < 2 else Reason.TOO_MANY_DICE
        return ThrowJudgement(ThrowVerdict.UNSURE, (reason,), values)
    void: dict[Reason, None] = {}
    open_: dict[Reason, None] = {}
    for die in dice:
        _judge_die(die, law, void, open_)
    _judge_halves(dice, law, players_right, void, open_)
    if void:
        return ThrowJudgement(ThrowVerdict.VOID, tuple(void), values)
    if any(die.value is None for die in dice):
        open_[Reason.VALUE_UNSURE] = None
    if open_:
        return ThrowJudgement(ThrowVerdict.UNSURE, tuple(open_), values)
    return ThrowJudgement(ThrowVerdict.VALID, (), values)


def _judge_die(
    die: DieFacts, law: ThrowLaw, void: dict[Reason, None], open_: dict[Reason, None]
) -> None:
    """Sort what is known of one die into reasons that void and reasons to ask."""
    if die.lies is Lies.OFF_BOARD:
        # No set lets such a die count, and how it lies there does not matter any more.
        void[Reason.OFF_BOARD] = None
        return
    if die.lies is None:
        # It may lie off the board, which no set allows.
        open_[Reason.FACTS_UNSURE] = None
    on_wood = None if die.lies is None else die.lies is Lies.WOODWORK
    cases = (
        (Reason.ON_WOODWORK, law.on_woodwork, on_wood),
        (Reason.ON_CHECKER, law.die_on_checker, die.on_checker),
        (Reason.TILTED, law.tilted, None if die.flat is None else not die.flat),
        (Reason.TOUCHES_CHECKER, law.touching, die.touches_checker),
        (Reason.TOUCHES_WALL, law.touching, die.touches_wall),
    )
    for reason, case, holds in cases:
        if case is DieCase.VALID or holds is False:
            continue
        if holds is None:
            open_[Reason.FACTS_UNSURE] = None
        elif case is DieCase.ASK:
            open_[reason] = None
        else:
            void[reason] = None


def _judge_halves(
    dice: Sequence[DieFacts],
    law: ThrowLaw,
    players_right: Lies | None,
    void: dict[Reason, None],
    open_: dict[Reason, None],
) -> None:
    if law.half is HalfLaw.FREE or law.baffle_box:
        return
    halves = [die.lies for die in dice]
    known = [half for half in halves if half in (Lies.LEFT, Lies.RIGHT)]
    if None in halves:
        open_[Reason.FACTS_UNSURE] = None
    if len(known) == 2 and known[0] is not known[1]:
        void[Reason.DIFFERENT_HALVES] = None
    if law.half is HalfLaw.PLAYERS_RIGHT:
        if players_right is None:
            open_[Reason.FACTS_UNSURE] = None
        elif any(half is not players_right for half in known):
            void[Reason.WRONG_HALF] = None
