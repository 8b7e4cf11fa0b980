"""A small path tracer for a die's surroundings: floor, boxes, checkers, rounded dice, lamps.

Shadows, contact shade and what hides what are right, which a picture laid together from flat
layers does not give. Needs `pip install numba`. Millimetres, z up, linear light.
"""

import math

# ruff: noqa: NPY002 - compiled code has but the old generator
import numpy as np
from numba import njit

NOTHING, FLOOR, WALL, CHECKER, DIE = range(5)
DIE_FIELDS = 30
"""Per die: 0–2 centre, 3–11 rotation (rows: world axes), 12 edge, 13 rounding, 14 ball radius,
15–17 body, 18–20 pips, 21–23 the one's pip, 24 pip radius, 25 the one's, 26 pip spread,
27 drilled, 28 gloss, 29 translucency."""
CHECKER_FIELDS = 13
"""Per checker: 0 x, 1 y, 2 lower face, 3 radius, 4 thickness, 5–7 colour, 8 gloss, 9 groove
(share of the radius; 0: none), 10 groove depth, 11 dome, 12 grain."""
WALL_FIELDS = 7
"""Per box: x0, y0, x1, y1, height, gloss, brightness of its sides."""
LAMP_FIELDS = 7
"""Per lamp: direction, softness, colour."""
_PIPS = np.zeros((7, 6, 2))
_PIPS[1, 0] = (0, 0)
_PIPS[2, :2] = ((-1, -1), (1, 1))
_PIPS[3, :3] = ((-1, -1), (0, 0), (1, 1))
_PIPS[4, :4] = ((-1, -1), (-1, 1), (1, -1), (1, 1))
_PIPS[5, :5] = ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1))
_PIPS[6, :6] = ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1))
_VALUES = np.array([[2, 5], [3, 4], [1, 6]])
"""The value on each axis's positive and negative face."""


@njit(cache=True, fastmath=True)
def _distance(die, px, py, pz):
    r = die[13]
    q = 0.5 - r
    ax, ay, az = max(abs(px) - q, 0.0), max(abs(py) - q, 0.0), max(abs(pz) - q, 0.0)
    rounded = math.sqrt(ax * ax + ay * ay + az * az) - r
    ball = math.sqrt(px * px + py * py + pz * pz) - die[14]
    return max(rounded, ball)


@njit(cache=True, fastmath=True)
def _meet_die(die, ox, oy, oz, dx, dy, dz, limit):
    """Return (t, own x, y, z, exit length in edges); t < 0: missed."""
    edge = die[12]
    ex, ey, ez = ox - die[0], oy - die[1], oz - die[2]
    along = ex * dx + ey * dy + ez * dz
    square = ex * ex + ey * ey + ez * ez
    ball = die[14] * edge
    root = along * along - square + ball * ball
    if root <= 0.0 or -along + math.sqrt(root) <= 1e-4:
        return -1.0, 0.0, 0.0, 0.0, 0.0
    if -along - math.sqrt(root) > limit:
        return -1.0, 0.0, 0.0, 0.0, 0.0
    # Into the die's own frame, in edges.
    sx = (die[3] * ex + die[6] * ey + die[9] * ez) / edge
    sy = (die[4] * ex + die[7] * ey + die[10] * ez) / edge
    sz = (die[5] * ex + die[8] * ey + die[11] * ez) / edge
    vx = die[3] * dx + die[6] * dy + die[9] * dz
    vy = die[4] * dx + die[7] * dy + die[10] * dz
    vz = die[5] * dx + die[8] * dy + die[11] * dz
    near, far = (-along - math.sqrt(root)) / edge, (-along + math.sqrt(root)) / edge
    for s, v in ((sx, vx), (sy, vy), (sz, vz)):
        if abs(v) < 1e-7:
            v = 1e-7
        a, b = (-0.5 - s) / v, (0.5 - s) / v
        near, far = max(near, min(a, b)), min(far, max(a, b))
    if near >= far or far * edge <= 1e-4:
        return -1.0, 0.0, 0.0, 0.0, 0.0
    t = max(near, 0.0)
    px, py, pz = sx + t * vx, sy + t * vy, sz + t * vz
    for _ in range(9):
        gap = _distance(die, px, py, pz)
        if gap < 0.002:
            break
        t += gap
        if t > far:
            return -1.0, 0.0, 0.0, 0.0, 0.0
        px, py, pz = sx + t * vx, sy + t * vy, sz + t * vz
    if _distance(die, px, py, pz) > 0.012 or t * edge < 1e-4:
        return -1.0, 0.0, 0.0, 0.0, 0.0
    return t * edge, px, py, pz, far - t


