import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from zarbiter.notify import Notifier, Watchdog
from zarbiter.pulse import Pulses


class Systemd:
    """The other end of the socket."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address.replace("@", "\0", 1))
        self.socket.setblocking(False)
        self.environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "20000000"}

    def heard(self) -> list[str]:
        messages = []
        while True:
            try:
                messages.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return messages


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[Systemd]:
    made = Systemd(str(tmp_path / "notify"))
    yield made
    made.socket.close()


class Time:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_systemd_is_told_what_goes_on(systemd: Systemd) -> None:
    notifier = Notifier(systemd.environment)
    assert notifier.ready("table 7\nwaits")
    assert notifier.status("playing")
    assert notifier.alive()
    assert notifier.stopping()
    assert systemd.heard() == [
        "READY=1\nSTATUS=table 7 waits", "STATUS=playing", "WATCHDOG=1", "STOPPING=1",
    ]  # fmt: skip


def test_an_abstract_socket_is_understood() -> None:
    other = Systemd("@zarbiter-test-notify")
    try:
        assert Notifier(other.environment).ready()
        assert other.heard() == ["READY=1"]
    finally:
        other.socket.close()


def test_without_systemd_nothing_is_told_and_nothing_fails(tmp_path: Path) -> None:
    assert not Notifier({}).ready()
    assert not Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "20000000"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "7"}, 20.0),
        ({"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdogs_time_is_read(
    environment: dict[str, str], expected: float | None
) -> None:
    assert Notifier(environment, lambda: 7).watchdog_s == expected


def test_the_watchdog_is_fed_only_while_every_part_lives(systemd: Systemd) -> None:
    time = Time()
    pulses = Pulses({"table": 3.0, "camera": 6.0}, time)
    watchdog = Watchdog(Notifier(systemd.environment), pulses, time)
    assert watchdog.every_s == 5.0
    assert watchdog.tick() == ()
    assert watchdog.tick() == ()
    assert systemd.heard() == ["WATCHDOG=1"]
    time.now_s += 5.0
    pulses.beat("table")
    assert watchdog.tick() == ()
    assert systemd.heard() == ["WATCHDOG=1"]
    time.now_s += 5.0
    pulses.beat("table")
    assert watchdog.tick() == ("camera",)
    assert watchdog.tick() == ("camera",)
    assert systemd.heard() == ["STATUS=not answering: camera"]
    pulses.beat("camera")
    assert watchdog.tick() == ()
    assert systemd.heard() == ["STATUS=running", "WATCHDOG=1"]


def test_without_a_watchdog_late_parts_are_still_named() -> None:
    time = Time()
    watchdog = Watchdog(Notifier({}), Pulses({"table": 3.0}, time), time)
    assert watchdog.every_s is None
    time.now_s += 4
    assert watchdog.tick() == ("table",)


def test_an_unknown_part_cannot_beat() -> None:
    with pytest.raises(KeyError):
        Pulses({"table": 3.0}, Time()).beat("chair")
