"""The chain from one picture to one observation."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from calibration.camera_pose import camera_over
from calibration.geometry import BoardGeometry
from calibration.homography import GeometryError, apply, board_from_image
from calibration.lens import Lens
from vision.board_finder import find_board
from vision.board_view import BoardView, estimate_geometry, rectify, rectify_measured
from vision.checkers import read_checkers
from vision.checkers_ends import row_ends
from vision.checkers_look import BoardLook
from vision.cv import BgrImage
from vision.dice_reader import read_dice, read_dice_on_board, reread_dice
from vision.die_lie import read_lies
from vision.die_lie_facts import with_lies, worth_a_wider_look
from vision.die_place import place_die
from vision.die_support import counted, surroundings_of
from vision.observation import (
    BoardSighting,
    CheckersReading,
    Corners,
    DieReading,
    Observation,
    Timings,
)
from vision.straight import bent_back, lens_to_mend, straight_corners, straight_picture

_THROWN = 2
"""Dice of a throw."""
_WIDER = 1.3
"""How much larger a leaning die's outline may be than the face that a finder takes for it."""
_LEAST_FIELD_PX = 48.0
"""Shortest side of a field below which a checker is but two pixels wide."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the board before looking; every part may be missing."""

    corners_px: Corners | None = None
    """The field's corners, given by a person or a profile; None: find the board."""
    geometry: BoardGeometry | None = None
    """None: estimated from the picture."""
    look: BoardLook | None = None
    """How this board looks, learned from a known position."""
    lens: Lens | None = None
    """The camera's; None: one without distortion worth the name."""


def observe(
    bgr: BgrImage,
    known: Known | None = None,
    *,
    now_s: Callable[[], float] = time.perf_counter,
) -> Observation:
    """Look at one picture of a board.

    Args:
        bgr: (H, W, 3) uint8, frame `image_px`.
        known: corners, geometry and look, where known.
        now_s: a monotonic clock, for the timings alone.

    Returns:
        Board, checkers, dice, all places in the pixels of this picture, straight lens or not.
        Where no board is found: no checkers and no dice, since dice without a board make no
        throw.

    Raises:
        GeometryError: the corners given make no field in this picture.
        FrameError: not a picture.
    """
    known = known or Known()
    started = now_s()
    size = (bgr.shape[1], bgr.shape[0])
    lens = lens_to_mend(known.lens, size)
    if lens is not None:
        seen = _straightened(bgr, known, lens, started, now_s)
        return bent_back(seen, lens)
    return _observed(bgr, known, started, now_s)


def _straightened(
    bgr: BgrImage, known: Known, lens: Lens, started: float, now_s: Callable[[], float]
) -> Observation:
    corners = known.corners_px
    if corners is not None:
        check_field(corners, lens.image_size_px)
        corners = straight_corners(corners, lens)
    straight = replace(known, corners_px=corners)
    return _observed(straight_picture(bgr, lens), straight, started, now_s)


def _observed(
    bgr: BgrImage, known: Known, started: float, now_s: Callable[[], float]
) -> Observation:
    """Look at a picture whose straight lines are straight."""
    sighting = (
        find_board(bgr)
        if known.corners_px is None
        else BoardSighting(True, known.corners_px, 1.0)
    )
    if known.corners_px is not None:
        check_field(known.corners_px, (bgr.shape[1], bgr.shape[0]))
    checkers: CheckersReading | None = None
    dice: tuple[DieReading, ...] = ()
    board_s = points_s = now_s()
    if sighting.corners_px is not None:
        view, geometry = _view(bgr, sighting.corners_px, known.geometry)
        board_s = now_s()
        checkers = read_checkers(view, geometry, look=known.look)
        points_s = now_s()
        focal_px = None if known.lens is None else known.lens.focal_for(bgr.shape[1])
        dice = dice_on_board(bgr, view, geometry, checkers, focal_px=focal_px)
    ended_s = now_s()
    return Observation(
        width=bgr.shape[1],
        height=bgr.shape[0],
        board=sighting,
        checkers=checkers,
        dice=dice,
        ms=_timings(started, board_s, points_s, ended_s),
    )


