"""What is said of how a die lies, from the network's chances and from what is near it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from calibration.camera_pose import CameraPose
from calibration.geometry import BoardGeometry
from calibration.homography import Matrix, apply
from vision.die_lie import Lie
from vision.die_support import FAR_SIDES, Surroundings
from vision.observation import DieReading, Half, Surface


@dataclass(frozen=True, slots=True)
class LieSettings:
    """How sure is sure enough; set on drawn looks and drawn boards."""

    tilted_from: float = 0.97
    """Chance of a tilt from which a die with something beside it is called tilted."""
    apart_tilted_from: float = 0.99
    """The same where the nearest thing is hardly near enough (`apart_sides`)."""
    flat_to: float = 0.13
    """Chance of a tilt up to which it is called flat …"""
    wider_from: float = 0.03
    """… and from which it is looked at once more for that, from a larger outline: the finder's
    box of a leaning die may hold one face only, which then passes for the whole die …"""
    wider_flat_to: float = 0.5
    """… and what that look may say at the most."""
    free_flat_to: float = 0.3
    """The same for a die with nothing to lean on."""
    far_flat_to: float = 0.9
    """The same for a die with nothing anywhere near."""
    vouched_flat_to: float = 0.997
    """The same where the game knows as well that nothing is there."""
    far_sides: float = FAR_SIDES
    """What is nearer to a die's centre, in sides, is near."""
    reading_weight: float = 0.5
    """How much the reader's doubt about the number speaks for a tilt: a leaning die shows two
    faces and reads badly. Log odds per decade of doubt."""
    usual_doubt: float = 2.3
    """Decades of doubt (2: one in a hundred) that speak for nothing."""
    least_doubt: float = 4.0
    face_weight: float = 0.75
    """How much a face that looks square, or too long, speaks for flat or tilted; log odds."""
    sure_board: float = 0.9
    """Chance from which the network's word settles that a die lies on the board …"""
    sure_support: float = 0.9
    """… and that it lies on or leans against something."""
    sure_touch: float = 0.9
    """Chance from which the network's word settles that a die touches something."""
    no_touch: float = 0.02
    """Chance up to which it settles that it does not touch a wall …"""
    no_touch_checker: float = 0.05
    """… or a checker …"""
    apart_no_touch: float = 0.2
    """… and where the thing is hardly near enough."""
    apart_sides: float = 0.85
    """What is farther than this from a die's centre, in sides, is hardly near enough …"""
    gap_sides: float = 0.16
    """… and so is a checker this far from its sides …"""
    touch_sides: float = 1.0
    """… and what is farther than this cannot be touched by a die that lies flat: its corners
    are 0.7 sides from its centre."""
    doubt_surface: float = 0.95
    """Chance from which the network's word makes the geometry's unsure …"""
    doubt_checker: float = 0.5
    """… and where the geometry says checker and the network board: a checker counted in a row
    may lie in a layer."""
    reach_sides: float = 1.3
    """What is farther from a die's centre, in sides, cannot hold it."""
    beside_sides: float = 0.1
    """A die that lies flat with its centre this far outside a checker, in sides, does not lie
    on it: it would fall."""
    beside_board: float = 0.5
    """Chance from which the network's word suffices that it lies on the board."""


def with_lies(
    dice: Sequence[DieReading],
    lies: Sequence[Lie],
    near: Sequence[Surroundings],
    board_from_image: Matrix,
    geometry: BoardGeometry,
    pose: CameraPose,
    settings: LieSettings | None = None,
    *,
    wider: Mapping[int, Lie] | None = None,
) -> tuple[DieReading, ...]:
    """Add to placed dice how they lie, on what, and what they touch.

    Args:
        dice: placed dice (`place_die`).
        lies: what the network says of each.
        near: what is near each.
        board_from_image: `image_px` → `board_mm`.
        geometry: the board.
        pose: the camera.
        settings: how sure is sure enough.
        wider: what the network says of some of them from a larger outline
            (`worth_a_wider_look`), by their index.

    Returns:
        The dice; what is not sure enough is None.
    """
    settings = settings or LieSettings()
    told = []
    for index, (die, lie, around) in enumerate(zip(dice, lies, near, strict=True)):
        if around.under:
            # A part of it may be hidden, and the network has never seen a hand.
            told.append(replace(die, flat=None, on=None, half=None))
            continue
        tilted = tilt_chance(die, lie, settings)
        flat = _flat(die, tilted, around, settings)
        other = None if wider is None else wider.get(index)
        if (
            flat
            and other is not None
            and tilt_chance(die, other, settings) > settings.wider_flat_to
        ):
            flat = None
        on = _surface(die, lie, around, flat, settings)
        half = die.half
        if half is None and flat and on is Surface.BOARD:
            half = _half_of_base(die, around, board_from_image, geometry, pose)
        tilt = None if flat is None else round(lie.tilt_deg, 1)
        touches, may_touch = _touches(lie, around, flat, on, settings)
        told.append(
            replace(
                die,
                flat=flat,
                tilt_deg=tilt,
                on=on,
                half=half,
                touches=touches,
                may_touch=may_touch,
                leans=None if around.free else tilted,
            )
        )
    return tuple(told)


