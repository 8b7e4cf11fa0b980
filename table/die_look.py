"""What dice look like: material, shape, which pips lie where, and which kinds are sold."""

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from vision.cv import as_u8

Bgr: TypeAlias = tuple[float, float, float]
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Columns and rows of a face's pips, −1 to 1."""


@dataclass(frozen=True, slots=True)
class DieLook:
    """What a die is made of. Lengths without a unit are shares of the edge."""

    edge_mm: float = 14.0
    body_bgr: Bgr = (235.0, 240.0, 240.0)
    pip_bgr: Bgr = (20.0, 20.0, 20.0)
    one_bgr: Bgr | None = None
    """Colour of the single pip of the one; None: as the others."""
    rounding: float = 0.12
    """Radius of edges and corners."""
    ball: float = 0.0
    """0: cube; 1: corners turned off by a sphere that nearly touches the edges' middles."""
    pip_radius: float = 0.09
    one_scale: float = 1.0
    """Size of the one's pip against the others."""
    pip_spread: float = 0.26
    """Distance of the outer pips from the face's middle lines."""
    drilled: float = 0.5
    """0: painted flat; 1: deep hollows."""
    gloss: float = 0.3
    translucency: float = 0.0
    """0: opaque; 1: the body lets everything through."""
    marble: float = 0.0
    marble_bgr: Bgr = (255.0, 255.0, 255.0)
    marble_phase: float = 0.0
    right_handed: bool = True
    """1, 2, 3 run anticlockwise round their common corner, as on Western dice."""
    turned: tuple[bool, bool, bool] = (False, False, False)
    """Whether the 2–5, 3–4 and 1–6 faces carry their pattern turned by 90°."""


@dataclass(frozen=True, slots=True)
class DieLight:
    """One lamp and what the room sends back."""

    towards: tuple[float, float, float] = (-0.4, -0.5, 0.77)
    """Direction to the lamp, world frame."""
    ambient: float = 0.55
    diffuse: float = 0.55
    tint_bgr: Bgr = (1.0, 1.0, 1.0)


def face_values(right_handed: bool) -> dict[tuple[int, int], int]:
    """Return the value on each face (axis 0–2, sign) in the die's own frame.

    The frame is left-handed as the world is: x right, y down, z up.
    """
    two, three = (0, 1) if right_handed else (1, 0)
    # Seen from above, 2 to the right and 3 below it is clockwise for the eye (y is down), so
    # the three goes up (−y) on a right-handed die.
    sides = {(two, 1): 2, (two, -1): 5}
    sides[(three, -1 if right_handed else 1)] = 3
    sides[(three, 1 if right_handed else -1)] = 4
    if not right_handed:
        sides = {(1, -1): 2, (1, 1): 5, (0, 1): 3, (0, -1): 4}
    return {(2, 1): 1, (2, -1): 6} | sides


def random_look(rng: np.random.Generator) -> DieLook:
    """Return a die as they are sold: mostly white, also coloured, clear, marbled, tiny, big."""
    light_pips = False
    kind = rng.choice(["white", "ivory", "black", "colour", "clear", "marbled"], p=_KIND_SHARES)
    hue = _colour(rng)
    body: Bgr = hue
    if kind == "white":
        level = rng.uniform(215, 255)
        body = (level * rng.uniform(0.92, 1.0), level * rng.uniform(0.96, 1.0), level)
    elif kind == "ivory":
        level = rng.uniform(185, 245)
        body = (level * rng.uniform(0.6, 0.85), level * rng.uniform(0.82, 0.95), level)
    elif kind == "black":
        level = rng.uniform(8, 45)
        body = (level, level * rng.uniform(0.9, 1.1), level * rng.uniform(0.9, 1.1))
    luma = 0.11 * body[0] + 0.59 * body[1] + 0.3 * body[2]
    light_pips = luma < 75 or (luma < 165 and bool(rng.random() < 0.75))
    pip = float(rng.uniform(200, 255) if light_pips else rng.uniform(5, 50))
    pips: Bgr = (pip * rng.uniform(0.85, 1.0), pip, pip)
    if not light_pips and rng.random() < 0.12:
        strong = _colour(rng)
        pips = (strong[0] * 0.6, strong[1] * 0.6, strong[2] * 0.6)
    elif light_pips and rng.random() < 0.1:
        pips = (rng.uniform(40, 120), rng.uniform(160, 210), rng.uniform(190, 240))
    red = (rng.uniform(15, 60), rng.uniform(15, 50), rng.uniform(150, 225))
    red_one = luma > 150 and rng.random() < 0.2
    return DieLook(
        edge_mm=float(rng.uniform(9, 20)),
        body_bgr=body,
        pip_bgr=pips,
        one_bgr=red if red_one else None,
        rounding=float(rng.choice([0.015, 0.06, 0.12, 0.2]) * rng.uniform(0.8, 1.2)),
        ball=float(rng.choice([0.0, 1.0], p=[0.55, 0.45]) * rng.uniform(0.2, 1.0)),
        pip_radius=float(rng.uniform(0.07, 0.115)),
        one_scale=float(rng.uniform(1.3, 2.0) if red_one or rng.random() < 0.12 else 1.0),
        pip_spread=float(rng.uniform(0.21, 0.29)),
        drilled=float(rng.choice([0.0, 1.0]) * rng.uniform(0.3, 1.0)),
        gloss=float(rng.uniform(0, 0.7)),
        translucency=float(rng.uniform(0.25, 0.75)) if kind == "clear" else 0.0,
        marble=float(rng.uniform(0.2, 0.6)) if kind == "marbled" else 0.0,
        marble_bgr=_colour(rng) if rng.random() < 0.5 else (225.0, 225.0, 225.0),
        marble_phase=float(rng.uniform(0, 100)),
        right_handed=bool(rng.random() < 0.6),
        turned=(bool(rng.random() < 0.5), bool(rng.random() < 0.5), bool(rng.random() < 0.5)),
    )


_KIND_SHARES = (0.38, 0.12, 0.12, 0.2, 0.1, 0.08)


def _colour(rng: np.random.Generator) -> Bgr:
    hsv = np.array([[[rng.uniform(0, 180), rng.uniform(120, 255), rng.uniform(70, 235)]]])
    b, g, r = as_u8(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR))[0, 0].tolist()
    return float(b), float(g), float(r)
