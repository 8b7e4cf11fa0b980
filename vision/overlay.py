"""Draw what was seen onto the picture: draws, detects nothing."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from calibration.geometry import ROWS, BoardGeometry
from calibration.homography import GeometryError, apply, board_from_image, invert
from vision.cv import BgrImage
from vision.observation import (
    POINTS_PER_ROW,
    BoxPx,
    CheckersReading,
    Corners,
    DieReading,
    Observation,
    PointReading,
    Side,
    Surface,
)

Color: TypeAlias = tuple[int, int, int]
"""Blue, green, red."""
_Vector: TypeAlias = npt.NDArray[np.float64]
_Align: TypeAlias = Literal["left", "center"]


@dataclass(frozen=True, slots=True)
class OverlayStyle:
    """Colours and what to leave out."""

    field: Color = (170, 225, 60)
    light: Color = (236, 244, 248)
    dark: Color = (46, 40, 38)
    unsure: Color = (40, 176, 255)
    sure_die: Color = (240, 200, 70)
    bad_die: Color = (70, 80, 240)
    panel: Color = (30, 26, 24)
    text: Color = (245, 245, 245)
    show_empty: bool = False
    """Whether empty points get a mark: useful when a missing reading is sought."""
    scale: float = 1.0
    """Larger or smaller than the picture asks for."""


DEFAULT_STYLE = OverlayStyle()
_FONT = cv2.FONT_HERSHEY_DUPLEX


@dataclass(slots=True, eq=False)
class _Canvas:
    """The picture being drawn on, with strokes and text in proportion to it."""

    bgr: BgrImage
    unit: float
    """One hair line, in pixels; a chip is about ten units tall."""

    def stroke(self, units: float) -> int:
        return max(round(units * self.unit), 1)

    def polyline(
        self, points: _Vector, color: Color, units: float, closed: bool = True
    ) -> None:
        at = [np.rint(points * 16).astype(np.int32)]
        # A dark line beneath keeps the bright one readable on light boards.
        for extra, paint in ((self.stroke(1.2), (20, 20, 20)), (0, color)):
            cv2.polylines(
                self.bgr, at, closed, paint, self.stroke(units) + extra, cv2.LINE_AA, shift=4
            )

    def _type(self, barred: bool) -> tuple[float, int]:
        """Return the size and the stroke of text; a bar at the foot takes some of the room."""
        return self.unit * (0.36 if barred else 0.34), max(round(self.unit * 0.8), 1)

    def chip_size(self, text: str, barred: bool) -> tuple[float, float]:
        """Return the width and height that a chip takes."""
        (text_w, text_h), _ = cv2.getTextSize(text, _FONT, *self._type(barred))
        height = text_h + (8.0 if barred else 5.0) * self.unit
        return max(text_w + 6.0 * self.unit, height), height

    def chip(
        self,
        at: tuple[float, float],
        text: str,
        fill: Color,
        ink: Color,
        opacity: float,
        bar: float | None = None,
        rim: Color | None = None,
    ) -> None:
        """Draw a rounded label centred on a spot, with a bar of confidence along its foot."""
        size, thick = self._type(bar is not None)
        (text_w, text_h), _ = cv2.getTextSize(text, _FONT, size, thick)
        width, height = self.chip_size(text, barred=bar is not None)
        x = float(np.clip(at[0], width / 2 + 1, max(self.bgr.shape[1] - width / 2 - 2, 1)))
        y = float(np.clip(at[1], height / 2 + 1, max(self.bgr.shape[0] - height / 2 - 2, 1)))
        x0, y0, x1, y1 = x - width / 2, y - height / 2, x + width / 2, y + height / 2
        self._rounded((x0, y0, x1, y1), fill, opacity, rim or ink)
        foot = 0.0 if bar is None else 2.6 * self.unit
        where = (round(x - text_w / 2), round(y + text_h / 2 - foot / 2))
        cv2.putText(self.bgr, text, where, _FONT, size, ink, thick, cv2.LINE_AA)
        if bar is not None:
            reach = width - 4.0 * self.unit
            left, line_y = x0 + 2.0 * self.unit, y1 - 1.9 * self.unit
            for share, paint in ((1.0, _mix(fill, ink, 0.3)), (float(np.clip(bar, 0, 1)), ink)):
                if share * reach >= 1.0:
                    ends = (
                        (round(left), round(line_y)),
                        (round(left + share * reach), round(line_y)),
                    )
                    cv2.line(self.bgr, *ends, paint, thick, cv2.LINE_AA)

    def _rounded(
        self, box: tuple[float, float, float, float], fill: Color, opacity: float, rim: Color
    ) -> None:
        x0, y0, x1, y1 = (round(v) for v in box)
        height, width = self.bgr.shape[:2]
        left, top = max(x0 - 2, 0), max(y0 - 2, 0)
        part = self.bgr[top : min(y1 + 3, height), left : min(x1 + 3, width)]
        if part.size == 0:
            return
        radius = max(round(min(x1 - x0, y1 - y0) * 0.28), 1)
        mask = np.zeros(part.shape[:2], dtype=np.uint8)
        outline = _rounded_outline(x0 - left, y0 - top, x1 - left, y1 - top, radius)
        cv2.fillPoly(mask, [outline], 255, cv2.LINE_AA)
        share = (mask.astype(np.float32) / 255.0 * opacity)[..., None]
        part[:] = np.rint(part * (1 - share) + np.array(fill, dtype=np.float32) * share)
        cv2.polylines(part, [outline], True, rim, max(round(self.unit * 0.5), 1), cv2.LINE_AA)


def draw_observation(
    bgr: BgrImage,
    observation: Observation,
    geometry: BoardGeometry | None = None,
    style: OverlayStyle = DEFAULT_STYLE,
) -> BgrImage:
    """Return a copy of the picture with everything seen drawn on it.

    Drawn are the field's outline, on each occupied point a chip with count and side (amber `U`
    where unsure; the bar at its foot is the confidence), checkers on the bar, and each die's
    box with its value and, where it does not simply lie flat on the board, why.

    Args:
        bgr: (H, W, 3) uint8, any size; strokes and text keep in proportion.
        observation: what was seen in this picture.
        geometry: where the points and the bar lie; None: the nominal board.
        style: colours and choices.
    """
    out = bgr.copy()
    diagonal = float(np.hypot(*out.shape[:2]))
    canvas = _Canvas(out, max(style.scale * diagonal / 800.0, 0.8))
    board = geometry or BoardGeometry()
    sighting = observation.board
    if sighting is not None and sighting.corners_px is not None:
        _draw_board(canvas, sighting.corners_px, sighting.confidence, observation, board, style)
    elif sighting is not None:
        canvas.chip(
            (out.shape[1] / 2, 9 * canvas.unit),
            f"board cut off: {', '.join(sighting.cut)}" if sighting.cut else "no board found",
            style.unsure,
            (20, 20, 20),
            0.9,
        )
    taken = [die.box_px for die in observation.dice]
    for die in observation.dice:
        _draw_die(canvas, die, style, taken)
    return out


def _draw_board(
    canvas: _Canvas,
    corners: Corners,
    confidence: float,
    observation: Observation,
    board: BoardGeometry,
    style: OverlayStyle,
) -> None:
    try:
        image_from_board = invert(board_from_image(corners, board.width_mm, board.height_mm))
    except GeometryError:
        return
    field = np.asarray(corners, dtype=np.float64)
    canvas.polyline(field, style.field, 1.4)
    if board.bar_right_mm > board.bar_left_mm:
        for x_mm in (board.bar_left_mm, board.bar_right_mm):
            edge = apply(image_from_board, [(x_mm, 0.0), (x_mm, board.height_mm)])
            canvas.polyline(edge, style.field, 0.4, closed=False)
    if observation.checkers is not None:
        _draw_checkers(canvas, observation.checkers, image_from_board, board, style)
    if confidence < 0.995:
        # In the picture's corner, where it covers no point.
        text = f"board {confidence:.0%}"
        wide, tall = canvas.chip_size(text, barred=False)
        at = (wide / 2 + 4 * canvas.unit, tall / 2 + 4 * canvas.unit)
        canvas.chip(at, text, style.panel, style.field, 0.75)


def _draw_checkers(
    canvas: _Canvas,
    checkers: CheckersReading,
    image_from_board: _Vector,
    board: BoardGeometry,
    style: OverlayStyle,
) -> None:
    for row in ROWS:
        # Chips sit on the rim, half outside: they name the point and hide no checker's top.
        y_mm = -0.035 * board.height_mm if row == "top" else 1.035 * board.height_mm
        for column, reading in enumerate(checkers.row(row)[:POINTS_PER_ROW]):
            if reading.count == 0 and not reading.unsure and not style.show_empty:
                continue
            at = apply(image_from_board, [(board.point_x_mm(column), y_mm)])[0]
            _draw_point(canvas, (float(at[0]), float(at[1])), reading, style)
    middle = (board.bar_left_mm + board.bar_right_mm) / 2
    for side, count, share in (
        (Side.LIGHT, checkers.bar.light, 0.42),
        (Side.DARK, checkers.bar.dark, 0.58),
    ):
        if count:
            at = apply(image_from_board, [(middle, share * board.height_mm)])[0]
            fill, ink = _side_colors(side, style)
            canvas.chip((float(at[0]), float(at[1])), f"bar {count}", fill, ink, 0.9)


def _draw_point(
    canvas: _Canvas, at: tuple[float, float], reading: PointReading, style: OverlayStyle
) -> None:
    if reading.unsure:
        canvas.chip(at, "U", style.unsure, (20, 20, 20), 0.92, reading.confidence)
    elif reading.count == 0 or reading.side is None:
        canvas.chip(at, "-", style.panel, style.text, 0.35, reading.confidence)
    else:
        fill, ink = _side_colors(reading.side, style)
        canvas.chip(at, str(reading.count), fill, ink, 0.92, reading.confidence)


def _side_colors(side: Side, style: OverlayStyle) -> tuple[Color, Color]:
    if side is Side.LIGHT:
        return style.light, (25, 22, 20)
    return style.dark, style.text


def _draw_die(
    canvas: _Canvas, die: DieReading, style: OverlayStyle, taken: list[BoxPx]
) -> None:
    remarks = die_remarks(die)
    bad = die.flat is False or (die.on is not None and die.on is not Surface.BOARD)
    color = style.bad_die if bad else style.sure_die
    if die.value is None or die.flat is None:
        color = style.bad_die if bad else style.unsure
    x, y, width, height = die.box_px
    pad = 1.2 * canvas.unit
    box = np.array(
        [
            (x - pad, y - pad),
            (x + width + pad, y - pad),
            (x + width + pad, y + height + pad),
            (x - pad, y + height + pad),
        ]
    )
    canvas.polyline(box, color, 1.0)
    value = "?" if die.value is None else str(die.value)
    text = " ".join([value, *remarks])
    at = _free_spot(canvas, die, canvas.chip_size(text, barred=True), taken)
    canvas.chip(at, text, style.panel, color, 0.85, die.confidence, rim=color)
    wide, tall = canvas.chip_size(text, barred=True)
    taken.append((at[0] - wide / 2, at[1] - tall / 2, wide, tall))


def _free_spot(
    canvas: _Canvas, die: DieReading, size: tuple[float, float], taken: list[BoxPx]
) -> tuple[float, float]:
    """Return where a die's label covers least of other dice and labels: below, if it can."""
    x, y, width, height = die.box_px
    wide, tall = size
    gap = 2.4 * canvas.unit
    middle = (x + width / 2, y + height / 2)
    spots = (
        (middle[0], y + height + gap + tall / 2),
        (middle[0], y - gap - tall / 2),
        (x + width + gap + wide / 2, middle[1]),
        (x - gap - wide / 2, middle[1]),
    )

    def covered(spot: tuple[float, float]) -> float:
        x0, y0 = spot[0] - wide / 2, spot[1] - tall / 2
        lost = sum(
            max(min(x0 + wide, bx + bw) - max(x0, bx), 0.0)
            * max(min(y0 + tall, by + bh) - max(y0, by), 0.0)
            for bx, by, bw, bh in taken
        )
        rows, columns = canvas.bgr.shape[:2]
        inside = x0 >= 0 and y0 >= 0 and x0 + wide <= columns and y0 + tall <= rows
        return lost + (0.0 if inside else wide * tall)

    return min(spots, key=covered)


