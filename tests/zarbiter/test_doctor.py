import importlib
import sys
from pathlib import Path
from types import ModuleType

import cv2
import numpy as np
import pytest

from tests.zarbiter.conftest import Run
from zarbiter import doctor
from zarbiter.doctor import PACKAGES, Health, findings


def by_name() -> dict[str, doctor.Finding]:
    return {one.name: one for one in findings()}


def test_a_sound_installation_has_no_fault(run: Run) -> None:
    said = run("doctor", "--json")
    assert said.status == 0
    checks = {line["check"]: line for line in said.lines}
    assert {f"package {name}" for name in PACKAGES} < set(checks)
    assert {"python", "numpy", "cv2", "models", "test look", "rules"} < set(checks)
    assert {line["health"] for line in said.lines} <= {"ok", "warning"}
    assert all(line["cure"] for line in said.lines if line["health"] != "ok")
    spoken = run("doctor")
    assert spoken.status == 0
    assert "numpy" in spoken.out


def test_a_package_of_another_program_is_noticed(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    strange = ModuleType("web")
    strange.__file__ = str(tmp_path / "web" / "__init__.py")
    monkeypatch.setitem(sys.modules, "web", strange)
    assert by_name()["package web"].health is Health.FAULT
    said = run("doctor")
    assert said.status == 1
    assert "own environment" in said.out


def test_a_missing_library_is_named_with_its_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    finding = by_name()["numpy"]
    assert finding.health is Health.FAULT
    assert "pip install" in finding.cure


def test_an_old_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("cv2"), "__version__", "4.9.0")
    assert by_name()["cv2"].health is Health.FAULT


def test_a_broken_model_is_a_finding_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vision.checkers_network", None)
    assert Health.FAULT in {one.health for one in findings()}


def test_a_deleted_folder_is_a_finding_and_no_crash(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def gone() -> Path:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(Path, "cwd", gone)
    assert by_name()["free disk"].health is Health.WARNING


def test_a_picture_of_a_card_tells_whether_red_and_blue_are_exchanged(
    run: Run, tmp_path: Path
) -> None:
    card = np.full((240, 320, 3), (30, 30, 200), np.uint8)
    cv2.imwrite(str(tmp_path / "red.png"), card)
    cv2.imwrite(str(tmp_path / "swapped.png"), card[:, :, ::-1])
    assert run("doctor", "--colour", "red", tmp_path / "red.png").status == 0
    swapped = run("doctor", "--colour", "red", tmp_path / "swapped.png", "--language", "ru")
    assert swapped.status == 1
    assert "→" in swapped.out
    assert run("doctor", "--colour", "green", tmp_path / "red.png").status == 2
    assert run("doctor", "--colour", "red", tmp_path / "none.png").status == 2
