"""Load picamera2, or say in one sentence why it does not load and which command helps."""

import importlib
from collections.abc import Callable
from types import ModuleType

from hardware.camera_errors import CameraUnusableError
from hardware.errors import Sentence
from hardware.pi_api import PiLibrary

_APT = "sudo apt install --no-install-recommends python3-picamera2"
_VENV = "/usr/bin/python3 -m venv --system-site-packages .venv"
_ELSE = Sentence(
    "USB-камера (--camera usb), запись и имитация работают и без этого.",
    "A USB camera (--camera usb), a recording and the simulated table work without it.",
)
_MISSING = {
    "picamera2": ("python3-picamera2", "picamera2"),
    "libcamera": ("python3-libcamera", "libcamera"),
    "pykms": ("python3-kms++", "pykms"),
    "kms": ("python3-kms++", "pykms"),
    "prctl": ("python3-prctl", "python-prctl"),
    "simplejpeg": ("python3-simplejpeg", "simplejpeg"),
}
"""Module → Debian package, the library's name."""


def load_picamera2(load: Callable[[str], ModuleType] = importlib.import_module) -> PiLibrary:
    """Import picamera2 and return its camera class.

    Args:
        load: what imports a module by name.

    Raises:
        CameraUnusableError: it is missing or does not fit the other libraries; with the cure.
    """
    try:
        library: PiLibrary = load("picamera2").Picamera2
    except ModuleNotFoundError as error:
        raise _missing(error.name or "picamera2") from error
    except Exception as error:
        # Bindings built for another Python or another numpy fail in any way they like.
        raise _clash(error) from error
    return library


def _missing(module: str) -> CameraUnusableError:
    package, name = _MISSING.get(module.partition(".")[0], (f"python3-{module}", module))
    return CameraUnusableError(
        Sentence(
            f"Библиотека {name} не видна этому Python, поэтому камера на шлейфе недоступна.",
            f"This Python does not see the library {name}, so no ribbon camera can be used.",
        ),
        Sentence(
            f"Установите её из системы: «{_APT}» (пакет {package}) — и создайте окружение "
            f"системным Python: «{_VENV}»; из pip она не ставится.",
            f"Install it from the system: “{_APT}” (package {package}), and make the "
            f"environment with the system's Python: “{_VENV}”; pip cannot provide it.",
        )
        + _ELSE,
    )


def _clash(error: Exception) -> CameraUnusableError:
    what = f"{type(error).__name__}: {error}"
    return CameraUnusableError(
        Sentence(
            f"Библиотека picamera2 не загружается: {what}.",
            f"The library picamera2 does not load: {what}.",
        ),
        Sentence(
            "Обычно виноват numpy из pip другой версии, чем у системы: создайте окружение "
            f"заново («{_VENV}») и не ставьте в него numpy и simplejpeg.",
            "Most often a numpy from pip that is not the system's is to blame: make the "
            f"environment anew (“{_VENV}”) and install neither numpy nor simplejpeg into it.",
        )
        + _ELSE,
    )
