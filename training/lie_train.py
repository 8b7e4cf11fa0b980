"""Train the network that says how a die lies.

python -m training.lie_train SHARDS OUT.pt --minutes 30 --seed 1 [--resume FILE]
"""

import argparse
import math
import time
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name every PyTorch programme uses

from training.lie_model import TILT_UNIT_DEG, LieModel
from training.lie_physics import CHECKER, ON_DIE, WALL
from vision.die_lie import CROP_PX, DIE_PX

FLAT_DEG, TILTED_DEG = 1.0, 4.0
"""Up to here flat, from here on tilted; what is between teaches nothing."""
WEIGHTS = {"lean": 1.0, "tilt": 0.5, "on": 0.5, "touch": 0.3, "outline": 8.0}
WARM_UP = 150
AS_FOUND = 0.45
"""Share of crops shown as a finder of dice cuts them; the others as mended ones are cut."""
TURN_DEG = 3.0
AS_THE_PRODUCT = 0.75
"""Share of the crops that the product itself cut that are shown as it cut them."""
_FOUND = 9


class Pool:
    """The shards of one folder, held in memory; new ones are picked up as they appear."""

    def __init__(self, folder: Path, strange: float = 0.0) -> None:
        """Load what is there.

        Args:
            folder: where the shards are, or will be.
            strange: share of crops shown as some other way of drawing might show them.
        """
        self._folder = folder
        self._strange = strange
        self._seen: set[str] = set()
        self.crops: list[np.ndarray] = []
        self.facts: list[np.ndarray] = []
        self.refresh()

    def refresh(self) -> None:
        """Load shards that were not there before."""
        for path in sorted(self._folder.glob("shard_*.npz")):
            if path.name in self._seen:
                continue
            try:
                with np.load(path) as data:
                    crops, facts = data["crops"], data["facts"]
            except (OSError, ValueError, EOFError):
                continue  # half written
            self._seen.add(path.name)
            self.crops.append(crops)
            self.facts.append(facts)

    def batch(self, rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
        """Return `size` crops, varied, as network input, and their facts."""
        shards = rng.integers(len(self.crops), size=size)
        picked = [(s, int(rng.integers(len(self.crops[s])))) for s in shards.tolist()]
        varied = [
            _varied(rng, self.crops[s][k], self.facts[s][k], self._strange) for s, k in picked
        ]
        shown = np.stack([one for one, _ in varied])
        facts = np.stack([one[:_FOUND] for _, one in varied])
        return planes(shown, facts[:, 0]), facts


def planes(crops: np.ndarray, slant: np.ndarray) -> np.ndarray:
    """Return (N, 4, 64, 64) float32 from (N, 64, 64, 3) crops and N slants."""
    out = np.empty((len(crops), 4, *crops.shape[1:3]), np.float32)
    out[:, :3] = crops.transpose(0, 3, 1, 2)
    out[:, :3] = out[:, :3] / 127.5 - 1.0
    out[:, 3] = slant[:, None, None]
    return out


def _varied(
    rng: np.random.Generator, crop: np.ndarray, facts: np.ndarray, strange: float
) -> tuple[np.ndarray, np.ndarray]:
    facts = facts.copy()
    if rng.random() < 0.5:
        crop = crop[:, ::-1]
        facts[6] = -facts[6]
    shown = crop.astype(np.float32)
    if rng.random() < 0.3:
        shown = shown[..., rng.permutation(3)]
    if rng.random() < 0.6:
        middle = shown.mean()
        shown = (shown - middle) * rng.uniform(0.6, 1.3) + middle * rng.uniform(0.7, 1.3)
    if rng.random() < 0.3:
        shown = shown * rng.uniform(0.8, 1.2, 3)
    if rng.random() < 0.3:
        shown = 255.0 * (np.clip(shown, 0, 255) / 255.0) ** rng.uniform(0.6, 1.6)
    if strange and rng.random() < strange:
        shown = _strange(rng, shown)
    if rng.random() < 0.2:
        shown = cv2.GaussianBlur(shown, (0, 0), rng.uniform(0.3, 0.9))
    if rng.random() < 0.2:
        shown = shown + rng.normal(0, rng.uniform(1, 8), shown.shape)
    mended = rng.random() >= AS_FOUND
    if len(facts) > _FOUND and facts[_FOUND] > 0 and rng.random() < AS_THE_PRODUCT:
        mended, grown, shift = False, rng.normal(0, 0.02), rng.normal(0, 0.25, 2)
        scale = math.exp(grown)
    elif not mended:
        # Finders of dice draw boxes a little too small, and not quite in the middle; of a
        # leaning die they now and then take one face for the whole.
        far = 3.4 if rng.random() < 0.35 else 1.7
        grown = rng.normal(0.05, 0.12)
        scale, shift = math.exp(grown), rng.normal(0, far, 2)
    else:
        # A box that was mended already.
        grown, shift = -facts[8] + rng.normal(0, 0.06), rng.normal(0, 1.0, 2)
        scale = math.exp(grown)
    # The camera's pose, and with it what is upright, is known to some degrees.
    turn = math.radians(rng.normal(0, TURN_DEG))
    c, s = scale * math.cos(turn), scale * math.sin(turn)
    turned = np.array([[c, -s], [s, c]])
    if mended:
        shift -= turned @ facts[6:8] * DIE_PX
    middle = (CROP_PX - 1) / 2
    moved = np.column_stack([turned, shift + middle - turned @ (middle, middle)])
    shown = cv2.warpAffine(
        np.ascontiguousarray(shown, np.float32),
        moved.astype(np.float32),
        (CROP_PX, CROP_PX),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    facts[6:8] = turned @ facts[6:8] + shift / DIE_PX
    facts[8] += grown
    if rng.random() < 0.03:
        shown = 255.0 - shown
    return np.clip(shown, 0, 255), facts


def _strange(rng: np.random.Generator, shown: np.ndarray) -> np.ndarray:
    """Return a crop with the same outlines as some other way of drawing might show it.

    Colours and textures are mixed by a small random convolution, light falls off to a side,
    and it may have been shrunk, sharpened or packed.
    """
    if rng.random() < 0.6:
        size = int(rng.choice([1, 3, 3, 5]))
        weights = rng.normal(0, 1 / math.sqrt(3 * size * size), (3, 3, size, size))
        middle = shown.mean((0, 1))
        turned = np.zeros_like(shown)
        for out in range(3):
            for come in range(3):
                turned[..., out] += cv2.filter2D(
                    shown[..., come] - middle[come], -1, weights[out, come]
                )
        turned *= shown.std() / max(float(turned.std()), 1.0)
        share = rng.uniform(0, 1)
        shown = share * shown + (1 - share) * (turned + shown.mean())
    if rng.random() < 0.5:
        turn, steep = rng.uniform(0, 2 * math.pi), rng.uniform(0, 0.4)
        y, x = np.mgrid[-1 : 1 : CROP_PX * 1j, -1 : 1 : CROP_PX * 1j]
        ramp = 1 + steep * (x * math.cos(turn) + y * math.sin(turn))
        shown = shown * ramp[..., None]
    if rng.random() < 0.4:
        small = rng.uniform(0.45, 0.95)
        little = cv2.resize(
            shown.astype(np.float32), None, fx=small, fy=small, interpolation=cv2.INTER_AREA
        )
        shown = cv2.resize(little, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(shown, (0, 0), rng.uniform(0.7, 1.6))
        shown = shown + rng.uniform(0.2, 1.0) * (shown - soft)
    if rng.random() < 0.3:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))]
        _, packed = cv2.imencode(".jpg", np.clip(shown, 0, 255).astype(np.uint8), quality)
        shown = cv2.imdecode(packed, cv2.IMREAD_COLOR).astype(np.float32)
    return np.asarray(shown, np.float32)


