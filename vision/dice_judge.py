"""One more look at a spot taken for a die: no die, a value, or a die that cannot be read.

The judge never saw what the other readers measured; it is shown nothing but the spot. How it
was trained is told in training/README.md.
"""

from functools import cache
from pathlib import Path
from threading import Lock
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from vision.cv import BgrImage, as_u8
from vision.dice_windows import cut_square
from vision.networks import blob_of, net_of, packaged

Answers: TypeAlias = npt.NDArray[np.float64]
"""(N, 8): probability of no die, of the values 1 to 6, and of a die that cannot be read."""

MODEL_FILE = "dice_judge.onnx"
SIZE_PX = 64
_AROUND = 1.6
"""Side of the square shown, in the longer sides of the outline."""


class DiceJudge:
    """The loaded network; one may be shared by threads, which then wait for one another."""

    def __init__(self, model: Path) -> None:
        self._net = net_of(model)
        self._lock = Lock()

    @classmethod
    def load(cls) -> "DiceJudge":
        """Load the network that comes with the package."""
        with packaged(MODEL_FILE) as model:
            return cls(model)

    def look(self, squares: list[BgrImage]) -> Answers:
        """Return the answers to pictures of SIZE_PX × SIZE_PX."""
        # One by one: a batch saves nothing, and each new count would lay the network out anew.
        logits = np.stack([self._logits(blob_of([square])) for square in squares])
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def _logits(self, blob: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        with self._lock:
            self._net.setInput(blob)
            return np.array(self._net.forward(), dtype=np.float64).ravel()

    def judge(self, bgr: BgrImage, boxes_px: npt.NDArray[np.float64]) -> Answers:
        """Return what each outline (N, 4) of a picture holds: the mean of two looks at it.

        A die reads the same when it is turned and mirrored; what is seen so and not so is
        doubtful.
        """
        if not len(boxes_px):
            return np.empty((0, 8))
        squares = []
        for x, y, width, height in boxes_px:
            scale = SIZE_PX / (_AROUND * max(width, height, 1.0))
            center = np.array([x + width / 2, y + height / 2])
            square = cut_square(bgr, center, SIZE_PX, scale)
            squares += [square, as_u8(np.ascontiguousarray(square[::-1].transpose(1, 0, 2)))]
        logs = np.log(np.maximum(self.look(squares), 1e-6)).reshape(len(boxes_px), 2, -1)
        both = np.exp(logs.mean(axis=1))
        return np.asarray(both / both.sum(axis=1, keepdims=True))


@cache
def default_judge() -> DiceJudge:
    """Return the network that comes with the package, loaded once."""
    return DiceJudge.load()
