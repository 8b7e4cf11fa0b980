"""Cameras, buttons, lamps and clocks behind narrow protocols."""

from hardware.button import ClockButton, Press, SideName
from hardware.button_sim import SimButton
from hardware.camera import Camera, CameraError, Picture
from hardware.clock import Clock, ManualClock, SystemClock
from hardware.errors import HardwareError

__all__ = [
    "Camera",
    "CameraError",
    "Clock",
    "ClockButton",
    "HardwareError",
    "ManualClock",
    "Picture",
    "Press",
    "SideName",
    "SimButton",
    "SystemClock",
]
