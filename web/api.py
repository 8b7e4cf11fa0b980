"""What the dashboard asks of the table: one narrow protocol, and the values it hands over.

The pages know nothing else. `zarbiter.service` implements it over the live match; tests
implement it without a camera.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from calibration.layout import BoardLayout
from recording.record import Storage
from recording.record_row import Row
from referee.arbiter import Event, MatchSetup, MatchState
from vision.observation import CheckersReading, Corners, DieReading, Side


class SightState(StrEnum):
    """What the camera does for the table."""

    OFF = "off"
    """There is none: a record is being looked at."""
    STARTING = "starting"
    LIVE = "live"
    STALE = "stale"
    """No new picture for a while: nothing is ruled on old ones."""
    LOST = "lost"
    """The camera does not answer; it is being opened again."""
    NO_BOARD = "no_board"
    """Pictures come, but no board is found on them."""
    BLIND = "blind"
    """Too dark, overexposed or out of focus: nothing is read, `advice` says what to do."""
    HAND = "hand"
    """A hand is over the board, or something moves."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that was said at the table."""

    seq: int
    """Of the record's last row when it was said."""
    at_ms: int
    code: str
    ru: str
    en: str
    refused: bool = False
    """Whether it says why something was not done; then only the asker hears it."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the camera shows now."""

    state: SightState = SightState.OFF
    age_ms: int | None = None
    """Of the newest picture, when this was made; None: there is none."""
    fps: float | None = None
    """Pictures a second that were looked at."""
    dropped: int = 0
    size_px: tuple[int, int] | None = None
    """(width, height) of a picture."""
    corners_px: Corners | None = None
    corners_by_hand: bool = False
    corners_confidence: float | None = None
    checkers: CheckersReading | None = None
    """As the last calm look read them."""
    dice: tuple[DieReading, ...] = ()
    """Of the last calm look."""
    advice: tuple[tuple[str, str], ...] = ()
    """What would make it better, in Russian and English."""
    source: str = ""
    """Which camera, as the settings name it."""
    trouble: tuple[str, str] | None = None
    """Why there is no picture, in Russian and English."""


@dataclass(frozen=True, slots=True)
class TableState:
    """The table at a moment; immutable, so that any thread may read it."""

    version: int = 0
    """Grows with every change of anything below."""
    seq: int = 0
    """Of the record's last row."""
    now_ms: int = 0
    """The table's monotonic time when this was made."""
    rate: float = 1.0
    """How fast the table's time runs beside real time; 0 while it stands."""
    match_name: str | None = None
    match: MatchState = field(default_factory=MatchState)
    told: tuple[Told, ...] = ()
    """The latest sentences, newest last."""
    sight: Sight = field(default_factory=Sight)
    layout: BoardLayout | None = None
    """Where the points lie in the picture; None: not known yet."""
    white: Side = Side.LIGHT
    """Which checkers White has."""
    table: str = ""
    """The table's name."""
    simulated: bool = False
    """Whether this is the built-in simulated table."""
    storage: Storage | None = None
    stopped: tuple[str, str] | None = None
    """Why nothing is recorded any more, in Russian and English."""


@dataclass(frozen=True, slots=True)
class LivePicture:
    """One picture of the camera, encoded once for all who look."""

    jpeg: bytes
    seq: int
    at_ms: int
    """The table's monotonic time of the exposure."""
    age_ms: int
    """How old it is."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of something that was asked of the table."""

    done: bool
    told: tuple[Told, ...] = ()
    """What was said; where it was not done, why."""
    seq: int = 0


class TableStoppedError(RuntimeError):
    """The table does not take anything any more: it is being closed, or its disk failed."""


class RefereeApi(Protocol):
    """The table as the dashboard knows it. Every method may be called in any thread."""

    def state(self) -> TableState:
        """Return the newest state."""
        ...

    def wait(self, version: int, timeout_s: float) -> TableState:
        """Return the newest state as soon as it is newer than `version`, or after a while."""
        ...

    def now_ms(self) -> int:
        """Return the table's monotonic time now; a state may be older than it is new."""
        ...

    def say(self, word: Callable[[int], Event]) -> Answer:
        """Hand a person's word, a press or a hand-set fact to the arbiter and wait for it.

        Args:
            word: makes the event from the table's monotonic time in milliseconds.

        Raises:
            TableStoppedError: nobody listens any more.
        """
        ...

    def open_match(self, setup: MatchSetup) -> Answer:
        """Begin a match.

        Raises:
            TableStoppedError: nobody listens any more.
        """
        ...

    # --- the camera ---------------------------------------------------------------------------

    def picture(self, *, drawn: bool = False) -> LivePicture | None:
        """Return the newest picture, None if there is none.

        Args:
            drawn: with what is seen drawn on it.
        """
        ...

    def find_board(self) -> Sight:
        """Look for the board anew in the newest picture and use what is found."""
        ...

    def set_corners(self, corners: Corners) -> Sight:
        """Use these corners of the playing field, in image pixels."""
        ...

    def set_layout(self, layout: BoardLayout, white: Side) -> Sight:
        """Say where White's point 24 lies and which checkers are White's.

        Nothing changes while a match is under way: the sight is returned as it is.
        """
        ...

    # --- the record ---------------------------------------------------------------------------

    def rows(self, after: int = 0, match: str | None = None) -> Iterator[Row]:
        """Yield the record's rows, oldest first."""
        ...

    def evidence(self, sha256: str) -> bytes | None:
        """Return a picture that an event rests on, None if it is not kept any more."""
        ...

    def export(self, match: str, form: str, language: str) -> tuple[bytes, str, str]:
        """Return a match as (bytes, media type, file name).

        Args:
            match: its name in the record.
            form: `mat`, `sgf`, `json`, `csv` or `pdf`.
            language: `ru` or `en`.

        Raises:
            LookupError: no such match.
            ValueError: no such form, or the match cannot be told in it; says why.
        """
        ...

    def keep_clip(self, note: str, correction: Mapping[str, object]) -> str:
        """Keep the latest pictures and a correction, for those who mend the reader.

        Returns:
            The name of what was kept.
        """
        ...

    # --- the device ---------------------------------------------------------------------------

    def settings(self) -> Mapping[str, object]:
        """Return the settings that a person may change here, by `section.key`."""
        ...

    def change_settings(self, changes: Mapping[str, object]) -> Mapping[str, object]:
        """Change settings and return them all.

        Raises:
            ValueError: an unknown key or a value that does not fit; says which and why.
        """
        ...

    def health(self) -> Mapping[str, object]:
        """Return how the device is: `{"level": "ok|warn|bad", "findings": [...]}`."""
        ...

    def diagnostics(self) -> bytes:
        """Return a ZIP for those who help: versions, settings, log, health; no secrets."""
        ...
