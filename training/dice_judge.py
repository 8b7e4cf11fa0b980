"""Train the judge: a small classifier that looks once more at a spot taken for a die.

    python -m training.dice_judge SHARDS[,SHARDS…] OUT --boards FOLDER --steps 20000

It is shown what the other readers would show it: the dice of the drawn pictures, and on the
same pictures whatever the dice net took for a die and is none. Its eight answers: no die, the
values 1 to 6, and a die whose upper face cannot be told.
"""

import argparse
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name every PyTorch programme uses
from torch import nn

from training.dice_model import DiceModel, conv
from training.dice_seek import export
from training.dice_trunk import trained_trunk
from vision.cv import BgrImage, as_u8
from vision.dice_net import DiceNet
from vision.dice_net_map import DiceNetSettings

SIZE = 64
AROUND = 1.6
"""Side of the square shown, in the longer sides of the outline."""
NO_DIE, UNREADABLE = 0, 7
ANSWERS = 8
WARM_UP = 150
TRUNK_SHARE = 0.15
"""Rate at which the dice net's own layers learn, against the new ones."""
MODEL = Path(__file__).parents[1] / "vision" / "models" / "dice.onnx"
_MINED = DiceNetSettings(heat_min=0.08)


class JudgeModel(nn.Module):
    """(N, 3, 64, 64) in −1…1 → (N, 8) logits.

    It begins as the dice net, whose two finest maps it reads with layers of its own.
    """

    def __init__(self, trunk: DiceModel) -> None:
        super().__init__()
        self.trunk = trunk
        self.shrink = conv(24, 48, 2)
        self.mix = nn.Sequential(conv(44 + 48, 64), conv(64, 64, 2))
        self.head = nn.Sequential(
            nn.Dropout(0.1), nn.Conv2d(64, 96, 4), nn.ReLU(), nn.Conv2d(96, ANSWERS, 1)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the logits of the answers."""
        t = self.trunk
        fine = t.fine(t.stem(x))
        eighth = t.down8(fine)
        eighth = t.mix8(eighth + t.grow(t.up8(t.down16(eighth))))
        finest = t.mix4(fine + t.grow(t.up4(eighth)))
        return self.head(self.mix(torch.cat([eighth, self.shrink(finest)], 1))).flatten(1)

    def train(self, mode: bool = True) -> "JudgeModel":
        """Switch to training; the trunk's folded normalisations stay as they are."""
        super().train(mode)
        self.trunk.eval()
        return self


@dataclass(frozen=True, slots=True)
class Sample:
    """One spot of one picture."""

    picture: int
    x: float
    y: float
    side_px: float
    """Longer side of the outline."""
    answer: int
    edge_px: float = 0.0
    """Of a die: the edge of its upper face; 0: not known."""
    top: tuple[float, float] | None = None
    """Of a die: the middle of its upper face, where it is known."""


class Spots:
    """All pictures in memory, with what is to be shown of them."""

    def __init__(self, shards: list[Path], boards: Path | None, mined: Path | None) -> None:
        self._kept = None
        if mined is not None and mined.exists():
            self._kept = np.load(mined)
        self.pictures: list[BgrImage] = []
        self.dice: list[Sample] = []
        self.others: list[Sample] = []
        self._net = DiceNet.load()
        for folder in shards:
            for path in sorted(folder.glob("shard_*.npz")):
                with np.load(path) as data:
                    for bgr, rows in zip(data["pictures"], data["labels"], strict=True):
                        self._add(bgr, rows[~np.isnan(rows[:, 0])])
        for line in (boards / "labels.jsonl").read_text("utf-8").splitlines() if boards else ():
            row = json.loads(line)
            assert boards is not None
            bgr = as_u8(cv2.imread(str(boards / row["file"])))
            rows = np.array([_row_of(die) for die in row["dice"]]).reshape(-1, 9)
            self._add(bgr, rows)
        if self._kept is not None:
            self.others = [Sample(int(n), x, y, side, NO_DIE) for n, x, y, side in self._kept]
        elif mined is not None:
            np.save(mined, [(s.picture, s.x, s.y, s.side_px) for s in self.others])

    def _add(self, bgr: BgrImage, rows: np.ndarray) -> None:
        number = len(self.pictures)
        self.pictures.append(bgr)
        for x, y, left, top, width, height, value, tilt, edge in rows:
            if value < 0:
                continue
            middle = None if np.isnan(tilt) else (float(x), float(y))
            answer = int(value) if value > 0 else UNREADABLE
            at = (left + width / 2, top + height / 2, max(width, height))
            self.dice.append(Sample(number, *map(float, at), answer, float(edge), middle))
        if self._kept is not None or (rows[:, 6] == -2).any():
            return
        found = self._net.propose(bgr, _MINED)
        for box in found.box_px:
            x, y = box[:2] + box[2:] / 2
            side = float(max(box[2:]))
            if all(math.hypot(x - r[0], y - r[1]) > 0.75 * max(r[4], r[5], 8) for r in rows):
                self.others.append(Sample(number, float(x), float(y), side, NO_DIE))

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, int]:
        """Return one (SIZE, SIZE, 3) crop and its answer."""
        kind = rng.random()
        if kind < 0.5:
            return self._shown(rng, self._a_die(rng))
        if kind < 0.8:
            return self._shown(rng, self.others[int(rng.integers(len(self.others)))])
        die = self.dice[int(rng.integers(len(self.dice)))]
        if kind < 0.9:
            return self._shown(rng, _beside(rng, die))
        bgr = self.pictures[die.picture]
        x, y = rng.uniform(0, 1, 2) * bgr.shape[1::-1]
        side = math.exp(rng.uniform(math.log(11), math.log(60)))
        near = [
            d for d in self.dice_of(die.picture) if math.hypot(x - d.x, y - d.y) < d.side_px
        ]
        if near:
            return self._shown(rng, _beside(rng, near[0]))
        return self._shown(rng, Sample(die.picture, x, y, side, NO_DIE))

    def dice_of(self, picture: int) -> list[Sample]:
        """Return the dice of one picture."""
        if not hasattr(self, "_by_picture"):
            self._by_picture: dict[int, list[Sample]] = {}
            for die in self.dice:
                self._by_picture.setdefault(die.picture, []).append(die)
        return self._by_picture.get(picture, [])

    def _a_die(self, rng: np.random.Generator) -> Sample:
        die = self.dice[int(rng.integers(len(self.dice)))]
        x, y, side = die.x, die.y, die.side_px
        if die.top is not None and rng.random() < 0.35:
            # As the classical reader says it: the upper face alone.
            (x, y), side = die.top, die.edge_px * rng.uniform(1.0, 1.42)
        x, y = np.array([x, y]) + rng.normal(0, 0.05, 2) * side
        return Sample(die.picture, float(x), float(y), side, die.answer)

    def _shown(self, rng: np.random.Generator, sample: Sample) -> tuple[np.ndarray, int]:
        bgr = self.pictures[sample.picture]
        side = sample.side_px * AROUND * math.exp(rng.normal(0, 0.09))
        crop = cut(bgr, (sample.x, sample.y), side, float(rng.uniform(0, 360)))
        if rng.random() < 0.5:
            crop = as_u8(crop[:, ::-1])
        return _varied(rng, crop), sample.answer


