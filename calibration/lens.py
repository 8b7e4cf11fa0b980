"""A camera's lens: how it bends straight lines, measured from pictures of a known sheet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from calibration.sheet import Sheet

GrayImage: TypeAlias = npt.NDArray[np.uint8]
Points: TypeAlias = npt.NDArray[np.float64]

FEWEST_PICTURES: Final = 8
_FEWEST_CORNERS: Final = 12
"""Corners of the sheet below which a picture says too little."""


class LensError(ValueError):
    """Pictures that no lens can be measured from, or numbers that are none; `code` names it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Lens:
    """A measured lens, OpenCV's model: focal lengths, axis, and five of distortion."""

    image_size_px: tuple[int, int]
    focal_px: tuple[float, float]
    axis_px: tuple[float, float]
    distortion: tuple[float, float, float, float, float]
    """k1, k2, p1, p2, k3."""
    rms_px: float
    """Reprojection error: how far the sheet's corners lie from where the lens puts them."""
    pictures: int

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """(3, 3) camera matrix."""
        (fx, fy), (cx, cy) = self.focal_px, self.axis_px
        return np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1.0]])

    def focal_for(self, width_px: int) -> float:
        """Return the mean focal length, in pixels of pictures this wide."""
        return sum(self.focal_px) / 2 * width_px / self.image_size_px[0]

    def resized(self, image_size_px: tuple[int, int]) -> "Lens":
        """Return the lens for the same pictures at another size."""
        x = image_size_px[0] / self.image_size_px[0]
        y = image_size_px[1] / self.image_size_px[1]
        (fx, fy), (cx, cy) = self.focal_px, self.axis_px
        return Lens(
            image_size_px,
            (fx * x, fy * y),
            ((cx + 0.5) * x - 0.5, (cy + 0.5) * y - 0.5),
            self.distortion,
            self.rms_px * (x + y) / 2,
            self.pictures,
        )

    def straightened(self, points_px: npt.ArrayLike) -> Points:
        """Return where a lens without distortion would have put some pixels, (N, 2)."""
        source = np.asarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
        made = cv2.undistortPoints(
            source, self.matrix, np.array(self.distortion), P=self.matrix
        )
        return np.asarray(made, dtype=np.float64).reshape(-1, 2)

    def bent(self, points_px: npt.ArrayLike) -> Points:
        """Return where this lens puts what one without distortion would put at pixels, (N, 2).

        The inverse of `straightened`.
        """
        straight = np.asarray(points_px, dtype=np.float64).reshape(-1, 2)
        rays = (straight - self.axis_px) / self.focal_px
        ahead = np.column_stack([rays, np.ones(len(rays))])
        still = np.zeros(3)
        made, _ = cv2.projectPoints(ahead, still, still, self.matrix, np.array(self.distortion))
        return np.asarray(made, dtype=np.float64).reshape(-1, 2)

    @property
    def bend_px(self) -> float:
        """How far the lens moves what is seen at the picture's border, at the most."""
        width, height = self.image_size_px
        steps = np.linspace(0.0, 1.0, 9)
        x, y = (grid.ravel() for grid in np.meshgrid(steps * (width - 1), steps * (height - 1)))
        points = np.column_stack([x, y])
        return float(np.linalg.norm(self.bent(points) - points, axis=1).max())

    def to_json(self) -> dict[str, Any]:
        """Write the lens as JSON values."""
        return {
            "image_size_px": list(self.image_size_px),
            "focal_px": [round(v, 3) for v in self.focal_px],
            "axis_px": [round(v, 3) for v in self.axis_px],
            "distortion": [round(v, 6) for v in self.distortion],
            "rms_px": round(self.rms_px, 4),
            "pictures": self.pictures,
        }

    @classmethod
    def from_json(cls, value: object) -> "Lens":
        """Read a lens from JSON values.

        Raises:
            TypeError: a key that is missing, unknown or of the wrong kind.
        """
        lengths = {"image_size_px": 2, "focal_px": 2, "axis_px": 2, "distortion": 5}
        if not isinstance(value, dict) or set(value) != {*lengths, "rms_px", "pictures"}:
            raise TypeError(f"lens has the keys {', '.join([*lengths, 'rms_px', 'pictures'])}")
        read: dict[str, list[float]] = {}
        for key, length in lengths.items():
            numbers = value[key]
            if not isinstance(numbers, list) or len(numbers) != length:
                raise TypeError(f"lens.{key} are {length} numbers")
            if not all(type(n) in (int, float) and abs(n) < 1e6 for n in numbers):
                raise TypeError(f"lens.{key} are {length} numbers")
            read[key] = [float(n) for n in numbers]
        if not all(type(value[key]) in (int, float) for key in ("rms_px", "pictures")):
            raise TypeError("lens.rms_px and lens.pictures are numbers")
        k1, k2, p1, p2, k3 = read["distortion"]
        return cls(
            (int(read["image_size_px"][0]), int(read["image_size_px"][1])),
            (read["focal_px"][0], read["focal_px"][1]),
            (read["axis_px"][0], read["axis_px"][1]),
            (k1, k2, p1, p2, k3),
            float(value["rms_px"]),
            int(value["pictures"]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class SheetSighting:
    """The sheet's corners in one picture."""

    ids: npt.NDArray[np.int32]
    corners_px: npt.NDArray[np.float32]
    """(N, 2)."""


def find_sheet(gray: GrayImage, sheet: Sheet) -> SheetSighting | None:
    """Find the sheet's inner corners in a picture; None: too few of them show."""
    detector = cv2.aruco.CharucoDetector(sheet.board())
    corners, ids, _, _ = detector.detectBoard(gray)
    if ids is None or corners is None or len(ids) < _FEWEST_CORNERS:
        return None
    return SheetSighting(
        np.asarray(ids, dtype=np.int32).ravel(),
        np.asarray(corners, dtype=np.float32).reshape(-1, 2),
    )


def measure_lens(
    sightings: Sequence[SheetSighting], sheet: Sheet, image_size_px: tuple[int, int]
) -> Lens:
    """Measure a lens.

    Args:
        sightings: the sheet in pictures from different sides, all of one size.
        sheet: as it was printed.
        image_size_px: (width, height) of the pictures.

    Raises:
        LensError: too few pictures, or all from nearly the same side.
    """
    if len(sightings) < FEWEST_PICTURES:
        raise LensError(
            "too_few_pictures",
            f"the sheet shows in {len(sightings)} pictures; {FEWEST_PICTURES} are needed",
        )
    where = np.asarray(sheet.board().getChessboardCorners(), dtype=np.float32)
    world = [where[one.ids] for one in sightings]
    seen = [one.corners_px for one in sightings]
    guess = float(max(image_size_px))
    start = np.array(
        [[guess, 0, image_size_px[0] / 2], [0, guess, image_size_px[1] / 2], [0, 0, 1.0]]
    )
    rms, matrix, distortion, turns, _ = cv2.calibrateCamera(
        world, seen, image_size_px, start, np.zeros(5), flags=cv2.CALIB_USE_INTRINSIC_GUESS
    )
    if _spread_deg(turns) < 8.0:
        raise LensError(
            "too_alike", "all pictures look at the sheet from nearly the same side: tilt it"
        )
    fx, fy, cx, cy = (float(matrix[at]) for at in ((0, 0), (1, 1), (0, 2), (1, 2)))
    k1, k2, p1, p2, k3 = (float(v) for v in np.ravel(distortion)[:5])
    good = np.isfinite([rms, fx, fy, cx, cy, k1, k2, p1, p2, k3]).all()
    if not good or not 0.2 < fx / guess < 10.0:
        raise LensError("no_lens", "no lens fits these pictures")
    return Lens(
        image_size_px, (fx, fy), (cx, cy), (k1, k2, p1, p2, k3), float(rms), len(sightings)
    )


def _spread_deg(turns: Sequence[npt.ArrayLike]) -> float:
    """Return how far the sheet's normal differs between pictures, at the most."""
    normals = np.stack([cv2.Rodrigues(np.asarray(turn))[0][:, 2] for turn in turns])
    cosines = np.clip(normals @ normals.T, -1.0, 1.0)
    return float(np.degrees(np.arccos(cosines.min())))
