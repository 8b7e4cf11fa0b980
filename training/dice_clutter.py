"""Hard cases: things with round spots on them that a reader of dice takes for dice.

Latches and hinges with their screws, phones with their lenses, buttons, studs, badges,
rosettes, cups, score cards, hands. All drawn from random numbers, straight into the picture.
"""

import math

import cv2
import numpy as np
import numpy.typing as npt

from training.dice_backgrounds import Rng, any_colour
from vision.cv import BgrImage

_Outline = npt.NDArray[np.float64]
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX)


class _Brush:
    """Draws in a thing's own frame: its middle at (0, 0), its size about 1, turned."""

    def __init__(self, rng: Rng, canvas: BgrImage, size_px: float) -> None:
        self.canvas = canvas
        self.size_px = size_px
        self.at = rng.uniform(0, 1, 2) * canvas.shape[1::-1]
        turn = rng.uniform(0, 2 * math.pi)
        squeeze = float(rng.uniform(0.75, 1.0))
        c, s = math.cos(turn), math.sin(turn)
        way = rng.uniform(0, math.pi)
        lean = np.array([[math.cos(way), math.sin(way)], [-math.sin(way), math.cos(way)]])
        squash = lean.T @ np.diag([1.0, squeeze]) @ lean
        self.own = size_px * squash @ np.array([[c, -s], [s, c]])

    def fill(self, outline: _Outline, ink: npt.ArrayLike) -> None:
        """Fill a polygon."""
        shape = np.round((outline @ self.own.T + self.at) * 16).astype(np.int32)
        colour = np.clip(np.asarray(ink, np.float64), 0, 255).tolist()
        cv2.fillPoly(self.canvas, [shape], colour, cv2.LINE_AA, 4)

    def disc(self, x: float, y: float, radius: float, ink: npt.ArrayLike) -> None:
        """Fill a circle."""
        self.fill(_circle(x, y, radius), ink)

    def line(self, start: tuple[float, float], end: tuple[float, float], ink: object) -> None:
        """Draw a thin line."""
        ends = np.array([start, end]) @ self.own.T + self.at
        a, b = np.round(ends).astype(int).tolist()
        colour = np.clip(np.asarray(ink, np.float64), 0, 255).tolist()
        cv2.line(self.canvas, a, b, colour, max(1, round(self.size_px / 25)), cv2.LINE_AA)


def _circle(x: float, y: float, radius: float) -> _Outline:
    turn = np.linspace(0, 2 * math.pi, 36, endpoint=False)
    return np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn)])


def _rounded(width: float, height: float, corner: float) -> _Outline:
    """Return a rectangle with rounded corners around (0, 0)."""
    parts = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        turn = np.linspace(k * math.pi / 2, (k + 1) * math.pi / 2, 6)
        middle = (sx * (width / 2 - corner), sy * (height / 2 - corner))
        ring = corner * np.column_stack([np.cos(turn), np.sin(turn)])
        parts.append(ring + middle)
    return np.concatenate(parts)


def _moved(outline: _Outline, x: float, y: float) -> _Outline:
    return outline + np.array([x, y])


def _metal(rng: Rng) -> _Outline:
    tone = rng.uniform(70, 240)
    warm = rng.uniform(0.4, 1.0)
    return np.array([tone * warm, tone * (0.5 + 0.5 * warm), tone])


def latch(rng: Rng, canvas: BgrImage, size_px: float) -> None:
    """Draw a hinge leaf, a clasp or a lock plate with screws."""
    brush = _Brush(rng, canvas, size_px * rng.uniform(0.8, 2.0))
    plate = _metal(rng)
    width, height = 1.0, rng.uniform(0.35, 1.0)
    brush.fill(_rounded(width * 1.06, height * 1.06, 0.1), plate * 0.5)
    brush.fill(_rounded(width, height, rng.uniform(0.03, 0.17)), plate)
    if rng.random() < 0.5:
        brush.fill(_rounded(width, 0.12, 0.05), plate * rng.uniform(0.6, 1.3))
    radius = rng.uniform(0.06, 0.12)
    screw = plate * rng.uniform(0.3, 1.4)
    spots = [(-0.36, -0.36), (0.36, -0.36), (-0.36, 0.36), (0.36, 0.36), (0.0, 0.0)]
    for x, y in spots[: int(rng.integers(1, 6))] if rng.random() < 0.5 else spots[:4:3]:
        brush.disc(x * width, y * height, radius, screw)
        if rng.random() < 0.7:
            turn = rng.uniform(0, math.pi)
            dx, dy = radius * math.cos(turn), radius * math.sin(turn)
            a, b = (x * width - dx, y * height - dy), (x * width + dx, y * height + dy)
            brush.line(a, b, plate * 0.3)


