"""How `zarbiter run` is told what to do, and what it tells of its machine."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from recording.evidence import DiskState, Free
from recording.record import Storage
from tests.zarbiter.conftest import Run
from web.api import Sight, SightState
from zarbiter.config_load import load, places_of
from zarbiter.machine import Machine
from zarbiter.notify import Notifier
from zarbiter.service_device import PlainDevice, bundle, health_of


@pytest.mark.parametrize(("arguments", "says"), [
    (("--camera", "telescope"), "camera"),
    (("--rules", "chess"), "rules"),
    (("--port", "many"), "port"),
    (("--set", "web.prot=1"), "prot"),
    (("--set", "web.port"), "web"),
    (("--config", "nowhere.toml"), "nowhere.toml"),
    (("--role", "king"), "invalid choice"),
])  # fmt: skip
def test_a_wrong_option_is_named(
    run: Run, arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    said = run("run", "--record", tmp_path / "r", *arguments)
    assert said.status == 2
    assert says in said.err
    assert not (tmp_path / "r").exists()


def test_buttons_that_cannot_be_had_are_told_with_the_cure(run: Run, tmp_path: Path) -> None:
    said = run("run", "--camera", "sim", "--record", tmp_path, "--buttons", "gpio")
    assert said.status == 1
    assert said.err.startswith("zarbiter: ")
    assert "Traceback" not in said.err


def machine(tmp_path: Path) -> Machine:
    file = tmp_path / "config.toml"
    file.write_text('[table]\nname = "7" # by the window\n')
    environment = {"ZARBITER_RECORD_FOLDER": str(tmp_path)}
    loaded = load(places_of({}, lambda: tmp_path, only=file), environment)
    return Machine(loaded, Notifier({}), environment)


def test_settings_are_changed_in_the_file_and_keep_its_comments(tmp_path: Path) -> None:
    device = machine(tmp_path)
    assert device.settings()["table.name"] == "7"
    changed = device.change_settings({"web.port": 8099})
    assert changed["web.port"] == 8099
    text = (tmp_path / "config.toml").read_text()
    assert "# by the window" in text
    assert "8099" in text


@pytest.mark.parametrize("changes", [{"web.prot": 1}, {"web.port": "x"}, {"web.port": -1}])
def test_a_setting_that_cannot_be_changes_nothing(
    changes: dict[str, object], tmp_path: Path
) -> None:
    device = machine(tmp_path)
    before = (tmp_path / "config.toml").read_text()
    with pytest.raises(ValueError, match=next(iter(changes))):
        device.change_settings(changes)
    assert (tmp_path / "config.toml").read_text() == before


def test_health_is_the_worst_of_machine_and_table(tmp_path: Path) -> None:
    device = machine(tmp_path)
    lost = Sight(SightState.LOST, trouble=("Камеры нет.", "No camera."))
    told = device.health(lost, None, None)
    assert told["level"] == "bad"
    findings = told["findings"]
    assert isinstance(findings, list)
    assert findings[0]["en"] == "No camera."
    assert told["facts"]


def test_a_full_disk_and_a_stopped_record_are_findings() -> None:
    storage = Storage(DiskState.NO_PICTURES, Free(1, 100), 0)
    told = health_of(Sight(SightState.LIVE), storage, ("Стоп.", "Stopped."))
    assert told["level"] == "bad"
    findings = told["findings"]
    assert isinstance(findings, list)
    assert [one["name"] for one in findings] == ["record", "disk"]
    assert health_of(Sight(SightState.LIVE), None, None)["level"] == "ok"


def test_diagnostics_are_whole_and_hold_no_secret(tmp_path: Path) -> None:
    device = machine(tmp_path)
    packed = zipfile.ZipFile(io.BytesIO(device.diagnostics({"level": "ok"})))
    assert set(packed.namelist()) == {"versions.json", "settings.json", "health.json"}
    settings = json.loads(packed.read("settings.json"))
    assert settings["table.name"] == "7"
    assert not any("code" in key or "password" in key for key in settings)


def test_a_demo_has_no_settings() -> None:
    device = PlainDevice()
    assert device.settings() == device.change_settings({}) == {}
    with pytest.raises(ValueError, match=r"web\.port"):
        device.change_settings({"web.port": 1})
    packed = zipfile.ZipFile(io.BytesIO(device.diagnostics({"level": "ok"})))
    assert "versions.json" in packed.namelist()
    assert zipfile.ZipFile(io.BytesIO(bundle({"a.txt": "x"}))).read("a.txt") == b"x"
