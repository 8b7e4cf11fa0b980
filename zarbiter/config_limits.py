"""What a key of the configuration may hold, and how that is said."""

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from referee.timer_presets import PRESETS, control_named
from referee.timer_state import ClockError
from rules import RulesError, variant_named

_NAME_CHARS = 40
_HOST_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9-]+)*", re.I)
_CAMERA = re.compile(r"auto|sim|usb|picamera2(:[0-9]{1,2})?|v4l2:/dev/\S+|(video|folder):.+")
_PREFIX = re.compile(r"(/[A-Za-z0-9._-]+)+")
_MAINS_HZ = (50, 60)
# 0 and 1 belong to the identity chip of add-on boards.
_PINS = range(2, 28)


@dataclass(frozen=True, slots=True)
class Limit:
    """What is allowed."""

    en: str
    """In errors and in the reference, after "allowed:"."""
    ru: str
    accepts: Callable[[object], bool]
    """Asked only with a value of the key's type."""
    unit: str = ""


def between(low: int, high: int, unit: str = "") -> Limit:
    """Allow whole numbers of a range, both ends included."""
    ends = f"{low}–{high}" + (f" {unit}" if unit else "")
    return Limit(ends, ends, lambda one: isinstance(one, int) and low <= one <= high, unit)


def one_of(words: type[StrEnum]) -> Limit:
    """Allow the words of a list."""
    allowed = [word.value for word in words]
    return Limit(", ".join(allowed), ", ".join(allowed), lambda one: one in allowed)


def _is_rules(one: object) -> bool:
    try:
        variant_named(str(one))
    except RulesError:
        return False
    return True


def _is_control(one: object) -> bool:
    try:
        control_named(str(one))
    except ClockError:
        return False
    return True


def _is_host(one: object) -> bool:
    try:
        ipaddress.ip_address(str(one))
    except ValueError:
        # Numbers and dots alone are a mistyped address, not a name.
        return bool(_HOST_NAME.fullmatch(str(one))) and not re.fullmatch(r"[\d.]+", str(one))
    return True


def _is_address(one: object) -> bool:
    if one == "":
        return True
    try:
        ipaddress.ip_address(str(one))
    except ValueError:
        return False
    return True


def _is_text(one: object) -> bool:
    return str(one).isprintable()


NAME: Final = Limit(
    f"1–{_NAME_CHARS} printable characters",
    f"1–{_NAME_CHARS} печатных знаков",
    lambda one: _is_text(one) and 1 <= len(str(one).strip()) <= _NAME_CHARS,
)
RULES: Final = Limit(
    "a rule set, or one changed: classic+block=in_home",
    "набор правил, или изменённый: classic+block=in_home",
    _is_rules,
)
CAMERA: Final = Limit(
    "auto, picamera2:0, usb, v4l2:/dev/video0, video:FILE, folder:FOLDER, sim",
    "auto, picamera2:0, usb, v4l2:/dev/video0, video:ФАЙЛ, folder:ПАПКА, sim",
    lambda one: _is_text(one) and bool(_CAMERA.fullmatch(str(one))),
)
MAINS: Final = Limit("50, 60 Hz", "50, 60 Гц", lambda one: one in _MAINS_HZ, "Hz")
PIN: Final = Limit(
    "2–27 (BCM number)", "2–27 (номер BCM)", lambda one: isinstance(one, int) and one in _PINS
)
PIN_OR_NONE: Final = Limit(
    "2–27 (BCM number), or 0",
    "2–27 (номер BCM) или 0",
    lambda one: isinstance(one, int) and (one == 0 or one in _PINS),
)
CONTROL: Final = Limit(
    f"{', '.join(PRESETS)}, or e.g. 10m+12s delay",
    f"{', '.join(PRESETS)} или, например, 10m+12s delay",
    _is_control,
)
HOST: Final = Limit("an address or a host's name", "адрес или имя узла", _is_host)
YES_OR_NO: Final = Limit("true, false", "true, false", lambda one: isinstance(one, bool))
FOLDER: Final = Limit(
    "a path from / or ~",
    "путь от / или ~",
    lambda one: _is_text(one) and str(one).startswith(("/", "~")),
)
PATH: Final = Limit(
    "a path from / or ~, or empty",
    "путь от / или ~, или пусто",
    lambda one: _is_text(one) and (one == "" or str(one).startswith(("/", "~"))),
)
HOSTS: Final = Limit(
    "hosts' names between commas, or empty",
    "имена узлов через запятую, или пусто",
    lambda one: one == "" or all(_is_host(name.strip()) for name in str(one).split(",")),
)
PREFIX_PATH: Final = Limit(
    "a path such as /table3, or empty",
    "путь вида /table3, или пусто",
    lambda one: one == "" or bool(_PREFIX.fullmatch(str(one))),
)
ADDRESS: Final = Limit("an address, or empty", "адрес, или пусто", _is_address)
