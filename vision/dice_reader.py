"""Two readers of dice, one answer: pips and geometry, and a small network.

They err in different places. The classical reader takes screws of a hinge for ones, the network
takes ornaments for dice; where both see a die and the same number, that is what lies there.
Where only one sees a die it must be very sure; where they disagree the number is unsure.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from calibration.geometry import BoardGeometry
from calibration.homography import Matrix
from vision.cv import BgrImage
from vision.dice import DiceSettings, find_dice, find_dice_on_board
from vision.dice_net import DiceNetSettings, find_dice_net, find_dice_on_board_net
from vision.observation import DieReading


@dataclass(frozen=True, slots=True)
class DiceReaderSettings:
    """When one reader's word is enough.

    The limits were set on drawn boards (`table`), where neither reader alone is wrong above
    them; no measuring photo was used.
    """

    classical: DiceSettings = field(default_factory=DiceSettings)
    net: DiceNetSettings = field(default_factory=DiceNetSettings)
    same_die: float = 0.7
    """Centres this near, as a share of the die's longer side, are one die."""
    classical_alone: float = 0.9
    """Confidence from which the classical reader is believed alone."""
    net_alone: float = 0.95
    """The same for the network."""


def read_dice(
    bgr: BgrImage, settings: DiceReaderSettings | None = None
) -> tuple[DieReading, ...]:
    """Find six-sided pip dice in any photo and read their upper faces.

    Args:
        bgr: (H, W, 3) uint8.
        settings: when one reader's word is enough.

    Returns:
        One reading per die, sorted by x, frame `image_px`; `value` is None where the number
        is not sure. Nothing is said about a board.

    Raises:
        FrameError: wrong shape or dtype.

    Source: docs/explanation/dice-reading.md; ADR 0010.
    """
    settings = settings or DiceReaderSettings()
    return fuse(find_dice(bgr, settings.classical), find_dice_net(bgr, settings.net), settings)


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
        settings: when one reader's word is enough.

    Returns:
        As `read_dice`; where a die lies is for `die_place` to say.

    Raises:
        FrameError: wrong shape or dtype.
    """
    settings = settings or DiceReaderSettings()
    return fuse(
        find_dice_on_board(bgr, board_from_image, geometry, settings.classical),
        find_dice_on_board_net(bgr, board_from_image, geometry, settings.net),
        settings,
    )


def fuse(
    classical: Sequence[DieReading],
    net: Sequence[DieReading],
    settings: DiceReaderSettings | None = None,
) -> tuple[DieReading, ...]:
    """Make one answer of two readers' dice, sorted by x."""
    settings = settings or DiceReaderSettings()
    pairs = _pairs(classical, net, settings.same_die)
    fused = [_of_both(classical[i], net[j]) for i, j in pairs]
    seen_i, seen_j = {i for i, _ in pairs}, {j for _, j in pairs}
    fused += [
        die
        for i, die in enumerate(classical)
        if i not in seen_i
        and die.value is not None
        and die.confidence >= settings.classical_alone
    ]
    for j, die in enumerate(net):
        if j not in seen_j and die.value is not None and die.confidence >= settings.net_alone:
            fused.append(replace(die, flat=None, tilt_deg=None))
    return tuple(sorted(fused, key=lambda die: die.center_px))


def _pairs(
    classical: Sequence[DieReading], net: Sequence[DieReading], same_die: float
) -> list[tuple[int, int]]:
    """Return which readings are of one die, nearest first, each reading once."""
    near = []
    for i, one in enumerate(classical):
        for j, other in enumerate(net):
            apart = math.dist(one.center_px, other.center_px)
            if apart < same_die * max(*one.box_px[2:], *other.box_px[2:]):
                near.append((apart, i, j))
    pairs: list[tuple[int, int]] = []
    used_i: set[int] = set()
    used_j: set[int] = set()
    for _, i, j in sorted(near):
        if i not in used_i and j not in used_j:
            pairs.append((i, j))
            used_i.add(i)
            used_j.add(j)
    return pairs


def _of_both(classical: DieReading, net: DieReading) -> DieReading:
    """Return one die that both see: the network's outline, the classical face's turn."""
    if classical.value == net.value:
        # Two witnesses of one picture are not independent: half of the doubt stays.
        doubt = (1 - classical.confidence) * (0.5 + (1 - net.confidence) / 2)
        value, confidence = classical.value, 1 - doubt
    elif classical.value is None or net.value is None:
        speaker = net if classical.value is None else classical
        silent = classical if classical.value is None else net
        value = speaker.value if speaker.confidence >= _OUTSPOKEN else None
        confidence = speaker.confidence * (0.9 if value else 0.5)
        if value is not None and silent.confidence > speaker.confidence:
            value, confidence = None, 0.5 * speaker.confidence
    else:
        value, confidence = None, 0.5 * max(classical.confidence, net.confidence)
    return replace(
        classical,
        value=value,
        confidence=confidence,
        center_px=net.center_px,
        box_px=net.box_px,
    )


_OUTSPOKEN = 0.95
"""Confidence from which one reader is believed where the other sees a die but no number."""
