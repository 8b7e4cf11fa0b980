"""What lamp and buzzer say of a match: a pure projection."""

from hardware.camera_states import CameraState
from hardware.lamp import Signal
from referee.arbiter import Lamp, MatchState, lamp_of
from referee.arbiter.events import PlayRuled, ThrowRuled
from referee.arbiter.states import AwaitingThrow, Disputed, FlagAsked, Lost, Playing
from rules import Verdict
from rules.throw import ThrowVerdict
from zarbiter.live import Step

_FAILING = (CameraState.LOST, CameraState.BUSY, CameraState.ABSENT, CameraState.UNUSABLE,
            CameraState.HUNG)  # fmt: skip


def standing_signal(match: MatchState, camera: CameraState) -> Signal:
    """Return what is shown as long as nothing new happens."""
    if match.called is not None:
        return Signal.REFEREE
    if camera in _FAILING:
        return Signal.FAULT
    phase = match.phase
    match phase:
        case FlagAsked():
            return Signal.FLAG
        case Lost():
            return Signal.FAULT
        case Disputed() | Playing(correcting=True):
            return Signal.WRONG_PLAY
        case AwaitingThrow():
            return Signal.YOUR_THROW
        case _:
            return Signal.UNSURE if lamp_of(match) is Lamp.AMBER else Signal.DARK


def passing_signal(step: Step) -> Signal | None:
    """Return what is shown once because of a step, None for nothing."""
    for event in reversed(step.settled.events):
        match event:
            case ThrowRuled(verdict=ThrowVerdict.VALID):
                return Signal.COUNTS
            case ThrowRuled(verdict=ThrowVerdict.VOID):
                return Signal.VOID
            case PlayRuled(verdict=Verdict.LEGAL):
                return Signal.COUNTS
            case _:
                continue
    return None
