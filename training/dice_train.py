"""Train the dice net on shards of pictures.

python -m training.dice_train SHARDS OUT --steps 8000 [--photos PHOTO_SHARDS] [--resume FILE]
"""

import argparse
import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch

from training.dice_model import STRIDE, DiceModel
from training.dice_targets import loss_parts, targets

CROP = 96
WEIGHTS = {"heat": 1.0, "value": 1.0, "size": 0.5, "tilt": 0.15}
WARM_UP = 200


class Pool:
    """The shards of one folder, held in memory; new ones are picked up as they appear."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: set[str] = set()
        self.shards: list[tuple[np.ndarray, np.ndarray]] = []
        self.refresh()

    def refresh(self) -> None:
        """Load shards that were not there before."""
        for path in sorted(self._folder.glob("shard_*.npz")):
            if path.name not in self._seen:
                self._seen.add(path.name)
                with np.load(path) as data:
                    self.shards.append((data["pictures"], data["labels"]))

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return one augmented crop (CROP, CROP, 3) and its targets."""
        pictures, labels = self.shards[int(rng.integers(len(self.shards)))]
        k = int(rng.integers(len(pictures)))
        bgr, rows = pictures[k], labels[k]
        rows = rows[~np.isnan(rows[:, 0])].copy()
        room = bgr.shape[0] - CROP
        left, top = rng.integers(0, room + 1, 2).tolist()
        asked = rows[rows[:, 6] > 0]
        if len(asked) and rng.random() < 0.7:
            x, y = asked[int(rng.integers(len(asked)))][:2]
            left = int(np.clip(x - rng.uniform(16, CROP - 16), 0, room))
            top = int(np.clip(y - rng.uniform(16, CROP - 16), 0, room))
        crop = bgr[top : top + CROP, left : left + CROP]
        rows[:, [0, 2]] -= left
        rows[:, [1, 3]] -= top
        reach = 0.42 * rows[:, 8]
        outside = np.maximum(np.abs(rows[:, 0] - CROP / 2), np.abs(rows[:, 1] - CROP / 2))
        cut = (rows[:, 6] >= 0) & (outside > CROP / 2 - reach)
        rows[cut, 6] = -1
        if rng.random() < 0.5:
            crop = crop[:, ::-1]
            rows[:, 0] = CROP - 1 - rows[:, 0]
            rows[:, 2] = CROP - 1 - rows[:, 2] - rows[:, 4]
        shown = crop.astype(np.float32)
        if rng.random() < 0.3:
            shown = shown[..., rng.permutation(3)]
        if rng.random() < 0.5:
            shown = shown * rng.uniform(0.7, 1.25) + rng.uniform(-15, 15)
        if rng.random() < 0.08:
            shown = 255.0 - shown
        return np.clip(shown, 0, 255), targets(rows, CROP // STRIDE)


def batch(
    rng: np.random.Generator, pools: list[tuple[Pool, float]], size: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return network input and targets."""
    shares = np.array([share for _, share in pools])
    drawn = [pools[int(rng.choice(len(pools), p=shares))][0].draw(rng) for _ in range(size)]
    shown = np.stack([d[0] for d in drawn]).transpose(0, 3, 1, 2)
    x = torch.from_numpy(np.ascontiguousarray(shown)) / 127.5 - 1.0
    return x.contiguous(memory_format=torch.channels_last), torch.from_numpy(
        np.stack([d[1] for d in drawn])
    )


def train(options: argparse.Namespace) -> None:
    """Run the training loop and write checkpoints."""
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    pools = [(Pool(options.shards), 1.0)]
    if options.photos is not None:
        share = options.photo_share
        pools = [(pools[0][0], 1 - share), (Pool(options.photos), share)]
    model = DiceModel().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    if options.resume is not None:
        model.load_state_dict(torch.load(options.resume))
    average = {k: v.clone() for k, v in model.state_dict().items()}
    optimiser = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=0.01)
    started = time.monotonic()
    sums: dict[str, float] = {}
    step, progress = 0, 0.0
    while progress < 1.0:
        if options.minutes is not None:
            progress = (time.monotonic() - started) / (60 * options.minutes)
        else:
            progress = step / options.steps
        rate = options.rate * min(1.0, (step + 1) / WARM_UP)
        rate *= 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(progress, 1.0)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        x, wanted = batch(rng, pools, options.batch)
        parts = loss_parts(model(x), wanted)
        loss = torch.stack([WEIGHTS[name] * part for name, part in parts.items()]).sum()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        keep = min(0.998, (step + 1) / (step + 20))
        with torch.no_grad():
            for name, value in model.state_dict().items():
                if value.dtype.is_floating_point:
                    average[name].mul_(keep).add_(value, alpha=1 - keep)
                else:
                    average[name].copy_(value)
        for name, part in parts.items():
            sums[name] = sums.get(name, 0.0) + float(part.detach())
        step += 1
        if step % options.every == 0:
            means = " ".join(f"{k} {v / options.every:.3f}" for k, v in sums.items())
            minutes = (time.monotonic() - started) / 60
            shards = sum(len(pool.shards) for pool, _ in pools)
            print(f"{minutes:.1f} min step {step} {means} shards {shards}", flush=True)
            sums = {}
            torch.save(average, options.out)
            for pool, _ in pools:
                pool.refresh()
    torch.save(average, options.out)


def main() -> None:
    """Parse the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--photo-share", type=float, default=0.25)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--minutes", type=float, help="instead of --steps")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--every", type=int, default=200)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    train(options)


if __name__ == "__main__":
    main()
