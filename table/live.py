"""A table with two people at it, who do what the referee calls for, frame by frame.

`LiveTable` keeps what is physically true: checkers, dice, hands, time. Its players hear cues
and nothing else; what a camera would see of their answers comes out as shots, presses and
words. What really happened goes into a log that no reader is given.
"""

import random
from collections.abc import Iterator, Mapping
from typing import Literal, assert_never

import numpy as np

from rules import Color, Position, Roll, Variant
from rules.outcome import kind_of_win
from rules.start import start_position
from table import cues
from table.agenda import Agenda
from table.cues import Cue, Happening, Said, Word
from table.fouls import FOULS, Foul, foul
from table.gestures import (
    STILL_S,
    cast,
    idle,
    move_checker,
    put_up,
    take_dice,
    throw_dice,
)
from table.incidents import VOIDS, Incident, IncidentPlan
from table.live_truth import name_of, right_half, standing, throw_counts, wanted_half
from table.mishaps import change_light, clear_way, disturb_dice, doze, forget_hand, nudge
from table.players import Player, SensiblePlayer
from table.reel import Reel
from table.scene import Disc
from table.script import FilmSettings, Press, Shot, Thrown
from table.throws import VoidKind, flat
from table.truth_log import (
    TrueAnswer,
    TrueDice,
    TrueDie,
    TrueFlag,
    TrueIncident,
    TruePlay,
    TruePress,
    TrueStart,
    TrueThrow,
    TruthLog,
)
from table.world import Board, ColorName, WorldError, set_up, steps_between

_DECIDE_S = 1.2
"""Before a person answers; the mover's button counts as taking back only a second after the
verdict."""
_LEFT_S = (1.6, 3.2)
"""How long a forgotten hand stays."""
_LONGEST_S = 90.0
"""Nobody dozes longer over a move than this; who has more time left does not lose on it."""


