"""A match under the camera: frames and presses in, recorded events and sentences out.

One thread owns it. The eye reads a frame, the watcher says what happened by what the arbiter
waits for, the keeper has it judged and written down.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from calibration.layout import BoardLayout
from recording.keeper import MatchKeeper
from recording.record_row import PictureKind
from referee.arbiter import MatchState, Settled, settle, watch_of
from referee.arbiter.events import (
    BoardNudged,
    Event,
    PlayRead,
    PlayRuled,
    Pressed,
    StartSeen,
    ThrowRuled,
    ThrowSeen,
    TimePassed,
)
from referee.arbiter.questions import ReadPlay, WatchPlay, WatchThrow
from referee.arbiter.states import (
    AwaitingThrow,
    Disputed,
    GameOver,
    Lost,
    MatchOver,
    PlayAsked,
    SettingUp,
    ThrowAsked,
)
from referee.matcher import match_standing
from referee.states import Look
from referee.watch_throws import unread
from referee.watcher import watch
from referee.watching import WatcherSettings, Watching, turned_to
from rules import Color
from rules.throw import Lies, ThrowVerdict
from vision.cv import jpeg_of
from vision.frame import Frame
from zarbiter.eye import Eye

_JPEG_QUALITY = 85
_KINDS = {
    ThrowSeen: PictureKind.THROW,
    PlayRead: PictureKind.AFTER,
    StartSeen: PictureKind.BEFORE,
}
_EXPECTANT = (SettingUp, Lost, GameOver, MatchOver)
"""In these the board may come to look quite another at one go."""
_CONTESTED = (Disputed, ThrowAsked, PlayAsked)
"""What a picture leads to that people may want to see for long."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one event led to."""

    event: Event
    settled: Settled


class LiveMatch:
    """A match as it is played.

    Args:
        keeper: the arbiter on its record, with a match open.
        eye: what is known of the table.
        evidence: whether pictures are kept.
    """

    def __init__(self, keeper: MatchKeeper, eye: Eye, *, evidence: bool = True) -> None:
        self.keeper = keeper
        self.eye = eye
        self._evidence = evidence
        self._watching = Watching()
        self._settings = WatcherSettings(keeper.state.variant, right_of_white(eye.layout))
        self._frame: Frame | None = None
        self.calm = True
        """Whether nothing moved at the last look."""

    @property
    def state(self) -> MatchState:
        """Where the match is."""
        return self.keeper.state

    def frame(self, frame: Frame) -> Iterator[Step]:
        """Look at a frame and yield what it leads to."""
        yield from self.time_passed(round(1000 * frame.at_s))
        before = self.eye.nudge_px
        expectant = isinstance(self.state.phase, _EXPECTANT)
        self.eye, look = self.eye.see(frame, expectant=expectant)
        if self.eye.nudge_px > before:
            nudged = round(self.eye.nudge_px - before)
            yield self._do(BoardNudged(round(1000 * frame.at_s), nudged))
        if look is not None:
            yield from self.take(frame, look)

    def take(self, frame: Frame, look: Look) -> Iterator[Step]:
        """Take a frame that was looked at already, as a replay's own eye does."""
        self.calm = look.calm
        if look.calm:
            self._frame = frame
            self._learn_again(look)
            match watch_of(self.state):
                case ReadPlay(before=before) | WatchPlay(before=before, correcting=True):
                    look = replace(look, touched=self.eye.touched(before))
                case _:
                    pass
        yield from self._look(look)

    def press(self, at_ms: int, side: Color) -> Iterator[Step]:
        """Take a press of a clock button."""
        wanted = watch_of(self.state)
        if isinstance(wanted, WatchThrow) and wanted.side is side:
            # Dice that nobody could read are told before the turn they belong to is ended.
            left = unread(self._watching, wanted, at_ms / 1000, self._settings)
            self._watching = left.state
            for fact in left.facts:
                yield self._do(fact)
        yield self._do(Pressed(at_ms, side))

    def time_passed(self, at_ms: int) -> Iterator[Step]:
        """Let time pass; where no frame comes a flag falls all the same."""
        step = Step(TimePassed(at_ms), self.keeper.do(TimePassed(at_ms)))
        if step.settled.events:
            yield step

    def say(self, event: Event) -> Step:
        """Take a person's word."""
        return self._do(event)

    def _look(self, look: Look) -> Iterator[Step]:
        """Let the watcher report, and look again for what the report made wanted."""
        watched = watch(self._watching, look, watch_of(self.state), self._settings)
        self._watching = watched.state
        for fact in watched.facts:
            yield self._do(fact)

    def _learn_again(self, look: Look) -> None:
        """Learn the board's look anew after a restart, once it plainly stands as it stood."""
        phase = self.state.phase
        if self.eye.look is not None or not isinstance(phase, AwaitingThrow):
            return
        if look.evidence is None or look.dice:
            return
        stands = match_standing(
            phase.position, look.evidence, self._settings.variant, self._settings.matcher
        )
        if stands.certain(self._settings.matcher) == phase.position:
            self.eye = self.eye.learn(phase.position)

    def _do(self, event: Event) -> Step:
        before = self.state
        pictures = {}
        kind = _KINDS.get(type(event))
        if self._evidence and kind is not None and self._frame is not None:
            if isinstance(settle(before, event).state.phase, _CONTESTED):
                kind = PictureKind.DISPUTE
            pictures[kind] = jpeg_of(self._frame.bgr, _JPEG_QUALITY)
        settled = self.keeper.do(event, pictures)
        self._learn(before, settled)
        # A wait that begins anew while no frame comes must not pass for the one before it.
        self._watching = turned_to(self._watching, watch_of(self.state))
        return Step(event, settled)

    def _learn(self, before: MatchState, settled: Settled) -> None:
        """Let the eye know what was found out."""
        for event in settled.events:
            match event:
                case StartSeen():
                    self.eye = self.eye.learn(event.position).turn_over()
                case ThrowRuled(verdict=ThrowVerdict.VOID):
                    self.eye = self.eye.turn_over()
                case PlayRuled():
                    self.eye = self.eye.learn(event.played)
                case _:
                    pass
        after = self.state.phase
        if after is not before.phase and isinstance(after, AwaitingThrow | Disputed):
            self.eye = self.eye.turn_over()


def right_of_white(layout: BoardLayout) -> Lies:
    """Return which half of the picture is on White's right hand.

    White sits at the row of points 1 to 12.
    """
    return Lies.RIGHT if layout.slot(1)[0] == "bottom" else Lies.LEFT
