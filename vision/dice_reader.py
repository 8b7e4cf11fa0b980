"""Three readers of dice, one answer: pips and geometry, a small network, and a judge.

They err in different places: the classical reader takes screws of a hinge for ones, the network
takes ornaments for dice. What either of them sees the judge looks at once more, and the three
are weighed together (`vision.dice_pool`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.geometry import BoardGeometry
from calibration.homography import Matrix
from vision.cv import BgrImage
from vision.dice import DiceSettings, check_picture, find_dice, find_dice_at
from vision.dice_judge import default_judge
from vision.dice_net import DiceNetSettings, detect_dice, detect_in_windows
from vision.dice_net_map import Detections, chances_of_die, probabilities
from vision.dice_pairs import nearest_pairs
from vision.dice_pool import (
    BOARD_WEIGHTS,
    NO_DIE,
    PHOTO_WEIGHTS,
    UNREADABLE,
    PoolWeights,
    Spot,
    chances,
    net_chances,
)
from vision.dice_read import ReadSettings
from vision.dice_seek import SeekSettings, SpotsPx, image_px_per_mm, seek_dice
from vision.dice_windows import cut_windows
from vision.observation import BoxPx, DieReading, PointPx


@dataclass(frozen=True, slots=True)
class DiceReaderSettings:
    """What is looked for, and what is told."""

    classical: DiceSettings = field(
        default_factory=lambda: DiceSettings(
            read=ReadSettings(report_above=0.15), trust_above=0.0
        )
    )
    """It gives its best guess always: the doubt is in its confidence."""
    net: DiceNetSettings = field(default_factory=DiceNetSettings)
    seek: SeekSettings = field(default_factory=SeekSettings)
    seek_other: SeekSettings = field(
        default_factory=lambda: SeekSettings(
            margin_mm=math.inf, heat_min=0.02, more_heat_min=0.02
        )
    )
    """How the other die of a throw is looked for where one was found: anywhere, and however
    faintly it shows."""
    aside_px: float = 3.0
    """So far beside its spot, in window pixels, a window then stands: what a network overlooks
    in one window it mostly sees in another."""
    photo: PoolWeights = PHOTO_WEIGHTS
    board: PoolWeights = BOARD_WEIGHTS
    most_on_board: int = 8
    """So many of the network's dice are looked at more closely, the hottest first."""
    worth: float = 0.03
    """On a board the classical reader is asked where the two networks together see a die with
    this probability or more: of 198 drawn dice one had less, and was not saved by it."""
    same_die: float = 0.7
    """Centres this near, as a share of the die's longer side, are one die."""
    unmoved: float = 0.15
    """A die seen again this near, as a share of its longer side, has not moved."""
    clash: float = 0.45
    """Of two dice with centres this near the likelier one is kept."""
    die_above: float = 0.5
    """A die is reported from this probability on …"""
    value_above: float = 0.85
    """… and on a board its number is told from this one on …"""
    photo_value_above: float = 0.7
    """… and in a photo, where no throw hangs on it, from this one: on the two photo sources
    that the pool was fitted on nothing more is wrong from 0.6 on."""
    one_above: float = 0.85
    """… but a one from this one, wherever it lies."""


def read_dice(
    bgr: BgrImage, settings: DiceReaderSettings | None = None
) -> tuple[DieReading, ...]:
    """Find six-sided pip dice in any photo and read their upper faces.

    Args:
        bgr: (H, W, 3) uint8.
        settings: what is told.

    Returns:
        One reading per die, sorted by x, frame `image_px`; `value` is None where the number
        is not sure. Nothing is said about a board.

    Raises:
        FrameError: wrong shape or dtype.

    Source: docs/explanation/dice-reading.md; ADR 0014.
    """
    settings = settings or DiceReaderSettings()
    settings = replace(settings, value_above=settings.photo_value_above)
    return told(spots_in_photo(bgr, settings), settings.photo, settings)


