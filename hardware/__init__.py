"""Cameras, buttons, lamps and clocks behind narrow protocols.

Optional libraries (picamera2, gpiozero, evdev) are looked for only when a device is opened.
"""

from hardware.button import ClockButton, Press, SideName
from hardware.button_events import (
    BothPressed,
    ButtonEvent,
    ButtonFault,
    ButtonHealed,
    ButtonHealth,
    RefereeCall,
)
from hardware.button_gpiozero import ButtonPins, GpioButtons
from hardware.button_sim import SimButton
from hardware.camera import Camera, CameraError, Picture
from hardware.camera_choice import (
    CameraChoice,
    CameraChoiceError,
    choice_text,
    open_camera,
    opener,
    parse_choice,
)
from hardware.camera_errors import (
    CameraAbsentError,
    CameraBusyError,
    CameraClosedError,
    CameraFailedError,
    CameraOverError,
    CameraTimeoutError,
    CameraUnusableError,
)
from hardware.camera_list import Listed, Listing, list_cameras
from hardware.camera_settings import CameraSettingError, CameraSettings
from hardware.camera_states import CameraChange, CameraState, CameraStatus, Outage
from hardware.camera_steady import SteadyCamera
from hardware.clock import Clock, ManualClock, SystemClock
from hardware.colour_patch import PATCH_WORDS, PatchResult, check_patch
from hardware.debounce import ButtonSettingError, DebounceSettings, LineFault
from hardware.errors import HardwareError, Sentence
from hardware.gpio_factory import GpioError, factory_name, open_pins
from hardware.keyboard import KeyboardButtons, KeyboardError, find_keyboards
from hardware.lamp import PATTERNS, SIGNAL_WORDS, Lamp, Lit, Signal
from hardware.lamp_gpiozero import GpioLamp, LampPins
from hardware.lamp_player import LampPlayer
from hardware.picture import CameraPicture
from hardware.watchdog import WatchSettings

__all__ = [
    "PATCH_WORDS",
    "PATTERNS",
    "SIGNAL_WORDS",
    "BothPressed",
    "ButtonEvent",
    "ButtonFault",
    "ButtonHealed",
    "ButtonHealth",
    "ButtonPins",
    "ButtonSettingError",
    "Camera",
    "CameraAbsentError",
    "CameraBusyError",
    "CameraChange",
    "CameraChoice",
    "CameraChoiceError",
    "CameraClosedError",
    "CameraError",
    "CameraFailedError",
    "CameraOverError",
    "CameraPicture",
    "CameraSettingError",
    "CameraSettings",
    "CameraState",
    "CameraStatus",
    "CameraTimeoutError",
    "CameraUnusableError",
    "Clock",
    "ClockButton",
    "DebounceSettings",
    "GpioButtons",
    "GpioError",
    "GpioLamp",
    "HardwareError",
    "KeyboardButtons",
    "KeyboardError",
    "Lamp",
    "LampPins",
    "LampPlayer",
    "LineFault",
    "Listed",
    "Listing",
    "Lit",
    "ManualClock",
    "Outage",
    "PatchResult",
    "Picture",
    "Press",
    "RefereeCall",
    "Sentence",
    "SideName",
    "Signal",
    "SimButton",
    "SteadyCamera",
    "SystemClock",
    "WatchSettings",
    "check_patch",
    "choice_text",
    "factory_name",
    "find_keyboards",
    "list_cameras",
    "open_camera",
    "open_pins",
    "opener",
    "parse_choice",
]