def cut(bgr: BgrImage, at: tuple[float, float], side_px: float, turn_deg: float) -> BgrImage:
    """Return a turned square of a picture, SIZE pixels wide."""
    scale = SIZE / side_px
    matrix = cv2.getRotationMatrix2D((0.0, 0.0), turn_deg, scale)
    reach = int(0.75 * side_px) + 4
    x0, y0 = max(int(at[0]) - reach, 0), max(int(at[1]) - reach, 0)
    part = bgr[y0 : max(int(at[1]) + reach, y0 + 4), x0 : max(int(at[0]) + reach, x0 + 4)]
    if part.size == 0:
        return np.zeros((SIZE, SIZE, 3), np.uint8)
    if scale < 0.75:
        part = as_u8(cv2.GaussianBlur(part, (0, 0), 0.35 / scale))
    matrix[:, 2] = (SIZE - 1) / 2 - matrix[:, :2] @ (at[0] - x0, at[1] - y0)
    return as_u8(cv2.warpAffine(part, matrix, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE))


def _beside(rng: np.random.Generator, die: Sample) -> Sample:
    """Return a spot that is no upper face: a side face, one pip, or several dice at once."""
    away = rng.uniform(0, 2 * math.pi)
    kind = rng.random()
    share, size = rng.uniform(0.4, 0.8), rng.uniform(0.5, 1.2)
    if kind < 0.35:
        share, size = rng.uniform(0.0, 0.35), rng.uniform(0.2, 0.42)
    elif kind < 0.5:
        share, size = rng.uniform(0, 1.0), rng.uniform(2.0, 4.0)
    x = die.x + share * die.side_px * math.cos(away)
    y = die.y + share * die.side_px * math.sin(away)
    return Sample(die.picture, x, y, max(size * die.side_px, 6.0), NO_DIE)


