"""The machine a table runs on, as the dashboard asks for it: settings, health, diagnostics."""

import io
import json
import platform
import zipfile
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Protocol

from recording.record import Storage
from web.api import Sight, SightState

_PACKAGES = (
    "zarbiter", "numpy", "opencv-python-headless", "opencv-python", "flask", "waitress",
    "cattrs", "cryptography", "fpdf2", "gpiozero", "picamera2",
)  # fmt: skip


class Device(Protocol):
    """What the service asks of its machine; called in any thread."""

    def settings(self) -> Mapping[str, object]:
        """Return the settings a person may change on the dashboard."""
        ...

    def change_settings(self, changes: Mapping[str, object]) -> Mapping[str, object]:
        """Change settings and return them all.

        Raises:
            ValueError: an unknown key or a value that does not fit.
        """
        ...

    def health(
        self, sight: Sight, storage: Storage | None, stopped: tuple[str, str] | None
    ) -> Mapping[str, object]:
        """Return how the machine is."""
        ...

    def diagnostics(self, health: Mapping[str, object]) -> bytes:
        """Return a ZIP for those who help."""
        ...


class PlainDevice:
    """A machine without settings of its own: the demo's."""

    def settings(self) -> Mapping[str, object]:
        """Return nothing: a demo is set by its command line."""
        return {}

    def change_settings(self, changes: Mapping[str, object]) -> Mapping[str, object]:
        """Refuse.

        Raises:
            ValueError: always, if anything is to be changed.
        """
        if changes:
            raise ValueError(f"{next(iter(changes))}: a demo is set on its command line")
        return {}

    def health(
        self, sight: Sight, storage: Storage | None, stopped: tuple[str, str] | None
    ) -> Mapping[str, object]:
        """Return what the table itself knows of its health."""
        return health_of(sight, storage, stopped)

    def diagnostics(self, health: Mapping[str, object]) -> bytes:
        """Return versions and health."""
        return bundle({"versions.json": versions(), "health.json": health})


def health_of(
    sight: Sight, storage: Storage | None, stopped: tuple[str, str] | None
) -> dict[str, object]:
    """Return the health of camera, disk and record."""
    findings: list[dict[str, object]] = []

    def found(name: str, level: str, ru: str, en: str) -> None:
        findings.append({"name": name, "level": level, "ru": ru, "en": en})

    if stopped is not None:
        found("record", "bad", *stopped)
    if storage is not None and storage.warning is not None:
        found("disk", "warn", *storage.warning)
    if sight.state in (SightState.LOST, SightState.STALE):
        trouble = sight.trouble or ("Камера не даёт снимков.", "The camera gives no pictures.")
        found("camera", "bad", *trouble)
    levels = [str(one["level"]) for one in findings]
    level = "bad" if "bad" in levels else "warn" if "warn" in levels else "ok"
    return {"level": level, "findings": findings, "frame_age_ms": sight.age_ms}


def versions() -> dict[str, str]:
    """Return what runs here."""
    told = {"python": platform.python_version(), "machine": platform.machine()}
    for name in _PACKAGES:
        try:
            told[name] = version(name)
        except PackageNotFoundError:
            continue
    return told


def bundle(files: Mapping[str, object]) -> bytes:
    """Pack files into a ZIP: bytes and text as they are, all else as JSON."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            if not isinstance(content, bytes | str):
                content = json.dumps(content, ensure_ascii=False, indent=1, default=str)
            archive.writestr(name, content)
    return packed.getvalue()
