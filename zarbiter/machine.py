"""The machine a live table runs on: its configuration, its health, what systemd is told."""

import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from recording.record import Storage
from web.api import Sight
from zarbiter.config_file import save
from zarbiter.config_keys import KEYS, ConfigError, checked
from zarbiter.config_load import Loaded, load, values_in
from zarbiter.health import facts_of, to_json
from zarbiter.health_probes import HealthWatch
from zarbiter.notify import Notifier, Watchdog
from zarbiter.pulse import Pulses
from zarbiter.service import TableService
from zarbiter.service_device import bundle, health_of, versions

_LATE_S = 20.0
"""The table's thread may be silent for so long: a slow disk, a long look."""
_SECRET = ("pin", "code", "secret", "password", "key")


class Machine:
    """Implements `zarbiter.service_device.Device` for `zarbiter run`.

    Args:
        loaded: the configuration in force.
        notifier: to systemd.
        environment: of the process.
    """

    def __init__(
        self, loaded: Loaded, notifier: Notifier, environment: Mapping[str, str]
    ) -> None:
        self._loaded = loaded
        self._environment = environment
        folder = Path(loaded.settings.record.folder).expanduser()
        self._watch = HealthWatch(folder, time.monotonic)
        self._pulses = Pulses({"table": _LATE_S}, time.monotonic)
        self._watchdog = Watchdog(notifier, self._pulses, time.monotonic)

    def alive(self, service: TableService) -> None:
        """Say that the table's thread lives; called by it."""
        del service
        self._pulses.beat("table")
        self._watchdog.tick()

    def settings(self) -> Mapping[str, object]:
        """Return the configuration as it will be at the next start."""
        try:
            return values_in(load(self._loaded.places, self._environment).settings)
        except ConfigError:
            # The file was broken by hand meanwhile: what is in force is still true.
            return values_in(self._loaded.settings)

    def change_settings(self, changes: Mapping[str, object]) -> Mapping[str, object]:
        """Write changes to the configuration; they count from the next start on.

        Raises:
            ValueError: an unknown key, a value that does not fit, or a file that cannot be
                written.
        """
        wanted = {}
        for full, value in changes.items():
            if full not in KEYS:
                raise ValueError(f"{full}: no such setting")
            wanted[full] = checked(KEYS[full], value, full)
        path = self._loaded.places.written
        try:
            save(path, wanted)
        except OSError as error:
            raise ValueError(f"{path}: {error.strerror}") from error
        return self.settings()

    def health(
        self, sight: Sight, storage: Storage | None, stopped: tuple[str, str] | None
    ) -> Mapping[str, object]:
        """Return how machine and table are."""
        age_s = None if sight.age_ms is None else sight.age_ms / 1000
        reading = replace(self._watch.reading(), frame_age_s=age_s)
        machine = to_json(facts_of(reading))
        table = health_of(sight, storage, stopped)
        levels = [str(machine["level"]), str(table["level"])]
        level = next((one for one in ("bad", "warn") if one in levels), "ok")
        return {
            "level": level,
            "findings": [*_list(table["findings"]), *_list(machine["findings"])],
            "facts": machine["facts"],
            "frame_age_ms": sight.age_ms,
        }

    def diagnostics(self, health: Mapping[str, object]) -> bytes:
        """Return versions, settings and health; nothing in it opens a door."""
        told = {
            key: value
            for key, value in self.settings().items()
            if not any(word in key for word in _SECRET)
        }
        return bundle(
            {"versions.json": versions(), "settings.json": told, "health.json": health}
        )


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []
