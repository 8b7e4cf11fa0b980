"""Where dice come to rest: thrown by a physics engine onto checkers, walls, bar and each other.

python -m training.lie_physics POSES.npz --scenes 6000 --seed 1

Needs `pip install mujoco`. World: x, y along the board, z up from its floor, millimetres.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np

Rng = np.random.Generator

DICE = 3
MAX_WALLS = 3
MAX_CHECKERS = 24
STEP_S = 0.002
REST_STEPS = 25
"""A die that has not moved for so many steps lies still."""
REST_MM_S = 4.0
TOUCH_MM = 0.2
LEVEL_DEG = 1.0
FLOOR, CHECKER, WALL, DIE = 1, 2, 4, 8
"""What a die touches, as bits."""
ON_FLOOR, ON_CHECKER, ON_WALL, ON_DIE = range(4)
"""What a die lies on, or leans against."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A corner of a board, without dice."""

    edge_mm: float
    walls: np.ndarray
    """(N, 5): x0, y0, x1, y1, height of each rim or bar."""
    checkers: np.ndarray
    """(N, 5): x, y, lower face, radius, thickness."""
    dark: np.ndarray
    """(N,) which side's each checker is."""


def place(rng: Rng) -> Place:
    """Draw a corner of a board: a rim or none, a bar or none, checkers in columns or loose."""
    edge = float(rng.uniform(9, 20) if rng.random() < 0.4 else rng.normal(14.5, 1.5))
    edge = float(np.clip(edge, 9, 20))
    diameter, thick = float(rng.uniform(26, 42)), float(rng.uniform(5.5, 12))
    high = float(rng.uniform(6, 24))
    walls = []
    rim = rng.random() < 0.7
    side = rng.random() < 0.55
    if rim:
        walls.append((-200.0, -40.0, 250.0, 0.0, high))
    if side:
        wide = float(rng.uniform(12, 50))
        walls.append((-wide, 0.0 if rim else -200.0, 0.0, 250.0, high))
    checkers: list[tuple[float, float, float, float, float]] = []
    dark: list[bool] = []
    if rim and rng.random() < 0.88:
        pitch = diameter * float(rng.uniform(1.0, 1.2))
        start = 0.0 if side else float(rng.uniform(-80, 0))
        for column in range(int(rng.integers(2, 5))):
            if rng.random() < 0.4:
                continue
            count = int(rng.choice([1, 2, 3, 4, 5, 7], p=[0.3, 0.25, 0.18, 0.12, 0.08, 0.07]))
            team = bool(rng.random() < 0.5)
            x = start + (column + 0.5) * pitch
            gap = float(rng.choice([0.0, 0.5, 3.0]) * rng.uniform(0.5, 1.5))
            for k in range(count):
                layer, spot = divmod(k, 5)
                y = diameter / 2 + gap + spot * (diameter + 0.3 * gap)
                y += layer * float(rng.uniform(1, 6))
                aside = float(rng.normal(0, 1.2))
                checkers.append((x + aside, y, layer * thick, diameter / 2, thick))
                dark.append(team)
    if not checkers or rng.random() < 0.15:
        for _ in range(int(rng.integers(0, 4))):
            x, y = rng.uniform(5, 110, 2)
            spot = np.array([max(x, diameter / 2), max(y, diameter / 2)])
            if all(np.hypot(*(spot - c[:2])) > diameter for c in checkers):
                checkers.append((float(spot[0]), float(spot[1]), 0.0, diameter / 2, thick))
                dark.append(bool(rng.random() < 0.5))
    if side and wide > diameter and rng.random() < 0.15:
        y = float(rng.uniform(diameter, 90))
        checkers.append((-wide / 2, y, high, diameter / 2, thick))
        dark.append(bool(rng.random() < 0.5))
    checkers, dark = checkers[:MAX_CHECKERS], dark[:MAX_CHECKERS]
    return Place(
        edge,
        np.array(walls, np.float64).reshape(-1, 5),
        np.array(checkers, np.float64).reshape(-1, 5),
        np.array(dark, bool),
    )


def _model(spot: Place, rng: Rng) -> "mujoco.MjModel":
    grip = rng.uniform(0.3, 1.1)
    bodies = ['<geom name="floor" type="plane" size="900 900 10"/>']
    for i, (x0, y0, x1, y1, high) in enumerate(spot.walls):
        bodies.append(
            f'<geom name="wall{i}" type="box" pos="{(x0 + x1) / 2} {(y0 + y1) / 2} {high / 2}"'
            f' size="{(x1 - x0) / 2} {(y1 - y0) / 2} {high / 2}"/>'
        )
    for i, (x, y, z, radius, thick) in enumerate(spot.checkers):
        bodies.append(
            f'<geom name="checker{i}" type="cylinder" pos="{x} {y} {z + thick / 2}"'
            f' size="{radius} {thick / 2}"/>'
        )
    half = spot.edge_mm / 2
    bodies += [
        f'<body name="die{i}" pos="0 0 {200 + 40 * i}"><freejoint/><geom name="die{i}"'
        f' type="box" size="{half} {half} {half}" density="0.001"/></body>'
        for i in range(DICE)
    ]
    return mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{STEP_S}" gravity="0 0 -9810" cone="elliptic"/>'
        f'<default><geom friction="{grip} 0.5 0.1" solref="0.005 1" condim="4"/></default>'
        f"<worldbody>{''.join(bodies)}</worldbody></mujoco>"
    )


