"""`zarbiter doctor`: is everything in place, and if not, what to do about it."""

import importlib
import importlib.metadata
import re
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from zarbiter.doctor_sight import look, models
from zarbiter.findings import Finding, Health

__all__ = ["PACKAGES", "Finding", "Health", "findings"]

PACKAGES = (
    "rules", "vision", "calibration", "hardware", "table", "referee", "recording", "web",
    "zarbiter",
)  # fmt: skip
_LEAST_FREE_MB = 500
_LEAST_SQLITE = (3, 37)
"""The first with STRICT tables."""
_LIBRARIES: Final = {
    "numpy": ("2.0", "numpy"),
    "cv2": ("4.10", "opencv-python-headless"),
    "cattrs": ("24.1", "cattrs"),
    "cryptography": ("43", "cryptography"),
    "fpdf": ("2.8", "fpdf2"),
}
"""Module → the oldest version that will do, its name at the index."""


def findings() -> Iterator[Finding]:
    """Check the installation, cheapest checks first."""
    yield _python()
    home = Path(__file__).resolve().parent.parent
    for name in PACKAGES:
        yield _package(name, home)
    for module, (least, package) in _LIBRARIES.items():
        yield _library(module, least, package)
    yield _guarded(_required)
    for many in (_clashes, _devices):
        yield from _all_guarded(many)
    for check in (_sqlite, models, look, _rules, _disk, _pi_camera):
        yield _guarded(check)