def phone(rng: Rng, canvas: BgrImage, size_px: float) -> None:
    """Draw a phone: its back with a square of lenses, or its screen full of icons."""
    brush = _Brush(rng, canvas, size_px * rng.uniform(3, 6))
    body = any_colour(rng) * rng.uniform(0.1, 1.0)
    brush.fill(_rounded(0.5, 1.0, 0.07), body)
    if rng.random() < 0.6:
        own = _moved(_rounded(0.22, 0.22, 0.05), -0.11, -0.36)
        brush.fill(own, np.clip(body * rng.uniform(0.6, 1.5) + 8, 0, 255))
        lens = [(-0.055, -0.055), (0.055, 0.055), (0.055, -0.055), (-0.055, 0.055), (0, 0)]
        for x, y in lens[: int(rng.integers(1, 6))]:
            radius = rng.uniform(0.02, 0.045)
            brush.disc(x - 0.11, y - 0.36, radius, body * 0.3 + rng.uniform(0, 60))
            brush.disc(x - 0.11, y - 0.36, radius * 0.6, (20, 15, 12))
        return
    brush.fill(_rounded(0.46, 0.92, 0.05), any_colour(rng))
    for row in range(6):
        for column in range(4):
            spot = (-0.16 + 0.107 * column, -0.37 + 0.13 * row)
            brush.fill(_moved(_rounded(0.08, 0.08, 0.02), *spot), any_colour(rng))
            if rng.random() < 0.4:
                brush.disc(*spot, rng.uniform(0.01, 0.03), any_colour(rng))


def button(rng: Rng, canvas: BgrImage, size_px: float) -> None:
    """Draw a shirt button, a socket, a badge: a disc with two to eight spots or a star."""
    brush = _Brush(rng, canvas, size_px * rng.uniform(0.7, 1.6))
    body = any_colour(rng)
    for share in sorted(rng.uniform(0.55, 1.0, int(rng.integers(1, 4))), reverse=True):
        brush.disc(0, 0, 0.5 * share, np.clip(body * rng.uniform(0.7, 1.3), 0, 255))
    ink = any_colour(rng) if rng.random() < 0.5 else 255 * (body.mean() < 128) + 0 * body
    count = int(rng.choice([1, 2, 3, 4, 5, 6, 8]))
    around, radius = rng.uniform(0.14, 0.34), rng.uniform(0.04, 0.09)
    if count == 1:
        around = 0.0
        radius *= 1.5
    for k in range(count):
        turn = 2 * math.pi * k / count
        brush.disc(around * math.cos(turn), around * math.sin(turn), radius, ink)
    if rng.random() < 0.2:
        brush.disc(0, 0, radius, ink)


def studs(rng: Rng, canvas: BgrImage, size_px: float) -> None:
    """Draw a toy brick: a rectangle with raised studs, lit from one side."""
    brush = _Brush(rng, canvas, size_px * rng.uniform(0.5, 1.0))
    body = any_colour(rng)
    rows, columns = int(rng.integers(1, 4)), int(rng.integers(2, 7))
    brush.fill(_rounded(columns * 0.5, rows * 0.5, 0.02), body)
    for i in range(rows):
        for j in range(columns):
            x, y = (j - (columns - 1) / 2) * 0.5, (i - (rows - 1) / 2) * 0.5
            brush.disc(x + 0.03, y + 0.03, 0.16, body * 0.6)
            brush.disc(x, y, 0.15, np.clip(body * rng.uniform(1.0, 1.25), 0, 255))


def rosette(rng: Rng, canvas: BgrImage, size_px: float) -> None:
    """Draw an inlaid flower or star with dots."""
    brush = _Brush(rng, canvas, size_px * rng.uniform(1.0, 4.0))
    inks = [any_colour(rng), any_colour(rng), any_colour(rng)]
    if rng.random() < 0.6:
        brush.disc(0, 0, 0.5, inks[2])
    petals = int(rng.integers(4, 13))
    for k in range(petals):
        turn = 2 * math.pi * k / petals
        c, s = math.cos(turn), math.sin(turn)
        leaf = _circle(0.5, 0, 0.5) * (0.45, rng.uniform(0.1, 0.3))
        brush.fill(leaf @ np.array([[c, s], [-s, c]]), inks[k % 2])
        if rng.random() < 0.5:
            brush.disc(0.33 * c, 0.33 * s, 0.05, inks[(k + 1) % 2])
    brush.disc(0, 0, rng.uniform(0.05, 0.15), inks[1])


