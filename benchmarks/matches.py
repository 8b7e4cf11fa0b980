"""Whole matches at the simulated table, pictures and all: what was ruled, asked, missed, wrong.

    python benchmarks/matches.py REPORT.jsonl [--matches 20] [--seed 2026] [--part 1/2]
                                 [--rules SET ...] [--turns N] [--minutes M] [--again N ...]
                                 [--drawn] [--keep FOLDER]

A camera's pictures and the clock's presses go in, as from a real table; what truly happened is
kept aside and held against the record when the match is over. Match number N is the same each
time: rule set, board, seats, light side, clock, players, incidents and dice all follow from it
and the seed. One JSON line a match is appended to the report; matches it holds to their end are
left out, so a run may be stopped and taken up, and processes may share a report by `--part`.
With `--keep` the records of matches with something wrong, missed or asked stay, with pictures
of their throws and plays. A summary of the whole report is printed at the end.
"""

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

# Python puts a script's own folder first on the path.
sys.path[:] = [one for one in sys.path if Path(one).resolve() != Path(__file__).parent]
sys.path.append(str(Path(__file__).resolve().parents[1]))

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from recording.keeper import last_match  # noqa: E402
from recording.record_reader import RecordReader  # noqa: E402
from recording.verify import verify_record  # noqa: E402
from referee.arbiter import MatchSetup  # noqa: E402
from referee.arbiter.setup import NO_CLOCK  # noqa: E402
from referee.arbiter.states import MatchOver  # noqa: E402
from referee.timer_presets import control_named  # noqa: E402
from rules import VARIANTS, variant_named  # noqa: E402
from table.looks import LOOKS, random_board, random_camera, random_light  # noqa: E402
from table.players import Player, RandomPlayer, SensiblePlayer  # noqa: E402
from table.script import FilmSettings  # noqa: E402
from table.sequence import TableSetup  # noqa: E402
from table.truth_log import TruthLog  # noqa: E402
from zarbiter.demo_stage import Stage, StageSettings  # noqa: E402
from zarbiter.demo_truth import compare  # noqa: E402
from zarbiter.match_loop import StuckError  # noqa: E402

