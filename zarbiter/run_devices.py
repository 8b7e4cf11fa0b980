"""The devices of a live table, opened as the settings say and joined to its service."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from hardware.button import Press
from hardware.button_events import (
    BothPressed,
    ButtonEvent,
    ButtonFault,
    ButtonHealed,
    RefereeCall,
)
from hardware.button_gpiozero import ButtonPins, GpioButtons
from hardware.camera_errors import CameraClosedError, CameraOverError, CameraUnusableError
from hardware.camera_states import CameraState, CameraStatus
from hardware.camera_steady import SteadyCamera
from hardware.clock import Clock
from hardware.gpio_factory import open_pins
from hardware.keyboard import KeyboardButtons, find_keyboards
from hardware.lamp import Lamp, Signal
from hardware.lamp_gpiozero import GpioLamp, LampPins
from referee.arbiter import Actor
from referee.arbiter.events import RefereeCalled
from rules import Color
from vision.frame import Frame
from web.api import SightState, TableStoppedError
from zarbiter.config import ButtonSettings, ButtonSource, LampSettings, LampSource
from zarbiter.lamp_signals import passing_signal, standing_signal
from zarbiter.live import Step
from zarbiter.service import TableService
from zarbiter.service_sight import CameraNews

_WAIT_S = 0.5
_STATES = {
    CameraState.STARTING: SightState.STARTING,
    CameraState.LIVE: SightState.LIVE,
    CameraState.STALE: SightState.STALE,
    CameraState.ENDED: SightState.OFF,
    CameraState.CLOSED: SightState.OFF,
}


class Closing(Protocol):
    """Something to be closed at the end."""

    def close(self) -> None:
        """Give the device back."""
        ...


class CameraFeed:
    """Hands a camera's newest pictures to the table, and says how the camera is.

    Args:
        camera: watched and reopened by itself.
        service: the table.
    """

    def __init__(self, camera: SteadyCamera, service: TableService) -> None:
        self._camera = camera
        self._service = service
        self._stop = threading.Event()
        self._told: CameraState | None = None
        self._thread = threading.Thread(target=self._run, name="camera feed", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._camera.start()
        self._thread.start()

    def status(self) -> CameraStatus:
        """Say how the camera is."""
        return self._camera.status()

    def close(self) -> None:
        """Stop and give the camera back."""
        self._stop.set()
        self._camera.close()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def _run(self) -> None:
        seq = -1
        try:
            while not self._stop.is_set():
                self._tell()
                picture = self._over(seq)
                if picture is not None:
                    seq = picture.seq
                    self._service.offer(picture)
        except TableStoppedError:
            return

    def _over(self, seq: int) -> Frame | None:
        """Wait for the next picture; None if none came, or none will."""
        try:
            picture = self._camera.newer(seq, _WAIT_S)
        except (CameraClosedError, CameraOverError, CameraUnusableError):
            self._stop.wait(_WAIT_S)
            return None
        return None if picture is None else Frame(picture.bgr, picture.at_s, picture.seq)

    def _tell(self) -> None:
        status = self._camera.status()
        if status.state is self._told:
            return
        self._told = status.state
        live = status.state is CameraState.LIVE
        trouble = None if live else (status.sentence.ru, status.sentence.en)
        state = _STATES.get(status.state, SightState.LOST)
        self._service.camera(CameraNews(state, status.name, trouble, status.dropped))


@dataclass(frozen=True, slots=True)
class ButtonDesk:
    """Hands what the buttons tell to the table.

    Args:
        service: the table.
        told: hears what a person should know of a faulty line, in Russian and English.
    """

    service: TableService
    told: Callable[[tuple[str, str]], object]

    def hear(self, event: ButtonEvent) -> None:
        """Take one event; called in the buttons' own thread."""
        try:
            self._take(event)
        except TableStoppedError:
            return

    def _take(self, event: ButtonEvent) -> None:
        match event:
            case Press(at_s, side):
                self.service.press(round(1000 * at_s), Color(side))
            case RefereeCall(at_s, side):
                by = Actor.of(Color(side))
                at_ms = round(1000 * at_s)
                self.service.post(lambda: RefereeCalled(at_ms, by))
            case ButtonFault() | ButtonHealed():
                self.told((event.sentence.ru, event.sentence.en))
            case BothPressed():
                return  # Both presses were told; the clock judges them.


def open_buttons(
    settings: ButtonSettings, clock: Clock, desk: ButtonDesk
) -> tuple[Closing, ...]:
    """Open the clock buttons, last to be closed first.

    Raises:
        HardwareError: they cannot be had; says why and what to do.
    """
    match settings.source:
        case ButtonSource.GPIO:
            pins = open_pins()
            try:
                both = ButtonPins(settings.white_pin, settings.black_pin)
                return GpioButtons(both, pins, clock, desk.hear), pins
            except BaseException:
                pins.close()
                raise
        case ButtonSource.KEYBOARD:
            keyboards = KeyboardButtons(find_keyboards(), clock, desk.hear)
            keyboards.start()
            return (keyboards,)
        case ButtonSource.NONE:
            return ()


class LampDesk:
    """Shows on a lamp what the table says.

    Args:
        lamp: None: there is none.
        service: the table.
        camera: tells how the camera is.
    """

    def __init__(self, lamp: Lamp | None) -> None:
        self._lamp = lamp
        self._shown: Signal | None = None

    def step(self, step: Step) -> None:
        """Show what a step calls for."""
        signal = passing_signal(step)
        if signal is not None and self._lamp is not None:
            self._lamp.show(signal)
            self._shown = signal

    def stand(self, service: TableService, camera: CameraState) -> None:
        """Show what stands, where nothing is passing."""
        signal = standing_signal(service.match, camera)
        if self._lamp is None or signal is self._shown:
            return
        # What passes goes dark by itself; a throw that counts is not cut short by the wait
        # for the play, which shows nothing.
        if signal is not Signal.DARK or self._shown not in (Signal.COUNTS, Signal.VOID):
            self._lamp.show(signal)
            self._shown = signal


def open_lamp(settings: LampSettings, clock: Clock) -> GpioLamp | None:
    """Open the lamp, None where there is none.

    Raises:
        HardwareError: it cannot be had; says why and what to do.
    """
    if settings.source is LampSource.NONE:
        return None
    # In the configuration 0 stands for what is not wired.
    pins = LampPins(
        settings.green_pin or None,
        settings.amber_pin or None,
        settings.red_pin or None,
        settings.buzzer_pin or None,
    )
    return GpioLamp(pins, open_pins(), clock)
