import re
from pathlib import Path

import pytest

from referee.timer_presets import PRESETS, format_control
from referee.timer_settings import ClockKind
from referee.timer_state import Answer, PauseReason, Phase

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "clock.md"
pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="needs docs/, which no wheel has")


def test_every_word_of_the_clock_is_documented() -> None:
    named = set(re.findall(r"`([^`\n]+)`", PAGE.read_text(encoding="utf-8")))
    words = {word.value for kind in (ClockKind, Answer, PauseReason, Phase) for word in kind}
    assert sorted(words - named) == []


def test_the_presets_documented_are_those_there_are() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+?) \|", PAGE.read_text(encoding="utf-8"), re.M)
    written = {name: control.strip("`") for name, control in rows if name in PRESETS}
    written |= {"none": "none"}
    for name, preset in PRESETS.items():
        assert written[name] == format_control(preset.control)