def worth_a_wider_look(
    dice: Sequence[DieReading],
    lies: Sequence[Lie],
    near: Sequence[Surroundings],
    settings: LieSettings | None = None,
) -> list[int]:
    """Return which dice look flat beside something, but not surely enough to leave it at that.

    Args:
        dice: placed dice (`place_die`).
        lies: what the network says of each.
        near: what is near each.
        settings: how sure is sure enough.
    """
    settings = settings or LieSettings()
    return [
        index
        for index, (die, lie, around) in enumerate(zip(dice, lies, near, strict=True))
        if not around.free
        and settings.wider_from < tilt_chance(die, lie, settings) <= settings.flat_to
    ]


def tilt_chance(die: DieReading, lie: Lie, settings: LieSettings) -> float:
    """Return the chance of a tilt after hearing the reader of the number as well."""
    doubt = -math.log10(max(1.0 - die.confidence, 10.0**-settings.least_doubt))
    chance = min(max(lie.tilted, 1e-6), 1 - 1e-6)
    odds = math.log(chance / (1 - chance))
    odds -= settings.reading_weight * (doubt - settings.usual_doubt)
    if die.flat is not None:
        odds += -settings.face_weight if die.flat else settings.face_weight
    return 1.0 / (1.0 + math.exp(-odds))


def _flat(
    die: DieReading, tilted: float, around: Surroundings, settings: LieSettings
) -> bool | None:
    if die.half is Half.OFF:
        # Beside the board nothing is known of what a die may lean on.
        return True if tilted <= settings.flat_to else None
    if around.free:
        nearest = min(around.to_wall_mm, around.to_checkers_mm)
        far = nearest > settings.far_sides * around.side_mm
        limit = settings.far_flat_to if far else settings.free_flat_to
        if around.vouched:
            limit = settings.vouched_flat_to
        return True if tilted <= limit else None
    apart = (
        min(around.to_wall_mm, around.to_checkers_mm) >= settings.apart_sides * around.side_mm
    )
    if tilted >= (settings.apart_tilted_from if apart else settings.tilted_from):
        return False
    return True if tilted <= settings.flat_to else None


def _surface(
    die: DieReading,
    lie: Lie,
    around: Surroundings,
    flat: bool | None,
    settings: LieSettings,
) -> Surface | None:
    reach = settings.reach_sides * around.side_mm
    if die.half in (Half.OFF, Half.BAR):
        return die.on
    if around.free:
        # A round ornament looks like a checker; where the game knows of none there is none.
        doubt = lie.on_checker >= settings.doubt_surface and not around.vouched
        return None if doubt else die.on
    if die.on is Surface.CHECKER:
        return None if lie.on_board >= settings.doubt_checker else die.on
    if flat and die.half is not None:
        # Flat on a wall is flat outside the field: the geometry has ruled that out.
        on_board = lie.on_board / max(lie.on_board + lie.on_checker, 1e-6)
        outside = around.to_checkers_mm > settings.beside_sides * around.side_mm
        enough = settings.beside_board if outside else settings.sure_board
    else:
        on_board, enough = lie.on_board, settings.sure_board
    if on_board >= enough:
        return Surface.BOARD
    over = around.to_checkers_mm < 0.0
    if flat is None and not (over and lie.on_checker >= settings.doubt_surface):
        # Held up by something is as much as tilted: where that is not sure, nor is this. But
        # what is over a checker and looks so lies or leans on it, one or the other.
        return None
    # What lies flat on a checker has its middle over it; what leans on one need not.
    on_it = settings.beside_sides * around.side_mm if flat else reach
    if lie.on_checker >= settings.sure_support and around.to_checkers_mm < on_it:
        return Surface.CHECKER
    if lie.on_wall >= settings.sure_support and around.to_wall_mm < reach:
        return Surface.WALL
    return None


def _touches(
    lie: Lie,
    around: Surroundings,
    flat: bool | None,
    on: Surface | None,
    settings: LieSettings,
) -> tuple[frozenset[Surface], frozenset[Surface]]:
    """Return what a die touches, and what it may touch."""
    reach = settings.touch_sides if flat else settings.reach_sides
    seen, open_ = set(), set()
    for surface, chance, apart in (
        (Surface.CHECKER, lie.touches_checker, around.to_checkers_mm),
        (Surface.WALL, lie.touches_wall, around.to_wall_mm),
    ):
        sides = apart / around.side_mm
        if surface is on or sides >= reach:
            continue
        hardly, least = sides >= settings.apart_sides, settings.no_touch
        if surface is Surface.CHECKER:
            least = settings.no_touch_checker
            if flat and around.gap_mm is not None:
                hardly |= around.gap_mm >= settings.gap_sides * around.side_mm
        none = settings.apart_no_touch if hardly else least
        if chance >= settings.sure_touch:
            seen.add(surface)
        elif chance > none:
            open_.add(surface)
    return frozenset(seen), frozenset(open_)


def _half_of_base(
    die: DieReading,
    around: Surroundings,
    board_from_image: Matrix,
    geometry: BoardGeometry,
    pose: CameraPose,
) -> Half | None:
    """Return the half of a die that lies on the floor with its middle just inside one.

    A die cannot lie flat on the floor any nearer to a raised border.
    """
    center = apply(board_from_image, [die.center_px])[0]
    x, y = (float(v) for v in pose.lowered(center, around.side_mm / 2))
    half = Half(geometry.half_of(x, y))
    return half if half in (Half.LEFT, Half.RIGHT) else None
