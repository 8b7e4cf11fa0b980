"""What stands in front of the simulated camera: frozen values, no drawing.

World frame: `board_mm` (x right, y down, origin at the field's top-left corner) with z up from
the field's floor.
"""

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from calibration.homography import Matrix
from table.die import DieLook, DiePose, Projection

Colour: TypeAlias = str
"""#rrggbb."""
Material: TypeAlias = Literal["wood", "felt", "leather"]
Tabletop: TypeAlias = Literal["wood", "cloth", "stone"]
Profile: TypeAlias = Literal["flat", "ring", "rings", "dome", "dish"]
"""How a checker's face is turned."""
SideName: TypeAlias = Literal["L", "D"]
Grip: TypeAlias = Literal["open", "pinch", "fist"]
Edge: TypeAlias = Literal["top", "bottom", "left", "right"]

OFF_POINT = 0
BAR_POINT = 25


@dataclass(frozen=True, slots=True)
class BoardLook:
    """What a board, its checkers and the tabletop under it look like."""

    name: str
    material: Material
    floor: Colour
    point_a: Colour
    """Colour of the point at the top left; its neighbours have the other."""
    point_b: Colour
    outline: Colour | None
    """Inlay or stitching around the points; None: none."""
    frame: Colour
    frame_material: Material
    light: Colour
    dark: Colour
    profile: Profile = "ring"
    checker_mm: float = 32.5
    checker_height_mm: float = 9.0
    checker_gloss: float = 0.35
    grain: float = 0.0
    """0: checkers of one colour; 1: with strong wood grain."""
    marble: float = 0.0
    """0: none; 1: strongly marbled checkers."""
    tabletop: Tabletop = "wood"
    tabletop_colour: Colour = "#5b3a22"
    frame_mm: float = 24.0
    frame_height_mm: float = 13.0
    """Height of the frame and of the bar above the floor."""
    depth_mm: float = 16.0
    """How far the floor is above the tabletop."""
    point_length: float = 0.43
    """Length of the points as a share of the field's height."""
    point_width: float = 0.88
    """Width of a point's foot as a share of its pitch."""
    hinges: bool = True
    ornament: bool = False
    """A rosette in the middle of each half."""
    gloss: float = 0.15
    """How much of the lamp the floor mirrors."""
    seed: int = 1
    """Draws grain and wear."""
    die: DieLook = field(default_factory=DieLook)


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera above the board, without lens distortion."""

    height_mm: float = 800.0
    """Distance from the lens to the spot it looks at."""
    tilt_deg: float = 5.0
    """Angle between the optical axis and the vertical."""
    azimuth_deg: float = 90.0
    """Side from which it looks: 0 from the board's right, 90 from its bottom."""
    yaw_deg: float = 0.0
    """Turn of the picture around the optical axis; positive turns the board clockwise."""
    offset_mm: tuple[float, float] = (0.0, 0.0)
    """The spot looked at, from the field's centre."""
    focal_px: float = 1560.0
    """For a picture 1280 px wide; it grows with the picture."""
    shift_px: tuple[float, float] = (0.0, 0.0)
    """How far a knock against its arm has moved the picture; it grows with the picture."""

    def projection(self, geometry: BoardGeometry, size_px: tuple[int, int]) -> Projection:
        """Return the (3, 4) matrix from world mm to `image_px` of a picture (width, height)."""
        target = np.array(
            [
                geometry.width_mm / 2 + self.offset_mm[0],
                geometry.height_mm / 2 + self.offset_mm[1],
                0.0,
            ]
        )
        tilt, azimuth = math.radians(self.tilt_deg), math.radians(self.azimuth_deg)
        level = np.array([math.cos(azimuth), math.sin(azimuth), 0.0])
        back = math.sin(tilt) * level + np.array([0.0, 0.0, math.cos(tilt)])
        eye = target + self.height_mm * back
        forward = -back
        down = np.array([0.0, 1.0, 0.0])
        down = down - (down @ forward) * forward
        down /= np.linalg.norm(down)
        right = np.array([1.0, 0.0, 0.0])
        right = right - (right @ forward) * forward - (right @ down) * down
        right /= np.linalg.norm(right)
        yaw = math.radians(self.yaw_deg)
        turned_right = math.cos(yaw) * right - math.sin(yaw) * down
        turned_down = math.sin(yaw) * right + math.cos(yaw) * down
        rotation = np.vstack([turned_right, turned_down, forward])
        grow = size_px[0] / 1280.0
        focal = self.focal_px * grow
        inner = np.array(
            [
                [focal, 0.0, (size_px[0] - 1) / 2 + self.shift_px[0] * grow],
                [0.0, focal, (size_px[1] - 1) / 2 + self.shift_px[1] * grow],
                [0.0, 0.0, 1.0],
            ]
        )
        outer = np.column_stack([rotation, -rotation @ eye])
        return np.asarray(inner @ outer, dtype=np.float64)


