"""Turn a checkpoint into the ONNX file that OpenCV runs, and check that both say the same.

python -m training.board_export CHECKPOINT vision/models/board.onnx
"""

from pathlib import Path

import numpy as np
import torch

from training.board_model import BoardModel
from training.board_pictures import INPUT_PX
from training.onnx_export import main, write_onnx
from vision.board_net import BoardNet


def export(checkpoint: Path, out: Path) -> float:
    """Write the file; return the largest difference to PyTorch on a noise picture."""
    model = BoardModel()
    write_onnx(
        model, checkpoint, torch.zeros(1, 3, INPUT_PX, INPUT_PX), out, ("picture", "map")
    )
    shape = (INPUT_PX, INPUT_PX, 3)
    bgr = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    x = torch.from_numpy(bgr.transpose(2, 0, 1)[None].astype(np.float32)) / 127.5 - 1.0
    with torch.no_grad():
        wanted = model(x)[0].numpy()
    return float(np.abs(BoardNet(out).look([bgr])[0] - wanted).max())


if __name__ == "__main__":
    main(__doc__, export)
