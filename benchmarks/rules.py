"""How fast the rules core answers, on one core, beside OpenSpiel's backgammon.

    python benchmarks/rules.py [--questions 400] [--repeats 5] [--seed 2026] [--json FILE]

Questions are positions of seeded random games, plies 10 to 60, with the roll of that game.
Rates are per second of this process's processor time, so a busy machine disturbs them less;
each is the median of the repeats. OpenSpiel answers `legal_actions()` from Python on states of
its own seeded random games. It plays a double as two half turns, so such a state asks for two
moves where ours asks for four; and its actions are ways to move, ours are distinct resulting
positions.
"""

import argparse
import json
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import Any

# Python puts a script's own folder first on the path, where this file would hide the package.
sys.path[:] = [one for one in sys.path if Path(one).resolve() != Path(__file__).parent]

from rules import Color, Position, Roll, Variant, legal_turns, variant_named  # noqa: E402
from zarbiter.rules_cli import answer_judge, answer_legal, answer_lines  # noqa: E402

SETS = (
    "short",
    "bolshie-nardy",
    "moscow-open",
    "classic",
    "federation",
    "club",
    "beginner",
    "kush",
)
FIRST_PLY, LAST_PLY = 10, 60
LIBRARY_SHORT_BAR, LIBRARY_LONG_BAR, JSON_BAR = 2_000.0, 5_000.0, 1_000.0
WORST_DOUBLE_BAR_MS = 20.0
Question = tuple[Position, Color, Roll]


@dataclass(frozen=True)
class Rate:
    """One line of the table."""

    what: str
    per_second: float
    spread: float
    """Largest minus smallest repeat, as a part of the median."""
    bar: float | None = None
    ratio: float | None = None
    """To OpenSpiel in the same run."""


@dataclass(frozen=True)
class Worst:
    """The slowest double of a set."""

    rules: str
    asked: int
    ms: float
    question: str


def main() -> None:
    """Measure, print the table and keep it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=400, help="per rule set")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    options = parser.parse_args()

    asked = {
        name: list(
            islice(midgame(variant_named(name), random.Random(options.seed)), options.questions)
        )
        for name in SETS
    }
    spiel = open_spiel_states(options.questions, random.Random(options.seed))
    baseline = None
    rates = []
    if spiel:
        baseline = rate("OpenSpiel backgammon legal_actions", spiel, options.repeats)
        rates.append(baseline)
    else:
        print("open-spiel is not installed: absolute numbers only\n")
    rates += [
        compared(one, baseline) for one in our_rates(asked, options.repeats, options.seed)
    ]
    worst = [worst_double(name, asked[name]) for name in SETS]

    print_tables(rates, worst)
    if options.json:
        report = {
            "machine": machine(),
            "commit": commit(),
            "seed": options.seed,
            "questions_per_set": options.questions,
            "repeats": options.repeats,
            "open_spiel": open_spiel_version(),
            "rates": [asdict(one) for one in rates],
            "worst_doubles": [asdict(one) for one in worst],
        }
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


# --- what is asked ----------------------------------------------------------------------------


def midgame(variant: Variant, rng: random.Random) -> Iterator[Question]:
    """Positions of random games, without end."""
    white = {24: 2, 13: 5, 8: 3, 6: 5} if variant.hits else {24: 15}
    black = {25 - p: n for p, n in white.items()} if variant.hits else {12: 15}
    while True:
        position, color = Position.of(white, black), Color.WHITE
        for ply in range(LAST_PLY):
            roll = Roll(rng.randint(1, 6), rng.randint(1, 6))
            turns = legal_turns(position, color, roll, variant)
            if ply >= FIRST_PLY:
                yield position, color, roll
            position, color = rng.choice(turns).result, color.other
            if 15 in (position.off(Color.WHITE), position.off(Color.BLACK)):
                break


def open_spiel_states(count: int, rng: random.Random) -> list[Callable[[], object]]:
    """The `legal_actions` of as many states of its random games; none without OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        return []
    game = pyspiel.load_game("backgammon")
    states: list[Callable[[], object]] = []
    while True:
        state, ply = game.new_initial_state(), 0
        while not state.is_terminal() and ply < LAST_PLY:
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            if ply >= FIRST_PLY:
                states.append(state.clone().legal_actions)
                if len(states) == count:
                    return states
            state.apply_action(rng.choice(state.legal_actions()))
            ply += 1


def our_rates(asked: dict[str, list[Question]], repeats: int, seed: int) -> Iterator[Rate]:
    """The library on each set, then the JSON Lines path."""
    for name, questions in asked.items():
        variant = variant_named(name)
        bar = LIBRARY_SHORT_BAR if variant.hits else LIBRARY_LONG_BAR
        calls = [bind(question, variant) for question in questions]
        yield rate(f"library legal_turns {name}", calls, repeats, bar)
    for name in ("short", "bolshie-nardy", "classic"):
        lines = [question_line(name, question) for question in asked[name]]
        yield rate(f"JSON legal {name}", [bind_lines(lines, answer_legal)], repeats, JSON_BAR)
    rng = random.Random(seed)
    for name in ("short", "bolshie-nardy"):
        lines = [judged_line(name, question, rng) for question in asked[name]]
        yield rate(f"JSON judge {name}", [bind_lines(lines, answer_judge)], repeats)


