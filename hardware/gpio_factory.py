"""The Pi's pins: which library drives them, whether it can be trusted, and why it cannot."""

import importlib
import importlib.metadata
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TypeAlias

from hardware.errors import HardwareError, Sentence

PinLibrary: TypeAlias = Literal["lgpio", "mock"]
LEAST_GPIOZERO = "2.0.1.post3"
"""post1 and post2 fell back to a library that crashes on a Pi 5."""


class GpioError(HardwareError):
    """The pins cannot be used; says why and what to do."""


def open_pins(
    library: PinLibrary = "lgpio",
    *,
    load: Callable[[str], ModuleType] = importlib.import_module,
    version: Callable[[str], str] = importlib.metadata.version,
    environ: Mapping[str, str] = os.environ,
    folder: Callable[[], Path] = Path.cwd,
) -> Any:
    """Return a gpiozero pin factory; the caller closes it.

    Only the library that was asked for is tried: gpiozero's own search falls silently to
    libraries that lose edges or crash.

    Raises:
        GpioError: a library is missing or known to be bad, or the pins are out of reach.
    """
    try:
        load("gpiozero")
    except ImportError as error:
        raise _missing("gpiozero", "python3-gpiozero") from error
    check_version(version("gpiozero"))
    if library == "mock":
        return load("gpiozero.pins.mock").MockFactory()
    check_folder(environ, folder)
    try:
        factory = load("gpiozero.pins.lgpio").LGPIOFactory
    except ImportError as error:
        raise _missing("lgpio", "python3-lgpio") from error
    try:
        return factory()
    except Exception as error:
        # lgpio has one error for everything, with a text.
        raise _out_of_reach(error) from error


def factory_name(factory: object) -> str:
    """Name the library that a pin factory stands for, for `doctor`."""
    return type(factory).__name__.removesuffix("Factory").lower()


def check_version(version: str) -> None:
    """Refuse releases of gpiozero that are known to be bad.

    Raises:
        GpioError: it is too old.
    """
    if _order(version) < _order(LEAST_GPIOZERO):
        raise GpioError(
            Sentence(
                f"gpiozero {version} теряет кнопки на новых платах.",
                f"gpiozero {version} loses buttons on newer boards.",
            ),
            Sentence(
                f"Нужна {LEAST_GPIOZERO}: «sudo apt update && sudo apt full-upgrade» или "
                f"«pip install 'gpiozero>={LEAST_GPIOZERO}'».",
                f"It takes {LEAST_GPIOZERO}: “sudo apt update && sudo apt full-upgrade”, or "
                f"“pip install 'gpiozero>={LEAST_GPIOZERO}'”.",
            ),
        )


def check_folder(environ: Mapping[str, str], folder: Callable[[], Path]) -> None:
    """Check that lgpio can put down its pipe: it does so where the program was started.

    Raises:
        GpioError: that folder may not be written to.
    """
    where = Path(environ.get("LG_WD") or folder())
    if os.access(where, os.W_OK | os.X_OK):
        return
    raise GpioError(
        Sentence(
            f"lgpio кладёт свой канал в папку запуска, а в {where} писать нельзя.",
            f"lgpio puts its pipe where the program starts, and {where} cannot be written to.",
        ),
        Sentence(
            "Запустите из своей папки или задайте LG_WD, например LG_WD=$XDG_RUNTIME_DIR.",
            "Start it in a folder of your own, or set LG_WD, such as LG_WD=$XDG_RUNTIME_DIR.",
        ),
    )


def _order(version: str) -> tuple[int, ...]:
    """Return a version's numbers in order: 2.0.1.post3 → 2, 0, 1, 3."""
    parts = version.replace("post", "").split(".")
    return tuple(int(part) for part in parts if part.isdigit())


def _missing(name: str, package: str) -> GpioError:
    return GpioError(
        Sentence(
            f"Библиотека {name} не установлена, поэтому кнопки и лампа недоступны.",
            f"The library {name} is not installed, so buttons and lamp cannot be used.",
        ),
        Sentence(
            f"«sudo apt install {package}» и окружение с --system-site-packages. "
            "Клавиатура и страница стола работают и без неё.",
            f"“sudo apt install {package}”, and an environment with --system-site-packages. "
            "The keyboard and the table's page work without it.",
        ),
    )


def _out_of_reach(error: Exception) -> GpioError:
    return GpioError(
        Sentence(
            f"Выводы GPIO недоступны: {error}.",
            f"The GPIO pins are out of reach: {error}.",
        ),
        Sentence(
            "На Raspberry Pi: «sudo usermod -aG gpio $USER» и войти заново. На другом "
            "компьютере кнопками служат клавиатура и страница стола.",
            "On a Raspberry Pi: “sudo usermod -aG gpio $USER”, then log in again. On another "
            "computer the keyboard and the table's page are the buttons.",
        ),
    )
