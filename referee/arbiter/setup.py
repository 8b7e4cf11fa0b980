"""What is agreed before a match begins: players, rules, length, clock, the arbiter's role."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.timer_presets import TimeControl
from referee.timer_settings import ClockKind, ClockSettings
from rules import DEFAULT, Color, Variant, variant_named
from rules.variant import EndOfTurn

NO_CLOCK: Final = TimeControl(ClockKind.NONE)
"""Time is taken, but nothing runs out."""


class Role(StrEnum):
    """What the arbiter may do of its own accord."""

    SILENT = "silent"
    """Records and says nothing; a wrong play stands."""
    MONITOR = "monitor"
    """Flags a wrong play; the game goes on unless somebody demands it back."""
    REFEREE = "referee"
    """Stops the clock on a wrong play until it is accepted or put right."""


class FlagLaw(StrEnum):
    """What a fallen flag does."""

    ASK = "ask"
    """The referee, or the players, decide."""
    GAME = "game"
    """The game is lost."""
    MATCH = "match"
    """The match is lost."""
    NOTHING = "nothing"
    """It is only recorded."""


class PrematureLaw(StrEnum):
    """What becomes of a throw made before the other side's turn has ended."""

    ASK = "ask"
    STANDS = "stands"
    """The roll stands and the other side finishes its play knowing it."""
    AGAIN = "again"
    """It is thrown again when the turn has ended."""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """The agreement; it is the first event of a record and never changes after."""

    rules: str = DEFAULT.name
    """The rule set by name, with single fields changed as in `classic+block=in_home`."""
    white: str = ""
    """Who has White in the first game."""
    black: str = ""
    length: int | None = None
    """Points to win; None: games are counted without end."""
    clock: TimeControl = NO_CLOCK
    role: Role = Role.REFEREE
    flag: FlagLaw = FlagLaw.ASK
    premature: PrematureLaw = PrematureLaw.ASK
    lifted_dice_end: bool | None = None
    """Whether taking up the dice ends a turn; None: as the rule set and the clock have it."""
    event: str = ""
    place: str = ""
    table: str = ""
    round: str = ""
    season: str = ""
    number: str = ""
    """Of the match within the season or the event."""
    arbiter: str = ""
    """The human referee's name, for the protocol."""

    def __post_init__(self) -> None:
        variant_named(self.rules)
        if self.length is not None and self.length < 1:
            raise ValueError(f"a match has at least one point, not {self.length}")
        self.clock_settings()

    @property
    def variant(self) -> Variant:
        """The rule set in force."""
        return variant_named(self.rules)

    @property
    def dice_end_turn(self) -> bool:
        """Whether taking up the dice ends the turn.

        Without a clock there is nothing else to see; with one the button says it, unless the
        rule set knows only the dice.
        """
        if self.lifted_dice_end is not None:
            return self.lifted_dice_end
        return (
            self.clock.kind is ClockKind.NONE
            or self.variant.end_of_turn is EndOfTurn.DICE_LIFTED
        )

    def clock_settings(self, scored: int = 0) -> ClockSettings:
        """What the clock is set to when so many points have been scored.

        Raises:
            ClockError: time by the point, in a match without a length.
        """
        return self.clock.settings(self.length, scored)

    def name(self, color: Color) -> str:
        """Who had a colour in the first game."""
        return self.white if color is Color.WHITE else self.black
