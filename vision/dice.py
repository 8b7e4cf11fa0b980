"""Find dice and read their upper faces, in any photo or on a board.

The classical reader: pips, lattices of pips, outlines, and a small fitted weighing. How and
why is told in docs/explanation/dice-reading.md.
"""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.homography import Matrix, apply
from vision.cv import BgrImage, as_u8
from vision.dice_read import Expected, ReadFace, ReadSettings, read_faces
from vision.dice_select import SIDE_UNITS
from vision.dice_windows import cut_windows
from vision.die_place import face_tilt
from vision.frame import FrameError
from vision.observation import DieReading
from vision.pips import FloatArray

_WINDOW_PX = 80
"""Of a board: 38 mm, more than the outline of a large die."""
_CANDIDATES, _LONE, _ONES = 9, 4, 3
"""Faces that are looked at closely, of each tone and for each outline."""
_PIP_OF_OUTLINE = 0.17
"""Largest radius of a pip, as a share of the outline's longer side."""


@dataclass(frozen=True, slots=True)
class DiceSettings:
    """How dice are looked for."""

    read: ReadSettings = field(default_factory=ReadSettings)
    long_side_px: int = 1280
    """Larger photos are shrunk to this."""
    small_side_px: int = 900
    """Smaller ones are enlarged to this, at most `max_enlarge` times."""
    max_enlarge: float = 4.0
    trust_above: float = 0.6
    """A number is given from this probability on."""
    px_per_mm: float = 2.1
    """Scale of the windows of a board; nominal mm."""
    min_side_mm: float = 6.3
    """9 mm dice on a board that is 30 % larger than nominal."""
    max_side_mm: float = 26.0
    """20 mm dice on a board that is 30 % smaller than nominal."""
    flat_from: float = 0.8
    """Below this probability nothing is said about a die lying flat."""


def find_dice(bgr: BgrImage, settings: DiceSettings | None = None) -> tuple[DieReading, ...]:
    """Find six-sided pip dice in any photo and read their upper faces.

    Args:
        bgr: (H, W, 3) uint8.
        settings: how dice are looked for.

    Returns:
        One reading per die, sorted by x, frame `image_px`; `value` is None where a die is
        likely but its number is not sure. Nothing is said about a board.

    Raises:
        FrameError: wrong shape or dtype.

    Source: docs/explanation/dice-reading.md.
    """
    check_picture(bgr)
    settings = settings or DiceSettings()
    working, scale = resized(bgr, settings)
    to_image = np.diag([1 / scale, 1 / scale, 1.0])
    faces = read_faces(working, settings.read)
    return _sorted([_reading(face, to_image, settings) for face in faces])


def find_dice_at(
    bgr: BgrImage,
    boxes_px: FloatArray,
    scale: float,
    board_from_image: Matrix,
    settings: DiceSettings | None = None,
) -> tuple[DieReading, ...]:
    """Read the dice that another reader found in a picture of a board.

    Args:
        bgr: (H, W, 3) uint8.
        boxes_px: (N, 4) their outlines.
        scale: of the windows cut around them, per image pixel: `settings.px_per_mm`.
        board_from_image: `image_px` → `board_mm`.
        settings: how dice are looked for.

    Returns:
        As `find_dice`, with flatness where the face's shape tells; nothing where it sees none.

    Source: docs/explanation/dice-reading.md.
    """
    settings = settings or DiceSettings()
    if not len(boxes_px):
        return ()
    unit = settings.px_per_mm / SIDE_UNITS
    long_px = boxes_px[:, 2:].max(axis=1) * scale
    largest = min(0.6 * settings.max_side_mm * unit, _PIP_OF_OUTLINE * float(long_px.max()))
    read = replace(
        settings.read,
        pips=replace(settings.read.pips, max_radius_px=largest),
        max_candidates=min(settings.read.max_candidates, _CANDIDATES * len(boxes_px)),
        max_lone=min(settings.read.max_lone, _LONE * len(boxes_px)),
        max_ones=min(settings.read.max_ones, _ONES * len(boxes_px)),
        min_unit_px=settings.min_side_mm * unit,
        max_unit_px=settings.max_side_mm * unit,
    )
    centers = boxes_px[:, :2] + boxes_px[:, 2:] / 2
    windows = cut_windows(bgr, centers, scale, _WINDOW_PX)
    own = windows.owner(centers)
    places = windows.to_mosaic(centers, own)
    expected = Expected(places, long_px)
    readings = []
    for face in read_faces(windows.mosaic(), read, expected):
        number = int(windows.of_mosaic(face.center[None])[0])
        to_image = windows.image_from_mosaic(number)
        reading = _reading(face, to_image, settings)
        if face.value in (4, 5) and face.probability >= settings.flat_from:
            corners = apply(to_image, face.lattice_corners())
            flat, tilt = face_tilt([(float(x), float(y)) for x, y in corners], board_from_image)
            reading = replace(reading, flat=flat, tilt_deg=tilt)
        readings.append(reading)
    return _sorted(readings)


def resized(bgr: BgrImage, settings: DiceSettings) -> tuple[BgrImage, float]:
    """Return a photo at its working size, and the scale from the photo to it."""
    long = max(bgr.shape[:2])
    if long > settings.long_side_px:
        scale = settings.long_side_px / long
    elif long < settings.small_side_px:
        scale = min(settings.max_enlarge, settings.small_side_px / long)
    else:
        return bgr, 1.0
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return as_u8(cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=way)), scale


def _reading(face: ReadFace, to_image: Matrix, settings: DiceSettings) -> DieReading:
    corners = apply(to_image, face.corners())
    center = apply(to_image, [face.center])[0]
    low, high = corners.min(axis=0), corners.max(axis=0)
    along: FloatArray = corners[1] - corners[0]
    return DieReading(
        value=face.value if face.probability >= settings.trust_above else None,
        center_px=(float(center[0]), float(center[1])),
        box_px=(float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])),
        confidence=face.probability,
        rotation_deg=float(np.degrees(np.arctan2(along[1], along[0]))) % 90.0,
    )


def _sorted(readings: list[DieReading]) -> tuple[DieReading, ...]:
    return tuple(sorted(readings, key=lambda r: r.center_px))


def check_picture(bgr: BgrImage) -> None:
    """Check that a picture is one.

    Raises:
        FrameError: wrong shape or dtype.
    """
    if bgr.ndim != 3 or bgr.shape[2] != 3 or bgr.dtype != np.uint8:
        raise FrameError("bad_frame", "a picture is (H, W, 3) uint8")
