"""Draw half boards of every look, with exact truth: what the checker reader learns from.

A half board is six points in two rows with what surrounds them: frame, bar or the other half.
Every disc is projected from its height, so tall stacks lean away from the camera's foot as
they do on a real table. Nothing here is copied from a photograph.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

PITCH = 24
"""Pixels per point in the drawing; the reader's crops have 16."""
CROP = 112
CELLS = CROP // 4
STACK, HIDDEN = 8, 9
"""Classes beyond 0–6, the checkers in a row; 7 is a longer row, 8 several layers, 9 hidden."""

U8 = npt.NDArray[np.uint8]
F32 = npt.NDArray[np.float32]


@dataclass(frozen=True)
class HalfBoard:
    """One drawing."""

    bgr: U8
    seg: U8
    """0 ground, 1 disc, 2 anything lying over the board."""
    classes: npt.NDArray[np.int64]
    """(2, 6): top row, bottom row."""
    height: float
    """Field height in pixels; the field begins at (PITCH, PITCH)."""


def hsv(h: float, s: float, v: float) -> F32:
    """Return a BGR colour from hue 0–1, saturation and value."""
    pixel = np.array([[[h * 360, s, v]]], dtype=np.float32)
    return cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255


def light_color(rng: np.random.Generator) -> F32:
    """Draw a colour a maker would call light."""
    kind = rng.integers(6)
    if kind <= 1:
        return hsv(rng.uniform(0.05, 0.16), rng.uniform(0, 0.25), rng.uniform(0.8, 1.0))
    if kind <= 3:
        return hsv(rng.uniform(0.05, 0.13), rng.uniform(0.2, 0.6), rng.uniform(0.65, 0.97))
    if kind == 4:
        return hsv(rng.uniform(0, 1), rng.uniform(0, 0.12), rng.uniform(0.6, 0.95))
    return hsv(rng.uniform(0, 1), rng.uniform(0.3, 0.8), rng.uniform(0.55, 0.95))


def dark_color(rng: np.random.Generator) -> F32:
    """Draw a colour a maker would call dark."""
    kind = rng.integers(6)
    if kind <= 1:
        return hsv(rng.uniform(0, 1), rng.uniform(0, 0.3), rng.uniform(0.05, 0.25))
    if kind == 2:
        return hsv(rng.uniform(0.0, 0.08), rng.uniform(0.3, 0.8), rng.uniform(0.2, 0.5))
    if kind == 3:
        return hsv(rng.uniform(0.95, 1.05) % 1, rng.uniform(0.6, 1), rng.uniform(0.35, 0.95))
    return hsv(rng.uniform(0, 1), rng.uniform(0.4, 0.95), rng.uniform(0.15, 0.6))


def any_color(rng: np.random.Generator) -> F32:
    """Draw a colour of ground, point or frame."""
    if rng.random() < 0.3:
        return light_color(rng)
    if rng.random() < 0.4:
        return dark_color(rng)
    if rng.random() < 0.4:
        return hsv(rng.uniform(0.03, 0.1), rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.85))
    return hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.1, 0.95))


_BANK = np.random.default_rng(0).standard_normal(1 << 21).astype(np.float32)


def noise(rng: np.random.Generator, shape: tuple[int, ...]) -> F32:
    """Return normal noise, cut from a bank: drawing it afresh is what would take the time."""
    size = int(np.prod(shape))
    at = int(rng.integers(len(_BANK) - size))
    return _BANK[at : at + size].reshape(shape)


def smooth_noise(rng: np.random.Generator, h: int, w: int, ch: int, cw: int) -> F32:
    """Return (h, w) noise of unit spread with the given number of cells each way."""
    coarse = rng.standard_normal((max(2, ch), max(2, cw))).astype(np.float32)
    return cv2.resize(coarse, (w, h), interpolation=cv2.INTER_LINEAR)


