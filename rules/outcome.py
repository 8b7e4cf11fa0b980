"""How games end, what they are worth, who begins the next one, and the score of a match.

Source: rules.md §2 law 7 and §3 rows "end" and "who starts"; cube, Crawford and Jacoby from
the practice of WBGF and USBGF (P).
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from rules.board import CHECKERS, Color, Position
from rules.errors import ActionError
from rules.turns import absolute
from rules.variant import EndOfGame, NextStart, Opening, Variant


class Win(StrEnum):
    """The kinds of victory."""

    OIN = "oin"
    """Single: the loser has borne off at least one (short: or came close enough)."""
    MARS = "mars"
    """Double (gammon): the loser has borne off none."""
    HOME_MARS = "home_mars"
    KOKS = "koks"
    """Triple (backgammon)."""


class How(StrEnum):
    """How a game came to its end."""

    PLAYED = "played"
    RESIGNED = "resigned"
    CUBE_DROPPED = "cube_dropped"
    TIME = "time"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class GameResult:
    """One finished game."""

    winner: Color | None
    """None: a draw."""
    win: Win | None
    points: int
    """What the winner scores, cube included."""
    how: How


class GameState(StrEnum):
    """Whether a game goes on after a turn."""

    GOES_ON = "goes_on"
    LAST_THROW = "last_throw"
    """The first to bear off is done; the other has one more throw."""
    OVER = "over"


def state_after(
    position: Position, variant: Variant, *, began: Color, moved: Color
) -> GameState:
    """Say whether the game goes on after a turn.

    Args:
        position: after the turn.
        variant: the rule set in force.
        began: the side that began the game.
        moved: the side whose turn it was.
    """
    done = [color for color in Color if position.off(color) == CHECKERS]
    if not done:
        return GameState.GOES_ON
    if variant.end is EndOfGame.LAST_THROW and done == [began] and moved is began:
        return GameState.LAST_THROW
    return GameState.OVER


def result_of(
    position: Position, variant: Variant, *, cube: int = 1, cube_turned: bool = False,
    money: bool = False,
) -> GameResult:  # fmt: skip
    """Return the result of a game that is over on the board.

    Args:
        position: the final position.
        variant: the rule set in force.
        cube: the cube's value.
        cube_turned: whether anybody doubled.
        money: a money game, where Jacoby may hold.

    Raises:
        ActionError: nobody has borne off all checkers.
    """
    done = [color for color in Color if position.off(color) == CHECKERS]
    if len(done) == 2:
        return GameResult(None, None, 0, How.DRAW)
    if not done:
        raise ActionError("the game is not over: nobody has borne off all checkers")
    winner = done[0]
    win = kind_of_win(position, winner, variant)
    if money and variant.jacoby and not cube_turned:
        win = Win.OIN
    return GameResult(winner, win, win_points(win, variant) * cube, How.PLAYED)


def kind_of_win(position: Position, winner: Color, variant: Variant) -> Win:
    """Return the kind of victory by where the loser's checkers are.

    Koks and home mars can both hold; then the dearer one counts, so that a worse defeat is
    never the cheaper one, whatever a house has them cost.
    """
    loser = winner.other
    if position.off(loser):
        return Win.OIN
    own = [position.count(loser, absolute(n, variant.path, loser)) for n in range(1, 25)]
    kinds = [Win.MARS]
    if variant.points.koks is not None and _koks(position, own, loser, variant):
        kinds.append(Win.KOKS)
    if variant.points.home_mars is not None and sum(own[:6]) < CHECKERS:
        kinds.append(Win.HOME_MARS)
    return max(kinds, key=lambda win: win_points(win, variant))


def _koks(position: Position, own: list[int], loser: Color, variant: Variant) -> bool:
    if variant.hits:
        # In the winner's home the loser has just begun its way: own points 19–24.
        return bool(position.bar(loser) or sum(own[18:]))
    return own[23] > 0


def win_points(win: Win, variant: Variant) -> int:
    """Return what a kind of victory is worth without the cube."""
    worth = {
        Win.OIN: variant.points.oin,
        Win.MARS: variant.points.mars,
        Win.HOME_MARS: variant.points.home_mars,
        Win.KOKS: variant.points.koks,
    }[win]
    if worth is None:
        raise ActionError(f"{win.value} does not exist in {variant.name}")
    return worth


@dataclass(frozen=True, slots=True)
class Start:
    """How a game begins: what is settled, and what a throw must settle."""

    color: Color | None
    """The side that begins; None: one die each decides."""
    colors_swap: bool = False
    """The players change colours before it."""


def first_start(variant: Variant) -> Start:
    """Say how the first game begins."""
    return Start(Color.WHITE if variant.opening is Opening.WHITE else None)


def next_start(variant: Variant, last: GameResult) -> Start:
    """Say how the game after `last` begins; after a draw the lot stands in for a winner."""
    match variant.next_start:
        case NextStart.LOT:
            return Start(None)
        case NextStart.WINNER:
            return Start(last.winner)
        case NextStart.COLORS_SWAP:
            return Start(Color.WHITE, colors_swap=True)
        case _:
            assert_never(variant.next_start)


@dataclass(frozen=True, slots=True)
class OpeningThrow:
    """What one die each has settled."""

    winner: Color | None
    """None: equal dice, both throw again."""
    plays_these: bool
    """Whether the two numbers shown are the first roll; else the winner throws both dice."""


def opening_throw(white_die: int, black_die: int, variant: Variant) -> OpeningThrow:
    """Judge one die each."""
    plays = variant.opening is Opening.HIGHER_PLAYS_BOTH
    if white_die == black_die:
        return OpeningThrow(None, plays)
    return OpeningThrow(Color.WHITE if white_die > black_die else Color.BLACK, plays)


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The score of a match by colour of the current game."""

    length: int | None
    """Points to win; None: a money session without end."""
    white: int = 0
    black: int = 0
    crawford_played: bool = False

    def of(self, color: Color) -> int:
        """Return a side's points."""
        return self.white if color is Color.WHITE else self.black

    @property
    def winner(self) -> Color | None:
        """The side that has won the match, None while it goes on."""
        if self.length is None:
            return None
        for color in Color:
            if self.of(color) >= self.length:
                return color
        return None

    def is_crawford(self, variant: Variant) -> bool:
        """Whether the game now to be played is the Crawford game: no cube."""
        if self.length is None or not variant.crawford or self.crawford_played:
            return False
        return self.length - 1 in (self.white, self.black)

    def after(self, result: GameResult, variant: Variant) -> "MatchScore":
        """Return the score after one more game.

        Raises:
            ActionError: the match is already won.
        """
        if self.winner is not None:
            raise ActionError("the match is over")
        played = self.crawford_played or self.is_crawford(variant)
        white = self.white + (result.points if result.winner is Color.WHITE else 0)
        black = self.black + (result.points if result.winner is Color.BLACK else 0)
        return MatchScore(self.length, white, black, played)

    def swapped(self) -> "MatchScore":
        """Return the score after the players changed colours."""
        return replace(self, white=self.black, black=self.white)
