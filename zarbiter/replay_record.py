"""The record of a replay: what the arbiter makes of the same looks, kept as `run` keeps it.

Nobody answers in a replay. Where a person would be asked the record ends with the question, and
the event lines, which need no answer, go on alone.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from recording.keeper import MatchKeeper
from recording.record_open import open_record
from recording.signing import device_key
from referee.arbiter import Actor, MatchSetup, Role
from referee.arbiter.events import MatchOpened, Overridden
from referee.states import Look
from rules import Color, Position
from vision.frame import Frame
from zarbiter.eye import Eye
from zarbiter.live import LiveMatch, Step
from zarbiter.setup import Setup

_LOOKS = 3
"""Looks at a board at rest that are kept, to be taken again while nothing moves."""


class ReplayRecord:
    """Keeps a replay; a context manager.

    Args:
        folder: a new folder, or an empty one.
        setup: how the table stands.
        buttons: whether presses end the turns.

    Raises:
        RecordError: the record cannot be written there.
    """

    def __init__(self, folder: Path, setup: Setup, *, buttons: bool) -> None:
        self._setup = setup
        self._now_ms = 0
        folder.mkdir(parents=True, exist_ok=True)
        self._record = open_record(folder / "record", device_key(folder), table="replay")
        keeper = MatchKeeper(self._record, lambda: self._now_ms)
        # Monitor: nobody is there to put a wrong play right, so the game goes on.
        agreed = MatchSetup(setup.variant.name, role=Role.MONITOR, lifted_dice_end=not buttons)
        keeper.open("replay", MatchOpened(0, agreed))
        self._live = LiveMatch(keeper, Eye(setup.white, setup.layout))
        self._begun = False
        self._rest: deque[tuple[Frame, Look]] = deque(maxlen=_LOOKS)

    def begin(self, at_s: float, position: Position) -> None:
        """Say what stood on the board and who was to throw."""
        if self._begun:
            return
        self._begun = True
        turn = self._setup.turn
        self._live.say(
            Overridden(self._at(at_s), Actor.REFEREE, turn, position, None, "set-up")
        )

    def look(self, frame: Frame, look: Look, eye: Eye) -> None:
        """Take a look."""
        self._at(frame.at_s)
        if not look.calm:
            self._rest.clear()
        if self._begun:
            self._live.eye = eye
            _drain(self._live.take(frame, look))
            if look.calm:
                self._rest.append((frame, look))

    def between(self, at_s: float, *, calm: bool) -> None:
        """Take a frame that was not looked at.

        Args:
            at_s: its time.
            calm: it shows what the looks before it showed, so one of them is taken again;
                otherwise something moved in it.
        """
        self._at(at_s)
        if not self._begun or not self._rest:
            return
        frame, look = self._rest[0]
        self._rest.rotate(-1)
        again = replace(look, at_s=at_s) if calm else Look(at_s, calm=False)
        if not calm:
            self._rest.clear()
        _drain(self._live.take(Frame(frame.bgr, at_s, frame.seq), again))

    def press(self, at_s: float, side: Color) -> None:
        """Take a press of a clock button."""
        if self._begun:
            _drain(self._live.press(self._at(at_s), side))

    def close(self) -> None:
        """Sign and close."""
        self._record.close()

    def __enter__(self) -> "ReplayRecord":
        """Keep."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def _at(self, at_s: float) -> int:
        self._now_ms = max(self._now_ms, round(1000 * at_s))
        return self._now_ms


def _drain(steps: Iterator[Step]) -> None:
    for _ in steps:
        pass
