"""Whole boards drawn flat, of every make: what the board finder learns from.

A board is two pictures: its floor, where points and checkers are, and its woodwork, which
stands higher. Lengths are in widths of the inner playing field; nothing is copied from a photo.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from training.checkers_boards import any_color, dark_color, light_color, texture

F32 = npt.NDArray[np.float32]
Rng = np.random.Generator
Rect = tuple[float, float, float, float]
"""Left, top, right, bottom, in field widths from the field's top-left corner."""


@dataclass(frozen=True)
class Make:
    """How a board is built."""

    tall: float
    """Height of the field."""
    bar: float
    border: float
    """Width of the frame, or of the printed border."""
    lip: float
    """Ground between the points' feet, where the field ends, and the frame."""
    trays: tuple[float, float]
    """Widths of trays left and right; 0: none."""
    wall: float
    """How high frame and bar stand over the floor; 0: printed or rolled out."""
    raised_bar: bool
    gap: float
    """Table seen between the halves of an open case."""

    @property
    def half(self) -> float:
        """Width of six points."""
        return (1.0 - self.bar) / 2

    @property
    def outer(self) -> Rect:
        """The whole board's outline."""
        left, right = (self.border + (t + self.border * 0.7 if t else 0.0) for t in self.trays)
        side = self.border + self.lip
        return -left - self.lip, -side, 1.0 + right + self.lip, self.tall + side

    @property
    def openings(self) -> list[Rect]:
        """Where the floor is lower than the woodwork."""
        lip, low = self.lip, self.tall + self.lip
        spans = [(-lip, 1.0 + lip)]
        if self.raised_bar and self.bar:
            spans = [(-lip, self.half), (1.0 - self.half, 1.0 + lip)]
        step = self.border * 0.7
        if self.trays[0]:
            spans.append((-lip - step - self.trays[0], -lip - step))
        if self.trays[1]:
            spans.append((1.0 + lip + step, 1.0 + lip + step + self.trays[1]))
        return [(a, -lip, b, low) for a, b in spans]


def random_make(rng: Rng) -> Make:
    """Draw how a board is built."""
    printed = rng.random() < 0.28
    bar = 0.0 if rng.random() < 0.2 else float(rng.uniform(0.02, 0.13))
    tray = float(rng.uniform(0.05, 0.15)) if rng.random() < 0.4 else 0.0
    trays = (tray if rng.random() < 0.6 else 0.0, tray if rng.random() < 0.6 else 0.0)
    border = float(rng.uniform(0.015, 0.12)) if rng.random() < 0.9 else 0.004
    raised = bool(not printed and bar > 0 and rng.random() < 0.7)
    return Make(
        tall=float(np.clip(rng.normal(0.88, 0.11), 0.62, 1.2)),
        bar=bar,
        border=border,
        lip=float(rng.uniform(0, 0.02)) if rng.random() < 0.25 else 0.0,
        trays=trays,
        wall=0.0 if printed else float(rng.uniform(0.01, 0.07)),
        raised_bar=raised,
        gap=float(rng.uniform(0.1, 0.6)) * bar if raised and rng.random() < 0.2 else 0.0,
    )


