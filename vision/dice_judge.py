"""One more look at a spot taken for a die: no die, a value, or a die that cannot be read.

The judge never saw what the other readers measured; it is shown nothing but the spot. How it
was trained is told in training/README.md.
"""

from functools import cache
from importlib import resources
from threading import Lock
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from vision.cv import BgrImage, as_u8
from vision.dice_blob import blob_of
from vision.dice_windows import cut_square

Answers: TypeAlias = npt.NDArray[np.float64]
"""(N, 8): probability of no die, of the values 1 to 6, and of a die that cannot be read."""

MODEL_FILE = "dice_judge.onnx"
SIZE_PX = 64
_AROUND = 1.6
"""Side of the square shown, in the longer sides of the outline."""


class DiceJudge:
    """The loaded network; one may be shared by threads, which then wait for one another."""

    def __init__(self, model: bytes) -> None:
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(model, dtype=np.uint8))
        self._lock = Lock()

    @classmethod
    def load(cls) -> "DiceJudge":
        """Load the network that comes with the package."""
        return cls((resources.files("vision") / "models" / MODEL_FILE).read_bytes())

    def look(self, squares: list[BgrImage]) -> Answers:
        """Return the answers to pictures of SIZE_PX × SIZE_PX."""
        blob = blob_of(squares)
        with self._lock:
            self._net.setInput(blob)
            raw = np.array(self._net.forward(), dtype=np.float64)
        logits = raw.reshape(len(squares), -1)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

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
