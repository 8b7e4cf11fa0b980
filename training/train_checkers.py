"""Train the checker reader's network on drawn boards and write it as ONNX.

    python -m training.train_checkers SHARDS OUT.onnx --minutes 40
    python -m training.train_checkers SHARDS --draw 40 --seed 1000

Needs torch and onnx (an environment of its own); the product needs neither. With `--draw`
shards of 250 half boards are drawn first; training takes up shards that appear while it runs.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from training.checkers_boards import crops, half_boards

CLASSES = 10
WIDTHS = (16, 16, 24, 32)
PER_SHARD = 250


def draw(folder: Path, shards: int, seed: int) -> None:
    """Draw shards: pictures, segments and classes as `crops` returns them, stacked."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(seed, seed + shards):
        rng = np.random.default_rng(number)
        cut = [crops(rng, half) for _ in range(PER_SHARD // 2) for half in half_boards(rng)]
        x, s, y = (np.stack(part) for part in zip(*cut, strict=True))
        part = folder / f"{number}.part.npz"
        np.savez(part, x=x, s=s, y=y)
        part.rename(folder / f"{number}.npz")


def batch(
    rng: np.random.Generator, x: np.ndarray, s: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Return normalised pictures, colours shuffled, mirrored; their segments and classes.

    A half board's two rows are normalised together, as the reader does it.
    """
    pictures = x.astype(np.float32)
    for half in pictures:
        if rng.random() < 0.3:
            half[:] = half[..., rng.permutation(3)]
        if rng.random() < 0.08:
            half[:] = half.mean(axis=3, keepdims=True)
    flat = pictures.reshape(len(x), -1)
    mean, spread = flat.mean(axis=1), flat.std(axis=1) + 4.0
    pictures -= mean[:, None, None, None, None]
    pictures /= spread[:, None, None, None, None]
    if rng.random() < 0.5:
        pictures, s, y = pictures[:, :, :, ::-1], s[..., ::-1], y[..., ::-1]
    pictures = np.ascontiguousarray(pictures.reshape(-1, 112, 112, 3))
    return pictures, s.reshape(-1, 28, 28).astype(np.int64), y.reshape(-1, 6).astype(np.int64)


def train(options: argparse.Namespace) -> None:
    """Train for a while; write the network again and again."""
    import torch
    from torch import nn

    torch.set_num_threads(1)
    torch.manual_seed(1)

    class Network(nn.Module):
        """Shared convolutions, a head per point, a head per cell."""

        def __init__(self) -> None:
            super().__init__()
            a, b, c, d = WIDTHS
            for name, conv in {
                "c1": nn.Conv2d(3, a, 4, 2, 1, bias=False),
                "c2": nn.Conv2d(a, b, 3, 1, 1, bias=False),
                "c3": nn.Conv2d(b, c, 3, 1, 1, bias=False),
                "c4": nn.Conv2d(c, d, 3, 1, 1, bias=False),
                "c5": nn.Conv2d(d, d, 3, 1, 1, bias=False),
                "c6": nn.Conv2d(d, d, 3, 1, 1, bias=False),
                # One window per point: its pitch and half of each neighbour, full height.
                "p1": nn.Conv2d(d, 64, (14, 8), (1, 4), bias=False),
            }.items():
                setattr(self, name, conv)
                setattr(self, f"{name}_bn", nn.BatchNorm2d(conv.out_channels, momentum=0.03))
            self.seg = nn.Conv2d(d, 3, 1)
            self.points = nn.Conv2d(64, CLASSES, 1)
            self.drop = nn.Dropout(0.1)

        def on(self, x: torch.Tensor, name: str) -> torch.Tensor:
            made = getattr(self, f"{name}_bn")(getattr(self, name)(x))
            return nn.functional.relu(made, inplace=True)

        def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            x = self.on(x, "c1")
            x = nn.functional.max_pool2d(self.on(x, "c2"), 2)
            for name in ("c3", "c4", "c5"):
                x = self.on(x, name)
            seg = self.seg(x)
            x = self.on(nn.functional.max_pool2d(x, (2, 1)), "c6")
            x = self.drop(self.on(x, "p1"))
            return self.points(x)[:, :, 0], seg

    rng = np.random.default_rng(options.seed)
    model = Network().to(memory_format=torch.channels_last)
    state = options.out.with_suffix(".pt")
    if options.resume and state.exists():
        model.load_state_dict(torch.load(state))
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=1e-3)
    cross = nn.CrossEntropyLoss()
    pool: dict[Path, tuple[np.ndarray, ...]] = {}
    held: tuple[np.ndarray, ...] = ()
    began, n, total = time.perf_counter(), 0, 0.0
    while (passed := (time.perf_counter() - began) / 60) < options.minutes:
        if n % 100 == 0:
            for path in sorted(options.shards.glob("[0-9]*.npz")):
                if path in pool or ".part" in path.name:
                    continue
                with np.load(path) as shard:
                    pool[path] = shard["x"], shard["s"], shard["y"]
            held = held or pool.pop(min(pool))
            pool.pop(min(options.shards.glob("[0-9]*.npz")), None)
            paths = list(pool)
        x, s, y = pool[paths[rng.integers(len(paths))]]
        pick = rng.permutation(len(x))[: options.batch]
        part = passed / options.minutes
        rate = min(1.0, (n + 10) / 100) * (
            options.rate * 0.5 * (1 + np.cos(np.pi * part)) + 1e-5
        )
        for group in optimizer.param_groups:
            group["lr"] = rate
        px, ps, py = (
            torch.from_numpy(np.ascontiguousarray(v))
            for v in batch(rng, x[pick], s[pick], y[pick])
        )
        model.train()
        points, seg = model(px.permute(0, 3, 1, 2))
        loss = cross(points, py) + 0.5 * cross(seg, ps)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 3.0)
        optimizer.step()
        total += float(loss.detach())
        n += 1
        if n % 200 == 0:
            model.eval()
            with torch.no_grad():
                px, _, py = batch(np.random.default_rng(0), *(v[:100] for v in held))
                odds = torch.softmax(
                    model(torch.from_numpy(px).permute(0, 3, 1, 2))[0], 1
                ).numpy()
            right, sure = odds.argmax(1) == py, odds.max(1) > 0.9
            print(
                f"{passed:.1f} min {n} steps {len(pool)} shards loss {total / 200:.4f} "
                f"right {right.mean():.4f} sure {sure.mean():.3f} "
                f"wrong of sure {(~right)[sure].mean():.4f}",
                flush=True,
            )
            total = 0.0
            torch.save(model.state_dict(), state)
            save_arrays(model.state_dict(), options.out.with_suffix(".npz"))
    torch.save(model.state_dict(), state)
    save_arrays(model.state_dict(), options.out.with_suffix(".npz"))


def save_arrays(state: dict[str, object], path: Path) -> None:
    """Write weights and biases with the batch norms folded in."""
    held = {k: np.asarray(v) for k, v in state.items()}
    arrays = {}
    for name in ("c1", "c2", "c3", "c4", "c5", "c6", "p1"):
        gain = held[f"{name}_bn.weight"] / np.sqrt(held[f"{name}_bn.running_var"] + 1e-5)
        arrays[f"{name}_w"] = held[f"{name}.weight"] * gain[:, None, None, None]
        arrays[f"{name}_b"] = held[f"{name}_bn.bias"] - held[f"{name}_bn.running_mean"] * gain
    for name in ("seg", "points"):
        arrays[f"{name}_w"], arrays[f"{name}_b"] = held[f"{name}.weight"], held[f"{name}.bias"]
    np.savez(path, **arrays)


def export(arrays_path: Path, out: Path) -> None:
    """Write folded weights as an ONNX graph."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    with np.load(arrays_path) as stored:
        arrays = {k: np.ascontiguousarray(stored[k], np.float32) for k in stored.files}
    nodes = []

    def conv(
        source: str, name: str, pads: list[int], strides: list[int], relu: bool = True
    ) -> str:
        size = list(arrays[f"{name}_w"].shape[2:])
        made = f"{name}_raw" if relu else name
        inputs = [source, f"{name}_w", f"{name}_b"]
        nodes.append(
            helper.make_node(
                "Conv", inputs, [made], pads=pads, strides=strides, kernel_shape=size
            )
        )
        if relu:
            nodes.append(helper.make_node("Relu", [made], [f"{name}_on"]))
        return f"{name}_on"

    def pool(source: str, size: list[int]) -> str:
        made = f"{source}_pool"
        nodes.append(
            helper.make_node("MaxPool", [source], [made], kernel_shape=size, strides=size)
        )
        return made

    same, none = [1, 1, 1, 1], [0, 0, 0, 0]
    x = conv("picture", "c1", same, [2, 2])
    x = pool(conv(x, "c2", same, [1, 1]), [2, 2])
    for name in ("c3", "c4", "c5"):
        x = conv(x, name, same, [1, 1])
    conv(x, "seg", none, [1, 1], relu=False)
    x = conv(pool(x, [2, 1]), "c6", same, [1, 1])
    x = conv(x, "p1", none, [1, 4])
    conv(x, "points", none, [1, 1], relu=False)
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "checkers",
        [info("picture", TensorProto.FLOAT, [4, 3, 112, 112])],
        [
            info("points", TensorProto.FLOAT, [4, CLASSES, 1, 6]),
            info("seg", TensorProto.FLOAT, [4, 3, 28, 28]),
        ],
        [numpy_helper.from_array(value, name) for name, value in arrays.items()],
    )
    opset = [helper.make_opsetid("", 12)]
    made = helper.make_model(graph, opset_imports=opset, ir_version=7)
    onnx.checker.check_model(made)
    out.write_bytes(made.SerializeToString())


def main() -> None:
    """Draw, train or export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards", type=Path)
    parser.add_argument("out", type=Path, nargs="?", default=Path("checkers.onnx"))
    parser.add_argument("--draw", type=int, default=0, help="draw this many shards and stop")
    parser.add_argument("--export", action="store_true", help="only write the ONNX file")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--batch", type=int, default=16, help="half boards a step")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.draw:
        draw(options.shards, options.draw, options.seed)
        return
    if not options.export:
        train(options)
    export(options.out.with_suffix(".npz"), options.out)


if __name__ == "__main__":
    main()
