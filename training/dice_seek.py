"""Train the seeker: a tiny network that says where on a board a closer look is worth it.

    python -m training.dice_seek SHARDS[,SHARDS…] OUT --boards FOLDER --steps 6000

It sees a board at about 1.25 px/mm, a die being 8–34 px large, and answers at an eighth of the
size. It need not be right, only to leave out no die; the dice net then looks at those spots.
"""

import argparse
import json
import math
import time
import warnings
from pathlib import Path

import cv2
import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name every PyTorch programme uses
from torch import nn

from training.dice_model import Residual, conv
from vision.cv import BgrImage, as_u8

STRIDE = 8
CROP = 128
LEAST_EDGE_PX, MOST_EDGE_PX = 8.0, 34.0
"""Dice of these sizes are to be found."""
SEEK_PX_PER_MM = 1.25
WARM_UP = 150
OPSET = 13


class SeekModel(nn.Module):
    """Fully convolutional: (N, 3, H, W) in −1…1 → (N, 1, H/8, W/8); H, W multiples of 16."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(conv(3, 12, 2), conv(12, 20, 2))
        self.down8 = nn.Sequential(conv(20, 32, 2), Residual(32))
        self.down16 = nn.Sequential(conv(32, 48, 2), Residual(48))
        self.up8 = conv(48, 32, size=1)
        self.mix8 = conv(32, 32)
        self.head = nn.Conv2d(32, 1, 1)
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")
        with torch.no_grad():
            self.head.bias.fill_(-4.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the heat's logits."""
        eighth = self.down8(self.stem(x))
        return self.head(self.mix8(eighth + self.grow(self.up8(self.down16(eighth)))))


