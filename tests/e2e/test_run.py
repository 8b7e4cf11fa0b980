"""The live service as its user starts it: a process, a page, a signal."""

import http.client
import http.cookiejar
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from recording.verify import Verdict, verify_record

_PATIENCE_S = 120.0


class Page:
    """A browser, as far as it is needed."""

    def __init__(self, base: str) -> None:
        self.base = base.rstrip("/")
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._open = urllib.request.build_opener(jar).open
        found = re.search(r'data-csrf="([^"]+)"', self.get("/"))
        assert found is not None
        self._csrf = found[1]

    def get(self, path: str) -> str:
        with self._open(self.base + path, timeout=30) as answer:
            text: str = answer.read().decode()
            return text

    def post(self, path: str, data: dict[str, object]) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "X-CSRF-Token": self._csrf}
        asked = urllib.request.Request(self.base + path, json.dumps(data).encode(), headers)
        with self._open(asked, timeout=30) as answer:
            told: dict[str, Any] = json.load(answer)
            return told

    def until(self, what: str, least: int) -> dict[str, Any]:
        """Wait until the record has an event of a kind so often; return the state."""
        ends_s = time.monotonic() + _PATIENCE_S
        while time.monotonic() < ends_s:
            entries = json.loads(self.get("/api/v1/entries?after=0&limit=500"))
            kinds = [one["kind"] for one in entries["entries"]]
            if kinds.count(what) >= least:
                state: dict[str, Any] = json.loads(self.get("/api/v1/state"))
                return state
            time.sleep(0.3)  # noqa: TID251 - another process is waited for
        raise AssertionError(f"no {what} within {_PATIENCE_S} s")


@contextmanager
def started(*arguments: str) -> Iterator[tuple["subprocess.Popen[str]", Page]]:
    command = [sys.executable, "-m", "zarbiter", *arguments]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment
    )
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        found = re.search(r"http://\S+", said)
        assert found is not None, said + process.stderr.read()
        yield process, Page(found[0])
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_a_match_is_refereed_from_the_page_and_a_second_start_is_refused(
    tmp_path: Path,
) -> None:
    run = ("run", "--camera", "sim", "--port", "0", "--record", str(tmp_path))
    with started(*run) as (process, page):
        opened = page.post(
            "/api/v1/matches",
            {"rules": "classic", "white": "Anna", "black": "Boris", "length": 1,
             "clock": "10m+12s delay", "role": "referee"},
        )  # fmt: skip
        assert opened["done"]
        second = subprocess.run(
            [sys.executable, "-m", "zarbiter", *run],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert second.returncode == 1
        assert "zarbiter" in second.stderr
        assert "Traceback" not in second.stderr
        state = page.until("throw_ruled", 1)
        assert state["match"]["rules"] == "classic"
        assert state["sight"]["state"] in ("live", "hand", "stale")  # on a busy machine
        process.send_signal(signal.SIGTERM)
        assert process.wait(120) == 0
    assert verify_record(tmp_path / "record").verdict is Verdict.OK


def test_a_demo_shows_itself_and_stays_until_it_is_told_to_end(tmp_path: Path) -> None:
    keep = tmp_path / "demo"
    demo = ("demo", "--no-browser", "--port", "0", "--turns", "1", "--incidents", "none",
            "--speed", "10", "--keep", str(keep))  # fmt: skip
    with started(*demo) as (process, page):
        state = page.until("play_ruled", 1)
        assert state["simulated"]
        assert process.stderr is not None
        for line in process.stderr:
            if "stays open" in line:
                break
        assert json.loads(page.get("/api/v1/matches"))
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 0
    assert verify_record(keep / "record").verdict is Verdict.OK
    assert (keep / "protocol.pdf").read_bytes().startswith(b"%PDF")
