import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.gpio_factory import (
    GpioError,
    check_folder,
    check_version,
    factory_name,
    open_pins,
)


def loader(**modules: object) -> Callable[[str], ModuleType]:
    def load(name: str) -> Any:
        module = modules.get(name.replace(".", "_"))
        if module is None:
            raise ImportError(f"No module named {name!r}")
        if isinstance(module, Exception):
            raise module
        return module

    return load


def good(version: str = "2.0.1.post3") -> Callable[[str], str]:
    return lambda name: version


def test_mock_pins_need_no_hardware() -> None:
    factory = open_pins("mock")
    assert isinstance(factory, MockFactory)
    assert factory_name(factory) == "mock"
    factory.close()


@pytest.mark.parametrize("version", ["1.6.2", "2.0.1", "2.0.1.post1", "2.0.1.post2"])
def test_releases_known_to_be_bad_are_refused(version: str) -> None:
    """BTN-09."""
    with pytest.raises(GpioError, match=rf"gpiozero {version} .*2\.0\.1\.post3"):
        check_version(version)


@pytest.mark.parametrize("version", ["2.0.1.post3", "2.0.2", "2.1", "3.0"])
def test_later_releases_are_taken(version: str) -> None:
    check_version(version)


def test_only_the_library_asked_for_is_tried(tmp_path: Path) -> None:
    """BTN-09: no silent fall to another one."""
    asked: list[str] = []

    def load(name: str) -> Any:
        asked.append(name)
        if name == "gpiozero":
            return ModuleType(name)
        raise ImportError("No module named 'lgpio'")

    with pytest.raises(GpioError, match="python3-lgpio"):
        open_pins(load=load, version=good(), environ={}, folder=lambda: tmp_path)
    assert asked == ["gpiozero", "gpiozero.pins.lgpio"]


def test_without_gpiozero_the_package_is_named() -> None:
    with pytest.raises(GpioError, match="sudo apt install python3-gpiozero") as caught:
        open_pins(load=loader())
    assert "клавиатура" in caught.value.sentence.ru.lower()


def test_pins_out_of_reach_are_said_with_the_cure(tmp_path: Path) -> None:
    def factory() -> None:
        raise RuntimeError("can not open gpiochip")

    load = loader(
        gpiozero=ModuleType("gpiozero"),
        gpiozero_pins_lgpio=SimpleNamespace(LGPIOFactory=factory),
    )
    with pytest.raises(GpioError, match=r"can not open gpiochip.*usermod -aG gpio"):
        open_pins(load=load, version=good(), environ={}, folder=lambda: tmp_path)


def test_a_folder_that_cannot_be_written_to_is_said_exactly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BTN-10."""
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    with pytest.raises(GpioError, match=r"lgpio puts its pipe.*LG_WD") as caught:
        check_folder({}, lambda: tmp_path)
    assert str(tmp_path) in caught.value.sentence.ru
    check_folder({"LG_WD": str(tmp_path / "else")}, lambda: tmp_path)
    with pytest.raises(GpioError, match="lgpio puts its pipe"):
        check_folder({"LG_WD": str(tmp_path)}, lambda: tmp_path / "else")
