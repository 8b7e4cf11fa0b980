"""`zarbiter run`: the live service: camera, buttons, referee, record and dashboard.

Opened in order, closed in the reverse one. Camera, buttons and pages have threads of their own;
the match belongs to the main one.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TextIO, TypeAlias

from calibration.profile import ProfileError, read_profile
from hardware.camera import Camera
from hardware.camera_choice import opener, parse_choice
from hardware.camera_settings import CameraSettings
from hardware.camera_steady import SteadyCamera
from hardware.clock import Clock, SystemClock
from recording.evidence import EvidencePolicy
from recording.keeper import MatchKeeper
from recording.record_open import open_record
from recording.signing import device_key
from web.settings import WebSettings
from zarbiter.config import Settings
from zarbiter.dashboard import Dashboard
from zarbiter.live import Step
from zarbiter.placing import Placing, PlacingError, read_placing, write_placing
from zarbiter.profile_desk import ProfileDesk, keeper_in, profile_for
from zarbiter.run_devices import (
    ButtonDesk,
    CameraFeed,
    LampDesk,
    open_buttons,
    open_lamp,
)
from zarbiter.service import TableService
from zarbiter.service_device import Device
from zarbiter.simulated import seat_players, simulated_placing

_TURN_S = 0.2
Opener: TypeAlias = Callable[[], Camera]
PLACING = "placing.json"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What is run."""

    settings: Settings
    device: Device
    language: str = "en"
    clock: Clock = field(default_factory=SystemClock)
    ready: Callable[[], object] = lambda: None
    """Called once everything is open."""
    alive: Callable[[TableService], None] = lambda _: None
    """Called some times a second, as long as all is well."""
    speed: float = 1.0
    """Of the simulated table's players."""
    cable: Callable[[Opener], Opener] = lambda opener: opener
    """What lies between the camera and us: tests pull it out."""


def run(options: RunOptions, stop: threading.Event, err: TextIO) -> int:
    """Run until told to stop.

    Returns:
        0.

    Raises:
        RecordError: the record cannot be written, or another Zarbiter writes it.
        HardwareError: buttons or lamp cannot be had.
        OSError: the dashboard's port is taken.
    """
    with ExitStack() as opened:
        table = Table(options, opened, err)
        options.ready()
        while not stop.is_set():
            table.turn()
    return 0


class Table:
    """Everything a live table is made of.

    Args:
        options: what is run.
        opened: closes it all, last opened first.
        err: where a person reads what happens.
    """

    def __init__(self, options: RunOptions, opened: ExitStack, err: TextIO) -> None:
        settings, clock = options.settings, options.clock
        self._options, self._err = options, err
        folder = Path(settings.record.folder).expanduser()
        folder.mkdir(parents=True, exist_ok=True)
        policy = EvidencePolicy(budget_bytes=settings.record.budget_mb << 20)
        name = settings.table.name
        record = open_record(folder / "record", device_key(folder), table=name, policy=policy)
        opened.callback(record.close)
        if record.recovery is not None:
            self._say((record.recovery.ru, record.recovery.en))
        simulated = settings.camera.source == "sim"
        place = folder / PLACING
        placing = simulated_placing() if simulated else self._placing(place)

        def now_ms() -> int:
            return round(1000 * clock.now_s())

        def keep(placed: Placing) -> None:
            # The board is looked for anew after a start where the disk did not take it.
            with suppress(OSError):
                write_placing(place, placed)

        lamp = open_lamp(settings.lamp, clock)
        if lamp is not None:
            opened.callback(lamp.close)
        self._lamp = LampDesk(lamp)
        self.service = TableService(
            MatchKeeper(record, now_ms),
            placing,
            now_ms,
            options.device,
            folder / "clips",
            table=name,
            simulated=simulated,
            keep_placing=keep,
            heard=self._heard,
            profile=self._profile(settings.calibration.profile, folder),
        )
        opened.callback(self.service.close)
        desk = ButtonDesk(self.service, self._say)
        for one in reversed(open_buttons(settings.buttons, clock, desk)):
            opened.callback(one.close)
        self._feed = CameraFeed(self._camera(opened, simulated), self.service)
        opened.callback(self._feed.close)
        web = settings.web
        served = WebSettings(
            folder,
            web.host,
            web.port,
            tuple(name.strip() for name in web.names.split(",") if name.strip()),
            web.spectators_see_camera,
            options.language,
            web.prefix,
            web.proxy or None,
            spectator_delay_s=web.spectator_delay_s,
        )
        dashboard = Dashboard(self.service, served)
        opened.callback(dashboard.close)
        self.port = dashboard.port
        self._feed.start()
        for line in dashboard.greeting:
            self._say(line)

    def turn(self) -> None:
        """Do what has come, at most a moment's wait."""
        self.service.turn(_TURN_S)
        self._lamp.stand(self.service, self._feed.status().state)
        self._options.alive(self.service)

    # --- inside -------------------------------------------------------------------------------

    def _camera(self, opened: ExitStack, simulated: bool) -> SteadyCamera:
        settings, clock = self._options.settings.camera, self._options.clock
        if simulated:
            players = seat_players(self.service, clock, self._options.speed)
            opened.callback(players.close)
            players.start()
            return SteadyCamera("sim", self._options.cable(players.camera), clock)
        choice = parse_choice(settings.source)
        wanted = CameraSettings(
            size_px=(settings.width, settings.height),
            fps=settings.fps,
            mains_hz=50 if settings.mains_hz == 50 else 60,
        )
        waiting = threading.Event()
        opened.callback(waiting.set)
        plugged = self._options.cable(opener(choice, wanted, clock, waiting.wait))
        return SteadyCamera(settings.source, plugged, clock)

    def _placing(self, place: Path) -> Placing:
        try:
            return read_placing(place) or Placing()
        except PlacingError as error:
            self._say((f"{error}: доску ищут заново.", f"{error}: finding the board anew."))
            return Placing()

    def _profile(self, path: str, folder: Path) -> ProfileDesk:
        if not path:
            return ProfileDesk()
        try:
            measured = read_profile(Path(path).expanduser())
            return ProfileDesk(profile_for(measured, folder), keeper_in(folder))
        except ProfileError as error:
            # The board can be found without it; that it is not used must be said.
            self._say((f"профиль не взят: {error}", f"the profile is not used: {error}"))
            return ProfileDesk()

    def _heard(self, step: Step) -> None:
        self._lamp.step(step)
        for said in step.settled.said:
            self._say((said.ru, said.en))

    def _say(self, sentence: tuple[str, str]) -> None:
        self._err.write(f"{sentence[0 if self._options.language == 'ru' else 1]}\n")
        self._err.flush()


@contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
    """Yield what SIGTERM and SIGINT set, for as long as this lasts."""
    stop = threading.Event()

    def ask(_: int, __: FrameType | None) -> None:
        stop.set()

    before = {one: signal.signal(one, ask) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield stop
    finally:
        for one, old in before.items():
            signal.signal(one, old)
