"""`zarbiter doctor`: is everything in place, and if not, what to do about it."""

import importlib
import importlib.metadata
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

PACKAGES = (
    "rules", "vision", "calibration", "hardware", "table", "referee", "recording", "web",
    "zarbiter",
)  # fmt: skip
_LEAST_FREE_MB = 500
_LEAST_SQLITE = (3, 37)
"""The first with STRICT tables."""


class Health(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    WARNING = "warning"
    """Works, but something a person may want is missing."""
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing checked."""

    name: str
    health: Health
    found: str
    cure: str = ""
    """What to do; empty when all is well."""


def findings() -> Iterator[Finding]:
    """Check the installation, cheapest checks first."""
    yield _python()
    home = Path(__file__).resolve().parent.parent
    for name in PACKAGES:
        yield _package(name, home)
    yield _library("numpy", "2.0", "pip install 'numpy>=2'")
    yield _library("cv2", "4.10", "pip install opencv-python-headless")
    yield _library("cattrs", "24.1", "pip install 'cattrs>=24.1'", "cattrs")
    yield _library("cryptography", "43", "pip install 'cryptography>=43'", "cryptography")
    yield _library("fpdf", "2.8", "pip install 'fpdf2>=2.8'", "fpdf2")
    for check in (_sqlite, _models, _look, _rules, _disk, _pi_camera):
        yield _guarded(check)


def _guarded(check: Callable[[], Finding]) -> Finding:
    """Turn a crash of a check into its finding: the doctor itself must not fall ill."""
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - whatever is broken is what is to be reported
        return Finding(
            check.__name__.strip("_"),
            Health.FAULT,
            f"{type(error).__name__}: {error}",
            "reinstall Zarbiter into a fresh virtual environment",
        )


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    good = (3, 11) <= sys.version_info[:2] < (3, 14)
    return Finding(
        "python",
        Health.OK if good else Health.FAULT,
        version,
        "" if good else "use Python 3.11, 3.12 or 3.13",
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
        )
    origin = Path(module.__file__ or ".").resolve().parent.parent
    if origin == home:
        return Finding(f"package {name}", Health.OK, "ours")
    return Finding(
        f"package {name}",
        Health.FAULT,
        f"comes from {origin}, Zarbiter from {home}",
        f"another program's {name!r} is in the way: give Zarbiter its own environment",
    )


def _library(name: str, least: str, cure: str, package: str | None = None) -> Finding:
    """Check that a library loads and is new enough; `package` is its name at the index."""
    try:
        module = importlib.import_module(name)
        version = importlib.metadata.version(package) if package else str(module.__version__)
    except ImportError as error:
        return Finding(name, Health.FAULT, str(error), cure)
    good = _numbers(version) >= _numbers(least)
    return Finding(
        name,
        Health.OK if good else Health.FAULT,
        version,
        "" if good else f"needs {least}: {cure}",
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def _models() -> Finding:
    from vision.checkers_network import default_network

    default_network()
    folder = Path(importlib.import_module("vision").__file__ or ".").parent / "models"
    total = sum(file.stat().st_size for file in folder.iterdir() if file.is_file())
    return Finding("models", Health.OK, f"{total / 1e6:.1f} MB, load")


def _look() -> Finding:
    """Look at a picture drawn here: the whole chain must run through."""
    import numpy as np

    from vision.observe import Known, observe

    bgr = np.full((480, 640, 3), 128, dtype=np.uint8)
    corners = ((100.0, 60.0), (540.0, 60.0), (540.0, 420.0), (100.0, 420.0))
    seen = observe(bgr, Known(corners_px=corners))
    return Finding("test look", Health.OK, f"{seen.ms.total:.0f} ms")


def _sqlite() -> Finding:
    good = sqlite3.sqlite_version_info >= _LEAST_SQLITE
    return Finding(
        "sqlite",
        Health.OK if good else Health.FAULT,
        sqlite3.sqlite_version,
        "" if good else "records need SQLite 3.37: a newer operating system or Python",
    )


def _rules() -> Finding:
    from rules import VARIANTS, Color, Position, Roll, legal_turns

    start = Position.of({24: 15}, {12: 15})
    plays = [
        len(legal_turns(start, Color.WHITE, Roll(2, 1), one))
        for one in VARIANTS.values()
        if not one.hits
    ]
    return Finding("rules", Health.OK, f"{len(VARIANTS)} sets, {sum(plays)} first plays of 2-1")


def _disk() -> Finding:
    try:
        free_mb = shutil.disk_usage(Path.cwd()).free // 1_000_000
    except OSError as error:  # somebody else has deleted the folder we are in
        return Finding(
            "free disk", Health.WARNING, f"{error.strerror}", "change to a folder that exists"
        )
    good = free_mb >= _LEAST_FREE_MB
    return Finding(
        "free disk",
        Health.OK if good else Health.WARNING,
        f"{free_mb} MB",
        "" if good else "free some space: records and evidence pictures need it",
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
        )
    version = importlib.metadata.version("picamera2")
    return Finding("Pi camera", Health.OK, f"picamera2 {version}")
