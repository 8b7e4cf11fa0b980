"""Turn a checkpoint into the ONNX file that OpenCV runs, and check that both say the same.

python -m training.lie_export CHECKPOINT vision/models/die_lie.onnx
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import torch

from training.lie_model import LieModel
from training.lie_train import planes
from vision.die_lie import CROP_PX, LieNet

OPSET = 13
"""Old enough for OpenCV 4.10."""


def export(checkpoint: Path, out: Path) -> float:
    """Write the file; return the largest difference to PyTorch on noise."""
    model = LieModel()
    model.load_state_dict(torch.load(checkpoint))
    model.eval()
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    torch.onnx.export(
        model,
        (torch.zeros(1, 4, CROP_PX, CROP_PX),),
        str(out),
        opset_version=OPSET,
        dynamo=False,
        input_names=["crop"],
        output_names=["lie"],
    )
    rng = np.random.default_rng(0)
    crops = rng.integers(0, 256, (3, CROP_PX, CROP_PX, 3), dtype=np.uint8)
    slant = np.array([0.0, 0.3, 0.7], np.float32)
    with torch.no_grad():
        wanted = [
            model(torch.from_numpy(planes(shown, slant))).numpy()
            for shown in (crops, crops[:, :, ::-1])
        ]
    wanted[1][:, 7] = -wanted[1][:, 7]
    said = LieNet(out).look(list(crops), slant.tolist())
    return float(np.abs(said - (wanted[0] + wanted[1]) / 2).max())


def main() -> None:
    """Parse the command line and export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    difference = export(options.checkpoint, options.out)
    print(f"{options.out.stat().st_size / 1e3:.0f} kB, largest difference {difference:.2e}")
    if difference > 1e-3:
        raise SystemExit("OpenCV and PyTorch do not agree")


if __name__ == "__main__":
    main()