@njit(cache=True, fastmath=True)
def _nearest(ox, oy, oz, dx, dy, dz, walls, checkers, dice, skip):
    """Return (t, kind, index, normal x, y, z, own x, y, z, way through)."""
    best, kind, index = 1e9, NOTHING, -1
    nx, ny, nz = 0.0, 0.0, 1.0
    px, py, pz, through = 0.0, 0.0, 0.0, 0.0
    if dz < -1e-9 and oz > 1e-4:
        best, kind = -oz / dz, FLOOR
    for i in range(len(walls)):
        w = walls[i]
        near, far, axis = -1e9, 1e9, 0
        for k in range(3):
            o, d = (ox, dx) if k == 0 else ((oy, dy) if k == 1 else (oz, dz))
            low = w[0] if k == 0 else (w[1] if k == 1 else 0.0)
            high = w[2] if k == 0 else (w[3] if k == 1 else w[4])
            if abs(d) < 1e-9:
                d = 1e-9
            a, b = (low - o) / d, (high - o) / d
            a, b = min(a, b), max(a, b)
            if a > near:
                near, axis = a, k
            far = min(far, b)
        if 1e-3 < near < min(far, best):
            best, kind, index = near, WALL, i
            nx = (-1.0 if dx > 0 else 1.0) if axis == 0 else 0.0
            ny = (-1.0 if dy > 0 else 1.0) if axis == 1 else 0.0
            nz = (-1.0 if dz > 0 else 1.0) if axis == 2 else 0.0
    for i in range(len(checkers)):
        c = checkers[i]
        radius = c[3]
        mx, my = ox - c[0], oy - c[1]
        z0, z1 = c[2], c[2] + c[4]
        flat = dx * dx + dy * dy
        if abs(dz) > 1e-9:
            for z, up in ((z1, 1.0), (z0, -1.0)):
                if dz * up < 0:
                    t = (z - oz) / dz
                    if 1e-3 < t < best:
                        hx, hy = mx + t * dx, my + t * dy
                        if hx * hx + hy * hy <= radius * radius:
                            best, kind, index = t, CHECKER, i
                            nx, ny, nz = 0.0, 0.0, up
        if flat > 1e-12:
            b = mx * dx + my * dy
            q = b * b - flat * (mx * mx + my * my - radius * radius)
            if q > 0:
                t = (-b - math.sqrt(q)) / flat
                if 1e-3 < t < best and z0 <= oz + t * dz <= z1:
                    best, kind, index = t, CHECKER, i
                    nx, ny, nz = (mx + t * dx) / radius, (my + t * dy) / radius, 0.0
    for i in range(len(dice)):
        if i == skip:
            continue
        die = dice[i]
        t, hx, hy, hz, way = _meet_die(die, ox, oy, oz, dx, dy, dz, best)
        if 1e-3 < t < best:
            best, kind, index = t, DIE, i
            px, py, pz, through = hx, hy, hz, way
            q = 0.5 - die[13]
            bx = math.copysign(max(abs(hx) - q, 1e-6), hx)
            by = math.copysign(max(abs(hy) - q, 1e-6), hy)
            bz = math.copysign(max(abs(hz) - q, 1e-6), hz)
            if math.sqrt(hx * hx + hy * hy + hz * hz) > die[14] - 0.004:
                bx, by, bz = hx, hy, hz
            size = math.sqrt(bx * bx + by * by + bz * bz)
            bx, by, bz = bx / size, by / size, bz / size
            nx = die[3] * bx + die[4] * by + die[5] * bz
            ny = die[6] * bx + die[7] * by + die[8] * bz
            nz = die[9] * bx + die[10] * by + die[11] * bz
    return best, kind, index, nx, ny, nz, px, py, pz, through


