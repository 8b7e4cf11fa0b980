"""A scene whose colours are known, with a mark that tells the pictures apart."""

import numpy as np

from hardware.picture import Pixels

BLUE, GREEN, RED, WHITE = (220, 30, 30), (30, 180, 30), (30, 30, 210), (235, 235, 235)
COLOURS = {(0, 0): BLUE, (0, 1): GREEN, (1, 0): RED, (1, 1): WHITE}
"""(row, column) of the four quarters."""


def scene(size_px: tuple[int, int], number: int) -> Pixels:
    """Draw blue, green / red, white; the middle's grey tells the number."""
    width, height = size_px
    bgr = np.zeros((height, width, 3), np.uint8)
    for (row, column), colour in COLOURS.items():
        rows = slice(row * height // 2, (row + 1) * height // 2)
        columns = slice(column * width // 2, (column + 1) * width // 2)
        bgr[rows, columns] = colour
    bgr[height * 3 // 8 : height * 5 // 8, width * 3 // 8 : width * 5 // 8] = mark(number)
    return bgr


def mark(number: int) -> int:
    """Return the grey of a picture's number."""
    return 20 + number % 8 * 30


def quarter(bgr: Pixels, row: int, column: int) -> tuple[float, ...]:
    """Return the mean colour of a quarter's outer corner."""
    height, width = bgr.shape[:2]
    rows = slice(height // 16, height // 4) if row == 0 else slice(-height // 4, -height // 16)
    columns = (
        slice(width // 16, width // 4) if column == 0 else slice(-width // 4, -width // 16)
    )
    return tuple(float(one) for one in bgr[rows, columns].reshape(-1, 3).mean(axis=0))


def grey(bgr: Pixels) -> float:
    """Return the mark's grey."""
    height, width = bgr.shape[:2]
    middle = bgr[height * 7 // 16 : height * 9 // 16, width * 7 // 16 : width * 9 // 16]
    return float(middle.mean())
