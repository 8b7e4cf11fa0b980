from pathlib import Path

import numpy as np
import pytest

from hardware.camera_list import Listed, Listing
from hardware.errors import Sentence
from hardware.gpio_factory import GpioError
from zarbiter.config_file import values_of
from zarbiter.config_keys import ConfigError
from zarbiter.doctor import findings
from zarbiter.doctor_device import (
    cameras_finding,
    colour_finding,
    config_finding,
    machine_findings,
    pins_finding,
    rights_finding,
)
from zarbiter.doctor_libraries import (
    DEBIAN,
    Distribution,
    environment_finding,
    installed,
    numpy_finding,
    opencv_finding,
    pi_model,
)
from zarbiter.findings import Finding, Health
from zarbiter.health import MachineReading

VENV = Path("/opt/zarbiter/lib/python3.13/site-packages")
PI = "Raspberry Pi 5 Model B Rev 1.0"


def library(name: str, version: str, folder: Path = VENV) -> Distribution:
    return Distribution(name, version, folder)


def test_every_finding_is_told_in_russian_and_what_is_ill_has_a_cure() -> None:
    for one in findings():
        found, cure = one.text("ru")
        assert found
        assert one.health is Health.OK or (cure and one.cure), one.name
        assert one.to_json()["check"] == one.name


def test_the_board_is_known_by_its_model(tmp_path: Path) -> None:
    model = tmp_path / "model"
    assert pi_model(model) is None
    model.write_bytes(PI.encode() + b"\0")
    assert pi_model(model) == PI
    model.write_bytes(b"Some other board\0")
    assert pi_model(model) is None


@pytest.mark.parametrize(
    ("base", "config", "health"),
    [
        ("/usr", "include-system-site-packages = true\n", Health.OK),
        ("/usr", "include-system-site-packages = false\n", Health.FAULT),
        ("/usr", "home = /usr/bin\n", Health.FAULT),
        ("/usr", None, Health.OK),
        ("/root/.pyenv/versions/3.13.0", None, Health.FAULT),
    ],
)
def test_an_environment_that_cannot_see_the_camera_library_is_named(
    tmp_path: Path, base: str, config: str | None, health: Health
) -> None:
    file = tmp_path / "pyvenv.cfg"
    if config is not None:
        file.write_text(config)
    found = environment_finding(PI, base=Path(base), config=file)
    assert found.health is health
    assert environment_finding(None).health is Health.OK


def test_two_opencv_wheels_in_one_folder_are_a_fault() -> None:
    used = VENV / "cv2" / "__init__.py"
    both = [library("opencv-python", "5.0.0"), library("opencv-python-headless", "5.0.0")]
    found = opencv_finding(both, used, [])
    assert found.health is Health.FAULT
    assert "pip uninstall opencv-python opencv-python-headless" in found.cure
    assert opencv_finding(both[:1], used, []).health is Health.OK


def test_the_systems_opencv_beside_ours_is_told_and_no_fault(tmp_path: Path) -> None:
    ours, system = tmp_path / "venv", tmp_path / "dist-packages"
    (ours / "cv2").mkdir(parents=True)
    system.mkdir()
    (system / "cv2.cpython-313-aarch64-linux-gnu.so").touch()
    used = ours / "cv2" / "__init__.py"
    found = opencv_finding([], used, [str(ours), str(system)])
    assert found.health is Health.OK
    assert str(system) in found.found


@pytest.mark.parametrize(
    ("libraries", "health"),
    [
        ([library("numpy", "2.4.6")], Health.OK),
        ([library("numpy", "2.2.4", DEBIAN), library("simplejpeg", "1.8", DEBIAN)], Health.OK),
        (
            [
                library("numpy", "2.4.6"),
                library("numpy", "1.24.2", DEBIAN),
                library("simplejpeg", "1.8", DEBIAN),
            ],
            Health.FAULT,
        ),
        ([library("numpy", "2.4.6"), library("numpy", "1.24.2", DEBIAN)], Health.OK),
    ],
)
def test_a_numpy_that_breaks_the_systems_picamera2_is_a_fault(
    libraries: list[Distribution], health: Health
) -> None:
    assert numpy_finding(libraries).health is health


def test_what_is_installed_is_listed() -> None:
    assert "numpy" in {one.name for one in installed()}


def test_cameras_are_listed_with_who_holds_them() -> None:
    free = Listed("picamera2:0", "imx708", ())
    held = Listed("v4l2:/dev/video0", "C920", ("cheese (412)",))
    assert cameras_finding(Listing((free,), None)) == Finding(
        "cameras", Health.OK, "picamera2:0 (imx708)"
    )
    found = cameras_finding(Listing((free, held), None))
    assert found.health is Health.WARNING
    assert "v4l2:/dev/video0: cheese (412)" in found.found
    assert cameras_finding(Listing((), None)).health is Health.WARNING


def patch(blue: int, red: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    return np.full((48, 64, 3), (blue, 20, red), np.uint8)


def test_swapped_channels_are_a_fault() -> None:
    assert colour_finding(patch(30, 200), "red").health is Health.OK
    assert colour_finding(patch(200, 30), "red").health is Health.FAULT
    assert colour_finding(patch(90, 90), "red").health is Health.WARNING
    assert colour_finding(patch(200, 30), "blue").health is Health.OK


class Factory:
    closed = False

    def close(self) -> None:
        self.closed = True


def test_the_pins_library_is_named_and_given_back(tmp_path: Path) -> None:
    factory = Factory()
    found = pins_finding(lambda: factory, lambda _: "lgpio", wanted=True, dev=tmp_path)
    assert (found.health, found.found) == (Health.OK, "driven by lgpio")
    assert factory.closed


def test_pins_that_do_not_work_are_a_fault_only_where_they_are_wanted(tmp_path: Path) -> None:
    def refuse() -> Factory:
        raise GpioError(Sentence("нет", "no"), Sentence("сделайте", "do"))

    def name(_: object) -> str:
        raise AssertionError

    assert pins_finding(refuse, name, wanted=False, dev=tmp_path).health is Health.OK
    (tmp_path / "gpiochip0").touch()
    found = pins_finding(refuse, name, wanted=False, dev=tmp_path)
    assert found == Finding("pins", Health.WARNING, "no", "do", "нет", "сделайте")
    assert pins_finding(refuse, name, wanted=True, dev=tmp_path).health is Health.FAULT


def test_groups_that_are_missing_are_named_with_the_command(tmp_path: Path) -> None:
    assert rights_finding(tmp_path).health is Health.OK
    for name in ("video0", "video1", "gpiochip0"):
        (tmp_path / name).touch()

    def group(node: Path) -> str:
        return "gpio" if node.name.startswith("gpio") else "video"

    found = rights_finding(tmp_path, may=lambda _: False, group=group, user=lambda: "anna")
    assert found.health is Health.WARNING
    assert found.cure == "sudo usermod -aG video,gpio anna, then log in again"
    assert rights_finding(tmp_path, may=lambda _: True).health is Health.OK


def test_the_machines_health_is_told_in_the_doctors_words() -> None:
    found = {
        one.name: one for one in machine_findings(MachineReading(throttled=1, free_mb=9000))
    }
    assert found["power"].health is Health.FAULT
    assert found["disk"].health is Health.OK
    assert "supply" in found["power"].cure


def test_a_broken_configuration_is_a_fault_and_an_absent_one_is_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        values_of("[camera]\nwith = 1\n", "config.toml")
    found = config_finding(caught.value, ())
    assert found.health is Health.FAULT
    assert "Perhaps camera.width?" in found.found
    assert config_finding(None, (tmp_path / "none",)).health is Health.OK
