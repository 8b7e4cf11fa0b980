import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from zarbiter.health import (
    Fact,
    Level,
    MachineReading,
    facts_of,
    to_json,
    worst,
)
from zarbiter.health_probes import (
    HealthWatch,
    Probes,
    bits_of,
    clock_synced,
    free_mb,
    memory_free_mb,
    read_machine,
    temperature_c,
    throttled,
    uptime_s,
    writable,
)

WELL = MachineReading(
    temperature_c=51.2,
    throttled=0,
    free_mb=9000,
    writable=True,
    clock_synced=True,
    memory_free_mb=2000,
    uptime_s=7200,
    frame_age_s=0.1,
)


def one(**changed: float | bool | None) -> Fact:
    (name,) = changed
    facts = facts_of(replace(MachineReading(), **changed))  # type: ignore[arg-type]
    assert len(facts) == 1, name
    return facts[0]


def test_a_sound_machine_is_well_in_every_fact() -> None:
    facts = facts_of(WELL)
    assert len(facts) == 8
    assert {fact.level for fact in facts} == {Level.OK}
    assert to_json(facts)["level"] == "ok"
    assert to_json(facts)["findings"] == []


def test_what_cannot_be_told_is_left_out() -> None:
    assert facts_of(MachineReading()) == ()
    assert worst(()) is Level.OK


@pytest.mark.parametrize(
    ("changed", "level"),
    [
        ({"temperature_c": 69.9}, Level.OK),
        ({"temperature_c": 70.0}, Level.WARN),
        ({"temperature_c": 85.0}, Level.WARN),
        ({"throttled": 0x50005}, Level.BAD),
        ({"throttled": 0x1}, Level.BAD),
        ({"throttled": 0x8}, Level.WARN),
        ({"throttled": 0x50000}, Level.WARN),
        ({"throttled": 0x80000}, Level.OK),
        ({"free_mb": 500}, Level.OK),
        ({"free_mb": 499}, Level.WARN),
        ({"free_mb": 49}, Level.BAD),
        ({"writable": False}, Level.BAD),
        ({"clock_synced": False}, Level.WARN),
        ({"memory_free_mb": 100}, Level.WARN),
        ({"frame_age_s": 1.9}, Level.OK),
        ({"frame_age_s": 2.0}, Level.WARN),
        ({"frame_age_s": 5.0}, Level.BAD),
        ({"uptime_s": 0.0}, Level.OK),
    ],
)
def test_each_fact_has_its_level(changed: dict[str, float], level: Level) -> None:
    assert one(**changed).level is level


def test_whatever_is_not_well_has_a_cure_in_both_languages() -> None:
    ill = MachineReading(90.0, 0x50005, 10, False, False, 20, 1.0, 9.0)
    facts = facts_of(ill)
    for fact in facts:
        assert fact.said.ru != fact.said.en
        if fact.level is not Level.OK:
            assert fact.cure is not None, fact.name
    told = to_json(facts)
    assert told["level"] == "bad"
    assert "Cool it" not in json.dumps(told)
    assert "own supply" not in json.dumps(to_json(facts_of(WELL)))


def test_the_levels_of_facts_add_up_to_the_worst() -> None:
    assert worst(facts_of(replace(WELL, clock_synced=False))) is Level.WARN
    assert worst(facts_of(replace(WELL, clock_synced=False, writable=False))) is Level.BAD


def test_the_kernels_files_are_read(tmp_path: Path) -> None:
    for number, text in enumerate(("48312\n", "51000\n", "unavailable\n")):
        zone = tmp_path / f"thermal_zone{number}"
        zone.mkdir()
        (zone / "temp").write_text(text)
    assert temperature_c(tmp_path) == 51.0
    assert temperature_c(tmp_path / "none") is None
    (tmp_path / "meminfo").write_text("MemTotal: 1 kB\nMemAvailable:    2048000 kB\n")
    assert memory_free_mb(tmp_path) == 2000
    (tmp_path / "uptime").write_text("12.50 40.00\n")
    assert uptime_s(tmp_path) == 12.5


def test_the_firmwares_bits_come_from_the_kernel_first(tmp_path: Path) -> None:
    place = tmp_path / "soc@107c000000" / "soc@107c000000:firmware"
    place.mkdir(parents=True)
    (place / "get_throttled").write_text("50005\n")
    assert throttled(tmp_path) == 0x50005


def answering(text: str) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    def run(*_: object, **named: object) -> "subprocess.CompletedProcess[str]":
        assert named["timeout"] == 0.5
        return subprocess.CompletedProcess([], 0, text)

    return run


def test_the_firmwares_bits_are_asked_of_vcgencmd_where_no_file_is(tmp_path: Path) -> None:
    assert throttled(tmp_path, answering("throttled=0x20002\n")) == 0x20002
    assert bits_of("error=1 error_msg") is None
    assert bits_of("throttled=x") is None

    def hangs(*_: object, **__: object) -> "subprocess.CompletedProcess[str]":
        raise subprocess.TimeoutExpired("vcgencmd", 0.5)

    assert throttled(tmp_path, hangs) is None


def test_time_is_synced_when_timesyncd_or_the_kernel_says_so(tmp_path: Path) -> None:
    file = tmp_path / "synchronized"
    assert clock_synced(file, lambda: False) is False
    assert clock_synced(file, lambda: True) is True
    file.touch()
    assert clock_synced(file, lambda: False) is True


def test_disk_and_rights_are_those_of_the_nearest_folder_that_exists(tmp_path: Path) -> None:
    assert writable(tmp_path / "a" / "b") is True
    assert free_mb(tmp_path / "a" / "b") == free_mb(tmp_path)


def test_a_probe_that_fails_tells_nothing_and_stops_nobody() -> None:
    def broken() -> float:
        raise OSError(5, "Input/output error")

    probes = Probes(
        temperature_c=broken,
        throttled=lambda: 0,
        clock_synced=lambda: True,
        memory_free_mb=lambda: 900,
        uptime_s=lambda: 5.0,
        free_mb=lambda _: 700,
        writable=lambda _: True,
    )
    reading = read_machine(Path("/record"), probes)
    assert reading.temperature_c is None
    assert (reading.free_mb, reading.writable, reading.throttled) == (700, True, 0)


def test_the_machine_is_not_asked_again_before_a_reading_is_old() -> None:
    asked: list[Path] = []
    now = [0.0]

    def free(folder: Path) -> int:
        asked.append(folder)
        return 700

    probes = Probes(throttled=lambda: None, temperature_c=lambda: None, free_mb=free)
    watch = HealthWatch(Path("/"), lambda: now[0], probes, keep_s=5.0)
    assert watch.reading().free_mb == 700
    now[0] = 4.9
    watch.reading()
    assert len(asked) == 1
    now[0] = 5.0
    watch.reading()
    assert len(asked) == 2
