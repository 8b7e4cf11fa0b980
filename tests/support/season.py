"""Whole games under a noisy camera: the truth kept aside, the referee shown only looks.

`play_game` runs a game as the live program does: looks go to the watcher, its facts and the
players' presses to the arbiter, what the arbiter waits for back to the watcher. Whatever the
referee rules of its own accord is held against the truth; whatever it asks is answered by it.
After a ruling that was wrong the board is put right by the referee's word, so that one fault
is counted once.
"""

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

from calibration.layout import BoardLayout, Corner
from referee.arbiter import Actor, MatchSetup, MatchState, settle, watch_of
from referee.arbiter.events import (
    Accepted,
    Demanded,
    Event,
    MatchOpened,
    OpeningDieSeen,
    Overridden,
    PlayRuled,
    PositionChosen,
    Pressed,
    SightLost,
    StartSeen,
    ThrowAnswered,
    ThrowRuled,
)
from referee.arbiter.questions import ReadPlay, WatchThrow
from referee.arbiter.states import (
    AwaitingThrow,
    Disputed,
    GameOver,
    Judging,
    Lost,
    MatchOver,
    Opening,
    PlayAsked,
    Playing,
    SettingUp,
    ThrowAsked,
)
from referee.evidence import Touched, evidence_of
from referee.states import Look
from referee.throws import facts_of
from referee.watch_throws import unread
from referee.watcher import watch
from referee.watching import WatcherSettings, Watching
from rules import CHECKERS, Color, Roll, Verdict, judge_play
from rules.start import start_position
from rules.throw import Lies, ThrowVerdict, judge_throw
from table.players import Player, SensiblePlayer
from tests.support.season_noise import NoiseRates, NoisyCamera, TrueDie, true_reading
from tests.support.season_plays import half_way, wrong_play
from vision.observation import Half, Side, Surface

WRONG_SHARE: Final = 0.05
_LOOKS_MOST: Final = 12
"""Looks after which players would ask what the referee is waiting for."""