@njit(cache=True, fastmath=True)
def _texel(texture, u, v):
    size = texture.shape[0]
    x, y = u % size, v % size
    x0, y0 = int(x), int(y)
    fx, fy = x - x0, y - y0
    x0, y0 = x0 % size, y0 % size
    x1, y1 = (x0 + 1) % size, (y0 + 1) % size
    r, g, b = 0.0, 0.0, 0.0
    for yy, wy in ((y0, 1 - fy), (y1, fy)):
        for xx, wx in ((x0, 1 - fx), (x1, fx)):
            w = wx * wy
            r += w * texture[yy, xx, 0]
            g += w * texture[yy, xx, 1]
            b += w * texture[yy, xx, 2]
    return r, g, b


@njit(cache=True, fastmath=True)
def _pip(die, px, py, pz):
    """Return (inside a pip, is the one's, offset to its middle on each own axis)."""
    ax, ay, az = abs(px), abs(py), abs(pz)
    if ax >= ay and ax >= az:
        axis, u, v, positive = 0, py, pz, px > 0
    elif ay >= az:
        axis, u, v, positive = 1, px, pz, py > 0
    else:
        axis, u, v, positive = 2, px, py, pz > 0
    value = _VALUES[axis, 0 if positive else 1]
    radius = die[25] if value == 1 else die[24]
    for k in range(value):
        du = (u - _PIPS[value, k, 0] * die[26]) / radius
        dv = (v - _PIPS[value, k, 1] * die[26]) / radius
        if du * du + dv * dv < 1.0:
            if axis == 0:
                return True, value == 1, 0.0, du, dv
            if axis == 1:
                return True, value == 1, du, 0.0, dv
            return True, value == 1, du, dv, 0.0
    return False, False, 0.0, 0.0, 0.0


@njit(cache=True, fastmath=True)
def _surface(
    kind, index, x, y, z, nx, ny, nz, px, py, pz, walls, checkers, dice, floor, wood, at, grain
):
    """Return (r, g, b, gloss, normal x, y, z) of a spot."""
    if kind == FLOOR:
        u, v = at[0] + at[2] * x - at[3] * y, at[1] + at[3] * x + at[2] * y
        r, g, b = _texel(floor, u, v)
        return r, g, b, at[4], nx, ny, nz
    if kind == WALL:
        w = walls[index]
        if nz > 0.5:
            r, g, b = _texel(wood, at[5] * x, at[5] * y)
            edge = min(min(x - w[0], w[2] - x), min(y - w[1], w[3] - y))
            k = 1.0 + 0.25 * math.exp(-(((edge - 1.2) / 0.7) ** 2))
        else:
            r, g, b = _texel(wood, at[5] * (x + y), at[5] * z + 37.0)
            k = w[6]
        return r * k, g * k, b * k, w[5], nx, ny, nz
    if kind == CHECKER:
        c = checkers[index]
        r, g, b = c[5], c[6], c[7]
        if nz > 0.5:
            ux, uy = (x - c[0]) / c[3], (y - c[1]) / c[3]
            rho = math.sqrt(ux * ux + uy * uy)
            slope = -1.2 * max((rho - 0.88) / 0.12, 0.0) ** 1.5 - c[11] * rho
            k = 1.0
            if c[9] > 0:
                away = (rho - c[9]) / 0.04
                slope += c[10] * away * math.exp(-away * away)
                k -= 0.3 * c[10] * math.exp(-away * away)
            lines = math.sin(c[12] * (ux * 9 + 2 * math.sin(3 * uy + index)) + index)
            k *= 1.0 + 0.12 * min(c[12], 1.0) * lines
            safe = max(rho, 1e-3)
            bx, by = -slope * ux / safe, -slope * uy / safe
            size = math.sqrt(bx * bx + by * by + 1.0)
            return r * k, g * k, b * k, c[8], bx / size, by / size, 1.0 / size
        return r, g, b, c[8], nx, ny, nz
    die = dice[index]
    r, g, b = die[15], die[16], die[17]
    inside, one, qx, qy, qz = _pip(die, px, py, pz)
    if inside:
        if one:
            r, g, b = die[21], die[22], die[23]
        else:
            r, g, b = die[18], die[19], die[20]
        bend = 0.9 * die[27]
        nx -= bend * (die[3] * qx + die[4] * qy + die[5] * qz)
        ny -= bend * (die[6] * qx + die[7] * qy + die[8] * qz)
        nz -= bend * (die[9] * qx + die[10] * qy + die[11] * qz)
        size = max(math.sqrt(nx * nx + ny * ny + nz * nz), 1e-6)
        nx, ny, nz = nx / size, ny / size, nz / size
    return r, g, b, die[28], nx, ny, nz


