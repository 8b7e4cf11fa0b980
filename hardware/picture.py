"""The picture that our cameras hand over."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Pixels: TypeAlias = npt.NDArray[np.uint8]
"""(H, W, 3) with blue first, or (H, W) luma; uint8."""


@dataclass(frozen=True, slots=True, eq=False)
class CameraPicture:
    """A `Picture`, with a small one beside it where the camera makes one for nothing."""

    bgr: Pixels
    """(H, W, 3) uint8, blue first; the reader's own, not the camera's buffer."""
    at_s: float
    """Monotonic time of the exposure in seconds; a recording's own time where it is one."""
    seq: int
    """Number of the picture; gaps show how many were dropped."""
    luma: Pixels | None = None
    """(h, w) uint8: the same moment in grey and small, for looking at motion."""

    @property
    def size_px(self) -> tuple[int, int]:
        """(width, height)."""
        return self.bgr.shape[1], self.bgr.shape[0]
