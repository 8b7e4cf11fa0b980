"""The calibration profile: what was measured of one board under one camera, as a file.

A profile is JSON with a version. It is written whole or not at all, and read with every key
checked: a profile of a later version, or one that was cut short, is refused with a reason.
"""

import base64
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from calibration.geometry import BoardGeometry
from calibration.homography import GeometryError, board_from_image
from calibration.lens import Lens

VERSION: Final = 1
POINTS: Final = 24
CELL_SHAPE: Final = (POINTS, 28, 6, 3)
"""Points in reading order, cells from the rim inwards, cells across, L* a* b*."""

PointPx: TypeAlias = tuple[float, float]
Corners: TypeAlias = tuple[PointPx, PointPx, PointPx, PointPx]
Lab: TypeAlias = tuple[float, float, float]
Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None


class ProfileError(ValueError):
    """A profile that cannot be used; the message says which key is wrong."""


@dataclass(frozen=True, slots=True, eq=False)
class LearnedLook:
    """How the board looked when a known position stood on it."""

    light: Lab
    """Colour of the light side's checkers, L* a* b*."""
    dark: Lab
    cells: npt.NDArray[np.float32]
    """`CELL_SHAPE`: every point's picture."""
    counts: tuple[int | None, ...]
    """What stood on the 24 points; None: unknown."""
    bar: tuple[int | None, int | None] | None = None
    """What the empty bar was read as, light and dark: hinges look like checkers."""


@dataclass(frozen=True, slots=True)
class LightLevel:
    """The light in which the look was learned."""

    luma: float
    """Median luma of the field, 0–255."""
    cast: tuple[float, float]
    """Blue over green and red over green of the field's medians."""


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationProfile:
    """One board under one camera."""

    image_size_px: tuple[int, int]
    """(width, height) of the pictures it holds for."""
    corners_px: Corners
    """Inner field's outer corners, clockwise from the image's top-left."""
    geometry: BoardGeometry | None = None
    """None: estimated anew from each picture."""
    measured: bool = False
    """Whether the geometry is in true millimetres; else the field counts as 480 mm wide."""
    look: LearnedLook | None = None
    light: LightLevel | None = None
    lens: Lens | None = None
    """None: an ordinary lens without distortion worth the name is assumed."""
    made_utc: str = ""
    """When, ISO 8601, as the caller's clock says; empty: unknown."""
    name: str = ""
    notes: tuple[str, ...] = ()

    def for_size(self, image_size_px: tuple[int, int]) -> "CalibrationProfile":
        """Return the profile for pictures of the same view at another size.

        Raises:
            ProfileError: another shape of picture, so another view.
        """
        if image_size_px == self.image_size_px:
            return self
        x, y = (now / was for now, was in zip(image_size_px, self.image_size_px, strict=True))
        if abs(x / y - 1.0) > 0.01:
            was_w, was_h = self.image_size_px
            raise ProfileError(
                f"the profile is for pictures of {was_w}×{was_h}, "
                f"this one has {image_size_px[0]}×{image_size_px[1]}"
            )
        a, b, c, d = (
            ((px + 0.5) * x - 0.5, (py + 0.5) * y - 0.5) for px, py in self.corners_px
        )
        lens = None if self.lens is None else self.lens.resized(image_size_px)
        return replace(self, image_size_px=image_size_px, corners_px=(a, b, c, d), lens=lens)


def to_json(profile: CalibrationProfile) -> dict[str, Json]:
    """Write a profile as JSON values."""
    look = profile.look
    return {
        "profile": "zarbiter",
        "version": VERSION,
        "name": profile.name,
        "made_utc": profile.made_utc,
        "image_size_px": list(profile.image_size_px),
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in profile.corners_px],
        "geometry": None if profile.geometry is None else _geometry_to_json(profile.geometry),
        "measured": profile.measured,
        "light": None
        if profile.light is None
        else {
            "luma": round(profile.light.luma, 2),
            "cast": [round(v, 4) for v in profile.light.cast],
        },
        "look": None
        if look is None
        else {
            "light": [round(v, 2) for v in look.light],
            "dark": [round(v, 2) for v in look.dark],
            "counts": list(look.counts),
            "bar": None if look.bar is None else list(look.bar),
            "cells": _packed(look.cells),
        },
        "lens": None if profile.lens is None else profile.lens.to_json(),
        "notes": list(profile.notes),
    }


_KEYS = frozenset(
    (
        "profile", "version", "name", "made_utc", "image_size_px", "corners_px", "geometry",
        "measured", "light", "look", "lens", "notes",
    )
)  # fmt: skip


def from_json(value: object) -> CalibrationProfile:
    """Read a profile from JSON values.

    Raises:
        ProfileError: not a profile, a later version, an unknown, missing or impossible key.
    """
    if not isinstance(value, dict) or value.get("profile") != "zarbiter":
        raise ProfileError('a calibration profile is an object with "profile": "zarbiter"')
    version = value.get("version")
    if type(version) is not int or version < 1:
        raise ProfileError("version is a whole number from 1")
    if version > VERSION:
        raise ProfileError(
            f"this profile has version {version}; known are those up to {VERSION}"
        )
    unknown = sorted(str(key) for key in value.keys() - _KEYS)
    if unknown:
        raise ProfileError(f"no key {unknown[0]!r}; there are {', '.join(sorted(_KEYS))}")
    size = _numbers(value, "image_size_px", 2)
    if not all(v == int(v) and 16 <= v <= 100_000 for v in size):
        raise ProfileError("image_size_px is a width and a height in whole pixels")
    try:
        return CalibrationProfile(
            image_size_px=(int(size[0]), int(size[1])),
            corners_px=_corners(value.get("corners_px")),
            geometry=_geometry(value.get("geometry")),
            measured=value.get("measured") is True,
            look=_look(value.get("look")),
            light=_light(value.get("light")),
            lens=None if value.get("lens") is None else Lens.from_json(value["lens"]),
            made_utc=_text(value, "made_utc"),
            name=_text(value, "name"),
            notes=_notes(value.get("notes")),
        )
    except (GeometryError, TypeError) as error:
        raise ProfileError(str(error)) from error


