"""Kills the writer of a record at random moments and checks what is left.

Run as a script, so that it may fork: its process has one thread and no open record when it
forks. Prints one JSON line.
"""

import argparse
import json
import os
import random
import select
import shutil
import signal
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from recording.evidence import EvidencePolicy, Refused
from recording.record import Record
from recording.record_chain import Head, Scope
from recording.record_open import open_record
from recording.record_reader import RecordReader
from recording.record_row import Entry, Evidence, PictureKind, Row
from recording.signing import SigningKey, device_key
from recording.verify import Verdict, verify_record

LIVES_A_RECORD = 25
"""Then a new record is begun, so that beginnings are killed too."""
PATIENCE_S = 60.0
POLICY = EvidencePolicy(budget_bytes=60_000, latest_kept=4, reserve_bytes=1 << 16)


class LostError(AssertionError):
    """An acknowledged event is gone, or the record is not what it was."""


@dataclass
class State:
    """A fold over the events, as the referee's state is."""

    events: int = 0
    sum: int = 0

    def follow(self, row: Row) -> None:
        if row.kind == "event":
            self.events += 1
            self.sum = (self.sum * 31 + row.data["value"]) % 1_000_003


@dataclass
class Report:
    """What was found."""

    kills: int = 0
    acknowledged: int = 0
    """Events whose writing was acknowledged before a kill."""
    unacknowledged_kept: int = 0
    """Events that a kill found on the disk, but not acknowledged yet."""
    killed_in: Counter[str] = field(default_factory=Counter)
    rows: int = 0
    pictures_checked: int = 0
    pruned: int = 0
    records: int = 0


# --- the life of a writer ---------------------------------------------------------------------


def live(folder: Path, key: SigningKey, seed: int, pipe: int) -> None:
    """Append until killed; tell of every acknowledged batch."""
    rng = random.Random(seed)
    state = State()
    while True:
        os.write(pipe, b"opening\n")
        with open_record(folder, key, policy=POLICY) as record:
            if record.recovery is not None:
                os.write(pipe, f"damaged {record.recovery.damage.detail}\n".encode())
            state = State()
            for row in record.rows():
                state.follow(row)
            os.write(pipe, b"open\n")
            for _ in range(rng.randint(2, 12)):
                one_batch(record, rng, state, pipe)
            os.write(pipe, b"closing\n")


def one_batch(record: Record, rng: random.Random, state: State, pipe: int) -> None:
    size = rng.choice((1, 1, 1, 2, 5))
    values = [rng.randrange(1_000_000) for _ in range(size)]
    pictures: tuple[Evidence, ...] = ()
    if rng.random() < 0.3:
        kept = record.keep_picture(rng.choice(list(PictureKind)), rng.randbytes(3000))
        if isinstance(kept, Refused):
            raise SystemExit(kept.en)
        pictures = (kept,)
    entries = [
        Entry(
            "event",
            1,
            {"value": value, "place": place, "of": size, "pad": "п" * rng.randrange(400)},
            time.monotonic(),
            "m",
            pictures if not place else (),
        )
        for place, value in enumerate(values)
    ]
    rows = record.append(entries, sign=Scope.GAME if rng.random() < 0.1 else None)
    for row in rows:
        state.follow(row)
    told = f"ack {rows[-1].seq} {rows[-1].hash} {len(rows)} {state.events} {state.sum}\n"
    os.write(pipe, told.encode())


# --- killing ----------------------------------------------------------------------------------