@lru_cache(maxsize=32)
def projection_of(
    camera: Camera, geometry: BoardGeometry, size_px: tuple[int, int]
) -> Projection:
    """Return `camera.projection`, kept."""
    matrix = camera.projection(geometry, size_px)
    matrix.setflags(write=False)
    return matrix


@dataclass(frozen=True, slots=True)
class Light:
    """One lamp or window, and what the room sends back."""

    azimuth_deg: float = 235.0
    """Where the lamp is: 0 at the board's right, 90 at its bottom, 270 at its top."""
    elevation_deg: float = 58.0
    ambient: float = 0.54
    """Share of the light that comes from the room: what is left in a shadow."""
    softness: float = 0.22
    """Width of a shadow's edge per mm of height."""
    kelvin: float = 4600.0
    """Colour after the camera's white balance, which rests at 5000."""
    falloff: float = 0.22
    """How much darker the board's far side is than the side at the lamp."""

    @property
    def casting(self) -> "Light":
        """The same lamp without what lens and sensor make of it: it throws the same shadows."""
        return replace(self, kelvin=5000.0, falloff=0.0)

    @property
    def towards(self) -> tuple[float, float, float]:
        """Unit vector to the lamp."""
        azimuth, elevation = math.radians(self.azimuth_deg), math.radians(self.elevation_deg)
        level = math.cos(elevation)
        return level * math.cos(azimuth), level * math.sin(azimuth), math.sin(elevation)

    @property
    def shift(self) -> tuple[float, float]:
        """How far (x, y) a shadow is moved per mm of height above what it falls on."""
        x, y, z = self.towards
        return -x / z, -y / z


@dataclass(frozen=True, slots=True)
class Disc:
    """One checker lying flat."""

    side: SideName
    x_mm: float
    y_mm: float
    point: int
    """Absolute point (1–24), `BAR_POINT`, or `OFF_POINT`."""
    order: int
    """0 for the checker nearest the frame, then along the row, then the next layer."""
    z_mm: float = 0.0
    """Height of its lower face."""
    support_mm: float = 0.0
    """Height of what the lowest checker under it lies on."""
    variant: int = 0
    """Which piece of wood it was cut from, 0–7."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die: its pose, what it lies on, and how it moves."""

    pose: DiePose
    support_mm: float = 0.0
    """Height of what it lies on; `pose.height_mm` counts from there."""
    where: Literal["left", "right", "bar", "checker", "wall", "off"] = "left"
    velocity_mm: tuple[float, float] = (0.0, 0.0)
    """Way travelled while the shutter is open."""


@dataclass(frozen=True, slots=True)
class Hand:
    """An arm that reaches in from an edge of the picture."""

    x_mm: float
    y_mm: float
    """Where its fingertips are."""
    edge: Edge = "bottom"
    """From which side the arm comes."""
    grip: Grip = "pinch"
    height_mm: float = 32.0
    lean_deg: float = 0.0
    """How far the arm leans off the straight way in."""
    skin: Colour = "#d9a283"
    sleeve: Colour = "#27364f"


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that makes a frame."""

    look: BoardLook
    geometry: BoardGeometry = field(default_factory=BoardGeometry)
    camera: Camera = field(default_factory=Camera)
    light: Light = field(default_factory=Light)
    discs: tuple[Disc, ...] = ()
    carried: tuple[Disc, ...] = ()
    """Checkers held in the hand: no longer on the board."""
    dice: tuple[Die, ...] = ()
    hand: Hand | None = None
    exposure: float = 1.0
    noise: float = 1.0
    """Sensor noise; 1 is a small sensor in a lit room."""
    blur_px: float = 0.55
    """Sharpness of lens and sensor (standard deviation)."""
    noise_seed: int = 0

    def projection(self, size_px: tuple[int, int]) -> Projection:
        """Return the (3, 4) matrix from world mm to `image_px`."""
        return projection_of(self.camera, self.geometry, size_px)


def plane(projection: Projection, height_mm: float = 0.0) -> Matrix:
    """Return the homography from `board_mm` at a height to `image_px`."""
    return np.asarray(
        np.column_stack(
            [
                projection[:, 0],
                projection[:, 1],
                projection[:, 3] + height_mm * projection[:, 2],
            ]
        ),
        dtype=np.float64,
    )


def nadir_mm(projection: Projection) -> npt.NDArray[np.float64]:
    """Return the (x, y) right below the camera."""
    return np.asarray(-np.linalg.inv(projection[:, :3]) @ projection[:, 3])[:2]
