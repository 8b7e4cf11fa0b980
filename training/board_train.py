"""Train the board net on drawn pictures.

python -m training.board_train SHARDS CHECKPOINT --minutes 45 --held SHARDS2
"""

import argparse
import time
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from training.board_model import STRIDE, BoardModel
from training.board_pictures import INPUT_PX

CELLS = INPUT_PX // STRIDE
_CORNER_CELLS = 1.3
"""Spread of a corner's heat, in cells."""
F32 = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float64]

_CENTERS = np.arange(CELLS) * STRIDE + (STRIDE - 1) / 2
_GRID = np.stack(np.meshgrid(_CENTERS, _CENTERS), axis=-1).reshape(-1, 2)


def target(unit: Matrix, inside: npt.NDArray[np.int64]) -> F32:
    """Return (6, 64, 64): field, across, down, both kinds of corners, and where it counts."""
    out = np.zeros((6, CELLS, CELLS), np.float32)
    x0, y0, x1, y1 = inside
    shown = ((x0, y0) <= _GRID).all(axis=1) & ((x1, y1) > _GRID).all(axis=1)
    out[5] = shown.reshape(CELLS, CELLS)
    if not unit.any():
        return out
    back = np.linalg.inv(unit)
    lifted = np.column_stack([_GRID, np.ones(len(_GRID))]) @ back.T
    place = lifted[:, :2] / lifted[:, 2:]
    ahead = lifted[:, 2] * np.sign(lifted[np.argmin(np.abs(place - 0.5).sum(axis=1)), 2]) > 0
    within = ((place > 0) & (place < 1)).all(axis=1) & ahead & shown
    out[0] = within.reshape(CELLS, CELLS)
    out[1:3] = np.where(within[:, None], place, 0).T.reshape(2, CELLS, CELLS)
    for k, corner in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        x, y, w = unit @ np.array([*corner, 1.0])
        at = np.array([x / w, y / w])
        if not (x0 - 2 <= at[0] <= x1 + 1 and y0 - 2 <= at[1] <= y1 + 1):
            continue
        away = ((_GRID - at) ** 2).sum(axis=1) / (_CORNER_CELLS * STRIDE) ** 2
        heat = np.exp(-away / 2).reshape(CELLS, CELLS).astype(np.float32)
        out[3 + k % 2] = np.maximum(out[3 + k % 2], heat)
    return out


def turned(
    rng: np.random.Generator, x: npt.NDArray[np.uint8], y: F32
) -> tuple[npt.NDArray[np.uint8], F32]:
    """Turn by quarters and mirror a picture with its target."""
    quarter = int(rng.choice(4, p=[0.55, 0.1, 0.25, 0.1]))
    x, y = np.rot90(x, quarter), np.rot90(y, quarter, axes=(1, 2))
    if rng.random() < 0.5:
        x, y = x[:, ::-1], y[[0, 1, 2, 4, 3, 5], :, ::-1].copy()
        y[1] = np.where(y[0] > 0, 1 - y[1], 0)
    return x, y


def tinted(rng: np.random.Generator, x: npt.NDArray[np.uint8]) -> F32:
    """Change light and colour; return −1…1."""
    value = np.arange(256, dtype=np.float32) / 255
    gamma = np.exp(rng.normal(0, 0.25))
    gain = np.exp(rng.normal(0, 0.15) + rng.normal(0, 0.06, 3))
    table = np.clip(value[:, None] ** gamma * gain * 255, 0, 255).astype(np.uint8)
    shown = cv2.LUT(np.ascontiguousarray(x), table.reshape(1, 256, 3))
    if rng.random() < 0.1:
        shown = np.repeat(shown.mean(axis=2, keepdims=True), 3, axis=2)
    if rng.random() < 0.15:
        shown = np.broadcast_to(
            shown[..., ::-1] if rng.random() < 0.5 else 255 - shown, x.shape
        )
    return np.asarray(shown, np.float32).transpose(2, 0, 1) / 127.5 - 1