@njit(cache=True, fastmath=True)
def _around(nx, ny, nz):
    """Return a direction about a normal, likelier the nearer to it (cosine)."""
    z = 2.0 * np.random.random() - 1.0
    a = 2.0 * math.pi * np.random.random()
    r = math.sqrt(max(0.0, 1.0 - z * z))
    x, y, z = nx + 0.999 * r * math.cos(a), ny + 0.999 * r * math.sin(a), nz + 0.999 * z
    size = max(math.sqrt(x * x + y * y + z * z), 1e-6)
    return x / size, y / size, z / size


@njit(cache=True, fastmath=True)
def trace(
    size_px, samples, eye, axes, focal_px, walls, checkers, dice, floor, wood, at, lamps, sky,
    seed,
):  # fmt: skip
    """Return a square picture, (N, N, 3) linear light.

    Args:
        size_px: N.
        samples: rays per pixel and axis.
        eye: the camera's place.
        axes: (3, 3) rows: right, down, forward.
        focal_px: the focal length; the axis meets the picture's middle.
        walls: boxes, `WALL_FIELDS` each.
        checkers: `CHECKER_FIELDS` each.
        dice: `DIE_FIELDS` each.
        floor: (M, M, 3) the floor's colours, linear.
        wood: the same for boxes.
        at: floor texture's origin x, y; cosine and sine of its turn times its scale; the
            floor's gloss; the wood's scale.
        lamps: `LAMP_FIELDS` each.
        sky: colour of the room's light, and how it changes along x, y, z.
        seed: draws the rays.
    """
    np.random.seed(seed)
    out = np.zeros((size_px, size_px, 3), np.float32)
    middle = (size_px - 1) / 2
    share = 1.0 / (samples * samples)
    for row in range(size_px):
        for column in range(size_px):
            red, green, blue = 0.0, 0.0, 0.0
            for s in range(samples * samples):
                jx = (s % samples + np.random.random()) / samples - 0.5
                jy = (s // samples + np.random.random()) / samples - 0.5
                a, b = (column + jx - middle) / focal_px, (row + jy - middle) / focal_px
                dx = axes[2, 0] + a * axes[0, 0] + b * axes[1, 0]
                dy = axes[2, 1] + a * axes[0, 1] + b * axes[1, 1]
                dz = axes[2, 2] + a * axes[0, 2] + b * axes[1, 2]
                size = math.sqrt(dx * dx + dy * dy + dz * dz)
                dx, dy, dz = dx / size, dy / size, dz / size
                ox, oy, oz = eye[0], eye[1], eye[2]
                t, kind, k, nx, ny, nz, px, py, pz, way = _nearest(
                    ox, oy, oz, dx, dy, dz, walls, checkers, dice, -1
                )
                skip = -1
                if kind == DIE and dice[k, 29] > 0:
                    inside, _, _, _, _ = _pip(dice[k], px, py, pz)
                    if not inside and np.random.random() < dice[k, 29] * math.exp(-0.5 * way):
                        skip = k
                        t, kind, k, nx, ny, nz, px, py, pz, way = _nearest(
                            ox, oy, oz, dx, dy, dz, walls, checkers, dice, skip
                        )
                if kind == NOTHING:
                    continue
                x, y, z = ox + t * dx, oy + t * dy, oz + t * dz
                ar, ag, ab, gloss, bx, by, bz = _surface(
                    kind, k, x, y, z, nx, ny, nz, px, py, pz, walls, checkers, dice, floor,
                    wood, at, 0.0,
                )  # fmt: skip
                x, y, z = x + 0.02 * nx, y + 0.02 * ny, z + 0.02 * nz
                lr, lg, lb, shine = 0.0, 0.0, 0.0, 0.0
                for i in range(len(lamps)):
                    lamp = lamps[i]
                    lx = lamp[0] + lamp[3] * (2 * np.random.random() - 1)
                    ly = lamp[1] + lamp[3] * (2 * np.random.random() - 1)
                    lz = lamp[2] + lamp[3] * (2 * np.random.random() - 1)
                    size = math.sqrt(lx * lx + ly * ly + lz * lz)
                    lx, ly, lz = lx / size, ly / size, lz / size
                    facing = bx * lx + by * ly + bz * lz
                    if facing <= 0 or nx * lx + ny * ly + nz * lz <= 0:
                        continue
                    _, blocked, _, _, _, _, _, _, _, _ = _nearest(
                        x, y, z, lx, ly, lz, walls, checkers, dice, skip
                    )
                    dim = 1.0
                    if blocked != NOTHING:
                        continue
                    lr += dim * lamp[4] * facing
                    lg += dim * lamp[5] * facing
                    lb += dim * lamp[6] * facing
                    hx, hy, hz = lx - dx, ly - dy, lz - dz
                    size = math.sqrt(hx * hx + hy * hy + hz * hz)
                    half = (hx * bx + hy * by + hz * bz) / size
                    if half > 0:
                        shine += gloss * half**40 * lamp[5]
                gx, gy, gz = _around(bx, by, bz)
                t, kind, k, mx, my, mz, px, py, pz, way = _nearest(
                    x, y, z, gx, gy, gz, walls, checkers, dice, skip
                )
                if kind == NOTHING:
                    level = max(0.05, 1.0 + sky[3] * gx + sky[4] * gy + sky[5] * gz)
                    lr, lg, lb = lr + sky[0] * level, lg + sky[1] * level, lb + sky[2] * level
                else:
                    cr, cg, cb, _, _, _, _ = _surface(
                        kind, k, x + t * gx, y + t * gy, z + t * gz, mx, my, mz, px, py, pz,
                        walls, checkers, dice, floor, wood, at, 0.0,
                    )  # fmt: skip
                    lit = 0.0
                    for i in range(len(lamps)):
                        lit += (
                            0.5
                            * lamps[i, 5]
                            * max(0.0, lamps[i, 0] * mx + lamps[i, 1] * my + lamps[i, 2] * mz)
                        )
                    level = 0.55 * sky[1] + lit
                    lr, lg, lb = lr + cr * level, lg + cg * level, lb + cb * level
                red += ar * lr + shine
                green += ag * lg + shine
                blue += ab * lb + shine
            out[row, column, 0] = red * share
            out[row, column, 1] = green * share
            out[row, column, 2] = blue * share
    return out
