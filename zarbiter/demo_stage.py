"""The simulated table as the product sees it: a camera, two buttons, and people who speak.

The referee gets pictures and button presses, as from a real table. What was really thrown and
played the players keep to themselves; only the comparison at the end opens it.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from hardware.clock import Clock, SystemClock
from recording.keeper import MatchKeeper
from recording.record_chain import Scope
from recording.record_open import open_record
from recording.signing import device_key
from referee.arbiter import MatchSetup, MatchState
from referee.arbiter.events import Event, PlayRuled, Pressed
from referee.timer_settings import ClockKind
from rules import Color, Variant
from table.camera import TableCamera
from table.incidents import plan_named
from table.live import LiveTable
from table.looks import LOOKS
from table.players import Player
from table.scene import Scene
from table.script import FilmSettings, Shot
from table.sequence import TableSetup
from table.truth import corners_px
from table.truth_log import TruthLog
from vision.frame import Frame
from vision.observation import Side
from web.api import SightState
from zarbiter.live import Step
from zarbiter.match_loop import run_match
from zarbiter.placing import Placing
from zarbiter.service import TableService
from zarbiter.service_device import PlainDevice
from zarbiter.service_sight import CameraNews

_LATE_S = 5.0
"""The first pictures take longer to draw; so much of it is made good."""
_BREATH_S = 0.05
"""Between two looks at what pages ask, while the table's next picture is not due."""


@dataclass(frozen=True, slots=True)
class StageSettings:
    """What is played on which table."""

    variant: Variant
    agreed: MatchSetup
    folder: Path
    seed: int = 1
    turns: int | None = None
    """None: to the end of the match."""
    look: str = "walnut"
    incidents: str = "few"
    speed: float | None = None
    """How fast beside real time; None: as fast as this machine can, and no page is heard."""
    clock: Clock = field(default_factory=SystemClock)
    setup: TableSetup | None = None
    """Another table than the one that `look` names."""
    film: FilmSettings = field(default_factory=lambda: FilmSettings(dense=True))
    player: Player | None = None
    """How both sides play; None: with a little sense."""
    think_s: tuple[float, float] = (0.4, 1.6)
    """For how long, from and to, they look at a roll first."""


class Stage:
    """A match at the simulated table, in service; a context manager.

    Raises:
        RecordError: the record cannot be kept in the folder.
    """

    def __init__(self, settings: StageSettings) -> None:
        self._settings = settings
        self.frames = 0
        """How many pictures were taken."""
        setup = settings.setup or TableSetup(look=LOOKS[settings.look])
        board, film = setup.board(), settings.film
        player = settings.player
        self._table = LiveTable(
            board,
            settings.variant,
            settings.seed,
            film,
            plan_named(settings.incidents),
            None if player is None else dict.fromkeys(Color, player),
            buttons=settings.agreed.clock.kind is not ClockKind.NONE,
            think_s=settings.think_s,
        )
        self._camera = TableCamera()
        scene = Scene(board.look, board.geometry, film.camera, film.light)
        # The corners as a person confirms them in the wizard.
        a, b, c, d = corners_px(scene, self._camera.size_px)
        folder = settings.folder
        self._record = open_record(folder / "record", device_key(folder), table="demo")
        self._heard: deque[Step] = deque()
        self.service = TableService(
            MatchKeeper(self._record, self._now_ms),
            Placing(
                board.layout,
                white=Side.LIGHT if board.light == "w" else Side.DARK,
                corners_px=(a, b, c, d),
                by_hand=True,
            ),
            self._now_ms,
            PlainDevice(),
            folder / "clips",
            table="demo",
            rate=settings.speed or 1.0,
            simulated=True,
            heard=self._heard.append,
        )
        self.service.camera(CameraNews(SightState.LIVE, "simulated"))
        self._began_s = settings.clock.now_s()

    @property
    def truth(self) -> TruthLog:
        """What really happened."""
        return self._table.truth

    def play(self) -> Iterator[Step]:
        """Play to the end, or for so many turns, and yield what falls."""
        self.service.turn(0.0)
        self.service.open(self._settings.agreed)
        self._began_s = self._settings.clock.now_s()
        self._heard.clear()  # that a match begins is no news to who asked for it
        played = 0

        def enough(_: MatchState) -> bool:
            return self._settings.turns is not None and played >= self._settings.turns

        for step in run_match(self, self._table, self._photographed, until=enough):
            played += sum(isinstance(one, PlayRuled) for one in step.settled.events)
            yield step

    def sign(self) -> None:
        """Sign the record as it stands, so that it can be verified while pages read it."""
        self._record.sign(Scope.CLOSE)

    # --- as the match loop knows the referee --------------------------------------------------

    @property
    def state(self) -> MatchState:
        """Where the match is."""
        return self.service.match

    def frame(self, frame: Frame) -> Iterator[Step]:
        """Look at a frame and yield what it, and what pages said meanwhile, led to."""
        self.service.see(frame)
        yield from self._steps()

    def press(self, at_ms: int, side: Color) -> Iterator[Step]:
        """Take a press of a clock button."""
        self.service.do(Pressed(at_ms, side))
        yield from self._steps()

    def say(self, event: Event) -> Step:
        """Take a person's word."""
        self.service.do(event)
        return self._heard.pop()

    # --- beginning and end --------------------------------------------------------------------

    def close(self) -> None:
        """End the service and close the record."""
        self.service.close()
        self._record.close()

    def __enter__(self) -> "Stage":
        """Play."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    # --- inside -------------------------------------------------------------------------------

    def _steps(self) -> Iterator[Step]:
        while self._heard:
            yield self._heard.popleft()

    def _now_ms(self) -> int:
        return round(1000 * self._table.now_s)

    def _photographed(self, shot: Shot) -> Frame:
        self.frames += 1
        self._camera.show(shot)
        frame = self._camera.read()
        if self._settings.speed is not None:
            self._pace(shot.at_s / self._settings.speed)
        return frame

    def _pace(self, due_s: float) -> None:
        """Let pages have their say until a picture is due; much lateness is not made good."""
        now_s = self._settings.clock.now_s
        if now_s() - self._began_s > due_s + _LATE_S:
            self._began_s = now_s() - due_s
        self.service.turn(0.0)
        while (left_s := self._began_s + due_s - now_s()) > 0:
            self.service.turn(min(left_s, _BREATH_S))
