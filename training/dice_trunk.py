"""The dice net's own weights, back from the ONNX file: a start for networks that build on it.

The file holds each convolution with its normalisation folded in. Put back into `DiceModel`, the
normalisations do nothing but add the folded bias, and must be left in evaluation mode.
"""

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from training.dice_model import DiceModel


def trained_trunk(path: Path) -> DiceModel:
    """Return the model that was exported, ready to be built on."""
    graph = onnx.load(str(path)).graph
    arrays = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    convolutions = [node for node in graph.node if node.op_type == "Conv"]
    model = DiceModel()
    modules = list(model.modules())
    places = [k for k, one in enumerate(modules) if isinstance(one, nn.Conv2d)]
    with torch.no_grad():
        for node, k in zip(convolutions, places, strict=True):
            weight, bias = (torch.tensor(arrays[name]) for name in node.input[1:3])
            own = modules[k]
            assert isinstance(own, nn.Conv2d)
            own.weight.copy_(weight)
            if own.bias is not None:
                own.bias.copy_(bias)
                continue
            norm = modules[k + 1]
            assert isinstance(norm, nn.BatchNorm2d)
            norm.weight.fill_(1.0)
            norm.bias.copy_(bias)
            norm.running_mean.zero_()  # type: ignore[operator]
            norm.running_var.fill_(1.0 - norm.eps)  # type: ignore[operator]
    return model.eval()
