"""The sheet a lens is measured with: a ChArUco board of a known size."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

CELLS_PER_SQUARE: Final = 8
"""A marker is six cells wide and leaves one on either side: one grid holds everything."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A chessboard of squares with markers in the white ones."""

    columns: int = 10
    rows: int = 6
    square_mm: float = 26.0

    def board(self) -> cv2.aruco.CharucoBoard:
        """Return it as OpenCV knows it; lengths in millimetres."""
        words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        marker_mm = self.square_mm * (CELLS_PER_SQUARE - 2) / CELLS_PER_SQUARE
        return cv2.aruco.CharucoBoard(
            (self.columns, self.rows), self.square_mm, marker_mm, words
        )

    @property
    def size_mm(self) -> tuple[float, float]:
        """(width, height) of the squares."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    def black_cells(self) -> npt.NDArray[np.bool_]:
        """Return which cells of the common grid are black, (rows × 8, columns × 8)."""
        size = self.columns * CELLS_PER_SQUARE, self.rows * CELLS_PER_SQUARE
        scale = 5
        drawn = self.board().generateImage((size[0] * scale, size[1] * scale))
        middle = np.asarray(drawn, dtype=np.uint8)[scale // 2 :: scale, scale // 2 :: scale]
        return np.asarray(middle < 128, dtype=np.bool_)


DEFAULT_SHEET: Final = Sheet()
