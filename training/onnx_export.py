"""What all exports of models to ONNX have in common."""

import argparse
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

OPSET = 13
"""Old enough for OpenCV 4.10."""


def write_onnx(
    model: torch.nn.Module,
    checkpoint: Path,
    example: torch.Tensor,
    out: Path,
    names: tuple[str, str],
    dynamic_axes: Mapping[str, Any] | None = None,
) -> None:
    """Load a checkpoint into a model, set it to be asked, and write it.

    Args:
        model: untrained.
        checkpoint: its weights.
        example: an input of the shape the model takes.
        out: the ONNX file.
        names: of input and output.
        dynamic_axes: as `torch.onnx.export` takes them; None: the shape is fixed.
    """
    model.load_state_dict(torch.load(checkpoint))
    model.eval()
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    torch.onnx.export(
        model,
        (example,),
        str(out),
        opset_version=OPSET,
        dynamo=False,
        input_names=[names[0]],
        output_names=[names[1]],
        dynamic_axes=dynamic_axes,
    )


def main(about: str | None, export: Callable[[Path, Path], float]) -> None:
    """Parse the command line, export, and say how well OpenCV and PyTorch agree.

    Args:
        about: the script's docstring.
        export: writes the file; returns the largest difference between the two.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    difference = export(options.checkpoint, options.out)
    print(f"{options.out.stat().st_size / 1e3:.0f} kB, largest difference {difference:.2e}")
    if difference > 1e-3:
        raise SystemExit("OpenCV and PyTorch do not agree")