def texture(rng: np.random.Generator, h: int, w: int, strength: float) -> F32:
    """Return a multiplicative texture: felt, grain, leather, print."""
    kind = rng.integers(5)
    if kind == 0:
        t = noise(rng, (h, w))
        t = cv2.GaussianBlur(t, (0, 0), rng.uniform(0.5, 1.2)) * 1.5
    elif kind == 1:
        t = smooth_noise(rng, h, w, int(rng.integers(2, 6)), w // int(rng.integers(2, 8)))
    elif kind == 2:
        t = smooth_noise(rng, h, w, h // int(rng.integers(2, 8)), int(rng.integers(2, 6)))
    elif kind == 3:
        cell = int(rng.integers(3, 9))
        t = smooth_noise(rng, h, w, h // cell, w // cell)
    else:
        t = np.zeros((h, w), np.float32)
    return (1 + strength * t)[..., None]


def point_polygon(
    kind: int, x: float, half: float, base: float, tip: float
) -> npt.NDArray[np.int32]:
    """Return a point's outline with its foot at `base` and its tip at `tip` (y)."""
    span = tip - base
    if kind == 1:  # ogive: bulging sides
        ys = np.linspace(0, 1, 8)
        ws = half * (1 - ys**2)
    elif kind == 2:  # spear: hollow sides
        ys = np.linspace(0, 1, 8)
        ws = half * (1 - ys) ** 1.4
    elif kind == 3:  # bar-like points with a blunt tip
        ys = np.array([0, 0.85, 1.0])
        ws = np.array([half, half * 0.7, 0])
    else:
        ys = np.array([0, 1.0])
        ws = np.array([half, 0.3])
    left = np.stack([x - ws, base + ys * span], 1)
    right = np.stack([x + ws, base + ys * span], 1)[::-1]
    return np.round(np.vstack([left, right]) * 8).astype(np.int32)


def draw_field(
    rng: np.random.Generator, w: int, h: int, field_h: float, colors: dict[str, F32]
) -> F32:
    """Draw ground, points, bar or neighbours' ground, frame."""
    bgr = np.empty((h, w, 3), np.float32)
    bgr[:] = colors["ground"]
    bgr *= texture(rng, h, w, rng.uniform(0, 0.12))
    kind, filled = int(rng.integers(4)) if rng.random() < 0.6 else 0, rng.random() < 0.8
    plain = rng.random() < 0.03
    length = rng.uniform(0.62, 0.97) * field_h / 2
    half = PITCH * rng.uniform(0.3, 0.5)
    thick, outlined = int(rng.integers(1, 3)), rng.random() < 0.3
    one_only = rng.random() < 0.1
    first = int(rng.integers(2))
    paint = bgr.copy()
    for column in range(-1, 7):
        if plain:
            break
        x = PITCH + (column + 0.5) * PITCH
        for row in (0, 1):
            color = colors["a" if (column + row + first) % 2 else "b"]
            base = PITCH + (0 if row == 0 else field_h)
            poly = point_polygon(kind, x, half, base, base + (length if row == 0 else -length))
            if filled and not (one_only and (column + row + first) % 2):
                cv2.fillPoly(paint, [poly], color.tolist(), cv2.LINE_AA, 3)
            if outlined or not filled or one_only:
                edge = colors["edge"] if filled else color
                cv2.polylines(paint, [poly], True, edge.tolist(), thick, cv2.LINE_AA, 3)
    paint *= texture(rng, h, w, rng.uniform(0, 0.08))
    bgr = paint
    if rng.random() < 0.15:
        center = (int(PITCH * rng.uniform(3, 5)), int(PITCH + field_h / 2))
        r = int(PITCH * rng.uniform(0.4, 1.0))
        cv2.circle(
            bgr,
            center,
            r,
            any_color(rng).tolist(),
            -1 if rng.random() < 0.5 else 2,
            cv2.LINE_AA,
        )
        cv2.circle(bgr, center, r, any_color(rng).tolist(), 2, cv2.LINE_AA)
    draw_surround(rng, bgr, field_h, colors)
    return bgr


def draw_surround(
    rng: np.random.Generator, bgr: F32, field_h: float, colors: dict[str, F32]
) -> None:
    """Paint frame, bar and table over the margins, in place."""
    h, w = bgr.shape[:2]
    left, right, top, bottom = PITCH, PITCH * 7, PITCH, round(PITCH + field_h)
    grain = np.asarray(texture(rng, h, w, rng.uniform(0, 0.12)))
    frame = colors["frame"] * grain
    for side in range(4):
        style = rng.random()
        if side < 2 and style < 0.3:  # no bar here: the other half goes on
            continue
        s = [np.s_[:, :left], np.s_[:, right:], np.s_[:top, :], np.s_[bottom:, :]][side]
        bgr[s] = frame[s]
        if side < 2 and rng.random() < 0.3:  # a hinge of the bar
            y, tall = int(rng.uniform(0, h)), int(PITCH * rng.uniform(0.4, 1.2))
            x = left // 2 if side == 0 else right + left // 2
            wide = int(PITCH * rng.uniform(0.1, 0.3))
            metal = hsv(rng.uniform(0.08, 0.16), rng.uniform(0, 0.7), rng.uniform(0.4, 1.0))
            cv2.rectangle(bgr, (x - wide, y), (x + wide, y + tall), metal.tolist(), -1)
        inset = int(rng.integers(0, 6))
        if rng.random() < 0.5 and inset:  # a lit or dark moulding along the field
            tone = rng.uniform(0.3, 1.5)
            i = [
                np.s_[:, left - inset : left],
                np.s_[:, right : right + inset],
                np.s_[top - inset : top, :],
                np.s_[bottom : bottom + inset, :],
            ][side]
            bgr[i] *= tone
        if rng.random() < 0.4:  # shadow of the wall on the field
            depth = int(rng.integers(2, PITCH))
            tone = rng.uniform(0.3, 0.85)
            i = [
                np.s_[:, left : left + depth],
                np.s_[:, right - depth : right],
                np.s_[top : top + depth, :],
                np.s_[bottom - depth : bottom, :],
            ][side]
            bgr[i] *= tone


def disc_sprite(
    rng: np.random.Generator, color: F32, d: int, style: dict[str, float]
) -> tuple[F32, F32]:
    """Return one disc's top (bgr, alpha), `d` pixels wide."""
    n = d + 4
    yy, xx = np.mgrid[0:n, 0:n].astype(np.float32) - (n - 1) / 2
    r = np.hypot(xx, yy) / (d / 2)
    alpha = np.clip((1 - r) * d / 2 + 0.5, 0, 1)
    tone = np.ones((n, n), np.float32)
    angle = rng.uniform(0, 6.28)
    if style["grain"] > 0:
        along = xx * np.cos(angle) + yy * np.sin(angle)
        tone *= 1 + style["grain"] * np.sin(
            along * style["freq"]
            + rng.uniform(0, 6)
            + 0.8 * np.sin((yy * np.cos(angle) - xx * np.sin(angle)) * 0.2)
        )
    if style["marble"] > 0:
        tone *= 1 + style["marble"] * smooth_noise(rng, n, n, 5, 5)
    la = style["lamp"]
    slope = (xx * np.cos(la) + yy * np.sin(la)) / (d / 2)
    ring = style["ring"]
    if ring > 0:
        tone *= 1 + style["ring_tone"] * np.exp(-(((r - ring) / 0.06) ** 2))
        tone *= 1 + style["dish"] * np.where(r < ring, slope, 0)
    tone *= 1 + style["edge"] * np.where(r > 0.86, slope, 0)
    tone *= 1 + style["rim"] * np.where(r > 0.88, 1.0, 0.0)
    out = color * tone[..., None]
    if style["metal"] > 0:  # a metal or worn edge, bright on the darkest checker too
        out += style["metal"] * 255 * np.exp(-(((r - 0.93) / 0.06) ** 2))[..., None]
    if style["spot"] > 0:
        out += (
            style["spot"] * 255 * np.exp(-((slope + 0.3) ** 2 + (r * 0.8) ** 2) * 6)[..., None]
        )
    return out.astype(np.float32), alpha[..., None].astype(np.float32)


def paste(bgr: F32, seg: U8, sprite: tuple[F32, F32], x: float, y: float, scale: float) -> None:
    """Lay a disc's top onto the drawing, in place."""
    top, alpha = sprite
    if abs(scale - 1) > 0.012:
        n = max(3, round(top.shape[0] * scale))
        top = cv2.resize(top, (n, n), interpolation=cv2.INTER_LINEAR)
        alpha = cv2.resize(alpha, (n, n), interpolation=cv2.INTER_LINEAR)[..., None]
    n = top.shape[0]
    x0, y0 = round(x - (n - 1) / 2), round(y - (n - 1) / 2)
    u0, v0 = max(0, -x0), max(0, -y0)
    u1, v1 = min(n, bgr.shape[1] - x0), min(n, bgr.shape[0] - y0)
    if u1 <= u0 or v1 <= v0:
        return
    s = np.s_[y0 + v0 : y0 + v1, x0 + u0 : x0 + u1]
    a = alpha[v0:v1, u0:u1]
    bgr[s] = bgr[s] * (1 - a) + top[v0:v1, u0:u1] * a
    seg[s][a[..., 0] > 0.5] = 1


def draw_count(rng: np.random.Generator) -> int:
    """Draw how many checkers stand on a point."""
    if rng.random() < 0.42:
        return 0
    n = rng.choice(np.arange(1, 9), p=[0.26, 0.23, 0.14, 0.11, 0.11, 0.055, 0.025, 0.07])
    return int(n)


def layers(rng: np.random.Generator, n: int, per_row: int) -> list[tuple[float, int]]:
    """Return (position in the row, layer) of each disc of a stack in rows of `per_row`."""
    out = []
    bridged = rng.random() < 0.25
    for k in range(n):
        layer, at = divmod(k, per_row)
        out.append((at + (0.5 * (layer % 2) if bridged else 0.0), layer))
    return out


def half_boards(rng: np.random.Generator, pictures: int = 2) -> list[HalfBoard]:
    """Draw one half board and take several pictures of it, each in its own light."""
    field_h = PITCH * rng.uniform(9.6, 13.0)
    w, h = PITCH * 8, int(PITCH * 2 + field_h) + 1
    colors = {k: any_color(rng) for k in ("ground", "a", "b", "edge", "frame")}
    discs = light_color(rng), dark_color(rng)
    if rng.random() < 0.15:  # checkers in the points' own colours, the hard boards
        discs = (colors["a"] * rng.uniform(0.8, 1.2), discs[1])
    elif rng.random() < 0.18:
        discs = (discs[0], colors["b"] * rng.uniform(0.8, 1.2))
    bgr = draw_field(rng, w, h, field_h, colors)
    seg = np.zeros((h, w), np.uint8)
    lamp = rng.uniform(0, 6.28)
    d = round(PITCH * rng.uniform(0.76, 1.0))
    sprites = []
    common = {
        "lamp": lamp,
        "edge": rng.uniform(0, 0.4),
        "spot": max(0.0, rng.uniform(-0.3, 0.35)),
        "ring": rng.uniform(0.45, 0.85) if rng.random() < 0.5 else 0.0,
        "ring_tone": rng.uniform(-0.5, 0.4),
        "dish": rng.uniform(-0.25, 0.25),
        "rim": rng.uniform(-0.4, 0.3) if rng.random() < 0.3 else 0.0,
        "freq": rng.uniform(0.5, 2.0),
        "metal": rng.uniform(0.1, 0.6) if rng.random() < 0.15 else 0.0,
    }
    grain = rng.uniform(0, 0.25) if rng.random() < 0.4 else 0.0
    marble = rng.uniform(0, 0.3) if rng.random() < 0.3 else 0.0
    for color in discs:
        style = common | {
            "grain": grain * rng.uniform(0.3, 1),
            "marble": marble * rng.uniform(0.3, 1),
        }
        sprites.append(
            [
                disc_sprite(rng, np.clip(color * rng.uniform(0.92, 1.08), 4, 250), d, style)
                for _ in range(4)
            ]
        )
    eye = np.array(
        [PITCH * rng.uniform(-6, 14), PITCH + field_h / 2 + PITCH * rng.uniform(-9, 9)]
    )
    eye_z = PITCH * rng.uniform(13, 32)
    thick = PITCH * (rng.uniform(0.2, 0.36) if rng.random() < 0.85 else 0.02)
    gap, wobble = d * rng.choice([0.0, 0.02, 0.12]), d * rng.choice([0.015, 0.04, 0.1])
    overlap = d * (rng.uniform(0.0, 0.1) if rng.random() < 0.15 else 0.0)
    foot = d * rng.choice([0.02, 0.08, 0.25])
    per_row = int(rng.choice([4, 5, 5, 5, 5, 6, 6]))
    shadow_step = np.array([np.cos(lamp), np.sin(lamp)]) * thick * rng.uniform(0, 1.3)
    shadow_tone = rng.uniform(0.35, 0.95)
    wall_tone = rng.uniform(0.35, 0.9)
    placed: list[tuple[float, float, int, int]] = []
    classes = np.zeros((2, 6), np.int64)
    truth: list[tuple[int, int, list[tuple[float, float]]]] = []
    for row in (0, 1):
        for column in range(-1, 7):
            kind = draw_count(rng)
            if column in (-1, 6) and rng.random() < 0.6:
                kind = 0
            side = int(rng.integers(2))
            n, room = kind, 99
            if kind == 8:
                n, room = int(rng.integers(per_row + 1, 16)), per_row
                if n <= 6 and per_row >= 6:
                    n = 8
            x = PITCH + (column + 0.5) * PITCH
            y = rng.uniform(0, foot)
            spots = []
            for at, layer in layers(rng, n, room):
                px = x + rng.normal(0, wobble)
                py = y + d / 2 + at * (d + gap * 0.5 - overlap) + abs(rng.normal(0, gap + 0.01))
                py = PITCH + (py if row == 0 else field_h - py)
                placed.append((px, py, layer, side))
                spots.append((px, py))
            if 0 <= column < 6:
                classes[row, column] = kind
                truth.append((row, column, spots))
    if rng.random() < 0.15:  # strays: on the bar, in the tray
        for _ in range(int(rng.integers(1, 4))):
            x = rng.choice([PITCH * 0.4, PITCH * 7.6])
            placed.append((x, rng.uniform(0, h), 0, int(rng.integers(2))))
    ground_shadow = np.zeros((h, w), np.float32)
    for px, py, layer, _ in placed:
        s = shadow_step * (layer + 1)
        cv2.circle(ground_shadow, (round(px + s[0]), round(py + s[1])), d // 2 + 1, 1.0, -1)
    ground_shadow = cv2.GaussianBlur(ground_shadow, (0, 0), rng.uniform(1, 5))
    bgr *= (1 - (1 - shadow_tone) * ground_shadow)[..., None]
    # Far discs first, near ones over them: lower layers, then those farther from the eye.
    placed.sort(key=lambda p: (p[2], -np.hypot(p[0] - eye[0], p[1] - eye[1])))
    for px, py, layer, side in placed:
        base = np.array([px, py])
        if layer:
            s = base + shadow_step * 0.8 + (base - eye) * layer * thick / eye_z
            shade = np.zeros((h, w), np.uint8)
            cv2.circle(shade, (round(s[0]), round(s[1])), d // 2 + 1, 255, -1)
            bgr[(shade > 0) & (seg == 1)] *= shadow_tone
        for f in (0.0, 0.35, 0.7):
            z = (layer + f) * thick
            at = base + (base - eye) * z / (eye_z - z)
            r = d / 2 * eye_z / (eye_z - z)
            center = (round(at[0] * 8), round(at[1] * 8))
            cv2.circle(
                bgr,
                center,
                round(r * 8),
                (discs[side] * wall_tone).tolist(),
                -1,
                cv2.LINE_AA,
                3,
            )
            cv2.circle(seg, center, round(r * 8), 1, -1, cv2.LINE_8, 3)
        z = (layer + 1) * thick
        at = base + (base - eye) * z / (eye_z - z)
        paste(bgr, seg, sprites[side][int(rng.integers(4))], at[0], at[1], eye_z / (eye_z - z))
    if rng.random() < 0.55:
        draw_dice(rng, bgr, seg, field_h)
    if rng.random() < 0.16:
        draw_arm(rng, bgr, seg, field_h)
        for row, column, spots in truth:
            if hidden(seg, row, column, spots, d, field_h):
                classes[row, column] = HIDDEN
    return [HalfBoard(photograph(rng, bgr), seg, classes, field_h) for _ in range(pictures)]


def hidden(
    seg: U8, row: int, column: int, spots: list[tuple[float, float]], d: int, field_h: float
) -> bool:
    """Whether an arm covers what a count needs: the discs or the next free spot."""
    x = PITCH + (column + 0.5) * PITCH
    depth = d * (0.5 + len(spots))
    y = PITCH + (depth if row == 0 else field_h - depth)
    for px, py in [*spots, (x, y)]:
        r = d // 2
        patch = seg[
            max(0, round(py) - r) : round(py) + r, max(0, round(px) - r) : round(px) + r
        ]
        if patch.size and (patch == 3).mean() > 0.35:
            return True
    return False


def draw_dice(rng: np.random.Generator, bgr: F32, seg: U8, field_h: float) -> None:
    """Drop dice and the odd doubling cube anywhere, in place."""
    for _ in range(int(rng.integers(1, 4))):
        size = PITCH * (
            rng.uniform(0.22, 0.5) if rng.random() < 0.9 else rng.uniform(0.5, 0.85)
        )
        c = np.array([rng.uniform(PITCH, PITCH * 7), PITCH + rng.uniform(0, field_h)])
        color = light_color(rng) if rng.random() < 0.6 else dark_color(rng)
        a = rng.uniform(0, 1.57)
        u = np.array([np.cos(a), np.sin(a)])
        v = np.array([-u[1], u[0]])
        box = np.array(
            [c + size / 2 * (i * u + j * v) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        )
        shift = rng.normal(0, 0.12, 2) * size
        for poly, tone in ((box + shift * 1.5, 0.3), (box, 0.7), (box + shift, 1.0)):
            p = np.round(poly * 8).astype(np.int32)
            cv2.fillPoly(bgr, [p], (color * tone).tolist(), cv2.LINE_AA, 3)
            cv2.fillPoly(seg, [p], 2, cv2.LINE_8, 3)
        pip = (
            255 - color if rng.random() < 0.5 else np.full(3, 250 if color.mean() < 128 else 10)
        ).tolist()
        for i, j in rng.permutation([(-1, -1), (1, 1), (0, 0), (-1, 1), (1, -1)])[
            : rng.integers(1, 6)
        ]:
            at = c + shift + size * 0.27 * (i * u + j * v)
            cv2.circle(
                bgr,
                (round(at[0] * 8), round(at[1] * 8)),
                round(size * 0.09 * 8),
                pip,
                -1,
                cv2.LINE_AA,
                3,
            )


def draw_arm(rng: np.random.Generator, bgr: F32, seg: U8, field_h: float) -> None:
    """Lay a hand with its sleeve, a cup or a shadow over the board, in place."""
    h, w = bgr.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    if rng.random() < 0.15:
        cv2.circle(
            mask,
            (int(rng.uniform(0, w)), int(rng.uniform(0, h))),
            int(PITCH * rng.uniform(0.8, 1.6)),
            255,
            -1,
        )
        color = any_color(rng)
    else:
        start = np.array([rng.uniform(-0.2, 1.2) * w, rng.choice([-0.1, 1.1]) * h])
        if rng.random() < 0.3:
            start = np.array([rng.choice([-0.1, 1.1]) * w, rng.uniform(0, 1) * h])
        tip = np.array([rng.uniform(0.1, 0.9) * w, PITCH + rng.uniform(0.05, 0.95) * field_h])
        thick = PITCH * rng.uniform(1.3, 2.8)
        cv2.line(
            mask,
            tuple(np.round(start).astype(int).tolist()),
            tuple(np.round(tip).astype(int).tolist()),
            255,
            int(thick),
        )
        way = (tip - start) / (np.linalg.norm(tip - start) + 1e-6)
        for _ in range(int(rng.integers(2, 6))):
            a = rng.normal(0, 0.5)
            turn = np.array(
                [
                    way[0] * np.cos(a) - way[1] * np.sin(a),
                    way[0] * np.sin(a) + way[1] * np.cos(a),
                ]
            )
            end = tip + turn * PITCH * rng.uniform(0.8, 2.4)
            cv2.line(
                mask,
                tuple(np.round(tip).astype(int).tolist()),
                tuple(np.round(end).astype(int).tolist()),
                255,
                int(PITCH * rng.uniform(0.35, 0.6)),
            )
        color = hsv(rng.uniform(0.01, 0.09), rng.uniform(0.2, 0.65), rng.uniform(0.25, 0.98))
        if rng.random() < 0.3:
            color = any_color(rng)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1, 3)).astype(np.float32)[..., None] / 255
    deep = (
        cv2.GaussianBlur(mask, (0, 0), rng.uniform(6, 14)).astype(np.float32)[..., None] / 255
    )
    shift = rng.integers(-20, 20, 2)
    bgr *= 1 - rng.uniform(0, 0.6) * np.roll(deep, (int(shift[0]), int(shift[1])), (0, 1))
    skin = color * (0.45 + 0.55 * deep) * texture(rng, h, w, 0.06)
    bgr[:] = bgr * (1 - soft) + skin * soft
    seg[mask > 0] = 3


def photograph(rng: np.random.Generator, bgr: F32) -> U8:
    """Light the drawing and take its picture."""
    h, w = bgr.shape[:2]
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    light = (
        1 + rng.uniform(-0.5, 0.5) * (xx / w - 0.5) + rng.uniform(-0.5, 0.5) * (yy / h - 0.5)
    )
    out = bgr * light[..., None]
    if rng.random() < 0.25:  # the hard edge of a shadow across the board
        a = rng.uniform(0, 6.28)
        edge = (xx - rng.uniform(0, w)) * np.cos(a) + (yy - rng.uniform(0, h)) * np.sin(a)
        out *= (
            1
            - rng.uniform(0.1, 0.55)
            / (1 + np.exp(-np.clip(edge / rng.uniform(1, 12), -30, 30)))[..., None]
        )
    if rng.random() < 0.3:  # glare of a lamp
        r = rng.uniform(1, 5) * PITCH
        spot = np.exp(
            -((xx - rng.uniform(0, w)) ** 2 + (yy - rng.uniform(0, h)) ** 2) / (2 * r * r)
        )
        out += rng.uniform(20, 160) * spot[..., None]
    out *= rng.uniform(0.8, 1.2, 3).astype(np.float32)
    gain = rng.uniform(0.7, 1.25) if rng.random() < 0.75 else rng.uniform(0.25, 0.7)
    out = 255 * np.clip(out * gain / 255, 0, 1) ** rng.uniform(0.7, 1.4)
    if rng.random() < 0.2:
        out = (
            out.mean() * 0.5
            + (out - out.mean() * 0.5) * rng.uniform(0.5, 0.9)
            + rng.uniform(0, 30)
        )
    if rng.random() < 0.1:
        out = out.mean(axis=2, keepdims=True) * 0.8 + out * 0.2
    if rng.random() < 0.7:
        out = cv2.GaussianBlur(out, (0, 0), PITCH / 32 * rng.uniform(0.4, 2.2))
    out += rng.uniform(0.5, 7) * noise(rng, (h, w, 1))
    out += rng.uniform(0.5, 5) * noise(rng, out.shape)
    image = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        _, data = cv2.imencode(
            ".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))]
        )
        image = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return image


def crops(rng: np.random.Generator, half: HalfBoard) -> tuple[U8, U8, npt.NDArray[np.int64]]:
    """Cut both rows out as the reader sees them, rim on top, with errors of corners and scale.

    Returns:
        (2, 112, 112, 3) pictures, (2, 28, 28) segments, (2, 6) classes.
    """
    images, segs, classes = [], [], []
    stretch = rng.uniform(0.92, 1.09)
    shift = rng.normal(0, 0.05, 2) * PITCH
    scale = 16 / PITCH * rng.uniform(0.97, 1.03)
    shear = rng.normal(0, 0.01, 2)
    mirror = rng.random() < 0.5
    for row in (0, 1):
        bgr, seg = half.bgr, half.seg
        if row == 1:
            bgr, seg = bgr[::-1], seg[::-1]
        top = PITCH if row == 0 else half.bgr.shape[0] - PITCH - half.height
        rim = rng.normal(0, 0.06) * PITCH
        sx, sy = scale, scale * stretch
        a = np.array([[sx, shear[0], 0], [shear[1], sy, 0]], np.float64)
        origin = np.array([PITCH * 4 + shift[0], top + rim])
        a[:, 2] = np.array([CROP / 2, CROP / 14]) - a[:, :2] @ origin
        soft = cv2.GaussianBlur(np.ascontiguousarray(bgr), (3, 3), 0.6)
        image = cv2.warpAffine(
            soft, a, (CROP, CROP), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        b = a / 4
        b[:, 2] -= 0.375
        cell = cv2.warpAffine(
            np.ascontiguousarray(seg), b, (CELLS, CELLS), flags=cv2.INTER_NEAREST
        )
        label = half.classes[row]
        if mirror:
            image, cell, label = image[:, ::-1], cell[:, ::-1], label[::-1]
        images.append(image)
        segs.append(np.minimum(cell, 2))
        classes.append(label)
    return np.stack(images), np.stack(segs), np.stack(classes)
