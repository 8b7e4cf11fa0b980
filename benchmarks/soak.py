"""A live table for an hour, with everything that can go wrong going wrong.

    python benchmarks/soak.py --minutes 60

`zarbiter run` on the simulated table, in this process: the camera stalls and is pulled out at
random, the disk fills up and is emptied again, twenty pages a minute are loaded and dropped.
Nothing may crash, no event may be lost, memory and threads must not grow, every outage must
stand in the record. Needs to be root for the small disk; without it the disk stays large and
that part is left out, and said.
"""

import argparse
import http.client
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from hardware.camera import Camera, Picture
from hardware.camera_errors import CameraFailedError
from hardware.clock import SystemClock
from recording.record_errors import RecordError
from recording.record_reader import RecordReader
from recording.verify import verify_record
from referee.arbiter import MatchSetup
from referee.arbiter.states import MatchOver, NotOpened
from referee.timer_presets import control_named
from zarbiter.config import CameraSettings as CameraConfig
from zarbiter.config import RecordSettings, Settings, WebSettings
from zarbiter.run import Opener, RunOptions, Table
from zarbiter.service_device import PlainDevice

SMALL_DISK_MB = 96
RULES = ("bolshie-nardy", "federation", "classic", "short")


@dataclass
class Cable:
    """Between camera and table: stalls, or is pulled out."""

    rng: random.Random
    outages: int = 0
    pulled_until_s: float = 0.0
    stalled_until_s: float = 0.0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def around(self, opener: Opener) -> Opener:
        """Put this between a camera and whoever opens it."""

        def opened() -> Camera:
            self.fail_if_pulled()
            return _Wired(opener(), self)

        return opened

    def fail_if_pulled(self) -> None:
        """Fail as a camera does whose cable is out."""
        if time.monotonic() < self.pulled_until_s:
            raise CameraFailedError("the cable is out")

    def mischief(self) -> None:
        """Pull it out for some seconds, or make it stall for longer than is bearable."""
        lasts_s = self.rng.uniform(3.0, 12.0)
        with self.lock:
            self.outages += 1
            if self.rng.random() < 0.5:
                self.pulled_until_s = time.monotonic() + lasts_s
            else:
                self.stalled_until_s = time.monotonic() + lasts_s


class _Wired:
    def __init__(self, camera: Camera, cable: Cable) -> None:
        self._camera, self._cable = camera, cable

    def read(self) -> Picture:
        self._cable.fail_if_pulled()
        while time.monotonic() < self._cable.stalled_until_s:
            time.sleep(0.05)  # noqa: TID251 - a stall is what is wanted
        return self._camera.read()

    def close(self) -> None:
        self._camera.close()


@contextmanager
def small_disk() -> Iterator[tuple[Path, bool]]:
    """Yield a folder on a small disk of its own where this user may make one."""
    with tempfile.TemporaryDirectory(prefix="zarbiter-soak-") as name:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={SMALL_DISK_MB}m", "tmpfs", name]
        small = os.geteuid() == 0 and subprocess.run(mount, check=False).returncode == 0
        try:
            yield Path(name), small
        finally:
            if small:
                subprocess.run(["umount", "-l", name], check=False)


def rss_mb() -> float:
    """Return this process's memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def reload_page(port: int, rng: random.Random) -> str | None:
    """Load a page as a browser does, listen a moment, drop it; return what went wrong."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        paths = ["/", "/api/v1/state"]
        if rng.random() < 0.5:
            paths.append("/api/v1/live.jpg")
        for path in paths:
            link.request("GET", path)
            answer = link.getresponse()
            answer.read()
            if answer.status >= 500 and answer.status != 503:
                return f"{path}: {answer.status}"
        link.request("GET", "/api/v1/stream")
        stream = link.getresponse()
        if stream.status == 200:
            stream.read(64)
        return None
    except OSError as error:
        return repr(error)
    finally:
        link.close()


def every(
    seconds: float, stop: threading.Event, task: Callable[[], object]
) -> threading.Thread:
    """Do something again and again in a thread of its own."""

    def loop() -> None:
        while not stop.wait(seconds):
            task()

    thread = threading.Thread(target=loop, daemon=True)
    thread.start()
    return thread