def _all_guarded(checks: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    """Yield findings up to the one that crashes, and the crash."""
    found = checks()
    while True:
        try:
            yield next(found)
        except StopIteration:
            return
        except Exception as error:  # noqa: BLE001 - as `_guarded`
            yield _crash(checks.__name__.strip("_"), error)
            return


def _guarded(check: Callable[[], Finding]) -> Finding:
    """Turn a crash of a check into its finding: the doctor itself must not fall ill."""
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - whatever is broken is what is to be reported
        return _crash(check.__name__.strip("_"), error)


def _crash(name: str, error: Exception) -> Finding:
    return Finding(
        name,
        Health.FAULT,
        f"{type(error).__name__}: {error}",
        "reinstall Zarbiter into a fresh virtual environment",
        "",
        "установите Zarbiter заново в чистое окружение",
    )


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    good = (3, 11) <= sys.version_info[:2] < (3, 14)
    return Finding(
        "python",
        Health.OK if good else Health.FAULT,
        version,
        "" if good else "use Python 3.11, 3.12 or 3.13",
        "",
        "" if good else "нужен Python 3.11, 3.12 или 3.13",
    )


def _package(name: str, home: Path) -> Finding:
    """Check that a package is ours: the flat names are common ones (ADR 0001)."""
    try:
        module = importlib.import_module(name)
    except Exception as error:  # noqa: BLE001 - an import can fail in any way
        return Finding(
            f"package {name}",
            Health.FAULT,
            f"{type(error).__name__}: {error}",
            "reinstall Zarbiter",
            "",
            "переустановите Zarbiter",
        )
    origin = Path(module.__file__ or ".").resolve().parent.parent
    if origin == home:
        return Finding(f"package {name}", Health.OK, "ours", "", "наш")
    return Finding(
        f"package {name}",
        Health.FAULT,
        f"comes from {origin}, Zarbiter from {home}",
        f"another program's {name!r} is in the way: give Zarbiter its own environment",
        f"взят из {origin}, а Zarbiter — из {home}",
        f"мешает {name!r} другой программы: дайте Zarbiter отдельное окружение",
    )


def _library(name: str, least: str, package: str) -> Finding:
    """Check that a library loads and is new enough; `package` is its name at the index."""
    cure = f"pip install '{package}>={least}'"
    try:
        module = importlib.import_module(name)
        version = str(getattr(module, "__version__", None) or _version(package))
    except ImportError as error:
        return Finding(name, Health.FAULT, str(error), cure)
    if _numbers(version) < _numbers(least):
        said = f"needs {least}: {cure}"
        return Finding(name, Health.FAULT, version, said, "", f"нужна {least}: {cure}")
    folder = Path(module.__file__ or ".").resolve().parent.parent
    return Finding(name, Health.OK, f"{version}, from {folder}", "", f"{version}, из {folder}")


def _version(package: str) -> str:
    return importlib.metadata.version(package)


def _required() -> Finding:
    """Check that everything Zarbiter says it needs is installed."""
    name = "requirements"
    try:
        lines = importlib.metadata.requires("zarbiter") or []
    except importlib.metadata.PackageNotFoundError:
        cure = "install it: pip install zarbiter-….whl"
        return Finding(name, Health.WARNING, "run from its folder, not installed", cure)
    missing = []
    for line in lines:
        found = re.match(r"[A-Za-z0-9._-]+", line)
        if found and "extra" not in line:
            try:
                _version(found[0])
            except importlib.metadata.PackageNotFoundError:
                missing.append(found[0])
    if missing:
        told = ", ".join(missing)
        cure = f"pip install {' '.join(missing)}"
        return Finding(name, Health.FAULT, f"missing: {told}", cure, f"не хватает: {told}")
    return Finding(name, Health.OK, "all installed", "", "всё установлено")


def _clashes() -> Iterator[Finding]:
    """Look for what is known not to go together."""
    from zarbiter.doctor_libraries import (
        environment_finding,
        installed,
        numpy_finding,
        opencv_finding,
        pi_model,
    )

    distributions = installed()
    yield environment_finding(pi_model())
    yield numpy_finding(distributions)
    used = Path(importlib.import_module("cv2").__file__ or ".").resolve()
    yield opencv_finding(distributions, used, sys.path)


def _devices() -> Iterator[Finding]:
    """Look at what is plugged in, and how the machine is."""
    from hardware.camera_list import list_cameras
    from hardware.gpio_factory import factory_name, open_pins
    from zarbiter.doctor_device import (
        cameras_finding,
        machine_findings,
        pins_finding,
        read_config,
        rights_finding,
    )
    from zarbiter.health_probes import Probes, read_machine

    finding, configured = read_config()
    yield finding
    yield cameras_finding(list_cameras())
    yield pins_finding(open_pins, factory_name, wanted=configured.pins)
    yield rights_finding()
    yield from machine_findings(read_machine(configured.folder, Probes()))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def _sqlite() -> Finding:
    good = sqlite3.sqlite_version_info >= _LEAST_SQLITE
    return Finding(
        "sqlite",
        Health.OK if good else Health.FAULT,
        sqlite3.sqlite_version,
        "" if good else "records need SQLite 3.37: a newer operating system or Python",
        "",
        "" if good else "записям нужен SQLite 3.37: новее ОС или Python",
    )


def _rules() -> Finding:
    from rules import VARIANTS, Color, Position, Roll, legal_turns

    start = Position.of({24: 15}, {12: 15})
    plays = [
        len(legal_turns(start, Color.WHITE, Roll(2, 1), one))
        for one in VARIANTS.values()
        if not one.hits
    ]
    return Finding(
        "rules",
        Health.OK,
        f"{len(VARIANTS)} sets, {sum(plays)} first plays of 2-1",
        "",
        f"наборов {len(VARIANTS)}, первых ходов при 2-1: {sum(plays)}",
    )


def _disk() -> Finding:
    try:
        free_mb = shutil.disk_usage(Path.cwd()).free // 1_000_000
    except OSError as error:  # somebody else has deleted the folder we are in
        return Finding(
            "free disk",
            Health.WARNING,
            f"{error.strerror}",
            "change to a folder that exists",
            "",
            "перейдите в существующую папку",
        )
    good = free_mb >= _LEAST_FREE_MB
    return Finding(
        "free disk",
        Health.OK if good else Health.WARNING,
        f"{free_mb} MB",
        "" if good else "free some space: records and evidence pictures need it",
        f"{free_mb} МБ",
        "" if good else "освободите место: оно нужно записям и снимкам",
    )


def _pi_camera() -> Finding:
    """Say whether the Pi's camera library can be used; pictures and replays do without."""
    try:
        importlib.import_module("picamera2")
    except Exception as error:  # noqa: BLE001 - off the Pi it fails in several ways
        return Finding(
            "Pi camera",
            Health.WARNING,
            f"not usable here ({type(error).__name__})",
            "on a Raspberry Pi: sudo apt install python3-picamera2, and make the environment "
            "with --system-site-packages; pictures and replays work without",
            f"здесь недоступна ({type(error).__name__})",
            "на Raspberry Pi: sudo apt install python3-picamera2, а окружение — с "
            "--system-site-packages; снимки и записи работают и без неё",
        )
    try:
        version = _version("picamera2")
    except importlib.metadata.PackageNotFoundError:  # put there by hand
        version = "of unknown version"
    return Finding("Pi camera", Health.OK, f"picamera2 {version}")
