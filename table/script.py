"""What a film of the table is made of: the turns asked for, and the events it yields."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from hardware.button import Press
from table.scene import Camera, Die, Light, Scene
from table.throws import VoidKind
from table.world import ColorName, Position


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn, as it happens: nobody judges it here."""

    side: ColorName
    dice: tuple[int, int]
    before: Position
    after: Position
    voids: tuple[VoidKind, ...] = ()
    """Void throws before the one that counts."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """What else is true of it, for the record of truth: verdict, law …"""


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: what the camera sees at a time."""

    at_s: float
    name: str
    scene: Scene


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice have come to rest."""

    at_s: float
    turn: int
    values: tuple[int, int]
    kind: VoidKind | None
    dice: tuple[Die, Die]


@dataclass(frozen=True, slots=True)
class FilmSettings:
    """How a film is shot."""

    camera: Camera = field(default_factory=Camera)
    light: Light = field(default_factory=Light)
    noise: float = 1.0
    dense: bool = False
    """About five frames a second, hand coming and going; otherwise only the main ones."""
    opening_frames: int = 1
    """Settled frames before the first throw."""
    flicker: float = 0.006
    """Spread of the exposure from frame to frame."""


__all__ = ["Event", "FilmSettings", "Press", "Shot", "Thrown", "Turn"]
Event: TypeAlias = Shot | Press | Thrown