@dataclass
class Tally:
    """What was counted."""

    games: int = 0
    turns: int = 0
    """Plays made: a play taken back and made again counts twice."""
    throws: int = 0
    void_throws: int = 0
    looks: int = 0
    illegal: Counter[str] = field(default_factory=Counter)
    """Wrong plays by kind."""
    condoned: Counter[str] = field(default_factory=Counter)
    """Those of them that were called legal."""
    wrong: Counter[str] = field(default_factory=Counter)
    """Wrong rulings by kind, called-legal ones included."""
    asks: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    """Wrong rulings told in full."""

    def add(self, other: "Tally") -> None:
        """Take in another tally."""
        for name in ("games", "turns", "throws", "void_throws", "looks"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("illegal", "condoned", "wrong", "asks"):
            getattr(self, name).update(getattr(other, name))
        self.faults += other.faults


@dataclass(frozen=True, slots=True)
class SeasonGame:
    """What a game is played with."""

    rules: str
    seed: int
    rates: NoiseRates = field(default_factory=NoiseRates)
    wrong: float = WRONG_SHARE
    """Share of plays that break a law."""
    lasting: float = 0.85
    void: float = 0.02
    """Share of throws that do not count."""
    player: Player = field(default_factory=SensiblePlayer)
    """Plays both sides."""
    most_turns: int = 400


def play_game(game: SeasonGame) -> Tally:
    """Play one game to its end and count what the referee got wrong, and what it asked."""
    bench = Bench(game)
    bench.open()
    for _ in range(game.most_turns):
        if bench.done or isinstance(bench.state.phase, GameOver | MatchOver):
            break
        bench.turn()
    bench.tally.games = 1
    return bench.tally


class Bench:
    """A table, its players, its camera, and the referee.

    Args:
        game: what is played.
    """

    def __init__(self, game: SeasonGame) -> None:
        rng = random.Random(game.seed)
        white = rng.choice(list(Side))
        layout = BoardLayout(rng.choice(list(Corner)))
        camera_rng = random.Random(rng.random())
        self.game, self.rng = game, rng
        self.camera = NoisyCamera(
            game.rates, camera_rng, layout, white, rng.choice((5, 6)), game.lasting
        )
        self.setup = MatchSetup(rules=game.rules, lifted_dice_end=rng.random() < 0.5)
        self.variant = self.setup.variant
        self.settings = WatcherSettings(self.variant, Lies.RIGHT)
        self.state, self.watching, self.tally = MatchState(), Watching(), Tally()
        self.now_s = 1.0
        # The truth.
        self.board = start_position(self.variant)
        self.lying: tuple[TrueDie, ...] = ()
        self.thrown: tuple[TrueDie, ...] = ()
        self.kind = "legal"
        self.before = self.board
        self.over = False
        """Whether the mover has ended the turn."""
        self.done = False
        """Whether the game ended without the referee's knowing."""

    # --- the referee's side ---

    def do(self, event: Event) -> None:
        """Let something fall and hold the referee's own rulings against the truth."""
        settled = settle(self.state, event)
        before, self.state = self.state.phase, settled.state
        for one in settled.events:
            match one:
                case ThrowRuled(by=Actor.SYSTEM):
                    self._check_throw(one)
                case PlayRuled(by=Actor.SYSTEM):
                    self._check_play(one)
                case SightLost():
                    self.tally.asks["board"] += 1
                case _:
                    pass
            if isinstance(one, PlayRuled):
                self.camera.learn(self.board, one.played)
            elif isinstance(one, StartSeen):
                self.camera.learn(self.board, one.position)
        after = self.state.phase
        if after is not before:
            if isinstance(after, ThrowAsked):
                self.tally.asks[
                    "throw:" + "+".join(sorted(r.value for r in after.reasons))
                ] += 1
            elif isinstance(after, PlayAsked):
                name = "right" if self.kind == "legal" else "wrong"
                self.tally.asks[f"position:{name} play"] += 1

    def look(self, *, calm: bool = True) -> None:
        """Show the referee a look at what there is."""
        self.now_s += self.rng.uniform(0.2, 0.45)
        if not calm:
            self.camera.moved()
        elif self.camera.rng.random() < self.game.rates.look_dropped:
            return
        look = Look(self.now_s, calm=False)
        if calm:
            self.tally.looks += 1
            evidence = None
            if self.camera.rng.random() >= self.game.rates.look_unread:
                reading = self.camera.checkers(self.board)
                evidence = evidence_of(reading, self.camera.layout, self.camera.white)
            look = Look(
                self.now_s,
                calm=True,
                evidence=evidence,
                dice=self.camera.dice(self.lying),
                touched=self._touched(),
            )
        watched = watch(self.watching, look, watch_of(self.state), self.settings)
        self.watching = watched.state
        for fact in watched.facts:
            self.do(fact)

    def _touched(self) -> Touched | None:
        """Compare the board with how it looked before, as the live program does: on demand."""
        wanted = watch_of(self.state)
        if not isinstance(wanted, ReadPlay):
            return None
        return self.camera.touched(self.board, wanted.before)

    def press(self, side: Color) -> None:
        """Press a clock button as the live program takes it."""
        wanted = watch_of(self.state)
        if isinstance(wanted, WatchThrow) and wanted.side is side:
            left = unread(self.watching, wanted, self.now_s, self.settings)
            self.watching = left.state
            for fact in left.facts:
                self.do(fact)
        self.do(Pressed(self._ms(), side))

    def _check_throw(self, ruled: ThrowRuled) -> None:
        true = self._true_throw()
        if ruled.verdict is ThrowVerdict.UNSURE:
            return
        if ruled.verdict is not true:
            self._fault(f"throw {true.value} called {ruled.verdict.value}", ruled)
        elif true is ThrowVerdict.VALID and sorted(map(str, ruled.values)) != sorted(
            str(die.value) for die in self.thrown
        ):
            self._fault("throw misread", ruled)

    def _check_play(self, ruled: PlayRuled) -> None:
        if not self.over:
            self._fault("turn ended early", ruled)
            return
        roll = self._roll()
        legal = ruled.verdict is Verdict.LEGAL
        truly = judge_play(self.before, ruled.side, roll, self.board, self.variant)
        if truly.verdict is not Verdict.LEGAL and legal:
            self.tally.condoned[self.kind] += 1
            self._fault("illegal called legal", ruled)
        elif truly.verdict is Verdict.LEGAL and not legal:
            self._fault("legal called illegal", ruled)
        elif ruled.played != self.board:
            self._fault("position misread", ruled)
        elif ruled.verdict is not truly.verdict or ruled.law != truly.law:
            self._fault("wrong law", ruled)

    def _fault(self, kind: str, ruled: ThrowRuled | PlayRuled) -> None:
        self.tally.wrong[kind] += 1
        self.tally.faults.append(
            f"{kind} [{self.kind}]: {self.game.rules} seed {self.game.seed} "
            f"at {self.now_s:.1f} s; "
            f"before {self.before}; on the board {self.board}; thrown "
            f"{[die.value for die in self.thrown]}; ruled {ruled}"
        )

    # --- the players' side ---

    def open(self) -> None:
        """Put the start up and throw for who begins."""
        self.do(MatchOpened(self._ms(), self.setup))
        for _ in range(_LOOKS_MOST):
            self.look()
            if not isinstance(self.state.phase, SettingUp):
                break
        else:
            self.tally.asks["start"] += 1
            self.do(StartSeen(self._ms(), self.board, Actor.REFEREE))
        while isinstance(self.state.phase, Opening):
            for side in Color:
                self.do(OpeningDieSeen(self._ms(), side, self.rng.randint(1, 6)))
        if isinstance(self.state.phase, Playing):
            # The two dice of the opening throw are the first roll and lie there.
            roll = self.state.phase.roll
            self.thrown = self.lying = self._rest((roll.first, roll.second))

    def turn(self) -> None:
        """Throw, play, end the turn, answer whatever is asked."""
        self.before, self.over, self.kind = self.board, False, "legal"
        if not isinstance(self.state.phase, Playing):
            self._stand(AwaitingThrow)
            self._throw()
        side = self._mover()
        self._move(side, correcting=False)
        self._end(side)
        self._answer_play(side)
        while isinstance(self.state.phase, Playing) and self.state.phase.correcting:
            self.over = False
            self._move(side, correcting=True)
            self._end(side)
            self._answer_play(side)
        self._stand(AwaitingThrow, GameOver, MatchOver)

    def _mover(self) -> Color:
        phase = self.state.phase
        assert isinstance(phase, AwaitingThrow | Playing), phase
        return phase.turn

    def _throw(self) -> None:
        """Throw until a throw counts."""
        side = self._mover()
        for _ in range(self.rng.randint(0, 2)):
            self.look()
        while True:
            self.look(calm=False)
            self.lying = ()
            if self.rng.random() < 0.6:
                self.look()
            self.look(calm=False)
            self.thrown = self.lying = self._dice()
            self.tally.throws += 1
            for _ in range(self.rng.randint(3, 7)):
                self.look()
            true = self._true_throw()
            if true is not ThrowVerdict.VALID:
                self.tally.void_throws += 1
                if isinstance(self.state.phase, AwaitingThrow):
                    # Nothing was said; the players see it for themselves and take up the dice.
                    self.look(calm=False)
                if isinstance(self.state.phase, ThrowAsked):
                    self.do(ThrowAnswered(self._ms(), Actor.REFEREE, None))
                if isinstance(self.state.phase, Playing):
                    self._set_right(side, None)
                continue
            if isinstance(self.state.phase, AwaitingThrow) and self._said_void():
                self._set_right(side, self._roll())
            if isinstance(self.state.phase, AwaitingThrow):
                # Nothing was ruled yet, and the mover reaches for his checkers.
                self.look(calm=False)
            self._answer_throw()
            phase = self.state.phase
            misread = isinstance(phase, Playing) and sorted(phase.roll.numbers) != sorted(
                self._roll().numbers
            )
            if misread or isinstance(phase, Lost):
                self._set_right(side, self._roll())
            return

    def _said_void(self) -> bool:
        last = self.tally.faults[-1] if self.tally.faults else ""
        return last.startswith("throw valid called void") and f"at {self.now_s:.1f}" in last

    def _answer_throw(self) -> None:
        if isinstance(self.state.phase, ThrowAsked):
            self.do(ThrowAnswered(self._ms(), Actor.REFEREE, self._roll()))

    def _move(self, side: Color, *, correcting: bool) -> None:
        """Play the roll; the board may rest half-way."""
        roll, start = self._roll(), self.before
        turn = self.game.player.choose(start, side, roll, self.variant, self.rng)
        played = turn.result
        self.kind = "legal"
        if not correcting and self.rng.random() < self.game.wrong:
            wrong = wrong_play(start, side, roll, self.variant, played, self.rng)
            if wrong is not None:
                self.kind, played = wrong
                self.tally.illegal[self.kind] += 1
        self.tally.turns += 1
        if played != self.board:
            self.look(calm=False)
            between = half_way(start, played, side)
            if not correcting and self.rng.random() < 0.3:
                self.board = between
                for _ in range(self.rng.randint(1, 4)):
                    self.look()
            self.look(calm=False)
            self.board = played
            # The dice are up already: the turn ends as soon as the board stands right.
            self.over = correcting and self.setup.dice_end_turn
        for _ in range(self.rng.randint(0, 3)):
            self.look()

    def _end(self, side: Color) -> None:
        """End the turn and wait for a ruling, as long as players do."""
        self.over = True
        if not self.setup.dice_end_turn:
            self.press(side)
        elif self.lying or self.rng.random() < 0.5:
            self.look(calm=False)
            self.lying = ()
        self._answer_throw()
        patience = self.rng.randint(2, _LOOKS_MOST)
        for step in range(3 * _LOOKS_MOST):
            self._answer_throw()
            if not isinstance(self.state.phase, Playing | Judging):
                return
            # The opponent reaches for the dice before the ruling, now and then.
            self.look(calm=step != patience)

    def _answer_play(self, side: Color) -> None:
        phase = self.state.phase
        if isinstance(phase, Playing) and not phase.correcting:
            self.tally.asks["no end seen"] += 1
            self._set_right(side.other, None)
            return
        if isinstance(phase, PlayAsked | Judging):
            if isinstance(phase, Judging):
                self.tally.asks["nothing read"] += 1
            self.do(PositionChosen(self._ms(), Actor.REFEREE, self.board))
        if isinstance(self.state.phase, Disputed) and self.kind != "legal":
            by = Actor.of(side.other)
            accept = self.rng.random() < 0.5
            self.now_s += 1
            self.do(Accepted(self._ms(), by) if accept else Demanded(self._ms(), by))
        phase = self.state.phase
        if isinstance(phase, AwaitingThrow) and phase.position != self.board:
            self._set_right(side.other, None)
        if isinstance(phase, Disputed) or (
            isinstance(phase, Playing) and phase.correcting and self.kind == "legal"
        ):
            # A right play was called wrong.
            self._set_right(side.other, None)

    def _stand(self, *kinds: type[object]) -> None:
        """See that the referee is where the game is."""
        if self.done:
            return
        phase = self.state.phase
        if isinstance(phase, Lost):
            self.do(PositionChosen(self._ms(), Actor.REFEREE, self.board))
            phase = self.state.phase
        if not isinstance(phase, kinds) and self._borne_off():
            self.tally.wrong["track lost"] += 1
            self.done = True
            return
        assert isinstance(phase, kinds), phase
        if isinstance(phase, AwaitingThrow) and phase.position != self.board:
            self.tally.wrong["track lost"] += 1
            self.tally.faults.append(
                f"track lost [{self.kind}]: {self.game.rules} seed {self.game.seed} at "
                f"{self.now_s:.1f} s: on the board {self.board}; believed {phase.position}"
            )
            self._set_right(phase.turn, None)

    def _set_right(self, turn: Color, roll: Roll | None) -> None:
        if self._borne_off():
            # A finished board cannot be set: people say who has won, and the game is over.
            self.done = True
            return
        self.do(Overridden(self._ms(), Actor.REFEREE, turn, self.board, roll))

    def _borne_off(self) -> bool:
        return any(self.board.off(color) == CHECKERS for color in Color)

    # --- dice ---

    def _roll(self) -> Roll:
        first, second = (die.value for die in self.thrown)
        return Roll(first, second)

    def _true_throw(self) -> ThrowVerdict:
        facts = [facts_of(true_reading(die)) for die in self.thrown]
        return judge_throw(facts, self.variant.throw, players_right=Lies.RIGHT).verdict

    def _dice(self) -> tuple[TrueDie, ...]:
        values = (self.rng.randint(1, 6), self.rng.randint(1, 6))
        if self.rng.random() >= self.game.void:
            return self._rest(values)
        good = self._rest(values)
        first, second = good
        kept = self.thrown
        for bad in self.rng.sample(
            [
                replace(second, half=Half.LEFT, x_px=second.x_px - 460),
                replace(second, half=Half.OFF, on=Surface.OFF, y_px=900.0),
                replace(second, flat=False),
                replace(second, on=Surface.CHECKER),
            ],
            4,
        ):
            self.thrown = (first, bad)
            if self._true_throw() is ThrowVerdict.VOID:
                self.thrown = kept
                return first, bad
        self.thrown = kept
        return good

    def _rest(self, values: tuple[int, int]) -> tuple[TrueDie, ...]:
        """Let two dice come to lie apart on the right half."""
        left, right = self.rng.uniform(500, 690), self.rng.uniform(730, 940)
        heights = self.rng.uniform(100, 600), self.rng.uniform(100, 600)
        return (
            TrueDie(values[0], left, heights[0]),
            TrueDie(values[1], right, heights[1]),
        )

    def _ms(self) -> int:
        return round(1000 * self.now_s)
