"""Turn the ONNX file of the lie network back into a checkpoint that training can resume.

    python -m training.lie_resume vision/models/die_lie.onnx SHARDS OUT.pt

An export folds the normalisations into the convolutions. They are unfolded so that each passes
on what it would have said, with the means and spreads measured on crops.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from training.lie_model import LieModel
from training.lie_train import Pool

_CROPS, _BATCH = 4096, 128


def folded(path: Path) -> list[np.ndarray]:
    """Return the weights and biases of an exported network, in the order of its layers."""
    graph = onnx.load(path).graph
    held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    return [held[name] for node in graph.node for name in node.input if name in held]


def pairs_of(model: LieModel) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Return each convolution with its normalisation, in the order of an export."""
    pairs = []
    for index, layer in enumerate(model.body):
        pairs.append((layer[0], layer[1]))
        if str(index) in model.seconds:
            second = model.seconds[str(index)]
            pairs += [(second.first[0], second.first[1]), (second.second, second.norm)]
    return pairs


def unfolded(path: Path, crops: torch.Tensor) -> LieModel:
    """Return a network that says what an exported one says.

    Args:
        path: the ONNX file.
        crops: (N, 4, 64, 64) on which means and spreads are measured.
    """
    model, parts = LieModel().eval(), folded(path)
    pairs = pairs_of(model)
    with torch.no_grad():
        for index, (conv, norm) in enumerate(pairs):
            conv.weight.copy_(torch.from_numpy(parts[2 * index].copy()))
            norm.weight.fill_((1 + norm.eps) ** 0.5)
            norm.bias.copy_(torch.from_numpy(parts[2 * index + 1].copy()))
        dense = (model.head[2], model.head[4])
        for index, layer in enumerate(dense):
            at = 2 * len(pairs) + 2 * index
            layer.weight.copy_(torch.from_numpy(parts[at].copy()))
            layer.bias.copy_(torch.from_numpy(parts[at + 1].copy()))
        sums = [torch.zeros(2, conv.out_channels, dtype=torch.float64) for conv, _ in pairs]

        def note(index: int, out: torch.Tensor) -> None:
            wide = out.double()
            sums[index] += torch.stack([wide.mean((0, 2, 3)), (wide**2).mean((0, 2, 3))])

        hooks = [
            conv.register_forward_hook(lambda _m, _i, out, at=index: note(at, out))
            for index, (conv, _) in enumerate(pairs)
        ]
        batches = crops.split(_BATCH)
        for batch in batches:
            model(batch)
        for hook in hooks:
            hook.remove()
        for (_, norm), total in zip(pairs, sums, strict=True):
            mean, square = total / len(batches)
            spread = (square - mean**2).clamp(min=1e-6)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(spread)
            norm.weight.copy_((spread + norm.eps).sqrt())
            norm.bias.add_(mean)
    return model


def main() -> None:
    """Parse the command line and write the checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("shards", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    shown, _ = Pool(options.shards).batch(np.random.default_rng(0), _CROPS)
    model = unfolded(options.model, torch.from_numpy(shown))
    torch.save(model.state_dict(), options.out)


if __name__ == "__main__":
    main()
