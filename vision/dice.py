"""Find dice and read their upper faces, in any photo or on a board.

The classical reader: pips, lattices of pips, outlines, and a small fitted weighing. How and
why is told in docs/explanation/dice-reading.md.
"""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from calibration.geometry import BoardGeometry
from calibration.homography import Matrix, apply, invert, scaled
from vision.cv import BgrImage, as_u8
from vision.dice_read import ReadFace, ReadSettings, read_faces
from vision.dice_select import SIDE_UNITS
from vision.die_place import face_tilt, place_die
from vision.frame import FrameError
from vision.observation import DieReading
from vision.pips import FloatArray


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
    px_per_mm: float = 2.0
    """Scale at which a board is searched; nominal mm."""
    margin_mm: float = 70.0
    """How far around the field fallen dice are looked for."""
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
    _check(bgr)
    settings = settings or DiceSettings()
    working, scale = resized(bgr, settings)
    to_image = np.diag([1 / scale, 1 / scale, 1.0])
    faces = read_faces(working, settings.read)
    return _sorted([_reading(face, to_image, settings) for face in faces])


def find_dice_on_board(
    bgr: BgrImage,
    board_from_image: Matrix,
    geometry: BoardGeometry,
    settings: DiceSettings | None = None,
) -> tuple[DieReading, ...]:
    """Find dice on and beside a board whose field is known.

    Args:
        bgr: (H, W, 3) uint8.
        board_from_image: `image_px` → `board_mm`.
        geometry: the board; its millimetres may be nominal.
        settings: how dice are looked for.

    Returns:
        One reading per die, sorted by x, frame `image_px`, with half and, where the face's
        shape tells, flatness; `on` stays None inside the field until the checkers are known
        (`die_place.place_die`).

    Raises:
        FrameError: wrong shape or dtype.

    Source: docs/explanation/dice-reading.md.
    """
    _check(bgr)
    settings = settings or DiceSettings()
    working, working_from_image = _board_view(bgr, board_from_image, geometry, settings)
    to_image = invert(working_from_image)
    unit = settings.px_per_mm / SIDE_UNITS
    read = replace(
        settings.read,
        pips=replace(settings.read.pips, max_radius_px=0.6 * settings.max_side_mm * unit),
        min_unit_px=settings.min_side_mm * unit,
        max_unit_px=settings.max_side_mm * unit,
    )
    readings = []
    for face in read_faces(working, read):
        reading = _reading(face, to_image, settings)
        if not _inside(reading, bgr):
            continue
        if face.value in (4, 5) and face.probability >= settings.flat_from:
            corners = apply(to_image, face.lattice_corners())
            flat, tilt = face_tilt([(float(x), float(y)) for x, y in corners], board_from_image)
            reading = replace(reading, flat=flat, tilt_deg=tilt)
        readings.append(place_die(reading, board_from_image, geometry, None))
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


def _board_view(
    bgr: BgrImage, board_from_image: Matrix, geometry: BoardGeometry, settings: DiceSettings
) -> tuple[BgrImage, Matrix]:
    """Return the board from above with its surroundings, and working_from_image."""
    working_from_board = scaled(settings.px_per_mm, settings.margin_mm)
    matrix = np.asarray(working_from_board @ board_from_image, dtype=np.float64)
    size = (
        round((geometry.width_mm + 2 * settings.margin_mm) * settings.px_per_mm),
        round((geometry.height_mm + 2 * settings.margin_mm) * settings.px_per_mm),
    )
    middle = apply(invert(matrix), [(size[0] / 2, size[1] / 2), (size[0] / 2 + 1, size[1] / 2)])
    shrink = float(np.linalg.norm(middle[1] - middle[0]))
    if shrink > 1.4:  # warping takes single samples: soften first, or texture turns to pips
        bgr = as_u8(cv2.GaussianBlur(bgr, (0, 0), 0.35 * shrink))
    warped = cv2.warpPerspective(
        bgr, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return as_u8(warped), matrix


def _inside(reading: DieReading, bgr: BgrImage) -> bool:
    x, y = reading.center_px
    return bool(0 <= x < bgr.shape[1] and 0 <= y < bgr.shape[0])


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


def _check(bgr: BgrImage) -> None:
    if bgr.ndim != 3 or bgr.shape[2] != 3 or bgr.dtype != np.uint8:
        raise FrameError("bad_frame", "a picture is (H, W, 3) uint8")
