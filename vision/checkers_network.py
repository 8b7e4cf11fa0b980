"""The small network that looks at a row of points: how many checkers, and where.

It was trained on drawn boards only (`training/checkers_boards.py`); its input and output are
described in docs/explanation/checker-reading.md.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock

import numpy as np
import numpy.typing as npt

from vision.cv import FloatImage, as_f32
from vision.networks import net_of, packaged

MODEL_FILE = "checkers.onnx"
LONG_ROW, STACKED, HIDDEN = 7, 8, 9
"""Classes after 0–6, the checkers in a row: seven or more, several layers, covered up."""
CLASSES = 10


@dataclass(frozen=True, slots=True, eq=False)
class RowLook:
    """What the network says of some crops."""

    classes: npt.NDArray[np.float64]
    """(N, 6, 10): log-odds of each class for each point of each crop."""
    cells: FloatImage
    """(N, 28, 28, 3): probability that a cell shows ground, checker, something else."""


class CheckersNetwork:
    """The loaded network; one may be shared by threads, which then wait for one another."""

    def __init__(self, model: Path) -> None:
        self._net = net_of(model)
        self._lock = Lock()

    def look(self, pictures: FloatImage) -> RowLook:
        """Run the network.

        Args:
            pictures: (N, 3, 112, 112) float32 from `checkers_crops.normalized`.
        """
        with self._lock:
            self._net.setInput(pictures)
            points, cells = self._net.forward(["points", "seg"])
            # The network reuses its buffers: what leaves the lock must be a copy.
            logits = np.array(points, dtype=np.float64)[:, :, 0, :].transpose(0, 2, 1)
            odds = np.array(cells, dtype=np.float32).transpose(0, 2, 3, 1)
        odds = np.exp(odds - odds.max(axis=3, keepdims=True))
        return RowLook(logits, as_f32(odds / odds.sum(axis=3, keepdims=True)))


@cache
def default_network() -> CheckersNetwork:
    """Return the network that comes with the package, loaded once."""
    with packaged(MODEL_FILE) as model:
        return CheckersNetwork(model)