def _aim(spot: Place, rng: Rng) -> np.ndarray:
    """Return where a die is thrown: mostly at the edge of something."""
    kind = rng.random()
    reach = spot.edge_mm * float(rng.uniform(-0.2, 0.8))
    if kind < 0.55 and len(spot.checkers):
        x, y, _, radius, _ = spot.checkers[int(rng.integers(len(spot.checkers)))]
        angle = rng.uniform(0, 2 * np.pi)
        return np.array([x, y]) + (radius + reach) * np.array([np.cos(angle), np.sin(angle)])
    if kind < 0.8 and len(spot.walls):
        x0, _, x1, y1, _ = spot.walls[int(rng.integers(len(spot.walls)))]
        if y1 == 0.0:
            return np.array([rng.uniform(-30, 120), reach])
        return np.array([x1 + reach if rng.random() < 0.8 else x0 - reach, rng.uniform(5, 120)])
    return rng.uniform(0, 120, 2)


def settle(
    spot: Place, model: "mujoco.MjModel", rng: Rng
) -> tuple[np.ndarray, np.ndarray] | None:
    """Throw the dice; return (DICE, 12) places and rotations, and (DICE, 3) int labels.

    Labels: bits touched, what it lies on, and 1 where it lies still. None: nothing did.
    """
    data = mujoco.MjData(model)
    for i in range(DICE):
        at = _aim(spot, rng)
        tame = rng.random() < 0.5
        if rng.random() < 0.25 and i:
            # Beside or upon the die before: dice hold each other up as well.
            at = data.qpos[7 * i - 7 : 7 * i - 5] + rng.normal(0, spot.edge_mm, 2)
        turn = rng.normal(0, 1, 4)
        height = spot.edge_mm * rng.uniform(1.2, 3) + (25 if len(spot.checkers) else 8)
        data.qpos[7 * i : 7 * i + 7] = [*at, height + 26 * i, *(turn / np.linalg.norm(turn))]
        speed = 40.0 if tame else 350.0
        data.qvel[6 * i : 6 * i + 6] = [
            *rng.normal(0, speed, 2),
            -rng.uniform(0, 300),
            *rng.normal(0, 3 if tame else 15, 3),
        ]
    still = 0
    for step in range(700):
        mujoco.mj_step(model, data)
        slow = np.abs(data.qvel.reshape(DICE, 6)[:, :3]).max(axis=1) < REST_MM_S
        spin = np.abs(data.qvel.reshape(DICE, 6)[:, 3:]).max(axis=1) < 0.3
        still = still + 1 if (slow & spin).all() else 0
        if still > REST_STEPS and step > 100:
            break
    poses = np.zeros((DICE, 12))
    labels = np.zeros((DICE, 3), np.int64)
    for i in range(DICE):
        poses[i, :3] = data.body(f"die{i}").xpos
        poses[i, 3:] = data.body(f"die{i}").xmat
        labels[i, 2] = int(slow[i] and spin[i])
    # How level the support is: the upright part of what holds each die, per kind.
    lift = np.zeros((DICE, 4))
    for contact in data.contact:
        if contact.dist > TOUCH_MM:
            continue
        names = [model.geom(int(g)).name for g in contact.geom]
        for me, it in (names, names[::-1]):
            if not me.startswith("die"):
                continue
            i = int(me[3:])
            kind = ("floor", "checker", "wall", "die").index(it.rstrip("0123456789"))
            labels[i, 0] |= 1 << kind
            lift[i, kind] = max(lift[i, kind], abs(float(contact.frame[2])))
    for i in range(DICE):
        labels[i, 1] = _lies_on(int(labels[i, 0]), lift[i], tilt_deg(poses[i, 3:]))
    near = np.abs(poses[:, :2]).max(axis=1) < 190
    labels[:, 2] &= (near & (poses[:, 2] < 200)).astype(int)
    return (poses, labels) if labels[:, 2].any() else None


def tilt_deg(rotation: np.ndarray) -> float:
    """Return the angle between the face nearest to up and the board."""
    return float(np.degrees(np.arccos(min(1.0, np.abs(rotation.reshape(3, 3)[2]).max()))))


def _lies_on(touched: int, lift: np.ndarray, tilt: float) -> int:
    if tilt > LEVEL_DEG:
        for bit, name in ((CHECKER, ON_CHECKER), (WALL, ON_WALL), (DIE, ON_DIE)):
            if touched & bit:
                return name
        return ON_FLOOR
    under = [k for k in range(4) if lift[k] > 0.7]
    if ON_FLOOR in under or not under:
        return ON_FLOOR
    return under[0]


def main() -> None:
    """Parse the command line, throw, and write what came to rest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=6000)
    parser.add_argument("--throws", type=int, default=6, help="per scene")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    rows: dict[str, list[np.ndarray]] = {
        name: [] for name in ("edge", "walls", "checkers", "dark", "poses", "labels")
    }
    for number in range(options.scenes):
        spot = place(rng)
        model = _model(spot, rng)
        for _ in range(options.throws):
            rested = settle(spot, model, rng)
            if rested is None:
                continue
            walls = np.full((MAX_WALLS, 5), np.nan)
            walls[: len(spot.walls)] = spot.walls
            checkers = np.full((MAX_CHECKERS, 5), np.nan)
            checkers[: len(spot.checkers)] = spot.checkers
            dark = np.zeros(MAX_CHECKERS, bool)
            dark[: len(spot.dark)] = spot.dark
            values = (np.array(spot.edge_mm), walls, checkers, dark, *rested)
            for name, value in zip(rows, values, strict=True):
                rows[name].append(value)
        if number % 500 == 499:
            print(f"{number + 1} scenes, {len(rows['edge'])} throws", flush=True)
    packed = {name: np.stack(values) for name, values in rows.items()}
    for name in ("edge", "walls", "checkers", "poses"):
        packed[name] = packed[name].astype(np.float32)
    packed["labels"] = packed["labels"].astype(np.int8)
    np.savez_compressed(options.out, **packed)


if __name__ == "__main__":
    main()
