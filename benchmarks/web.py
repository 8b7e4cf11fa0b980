"""The dashboard under load: 24 streams and 4 camera viewers, and how long the API takes then.

    python benchmarks/web.py [--seconds 20] [--slow] [--json FILE]

Server (waitress) and table run in this process, the viewers in another, as in life on another
machine. The table makes a change and a picture eight times a second, encoded once for each
picture that is looked at. Reported: API latency in quiet and under load, pictures offered and
encoded, how late changes reach the streams, whether the 25th stream and the 5th viewer are
refused, how old pictures are for a viewer who reads 20 kB/s (--slow).
"""

import argparse
import http.client
import json
import multiprocessing
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import cv2
import numpy as np

# Python puts a script's own folder first on the path; the tests' helpers lie beside it.
sys.path[:] = [one for one in sys.path if Path(one).resolve() != Path(__file__).parent]
sys.path.append(str(Path(__file__).resolve().parents[1]))

from referee.arbiter import Actor, MatchSetup  # noqa: E402
from referee.arbiter.events import RefereeCalled, RefereeLeft  # noqa: E402
from tests.support.web_table import FakeTable, Players, drawn  # noqa: E402
from web.api import LivePicture  # noqa: E402
from web.app import create_app  # noqa: E402
from web.server import WebServer  # noqa: E402
from web.settings import WebSettings  # noqa: E402

FPS = 8.0
NUMBERS = 2
"""By which a picture's number grows each time: what is told at the table counts as one."""
SIZE = (1280, 960)
PATHS = ("state", "time", "legal", "session", "entries?limit=20", "options", "matches")


class Camera(FakeTable):
    """A table whose pictures cost what a camera's cost to encode."""

    def __init__(self, folder: Path, began_s: float) -> None:
        super().__init__(folder, lambda: round(1000 * (time.monotonic() - began_s)) + 1000)
        start = '{"points": {"24": "w15", "12": "b15"}, "off": {"w": 0, "b": 0}}'
        shot = np.frombuffer(drawn(start, (6, 5)).jpeg, np.uint8)
        self._bgr = cv2.resize(cv2.imdecode(shot, cv2.IMREAD_COLOR), SIZE)
        self._newest: LivePicture | None = None
        self.offered = self.made = 0
        self.offered_at_ms = 0

    def offer(self) -> None:
        """Take a picture."""
        with self.lock:
            self.offered += 1
            self.offered_at_ms = self.now_ms()
            self._picture_seq += 1

    def picture(self, *, drawn: bool = False) -> LivePicture | None:
        """Return the newest picture, encoded once."""
        del drawn
        with self.lock:
            if self._newest is None or self._newest.seq != self._picture_seq:
                _, data = cv2.imencode(".jpg", self._bgr, [cv2.IMWRITE_JPEG_QUALITY, 80])
                self.made += 1
                at_ms = self.offered_at_ms
                self._newest = LivePicture(data.tobytes(), self._picture_seq, at_ms, 0)
            return self._newest


# --- the viewers, in a process of their own ---------------------------------------------------


@dataclass
class Heard:
    """What the viewers report."""

    latencies_ms: list[float] = field(default_factory=list)
    errors: int = 0
    entries: list[int] = field(default_factory=list)
    late_ms: list[float] = field(default_factory=list)
    gaps_s: list[float] = field(default_factory=list)
    pictures: list[int] = field(default_factory=list)
    refused: dict[str, Any] = field(default_factory=dict)
    slow_late_ms: list[float] = field(default_factory=list)


def opened(port: int, path: str) -> http.client.HTTPResponse:
    """Begin a request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", f"/api/v1/{path}", headers={"Connection": "close"})
    return connection.getresponse()


def follow(port: int, end_s: float, heard: Heard, index: int, base_ms: float) -> None:
    """Listen to a stream; how late a change comes is told by its own time."""
    answer = opened(port, "stream?after=0")
    last_s = time.monotonic()
    kind = ""
    while time.monotonic() < end_s:
        line = answer.readline().decode()
        if line.startswith("event: "):
            kind = line[7:].strip()
            now_s = time.monotonic()
            heard.gaps_s.append(now_s - last_s)
            last_s = now_s
        elif line.startswith("id: "):
            heard.entries[index] += 1
        elif line.startswith("data: ") and kind == "state":
            made_ms = json.loads(line[6:])["now_ms"]
            heard.late_ms.append(1000 * time.monotonic() - base_ms - made_ms)
    answer.close()


def watch(port: int, end_s: float, heard: Heard, index: int) -> None:
    """Watch the camera."""
    answer = opened(port, "live.mjpg")
    while time.monotonic() < end_s:
        if answer.readline().startswith(b"Content-Length"):
            heard.pictures[index] += 1
    answer.close()


def watch_slowly(port: int, end_s: float, heard: Heard, newest: "Any") -> None:
    """Read 20 kB/s and note how far behind the newest picture one is when it comes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.sock = socket.socket()
    # On a slow line little is on its way; here the receiver's room stands for that.
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1400)
    connection.sock.connect(("127.0.0.1", port))
    connection.request("GET", "/api/v1/live.mjpg", headers={"Connection": "close"})
    answer = connection.getresponse()
    pause = threading.Event()
    rest = b""
    while time.monotonic() < end_s:
        rest = (rest + answer.read(2000))[-400_000:]
        pause.wait(0.1)
        at = rest.find(b"X-Seq: ")
        if at >= 0 and b"\r\n" in rest[at:]:
            number = int(rest[at + 7 : rest.index(b"\r\n", at)])
            heard.slow_late_ms.append(1000 * (newest.value - number) / (NUMBERS * FPS))
            rest = rest[at + 8 :]
    answer.close()