def _row_of(die: dict[str, object]) -> list[float]:
    """Return a board's die as a row of the shards; no value: under a hand, leave it alone."""
    box, center, tilt = die["box"], die["centre"], die["tilt_deg"]
    assert isinstance(box, list)
    assert isinstance(center, list)
    assert isinstance(tilt, float)
    value = die["value"] if isinstance(die["value"], int) else -1
    if value == -1 and die["flat"] is False:
        value = 0 if tilt > 38 else -1
    return [*center, *box, float(value), math.nan, 0.8 * max(box[2:])]


def _varied(rng: np.random.Generator, crop: np.ndarray) -> np.ndarray:
    shown = crop.astype(np.float32)
    if rng.random() < 0.3:
        shown = shown[..., rng.permutation(3)]
    if rng.random() < 0.6:
        shown = shown * rng.uniform(0.55, 1.35) + rng.uniform(-30, 30)
    if rng.random() < 0.05:
        shown = 255.0 - shown
    if rng.random() < 0.3:
        shown = shown + rng.normal(0, rng.uniform(1, 9), shown.shape)
    if rng.random() < 0.2:
        shown = cv2.GaussianBlur(shown, (0, 0), rng.uniform(0.4, 1.4))
    if rng.random() < 0.12:  # a cord, a finger, a shadow over it
        level = rng.uniform(0.3, 0.8)
        edge = int(rng.integers(0, SIZE // 3))
        shown[:edge] *= level
    return np.clip(shown, 0, 255).astype(np.float32)


def train(options: argparse.Namespace) -> JudgeModel:
    """Run the loop; return the running mean of the weights."""
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    shards = [Path(name) for name in options.shards.split(",")]
    spots = Spots(shards, options.boards, options.mined)
    counts = len(spots.pictures), len(spots.dice), len(spots.others)
    print(f"{counts[0]} pictures, {counts[1]} dice, {counts[2]} others", flush=True)
    model, kept = (JudgeModel(trained_trunk(options.trunk)) for _ in range(2))
    trunk = list(model.trunk.parameters())
    own = [p for name, p in model.named_parameters() if not name.startswith("trunk.")]
    model.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    if options.resume is not None:
        model.load_state_dict(torch.load(options.resume))
    kept.load_state_dict(model.state_dict())
    groups = [{"params": own, "share": 1.0}, {"params": trunk, "share": TRUNK_SHARE}]
    optimiser = torch.optim.AdamW(groups, lr=options.rate, weight_decay=0.02)
    started, summed, right = time.monotonic(), 0.0, 0.0
    step, progress = 0, 0.0
    while progress < 1.0:
        progress = (
            (time.monotonic() - started) / (60 * options.minutes)
            if options.minutes
            else step / options.steps
        )
        rate = options.rate * min(1.0, (step + 1) / WARM_UP)
        rate *= 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * min(progress, 1.0)))
        for group in optimiser.param_groups:
            group["lr"] = rate * group["share"]
        crops, answers = zip(*(spots.draw(rng) for _ in range(options.batch)), strict=True)
        x = torch.from_numpy(np.stack(crops).transpose(0, 3, 1, 2) / 127.5 - 1.0)
        wanted = torch.tensor(answers)
        said = model(x.to(memory_format=torch.channels_last))
        loss = F.cross_entropy(said, wanted, label_smoothing=0.01)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        _average(kept, model, min(0.998, (step + 1) / (step + 20)))
        summed += float(loss.detach())
        right += float((said.argmax(1) == wanted).float().mean())
        step += 1
        if step % options.every == 0:
            minutes = (time.monotonic() - started) / 60
            figures = f"{summed / options.every:.4f} right {right / options.every:.4f}"
            print(f"{minutes:.1f} min step {step} {figures}", flush=True)
            summed = right = 0.0
            torch.save(kept.state_dict(), options.out.with_suffix(".pt"))
    return kept


def _average(kept: nn.Module, model: nn.Module, share: float) -> None:
    with torch.no_grad():
        own = model.state_dict()
        for name, value in kept.state_dict().items():
            if value.dtype.is_floating_point:
                value.mul_(share).add_(own[name], alpha=1 - share)
            else:
                value.copy_(own[name])


def main() -> None:
    """Parse the command line, train, export."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shards")
    parser.add_argument("out", type=Path)
    parser.add_argument("--boards", type=Path)
    parser.add_argument("--trunk", type=Path, default=MODEL)
    parser.add_argument("--mined", type=Path, help="keep what the dice net takes for dice here")
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, help="instead of --steps")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--resume", type=Path, help="go on from these weights")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--every", type=int, default=200)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    export(train(options), options.out, (SIZE, SIZE), "answers")


if __name__ == "__main__":
    main()