def bind(question: Question, variant: Variant) -> Callable[[], object]:
    """One library call."""
    return lambda: legal_turns(*question, variant)


class bind_lines:  # noqa: N801 - a call with a weight, used like a function
    """Answers all the lines at one call; `weight` says how many questions that is."""

    def __init__(
        self, lines: list[str], answer: Callable[[dict[str, Any], str], dict[str, Any]]
    ) -> None:
        self.lines, self.answer, self.weight = lines, answer, len(lines)

    def __call__(self) -> object:
        """Answer them."""
        answers = list(answer_lines(self.lines, self.answer, "bolshie-nardy"))
        if not all(good for _, good in answers):
            raise SystemExit(f"a question was refused: {answers[0][0]}")
        return answers


def question_line(name: str, question: Question) -> str:
    """One question for the legal turns."""
    return json.dumps(as_json(name, question))


def judged_line(name: str, question: Question, rng: random.Random) -> str:
    """One play to judge: half of them legal, half left as they stood before."""
    position, color, roll = question
    turns = legal_turns(position, color, roll, variant_named(name))
    played = rng.choice(turns).result if rng.random() < 0.5 else position
    return json.dumps({**as_json(name, question), "played": played.to_json()})


def as_json(name: str, question: Question) -> dict[str, object]:
    """The exchange format of a question."""
    position, color, roll = question
    return {
        "id": 1,
        "rules": name,
        "position": position.to_json(),
        "turn": color.value,
        "dice": [roll.first, roll.second],
    }


# --- measuring --------------------------------------------------------------------------------


def rate(
    what: str, calls: Sequence[Callable[[], object]], repeats: int, bar: float | None = None
) -> Rate:
    """Answers a second: the median of some repeats, after one unmeasured round."""
    questions = sum(getattr(call, "weight", 1) for call in calls)
    for call in calls:
        call()
    rates = []
    for _ in range(repeats):
        started_s = time.process_time()
        for call in calls:
            call()
        rates.append(questions / (time.process_time() - started_s))
    middle = statistics.median(rates)
    return Rate(what, middle, (max(rates) - min(rates)) / middle, bar)


def compared(one: Rate, baseline: Rate | None) -> Rate:
    """The same rate with its ratio to the baseline."""
    ratio = one.per_second / baseline.per_second if baseline else None
    return replace(one, ratio=ratio)


def worst_double(name: str, questions: list[Question]) -> Worst:
    """All six doubles on every position: the worst of the best times of three."""
    variant = variant_named(name)
    slowest_ms, slowest = 0.0, ""
    for position, color, _ in questions:
        for number in range(1, 7):
            roll = Roll(number, number)
            times_s = []
            for _ in range(3):
                started_s = time.process_time()
                legal_turns(position, color, roll, variant)
                times_s.append(time.process_time() - started_s)
            if min(times_s) * 1000 > slowest_ms:
                slowest_ms = min(times_s) * 1000
                slowest = f"{position} {color.value} {roll}"
    return Worst(name, 6 * len(questions), slowest_ms, slowest)


# --- telling ----------------------------------------------------------------------------------


def print_tables(rates: list[Rate], worst: list[Worst]) -> None:
    """Print what was measured and whether it clears its bar."""
    print(f"{'':40} {'per s':>9} {'± %':>5} {'bar':>7}       {'× OpenSpiel':>11}")
    for one in rates:
        bar = f"{one.bar:7.0f}" if one.bar else " " * 7
        verdict = "" if one.bar is None else "ok" if one.per_second >= one.bar else "BELOW"
        ratio = f"{one.ratio:11.2f}" if one.ratio else ""
        figures = f"{one.per_second:9.0f} {50 * one.spread:5.0f}"
        print(f"{one.what:40} {figures} {bar} {verdict:5} {ratio}")
    print(f"\nworst double, bar {WORST_DOUBLE_BAR_MS:.0f} ms")
    for each in worst:
        verdict = "ok" if each.ms <= WORST_DOUBLE_BAR_MS else "ABOVE"
        print(f"{each.rules:14} {each.ms:7.2f} ms {verdict:5} of {each.asked}: {each.question}")


def machine() -> dict[str, str]:
    """What it ran on."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = info.read_text(encoding="utf-8").splitlines()
        names = [
            line.partition(":")[2].strip() for line in lines if line.startswith("model name")
        ]
        model = names[0] if names else model
    return {"cpu": model, "system": platform.platform(), "python": platform.python_version()}


def commit() -> str | None:
    """The commit measured, with a plus sign when the tree differs from it."""
    root = Path(__file__).resolve().parents[1]
    texts = []
    for command in (["rev-parse", "HEAD"], ["status", "--porcelain"]):
        done = subprocess.run(
            ["git", "-C", str(root), *command], capture_output=True, text=True, check=False
        )
        if done.returncode:
            return None
        texts.append(done.stdout.strip())
    return texts[0] + ("+" if texts[1] else "")


def open_spiel_version() -> str | None:
    """The baseline's version, None when it is absent."""
    try:
        return metadata.version("open-spiel")
    except metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    main()
