"""How a die lies, read by a small network from a picture of the die and what is around it.

The network sees every die as if the camera were turned to it and held so that upright things
rise in the picture; how steeply it looks down comes in as a plane of its own.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock

import cv2
import numpy as np

from calibration.camera_pose import CameraPose
from calibration.homography import Matrix
from vision.cv import BgrImage, FloatImage, as_f32, as_u8
from vision.networks import net_of, packaged
from vision.observation import BoxPx, DieReading

MODEL_FILE = "die_lie.onnx"
CROP_PX = 64
DIE_PX = 22.0
"""Size of a die's outline in the crop."""
_FINER = 2
_TILT_UNIT_DEG = 30.0
_OFF_X, _OFF_Y, _GROWN = 7, 8, 9
_MOST_OFF, _MOST_GROWN = 0.35, 0.4
_MENDINGS = 5
"""How often the outline is corrected at the most: a finder's box is off by a tenth of a die or
so, that of a leaning die may hold one face only, and one correction makes up half of it …"""
_SETTLED = 0.02
"""… and when it is left as it is: corrections that small change nothing; in die sides."""
_TEMPERATURE = 0.95
"""Softens the chance of a tilt; fitted on drawn looks that were not trained on."""


@dataclass(frozen=True, slots=True)
class Lie:
    """How one die seems to lie; chances are 0–1."""

    tilted: float
    tilt_deg: float
    on_board: float
    """Chance that it lies on the board and leans on nothing."""
    on_checker: float
    """Chance that it lies on a checker or leans against one."""
    on_wall: float
    """The same for rim and bar."""
    touches_checker: float
    touches_wall: float


class LieNet:
    """The loaded network; one may be shared by threads, which then wait for one another."""

    def __init__(self, model: Path) -> None:
        self._net = net_of(model)
        self._lock = Lock()

    @classmethod
    def load(cls) -> "LieNet":
        """Load the network that comes with the package."""
        with packaged(MODEL_FILE) as model:
            return cls(model)

    def look(
        self, crops: Sequence[BgrImage], slants: Sequence[float], *, mirrored: bool = True
    ) -> FloatImage:
        """Return the raw answers, (N, 10) float32.

        Args:
            crops: (CROP_PX, CROP_PX, 3) each.
            slants: tangent of the angle from the vertical at which each is seen.
            mirrored: whether to ask about the mirror images as well.
        """
        planes = np.empty((len(crops), 4, CROP_PX, CROP_PX), np.float32)
        planes[:, :3] = np.stack(crops).transpose(0, 3, 1, 2) / 127.5 - 1.0
        planes[:, 3] = np.asarray(slants, np.float32)[:, None, None]
        said = self._forward(planes)
        if mirrored:
            # What is left and right must not matter: the mirror image is asked as well.
            other = self._forward(np.ascontiguousarray(planes[..., ::-1]))
            other[:, _OFF_X] = -other[:, _OFF_X]
            said = as_f32((said + other) / 2)
        return said

    def _forward(self, planes: FloatImage) -> FloatImage:
        said = []
        for index in range(len(planes)):
            with self._lock:
                self._net.setInput(planes[index : index + 1])
                # The network reuses its buffers: what leaves the lock must be a copy.
                said.append(np.array(self._net.forward(), np.float32)[0])
        return as_f32(np.stack(said))


@cache
def default_lie_net() -> LieNet:
    """Return the network that comes with the package, loaded once."""
    return LieNet.load()


def read_lies(
    bgr: BgrImage,
    dice: Sequence[DieReading],
    pose: CameraPose,
    net: LieNet | None = None,
    *,
    grown: float = 1.0,
) -> tuple[Lie, ...]:
    """Say how dice lie.

    Args:
        bgr: (H, W, 3) uint8, frame `image_px`.
        dice: where they are.
        pose: the camera.
        net: the network; None: the one that comes with the package.
        grown: how much larger than the finder's box the outline is taken to be at first.
    """
    if not dice:
        return ()
    net = net or default_lie_net()
    views = [crop_from_image(pose, _grown(die.box_px, grown)) for die in dice]
    *_, views = mended_views(bgr, views, net)
    said = net.look([crop(bgr, m) for m, _ in views], [s for _, s in views])
    return tuple(_lie(row) for row in said)