def die_remarks(die: DieReading) -> tuple[str, ...]:
    """Return in a word each what is out of the ordinary about how a die lies."""
    words: list[str] = []
    if die.flat is False:
        words.append("tilted" if die.tilt_deg is None else f"tilted {die.tilt_deg:.0f} deg")
    elif die.flat is None:
        words.append("flat?")
    if die.on is not None and die.on is not Surface.BOARD:
        words.append("off board" if die.on is Surface.OFF else f"on {die.on.value}")
    words += [f"touches {s.value}" for s in sorted(die.touches) if s is not Surface.BOARD]
    if die.half is not None and die.on is not Surface.OFF:
        words.append(die.half.value)
    return tuple(words)


def _mix(one: Color, other: Color, share: float) -> Color:
    b, g, r = (round(a * (1 - share) + c * share) for a, c in zip(one, other, strict=True))
    return (b, g, r)


def _rounded_outline(x0: int, y0: int, x1: int, y1: int, radius: int) -> npt.NDArray[np.int32]:
    turn = np.radians(np.linspace(0, 90, 6))
    corners = (
        (x1 - radius, y1 - radius, 0.0),
        (x0 + radius, y1 - radius, 90.0),
        (x0 + radius, y0 + radius, 180.0),
        (x1 - radius, y0 + radius, 270.0),
    )
    parts = [
        np.stack(
            [
                x + radius * np.cos(turn + np.radians(start)),
                y + radius * np.sin(turn + np.radians(start)),
            ],
            axis=1,
        )
        for x, y, start in corners
    ]
    return np.asarray(np.rint(np.concatenate(parts)), dtype=np.int32)
