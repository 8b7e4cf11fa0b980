"""Turn a checkpoint into the ONNX file that OpenCV runs, and check that both say the same.

python -m training.board_export CHECKPOINT vision/models/board.onnx
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import torch

from training.board_model import BoardModel
from training.board_pictures import INPUT_PX
from vision.board_net import BoardNet

OPSET = 13
"""Old enough for OpenCV 4.10."""


def export(checkpoint: Path, out: Path) -> float:
    """Write the file; return the largest difference to PyTorch on a noise picture."""
    model = BoardModel()
    model.load_state_dict(torch.load(checkpoint))
    model.eval()
    warnings.filterwarnings("ignore", category=DeprecationWarning)
    torch.onnx.export(
        model,
        (torch.zeros(1, 3, INPUT_PX, INPUT_PX),),
        str(out),
        opset_version=OPSET,
        dynamo=False,
        input_names=["picture"],
        output_names=["map"],
    )
    shape = (INPUT_PX, INPUT_PX, 3)
    bgr = np.random.default_rng(0).integers(0, 256, shape, dtype=np.uint8)
    x = torch.from_numpy(bgr.transpose(2, 0, 1)[None].astype(np.float32)) / 127.5 - 1.0
    with torch.no_grad():
        wanted = model(x)[0].numpy()
    return float(np.abs(BoardNet(out.read_bytes()).look(bgr) - wanted).max())


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