class Pictures:
    """Shards of drawn pictures and whole boards; `draw` takes crops at the seeker's scale."""

    def __init__(self, shards: list[Path], boards: Path | None) -> None:
        self._shards = []
        for folder in shards:
            for path in sorted(folder.glob("shard_*.npz")):
                with np.load(path) as data:
                    self._shards.append((data["pictures"], data["labels"]))
        self._boards: list[tuple[BgrImage, np.ndarray, float]] = []
        for line in (boards / "labels.jsonl").read_text("utf-8").splitlines() if boards else ():
            row = json.loads(line)
            assert boards is not None
            bgr = as_u8(cv2.imread(str(boards / row["file"])))
            small = 1.6 / row["px_per_mm"] if row["px_per_mm"] > 1.6 else 1.0
            bgr = as_u8(cv2.resize(bgr, None, fx=small, fy=small, interpolation=cv2.INTER_AREA))
            dice = np.array([(*d["centre"], d["size_px"]) for d in row["dice"]]).reshape(-1, 3)
            self._boards.append((bgr, dice * small, row["px_per_mm"] * small))

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return (CROP, CROP, 3) BGR and (CROP/8, CROP/8, 2): heat wanted, its weight."""
        if self._boards and rng.random() < 0.45:
            bgr, dice, px_per_mm = self._boards[int(rng.integers(len(self._boards)))]
            scale = SEEK_PX_PER_MM / px_per_mm * rng.uniform(0.75, 1.3)
            # An outline is larger than the edge of a die.
            rows = np.column_stack([dice[:, :2], 0.8 * dice[:, 2], np.ones(len(dice))])
        else:
            pictures, labels = self._shards[int(rng.integers(len(self._shards)))]
            k = int(rng.integers(len(pictures)))
            bgr, own = pictures[k], labels[k][~np.isnan(labels[k][:, 0])]
            scale = float(rng.uniform(0.45, 1.0))
            asked = np.where(own[:, 6] == -2, -2.0, np.where(own[:, 6] < 0, 0.0, 1.0))
            rows = np.column_stack([own[:, 0], own[:, 1], own[:, 8], asked])
        height, width = bgr.shape[:2]
        middle = rng.uniform(0, 1, 2) * (width, height)
        if len(rows) and rng.random() < 0.5:
            middle = rows[int(rng.integers(len(rows)))][:2] + rng.normal(0, 20 / scale, 2)
        middle = np.clip(middle, 0, (width - 1, height - 1))
        turn = rng.choice([0.0, 90.0, 180.0, 270.0]) + rng.normal(0, 5)
        matrix = cv2.getRotationMatrix2D((0.0, 0.0), turn, scale)
        matrix[:, 2] = CROP / 2 - matrix[:, :2] @ middle
        if rng.random() < 0.5:
            matrix[0] = (0, 0, CROP - 1) - matrix[0]
        reach = (CROP / scale + 8) * 0.75
        x0, y0 = np.maximum(middle - reach, 0).astype(int)
        x1, y1 = np.minimum(middle + reach, (width, height)).astype(int)
        part = bgr[y0:y1, x0:x1]
        if scale < 0.75:
            part = cv2.GaussianBlur(part, (0, 0), 0.4 / scale)
        moved = matrix.copy()
        moved[:, 2] += matrix[:, :2] @ (x0, y0)
        crop = cv2.warpAffine(part, moved, (CROP, CROP), borderMode=cv2.BORDER_REPLICATE)
        spots = rows[:, :2] @ matrix[:, :2].T + matrix[:, 2]
        return _varied(rng, crop), _wanted(spots, rows[:, 2] * scale, rows[:, 3])


def _varied(rng: np.random.Generator, crop: np.ndarray) -> np.ndarray:
    shown = crop.astype(np.float32)
    if rng.random() < 0.3:
        shown = shown[..., rng.permutation(3)]
    if rng.random() < 0.5:
        shown = shown * rng.uniform(0.6, 1.3) + rng.uniform(-20, 20)
    if rng.random() < 0.06:
        shown = 255.0 - shown
    if rng.random() < 0.3:
        shown = shown + rng.normal(0, rng.uniform(1, 7), shown.shape)
    return np.clip(shown, 0, 255).astype(np.float32)


def _wanted(spots: np.ndarray, edges: np.ndarray, asked: np.ndarray) -> np.ndarray:
    cells = CROP // STRIDE
    out = np.zeros((cells, cells, 2), np.float32)
    out[..., 1] = 1.0
    at = np.arange(cells) * STRIDE + (STRIDE - 1) / 2
    for (x, y), edge, ask in zip(spots, edges, asked, strict=True):
        if ask == -2:
            out[..., 1] = 0.0
            continue
        near = ((at - x) ** 2)[None] + ((at - y) ** 2)[:, None]
        row, column = np.unravel_index(int(near.argmin()), near.shape)
        if near[row, column] > STRIDE**2:
            continue
        if not ask or not LEAST_EDGE_PX <= edge <= MOST_EDGE_PX:
            out[..., 1][near < (0.7 * edge + 4) ** 2] = 0.0
            continue
        bump = np.exp(-near / (2 * max(0.25 * edge, 4.0) ** 2))
        bump[row, column] = 1.0
        out[..., 0] = np.maximum(out[..., 0], bump)
    return out


def train(options: argparse.Namespace) -> SeekModel:
    """Run the loop."""
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    pool = Pictures([Path(name) for name in options.shards.split(",")], options.boards)
    model = SeekModel().to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=0.01)
    started, summed = time.monotonic(), 0.0
    for step in range(options.steps):
        rate = options.rate * min(1.0, (step + 1) / WARM_UP)
        rate *= 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / options.steps))
        for group in optimiser.param_groups:
            group["lr"] = rate
        crops, wanted = zip(*(pool.draw(rng) for _ in range(options.batch)), strict=True)
        x = torch.from_numpy(np.stack(crops).transpose(0, 3, 1, 2) / 127.5 - 1.0)
        target = torch.from_numpy(np.stack(wanted))
        said = model(x.to(memory_format=torch.channels_last))[:, 0]
        heat, weight = target[..., 0], target[..., 1]
        p, hot = said.sigmoid(), (heat == 1.0).float()
        hit = -F.logsigmoid(said) * (1 - p) ** 2 * hot
        false = -F.logsigmoid(-said) * p**2 * (1 - heat) ** 4 * (1 - hot)
        loss = ((hit + false) * weight).sum() / (hot * weight).sum().clamp(min=1.0)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        summed += float(loss.detach())
        if (step + 1) % options.every == 0:
            minutes = (time.monotonic() - started) / 60
            print(f"{minutes:.1f} min step {step + 1} {summed / options.every:.3f}", flush=True)
            summed = 0.0
    return model


def export(model: nn.Module, out: Path, size: tuple[int, int], name: str) -> None:
    """Write the ONNX file; height and width stay open where `size` is a map's."""
    model.eval()
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    torch.onnx.export(
        model,
        (torch.zeros(1, 3, *size),),
        str(out),
        opset_version=OPSET,
        dynamo=False,
        input_names=["picture"],
        output_names=[name],
        dynamic_axes={
            "picture": {0: "count", 2: "height", 3: "width"},
            name: {0: "count", 2: "rows", 3: "columns"},
        },
    )


def main() -> None:
    """Parse the command line, train, export."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shards")
    parser.add_argument("out", type=Path)
    parser.add_argument("--boards", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--every", type=int, default=200)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    model = train(options)
    export(model.to(memory_format=torch.contiguous_format), options.out, (256, 256), "heat")


if __name__ == "__main__":
    main()
