"""Dice that lean on what stands on a drawn board, in any way that touches.

Turn and tilt are drawn; then the die is slid along the floor until it touches a checker, a
wall or another die. Whether it would stay so is not asked: thrown dice are held up in ways that
a few rules do not foresee, and it is the look that counts.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from table.die import DiePose, die_rotation
from table.scene import Die, Disc
from table.world import Board, WorldError

Array = npt.NDArray[np.float64]
Rng = np.random.Generator

_HALVINGS = 11
_ON_EDGE = 9
LEAST_DEG, MOST_DEG = 4.0, 44.0
_SLACK_MM = 0.05


def _cube_edges() -> Array:
    """Return points along the twelve edges of a cube of side 2."""
    along = np.linspace(-1, 1, _ON_EDGE)
    points = []
    for axis in range(3):
        for one in (-1.0, 1.0):
            for other in (-1.0, 1.0):
                edge = np.full((_ON_EDGE, 3), one)
                edge[:, (axis + 1) % 3], edge[:, (axis + 2) % 3] = one, other
                edge[:, axis] = along
                points.append(edge)
    return np.vstack(points)


_EDGES = _cube_edges()


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """Something upright on the floor that a die may lean on."""

    name: str
    """`checker`, `wall` or `die`."""
    top_mm: float
    holds: Callable[[Array], npt.NDArray[np.bool_]]
    """Says of (N, 2) spots whether they are inside its outline."""
    rim: Array
    """(N, 2) points along its outline."""


def checker(board: Board, disc: Disc) -> Body:
    """Return a checker as a body."""
    radius, spot = board.look.checker_mm / 2, np.array([disc.x_mm, disc.y_mm])
    turns = np.linspace(0, 2 * math.pi, 72, endpoint=False)
    rim = spot + radius * np.column_stack([np.cos(turns), np.sin(turns)])
    return Body(
        "checker",
        board.look.checker_height_mm,
        lambda xy: np.asarray(np.hypot(*(xy - spot).T) < radius),
        rim,
    )


def flat_die(board: Board, die: Die) -> Body:
    """Return a flat die as a body."""
    edge, turn = board.look.die.edge_mm, math.radians(die.pose.yaw_deg)
    spot = np.array([die.pose.x_mm, die.pose.y_mm])
    c, s = math.cos(turn), math.sin(turn)
    axes = np.array([[c, -s], [s, c]])
    square = edge / 2 * _EDGES[_EDGES[:, 2] > 0.99][:, :2]
    return Body(
        "die",
        edge,
        lambda xy: np.asarray((np.abs((xy - spot) @ axes) < edge / 2).all(axis=1)),
        square @ axes.T + spot,
    )


def wall(board: Board, near: Array, side: int) -> tuple[Body, Array]:
    """Return one of the walls around a half (0 left, 1 right, 2 top, 3 bottom), and its way in.

    Args:
        board: the table.
        near: the spot beside which its rim is sampled.
        side: which.
    """
    geometry = board.geometry
    left = near[0] < geometry.width_mm / 2
    x0, x1 = (0.0, geometry.bar_left_mm) if left else (geometry.bar_right_mm, geometry.width_mm)
    axis, at, inwards = ((0, x0, 1), (0, x1, -1), (1, 0.0, 1), (1, geometry.height_mm, -1))[
        side
    ]
    rim = np.empty((81, 2))
    rim[:, axis] = at
    rim[:, 1 - axis] = near[1 - axis] + np.linspace(-20, 20, 81)
    into = np.zeros(2)
    into[axis] = inwards
    body = Body(
        "wall",
        board.look.frame_height_mm,
        lambda xy: np.asarray((xy[:, axis] - at) * inwards < 0),
        rim,
    )
    return body, into


def against(
    board: Board,
    body: Body,
    spot: Array,
    away: Array,
    tilt_deg: float,
    others: tuple[Body, ...],
    rng: Rng,
    gap_mm: float = 0.0,
) -> Die:
    """Return a die that stands on the floor and touches a body.

    Args:
        board: the table.
        body: what it touches.
        spot: a place inside the body; the die comes from `away` of it.
        away: unit vector.
        tilt_deg: 0: flat.
        others: what it must not cut into.
        rng: draws turn, value and the side that is raised.
        gap_mm: how far it stops before it touches.

    Raises:
        WorldError: there is no room for it.
    """
    look, value = board.look.die, int(rng.integers(1, 7))
    uphill = math.atan2(-away[1], -away[0]) + float(rng.normal(0, 0.35))
    axis = math.degrees(uphill) - 90.0
    if rng.random() < 0.55:
        yaw = axis + 90.0 * int(rng.integers(4)) + float(rng.normal(0, 4))
    else:
        yaw = float(rng.uniform(0, 360))
    pose = DiePose(value, 0.0, 0.0, yaw, tilt_deg, axis)
    turn = die_rotation(pose, look.right_handed)
    # Rounded and ball-cut dice do not reach as far as their corners.
    round_ = 0.5 - 0.29 * look.rounding
    points = _EDGES * look.edge_mm * round_ @ turn.T
    rise = -float(points[:, 2].min())
    points[:, 2] += rise

    def cuts(one: Body, at: Array) -> bool:
        low = points[:, 2] < one.top_mm - _SLACK_MM
        if bool(one.holds(points[low, :2] + at).any()):
            return True
        local = np.column_stack([one.rim - at, np.full(len(one.rim), one.top_mm - rise)])
        inside = np.abs(local @ turn) < look.edge_mm * round_ - _SLACK_MM
        return bool(inside.all(axis=1).any())

    near, far = 0.0, 60.0
    if not cuts(body, spot) or cuts(body, spot + far * away):
        raise WorldError("nothing to touch there")
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        if cuts(body, spot + middle * away):
            near = middle
        else:
            far = middle
    at = spot + (far + gap_mm) * away
    if any(cuts(other, at) for other in others):
        raise WorldError("something is in the way")
    x, y = at.tolist()
    half = board.geometry.half_of(x, y)
    if half not in ("left", "right"):
        raise WorldError("not on the board")
    where = half if tilt_deg == 0 or body.name == "die" else body.name
    tilted = DiePose(value, x, y, yaw, tilt_deg, axis)
    return Die(tilted, 0.0, where)  # type: ignore[arg-type]
