"""From pictures to a calibration profile, and from a profile to what sight wants to know."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.layout import BoardLayout
from calibration.lens import Lens, LensError
from calibration.profile import CalibrationProfile, Lab, LearnedLook, LightLevel
from calibration.quality import Edge, ViewQuality, measure_view
from referee.evidence import reading_of
from rules import Variant, variant_named
from rules.start import start_position
from vision.board_finder import find_board
from vision.board_view import estimate_geometry, rectify, rectify_measured
from vision.checkers import learn_look, read_checkers
from vision.checkers_colors import SideColors
from vision.checkers_look import BoardLook
from vision.cv import BgrImage
from vision.observation import BarReading, BoardSighting, CheckersReading, Corners, Side
from vision.observe import Known
from vision.straight import bent_corners, lens_to_mend, straight_corners, straight_picture
from zarbiter.start import layout_of_start

STARTS = {"long": "bolshie-nardy", "short": "short"}
"""Start positions that teach a board's look, and a rule set that has them."""
_AGREE = 0.015
"""How far two sightings of one board may lie apart, as a share of its diagonal."""
_NEW_LUMA = 1.7
"""How many times lighter or darker the field must be for the light to count as another."""
_NEW_CAST = 1.25
_FRESH = 0.1
"""Share of a new look in a profile that is refreshed."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """What some pictures of one board under one camera taught."""

    sighting: BoardSighting
    quality: ViewQuality
    profile: CalibrationProfile | None
    """None: no board was found."""
    reading: CheckersReading | None
    start: str | None
    """Which start position was seen, a key of `STARTS`; None: neither."""
    layout: BoardLayout | None
    best: int
    """Index of the picture that was learned from."""


def known_of(profile: CalibrationProfile, image_size_px: tuple[int, int]) -> Known:
    """Return what sight wants to know.

    Raises:
        ProfileError: the profile is for another view.
    """
    fitted = profile.for_size(image_size_px)
    return Known(fitted.corners_px, fitted.geometry, look_of_profile(fitted), fitted.lens)


def look_of_profile(profile: CalibrationProfile) -> BoardLook | None:
    """Return the look that a profile holds."""
    look = profile.look
    if look is None:
        return None
    bar = None if look.bar is None else BarReading(*look.bar)
    return BoardLook(SideColors(look.light, look.dark), look.cells, look.counts, bar)


def profile_look(look: BoardLook) -> LearnedLook | None:
    """Return a look as a profile holds it; None: it does not tell both sides' colours."""
    if look.colors is None:
        return None
    bar = None if look.bar is None else (look.bar.light, look.bar.dark)
    return LearnedLook(look.colors.light, look.colors.dark, look.points, look.counts, bar)


