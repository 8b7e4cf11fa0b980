"""A short film of the simulated table, made once and copied for each test that spoils it."""

import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import pytest

from table.script import Turn
from table.sequence import TableSetup, write_sequence
from table.world import Position
from zarbiter.cli import main

Run: TypeAlias = Callable[..., "Answer"]
START: Position = {"points": {"24": "w15", "12": "b15"}, "off": {"w": 0, "b": 0}}
AFTER: Position = {"points": {"24": "w14", "13": "w1", "12": "b15"}, "off": {"w": 0, "b": 0}}


class Answer:
    """What a command said."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status, self.out, self.err = status, out, err

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def codes(self) -> list[str | None]:
        """Error codes, a line each; None where it is no error."""
        return [line.get("error", {}).get("code") for line in self.lines]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, with text or bytes on its standard input."""

    def call(*arguments: object, stdin: str | bytes = "") -> Answer:
        data = stdin.encode("utf-8", "surrogatepass") if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as left:
            status = left.code if isinstance(left.code, int) else 1
        said = capsys.readouterr()
        return Answer(status, said.out, said.err)

    return call


@pytest.fixture
def process(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run a command in a process of its own, in another folder than the repository."""

    def call(
        *arguments: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "zarbiter", *arguments],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            env={"PATH": "/usr/bin:/bin", **(environment or {})},
            check=False,
            timeout=120,
        )

    return call


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> Iterator[None]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    yield
    cv2.setNumThreads(before)


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A turn filmed small; nobody may write into it."""
    folder = tmp_path_factory.mktemp("film")
    turn = Turn("w", (6, 5), START, AFTER)
    return write_sequence(folder, "bolshie-nardy", TableSetup(), [turn], 3, size_px=(320, 240))


@pytest.fixture
def recording(film: Path, tmp_path: Path) -> Path:
    """The film's first two frames, to be spoiled."""
    folder = tmp_path / "recording"
    folder.mkdir()
    lines = (film / "frames.jsonl").read_text(encoding="utf-8").splitlines()[:2]
    for line in lines:
        shutil.copy(film / json.loads(line)["file"], folder)
    (folder / "frames.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copy(film / "setup.json", folder)
    return folder


@pytest.fixture
def picture(recording: Path) -> Path:
    """A picture of the board before the first throw."""
    return recording / "00_before.jpg"


@pytest.fixture
def corners(recording: Path) -> str:
    """The board's corners, as the command line has them."""
    setup = json.loads((recording / "setup.json").read_text(encoding="utf-8"))
    return " ".join(f"{x},{y}" for x, y in setup["board_corners"])