def cup(rng: Rng, canvas: BgrImage, size_px: float) -> None:
    """Draw a dice cup, a glass or a mug from above: rims, a dark inside, a shine."""
    brush = _Brush(rng, canvas, size_px * rng.uniform(2.0, 6.0))
    body = any_colour(rng)
    inner = rng.uniform(0.6, 0.9)
    brush.disc(0, 0, 0.5, body)
    brush.disc(0.02, 0.01, 0.5 * inner, body * rng.uniform(0.15, 0.7))
    if rng.random() < 0.6:
        brush.disc(0.04, 0.03, 0.5 * inner * rng.uniform(0.5, 0.9), any_colour(rng))
    if rng.random() < 0.5:
        x, y = rng.uniform(-0.2, 0.2, 2).tolist()
        brush.disc(x, y, rng.uniform(0.02, 0.06), (250, 250, 250))


def card(rng: Rng, canvas: BgrImage, size_px: float) -> None:
    """Draw a score card: paper with a grid, words, numbers, ticks and blots."""
    brush = _Brush(rng, canvas, size_px * rng.uniform(3.0, 7.0))
    paper = np.full(3, rng.uniform(190, 255))
    ink = any_colour(rng) * 0.5
    brush.fill(_rounded(0.7, 1.0, 0.01), paper)
    rows, columns = int(rng.integers(4, 11)), int(rng.integers(2, 6))
    for i in range(rows + 1):
        y = -0.45 + 0.9 * i / rows
        brush.line((-0.3, y), (0.3, y), ink)
    for j in range(columns + 1):
        x = -0.3 + 0.6 * j / columns
        brush.line((x, -0.45), (x, 0.45), ink)
    for _ in range(int(rng.integers(2, 14))):
        cell = (rng.integers(columns) + 0.5, rng.integers(rows) + 0.5)
        x, y = -0.3 + 0.6 * cell[0] / columns, -0.45 + 0.9 * cell[1] / rows
        if rng.random() < 0.35:
            brush.disc(x, y, rng.uniform(0.008, 0.025), ink)
            continue
        at = (np.array([x, y]) @ brush.own.T + brush.at).astype(int).tolist()
        word = str(int(rng.integers(0, 65)))
        size = float(rng.uniform(0.25, 0.7))
        cv2.putText(canvas, word, at, _FONTS[int(rng.integers(3))], size, ink.tolist(), 1)


def hand(rng: Rng, canvas: BgrImage, size_px: float) -> None:
    """Draw fingers: rounded bars of skin with nails and knuckles."""
    brush = _Brush(rng, canvas, size_px * rng.uniform(4.0, 8.0))
    skin = np.array([rng.uniform(50, 170), rng.uniform(80, 195), rng.uniform(120, 245)])
    brush.fill(_moved(_rounded(0.5, 0.55, 0.15), 0.0, 0.35), skin * 0.95)
    for k in range(4):
        x, length = -0.19 + 0.125 * k, rng.uniform(0.4, 0.6)
        finger = _moved(_rounded(0.11, length, 0.05), x, 0.15 - length / 2)
        brush.fill(finger * 1.02, skin * 0.7)
        brush.fill(finger, skin)
        nail = np.clip(skin * 1.15 + (10, 5, 0), 0, 255)
        if rng.random() < 0.6:
            brush.fill(_moved(_rounded(0.06, 0.08, 0.025), x, 0.19 - length), nail)
        brush.line((x - 0.04, 0.15 - length / 2), (x + 0.04, 0.15 - length / 2), skin * 0.8)


_KINDS = (latch, phone, button, studs, rosette, cup, card, hand)
_SHARES = np.array([0.22, 0.12, 0.2, 0.08, 0.14, 0.08, 0.08, 0.08])


def clutter(rng: Rng, canvas: BgrImage, edge_px: float) -> None:
    """Draw one to four hard cases about the size of the dice.

    Args:
        rng: all chance comes from here.
        canvas: drawn into.
        edge_px: edge of the dice of this picture.
    """
    for _ in range(int(rng.integers(1, 5))):
        _KINDS[int(rng.choice(len(_KINDS), p=_SHARES))](rng, canvas, edge_px)
