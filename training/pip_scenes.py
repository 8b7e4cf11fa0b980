"""Draw pictures of dice with exact truth, to fit the reader's weights and to probe it.

Plain drawing, no photo goes in: cubes under a pinhole camera with shaded faces, on cloth, wood,
carpet or a board with triangles, checkers, doubling cubes, screws and print.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]

_SLOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
_TEXTURE = 128


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """Truth of one die."""

    value: int
    center_px: tuple[float, float]
    """Of the top face."""
    side_px: float


@dataclass(frozen=True, slots=True)
class _Look:
    body: Array
    pip: Array
    one: Array
    pip_radius: float
    one_radius: float
    spacing: float
    corner: float
    drilled: float
    translucent: bool
    logo: bool


def draw_scene(seed: int) -> tuple[npt.NDArray[np.uint8], list[DrawnDie]]:
    """Return a BGR picture and its dice."""
    rng = np.random.default_rng(seed)
    width, height = int(rng.integers(420, 900)), int(rng.integers(360, 720))
    side = float(np.exp(rng.uniform(np.log(11), np.log(110))))
    canvas = _ground(rng, width, height, side)
    tilt = np.deg2rad(abs(rng.normal(0, 18)) if rng.random() < 0.8 else rng.uniform(20, 48))
    tilt = min(tilt, np.deg2rad(50))
    azimuth = rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else np.pi / 2
    looks = [_look(rng) for _ in range(int(rng.integers(1, 4)))]
    dice: list[DrawnDie] = []
    spots: list[tuple[float, float, float]] = []
    count = int(rng.integers(1, 9))
    for _ in range(count):
        for _try in range(12):
            size = side * (1.0 if rng.random() < 0.75 else rng.uniform(0.7, 1.4))
            if spots and rng.random() < 0.25:
                ox, oy, osize = spots[int(rng.integers(len(spots)))]
                angle = rng.uniform(0, 2 * np.pi)
                gap = (osize + size) / 2 * rng.uniform(1.05, 1.5)
                x, y = ox + gap * np.cos(angle), oy + gap * np.sin(angle)
            else:
                x, y = rng.uniform(0, width), rng.uniform(0, height)
            inside = size < x < width - size and size < y < height - size
            free = all(
                np.hypot(x - a, y - b) > (size + s) / 2 * (1.04 + 0.4 * np.sin(tilt))
                for a, b, s in spots
            )
            if inside and free:
                spots.append((x, y, size))
                break
    spots.sort(key=lambda s: s[1])
    light = rng.uniform(0.75, 1.1)
    sun = rng.uniform(0, 2 * np.pi)
    for x, y, size in spots:
        look = looks[int(rng.integers(len(looks)))]
        dice.append(_draw_die(canvas, rng, look, (x, y), size, tilt, azimuth, sun))
    canvas *= light
    if rng.random() < 0.6:
        canvas *= _gradient(rng, width, height, rng.uniform(0.0, 0.45))[..., None]
    return _camera(rng, canvas, side), dice


def _camera(rng: np.random.Generator, canvas: Array, side: float) -> npt.NDArray[np.uint8]:
    blur = rng.uniform(0.3, 1.2) + (rng.uniform(0, side / 40) if rng.random() < 0.3 else 0)
    canvas = np.asarray(cv2.GaussianBlur(canvas, (0, 0), blur), dtype=np.float32)
    noise = rng.normal(0, rng.uniform(0.5, 6), canvas.shape).astype(np.float32)
    if rng.random() < 0.5:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), 0.7), dtype=np.float32)
    tint = rng.uniform(0.85, 1.1, 3).astype(np.float32)
    out = np.clip(canvas * tint + noise, 0, 255).astype(np.uint8)
    quality = int(rng.integers(45, 98))
    packed = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)


def _gradient(rng: np.random.Generator, width: int, height: int, depth: float) -> Array:
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    ramp = (x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle)
    return np.asarray(1.0 + depth * ramp * 1.4, dtype=np.float32)


def _hue(rng: np.random.Generator, sat: tuple[int, int], val: tuple[int, int]) -> Array:
    hsv = np.array(
        [[[rng.integers(0, 180), rng.integers(*sat), rng.integers(*val)]]], dtype=np.uint8
    )
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], dtype=np.float32)


def _look(rng: np.random.Generator) -> _Look:
    kind = rng.random()
    translucent = False
    if kind < 0.45:  # white, ivory
        body = np.array([rng.uniform(170, 240), rng.uniform(205, 248), rng.uniform(215, 250)])
        pip = np.full(3, rng.uniform(5, 60))
        if rng.random() < 0.15:
            pip = _hue(rng, (150, 255), (60, 160))
    elif kind < 0.62:  # black, dark
        body = np.full(3, rng.uniform(12, 55)) + rng.uniform(0, 8, 3)
        pip = np.array([rng.uniform(190, 250)] * 3)
        if rng.random() < 0.15:
            pip = np.array([60.0, 190.0, 230.0])
    elif kind < 0.85:  # coloured
        body = _hue(rng, (120, 255), (60, 225))
        body = np.asarray(body)
        bright = body.mean() > 110
        pip = (
            np.full(3, rng.uniform(8, 50))
            if bright and rng.random() < 0.6
            else np.full(3, 240.0)
        )
        translucent = rng.random() < 0.3
    else:  # casino
        body = _hue(rng, (170, 255), (60, 170))
        pip = np.full(3, rng.uniform(215, 250))
        translucent = True
    casino = translucent and rng.random() < 0.7
    radius = rng.uniform(0.11, 0.15) if casino else rng.uniform(0.075, 0.125)
    one = pip
    one_radius = radius * (rng.uniform(1.2, 1.8) if rng.random() < 0.25 else 1.0)
    if pip.mean() < 90 and rng.random() < 0.2:
        one = np.array([rng.uniform(20, 60), rng.uniform(20, 50), rng.uniform(150, 210)])
    return _Look(
        body.astype(np.float32),
        pip.astype(np.float32),
        one.astype(np.float32),
        float(radius),
        float(min(one_radius, 0.19)),
        float(rng.uniform(0.21, 0.285) if not casino else rng.uniform(0.27, 0.33)),
        float(rng.uniform(0.02, 0.06) if casino else rng.uniform(0.05, 0.3)),
        float(rng.uniform(0, 1) if rng.random() < 0.6 else 0),
        translucent,
        bool(casino and rng.random() < 0.5),
    )


def _face_texture(
    rng: np.random.Generator, look: _Look, value: int, turned: bool, shade: float, sun: float
) -> tuple[Array, Array]:
    """Return (T, T, 3) colour and (T, T) cover of one face."""
    n = _TEXTURE
    y, x = (np.mgrid[0:n, 0:n].astype(np.float32) + 0.5) / n - 0.5
    ramp = 1 + 0.18 * (x * np.cos(sun) + y * np.sin(sun))
    colour = look.body * np.ones((n, n, 1), np.float32) * (shade * ramp)[..., None]
    if look.translucent:
        blob = cv2.GaussianBlur(rng.uniform(0.4, 1.8, (5, 5)).astype(np.float32), (0, 0), 0.8)
        colour *= cv2.resize(blob, (n, n), interpolation=cv2.INTER_CUBIC)[..., None]
        for sx, sy in _SLOTS[7 - value]:
            d = np.hypot(x - sx * look.spacing * 0.75, y - sy * look.spacing * 0.75)
            ghost = np.clip((look.pip_radius - d) * 40, 0, 1)[..., None] * rng.uniform(0, 0.4)
            colour = colour * (1 - ghost) + ghost * (look.body * 1.3 + 20)
    if look.logo and value in (1, 2, 3, 6):
        for _ in range(14):
            a, rr = rng.uniform(0, 2 * np.pi), rng.uniform(0.0, 0.06)
            at = 0.2 if value == 1 else rng.uniform(0, 0.12)
            p = (int(n * (0.5 + at * np.cos(a))), int(n * (0.5 + at * np.sin(a))))
            q = (int(p[0] + n * rr), int(p[1] + n * rng.uniform(-0.05, 0.05)))
            c = [float(v) for v in look.body * 0.6 + look.pip * 0.4 * rng.uniform(0, 1)]
            cv2.line(colour, p, q, c, 2, cv2.LINE_AA)
    slots = _SLOTS[value]
    if turned:
        slots = [(-b, a) for a, b in slots]
    for sx, sy in slots:
        radius = look.one_radius if value == 1 else look.pip_radius
        tone = look.one if value == 1 else look.pip
        dx, dy = x - sx * look.spacing, y - sy * look.spacing
        d = np.hypot(dx, dy)
        cover = np.clip((radius - d) * n * 0.6 + 0.5, 0, 1)[..., None]
        inner = tone * np.ones((n, n, 1), np.float32) * (0.5 + 0.5 * shade)
        if look.drilled > 0:
            bowl = -(dx * np.cos(sun) + dy * np.sin(sun)) / radius
            inner = inner * (1 + 0.4 * look.drilled * bowl[..., None])
            inner = inner + 60 * look.drilled * np.clip(bowl - 0.45, 0, 1)[..., None]
        colour = colour * (1 - cover) + inner * cover
    if rng.random() < 0.2:  # gloss
        gx, gy, gs = rng.uniform(-0.5, 0.5, 3)
        shine = np.exp(-((x - gx) ** 2 + (y - gy) ** 2) / (0.02 + 0.1 * abs(gs)))
        colour = colour + rng.uniform(20, 120) * shine[..., None]
    corner = look.corner
    qx = np.maximum(np.abs(x) - (0.5 - corner), 0)
    qy = np.maximum(np.abs(y) - (0.5 - corner), 0)
    alpha = np.clip((corner - np.hypot(qx, qy)) * n * 0.5 + 0.5, 0, 1)
    return np.asarray(colour, np.float32), np.asarray(alpha, np.float32)


def _draw_die(
    canvas: Array,
    rng: np.random.Generator,
    look: _Look,
    at: tuple[float, float],
    size: float,
    tilt: float,
    azimuth: float,
    sun: float,
) -> DrawnDie:
    yaw = rng.uniform(0, np.pi / 2)
    values = _six(rng)
    away = np.array([np.cos(azimuth), np.sin(azimuth)])
    distance = rng.uniform(10, 60) * size

    def project(p: Array) -> Array:
        flat = p[:, :2] @ np.array([[np.cos(yaw), np.sin(yaw)], [-np.sin(yaw), np.cos(yaw)]])
        along, across = flat @ away, flat @ np.array([-away[1], away[0]])
        # `away` points down the picture, towards a camera that looks from below.
        shown = along * np.cos(tilt) - p[:, 2] * np.sin(tilt)
        depth = distance - along * np.sin(tilt) - p[:, 2] * np.cos(tilt)
        k = distance / depth
        out = shown[:, None] * away + across[:, None] * np.array([-away[1], away[0]])
        return np.asarray(out * k[:, None] + np.array(at), np.float32)

    h = size / 2
    _shadow(canvas, rng, at, size, sun)
    inset = 1 - look.corner * 0.5
    faces = _cube(h)
    hull_points = np.concatenate(
        [project((f * np.float32(1.0)).astype(np.float32)) for f, _ in faces]
    )
    centre = hull_points.mean(axis=0)
    hull = cv2.convexHull(
        ((hull_points - centre) * (1 - 0.25 * look.corner) + centre).astype(np.float32)
    )
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, (hull * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    cover = (mask.astype(np.float32) / 255)[..., None]
    edge = look.body * rng.uniform(0.75, 1.12)
    canvas[:] = canvas * (1 - cover) + edge * cover
    top_side = 0.0
    top_centre = (0.0, 0.0)
    for k, (corners, normal) in enumerate(faces):
        quad = project(corners.astype(np.float32))
        a, b = quad[1] - quad[0], quad[3] - quad[0]
        area = float(a[0] * b[1] - a[1] * b[0])
        if area <= 0.02 * size * size:
            continue
        direction = yaw + np.arctan2(normal[1], normal[0])
        shade = 1.0 if k == 0 else 0.8 - 0.22 * float(np.cos(direction - sun))
        colour, alpha = _face_texture(
            rng, look, values[k], bool(rng.random() < 0.5), shade, sun - yaw
        )
        middle = quad.mean(axis=0)
        target = (quad - middle) * inset**0.3 + middle
        n = _TEXTURE
        source = np.array([[0, 0], [n, 0], [n, n], [0, n]], np.float32)
        _paste(canvas, colour, alpha, source, target.astype(np.float32))
        if k == 0:
            top_centre = (float(middle[0]), float(middle[1]))
            top_side = float(np.sqrt(area))
    return DrawnDie(values[0], top_centre, top_side)


def _paste(canvas: Array, colour: Array, alpha: Array, source: Array, target: Array) -> None:
    low = np.maximum(np.floor(target.min(axis=0)).astype(int) - 2, 0)
    high = np.ceil(target.max(axis=0)).astype(int) + 2
    high = np.minimum(high, [canvas.shape[1], canvas.shape[0]])
    if (high <= low).any():
        return
    w, h = int(high[0] - low[0]), int(high[1] - low[1])
    s = 3
    goal = (target - low) * s
    matrix = cv2.getPerspectiveTransform(source, goal.astype(np.float32))
    c = cv2.warpPerspective(colour, matrix, (w * s, h * s), borderMode=cv2.BORDER_REPLICATE)
    m = cv2.warpPerspective(alpha, matrix, (w * s, h * s))
    c = cv2.resize(c * m[..., None], (w, h), interpolation=cv2.INTER_AREA)
    m = cv2.resize(m, (w, h), interpolation=cv2.INTER_AREA)[..., None]
    part = canvas[low[1] : high[1], low[0] : high[0]]
    part[:] = part * (1 - m) + c


def _cube(h: float) -> list[tuple[Array, tuple[float, float, float]]]:
    """Return the top and the four sides: corners (clockwise as seen) and normal."""
    t, b = h * 2, 0.0
    out = [
        (
            np.array([[-h, -h, t], [h, -h, t], [h, h, t], [-h, h, t]], np.float32),
            (0.0, 0.0, 1.0),
        )
    ]
    ring = [(-h, -h), (h, -h), (h, h), (-h, h)]
    for k in range(4):
        (x0, y0), (x1, y1) = ring[(k + 1) % 4], ring[k]
        normal = ((x0 + x1) / 2 / h, (y0 + y1) / 2 / h, 0.0)
        quad = np.array([[x0, y0, t], [x1, y1, t], [x1, y1, b], [x0, y0, b]], np.float32)
        out.append((quad, normal))
    return out


def _six(rng: np.random.Generator) -> list[int]:
    top = int(rng.integers(1, 7))
    rest = [v for v in range(1, 7) if v not in (top, 7 - top)]
    a = rest[int(rng.integers(4))]
    b = next(v for v in rest if v not in (a, 7 - a))
    return [top, a, b, 7 - a, 7 - b]


def _shadow(
    canvas: Array, rng: np.random.Generator, at: tuple[float, float], size: float, sun: float
) -> None:
    if rng.random() < 0.2:
        return
    mask = np.zeros(canvas.shape[:2], np.float32)
    length = rng.uniform(0.1, 0.6) * size
    x, y = at[0] + np.cos(sun) * length, at[1] + np.sin(sun) * length
    axes = (max(int(size * 0.6), 1), max(int(size * 0.55), 1))
    cv2.ellipse(mask, (int(x), int(y)), axes, 0, 0, 360, 1.0, -1)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(size * rng.uniform(0.03, 0.2), 0.5)))
    canvas *= (1 - rng.uniform(0.1, 0.7) * mask)[..., None]


def _noise(rng: np.random.Generator, w: int, h: int, sx: float, sy: float) -> Array:
    shape = (max(int(h / sy), 2), max(int(w / sx), 2))
    small = rng.normal(0, 1, shape).astype(np.float32)
    return np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC), np.float32)


def _ground(rng: np.random.Generator, w: int, h: int, side: float) -> Array:
    kind = rng.random()
    base = (
        _hue(rng, (0, 200), (20, 250)) if rng.random() < 0.7 else _hue(rng, (0, 40), (10, 250))
    )
    canvas = np.ones((h, w, 3), np.float32) * base
    if kind < 0.25:
        canvas += _noise(rng, w, h, rng.uniform(20, 90), rng.uniform(1.5, 4))[..., None] * (
            rng.uniform(3, 18)
        )
    elif kind < 0.42:
        grain = rng.uniform(1.5, 7)
        canvas += _noise(rng, w, h, grain, grain)[..., None] * rng.uniform(5, 45)
    elif kind < 0.85:
        _board(canvas, rng, side)
    if rng.random() < 0.35:
        _clutter(canvas, rng, side)
    return np.asarray(np.clip(canvas, 2, 253), np.float32)


def _board(canvas: Array, rng: np.random.Generator, side: float) -> None:
    h, w = canvas.shape[:2]
    pitch = side * rng.uniform(1.9, 3.2)
    tones = [_hue(rng, (0, 220), (20, 250)) for _ in range(2)]
    x = rng.uniform(-pitch, 0)
    k = 0
    while x < w:
        colour = [float(v) for v in tones[k % 2]]
        for tip, foot in ((h * 0.46, 0), (h * 0.54, h)):
            tri = np.array([[x, foot], [x + pitch, foot], [x + pitch / 2, tip]])
            cv2.fillPoly(canvas, [(tri * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
        x, k = x + pitch, k + 1
    canvas += _noise(rng, w, h, 3, 3)[..., None] * rng.uniform(0, 6)
    sides = [_hue(rng, (0, 160), (150, 255)), _hue(rng, (0, 255), (10, 120))]
    style = int(rng.integers(0, 5))
    for _ in range(int(rng.integers(3, 22))):
        r = pitch * rng.uniform(0.4, 0.48)
        cx = x - pitch * (int(rng.integers(0, 20)) + 0.5)
        row = int(rng.integers(0, 4)) + 0.5
        cy = row * 2 * r if rng.random() < 0.5 else h - row * 2 * r
        _checker(canvas, rng, sides[int(rng.integers(2))], (cx, cy), r, style)


def _checker(
    canvas: Array,
    rng: np.random.Generator,
    colour: Array,
    at: tuple[float, float],
    r: float,
    style: int,
) -> None:
    def disc(radius: float, gain: float) -> None:
        tone = [float(v) for v in np.clip(colour * gain, 0, 255)]
        p = (int(at[0] * 16), int(at[1] * 16))
        cv2.circle(canvas, p, max(int(radius * 16), 1), tone, -1, cv2.LINE_AA, 4)

    disc(r, 0.7)
    disc(r * 0.95, 1.0)
    if style == 1:
        disc(r * 0.75, 0.8)
        disc(r * 0.68, 1.02)
    elif style == 2:
        disc(r * 0.22, rng.uniform(0.3, 1.7))
    elif style == 3:
        disc(r * 0.6, 0.75)
        disc(r * 0.5, 1.1)
        disc(r * 0.15, 0.6)
    elif style == 4:
        disc(r * 0.55, 1.25)


def _clutter(canvas: Array, rng: np.random.Generator, side: float) -> None:
    h, w = canvas.shape[:2]
    for _ in range(int(rng.integers(1, 7))):
        x, y = int(rng.integers(0, w)), int(rng.integers(0, h))
        tone = [float(v) for v in _hue(rng, (0, 255), (10, 250))]
        kind = rng.random()
        if kind < 0.3:
            s = side * rng.uniform(0.9, 1.8) / 2
            box = cv2.boxPoints(((x, y), (2 * s, 2 * s), float(rng.uniform(0, 90))))
            cv2.fillPoly(canvas, [box.astype(np.int32)], tone, cv2.LINE_AA)
            ink = [250.0] * 3 if sum(tone) < 380 else [15.0] * 3
            text = str(rng.choice(["64", "2", "4", "8", "16", "32"]))
            at = (int(x - s * 0.6), int(y + s * 0.4))
            _print(canvas, text, at, s / 22, ink, max(1, int(s / 9)))
        elif kind < 0.5:
            text = str(rng.choice(["12:45", "BACKGAMMON", "oO0.:;", "88:08", "i8%B"]))
            _print(canvas, text, (x, y), side / 30, tone, max(1, int(side / 20)))
        elif kind < 0.75:
            step = side * rng.uniform(0.2, 0.5)
            r = max(int(step * rng.uniform(0.15, 0.4) * 16), 8)
            for i in range(int(rng.integers(1, 5))):
                for j in range(int(rng.integers(1, 4))):
                    p = (int((x + i * step) * 16), int((y + j * step) * 16))
                    cv2.circle(canvas, p, r, tone, -1, cv2.LINE_AA, 4)
        else:
            end = (int(rng.integers(0, w)), int(rng.integers(0, h)))
            cv2.line(canvas, (x, y), end, tone, int(rng.integers(1, 30)), cv2.LINE_AA)


def _print(
    canvas: Array, text: str, at: tuple[int, int], scale: float, tone: list[float], thick: int
) -> None:
    mask = np.zeros(canvas.shape[:2], np.uint8)
    cv2.putText(mask, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thick, cv2.LINE_AA)
    cover = (mask.astype(np.float32) / 255)[..., None]
    canvas[:] = canvas * (1 - cover) + np.array(tone, np.float32) * cover
