"""How long a look takes, on one core, beside a plain OpenCV blob detector on the same frames.

    python benchmarks/sight.py [--frames 8] [--repeats 5] [--seed 2026] [--json FILE]

Frames of 1280×960 pixels are drawn by the simulated table: random boards, lights, cameras and
positions, two dice each. Times are of this process's processor time, so a busy machine disturbs
them less; of each frame the best of the repeats counts, and the table tells the median and the
worst of the frames. OpenCV is held to one thread.
"""

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

# Python puts a script's own folder first on the path, where `rules.py` would hide the package.
sys.path[:] = [one for one in sys.path if Path(one).resolve() != Path(__file__).parent]

import cv2  # noqa: E402
import numpy as np  # noqa: E402

from calibration.geometry import BoardGeometry  # noqa: E402
from calibration.homography import Matrix, board_from_image  # noqa: E402
from calibration.layout import BoardLayout  # noqa: E402
from table.looks import random_board, random_camera, random_light  # noqa: E402
from table.render import DEFAULT_SIZE_PX, render  # noqa: E402
from table.scene import Scene  # noqa: E402
from table.throws import throw  # noqa: E402
from table.truth import corners_px  # noqa: E402
from table.world import Board, Position, WorldError, set_up  # noqa: E402
from vision.board_finder import find_board  # noqa: E402
from vision.board_view import estimate_geometry, rectify, rectify_measured  # noqa: E402
from vision.checkers import read_checkers  # noqa: E402
from vision.cv import BgrImage  # noqa: E402
from vision.dice_reader import read_dice, read_dice_on_board, reread_dice  # noqa: E402
from vision.observation import Corners, DieReading  # noqa: E402

DICE_BAR_MS, REREAD_BAR_MS = 60.0, 15.0
COLD_BAR_MS, TRACKED_BAR_MS = 400.0, 60.0
_POSITION: Position = {
    "points": {
        "24": "w5", "22": "w1", "20": "w2", "18": "b2", "17": "b1", "15": "w1",
        "12": "b6", "11": "b1", "10": "w2", "8": "b2", "7": "w2", "5": "b1",
        "4": "w1", "3": "b2", "2": "w1",
    },
    "off": {"w": 0, "b": 0},
}  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """One drawn frame and what is known of it beforehand."""

    bgr: BgrImage
    corners: Corners
    board_from_image: Matrix
    geometry: BoardGeometry
    values: tuple[int, int]


@dataclass
class Stage:
    """One line of the table."""

    what: str
    bar_ms: float | None = None
    best_ms: list[float] = field(default_factory=list)
    """Of each frame."""

    @property
    def median_ms(self) -> float:
        """Over the frames."""
        return statistics.median(self.best_ms)


