"""Say what the network says of crops it was not trained on, and fit its temperature.

python -m training.lie_evaluate CHECKPOINT SHARDS
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from training.lie_model import TILT_UNIT_DEG, LieModel
from training.lie_physics import CHECKER, ON_DIE, WALL
from training.lie_train import FLAT_DEG, TILTED_DEG, Pool, planes


def answers(checkpoint: Path, pool: Pool, mirrored: bool = True) -> np.ndarray:
    """Return (N, 10) raw outputs, the mean of a crop's and its mirror image's."""
    model = LieModel()
    model.load_state_dict(torch.load(checkpoint))
    model.eval()
    out = []
    with torch.no_grad():
        for crops, facts in zip(pool.crops, pool.facts, strict=True):
            for first in range(0, len(crops), 250):
                part = crops[first : first + 250]
                slant = facts[first : first + 250, 0]
                said = model(torch.from_numpy(planes(part, slant)))
                if mirrored:
                    other = model(torch.from_numpy(planes(part[:, :, ::-1], slant)))
                    other[:, 7] = -other[:, 7]
                    said = (said + other) / 2
                out.append(said.numpy())
    return np.concatenate(out)


def main() -> None:
    """Parse the command line and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("shards", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    pool = Pool(options.shards)
    facts = np.concatenate(pool.facts)
    said = answers(options.checkpoint, pool)
    tilt, touched, on = facts[:, 1], facts[:, 2].astype(int), facts[:, 3].astype(int)
    flat, tilted = tilt <= FLAT_DEG, tilt >= TILTED_DEG
    logit = said[:, 0]
    temperature = _temperature(logit[flat | tilted], tilted[flat | tilted])
    print(f"temperature {temperature:.2f}")
    chance = 1 / (1 + np.exp(-logit / temperature))
    for low, high in ((0, 14), (14, 20), (20, 99)):
        size = (facts[:, 4] >= low) & (facts[:, 4] < high)
        _report(f"{low}–{high} px", chance, flat & size, tilted & size)
    _report("all", chance, flat, tilted)
    for low, high in ((4, 10), (10, 20), (20, 30), (30, 60)):
        some = (tilt >= low) & (tilt < high)
        off = np.median(np.abs(said[some, 1] * TILT_UNIT_DEG - tilt[some]))
        shares = [f"p>{limit} {np.mean(chance[some] > limit):.3f}" for limit in (0.5, 0.9)]
        print(
            f"tilt {low}–{high}: {some.sum()} crops,", ", ".join(shares), f"off by {off:.1f}°"
        )
    known = on != ON_DIE
    place = said[:, 2:5].argmax(1)
    for name, some in (("flat", flat), ("tilted", tilted)):
        table = np.zeros((3, 3), int)
        np.add.at(table, (on[some & known], place[some & known]), 1)
        print(f"on, {name}: rows true board, checker, wall\n{table}")
    for k, bit in ((5, CHECKER), (6, WALL)):
        true = (touched & bit) > 0
        print(f"touch {bit}: right {np.mean((said[:, k] > 0) == true):.3f}")


def _temperature(logit: np.ndarray, truth: np.ndarray) -> float:
    tried = np.linspace(0.5, 4, 71)
    sign = np.where(truth, 1.0, -1.0)
    cost = [np.logaddexp(0, -sign * logit / t).mean() for t in tried]
    return float(tried[int(np.argmin(cost))])


def _report(name: str, chance: np.ndarray, flat: np.ndarray, tilted: np.ndarray) -> None:
    parts = [
        f"p>{limit}: tilted {np.mean(chance[tilted] > limit):.3f}"
        f" flat {np.mean(chance[flat] > limit):.4f}"
        for limit in (0.5, 0.8, 0.9, 0.95, 0.99)
    ]
    print(f"{name}: {flat.sum()} flat {tilted.sum()} tilted; " + "; ".join(parts))
    print("   said flat:", "; ".join(
        f"p<{limit}: flat {np.mean(chance[flat] < limit):.3f}"
        f" tilted {np.mean(chance[tilted] < limit):.4f}"
        for limit in (0.02, 0.05, 0.1, 0.2)
    ))  # fmt: skip


if __name__ == "__main__":
    main()
