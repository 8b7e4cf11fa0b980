"""From labels to what the net should say in each cell, and how far off it is."""

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name every PyTorch programme uses

from training.dice_model import SIZE_UNIT_PX, STRIDE
from training.dice_scene import FLAT_MAX_DEG, MAX_EDGE_PX, MIN_EDGE_PX

IGNORED_EDGE_PX = (0.85 * MIN_EDGE_PX, 1.35 * MAX_EDGE_PX)
"""Dice beyond the findable sizes but within these: say what you like."""
PLANES = 9
"""heat, its weight, value (0 none), its weight, dx, dy, log w, log h, tilted (−1 unknown)."""


def targets(labels: np.ndarray, cells: int) -> np.ndarray:
    """Return (PLANES, cells, cells) float32 for one picture's label rows."""
    out = np.zeros((PLANES, cells, cells), np.float32)
    out[1] = 1.0
    out[8] = -1.0
    at = np.arange(cells, dtype=np.float32) * STRIDE + (STRIDE - 1) / 2
    if (labels[:, 6] == -2).any():
        out[1] = 0.0
    for x, y, left, top, width, height, value, tilt, edge in labels:
        if value == -2 or edge > IGNORED_EDGE_PX[1]:
            continue
        if value < 0 or not MIN_EDGE_PX * 0.97 <= edge <= MAX_EDGE_PX * 1.08:
            rows = (at >= top - 2) & (at <= top + height + 2)
            columns = (at >= left - 2) & (at <= left + width + 2)
            out[1][np.ix_(rows, columns)] = 0.0
            continue
        near = ((at - x) ** 2)[None] + ((at - y) ** 2)[:, None]
        sigma = max(0.16 * edge, 2.2)
        bump = np.exp(-near / (2 * sigma * sigma)).astype(np.float32)
        row, column = np.unravel_index(int(near.argmin()), near.shape)
        if near[row, column] > STRIDE**2:
            continue
        bump[row, column] = 1.0
        out[0] = np.maximum(out[0], bump)
        out[1] = np.where(bump > 0.3, 1.0, out[1])
        core = near <= max(0.2 * edge, 0.75 * STRIDE) ** 2
        core[row, column] = True
        share = 1.0 / core.sum()
        out[2][core] = value
        out[3][core] = share
        out[4][core] = ((left + width / 2 - at) / SIZE_UNIT_PX)[None].repeat(cells, 0)[core]
        middle = (top + height / 2 - at) / SIZE_UNIT_PX
        out[5][core] = middle[:, None].repeat(cells, 1)[core]
        out[6][core] = np.log(max(width, 1) / SIZE_UNIT_PX)
        out[7][core] = np.log(max(height, 1) / SIZE_UNIT_PX)
        out[8][core] = -1.0 if np.isnan(tilt) else float(tilt > FLAT_MAX_DEG)
    return out


def loss_parts(said: torch.Tensor, wanted: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return heat, value, size and tilt loss, each per die."""
    heat, weight = wanted[:, 0], wanted[:, 1]
    probability = said[:, 0].sigmoid()
    positive = (heat == 1.0).float()
    dice = positive.sum().clamp(min=1.0)
    hit = -F.logsigmoid(said[:, 0]) * (1 - probability) ** 2 * positive
    false = -F.logsigmoid(-said[:, 0]) * probability**2 * (1 - heat) ** 4 * (1 - positive)
    share = wanted[:, 3]
    value = wanted[:, 2].long()
    asked = (value > 0).float() * share
    choice = F.cross_entropy(said[:, 1:7], (value - 1).clamp(min=0), reduction="none")
    size = (said[:, 7:11] - wanted[:, 4:8]).abs().sum(1)
    tilted = wanted[:, 8]
    tilt = F.binary_cross_entropy_with_logits(
        said[:, 11], tilted.clamp(min=0), reduction="none"
    )
    return {
        "heat": ((hit + false) * weight).sum() / dice,
        "value": (choice * asked).sum() / asked.sum().clamp(min=1.0),
        "size": (size * share).sum() / dice,
        "tilt": (tilt * share * (tilted >= 0).float()).sum() / dice,
    }
