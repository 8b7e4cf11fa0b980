"""What stands on a match's protocol sheet, whatever it is printed on.

A protocol is filled in from the record; nothing here is typed twice. Players are counted as
first and second, because colours may change between games: `players[0]` has White in game 1.
"""

from dataclasses import dataclass
from datetime import date
from typing import Final

from referee.timer_presets import TimeControl
from rules import Variant
from rules.explain import Explanation
from rules.outcome import How, Win
from rules.sheet import sheet

_WINS: Final = {
    Win.OIN: ("ойн", "oin"),
    Win.MARS: ("марс", "mars"),
    Win.HOME_MARS: ("домашний марс", "home mars"),
    Win.KOKS: ("кокс", "koks"),
}
# In short nardy outside Russia the same wins go by other names.
_WINS_SHORT_EN: Final = {Win.OIN: "single", Win.MARS: "gammon", Win.KOKS: "backgammon"}
_HOWS: Final = {
    How.PLAYED: ("", ""),
    How.RESIGNED: ("сдача", "resigned"),
    How.CUBE_DROPPED: ("отказ от куба", "cube dropped"),
    How.TIME: ("по времени", "on time"),
    How.DRAW: ("ничья", "draw"),
}


@dataclass(frozen=True, slots=True)
class PlayerGame:
    """One player's part in a game."""

    time_ms: int | None = None
    """Used; None: no clock, or not measured."""
    void_throws: int = 0
    wrong_accepted: int = 0
    """Incomplete or wrong plays that the opponent let stand."""
    wrong_corrected: int = 0
    """Those for which a right play was demanded."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game that is over."""

    number: int
    winner: int | None
    """0 or 1, the player; None: a draw."""
    win: Win | None
    how: How
    points: int
    score: tuple[int, int]
    """After the game, first and second player."""
    players: tuple[PlayerGame, PlayerGame] = (PlayerGame(), PlayerGame())
    white: int = 0
    """Which player had White."""
    cube: int = 1
    disputes: int = 0
    """Throws, plays and claims that a person had to decide."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that happened and that the signers should see: a dispute and its decision."""

    game: int | None
    """The game's number; None: of the match as a whole."""
    text: Explanation


@dataclass(frozen=True, slots=True)
class Seal:
    """What ties the sheet to the record it was printed from."""

    record_sha256: str
    """Hash of the record's last link, in hexadecimal."""
    key_fingerprint: str | None = None
    """Of the table's key; None: the record is not signed."""
    row: int | None = None
    """That link's number, as `zarbiter verify --head ROW:HASH` takes it; None: not known."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """The whole sheet."""

    day: date
    """The day the match began."""
    players: tuple[str, str]
    variant: Variant
    games: tuple[GameEntry, ...] = ()
    length: int | None = None
    """Points to win; None: without end."""
    event: str = ""
    place: str = ""
    table: str = ""
    number: str = ""
    """Of the match within the season or the event."""
    season: str = ""
    stage: str = ""
    """Round, group, final."""
    referee: str = ""
    control: TimeControl | None = None
    """None: no clock."""
    remarks: tuple[Remark, ...] = ()
    seal: Seal | None = None
    day_synced: bool = True
    """False: the table's clock had not been set by anybody when the match began."""

    @property
    def score(self) -> tuple[int, int]:
        """The score of the match."""
        return self.games[-1].score if self.games else (0, 0)

    @property
    def winner(self) -> int | None:
        """The player who has won the match, None while it goes on."""
        if self.length is None or max(self.score) < self.length:
            return None
        return 0 if self.score[0] > self.score[1] else 1

    @property
    def colors_swap(self) -> bool:
        """Whether the players changed colours during the match."""
        return any(game.white for game in self.games)

    def totals(self, player: int) -> PlayerGame:
        """Add up a player's games; the time is None unless every game was timed."""
        parts = [game.players[player] for game in self.games]
        times = [part.time_ms for part in parts if part.time_ms is not None]
        return PlayerGame(
            sum(times) if times and len(times) == len(parts) else None,
            sum(part.void_throws for part in parts),
            sum(part.wrong_accepted for part in parts),
            sum(part.wrong_corrected for part in parts),
        )


def result_words(game: GameEntry, variant: Variant) -> Explanation:
    """Name a game's result: `марс`, `ойн, сдача`, `ничья`."""
    how_ru, how_en = _HOWS[game.how]
    win_ru, win_en = _WINS[game.win] if game.win else ("", "")
    if variant.hits and game.win:
        win_en = _WINS_SHORT_EN.get(game.win, win_en)
    if game.how is How.CUBE_DROPPED:  # nothing was reached on the board
        win_ru, win_en = "", ""
    return Explanation(
        ", ".join(filter(None, (win_ru, how_ru))), ", ".join(filter(None, (win_en, how_en)))
    )


def rule_lines(variant: Variant, language: str) -> tuple[tuple[str, str, bool], ...]:
    """Return the laws in force: title, value, and whether the set's own value was changed."""
    return tuple(
        (line.title, line.value, line.source == "option") for line in sheet(variant, language)
    )


def verdict_sentence(protocol: Protocol) -> Explanation:
    """Say how the match ended, or how it stands."""
    first, second = protocol.score
    if not protocol.games:
        return Explanation("Ни одна партия не доиграна.", "No game has been finished.")
    if protocol.winner is None:
        if protocol.length is None:
            return Explanation(
                f"Без ограничения; счёт {first}:{second}.",
                f"Session without end; the score is {first}–{second}.",
            )
        return Explanation(
            f"Матч не окончен; счёт {first}:{second}.",
            f"The match is not finished; the score is {first}–{second}.",
        )
    name = protocol.players[protocol.winner]
    high, low = max(first, second), min(first, second)
    return Explanation(
        f"Победитель матча — {name}, счёт {high}:{low}.",
        f"{name} has won the match {high}–{low}.",
    )