def read_dice_on_board(
    bgr: BgrImage,
    board_from_image: Matrix,
    geometry: BoardGeometry,
    settings: DiceReaderSettings | None = None,
) -> tuple[DieReading, ...]:
    """Find dice on and beside a board whose field is known.

    Args:
        bgr: (H, W, 3) uint8, frame `image_px`.
        board_from_image: `image_px` → `board_mm`.
        geometry: the board; its millimetres may be nominal.
        settings: what is told.

    Returns:
        As `read_dice`; where a die lies is for `die_place` to say.

    Raises:
        FrameError: wrong shape or dtype.
    """
    settings = settings or DiceReaderSettings()
    check_picture(bgr)
    seen = seek_dice(bgr, board_from_image, geometry, settings.seek)
    spots = spots_on_board(bgr, board_from_image, geometry, seen, settings)
    dice = told(spots, settings.board, settings)
    if len(dice) != 1:
        return dice
    # A throw has two: the other one shows faintly, or has rolled off farther than is searched
    # every time, or lay badly in its window.
    seen = seek_dice(bgr, board_from_image, geometry, settings.seek_other)
    seen = seen + settings.aside_px / _scale(board_from_image, geometry, settings)
    spots += spots_on_board(bgr, board_from_image, geometry, seen, settings)
    return told(spots, settings.board, settings)


def reread_dice(
    bgr: BgrImage,
    board_from_image: Matrix,
    geometry: BoardGeometry,
    known: Sequence[DieReading],
    settings: DiceReaderSettings | None = None,
) -> tuple[DieReading, ...]:
    """Look again where dice are known to lie, and nowhere else: much faster than a full look.

    Args:
        bgr: (H, W, 3) uint8, frame `image_px`.
        board_from_image: `image_px` → `board_mm`.
        geometry: the board; its millimetres may be nominal.
        known: dice of an earlier look.
        settings: what is told.

    Returns:
        The dice within about 18 mm of a known one; a die that was taken away is not among
        them. Of a die that shows the same number in the same place, the turn and how it lies
        are those known; when any has changed, all are read as by `read_dice_on_board`.

    Raises:
        FrameError: wrong shape or dtype.
    """
    settings = settings or DiceReaderSettings()
    check_picture(bgr)
    where = np.array([die.center_px for die in known], dtype=np.float64).reshape(-1, 2)
    if not len(where):
        return ()
    scale = _scale(board_from_image, geometry, settings)
    net = detect_in_windows(cut_windows(bgr, where, scale), settings.net)
    again = told(_seen_by_networks(bgr, net, settings), settings.board, settings)
    kept = [_as_known(die, known, settings) for die in again]
    if all(die is not None for die in kept) and len(kept) == len(known):
        return tuple(die for die in kept if die is not None)
    # Something changed, or is not sure any more: then all three look.
    spots = spots_on_board(bgr, board_from_image, geometry, where, settings)
    return told(spots, settings.board, settings)


def _as_known(
    die: DieReading, known: Sequence[DieReading], settings: DiceReaderSettings
) -> DieReading | None:
    """Return a die seen again with what was measured of it before; None where it changed."""
    for old in known:
        apart = math.dist(die.center_px, old.center_px)
        if apart < settings.unmoved * max(old.box_px[2:]) and die.value == old.value:
            return replace(
                die, flat=old.flat, tilt_deg=old.tilt_deg, rotation_deg=old.rotation_deg
            )
    return None


def spots_in_photo(bgr: BgrImage, settings: DiceReaderSettings) -> list[Spot]:
    """Return all that any reader takes for a die in a photo."""
    check_picture(bgr)
    classical = find_dice(bgr, settings.classical)
    seen = _seen_by_networks(bgr, detect_dice(bgr, settings.net), settings)
    return _heard(bgr, seen, classical, settings)


def spots_on_board(
    bgr: BgrImage,
    board_from_image: Matrix,
    geometry: BoardGeometry,
    where: SpotsPx,
    settings: DiceReaderSettings,
) -> list[Spot]:
    """Return all that any reader takes for a die near some spots of a board."""
    if not len(where):
        return []
    scale = _scale(board_from_image, geometry, settings)
    net = detect_in_windows(cut_windows(bgr, where, scale), settings.net)
    net = net.take(np.argsort(-net.heat, kind="stable")[: settings.most_on_board])
    seen = _seen_by_networks(bgr, net, settings)
    if not seen:
        return []
    die = 1.0 - chances(seen, settings.board)[:, NO_DIE]
    # The slowest reader looks only where its word could still matter.
    open_ = [spot for spot, chance in zip(seen, die, strict=True) if chance >= settings.worth]
    boxes = np.array([spot.box_px for spot in open_]).reshape(-1, 4)
    classical = find_dice_at(bgr, boxes, scale, board_from_image, settings.classical)
    rest = [spot for spot, chance in zip(seen, die, strict=True) if chance < settings.worth]
    return _heard(bgr, open_, classical, settings) + rest


