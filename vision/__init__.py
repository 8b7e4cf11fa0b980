"""Sight: frame in, observation out; facts with confidence, never verdicts.

The value types are here; the chain that makes them is `vision.observe`.
"""

from vision.observation import (
    BarReading,
    BoardSighting,
    CheckersReading,
    Corners,
    DieReading,
    Half,
    Observation,
    PointReading,
    Side,
    Surface,
)

__all__ = [
    "BarReading",
    "BoardSighting",
    "CheckersReading",
    "Corners",
    "DieReading",
    "Half",
    "Observation",
    "PointReading",
    "Side",
    "Surface",
]