def one_life(folder: Path, key: SigningKey, rng: random.Random) -> list[str]:
    """Start a writer, kill it at a random moment, and return what it told."""
    reading, writing = os.pipe()
    seed = rng.getrandbits(32)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            live(folder, key, seed, writing)
        except BaseException as error:  # noqa: BLE001 - told to the parent
            os.write(writing, f"crashed {type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(status)
    os.close(writing)
    told = b""
    early = rng.random() < 0.3
    # Some die while they open or repair, the others after so many acknowledgements.
    wanted = 0 if early else rng.randint(1, 8)
    deadline_s = time.monotonic() + PATIENCE_S
    while told.count(b"ack") < wanted and time.monotonic() < deadline_s:
        if select.select([reading], [], [], 1.0)[0]:
            part = os.read(reading, 65536)
            if not part:
                break
            told += part
    wait_s = rng.uniform(0, 0.03) if early else rng.uniform(0, 0.006)
    until_s = time.monotonic() + wait_s
    while time.monotonic() < until_s:
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while part := os.read(reading, 65536):
        told += part
    os.close(reading)
    return told.decode().splitlines()


# --- checking ---------------------------------------------------------------------------------


@dataclass
class Checker:
    """Knows what a record has to hold."""

    folder: Path
    key: SigningKey
    report: Report
    head: Head = field(default_factory=Head)
    state: State = field(default_factory=State)

    def after(self, told: list[str], *, reopen: bool) -> None:
        report, acks = self.report, {}
        report.kills += 1
        for line in told:
            word, *facts = line.split(" ")
            if word in ("crashed", "damaged"):
                raise LostError(line)
            if word == "ack":
                seq, row_hash, size, events, total = facts
                acks[int(seq)] = (row_hash, int(events), int(total))
                report.acknowledged += int(size)
        report.killed_in[told[-1].split(" ")[0] if told else "start"] += 1
        if reopen:
            with open_record(self.folder, self.key, policy=POLICY) as record:
                if record.recovery is not None:
                    raise LostError(record.recovery.en)
        if not (self.folder / "record.sqlite").exists():
            if acks:
                raise LostError("there is no record")
            return
        self.follow(acks)

    def follow(self, acks: dict[int, tuple[str, int, int]]) -> None:
        """Check the new rows: chained, whole batches, every acknowledged one as it was told."""
        last_ack, beyond, open_batch = max(acks, default=0), 0, 0
        try:
            with RecordReader(self.folder) as reader:
                new = list(reader.rows(self.head.seq))
        except Exception as error:
            # Killed before the first table was made: nothing can have been acknowledged.
            if self.head.seq or acks:
                raise LostError(f"cannot be read: {error}") from error
            return
        for row in new:
            if (row.seq, row.prev) != (self.head.seq + 1, self.head.hash):
                raise LostError(f"row {row.seq} does not follow")
            if row.computed_hash() != row.hash:
                raise LostError(f"row {row.seq} was changed")
            self.head = Head.at(row)
            self.state.follow(row)
            if row.kind == "event":
                if row.data["place"] != open_batch:
                    raise LostError(f"row {row.seq} belongs to a torn batch")
                open_batch = (open_batch + 1) % row.data["of"]
                beyond += row.seq > last_ack
            if row.seq in acks:
                told = acks.pop(row.seq)
                if told != (row.hash, self.state.events, self.state.sum):
                    raise LostError(f"row {row.seq} is not the acknowledged one")
        if acks or open_batch:
            raise LostError(f"acknowledged and lost: {sorted(acks)}; torn: {open_batch}")
        # One batch of five can have been on its way.
        if beyond > 5:
            raise LostError(f"{beyond} events nobody waited for")
        self.report.unacknowledged_kept += beyond
        self.report.rows += len(new)

    def at_the_end(self) -> None:
        with open_record(self.folder, self.key, policy=POLICY) as record:
            if record.recovery is not None:
                raise LostError(record.recovery.en)
        found = verify_record(self.folder, self.key.public)
        if found.verdict is not Verdict.OK:
            raise LostError(found.explain[1])
        self.report.pictures_checked += found.pictures
        self.report.pruned += found.pruned
        self.report.records += 1


def run(lives: int, seed: int, folder: Path) -> Report:
    """Kill so many writers."""
    rng, report, key = random.Random(seed), Report(), device_key(folder)
    checker: Checker | None = None
    for life in range(lives):
        if life % LIVES_A_RECORD == 0:
            if checker is not None:
                checker.at_the_end()
                shutil.rmtree(checker.folder)
            checker = Checker(folder / f"record-{life}", key, report)
        assert checker is not None
        told = one_life(checker.folder, key, rng)
        # Half of the records are left for the next writer to repair as the kill left them.
        checker.after(told, reopen=rng.random() < 0.5)
    if checker is not None:
        checker.at_the_end()
    return report


def main() -> None:
    """Kill, check, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--lives", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="a folder on the disk to be tried")
    options = parser.parse_args()
    started_s = time.monotonic()
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="kill9-") as made:
        report = run(options.lives, options.seed, Path(made))
    told = {**report.__dict__, "killed_in": dict(report.killed_in), "seed": options.seed}
    told["seconds"] = round(time.monotonic() - started_s, 1)
    os.write(1, (json.dumps(told) + "\n").encode())


if __name__ == "__main__":
    main()