Row = dict[str, object]
CLOCKS = ("10m+12s delay", "10m+12s delay", "1m+12s delay", "none")
INCIDENTS = ("few", "few", "many")
HASTE_S = (0.2, 0.8)
"""Players in a hurry: few pictures in which nothing happens, little time to read the dice."""
CORNERS = ("top_right", "top_left", "bottom_right", "bottom_left")


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match, as it was drawn up."""

    number: int
    seed: int
    rules: str
    look: str
    corner: str
    light: str
    clock: str
    incidents: str
    player: str

    @property
    def agreed(self) -> MatchSetup:
        """What the players agreed."""
        clock = NO_CLOCK if self.clock == "none" else control_named(self.clock)
        return MatchSetup(rules=self.rules, white="Anna", black="Boris", length=1, clock=clock)


def fixture(number: int, seed: int, sets: list[str], *, drawn: bool) -> Fixture:
    """Return a match by its number, the same each time."""
    rng = random.Random(f"{seed} fixture {number}")
    return Fixture(
        number,
        seed * 1000 + number,
        sets[number % len(sets)],
        "drawn" if drawn else tuple(LOOKS)[(number + number // len(sets)) % len(LOOKS)],
        rng.choice(CORNERS),
        rng.choice("wb"),
        CLOCKS[number % len(CLOCKS)],
        INCIDENTS[number % len(INCIDENTS)],
        ("sensible", "random")[number // len(sets) % 2],
    )


def stage_of(match: Fixture, folder: Path, turns: int | None) -> Stage:
    """Return the table with its referee, ready to play."""
    look, film = LOOKS.get(match.look), FilmSettings(dense=True)
    if look is None:
        rng = np.random.default_rng(match.seed)
        look = random_board(rng)
        film = FilmSettings(random_camera(rng), random_light(rng), dense=True)
    player: Player = SensiblePlayer() if match.player == "sensible" else RandomPlayer()
    return Stage(
        StageSettings(
            variant_named(match.rules),
            match.agreed,
            folder,
            match.seed,
            turns,
            incidents=match.incidents,
            setup=TableSetup("w" if match.light == "w" else "b", match.corner, look),
            film=film,
            player=player,
            think_s=HASTE_S,
        )
    )


def played(match: Fixture, turns: int | None, ends_s: float, keep: Path | None = None) -> Row:
    """Play a match and return what became of it, by a certain time at the latest.

    Args:
        match: as it was drawn up.
        turns: rulings on plays after which to stop; None: to its end.
        ends_s: when to stop at the latest, in seconds of the monotonic clock.
        keep: where records worth a look stay; None: none do.
    """
    began_s, cpu_s = time.monotonic(), time.process_time()
    stuck: str | None = None
    with tempfile.TemporaryDirectory(prefix="zarbiter-match-") as scratch:
        folder = Path(scratch)
        with stage_of(match, folder, turns) as stage:
            try:
                for _ in stage.play():
                    if time.monotonic() > ends_s:
                        break
            except StuckError as error:
                stuck = str(error)
            stage.sign()
            over, truth = isinstance(stage.state.phase, MatchOver), stage.truth
        row = judged(truth, folder / "record")
        if keep is not None and (row["wrong"] or row["missed"] or row["asked"] or stuck):
            place = keep / f"{match.seed}-{match.rules}"
            shutil.copytree(folder / "record", place, dirs_exist_ok=True)
    return {
        **asdict(match),
        "over": over,
        "stuck": stuck,
        **row,
        "cpu_s": round(time.process_time() - cpu_s, 1),
        "wall_s": round(time.monotonic() - began_s, 1),
    }


def judged(truth: TruthLog, place: Path) -> Row:
    """Hold a record against the truth."""
    with RecordReader(place) as reader:
        kept = last_match(reader.rows())
    told = compare(truth, () if kept is None else kept.events)
    turns = sum(not play.put_right for play in truth.plays)
    return {
        "turns": turns,
        "throws": told.throws,
        "plays": told.plays,
        "right": told.throws + told.plays - len(told.wrong),
        "asked": [
            {"at_ms": one.at_ms, "about": one.about, "why": one.why} for one in told.questions
        ],
        "wrong": list(told.wrong),
        "missed": list(told.missed),
        "fouls": sum(play.foul is not None for play in truth.plays),
        "incidents": dict(Counter(one.what for one in truth.incidents)),
        "verified": not verify_record(place).broken,
    }


def rows_of(report: Path) -> list[Row]:
    """Return what a report holds; the last word on each match counts."""
    if not report.exists():
        return []
    rows = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    return list({_key(row): row for row in rows}.values())


def _key(row: Row) -> tuple[object, ...]:
    return row["seed"], row["look"], row["rules"]


def summary(rows: list[Row]) -> Iterator[str]:
    """Yield a table by rule set and the totals."""
    yield "| rules | matches | over | turns | throws | plays | asked | missed | wrong | stuck |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    sets = dict.fromkeys(str(row["rules"]) for row in rows)
    for name in (*sets, "all"):
        some = [row for row in rows if name in ("all", row["rules"])]
        cells = [len(some), sum(bool(row["over"]) for row in some)]
        cells += [
            sum(_count(row[what]) for row in some) for what in ("turns", "throws", "plays")
        ]
        cells += [
            sum(_count(row[what]) for row in some) for what in ("asked", "missed", "wrong")
        ]
        cells.append(sum(row["stuck"] is not None for row in some))
        yield f"| {name} | {' | '.join(map(str, cells))} |"
    turns = max(1, sum(_count(row["turns"]) for row in rows))
    asked = Counter(why for row in rows for why in _whys(row["asked"]))
    yield f"asked in {100 * asked.total() / turns:.1f} % of {turns} turns: " + ", ".join(
        f"{what} {times}" for what, times in asked.most_common()
    )
    happened: Counter[str] = Counter()
    for row in rows:
        if isinstance(row["incidents"], dict):
            happened.update(row["incidents"])
        for what in ("wrong", "missed"):
            listed = row[what]
            if isinstance(listed, list):
                yield from (f"{what}, match {row['number']}: {one}" for one in listed)
        if row["stuck"] is not None:
            yield f"stuck, match {row['number']}: {row['stuck']}"
    yield "incidents: " + ", ".join(f"{what} {n}" for what, n in sorted(happened.items()))


def _count(value: object) -> int:
    return len(value) if isinstance(value, list) else int(str(value))


def _whys(asked: object) -> Iterator[str]:
    for one in asked if isinstance(asked, list) else ():
        reasons = " ".join(word for word in one["why"].split() if word[0] not in "?123456")
        yield f"{one['about']} ({reasons or one['why']})"


def main() -> int:
    """Play what the report does not hold yet, and print what it then holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("report", type=Path, metavar="REPORT.jsonl")
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--part", default="1/1", metavar="I/N", help="every Nth match, from I")
    parser.add_argument("--rules", nargs="*", default=list(VARIANTS))
    parser.add_argument("--turns", type=int, help="rulings on plays after which to stop")
    parser.add_argument(
        "--minutes", type=float, default=1e6, help="then the match in hand is cut short"
    )
    parser.add_argument("--again", nargs="*", type=int, default=[], help="numbers to play anew")
    parser.add_argument("--drawn", action="store_true", help="boards, lamps, cameras at random")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="records worth a look")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    part, parts = (int(one) for one in options.part.split("/"))
    held = {_key(row) for row in rows_of(options.report) if row["over"] or row["stuck"]}
    ends_s = time.monotonic() + 60 * options.minutes
    numbers = options.again or range(part - 1, options.matches, parts)
    for number in numbers:
        match = fixture(number, options.seed, options.rules, drawn=options.drawn)
        if _key(asdict(match)) in held and not options.again:
            continue
        if time.monotonic() > ends_s:
            break
        row = played(match, options.turns, ends_s, options.keep)
        with options.report.open("a", encoding="utf-8") as report:
            report.write(json.dumps(row) + "\n")
        told = (
            f"{row['turns']} turns, {_count(row['asked'])} asked, {_count(row['wrong'])} wrong"
        )
        print(f"{number} {match.rules}: {told}, {row['wall_s']} s", file=sys.stderr, flush=True)
    for line in summary(rows_of(options.report)):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