def light_level(bgr: BgrImage, corners_px: Corners) -> LightLevel:
    """Measure the light on the field."""
    mask = np.zeros(bgr.shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(mask, np.rint(np.asarray(corners_px)).astype(np.int32), 255)
    field = bgr[mask > 0] if mask.any() else bgr.reshape(-1, 3)
    blue, green, red = (float(v) + 1.0 for v in np.median(field, axis=0))
    luma = 0.114 * blue + 0.587 * green + 0.299 * red - 1.0
    return LightLevel(luma, (blue / green, red / green))


def light_jumped(before: LightLevel, now: LightLevel) -> bool:
    """Whether the light is another: a lamp switched, a curtain drawn; drift is none."""
    luma = (now.luma + 2.0) / (before.luma + 2.0)
    casts = [b / a for a, b in zip(before.cast, now.cast, strict=True)]
    return max(luma, 1 / luma) > _NEW_LUMA or any(max(c, 1 / c) > _NEW_CAST for c in casts)


def refreshed(
    profile: CalibrationProfile, seen: BoardLook, light: LightLevel
) -> CalibrationProfile:
    """Return the profile with what a certain position in the game showed.

    Daylight drifts: each look counts a tenth. After a jump of the light, or where a point now
    holds another number, the new look counts alone.
    """
    new, old = profile_look(seen), profile.look
    if new is None:
        return profile
    if old is None or profile.light is None or light_jumped(profile.light, light):
        return replace(profile, look=new, light=light)
    same = np.array([a == b for a, b in zip(old.counts, new.counts, strict=True)])
    share = np.where(same, _FRESH, 1.0).astype(np.float32)[:, None, None, None]
    mixed = replace(
        new,
        light=_mixed(old.light, new.light),
        dark=_mixed(old.dark, new.dark),
        cells=np.asarray(old.cells + share * (new.cells - old.cells), dtype=np.float32),
    )
    was = profile.light
    blue, red = (a + _FRESH * (b - a) for a, b in zip(was.cast, light.cast, strict=True))
    level = LightLevel(was.luma + _FRESH * (light.luma - was.luma), (blue, red))
    return replace(profile, look=mixed, light=level)


def _mixed(old: Lab, new: Lab) -> Lab:
    a, b, c = (o + _FRESH * (n - o) for o, n in zip(old, new, strict=True))
    return a, b, c


def calibrate(
    pictures: Sequence[BgrImage],
    *,
    corners_px: Corners | None = None,
    starts: Sequence[str] = ("long", "short"),
    lens: Lens | None = None,
    made_utc: str = "",
    name: str = "",
    finder: Callable[[BgrImage], BoardSighting] = find_board,
) -> Calibrated:
    """Learn a board and its camera from pictures that show them standing still.

    Geometry and look are of the straightened picture, corners of the picture itself.

    Args:
        pictures: one or more, of one size, the newest last.
        corners_px: the field's corners as a person gave them; None: found.
        starts: start positions that may be on the board.
        lens: as measured before; None: an ordinary one.
        made_utc: the time now, for the file.
        name: what the owner calls the table.
        finder: how a board is found.

    Raises:
        LensError: the lens was measured in pictures of another shape.
    """
    size = (pictures[0].shape[1], pictures[0].shape[0])
    if lens is not None:
        _check_shape(lens, size)
    mended = lens_to_mend(lens, size)
    if mended is not None:
        pictures = [straight_picture(one, mended) for one in pictures]
        if corners_px is not None:
            corners_px = straight_corners(corners_px, mended)
    sightings = [
        finder(one) if corners_px is None else BoardSighting(True, corners_px, 1.0)
        for one in pictures
    ]
    best, sighting = agreed(sightings)
    bgr = pictures[best]
    corners = sighting.corners_px
    if corners is None:
        return Calibrated(
            sighting,
            measure_view(bgr, None, cut=[Edge(side) for side in sighting.cut]),
            None,
            None,
            None,
            None,
            best,
        )
    if mended is not None:
        sighting = replace(sighting, corners_px=bent_corners(corners, mended))
    geometry = estimate_geometry(rectify(bgr, corners))
    view = rectify_measured(bgr, corners, geometry)
    reading = read_checkers(view, geometry)
    profile = CalibrationProfile(
        image_size_px=size,
        corners_px=sighting.corners_px or corners,
        geometry=geometry,
        light=light_level(bgr, corners),
        lens=lens,
        made_utc=made_utc,
        name=name,
    )
    start, layout = start_on(reading, starts)
    if start is not None and layout is not None:
        known = reading_of(start_position(variant_of(start)), layout, Side.LIGHT)
        learned = profile_look(learn_look(view, geometry, known))
        profile = replace(profile, look=learned)
    quality = measure_view(bgr, corners, geometry)
    return Calibrated(sighting, quality, profile, reading, start, layout, best)


def _check_shape(lens: Lens, size: tuple[int, int]) -> None:
    wide, tall = lens.image_size_px
    if abs(wide * size[1] / (tall * size[0]) - 1.0) > 0.01:
        raise LensError(
            "other_shape",
            f"the sheet's pictures are {wide}×{tall}, the board's {size[0]}×{size[1]}: "
            "take both with the same setting of the camera",
        )


def start_on(
    reading: CheckersReading, starts: Sequence[str]
) -> tuple[str | None, BoardLayout | None]:
    """Return which start position a reading shows and how the table stands."""
    for start in starts:
        layout = layout_of_start(reading, variant_of(start))
        if layout is not None:
            return start, layout
    return None, None


def variant_of(start: str) -> Variant:
    """Return a rule set that begins with a start position of `STARTS`."""
    return variant_named(STARTS[start])


def agreed(sightings: Sequence[BoardSighting]) -> tuple[int, BoardSighting]:
    """Return the sighting that most others agree with, and the index of its picture.

    Its corners are the mean of those that agree; its confidence is the best of theirs.
    """
    groups: list[list[int]] = []
    for k, one in enumerate(sightings):
        if one.corners_px is None:
            continue
        near = [j for j, other in enumerate(sightings) if _same_board(one, other)]
        groups.append([k, *(j for j in near if j != k)])
    if not groups:
        best = max(
            range(len(sightings)),
            key=lambda k: (bool(sightings[k].cut), sightings[k].confidence),
        )
        return best, sightings[best]
    group = max(groups, key=lambda g: (len(g), sightings[g[0]].confidence))
    seen = [np.asarray(sightings[k].corners_px, dtype=np.float64) for k in group]
    corners = np.mean(seen, axis=0)
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    sure = max(sightings[k].confidence for k in group)
    return group[0], BoardSighting(True, (a, b, c, d), sure)


def _same_board(one: BoardSighting, other: BoardSighting) -> bool:
    if one.corners_px is None or other.corners_px is None:
        return False
    diagonal = math.dist(one.corners_px[0], one.corners_px[2])
    pairs = zip(one.corners_px, other.corners_px, strict=True)
    return max(math.dist(a, b) for a, b in pairs) <= _AGREE * diagonal
