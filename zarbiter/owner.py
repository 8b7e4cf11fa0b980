"""The one who owns a table's match: what is done to it, all in one thread."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from calibration.layout import BoardLayout
from recording.keeper import MatchKeeper
from recording.record import Storage
from recording.record_errors import RecordError
from referee.arbiter import Event, MatchSetup, MatchState
from referee.arbiter.events import MatchOpened, Pressed
from referee.arbiter.states import MatchOver, NotOpened, Refused, Say
from rules import Color
from vision.board_finder import find_board
from vision.frame import Frame
from vision.observation import Corners, Side
from vision.observe import check_field
from web.api import Answer, Sight, SightState, TableState, Told
from zarbiter.clips import ClipBuffer
from zarbiter.eye import Eye
from zarbiter.live import LiveMatch, Step
from zarbiter.placing import Placing
from zarbiter.profile_desk import ProfileDesk
from zarbiter.service_sight import CameraNews, Seen, sight_of

_TOLD_KEPT: Final = 20
_STORAGE_EVERY_MS: Final = 10_000
_FPS_SHARE: Final = 0.1
"""Weight of the newest gap between frames in the figure shown."""


class TableOwner:
    """A table with or without a match.

    Args:
        keeper: the arbiter on its record; a match under way is taken up again.
        placing: how the board lies before the camera.
        now_ms: the table's monotonic time in whole milliseconds.
        clips: the folder in which problem clips are kept.
        blank: what is the same in every state: the table's name and the like.
        keep_placing: called when the placing changed.
        heard: called with every step.
        profile: what was measured of board and camera.
    """

    def __init__(
        self,
        keeper: MatchKeeper,
        placing: Placing,
        now_ms: Callable[[], int],
        clips: Path,
        blank: TableState,
        keep_placing: Callable[[Placing], None],
        heard: Callable[[Step], None],
        profile: ProfileDesk | None = None,
    ) -> None:
        self.keeper = keeper
        self.placing = placing
        self._now_ms = now_ms
        self._folder = clips
        self._blank = blank
        self._keep_placing = keep_placing
        self._heard = heard
        self._profile = profile or ProfileDesk()
        self._clips = ClipBuffer()
        self.eye = Eye(placing.white, placing.layout, corners_px=placing.corners_px)
        self._seen = Seen(by_hand=placing.by_hand)
        self._camera = CameraNews()
        self._told: tuple[Told, ...] = ()
        self._stopped: tuple[str, str] | None = None
        self._storage: tuple[int, Storage] | None = None
        going_on = not isinstance(keeper.state.phase, NotOpened | MatchOver)
        self._live = LiveMatch(keeper, self.eye) if going_on else None

    @property
    def match(self) -> MatchState:
        """Where the match is."""
        return self.keeper.state

    @property
    def frame(self) -> Frame | None:
        """The last one looked at."""
        return self._seen.frame

    # --- what comes from the table ------------------------------------------------------------

    def see(self, frame: Frame) -> None:
        """Look at a frame."""
        self._clips.frame(frame)
        if self.frame is None:
            self._begin((frame.bgr.shape[1], frame.bgr.shape[0]))
        self._look(self._profile.straight(frame))

    def _look(self, frame: Frame) -> None:
        """Look at a frame whose straight lines are straight."""
        self._count(frame)
        live = self._live
        if live is not None:
            self.guarded(lambda: self._hear(live.frame(frame)))
            self.eye, calm = live.eye, live.calm
        else:
            self.eye, look = self.eye.see(frame, expectant=True)
            calm = self._seen.calm if look is None else look.calm
        self._profile.look(self.eye, frame)
        self._seen = replace(self._seen, calm=calm)
        if self.eye.corners_px != self.placing.corners_px:
            self.placing = replace(self.placing, corners_px=self.eye.corners_px)
            self._keep_placing(self.placing)
        self._clips.state(frame.at_s, self.match)

    def press(self, at_ms: int, side: Color) -> tuple[Step, ...]:
        """Take a press of a clock button."""
        self._clips.press(at_ms / 1000, side)
        steps = () if self._live is None else tuple(self._live.press(at_ms, side))
        return self._hear(steps)

    def time_passed(self) -> None:
        """Let time pass where no frame comes: a flag falls all the same."""
        if self._live is not None:
            self._hear(self._live.time_passed(self._now_ms()))

    def camera(self, news: CameraNews) -> None:
        """Hear how the camera is; an outage and its end are written down."""
        before, self._camera = self._camera, news
        out = (SightState.LOST, SightState.STALE)
        if before.state is not news.state and (news.state in out or before.state in out):
            data = {
                "camera": news.source,
                "state": news.state.value,
                "before": before.state.value,
            }
            self.guarded(lambda: self.keeper.record.note("record.camera", data))

    def close(self) -> None:
        """Keep what play taught of board and light."""
        self._profile.close()

    # --- what people ask ----------------------------------------------------------------------

    def do(self, event: Event) -> Answer:
        """Take a person's word, a press or a fact set by hand."""
        if isinstance(event, Pressed):
            return self._answered(self.press(event.at_ms, event.side))
        if self._live is None:
            return self._refused("not_now", "Матч ещё не начат.", "No match has begun.")
        return self._answered(self._hear((self._live.say(event),)))

    def open(self, setup: MatchSetup) -> Answer:
        """Begin a match under the name of its date and time."""
        if not isinstance(self.match.phase, NotOpened | MatchOver):
            return self._refused("not_now", "Идёт другой матч.", "Another match is under way.")
        began = f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}"
        rows = self.keeper.record.rows
        names = (began if one == 1 else f"{began}-{one}" for one in range(1, 1000))
        name = next(one for one in names if next(rows(match=one), None) is None)
        opened = MatchOpened(self._now_ms(), setup)
        step = Step(opened, self.keeper.open(name, opened))
        self._live = LiveMatch(self.keeper, self.eye.turn_over())
        return self._answered(self._hear((step,)))

    def find_board(self) -> Sight:
        """Look for the board anew in the newest picture."""
        found = None if self.frame is None else find_board(self.frame.bgr)
        if found is not None and found.corners_px is not None:
            self._seen = replace(self._seen, confidence=found.confidence)
            self._place(replace(self.placing, corners_px=found.corners_px, by_hand=False))
        return self.sight()

    def set_corners(self, corners: Corners) -> Sight:
        """Use these corners.

        Raises:
            GeometryError: they make no field in the picture.
        """
        if self.frame is not None:
            height, width = self.frame.bgr.shape[:2]
            check_field(corners, (width, height))
        self._seen = replace(self._seen, confidence=1.0)
        self._place(replace(self.placing, corners_px=corners, by_hand=True))
        return self.sight()

    def set_layout(self, layout: BoardLayout, white: Side) -> Sight:
        """Say where the points lie and which checkers are White's, between matches."""
        if isinstance(self.match.phase, NotOpened | MatchOver):
            self._place(replace(self.placing, layout=layout, white=white))
        return self.sight()

    def keep_clip(self, note: str, correction: Mapping[str, object]) -> str:
        """Keep the latest pictures and a correction; return the clip's name."""
        name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{self.keeper.record.head.seq}"
        corners = self.placing.corners_px
        in_picture = None if corners is None else self._profile.in_picture(corners)
        placing = replace(self.placing, corners_px=in_picture)
        self._clips.write(self._folder / name, placing, note, correction)
        return name

    # --- what is shown ------------------------------------------------------------------------

    def sight(self) -> Sight:
        """Return what the camera shows now."""
        return sight_of(self.eye, self._seen, self._camera, self._now_ms())

    def state(self, version: int, dropped: int) -> TableState:
        """Return everything that is shown.

        Args:
            version: of the state.
            dropped: frames that came while an older one was looked at.
        """
        now_ms = self._now_ms()
        if self._storage is None or now_ms - self._storage[0] >= _STORAGE_EVERY_MS:
            self._storage = now_ms, self.keeper.record.storage()
        sight = self.sight()
        return replace(
            self._blank,
            version=version,
            seq=self.keeper.record.head.seq,
            now_ms=now_ms,
            match_name=self.keeper.match,
            match=self.match,
            told=self._told,
            sight=replace(sight, dropped=sight.dropped + dropped),
            layout=self.placing.layout,
            white=self.placing.white,
            storage=self._storage[1],
            stopped=self._stopped,
        )

    def guarded(self, task: Callable[[], object]) -> None:
        """Do it; a record that cannot be written is told, and the table waits."""
        try:
            task()
        except RecordError as error:
            self.cannot_write(error)

    def cannot_write(self, error: RecordError) -> None:
        """Say that the record cannot be written, until something is written again."""
        self._stopped = error.ru, error.en

    # --- inside -------------------------------------------------------------------------------

    def _begin(self, image_size_px: tuple[int, int]) -> None:
        """Take the camera's first frame."""
        begun = self._profile.begin(self.eye, self.placing, image_size_px)
        self.eye = begun.eye
        if begun.placing != self.placing:
            self.placing = begun.placing
            self._keep_placing(self.placing)
        self._seen = replace(self._seen, by_hand=begun.placing.by_hand)
        if begun.trouble is not None:
            self._seen = replace(self._seen, advice=(*self._seen.advice, begun.trouble))
        if self._live is not None:
            self._live.eye = self.eye

    def _place(self, placing: Placing) -> None:
        """Look at the board anew, as it is said to lie."""
        self.placing = placing
        self._keep_placing(placing)
        self._seen = replace(self._seen, by_hand=placing.by_hand)
        self.eye = replace(
            Eye(placing.white, placing.layout, corners_px=placing.corners_px),
            focal_px=self.eye.focal_px,
        )
        if self._live is not None:
            self._live = LiveMatch(self.keeper, self.eye)
        if self.frame is not None:
            self._look(self.frame)

    def _hear(self, steps: Iterable[Step] | Iterator[Step]) -> tuple[Step, ...]:
        heard: list[Step] = []
        for step in steps:
            told = self._told_by(step)
            self._told = (*self._told, *told)[-_TOLD_KEPT:]
            if step.settled.events:
                self._stopped = None
            self._heard(step)
            heard.append(step)
        return tuple(heard)

    def _told_by(self, step: Step) -> tuple[Told, ...]:
        seq, at_ms = self.keeper.record.head.seq, step.event.at_ms
        return tuple(_told(one, seq, at_ms) for one in step.settled.said)

    def _answered(self, steps: tuple[Step, ...]) -> Answer:
        seq, now_ms = self.keeper.record.head.seq, self._now_ms()
        refused = [step.settled.refused for step in steps]
        why = tuple(_told(one, seq, now_ms) for one in refused if one is not None)
        told = tuple(one for step in steps for one in self._told_by(step))
        return Answer(not why, (*why, *told), seq)

    def _refused(self, code: str, ru: str, en: str) -> Answer:
        seq = self.keeper.record.head.seq
        return Answer(False, (Told(seq, self._now_ms(), code, ru, en, refused=True),), seq)

    def _count(self, frame: Frame) -> None:
        before, fps = self._seen.frame, self._seen.fps
        if before is not None and frame.at_s > before.at_s:
            now = 1 / (frame.at_s - before.at_s)
            fps = now if fps is None else fps + _FPS_SHARE * (now - fps)
        self._seen = replace(self._seen, frame=frame, fps=fps)


def _told(one: Say | Refused, seq: int, at_ms: int) -> Told:
    return Told(seq, at_ms, one.code, one.ru, one.en, refused=isinstance(one, Refused))