def write_profile(path: Path, profile: CalibrationProfile) -> None:
    """Write a profile so that a power cut leaves the old file or the new one.

    Raises:
        OSError: the folder is missing, full, or may not be written to.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    text = json.dumps(to_json(profile), ensure_ascii=False, indent=1)
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read_profile(path: Path) -> CalibrationProfile:
    """Read a profile.

    Raises:
        ProfileError: unreadable, no JSON, or not a profile that can be used.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ProfileError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise ProfileError(f"{path.name} is not JSON: {error}") from error
    try:
        return from_json(value)
    except ProfileError as error:
        raise ProfileError(f"{path.name}: {error}") from error


def _geometry_to_json(geometry: BoardGeometry) -> dict[str, Json]:
    return {
        "width_mm": round(geometry.width_mm, 2),
        "height_mm": round(geometry.height_mm, 2),
        "bar_left_mm": round(geometry.bar_left_mm, 2),
        "bar_right_mm": round(geometry.bar_right_mm, 2),
        "checker_mm": round(geometry.checker_mm, 2),
    }


def _geometry(value: object) -> BoardGeometry | None:
    if value is None:
        return None
    keys = ("width_mm", "height_mm", "bar_left_mm", "bar_right_mm", "checker_mm")
    if not isinstance(value, dict) or set(value) != set(keys):
        raise ProfileError(f"geometry has the keys {', '.join(keys)}")
    numbers = [_number(value[key], f"geometry.{key}") for key in keys]
    try:
        return BoardGeometry(*numbers)
    except ValueError as error:
        raise ProfileError(f"geometry: {error}") from error


def _corners(value: object) -> Corners:
    if not isinstance(value, list) or len(value) != 4:
        raise ProfileError("corners_px are four pairs of numbers")
    pairs = []
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2:
            raise ProfileError("corners_px are four pairs of numbers")
        pairs.append((_number(pair[0], "corners_px"), _number(pair[1], "corners_px")))
    board_from_image(pairs, 1.0, 1.0)  # raises where they make no field
    return pairs[0], pairs[1], pairs[2], pairs[3]


def _light(value: object) -> LightLevel | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ProfileError("light has a luma and a cast")
    cast = _numbers(value, "cast", 2)
    return LightLevel(_number(value.get("luma"), "light.luma"), (cast[0], cast[1]))


def _look(value: object) -> LearnedLook | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ProfileError("look has light, dark, counts and cells")
    counts = value.get("counts")
    if not isinstance(counts, list) or len(counts) != POINTS:
        raise ProfileError("look.counts are 24 numbers from 0 to 15, or null")
    if not all(c is None or (type(c) is int and 0 <= c <= 15) for c in counts):
        raise ProfileError("look.counts are 24 numbers from 0 to 15, or null")
    light, dark = _numbers(value, "light", 3), _numbers(value, "dark", 3)
    return LearnedLook(
        (light[0], light[1], light[2]),
        (dark[0], dark[1], dark[2]),
        _unpacked(value.get("cells")),
        tuple(counts),
        _bar(value.get("bar")),
    )


def _bar(value: object) -> tuple[int | None, int | None] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 2:
        raise ProfileError("look.bar are two numbers from 0 to 15")
    if not all(c is None or (type(c) is int and 0 <= c <= 15) for c in value):
        raise ProfileError("look.bar are two numbers from 0 to 15")
    return value[0], value[1]


def _packed(cells: npt.NDArray[np.float32]) -> str:
    """Write L* a* b* as bytes, L* in steps of 0.4: finer than any noise."""
    shifted = (cells - (50.0, 0.0, 0.0)) * (2.5, 1.0, 1.0)
    bytes_ = np.clip(np.rint(shifted), -128, 127).astype(np.int8).tobytes()
    return base64.b64encode(bytes_).decode("ascii")


def _unpacked(text: object) -> npt.NDArray[np.float32]:
    try:
        raw = base64.b64decode(text if isinstance(text, str) else "", validate=True)
        values = np.frombuffer(raw, dtype=np.int8).reshape(CELL_SHAPE).astype(np.float32)
    except ValueError as error:
        raise ProfileError("look.cells are cut short or no base64") from error
    return np.asarray(values / (2.5, 1.0, 1.0) + (50.0, 0.0, 0.0), dtype=np.float32)


def _notes(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ProfileError("notes are a list of texts")
    return tuple(value)


def _text(value: Mapping[str, object], key: str) -> str:
    text = value.get(key, "")
    if not isinstance(text, str):
        raise ProfileError(f"{key} is a text")
    return text


def _numbers(value: Mapping[str, object], key: str, count: int) -> list[float]:
    numbers = value.get(key)
    if not isinstance(numbers, list) or len(numbers) != count:
        raise ProfileError(f"{key} are {count} numbers")
    return [_number(one, key) for one in numbers]


def _number(value: object, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ProfileError(f"{key}: {value!r} is no number")
    if not np.isfinite(value) or abs(value) > 1e6:
        raise ProfileError(f"{key}: {value!r} is out of reach")
    return float(value)