def check_field(corners_px: Corners, image_size_px: tuple[int, int]) -> None:
    """Check that corners given by a person can be those of a board in this picture.

    A corner or two may lie outside it; the middle of the field may not.

    Args:
        corners_px: clockwise from the image's top-left.
        image_size_px: (width, height) of the picture.

    Raises:
        GeometryError: no convex field, far outside the picture, or too small to be read.
    """
    board_from_image(corners_px, 1.0, 1.0)
    (width, height), points = image_size_px, [*corners_px, corners_px[0]]
    if not all(-width <= x <= 2 * width and -height <= y <= 2 * height for x, y in corners_px):
        raise GeometryError(f"the corners lie far outside the picture of {width}×{height}")
    x, y = (sum(one[axis] for one in corners_px) / 4 for axis in (0, 1))
    if not (0 <= x <= width and 0 <= y <= height):
        raise GeometryError(f"the field lies outside the picture of {width}×{height}")
    shortest = min(math.dist(a, b) for a, b in pairwise(points))
    if shortest < _LEAST_FIELD_PX:
        raise GeometryError(
            f"the field is too small to be read: {shortest:.0f} pixels on its shortest side"
        )


def dice_on_board(
    bgr: BgrImage,
    view: BoardView,
    geometry: BoardGeometry,
    checkers: CheckersReading,
    *,
    known: Sequence[DieReading] = (),
    stands: CheckersReading | None = None,
    focal_px: float | None = None,
) -> tuple[DieReading, ...]:
    """Find the dice on and beside a board, and say how and on what each lies.

    Args:
        bgr: (H, W, 3) uint8, frame `image_px`.
        view: the board in it, flattened.
        geometry: the board.
        checkers: what stands on the points, as it was read.
        known: dice of an earlier look at a board that has not changed since: while they are
            all there, only they are looked at again, which is much faster. One alone is no
            throw, and the other one is looked for.
        stands: what stood on the points when that was last known, before these dice fell;
            None: never.
        focal_px: of the camera, where it was measured.
    """
    board_from_image = view.board_from_image
    found: tuple[DieReading, ...] = ()
    if len(known) >= _THROWN:
        found = reread_dice(bgr, board_from_image, geometry, known)
    if len(found) < max(_THROWN, len(known)):
        # A die that was overlooked once must not be left out of all looks that follow.
        found = read_dice_on_board(bgr, board_from_image, geometry)
    if not found:
        return ()
    pose = camera_over(board_from_image, (bgr.shape[1], bgr.shape[0]), focal_px=focal_px)
    checkers = counted(checkers, stands)
    placed = [place_die(die, board_from_image, geometry, checkers, pose=pose) for die in found]
    where = [(x, y) for x, y in apply(board_from_image, [d.center_px for d in found]).tolist()]
    ends = row_ends(view, geometry, checkers, pose, where)
    near = surroundings_of(
        placed, board_from_image, geometry, checkers, pose=pose, ends=ends, stands=stands
    )
    lies = read_lies(bgr, placed, pose)
    doubted = worth_a_wider_look(placed, lies, near)
    looks = read_lies(bgr, [placed[index] for index in doubted], pose, grown=_WIDER)
    wider = dict(zip(doubted, looks, strict=True))
    return with_lies(placed, lies, near, board_from_image, geometry, pose, wider=wider)


def observe_dice(
    bgr: BgrImage, *, now_s: Callable[[], float] = time.perf_counter
) -> Observation:
    """Look for dice in any picture, board or no board."""
    started = now_s()
    dice = read_dice(bgr)
    ended = now_s()
    return Observation(
        width=bgr.shape[1],
        height=bgr.shape[0],
        board=None,
        checkers=None,
        dice=dice,
        ms=_timings(started, started, started, ended),
    )


def _view(
    bgr: BgrImage, corners_px: Corners, geometry: BoardGeometry | None
) -> tuple[BoardView, BoardGeometry]:
    if geometry is not None:
        return rectify_measured(bgr, corners_px, geometry), geometry
    view = rectify(bgr, corners_px)
    return view, estimate_geometry(view)


def _timings(started: float, board: float, points: float, ended: float) -> Timings:
    return Timings(
        board=1000 * (board - started),
        points=1000 * (points - board),
        dice=1000 * (ended - points),
        total=1000 * (ended - started),
    )
