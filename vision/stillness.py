"""When to look: motion between frames, and what changed at rest.

Motion is judged on small luma frames by a pure step function. A frame is still when it agrees
with the frame before and with the anchor, the first frame of the rest: slow drift of a hand
shows against the anchor even where two frames in a row hardly differ. Frames half a second
apart show a hand as a snapshot, so a quiet picture may still hold one: `vision.hands` compares
with a look at the settled board.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.cv import BgrImage, FloatImage, GrayImage, Mask, as_f32, as_u8, to_gray
from vision.observation import PointPx


@dataclass(frozen=True, slots=True)
class StillnessSettings:
    """How much may differ between frames that show the same."""

    luma_width_px: int = 240
    """Width of the frames compared for motion."""
    luma_step: float = 9.0
    """Luma difference (0–255) that counts as changed, beyond noise and light drift."""
    moving_px: int = 3
    """Changed pixels of a luma frame from which something moves: half a die."""
    moving_share: float = 0.0004
    """The same as a share of the region; the larger of the two holds."""
    agree_after_s: float = 0.2
    """Two looks this far apart have to agree before the board counts as settled."""
    renew_after_s: float = 2.0
    """Age at which the anchor of a rest is renewed, so that daylight may drift."""
    change_width_px: int = 320
    """Width at which looks at rest are compared."""
    change_step: float = 16.0
    """Difference (0–255, strongest channel) that counts as a change between looks."""
    hand_share: float = 0.012
    """Smallest hand or sleeve, as a share of the board's area."""
    fingers_share: float = 0.003
    """The same for what reaches in from the picture's edge."""
    cover_share: float = 0.045
    """Changed share of the field, in one piece, that no play makes: a hand with no outside."""
    lost_share: float = 0.6
    """Changed share of the picture from which the looks cannot be compared."""


DEFAULTS = StillnessSettings()
_MOST_NOISE = 6.0
"""Median difference (0–255) above which it is no longer noise but another scene."""
_TILES = (4, 3)
"""Columns and rows of the tiles in which the light may drift."""
_GAP = np.ones((5, 5), dtype=np.uint8)
"""Gaps in a changed area that are closed."""


@dataclass(frozen=True, slots=True, eq=False)
class MotionState:
    """What the motion meter remembers from frame to frame."""

    previous: GrayImage | None = None
    anchor: GrayImage | None = None
    """First frame of the present rest, or its renewal."""
    anchor_at_s: float = 0.0
    still_since_s: float | None = None


@dataclass(frozen=True, slots=True)
class Motion:
    """What a frame says about motion."""

    moving_share: float
    """Share of the region that differs from the frame before (or from the rest's anchor)."""
    still_since_s: float | None
    """Time of the first frame of the present rest; None: moving, or the first frame."""
    settled: bool
    """Two looks far enough apart agree, and so does every frame between them."""


def luma_frame(bgr: BgrImage, settings: StillnessSettings = DEFAULTS) -> GrayImage:
    """Return the small luma frame that motion is judged on; never enlarged."""
    return to_gray(shrunk(bgr, settings.luma_width_px))


def region_mask(
    corners_px: Sequence[PointPx], size_px: tuple[int, int], width_px: int, margin: float = 0.0
) -> Mask:
    """Return the board's region in a frame shrunk to a width.

    Args:
        corners_px: the field's corners in the full picture.
        size_px: (width, height) of the full picture.
        width_px: width of the shrunk frame.
        margin: how far beyond the field the region reaches, as a share of the field's size.
    """
    scale = min(width_px / size_px[0], 1.0)
    shape = (round(size_px[1] * scale), round(size_px[0] * scale))
    corners = np.asarray(corners_px, dtype=np.float64) * scale
    center = corners.mean(axis=0)
    grown = center + (corners - center) * (1.0 + 2.0 * margin)
    mask = np.zeros(shape, dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.rint(grown).astype(np.int32), 255)
    return mask


def advance(
    state: MotionState,
    frame_luma: GrayImage,
    at_s: float,
    settings: StillnessSettings = DEFAULTS,
    region: Mask | None = None,
) -> tuple[MotionState, Motion]:
    """Take one frame into account.

    Args:
        state: what was remembered; `MotionState()` to begin with.
        frame_luma: (H, W) uint8 from `luma_frame`.
        at_s: the frame's time; must not run backwards.
        settings: thresholds.
        region: (H, W) where motion counts; None: everywhere.

    Returns:
        The new state and what the frame says. A change of the frame's size starts afresh.
    """
    if (
        state.previous is None
        or state.anchor is None
        or state.previous.shape != frame_luma.shape
    ):
        return MotionState(frame_luma, frame_luma, at_s, at_s), Motion(0.0, None, False)
    total = frame_luma.size if region is None else max(int(np.count_nonzero(region)), 1)
    changed = _changed_px(state.previous, frame_luma, region, settings)
    drifted = _changed_px(state.anchor, frame_luma, region, settings)
    share = max(changed, drifted) / total
    if max(changed, drifted) >= max(settings.moving_px, settings.moving_share * total):
        # This frame may be the first of a new rest; the next one will tell.
        return MotionState(frame_luma, frame_luma, at_s, at_s), Motion(share, None, False)
    since = at_s if state.still_since_s is None else state.still_since_s
    # Times come from clocks and files: 0.2 s may read 0.19999.
    settled = at_s - since >= settings.agree_after_s - 1e-6
    renewed = replace(state, previous=frame_luma, still_since_s=since)
    if settled and at_s - state.anchor_at_s > settings.renew_after_s:
        renewed = replace(renewed, anchor=frame_luma, anchor_at_s=at_s)
    return renewed, Motion(share, since, settled)