def batch_loss(made: torch.Tensor, wanted: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return the parts of the loss."""
    cross = nn.functional.binary_cross_entropy_with_logits
    field, place, heat, counts = wanted[:, :1], wanted[:, 1:3], wanted[:, 3:5], wanted[:, 5:]
    mask = (cross(made[:, :1], field, reduction="none") * counts).sum() / counts.sum()
    # Seen from the other end a board is the same board: the nearer of both answers counts.
    weight = field.sum(dim=(1, 2, 3)).clamp(min=1)
    errors = []
    for one in (place, 1 - place):
        away = nn.functional.smooth_l1_loss(made[:, 1:3], one, reduction="none", beta=0.05)
        errors.append((away * field).sum(dim=(1, 2, 3)) / weight)
    where = torch.minimum(*errors).mean()
    odds = torch.sigmoid(made[:, 3:5])
    near = (1 - heat) ** 4 * odds**2 * nn.functional.logsigmoid(-made[:, 3:5])
    full = (heat > 0.85) * heat * (1 - odds) ** 2 * nn.functional.logsigmoid(made[:, 3:5])
    peaks = -((near + full * 3) * counts).sum() / (heat.amax(dim=(2, 3)).sum() * 4 + 1)
    return {"mask": mask, "place": where, "peaks": peaks}


def joined(parts: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return the loss."""
    return parts["mask"] + 8 * parts["place"] + 0.6 * parts["peaks"]


Pool = list[tuple[npt.NDArray[np.uint8], Matrix, npt.NDArray[np.int64]]]


def load(folder: Path, known: set[Path], pool: Pool) -> None:
    """Add shards that are new."""
    for path in sorted(folder.glob("*.npz")):
        if path in known or ".part" in path.name:
            continue
        known.add(path)
        with np.load(path) as shard:
            pool.append((shard["x"], shard["h"], shard["inside"]))


def drawn(rng: np.random.Generator, pool: Pool, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a batch."""
    xs, ys = [], []
    for _ in range(size):
        x, unit, inside = pool[rng.integers(len(pool))]
        k = int(rng.integers(len(x)))
        one, aim = turned(rng, x[k], target(unit[k], inside[k]))
        xs.append(tinted(rng, one))
        ys.append(aim)
    return torch.from_numpy(np.stack(xs)), torch.from_numpy(np.stack(ys))


def check(model: BoardModel, held: Pool) -> str:
    """Return the loss on held-out pictures as they are."""
    model.eval()
    sums: dict[str, float] = {}
    x, unit, inside = held[0]
    with torch.no_grad():
        for at in range(0, 200, 20):
            part = range(at, at + 20)
            aim = np.stack([target(unit[k], inside[k]) for k in part])
            seen = x[at : at + 20].transpose(0, 3, 1, 2).astype(np.float32) / 127.5 - 1
            for name, value in batch_loss(
                model(torch.from_numpy(seen)), torch.from_numpy(aim)
            ).items():
                sums[name] = sums.get(name, 0.0) + float(value) / 10
    model.train()
    return " ".join(f"{name} {value:.4f}" for name, value in sums.items())


def main() -> None:
    """Parse the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(options.seed)
    model = BoardModel().to(memory_format=torch.channels_last)
    if options.resume:
        model.load_state_dict(torch.load(options.resume))
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=1e-3)
    pool: Pool = []
    held: Pool = []
    known: set[Path] = set()
    load(options.held, set(), held)
    began, step, total = time.perf_counter(), 0, 0.0
    while (passed := (time.perf_counter() - began) / 60) < options.minutes:
        if step % 50 == 0:
            load(options.shards, known, pool)
        rate = options.rate * min(1.0, (step + 10) / 150)
        rate *= 0.5 * (1 + np.cos(np.pi * passed / options.minutes)) + 0.005
        for group in optimizer.param_groups:
            group["lr"] = rate
        x, y = drawn(rng, pool, options.batch)
        loss = joined(batch_loss(model(x.to(memory_format=torch.channels_last)), y))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 3.0)
        optimizer.step()
        total += float(loss.detach())
        step += 1
        if step % 100 == 0:
            print(
                f"{passed:.1f} min {step} steps {len(pool)} shards loss {total / 100:.4f} "
                f"held {check(model, held)}",
                flush=True,
            )
            total = 0.0
            torch.save(model.state_dict(), options.out)
    torch.save(model.state_dict(), options.out)


if __name__ == "__main__":
    main()