def losses(said: torch.Tensor, facts: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return each part's mean loss."""
    tilt, touched, on = facts[:, 1], facts[:, 2].long(), facts[:, 3].long()
    tilted = (tilt >= TILTED_DEG).float()
    asked = ((tilt <= FLAT_DEG) | (tilt >= TILTED_DEG)).float()
    lean = F.binary_cross_entropy_with_logits(said[:, 0], tilted, reduction="none")
    degrees = F.smooth_l1_loss(said[:, 1], tilt / TILT_UNIT_DEG, reduction="none", beta=0.1)
    known = (on != ON_DIE).float()
    place = F.cross_entropy(said[:, 2:5], on.clamp(max=2), reduction="none")
    bits = torch.stack([(touched & CHECKER > 0), (touched & WALL > 0)], 1).float()
    touch = F.binary_cross_entropy_with_logits(said[:, 5:7], bits)
    outline = F.smooth_l1_loss(said[:, 7:10], facts[:, 6:9], beta=0.05)
    return {
        "lean": (lean * asked).sum() / asked.sum().clamp(min=1),
        "tilt": degrees.mean(),
        "on": (place * known).sum() / known.sum().clamp(min=1),
        "touch": touch,
        "outline": outline,
    }


def train(options: argparse.Namespace) -> None:
    """Run the training loop and write checkpoints."""
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    pool = Pool(options.shards, options.strange)
    model = LieModel()
    if options.resume is not None:
        # What the checkpoint does not know yet starts as a correction by nothing.
        model.load_state_dict(torch.load(options.resume), strict=False)
    model = model.to(memory_format=torch.channels_last)
    average = {k: v.clone() for k, v in model.state_dict().items()}
    optimiser = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=0.02)
    started = time.monotonic()
    sums: dict[str, float] = {}
    step, progress = 0, 0.0
    while progress < 1.0:
        if options.minutes is not None:
            progress = (time.monotonic() - started) / (60 * options.minutes)
        else:
            progress = step / options.steps
        rate = options.rate * min(1.0, (step + 1) / WARM_UP)
        rate *= 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(progress, 1.0)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        shown, facts = pool.batch(rng, options.batch)
        x = torch.from_numpy(shown).contiguous(memory_format=torch.channels_last)
        parts = losses(model(x), torch.from_numpy(facts))
        loss = torch.stack([WEIGHTS[name] * part for name, part in parts.items()]).sum()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        keep = min(0.997, (step + 1) / (step + 20))
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
            print(f"{minutes:.1f} min step {step} {means} shards {len(pool.crops)}", flush=True)
            sums = {}
            torch.save(average, options.out)
            pool.refresh()
    torch.save(average, options.out)


def main() -> None:
    """Parse the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=12000)
    parser.add_argument("--minutes", type=float, help="instead of --steps")
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--strange", type=float, default=0.0, help="share shown as if drawn in another way"
    )
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--every", type=int, default=200)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    train(options)


if __name__ == "__main__":
    main()