def difference_mask(
    before: BgrImage | GrayImage,
    after: BgrImage | GrayImage,
    settings: StillnessSettings = DEFAULTS,
) -> Mask:
    """Return where two looks of the same size differ, beyond noise and a drift of the light.

    Args:
        before: (H, W) or (H, W, 3) uint8.
        after: the same shape.
        settings: thresholds.

    Returns:
        (H, W) mask. Brightness and colour of the light may differ, also from side to side;
        outlines may shift by a pixel.

    Raises:
        ValueError: the looks differ in shape.
    """
    return _mask(_apart(before, after), settings)


def board_changed(
    bgr: BgrImage,
    reference_bgr: BgrImage,
    corners_px: Sequence[PointPx],
    settings: StillnessSettings = DEFAULTS,
) -> bool:
    """Tell whether anything on or beside the board differs between two looks at rest.

    Args:
        bgr: the picture.
        reference_bgr: an earlier one, from the same camera.
        corners_px: the field's corners in both pictures.
        settings: thresholds.

    Returns:
        True also where the pictures cannot be compared.
    """
    if bgr.shape != reference_bgr.shape:
        return True
    width = 2 * settings.change_width_px
    apart = _apart(shrunk(reference_bgr, width), shrunk(bgr, width))
    near = region_mask(corners_px, (bgr.shape[1], bgr.shape[0]), width, margin=0.2)
    # Closing gaps reaches no farther than this, and the threshold only ever rises.
    reached = cv2.dilate(near, _GAP)
    if not np.any((apart > settings.change_step) & (reached > 0)):
        return False
    return bool(np.any(_mask(apart, settings) & near))


def shrunk(bgr: BgrImage, width_px: int) -> BgrImage:
    """Return a picture no wider than so many pixels, its proportions kept."""
    height, width = bgr.shape[:2]
    if width <= width_px:
        return bgr
    size = (width_px, round(height * width_px / width))
    return as_u8(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA))


def _changed_px(
    before: GrayImage, after: GrayImage, region: Mask | None, settings: StillnessSettings
) -> int:
    """Count pixels that differ beyond a common rise or fall of the light."""
    difference = after.astype(np.int16) - before
    if region is not None:
        difference = difference[region > 0]
    # The median of a picture's change is its light's: things that move cover less than half.
    drift = np.median(difference[::7] if difference.ndim == 1 else difference[::3, ::3])
    return int(np.count_nonzero(np.abs(difference - drift) > settings.luma_step))


def _apart(before: BgrImage | GrayImage, after: BgrImage | GrayImage) -> FloatImage:
    """Return by how much (0–255, strongest channel) two looks differ beyond the light."""
    if before.shape != after.shape:
        raise ValueError("looks of different sizes cannot be compared")
    second = as_f32(after)
    first = _relit(as_f32(before), second)
    kernel = np.ones((3, 3), dtype=np.uint8)
    apart, below = as_f32(cv2.dilate(first, kernel)), as_f32(cv2.erode(first, kernel))
    # In place: arrays of this size cost more to come by than to fill.
    np.subtract(second, apart, out=apart)
    np.subtract(below, second, out=below)
    np.maximum(apart, below, out=apart)
    if apart.ndim == 2:
        return apart
    strongest, *others = cv2.split(apart)
    for channel in others:
        strongest = cv2.max(strongest, channel)
    return as_f32(strongest)


def _mask(apart: FloatImage, settings: StillnessSettings) -> Mask:
    """Return where looks differ by more than noise."""
    # Sensor noise rises in the dark and with the gain: what most of the picture shows is noise.
    floor = settings.change_step + 3.0 * float(
        np.clip(_medians(apart[None])[0], 0.0, _MOST_NOISE)
    )
    mask = as_u8((apart > floor) * np.uint8(255))
    cross = as_u8(cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)))
    mask = as_u8(cv2.morphologyEx(mask, cv2.MORPH_OPEN, cross))
    return as_u8(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _GAP))


def _relit(before: FloatImage, after: FloatImage) -> FloatImage:
    """Return the earlier look as the later light would show it."""
    height, width = before.shape[:2]
    first, second = np.atleast_3d(before), np.atleast_3d(after)
    # Channels first: medians of rows in memory are many times faster.
    thin = [np.ascontiguousarray(one[::3, ::3].transpose(2, 0, 1)) for one in (second, first)]
    gain = (thin[0] + 4.0) / (thin[1] + 4.0)
    overall = _medians(gain)
    # Side-to-side drift: medians of large tiles, kept close to the overall gain, so that an arm
    # that fills a tile does not pass for a change of the light.
    tiles = np.array(
        [
            [_medians(cell) for cell in np.array_split(row, _TILES[0], axis=2)]
            for row in np.array_split(gain, _TILES[1], axis=1)
        ]
    )
    tiles = np.clip(tiles, overall * 0.92, overall * 1.09)
    smooth = as_f32(cv2.resize(as_f32(tiles), (width, height), interpolation=cv2.INTER_LINEAR))
    relit = first + 4.0
    relit *= smooth.reshape(first.shape)
    relit -= 4.0
    return as_f32(relit.reshape(before.shape))


def _medians(channels: FloatImage) -> npt.NDArray[np.float32]:
    """Return the median of each channel of (C, H, W), as `np.median` does and faster."""
    rows = channels.reshape(len(channels), -1)
    half = rows.shape[1] // 2
    parted = np.partition(rows, half, axis=1)
    upper = parted[:, half]
    if rows.shape[1] % 2:
        return as_f32(upper)
    return as_f32((parted[:, :half].max(axis=1) + upper) / 2)
