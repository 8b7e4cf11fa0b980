"""Turn a checkpoint into the ONNX file that OpenCV runs, and check that both say the same.

python -m training.dice_export CHECKPOINT vision/models/dice.onnx
"""

from pathlib import Path

import numpy as np
import torch

from training.dice_model import DiceModel
from training.onnx_export import main, write_onnx
from vision.dice_net import DiceNet


def export(checkpoint: Path, out: Path) -> float:
    """Write the file; return the largest difference to PyTorch on a noise picture."""
    model = DiceModel()
    sizes = {"picture": {2: "height", 3: "width"}, "map": {2: "rows", 3: "columns"}}
    write_onnx(model, checkpoint, torch.zeros(1, 3, 256, 256), out, ("picture", "map"), sizes)
    bgr = np.random.default_rng(0).integers(0, 256, (320, 480, 3), dtype=np.uint8)
    x = torch.from_numpy(bgr.transpose(2, 0, 1)[None].astype(np.float32)) / 127.5 - 1.0
    with torch.no_grad():
        wanted = model(x)[0].numpy()
    return float(np.abs(DiceNet(out).look(bgr) - wanted).max())


if __name__ == "__main__":
    main(__doc__, export)
