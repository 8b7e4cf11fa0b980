"""From many likely faces to dice: one upper face each, the rest explained away."""

import numpy as np

from vision.dice_faces import Faces, IntArray
from vision.pips import FloatArray

SIDE_UNITS = 3.7
"""Side of a die in lattice units, by the usual placing of pips."""
_SAME_DIE_SIDES = 0.82
"""Centres nearer than this many sides belong to one die: a side face or a misread one."""


def select_faces(
    faces: Faces, pip_key: IntArray, probability: FloatArray, least: float
) -> list[int]:
    """Return the faces that stand for dice, likeliest first.

    Args:
        faces: proposed faces, frame `image_px`.
        pip_key: (N, 6) the pips each face uses, -1 where unused.
        probability: (N,) that each face is an upper face read right.
        least: below this probability a face is not even a doubtful die.
    """
    # A face that explains more pips wins a near tie over a part of itself.
    rank = _logit(probability) + 0.25 * (pip_key >= 0).sum(axis=1)
    order = np.argsort(-rank, kind="stable")
    order = order[probability[order] >= least]
    order = np.asarray([i for i in order if not _is_part(i, order, pip_key, probability)])
    length = np.maximum(np.hypot(*faces.u.T), np.hypot(*faces.v.T)) * SIDE_UNITS
    kept: list[int] = []
    for i in order:
        pips = pip_key[i][pip_key[i] >= 0]
        clash = False
        for k in kept:
            apart = float(np.hypot(*(faces.center[i] - faces.center[k])))
            reach = _SAME_DIE_SIDES * max(length[i], length[k])
            if apart < reach or bool(np.isin(pips, pip_key[k]).any()):
                clash = True
                break
        if not clash:
            kept.append(int(i))
    return kept


def _is_part(i: int, order: IntArray, pip_key: IntArray, probability: FloatArray) -> bool:
    """Whether a likely face uses all of this one's pips and more."""
    own = pip_key[i][pip_key[i] >= 0]
    for k in order:
        theirs = pip_key[k][pip_key[k] >= 0]
        if (
            len(theirs) > len(own)
            and probability[k] > 0.3 * probability[i]
            and bool(np.isin(own, theirs).all())
        ):
            return True
    return False


def _logit(p: FloatArray) -> FloatArray:
    clipped = np.clip(p, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(clipped / (1 - clipped)))
