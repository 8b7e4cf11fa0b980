"""How fast `zarbiter replay` is beside real time and beside plain decoding, and what it keeps.

    python benchmarks/replay.py [--turns 4] [--think 12] [--frames 0] [--json FILE]

The simulated table films some turns of a game, about five frames a second of 1280×960 pixels,
JPEG, with hands, dice and sensor noise: six to seven seconds a turn without a pause. People
think: so many seconds after each throw the board lies still, five frames a second, each with
noise and light of its own; `--think 0` leaves that out. The folder is replayed with the corners
of its board known. Times are of this process's processor time, OpenCV on one thread, so a busy
machine disturbs them less. The baseline of the same run decodes the same files with OpenCV and
does nothing else. `--frames N` lists the film's frames again and again, N in all, and tells the
memory held after each tenth; the game is then nonsense, the work is not.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

# Python puts a script's own folder first on the path; the tests' helpers lie beside it.
sys.path[:] = [one for one in sys.path if Path(one).resolve() != Path(__file__).parent]
sys.path.append(str(Path(__file__).resolve().parents[1]))

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from benchmarks.sight import commit, machine  # noqa: E402
from rules import variant_named  # noqa: E402
from table.script import FilmSettings  # noqa: E402
from table.sequence import TableSetup, write_sequence  # noqa: E402
from tests.support.film_game import play_game  # noqa: E402
from zarbiter.replay import replay  # noqa: E402
from zarbiter.setup import read_setup  # noqa: E402
from zarbiter.source import BadFrame, open_recording  # noqa: E402

BAR = 10.0
"""Times real time."""
FPS = 5.0
_RULES = "bolshie-nardy"
_PAGES = Path("/proc/self/statm")
_PAGE_MIB = 4096 / 2**20


@dataclass(frozen=True)
class Measured:
    """What came of one replay."""

    frames: int
    film_s: float
    """How long the frames last by their times."""
    replay_s: float
    decode_s: float
    events: dict[str, int]
    memory_mib: tuple[float, ...]
    """Held after each tenth of the frames."""

    @property
    def speed(self) -> float:
        """Times real time."""
        return self.film_s / self.replay_s

    @property
    def to_decoding(self) -> float:
        """Times what plain decoding of the same frames takes."""
        return self.replay_s / self.decode_s


def main() -> int:
    """Film, replay, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--think", type=float, default=12.0, metavar="SECONDS")
    parser.add_argument("--frames", type=int, default=0, help="0: the film once")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--folder", type=Path, help="a recorded folder instead of a film")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or filmed(
            Path(name), options.turns, options.seed, options.think
        )
        found = measured(folder, Path(name), options.frames)
    ms = 1000 / found.frames
    verdict = "ok" if found.speed >= BAR else "BELOW"
    print(f"{found.frames} frames, {found.film_s:.0f} s of film")
    print(f"replay          {ms * found.replay_s:6.1f} ms a frame")
    print(f"decoding alone  {ms * found.decode_s:6.1f} ms a frame")
    print(f"× real time     {found.speed:6.1f}  (bar {BAR:g}) {verdict}")
    print(f"× decoding      {found.to_decoding:6.2f}")
    print(f"events          {', '.join(f'{n} {k}' for k, n in found.events.items())}")
    print(f"memory, MiB     {' '.join(f'{one:.0f}' for one in found.memory_mib)}")
    if options.json:
        report = {
            "machine": machine(), "commit": commit(), "opencv": cv2.__version__,
            "seed": options.seed, **asdict(found), "speed": found.speed,
            "to_decoding": found.to_decoding,
        }  # fmt: skip
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0 if found.speed >= BAR else 1


def filmed(folder: Path, turns: int, seed: int, think_s: float) -> Path:
    """Film some turns of a game into a folder, with pauses for thought."""
    played = play_game(variant_named(_RULES), random.Random(seed), turns)
    settings = FilmSettings(dense=True, opening_frames=3)
    film = write_sequence(
        folder / "film", _RULES, TableSetup(), [one.turn for one in played], seed, settings
    )
    if think_s > 0:
        _think(film, think_s, np.random.default_rng(seed))
    return film