class LiveTable:
    """A board, two people, and what truly happens between them."""

    def __init__(
        self,
        board: Board,
        variant: Variant,
        seed: int,
        settings: FilmSettings | None = None,
        incidents: IncidentPlan | None = None,
        players: Mapping[Color, Player] | None = None,
        *,
        buttons: bool = True,
        think_s: tuple[float, float] = (0.4, 1.6),
    ) -> None:
        """Sit down at an empty board.

        Args:
            board: the table.
            variant: the rule set the players know.
            seed: draws dice, choices, incidents, places and noise.
            settings: camera, light, density; without any, five frames a second.
            incidents: what goes wrong; None: nothing.
            players: who plays; None: two with a little sense.
            buttons: whether turns are ended by the clock; otherwise by taking up the dice.
            think_s: for how long, from and to, a roll is looked at before it is played.
        """
        self.board = board
        self.variant = variant
        self.truth = TruthLog()
        self._seed = seed
        self._plan = incidents or IncidentPlan()
        self._players = players or dict.fromkeys(Color, SensiblePlayer())
        self._buttons = buttons
        self._think_s = think_s
        self._reel = Reel(board, seed, settings or FilmSettings(dense=True))
        self._dice = random.Random(f"{seed} dice")
        self._whims = random.Random(f"{seed} whims")
        self._agenda = Agenda(self._plan, seed)
        self._thrown: TrueThrow | None = None
        self._opening: dict[Color, int] = {}

    @property
    def now_s(self) -> float:
        """The time at the table."""
        return round(self._reel.now_s, 3)

    @property
    def position(self) -> Position:
        """What truly stands on the board, between two actions.

        Raises:
            PositionError: the checkers have not been set up, or one is in a hand.
        """
        return standing(self.board, self._reel.discs)

    def act(self, cue: Cue) -> Iterator[Happening]:
        """Do what is called for; run it to its end before the next.

        Raises:
            PositionError: a throw or a play on a board that was never set up.
        """
        match cue:
            case cues.SetUpStart():
                yield from self._set_up()
            case cues.ThrowOne():
                yield from self._throw_one(cue.side)
            case cues.Throw():
                yield from self._throw(cue.side)
            case cues.Play():
                yield from self._play(cue)
            case cues.PutRight():
                yield from self._put_right(cue)
            case cues.EndTurn():
                yield from idle(self._reel, 1)
                yield from self._end_turn(cue.side)
            case cues.AcceptOrDemand():
                yield from self._accept_or_demand(cue.side)
            case cues.TakeDice():
                yield from take_dice(self._reel, name_of(cue.side))
            case cues.Wait():
                yield from idle(self._reel, cue.frames)
            case (
                cues.AnswerOpening()
                | cues.AnswerThrow()
                | cues.AnswerPosition()
                | cues.AnswerPremature()
                | cues.AnswerResignation()
                | cues.AnswerFlag()
            ):
                yield from self._for_s(_DECIDE_S)
                yield Said(self.now_s, cue.side, self._answer(cue))
            case _:
                assert_never(cue)

    # --- before the game -----------------------------------------------------------------

    def _set_up(self) -> Iterator[Happening]:
        reel = self._reel
        yield from idle(reel, 2)
        yield from take_dice(reel, "w")
        start = start_position(self.variant)
        yield from put_up(reel, set_up(self.board, self._json(start), reel.rng))
        self._agenda.end()
        self._thrown, self._opening = None, {}
        self.truth.add(TrueStart(self.now_s, start))
        yield from idle(reel, 3, "before")

    def _throw_one(self, side: Color) -> Iterator[Happening]:
        reel = self._reel
        if len(reel.dice) != 1 or not self._opening or side in self._opening:
            # The first of the two, or both again after equal ones.
            self._opening = {}
            yield from take_dice(reel, name_of(side))
        value = self._dice.randint(1, 6)
        beside = reel.dice[0] if reel.dice else None
        half = right_half(reel, side)
        die = flat(self.board, value, reel.discs, half, reel.rng, beside)
        yield from cast(reel, name_of(side), (die,), reel.dice)
        self._opening[side] = value
        self.truth.add(TrueDie(self.now_s, side, value))
        yield from idle(reel, 3, "rest")

    # --- a turn --------------------------------------------------------------------------

    def _happens(self, what: Incident, side: Color) -> bool:
        """Whether this is due; if so it is taken as happening now."""
        if not self._agenda.due((what,)):
            return False
        self._done(what, side)
        return True

    def _done(self, what: Incident, side: Color) -> None:
        self._agenda.cross_off(what)
        self.truth.add(TrueIncident(self.now_s, self._agenda.turn, side, what))

    def _throw(self, side: Color) -> Iterator[Happening]:
        reel = self._reel
        self._agenda.begin(side)
        if self._happens("resignation", side):
            win = kind_of_win(self.position, side.other, self.variant)
            yield from self._for_s(_DECIDE_S)
            yield Said(self.now_s, side, cues.Resigns(win))
            return
        if self._happens("nudged_board", side):
            yield from nudge(reel, self._whims)
        if self._happens("light_change", side):
            yield from change_light(reel, self._whims)
        values = (self._dice.randint(1, 6), self._dice.randint(1, 6))
        void = next(iter(self._agenda.due(VOIDS)), None)
        yield from self._cast(side, values, void)
        if self._thrown is not None and self._thrown.kind is not None:
            self._done(self._thrown.kind, side)
        yield from idle(reel, 1, "rest")

    def _cast(
        self,
        side: Color,
        values: tuple[int, int],
        void: VoidKind | None,
        *,
        early: bool = False,
    ) -> Iterator[Shot]:
        """Throw, in another way where the board has no room for this one."""
        reel = self._reel
        final: tuple[Disc, ...] = ()
        if void is None:
            # Nobody throws at the place where the next checker will go.
            wish = self._wish(side, Roll(*values), self.position)
            final = set_up(self.board, self._json(wish), np.random.default_rng(self._seed))
        half = wanted_half(reel, side, self.variant)
        tries: tuple[tuple[VoidKind | None, tuple[Disc, ...]], ...]
        tries = ((void, final), (None, final), (None, ()))
        for kind, clear_of in tries:
            try:
                for one in throw_dice(
                    reel, self._agenda.turn, name_of(side), values, kind, clear_of, half
                ):
                    if isinstance(one, Thrown):
                        counts = throw_counts(reel, one.dice, side, self.variant)
                        self._thrown = TrueThrow(
                            one.at_s, side, values, kind, counts, premature=early
                        )
                        self.truth.add(self._thrown)
                    else:
                        yield one
            except WorldError:
                continue
            return
        raise WorldError("there is no room for two dice")

    def _play(self, cue: cues.Play) -> Iterator[Happening]:
        reel, side, roll = self._reel, cue.side, cue.roll
        self._agenda.begin(side)
        if self.truth.has_played(side):
            # A flag or a question came between the last checker and the end of the turn.
            yield from idle(reel, 1)
            yield from self._end_turn(side)
            return
        soon = cue.flag_s is not None and cue.flag_s <= _LONGEST_S
        if soon and cue.flag_s is not None and self._happens("flag_fall", side):
            self.truth.add(TrueFlag(round(self.now_s + cue.flag_s, 3), side))
            yield from doze(reel, cue.flag_s)
            return
        yield from self._for_s(self._whims.uniform(*self._think_s))
        if self._happens("light_change", side):
            yield from change_light(reel, self._whims)
        yield from self._disturb(side, "knocked_dice", "knocked")
        yield from self._disturb(side, "turned_die", "turned")
        before = self.position
        after, wrong = self._wish(side, roll, before), None
        for kind in self._agenda.due(FOULS):
            erring = self._err(kind, side, roll, before)
            if erring is not None:
                after, wrong = erring, kind
                break
        yield from self._move(side, before, after)
        if wrong is not None:
            self._done(wrong, side)
        self.truth.add(TruePlay(self.now_s, side, roll, before, after, wrong))
        # Where taking up the dice ends a turn, nobody can throw before its end.
        if self._buttons and self._happens("premature_throw", side):
            values = (self._dice.randint(1, 6), self._dice.randint(1, 6))
            yield from self._cast(side.other, values, None, early=True)
        yield from self._end_turn(side)

    def _put_right(self, cue: cues.PutRight) -> Iterator[Happening]:
        """Take the play back, checker by checker, and play again."""
        side = cue.side
        self._agenda.mover = side
        if self.truth.has_put_right(side):
            yield from idle(self._reel, 1)
            yield from self._end_turn(side)
            return
        yield from self._for_s(0.6)
        done = steps_between(self._json(cue.before), self._json(self.position), name_of(side))
        for mover, source, target in reversed(done):
            yield from self._moved_checker(side, mover, target, source)
        before = self.position
        after = self._wish(side, cue.roll, before)
        yield from self._move(side, before, after)
        self.truth.add(
            TruePlay(self.now_s, side, cue.roll, before, after, None, put_right=True)
        )
        yield from self._end_turn(side)

    def _move(self, side: Color, before: Position, after: Position) -> Iterator[Happening]:
        steps = steps_between(self._json(before), self._json(after), name_of(side))
        for mover, source, target in steps:
            yield from self._moved_checker(side, mover, source, target)
        for _ in range(2):
            yield self._reel.shot("after", STILL_S)

    def _end_turn(self, side: Color) -> Iterator[Happening]:
        """Press the clock or take up the dice; perhaps a hand is forgotten on the board."""
        reel = self._reel
        left = self._happens("hand_left", side)
        if left:
            x = float(reel.rng.uniform(0.2, 0.8)) * self.board.geometry.width_mm
            y = float(reel.rng.uniform(0.35, 0.65)) * self.board.geometry.height_mm
            reel.hand = reel.reach(name_of(side), x, y, "open")
            yield reel.shot("hand_left", 0.2)
        if self._buttons:
            press = Press(self.now_s, name_of(side))
            self.truth.add(TruePress(press.at_s, side))
            yield press
            reel.now_s += 0.2
        elif reel.dice and not left:
            yield from take_dice(reel, name_of(side))
        if left:
            for_s = self._whims.uniform(*_LEFT_S)
            yield from forget_hand(reel, for_s)
            if not self._buttons:
                yield from take_dice(reel, name_of(side))
        self._agenda.end()

    def _moved_checker(
        self, side: Color, mover: ColorName, source: int | None, target: int | None
    ) -> Iterator[Shot]:
        cleared = yield from clear_way(self._reel, name_of(side), source, target)
        if cleared:
            self._dice_now("moved")
        yield from move_checker(self._reel, name_of(side), mover, source, target)

    # --- what goes wrong -----------------------------------------------------------------

    def _disturb(
        self, side: Color, what: Incident, how: Literal["knocked", "turned"]
    ) -> Iterator[Shot]:
        if not self._agenda.due((what,)):
            return
        done = yield from disturb_dice(
            self._reel, name_of(side), self._whims, in_place=how == "turned"
        )
        if done:
            self._done(what, side)
            self._dice_now(how)

    def _dice_now(self, how: Literal["moved", "knocked", "turned"]) -> None:
        shown = tuple(die.pose.value for die in self._reel.dice)
        self.truth.add(TrueDice(self.now_s, shown, how))

    def _err(self, kind: Foul, side: Color, roll: Roll, before: Position) -> Position | None:
        player, variant = self._players[side], self.variant
        wish = player.choose(before, side, roll, variant, self._agenda.rng("choice"))
        return foul(kind, before, side, roll, variant, wish, self._agenda.rng("foul"))

    # --- words ---------------------------------------------------------------------------

    def _accept_or_demand(self, side: Color) -> Iterator[Happening]:
        yield from self._for_s(_DECIDE_S)
        accepted = self._whims.random() < self._plan.accept
        by_button = self._buttons and self._whims.random() < self._plan.by_button
        self.truth.add(TrueAnswer(self.now_s, side, accepted, by_button))
        if not by_button:
            yield Said(self.now_s, side, cues.Accepts() if accepted else cues.Demands())
            return
        presser = side if accepted else side.other
        self.truth.add(TruePress(self.now_s, presser))
        yield Press(self.now_s, name_of(presser))
        self._reel.now_s += 0.2

    def _answer(
        self,
        cue: cues.AnswerOpening
        | cues.AnswerThrow
        | cues.AnswerPosition
        | cues.AnswerPremature
        | cues.AnswerResignation
        | cues.AnswerFlag,
    ) -> Word:
        match cue:
            case cues.AnswerOpening():
                return cues.SaysDie(self._opening[cue.side])
            case cues.AnswerThrow():
                thrown = self._thrown
                # Where the rules leave it to people, these let it count.
                counts = thrown is not None and thrown.counts is not False
                return cues.SaysThrow(Roll(*thrown.values) if thrown and counts else None)
            case cues.AnswerPosition():
                return cues.SaysPosition(self.position)
            case cues.AnswerPremature():
                return cues.SaysPremature(self._whims.random() < self._plan.stands)
            case cues.AnswerResignation():
                return cues.SaysResignation(self._whims.random() < self._plan.stands)
            case cues.AnswerFlag():
                lost = self._whims.random() < self._plan.forfeit
                return cues.SaysFlag("game" if lost else "nothing")
            case _:
                assert_never(cue)

    # --- small things --------------------------------------------------------------------

    def _wish(self, side: Color, roll: Roll, before: Position) -> Position:
        """Return what a player would leave: the same for the same turn, roll and position."""
        rng = self._agenda.rng("choice")
        return self._players[side].choose(before, side, roll, self.variant, rng).result

    def _for_s(self, wait_s: float) -> Iterator[Shot]:
        """Let time pass with nobody moving."""
        step_s = 0.2 if self._reel.settings.dense else STILL_S
        frames = round(wait_s / step_s) if self._reel.settings.dense else 1
        yield from idle(self._reel, max(frames, 1))
        self._reel.now_s += max(0.0, wait_s - frames * step_s)

    def _json(self, position: Position) -> Mapping[str, object]:
        return position.to_json(with_bar=self.variant.hits)