class Sheet:
    """A picture of one level of a board, drawn in field widths."""

    def __init__(self, box: Rect, scale: float, color: F32) -> None:
        self.box, self.scale = box, scale
        size = (box[2] - box[0]) * scale, (box[3] - box[1]) * scale
        self.bgr = np.empty((round(size[1]), round(size[0]), 3), np.float32)
        self.bgr[:] = color

    @property
    def board_from_sheet(self) -> npt.NDArray[np.float64]:
        """Pixel → field widths."""
        step = 1.0 / self.scale
        return np.array(
            [
                [step, 0, self.box[0] + step / 2],
                [0, step, self.box[1] + step / 2],
                [0, 0, 1.0],
            ]
        )

    def at(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """Return pixels, shifted by three bits, of points in field widths."""
        moved = (np.asarray(points, np.float64) - self.box[:2]) * self.scale - 0.5
        return np.round(moved * 8).astype(np.int32)

    def fill(self, points: npt.ArrayLike, color: F32) -> None:
        """Fill a polygon."""
        cv2.fillPoly(self.bgr, [self.at(points)], color.tolist(), cv2.LINE_AA, 3)

    def outline(self, points: npt.ArrayLike, color: F32, thick: int) -> None:
        """Draw a polygon's outline."""
        ink = color.tolist()
        cv2.polylines(self.bgr, [self.at(points)], True, ink, thick, cv2.LINE_AA, 3)

    def disc(self, x: float, y: float, radius: float, color: F32, thick: int = -1) -> None:
        """Draw a circle."""
        at = self.at([x, y])
        size = max(1, round(radius * self.scale * 8))
        cv2.circle(
            self.bgr, (int(at[0]), int(at[1])), size, color.tolist(), thick, cv2.LINE_AA, 3
        )

    def shade(self, rect: Rect, tone: float) -> None:
        """Darken or lighten a rectangle."""
        (x0, y0), (x1, y1) = (
            (self.at(rect[:2]) >> 3).tolist(),
            (self.at(rect[2:]) >> 3).tolist(),
        )
        self.bgr[max(y0, 0) : max(y1 + 1, 0), max(x0, 0) : max(x1 + 1, 0)] *= tone

    def grain(self, rng: Rng, strength: float) -> None:
        """Lay a texture over all."""
        self.bgr *= texture(rng, *self.bgr.shape[:2], strength)


def corners(rect: Rect) -> list[tuple[float, float]]:
    """Return a rectangle's corners, clockwise."""
    x0, y0, x1, y1 = rect
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def point_outline(kind: int, x: float, half: float, foot: float, tip: float) -> F32:
    """Return the outline of a point on foot and tip (y)."""
    if kind == 1:
        at = np.linspace(0, 1, 7)
        wide = half * (1 - at**2)
    elif kind == 2:
        at = np.linspace(0, 1, 7)
        wide = half * (1 - at) ** 1.4
    elif kind == 3:
        at, wide = np.array([0, 0.85, 1.0]), half * np.array([1, 0.7, 0])
    else:
        at, wide = np.array([0, 1.0]), half * np.array([1, 0.02])
    y = foot + at * (tip - foot)
    left, right = np.stack([x - wide, y], 1), np.stack([x + wide, y], 1)[::-1]
    return np.vstack([left, right]).astype(np.float32)


def draw_floor(rng: Rng, make: Make, scale: float) -> tuple[Sheet, dict[str, F32]]:
    """Draw ground, points and print; return it with the board's colours."""
    colors = {k: any_color(rng) for k in ("ground", "a", "b", "edge", "frame", "tray")}
    if rng.random() < 0.12:  # faint points: nearly the ground's own colour
        colors["a"] = colors["ground"] * rng.uniform(0.8, 1.2)
    sheet = Sheet(make.outer, scale, colors["ground"])
    sheet.grain(rng, rng.uniform(0, 0.12))
    for rect in make.openings[1:] if not make.raised_bar else make.openings[2:]:
        if make.trays != (0.0, 0.0) and rng.random() < 0.6:
            sheet.fill(corners(rect), colors["tray"])
    if rng.random() < 0.2:
        _print(rng, sheet, make)
    _points(rng, sheet, make, colors)
    if rng.random() < 0.2:
        _print(rng, sheet, make)
    if make.bar and not make.raised_bar:
        bar = (make.half, -make.lip, 1 - make.half, make.tall + make.lip)
        style = rng.random()
        if style < 0.6:
            sheet.fill(corners(bar), colors["frame"] if rng.random() < 0.5 else any_color(rng))
        elif style < 0.8:
            sheet.outline(corners(bar), colors["edge"], int(rng.integers(1, 4)))
    if rng.random() < 0.3:
        line = [corners((0, 0, 1, make.tall))]
        if make.bar:
            left, right = (0, 0, make.half, make.tall), (1 - make.half, 0, 1, make.tall)
            line = [corners(left), corners(right)]
        for one in line:
            sheet.outline(one, colors["edge"], int(rng.integers(1, 4)))
    if make.wall:
        _shadows(rng, sheet, make)
    sheet.grain(rng, rng.uniform(0, 0.06))
    return sheet, colors


def _points(rng: Rng, sheet: Sheet, make: Make, colors: dict[str, F32]) -> None:
    pitch = make.half / 6
    kind = int(rng.integers(4)) if rng.random() < 0.45 else 0
    length = rng.uniform(0.6, 0.97) * make.tall / 2
    half = pitch * (rng.uniform(0.3, 0.5) if rng.random() < 0.6 else 0.5)
    filled, outlined = rng.random() < 0.88, rng.random() < 0.3
    thick, one_only, first = int(rng.integers(1, 3)), rng.random() < 0.1, int(rng.integers(2))
    mirrored = rng.random() < 0.3
    """Colours facing each other alike, instead of diagonally."""
    for column in range(12):
        x = (column + 0.5) * pitch + (make.bar if column >= 6 else 0.0)
        for row in (0, 1):
            odd = bool((column + (0 if mirrored else row) + first) % 2)
            color = colors["a" if odd else "b"] * np.float32(rng.uniform(0.95, 1.05))
            foot, way = (0.0, 1) if row == 0 else (make.tall, -1)
            shape = point_outline(kind, x, half, foot, foot + way * length)
            if filled and not (one_only and odd):
                sheet.fill(shape, color)
            if outlined or not filled or one_only:
                sheet.outline(shape, colors["edge"] if filled else color, thick)


def _print(rng: Rng, sheet: Sheet, make: Make) -> None:
    """Draw rosettes, rings, arcs and lines where makers put them."""
    for _ in range(int(rng.integers(1, 4))):
        ink = any_color(rng)
        x = make.half / 2 if rng.random() < 0.5 else 1 - make.half / 2
        if rng.random() < 0.3:
            x = rng.uniform(0, 1)
        y = make.tall / 2 if rng.random() < 0.7 else rng.uniform(0, make.tall)
        size = rng.uniform(0.02, 0.16)
        if rng.random() < 0.5:
            sheet.disc(x, y, size, ink, -1 if rng.random() < 0.5 else int(rng.integers(1, 4)))
        else:
            turn = np.linspace(0, 2 * np.pi, int(rng.integers(3, 17)), endpoint=False)
            reach = size * np.where(np.arange(len(turn)) % 2, 1.0, rng.uniform(0.3, 1.0))
            star = np.stack([x + reach * np.cos(turn), y + reach * np.sin(turn)], 1)
            if rng.random() < 0.6:
                sheet.fill(star, ink)
            else:
                sheet.outline(star, ink, 1)


def _shadows(rng: Rng, sheet: Sheet, make: Make) -> None:
    """Let the walls cast shadows on the floor."""
    dx, dy = rng.uniform(-1, 1, 2) * make.wall * 1.5
    tone = rng.uniform(0.35, 0.9)
    for x0, y0, x1, y1 in make.openings:
        sheet.shade((x0, y0, x0 + dx, y1) if dx > 0 else (x1 + dx, y0, x1, y1), tone)
        sheet.shade((x0, y0, x1, y0 + dy) if dy > 0 else (x0, y1 + dy, x1, y1), tone)


def draw_woodwork(rng: Rng, make: Make, scale: float, colors: dict[str, F32]) -> Sheet:
    """Draw frame, bar and what is on them; where the floor shows is for `openings` to say."""
    sheet = Sheet(make.outer, scale, colors["frame"])
    sheet.grain(rng, rng.uniform(0, 0.15))
    if rng.random() < 0.2:  # another colour on the long sides
        x0, y0, x1, y1 = make.outer
        other = any_color(rng)
        sheet.fill(corners((x0, y0, x1, 0.0)), other)
        sheet.fill(corners((x0, make.tall, x1, y1)), other)
    for rect in make.openings:
        if rng.random() < 0.5:
            away = rng.uniform(0, 0.3) * make.border
            wider = (rect[0] - away, rect[1] - away, rect[2] + away, rect[3] + away)
            sheet.outline(corners(wider), any_color(rng), int(rng.integers(1, 4)))
    middle = (0.5 - make.bar / 2, -1.0, 0.5 + make.bar / 2, make.tall + 1.0)
    if make.bar and rng.random() < 0.15:
        sheet.fill(corners(middle), any_color(rng))
    if rng.random() < 0.5:  # the seam where it folds
        sheet.shade((0.498, -1.0, 0.502, make.tall + 1.0), rng.uniform(0.1, 1.6))
    if rng.random() < 0.35:  # hinges
        metal = np.float32(rng.uniform(60, 240)) * np.array([0.7, 0.85, 1.0], np.float32)
        away = rng.uniform(0.05, 0.35)
        for y in (away, make.tall - away):
            wide, high = rng.uniform(0.15, 0.5) * max(make.bar, 0.02), rng.uniform(0.01, 0.05)
            sheet.fill(corners((0.5 - wide, y - high, 0.5 + wide, y + high)), metal)
    if rng.random() < 0.25:  # ornaments along the frame
        ink, step = any_color(rng), rng.uniform(0.03, 0.12)
        for k in range(int(1 / step)):
            for y in (-make.border / 2, make.tall + make.border / 2):
                sheet.disc(k * step, y, make.border * 0.2, ink)
    if rng.random() < 0.15:  # the points' numbers
        ink = any_color(rng)
        for k in range(12):
            x = (k + 0.5) * make.half / 6 + (make.bar if k >= 6 else 0)
            for y in (-0.5 * make.border, make.tall + 0.5 * make.border):
                strokes = rng.uniform(-0.012, 0.012, (4, 2)) + np.array([x, y])
                sheet.outline(strokes, ink, 1)
    return sheet


def draw_checkers(
    rng: Rng, sheet: Sheet, make: Make, foot: tuple[float, float], eye: float
) -> None:
    """Draw checkers onto the floor, leaning away from the spot the camera hangs above.

    Args:
        rng: all chance comes from here.
        sheet: the floor.
        make: the board.
        foot: the spot, in field widths.
        eye: the camera's height.
    """
    pitch = make.half / 6
    size = pitch * rng.uniform(0.7, 1.0)
    thick = size * rng.uniform(0.15, 0.35) if rng.random() < 0.85 else 0.0
    inks = light_color(rng), dark_color(rng)
    if rng.random() < 0.5:
        inks = inks[1], inks[0]
    lamp = rng.uniform(0, 2 * np.pi)
    shadow = np.array([np.cos(lamp), np.sin(lamp)]) * thick * rng.uniform(0, 1.2)
    style = rng.random(4)
    crowd = rng.choice([0.0, 0.25, 0.4, 0.6], p=[0.1, 0.2, 0.4, 0.3])
    for column in range(12):
        for row in (0, 1):
            if rng.random() > crowd:
                continue
            n = int(rng.choice(np.arange(1, 16), p=_COUNTS))
            ink = inks[int(rng.integers(2))]
            x = (column + 0.5) * pitch + (make.bar if column >= 6 else 0.0)
            for k in range(n):
                layer, at = divmod(k, 5 if n > 7 else 7)
                y = (at + 0.5) * size * 1.01 + rng.uniform(0, 0.2) * size
                spot = np.array([x, y if row == 0 else make.tall - y])
                spot = spot + rng.normal(0, 0.03, 2) * size
                _checker(sheet, spot, size, thick, layer, ink, style, shadow, foot, eye)
    for left, top, right, bottom in _tray_floors(make):
        if rng.random() < 0.5:  # a divider
            y = (top + bottom) / 2 + rng.normal(0, 0.05)
            sheet.fill(corners((left, y - 0.015, right, y + 0.015)), any_color(rng))
        for _ in range(int(rng.integers(0, 9)) if rng.random() < 0.6 else 0):
            ink, x = inks[int(rng.integers(2))], (left + right) / 2 + rng.normal(0, 0.01)
            spot = np.array([x, rng.uniform(top + size / 2, bottom - size / 2)])
            _checker(sheet, spot, size, thick, 0, ink, style, shadow, foot, eye)
    for _ in range(int(rng.integers(0, 4)) if make.bar and rng.random() < 0.25 else 0):
        spot = np.array([0.5, rng.uniform(0.1, 0.9) * make.tall])
        lift = 1 if make.raised_bar else 0
        ink = inks[int(rng.integers(2))]
        _checker(sheet, spot, size, thick, lift, ink, style, shadow, foot, eye)


def _tray_floors(make: Make) -> list[Rect]:
    return make.openings[2 if make.raised_bar and make.bar else 1 :]


_COUNTS = np.array([30, 26, 16, 10, 10, 5, 3, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 1.5])
_COUNTS = _COUNTS / _COUNTS.sum()


def _checker(
    sheet: Sheet,
    spot: npt.NDArray[np.float64],
    size: float,
    thick: float,
    layer: int,
    ink: F32,
    style: npt.NDArray[np.float64],
    shadow: npt.NDArray[np.float64],
    foot: tuple[float, float],
    eye: float,
) -> None:
    def raised(height: float) -> tuple[npt.NDArray[np.float64], float]:
        grow = eye / max(eye - height, 0.2)
        return np.asarray(foot + (spot - foot) * grow), grow

    if shadow.any():
        dark = ink * 0 + 30
        sheet.disc(*(spot + shadow), size / 2, np.asarray(dark, np.float32))
    low, wide = raised(thick * layer)
    if thick:
        sheet.disc(*low, wide * size / 2, ink * np.float32(0.55))
    top, wide = raised(thick * (layer + 1))
    sheet.disc(*top, wide * size / 2, ink)
    if style[0] < 0.5:
        ring = ink * np.float32(0.6 + 0.8 * style[1])
        sheet.disc(*top, wide * size / 2 * (0.4 + 0.5 * style[2]), ring, 1)
    if style[3] < 0.5:
        sheet.disc(*top, wide * size / 2, ink * np.float32(0.6), 1)
