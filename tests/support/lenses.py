"""Views as a lens that bends straight lines would have made them."""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from calibration.lens import Lens
from tests.support.views import View, view
from vision.cv import BgrImage, as_f32, as_u8
from vision.straight import bent_corners

BARREL = Lens((960, 720), (760.0, 760.0), (483.0, 357.0), (-0.22, 0.04, 0.0, 0.0, 0.0), 0.3, 9)
"""A wide lens: some seventy pixels at the picture's corners."""


def bent_picture(bgr: BgrImage, lens: Lens) -> BgrImage:
    """The picture as a lens would have bent it."""
    height, width = bgr.shape[:2]
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    maps = as_f32(lens.straightened(np.column_stack([x.ravel(), y.ravel()])))
    across, down = (maps[:, k].reshape(height, width) for k in (0, 1))
    return as_u8(
        cv2.remap(bgr, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


@lru_cache(maxsize=8)
def bent_view(look: str = "walnut", position: str = "middle", lens: Lens = BARREL) -> View:
    """A view under a lens; its corners lie in the bent picture."""
    shown = view(look, position)
    return replace(
        shown,
        bgr=bent_picture(shown.bgr, lens),
        corners_px=bent_corners(shown.corners_px, lens),
    )
