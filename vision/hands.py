"""Hands over the board, told by what differs from the settled board."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.cv import BgrImage
from vision.observation import PointPx
from vision.stillness import (
    DEFAULTS,
    StillnessSettings,
    difference_mask,
    region_mask,
    shrunk,
)


def hand_in_view(
    bgr: BgrImage,
    reference_bgr: BgrImage,
    corners_px: Sequence[PointPx],
    settings: StillnessSettings = DEFAULTS,
) -> bool | None:
    """Tell whether a hand, an arm or a cup is over the board or up against its frame.

    Args:
        bgr: the picture.
        reference_bgr: the settled board, no hand in view, from the same camera.
        corners_px: the field's corners in both pictures.
        settings: thresholds.

    Returns:
        True where a changed area reaches from outside the board, or from the picture's edge, to
        its frame or over it, or covers more of the field than a play changes; dice and checkers
        change small areas, and those inside. None: the pictures cannot be
        compared (different sizes, or nearly everything changed: light switched, camera moved).
    """
    visitors = _visitors(bgr, reference_bgr, corners_px, settings)
    return None if visitors is None else bool(visitors)


def only_laid_beside(
    bgr: BgrImage,
    reference_bgr: BgrImage,
    corners_px: Sequence[PointPx],
    settings: StillnessSettings = DEFAULTS,
) -> bool:
    """Tell whether what looks like a hand can be a thing put down beside the board.

    An arm comes from the picture's edge. Four checkers borne off and laid against the frame
    are as large as fingers, but end on all sides, and outside the field.

    Args:
        bgr: the picture, at rest for a while: that must have been seen before.
        reference_bgr: the settled board, no hand in view, from the same camera.
        corners_px: the field's corners in both pictures.
        settings: thresholds.

    Returns:
        False also where the pictures cannot be compared.
    """
    visitors = _visitors(bgr, reference_bgr, corners_px, settings)
    return visitors is not None and not any(one.inside or one.at_edge for one in visitors)


@dataclass(frozen=True, slots=True)
class _Visitor:
    """A changed area that is or may be a hand."""

    inside: bool
    """Whether any of it is over the field."""
    at_edge: bool
    """Whether it reaches the picture's edge."""


def _visitors(
    bgr: BgrImage,
    reference_bgr: BgrImage,
    corners_px: Sequence[PointPx],
    settings: StillnessSettings,
) -> list[_Visitor] | None:
    """Return what may be hands; None: different sizes, or nearly everything changed."""
    if bgr.shape != reference_bgr.shape:
        return None
    width = settings.change_width_px
    size = (bgr.shape[1], bgr.shape[0])
    mask = difference_mask(shrunk(reference_bgr, width), shrunk(bgr, width), settings)
    if np.count_nonzero(mask) > settings.lost_share * mask.size:
        return None
    field = region_mask(corners_px, size, width)
    # Skin on a wooden frame may not show: reaching the frame from outside is enough.
    near = region_mask(corners_px, size, width, margin=0.13)
    frame = region_mask(corners_px, size, width, margin=0.10)
    area = max(int(np.count_nonzero(field)), 1)
    least = area * min(settings.cover_share, settings.hand_share, settings.fingers_share)
    # Sleeve and hand, or the two sides of a shadow, are one visitor.
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7), dtype=np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    found = []
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] < least:
            continue
        part = (labels == label) & (mask > 0)
        share = np.count_nonzero(part) / area
        if not np.any(part & (near > 0)):
            continue
        inside = np.count_nonzero(part & (field > 0))
        at_edge = _at_edge(np.asarray(stats[label]), mask.shape)
        outside = np.count_nonzero(part & (frame == 0))
        if (
            inside >= settings.cover_share * area
            or (share >= settings.hand_share and outside >= 0.25 * settings.hand_share * area)
            or (share >= settings.fingers_share and at_edge)
        ):
            found.append(_Visitor(bool(inside > 0), at_edge))
    return found


def _at_edge(stats: npt.NDArray[np.int32], shape: tuple[int, ...]) -> bool:
    """Whether a component reaches the picture's edge: a full picture has no other outside."""
    left, top, width, height = stats[:4]
    return bool(
        min(left, top) <= 1 or left + width >= shape[1] - 1 or top + height >= shape[0] - 1
    )