def main() -> int:
    """Soak, print the figures, and return 1 if anything was not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", type=float, default=2.0)
    parser.add_argument("--outage-every", type=float, default=45.0, help="seconds")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    cable = Cable(random.Random(options.seed + 1))
    stop, wrong = threading.Event(), list[str]()
    memory: list[float] = []
    threads: list[int] = []
    matches = fills = reloads = 0
    with small_disk() as (folder, small), ExitStack() as opened:
        settings = Settings(
            camera=CameraConfig(source="sim"),
            record=RecordSettings(folder=str(folder / "zarbiter"), budget_mb=50),
            web=WebSettings(port=0),
        )
        run = RunOptions(
            settings, PlainDevice(), clock=SystemClock(), speed=options.speed,
            cable=cable.around,
        )  # fmt: skip
        table = Table(run, opened, StringIO())
        port = table.port
        filler = folder / "filler"

        def fill() -> None:
            nonlocal fills
            fills += 1
            with suppress(OSError):
                filler.write_bytes(bytes(SMALL_DISK_MB << 20))
            stop.wait(rng.uniform(5.0, 15.0))
            filler.unlink(missing_ok=True)

        def reload() -> None:
            nonlocal reloads
            reloads += 1
            fault = reload_page(port, rng)
            if fault is not None and not stop.is_set():
                wrong.append(f"page: {fault}")

        every(options.outage_every, stop, cable.mischief)
        every(3.0, stop, reload)
        if small:
            every(120.0, stop, fill)
        ends_s = time.monotonic() + 60 * options.minutes
        told_s = 0.0
        while time.monotonic() < ends_s:
            table.turn()
            if isinstance(table.service.match.phase, NotOpened | MatchOver):
                agreed = MatchSetup(
                    RULES[matches % len(RULES)], "Anna", "Boris", 1,
                    control_named("10m+12s delay"),
                )  # fmt: skip
                try:
                    table.service.open(agreed)
                except RecordError:
                    continue  # a full disk; it is tried again
                else:
                    matches += 1
            if time.monotonic() - told_s > 30:
                told_s = time.monotonic()
                memory.append(rss_mb())
                threads.append(threading.active_count())
                state = table.service.state()
                print(
                    f"{(told_s - ends_s) / 60 + options.minutes:6.1f} min  "
                    f"{type(state.match.phase).__name__:14} rows {state.seq:6} "
                    f"sight {state.sight.state.value:8} {memory[-1]:6.0f} MB "
                    f"{threads[-1]} threads  {cable.outages} outages",
                    flush=True,
                )
        filler.unlink(missing_ok=True)
        stop.set()
        # The last outage ends before the table is closed, so that its end can be written.
        time.sleep(20)  # noqa: TID251
        for _ in range(50):
            table.turn()
        heard = table.service.state().seq
        opened.close()
        place = folder / "zarbiter" / "record"
        found = verify_record(place)
        with RecordReader(place) as reader:
            rows = list(reader.rows())
    if found.broken is not None:
        wrong.append(f"record: {found.explain[1]}")
    if rows[-1].seq < heard:
        wrong.append(f"rows lost: {heard} were told, {rows[-1].seq} are there")
    noted = sum(one.kind == "record.camera" and one.data["state"] != "live" for one in rows)
    settled, last = memory[len(memory) // 4], memory[-1]
    print(
        f"{options.minutes:g} min, {matches} matches, {len(rows)} rows, {reloads} pages, "
        f"{cable.outages} outages made and {noted} steps of outages recorded, "
        f"{fills if small else 'no (not root)'} full disks\n"
        f"memory {settled:.0f} → {last:.0f} MB ({100 * (last / settled - 1):+.1f} %), "
        f"threads {min(threads)}–{max(threads)}\nrecord: {found.explain[1]}"
    )
    if noted < cable.outages - 2:
        wrong.append(f"{cable.outages} outages, {noted} noted")
    if abs(last / settled - 1) > 0.10:
        wrong.append("memory moved by more than a tenth")
    for one in wrong:
        print(f"WRONG: {one}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