def main() -> None:
    """Measure, print the table and keep it where asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here too")
    options = parser.parse_args()
    cv2.setNumThreads(1)

    frames = [drawn(np.random.default_rng([options.seed, k])) for k in range(options.frames)]
    stages, right = measured(frames, options.repeats)
    baseline = stages[0]
    dice = 2 * len(frames)
    print(f"{options.frames} frames of 1280×960; {right} of {dice} dice read right, one core\n")
    print(f"{'':44} {'median ms':>9} {'worst':>7} {'bar':>5} {'':5} {'× blob':>7}")
    for one in stages:
        ratio = one.median_ms / baseline.median_ms
        bar = f"{one.bar_ms:5.0f}" if one.bar_ms else " " * 5
        verdict = "" if one.bar_ms is None else "ok" if one.median_ms <= one.bar_ms else "ABOVE"
        worst = max(one.best_ms)
        print(f"{one.what:44} {one.median_ms:9.1f} {worst:7.1f} {bar} {verdict:5} {ratio:7.2f}")
    if options.json:
        report = {
            "machine": machine(),
            "commit": commit(),
            "opencv": cv2.__version__,
            "seed": options.seed,
            "frames": options.frames,
            "repeats": options.repeats,
            "dice_right": [right, dice],
            "stages": [
                asdict(one)
                | {
                    "median_ms": one.median_ms,
                    "to_blob": one.median_ms / baseline.median_ms,
                }
                for one in stages
            ],
        }
        options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def drawn(rng: np.random.Generator) -> Frame:
    """Draw one frame with two dice."""
    geometry = BoardGeometry()
    while True:
        look = random_board(rng)
        board = Board(look, BoardLayout.of("top_right"), geometry)
        discs = set_up(board, _POSITION, rng)
        values = (int(rng.integers(1, 7)), int(rng.integers(1, 7)))
        try:
            dice = throw(board, values, discs, rng)
        except WorldError:
            continue
        scene = Scene(
            look,
            discs=discs,
            dice=dice,
            camera=random_camera(rng),
            light=random_light(rng),
            noise_seed=int(rng.integers(1_000_000)),
        )
        a, b, c, d = corners_px(scene)
        matrix = board_from_image((a, b, c, d), geometry.width_mm, geometry.height_mm)
        return Frame(render(scene, DEFAULT_SIZE_PX), (a, b, c, d), matrix, geometry, values)


def measured(frames: list[Frame], repeats: int) -> tuple[list[Stage], int]:
    """Return the stages, the baseline first, and how many dice were read right."""
    blob = Stage("SimpleBlobDetector, defaults, grey frame")
    find = Stage("board: find_board")
    cold = Stage("board and checkers, nothing known", COLD_BAR_MS)
    checkers = Stage("checkers: view and read_checkers", TRACKED_BAR_MS)
    full = Stage("dice: read_dice_on_board, full look", DICE_BAR_MS)
    again = Stage("dice: reread_dice at known dice", REREAD_BAR_MS)
    anywhere = Stage("dice in any photo: read_dice (no board known)")
    detector = cv2.SimpleBlobDetector.create()
    right = 0
    for frame in frames:
        gray = cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY)

        def points(frame: Frame = frame) -> object:
            view = rectify_measured(frame.bgr, frame.corners, frame.geometry)
            return read_checkers(view, frame.geometry)

        def unaided(frame: Frame = frame) -> object:
            corners = find_board(frame.bgr).corners_px or frame.corners
            view = rectify(frame.bgr, corners)
            return read_checkers(view, estimate_geometry(view))

        def look(frame: Frame = frame) -> tuple[DieReading, ...]:
            return read_dice_on_board(frame.bgr, frame.board_from_image, frame.geometry)

        known = look()
        right += matched([die.value for die in known], frame.values)

        def relook(
            frame: Frame = frame, known: tuple[DieReading, ...] = known
        ) -> tuple[DieReading, ...]:
            return reread_dice(frame.bgr, frame.board_from_image, frame.geometry, known)

        calls: list[tuple[Stage, Callable[[], object]]] = [
            (blob, lambda gray=gray: detector.detect(gray)),  # type: ignore[misc]
            (find, lambda frame=frame: find_board(frame.bgr)),  # type: ignore[misc]
            (cold, unaided),
            (checkers, points),
            (full, look),
            (again, relook),
            (anywhere, lambda frame=frame: read_dice(frame.bgr)),  # type: ignore[misc]
        ]
        for stage, call in calls:
            stage.best_ms.append(best_ms(call, repeats))
    return [blob, find, cold, checkers, full, again, anywhere], right


def best_ms(call: Callable[[], object], repeats: int) -> float:
    """Return the shortest of some runs, after one that is not counted."""
    call()
    times_ms = []
    for _ in range(repeats):
        started_s = time.process_time()
        call()
        times_ms.append(1000 * (time.process_time() - started_s))
    return min(times_ms)


def matched(said: list[int | None], wanted: tuple[int, ...]) -> int:
    """Return how many of the wanted values are among those said, each used once."""
    left = list(said)
    count = 0
    for value in wanted:
        if value in left:
            left.remove(value)
            count += 1
    return count


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


if __name__ == "__main__":
    main()
