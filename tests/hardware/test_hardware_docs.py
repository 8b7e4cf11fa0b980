import math
import re
from pathlib import Path

import pytest

from hardware.button_gpiozero import ButtonPins
from hardware.camera_choice import FORMS
from hardware.camera_settings import CameraSettings
from hardware.camera_states import CameraState
from hardware.debounce import DebounceSettings, LineFault
from hardware.lamp import Signal
from hardware.lamp_gpiozero import LampPins

DOCS = Path(__file__).resolve().parents[2] / "docs"
pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="needs docs/, which no wheel has")


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [CameraState, Signal, LineFault])
def test_every_state_signal_and_fault_is_documented(
    words: type[CameraState] | type[Signal] | type[LineFault],
) -> None:
    text = page("reference/hardware.md")
    assert [one.value for one in words if f"| `{one.value}` |" not in text] == []


def test_every_setting_is_documented() -> None:
    text = page("reference/hardware.md")
    names = [*CameraSettings.__dataclass_fields__, *DebounceSettings.__dataclass_fields__]
    assert [one for one in names if f"| `{one}` |" not in text] == []


def test_every_form_of_a_camera_is_documented() -> None:
    text = page("reference/hardware.md")
    for form in FORMS.split(", "):
        word = re.split(r"[\[:]", form)[0]
        assert f"`{word}" in text, form


def test_the_pins_on_the_pages_and_in_the_drawing_are_the_ones_used() -> None:
    buttons, lamp = ButtonPins(), LampPins()
    used = (buttons.white, buttons.black, lamp.green, lamp.amber, lamp.red, lamp.buzzer)
    for text in (
        page("reference/hardware.md"),
        page("howto/wire-buttons.md"),
        page("images/wiring.svg"),
    ):
        assert {int(one) for one in re.findall(r"GPIO(\d+)", text)} == set(used)


def test_the_table_of_heights_follows_its_formula() -> None:
    rows = re.findall(
        r"^\| [^|]*\(([\d.]+)°\) \|(.*)\|$", page("howto/mount-the-camera.md"), re.M
    )
    assert len(rows) == 4
    for angle, cells in rows:
        for height_mm, cell in zip(range(600, 1101, 100), cells.split("|"), strict=True):
            seen_mm = 2 * height_mm * math.tan(math.radians(float(angle)) / 2)
            if seen_mm < 520:
                assert cell.strip() == "too close"
            else:
                px_per_mm, die_px = (float(one) for one in cell.split("·"))
                assert px_per_mm == pytest.approx(960 / seen_mm, abs=0.006)
                assert die_px == pytest.approx(14 * 960 / seen_mm, abs=0.6)