def _think(film: Path, think_s: float, rng: np.random.Generator) -> None:
    """Let the board lie still after each throw, before a hand comes."""
    rows = [json.loads(line) for line in _lines(film / "frames.jsonl")]
    presses = [json.loads(line) for line in _lines(film / "buttons.jsonl")]
    listed: list[dict[str, object]] = []
    later_s, moments = 0.0, []
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        listed.append({**row, "t_s": round(row["t_s"] + later_s, 3)})
        if "_rest" not in row["file"] or (following and "_rest" in following["file"]):
            continue
        quiet = cv2.imread(str(film / row["file"]), cv2.IMREAD_COLOR)
        assert quiet is not None
        for number in range(round(think_s * FPS)):
            name = f"{row['file'].removesuffix('.jpg')}_{number}.jpg"
            light = 1 + 0.005 * rng.standard_normal()
            noise = rng.normal(0.0, 1.5, quiet.shape).astype(np.float32)
            again = np.clip(quiet * np.float32(light) + noise, 0, 255).astype(np.uint8)
            cv2.imwrite(str(film / name), again, [cv2.IMWRITE_JPEG_QUALITY, 92])
            at_s = row["t_s"] + later_s + (number + 1) / FPS
            listed.append({"file": name, "t_s": round(at_s, 3)})
        moments.append(row["t_s"])
        later_s += think_s
    for press in presses:
        waited = sum(moment < press["t_s"] for moment in moments)
        press["t_s"] = round(press["t_s"] + waited * think_s, 3)
    _write(film / "frames.jsonl", listed)
    _write(film / "buttons.jsonl", presses)


def measured(folder: Path, spare: Path, frames: int) -> Measured:
    """Replay a folder, or its frames again and again, and decode what was replayed."""
    recording = open_recording(_looped(folder, spare, frames) if frames else folder)
    assert recording.setup_path is not None
    setup = read_setup(recording.setup_path)
    total = len(recording.frames)
    lasted_s = recording.frames[-1][1] - recording.frames[0][1] + 1 / FPS
    counts: Counter[str] = Counter()
    memory: list[float] = []
    done = 0
    started_s = time.process_time()
    for item in replay(recording, setup):
        if isinstance(item, float):
            done += 1
            if done * 10 // total > len(memory):
                memory.append(_held_mib())
        elif not isinstance(item, BadFrame):
            counts[type(item).__name__] += 1
    replay_s = time.process_time() - started_s
    started_s = time.process_time()
    for file, _ in recording.frames:
        cv2.imread(str(recording.path / file), cv2.IMREAD_COLOR)
    decode_s = time.process_time() - started_s
    return Measured(done, lasted_s, replay_s, decode_s, dict(counts), tuple(memory))


def _looped(folder: Path, spare: Path, frames: int) -> Path:
    """List a folder's frames, and its presses, again and again in a folder of their own."""
    rows = [json.loads(line) for line in _lines(folder / "frames.jsonl")]
    presses = [json.loads(line) for line in _lines(folder / "buttons.jsonl")]
    round_s = rows[-1]["t_s"] + 1.0
    looped = spare / "looped"
    looped.mkdir()
    for row in rows:
        (looped / row["file"]).symlink_to(folder / row["file"])
    (looped / "setup.json").write_text((folder / "setup.json").read_text("utf-8"), "utf-8")
    rounds = -(-frames // len(rows))
    listed = [
        {**row, "t_s": row["t_s"] + number * round_s}
        for number in range(rounds)
        for row in rows
    ]
    pressed = [
        {**one, "t_s": one["t_s"] + number * round_s}
        for number in range(rounds)
        for one in presses
    ]
    _write(looped / "frames.jsonl", listed[:frames])
    _write(looped / "buttons.jsonl", pressed)
    return looped


def _write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in rows), encoding="utf-8")


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _held_mib() -> float:
    """Return the memory this process holds now; 0 where the system does not tell."""
    if not _PAGES.exists():
        return 0.0
    return int(_PAGES.read_text(encoding="ascii").split()[1]) * _PAGE_MIB


if __name__ == "__main__":
    sys.exit(main())
