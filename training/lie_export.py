"""Turn a checkpoint into the ONNX file that OpenCV runs, and check that both say the same.

python -m training.lie_export CHECKPOINT vision/models/die_lie.onnx
"""

from pathlib import Path

import numpy as np
import torch

from training.lie_model import LieModel
from training.lie_train import planes
from training.onnx_export import main, write_onnx
from vision.die_lie import CROP_PX, LieNet


def export(checkpoint: Path, out: Path) -> float:
    """Write the file; return the largest difference to PyTorch on noise."""
    model = LieModel()
    write_onnx(model, checkpoint, torch.zeros(1, 4, CROP_PX, CROP_PX), out, ("crop", "lie"))
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


if __name__ == "__main__":
    main(__doc__, export)
