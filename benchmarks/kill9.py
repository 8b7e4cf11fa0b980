"""Kills the writer of a record at random moments and counts what is lost: nothing may be.

    python benchmarks/kill9.py [--kills 2000] [--seed 2026] [--folder DIR] [--json FILE]

A child process appends, signs, keeps pictures, prunes, closes and opens again, and tells over
a pipe what was acknowledged. It is killed (SIGKILL) while it opens, while it commits, between.
The parent then reads the record: every acknowledged event must be there with the hash and the
state it was acknowledged with, the chain whole, no batch torn. Half of the records are repaired
by the parent, half by the next child. `--folder` chooses the disk to be tried.

A kill leaves the system running, so this does not try what a power cut does to the disk's own
caches; for that, pull the plug (docs/explanation/record.md).
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

# Python puts a script's own folder first on the path; the tests' helpers lie beside it.
sys.path[:] = [one for one in sys.path if Path(one).resolve() != Path(__file__).parent]
sys.path.append(str(Path(__file__).resolve().parents[1]))

from tests.support.kill9 import LostError, run  # noqa: E402


def main() -> int:
    """Kill, print the figures, and keep them where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--folder", type=Path, help="on the disk to be tried")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    options = parser.parse_args()
    started_s = time.monotonic()
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="kill9-") as made:
        try:
            report = run(options.kills, options.seed, Path(made))
        except LostError as lost:
            print(f"LOST, seed {options.seed}: {lost}")
            return 1
    figures = {
        "kills": report.kills,
        "while": dict(report.killed_in),
        "events acknowledged": report.acknowledged,
        "acknowledged and lost": 0,
        "events written but not acknowledged yet": report.unacknowledged_kept,
        "rows checked": report.rows,
        "records verified": report.records,
        "pictures checked": report.pictures_checked,
        "pictures pruned": report.pruned,
        "seconds": round(time.monotonic() - started_s, 1),
    }
    for what, count in figures.items():
        print(f"{what:42} {count}")
    if options.json:
        text = json.dumps({"seed": options.seed, **figures}, indent=1)
        options.json.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