def mended_views(
    bgr: BgrImage, views: Sequence[tuple[Matrix, float]], net: LieNet
) -> Iterator[list[tuple[Matrix, float]]]:
    """Yield views of dice as they are at first, and after each look that mends outlines.

    Args:
        bgr: (H, W, 3) uint8, frame `image_px`.
        views: of each die the homography `image_px` → crop, and the slant there.
        net: the network.
    """
    mended = list(views)
    yield list(mended)
    mending = list(range(len(mended)))
    for _ in range(_MENDINGS):
        if not mending:
            return
        crops = [crop(bgr, mended[index][0]) for index in mending]
        said = net.look(crops, [mended[index][1] for index in mending], mirrored=False)
        for index, row in zip(mending, said, strict=True):
            mended[index] = (_mended(mended[index][0], row), mended[index][1])
        off = np.abs(said[:, _OFF_X : _GROWN + 1]).max(axis=1)
        mending = [one for one, by in zip(mending, off, strict=True) if by > _SETTLED]
        yield list(mended)


def _grown(box_px: BoxPx, times: float) -> BoxPx:
    """Return a box of the same middle, so many times as large."""
    x, y, width, height = box_px
    more = (times - 1) / 2
    return x - more * width, y - more * height, times * width, times * height


def _mended(matrix: Matrix, raw: FloatImage) -> Matrix:
    """Return a crop's homography after its outline was found to be off."""
    moved = np.clip(raw[_OFF_X : _OFF_Y + 1], -_MOST_OFF, _MOST_OFF) * DIE_PX
    off_x, off_y = (float(value) for value in moved)
    grown = float(raw[_GROWN])
    shrink = math.exp(-min(max(grown, -_MOST_GROWN), _MOST_GROWN))
    middle = (CROP_PX - 1) / 2
    back = np.array(
        [
            [shrink, 0, middle - shrink * (middle + off_x)],
            [0, shrink, middle - shrink * (middle + off_y)],
            [0, 0, 1.0],
        ]
    )
    return np.asarray(back @ matrix, dtype=np.float64)


def _lie(raw: FloatImage) -> Lie:
    lean, tilt, board, checker, wall, by_checker, by_wall = (float(v) for v in raw[:7])
    highest = max(board, checker, wall)
    chances = [math.exp(v - highest) for v in (board, checker, wall)]
    return Lie(
        tilted=_chance(lean / _TEMPERATURE),
        tilt_deg=min(max(tilt * _TILT_UNIT_DEG, 0.0), 54.7),
        on_board=chances[0] / sum(chances),
        on_checker=chances[1] / sum(chances),
        on_wall=chances[2] / sum(chances),
        touches_checker=_chance(by_checker),
        touches_wall=_chance(by_wall),
    )


def _chance(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-min(max(logit, -60.0), 60.0)))


def crop_from_image(pose: CameraPose, box_px: BoxPx) -> tuple[Matrix, float]:
    """Return the homography `image_px` → crop around a die's outline, and the slant there."""
    x, y, width, height = box_px
    center = (x + width / 2, y + height / 2)
    turned = pose.upright(center)
    scale = DIE_PX / math.sqrt(max(width * height, 1.0)) / _growth(turned, center)
    middle = (CROP_PX - 1) / 2
    placed = np.array([[scale, 0, middle], [0, scale, middle], [0, 0, 1.0]])
    return np.asarray(placed @ turned, dtype=np.float64), pose.slant(center)


def _growth(matrix: Matrix, at: tuple[float, float]) -> float:
    """Return how much a homography enlarges a spot's surroundings."""
    depth = float(matrix[2] @ (at[0], at[1], 1.0))
    return math.sqrt(abs(float(np.linalg.det(matrix)) / depth**3))


def crop(bgr: BgrImage, matrix: Matrix) -> BgrImage:
    """Return the (CROP_PX, CROP_PX, 3) crop that a homography makes of a picture."""
    # Sampled twice as finely and averaged: large dice are shrunk without flicker.
    fine = np.array([[_FINER, 0, 0.5], [0, _FINER, 0.5], [0, 0, 1.0]]) @ matrix
    size = (CROP_PX * _FINER, CROP_PX * _FINER)
    seen = cv2.warpPerspective(
        bgr, fine, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return as_u8(cv2.resize(seen, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA))
