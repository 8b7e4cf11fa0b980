"""What a frame of the simulated table costs, and how many a second the whole referee follows.

    python benchmarks/table.py [--turns 4] [--threads 1] [--looks NAME] [--no-referee]
                               [--json FILE]

Processor time is what the budget of a frame counts: shared machines lend their cores unevenly.
Frames a second are told by both clocks; drawing the frames is part of it, as in the demo.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

# Python puts a script's own folder first on the path.
sys.path[:] = [one for one in sys.path if Path(one).resolve() != Path(__file__).parent]
sys.path.append(str(Path(__file__).resolve().parents[1]))

import cv2  # noqa: E402

from referee.arbiter import MatchSetup  # noqa: E402
from referee.timer_presets import control_named  # noqa: E402
from rules import variant_named  # noqa: E402
from table.incidents import plan_named  # noqa: E402
from table.live import LiveTable  # noqa: E402
from table.looks import LOOKS  # noqa: E402
from table.render import render  # noqa: E402
from table.scene import Scene  # noqa: E402
from table.script import FilmSettings, Shot  # noqa: E402
from table.sequence import TableSetup  # noqa: E402
from tests.support.live import game  # noqa: E402
from zarbiter.demo_stage import Stage, StageSettings  # noqa: E402

RULES = "bolshie-nardy"
BUDGET_MS = 40.0
LEAST_FPS = 5.0


def kind_of(scene: Scene) -> str:
    """Return what in a scene makes it dear."""
    if any(abs(speed) > 0.5 for die in scene.dice for speed in die.velocity_mm):
        return "rolling dice"
    if scene.carried:
        return "hand with a checker"
    return "hand" if scene.hand is not None else "nobody"


def drawn(look: str, turns: int, seed: int) -> dict[str, list[float]]:
    """Draw a live game and return the processor time of each frame, in ms, by kind."""
    variant = variant_named(RULES)
    film, plan = FilmSettings(dense=True), plan_named("many")
    table = LiveTable(TableSetup(look=LOOKS[look]).board(), variant, seed, film, plan)
    taken: dict[str, list[float]] = defaultdict(list)
    first = True
    for _, happening in game(table, variant, turns):
        if not isinstance(happening, Shot):
            continue
        began_s = time.process_time()
        render(happening.scene)
        if not first:  # the first grows the board's textures
            taken[kind_of(happening.scene)].append(1000 * (time.process_time() - began_s))
        first = False
    return taken


def followed(look: str, turns: int, seed: int) -> tuple[int, float, float]:
    """Referee some turns; return frames, seconds of processor time, and seconds."""
    agreed = MatchSetup(rules=RULES, length=1, clock=control_named("10m+12s delay"))
    with tempfile.TemporaryDirectory(prefix="zarbiter-bench-") as folder:
        settings = StageSettings(
            variant_named(RULES), agreed, Path(folder), seed, turns, look, "many"
        )
        with Stage(settings) as stage:
            cpu_s, began_s = time.process_time(), time.monotonic()
            for _ in stage.play():
                pass
            cpu_s, took_s = time.process_time() - cpu_s, time.monotonic() - began_s
            return stage.frames, cpu_s, took_s


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1, help="of OpenCV")
    parser.add_argument("--looks", default="walnut", choices=tuple(LOOKS))
    parser.add_argument("--no-referee", action="store_true", help="frames only")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    cv2.setNumThreads(options.threads)
    taken = drawn(options.looks, options.turns, options.seed)
    every = [ms for some in taken.values() for ms in some]
    print("| frames with | frames | mean ms | worst ms |")
    print("| --- | --- | --- | --- |")
    for kind, some in (*taken.items(), ("all", every)):
        print(f"| {kind} | {len(some)} | {statistics.fmean(some):.0f} | {max(some):.0f} |")
    found: dict[str, object] = {
        "mean_ms": {kind: statistics.fmean(some) for kind, some in taken.items()},
        "all_mean_ms": statistics.fmean(every),
    }
    if not options.no_referee:
        frames, cpu_s, took_s = followed(options.looks, options.turns, options.seed)
        rates = (
            f"{frames / cpu_s:.1f} a second of processor time, {frames / took_s:.1f} a second"
        )
        print(f"{frames} frames drawn and refereed: {rates} (at least {LEAST_FPS:g})")
        found |= {"frames": frames, "cpu_s": cpu_s, "wall_s": took_s}
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0 if statistics.fmean(every) <= BUDGET_MS else 1


if __name__ == "__main__":
    sys.exit(main())
