"""Pictures of a lens that bends straight lines, straightened; and what was seen, bent back.

Board, checkers and dice are read from the straightened picture. What is reported of a picture
lies in that very picture's pixels.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from calibration.lens import Lens
from vision.cv import BgrImage, as_u8
from vision.frame import Frame
from vision.observation import (
    BoardSighting,
    BoxPx,
    Corners,
    DieReading,
    Observation,
    PointPx,
)

LEAST_BEND_PX: Final = 1.0
"""Bends up to this are left: sampling a picture anew costs more than they do."""
Maps: TypeAlias = tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]


def lens_to_mend(lens: Lens | None, image_size_px: tuple[int, int]) -> Lens | None:
    """Return the lens for pictures of this size, None where it bends nothing worth the name."""
    if lens is None:
        return None
    fitted = lens if lens.image_size_px == image_size_px else lens.resized(image_size_px)
    return fitted if fitted.bend_px > LEAST_BEND_PX else None


def straight_picture(bgr: BgrImage, lens: Lens) -> BgrImage:
    """Return the picture as a lens without distortion would have made it, of the same size."""
    first, second = _maps(lens)
    return as_u8(
        cv2.remap(bgr, first, second, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


def straight_frame(frame: Frame, lens: Lens | None) -> Frame:
    """Return the frame straightened; without a lens the frame itself."""
    return frame if lens is None else replace(frame, bgr=straight_picture(frame.bgr, lens))


def straight_corners(corners_px: Corners, lens: Lens) -> Corners:
    """Return corners given in the picture in the pixels of the straightened one."""
    a, b, c, d = ((float(x), float(y)) for x, y in lens.straightened(corners_px))
    return a, b, c, d


def bent_corners(corners_px: Corners, lens: Lens) -> Corners:
    """Return corners found in the straightened picture in the pixels of the picture itself."""
    a, b, c, d = ((float(x), float(y)) for x, y in lens.bent(corners_px))
    return a, b, c, d


def bent_back(seen: Observation, lens: Lens) -> Observation:
    """Return what was seen in a straightened picture in the pixels of the picture itself."""
    return replace(
        seen,
        board=None if seen.board is None else _bent_board(seen.board, lens),
        dice=tuple(_bent_die(die, lens) for die in seen.dice),
    )


def _bent_board(board: BoardSighting, lens: Lens) -> BoardSighting:
    if board.corners_px is None:
        return board
    return replace(board, corners_px=bent_corners(board.corners_px, lens))


def _bent_die(die: DieReading, lens: Lens) -> DieReading:
    return replace(
        die,
        center_px=_bent_point(die.center_px, lens),
        box_px=_bent_box(die.box_px, lens),
    )


def _bent_point(point: PointPx, lens: Lens) -> PointPx:
    x, y = lens.bent([point])[0]
    return float(x), float(y)


def _bent_box(box: BoxPx, lens: Lens) -> BoxPx:
    x, y, width, height = box
    right, bottom = x + width, y + height
    corners = lens.bent([(x, y), (right, y), (right, bottom), (x, bottom)])
    left, top = corners.min(axis=0).tolist()
    width, height = np.ptp(corners, axis=0).tolist()
    return left, top, width, height


@lru_cache(maxsize=2)
def _maps(lens: Lens) -> Maps:
    first, second = cv2.initUndistortRectifyMap(
        lens.matrix,
        np.array(lens.distortion),
        np.eye(3),
        lens.matrix,
        lens.image_size_px,
        cv2.CV_16SC2,
    )
    return np.asarray(first, dtype=np.int16), np.asarray(second, dtype=np.uint16)
