"""Kills a running match at random moments and checks that it goes on where it was.

Run as a script, so that it may fork. Prints one JSON line.
"""

import argparse
import hashlib
import json
import os
import random
import select
import signal
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from recording.keeper import MatchKeeper, last_match
from recording.record_errors import RecordError
from recording.record_open import open_record
from recording.record_reader import RecordReader
from recording.signing import SigningKey, device_key
from recording.verify import Verdict, verify_record
from referee.arbiter import Actor, MatchSetup, MatchState, advance
from referee.arbiter.events import Event, MatchOpened, Restarted, Resumed
from referee.arbiter.machine import Settled
from referee.arbiter.states import MatchOver, NotOpened
from referee.timer_presets import TimeControl
from referee.timer_settings import ClockKind
from referee.timer_state import Phase as ClockPhase
from rules import VARIANTS
from tests.support.match import Table
from tests.support.matches import step

PATIENCE_S = 60.0
CLOCK = TimeControl(ClockKind.DELAY, 36_000_000, bonus_ms=2_000)


class LostError(AssertionError):
    """An acknowledged event is gone, or the match is not where it was."""


def digest(state: MatchState) -> str:
    return hashlib.sha256(repr(state).encode()).hexdigest()[:16]


@dataclass
class RecordedTable(Table):
    """A match driven by hand on a record."""

    keeper: MatchKeeper | None = None
    pipe: int = 1

    def __post_init__(self) -> None:
        """The keeper opens the match."""

    def do(self, event: Event) -> Settled:
        assert self.keeper is not None
        self.last = self.keeper.do(event)
        self.state = self.keeper.state
        count = self.keeper.record.head.seq
        os.write(self.pipe, f"ack {count} {digest(self.state)}\n".encode())
        return self.last


def live(folder: Path, key: SigningKey, seed: int, pipe: int) -> None:
    """Play on until killed."""
    rng = random.Random(seed)
    with open_record(folder, key) as record:
        if record.recovery is not None:
            os.write(pipe, b"damaged\n")
        keeper = MatchKeeper(record, lambda: 10)
        table = RecordedTable(state=keeper.state, keeper=keeper, pipe=pipe, now_ms=10)
        while True:
            phase = keeper.state.phase
            if isinstance(phase, NotOpened | MatchOver):
                rules = rng.choice(list(VARIANTS))
                setup = MatchSetup(rules, "Анна", "Борис", 3, CLOCK)
                keeper.open(f"m{record.head.seq}", MatchOpened(table.tick(), setup))
                table.state = keeper.state
            elif keeper.state.clock.phase is ClockPhase.PAUSED and rng.random() < 0.5:
                table.do(Resumed(table.tick(), Actor.REFEREE))
            else:
                step(table, rng, 0.1)


def one_life(folder: Path, key: SigningKey, rng: random.Random) -> list[str]:
    """Start a match, kill it at a random moment, and return what it told."""
    reading, writing = os.pipe()
    seed = rng.getrandbits(32)
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            live(folder, key, seed, writing)
        except BaseException as error:  # noqa: BLE001 - told to the parent
            os.write(writing, f"crashed {type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(1)
    os.close(writing)
    told = b""
    wanted, deadline_s = rng.randint(0, 40), time.monotonic() + PATIENCE_S
    while told.count(b"ack") < wanted and time.monotonic() < deadline_s:
        if select.select([reading], [], [], 1.0)[0]:
            part = os.read(reading, 65536)
            if not part:
                break
            told += part
    until_s = time.monotonic() + rng.uniform(0, 0.02)
    while time.monotonic() < until_s:
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while part := os.read(reading, 65536):
        told += part
    os.close(reading)
    return told.decode().splitlines()


def check(folder: Path, told: list[str], report: dict[str, int]) -> None:
    """Check that the record leads to every acknowledged state."""
    acks: dict[int, str] = {}
    for line in told:
        word, *facts = line.split(" ")
        if word != "ack":
            raise LostError(line)
        acks[int(facts[0])] = facts[1]
    report["kills"] += 1
    report["acknowledged"] += len(acks)
    try:
        with RecordReader(folder) as reader:
            rows = list(reader.rows())
    except RecordError as error:
        if acks:
            raise LostError(f"cannot be read: {error}") from error
        return
    match = last_match(rows)
    state = MatchState()
    if match is not None:
        for row, event in zip(match.rows, match.events, strict=True):
            state = advance(state, event).state
            if row.seq in acks and acks[row.seq] != digest(state):
                raise LostError(f"row {row.seq} leads to another state")
    if acks and max(acks) > (rows[-1].seq if rows else 0):
        raise LostError(f"acknowledged {max(acks)}, kept {rows[-1].seq if rows else 0}")
    report["states checked"] += sum(seq in acks for seq in (row.seq for row in rows))


def taken_up(folder: Path, key: SigningKey) -> None:
    """Check that the next start goes on from the last event, with its clock stopped."""
    with open_record(folder, key) as record:
        if record.recovery is not None:
            raise LostError(record.recovery.en)
        before = last_match(record.rows())
        keeper = MatchKeeper(record, lambda: 5)
        if before is None:
            return
        state = MatchState()
        for event in before.events:
            state = advance(state, event).state
        if not isinstance(state.phase, MatchOver):
            state = advance(state, Restarted(5)).state
            if state != keeper.state or state.clock.phase is ClockPhase.RUNNING:
                raise LostError("the match goes on elsewhere")
    found = verify_record(folder, key.public)
    if found.verdict is not Verdict.OK:
        raise LostError(found.explain[1])


def run(lives: int, seed: int, folder: Path) -> dict[str, int]:
    """Kill so many matches."""
    rng, key = random.Random(seed), device_key(folder)
    report = {"kills": 0, "acknowledged": 0, "states checked": 0}
    for life in range(lives):
        here = folder / f"record-{life // 15}"
        check(here, one_life(here, key, rng), report)
        if here.joinpath("record.sqlite").exists() and rng.random() < 0.3:
            taken_up(here, key)
    return report


def main() -> None:
    """Kill, check, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--lives", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="a folder on the disk to be tried")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="kill-match-") as made:
        report = run(options.lives, options.seed, Path(made))
    os.write(1, (json.dumps({**report, "seed": options.seed}) + "\n").encode())


if __name__ == "__main__":
    main()