def ask(port: int, end_s: float, heard: Heard, every_s: float) -> None:
    """Ask the API again and again, as pages do."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    pause = threading.Event()
    number = 0
    while time.monotonic() < end_s:
        began_s = time.perf_counter()
        connection.request("GET", f"/api/v1/{PATHS[number % len(PATHS)]}")
        answer = connection.getresponse()
        answer.read()
        heard.latencies_ms.append(1000 * (time.perf_counter() - began_s))
        heard.errors += answer.status != 200
        number += 1
        pause.wait(every_s)
    connection.close()


def viewers(
    port: int, seconds: float, streams: int, cameras: int, slow: bool, base_ms: float,
    newest: Any, out: Connection,
) -> None:  # fmt: skip
    """Run all viewers and send what they heard."""
    heard = Heard(entries=[0] * streams, pictures=[0] * cameras)
    end_s = time.monotonic() + seconds
    jobs: list[tuple[Callable[..., None], tuple[Any, ...]]] = [
        *((follow, (port, end_s, heard, n, base_ms)) for n in range(streams)),
        *((watch, (port, end_s, heard, n)) for n in range(cameras)),
        *((ask, (port, end_s, heard, 0.1)) for _ in range(4)),
    ]
    if slow:
        jobs.append((watch_slowly, (port, end_s, heard, newest)))
    threads = [threading.Thread(target=run, args=args) for run, args in jobs]
    for one in threads:
        one.start()
    if streams:
        threading.Event().wait(seconds / 2)
        for path in ("stream", "live.mjpg", "live.jpg"):
            with opened(port, path) as answer:
                heard.refused[path] = [answer.status, answer.getheader("Retry-After")]
    for one in threads:
        one.join()
    out.send(heard)


# --- the table --------------------------------------------------------------------------------


def measured(
    table: Camera, port: int, seconds: float, streams: int, cameras: int, slow: bool,
    base_ms: float,
) -> dict[str, Any]:  # fmt: skip
    """Drive the table while viewers look on."""
    context = multiprocessing.get_context("spawn")
    newest = context.Value("i", 0)
    receiving, sending = context.Pipe(duplex=False)
    child = context.Process(
        target=viewers,
        args=(port, seconds, streams, cameras, slow, base_ms, newest, sending),
    )
    child.start()
    offered, made, began_s = table.offered, table.made, time.monotonic()
    head = table.record.head.seq
    pause, number, spent_s = threading.Event(), 0, 0.0
    while not receiving.poll():
        step_s = time.monotonic()
        table.offer()
        newest.value = table._picture_seq
        event = RefereeCalled if number % 2 == 0 else RefereeLeft
        by = Actor.WHITE if number % 2 == 0 else Actor.REFEREE
        table.do(event(table.now_ms(), by))
        number += 1
        spent_s = time.monotonic() - step_s
        pause.wait(max(0.0, 1 / FPS - spent_s))
    passed_s = time.monotonic() - began_s
    heard: Heard = receiving.recv()
    child.join()
    return {
        "seconds": round(passed_s, 1),
        "api": spread(heard.latencies_ms),
        "api errors": heard.errors,
        "pictures a second offered": round((table.offered - offered) / passed_s, 2),
        "pictures a second encoded": round((table.made - made) / passed_s, 2),
        "pictures per viewer": heard.pictures,
        "rows written": table.record.head.seq - head,
        "rows per stream": [min(heard.entries, default=0), max(heard.entries, default=0)],
        "state late ms": spread(heard.late_ms),
        "longest silence of a stream s": round(max(heard.gaps_s, default=0.0), 2),
        "at full": heard.refused,
        "slow viewer behind ms": spread(heard.slow_late_ms),
    }


def spread(values: list[float]) -> dict[str, float]:
    """Return count, median, 95th percentile and greatest."""
    if len(values) < 2:
        return {"count": len(values)}
    cuts = statistics.quantiles(values, n=100)
    return {
        "count": len(values),
        "p50": round(cuts[49], 1),
        "p95": round(cuts[94], 1),
        "p99": round(cuts[98], 1),
        "max": round(max(values), 1),
    }


def main() -> int:
    """Measure in quiet and under load, print JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--slow", action="store_true", help="one camera viewer reads 20 kB/s")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="web-bench-") as made:
        folder = Path(made)
        table = Camera(folder / "record", began_s)
        settings = WebSettings(folder / "web", port=0)
        server = WebServer(create_app(table, settings), settings)
        server.start()
        table.open_match(MatchSetup(white="A", black="B"))
        Players(table).begin()
        base_ms = 1000 * began_s - 1000
        cameras = settings.most_viewers - options.slow
        report = {
            "in quiet": measured(table, server.port, 5.0, 0, 0, False, base_ms),
            "under load": measured(
                table, server.port, options.seconds, settings.most_streams, cameras,
                options.slow, base_ms,
            ),
        }  # fmt: skip
        server.close()
        table.close()
    text = json.dumps(report, indent=2)
    sys.stdout.write(text + "\n")
    if options.json:
        options.json.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
