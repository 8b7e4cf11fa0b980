"""Small windows of a picture around spots that may hold dice, all at one scale."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.homography import Matrix, apply, invert
from vision.cv import BgrImage, as_u8

WINDOW_PX = 96
_EDGE_PX = 12
"""A die whose middle lies this near to a window's edge is left to another window."""
_APART_PX = 14.0
"""Spots nearer than this share a window."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Square windows of one picture."""

    tiles: tuple[BgrImage, ...]
    """(size_px, size_px, 3) each."""
    centers_px: npt.NDArray[np.float64]
    """(N, 2) their middles, frame `image_px`."""
    scale: float
    """Window pixels per image pixel."""
    size_px: int = WINDOW_PX
    """Width and height of each."""

    def __len__(self) -> int:
        return len(self.tiles)

    def offset_px(self, number: int) -> tuple[float, float]:
        """Return where a window's pixel (0, 0) lies in the picture."""
        x, y = (self.centers_px[number] - (self.size_px - 1) / 2 / self.scale).tolist()
        return x, y

    def owner(self, points_px: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
        """Return for each place (N, 2) in the picture the window whose middle is nearest."""
        away = points_px[:, None] - self.centers_px
        return np.asarray(np.argmin(np.hypot(away[..., 0], away[..., 1]), axis=1))

    def owned(self, points_px: npt.NDArray[np.float64], number: int) -> npt.NDArray[np.bool_]:
        """Return which places in the picture are this window's to speak of.

        Of overlapping windows the one whose middle is nearest speaks, and none of what lies at
        its edge.
        """
        away = np.abs(points_px - self.centers_px[number]).max(axis=1)
        inside = away < (self.size_px / 2 - _EDGE_PX) / self.scale
        return np.asarray((self.owner(points_px) == number) & inside)

    def mosaic(self) -> BgrImage:
        """Return all windows in one picture, row by row."""
        columns = mosaic_columns(len(self))
        rows = -(-len(self) // columns)
        out = np.zeros((rows * self.size_px, columns * self.size_px, 3), np.uint8)
        for k, tile in enumerate(self.tiles):
            top, left = k // columns * self.size_px, k % columns * self.size_px
            out[top : top + self.size_px, left : left + self.size_px] = tile
        return out

    def of_mosaic(self, points: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
        """Return the window in which each place (N, 2) of the mosaic lies."""
        column, row = ((points + 0.5) // self.size_px).astype(np.intp).T
        number = row * mosaic_columns(len(self)) + column
        return np.asarray(np.clip(number, 0, len(self) - 1), dtype=np.intp)

    def image_from_mosaic(self, number: int) -> Matrix:
        """Return the way from one window's place in the mosaic to `image_px`."""
        columns = mosaic_columns(len(self))
        step = 1 / self.scale
        x, y = self.offset_px(number)
        left, top = number % columns * self.size_px, number // columns * self.size_px
        return np.array(
            [[step, 0.0, x - step * left], [0.0, step, y - step * top], [0.0, 0.0, 1.0]]
        )

    def to_mosaic(
        self, points_px: npt.NDArray[np.float64], own: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.float64]:
        """Map places (N, 2) of the picture to their windows' (N,) places in the mosaic."""
        out = np.empty_like(points_px)
        for number in np.unique(own):
            mine = own == number
            out[mine] = apply(invert(self.image_from_mosaic(int(number))), points_px[mine])
        return out

    def to_image(
        self, points: npt.NDArray[np.float64], own: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.float64]:
        """Map places (N, 2) of the mosaic to `image_px`; `own` (N,) are their windows."""
        out = np.empty_like(points)
        for number in np.unique(own):
            mine = own == number
            out[mine] = apply(self.image_from_mosaic(int(number)), points[mine])
        return out


def mosaic_columns(count: int) -> int:
    """Return how many windows stand in a row of the mosaic."""
    return max(1, int(np.ceil(np.sqrt(count))))


def cut_windows(
    bgr: BgrImage,
    spots_px: npt.NDArray[np.float64],
    scale: float,
    size_px: int = WINDOW_PX,
) -> Windows:
    """Cut windows around spots; spots close together share one.

    Args:
        bgr: the picture.
        spots_px: (N, 2), most important first.
        scale: window pixels per image pixel.
        size_px: width and height of the windows.
    """
    centers: list[npt.NDArray[np.float64]] = []
    for spot in spots_px:
        if all(np.hypot(*(spot - other)) * scale >= _APART_PX for other in centers):
            centers.append(spot)
    tiles = tuple(cut_square(bgr, center, size_px, scale) for center in centers)
    return Windows(tiles, np.array(centers).reshape(-1, 2), scale, size_px)


def cut_square(
    bgr: BgrImage, center_px: npt.NDArray[np.float64], size_px: int, scale: float
) -> BgrImage:
    """Return a square of a picture around a place, scaled; beyond the picture its edge goes on.

    Args:
        bgr: the picture.
        center_px: (2,) the square's middle.
        size_px: width and height of the square returned.
        scale: its pixels per image pixel.
    """
    reach = size_px / 2 / scale + 4
    height, width = bgr.shape[:2]
    x0, x1 = (int(np.clip(center_px[0] + d, 0, width)) for d in (-reach, reach + 1))
    y0, y1 = (int(np.clip(center_px[1] + d, 0, height)) for d in (-reach, reach + 1))
    x0, y0 = min(x0, width - 2), min(y0, height - 2)
    part = bgr[y0 : max(y1, y0 + 2), x0 : max(x1, x0 + 2)]
    if scale < 0.75:  # warping takes single samples: soften first
        part = as_u8(cv2.GaussianBlur(part, (0, 0), 0.35 / scale))
    shift = (size_px - 1) / 2 - scale * (center_px - (x0, y0))
    matrix = np.array([[scale, 0.0, shift[0]], [0.0, scale, shift[1]]])
    way = cv2.INTER_LINEAR if scale < 1 else cv2.INTER_CUBIC
    square = cv2.warpAffine(
        part, matrix, (size_px, size_px), flags=way, borderMode=cv2.BORDER_REPLICATE
    )
    return as_u8(square)