def _scale(
    board_from_image: Matrix, geometry: BoardGeometry, settings: DiceReaderSettings
) -> float:
    """Return the windows' pixels per image pixel."""
    scale = settings.net.px_per_mm / image_px_per_mm(board_from_image, geometry)
    return min(scale, settings.net.max_enlarge)


def told(
    spots: Sequence[Spot], weights: PoolWeights, settings: DiceReaderSettings
) -> tuple[DieReading, ...]:
    """Return what is told of some spots, sorted by x."""
    if not spots:
        return ()
    said = chances(spots, weights)
    out: list[DieReading] = []
    for i in np.argsort(said[:, NO_DIE], kind="stable"):
        die = 1.0 - float(said[i, NO_DIE])
        spot = spots[int(i)]
        if die < settings.die_above or _clashes(spot, out, settings.clash):
            continue
        values = said[i, NO_DIE + 1 : UNREADABLE]
        best, number = float(values.max()), int(values.argmax()) + 1
        # Anything round looks like a one: it is not told as lightly as the other numbers.
        sure = best >= (settings.one_above if number == 1 else settings.value_above)
        own = spot.classical
        faced = own is not None and own.value == number
        out.append(
            DieReading(
                value=number if sure else None,
                center_px=spot.center_px,
                box_px=spot.box_px,
                confidence=best,
                flat=own.flat if own is not None and faced else None,
                tilt_deg=own.tilt_deg if own is not None and faced else None,
                rotation_deg=None if own is None else own.rotation_deg,
            )
        )
    return tuple(sorted(out, key=lambda die: die.center_px))


def _clashes(spot: Spot, dice: list[DieReading], share: float) -> bool:
    return any(
        math.dist(spot.center_px, die.center_px)
        < share * max(*spot.box_px[2:], *die.box_px[2:])
        for die in dice
    )


def _seen_by_networks(
    bgr: BgrImage, net: Detections, settings: DiceReaderSettings
) -> list[Spot]:
    """Have the judge look at what the dice net sees; the classical reader is not asked."""
    real, values = chances_of_die(net, settings.net), probabilities(net, settings.net)
    judged = default_judge().judge(bgr, net.box_px)
    out = []
    for j, (x, y, width, height) in enumerate(net.box_px.tolist()):
        center = (x + width / 2, y + height / 2)
        if _within(bgr, center):
            said = net_chances(float(real[j]), values[j])
            out.append(Spot(center, (x, y, width, height), None, said, judged[j], False))
    return out


def _heard(
    bgr: BgrImage,
    spots: Sequence[Spot],
    faces: Sequence[DieReading],
    settings: DiceReaderSettings,
) -> list[Spot]:
    """Add what the classical reader sees to spots it was asked about, and its own spots."""
    pairs = dict(nearest_pairs(faces, [spot.box_px for spot in spots], settings.same_die))
    out = [
        replace(spot, classical=faces[pairs[j]] if j in pairs else None, asked_classical=True)
        for j, spot in enumerate(spots)
    ]
    paired = set(pairs.values())
    own = [
        die
        for i, die in enumerate(faces)
        if i not in paired and _within(bgr, _middle(die.box_px))
    ]
    judged = default_judge().judge(bgr, np.array([die.box_px for die in own]).reshape(-1, 4))
    out += [
        Spot(die.center_px, die.box_px, die, None, said)
        for die, said in zip(own, judged, strict=True)
    ]
    return out


def _middle(box_px: BoxPx) -> PointPx:
    x, y, width, height = box_px
    return x + width / 2, y + height / 2


def _within(bgr: BgrImage, point_px: PointPx) -> bool:
    height, width = bgr.shape[:2]
    return bool(0 <= point_px[0] < width and 0 <= point_px[1] < height)
